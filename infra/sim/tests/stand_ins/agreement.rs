//! Whatever is made up or set: picks, live figures and history say the same, at every instant.

use axum::http::{Method, StatusCode};
use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::json;

use crate::{
    teams::{cases, check, check_with, crowd, deadline, live, put_week, runtime},
    world::World,
};

#[test]
fn made_up_teams_agree_at_every_instant() {
    for crowded in [false, true] {
        let (world, runtime) = (World::new(), runtime());
        if crowded {
            runtime.block_on(crowd(&world));
        }
        let teams = (1..4_000_000_u64, 1..=38_u8, 0..7 * 24 * 60_i64);
        cases(30)
            .run(&teams, |(id, gameweek, minutes)| {
                world.set(deadline(gameweek) + SignedDuration::from_mins(minutes));
                let row = runtime.block_on(check(&world, id, gameweek));
                let again = runtime.block_on(world.fpl(&format!("/entry/{id}/history/"))).body;
                prop_assert_eq!(&again["current"][usize::from(gameweek) - 1], &row);
                Ok(())
            })
            .unwrap();
    }
}

#[tokio::test]
async fn a_thousand_teams_agree_those_with_players_of_their_own_and_the_others() {
    let world = World::new();
    for hours in [30, 72] {
        world.set(deadline(2) + SignedDuration::from_hours(hours));
        let players = live(&world, 2).await;
        assert_eq!(players.len(), 600 + 160 * 15, "the players of 160 teams are there from the start");
        for id in 8_400_001..8_401_001 {
            check_with(&world, id, 2, &players).await;
        }
    }
}

#[test]
fn set_teams_agree_and_say_what_was_set() {
    for crowded in [false, true] {
        let (world, runtime) = (World::new(), runtime());
        if crowded {
            runtime.block_on(crowd(&world));
        }
        let set = (0..=200_i64, 0..=80_i64, 0..=20_i64);
        let teams = (1..4_000_000_u64, 1..=38_u8, set, 0..7 * 24 * 60_i64);
        cases(20)
            .run(&teams, |(id, gameweek, (points, bench, hits), minutes)| {
                let week = json!({ "points": points, "pointsOnBench": bench, "transfersCost": hits * 4 });
                let path = format!("/fpl/entries/{id}");
                world.at(sim::FIRST_OPEN);
                let put = world.api(Method::PUT, &path, put_week(gameweek, &week));
                prop_assert_eq!(runtime.block_on(put).status, StatusCode::OK);
                world.set(deadline(gameweek) + SignedDuration::from_mins(minutes));
                runtime.block_on(check(&world, id, gameweek));
                world.set(deadline(gameweek) + SignedDuration::from_hours(59));
                let row = runtime.block_on(check(&world, id, gameweek));
                prop_assert_eq!(&row["points"], points);
                prop_assert_eq!(&row["points_on_bench"], bench);
                prop_assert_eq!(&row["event_transfers_cost"], hits * 4);
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn points_set_after_the_deadline_leave_public_picks_alone() {
    let (world, runtime) = (World::new(), runtime());
    cases(30)
        .run(&(1..50_u64, 1..=38_u8, 0..=200_i64, 1..=80_i64), |(id, gameweek, points, bench)| {
            world.set(deadline(gameweek));
            let path = format!("/entry/{id}/event/{gameweek}/picks/");
            let before = runtime.block_on(world.fpl(&path)).body;
            let bench = if before["active_chip"] == "bboost" { 0 } else { bench };
            let week = json!({ "points": points, "pointsOnBench": bench });
            let put = put_week(gameweek, &week);
            let put = runtime.block_on(world.api(Method::PUT, &format!("/fpl/entries/{id}"), put));
            prop_assert_eq!(put.status, StatusCode::OK);
            world.set(deadline(gameweek) + SignedDuration::from_hours(72));
            let after = runtime.block_on(world.fpl(&path)).body;
            prop_assert_eq!(&after["picks"], &before["picks"]);
            prop_assert_eq!(&after["active_chip"], &before["active_chip"]);
            prop_assert_eq!(&after["entry_history"]["points"], points);
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn a_part_that_is_not_set_stays_made_up() {
    let world = World::new();
    world.set(deadline(3) + SignedDuration::from_hours(72));
    let plain = check(&world, 71, 3).await;
    let put = put_week(3, &json!({ "transfersCost": 8 }));
    world.api(Method::PUT, "/fpl/entries/71", put).await;
    let cost = check(&world, 71, 3).await;
    assert_eq!((&cost["points"], &cost["points_on_bench"]), (&plain["points"], &plain["points_on_bench"]));
    assert_eq!(cost["event_transfers_cost"], 8);
    world.api(Method::PUT, "/fpl/entries/71", put_week(3, &json!({ "points": 99 }))).await;
    let points = check(&world, 71, 3).await;
    assert_eq!((&points["points"], &points["event_transfers_cost"]), (&json!(99), &json!(8)));
    assert_eq!(points["points_on_bench"], plain["points_on_bench"]);
    for other in [1, 2] {
        check(&world, 71, other).await;
    }
}

#[tokio::test]
async fn live_points_only_grow_for_a_team_whose_points_were_set() {
    let world = World::new();
    let week = json!({ "points": 83, "pointsOnBench": 11 });
    world.api(Method::PUT, "/fpl/entries/12", put_week(1, &week)).await;
    let (mut last, mut steps) = (0, 0);
    for minutes in (0..=62 * 60).step_by(20) {
        world.set(deadline(1) + SignedDuration::from_mins(minutes));
        let points = world.fpl("/entry/12/history/").await.body["current"][0]["points"].as_i64().unwrap();
        assert!(points >= last, "{points} after {last}");
        steps += usize::from(points > last);
        last = points;
    }
    assert_eq!(last, 83);
    assert!(steps > 5, "the points came in {steps} steps");
}

#[tokio::test]
async fn figures_of_a_season_are_plausible() {
    let world = World::new();
    world.set(deadline(38) + SignedDuration::from_hours(72));
    let (mut sum, mut weeks, mut hits, mut chips) = (0, 0, 0, 0);
    for id in 1..=30 {
        let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
        for row in history["current"].as_array().unwrap() {
            sum += row["points"].as_i64().unwrap();
            weeks += 1;
            hits += usize::from(row["event_transfers_cost"] != 0);
        }
        chips += history["chips"].as_array().unwrap().len();
    }
    assert!((35..60).contains(&(sum / weeks)), "on average {}", sum / weeks);
    assert!(hits > 20 && chips > 30, "{hits} hits, {chips} chips");
}
