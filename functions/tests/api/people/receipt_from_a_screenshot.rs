//! A receipt seen on somebody else's screenshot is typed, after one paid prompt of KSh 1 to that phone.

use app::Safeguards;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::{
    payments::typed_code_checks::{again, with_own_number},
    support::{Person, World},
};

async fn type_in(player: &Person, code: &str) -> u16 {
    player.post("/api/manual-payment", json!({"mpesaCode": code})).await.status.as_u16()
}

async fn paid_by_hand(world: &World, phone: &str) -> String {
    let body = json!({"phone": phone, "amount": 500, "accountReference": "for the league"});
    world.sim(Method::POST, "/paybill", body).await["receipt"].as_str().unwrap().to_owned()
}

/// Whoever has paid a shilling of somebody else's has not made that number their own: not for what was paid
/// before, nor for a day; and whoever paid is not shut out by the thief.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn no_machine_credits_it_to_the_thief(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (victim, thief) = (world.player().await, world.player().await);
    let before = paid_by_hand(&world, &victim.phone()).await;
    let prompt = json!({"phone": victim.phone(), "amount": 1});
    thief.post("/api/deposits", prompt).await.expect(200);
    world.answer_prompt(&victim.phone(), json!({"outcome": "success"})).await;
    let after = paid_by_hand(&world, &victim.phone()).await;
    for code in [&before, &after] {
        assert_eq!(type_in(&thief, code).await, 201);
    }
    world.advance(3 * 24 * 3600).await;
    let (victim, thief) = (again(&world, &victim).await, again(&world, &thief).await);
    for code in [&before, &after] {
        assert_eq!(type_in(&thief, code).await, 200, "asked about again");
    }
    world.advance(3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&thief.id], ledger.wallets[&victim.id]), (1, 0));
    let victim = again(&world, &victim).await;
    for code in [&before, &after] {
        assert_eq!(type_in(&victim, code).await, 201, "nobody holds a code that is not credited");
    }
}

/// Where M-Pesa does not tell who paid, an admin decides, also about an own number.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn a_masked_payer_is_nobody(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = with_own_number(&world).await;
    world.faults(json!({"payer": "masked"})).await;
    let receipt = paid_by_hand(&world, &player.phone()).await;
    assert_eq!(type_in(&player, &receipt).await, 201);
    world.advance(3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
    let pending = world.admin().await.get("/api/manual-payment/pending").await.expect(200);
    assert_eq!(pending[0]["waitsBecause"], "M-Pesa does not tell the payer's number.");

    // Told in clear, the same code is credited: it was typed by who paid.
    world.faults(json!({"payer": "none"})).await;
    assert_eq!(type_in(&again(&world, &player).await, &receipt).await, 200);
    world.advance(0).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 600);
}
