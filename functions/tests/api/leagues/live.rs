//! Teams on the pitch: who is shown what and when, from what is kept, in little data.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, Person, World, assert_has,
    gameweek::{fpl_id, this_week, users},
    read,
};

const LEAGUE: &str = "/api/leagues?gameweek=1&entryAmount=50&league=1";
const STATUS: &str = "/api/gameweek/status";
/// What a page may read each minute while matches are on. Bytes.
const A_REFRESH: usize = 3_000;
/// What is shorter is not compressed by CloudFront. Bytes.
const COMPRESSED_FROM: usize = 1_000;

fn pitch(team: &str) -> String {
    format!("/api/points/{team}?gameweek=1&team=true")
}

/// What the edge sends as an answer's body at the most: by gzip, where a browser does not take brotli. Headers are not counted.
async fn sent(person: &Person, path: &str) -> usize {
    let answer = person.request(Method::GET, path).send().await.unwrap().error_for_status().unwrap();
    let body = answer.bytes().await.unwrap();
    if body.len() < COMPRESSED_FROM {
        return body.len();
    }
    let mut gzip =
        Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    gzip.stdin.take().unwrap().write_all(&body).unwrap();
    gzip.wait_with_output().unwrap().stdout.len()
}

async fn team(person: &Person, of: &str) -> Vec<Value> {
    let points = person.get(&pitch(of)).await.expect(200);
    points["team"]["players"].as_array().expect("a team").clone()
}

fn number(of: &Value, field: &str) -> i64 {
    of[field].as_i64().unwrap_or_else(|| panic!("{field} of {of}"))
}

/// Nobody sees a team before the deadline, nor between it and the draw; a league by its number neither.
#[tokio::test]
async fn teams_are_shown_only_after_the_deadline() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    let (nobody, first) = (world.nobody(), fpl_id(&crowd[0]));
    for seconds in [-3600, -1, 60] {
        world.to_deadline(seconds).await;
        let points = nobody.get(&pitch(first)).await.expect(200);
        assert_eq!(points["team"], Value::Null, "{seconds} s");
        assert_eq!(nobody.get(LEAGUE).await.expect(200), json!([]), "{seconds} s");
    }
    world.advance(900).await;
    assert_eq!(team(&nobody, first).await.len(), 15);
    let league = nobody.get(LEAGUE).await.expect(200);
    assert_has(&league[0], json!({"state": "drawn", "status": null, "playing": false}));
    assert_has(&users(&league[0])[0], json!({"played": 0, "playing": 0, "left": 11}));
    assert_eq!(nobody.get("/api/points/999999?team=true").await.status, 404);
}

/// An admin gives the account another team, and somebody else takes that one: in the league it stays its member's.
#[tokio::test]
async fn a_members_team_is_seen_whoever_has_it_by_now() {
    let world = World::start().await;
    let player = world.player_with(50).await;
    player.join(50, 1).await.expect(201);
    world.crowd(5, 50).await;
    world.phase(1, "live").await;
    let correct = json!({"fplId": "760001", "reason": "A digit was wrong."});
    world.change_player(&player.id, correct).await.expect(200);
    let nobody = world.nobody();
    let league = nobody.get(LEAGUE).await.expect(200)[0]["_id"].as_str().unwrap().to_owned();
    let of = |team: &str| format!("/api/points/{team}?team=true&league={league}");
    for _ in 0..2 {
        let points = nobody.get(&of(&player.fpl_id)).await.expect(200);
        assert_eq!(
            (points["team"]["players"].as_array().unwrap().len(), &points["gameweek"]),
            (15, &json!(1))
        );
        let form = json!({"email": "o@example.co.ke", "username": "owner", "password": PASSWORD, "fplId": player.fpl_id});
        nobody.post("/api/signup", form).await;
    }
    for elsewhere in [of("760001"), of("x"), format!("/api/points/{}?league=2026-01-50-00002", player.fpl_id)]
    {
        nobody.get(&elsewhere).await.refused(404);
    }
    // The team that the member has by now did not play for it.
    let others = nobody.get("/api/points/760001?gameweek=1&team=true").await.expect(200);
    assert_has(&others, json!({"points": null, "team": null}));
}

