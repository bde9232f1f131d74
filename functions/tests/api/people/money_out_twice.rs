//! A payout was returned by an admin, then reported as paid. The money was out twice, and nothing could take it back.

use app::{
    Safeguards::{self, Full, Light},
    payments::set_asides::{self, CaseDecision},
    withdrawals::{endings::Ending, payouts},
};
use domain::payments::set_aside::SetAsideAct;
use local::process::Fate;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::{audit::Who, permits::Permit};

use crate::support::{
    World, assert_has,
    money::{done, rejected},
    mpesa::{paid, payout_completed},
    njeri::{CLOSURE, NAME, found, found_for_good, njeri, right},
    processes, text,
};

/// An admin's word on a payout that M-Pesa says nothing of for a day.
async fn resolved(world: &World, id: &str, act: SetAsideAct) {
    resolved_under(world, json!({"payouts": "unknown"}), id, act).await;
    world.faults(json!({"payouts": "none"})).await;
}

async fn resolved_under(world: &World, faults: Value, id: &str, act: SetAsideAct) {
    let admin = world.stored(&world.admin().await).await;
    world.faults(faults).await;
    processes::pay_out(world.app(), id, &admin).await.unwrap();
    world.advance(25 * 3600).await;
    let case = set_asides::find(world.app(), id).await.expect("it waits for an admin");
    let reason = "The portal shows nothing of it.";
    let permit = Permit::plain(Who::admin(&admin), world.app().clock().now());
    let decision = CaseDecision { act, reason, amount: None, receipt: "", seen: None, permit: &permit };
    set_asides::decide(world.app(), &case, decision).await.unwrap();
}

/// What M-Pesa makes of the one payout that it left open.
async fn let_m_pesa_decide(world: &World, phone: &str, how: Value) {
    world.decide_payout(phone, how).await;
    // The result, the question and its answer.
    world.advance(0).await;
    world.advance(120).await;
}

/// Returned by an admin, spent, and paid by M-Pesa after all: the return is taken back. What the wallet does
/// not cover is owed where it was the player's own number, and the operator's loss elsewhere.
#[rstest]
#[case::own_number_light(Light, true)]
#[case::own_number_full(Full, true)]
#[case::another_number_light(Light, false)]
#[case::another_number_full(Full, false)]
#[tokio::test]
async fn a_payout_that_was_returned_and_is_then_paid_is_taken_back(
    #[case] safeguards: Safeguards,
    #[case] own: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    let phone = if own { player.phone() } else { "0733000777".to_owned() };
    world.advance(26 * 3600).await;
    let id = world.again(&player).await.withdrawal(&phone, 450).await;
    world.advance(25 * 3600).await;
    resolved(&world, &id, SetAsideAct::Return).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 500, "it went back");
    // It is spent: three hundred are paid out once more.
    let second = world.again(&player).await.withdrawal(&player.phone(), 300).await;
    processes::end_withdrawal(world.app(), &second, Ending::Done).await;

    let_m_pesa_decide(&world, &phone, json!({"outcome": "completed"})).await;
    let ledger = world.ledger().await;
    let (debt, losses) = (ledger.debt(&player), ledger.account("losses"));
    assert_eq!(ledger.wallets[&player.id], 0);
    assert_eq!((debt, losses), if own { (-250, 0) } else { (0, -250) });
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (750, 0));

    // Both see it.
    assert_has(
        &world.again(&player).await.movements().await[0],
        json!({"kind": "correction", "amount": -200}),
    );
    let fresh = world.again(&player).await;
    assert_eq!(fresh.user().await["owed"], -debt);
    let withdrawals = fresh.get("/api/withdraw").await.expect(200);
    let first = withdrawals.as_array().unwrap().iter().find(|w| w["_id"] == *id).unwrap();
    assert_has(first, json!({"status": "rejected", "corrected": "paid"}));
    assert!(first["receipt"].is_string());
    assert!(!world.mails_about(&player.email(), "Your wallet has been corrected").await.is_empty());
    let case = world.set_asides().await.remove(0);
    assert!(text(&case, "reason").contains("is taken back"), "{case}");
    let profile = world.profile(&player.id).await;
    assert_eq!(profile["owed"], -debt);
    assert_has(&profile["acts"][0], json!({"by": "mpesa", "what": "correct-payout"}));

    // Told again, and asked again: nothing more.
    let result = json!({"Result": {"ResultCode": 0, "OriginatorConversationID": id,
        "ConversationID": world.stored_withdrawal(&id).await.payout.unwrap().conversation_id, "ResultDesc": "Done."}});
    for _ in 0..2 {
        payouts::take_result(world.app(), &id, &result.to_string()).await.unwrap();
        payouts::recheck(world.app(), &id, 0).await.unwrap();
        world.advance(600).await;
    }
    assert_eq!(world.ledger().await.account("mpesa:out"), 750);
}

