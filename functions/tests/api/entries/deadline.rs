//! Around the deadline: what is in, what is out, and where the money is in either case.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    World, assert_has,
    gameweek::users,
    mpesa::{paid, paid_unheard},
};

#[rstest]
#[case::just_before(-30, 201)]
#[case::at_the_deadline(0, 400)]
#[case::just_after(30, 400)]
#[tokio::test]
async fn the_clock_decides(#[case] offset: i64, #[case] status: u16) {
    let world = World::start().await;
    world.player_with(50).await;
    world.to_deadline(offset).await;
    let player = world.player_again(1).await;
    assert_eq!(player.join(50, 1).await.status.as_u16(), status);
    let open = player.get("/api/gameweek/status").await.expect(200)["isOpen"] == true;
    assert_eq!(open, status == 201);
}

/// Sent before the deadline and paid before the fence: in. Later: in the wallet.
#[rstest]
#[case::right_after_the_deadline(40, true)]
#[case::after_the_fence(660, false)]
#[tokio::test]
async fn a_prompt_across_the_deadline(#[case] paid_after: i64, #[case] enters: bool) {
    let world = World::start().await;
    world.crowd(5, 100).await;
    world.player().await;
    world.to_deadline(-15).await;
    let player = world.player_again(1).await;
    let body = json!({"phone": "0712000001", "amount": 100, "fplId": player.fpl_id,
        "entryAmount": 100, "gameweek": 1});
    let id = player.post("/api/pay", body).await.text(200, "checkoutId");
    if !enters {
        // The PIN is typed in time, but nobody hears of it before the fence.
        world.faults(json!({"daraja": "pending"})).await;
        world.decide_prompt("0712000001", paid_unheard()).await;
    }
    world.to_deadline(paid_after).await;
    if enters {
        world.answer_prompt("0712000001", paid()).await;
    }
    world.faults(json!({"daraja": "none"})).await;
    world.advance(900).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": enters}));
    let player = world.player_again(1).await;
    assert_eq!(player.wallet().await, if enters { 0 } else { 100 });
    let members: usize = player.leagues(100, 1).await.iter().map(|league| users(league).len()).sum();
    assert_eq!(members, if enters { 6 } else { 5 });
    if !enters {
        assert_eq!(status["message"], "The deadline has passed. Your money is in your wallet.");
    }
    world.ledger().await;
}

#[tokio::test]
async fn one_player_alone_is_refunded() {
    let (world, player) = World::with_player(250).await;
    player.join(250, 1).await.expect(201);
    world.phase(1, "live").await;
    let player = world.player_again(1).await;
    assert_eq!(player.wallet().await, 250);
    assert_eq!(player.movements().await[0]["kind"], "refund");
    assert!(player.leagues(250, 1).await.is_empty());
    assert_eq!(world.ledger().await.account("pot:2026-01"), 0);
}

/// Whatever the number, sizes are as ruled and everybody is in exactly one league.
#[rstest]
#[case(2, &[2])]
#[case(10, &[10])]
#[case(13, &[7, 6])]
#[case(16, &[10, 6])]
#[tokio::test]
async fn the_draw_makes_leagues_of_the_right_sizes(#[case] players: usize, #[case] expected: &[usize]) {
    let world = World::start().await;
    let crowd = world.crowd(players, 50).await;
    world.phase(1, "live").await;
    let leagues = world.nobody().get("/api/leagues?gameweek=1&entryAmount=50").await.expect(200);
    let members = |league: &serde_json::Value| users(league).clone();
    let sizes: Vec<usize> = leagues.as_array().unwrap().iter().map(|league| members(league).len()).collect();
    assert_eq!(sizes, expected);
    let mut drawn: Vec<String> =
        leagues.as_array().unwrap().iter().flat_map(members).map(|m| m["fplId"].to_string()).collect();
    let mut joined: Vec<String> = crowd.iter().map(|player| player["fplId"].to_string()).collect();
    drawn.sort_unstable();
    joined.sort_unstable();
    assert_eq!(drawn, joined);
}

