//! M-Pesa calls a receipt reversed before anybody was credited with it: what a prompt is credited with on it later is taken back.

use app::{
    App,
    ledger::reversals,
    payments::{paybill, prompts, results},
    platform::queues::{MpesaTask, ProcessPayment},
};
use jiff::{SignedDuration, tz};
use rstest::rstest;
use serde_json::{Value, json};
use store::payments::prompts::Payment;

use crate::support::{
    Person, World, assert_has,
    log_capture::Lines,
    mpesa::paid_unheard,
    processes::{Paid, dying_at_every_step, held_up_at_every_step, process_callback},
    set_asides::RECEIPT,
    text,
};

const TAKEN_BACK: &str = "M-Pesa has taken this payment back.";

/// A prompt that was paid, and reversed by M-Pesa, and whose receipt its player has typed. Nobody was credited so far.
struct Reversed {
    paid: Paid,
    receipt: String,
    /// The typed code's id.
    code: String,
}

impl Reversed {
    async fn make(world: &World) -> Self {
        let paid = world.paid_prompt("/api/deposits", 500).await;
        let callback: Value = serde_json::from_str(&paid.callback).unwrap();
        let receipt = text(&callback["Body"]["stkCallback"]["CallbackMetadata"]["Item"][1], "Value");
        world.reverse(&receipt).await;
        let code = paid.player.typed_code(&receipt).await;
        world.advance(0).await;
        Self { paid, receipt, code }
    }

    /// M-Pesa's answer to the question about the receipt.
    fn answer(&self, world: &World) -> String {
        world.status_of(&self.receipt, "500", Some(&self.paid.player), "Reversed").to_string()
    }
}

async fn reject(world: &World, code: &str) {
    let rejection = json!({"paymentId": code, "reason": "It was taken back."});
    world.admin().await.post("/api/manual-payment/reject", rejection).await.expect(200);
}

/// Whatever credits the prompt: its callback, or M-Pesa's answer, which tells no receipt; also where an admin has rejected
/// the code by then.
#[rstest]
#[case::by_its_callback(true, false)]
#[case::by_an_answer(false, false)]
#[case::its_code_is_rejected(true, true)]
#[tokio::test]
async fn what_its_prompt_is_credited_with_is_taken_back(#[case] called_back: bool, #[case] rejected: bool) {
    let world = World::start().await;
    let Reversed { paid: Paid { player, id, .. }, receipt, code } = Reversed::make(&world).await;
    let other = world.player().await;
    other.typed_code(&receipt).await;
    world.advance(0).await;
    let waiting = world.pending_codes().await;
    let is_told = |code: &Value| code["waitsBecause"] == TAKEN_BACK;
    assert!(waiting.len() == 2 && waiting.iter().all(is_told), "{waiting:?}");
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    if rejected {
        reject(&world, &code).await;
    }
    if called_back {
        world.call_back(&player, &id, 0, Some(&receipt)).await;
    }
    world.advance(if called_back { 0 } else { 120 }).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player), ledger.account("mpesa:in")), (0, 0, 0));

    world.advance(3600).await;
    let told = world.mails_about(&player.email(), "M-Pesa has taken back your payment of KSh 500").await;
    assert_eq!(told.len(), 1, "{told:?}");
    let ended = world.app().store().typed_code(&code).await.unwrap().unwrap();
    let why = if rejected { "It was taken back." } else { TAKEN_BACK };
    assert_eq!((ended.status.into_str(), ended.reason.as_deref()), ("rejected", Some(why)));
    let waiting = world.pending_codes().await;
    assert_eq!(waiting.len(), 1, "the other player's: {waiting:?}");
    let credited_to = &waiting[0]["creditedTo"];
    assert_has(credited_to, json!({"userId": player.id}));
    assert!(credited_to["takenBackAt"].is_string(), "{credited_to}");
    assert_eq!(world.balance(&player).await, 0);
}

