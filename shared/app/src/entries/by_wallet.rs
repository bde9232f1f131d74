//! Joining from the wallet (spec §4 "Join from the wallet").

use domain::{EntryAmount, entries::join::JoinError};
use store::{accounts::players::Player, entries::Joined};

use super::{
    join::{Admission, EntryError, PaidBy, admit, check_own_team},
    new_entry,
};
use crate::{App, platform::flow::Flow};

/// Enters gameweek `number` and takes the amount out of the wallet. `team` is the one that the call names.
pub async fn join(
    app: &App,
    player: &Player,
    team: Option<&str>,
    amount: EntryAmount,
    number: u8,
) -> Flow<(), EntryError> {
    check_own_team(player, team)?;
    let Admission { player, fpl_id, gameweek } = admit(app, player, number, PaidBy::Wallet).await?;
    let entry = new_entry(&player, fpl_id, gameweek, amount, app.clock().now());
    let refused = match app.store().join_by_wallet(&entry).await? {
        Joined::Entered => return Ok(()),
        Joined::AlreadyJoined => JoinError::AlreadyJoined,
        Joined::TeamElsewhere => JoinError::TeamElsewhere,
        Joined::AccountChanged => JoinError::AccountChanged,
        Joined::Owes(owes) => JoinError::Owes(owes),
        Joined::InsufficientBalance => JoinError::InsufficientBalance(amount),
    };
    Err(refused.into())
}
