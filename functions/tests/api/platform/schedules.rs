//! Schedules that fire early, late, twice or never: what is open is the clock's to say, and what a
//! schedule was to do is done once.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PASSWORD, World};

const FIFTIES: &str = "/api/leagues?gameweek=1&entryAmount=50";

async fn to(world: &World, at: &str) {
    world.sim(Method::POST, "/clock", json!({"to": at})).await;
}

async fn leagues(world: &World) -> Value {
    world.nobody().get(FIFTIES).await.expect(200)
}

async fn drawn_at(world: &World) -> Value {
    world.nobody().get("/api/gameweeks/1/draw").await.expect(200)["drawnAt"].clone()
}

#[tokio::test]
async fn never_means_that_the_clock_alone_closes_and_the_draw_comes_when_it_can() {
    let world = World::start().await;
    world.crowd(11, 50).await;
    world.player_with(100).await;
    world.schedule("sync-gameweek", false).await;
    world.schedule("close-gameweek", false).await;
    to(&world, "2026-08-22T10:29:00Z").await;
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    player.join(50, 1).await.expect(201);
    to(&world, "2026-08-24T10:30:00Z").await;
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    assert_eq!(player.join(100, 1).await.refused(400), "The deadline has passed.");
    assert_eq!(player.pay(100, 1).await.refused(400), "The deadline has passed.");
    let status = player.get("/api/gameweek/status").await.expect(200);
    assert_eq!((&status["isOpen"], &status["state"]), (&json!(false), &json!("closed")));
    assert_eq!(drawn_at(&world).await, json!(null));
    assert!(leagues(&world).await.as_array().unwrap().iter().all(|league| league["state"] == "provisional"));

    world.schedule("sync-gameweek", true).await;
    world.advance(0).await;
    assert_eq!(drawn_at(&world).await, json!(null), "the beacon's round comes after the list");
    world.advance(120).await;
    assert!(drawn_at(&world).await.is_string());
    let sizes: Vec<usize> = leagues(&world)
        .await
        .as_array()
        .unwrap()
        .iter()
        .map(|league| league["users"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [6, 6]);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 12 * 50);
}

#[tokio::test]
async fn early_means_nothing() {
    let world = World::start().await;
    world.crowd(7, 50).await;
    let late = world.player_with(50).await;
    for job in ["close-gameweek", "sync-gameweek", "close-gameweek"] {
        world.start_job(job).await;
    }
    assert_eq!(drawn_at(&world).await, json!(null));
    late.join(50, 1).await.expect(201);
    // Between the deadline and its fence too.
    to(&world, "2026-08-22T10:39:59Z").await;
    world.start_job("close-gameweek").await;
    assert_eq!(drawn_at(&world).await, json!(null));
    to(&world, "2026-08-22T10:40:00Z").await;
    world.start_job("close-gameweek").await;
    assert_eq!(drawn_at(&world).await, json!(null));
    to(&world, "2026-08-22T10:42:00Z").await;
    let members: usize = leagues(&world)
        .await
        .as_array()
        .unwrap()
        .iter()
        .map(|league| league["users"].as_array().unwrap().len())
        .sum();
    assert_eq!(members, 8);
}

#[tokio::test]
async fn twice_and_at_once_means_once() {
    let world = World::start().await;
    world.crowd(13, 50).await;
    world.crowd(1, 100).await;
    world.schedule("sync-gameweek", false).await;
    world.schedule("close-gameweek", false).await;
    // The lists and which round counts; then, when it is out, the draw.
    for at in ["2026-08-22T10:40:00Z", "2026-08-22T10:42:00Z"] {
        to(&world, at).await;
        let runs = (0..6).map(|i| {
            let app = world.app().clone();
            let sync = i % 2 == 0;
            tokio::spawn(async move {
                match sync {
                    true => app::gameweeks::sync::sync(&app).await,
                    false => app::leagues::draw::close(&app, "2026-01".parse().unwrap()).await,
                }
            })
        });
        for run in runs.collect::<Vec<_>>() {
            run.await.unwrap().unwrap();
        }
    }
    let first = leagues(&world).await;
    let ends = (first.clone(), drawn_at(&world).await, world.ledger().await.wallets);
    assert_eq!(first.as_array().unwrap().len(), 2);
    // The one who was alone has the money back, once.
    assert_eq!(world.ledger().await.account("pot:2026-01"), 13 * 50);
    for job in ["close-gameweek", "sync-gameweek", "close-gameweek"] {
        world.start_job(job).await;
    }
    assert_eq!((leagues(&world).await, drawn_at(&world).await, world.ledger().await.wallets), ends);
}

/// Bootstrap is 2 MB: five minutes, except where something could just have come about.
#[tokio::test]
async fn the_official_calendar_is_read_no_more_often_than_it_has_to_be() {
    let world = World::start().await;
    let reads_in_a_minute = async || {
        world.sim(Method::DELETE, "/fpl/requests", Value::Null).await;
        world.advance(60).await;
        let requests = world.nobody().get("/sim/api/fpl/requests").await.expect(200);
        requests["bootstrap"].as_u64().unwrap()
    };
    world.advance(600).await;
    let mut reads = Vec::new();
    for _ in 0..5 {
        reads.push(reads_in_a_minute().await);
    }
    assert_eq!(reads, [0, 0, 0, 0, 1]);

    to(&world, "2026-08-22T10:21:00Z").await;
    for _ in 0..3 {
        assert!(reads_in_a_minute().await > 0, "near a deadline");
    }

    to(&world, "2026-08-22T12:30:00Z").await;
    world.faults(json!({"fpl": "down"})).await;
    world.advance(360).await;
    world.faults(json!({"fpl": "none"})).await;
    assert_eq!(reads_in_a_minute().await, 1, "after a failure");
    assert_eq!(reads_in_a_minute().await, 0);

    // The points are confirmed at nine.
    to(&world, "2026-08-25T08:58:30Z").await;
    assert_eq!(reads_in_a_minute().await, 0);
    assert_eq!(reads_in_a_minute().await, 1, "as soon as the points could be final");
    assert_eq!(world.nobody().get("/api/gameweek/status").await.expect(200)["state"], "final");
}
