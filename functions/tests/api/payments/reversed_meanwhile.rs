//! M-Pesa calls a receipt reversed while a machine or an admin credits it: nobody is credited once that is noted, and what was
//! credited before is taken back.

use std::sync::atomic::{AtomicBool, Ordering};

use app::{
    App,
    payments::{
        results,
        set_asides::{self, CaseDecision, CaseError},
        typed_codes::review::{self, ReviewError},
    },
    platform::queues::MpesaTask,
};
use domain::{
    Kes,
    payments::{set_aside::SetAsideAct, typed_code_check::MpesaSays},
};
use rstest::rstest;
use serde_json::json;
use store::{
    accounts::players::Player,
    admin::{audit::Who, permits::Permit},
};

use crate::support::{
    Person, World,
    mpesa::{judged, paid_unheard},
    processes::{by_the_rules, held_up_at_every_step, in_every_fate},
    set_asides::{RECEIPT, WHY},
    text,
};

const PAID: i64 = 250;
const TAKEN_BACK: &str = "M-Pesa says that this payment was taken back.";

/// By what a payment is credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// A machine, of a code that the player has typed.
    Machine,
    /// An admin, of such a code.
    Admin,
    /// An admin, of a prompt that is set aside.
    Case,
    /// A machine, of the account that the payment names.
    Account,
}

/// What is left to do.
enum Credit {
    /// M-Pesa's answer that the payment is completed is heard.
    Hear(MpesaTask),
    /// The admin confirms this code.
    Confirm(String),
    /// The admin credits this case.
    Decide(String),
}

/// A payment that nobody is credited with so far.
struct Payment {
    receipt: String,
    credit: Credit,
    admin: Player,
    /// M-Pesa's answer that it has taken the payment back, which nobody has heard.
    reversed: MpesaTask,
    /// Whether somebody was credited when that was heard.
    was_credited: AtomicBool,
}

async fn credit(app: &App, payment: &Payment) {
    let permit = &Permit::plain(Who::admin(&payment.admin), app.clock().now());
    match &payment.credit {
        Credit::Hear(completed) => results::process(app, completed.clone()).await.unwrap(),
        Credit::Confirm(code) => {
            let done = by_the_rules(review::confirm(app, code, Kes::new(PAID), permit).await);
            let expected = matches!(done, Ok(_) | Err(ReviewError::Mpesa(MpesaSays::Reversed)));
            assert!(expected, "{done:?}");
        }
        Credit::Decide(id) => {
            let case = set_asides::find(app, id).await.expect("it is set aside");
            let (act, amount) = (SetAsideAct::Credit, Some(PAID));
            let decision = CaseDecision { act, reason: WHY, amount, receipt: "", seen: None, permit };
            let done = by_the_rules(set_asides::decide(app, &case, decision).await);
            let expected = matches!(done, Ok(()) | Err(CaseError::Mpesa(MpesaSays::Reversed)));
            assert!(expected, "{done:?}");
        }
    }
}

async fn hear_reversed(app: &App, payment: &Payment) {
    let credited = app.store().receipt(&payment.receipt).await.unwrap().is_some();
    payment.was_credited.store(credited, Ordering::Relaxed);
    results::process(app, payment.reversed.clone()).await.unwrap();
}

/// Who pays in a world, one player for each payment.
struct Payers<'a> {
    world: &'a World,
    by: By,
    admin: Player,
    /// For a machine: their numbers have been their own for a day.
    known: Vec<Person>,
    /// What these have in their wallets together.
    funded: i64,
}

impl<'a> Payers<'a> {
    async fn of(world: &'a World, by: By) -> Self {
        let mut known = Vec::new();
        if by == By::Machine {
            for _ in 0..18 {
                known.push(world.player_with(100).await);
            }
            world.advance(24 * 3600 + 60).await;
        }
        let admin = world.stored(&world.admin().await).await;
        let funded = 100 * i64::try_from(known.len()).unwrap();
        Self { world, by, admin, known, funded }
    }

    async fn next_player(&mut self) -> Person {
        match self.by {
            By::Machine => self.world.again(&self.known.pop().expect("one for each payment")).await,
            By::Admin | By::Case | By::Account => self.world.player().await,
        }
    }

    async fn next_payment(&mut self) -> Payment {
        let (player, world) = (self.next_player().await, self.world);
        let mut receipt = format!("UHK{:07}", player.n);
        // M-Pesa leaves questions about receipts open: its answers are heard later.
        let daraja = if self.by == By::Case { "none" } else { "pending" };
        world.faults(json!({"daraja": daraja})).await;
        let credit = match self.by {
            By::Machine => {
                player.typed_code(&receipt).await;
                Credit::Hear(completed(world, &player, &receipt).await)
            }
            By::Admin => Credit::Confirm(player.typed_code(&receipt).await),
            By::Case => {
                let id = player.prompt(PAID).await;
                receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
                world.report_paid(&player, &id, PAID + 1, &receipt).await;
                Credit::Decide(id)
            }
            By::Account => {
                confirm(world, &player, &receipt).await;
                Credit::Hear(completed(world, &player, &receipt).await)
            }
        };
        // Whoever asks M-Pesa from here on is not answered.
        world.faults(json!({"daraja": "down"})).await;
        let answer = world.status_of(&receipt, &PAID.to_string(), Some(&player), "Reversed");
        let reversed = world.answer_about(&receipt, world.app().clock().now(), &answer).await;
        let (admin, was_credited) = (self.admin.clone(), AtomicBool::new(false));
        Payment { receipt, credit, admin, reversed, was_credited }
    }
}

