//! A player's year, from all movements of their wallet.

use domain::{
    UserId,
    ledger::{
        reconciliation::day_of,
        statement::{Moved, Statement},
    },
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no statement of that year.")]
pub struct NoSuchYear;

impl Refusal for NoSuchYear {}

/// The year that is asked for, else the one that it is in Kenya.
pub async fn of_year(app: &App, player: &UserId, year: Option<i16>) -> Flow<(i16, Statement), NoSuchYear> {
    let this = day_of(app.clock().now()).year();
    let year = year.unwrap_or(this);
    if !(2020..=this).contains(&year) {
        return Err(NoSuchYear.into());
    }
    let mut statement = Statement::default();
    for posting in app.store().postings(player).await? {
        let moved =
            Moved { gained: posting.amount, excise: posting.excise(), not_covered: posting.not_covered() };
        if !statement.add(year, (&posting.kind, posting.at), moved) {
            let what = format!("a statement does not know what {} is", posting.kind);
            return Err(AppError::Internal(what).into());
        }
        statement.withhold(year, posting.at, posting.withheld());
    }
    Ok((year, statement))
}