/// M-Pesa has called the prompt failed, then its receipt reversed, and then the prompt paid.
#[tokio::test]
async fn what_a_failed_prompt_is_credited_with_is_taken_back() {
    let (world, player) = World::with_player(0).await;
    let (id, receipt) = world.paid_and_reported_failed(&player, 500).await;
    world.reverse(&receipt).await;
    let code = world.again(&player).await.typed_code(&receipt).await;
    world.advance(0).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player), ledger.account("mpesa:in")), (0, 0, 0));
    world.advance(3600).await;
    let ended = world.app().store().typed_code(&code).await.unwrap().unwrap();
    assert_eq!((ended.status.into_str(), ended.reason.as_deref()), ("rejected", Some(TAKEN_BACK)));
}

/// M-Pesa leaves out who has paid, so each of the two receipts may be either prompt's.
#[rstest]
#[case::their_codes_wait(false)]
#[case::their_codes_are_rejected(true)]
#[tokio::test]
async fn two_receipts_that_fit_two_prompts_are_both_taken_back(#[case] rejected: bool) {
    let world = World::start().await;
    let both = [Reversed::make(&world).await, Reversed::make(&world).await];
    for one in &both {
        let answer = world.status_of(&one.receipt, "500", None, "Reversed");
        world.hear_about(&one.receipt, world.app().clock().now(), &answer).await;
        if rejected {
            reject(&world, &one.code).await;
        }
    }
    for Reversed { paid, receipt, .. } in &both {
        world.call_back(&paid.player, &paid.id, 0, Some(receipt)).await;
    }
    world.advance(0).await;
    let ledger = world.ledger().await;
    for Reversed { paid, receipt, .. } in &both {
        assert_eq!(world.deposit_status(&paid.id).await["status"], "SUCCESS");
        assert_eq!(ledger.wallets[&paid.player.id], 0, "{receipt}");
    }
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (0, 0));
}

/// M-Pesa calls the payment completed again. It says so of now only where it was asked since.
#[rstest]
#[case::asked_since(0, 500)]
#[case::asked_before(-60, 0)]
#[tokio::test]
async fn a_later_word_that_it_is_completed_lifts_it(#[case] asked: i64, #[case] kept: i64) {
    let world = World::start().await;
    let Reversed { paid: Paid { player, id, .. }, receipt, .. } = Reversed::make(&world).await;
    let asked_at = world.app().clock().now() + SignedDuration::from_secs(asked);
    let answer = world.status_of(&receipt, "500", Some(&player), "Completed");
    world.hear_about(&receipt, asked_at, &answer).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(world.balance(&player).await, kept);
}

/// What M-Pesa says of a receipt is heard in any order: what it has said last counts.
#[tokio::test]
async fn an_earlier_word_takes_no_later_ones_place() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let after = |seconds| now + SignedDuration::from_secs(seconds);
    assert!(store.note_called_reversed(RECEIPT, after(60)).await.unwrap());
    assert!(!store.note_called_completed(RECEIPT, after(30)).await.unwrap());
    assert!(store.is_called_reversed(RECEIPT).await.unwrap());
    assert!(store.note_called_completed(RECEIPT, after(120)).await.unwrap());
    assert!(!store.note_called_reversed(RECEIPT, after(90)).await.unwrap());
    assert!(!store.is_called_reversed(RECEIPT).await.unwrap());
}

/// How often an alarm has rung that M-Pesa calls this receipt completed, which was taken back.
fn rung(log: &Lines, receipt: &str) -> usize {
    let message = "M-Pesa calls completed what was taken back";
    let is_rung = |line: &&Value| line["message"] == message && line["receipt"] == receipt;
    log.all().iter().filter(is_rung).count()
}

/// The night's reading has taken it back, and M-Pesa calls it completed. It says so of now only where it was asked since.
#[rstest]
#[case::asked_since(0, 1)]
#[case::asked_before(-60, 0)]
#[tokio::test]
async fn an_alarm_rings_where_what_was_taken_back_is_completed(#[case] asked: i64, #[case] times: usize) {
    let (world, player) = World::with_player(0).await;
    let receipt = world.fund(&player, 500).await;
    reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let asked_at = world.app().clock().now() + SignedDuration::from_secs(asked);
    let answer = world.status_of(&receipt, "500", Some(&player), "Completed");
    let (log, here) = Lines::capture();
    world.hear_about(&receipt, asked_at, &answer).await;
    drop(here);
    assert_eq!(rung(&log, &receipt), times);
}

