//! What is kept of the current gameweek, beside the calendar that it comes from.

use app::{gameweeks::sync, leagues::points, settlement::corrections};
use local::{fixtures, process::Fate};
use serde_json::{Value, json};

use crate::support::{World, assert_has, gameweek::this_week, invariants};

const STATUS: &str = "/api/gameweek/status";

async fn write(world: &World, operation: &str, rest: Value) {
    let key = json!({"pk": {"S": "SEASON"}, "sk": {"S": "CURRENT"}});
    let mut call = json!({"TableName": world.app().config().table_name, "Key": key});
    call.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    world.dynamo().call(operation, &call).await.unwrap();
}

/// The item, as the table has it.
async fn kept(world: &World) -> Option<Value> {
    let items = invariants::items(world).await;
    items.into_iter().find(|item| item["sk"] == "CURRENT")
}

async fn joined(world: &World) -> Value {
    world.nobody().get(STATUS).await.expect(200)["amounts"][0]["entries"].clone()
}

/// As a data directory of before has it.
#[tokio::test]
async fn is_asked_of_the_calendar_where_it_is_not_kept_yet() {
    let (world, player) = World::with_player(100).await;
    world.advance(60).await;
    let whole = kept(&world).await.unwrap();
    assert_has(&whole, json!({"season": 2026, "more": true}));
    let size = |item: &Value| item.to_string().len();
    let calendar = invariants::items(&world).await.into_iter().find(|item| item["sk"] == "CALENDAR").unwrap();
    assert!(size(&whole) * 4 < size(&calendar), "{} of {}", size(&whole), size(&calendar));

    world.no_schedules().await;
    write(&world, "DeleteItem", json!({})).await;
    assert_eq!(world.current_gameweek().await, 1);
    player.join(50, 1).await.expect(201);
    assert_eq!(joined(&world).await, 1, "counted, since no count is kept");
    world.schedule("sync-gameweek", true).await;
    world.advance(60).await;
    assert_eq!(kept(&world).await.unwrap()["joined"]["entries"], json!([1, 0, 0]));
    assert_eq!(joined(&world).await, 1);
}

/// Before the draw and after it.
#[tokio::test]
async fn the_count_is_the_last_minutes() {
    let world = World::start().await;
    world.advance(60).await;
    world.schedule("sync-gameweek", false).await;
    world.crowd(3, 50).await;
    assert_eq!(joined(&world).await, 0);
    world.schedule("sync-gameweek", true).await;
    world.advance(60).await;
    assert_eq!(joined(&world).await, 3);
    world.crowd(4, 50).await;
    world.phase(1, "locked").await;
    world.advance(3600).await;
    assert_eq!(joined(&world).await, 7);
    let counted = kept(&world).await.unwrap()["joined"].clone();
    world.advance(60).await;
    assert_eq!(kept(&world).await.unwrap()["joined"], counted, "nobody joins after the draw");
}

/// A version that does not know of it changes the calendar alone; a later one does not believe what it finds.
#[tokio::test]
async fn what_no_job_has_looked_at_is_not_believed() {
    let (world, player) = World::with_player(100).await;
    world.no_schedules().await;
    let wrong = json!({
        "UpdateExpression": "SET gameweeks[0].deadline = :past",
        "ExpressionAttributeValues": {":past": {"S": "2026-08-01T10:30:00Z"}},
    });
    write(&world, "UpdateItem", wrong).await;
    assert_eq!(player.join(50, 1).await.refused(400), "The deadline has passed.");
    world.advance(601).await;
    player.join(50, 1).await.expect(201);
    world.schedule("sync-gameweek", true).await;
    world.advance(60).await;
    let deadline = world.nobody().get(STATUS).await.expect(200)["deadline"].clone();
    assert_eq!(kept(&world).await.unwrap()["gameweeks"][0]["deadline"], deadline);
}

/// A new season comes by the same write.
#[tokio::test]
async fn it_changes_with_the_calendar_and_not_a_minute_later() {
    let (world, player) = World::with_player(100).await;
    world.advance(60).await;
    world.no_schedules().await;
    world.new_season().await;
    assert_eq!(kept(&world).await.unwrap()["season"], 2027);
    let refused = player.join(50, 1).await.refused(400);
    assert_eq!(refused, "A new season has begun. Link your team id for it first.");
}

#[tokio::test]
async fn nobody_is_shown_that_it_is_open_after_the_deadline() {
    let world = World::start().await;
    assert_eq!(world.nobody().get(STATUS).await.kept_for(), 10);
    world.to_deadline(-6).await;
    let answer = world.nobody().get(STATUS).await;
    let time = |field: &str| answer.body[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let left = time("deadline").as_second() - time("now").as_second();
    let most = if answer.body["isOpen"] == true { left } else { 10 };
    assert!(answer.kept_for() <= most, "{:?}", answer.headers);
    world.to_deadline(1).await;
    let answer = world.nobody().get(STATUS).await;
    assert_eq!((answer.kept_for(), &answer.body["isOpen"]), (10, &json!(false)));
}

/// AWS would try such a run twice more and keep it as a dead letter, a hundred of them while the official game is updated.
#[tokio::test]
async fn an_outage_of_the_official_game_fails_no_job() {
    let world = World::start().await;
    world.crowd(3, 50).await;
    world.phase(1, "live").await;
    world.faults(json!({"fpl": "updating"})).await;
    world.advance(26 * 3600).await;
    let app = world.app();
    let asked = app.fpl().event_status().await;
    assert!(asked.is_err(), "it does not answer");
    sync::sync(app).await.unwrap();
    points::track(app).await.unwrap();
    corrections::poll(app).await.unwrap();
}

/// The calendar that was read is an old one by the time at which it is kept: the deadline of the new one holds.
#[tokio::test]
async fn an_older_calendar_does_not_take_the_place_of_a_newer_one() {
    let (world, player) = World::with_player(50).await;
    let (process, now) = (world.process(Fate::WaitsBefore(1)), world.app().clock().now());
    let keeping = process.app().store().keep_current(None, now);
    let brought_forward = fixtures::change(world.app(), this_week(), |gameweek| gameweek.deadline = now);
    process.run_around(keeping, brought_forward).await.unwrap();
    assert_eq!(player.join(50, 1).await.refused(400), "The deadline has passed.");
}