#[tokio::test]
async fn the_pitch_adds_up_and_says_why() {
    let world = World::start().await;
    let crowd = world.crowd_in_order(6, 50).await;
    let nobody = world.nobody();
    world.phase(1, "live").await;
    world.advance(26 * 3600).await;
    let league = nobody.get(LEAGUE).await.expect(200);
    for member in users(&league[0]) {
        let points = nobody.get(&pitch(member["fplId"].as_str().unwrap())).await.expect(200);
        let players = points["team"]["players"].as_array().unwrap();
        let counted: i64 = players.iter().map(|p| number(p, "points") * number(p, "multiplier")).sum();
        assert_eq!((counted, &points["gross"]), (number(member, "gross"), &member["gross"]));
        let counts = |field| number(member, field);
        assert_eq!(counts("played") + counts("playing") + counts("left"), 11, "{member}");
        let captain = players.iter().find(|player| player["captain"] == true).unwrap();
        assert_eq!(captain["name"], member["captain"]);
        for player in players {
            assert!(player["name"].is_string() && player["club"].as_str().is_some_and(|c| c.len() == 3));
            let why = player["why"].as_array().unwrap();
            assert_eq!(why.iter().map(|line| number(line, "points")).sum::<i64>(), number(player, "points"));
            assert_eq!(why.is_empty(), player["stage"] == "left", "{player}");
        }
    }
    // At the end somebody may have come on for somebody, and it still adds up.
    world.phase(1, "checked").await;
    for member in &crowd {
        let points = nobody.get(&pitch(fpl_id(member))).await.expect(200);
        assert_has(&points, json!({"status": "final"}));
        let players = points["team"]["players"].as_array().unwrap();
        let counted: i64 = players.iter().map(|p| number(p, "points") * number(p, "multiplier")).sum();
        assert_eq!(counted, number(&points, "gross"));
        assert!(players.iter().all(|player| player["stage"] != "left" && player["stage"] != "playing"));
    }
}

/// He counts for nobody any more; the rest of the team is shown as before, and can be opened.
#[tokio::test]
async fn a_footballer_who_is_off_the_official_list_hides_no_team() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    let (nobody, first) = (world.nobody(), fpl_id(&crowd[0]));
    world.phase(1, "live").await;
    let gone = team(&nobody, first).await[0].clone();
    let (store, season) = (world.app().store(), this_week().season);
    let elements: Vec<_> = (1..=2000).collect();
    let mut all = store.footballers(season, &elements).await.unwrap();
    assert!(all.remove(&u16::try_from(number(&gone, "id")).unwrap()).is_some());
    store.keep_footballers(season, &all).await.unwrap();
    assert_eq!(team(&nobody, first).await[0]["name"], Value::Null);
    let league = nobody.get(LEAGUE).await.expect(200);
    let member = users(&league[0]).iter().find(|member| member["fplId"] == first).unwrap();
    let counts = |field| number(member, field);
    assert_eq!(counts("played") + counts("playing") + counts("left"), 10, "{member}");
}

