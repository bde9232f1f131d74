//! Joining: once a gameweek, from the wallet or by a prompt, and never on more than the wallet has.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    World, assert_has, at_once,
    gameweek::{PROCESS, users},
    money::rejected,
    mpesa::{paid, paid_unheard},
};

#[tokio::test]
async fn a_wallet_join_takes_the_entry_and_a_second_one_is_refused() {
    let (world, player) = World::with_player(300).await;
    player.join(50, 1).await.expect(201);
    assert_eq!(player.wallet().await, 250);
    for amount in [50, 100, 250] {
        assert_eq!(player.join(amount, 1).await.refused(409), "You already joined this gameweek.");
    }
    assert_eq!(player.wallet().await, 250);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 50);
}

#[tokio::test]
async fn a_wallet_that_does_not_cover_it_says_which_amount() {
    let (_world, player) = World::with_player(99).await;
    let message = player.join(100, 1).await.refused(400);
    assert_eq!(message, "Insufficient wallet balance for KSh 100. Please top up.");
    player.join(50, 1).await.expect(201);
}

/// Faults 11 and 12: at once, one entry and never below zero.
#[tokio::test]
async fn clicks_at_once_make_one_entry() {
    let (world, player) = World::with_player(100).await;
    let clicks = (0..8).map(|i| {
        let player = player.clone();
        let amount = if i % 2 == 0 { 50 } else { 100 };
        async move { player.join(amount, 1).await.status.as_u16() }
    });
    let mut entered = 0;
    for click in at_once(clicks).await {
        match click {
            201 => entered += 1,
            other => assert!(matches!(other, 400 | 409), "{other}"),
        }
    }
    assert_eq!(entered, 1);
    let left = player.wallet().await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 100 - left);
}

/// Fault 12: join and withdraw at once out of one balance.
#[tokio::test]
async fn a_join_and_withdrawals_at_once_spend_one_balance_once() {
    let (world, player) = World::with_player(100).await;
    let join = tokio::spawn({
        let player = player.clone();
        async move { player.join(50, 1).await.status.as_u16() }
    });
    let withdrawals = (0..4).map(|_| {
        let player = player.clone();
        let body = json!({"mpesaNumber": "0712345678", "amount": 60});
        async move { player.post("/api/withdraw", body).await.status.as_u16() }
    });
    let mut spent = 0;
    for withdrawal in at_once(withdrawals).await {
        spent += if withdrawal == 201 { 60 } else { 0 };
    }
    spent += if join.await.unwrap() == 201 { 50 } else { 0 };
    assert!(spent == 60 || spent == 50, "{spent}");
    assert_eq!(player.wallet().await, 100 - spent);
    world.ledger().await;
}

#[tokio::test]
async fn a_prompt_pays_for_an_entry_in_one_step() {
    let (world, player) = World::with_player(0).await;
    let sent = player.pay(100, 1).await.expect(200);
    let id = sent["checkoutId"].as_str().unwrap();
    assert_eq!(sent["message"], "Check your phone to complete the payment");
    let status = format!("/api/pay/status?checkoutId={id}");
    assert_eq!(world.nobody().get(&status).await.expect(200)["status"], "PENDING");

    let join = json!({"fplId": player.fpl_id, "entryAmount": 100, "gameweek": 1, "checkoutId": id});
    world.nobody().post("/api/join-league", join.clone()).await.refused(400);
    world.answer_prompt(&player.phone(), paid()).await;
    let paid = world.nobody().get(&status).await.expect(200);
    assert_has(&paid, json!({"status": "SUCCESS", "entered": true}));

    // The page joins next: it is shown its own entry, every time, without a token.
    for _ in 0..3 {
        world.nobody().post("/api/join-league", join.clone()).await.expect(201);
    }
    assert_eq!(player.wallet().await, 0);
    assert_eq!(player.leagues(100, 1).await[0]["own"], true);
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("mpesa:in")), (100, -100));
}

