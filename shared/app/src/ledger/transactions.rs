//! A player's movements of money, as they and an admin see them.

use std::cmp::Reverse;

use domain::UserId;
use store::{Page, ledger::wallets::StoredPosting};

use crate::{
    App,
    platform::flow::{Flow, Refusal},
};

/// Movements on one page.
const PAGE: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("That is not a cursor.")]
pub struct NotACursor;

impl Refusal for NotACursor {}

/// The postings to a player's wallet, newest first. It numbers them: the cursor is the last one shown.
pub async fn page(app: &App, player: &UserId, cursor: Option<&str>) -> Flow<Page<StoredPosting>, NotACursor> {
    let before = cursor.map_or(Ok(u64::MAX), str::parse).map_err(|_| NotACursor)?;
    let postings = app.store().postings(player).await?.into_iter();
    let mut of_the_wallet: Vec<(u64, StoredPosting)> = postings
        .filter_map(|posting| Some((posting.version.filter(|version| *version < before)?, posting)))
        .collect();
    of_the_wallet.sort_by_key(|(version, _)| Reverse(*version));
    let more = of_the_wallet.len() > PAGE;
    of_the_wallet.truncate(PAGE);
    let cursor = of_the_wallet.last().filter(|_| more).map(|(version, _)| version.to_string());
    Ok(Page { items: of_the_wallet.into_iter().map(|(_, posting)| posting).collect(), cursor })
}
