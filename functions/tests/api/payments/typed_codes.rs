//! Typed codes: taken by their form, confirmed once, and never a second credit of what a prompt
//! credited, in whichever order they come.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, PASSWORD, Person, World, assert_has, at_once, money::CREDITED_BEFORE, text};

const CODE: &str = "UHK7RT61SV";

async fn reject(admin: &Person, id: &str) -> Answer {
    admin.post("/api/manual-payment/reject", json!({"paymentId": id})).await
}

#[rstest]
#[case(json!({}))]
#[case(json!({"mpesaCode": null}))]
#[case(json!({"mpesaCode": 1_234_567_890}))]
#[case(json!({"mpesaCode": ""}))]
#[case(json!({"mpesaCode": "UHK7RT61S"}))]
#[case(json!({"mpesaCode": "UMK7RT61SV"}))]
#[case(json!({"mpesaCode": "UHK7RT61SV'--"}))]
#[tokio::test]
async fn what_is_no_code_is_refused(#[case] body: Value) {
    let (_world, player) = World::with_player(0).await;
    let message = player.post("/api/manual-payment", body).await.refused(400);
    assert_eq!(message, "Enter the M-Pesa code from the message you got (e.g. NLJ7RT61SV).");
}

#[tokio::test]
async fn a_code_waits_for_an_admin_and_is_then_in_the_wallet() {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    let typed = player.type_code("  uhk7 rt61sv ").await.expect(201);
    assert_eq!(typed["message"], "Success wallet updated shortly");
    let id = text(&typed, "_id");
    let list = world.pending_codes().await;
    assert_eq!(list.len(), 1);
    assert_has(&list[0], json!({"_id": id, "mpesaCode": CODE}));
    assert_has(&list[0], json!({"userId": player.id, "username": "player1"}));
    assert_has(&list[0], json!({"warning": null, "prompts": []}));
    assert_eq!(player.wallet().await, 0);

    let body = json!({"paymentId": id, "userId": player.id, "amount": 500});
    let answer = admin.post("/api/manual-payment/confirm", body).await.expect(200);
    assert_has(&answer, json!({"status": "confirmed", "amount": 500}));
    assert_eq!(player.wallet().await, 500);
    assert_eq!(world.pending_codes().await.len(), 0);
    assert_has(&player.movements().await[0], json!({"kind": "manual", "receipt": CODE}));
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);

    // Again: the same answer; another amount, or a rejection: refused.
    admin.confirm_code(&id, 500).await.expect(200);
    assert_eq!(
        admin.confirm_code(&id, 400).await.refused(409),
        "This payment is confirmed with KSh 500 already."
    );
    assert_eq!(reject(&admin, &id).await.refused(409), "This payment is confirmed already.");
    assert_eq!(player.type_code(CODE).await.refused(409), CREDITED_BEFORE);
    assert_eq!(player.wallet().await, 500);
}

#[tokio::test]
async fn a_strange_date_is_only_a_warning() {
    let (world, player) = World::with_player(0).await;
    player.typed_code("NLJ7RT61SV").await;
    let list = world.pending_codes().await;
    assert!(list[0]["warning"].as_str().unwrap().contains("2019-12-19"), "{}", list[0]);
}

#[rstest]
#[case(json!({"amount": 0}))]
#[case(json!({"amount": -5}))]
#[case(json!({"amount": 10.5}))]
#[case(json!({"amount": "500"}))]
#[case(json!({"amount": 250_001}))]
#[case(json!({}))]
#[tokio::test]
async fn an_amount_is_positive_whole_shillings(#[case] mut body: Value) {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    body["paymentId"] = json!(player.typed_code(CODE).await);
    let message = admin.post("/api/manual-payment/confirm", body).await.refused(400);
    assert_eq!(message, "Please enter a valid amount.");
    assert_eq!(player.wallet().await, 0);
}

#[tokio::test]
async fn the_player_is_the_stored_payments() {
    let world = World::start().await;
    let (player, other, admin) = (world.player().await, world.player().await, world.admin().await);
    let id = player.typed_code(CODE).await;
    for user in [json!(other.id), json!(""), json!(7)] {
        let body = json!({"paymentId": id, "userId": user, "amount": 500});
        let message = admin.post("/api/manual-payment/confirm", body).await.refused(409);
        assert_eq!(message, "This payment is another player's.");
    }
    for id in ["", "nothing", &"0".repeat(32)] {
        admin.confirm_code(id, 500).await.refused(404);
        reject(&admin, id).await.refused(404);
    }
    assert_eq!((player.wallet().await, other.wallet().await), (0, 0));
}

#[tokio::test]
async fn the_same_code_again_is_the_same_request() {
    let (world, player) = World::with_player(0).await;
    let sends = (0..8).map(|_| {
        let player = player.clone();
        async move { player.type_code(CODE).await }
    });
    let mut ids = std::collections::BTreeSet::new();
    let mut made = 0;
    for send in at_once(sends).await {
        let answer = send;
        made += usize::from(answer.status == 201);
        assert!(matches!(answer.status.as_u16(), 200 | 201), "{}", answer.body);
        ids.insert(answer.body["_id"].as_str().unwrap().to_owned());
    }
    assert_eq!((made, ids.len()), (1, 1));
    assert_eq!(world.pending_codes().await.len(), 1);
}

