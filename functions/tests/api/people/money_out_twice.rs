//! A payout was returned by an admin, then reported as paid; a deposit was reversed by M-Pesa. The money
//! was out twice, and nothing could take it back.

use app::{
    Safeguards,
    payments::set_asides::{self, Decision},
    withdrawals::{
        payouts,
        requests::{self, Ending},
    },
};
use clients::daraja::{Payout as Order, ResultUrls};
use domain::payments::set_aside::SetAsideAct;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::{audit::Who, permits::Permit};

use crate::{
    platform::interleavings,
    support::{PASSWORD, Person, World},
};

/// The player with a fresh token.
pub async fn again(world: &World, player: &Person) -> Person {
    let fresh = world.log_in(&format!("player{}@example.co.ke", player.n), PASSWORD).await;
    Person { n: player.n, ..fresh }
}

/// A withdrawal that is pending, made by the rules of the store.
async fn asks(world: &World, player: &Person, amount: i64, phone: &str) -> String {
    let body = json!({"mpesaNumber": phone, "amount": amount});
    let player = again(world, player).await;
    player.post("/api/withdraw", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

async fn kept(world: &World, id: &str) -> store::withdrawals::Withdrawal {
    world.app().store().withdrawal(id).await.unwrap().unwrap()
}

fn by(world: &World, admin: &store::accounts::players::Player) -> Permit {
    Permit::plain(Who::admin(admin), world.app().clock().now())
}

fn operator(world: &World) -> Permit {
    Permit::plain(Who::Operator, world.app().clock().now())
}

/// An admin's word on a payout that M-Pesa says nothing of for a day.
async fn resolved(world: &World, id: &str, act: SetAsideAct) {
    let admin = interleavings::player(world.app(), &world.admin().await).await;
    world.faults(json!({"payouts": "unknown"})).await;
    payouts::pay(world.app(), &kept(world, id).await, &by(world, &admin)).await.unwrap().unwrap();
    world.advance(25 * 3600).await;
    let case = set_asides::find(world.app(), id).await.unwrap().expect("it waits for an admin");
    let reason = "The portal shows nothing of it.";
    let permit = by(world, &admin);
    let decision = Decision { act, reason, amount: None, receipt: "", permit: &permit };
    set_asides::decide(world.app(), &case, decision).await.unwrap().unwrap();
    world.faults(json!({"payouts": "none"})).await;
}

/// What M-Pesa makes of the one payout that it left open.
async fn mpesa_decides(world: &World, phone: &str, how: Value) {
    let payouts = world.nobody().get(&format!("/sim/api/payouts?phone={phone}")).await.expect(200);
    let id = payouts[0]["conversationId"].as_str().unwrap().to_owned();
    world.sim(Method::POST, &format!("/payouts/{id}"), how).await;
    // The result, the question and its answer.
    world.advance(0).await;
    world.advance(120).await;
}

async fn movements(world: &World, player: &Person) -> Vec<(String, i64)> {
    let listed = again(world, player).await.get("/api/me/transactions").await.expect(200);
    let one = |item: &Value| (item["kind"].as_str().unwrap().to_owned(), item["amount"].as_i64().unwrap());
    listed.as_array().unwrap().iter().map(one).collect()
}

/// Returned by an admin, spent, and paid by M-Pesa after all: the return is taken back. What the wallet does
/// not cover is owed where it was the player's own number, and the operator's loss elsewhere.
#[rstest]
#[case::own_number_light(Safeguards::Light, true)]
#[case::own_number_full(Safeguards::Full, true)]
#[case::another_number_light(Safeguards::Light, false)]
#[case::another_number_full(Safeguards::Full, false)]
#[tokio::test]
async fn a_payout_that_was_returned_and_is_then_paid_is_taken_back(
    #[case] safeguards: Safeguards,
    #[case] own: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    let phone = if own { player.phone() } else { "0733000777".to_owned() };
    world.advance(26 * 3600).await;
    let id = asks(&world, &player, 450, &phone).await;
    world.advance(25 * 3600).await;
    resolved(&world, &id, SetAsideAct::Return).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 500, "it went back");
    // It is spent: three hundred are paid out once more.
    let second = asks(&world, &player, 300, &player.phone()).await;
    requests::end(world.app(), &kept(&world, &second).await, &Ending::Done, &operator(&world)).await.unwrap();

    mpesa_decides(&world, &phone, json!({"outcome": "completed"})).await;
    let ledger = world.ledger().await;
    let (debt, losses) = (ledger.account(&format!("debt:{}", player.id)), ledger.account("losses"));
    assert_eq!(ledger.wallets[&player.id], 0);
    assert_eq!((debt, losses), if own { (-250, 0) } else { (0, -250) });
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (750, 0));

    // Both see it.
    assert_eq!(movements(&world, &player).await[0], ("correction".to_owned(), -200));
    let fresh = again(&world, &player).await;
    assert_eq!(fresh.get("/api/user").await.expect(200)["owed"], -debt);
    let withdrawals = fresh.get("/api/withdraw").await.expect(200);
    let first = withdrawals.as_array().unwrap().iter().find(|w| w["_id"] == *id).unwrap();
    assert_eq!((&first["status"], &first["corrected"]), (&json!("rejected"), &json!("paid")));
    assert!(first["receipt"].is_string());
    let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
    assert!(mails.iter().any(|mail| mail["subject"] == "Your wallet has been corrected"), "{mails:?}");
    let admin = world.admin().await;
    let cases = admin.get("/api/admin/set-asides").await.expect(200);
    assert!(cases[0]["reason"].as_str().unwrap().contains("is taken back"), "{cases}");
    let profile = admin.get(&format!("/api/admin/players/{}", player.id)).await.expect(200);
    assert_eq!(profile["owed"], -debt);
    assert_eq!(
        (&profile["acts"][0]["by"], &profile["acts"][0]["what"]),
        (&json!("mpesa"), &json!("correct-payout"))
    );

    // Told again, and asked again: nothing more.
    let result = json!({"Result": {"ResultCode": 0, "OriginatorConversationID": id,
        "ConversationID": kept(&world, &id).await.payout.unwrap().conversation_id, "ResultDesc": "Done."}});
    for _ in 0..2 {
        payouts::take_result(world.app(), &id, &result.to_string()).await.unwrap();
        payouts::recheck(world.app(), &id, 0).await.unwrap();
        world.advance(600).await;
    }
    assert_eq!(world.ledger().await.account("mpesa:out"), 750);
}

