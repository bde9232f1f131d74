//! Limits as the flows use them (docs/security.md, "Limits"): which counters a step asks, and what counts.
//!
//! Limits per caller's address apply only where the configuration says `all`; those per account,
//! player and phone always do. Nothing here waits: who comes too early is told when to come again.

use domain::{
    Email, UserId,
    platform::limits::{Limit, Limited},
};
use store::platform::limits::Counter;

use crate::{App, AppError, platform::config::Limits};

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

impl LogInTry {
    /// The try of `email`, as it was typed, from `caller` (an address).
    ///
    /// # Errors
    /// The table does not answer; the inner error: not now.
    pub async fn begin(app: &App, email: &str, caller: &str) -> Result<Result<Self, Limited>, AppError> {
        let account = email.trim().to_lowercase();
        let known = app.store().is_known_address(&account, caller, app.clock().now()).await?;
        let all = app.config().limits == Limits::All;
        let log_in = Self {
            here: Counter::new(Limit::LogInHere, &[&account, caller]),
            anywhere: Counter::new(Limit::LogInAnywhere, &[&account]),
            address: all.then(|| Counter::new(Limit::LogInAddress, &[caller])),
            account,
            caller: caller.to_owned(),
            known,
        };
        let admitted = log_in.check(app).await?;
        Ok(admitted.map(|()| log_in))
    }

    /// Counts a wrong password.
    ///
    /// # Errors
    /// The table does not answer; the inner error: it came too late to be judged.
    pub async fn failed(self, app: &App) -> Result<Result<(), Limited>, AppError> {
        let now = app.clock().now();
        for counter in self.refusing() {
            if let Err(limited) = app.store().take_limit(counter, now).await? {
                return Ok(Err(limited));
            }
        }
        if self.known {
            app.store().note_limit(&self.anywhere, now).await?;
        }
        Ok(Ok(()))
    }

    /// Forgets the account's failures, and remembers the address as one of its own. Those of the
    /// address stay: an account of one's own must not clear what was tried on others.
    ///
    /// # Errors
    /// The table does not answer; the inner error: too many have failed meanwhile.
    pub async fn succeeded(self, app: &App) -> Result<Result<(), Limited>, AppError> {
        if let Err(limited) = self.check(app).await? {
            return Ok(Err(limited));
        }
        app.store().note_known_address(&self.account, &self.caller, app.clock().now()).await?;
        app.store().clear_limit(&self.here).await?;
        app.store().clear_limit(&self.anywhere).await?;
        Ok(Ok(()))
    }

    /// Whether too many have failed meanwhile. To be asked before anything is told that only a right password is.
    ///
    /// # Errors
    /// The table does not answer; the inner error: too many have.
    pub async fn check(&self, app: &App) -> Result<Result<(), Limited>, AppError> {
        let now = app.clock().now();
        for counter in self.refusing() {
            if let Err(limited) = app.store().check_limit(counter, now).await? {
                return Ok(Err(limited));
            }
        }
        Ok(Ok(()))
    }

    /// The counters that may refuse this try.
    fn refusing(&self) -> impl Iterator<Item = &Counter> {
        let anywhere = (!self.known).then_some(&self.anywhere);
        std::iter::once(&self.here).chain(anywhere).chain(&self.address)
    }
}

/// Counts a sign-up from `caller` (an address), made or refused: both tell what is taken.
///
/// # Errors
/// The table does not answer; the inner error: not now.
pub async fn sign_up(app: &App, caller: &str) -> Result<Result<(), Limited>, AppError> {
    if app.config().limits != Limits::All {
        return Ok(Ok(()));
    }
    take(app, Limit::SignUps, &[caller]).await
}

/// Counts a wish for a reset mail, for an account that exists and for one that does not.
///
/// # Errors
/// The table does not answer; the inner error: not now.
pub async fn forgot(app: &App, email: &Email) -> Result<Result<(), Limited>, AppError> {
    take(app, Limit::Forgot, &[&email.key()]).await
}

/// Counts a team that a player wants linked, before the official game is asked about it.
///
/// # Errors
/// The table does not answer; the inner error: not now.
pub async fn team_link(app: &App, player: &UserId) -> Result<Result<(), Limited>, AppError> {
    take(app, Limit::TeamLinks, &[player.as_str()]).await
}

/// Counts a code that a player has issued to prove a team.
///
/// # Errors
/// The table does not answer; the inner error: not now.
pub async fn team_proof(app: &App, player: &UserId) -> Result<Result<(), Limited>, AppError> {
    take(app, Limit::TeamProofs, &[player.as_str()]).await
}

/// Counts a look for it in the official game.
///
/// # Errors
/// The table does not answer; the inner error: not now.
pub async fn team_check(app: &App, player: &UserId) -> Result<Result<(), Limited>, AppError> {
    take(app, Limit::TeamChecks, &[player.as_str()]).await
}

/// What a player's typed codes count against, in the step that takes one.
#[must_use]
pub fn typed_codes(player: &UserId) -> Counter {
    Counter::new(Limit::TypedCodes, &[player.as_str()])
}

async fn take(app: &App, limit: Limit, whose: &[&str]) -> Result<Result<(), Limited>, AppError> {
    Ok(app.store().take_limit(&Counter::new(limit, whose), app.clock().now()).await?)
}
