//! A receipt seen on somebody else's screenshot is typed, after one paid prompt of KSh 1 to that phone.

use app::Safeguards::{self, Full, Light};
use rstest::rstest;
use serde_json::json;

use crate::support::{Person, World, mpesa::paid};

async fn type_in(player: &Person, code: &str) -> u16 {
    player.type_code(code).await.status.as_u16()
}

async fn paid_by_hand(world: &World, phone: &str) -> String {
    world.paybill(json!({"phone": phone, "amount": 500, "accountReference": "for the league"})).await
}

/// Whoever has paid a shilling of somebody else's has not made that number their own: not for what was paid
/// before, nor for a day; and whoever paid is not shut out by the thief.
#[rstest]
#[tokio::test]
async fn no_machine_credits_it_to_the_thief(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (victim, thief) = (world.player().await, world.player().await);
    let before = paid_by_hand(&world, &victim.phone()).await;
    thief.deposit(&victim.phone(), 1).await.expect(200);
    world.answer_prompt(&victim.phone(), paid()).await;
    let after = paid_by_hand(&world, &victim.phone()).await;
    for code in [&before, &after] {
        assert_eq!(type_in(&thief, code).await, 201);
    }
    world.advance(3 * 24 * 3600).await;
    let (victim, thief) = (world.again(&victim).await, world.again(&thief).await);
    for code in [&before, &after] {
        assert_eq!(type_in(&thief, code).await, 200, "asked about again");
    }
    world.advance(3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&thief.id], ledger.wallets[&victim.id]), (1, 0));
    let victim = world.again(&victim).await;
    for code in [&before, &after] {
        assert_eq!(type_in(&victim, code).await, 201, "nobody holds a code that is not credited");
    }
}

/// Where M-Pesa does not tell who paid, an admin decides, also about an own number.
#[rstest]
#[tokio::test]
async fn a_masked_payer_is_nobody(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with_own_number(100).await;
    world.faults(json!({"payer": "masked"})).await;
    let receipt = paid_by_hand(&world, &player.phone()).await;
    assert_eq!(type_in(&player, &receipt).await, 201);
    world.advance(3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
    let pending = world.pending_codes().await;
    assert_eq!(pending[0]["waitsBecause"], "M-Pesa does not tell the payer's number.");

    // Told in clear, the same code is credited: it was typed by who paid.
    world.faults(json!({"payer": "none"})).await;
    assert_eq!(type_in(&world.again(&player).await, &receipt).await, 200);
    world.advance(0).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 600);
}
