//! The faults in which the official game answers, and answers wrongly; and the corrections that it
//! makes when everything seemed to be settled.

use axum::http::{Method, StatusCode};
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};

use crate::{
    teams::{check, deadline, live, put_week},
    world::World,
};

const PATHS: [&str; 7] = [
    "/bootstrap-static/",
    "/event-status/",
    "/fixtures/?event=1",
    "/event/1/live/",
    "/entry/7/",
    "/entry/7/history/",
    "/entry/7/event/1/picks/",
];

/// A world in which gameweek `gameweek` has got so many hours beyond its deadline.
fn world_at(gameweek: u8, hours: i64) -> World {
    let world = World::new();
    world.set(deadline(gameweek) + SignedDuration::from_hours(hours));
    world
}

async fn fault(world: &World, fault: &str) {
    world.fault(json!({ "fpl": fault })).await;
}

async fn text(world: &World, path: &str) -> String {
    let (status, headers, bytes) = world.read(World::fpl_request(path)).await;
    assert_eq!(status, StatusCode::OK, "{path}");
    assert_eq!(headers["content-type"], "application/json", "{path}");
    if let Some(length) = headers.get("content-length") {
        assert_eq!(length.to_str().unwrap(), bytes.len().to_string(), "{path}");
    }
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Whether any object in the answer has the field.
fn has(body: &Value, field: &str) -> bool {
    match body {
        Value::Object(object) => object.contains_key(field) || object.values().any(|value| has(value, field)),
        Value::Array(list) => list.iter().any(|value| has(value, field)),
        _ => false,
    }
}

/// The answer without the field, wherever it is; says how often it was there.
fn strip(body: &mut Value, field: &str) -> usize {
    match body {
        Value::Object(object) => {
            let here = usize::from(object.remove(field).is_some());
            here + object.values_mut().map(|value| strip(value, field)).sum::<usize>()
        }
        Value::Array(list) => list.iter_mut().map(|value| strip(value, field)).sum(),
        _ => 0,
    }
}

#[tokio::test]
async fn a_cut_answer_is_the_beginning_of_the_right_one() {
    let world = world_at(1, 30);
    for path in PATHS {
        let whole = text(&world, path).await;
        fault(&world, "cut").await;
        let cut = text(&world, path).await;
        assert!(whole.starts_with(&cut) && cut.len() == whole.len() / 2, "{path}");
        assert!(serde_json::from_str::<Value>(&cut).is_err(), "{path}");
        fault(&world, "none").await;
    }
}

#[tokio::test]
async fn missing_fields_are_those_with_points() {
    let world = world_at(1, 30);
    let fields = ["points", "total_points", "points_on_bench", "event_points", "summary_event_points"];
    for (path, lacks) in [
        ("/bootstrap-static/", "event_points"),
        ("/event-status/", "points"),
        ("/event/1/live/", "total_points"),
        ("/entry/7/", "summary_event_points"),
        ("/entry/7/history/", "points_on_bench"),
        ("/entry/7/event/1/picks/", "points_on_bench"),
    ] {
        assert!(has(&world.fpl(path).await.body, lacks), "{path}");
        fault(&world, "missing_fields").await;
        let body = world.fpl(path).await.body;
        assert!(body.is_object() && !fields.iter().any(|field| has(&body, field)), "{path}");
        fault(&world, "none").await;
    }
}

#[tokio::test]
async fn new_fields_change_nothing_else() {
    let world = world_at(1, 30);
    for path in PATHS {
        let plain = world.fpl(path).await.body;
        fault(&world, "new_fields").await;
        let mut body = world.fpl(path).await.body;
        assert!(strip(&mut body, "seen_for_the_first_time") > 0, "{path}");
        assert_eq!(body, plain, "{path}");
        fault(&world, "none").await;
    }
}

#[rstest]
#[case::the_one_before(2, 1)]
#[case::the_second_for_the_first(1, 2)]
#[tokio::test]
async fn an_answer_of_the_wrong_gameweek_says_so_where_it_says_anything(#[case] asked: u8, #[case] told: u8) {
    let world = world_at(asked, 30);
    fault(&world, "wrong_gameweek").await;
    let wrong_live = live(&world, asked).await;
    let wrong_picks = world.fpl(&format!("/entry/7/event/{asked}/picks/")).await.body;
    let wrong_history = world.fpl("/entry/7/history/").await.body;
    assert_eq!(world.fpl("/entry/7/event/9/picks/").await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.fpl("/event/9/live/").await.body, json!({ "elements": [] }));

    fault(&world, "none").await;
    let right = check(&world, 7, asked).await;
    world.set(world.now().max(deadline(told) + SignedDuration::from_hours(72)));
    let row = check(&world, 7, told).await;
    assert_eq!(row["event"], told);
    assert_eq!(wrong_live, live(&world, told).await);
    assert_eq!(wrong_picks["entry_history"], row);
    let picks = world.fpl(&format!("/entry/7/event/{told}/picks/")).await.body;
    assert_eq!(wrong_picks, picks);
    let rows = wrong_history["current"].as_array().unwrap();
    assert_eq!((rows.len(), rows.last()), (usize::from(asked), Some(&row)));
    assert_ne!(row["points"], right["points"]);
}

#[tokio::test]
async fn what_was_final_is_not_any_more() {
    let world = world_at(2, 72);
    let flags = async |number: usize| {
        let event = world.fpl("/bootstrap-static/").await.body["events"][number - 1].clone();
        (event["finished"] == true, event["data_checked"] == true)
    };
    fault(&world, "unfinal").await;
    assert_eq!((flags(1).await, flags(2).await), ((true, true), (false, false)));
    let status = world.fpl("/event-status/").await.body;
    assert_eq!(status["leagues"], "Updating");
    let rows = status["status"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["points"] == "l" && row["bonus_added"] == false));

    world.set(deadline(3) + SignedDuration::from_hours(30));
    assert_eq!((flags(2).await, flags(3).await), ((false, false), (false, false)));
    let status = world.fpl("/event-status/").await.body;
    assert_eq!((&status["status"][0]["event"], &status["leagues"]), (&json!(3), &json!("")));

    // And from then on none becomes final, though it is played to its end.
    world.set(deadline(3) + SignedDuration::from_hours(72));
    assert_eq!(
        (flags(1).await, flags(2).await, flags(3).await),
        ((true, true), (false, false), (true, false))
    );
    assert_eq!(world.fpl("/event-status/").await.body["leagues"], "Updating");
    fault(&world, "none").await;
    assert_eq!((flags(2).await, flags(3).await), ((true, true), (true, true)));
}

