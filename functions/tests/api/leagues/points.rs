//! Points over a gameweek: live, provisional, final, each said so and with its age; what the official
//! game says wrongly changes nothing.

use app::settlement::settling;
use domain::{
    EntryAmount,
    leagues::points::{Chip, FootballerPoints, Scored, Squad},
};
use local::fixtures;
use reqwest::Method;
use serde_json::{Value, json};
use store::leagues::{
    Reading,
    points::{GameweekPoints, PointsStage},
};

use crate::support::{
    Person, World, assert_has,
    gameweek::{UNREADABLE, fpl_id, this_week, users},
};

fn totals(league: &Value) -> Vec<(i64, i64)> {
    let users = users(league).iter();
    users.map(|u| (u["points"].as_i64().unwrap(), u["points_on_bench"].as_i64().unwrap())).collect()
}

async fn points(person: &Person, fpl_id: &str) -> Value {
    person.get(&format!("/api/points/{fpl_id}?gameweek=1")).await.expect(200)
}

#[tokio::test]
async fn points_are_live_then_provisional_then_final_and_say_so() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    for (i, player) in (0..).zip(&crowd) {
        world.points(fpl_id(player), 1, 90 - i, i, 4 * (i % 2)).await;
    }
    let nobody = world.nobody();
    let first = crowd[0]["fplId"].as_str().unwrap();

    world.phase(1, "locked").await;
    world.advance(780).await;
    assert_has(&world.leagues(50).await.swap_remove(0), json!({"state": "drawn", "status": null}));
    assert_eq!(points(&nobody, first).await["points"], Value::Null, "nothing was played yet");

    // Half way through, points stand somewhere between nothing and what they will be.
    world.phase(1, "live").await;
    world.advance(26 * 3600).await;
    let league = world.leagues(50).await.swap_remove(0);
    assert_eq!(league["status"], "live");
    let (live, now) = (totals(&league), points(&nobody, first).await);
    assert_eq!(now["status"], "live");
    assert!(live.iter().any(|(points, _)| *points > 0) && live.iter().all(|(points, _)| *points < 85));
    let as_of = |view: &Value| view["asOf"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert_eq!(as_of(&league), as_of(&now));
    assert!(live.windows(2).all(|pair| pair[0] >= pair[1]), "ranked by what stands: {live:?}");

    world.phase(1, "finished").await;
    let league = world.leagues(50).await.swap_remove(0);
    assert_eq!((&league["status"], &league["users"][0]["rank"]), (&json!("provisional"), &json!(1)));
    assert_eq!(totals(&league)[0], (90, 0));

    world.phase(1, "checked").await;
    let league = world.leagues(50).await.swap_remove(0);
    assert_has(&league, json!({"status": "final", "state": "drawn"}));
    assert!(as_of(&league) > as_of(&now));
    // Net of what transfers cost: 90, 85, 88, 83, 86, 81.
    let net: Vec<i64> = totals(&league).into_iter().map(|(points, _)| points).collect();
    assert_eq!(net, [90, 88, 86, 85, 83, 81]);
    let second = points(&nobody, crowd[1]["fplId"].as_str().unwrap()).await;
    assert_has(&second, json!({"points": 85, "gross": 89, "transfersCost": 4, "points_on_bench": 1}));
    assert_eq!(second["status"], "final");
}

/// HTML, a cut body, missing fields, another gameweek's, 403, 429, 503: the last good points stay and
/// their age shows it; unknown fields do no harm.
#[tokio::test]
async fn what_cannot_be_read_leaves_the_last_good_points() {
    let world = World::start().await;
    world.crowd(5, 50).await;
    world.phase(1, "live").await;
    world.advance(4 * 3600).await;
    let good = world.leagues(50).await.swap_remove(0);
    assert_eq!(good["status"], "live");
    for fault in UNREADABLE {
        world.faults(json!({"fpl": fault})).await;
        world.advance(1200).await;
        assert_eq!(world.leagues(50).await.swap_remove(0), good, "{fault}");
    }
    world.faults(json!({"fpl": "new_fields"})).await;
    world.advance(24 * 3600).await;
    let later = world.leagues(50).await.swap_remove(0);
    assert_ne!(later["asOf"], good["asOf"]);
    assert!(totals(&later).iter().map(|t| t.0).sum::<i64>() > totals(&good).iter().map(|t| t.0).sum());
}

/// A body of picks names its gameweek.
#[tokio::test]
async fn picks_of_another_gameweek_are_no_squad_of_this_one() {
    let (world, player) = World::with_player(0).await;
    world.phase(1, "live").await;
    let team: u64 = player.fpl_id.parse().unwrap();
    let squad = async || {
        let picks = world.app().fpl().picks(team, 1).await.unwrap();
        app::leagues::points::squad(&picks, this_week()).is_ok()
    };
    assert!(squad().await);
    world.faults(json!({"fpl": "wrong_gameweek"})).await;
    assert!(!squad().await);
}

/// docs/fpl.md: picks once a team, one result a team, one live call a tick.
#[tokio::test]
#[ignore = "long: make test-all"]
async fn a_thousand_teams_cost_little_more_than_two_calls_each() {
    let world = World::start().await;
    let teams = 1000;
    world.many(teams, 50).await;
    world.sim(Method::DELETE, "/fpl/requests", Value::Null).await;
    world.phase(1, "finished").await;
    world.phase(1, "checked").await;
    world.advance(3600).await;
    let asked = world.nobody().get("/sim/api/fpl/requests").await.expect(200);
    let asked = |kind: &str| asked[kind].as_i64().unwrap();
    let teams = i64::from(teams);
    assert_eq!((asked("picks"), asked("history")), (teams, teams));
    let per_team = asked("picks") + asked("history") + asked("entry");
    assert!(per_team * 10 <= teams * 22, "{per_team} calls for {teams} teams");
    assert!(asked("live") < 20, "{} live calls over a handful of ticks", asked("live"));
    assert_eq!(world.leagues(50).await.swap_remove(0)["status"], "final");
}

