//! Joining from the wallet (spec §4 "Join from the wallet").

use domain::{EntryAmount, UserId, entries::join::JoinError};
use store::{StoreError, accounts::players::Player, entries::Joined, ledger::wallets::Wallet};

use super::{
    join::{Admission, CurrentEntries, EntryError, admit, check_own_team},
    new_entry,
};
use crate::{
    App,
    platform::flow::{Flow, FlowError},
    teams::link,
};

/// What is read before a player enters, all at once, and while the session is asked for.
pub struct ReadAhead {
    current: CurrentEntries,
    wallet: Result<Wallet, StoreError>,
}

impl ReadAhead {
    pub async fn of(app: &App, player: &UserId) -> Self {
        let (current, wallet) = tokio::join!(CurrentEntries::read(app), app.store().wallet(player));
        Self { current, wallet }
    }
}

/// Enters gameweek `number` and takes the amount out of the wallet. `team` is the one that the call names. The
/// transaction refuses a second entry, a player who owes something, and whatever has changed since it was read.
pub async fn join(
    app: &App,
    player: &Player,
    team: Option<&str>,
    (amount, number): (EntryAmount, u8),
    ahead: ReadAhead,
) -> Flow<(), EntryError> {
    check_own_team(player, team)?;
    let Admission { fpl_id, gameweek } = admit(app, player, number, ahead.current)?;
    let player = link::checked(app, player.clone()).await.map_err(FlowError::within)?;
    let entry = new_entry(&player, fpl_id, gameweek, amount, app.clock().now());
    let refused = match app.store().join_by_wallet_as_read(&entry, ahead.wallet?).await? {
        Joined::Entered => return Ok(()),
        Joined::AlreadyJoined => JoinError::AlreadyJoined,
        Joined::TeamElsewhere => JoinError::TeamElsewhere,
        Joined::AccountChanged => JoinError::AccountChanged,
        Joined::KeptOut => JoinError::KeptOut,
        Joined::OwnLimit(reached) => JoinError::OwnLimit(reached),
        Joined::Owes(owes) => JoinError::Owes(owes),
        Joined::InsufficientBalance => JoinError::InsufficientBalance(amount),
    };
    Err(refused.into())
}
