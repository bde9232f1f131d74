//! Money that is sent to the paybill with a player's account: credited by itself, once, on M-Pesa's own word.

use domain::{
    Kes, PaybillAccount,
    payments::{receipt_match::ReceiptFacts, typed_code::ReceiptCode},
};
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};
use store::payments::paybill::{CreditedToAccount, PaybillPayment};

use crate::support::{
    PASSWORD, Person, World, assert_has,
    log_capture::Lines,
    money::CREDITED_BEFORE,
    mpesa::{judged, status_result},
    processes::dying_at_every_step,
    text,
};

/// A number that is nobody's own.
const PAYER: &str = "0733000001";

/// Somebody pays by hand, and what follows happens. Answers the receipt.
async fn send(world: &World, amount: i64, account: &str, confirm: bool) -> String {
    let payment = json!({"phone": PAYER, "amount": amount, "accountReference": account, "confirm": confirm});
    let receipt = world.paybill(payment).await;
    world.advance(0).await;
    receipt
}

async fn confirm(world: &World, body: &Value) {
    world.post_to_hook("/hooks/c2b/confirm", body.clone()).await;
    world.advance(0).await;
}

/// As M-Pesa would confirm it.
fn confirmation(receipt: &str, amount: i64, account: &str) -> Value {
    json!({"TransactionType": "Pay Bill", "TransID": receipt, "TransTime": "20260820120000",
        "TransAmount": format!("{amount}.00"), "BusinessShortCode": "174379", "BillRefNumber": account,
        "MSISDN": "2547 ***** 001", "FirstName": "NICHOLAS"})
}

#[tokio::test]
async fn money_with_a_players_account_is_credited_by_itself_once() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    let spaced = format!(" {} {}", &own[..3], &own[3..]);
    for (paid, written) in [(300, own.as_str()), (200, spaced.as_str())] {
        let before = player.wallet().await;
        let receipt = send(&world, paid, written, true).await;
        assert_eq!(player.wallet().await, before + paid);
        assert_has(&player.movements().await[0], json!({"kind": "paybill", "receipt": receipt}));
        assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
        // M-Pesa confirms again, and the player types the code as well.
        confirm(&world, &confirmation(&receipt, paid, written)).await;
        assert_eq!(player.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
        assert_eq!(player.wallet().await, before + paid);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
    // The nightly reading finds nothing off.
    world.start_job("reconcile").await;
    world.advance(3600).await;
    let report = app::ledger::reconciliation::latest(world.app()).await.unwrap().expect("the books are read");
    assert_eq!(report.found, 0, "{:?}", report.differences);
}

/// One wrong digit, or two exchanged, is nobody's; and nobody's stays unclaimed until its code is typed.
#[tokio::test]
async fn a_mistyped_account_credits_nobody_and_a_typed_code_finds_the_money() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    let mut swapped: Vec<char> = own.chars().collect();
    let at = (0..6).find(|at| swapped[*at] != swapped[*at + 1]).expect("not all digits are the same");
    swapped.swap(at, at + 1);
    let swapped: String = swapped.into_iter().collect();
    let last = (own.as_bytes()[6] - b'0' + 1) % 10;
    let mut receipts = Vec::new();
    for wrong in [swapped, format!("{}{last}", &own[..6]), "player1".to_owned(), "FPL Leagues".to_owned()] {
        let receipt = send(&world, 250, &wrong, true).await;
        assert_eq!(judged(&world, &receipt).await.as_deref(), Some("unclaimed"), "{wrong}");
        receipts.push(receipt);
    }
    world.advance(7200).await;
    let player = world.player_again(1).await;
    assert_eq!(player.wallet().await, 0);
    let typed = player.typed_code(&receipts[0]).await;
    world.advance(0).await;
    world.confirm_code(typed, 250).await.expect(200);
    assert_eq!(player.wallet().await, 250);
    world.ledger().await;
}

