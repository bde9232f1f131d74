//! Entries that a prompt may still make.

use domain::{
    GameweekId, UserId,
    payments::{prompt::PaymentState, receipt_match::HELD_FOR},
};
use jiff::Timestamp;

use crate::{App, AppError};

/// The gameweeks that prompts of `player` may still enter: after a deadline too, until the draw's list is fixed.
pub(crate) async fn awaited(app: &App, player: &UserId, now: Timestamp) -> Result<Vec<GameweekId>, AppError> {
    let mut found = Vec::new();
    for payment in app.store().payments_since(player, now - HELD_FOR).await? {
        let undecided = !matches!(payment.state, PaymentState::Success | PaymentState::Dismissed);
        let Some(entry) = payment.entry.filter(|_| undecided) else { continue };
        if app.store().entry_list(entry.gameweek, entry.amount).await?.is_none() {
            found.push(entry.gameweek);
        }
    }
    Ok(found)
}

/// Whether one of these is past its deadline. Everybody's picks are public then, so nobody's team is changed.
pub(crate) async fn is_any_closed(
    app: &App,
    awaited: &[GameweekId],
    now: Timestamp,
) -> Result<bool, AppError> {
    for id in awaited {
        if app.gameweek(*id).await?.is_some_and(|gameweek| !gameweek.is_open(now)) {
            return Ok(true);
        }
    }
    Ok(false)
}
