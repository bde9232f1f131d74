//! Leagues are paid on the official game's last word: what it takes back, corrects or does not say again meanwhile.

use app::{leagues::picks_import, settlement::winners};
use local::process::Fate;
use serde_json::{Value, json};
use store::leagues::picks_import::{ImportProgress, ImportStep};

use crate::support::{
    World, assert_has,
    gameweek::{DAY, UNREADABLE, fpl_id, this_week, users},
    text,
};

/// The official game takes back that its points are final, between two leagues' payments or before
/// any: nothing more is paid until it confirms them again, and then on what it says by that time. Nor are they shown as final.
#[tokio::test]
async fn points_that_are_taken_back_are_not_paid_on() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    for (i, player) in (0..).zip(&crowd) {
        world.points(fpl_id(player), 1, 90 - i, i, 0).await;
    }
    world.phase(1, "checked").await;
    world.advance(900).await;
    let shown = async || {
        let (league, team) = (world.leagues(50).await[0].clone(), fpl_id(&crowd[5]));
        let member = users(&league).iter().find(|user| user["fplId"] == team).unwrap().clone();
        (text(&league, "status"), text(&member, "status"), member["points"].clone())
    };
    assert_eq!(shown().await, ("final".to_owned(), "final".to_owned(), json!(85)));
    world.faults(json!({"fpl": "unfinal"})).await;
    world.advance(900).await;
    assert_eq!(shown().await, ("provisional".to_owned(), "provisional".to_owned(), json!(85)));
    let press = world.press(1).await;
    assert_eq!(press.refused(409), "Official points for gameweek 1 are not final yet.");
    world.points(fpl_id(&crowd[5]), 1, 120, 3, 0).await;
    world.advance(3600).await;
    assert_eq!(shown().await, ("provisional".to_owned(), "provisional".to_owned(), json!(120)));
    world.faults(json!({"fpl": "none"})).await;
    world.advance(900).await;
    assert_eq!(shown().await, ("final".to_owned(), "final".to_owned(), json!(120)));
    world.press(1).await.expect(200);
    world.advance(120).await;
    let record = world.settlement("2026-01-50-00001").await;
    assert_eq!(record["ranking"][0]["fplId"], crowd[5]["fplId"]);
    assert_has(&record["ranking"][0], json!({"points": 120, "prize": 270}));
}

/// The teams of the second league cannot be read at first, and meanwhile one of the first, which was read and agreed, is
/// corrected: it is asked about again, and not left to an admin with the official figures of before.
#[tokio::test]
async fn points_that_are_corrected_while_the_results_are_read_are_held_against_every_league() {
    let world = World::start().await;
    let crowd = world.crowd_in_order(12, 50).await;
    for (i, player) in (0..).zip(&crowd) {
        world.points(fpl_id(player), 1, 90 - i, 0, 0).await;
    }
    world.phase(1, "live").await;
    world.advance(900).await;
    let leagues = world.leagues(50).await;
    let members = |league: &Value| users(league).iter().map(|user| text(user, "fplId")).collect::<Vec<_>>();
    let (first, second) = (members(&leagues[0]), members(&leagues[1]));
    for team in &second {
        world.team_answers(team, false).await;
    }
    world.phase(1, "checked").await;
    world.advance(900).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.advance(900).await;
    world.points(&first[5], 1, 120, 0, 0).await;
    for team in &second {
        world.team_answers(team, true).await;
    }
    world.faults(json!({"fpl": "none"})).await;
    world.advance(3600).await;
    world.end_gameweek().await;
    world.advance(3 * 3600).await;
    assert_eq!(world.waiting_leagues().await, Vec::<Value>::new());
    let record = world.settlement("2026-01-50-00001").await;
    assert_has(&record["ranking"][0], json!({"fplId": first[5], "points": 120, "prize": 270}));
    world.ledger().await;
}