#[tokio::test]
async fn the_secret_of_the_draw_was_fixed_when_the_gameweek_opened() {
    use sha2::{Digest, Sha256};
    let world = World::start().await;
    world.crowd(7, 50).await;
    let before = world.draw().await;
    assert_has(&before, json!({"drawnAt": null, "draws": []}));
    world.phase(1, "live").await;
    let after = world.draw().await;
    assert_eq!(after["secretHash"], before["secretHash"]);
    let draw = &after["draws"][0];
    let bytes = |field: &str| hex::decode(draw[field].as_str().unwrap()).unwrap();
    assert_eq!(hex::encode(Sha256::digest(bytes("secret"))), before["secretHash"].as_str().unwrap());
    let seed = Sha256::digest([bytes("secret"), bytes("beacon"), bytes("entriesHash")].concat());
    assert_eq!(hex::encode(seed), draw["seed"].as_str().unwrap());
    assert_eq!(draw["sizes"], json!([7]));
    world.nobody().get("/api/gameweeks/99/draw").await.refused(404);
    world.nobody().get("/api/gameweeks/x/draw").await.refused(404);
}

/// The official game moves the first deadline; it is followed within five minutes.
async fn move_deadline(world: &World, to: &str) {
    world.sim(Method::PUT, "/fpl/gameweeks/1", json!({"deadline": to})).await;
}

#[tokio::test]
async fn a_deadline_that_is_put_off_takes_entries_until_the_new_one() {
    let world = World::start().await;
    world.player_with(100).await.join(50, 1).await.expect(201);
    world.player_with(100).await;
    world.clock_to("2026-08-22T09:00:00Z").await;
    move_deadline(&world, "2026-08-23T10:30:00Z").await;
    world.advance(300).await;
    world.clock_to("2026-08-22T12:00:00Z").await;
    let late = world.player_again(2).await;
    let status = late.get("/api/gameweek/status").await.expect(200);
    // The second gameweek's deadline is on the 29th.
    assert_has(
        &status,
        json!({"isOpen": true, "deadline": "2026-08-23T10:30:00Z", "nextOpensBy": "2026-08-27T10:30:00Z"}),
    );
    assert!(!world.is_drawn().await);
    late.join(50, 1).await.expect(201);
    let groups = late.leagues(50, 1).await;
    assert_eq!((groups.len(), &groups[0]["state"]), (1, &json!("provisional")));
    assert_eq!(users(&groups[0]).len(), 2);

    // The rule of the fence stands at the new one, and needs nobody else.
    world.schedule("sync-gameweek", false).await;
    world.clock_to("2026-08-23T10:39:59Z").await;
    assert!(!world.is_drawn().await);
    world.clock_to("2026-08-23T10:43:00Z").await;
    assert!(world.is_drawn().await);
    assert_eq!(users(&world.player_again(2).await.leagues(50, 1).await[0]).len(), 2);
}

#[tokio::test]
async fn a_deadline_that_is_brought_forward_keeps_who_is_in_and_takes_nobody_after() {
    let world = World::start().await;
    world.player_with(100).await.join(50, 1).await.expect(201);
    world.crowd(1, 50).await;
    world.player_with(100).await;
    move_deadline(&world, "2026-08-21T06:00:00Z").await;
    world.advance(300).await;
    world.schedule("sync-gameweek", false).await;
    world.clock_to("2026-08-21T06:00:00Z").await;
    let late = world.player_again(2).await;
    assert_eq!(late.join(50, 1).await.refused(400), "The deadline has passed.");
    world.clock_to("2026-08-21T06:13:00Z").await;
    assert!(world.is_drawn().await);
    assert_eq!(users(&late.leagues(50, 1).await[0]).len(), 2);
}

/// It is brought forward and passes while the official game cannot be read: the gameweek closes when
/// it is known, and what was taken until then is in.
#[tokio::test]
async fn a_deadline_that_moved_unseen_closes_when_it_is_seen() {
    let world = World::start().await;
    world.crowd(2, 50).await;
    world.player_with(100).await;
    move_deadline(&world, "2026-08-21T06:00:00Z").await;
    world.faults(json!({"fpl": "down"})).await;
    world.clock_to("2026-08-21T07:00:00Z").await;
    let player = world.player_again(1).await;
    world.faults(json!({"fpl": "none"})).await;
    player.join(50, 1).await.expect(201);
    // The next reading knows of it, and the fence is a minute after that.
    for _ in 0..2 {
        world.advance(300).await;
    }
    let player = world.player_again(1).await;
    assert_eq!(player.get("/api/gameweek/status").await.expect(200)["isOpen"], false);
    world.advance(780).await;
    assert!(world.is_drawn().await);
    assert_eq!(users(&player.leagues(50, 1).await[0]).len(), 3);
}
