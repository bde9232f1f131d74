//! What of an account is owed or not decided yet: it is not closed before that is over.

use app::ledger::reversals;
use serde_json::json;

use crate::support::{
    Person, World,
    money::done,
    mpesa::paid,
    njeri::{CLOSURE, right},
    set_asides::{RECEIPT, dismissal},
};

const UNDECIDED: &str = "A payment of yours is not decided yet. Wait until it has ended.";

/// The account stays open for this reason, and is closed after `end`.
async fn is_closed_only_after(world: &World, player: &Person, why: &str, end: impl Future<Output = ()>) {
    let refused = world.again(player).await.post(CLOSURE, right()).await.refused(409);
    assert_eq!(refused, why);
    end.await;
    world.again(player).await.post(CLOSURE, right()).await.expect(200);
}

#[tokio::test]
async fn what_its_player_owes_keeps_it_open_until_it_is_paid() {
    let world = World::start().await;
    let (player, receipt) = world.reversed_deposit(100).await;
    let withdrawal = player.withdrawal(&player.phone(), 100).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let owes = "You owe KSh 100: it was taken back after you had used it. Deposit it first; a deposit pays what you owe.";
    let paying = async {
        // M-Pesa refuses the same prompt again within two minutes.
        world.advance(180).await;
        player.prompt(100).await;
        world.answer_prompt(&player.phone(), paid()).await;
    };
    is_closed_only_after(&world, &player, owes, paying).await;
}

#[tokio::test]
async fn a_payment_of_another_amount_keeps_it_open_until_an_admin_has_decided_it() {
    let (world, player) = World::with_player(0).await;
    let (id, _) = world.paid_otherwise(&player, 600).await;
    let dismissing = async {
        world.decide_set_aside(&id, dismissal()).await.expect(200);
    };
    is_closed_only_after(&world, &player, UNDECIDED, dismissing).await;
}

/// Less than can be withdrawn is in the wallet, so that nothing else keeps it open.
#[tokio::test]
async fn a_payment_that_is_credited_on_the_callback_alone_keeps_it_open_until_an_admin_has_seen_it() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(50).await;
    world.answer_prompt(&player.phone(), paid()).await;
    world.advance(900).await;
    assert_eq!(world.balance(&player).await, 50);
    let dismissing = async {
        world.decide_set_aside(&id, dismissal()).await.expect(200);
    };
    is_closed_only_after(&world, &player, UNDECIDED, dismissing).await;
}

#[tokio::test]
async fn a_typed_code_keeps_it_open_until_an_admin_has_rejected_it() {
    let (world, player) = World::with_player(0).await;
    let id = player.typed_code(RECEIPT).await;
    let rejecting = async {
        let rejected = json!({"paymentId": id, "reason": "No such code."});
        world.admin().await.post("/api/manual-payment/reject", rejected).await.expect(200);
    };
    is_closed_only_after(&world, &player, UNDECIDED, rejecting).await;
}
