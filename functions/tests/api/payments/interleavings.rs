//! Two processes at one payment: one stands still before each of its steps, with all that it has read, while the other
//! does the whole of its work; then it goes on.

use app::{App, payments::prompts};
use domain::{
    Kes,
    payments::prompt::{PaymentState, PromptAnswer},
};
use rstest::rstest;
use serde_json::json;
use store::admin::audit::{AuditAction, AuditRecord, Who};

use crate::support::{
    World,
    mpesa::callback,
    processes::{Paid, held_up_at_every_step, process_another_amount, process_callback, process_question},
    set_asides::dismissal_of,
};

/// A prompt's callback in two workers' hands.
#[rstest]
#[case::a_deposit("/api/deposits", 500, 500)]
#[case::an_entry("/api/pay", 50, 0)]
#[tokio::test]
async fn a_payment_is_credited_once(#[case] path: &str, #[case] price: i64, #[case] left: i64) {
    let world = World::start().await;
    let pay = async || world.paid_prompt(path, price).await;
    let subjects = held_up_at_every_step(&world, pay, process_callback, process_callback).await;
    let ledger = world.ledger().await;
    for Paid { player, id, .. } in &subjects {
        assert_eq!(ledger.wallets[&player.id], left);
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert!(!stored.flagged && stored.receipt.is_some(), "{stored:?}");
    }
    assert_eq!(ledger.account("mpesa:in"), -price * i64::try_from(subjects.len()).unwrap());
}

/// M-Pesa's answer says paid, and a callback with another amount comes before that is credited.
#[tokio::test]
async fn what_is_set_aside_is_not_credited() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.paid_prompt("/api/deposits", 500).await,
        process_question,
        process_another_amount,
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!(ledger.wallets[&alone.player.id], 500);
    let mut credited = 0;
    for Paid { player, id, .. } in met {
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        // Who was held up after the credit was first, and what comes then is shown to an admin.
        let (state, flagged) = if ledger.wallets[&player.id] == 0 {
            assert_eq!(credited, 0, "held up later, and not credited: {stored:?}");
            (PaymentState::SetAside, false)
        } else {
            credited += 1;
            assert_eq!(ledger.wallets[&player.id], 500);
            (PaymentState::Success, true)
        };
        assert_eq!((stored.state, stored.flagged), (state, flagged), "{stored:?}");
    }
    assert!(credited < met.len(), "none was held up before the credit");
}

/// A question that has read the prompt before a callback with another amount comes credits it at each step of the callback.
#[tokio::test]
async fn another_amount_is_shown_whenever_the_prompt_is_credited_meanwhile() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let paid = world.paid_prompt("/api/deposits", 500).await;
            let read = world.app().store().payment(&paid.id).await.unwrap().unwrap();
            (paid, read)
        },
        async |app, (paid, _)| process_another_amount(app, paid).await,
        async |app, (_, read)| assert!(prompts::apply(app, read, &PromptAnswer::Paid).await.unwrap()),
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!(ledger.wallets[&alone.0.player.id], 0, "the callback was alone");
    let mut credited = 0;
    for (Paid { player, id, .. }, _) in met {
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert_eq!(stored.claim.as_ref().unwrap().amount, Some(Kes::new(501)));
        if ledger.wallets[&player.id] == 0 {
            assert_eq!(stored.state, PaymentState::SetAside, "{stored:?}");
        } else {
            let shown = (ledger.wallets[&player.id], stored.state, stored.flagged);
            assert_eq!(shown, (500, PaymentState::Success, true), "{stored:?}");
            assert_eq!(
                world.app().store().own_number(&stored.phone).await.unwrap(),
                None,
                "it proves no number"
            );
            credited += 1;
        }
    }
    assert!(credited > 0, "nothing was credited meanwhile");
}

/// A question has M-Pesa's answer, and the callback comes before the credit, when M-Pesa does not answer: its receipt is not lost.
#[tokio::test]
async fn a_receipt_that_is_told_before_the_credit_is_learned() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.paid_prompt("/api/deposits", 500).await,
        process_question,
        async |app, paid| {
            world.faults(json!({"daraja": "pending"})).await;
            process_callback(app, paid).await;
            world.faults(json!({"daraja": "none"})).await;
        },
    )
    .await;
    let ledger = world.ledger().await;
    let (_, met) = subjects.split_last().unwrap();
    for Paid { player, id, .. } in met {
        assert_eq!(ledger.wallets[&player.id], 500);
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert!(!stored.flagged && stored.receipt.is_some(), "{stored:?}");
    }
}

/// A late callback of success stands still before each of its steps while an admin, who has not seen it, dismisses the case.
#[tokio::test]
async fn a_success_that_meets_a_dismissal_is_a_case() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let player = world.player().await;
            let id = world.silent_deposit(&player, "never").await;
            let request = world.checkout_request(&player.phone()).await;
            let receipt = format!("NLJ7RT6{:03}", player.n);
            Paid { callback: callback(&request, &receipt, 500).to_string(), player, id }
        },
        process_callback,
        async |_, paid| _ = world.decide_set_aside(&paid.id, dismissal_of(&json!({}))).await,
    )
    .await;
    let mut dismissed_before = 0;
    for Paid { id, .. } in &subjects {
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert!(stored.state == PaymentState::SetAside && stored.claim.is_some(), "{stored:?}");
        let again = stored.reason.as_deref() == Some("M-Pesa reports a success after this was dismissed.");
        dismissed_before += usize::from(again);
    }
    assert!(dismissed_before > 0, "no dismissal was first");
    assert_eq!(world.set_asides().await.len(), subjects.len());
}

/// A receipt as a typed code that an admin confirms, and as the prompt's own, whose callback comes late.
#[rstest]
#[case::the_code_is_held_up(true)]
#[case::the_prompt_is_held_up(false)]
#[tokio::test]
async fn a_receipt_is_credited_once(#[case] code_waits: bool) {
    let world = World::start().await;
    let subject = async || {
        let person = world.player().await;
        let (id, receipt) = world.paid_and_reported_failed(&person, 500).await;
        let person = world.again(&person).await;
        let code = person.typed_code(&receipt).await;
        let request = world.checkout_request(&person.phone()).await;
        let callback = callback(&request, &receipt, 500).to_string();
        (Paid { player: person, id, callback }, code)
    };
    let confirm = async |app: &App, (_, code): &(Paid, String)| {
        let typed_code = app.store().typed_code(code).await.unwrap().unwrap();
        let now = app.clock().now();
        let act = AuditRecord::new(
            Who::Operator,
            AuditAction::ConfirmTypedCode,
            format!("manual payment {code}"),
            now,
        );
        let taxed = (Kes::new(500), &app.config().excise);
        app.store().confirm_typed_code(&typed_code, taxed, Some(&act), now).await.unwrap();
    };
    let credit = async |app: &App, (paid, _): &(Paid, String)| process_callback(app, paid).await;
    let subjects = if code_waits {
        held_up_at_every_step(&world, subject, confirm, credit).await
    } else {
        held_up_at_every_step(&world, subject, credit, confirm).await
    };
    world.advance(3600).await;
    let ledger = world.ledger().await;
    for (Paid { player, .. }, _) in &subjects {
        assert_eq!(ledger.wallets[&player.id], 500);
    }
    assert_eq!(ledger.account("mpesa:in"), -500 * i64::try_from(subjects.len()).unwrap());
}