/// A confirmation alone credits nothing: M-Pesa is asked, and asked again until it answers.
#[tokio::test]
async fn m_pesa_is_asked_before_anything_is_credited() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    world.faults(json!({"daraja": "down"})).await;
    let receipt = send(&world, 400, &own, true).await;
    // The stand-in is down: it is confirmed by hand.
    confirm(&world, &confirmation(&receipt, 400, &own)).await;
    assert_eq!((player.wallet().await, judged(&world, &receipt).await), (0, None));
    world.faults(json!({"daraja": "none"})).await;
    world.advance(600).await;
    assert_eq!(player.wallet().await, 400);
    // What was paid with another amount, and what nobody paid: M-Pesa may not know that yet, and is asked for a week.
    let another = send(&world, 100, "nobody", false).await;
    confirm(&world, &confirmation(&another, 100_000, &own)).await;
    assert_eq!(judged(&world, &another).await.as_deref(), Some("unclaimed"));
    let invented = "UHK7RT61SV";
    confirm(&world, &confirmation(invented, 100, &own)).await;
    world.advance(6 * 24 * 3600).await;
    assert_eq!(judged(&world, invented).await, None);
    world.advance(25 * 3600).await;
    assert_eq!(judged(&world, invented).await.as_deref(), Some("unclaimed"));
    assert_eq!(world.player_again(1).await.wallet().await, 400);
    world.ledger().await;
}

/// A payment from one player's own number that names another's account is that one's, however soon its code is typed.
#[tokio::test]
async fn a_typed_code_does_not_beat_the_account_that_the_payment_names() {
    let world = World::start().await;
    let payer = world.player_with_own_number(100).await;
    let other = world.player().await;
    let theirs = other.paybill_account().await;
    // M-Pesa answers the question about the code, and not the one of before that the confirmation has started.
    world.faults(json!({"daraja": "pending"})).await;
    let receipt =
        world.paybill(json!({"phone": payer.phone(), "amount": 250, "accountReference": theirs})).await;
    world.advance(0).await;
    world.faults(json!({"daraja": "none"})).await;
    payer.type_code(&receipt).await.expect(201);
    world.advance(0).await;
    let pending = world.pending_codes().await;
    assert_eq!(pending[0]["waitsBecause"], "The payment names another player's account.");
    let whose = text(&other.user().await, "username");
    assert_has(&pending[0]["known"], json!({"accountReference": theirs, "accountOf": whose}));
    world.advance(120).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&payer.id], ledger.wallets[&other.id]), (100, 250));
}

/// While M-Pesa says nothing, an admin presses for who has seen the code: it stays the payment's whose account it names.
#[tokio::test]
async fn an_admin_does_not_beat_the_account_that_the_payment_names() {
    let (world, thief) = World::with_player(0).await;
    let payer = world.player_with_own_number(100).await;
    let theirs = payer.paybill_account().await;
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = send(&world, 250, &theirs, true).await;
    let code = world.again(&thief).await.typed_code(&receipt).await;
    let refused = world.admin().await.confirm_code(&code, 250).await.refused(409);
    let why = "This payment names another player's account: it is credited to that player, by itself.";
    assert_eq!(refused, why);
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&payer.id], ledger.wallets[&thief.id]), (350, 0));
}

/// M-Pesa takes questions and answers none for hours: the money is credited when it does.
#[tokio::test]
async fn it_is_credited_however_long_m_pesa_is_silent() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = send(&world, 400, &own, true).await;
    world.advance(4 * 3600).await;
    assert_eq!(judged(&world, &receipt).await, None);
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    world.faults(json!({"daraja": "none"})).await;
    world.advance(1800).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 400);
    assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
}

/// A prompt that shows the account is open for hours, since M-Pesa does not say how it ended. Once it has, M-Pesa is
/// asked about the payment by hand that fitted it.
#[tokio::test]
async fn it_is_asked_about_however_long_it_waited_for_a_prompt() {
    let world = World::start().await;
    let player = world.sign_up("d@example.co.ke", "Otieno.K", "9").await;
    let own = player.paybill_account().await;
    world.faults(json!({"daraja": "pending"})).await;
    player.deposit(PAYER, 350).await.expect(200);
    world.decide_prompt(PAYER, json!({"outcome": "cancelled", "callback": "never"})).await;
    let receipt = send(&world, 350, &own, true).await;
    world.advance(4 * 3600).await;
    assert_eq!(judged(&world, &receipt).await, None);
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 350);
    assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
}

/// M-Pesa bears the payment out and tells no whole amount of it: nobody is credited by a machine.
#[tokio::test]
async fn what_m_pesa_tells_no_amount_of_is_not_credited() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = send(&world, 400, &own, true).await;
    let question = text(world.questions().await.last().expect("it is asked about"), "id");
    let told = status_result(&receipt, "400.50", "254733000001");
    world.post_to_hook(&format!("/hooks/status/{question}"), told).await;
    world.advance(0).await;
    assert_eq!(judged(&world, &receipt).await.as_deref(), Some("unclaimed"));
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
}