#[tokio::test]
async fn a_rejected_code_can_be_sent_in_again() {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    let id = player.typed_code(CODE).await;
    let body = json!({"paymentId": id, "reason": "There is no such payment."});
    let rejected = admin.post("/api/manual-payment/reject", body).await.expect(200);
    assert_eq!(rejected["reason"], "There is no such payment.");
    reject(&admin, &id).await.expect(200);
    world.advance(120).await;
    let told = world.mails_about(&player.email(), "Your M-Pesa code was not accepted").await;
    assert_eq!(told.len(), 1, "{told:?}");
    let text = told[0]["text"].as_str().unwrap();
    assert!(text.contains(CODE) && text.contains("Reason: There is no such payment."), "{text}");
    assert_eq!(admin.confirm_code(&id, 500).await.refused(409), "This payment is rejected already.");
    assert_eq!(world.pending_codes().await.len(), 0);
    let next = player.typed_code(CODE).await;
    assert_ne!(next, id);
    admin.confirm_code(&next, 500).await.expect(200);
    assert_eq!(player.wallet().await, 500);
}

/// Confirmed with two amounts and rejected, all at once: it ends one way.
#[tokio::test]
async fn confirmed_and_rejected_at_once_end_it_one_way() {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    for round in 0..4 {
        let before = player.wallet().await;
        let id = player.typed_code(&format!("UHK000000{round}")).await;
        let acts = (0..9).map(|i| {
            let (admin, id) = (&admin, &id);
            async move {
                match i % 3 {
                    0 => (500, admin.confirm_code(id, 500).await.status.as_u16()),
                    1 => (400, admin.confirm_code(id, 400).await.status.as_u16()),
                    _ => (0, reject(admin, id).await.status.as_u16()),
                }
            }
        });
        let mut won = std::collections::BTreeSet::new();
        for (amount, status) in at_once(acts).await {
            assert!(matches!(status, 200 | 409), "{status}");
            if status == 200 {
                won.insert(amount);
            }
        }
        let won: Vec<i64> = won.into_iter().collect();
        assert_eq!(won, [player.wallet().await - before]);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -player.wallet().await);
}

/// One code, several players, all confirmed at once: one of them has it.
#[tokio::test]
async fn a_code_that_several_players_typed_is_credited_to_one() {
    let world = World::start().await;
    let admin = world.admin().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(world.player().await.typed_code(CODE).await);
    }
    let acts = ids.iter().map(|id| {
        let (admin, id) = (admin.clone(), id.clone());
        async move { admin.confirm_code(&id, 500).await }
    });
    let mut credited = 0;
    for act in at_once(acts).await {
        let answer = act;
        if answer.status == 200 {
            credited += 1;
        } else {
            assert_eq!(answer.refused(409), CREDITED_BEFORE);
        }
    }
    assert_eq!(credited, 1);
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
    assert_eq!(world.pending_codes().await.len(), 3);
}

/// An account that was erased has no name any more; that the code was credited to it is still said.
#[tokio::test]
async fn to_whom_a_code_was_credited_is_said_of_an_erased_account_too() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    other.typed_code(CODE).await;
    // Less than can be withdrawn keeps no account open.
    world.confirm_code(player.typed_code(CODE).await, 50).await.expect(200);
    let credited_to = async || world.pending_codes().await[0]["creditedTo"].clone();
    assert_eq!(credited_to().await, json!({"userId": player.id, "username": "player1"}));
    player.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert_eq!(credited_to().await, json!({"userId": player.id, "username": ""}));
}

#[tokio::test]
async fn the_list_goes_on_where_the_page_ended() {
    let world = World::start().await;
    let (mut player, admin) = (world.player().await, world.admin().await);
    let mut sent = Vec::new();
    for i in 10..40 {
        // A player sends in five a day.
        if i % 5 == 0 {
            player = world.player().await;
        }
        sent.push(player.typed_code(&format!("UHK00000{i}")).await);
    }
    let pages = admin.pages("/api/manual-payment/pending").await;
    let pages: Vec<&Vec<Value>> = pages.iter().map(|page| page.as_array().unwrap()).collect();
    assert_eq!((pages.len(), pages[0].len()), (2, 25));
    let mut listed: Vec<&str> =
        pages.into_iter().flatten().map(|item| item["_id"].as_str().unwrap()).collect();
    listed.sort_unstable();
    sent.sort_unstable();
    assert_eq!(listed, sent);
    for cursor in [String::new(), "%00".to_owned(), "x".repeat(2000)] {
        admin.get(&format!("/api/manual-payment/pending?cursor={cursor}")).await.refused(400);
        admin.get(&format!("/api/withdraw?cursor={cursor}")).await.refused(400);
    }
}