/// The paybill's confirmation of a payment with the player's account.
async fn confirm(world: &World, player: &Person, receipt: &str) {
    let account = player.paybill_account().await;
    let east_africa = jiff::tz::Offset::constant(3).to_datetime(world.app().clock().now());
    let confirmation = json!({"TransID": receipt, "TransAmount": format!("{PAID}.00"),
        "BusinessShortCode": "174379", "TransTime": east_africa.strftime("%Y%m%d%H%M%S").to_string(),
        "BillRefNumber": account, "MSISDN": format!("2547 ***** {}", &player.phone()[7..])});
    world.post_to_hook("/hooks/c2b/confirm", confirmation).await;
}

/// M-Pesa is asked about a receipt. Its answer, which nobody has heard: the payment is completed.
async fn completed(world: &World, player: &Person, receipt: &str) -> MpesaTask {
    world.advance(0).await;
    // What M-Pesa says a second later is its later word.
    world.advance(1).await;
    let questions = world.questions().await;
    let question = questions.iter().find(|asked| asked["receipt"] == json!(receipt));
    let id = text(question.expect("M-Pesa is asked about it"), "id");
    let body = world.status_of(receipt, &PAID.to_string(), Some(player), "Completed").to_string();
    MpesaTask::Answer { id, body }
}

/// The credit stands still before each of its steps in turn while M-Pesa's answer is heard.
#[rstest]
#[case::a_code_by_a_machine(By::Machine)]
#[case::a_code_by_an_admin(By::Admin)]
#[case::a_case(By::Case)]
#[case::a_payment_to_an_account(By::Account)]
#[tokio::test]
async fn what_is_called_reversed_before_its_credit_is_not_credited(#[case] by: By) {
    let world = World::start().await;
    let mut payers = Payers::of(&world, by).await;
    let subject = async || payers.next_payment().await;
    let payments = held_up_at_every_step(&world, subject, credit, hear_reversed).await;
    let (_, met) = payments.split_last().unwrap();
    for Payment { receipt, was_credited, .. } in met {
        let claim = world.app().store().receipt(receipt).await.unwrap();
        let credited = was_credited.load(Ordering::Relaxed);
        assert_eq!(claim.is_some(), credited, "{receipt}");
        assert!(claim.is_none_or(|claim| claim.reversal.is_some()), "{receipt}");
        if by == By::Account && !credited {
            assert_eq!(judged(&world, receipt).await.as_deref(), Some("unclaimed"));
        }
    }
    // The last one was credited, and nobody has heard M-Pesa's answer about it.
    assert_eq!(world.ledger().await.account("mpesa:in"), -(payers.funded + PAID));
}

/// The process that credits ends at any of its steps, M-Pesa's answer is heard, and another process does the same again.
#[rstest]
#[case::a_code_by_a_machine(By::Machine)]
#[case::a_code_by_an_admin(By::Admin)]
#[case::a_case(By::Case)]
#[case::a_payment_to_an_account(By::Account)]
#[tokio::test]
async fn what_is_called_reversed_after_its_credit_is_taken_back_wherever_that_ends(#[case] by: By) {
    let world = World::start().await;
    let mut payers = Payers::of(&world, by).await;
    let mut credited = 0;
    let steps = in_every_fate(&world, async |process, _| {
        let payment = payers.next_payment().await;
        process.run(credit(process.app(), &payment)).await;
        hear_reversed(world.app(), &payment).await;
        credit(world.app(), &payment).await;
        credited += usize::from(payment.was_credited.load(Ordering::Relaxed));
    })
    .await;
    assert!(steps >= 3 && credited > 0, "{credited} in {steps} steps");
    assert_eq!(world.ledger().await.account("mpesa:in"), -payers.funded);
}

/// M-Pesa has called the receipt of a code reversed, and is silent when an admin confirms the code. Once it has called the
/// payment completed again, that can be done.
#[tokio::test]
async fn a_code_whose_receipt_is_called_reversed_is_not_confirmed() {
    let (world, player) = World::with_player(0).await;
    let code = player.typed_code(RECEIPT).await;
    world.faults(json!({"daraja": "down"})).await;
    let hear = async |state: &str| {
        let answer = world.status_of(RECEIPT, &PAID.to_string(), Some(&player), state);
        world.hear_about(RECEIPT, world.app().clock().now(), &answer).await;
    };
    hear("Reversed").await;
    assert_eq!(world.confirm_code(&code, PAID).await.refused(409), TAKEN_BACK);
    assert_eq!(world.balance(&player).await, 0);
    hear("Completed").await;
    world.confirm_code(&code, PAID).await.expect(200);
    assert_eq!(world.balance(&player).await, PAID);
}
