//! Schedules that fire early, late, twice or never: what is open is the clock's to say, and what a
//! schedule was to do is done once.

use local::process::Fate;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    World, assert_has, at_once,
    gameweek::{sizes, this_week},
};

#[tokio::test]
async fn never_means_that_the_clock_alone_closes_and_the_draw_comes_when_it_can() {
    let world = World::start().await;
    world.crowd(11, 50).await;
    world.player_with(100).await;
    world.no_schedules().await;
    world.clock_to("2026-08-22T10:29:00Z").await;
    world.player_again(1).await.join(50, 1).await.expect(201);
    world.clock_to("2026-08-24T10:30:00Z").await;
    let player = world.player_again(1).await;
    assert_eq!(player.join(100, 1).await.refused(400), "The deadline has passed.");
    assert_eq!(player.pay(100, 1).await.refused(400), "The deadline has passed.");
    let status = player.get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"isOpen": false, "state": "closed"}));
    assert!(!world.is_drawn().await);
    assert!(world.leagues(50).await.iter().all(|league| league["state"] == "provisional"));

    world.schedule("sync-gameweek", true).await;
    world.advance(0).await;
    assert!(!world.is_drawn().await, "the beacon's round comes after the list");
    world.advance(120).await;
    assert!(world.is_drawn().await);
    assert_eq!(sizes(&world.leagues(50).await), [6, 6]);
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
    assert!(!world.is_drawn().await);
    late.join(50, 1).await.expect(201);
    // Between the deadline and its fence too.
    world.clock_to("2026-08-22T10:39:00Z").await;
    world.start_job("close-gameweek").await;
    assert!(!world.is_drawn().await);
    world.clock_to("2026-08-22T10:40:00Z").await;
    world.start_job("close-gameweek").await;
    assert!(!world.is_drawn().await);
    world.clock_to("2026-08-22T10:42:00Z").await;
    assert_eq!(sizes(&world.leagues(50).await).iter().sum::<usize>(), 8);
}

#[tokio::test]
async fn twice_and_at_once_means_once() {
    let world = World::start().await;
    world.crowd(13, 50).await;
    world.crowd(1, 100).await;
    world.no_schedules().await;
    // The lists and which round counts; then, when it is out, the draw.
    for at in ["2026-08-22T10:40:00Z", "2026-08-22T10:42:00Z"] {
        world.clock_to(at).await;
        let app = world.app();
        let runs = (0..6).map(|i| async move {
            match i % 2 {
                0 => app::gameweeks::sync::sync(app).await,
                _ => app::leagues::draw::advance(app, this_week()).await,
            }
        });
        for run in at_once(runs).await {
            run.unwrap();
        }
    }
    let first = world.leagues(50).await;
    let ends = (first.clone(), world.draw().await["drawnAt"].clone(), world.ledger().await.wallets);
    assert_eq!(first.len(), 2);
    // The one who was alone has the money back, once.
    assert_eq!(world.ledger().await.account("pot:2026-01"), 13 * 50);
    for job in ["close-gameweek", "sync-gameweek", "close-gameweek"] {
        world.start_job(job).await;
    }
    assert_eq!(
        (world.leagues(50).await, world.draw().await["drawnAt"].clone(), world.ledger().await.wallets),
        ends
    );
}

/// A rule that is put in the minute in which it fires can lose its turn: it is put when it differs, and only then.
#[tokio::test]
async fn the_rule_of_the_fence_is_put_only_when_it_differs() {
    let world = World::start().await;
    let puts = async || {
        let process = world.process(Fate::Lives);
        app::gameweeks::sync::sync(process.app()).await.unwrap();
        assert_eq!(process.calls_of("DescribeRule"), 1);
        process.calls_of("PutRule")
    };
    assert_eq!(puts().await, 0, "the world's own first run has put it");
    world.clock_to("2026-08-22T10:39:30Z").await;
    assert_eq!(puts().await, 0, "in the minute in which it fires");
    world.clock_to("2026-08-22T11:30:00Z").await;
    assert!(world.is_drawn().await);
    // As a deployment resets it, or somebody's hand.
    world.schedule("close-gameweek", false).await;
    assert_eq!((puts().await, puts().await), (1, 0));
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

    world.clock_to("2026-08-22T10:21:00Z").await;
    for _ in 0..3 {
        assert!(reads_in_a_minute().await > 0, "near a deadline");
    }

    world.clock_to("2026-08-22T12:30:00Z").await;
    world.faults(json!({"fpl": "down"})).await;
    world.advance(360).await;
    world.faults(json!({"fpl": "none"})).await;
    assert_eq!(reads_in_a_minute().await, 1, "after a failure");
    assert_eq!(reads_in_a_minute().await, 0);

    // The points are confirmed at nine.
    world.clock_to("2026-08-25T08:58:30Z").await;
    assert_eq!(reads_in_a_minute().await, 0);
    assert_eq!(reads_in_a_minute().await, 1, "as soon as the points could be final");
    assert_eq!(world.nobody().get("/api/gameweek/status").await.expect(200)["state"], "final");
}