#[tokio::test]
async fn it_rings_wherever_the_process_ends_that_hears_of_it() {
    let world = World::start().await;
    let (log, here) = Lines::capture();
    let taken_back = async || {
        let (player, receipt) = world.reversed_deposit(100).await;
        let answer = |state: &str| world.status_of(&receipt, "100", Some(&player), state);
        let now = || world.app().clock().now();
        world.hear_about(&receipt, now(), &answer("Reversed")).await;
        let completed = world.answer_about(&receipt, now(), &answer("Completed")).await;
        (receipt, completed)
    };
    let hear = async |app: &App, (_, completed): &(String, MpesaTask)| {
        results::process(app, completed.clone()).await.unwrap();
    };
    let (all, steps) = dying_at_every_step(&world, taken_back, hear).await;
    drop(here);
    assert!(steps >= 2, "M-Pesa's word is noted, and the answer kept: {steps}");
    for (receipt, _) in &all {
        assert!(rung(&log, receipt) > 0, "{receipt}");
    }
}

/// The entry is made all the same, as it stays where its payment is taken back later. What waits to be paid out covers it.
#[tokio::test]
async fn an_entry_that_it_has_paid_for_stays_and_what_waits_covers_it() {
    let world = World::start().await;
    let (player, withdrawal) = world.withdrawing().await;
    world.advance(180).await;
    let id = player.pay(100, 1).await.text(200, "checkoutId");
    let receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
    world.reverse(&receipt).await;
    player.typed_code(&receipt).await;
    world.advance(0).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    assert_eq!(world.stored_withdrawal(&withdrawal).await.status.into_str(), "rejected");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player)), (400, 0));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("pot:2026-01")), (-500, 100));
}

#[tokio::test]
async fn it_is_taken_back_once_wherever_its_settling_ends() {
    let world = World::start().await;
    let reversed = async || Reversed::make(&world).await;
    let settle = async |app: &App, one: &Reversed| process_callback(app, &one.paid).await;
    let (all, steps) = dying_at_every_step(&world, reversed, settle).await;
    assert!(steps >= 4, "the claim, the credit, the taking back and its mail: {steps}");
    let ledger = world.ledger().await;
    for Reversed { paid, receipt, .. } in &all {
        assert_eq!((ledger.wallets[&paid.player.id], ledger.debt(&paid.player)), (0, 0), "{receipt}");
    }
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (0, 0));
    world.advance(120).await;
    for Reversed { paid, .. } in &all {
        let subject = "M-Pesa has taken back your payment of KSh 500";
        assert_eq!(world.mails_about(&paid.player.email(), subject).await.len(), 1);
    }
}

/// A prompt that was paid is credited on M-Pesa's answer, which tells no receipt.
async fn credited_without_a_receipt(world: &World, id: &str) -> Payment {
    prompts::process(world.app(), &ProcessPayment::question(id, 0)).await.unwrap();
    let payment = world.app().store().payment(id).await.unwrap().unwrap();
    assert_eq!((payment.state.into_str(), &payment.receipt), ("SUCCESS", &None));
    payment
}

