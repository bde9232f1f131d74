//! One receipt that comes by several ways at once.

use std::sync::Arc;

use app::App;
use domain::{
    Kes, MpesaPhone,
    payments::{
        prompt::PaymentState,
        receipt_match::ReceiptFacts,
        typed_code::{ReceiptCode, TypedCodeStatus},
    },
    platform::limits::Limit,
};
use shuttle::future::spawn;
use store::{
    accounts::players::Player,
    payments::{
        numbers::Claimed,
        paybill::{CreditedToAccount, PaybillPayment},
        prompts::{Credit, Credited, Payment},
        typed_codes::{Confirmed, Submitted, TypedCode},
    },
    platform::limits::Counter,
    random_id,
};

use crate::stage::{Scene, balance, player};

const RECEIPT: &str = "TKN1234567";

fn code() -> ReceiptCode {
    ReceiptCode::parse(RECEIPT).unwrap()
}

pub fn typed_code(app: &App, player: &Player, code: &ReceiptCode) -> TypedCode {
    TypedCode {
        id: random_id(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        code: code.clone(),
        status: TypedCodeStatus::Pending,
        created_at: app.clock().now(),
        ended_at: None,
        ended_by: None,
        amount: None,
        reason: None,
        known: None,
        next_check: None,
        checks_over: false,
    }
}

pub async fn submit(app: &App, typed: &TypedCode) {
    let counter = Counter::new(Limit::TypedCodes, &[typed.user_id.as_str()]);
    app.store().submit_typed_code(typed, &counter, None).await.unwrap();
}

async fn confirm(app: App, typed: Arc<TypedCode>) -> bool {
    let taxed = (Kes::new(100), &app.config().excise);
    let confirmed = app.store().confirm_typed_code(&typed, taxed, None, app.clock().now()).await;
    confirmed.unwrap() == Confirmed::Done
}

pub fn prompt(app: &App, player: &Player) -> Payment {
    serde_json::from_value(serde_json::json!({
        "id": random_id(),
        "userId": player.id,
        "phone": MpesaPhone::for_withdrawal("0712345678").unwrap(),
        "amount": 100,
        "state": PaymentState::Pending,
        "createdAt": app.clock().now(),
    }))
    .unwrap()
}

#[test]
fn two_credits_of_a_prompt_and_its_typed_receipt() {
    let scene = Scene::of(async |run| {
        let player = player(run.app(), 1, 0).await;
        let payment = prompt(run.app(), &player);
        run.app().store().create_payment(&payment, None, None, None).await.unwrap();
        let typed = Arc::new(typed_code(run.app(), &player, &code()));
        submit(run.app(), &typed).await;
        (player, payment, typed)
    });
    scene.play(|app, known| async move {
        let credit = || {
            let (app, payment) = (app.clone(), known.1.clone());
            async move {
                let credit =
                    Credit { receipt: Some(RECEIPT), flagged: false, reason: None, at: app.clock().now() };
                app.store().credit_payment(&payment, None, credit).await.unwrap() == Credited::Done
            }
        };
        let (first, second) = (spawn(credit()), spawn(credit()));
        let typed = spawn(confirm(app.clone(), known.2.clone()));
        let booked = [first.await.unwrap(), second.await.unwrap(), typed.await.unwrap()];
        assert_eq!(booked.iter().filter(|booked| **booked).count(), 1, "prompt, prompt, code: {booked:?}");
        assert_eq!(balance(&app, &known.0.id).await, 100);
    });
}

#[test]
fn two_confirms_and_the_paybill() {
    let scene = Scene::of(async |run| {
        let (app, player) = (run.app(), player(run.app(), 1, 0).await);
        let payment: PaybillPayment = serde_json::from_value(serde_json::json!({
            "code": RECEIPT,
            "amount": 100,
            "shortcode": "174379",
            "accountReference": "1234567",
            "paidAt": app.clock().now(),
            "at": app.clock().now(),
        }))
        .unwrap();
        assert!(app.store().keep_paybill_payment(&payment).await.unwrap());
        let typed = Arc::new(typed_code(app, &player, &code()));
        submit(app, &typed).await;
        (player, typed)
    });
    scene.play(|app, known| async move {
        let first = spawn(confirm(app.clone(), known.1.clone()));
        let second = spawn(confirm(app.clone(), known.1.clone()));
        let paybill = spawn({
            let (app, player) = (app.clone(), known.0.id.clone());
            async move {
                let now = app.clock().now();
                let (code, told) = (
                    code(),
                    ReceiptFacts { amount: Some(Kes::new(100)), at: Some(now), ..ReceiptFacts::default() },
                );
                let told = (&told, &app.config().excise);
                let credited = app.store().credit_paybill_payment(&player, &code, Kes::new(100), told, now);
                matches!(credited.await.unwrap(), CreditedToAccount::Done(_))
            }
        });
        let booked = [first.await.unwrap(), second.await.unwrap(), paybill.await.unwrap()];
        assert_eq!(booked.iter().filter(|booked| **booked).count(), 1, "code, code, paybill: {booked:?}");
        assert_eq!(balance(&app, &known.0.id).await, 100);
    });
}

/// Two players have paid from one phone, and both prompts are credited at once: it is the number of one of them.
#[test]
fn two_claims_of_a_number() {
    let scene = Scene::of(async |run| {
        let (one, other) = (player(run.app(), 1, 0).await, player(run.app(), 2, 0).await);
        [prompt(run.app(), &one), prompt(run.app(), &other)]
    });
    scene.play(|app, prompts| async move {
        let claim = |n: usize| {
            let (app, prompts) = (app.clone(), prompts.clone());
            async move { app.store().claim_number(&prompts[n], None, app.clock().now()).await.unwrap() }
        };
        let (first, second) = (spawn(claim(0)), spawn(claim(1)));
        let claimed = [first.await.unwrap(), second.await.unwrap()];
        let winner = claimed.iter().position(|claimed| *claimed == Claimed::Now).expect("one of them");
        assert_eq!(claimed[1 - winner], Claimed::No);
        let own = app.store().own_number(&prompts[0].phone).await.unwrap().unwrap();
        assert_eq!(own.user_id, prompts[winner].user_id);
    });
}

/// A player sends the same code in twice at once: one request waits.
#[test]
fn two_requests_with_a_code() {
    let scene = Scene::of(async |run| player(run.app(), 1, 0).await);
    scene.play(|app, player| async move {
        let send = || {
            let (app, player) = (app.clone(), player.clone());
            async move {
                let typed = typed_code(&app, &player, &code());
                let counter = Counter::new(Limit::TypedCodes, &[typed.user_id.as_str()]);
                let submitted = app.store().submit_typed_code(&typed, &counter, None).await.unwrap();
                matches!(submitted, Submitted::New)
            }
        };
        let (first, second) = (spawn(send()), spawn(send()));
        let new = [first.await.unwrap(), second.await.unwrap()];
        assert_eq!(new.iter().filter(|new| **new).count(), 1, "{new:?}");
        assert_eq!(app.store().typed_codes_of(&player.id).await.unwrap().len(), 1);
    });
}
