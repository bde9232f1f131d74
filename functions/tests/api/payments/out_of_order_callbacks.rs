//! What M-Pesa says of a prompt late, in the wrong order, or of another amount (faults 2, 4 and 6).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Person, World, assert_has,
    mpesa::{callback, paid_calling_back},
    text,
};

/// A deposit of 500 that is paid; M-Pesa keeps it to itself. Answers its id and its receipt.
async fn paid_in_silence(world: &World, player: &Person) -> (String, String) {
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.deposit(&player.phone(), 500).await.text(200, "checkoutId");
    let receipt = text(&world.decide_prompt(&player.phone(), paid_calling_back("never")).await, "receipt");
    (id, receipt)
}

/// Nobody looks at the page any more, and M-Pesa answers no question: the payment stays open.
#[rstest]
#[case::an_hour(3600)]
#[case::nearly_a_day(24 * 3600 - 600)]
#[tokio::test]
async fn a_callback_counts_however_late_it_is(#[case] after: i64) {
    let (world, player) = World::with_player(0).await;
    let (id, receipt) = paid_in_silence(&world, &player).await;
    world.advance(after).await;
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    world.faults(json!({"daraja": "none"})).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (500, -500));
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Report {
    CallbackFailed,
    CallbackPaid,
    /// Longer than a callback needs to stand alone.
    Silence,
    /// M-Pesa says from now on, when asked, that it was paid.
    Answers,
}

impl Report {
    async fn comes(self, world: &World, player: &Person, id: &str, receipt: &str) {
        match self {
            Self::CallbackFailed => world.call_back(player, id, 1032, None).await,
            Self::CallbackPaid => world.call_back(player, id, 0, Some(receipt)).await,
            Self::Silence => world.advance(600).await,
            Self::Answers => {
                world.faults(json!({"daraja": "none"})).await;
                world.advance(900).await;
            }
        }
        world.advance(0).await;
    }
}

fn orders(of: &[Report]) -> Vec<Vec<Report>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let begun_by = |first: &Report| {
        let rest: Vec<Report> = of.iter().copied().filter(|report| report != first).collect();
        orders(&rest).into_iter().map(|rest| [vec![*first], rest].concat()).collect::<Vec<_>>()
    };
    of.iter().flat_map(begun_by).collect()
}

/// The process that noted a success of a failed prompt died before it could ask M-Pesa.
#[tokio::test]
async fn a_success_that_was_only_noted_is_asked_about() {
    let (world, player) = World::with_player(0).await;
    let (id, _) = paid_in_silence(&world, &player).await;
    world.call_back(&player, &id, 1032, None).await;
    world.advance(600).await;
    assert_eq!(world.deposit_status(&id).await["status"], "FAILED");
    world.hear_paid(&player, &id, 500).await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (500, -500));
}

/// Noted, and M-Pesa says that nothing was paid: it is not asked about for ever.
#[tokio::test]
async fn a_success_that_never_was_ends() {
    let (world, player) = World::with_player(0).await;
    let id = player.deposit(&player.phone(), 500).await.text(200, "checkoutId");
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    world.advance(600).await;
    world.hear_paid(&player, &id, 500).await;
    world.advance(3 * 3600).await;
    assert_eq!(world.deposit_status(&id).await["status"], "FAILED");
    let open = world.app().store().open_payments(None, 10).await.unwrap();
    assert!(open.items.is_empty(), "{:?}", open.items);
    assert_eq!(world.ledger().await.account("mpesa:in"), 0);
}

/// A failure is provisional and a success is not: in all twenty-four orders it is credited once.
#[tokio::test]
async fn failed_and_paid_in_any_order_credit_once() {
    let world = World::start().await;
    let orders = orders(&[Report::CallbackFailed, Report::CallbackPaid, Report::Silence, Report::Answers]);
    assert_eq!(orders.len(), 24);
    for order in &orders {
        let player = world.player().await;
        let (id, receipt) = paid_in_silence(&world, &player).await;
        let mut credited = false;
        for report in order {
            report.comes(&world, &player, &id, &receipt).await;
            let now = world.deposit_status(&id).await["status"].clone();
            assert!(!credited || now == "SUCCESS", "{order:?}: taken back after {report:?}");
            credited = now == "SUCCESS";
        }
        assert!(credited, "{order:?}");
        assert_eq!(world.ledger().await.wallets[&player.id], 500, "{order:?}");
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -500 * 24);
}

/// The callback's amount is none, or not the one that was asked for: M-Pesa's word that the prompt was paid
/// does not make up for it.
#[rstest]
#[case::one_more(json!(501))]
#[case::part_of_a_shilling(json!(500.5))]
#[case::part_of_a_shilling_as_text(json!("500.50"))]
#[case::words(json!("five hundred"))]
#[case::below_zero_as_text(json!("-500"))]
#[case::nothing(Value::Null)]
#[tokio::test]
async fn an_amount_that_was_not_asked_for_is_for_an_admin(#[case] amount: Value) {
    let (world, player) = World::with_player(0).await;
    let (id, receipt) = paid_in_silence(&world, &player).await;
    let mut body = callback(&world.checkout_request(&player.phone()).await, &receipt, 500);
    body["Body"]["stkCallback"]["CallbackMetadata"]["Item"][0]["Value"] = amount;
    world.faults(json!({"daraja": "none"})).await;
    world.nobody().post(&world.hook(&id).await, body).await.expect(200);
    world.advance(7200).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    assert_has(&world.set_asides().await[0], json!({"_id": id, "state": "SET_ASIDE"}));
}
