//! Flows in the area `entries`: joining a gameweek, and what became of a player's entries.

pub(crate) mod awaited;
pub mod by_wallet;
pub mod join;
pub mod list;
pub mod payments;

use domain::{EntryAmount, FplId, GameweekId, leagues::entry_line::NameHash};
use jiff::Timestamp;
use store::{accounts::players::Player, entries::Entry, random_id, time_ordered_id};

/// `player`'s entry into `gameweek`, as of `at`.
#[must_use]
pub fn new_entry(
    player: &Player,
    fpl_id: FplId,
    gameweek: GameweekId,
    amount: EntryAmount,
    at: Timestamp,
) -> Entry {
    Entry {
        id: time_ordered_id(at),
        user_id: player.id.clone(),
        username: player.username.clone(),
        name: Some(NameHash::new(&random_id(), &player.username)),
        fpl_id,
        team_name: player.team_name.clone(),
        gameweek,
        amount,
        at,
        checkout_id: None,
        referral: player.referral.clone(),
    }
}