/// M-Pesa paid it, its result was lost, and it answered no question until half a day after the admin had returned the
/// money: it is asked for a day after an admin's word, and the return is taken back.
#[rstest]
#[tokio::test]
async fn a_payout_that_was_paid_in_silence_and_returned_is_found_out(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let id = world.again(&player).await.withdrawal(&player.phone(), 450).await;
    resolved_under(&world, json!({"payouts": "silent", "daraja": "pending"}), &id, SetAsideAct::Return).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 500, "it went back");
    world.advance(12 * 3600).await;
    world.faults(json!({"payouts": "none", "daraja": "none"})).await;
    world.advance(3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:out")), (50, 450));
    let stored = world.stored_withdrawal(&id).await;
    assert!(stored.corrected.is_some(), "{stored:?}");
}

/// M-Pesa answers once the account is erased, also where the withdrawal was read before that: it is booked, and whom M-Pesa
/// has paid is not kept.
#[rstest]
#[case::read_before(true)]
#[case::read_after(false)]
#[tokio::test]
async fn whom_a_payout_of_an_erased_account_has_reached_is_not_kept(#[case] read_before: bool) {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.fund(&player, 500).await;
    let id = player.withdrawal(&player.phone(), 450).await;
    assert!(processes::end_withdrawal(world.app(), &id, processes::rejection()).await);
    let second = player.withdrawal(&player.phone(), 500).await;
    assert!(processes::end_withdrawal(world.app(), &second, Ending::Done).await);
    let before = world.stored_withdrawal(&id).await;
    player.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    let texts = [NAME, "JANE", "712007777", "712000001"];
    assert_eq!(found(&world, &texts).await, Vec::<Value>::new());

    let withdrawal = if read_before { before } else { world.stored_withdrawal(&id).await };
    payouts::answered(world.app(), &withdrawal, &payout_completed(&id)).await.unwrap();
    let corrected = world.stored_withdrawal(&id).await.corrected;
    assert_eq!(corrected.expect("it is corrected").into_str(), "paid");
    assert_eq!(found_for_good(&world, &texts).await, Vec::<Value>::new());
    assert_eq!(world.ledger().await.account("losses"), -450);
}

/// A question that comes twice sends the next one once, and is taken up where whoever took it on has died.
#[tokio::test]
async fn a_question_after_the_end_that_comes_twice_does_not_multiply() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let id = world.returned_withdrawal(&player, 300).await;
    // M-Pesa is asked each time, and its answers would come meanwhile.
    world.faults(json!({"daraja": "pending"})).await;
    let waiting = || world.queues().counts("ResultsQueue", world.app().clock().now()).unwrap().delayed;
    let before = waiting();
    for _ in 0..3 {
        payouts::recheck(world.app(), &id, 1).await.unwrap();
    }
    assert_eq!(waiting(), before + 1);
    let later = world.process_with_clock(120);
    payouts::recheck(later.app(), &id, 1).await.unwrap();
    assert_eq!(waiting(), before + 2, "the next one was never seen: its sender has died");
    // The answer to the claim is lost, and the client writes it a second time.
    let misses = world.process(Fate::Misses(1));
    payouts::recheck(misses.app(), &id, 2).await.unwrap();
    assert_eq!(waiting(), before + 3);
}