#[tokio::test]
async fn half_updated_teams_are_a_point_or_two_off_in_the_last_finished_gameweek() {
    let world = world_at(2, 60);
    world.api(Method::PUT, "/fpl/entries/9", put_week(2, &json!({ "points": 0 }))).await;
    let rows = async |id: u64| {
        let history = world.fpl(&format!("/entry/{id}/history/")).await.body["current"].clone();
        let picks = world.fpl(&format!("/entry/{id}/event/2/picks/")).await.body;
        assert_eq!(picks["entry_history"], history[1], "{id}");
        let number = |row: usize, field: &str| history[row][field].as_i64().unwrap();
        (number(0, "points"), number(1, "points"), number(1, "total_points"), picks["picks"].clone())
    };
    let figures = live(&world, 2).await;
    for id in 1..=12 {
        let right = rows(id).await;
        fault(&world, "half_updated").await;
        let told = rows(id).await;
        assert_eq!(live(&world, 2).await, figures);
        fault(&world, "none").await;
        let off = told.1 - right.1;
        assert_eq!((told.0, told.2 - right.2, told.3), (right.0, off, right.3), "{id}");
        match id {
            9 => assert_eq!(off, 1, "nobody goes below nothing"),
            _ if id % 2 == 1 => assert!(off == -1 || off == -2, "{id}: {off}"),
            _ => assert_eq!(off, 0, "{id}"),
        }
    }
    world.set(deadline(2) + SignedDuration::from_hours(58));
    fault(&world, "half_updated").await;
    check(&world, 7, 2).await;
}

#[tokio::test]
async fn nobody_is_let_in_or_nobody_is_found() {
    let world = world_at(1, 30);
    fault(&world, "forbidden").await;
    for path in PATHS {
        assert_eq!(world.fpl(path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    fault(&world, "entry_not_found").await;
    for path in PATHS {
        let expected = if path.starts_with("/entry/") { StatusCode::NOT_FOUND } else { StatusCode::OK };
        assert_eq!(world.fpl(path).await.status, expected, "{path}");
    }
}

#[tokio::test]
async fn a_correction_after_everything_was_checked_shows_everywhere_but_in_the_picks() {
    for hours in [71, 7 * 24 + 30] {
        let world = world_at(1, hours);
        let before = check(&world, 7, 1).await;
        let picks = world.fpl("/entry/7/event/1/picks/").await.body["picks"].clone();
        let put = put_week(1, &json!({ "points": 113, "pointsOnBench": 21 }));
        assert_eq!(world.api(Method::PUT, "/fpl/entries/7", put).await.status, StatusCode::OK);
        let after = check(&world, 7, 1).await;
        assert_eq!((&after["points"], &after["points_on_bench"]), (&json!(113), &json!(21)));
        assert_ne!(before["points"], after["points"]);
        let members = |picks: &Value| {
            let list = picks.as_array().unwrap().iter();
            let mut list: Vec<_> = list.map(|pick| pick["element"].as_u64()).collect();
            list.sort_unstable();
            list
        };
        let now = world.fpl("/entry/7/event/1/picks/").await.body["picks"].clone();
        assert_eq!(members(&now), members(&picks));
    }
}

/// A chip decides what counts, so it stays what it was when picks became public.
#[tokio::test]
async fn a_chip_that_was_played_cannot_be_set_away() {
    let world = world_at(38, 72);
    let mut tried = 0;
    for id in 1..=30 {
        let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
        for chip in history["chips"].as_array().unwrap() {
            let figures = match chip["name"].as_str().unwrap() {
                "bboost" => json!({ "pointsOnBench": 1 }),
                "wildcard" | "freehit" => json!({ "transfersCost": 4 }),
                _ => continue,
            };
            let gameweek = u8::try_from(chip["event"].as_u64().unwrap()).unwrap();
            let path = format!("/fpl/entries/{id}");
            let refused = world.api(Method::PUT, &path, put_week(gameweek, &figures)).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST);
            assert!(refused.body["message"].as_str().unwrap().contains("the deadline has passed"));
            let zero = json!({ "points": 50, "pointsOnBench": 0, "transfersCost": 0 });
            let set = world.api(Method::PUT, &path, put_week(gameweek, &zero)).await;
            assert_eq!(set.status, StatusCode::OK);
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}
