//! Limits as the flows use them (docs/security.md, "Limits"): which counters a step asks, and what counts.
//!
//! Limits per caller's address apply only where the configuration says `all`; those per account,
//! player and phone always do. Nothing here waits: who comes too early is told when to come again.

use std::net::{IpAddr, Ipv6Addr};

use domain::{
    Email, UserId,
    platform::limits::{Limit, Limited},
};
use store::platform::limits::Counter;

use crate::{
    App, AppError,
    platform::{
        config::Limits,
        flow::{Flow, Refusal},
    },
};

impl Refusal for Limited {}

/// A log-in that has been admitted and has yet to show its password.
///
/// A wrong password counts only while the limit admits it, and a right one is good only while it
/// does: of many tries at once no more are answered than of as many in a row.
#[derive(Debug)]
pub struct LogInTry {
    account: String,
    caller: String,
    here: Counter,
    anywhere: Counter,
    address: Option<Counter>,
    /// The account has logged in from here before: failures elsewhere do not shut it out.
    known: bool,
}

/// What the counters of a log-in say.
struct Admitted {
    here: Option<Limited>,
    anywhere: Option<Limited>,
    address: Option<Limited>,
}

impl LogInTry {
    /// The try of `email`, as it was typed, from `address`.
    pub async fn begin(app: &App, email: &str, address: Option<IpAddr>) -> Flow<Self, Limited> {
        let (account, caller) = (email.trim().to_lowercase(), caller(address));
        let all = app.config().limits == Limits::All;
        let unknown = Self {
            here: Counter::new(Limit::LogInHere, &[&account, &caller]),
            anywhere: Counter::new(Limit::LogInAnywhere, &[&account]),
            address: all.then(|| Counter::new(Limit::LogInAddress, &[&caller])),
            account,
            caller,
            known: false,
        };
        // All at once: everybody who logs in waits for it.
        let now = app.clock().now();
        let known = async { Ok(app.store().is_known_address(&unknown.account, &unknown.caller, now).await?) };
        let (known, admitted) = tokio::try_join!(known, unknown.asked(app))?;
        let log_in = Self { known, ..unknown };
        log_in.judged(admitted)?;
        Ok(log_in)
    }

    /// Counts a wrong password. Refused: it came too late to be judged.
    pub async fn failed(self, app: &App) -> Flow<(), Limited> {
        let now = app.clock().now();
        for counter in self.refusing() {
            admitted(app.store().take_limit(counter, now).await?)?;
        }
        if self.known {
            app.store().note_limit(&self.anywhere, now).await?;
        }
        Ok(())
    }

    /// Forgets the account's failures, and remembers the address as one of its own. Those of the
    /// address stay: an account of one's own must not clear what was tried on others.
    pub async fn forget_failures(&self, app: &App) -> Result<(), AppError> {
        let (store, now) = (app.store(), app.clock().now());
        tokio::try_join!(
            store.note_known_address(&self.account, &self.caller, now),
            store.clear_limit(&self.here),
            store.clear_limit(&self.anywhere),
        )?;
        Ok(())
    }

    /// Whether too many have failed meanwhile. Asked before an answer that reveals that the password was right.
    pub async fn check(&self, app: &App) -> Flow<(), Limited> {
        let admitted = self.asked(app).await?;
        Ok(self.judged(admitted)?)
    }

    /// What each counter says, whether or not it may refuse this try.
    async fn asked(&self, app: &App) -> Result<Admitted, AppError> {
        let now = app.clock().now();
        let address = async {
            match &self.address {
                Some(address) => app.store().check_limit(address, now).await,
                None => Ok(None),
            }
        };
        let (here, anywhere, address) = tokio::try_join!(
            app.store().check_limit(&self.here, now),
            app.store().check_limit(&self.anywhere, now),
            address,
        )?;
        Ok(Admitted { here, anywhere, address })
    }

    fn judged(&self, Admitted { here, anywhere, address }: Admitted) -> Result<(), Limited> {
        admitted(here.or(anywhere.filter(|_| !self.known)).or(address))
    }

    /// The counters that may refuse this try.
    fn refusing(&self) -> impl Iterator<Item = &Counter> {
        let anywhere = (!self.known).then_some(&self.anywhere);
        std::iter::once(&self.here).chain(anywhere).chain(&self.address)
    }
}

/// Whether nothing stands in the way.
fn admitted(limited: Option<Limited>) -> Result<(), Limited> {
    limited.map_or(Ok(()), Err)
}

/// Counts a sign-up from `address`, made or refused: both tell what is taken.
pub async fn sign_up(app: &App, address: Option<IpAddr>) -> Flow<(), Limited> {
    match app.config().limits {
        Limits::All => take(app, Limit::SignUps, &caller(address)).await,
        Limits::Player => Ok(()),
    }
}

/// Counts a wish for a reset mail, for an account that exists and for one that does not.
pub async fn forgot(app: &App, email: &Email) -> Flow<(), Limited> {
    take(app, Limit::Forgot, &email.key()).await
}

/// Counts a team that a player wants linked, before the official game is asked about it.
pub async fn team_link(app: &App, player: &UserId) -> Flow<(), Limited> {
    take(app, Limit::TeamLinks, player.as_str()).await
}

/// Counts a code that a player has issued to prove a team.
pub async fn team_proof(app: &App, player: &UserId) -> Flow<(), Limited> {
    take(app, Limit::TeamProofs, player.as_str()).await
}

/// Counts a look for it in the official game.
pub async fn team_check(app: &App, player: &UserId) -> Flow<(), Limited> {
    take(app, Limit::TeamChecks, player.as_str()).await
}

/// What a player's typed codes count against, in the step that takes one.
#[must_use]
pub fn typed_codes(player: &UserId) -> Counter {
    Counter::new(Limit::TypedCodes, &[player.as_str()])
}

/// What a player's messages about what is wrong count against, in the step that takes one.
#[must_use]
pub fn case_messages(player: &UserId) -> Counter {
    Counter::new(Limit::CaseMessages, &[player.as_str()])
}

/// Counts a page of a player's own data.
pub async fn own_data(app: &App, player: &UserId) -> Flow<(), Limited> {
    take(app, Limit::OwnData, player.as_str()).await
}

async fn take(app: &App, limit: Limit, whose: &str) -> Flow<(), Limited> {
    Ok(admitted(app.store().take_limit(&Counter::new(limit, &[whose]), app.clock().now()).await?)?)
}

/// An IPv4 address; of an IPv6 address the network, since a subscriber has a whole one.
fn caller(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        None => "unknown".to_owned(),
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Some("203.0.113.7"), "203.0.113.7")]
    #[case(Some("::ffff:203.0.113.7"), "203.0.113.7")]
    #[case(Some("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64")]
    #[case(Some("2001:db8:1:2::"), "2001:db8:1:2::/64")]
    #[case(None, "unknown")]
    fn callers_are_told_apart_by_address_or_network(#[case] given: Option<&str>, #[case] text: &str) {
        assert_eq!(caller(given.map(|given| given.parse().unwrap())), text);
    }
}
