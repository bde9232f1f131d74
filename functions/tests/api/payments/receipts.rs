//! One M-Pesa receipt is credited once, whether it came by prompt or by typed code, in both orders and
//! at once (docs/decisions.md, "Typed codes and prompts meet at the player's wallet").

use app::payments::receipts::match_prompts;
use domain::payments::{
    prompt::PaymentState,
    receipt_match::{Payer, ReceiptFacts},
};
use rstest::rstest;
use serde_json::{Value, json};
use store::payments::prompts::{LateReceipt, Payment};

use crate::support::{
    Person, World, assert_has, at_once,
    log_capture::Lines,
    money::CREDITED_BEFORE,
    mpesa::{paid, paid_calling_back, paid_unheard},
    set_asides::RECEIPT,
    statuses, text,
};

#[tokio::test]
async fn a_code_whose_prompt_is_credited_is_refused_at_once() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    player.prompt(500).await;
    let receipt = world.answer_prompt(&player.phone(), paid()).await["receipt"].clone();
    for person in [&player, &other] {
        assert_eq!(person.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// The prompt is open, then credited on M-Pesa's answer, which tells no receipt: the code that fits it is its
/// receipt, and at no time credits as well.
#[tokio::test]
async fn a_code_waits_for_a_prompt_of_its_amount() {
    let (world, player) = World::with_player(0).await;
    player.prompt(500).await;
    let receipt = world.receipt_of(&player.phone(), paid_calling_back("late")).await;
    let typed = player.typed_code(&receipt).await;
    let held = "There is an M-Pesa prompt of this amount that is still open, or credited without a \
                receipt so far: the code may be that prompt's. Confirm it once the prompt's receipt is known.";
    assert_eq!(world.confirm_code(&typed, 500).await.refused(409), held);
    let list = world.pending_codes().await;
    let prompt = &list[0]["prompts"][0];
    assert_has(prompt, json!({"state": "PENDING", "holdsBack": true}));

    world.advance(120).await;
    assert_eq!(world.balance(&player).await, 500);
    assert_eq!(world.confirm_code(&typed, 500).await.refused(409), CREDITED_BEFORE);
    assert!(world.pending_codes().await.is_empty(), "there is nothing left to decide");
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
    let movements = world.player_again(1).await.movements().await;
    assert_eq!(movements[0]["receipt"], json!(receipt), "learned from the late callback");
}

/// Where M-Pesa tells neither payer nor time of a code, a prompt whose receipt nobody told holds it back for
/// eight days; then it is the admin's to judge.
#[tokio::test]
async fn a_prompt_holds_a_code_back_for_eight_days() {
    let (world, player) = World::with_player(0).await;
    player.prompt(500).await;
    world.answer_prompt(&player.phone(), paid_unheard()).await;
    world.advance((8 * 24 - 1) * 3600).await;
    assert_eq!(world.balance(&player).await, 500);
    let player = world.player_again(1).await;
    world.faults(json!({"daraja": "down"})).await;
    let typed = player.typed_code("UHM0000001").await;
    world.confirm_code(&typed, 500).await.refused(409);
    world.advance(2 * 3600).await;
    world.confirm_code(&typed, 500).await.expect(200);
    assert_eq!(world.balance(&player).await, 1000);
}

#[tokio::test]
async fn a_prompt_of_another_amount_or_player_holds_nothing_back() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    player.prompt(400).await;
    other.prompt(500).await;
    world.confirm_code(&player.typed_code("UHK0000001").await, 500).await.expect(200);
    assert_eq!(world.balance(&player).await, 500);
}

/// The code is credited first, then the prompt's own callback says that it was paid.
#[rstest]
#[case::with_the_receipt(true, "SUCCESS")]
#[case::without_one(false, "PENDING")]
#[tokio::test]
async fn a_prompt_whose_code_is_credited_credits_nothing(#[case] told: bool, #[case] shown: &str) {
    let (world, player) = World::with_player(0).await;
    let (id, receipt) = world.paid_and_reported_failed(&player, 500).await;
    let player = world.player_again(1).await;
    let player = Person { n: 1, ..player };
    world.confirm_code(&player.typed_code(&receipt).await, 500).await.expect(200);

    world.call_back(&player, &id, 0, told.then_some(receipt.as_str())).await;
    world.advance(0).await;
    let status = world.deposit_status(&id).await;
    assert_has(&status, json!({"status": shown, "entered": false}));
    assert_eq!(world.balance(&player).await, 500);
    world.advance(2 * 24 * 3600).await;
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// The same for an entry: paid, credited by its code, so no entry is made by the prompt.
#[tokio::test]
async fn an_entrys_prompt_whose_code_is_credited_makes_no_entry() {
    let (world, player) = World::with_player(0).await;
    let answer = player.pay(100, 1).await.expect(200);
    let id = answer["checkoutId"].as_str().unwrap().to_owned();
    let how = paid_calling_back("late");
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = world.receipt_of(&player.phone(), how).await;
    // The admin mistypes the amount, so the open prompt does not hold it back.
    world.confirm_code(&player.typed_code(&receipt).await, 1000).await.expect(200);
    world.faults(json!({"daraja": "none"})).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": false}));
    assert_eq!(status["message"], "This payment was credited to your wallet by its M-Pesa code.");
    assert_eq!(world.balance(&player).await, 1000);
    player.join(100, 1).await.expect(201);
}

/// Another player's typed code took the receipt: the prompt waits for an admin.
#[tokio::test]
async fn a_prompt_whose_receipt_is_another_players_is_set_aside() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = player.prompt(500).await;
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
    world.confirm_code(&other.typed_code(&receipt).await, 500).await.expect(200);
    world.faults(json!({"daraja": "none"})).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    assert_eq!((world.balance(&player).await, world.balance(&other).await), (0, 500));
    let own = player.typed_code("UHK0000001").await;
    let list = world.pending_codes().await;
    let item = list.iter().find(|item| item["_id"] == json!(own)).unwrap();
    assert_eq!(item["prompts"][0]["state"], "SET_ASIDE");
    assert_eq!(item["prompts"][0]["holdsBack"], false);
}

/// A prompt of KSh 500 that is credited on M-Pesa's answer, and whose receipt another player's typed code has taken.
struct Taken {
    world: World,
    player: Person,
    other: Person,
    id: String,
    receipt: String,
}

impl Taken {
    async fn make() -> Self {
        let world = World::start().await;
        let (player, other) = (world.player().await, world.player().await);
        let id = player.prompt(500).await;
        let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
        world.advance(120).await;
        // M-Pesa does not say whose it is; otherwise it would be the prompt's.
        world.faults(json!({"daraja": "down"})).await;
        world.confirm_code(&other.typed_code(&receipt).await, 500).await.expect(200);
        Self { world, player, other, id, receipt }
    }
}

/// A prompt is credited on M-Pesa's answer, another player's typed code takes its receipt, and then the
/// callback comes: nothing more is credited, nothing is taken back, and the prompt stays without receipt.
#[tokio::test]
async fn a_late_receipt_that_is_taken_changes_nothing() {
    let Taken { world, player, other, id, receipt } = Taken::make().await;
    for _ in 0..2 {
        world.call_back(&player, &id, 0, Some(&receipt)).await;
        world.advance(0).await;
    }
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!((world.balance(&player).await, world.balance(&other).await), (500, 500));
    assert_eq!(player.movements().await[0]["receipt"], json!(null));
}

/// The same, where M-Pesa tells afterwards who paid: the alarm says who has the receipt.
#[tokio::test]
async fn the_alarm_about_a_receipt_says_to_whom_it_was_credited() {
    let Taken { world, other, id, receipt, .. } = Taken::make().await;
    let prompt = world.app().store().payment(&id).await.unwrap().unwrap();
    let facts = ReceiptFacts {
        amount: Some(prompt.amount),
        account: None,
        payer: Payer::Whole(prompt.phone),
        at: Some(prompt.created_at),
    };
    let (log, here) = Lines::capture();
    match_prompts(world.app(), &receipt, &facts).await.unwrap();
    drop(here);
    let rung: Vec<Value> = log.all().into_iter().filter(|line| line["alarm"] == "receipt").collect();
    assert_eq!(rung.len(), 1, "{rung:?}");
    assert_has(&rung[0], json!({"holder": format!("manual#{receipt}"), "credited_to": other.id}));
}

/// Two workers learn the receipt of one prompt, and not the same: the second one is free for whose it is. One that is not
/// credited has none to learn.
#[tokio::test]
async fn a_prompt_has_one_receipt_and_only_once_it_is_credited() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), paid_unheard()).await;
    world.advance(120).await;
    let open = other.prompt(500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    assert!(read.state == PaymentState::Success && read.receipt.is_none());
    let learn = async |payment: &Payment, receipt: &str| {
        store.claim_late_receipt(payment, receipt, now).await.unwrap()
    };
    assert_eq!(learn(&read, RECEIPT).await, LateReceipt::Claimed);
    assert_eq!(learn(&read, "NLJ7RT62SV").await, LateReceipt::NotWanted);
    let open = store.payment(&open).await.unwrap().unwrap();
    for receipt in ["NLJ7RT62SV", RECEIPT] {
        assert_eq!(learn(&open, receipt).await, LateReceipt::NotWanted);
    }
    assert_eq!(store.receipt("NLJ7RT62SV").await.unwrap(), None);
    assert_eq!(store.payment(&id).await.unwrap().unwrap().receipt.as_deref(), Some(RECEIPT));
    assert!(!store.payment(&open.id).await.unwrap().unwrap().flagged);
}

