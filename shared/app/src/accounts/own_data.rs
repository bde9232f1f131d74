//! "My data": everything that is held about a player, a page at a time.

use domain::{UserId, platform::limits::Limited};
use store::{Page, accounts::own_data::Held};

use crate::{
    App,
    platform::{
        flow::{Flow, FlowError},
        limits,
    },
};

/// Own items on a page: with what they point to far below what a function may answer.
const PAGE: i32 = 500;

/// So many acts of admins are told.
const ACTS: i32 = 200;

/// A page; the first ones are the player's own items, and the last has the acts of admins too.
pub async fn page(app: &App, player: &UserId, after: Option<&str>) -> Flow<Page<Held>, Limited> {
    limits::own_data(app, player).await.map_err(FlowError::within)?;
    let mut page = app.store().held_about(player, after, PAGE).await?;
    if page.cursor.is_none() {
        page.items.extend(app.store().held_acts(player, ACTS).await?);
    }
    Ok(page)
}