/// Its confirmation is lost when the code is typed, and M-Pesa names somebody else's number: it waits for an admin, and is not
/// checked any more. Once the account is credited after all there is nothing left to decide.
#[tokio::test]
async fn a_code_that_waits_for_an_admin_ends_once_its_payment_is_credited() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    let receipt = send(&world, 400, &own, false).await;
    let code = world.again(&player).await.typed_code(&receipt).await;
    world.advance(4 * 3600).await;
    assert_eq!(world.pending_codes().await.len(), 1, "its payer is another one");
    confirm(&world, &confirmation(&receipt, 400, &own)).await;
    world.advance(20 * 60).await;
    assert_eq!(world.balance(&player).await, 400);
    assert!(world.pending_codes().await.is_empty());
    let kept = world.app().store().typed_code(&code).await.unwrap().unwrap();
    assert_eq!((kept.status.into_str(), kept.reason.as_deref()), ("rejected", Some(CREDITED_BEFORE)));
}

/// The admin has seen it waiting, and rejects it as its payment is credited by itself: nobody is told that the money is not there.
#[tokio::test]
async fn who_has_the_money_is_not_told_that_the_code_was_rejected() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    let receipt = send(&world, 400, &own, false).await;
    let code = world.again(&player).await.typed_code(&receipt).await;
    confirm(&world, &confirmation(&receipt, 400, &own)).await;
    assert_eq!(world.balance(&player).await, 400);
    let reject = json!({"paymentId": code, "reason": "Credited already."});
    world.admin().await.post("/api/manual-payment/reject", reject).await.expect(200);
    world.advance(20 * 60).await;
    assert!(world.mails_about(&player.email(), "Your M-Pesa code was not accepted").await.is_empty());
}

#[tokio::test]
async fn what_m_pesa_has_taken_back_is_not_credited() {
    let (world, player) = World::with_player(0).await;
    let own = player.paybill_account().await;
    let receipt = send(&world, 400, &own, false).await;
    world.reverse(&receipt).await;
    confirm(&world, &confirmation(&receipt, 400, &own)).await;
    assert_eq!(judged(&world, &receipt).await.as_deref(), Some("unclaimed"));
    assert_eq!(player.wallet().await, 0);
}

/// A prompt of a player whose name M-Pesa cannot show carries the same account: its confirmation is the prompt's,
/// whenever it comes; a payment by hand of the same amount, later, is another.
#[rstest]
#[case("before")]
#[case("after")]
#[case("late")]
#[case("never")]
#[tokio::test]
async fn a_prompt_that_shows_the_account_is_credited_once(#[case] confirm: &str) {
    let world = World::start().await;
    let player = world.sign_up("d@example.co.ke", "Otieno.K", "9").await;
    let own = player.paybill_account().await;
    player.deposit(PAYER, 350).await.expect(200);
    world.answer_prompt(PAYER, json!({"outcome": "success", "callback": "once", "confirm": confirm})).await;
    world.advance(4 * 3600).await;
    let player = world.log_in("d@example.co.ke", PASSWORD).await;
    assert_eq!(player.wallet().await, 350);
    send(&world, 350, &own, true).await;
    assert_eq!(player.wallet().await, 700);
    assert_eq!(world.ledger().await.account("mpesa:in"), -700);
}

/// The same, where its callback is lost, and a machine has sent it whose clock is a minute ahead: by M-Pesa's time it was paid
/// before it was sent.
#[rstest]
#[case("before")]
#[case("late")]
#[tokio::test]
async fn by_a_clock_that_is_ahead_a_prompt_that_shows_the_account_is_credited_once(#[case] confirm: &str) {
    let world = World::start().await;
    let player = world.sign_up("d@example.co.ke", "Otieno.K", "9").await;
    world.prompt_by_a_clock_ahead(&player, PAYER, 350).await;
    world.advance(20).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": confirm});
    let receipt = world.receipt_of(PAYER, how).await;
    world.advance(4 * 3600).await;
    assert_eq!(judged(&world, &receipt).await.as_deref(), Some("unclaimed"));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (350, -350));
}