/// A prompt is credited on M-Pesa's answer, and another player types its receipt while M-Pesa is silent. An admin's
/// confirmation goes by what M-Pesa says then: whose the receipt is.
#[tokio::test]
async fn an_admins_confirmation_goes_by_what_m_pesa_says_now() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = player.prompt(1000).await;
    let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
    world.advance(120).await;
    world.faults(json!({"daraja": "down"})).await;
    let typed = other.typed_code(&receipt).await;
    world.advance(0).await;
    world.faults(json!({"daraja": "none"})).await;
    let credited = CREDITED_BEFORE;
    assert_eq!(world.confirm_code(&typed, 1000).await.refused(409), credited);
    assert_eq!((world.balance(&player).await, world.balance(&other).await), (1000, 0));
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the prompt's");
    assert_eq!(claim.cause, format!("deposit#{id}"));
}

/// Two phones that a confirmation, which masks them, does not tell apart.
const ALIKE: [&str; 2] = ["0712345126", "0722999126"];

/// A deposit's prompt to the one and an entry's to the other, of one amount and minute. Answers their ids.
async fn alike(world: &World, player: &Person) -> (String, String) {
    let id = |answer: &Value| answer["checkoutId"].as_str().unwrap().to_owned();
    let body = json!({"phone": ALIKE[0], "amount": 100});
    let deposit = id(&player.post("/api/deposits", body).await.expect(200));
    let body = json!({"phone": ALIKE[1], "amount": 100, "fplId": player.fpl_id, "entryAmount": 100,
        "gameweek": 1});
    let entry = id(&player.post("/api/pay", body).await.expect(200));
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    (deposit, entry)
}

