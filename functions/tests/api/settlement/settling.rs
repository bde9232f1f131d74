//! A league is settled by a process that dies at any of its steps, and by two at once (faults 15 and 16).

use app::{App, entries::list, settlement::settling};
use local::process::Fate;
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

/// The record is written, and the process dies before the prize is booked: nobody reads that the winner's rank brought nothing.
#[tokio::test]
async fn who_has_won_has_no_place_before_the_prize_is_booked() {
    let world = World::start().await;
    let league = world.played_leagues(1, |_| ()).await[0];
    let dies = world.process(Fate::DiesBefore(2));
    assert!(dies.run(settling::settle_league(dies.app(), league)).await.is_none());
    let record = world.app().store().settlement(league).await.unwrap().expect("the record is written");
    let place = async |n: usize| {
        let (page, _) = list::page(world.app(), &record.ranking[n].user_id, None).await.unwrap();
        (page.items[0].rank, page.items[0].prize.get())
    };
    assert_eq!((place(0).await, place(1).await), ((None, 0), (Some(2), 0)));
    assert!(settling::settle_league(world.app(), league).await.unwrap());
    assert_eq!(place(0).await, (Some(1), record.ranking[0].prize.get()));
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

/// Who still believes that it waits notes so after it was paid.
#[tokio::test]
async fn a_league_that_is_paid_does_not_wait() {
    let world = World::start().await;
    let (app, league) = (world.app(), world.played_leagues(1, |_| ()).await[0]);
    assert!(settling::settle_league(app, league).await.unwrap());
    app.store().mark_league_waiting(league, ("They disagree.", false), app.clock().now()).await.unwrap();
    assert_eq!(app.store().league_status(league).await.unwrap().unwrap().waiting, None);
}
