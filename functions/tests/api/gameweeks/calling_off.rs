//! Calling a gameweek off, beside who settles or decides its leagues, and by processes that die at any of their steps.

use app::{
    App,
    gameweeks::{calling_off, seasons},
    settlement::{settling, waiting, winners},
};
use domain::{
    gameweeks::calendar::CalledOff,
    settlement::{readings::Basis, waiting::WaitingDecision},
};
use jiff::SignedDuration;
use rstest::rstest;
use store::{
    accounts::players::Player,
    admin::{audit::Who, permits::Permit},
    leagues::{LeagueId, Reading},
};

use crate::support::{
    World,
    gameweek::{DAY, this_week},
    processes::{by_the_rules, dying_at_every_step, held_up_at_every_step},
};

/// How many leagues are at hand, for a case each.
const LEAGUES: u32 = 30;
/// For a case of each step in each way.
const MANY: u32 = 75;

/// Whether the gameweek's points are final, for so long that an admin may decide leagues that wait, and whether it is called off.
async fn set(app: &App, is_final: bool, called_off: Option<&CalledOff>) {
    let now = app.clock().now();
    seasons::change(app, this_week(), |gameweek| {
        gameweek.final_at = is_final.then_some(now - SignedDuration::from_hours(25));
        gameweek.called_off = called_off.cloned();
    })
    .await
    .unwrap();
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Settles,
    CallsOff,
}

impl Does {
    async fn act(self, app: &App, off: &CalledOff, league: LeagueId) {
        if self == Self::CallsOff {
            set(app, false, Some(off)).await;
        }
        settling::settle_league(app, league).await.unwrap();
    }
}

/// Points become final after all: each league has one record, of being called off or of the other basis, and is paid
/// by that alone.
async fn each_has_one_record(world: &World, off: &CalledOff, leagues: &[LeagueId], other: Basis) {
    set(world.app(), true, Some(off)).await;
    let (mut fees, mut bases) = (0, Vec::new());
    for league in leagues {
        settling::settle_league(world.app(), *league).await.unwrap();
        let record = world.app().store().settlement(*league).await.unwrap().unwrap();
        fees += record.fee.get();
        assert_eq!(record.fee.get() == 0, record.basis == Basis::CalledOff);
        assert!(record.ranking.iter().all(|who| who.refund.get() == 0 || who.prize.get() == 0));
        bases.push(record.basis);
    }
    assert!(bases.contains(&Basis::CalledOff) && bases.contains(&other), "{bases:?}");
    let ledger = world.ledger().await;
    let done = i64::try_from(leagues.len()).unwrap();
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - done) * 500);
    assert_eq!(ledger.account("fees"), fees);
}

/// A league is settled while its gameweek is called off: it has one record, and is paid by that alone. Points that
/// become final afterwards change nothing.
#[rstest]
#[case::settling_is_held_up(Does::Settles, Does::CallsOff)]
#[case::calling_off_is_held_up(Does::CallsOff, Does::Settles)]
#[tokio::test]
async fn a_league_is_settled_or_given_back_and_not_both(#[case] one: Does, #[case] other: Does) {
    let world = World::start().await;
    let mut left = world.played_leagues(LEAGUES, |_| ()).await.into_iter();
    let off = world.called_off().await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            set(world.app(), true, None).await;
            left.next().expect("a league for each case")
        },
        async |app, league: &LeagueId| one.act(app, &off, *league).await,
        async |app, league: &LeagueId| other.act(app, &off, *league).await,
    )
    .await;
    each_has_one_record(&world, &off, &subjects, Basis::TwoReadings).await;
}

/// An admin decides a league that waits.
async fn decides(app: &App, admin: &Player, league: LeagueId) {
    let decision = WaitingDecision::OfficialFigures;
    let decided = waiting::decide(app, league, &decision, admin, "Checked by hand.").await;
    let _decided_or_refused = by_the_rules(decided);
    settling::settle_league(app, league).await.unwrap();
}