/// Each of both is credited, the entry is made, and the receipt is the deposit's.
async fn both_are_credited(world: &World, player: &Person, (deposit, entry): (&str, &str), receipt: &str) {
    let status = world.entry_payment_status(entry).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (100, -200));
    let claim = world.app().store().receipt(receipt).await.unwrap().expect("it is the deposit's");
    assert_eq!(claim.cause, format!("deposit#{deposit}"));
    assert_eq!(world.set_asides().await, Vec::<Value>::new(), "it adds up");
}

/// Both prompts are open when the confirmation of the one comes: it is noted with neither.
#[tokio::test]
async fn a_confirmation_that_fits_two_open_prompts_is_neithers_yet() {
    let (world, player) = World::with_player(0).await;
    let (first, second) = alike(&world, &player).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "before"});
    let receipt = world.receipt_of(ALIKE[0], how).await;
    for id in [&first, &second] {
        assert_eq!(world.app().store().payment(id).await.unwrap().unwrap().told_receipt, None);
    }
    world.call_back(&player.clone().with_number(345_126), &first, 0, Some(&receipt)).await;
    world.advance(0).await;
    world.decide_prompt(ALIKE[1], paid_unheard()).await;
    world.advance(120).await;
    both_are_credited(&world, &player, (&first, &second), &receipt).await;
}

