//! A player's own link, where the operator lets players invite: it pays nobody anything, and tells nobody who came.

use domain::{
    UserId,
    influencers::{ReferralCode, in_fives},
};
use store::{accounts::players::Player, influencers::Reach};

use crate::{App, AppError};

/// A player's own link, with what came of it, by fives; `None` where nobody invites, and for who may not play.
pub async fn own(app: &App, player: &Player) -> Result<Option<(ReferralCode, Reach)>, AppError> {
    let now = app.clock().now();
    if !app.config().promotions || player.suspended || player.restraints.check(now).is_err() {
        return Ok(None);
    }
    let code = app.store().invitation(&player.id, now).await?;
    let Reach { visits, sign_ups, paying_players } = app.store().reach(&code).await?;
    let told = Reach {
        visits: in_fives(visits),
        sign_ups: in_fives(sign_ups),
        paying_players: in_fives(paying_players),
    };
    Ok(Some((code, told)))
}

/// Whose own link has this code; `None` also where nobody invites any more.
pub(super) async fn inviter(app: &App, code: &ReferralCode) -> Result<Option<UserId>, AppError> {
    if app.config().promotions { Ok(app.store().inviter(code).await?) } else { Ok(None) }
}
