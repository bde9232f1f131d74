//! How many prompts may be sent (docs/decisions.md, "Limits on prompts"): so many by one player to one number, and a
//! day's worth to a number that is not the player's own, by the player and by all strangers together. What others have
//! sent never counts against whose number it is.

use domain::{
    MpesaPhone, UserId,
    platform::limits::{Limit, Limited},
};
use jiff::Timestamp;
use store::{payments::prompts::Payment, platform::limits::Counter};

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

/// A prompt that has been counted and is about to be sent.
#[derive(Debug)]
pub(super) struct CountedPrompt {
    counters: Vec<Counter>,
    at: Timestamp,
}

impl CountedPrompt {
    /// Counts the prompt of `player` to `phone` at `at` before it is sent, so that of many at once no more are sent
    /// than may be.
    pub async fn take(
        app: &App,
        player: &UserId,
        phone: &MpesaPhone,
        whose: Whose,
        at: Timestamp,
    ) -> Flow<Self, Limited> {
        let mut counters = vec![Counter::new(Limit::PromptsToNumber, &[player.as_str(), phone.as_str()])];
        if whose != Whose::Own {
            counters.push(by_player(player));
        }
        if whose == Whose::Nobodys {
            counters.push(by_strangers(phone));
        }
        let mut counted = Self { counters: Vec::new(), at };
        for counter in counters {
            if let Err(limited) = app.store().take_limit(&counter, at).await? {
                counted.give_back(app).await?;
                return Err(limited.into());
            }
            counted.counters.push(counter);
        }
        Ok(counted)
    }

    /// It certainly was not sent, so it does not count.
    pub async fn give_back(self, app: &App) -> Result<(), AppError> {
        for counter in &self.counters {
            app.store().give_limit_back(counter, self.at).await?;
        }
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