/// Two prompts that were paid. The callback of the first says that it failed, and the confirmation of its payment, which comes
/// late, is taken for the second's. Answers who calls back, both ids and that receipt.
async fn taken_for_the_second(world: &World, player: &Person) -> (Person, String, String, String) {
    world.faults(json!({"daraja": "pending"})).await;
    let (first, second) = alike(world, player).await;
    let payer = player.clone().with_number(345_126);
    let how = json!({"outcome": "success", "callback": "never", "confirm": "late"});
    let receipt = world.receipt_of(ALIKE[0], how).await;
    world.call_back(&payer, &first, 1032, None).await;
    world.decide_prompt(ALIKE[1], paid_unheard()).await;
    world.advance(3 * 3600 + 60).await;
    (payer, first, second, receipt)
}

/// The first one was reported as failed, so its late confirmation is taken for that of the second one, until its own
/// callback names it: the second one is paid all the same.
#[tokio::test]
async fn a_receipt_that_was_taken_for_a_prompts_swallows_no_payment() {
    let (world, player) = World::with_player(0).await;
    let (payer, first, second, receipt) = taken_for_the_second(&world, &player).await;
    assert_eq!(world.deposit_status(&first).await["status"], "FAILED");
    let told = world.app().store().payment(&second).await.unwrap().unwrap().told_receipt;
    assert_eq!(told.as_ref(), Some(&receipt));
    world.faults(json!({"daraja": "none"})).await;
    world.call_back(&payer, &first, 0, Some(&receipt)).await;
    world.advance(0).await;
    world.advance(1800).await;
    both_are_credited(&world, &player, (&first, &second), &receipt).await;
}

/// The other way round: the prompt that was taken for the receipt's is credited with it first. The one whose callback names it is
/// credited without, and no admin has to look at either.
#[tokio::test]
async fn a_receipt_that_is_held_by_a_guess_is_no_case() {
    let (world, player) = World::with_player(0).await;
    let (payer, first, second, receipt) = taken_for_the_second(&world, &player).await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(1800).await;
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the entry's");
    assert_eq!(claim.cause, format!("deposit#{second}"));
    for _ in 0..2 {
        world.call_back(&payer, &first, 0, Some(&receipt)).await;
        world.advance(0).await;
    }
    assert_eq!(world.deposit_status(&first).await["status"], "SUCCESS");
    assert_has(&world.entry_payment_status(&second).await, json!({"status": "SUCCESS", "entered": true}));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (100, -200));
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
}

/// The code's confirmation and the prompt's success at once, with and without a receipt in the callback:
/// 500 is credited, by one or by the other.
#[rstest]
#[case::with_the_receipt(true)]
#[case::without_one(false)]
#[tokio::test]
async fn code_and_prompt_at_once_credit_once(#[case] told: bool) {
    let world = World::start().await;
    for round in 1..=4_i64 {
        let player = world.player().await;
        let (id, receipt) = world.paid_and_reported_failed(&player, 500).await;
        let typed = world.again(&player).await.typed_code(&receipt).await;
        let admin = world.admin().await;
        let confirms = at_once((0..4).map(|_| admin.confirm_code(&typed, 500)));
        let call_back = async {
            for _ in 0..2 {
                world.call_back(&player, &id, 0, told.then_some(receipt.as_str())).await;
            }
            world.advance(0).await;
        };
        let (confirmed, ()) = tokio::join!(confirms, call_back);
        assert!(statuses(&confirmed).iter().all(|status| matches!(status, 200 | 409)));
        assert_eq!(world.balance(&player).await, 500);
        assert_eq!(world.ledger().await.account("mpesa:in"), -500 * round);
    }
}

/// The question's answer and the callback at once: whichever credits, the receipt is claimed.
#[tokio::test]
async fn a_receipt_is_claimed_whoever_credits_first() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let receipt = text(&world.decide_prompt(&player.phone(), paid_calling_back("never")).await, "receipt");
    let callbacks = (0..6).map(|i| {
        let (receipt, id) = (receipt.as_str(), id.as_str());
        world.call_back(&player, id, 0, (i % 2 == 0).then_some(receipt))
    });
    // Callbacks without a receipt are believed as far as M-Pesa's answer goes: paid.
    tokio::join!(at_once(callbacks), world.advance(60));
    world.advance(120).await;
    assert_eq!(world.balance(&player).await, 500);
    assert_eq!(player.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
}
