//! A league is settled by a process that dies at any of its steps, and by two at once (faults 15 and 16).

use app::{App, settlement::settling};
use store::leagues::{LeagueId, Reading};

use crate::support::{
    World,
    processes::{dying_at_every_step, held_up_at_every_step},
};

#[tokio::test]
async fn a_league_is_paid_once_wherever_its_settling_ends() {
    const LEAGUES: u32 = 60;
    let world = World::start().await;
    // Four share the first place: 450 is 112 each, and two are left over.
    let four_tie = |readings: &mut Vec<Reading>| {
        let gross = |reading: &Reading| reading.official.as_ref().unwrap().figures.gross;
        readings.sort_by_key(gross);
        let best = readings[9].clone();
        readings[6..].fill(best);
    };
    let mut left = world.played_leagues(LEAGUES, four_tie).await.into_iter();
    let (settled, steps) = dying_at_every_step(
        &world,
        async || left.next().expect("a league for each case"),
        async |app, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap()),
    )
    .await;
    // The record, four prizes and their mails, the league's end.
    assert!(steps >= 10, "{steps}");
    let ledger = world.ledger().await;
    let leagues = i64::try_from(settled.len()).unwrap();
    assert_eq!((ledger.account("fees"), ledger.account("rounding")), (50 * leagues, 2 * leagues));
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - leagues) * 500);
    let won = ledger.wallets_with(50 + 112);
    let rest = ledger.wallets_with(50);
    assert_eq!((won, won + rest), (settled.len() * 4, usize::try_from(LEAGUES * 10).unwrap()));
}

/// A league that two workers settle.
#[tokio::test]
async fn a_league_is_paid_once() {
    const LEAGUES: u32 = 20;
    let world = World::start().await;
    let mut left = world.played_leagues(LEAGUES, |_| ()).await.into_iter();
    let settle =
        async |app: &App, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap());
    let next = async || left.next().expect("a league for each step");
    let settled = held_up_at_every_step(&world, next, settle, settle).await;
    assert!(settled.len() > 4, "the record, a prize, its mail, the end: {}", settled.len());
    let ledger = world.ledger().await;
    let leagues = i64::try_from(settled.len()).unwrap();
    assert_eq!(ledger.account("fees"), 50 * leagues);
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - leagues) * 500);
}
