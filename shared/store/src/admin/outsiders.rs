//! Admins who decide something about a gameweek that is open, and do not enter it: `keptOutOf` on their wallet, which every entry
//! asks for ([`wallets::may_enter`]).

use domain::{GameweekId, UserId};

use crate::{
    ledger::wallets,
    platform::{conditions::is, writes::Update},
};

/// An admin who was seen not to be in a gameweek, with their wallet's version before that.
#[derive(Debug, Clone)]
pub struct Outsider {
    pub admin: UserId,
    pub gameweek: GameweekId,
    pub wallet_version: u64,
}

/// For the transaction by which an admin decides something about a gameweek: they have not entered it meanwhile, and do not
/// enter it any more.
pub(crate) fn kept_out(outsider: &Outsider) -> Update {
    let Outsider { admin, gameweek, wallet_version } = outsider;
    Update::of(wallets::key(admin)).set("keptOutOf", gameweek).only_if(is("version", wallet_version))
}