/// Its confirmation is lost when an admin credits who typed its code. It comes later and names somebody else: an alarm.
#[tokio::test]
async fn that_it_was_credited_to_somebody_else_is_told() {
    let (world, player) = World::with_player(0).await;
    let typist = world.player().await;
    let own = player.paybill_account().await;
    let receipt = send(&world, 400, &own, false).await;
    let code = world.again(&typist).await.typed_code(&receipt).await;
    world.confirm_code(&code, 400).await.expect(200);
    let rung = async |account: &str| {
        let (log, here) = Lines::capture();
        let body = confirmation(&receipt, 400, account).to_string();
        let app = world.app();
        app::payments::paybill::take_confirmation(app, &body, app.clock().now()).await.unwrap();
        drop(here);
        log.all().iter().filter(|line| line["alarm"] == "receipt").count()
    };
    assert_eq!(rung(&own).await, 1);
    assert_eq!(rung(&own).await, 0, "it is told once");
    assert_eq!((world.balance(&typist).await, world.balance(&player).await), (400, 0));
}

/// Confirmed in a process that dies at each of its steps, and then again: credited once.
#[tokio::test]
async fn it_is_credited_once_wherever_its_taking_ends() {
    let world = World::start().await;
    let paid = async || {
        let player = world.player().await;
        let own = player.paybill_account().await;
        let receipt = send(&world, 100, &own, false).await;
        (player, confirmation(&receipt, 100, &own).to_string())
    };
    let take = async |app: &app::App, (_, body): &(Person, String)| {
        app::payments::paybill::take_confirmation(app, body, app.clock().now()).await.unwrap();
    };
    let (subjects, steps) = dying_at_every_step(&world, paid, take).await;
    assert!(steps >= 3, "{steps}");
    world.advance(600).await;
    let ledger = world.ledger().await;
    for (player, _) in &subjects {
        assert_eq!(ledger.wallets[&player.id], 100);
    }
}

/// Accounts are picked by chance, and what is sent to one is its first owner's for ever.
#[tokio::test]
async fn an_account_that_is_somebodys_is_not_given_to_another() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let store = world.app().store();
    let taken = PaybillAccount::parse(&one.paybill_account().await).unwrap();
    // As a player of before accounts were given.
    let profile = json!({"pk": {"S": format!("USER#{}", other.id)}, "sk": {"S": "PROFILE"}});
    let removed = json!({"TableName": world.app().config().table_name, "Key": profile,
        "UpdateExpression": "REMOVE account"});
    world.dynamo().call("UpdateItem", &removed).await.unwrap();
    let free = PaybillAccount::picked_by(5);
    let given = store.give_account(&world.stored(&other).await, [taken, free]).await.unwrap();
    assert_eq!(given, free);
    let of = async |account| store.player_by_account(account).await.unwrap().unwrap().id.to_string();
    assert_eq!((of(taken).await, of(free).await), (one.id, other.id));
}

/// Two workers have a payment in their hands: what the first one finds of it stays, and one of them checks it again.
#[tokio::test]
async fn a_payment_is_judged_once_and_has_one_line_of_checks() {
    let (world, player) = World::with_player(0).await;
    let (store, now, id) = (world.app().store(), world.app().clock().now(), player.user_id());
    let facts = ReceiptFacts { amount: Some(Kes::new(100)), at: Some(now), ..ReceiptFacts::default() };
    let kept = async |code: &str| {
        let payment = json!({"code": code, "amount": 100, "shortcode": "174379", "paidAt": now, "at": now});
        let payment: PaybillPayment = serde_json::from_value(payment).unwrap();
        assert!(store.keep_paybill_payment(&payment).await.unwrap());
        ReceiptCode::parse(code).unwrap()
    };
    let credit = async |code: &ReceiptCode| {
        let told = (&facts, &world.app().config().excise);
        store.credit_paybill_payment(&id, code, Kes::new(100), told, now).await.unwrap()
    };
    let judge_unclaimed = async |code: &ReceiptCode| {
        store.judge_paybill_payment(code.as_str(), "unclaimed").await.unwrap();
    };
    let nobodys = kept("NLJ7RT61SV").await;
    judge_unclaimed(&nobodys).await;
    assert_eq!(credit(&nobodys).await, CreditedToAccount::Before);
    let players = kept("NLJ7RT62SV").await;
    let CreditedToAccount::Done(cause) = credit(&players).await else { panic!("it is the player's") };
    judge_unclaimed(&players).await;
    assert_eq!(judged(&world, players.as_str()).await, Some(cause));
    assert_eq!(store.wallet(&id).await.unwrap().balance, Kes::new(100));

    let (due, pause) = (now + SignedDuration::from_hours(1), SignedDuration::from_mins(1));
    let open = kept("NLJ7RT63SV").await;
    for (code, is_claimed) in [(&players, false), (&open, true), (&open, false)] {
        assert_eq!(store.claim_paybill_check(code.as_str(), due, pause).await.unwrap(), is_claimed);
    }
}
