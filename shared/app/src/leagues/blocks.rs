//! All leagues of a gameweek and amount, block by block and side by side: a crowd's are read while somebody waits, and few of
//! them are held at once.

use domain::{EntryAmount, GameweekId, leagues::draw};
use store::{
    leagues::{BLOCK, League, number_key},
    platform::concurrency::try_map,
};

use crate::{App, AppError};

/// What `task` answers of the leagues of each block, in their order. Before the draw there are none.
pub async fn of_each<T, F>(
    app: &App,
    id: GameweekId,
    amount: EntryAmount,
    task: impl Fn(Vec<League>) -> F,
) -> Result<Vec<T>, AppError>
where
    F: Future<Output = Result<T, AppError>>,
{
    let list = app.store().entry_list(id, amount).await?;
    let leagues = list.map_or(0, |list| draw::sizes(list.count).len());
    let blocks = u32::try_from(leagues).unwrap_or(u32::MAX).div_ceil(BLOCK);
    let task = &task;
    try_map(0..blocks, |block| async move { task(read(app, id, amount, block).await?).await }).await
}

async fn read(app: &App, id: GameweekId, amount: EntryAmount, block: u32) -> Result<Vec<League>, AppError> {
    let (mut last, end) = (block * BLOCK, (block + 1) * BLOCK);
    let mut leagues = Vec::new();
    while last < end {
        let after = (last > 0).then(|| number_key(last));
        let left = i32::try_from(end - last).unwrap_or(i32::MAX);
        let mut page = app.store().leagues_page(id, amount, after.as_deref(), left).await?;
        leagues.append(&mut page.items);
        match leagues.last().filter(|_| page.cursor.is_some()) {
            Some(league) => last = league.number,
            None => break,
        }
    }
    Ok(leagues)
}