/// Who owes spends nothing, and whatever comes in pays it first, visibly.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn who_owes_spends_nothing_until_it_is_paid(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = owing(&world, 250).await;
    let before = world.nobody().get("/sim/api/prompts").await.expect(200);
    let owes = "You owe KSh 250: it was taken back after you had used it. Deposit it first; a deposit pays what you owe.";
    assert_eq!(player.join(50, 1).await.refused(400), owes);
    assert_eq!(player.pay(50, 1).await.refused(400), owes);
    let withdraw = json!({"mpesaNumber": player.phone(), "amount": 60});
    assert_eq!(player.post("/api/withdraw", withdraw).await.refused(400), owes);
    assert_eq!(world.nobody().get("/sim/api/prompts").await.expect(200), before, "nothing was pushed");

    let phone = player.phone();
    player.post("/api/deposits", json!({"phone": phone, "amount": 100})).await.expect(200);
    world.answer_prompt(&phone, json!({"outcome": "success"})).await;
    let user = player.get("/api/user").await.expect(200);
    assert_eq!((&user["wallet"], &user["owed"]), (&json!(0), &json!(150)));
    player.post("/api/deposits", json!({"phone": phone, "amount": 400})).await.expect(200);
    world.answer_prompt(&phone, json!({"outcome": "success"})).await;
    let user = player.get("/api/user").await.expect(200);
    assert_eq!((&user["wallet"], &user["owed"]), (&json!(250), &json!(0)));
    let movements = movements(&world, &player).await;
    let paid = |amount| ("debt-paid".to_owned(), amount);
    assert_eq!((&movements[0], &movements[2]), (&paid(-150), &paid(-100)), "{movements:?}");
    world.ledger().await;
    player.join(50, 1).await.expect(201);
}

