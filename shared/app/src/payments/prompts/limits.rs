//! How many prompts may be sent (docs/decisions.md, "Limits on prompts"): so many by one player to one number, and a
//! day's worth to a number that is not the player's own, by the player and by all strangers together. What others have
//! sent never counts against whose number it is.

use domain::{
    MpesaPhone, UserId,
    platform::limits::{Limit, Limited},
};
use jiff::Timestamp;
use store::{
    payments::prompts::Payment,
    platform::{
        concurrency::try_map,
        limits::{Counter, CounterRead},
    },
};

use crate::{App, AppError, platform::flow::Flow};

/// Whose the number is that a prompt is to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The player's own.
    Own,
    /// Nobody's that we know of.
    Nobodys,
    /// Another player's: nothing is sent, and the try counts.
    Anothers,
}

/// The counters that a prompt may count for, as they are read while nobody knows yet whose the number is.
#[derive(Debug)]
pub(super) struct PromptCounters {
    to_number: CounterRead,
    by_player: CounterRead,
    by_strangers: CounterRead,
}

impl PromptCounters {
    pub async fn read(app: &App, player: &UserId, phone: &MpesaPhone) -> Result<Self, AppError> {
        let to_number = Counter::new(Limit::PromptsToNumber, &[player.as_str(), phone.as_str()]);
        let (by_player, by_strangers) = (by_player(player), by_strangers(phone));
        let (to_number, by_player, by_strangers) = tokio::try_join!(
            app.store().read_limit(&to_number),
            app.store().read_limit(&by_player),
            app.store().read_limit(&by_strangers),
        )?;
        Ok(Self { to_number, by_player, by_strangers })
    }

    /// Those that a prompt to such a number counts for.
    fn of(self, whose: Whose) -> Vec<CounterRead> {
        let mut counters = vec![self.to_number];
        if whose != Whose::Own {
            counters.push(self.by_player);
        }
        if whose == Whose::Nobodys {
            counters.push(self.by_strangers);
        }
        counters
    }
}

/// A prompt that has been counted and is about to be sent.
#[derive(Debug)]
pub(super) struct CountedPrompt {
    counters: Vec<Counter>,
    at: Timestamp,
}

impl CountedPrompt {
    /// Counts a prompt at `at` before it is sent, so that of many at once no more are sent than may be.
    pub async fn take(
        app: &App,
        counters: PromptCounters,
        whose: Whose,
        at: Timestamp,
    ) -> Flow<Self, Limited> {
        let counters = counters.of(whose);
        for counter in &counters {
            counter.check(at)?;
        }
        let taken = try_map(counters, |read| async move {
            let counter = read.counter().clone();
            Ok::<_, AppError>((counter, app.store().take_limit_as_read(read, at).await?))
        });
        let (mut counted, mut refused) = (Self { counters: Vec::new(), at }, None);
        for (counter, taken) in taken.await? {
            match taken {
                None => counted.counters.push(counter),
                // Others were a moment earlier.
                Some(limited) => refused = refused.or(Some(limited)),
            }
        }
        match refused {
            None => Ok(counted),
            Some(limited) => {
                counted.give_back(app).await?;
                Err(limited.into())
            }
        }
    }

    /// It certainly was not sent, so it does not count.
    pub async fn give_back(self, app: &App) -> Result<(), AppError> {
        let at = self.at;
        let given =
            try_map(self.counters, |counter| async move { app.store().give_limit_back(&counter, at).await });
        given.await?;
        Ok(())
    }
}

fn by_player(player: &UserId) -> Counter {
    Counter::new(Limit::PromptsToOthers, &[player.as_str()])
}

fn by_strangers(phone: &MpesaPhone) -> Counter {
    Counter::new(Limit::PromptsByStrangers, &[phone.as_str()])
}

/// Somebody who holds the phone has answered a prompt with a PIN: it counts for no limit of the day. Any number of
/// times: it is taken back once.
pub(super) async fn answered_by_holder(app: &App, payment: &Payment) -> Result<(), AppError> {
    let (player, phone) = (&payment.user_id, &payment.phone);
    for counter in [by_player(player), by_strangers(phone)] {
        app.store().give_limit_back(&counter, payment.created_at).await?;
    }
    Ok(())
}
