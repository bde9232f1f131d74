//! What M-Pesa says of a prompt late, in the wrong order, or of another amount (faults 2, 4 and 6).

use rstest::rstest;
use serde_json::{Value, json};

use crate::{
    payments::{deposits::callback, receipts::call_back},
    support::{Person, World},
};

/// A deposit of 500 that is paid; M-Pesa keeps it to itself. Answers its id and its receipt.
async fn paid_in_silence(world: &World, player: &Person) -> (String, String) {
    world.faults(json!({"daraja": "pending"})).await;
    let body = json!({"phone": player.phone(), "amount": 500});
    let id = player.post("/api/deposits", body).await.expect(200)["checkoutId"].as_str().unwrap().to_owned();
    let how = json!({"outcome": "success", "callback": "never"});
    let receipt = world.decide_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    (id, receipt)
}

async fn status(world: &World, id: &str) -> Value {
    let path = format!("/api/deposits/status?checkoutId={id}");
    world.nobody().get(&path).await.expect(200)["status"].clone()
}

/// Nobody looks at the page any more, and M-Pesa answers no question: the payment stays open.
#[rstest]
#[case::an_hour(3600)]
#[case::nearly_a_day(24 * 3600 - 600)]
#[tokio::test]
async fn a_callback_counts_however_late_it_is(#[case] after: i64) {
    let world = World::start().await;
    let player = world.player().await;
    let (id, receipt) = paid_in_silence(&world, &player).await;
    world.advance(after).await;
    assert_eq!(status(&world, &id).await, "PENDING");
    world.faults(json!({"daraja": "none"})).await;
    call_back(&world, &player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(status(&world, &id).await, "SUCCESS");
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
            Self::CallbackFailed => call_back(world, player, id, 1032, None).await,
            Self::CallbackPaid => call_back(world, player, id, 0, Some(receipt)).await,
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
            let now = status(&world, &id).await;
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
    let world = World::start().await;
    let player = world.player().await;
    let (id, receipt) = paid_in_silence(&world, &player).await;
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let mut body = callback(prompts[0]["checkoutRequestId"].as_str().unwrap(), &receipt, 500);
    body["Body"]["stkCallback"]["CallbackMetadata"]["Item"][0]["Value"] = amount;
    world.faults(json!({"daraja": "none"})).await;
    world.nobody().post(&world.hook(&id).await, body).await.expect(200);
    world.advance(7200).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    let cases = world.admin().await.get("/api/admin/set-asides").await.expect(200);
    assert_eq!((&cases[0]["_id"], &cases[0]["state"]), (&json!(id), &json!("SET_ASIDE")));
}