/// The prompt is credited on M-Pesa's answer, which tells no receipt, and the paybill's confirmation tells it later. M-Pesa had
/// called that receipt reversed before, and had not said who paid, so nobody knew whose it was.
#[tokio::test]
async fn it_is_taken_back_once_wherever_the_claim_of_a_late_receipt_ends() {
    let world = World::start().await;
    let credited = async || {
        let player = world.player().await;
        let id = player.prompt(500).await;
        let receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
        let answer = world.status_of(&receipt, "500", None, "Reversed");
        world.hear_about(&receipt, world.app().clock().now(), &answer).await;
        let payment = credited_without_a_receipt(&world, &id).await;
        let east_africa = tz::Offset::constant(3).to_datetime(world.app().clock().now());
        let confirmation = json!({"TransID": receipt, "TransAmount": "500.00", "BusinessShortCode": "174379",
            "TransTime": east_africa.strftime("%Y%m%d%H%M%S").to_string(),
            "BillRefNumber": payment.account, "MSISDN": format!("2547 ***** {}", &player.phone()[7..])});
        (player, receipt, confirmation.to_string())
    };
    let take = async |app: &App, (_, _, confirmation): &(Person, String, String)| {
        paybill::take_confirmation(app, confirmation, app.clock().now()).await.unwrap();
    };
    let (all, steps) = dying_at_every_step(&world, credited, take).await;
    assert!(steps >= 5, "kept, sent, claimed, taken back with its mail, judged: {steps}");
    world.advance(600).await;
    let ledger = world.ledger().await;
    for (player, receipt, _) in &all {
        assert_eq!((ledger.wallets[&player.id], ledger.debt(player)), (0, 0), "{receipt}");
        let told = world.mails_about(&player.email(), "M-Pesa has taken back your payment of KSh 500").await;
        assert_eq!(told.len(), 1, "{told:?}");
    }
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (0, 0));
}

/// M-Pesa says that it has taken a payment back, and whoever asked does not wait for that any more. It is taken from the prompt
/// that it fits, which was credited without a receipt.
#[tokio::test]
async fn what_nobody_waits_to_hear_is_taken_back() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
    credited_without_a_receipt(&world, &id).await;
    world.advance(10).await; // an index that lags has the prompt by now
    let answer = world.status_of(&receipt, "500", Some(&player), "Reversed");
    world.hear_about(&receipt, world.app().clock().now(), &answer).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player)), (0, 0));
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the prompt's");
    assert_eq!(claim.cause, format!("deposit#{id}"));
}

/// M-Pesa's answer about the code and what credits the prompt, its callback or M-Pesa's word alone, in two workers' hands.
#[rstest]
#[case::the_answer_is_held_up(true, true)]
#[case::the_credit_is_held_up(false, true)]
#[case::the_credit_without_a_receipt_is_held_up(false, false)]
#[tokio::test]
async fn an_answer_meets_the_credit(#[case] answer_waits: bool, #[case] called_back: bool) {
    let world = World::start().await;
    let subject = async || {
        // M-Pesa leaves the question open: its answer is heard below.
        world.faults(json!({"daraja": "pending"})).await;
        let one = Reversed::make(&world).await;
        world.faults(json!({"daraja": "none"})).await;
        let questions = world.questions().await;
        let question = questions.iter().find(|asked| asked["receipt"] == json!(one.receipt));
        let id = text(question.expect("M-Pesa is asked about it"), "id");
        let task = MpesaTask::Answer { id, body: one.answer(&world) };
        (one, task)
    };
    let answer = async |app: &App, (_, task): &(Reversed, MpesaTask)| {
        results::process(app, task.clone()).await.unwrap();
    };
    let credit = async |app: &App, (one, _): &(Reversed, MpesaTask)| {
        if called_back {
            process_callback(app, &one.paid).await;
        } else {
            prompts::process(app, &ProcessPayment::question(&one.paid.id, 0)).await.unwrap();
        }
    };
    let subjects = if answer_waits {
        held_up_at_every_step(&world, subject, answer, credit).await
    } else {
        held_up_at_every_step(&world, subject, credit, answer).await
    };
    if !called_back {
        // Its receipt is found by a later check of the code.
        world.advance(3600).await;
    }
    let ledger = world.ledger().await;
    let ((alone, _), met) = subjects.split_last().unwrap();
    for (one, _) in met {
        assert_eq!(ledger.wallets[&one.paid.player.id], 0, "{}", one.receipt);
    }
    // Of the last one only the one was done.
    assert_eq!(ledger.wallets[&alone.paid.player.id], if answer_waits || !called_back { 0 } else { 500 });
}
