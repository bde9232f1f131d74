//! Withdrawals as they are shown: to an admin with what to look at before paying, to a player without.

use domain::{UserId, withdrawals::requests::Flag};
use store::{Page, withdrawals::Withdrawal};

use crate::{App, AppError};

/// Pending withdrawals on one page.
const PAGE: usize = 100;

/// A withdrawal with what whoever reads it is to look at.
#[derive(Debug, Clone)]
pub struct WithdrawalWithFlags {
    pub withdrawal: Withdrawal,
    pub flags: Vec<Flag>,
}

impl From<Withdrawal> for WithdrawalWithFlags {
    fn from(withdrawal: Withdrawal) -> Self {
        Self { flags: withdrawal.flags(), withdrawal }
    }
}

/// For an admin: the withdrawals that wait, oldest first.
pub async fn pending(app: &App, after: Option<&str>) -> Result<Page<WithdrawalWithFlags>, AppError> {
    let Page { items, cursor } = app.store().pending_withdrawals(after, PAGE).await?;
    Ok(Page { items: for_admin(app, items).await?, cursor })
}

/// One player's, newest first. What looks odd, or does not add up, is only an admin's to know.
///
/// # Errors
/// The table does not answer.
pub async fn of_player(
    app: &App,
    player: &UserId,
    to_admin: bool,
) -> Result<Vec<WithdrawalWithFlags>, AppError> {
    let all = app.store().withdrawals_of(player).await?;
    if to_admin {
        return for_admin(app, all).await;
    }
    let own =
        |one| WithdrawalWithFlags { withdrawal: Withdrawal { trouble: None, ..one }, flags: Vec::new() };
    Ok(all.into_iter().map(own).collect())
}

/// With how their accounts stand now.
async fn for_admin(app: &App, withdrawals: Vec<Withdrawal>) -> Result<Vec<WithdrawalWithFlags>, AppError> {
    let ids: Vec<UserId> = withdrawals.iter().map(|withdrawal| withdrawal.user_id.clone()).collect();
    let players = app.store().players(&ids).await?;
    let shown = withdrawals.into_iter().map(|withdrawal| {
        let player = players.iter().find(|player| player.id == withdrawal.user_id);
        let mut shown = WithdrawalWithFlags::from(withdrawal);
        for (flag, is_so) in [
            (Flag::Suspended, player.is_some_and(|player| player.suspended)),
            (Flag::Frozen, player.is_some_and(|player| player.frozen)),
        ] {
            if is_so && !shown.flags.contains(&flag) {
                shown.flags.push(flag);
            }
        }
        shown
    });
    Ok(shown.collect())
}
