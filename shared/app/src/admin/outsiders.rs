//! Admins who decide something about a gameweek that is open: only who is not in it, for nobody decides who wins against them.

use domain::{GameweekId, UserId};
use jiff::Timestamp;
use store::admin::outsiders::Outsider;

use crate::{App, AppError, admin::own_account::OwnAccount, platform::flow::Flow};

/// `admin` as one who is not in `gameweek`; refused where they are. The wallet is read before the entry, so that an entry that is
/// made meanwhile is seen in the one or moves the other.
pub(crate) async fn outsider(app: &App, admin: &UserId, gameweek: GameweekId) -> Flow<Outsider, OwnAccount> {
    let wallet = app.store().wallet(admin).await?;
    match app.store().entry_of(admin, gameweek).await? {
        Some(_) => Err(OwnAccount.into()),
        None => Ok(Outsider { admin: admin.clone(), gameweek, wallet_version: wallet.version }),
    }
}

/// The current gameweek, where it is open at `now`.
pub(crate) async fn open_gameweek(app: &App, now: Timestamp) -> Result<Option<GameweekId>, AppError> {
    Ok(app.current_gameweek().await?.filter(|(_, gameweek)| gameweek.is_open(now)).map(|(id, _)| id))
}
