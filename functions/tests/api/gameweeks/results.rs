//! What the season was so far: its gameweeks for everybody, the own entries for each player.

use domain::{EntryAmount, GameweekId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Person, World};

async fn gameweeks(world: &World) -> Vec<Value> {
    world.nobody().get("/api/gameweeks").await.expect(200).as_array().unwrap().clone()
}

/// Enters past every rule, as an attempt does that was held up somewhere.
async fn enter(world: &World, player: &Person, gameweek: GameweekId, amount: EntryAmount) {
    let store = world.app().store();
    let of = store.player(&domain::UserId::parse(&player.id).unwrap()).await.unwrap().unwrap();
    let now = world.app().clock().now();
    let entry = app::payments::prompts::new_entry(&of, of.fpl_id.unwrap(), gameweek, amount, now);
    assert_eq!(store.join_by_wallet(&entry).await.unwrap(), store::entries::Joined::Entered);
}

#[tokio::test]
async fn the_gameweeks_so_far_newest_first() {
    let world = World::start().await;
    let open = gameweeks(&world).await;
    assert_eq!(
        open,
        [json!({"season": 2026, "number": 1, "deadline": "2026-08-22T10:30:00Z", "state": "open",
            "drawnAt": null, "finalAt": null, "settledAt": null, "calledOff": null, "amounts": []})]
    );
    world.crowd(13, 50).await;
    world.crowd(1, 250).await;
    world.phase(1, "locked").await;
    assert_eq!(gameweeks(&world).await[0]["state"], "closed");
    world.advance(780).await;
    let drawn = gameweeks(&world).await.remove(0);
    let amount = |amount: i64, entries: u8, leagues: u8| json!({"entryAmount": amount, "entries": entries, "leagues": leagues});
    assert_eq!(drawn["amounts"], json!([amount(50, 13, 2), amount(100, 0, 0), amount(250, 1, 0)]));
    assert!(drawn["drawnAt"].as_str().unwrap().starts_with("2026-08-22T10:4"), "{drawn}");
    world.phase(1, "checked").await;
    let checked = gameweeks(&world).await;
    assert_eq!((checked.len(), &checked[0]["state"]), (1, &json!("final")));
    assert!(checked[0]["finalAt"].is_string());
    let admin = world.admin().await;
    admin.post("/api/gameweek/process-winners", json!({})).await.expect(200);
    world.advance(60).await;
    let settled = gameweeks(&world).await;
    assert_eq!((&settled[0]["number"], &settled[0]["state"]), (&json!(2), &json!("open")));
    assert_eq!((&settled[1]["number"], &settled[1]["state"]), (&json!(1), &json!("settled")));
    assert!(settled[1]["settledAt"].is_string());
}

#[tokio::test]
async fn a_refund_says_why() {
    let world = World::start().await;
    let alone = world.player_with(250).await;
    alone.join(250, 1).await.expect(201);
    let late = world.player_with(100).await;
    let entered = alone.get("/api/me/entries").await.expect(200);
    assert_eq!(entered["entries"][0]["refundReason"], json!(null));
    world.crowd(5, 100).await;
    world.phase(1, "locked").await;
    world.advance(780).await;
    enter(&world, &late, "2026-01".parse().unwrap(), EntryAmount::Hundred).await;
    world.advance(900).await;
    for (n, why, paid) in [(1, "Nobody else joined.", 250), (2, "It came too late for the draw.", 100)] {
        let player = world.log_in(&format!("player{n}@example.co.ke"), PASSWORD).await;
        let told = player.get("/api/me/entries").await.expect(200);
        let entry = &told["entries"][0];
        assert_eq!((&entry["refund"], &entry["refundReason"]), (&json!(paid), &json!(why)));
        assert_eq!(
            (&entry["league"], &entry["rank"], &entry["points"]),
            (&json!(null), &json!(null), &json!(null))
        );
        assert_eq!(told["profitAndLoss"], 0);
        assert_eq!(player.wallet().await, paid);
    }
}

#[tokio::test]
async fn a_gameweek_in_which_nothing_is_played_is_given_back_and_says_so() {
    let world = World::start().await;
    world.player_with(100).await.join(100, 1).await.expect(201);
    world.crowd(4, 100).await;
    world.sim(Method::PUT, "/fpl/gameweeks/1", json!({"kind": "void"})).await;
    world.phase(1, "checked").await;
    world.advance(600).await;
    world.admin().await.post("/api/gameweek/process-winners", json!({})).await.expect(200);
    world.advance(600).await;
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    let told = player.get("/api/me/entries").await.expect(200);
    let entry = &told["entries"][0];
    assert_eq!((&entry["refund"], &entry["rank"], &entry["prize"]), (&json!(100), &json!(null), &json!(0)));
    assert_eq!(entry["refundReason"], "Nothing was played in this gameweek.");
    assert_eq!((entry["league"].is_string(), &told["profitAndLoss"]), (true, &json!(0)));
}

/// Seasons of entries: newest first, in pages, and the total is of all of them.
#[tokio::test]
async fn entries_of_two_seasons_come_in_pages() {
    let world = World::start().await;
    let player = world.player_with(52 * 50).await;
    let id = domain::UserId::parse(&player.id).unwrap();
    for n in 0..52_u8 {
        let gameweek = GameweekId { season: 2026 + u16::from(n / 30), number: n % 30 + 1 };
        if n == 30 {
            let team = world.app().store().player(&id).await.unwrap().unwrap().fpl_id.unwrap();
            let linked = world.app().store().link_team(&id, 2027, team, None).await.unwrap();
            assert_eq!(linked, store::accounts::players::Linked::Written);
        }
        enter(&world, &player, gameweek, EntryAmount::Fifty).await;
    }
    let first = player.get("/api/me/entries").await;
    let cursor = first.headers["x-next-cursor"].to_str().unwrap().to_owned();
    let first = first.expect(200);
    let newest = &first["entries"][0];
    assert_eq!(
        (&newest["gameweek"], &newest["season"], &newest["number"]),
        (&json!("2027-22"), &json!(2027), &json!(22))
    );
    let rest = player.get(&format!("/api/me/entries?cursor={cursor}")).await;
    assert!(!rest.headers.contains_key("x-next-cursor"));
    let rest = rest.expect(200);
    let told: Vec<&Value> =
        [&first, &rest].iter().flat_map(|page| page["entries"].as_array().unwrap()).collect();
    assert_eq!(told.len(), 52);
    assert_eq!((&told[50]["gameweek"], &told[51]["gameweek"]), (&json!("2026-02"), &json!("2026-01")));
    assert_eq!((&first["profitAndLoss"], &rest["profitAndLoss"]), (&json!(-2600), &json!(-2600)));
    player.get("/api/me/entries?cursor=x").await.refused(400);
}