/// What was asked for and nobody has paid covers what is taken back: neither is anything owed, nor is the rest
/// lost to the player.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn a_withdrawal_that_waits_covers_what_is_taken_back(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let first = asks(&world, &player, 300, &player.phone()).await;
    rejected(&world, &first).await;
    let second = asks(&world, &player, 500, &player.phone()).await;
    payouts::answered(world.app(), &kept(&world, &first).await, &completed(&first)).await.unwrap();
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account(&format!("debt:{}", player.id))), (200, 0));
    assert_eq!((ledger.account("withdrawals"), ledger.account("losses")), (0, 0));
    let withdrawal = kept(&world, &second).await;
    assert_eq!(withdrawal.status.into_str(), "rejected");
    assert!(withdrawal.reason.unwrap().contains("M-Pesa has paid another withdrawal"));
    let third = asks(&world, &player, 200, &player.phone()).await;
    world.admin().await.send(Method::POST, &format!("/api/withdraw/{third}/pay"), None).await.expect(200);
}

/// A number of nobody's, from which a thief pays.
const UNPROMPTED: &str = "0733000001";

/// A payment to the player's account from a phone that is nobody's. Answers its receipt.
async fn pays_by_hand(world: &World, player: &Person, amount: i64) -> String {
    let user = again(world, player).await.get("/api/user").await.expect(200);
    let body = json!({"phone": UNPROMPTED, "amount": amount, "accountReference": user["paybill"]["account"]});
    let receipt = world.sim(Method::POST, "/paybill", body).await["receipt"].as_str().unwrap().to_owned();
    world.advance(5).await;
    receipt
}

/// Paid in from a phone that was never asked, asked for at once at the player's own number, and taken back: the
/// money that waits covers it, newest first and no more than it takes. Nobody has lost anything.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn what_waits_to_be_paid_is_not_written_off(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let older = asks(&world, &player, 400, &player.phone()).await;
    let receipt = pays_by_hand(&world, &player, 150_000).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 150_100);
    let newer = asks(&world, &player, 150_000, &player.phone()).await;
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    world.advance(24 * 3600).await;

    let ledger = world.ledger().await;
    assert_eq!((ledger.account("losses"), ledger.account(&format!("debt:{}", player.id))), (0, 0));
    assert_eq!((ledger.wallets[&player.id], ledger.account("withdrawals")), (100, 400));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("mpesa:out")), (-500, 0));
    let rejected = kept(&world, &newer).await;
    let why = "M-Pesa has taken back a payment of yours, and this covers it.";
    assert_eq!((rejected.status.into_str(), rejected.reason.as_deref()), ("rejected", Some(why)));
    assert_eq!(kept(&world, &older).await.status.into_str(), "pending", "no more than it takes");
    let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
    let told = mails.iter().filter(|mail| mail["subject"] == "Your withdrawal of KSh 150,000 was rejected");
    assert_eq!(told.count(), 1, "{mails:?}");
    // What is left is paid as ever.
    let admin = world.admin().await;
    admin.send(Method::POST, &format!("/api/withdraw/{newer}/pay"), None).await.refused(409);
    admin.send(Method::POST, &format!("/api/withdraw/{older}/pay"), None).await.expect(200);
}