/// An outage in the middle of reading the teams: it goes on where it was, and no team is asked twice.
#[tokio::test]
async fn reading_the_teams_goes_on_after_an_outage() {
    let world = World::start().await;
    world.many(60, 50).await;
    world.phase(1, "locked").await;
    world.faults(json!({"fpl": "updating"})).await;
    world.advance(780).await;
    world.phase(1, "live").await;
    assert_eq!(world.leagues(50).await.swap_remove(0)["status"], Value::Null);
    world.faults(json!({"fpl": "none"})).await;
    world.advance(24 * 3600).await;
    let league = world.leagues(50).await.swap_remove(0);
    assert_eq!(league["status"], "live");
    assert!(users(&league).iter().all(|user| user["points"].is_i64()));
}

/// A reading that was under way when the points became final comes late.
#[tokio::test]
async fn a_reading_of_before_does_not_take_the_place_of_a_final_one() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    world.phase(1, "checked").await;
    world.advance(900).await;
    let store = world.app().store();
    let last = store.scores(this_week()).await.unwrap().unwrap();
    let before = GameweekPoints { stage: PointsStage::Live, ..last.clone() };
    assert!(!store.keep_scores(this_week(), &before, None).await.unwrap());
    let kept = store.scores(this_week()).await.unwrap().unwrap();
    assert_eq!((last.stage, kept.stage), (PointsStage::Final, PointsStage::Final));
}

/// The points of a match were read by now, in which a footballer has played.
async fn a_match_was_read(world: &World) {
    let as_of = world.app().clock().now();
    let points = FootballerPoints::new([Scored { element: 1, points: 8, played: true }]);
    let read = GameweekPoints { stage: PointsStage::Live, ended: false, as_of, points, void: false };
    assert!(world.app().store().keep_scores(this_week(), &read, None).await.unwrap());
}

/// The only match so far was abandoned and taken out of the gameweek; the others are still to come.
#[tokio::test]
async fn points_of_a_match_that_is_taken_out_of_the_gameweek_go() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    world.phase(1, "locked").await;
    a_match_was_read(&world).await;
    world.advance(61 * 60).await;
    let kept = world.app().store().scores(this_week()).await.unwrap().unwrap();
    assert!(!kept.points.anybody_played());
}

/// All matches were put off after one had begun: there is nothing that could be live or provisional, until the official
/// game says that it is final.
#[tokio::test]
async fn a_gameweek_that_is_left_without_a_match_has_no_points() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    world.sim(Method::PUT, "/fpl/gameweeks/1", json!({"kind": "void"})).await;
    world.phase(1, "locked").await;
    a_match_was_read(&world).await;
    world.advance(61 * 60).await;
    let team = format!("/api/points/{}?gameweek=1&team=true", fpl_id(&crowd[0]));
    for phase in ["live", "finished"] {
        world.phase(1, phase).await;
        let kept = world.app().store().scores(this_week()).await.unwrap().unwrap();
        assert!(!kept.points.anybody_played(), "{phase}");
        let league = world.leagues(50).await.swap_remove(0);
        assert_has(&league, json!({"state": "drawn", "status": null, "asOf": null}));
        let told = world.nobody().get(&team).await.expect(200);
        assert!(told["team"].is_object(), "{phase}: its picks are read");
        assert_has(&told, json!({"points": null, "status": null}));
    }
    world.phase(1, "checked").await;
    world.advance(900).await;
    assert_eq!(world.leagues(50).await.swap_remove(0)["status"], "final");
}

/// A new chip of the official game has no name in the picks that are kept: no chip is shown then, and no word of ours.
#[tokio::test]
async fn a_chip_whose_name_is_not_known_is_not_shown() {
    let world = World::start().await;
    let new_chip = |reading: &mut Reading| {
        let mut packed = reading.squad().unwrap().pack();
        packed[36] = Chip::Other as u8 + 1;
        reading.keep_squad(&Squad::unpack(&packed).unwrap());
    };
    let without_result = |readings: &mut Vec<Reading>| {
        for reading in readings {
            reading.official = None;
            new_chip(reading);
        }
    };
    let league = world.played_leagues(1, without_result).await[0];
    let no_chip = |members: &Value| {
        let mut members = members.as_array().unwrap().iter();
        members.all(|member| member["gross"].is_i64() && member["chip"].is_null())
    };
    for asked in ["", "&league=1"] {
        let path = format!("/api/leagues?gameweek=1&entryAmount=50{asked}");
        let leagues = world.nobody().get(&path).await.expect(200);
        assert!(no_chip(&leagues[0]["users"]), "{leagues}");
    }
    let with_result = |readings: &mut Vec<Reading>| readings.iter_mut().for_each(new_chip);
    fixtures::read_teams(world.app(), this_week(), EntryAmount::Fifty, with_result).await;
    assert!(settling::settle_league(world.app(), league).await.unwrap());
    let record = world.settlement(&league.to_string()).await;
    assert!(no_chip(&record["ranking"]), "{record}");
}
