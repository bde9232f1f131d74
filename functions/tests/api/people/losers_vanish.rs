//! Eight losers of ten make their teams vanish from the official game before the points are final.

use app::Safeguards::{self, Full, Light};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, Ledger, World, assert_has,
    gameweek::{DAY, fpl_id},
};

const LEAGUE: &str = "2026-01-250-00001";

/// A full league of 250, the first of it best.
async fn league(world: &World) -> Vec<Value> {
    let crowd = world.crowd(10, 250).await;
    for (i, player) in (0..).zip(&crowd) {
        world.points(fpl_id(player), 1, 90 - 5 * i, i, 0).await;
    }
    crowd
}

async fn exist(world: &World, players: &[Value], exists: bool) {
    for player in players {
        world.team_exists(fpl_id(player), exists).await;
    }
}

async fn press(world: &World) {
    world.press(1).await.expect(200);
    world.advance(60).await;
}

async fn decide(world: &World, body: Value) -> Answer {
    world.admin().await.post(&format!("/api/admin/leagues/{LEAGUE}"), body).await
}

/// What each has, in the order of `players`.
async fn wallets(world: &World, players: &[Value]) -> (Ledger, Vec<i64>) {
    let mut all = Vec::new();
    for player in players {
        let email = player["email"].as_str().unwrap();
        all.push(world.log_in(email, player["password"].as_str().unwrap()).await.wallet().await);
    }
    (world.ledger().await, all)
}

/// The winner has the whole prize, and nobody else anything.
async fn the_winner_has_it_all(world: &World, players: &[Value], winner: usize) {
    let (ledger, wallets) = wallets(world, players).await;
    let expected: Vec<i64> = (0..10).map(|i| if i == winner { 2_250 } else { 0 }).collect();
    assert_eq!(wallets, expected);
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 250));
}

#[rstest]
#[tokio::test]
async fn eight_losers_vanish_and_the_winner_is_paid_by_the_whole_league(
    #[values(Light, Full)] safeguards: Safeguards,
    #[values(true, false)] admin_decides: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let crowd = league(&world).await;
    world.phase(1, "finished").await;
    exist(&world, &crowd[2..], false).await;
    world.phase(1, "checked").await;
    press(&world).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 2_500);
    world.advance(DAY).await;

    // What cost the winner 1,800.
    let lost: Vec<&str> = crowd[2..].iter().map(fpl_id).collect();
    let why = "The official game has the scores of 2 of the 10 teams";
    let leave_out = json!({"act": "leave-out", "fplIds": lost, "reason": "They are gone."});
    assert!(decide(&world, leave_out).await.refused(409).starts_with(why));
    let refund = json!({"act": "refund", "reason": "They are gone."});
    assert!(decide(&world, refund).await.refused(409).starts_with(why));
    if admin_decides {
        decide(&world, json!({"act": "own-figures", "reason": "They are gone."})).await.expect(200);
        world.advance(60).await;
    } else {
        world.advance(DAY).await;
    }
    the_winner_has_it_all(&world, &crowd, 0).await;
    let record = world.settlement(LEAGUE).await;
    let ranked = record["ranking"].as_array().unwrap();
    let points: Vec<i64> = ranked.iter().map(|who| who["points"].as_i64().unwrap()).collect();
    assert_eq!(points, [90, 85, 80, 75, 70, 65, 60, 55, 50, 45], "as if nobody had vanished");
    let last =
        world.log_in(crowd[9]["email"].as_str().unwrap(), crowd[9]["password"].as_str().unwrap()).await;
    let entry = last.entries().await["entries"][0].clone();
    assert_has(&entry, json!({"rank": 10, "refund": 0}));
}

/// They vanish before their picks were read: nothing is known of them, so they are last, and they have paid.
#[rstest]
#[tokio::test]
async fn who_vanishes_before_the_picks_are_read_is_last_and_has_paid(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let crowd = league(&world).await;
    exist(&world, &crowd[..9], false).await;
    world.phase(1, "checked").await;
    press(&world).await;
    world.advance(2 * DAY).await;
    // Nothing was read of the nine: the last of the ten has won, whatever the others would have had.
    the_winner_has_it_all(&world, &crowd, 9).await;
    let record = world.settlement(LEAGUE).await;
    let ranking = record["ranking"].as_array().unwrap();
    assert!(ranking[1..].iter().all(|who| who["rank"] == 2 && who["points"].is_null() && who["refund"] == 0));
    let (email, password) = (crowd[0]["email"].as_str().unwrap(), crowd[0]["password"].as_str().unwrap());
    let own = world.log_in(email, password).await.get("/api/me/entries").await.expect(200);
    assert_has(&own["entries"][0], json!({"rank": 2, "points": null, "prize": 0, "refund": 0}));
}

/// The winner's team vanishes, by whatever hand: it has won on our own figures. And who comes back before the
/// league is settled is ranked as if nothing had been.
#[rstest]
#[tokio::test]
async fn the_winner_vanishes_and_a_loser_comes_back(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let crowd = league(&world).await;
    world.phase(1, "finished").await;
    exist(&world, &crowd[..5], false).await;
    world.phase(1, "checked").await;
    press(&world).await;
    exist(&world, &crowd[1..5], true).await;
    // They are read again before the league has waited long enough.
    world.advance(DAY).await;
    world.advance(DAY).await;
    the_winner_has_it_all(&world, &crowd, 0).await;
    let record = world.settlement(LEAGUE).await;
    let own: Vec<bool> =
        record["ranking"].as_array().unwrap().iter().map(|who| who["ownFigures"] == true).collect();
    assert_eq!(own, [true, false, false, false, false, false, false, false, false, false]);
}

/// The league waits for another reason, and then a team vanishes: what was waited for before uses nothing up of the
/// time in which it may come back.
#[rstest]
#[tokio::test]
async fn a_team_that_vanishes_late_is_waited_for_as_long(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let crowd = league(&world).await;
    world.phase(1, "finished").await;
    world.faults(json!({"fpl": "half_updated"})).await;
    world.phase(1, "checked").await;
    press(&world).await;
    world.advance(40 * 3600).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 2_500, "the figures disagree");

    // Of two neighbours one has an odd number: of those the official game says something else so far.
    exist(&world, &crowd[8..], false).await;
    world.faults(json!({"fpl": "none"})).await;
    decide(&world, json!({"act": "retry"})).await.expect(200);
    world.advance(6 * 3600).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 2_500, "they may come back");
    world.advance(3 * DAY).await;
    the_winner_has_it_all(&world, &crowd, 0).await;
}

/// A team is read, the official game corrects itself to that team's loss, and the team vanishes before it is read
/// again: what it had before does not win, and keeps nobody waiting.
#[rstest]
#[tokio::test]
async fn a_loser_vanishes_over_a_correction(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let crowd = league(&world).await;
    world.points(fpl_id(&crowd[1]), 1, 95, 0, 0).await;
    world.phase(1, "checked").await;
    world.advance(600).await;
    world.points(fpl_id(&crowd[1]), 1, 85, 0, 0).await;
    exist(&world, &crowd[1..2], false).await;
    press(&world).await;
    world.advance(3 * DAY).await;
    the_winner_has_it_all(&world, &crowd, 0).await;
}