/// Nothing covers it: what was paid from another's phone and is spent is our loss, and the player goes on.
#[rstest]
#[case::masked_light(Safeguards::Light, true)]
#[case::masked_full(Safeguards::Full, true)]
#[case::released_light(Safeguards::Light, false)]
#[case::released_full(Safeguards::Full, false)]
#[tokio::test]
async fn what_is_taken_back_from_another_phone_is_lost(#[case] safeguards: Safeguards, #[case] masked: bool) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let receipt = if masked {
        world.faults(json!({"payer": "masked"})).await;
        pays_by_hand(&world, &player, 300).await
    } else {
        // Of the player's own number, which an admin has released since.
        let receipt = deposits(&world, &player, 300).await;
        let path = format!("/api/admin/players/{}/release-number", player.id);
        let body = json!({"phone": player.phone(), "reason": "The line has another holder now."});
        world.admin().await.post(&path, body).await.expect(200);
        receipt
    };
    again(&world, &player).await.join(250, 1).await.expect(201);
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    app::ledger::reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("losses"), ledger.account(&format!("debt:{}", player.id))), (-250, 0));
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (0, 0));
    let seen = world.admin().await.get("/api/admin/books").await.expect(200);
    assert_eq!(
        (&seen["reversals"][0]["owed"], &seen["reversals"][0]["lost"]),
        (&json!(0), &json!(250)),
        "{seen}"
    );
    let fresh = again(&world, &player).await;
    assert_eq!(fresh.get("/api/user").await.expect(200)["owed"], 0);
}

/// A withdrawal of which M-Pesa has said something is left to the admins, and waits while its player comes to owe
/// something: it is neither paid nor marked as done. Rejected, what comes back pays the debt.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn a_withdrawal_that_waits_is_not_paid_to_who_owes(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let first = asks(&world, &player, 300, &player.phone()).await;
    rejected(&world, &first).await;
    let second = asks(&world, &player, 500, &player.phone()).await;
    let trouble = "M-Pesa reports another amount than was asked for.";
    assert!(world.app().store().contest_withdrawal(&kept(&world, &second).await, trouble).await.unwrap());
    payouts::answered(world.app(), &kept(&world, &first).await, &completed(&first)).await.unwrap();
    assert_eq!(world.ledger().await.account(&format!("debt:{}", player.id)), -300);

    let owes = "This player owes KSh 300, which was taken back after it had been used. Reject this withdrawal: what \
                comes back pays it.";
    let admin = world.admin().await;
    let path = format!("/api/withdraw/{second}");
    assert_eq!(admin.send(Method::POST, &format!("{path}/pay"), None).await.refused(409), owes);
    let done = json!({"status": "done"});
    assert_eq!(admin.send(Method::PUT, &path, Some(done)).await.refused(409), owes);
    let reject = json!({"status": "rejected", "reason": "Something is owed."});
    admin.send(Method::PUT, &path, Some(reject)).await.expect(200);
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account(&format!("debt:{}", player.id))), (200, 0));
    let third = asks(&world, &player, 200, &player.phone()).await;
    world.admin().await.send(Method::POST, &format!("/api/withdraw/{third}/pay"), None).await.expect(200);
}

/// A prompt for an entry was under way when the debt came about: it pays the debt and makes no entry.
#[tokio::test]
async fn a_prompt_for_an_entry_pays_what_is_owed_first() {
    let world = World::start().await;
    let player = world.player_with(450).await;
    let id = asks(&world, &player, 450, &player.phone()).await;
    rejected(&world, &id).await;
    let again = asks(&world, &player, 430, &player.phone()).await;
    requests::end(world.app(), &kept(&world, &again).await, &Ending::Done, &operator(&world)).await.unwrap();
    let checkout = player.pay(50, 1).await.expect(200)["checkoutId"].as_str().unwrap().to_owned();
    payouts::answered(world.app(), &kept(&world, &id).await, &completed(&id)).await.unwrap();
    assert_eq!(player.get("/api/user").await.expect(200)["owed"], 430);
    world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    let status = player.get(&format!("/api/pay/status?checkoutId={checkout}")).await.expect(200);
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(false)));
    assert!(status["message"].as_str().unwrap().starts_with("You owe KSh 430"), "{status}");
    let user = player.get("/api/user").await.expect(200);
    assert_eq!((&user["wallet"], &user["owed"]), (&json!(0), &json!(380)));
    world.ledger().await;
}