/// A league that waits is decided by an admin while its gameweek is called off: it has one record, and is paid by
/// that alone.
#[rstest]
#[case::deciding_is_held_up(true)]
#[case::calling_off_is_held_up(false)]
#[tokio::test]
async fn a_league_is_decided_or_given_back_and_not_both(#[case] deciding_is_held_up: bool) {
    let world = World::start().await;
    let disagree = |readings: &mut Vec<Reading>| readings[0].official.as_mut().unwrap().figures.gross += 1;
    let mut left = world.played_leagues(LEAGUES, disagree).await.into_iter();
    let off = world.called_off().await;
    let admin = world.stored(&world.admin().await).await;
    let act = async |app: &App, decides_it: bool, league: LeagueId| {
        if decides_it {
            decides(app, &admin, league).await;
        } else {
            Does::CallsOff.act(app, &off, league).await;
        }
    };
    let subjects = held_up_at_every_step(
        &world,
        async || {
            set(world.app(), true, None).await;
            let league = left.next().expect("a league for each case");
            let since = world.app().clock().now() - SignedDuration::from_hours(25);
            world.app().store().mark_league_waiting(league, ("They disagree.", false), since).await.unwrap();
            league
        },
        async |app, league: &LeagueId| act(app, deciding_is_held_up, *league).await,
        async |app, league: &LeagueId| act(app, !deciding_is_held_up, *league).await,
    )
    .await;
    each_has_one_record(&world, &off, &subjects, Basis::OfficialFigures).await;
}

#[tokio::test]
async fn stakes_come_back_once_wherever_giving_them_back_ends() {
    let world = World::start().await;
    let mut left = world.played_leagues(MANY, |_| ()).await.into_iter();
    set(world.app(), false, Some(&world.called_off().await)).await;
    let (given_back, steps) = dying_at_every_step(
        &world,
        async || left.next().expect("a league for each case"),
        async |app, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap()),
    )
    .await;
    // The record, ten refunds and their mails, the league's end.
    assert!(steps >= 20, "{steps}");
    let ledger = world.ledger().await;
    let done = i64::try_from(given_back.len()).unwrap();
    assert_eq!((ledger.account("fees"), ledger.account("pot:2026-01")), (0, (i64::from(MANY) - done) * 500));
    assert_eq!(ledger.wallets_with(100), given_back.len() * 10);
}

/// Nobody had entered. The press ends anywhere and is made again: the gameweek is called off once, and ends.
#[tokio::test]
async fn it_is_called_off_wherever_the_press_ends() {
    let world = World::start().await;
    let (app, id) = (world.app(), this_week());
    world.schedule("sync-gameweek", false).await;
    world.phase(1, "live").await;
    app::leagues::draw::advance(app, id).await.unwrap();
    let admin = world.stored(&world.admin().await).await;
    world.advance(7 * DAY).await;
    let (_, steps) = dying_at_every_step(
        &world,
        async || {
            // What the press before sent is done before everything is as it was.
            world.advance(0).await;
            let anew = |gameweek: &mut domain::gameweeks::calendar::Gameweek| {
                (gameweek.called_off, gameweek.settling_since) = (None, None);
                (gameweek.settled_at, gameweek.final_at, gameweek.fanned_out_at) = (None, None, None);
            };
            seasons::change(app, id, anew).await.unwrap();
        },
        async |app, ()| {
            // Refused where an attempt before this one has got to the end.
            let permit = Permit::plain(Who::admin(&admin), app.clock().now());
            let pressed = calling_off::call_off(app, id, &permit, "The season was left.").await;
            let _called_off_or_refused = by_the_rules(pressed);
            winners::settle_gameweek(app, id).await.unwrap();
            let gameweek = app.gameweek(id).await.unwrap().unwrap();
            assert!(gameweek.called_off.is_some() && gameweek.settled_at.is_some(), "{gameweek:?}");
        },
    )
    .await;
    // The calendar and the message; the message may have ended the gameweek before the press looks at it.
    assert!(steps >= 2, "{steps}");
    world.ledger().await;
}
