//! A process that dies at any of its steps, or loses the answer to any of them, while money comes in: what it was at is
//! done again by another one, and has happened once (faults 4 and 9).

use app::{
    payments::{
        prompts::{self, NewPrompt, ReadAhead},
        set_asides, typed_codes,
    },
    platform::queues::ProcessPayment,
};
use domain::{
    Kes, MpesaPhone,
    payments::{
        prompt::PromptAnswer,
        set_aside::SetAsideAct,
        typed_code::{ReceiptCode, TypedCodeStatus},
    },
};
use local::process::Fate;
use rstest::rstest;
use serde_json::json;
use store::{
    admin::{audit::Who, permits::Permit},
    payments::typed_codes::TypedCode,
};

use crate::support::{
    World,
    mpesa::{paid_calling_back, paid_unheard},
    processes::{Paid, dying_at_every_step, in_every_fate, process_another_amount, process_callback},
};

/// A callback with another amount, of a prompt that was credited before its number was claimed: an admin is shown it, and it
/// proves no number.
#[tokio::test]
async fn another_amount_after_the_credit_is_shown_wherever_its_processing_ends() {
    let world = World::start().await;
    let credited = async || {
        let paid = world.paid_prompt("/api/deposits", 500).await;
        let read = world.app().store().payment(&paid.id).await.unwrap().unwrap();
        assert!(prompts::apply(world.app(), &read, &PromptAnswer::Paid).await.unwrap());
        paid
    };
    let (deposits, steps) = dying_at_every_step(&world, credited, process_another_amount).await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    for Paid { player, id, .. } in &deposits {
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert!(stored.flagged && stored.closed.is_none(), "{stored:?}");
        assert_eq!(ledger.wallets[&player.id], 500);
        assert_eq!(world.app().store().own_number(&stored.phone).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_deposit_is_credited_once_wherever_its_settling_ends() {
    let world = World::start().await;
    let deposit = async || world.paid_prompt("/api/deposits", 500).await;
    let (deposits, steps) = dying_at_every_step(&world, deposit, process_callback).await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    for Paid { player, id, .. } in &deposits {
        assert_eq!(ledger.wallets[&player.id], 500);
        assert_eq!(world.deposit_status(id).await["status"], "SUCCESS");
        // The number is claimed after the credit: what ended in between is made good.
        let number = MpesaPhone::for_deposit(&player.phone()).unwrap();
        let own = world.app().store().own_number(&number).await.unwrap().expect("claimed");
        assert_eq!(own.user_id.as_str(), player.id);
    }
    assert_eq!(ledger.account("mpesa:in"), -500 * i64::try_from(deposits.len()).unwrap());
}

#[tokio::test]
async fn a_paid_entry_is_made_once_wherever_its_settling_ends() {
    let world = World::start().await;
    let pay = async || world.paid_prompt("/api/pay", 50).await;
    let (entries, steps) = dying_at_every_step(&world, pay, process_callback).await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    for Paid { player, .. } in &entries {
        assert_eq!(ledger.wallets[&player.id], 0);
        assert_eq!(player.leagues(50, 1).await[0]["own"], true);
    }
    let paid = 50 * i64::try_from(entries.len()).unwrap();
    assert_eq!((ledger.account("mpesa:in"), ledger.account("pot:2026-01")), (-paid, paid));
}

/// The request for a prompt ends anywhere, before M-Pesa has accepted it or before its ids were kept. What is
/// paid is credited by its callback; without one, by M-Pesa's answer where the ids were kept, and where they
/// were not an admin is shown it after a day.
#[rstest]
#[case::with_its_callback("once")]
#[case::without_one("never")]
#[tokio::test]
async fn a_prompt_that_is_paid_is_found_wherever_its_request_ends(#[case] callback: &str) {
    let world = World::start().await;
    let (mut prompted, mut silent) = (Vec::new(), 0);
    in_every_fate(&world, async |process, fate| {
        let person = world.player().await;
        let payer = world.stored(&person).await;
        let phone = MpesaPhone::for_deposit(&person.phone()).unwrap();
        let sent = async {
            let ahead = ReadAhead::of(process.app(), &payer.id, &phone, None).await.unwrap();
            let prompt = NewPrompt { phone, amount: Kes::new(500), excise: None, entry: None, binding: None };
            prompts::start(process.app(), &payer, prompt, ahead).await
        };
        let answered = process.run(sent).await.is_some();
        let on_phone = world.prompts(&person.phone()).await.len();
        assert!(on_phone <= 1 && (on_phone == 1 || !answered), "{fate:?}");
        if on_phone == 1 {
            world.decide_prompt(&person.phone(), paid_calling_back(callback)).await;
        }
        silent += usize::from(on_phone == 1 && !answered && matches!(fate, Fate::DiesBefore(_)));
        prompted.push((person, on_phone));
    })
    .await;
    assert_eq!(silent, 1, "it dies once between the prompt and its ids");
    world.advance(2 * 24 * 3600).await;
    let ledger = world.ledger().await;
    let cases = world.set_asides().await;
    let mut for_admin = 0;
    for (person, on_phone) in &prompted {
        let shown = cases.iter().any(|case| case["phone"] == json!(person.phone()));
        let credited = ledger.wallets[&person.id];
        for_admin += usize::from(*on_phone == 1 && shown);
        assert_eq!(credited, if *on_phone == 1 && !shown { 500 } else { 0 }, "{}", person.phone());
    }
    assert_eq!(for_admin, if callback == "never" { silent } else { 0 });
    let open = world.app().store().open_payments(None, 100).await.unwrap().items;
    assert!(open.is_empty(), "nobody asks about these any more: {open:?}");
}

/// A prompt that was credited on M-Pesa's answer, and the paybill's confirmation of it, which comes late: it is the
/// prompt's receipt, once, wherever its judging ends, and credits nothing more.
#[tokio::test]
async fn a_receipt_is_its_prompts_wherever_its_judging_ends() {
    let world = World::start().await;
    let credited = async || {
        let player = world.player().await;
        let id = player.prompt(500).await;
        let receipt = world.decide_prompt(&player.phone(), paid_unheard()).await["receipt"].clone();
        prompts::process(world.app(), &ProcessPayment::question(&id, 0)).await.unwrap();
        let payment = world.app().store().payment(&id).await.unwrap().unwrap();
        assert_eq!((payment.state.into_str(), &payment.receipt), ("SUCCESS", &None));
        let east_africa = jiff::tz::Offset::constant(3).to_datetime(world.app().clock().now());
        let confirmation = json!({"TransID": receipt, "TransAmount": "500.00", "BusinessShortCode": "174379",
            "TransTime": east_africa.strftime("%Y%m%d%H%M%S").to_string(),
            "BillRefNumber": payment.account, "MSISDN": format!("2547 ***** {}", &player.phone()[7..])});
        (player, id, receipt.as_str().unwrap().to_owned(), confirmation.to_string())
    };
    let (receipts, steps) = dying_at_every_step(&world, credited, async |app, (_, _, _, confirmation)| {
        let at = app.clock().now();
        app::payments::paybill::take_confirmation(app, confirmation, at).await.unwrap();
    })
    .await;
    assert!(steps >= 3, "kept, claimed, judged: {steps}");
    let ledger = world.ledger().await;
    for (player, id, receipt, _) in &receipts {
        assert_eq!(ledger.wallets[&player.id], 500);
        let claim = world.app().store().receipt(receipt).await.unwrap().expect("it is claimed");
        assert_eq!(claim.cause, format!("deposit#{id}"));
        let confirmed = world.app().store().paybill_payment(receipt).await.unwrap().expect("it is kept");
        assert!(confirmed.judged.is_some());
    }
}

/// A look at a typed code ends anywhere, while M-Pesa is silent: once that answers the code is asked about again, and
/// credited once, also where the look that was to come is lost.
#[tokio::test]
async fn a_typed_code_is_credited_wherever_a_look_at_it_ends() {
    let world = World::start().await;
    let mut people = Vec::new();
    for _ in 0..21 {
        people.push(world.player_with(100).await);
    }
    world.advance(24 * 3600 + 60).await;
    // M-Pesa's token is fresh, so no look has to see to that.
    world.fund(&world.player().await, 100).await;
    world.faults(json!({"daraja": "pending"})).await;
    let mut left = people.into_iter();
    let sent_in = async || {
        let person = left.next().expect("one for each case");
        let receipt = world.paybill(json!({"phone": person.phone(), "amount": 250, "confirm": false})).await;
        let payer = world.stored(&person).await;
        let counter = app::platform::limits::typed_codes(&payer.id);
        let typed_code = TypedCode {
            id: store::random_id(),
            user_id: payer.id,
            username: payer.username,
            code: ReceiptCode::parse(&receipt).unwrap(),
            status: TypedCodeStatus::Pending,
            created_at: world.app().clock().now(),
            ended_at: None,
            ended_by: None,
            amount: None,
            reason: None,
            known: None,
            next_check: None,
            checks_over: false,
        };
        world.app().store().submit_typed_code(&typed_code, &counter, None).await.unwrap();
        (person, typed_code.id)
    };
    let (sent, steps) = dying_at_every_step(&world, sent_in, async |app, (_, id)| {
        typed_codes::process(app, id, 0).await.unwrap();
    })
    .await;
    assert!(steps >= 4, "the question twice, the next look, its message: {steps}");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(2 * 3600).await;
    let ledger = world.ledger().await;
    for (person, id) in &sent {
        assert_eq!(ledger.wallets[&person.id], 350, "player{} {id}", person.n);
    }
}

/// Whose code is rejected is told so once, wherever that ends, and nobody is told of one that still waits.
#[tokio::test]
async fn a_rejected_code_is_told_of_wherever_its_rejection_ends() {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let mut sent = Vec::new();
    let steps = in_every_fate(&world, async |process, _| {
        let player = world.player().await;
        let id = player.typed_code(format!("UHK{:07}", player.n)).await;
        let typed_code = typed_codes::review::find(process.app(), &id).await.expect("it was sent in");
        let rejection = typed_codes::review::reject(process.app(), &typed_code, None, &admin);
        // Nobody does it again where the process ends.
        let _ = process.run(rejection).await;
        sent.push((player, id));
    })
    .await;
    assert!(steps >= 3, "the message, the transaction, the message once more: {steps}");
    world.advance(120).await;
    let mut rejected = 0;
    for (player, id) in &sent {
        let code = world.app().store().typed_code(id).await.unwrap().expect("it was sent in");
        let told = world.mails_about(&player.email(), "Your M-Pesa code was not accepted").await.len();
        assert_eq!(told, usize::from(code.status == TypedCodeStatus::Rejected), "{code:?}");
        rejected += told;
    }
    assert!(0 < rejected && rejected < sent.len(), "{rejected} of {}", sent.len());
}

/// Another amount than was asked for, credited by an admin: once, with one record of the act.
#[tokio::test]
async fn a_case_is_credited_once_wherever_that_ends() {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let case = async || {
        let player = world.player().await;
        let id = world.paid_otherwise(&player, 501).await.0;
        (player, id)
    };
    let (cases, steps) = dying_at_every_step(&world, case, async |app, (_, id)| {
        let case = set_asides::find(app, id).await.expect("it is set aside");
        let reason = "The portal shows 500.";
        let permit = Permit::plain(Who::admin(&admin), app.clock().now());
        let decision = set_asides::CaseDecision {
            act: SetAsideAct::Credit,
            reason,
            amount: Some(500),
            receipt: "",
            seen: None,
            permit: &permit,
        };
        set_asides::decide(app, &case, decision).await.unwrap();
    })
    .await;
    assert!(steps >= 1, "{steps}");
    let ledger = world.ledger().await;
    assert!(cases.iter().all(|(player, _)| ledger.wallets[&player.id] == 500));
    let acts = world.acts().await;
    for (_, id) in &cases {
        let on = format!("prompt {id}");
        assert_eq!(acts.iter().filter(|act| act.on == on).count(), 1, "{id}");
    }
}