/// Somebody who owes so much, by a payout that was returned, spent and then paid.
pub async fn owing(world: &World, amount: i64) -> Person {
    let player = world.player_with(amount).await;
    world.advance(25 * 3600).await;
    let id = asks(world, &player, amount, &player.phone()).await;
    rejected(world, &id).await;
    let second = asks(world, &player, amount, &player.phone()).await;
    requests::end(world.app(), &kept(world, &second).await, &Ending::Done, &operator(world)).await.unwrap();
    payouts::answered(world.app(), &kept(world, &id).await, &completed(&id)).await.unwrap();
    again(world, &player).await
}

async fn rejected(world: &World, id: &str) {
    let ending = Ending::Rejected { reason: "Wrong number.".to_owned() };
    assert!(requests::end(world.app(), &kept(world, id).await, &ending, &operator(world)).await.unwrap());
}

/// M-Pesa's answer to a question about a payout: it is paid.
pub fn completed(id: &str) -> String {
    let parameter = |key: &str, value: Value| json!({"Key": key, "Value": value});
    let parameters = json!([
        parameter("TransactionStatus", json!("Completed")),
        parameter("ReceiptNo", json!("SG632NMUAB")),
        parameter("CreditPartyName", json!("254712000001 - JANE"))
    ]);
    json!({"Result": {"ResultCode": 0, "ResultDesc": "Done.", "OriginatorConversationID": id,
        "ConversationID": "AG_1", "ResultParameters": {"ResultParameter": parameters}}})
    .to_string()
}

/// Marked as done by hand, and M-Pesa pays it too (its order had arrived): the operator's loss, told to the
/// admins. Nothing is taken from the player: whether both came nobody but an admin can find out.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn what_was_marked_as_done_and_paid_too_is_a_loss(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(25 * 3600).await;
    let id = asks(&world, &player, 450, &player.phone()).await;
    world.faults(json!({"payouts": "unknown"})).await;
    let path = |of: &str| format!("/hooks/b2c/{of}/{id}");
    let secrets = world.app().secrets();
    let urls = ResultUrls {
        result: format!("{}{}", world.base, secrets.hook_path(&path("result")).await.unwrap()),
        timeout: format!("{}{}", world.base, secrets.hook_path(&path("timeout")).await.unwrap()),
    };
    let order = Order {
        id: id.clone(),
        shortcode: world.app().config().daraja.b2c_shortcode.clone(),
        phone: format!("254{}", &player.phone()[1..]),
        amount: 450,
        remarks: "Withdrawal".to_owned(),
        urls,
    };
    world.app().pay_out(&order).await.unwrap().unwrap();
    requests::end(world.app(), &kept(&world, &id).await, &Ending::Done, &operator(&world)).await.unwrap();
    mpesa_decides(&world, &player.phone(), json!({"outcome": "completed"})).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.account("losses")), (900, -450));
    assert_eq!((ledger.wallets[&player.id], ledger.account("withdrawals")), (50, 0));
    let cases = world.admin().await.get("/api/admin/set-asides").await.expect(200);
    assert!(cases[0]["reason"].as_str().unwrap().contains("our loss"), "{cases}");
}

/// An admin says that it was paid, and M-Pesa says that it was not: the money is the player's again.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn what_counted_as_paid_and_was_not_is_given_back(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let id = asks(&world, &player, 450, &player.phone()).await;
    world.advance(25 * 3600).await;
    resolved(&world, &id, SetAsideAct::Paid).await;
    assert_eq!(world.ledger().await.account("mpesa:out"), 450);
    mpesa_decides(&world, &player.phone(), json!({"outcome": "failed"})).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.wallets[&player.id]), (0, 500));
    assert_eq!(movements(&world, &player).await[0], ("correction".to_owned(), 450));
    assert_eq!(kept(&world, &id).await.corrected.unwrap().into_str(), "failed");
}

