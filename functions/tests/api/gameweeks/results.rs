//! What the season was so far: its gameweeks for everybody, the own entries for each player.

use domain::{EntryAmount, GameweekId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Person, World, assert_has, gameweek::PROCESS};

async fn gameweeks(world: &World) -> Vec<Value> {
    world.nobody().get("/api/gameweeks").await.expect(200).as_array().unwrap().clone()
}

/// Enters past every rule, as an attempt does that was held up somewhere.
async fn enter(world: &World, player: &Person, gameweek: GameweekId, amount: EntryAmount) {
    let store = world.app().store();
    let of = store.player(&player.user_id()).await.unwrap().unwrap();
    let now = world.app().clock().now();
    let entry = app::entries::new_entry(&of, of.fpl_id.unwrap(), gameweek, amount, now);
    assert_eq!(store.join_by_wallet(&entry).await.unwrap(), store::entries::Joined::Entered);
}

#[tokio::test]
async fn the_gameweeks_so_far_newest_first() {
    let world = World::start().await;
    let open = gameweeks(&world).await;
    assert_eq!(
        open,
        [json!({"season": 2026, "number": 1, "deadline": "2026-08-22T10:30:00Z", "state": "open",
            "feePercent": 10, "drawnAt": null, "finalAt": null, "settledAt": null, "prizes": null, "calledOff": null, "amounts": []})]
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
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(60).await;
    let settled = gameweeks(&world).await;
    assert_has(&settled[0], json!({"number": 2, "state": "open"}));
    assert_has(&settled[1], json!({"number": 1, "state": "settled"}));
    assert!(settled[1]["settledAt"].is_string());
    // Leagues of seven and six at 50, each less the fee of a tenth; who was alone has the stake back.
    assert_eq!((&checked[0]["prizes"], &settled[1]["prizes"]), (&json!(null), &json!(315 + 270)));
}

#[tokio::test]
async fn a_refund_says_why() {
    let world = World::start().await;
    let alone = world.player_with(250).await;
    alone.join(250, 1).await.expect(201);
    let late = world.player_with(100).await;
    assert_eq!(alone.entries().await["entries"][0]["refundReason"], json!(null));
    world.crowd(5, 100).await;
    world.phase(1, "locked").await;
    world.advance(780).await;
    enter(&world, &late, "2026-01".parse().unwrap(), EntryAmount::Hundred).await;
    world.advance(900).await;
    for (n, why, paid) in [(1, "Nobody else joined.", 250), (2, "It came too late for the draw.", 100)] {
        let player = world.player_again(n).await;
        let told = player.entries().await;
        let entry = &told["entries"][0];
        assert_has(entry, json!({"refund": paid, "refundReason": why}));
        assert_has(entry, json!({"league": null, "rank": null, "points": null}));
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
    world.end_gameweek().await;
    world.advance(600).await;
    let told = world.player_again(1).await.entries().await;
    let entry = &told["entries"][0];
    assert_has(entry, json!({"refund": 100, "rank": null, "prize": 0}));
    assert_eq!(entry["refundReason"], "Nothing was played in this gameweek.");
    assert_eq!((entry["league"].is_string(), &told["profitAndLoss"]), (true, &json!(0)));
}

/// Seasons of entries: newest first, in pages, and the total is of all of them.
#[tokio::test]
async fn entries_of_two_seasons_come_in_pages() {
    let (world, player) = World::with_player(52 * 50).await;
    let id = player.user_id();
    for n in 0..52_u8 {
        let gameweek = GameweekId { season: 2026 + u16::from(n / 30), number: n % 30 + 1 };
        if n == 30 {
            let team = world.app().store().player(&id).await.unwrap().unwrap().fpl_id.unwrap();
            let linked = world
                .app()
                .store()
                .link_team(&id, 2027, team, None, world.app().clock().now())
                .await
                .unwrap();
            assert_eq!(linked, store::accounts::players::Linked::Written);
        }
        enter(&world, &player, gameweek, EntryAmount::Fifty).await;
    }
    let pages = player.pages("/api/me/entries").await;
    let [first, rest] = &pages[..] else { panic!("two pages: {pages:?}") };
    let newest = &first["entries"][0];
    assert_has(newest, json!({"gameweek": "2027-22", "season": 2027, "number": 22}));
    let told: Vec<&Value> =
        [first, rest].iter().flat_map(|page| page["entries"].as_array().unwrap()).collect();
    assert_eq!(told.len(), 52);
    assert_eq!((&told[50]["gameweek"], &told[51]["gameweek"]), (&json!("2026-02"), &json!("2026-01")));
    assert_eq!((&first["profitAndLoss"], &rest["profitAndLoss"]), (&json!(-2600), &json!(-2600)));
    player.get("/api/me/entries?cursor=x").await.refused(400);
}