#[tokio::test]
async fn a_checkout_id_shows_only_the_entry_that_it_was_paid_for() {
    let world = World::start().await;
    let (payer, other) = (world.player().await, world.player_with(500).await);
    let id = payer.pay(100, 1).await.expect(200)["checkoutId"].clone();
    world.answer_prompt(&payer.phone(), paid()).await;
    for join in [
        json!({"fplId": other.fpl_id, "entryAmount": 100, "gameweek": 1, "checkoutId": id}),
        json!({"fplId": payer.fpl_id, "entryAmount": 50, "gameweek": 1, "checkoutId": id}),
        json!({"fplId": payer.fpl_id, "entryAmount": 100, "gameweek": 2, "checkoutId": id}),
    ] {
        other.post("/api/join-league", join).await.refused(403);
    }
    let unknown =
        json!({"fplId": payer.fpl_id, "entryAmount": 100, "gameweek": 1, "checkoutId": "f".repeat(32)});
    world.nobody().post("/api/join-league", unknown).await.refused(404);
    assert_eq!(other.wallet().await, 500);
}

#[tokio::test]
async fn a_prompt_is_refused_before_it_is_sent_where_no_entry_could_come_of_it() {
    let (world, player) = World::with_player(50).await;
    player.pay(100, 1).await.expect(200);
    assert_eq!(player.pay(50, 1).await.expect(409)["success"], false);
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    player.join(50, 1).await.expect(201);
    assert_eq!(player.pay(50, 1).await.refused(409), "You already joined this gameweek.");
    let prompts = world.prompts(&player.phone()).await;
    assert_eq!(prompts.len(), 2, "one for the deposit, one for the entry");
}

#[tokio::test]
async fn a_second_prompt_waits_until_the_first_is_three_minutes_old() {
    let world = World::start().await;
    world.faults(json!({"daraja": "pending"})).await;
    let player = world.player().await;
    player.pay(50, 1).await.expect(200);
    world.advance(170).await;
    player.pay(50, 1).await.refused(409);
    world.advance(11).await;
    player.pay(50, 1).await.expect(200);
}

/// Fault 14: joined by wallet while a prompt for the same gameweek was open.
#[tokio::test]
async fn paid_but_already_in_keeps_the_money_and_says_so() {
    let (world, player) = World::with_player(50).await;
    let id = player.pay(100, 1).await.text(200, "checkoutId");
    player.join(50, 1).await.expect(201);
    world.answer_prompt(&player.phone(), paid()).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": false}));
    let message = "You already joined this gameweek. Your money is in your wallet.";
    assert_eq!(status["message"], message);
    assert_eq!(player.wallet().await, 100);
    let join = json!({"fplId": player.fpl_id, "entryAmount": 100, "gameweek": 1, "checkoutId": id});
    player.post("/api/join-league", join).await.refused(409);
    world.ledger().await;
}

/// 409 says that the payment made no entry because the player was in: one that came too late is told so, whoever
/// has joined meanwhile.
#[tokio::test]
async fn paid_too_late_by_who_is_in_is_told_that_it_was_late() {
    let (world, player) = World::with_player(50).await;
    world.to_deadline(-50).await;
    let player = world.again(&player).await;
    let id = player.pay(100, 1).await.text(200, "checkoutId");
    player.join(50, 1).await.expect(201);
    world.faults(json!({"daraja": "pending"})).await;
    world.answer_prompt(&player.phone(), paid_unheard()).await;
    world.to_deadline(1600).await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(900).await;
    let late = "The deadline has passed. Your money is in your wallet.";
    assert_eq!(world.entry_payment_status(&id).await["message"], late);
    let join = json!({"fplId": player.fpl_id, "entryAmount": 100, "gameweek": 1, "checkoutId": id});
    assert_eq!(world.nobody().post("/api/join-league", join).await.refused(400), late);
    assert_eq!(world.again(&player).await.wallet().await, 150);
}