/// Who owes spends nothing, and whatever comes in pays it first, visibly.
#[rstest]
#[tokio::test]
async fn who_owes_spends_nothing_until_it_is_paid(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.owing(250).await;
    let before = world.nobody().get("/sim/api/prompts").await.expect(200);
    let owes = "You owe KSh 250: it was taken back after you had used it. Deposit it first; a deposit pays what you owe.";
    assert_eq!(player.join(50, 1).await.refused(400), owes);
    assert_eq!(player.pay(50, 1).await.refused(400), owes);
    assert_eq!(player.withdraw(&player.phone(), 60).await.refused(400), owes);
    assert_eq!(world.nobody().get("/sim/api/prompts").await.expect(200), before, "nothing was pushed");

    for (amount, wallet, owed) in [(100, 0, 150), (400, 250, 0)] {
        player.prompt(amount).await;
        world.answer_prompt(&player.phone(), paid()).await;
        assert_has(&player.user().await, json!({"wallet": wallet, "owed": owed}));
    }
    let movements = world.again(&player).await.movements().await;
    assert_has(&movements[0], json!({"kind": "debt-paid", "amount": -150}));
    assert_has(&movements[2], json!({"kind": "debt-paid", "amount": -100}));
    world.ledger().await;
    player.join(50, 1).await.expect(201);
}

/// What was asked for and nobody has paid covers what is taken back: neither is anything owed, nor is the rest
/// lost to the player.
#[rstest]
#[tokio::test]
async fn a_withdrawal_that_waits_covers_what_is_taken_back(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let first = world.returned_withdrawal(&player, 300).await;
    let second = world.again(&player).await.withdrawal(&player.phone(), 500).await;
    processes::hear_that_it_is_paid(world.app(), &first).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player)), (200, 0));
    assert_eq!((ledger.account("withdrawals"), ledger.account("losses")), (0, 0));
    let withdrawal = world.stored_withdrawal(&second).await;
    assert_eq!(withdrawal.status.into_str(), "rejected");
    assert!(withdrawal.reason.unwrap().contains("M-Pesa has paid another withdrawal"));
    let third = world.again(&player).await.withdrawal(&player.phone(), 200).await;
    world.pay_out(&third).await.expect(200);
}

/// A withdrawal of which M-Pesa has said something is left to the admins, and waits while its player comes to owe
/// something: it is neither paid nor marked as done. Rejected, what comes back pays the debt.
#[rstest]
#[tokio::test]
async fn a_withdrawal_that_waits_is_not_paid_to_who_owes(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let first = world.returned_withdrawal(&player, 300).await;
    let second = world.again(&player).await.withdrawal(&player.phone(), 500).await;
    let trouble = "M-Pesa reports another amount than was asked for.";
    let withdrawal = world.stored_withdrawal(&second).await;
    assert!(world.app().store().contest_withdrawal(&withdrawal, trouble).await.unwrap());
    processes::hear_that_it_is_paid(world.app(), &first).await;
    assert_eq!(world.ledger().await.debt(&player), -300);

    let owes = "This player owes KSh 300, which was taken back after it had been used. Reject this withdrawal: what \
                comes back pays it.";
    let admin = world.admin().await;
    assert_eq!(admin.pay_out(&second).await.refused(409), owes);
    assert_eq!(admin.end_withdrawal(&second, done()).await.refused(409), owes);
    admin.end_withdrawal(&second, rejected("Something is owed.")).await.expect(200);
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player)), (200, 0));
    world.advance(0).await;
    let told = world.mails_about(&player.email(), "Your withdrawal of KSh 500 was rejected").await;
    let [mail] = &told[..] else { panic!("{told:?}") };
    let where_it_is = "KSh 300 of it has gone towards what you owed, KSh 200 is in your wallet.";
    assert!(mail["text"].as_str().unwrap().contains(where_it_is), "{mail}");
    let third = world.again(&player).await.withdrawal(&player.phone(), 200).await;
    world.pay_out(&third).await.expect(200);
}