/// A reader of the teams stands still before it notes that all are read. Meanwhile one is corrected, and the winners are asked
/// for, which has the teams read again: the note does not undo that.
#[tokio::test]
async fn points_that_are_corrected_as_the_reading_ends_are_held_against_every_team() {
    let world = World::start().await;
    let crowd = world.crowd_in_order(6, 50).await;
    world.phase(1, "checked").await;
    world.advance(900).await;
    world.no_schedules().await;
    let (store, results) = (world.app().store(), ImportStep::Results);
    assert!(store.import_progress(this_week(), results).await.unwrap().complete_at.is_some());
    let begins = async || {
        store.keep_collected(this_week(), results, &ImportProgress::default()).await.unwrap();
    };
    begins().await;
    let alone = world.process(Fate::Lives);
    picks_import::collect(alone.app()).await.unwrap();
    begins().await;
    // Its last step is to give the turn back.
    let process = world.process(Fate::WaitsBefore(alone.tally().steps - 1));
    let meanwhile = async {
        world.points(fpl_id(&crowd[5]), 1, 120, 5, 0).await;
        world.end_gameweek().await;
        world.advance(120).await;
        let known = world.app().gameweek(this_week()).await.unwrap().unwrap();
        assert!(known.fanned_out_at.is_some(), "the final points were read once more");
    };
    process.run_around(picks_import::collect(process.app()), meanwhile).await.unwrap();
    world.schedule("sync-gameweek", true).await;
    world.advance(3600).await;
    assert_eq!(world.waiting_leagues().await, Vec::<Value>::new());
    let record = world.settlement("2026-01-50-00001").await;
    assert_has(&record["ranking"][0], json!({"fplId": crowd[5]["fplId"], "points": 120, "prize": 270}));
    world.ledger().await;
}

/// The points are read once more as the winners are asked for, and the process that does it ends, wherever: the team that was
/// corrected is held against them all the same.
#[tokio::test]
async fn points_that_are_corrected_are_held_against_every_team_wherever_their_last_reading_ends() {
    for step in 1.. {
        let world = World::start().await;
        let crowd = world.crowd_in_order(6, 50).await;
        world.phase(1, "checked").await;
        world.advance(900).await;
        world.no_schedules().await;
        world.points(fpl_id(&crowd[5]), 1, 120, 5, 0).await;
        let dies = world.process(Fate::DiesAfter(step));
        let died = dies.run(winners::settle_gameweek(dies.app(), this_week())).await.is_none();
        world.schedule("sync-gameweek", true).await;
        world.end_gameweek().await;
        world.advance(3 * 3600).await;
        assert_eq!(world.waiting_leagues().await, Vec::<Value>::new(), "after step {step}");
        let record = world.settlement("2026-01-50-00001").await;
        assert_has(&record["ranking"][0], json!({"fplId": crowd[5]["fplId"], "points": 120, "prize": 270}));
        if !died {
            assert!(step > 3, "it replaces the points, has the teams read, and more");
            break;
        }
    }
}

/// Faults 21 and 22: the official game changes from look to look, and most of what it says cannot be believed.
/// Nothing is paid on that; in the end each winner is paid once, on what it says when it stands still.
#[tokio::test]
async fn an_official_game_that_flaps_is_paid_on_once_and_on_its_last_word() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    for (i, player) in (0..).zip(&crowd) {
        world.points(fpl_id(player), 1, 90 - i, i, 0).await;
    }
    world.phase(1, "finished").await;
    world.faults(json!({"fpl": "half_updated"})).await;
    world.phase(1, "checked").await;
    world.advance(60).await;
    let flapping =
        UNREADABLE.into_iter().flat_map(|fault| [fault, "half_updated", "entry_not_found", "unfinal"]);
    for fault in flapping {
        world.faults(json!({"fpl": fault})).await;
        let pressed = world.press(1).await.status.as_u16();
        assert!(matches!(pressed, 200 | 409), "{fault}: {pressed}");
        world.advance(900).await;
        let ledger = world.ledger().await;
        assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (300, 0), "{fault}");
    }
    for fault in ["none", "half_updated", "none", "unfinal", "none"] {
        world.faults(json!({"fpl": fault})).await;
        world.advance(60).await;
    }
    world.advance(900).await;
    world.press(1).await.expect(200);
    for _ in 0..8 {
        world.advance(1800).await;
    }
    let record = world.settlement("2026-01-50-00001").await;
    let ranked = record["ranking"].as_array().unwrap();
    let points: Vec<i64> = ranked.iter().map(|who| who["points"].as_i64().unwrap()).collect();
    assert_eq!(points, [90, 89, 88, 87, 86, 85]);
    assert_has(&ranked[0], json!({"fplId": crowd[0]["fplId"], "prize": 270}));
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 30));
}

/// The official game never answers again: after a day the league is paid on the readings that were made.
#[tokio::test]
async fn an_outage_that_does_not_end_holds_the_winners_up_for_a_day() {
    let world = World::start().await;
    world.crowd(5, 50).await;
    world.phase(1, "checked").await;
    world.advance(60).await;
    world.faults(json!({"fpl": "down"})).await;
    world.end_gameweek().await;
    world.advance(DAY - 600).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 250);
    world.advance(1200).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 25));
}