#[rstest]
#[case(json!({"entryAmount": 60, "gameweek": 1}), 400)]
#[case(json!({"entryAmount": "50", "gameweek": 1}), 400)]
#[case(json!({"entryAmount": 50.5, "gameweek": 1}), 400)]
#[case(json!({"entryAmount": -50, "gameweek": 1}), 400)]
#[case(json!({"gameweek": 1}), 400)]
#[case(json!({"entryAmount": 50}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": 2}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": 0}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": 1e18}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": "1"}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": 1, "fplId": "1"}), 403)]
#[case(json!({"entryAmount": 50, "gameweek": 1, "fplId": 5}), 400)]
#[case(json!({"entryAmount": 50, "gameweek": 1, "fplId": ""}), 400)]
#[tokio::test]
async fn a_join_that_is_not_in_order_spends_nothing(#[case] body: Value, #[case] status: u16) {
    let (_world, player) = World::with_player(500).await;
    player.post("/api/join-league", body).await.refused(status);
    assert_eq!(player.wallet().await, 500);
}

/// A number is the same with noughts before it.
#[tokio::test]
async fn the_own_team_is_named_by_its_number() {
    let (_world, player) = World::with_player(50).await;
    let named = json!({"entryAmount": 50, "gameweek": 1, "fplId": format!("00{}", player.fpl_id)});
    player.post("/api/join-league", named).await.expect(201);
}

/// Without a log-in only a payment can be shown.
#[rstest]
#[case(json!({}))]
#[case(json!([]))]
#[case(json!({"entryAmount": 60, "gameweek": 1}))]
#[case(json!({"entryAmount": 50, "gameweek": 1, "checkoutId": null}))]
#[tokio::test]
async fn who_is_not_logged_in_joins_by_no_wallet(#[case] body: Value) {
    let world = World::start().await;
    world.nobody().post("/api/join-league", body).await.refused(401);
}

#[tokio::test]
async fn twenty_five_players_are_three_groups_in_order_of_joining() {
    let world = World::start().await;
    world.crowd(24, 100).await;
    let last = world.player_with(100).await;
    last.join(100, 1).await.expect(201);
    let groups = world.nobody().get("/api/leagues?gameweek=1&entryAmount=100").await.expect(200);
    let sizes: Vec<usize> = groups.as_array().unwrap().iter().map(|group| users(group).len()).collect();
    assert_eq!(sizes, [10, 10, 5]);
    let own = last.leagues(100, 1).await;
    assert_has(&own[0], json!({"number": 3, "own": true}));
    assert!(last.leagues(50, 1).await.is_empty());
    world.player_again(1).await;
}

#[tokio::test]
async fn entries_and_movements_tell_the_whole_story() {
    let (world, player) = World::with_player(300).await;
    assert_eq!(player.entries().await, json!({"entries": [], "profitAndLoss": 0}));
    player.join(100, 1).await.expect(201);
    let open = player.entries().await;
    assert_has(&open["entries"][0], json!({"gameweek": "2026-01", "league": null}));
    assert_eq!(open["profitAndLoss"], -100);
    world.crowd(9, 100).await;
    world.points(&player.fpl_id, 1, 190, 1, 4).await;
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(60).await;
    let player = world.player_again(1).await;
    player.join(250, 2).await.expect(201);
    let told = player.entries().await;
    assert_eq!(told["profitAndLoss"], 900 - 100 - 250);
    assert_eq!(told["entries"][0]["gameweek"], "2026-02");
    let first = &told["entries"][1];
    assert_has(first, json!({"rank": 1, "points": 186, "prize": 900}));
    assert_eq!(first["league"], "2026-01-100-00001");
}

#[tokio::test]
async fn movements_come_in_pages() {
    let (world, player) = World::with_player(60).await;
    let admin = world.admin().await;
    for _ in 0..26 {
        let id = player.withdrawal("0712345678", 60).await;
        let reject = rejected("Not today.");
        admin.send(reqwest::Method::PUT, &format!("/api/withdraw/{id}"), Some(reject)).await.expect(200);
    }
    let pages = player.pages("/api/me/transactions").await;
    assert_eq!(pages.iter().map(|page| page.as_array().unwrap().len()).collect::<Vec<_>>(), [50, 3]);
    assert_eq!(pages[1][2]["kind"], "deposit");
    player.get("/api/me/transactions?cursor=x").await.refused(400);
}