/// All that the page asks for: the gameweek's status, a league of ten with its captains, the team that is looked at and one's own
/// beside it.
#[tokio::test]
async fn a_refresh_costs_less_than_three_kilobytes_and_nothing_where_nothing_has_moved() {
    let world = World::start().await;
    let crowd = world.crowd_in_order(10, 50).await;
    let nobody = world.nobody();
    world.phase(1, "live").await;
    // The last match is on and the others have been played: then there is most to tell.
    world.advance(56 * 3600).await;
    let league = nobody.get(LEAGUE).await.expect(200);
    assert_has(&league[0], json!({"state": "drawn", "playing": true}));
    assert_eq!(users(&league[0]).len(), 10);
    let id = league[0]["_id"].as_str().unwrap();
    let in_league = |member: &Value| format!("/api/points/{}?league={id}&team=true", fpl_id(member));
    let paths = [LEAGUE.to_owned(), in_league(&crowd[0]), in_league(&crowd[9])];
    let mut refresh = sent(&nobody, STATUS).await;
    for path in &paths {
        refresh += sent(&nobody, path).await;
    }
    assert!(refresh < A_REFRESH, "{refresh} bytes");
    // The status tells the time: it is another one at each refresh.
    for path in &paths {
        let first = nobody.get(path).await;
        let keep = first.headers[header::CACHE_CONTROL].to_str().unwrap().to_owned();
        assert_eq!(keep, "public, max-age=0, s-maxage=30, stale-while-revalidate=30");
        let etag = first.headers[header::ETAG].clone();
        let again = nobody.request(Method::GET, path).header(header::IF_NONE_MATCH, etag);
        assert_eq!(read(again).await.status, 304);
    }
}

/// What a draw is checked by never changes: the list has it, and the league that is read each minute does not.
#[tokio::test]
async fn what_a_draw_is_checked_by_is_in_the_list_alone() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    world.phase(1, "live").await;
    let one = world.nobody().get(LEAGUE).await.expect(200);
    let list = world.leagues(50).await;
    for (alone, listed) in users(&one[0]).iter().zip(users(&list[0])) {
        assert_eq!(alone["fplId"], listed["fplId"]);
        for field in ["entryId", "nameHash", "salt"] {
            assert!(alone[field].is_null(), "{field} of {alone}");
            assert!(listed[field].is_string(), "{field} of {listed}");
        }
    }
}

/// All of it comes from what is read anyway: looking asks the official game for nothing.
#[tokio::test]
async fn looking_asks_the_official_game_for_nothing() {
    let world = World::start().await;
    let crowd = world.crowd(6, 50).await;
    world.phase(1, "live").await;
    world.advance(3 * 3600).await;
    let nobody = world.nobody();
    let before = nobody.get("/sim/api/fpl/requests").await.expect(200);
    nobody.get(LEAGUE).await.expect(200);
    for member in &crowd {
        team(&nobody, fpl_id(member)).await;
    }
    assert_eq!(nobody.get("/sim/api/fpl/requests").await.expect(200), before);
}

#[tokio::test]
async fn a_league_is_asked_for_by_its_number() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let nobody = world.nobody();
    for wrong in ["x", "-1", "99999999999"] {
        let refused = nobody.get(&LEAGUE.replace("league=1", &format!("league={wrong}"))).await;
        assert_eq!(refused.refused(400), "That is not a league's number.");
    }
    world.phase(1, "live").await;
    assert_eq!(nobody.get(&LEAGUE.replace("league=1", "league=7")).await.expect(200), json!([]));
    assert_eq!(nobody.get("/api/points/1?team=maybe").await.status, 400);
}

/// The last match of the day ends while the points cannot be read: that it is over is kept and shown, and the points are read
/// as soon as they can be, not only an hour later.
#[tokio::test]
async fn matches_are_kept_where_the_points_cannot_be_read() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let nobody = world.nobody();
    world.phase(1, "live").await;
    world.advance(380 * 60).await;
    let shown = async || nobody.get(LEAGUE).await.expect(200)[0].clone();
    let before = shown().await;
    assert_has(&before, json!({"status": "live", "playing": true}));
    world.faults(json!({"fpl": "wrong_gameweek"})).await;
    world.advance(600).await;
    assert_has(&shown().await, json!({"playing": false, "asOf": before["asOf"]}));
    world.faults(json!({"fpl": "none"})).await;
    world.advance(120).await;
    assert_ne!(shown().await["asOf"], before["asOf"]);
}