/// Nor is it said to have been sent by hand, where that wants a second admin.
#[tokio::test]
async fn a_large_withdrawal_is_not_said_to_be_sent_to_who_owes() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with(15_000).await;
    world.advance(26 * 3600).await;
    let first = world.returned_withdrawal(&player, 300).await;
    let second = world.again(&player).await.withdrawal(&player.phone(), 15_000).await;
    let trouble = "M-Pesa reports another amount than was asked for.";
    let withdrawal = world.stored_withdrawal(&second).await;
    assert!(world.app().store().contest_withdrawal(&withdrawal, trouble).await.unwrap());
    processes::hear_that_it_is_paid(world.app(), &first).await;
    let refused = world.admin().await.end_withdrawal(&second, done()).await.refused(409);
    assert!(refused.starts_with("This player owes KSh 300"), "{refused}");
    assert_eq!(world.stored_withdrawal(&second).await.said_sent_until, None);
}

/// A prompt for an entry was under way when the debt came about: it pays the debt and makes no entry.
#[tokio::test]
async fn a_prompt_for_an_entry_pays_what_is_owed_first() {
    let (world, player) = World::with_player(450).await;
    let id = world.returned_withdrawal(&player, 450).await;
    let again = world.again(&player).await.withdrawal(&player.phone(), 430).await;
    processes::end_withdrawal(world.app(), &again, Ending::Done).await;
    let checkout = player.pay(50, 1).await.text(200, "checkoutId");
    processes::hear_that_it_is_paid(world.app(), &id).await;
    assert_eq!(player.user().await["owed"], 430);
    world.answer_prompt(&player.phone(), paid()).await;
    let status = world.entry_payment_status(&checkout).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": false}));
    assert!(status["message"].as_str().unwrap().starts_with("You owe KSh 430"), "{status}");
    assert_has(&player.user().await, json!({"wallet": 0, "owed": 380}));
    world.ledger().await;
}

/// Marked as done by hand, and M-Pesa pays it too (its order had arrived): the operator's loss, told to the
/// admins. Nothing is taken from the player: whether both came nobody but an admin can find out.
#[rstest]
#[tokio::test]
async fn what_was_marked_as_done_and_paid_too_is_a_loss(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(25 * 3600).await;
    let id = world.again(&player).await.withdrawal(&player.phone(), 450).await;
    world.faults(json!({"payouts": "unknown"})).await;
    let order = world.order(&id, &format!("254{}", &player.phone()[1..]), 450).await;
    world.app().pay_out(&order).await.unwrap();
    processes::end_withdrawal(world.app(), &id, Ending::Done).await;
    let_m_pesa_decide(&world, &player.phone(), json!({"outcome": "completed"})).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.account("losses")), (900, -450));
    assert_eq!((ledger.wallets[&player.id], ledger.account("withdrawals")), (50, 0));
    let case = world.set_asides().await.remove(0);
    assert!(text(&case, "reason").contains("our loss"), "{case}");
}

/// An admin says that it was paid, and M-Pesa says that it was not: the money is the player's again.
#[rstest]
#[tokio::test]
async fn what_counted_as_paid_and_was_not_is_given_back(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let id = world.again(&player).await.withdrawal(&player.phone(), 450).await;
    world.advance(25 * 3600).await;
    resolved(&world, &id, SetAsideAct::Paid).await;
    assert_eq!(world.ledger().await.account("mpesa:out"), 450);
    let_m_pesa_decide(&world, &player.phone(), json!({"outcome": "failed"})).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.wallets[&player.id]), (0, 500));
    assert_has(
        &world.again(&player).await.movements().await[0],
        json!({"kind": "correction", "amount": 450}),
    );
    assert_eq!(world.stored_withdrawal(&id).await.corrected.unwrap().into_str(), "failed");
}

/// A success that somebody posts under the right address, of a payout that M-Pesa does not know, moves nothing.
#[tokio::test]
async fn a_word_that_m_pesa_does_not_stand_by_moves_nothing() {
    let (world, player) = World::with_player(500).await;
    let id = world.returned_withdrawal(&player, 450).await;
    let posted =
        json!({"Result": {"ResultCode": 0, "OriginatorConversationID": id, "ConversationID": "AG_1"}});
    payouts::take_result(world.app(), &id, &posted.to_string()).await.unwrap();
    world.advance(3 * 3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 500);
    let withdrawal = world.stored_withdrawal(&id).await;
    assert_eq!(withdrawal.corrected, None);
    assert_eq!(withdrawal.trouble.as_deref(), Some("The money went back, and M-Pesa has paid it."));
}
