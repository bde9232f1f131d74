//! A prompt of 1,000 is paid, its callback is lost, and its receipt is typed again two days later.

use app::Safeguards::{self, Full, Light};
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{Person, World, assert_has, money::CREDITED_BEFORE, mpesa::paid_unheard, text};

const HOUR: i64 = 3600;

/// A prompt of 1,000 that the player pays. Answers its receipt.
async fn prompt(world: &World, player: &Person, callback: &str, confirm: &str) -> String {
    player.prompt(1000).await;
    let how = json!({"outcome": "success", "callback": callback, "confirm": confirm});
    text(&world.decide_prompt(&player.phone(), how).await, "receipt")
}

/// The player types a code, which is taken or known as credited.
async fn type_in(player: &Person, code: &str) {
    let answer = player.type_code(code).await;
    assert!([200, 201, 409].contains(&answer.status.as_u16()), "{}", answer.body);
}

/// Typed at once, and again after the 48 hours for which a prompt held it back: the answer of the first try is
/// not used again, and the receipt is the prompt's for good.
#[rstest]
#[tokio::test]
async fn it_is_credited_once(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let receipt = prompt(&world, &player, "never", "never").await;
    type_in(&player, &receipt).await;
    world.advance(49 * HOUR).await;
    let player = world.again(&player).await;
    type_in(&player, &receipt).await;
    world.advance(HOUR).await;
    assert_eq!(world.balance(&player).await, 1000);
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the prompt's");
    assert!(claim.cause.starts_with("deposit#"), "{}", claim.cause);
    world.advance(8 * 24 * HOUR).await;
    assert_eq!(world.again(&player).await.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
    assert_eq!(world.ledger().await.account("mpesa:in"), -1000);
}

/// The confirmation before the callback, after it, three hours late, never; the callback, and lost; the code
/// typed at once, after two minutes, four hours and 6.9 days: each shilling once, and a second payment of the
/// same amount is another one.
#[rstest]
#[tokio::test]
async fn in_every_order_each_shilling_is_credited_once(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let mut of = Vec::new();
    for confirm in ["before", "after", "late", "never"] {
        for callback in ["once", "never"] {
            for typed_at in 0..4 {
                let player = world.player().await;
                let receipt = prompt(&world, &player, callback, confirm).await;
                of.push((player, receipt, typed_at, format!("{confirm} {callback} {typed_at}")));
            }
        }
    }
    let mut now = 0;
    for (moment, at) in [0, 120, 4 * HOUR, 6 * 24 * HOUR + 21 * HOUR].into_iter().enumerate() {
        // The second payment by hand, by its payer's own number, the day after: before the last moment.
        if moment == 3 {
            world.advance(30 * HOUR - now).await;
            now = 30 * HOUR;
            for (player, ..) in &of {
                let body = json!({"phone": player.phone(), "amount": 1000, "confirm": player.n % 2 == 0});
                let receipt = world.sim(Method::POST, "/paybill", body).await["receipt"].clone();
                type_in(&world.again(player).await, receipt.as_str().unwrap()).await;
            }
        }
        world.advance(at - now).await;
        now = at;
        for (player, receipt, ..) in of.iter().filter(|(_, _, typed_at, _)| *typed_at == moment) {
            type_in(&world.again(player).await, receipt).await;
        }
        world.advance(0).await;
    }
    world.advance(4 * HOUR).await;
    let ledger = world.ledger().await;
    for (player, _, _, order) in &of {
        assert_eq!(ledger.wallets[&player.id], 2000, "{order}");
    }
    assert_eq!(ledger.account("mpesa:in"), -2000 * i64::try_from(of.len()).unwrap());
    assert!(world.pending_codes().await.is_empty(), "what is credited is nobody's to decide");
}

/// The prompt is sent by a machine whose clock is a minute ahead, so that by M-Pesa's time it is paid before it was sent. Its
/// receipt is typed at once: that may be another payment's, so beside the prompt no machine credits it.
#[rstest]
#[case::confirmed_at_once("before")]
#[case::confirmed_late("late")]
#[case::not_confirmed("never")]
#[tokio::test]
async fn by_a_clock_that_is_ahead_it_is_credited_once(#[case] confirm: &str) {
    let world = World::start().await;
    let player = world.player_with_own_number(100).await;
    world.prompt_by_a_clock_ahead(&player, &player.phone(), 1000).await;
    world.advance(20).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": confirm});
    let receipt = world.receipt_of(&player.phone(), how).await;
    type_in(&player, &receipt).await;
    world.advance(4 * HOUR).await;
    assert_eq!(world.balance(&player).await, 1100);
    let waiting = world.pending_codes().await;
    assert_has(&waiting[0]["prompts"][0], json!({"state": "SUCCESS", "holdsBack": true}));
    assert_eq!(world.ledger().await.account("mpesa:in"), -1100);
}

/// M-Pesa bore a code out while it waited, and has taken the payment back since: it is asked afresh.
#[rstest]
#[tokio::test]
async fn an_answer_of_before_credits_nothing(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with_own_number(100).await;
    player.prompt(1000).await;
    // Its confirmation is lost, so that it is M-Pesa's answer which says that the code fits the open prompt.
    let receipt = world.paybill(json!({"phone": player.phone(), "amount": 1000, "confirm": false})).await;
    type_in(&player, &receipt).await;
    world.advance(0).await;
    assert_eq!(world.pending_codes().await[0]["known"]["completed"], true, "it waits for the prompt only");
    world.reverse(&receipt).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    world.advance(2 * HOUR).await;
    assert_eq!(world.balance(&player).await, 100);
    assert_eq!(world.pending_codes().await[0]["waitsBecause"], "M-Pesa has taken this payment back.");
}

/// The prompt is credited on M-Pesa's answer, which tells no receipt, and then M-Pesa takes the payment back. When the player
/// types its code, M-Pesa says so: the money is taken back, and a callback that comes later does not bring it again.
#[rstest]
#[tokio::test]
async fn what_was_taken_back_before_its_receipt_was_known_is_not_kept(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let id = player.prompt(1000).await;
    let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
    world.advance(120).await;
    assert_eq!(world.balance(&player).await, 1000);
    world.reverse(&receipt).await;
    type_in(&player, &receipt).await;
    world.advance(0).await;
    assert_eq!(world.balance(&player).await, 0);
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the prompt's");
    assert_eq!(claim.cause, format!("deposit#{id}"));

    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(HOUR).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player), ledger.account("mpesa:in")), (0, 0, 0));
    assert!(world.pending_codes().await.is_empty(), "there is nothing left to decide");
    let told = world.mails_about(&player.email(), "M-Pesa has taken back your payment of KSh 1,000").await;
    assert_eq!(told.len(), 1);
}