/// A success that somebody posts under the right address, of a payout that M-Pesa does not know, moves nothing.
#[tokio::test]
async fn a_word_that_m_pesa_does_not_stand_by_moves_nothing() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    let id = asks(&world, &player, 450, &player.phone()).await;
    rejected(&world, &id).await;
    let posted =
        json!({"Result": {"ResultCode": 0, "OriginatorConversationID": id, "ConversationID": "AG_1"}});
    payouts::take_result(world.app(), &id, &posted.to_string()).await.unwrap();
    world.advance(3 * 3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 500);
    let withdrawal = kept(&world, &id).await;
    assert_eq!(withdrawal.corrected, None);
    assert_eq!(withdrawal.trouble.as_deref(), Some("The money went back, and M-Pesa has paid it."));
}

/// A deposit of 20,000 is paid out and then reversed: the next night it is booked, and both see it.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn a_deposit_that_m_pesa_takes_back_is_booked_the_next_night(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.fund(&world.player().await, 90_000).await;
    let player = world.player().await;
    let receipt = deposits(&world, &player, 20_000).await;
    world.advance(26 * 3600).await;
    let id = asks(&world, &player, 15_000, &player.phone()).await;
    let admin = interleavings::player(world.app(), &world.admin().await).await;
    payouts::pay(world.app(), &kept(&world, &id).await, &by(&world, &admin)).await.unwrap().unwrap();
    world.advance(60).await;
    assert_eq!(kept(&world, &id).await.status.into_str(), "done");
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 5000, "nobody has told us yet");

    world.advance(24 * 3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account(&format!("debt:{}", player.id))), (0, -15_000));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (-90_000, 0));
    assert_eq!(movements(&world, &player).await[0], ("reversal".to_owned(), -5000));
    let user = again(&world, &player).await.get("/api/user").await.expect(200);
    assert_eq!((&user["wallet"], &user["owed"]), (&json!(0), &json!(15_000)));
    let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
    let told =
        mails.iter().find(|mail| mail["subject"] == "M-Pesa has taken back your payment of KSh 20,000");
    let text = told.expect("a mail")["text"].as_str().unwrap();
    assert!(
        text.contains(&receipt) && text.contains("KSh 15,000 was not there any more: you owe it"),
        "{text}"
    );

    let admin = world.admin().await;
    let seen = admin.get("/api/admin/books").await.expect(200);
    let item = &seen["reversals"][0];
    assert_eq!((&item["receipt"], &item["userId"]), (&json!(receipt), &json!(player.id)));
    assert_eq!(
        (&item["amount"], &item["fromWallet"], &item["owed"], &item["lost"]),
        (&json!(20_000), &json!(5000), &json!(15_000), &json!(0))
    );
    assert_eq!(
        (&seen["report"]["found"], seen["report"]["float"]["said"] == "differs"),
        (&json!(0), false),
        "{seen}"
    );
    let profile = admin.get(&format!("/api/admin/players/{}", player.id)).await.expect(200);
    assert_eq!(profile["acts"][0]["what"], "reverse-receipt");
    // The nights after it is asked about no more, and nothing moves.
    world.advance(3 * 24 * 3600).await;
    assert_eq!(world.ledger().await.account("mpesa:in"), -90_000);
}

/// A deposit, paid. Answers its receipt.
async fn deposits(world: &World, player: &Person, amount: i64) -> String {
    let phone = player.phone();
    player.post("/api/deposits", json!({"phone": phone, "amount": amount})).await.expect(200);
    let paid = world.answer_prompt(&phone, json!({"outcome": "success"})).await;
    paid["receipt"].as_str().unwrap().to_owned()
}

/// What was entered stays entered: others play in that league. The stake is owed.
#[tokio::test]
async fn an_entry_whose_payment_is_taken_back_stays_and_is_owed() {
    let world = World::start().await;
    let player = world.player().await;
    player.pay(50, 1).await.expect(200);
    let paid = world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    let receipt = paid["receipt"].as_str().unwrap();
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    app::ledger::reversals::take_back(world.app(), receipt, None).await.unwrap();
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account(&format!("debt:{}", player.id))), (50, -50));
    assert_eq!(player.join(50, 1).await.refused(409), "You already joined this gameweek.");
}
