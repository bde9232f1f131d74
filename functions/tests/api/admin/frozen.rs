//! A frozen account: sessions end, nobody logs in, nothing is entered or paid out; money still comes in.

use app::{
    admin::changes::{self, Change},
    withdrawals::endings::Ending,
};
use domain::{EntryAmount, Kes, withdrawals::requests::WithdrawalStatus};
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::{admin::audit::Who, entries::Joined};

use crate::support::{
    PASSWORD, Person, World,
    money::done,
    processes::{self, freeze, held_up_at_every_step, process_callback},
    read,
};

#[tokio::test]
async fn a_frozen_account_rests_until_it_is_unfrozen() {
    let world = World::start().await;
    let (person, id) = world.withdrawing().await;
    let link = world.cancellation_link(&person).await;
    let log_in = async |person: &Person| {
        let body = json!({"email": person.email(), "password": PASSWORD});
        world.nobody().post("/api/login", body).await
    };
    world.change_player(&person.id, json!({"frozen": true})).await.refused(400);
    let frozen =
        world.change_player(&person.id, json!({"frozen": true, "reason": "A thief."})).await.expect(200);
    assert_eq!(frozen["frozen"], true);

    person.get("/api/user").await.refused(401);
    read(person.request(Method::POST, "/refresh")).await.refused(401);
    let told = log_in(&person).await.expect(403);
    assert_eq!(told["status"], "frozen");
    assert_eq!(told["message"], "Your account is frozen. Please contact us.");
    let wrong = json!({"email": person.email(), "password": "something else"});
    assert_eq!(world.nobody().post("/api/login", wrong).await.expect(401)["status"], "notexist");

    let admin = world.admin().await;
    let path = format!("/api/withdraw/{id}");
    assert_eq!(admin.get("/api/withdraw").await.expect(200)[0]["flags"][2], "frozen");
    let why = "This account is frozen: nothing can be paid out of it.";
    let put = |body: Value| admin.put(&path, body);
    assert_eq!(admin.send(Method::POST, &format!("{path}/pay"), None).await.refused(409), why);
    assert_eq!(put(done()).await.refused(409), why);
    assert_eq!(world.ledger().await.account("mpesa:out"), 0);

    // Money still comes in, and what waits can go back.
    let account = admin.get(&format!("/api/admin/players/{}", person.id)).await.text(200, "paybillAccount");
    world.paybill(json!({"phone": person.phone(), "amount": 70, "accountReference": account})).await;
    world.advance(60).await;
    world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.expect(200);
    assert_eq!(world.ledger().await.wallets[&person.id], 570);

    assert_eq!(
        world
            .change_player(&person.id, json!({"frozen": false, "reason": "It was the player."}))
            .await
            .expect(200)["frozen"],
        false
    );
    person.get("/api/user").await.refused(401);
    let token = log_in(&person).await.text(200, "accessToken");
    let person = Person { token: Some(token), ..person };
    assert_eq!(person.wallet().await, 570);
    person.join(50, 1).await.expect(201);
}

/// What is under way when the account is frozen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moves {
    Enters,
    Withdraws,
}

/// Held up before each of its steps, while the account is frozen: nothing has moved, unless it had before.
#[rstest]
#[case::an_entry(Moves::Enters)]
#[case::a_withdrawal(Moves::Withdraws)]
#[tokio::test]
async fn nothing_is_spent_once_it_is_frozen(#[case] moves: Moves) {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.player_with(100).await,
        async |app, person| match moves {
            Moves::Enters => _ = processes::join(app, person, EntryAmount::Hundred).await,
            Moves::Withdraws => _ = processes::withdraw(app, person, 100, None).await,
        },
        async |app, person| freeze(app, person).await,
    )
    .await;
    let ledger = world.ledger().await;
    // A withdrawal sends its message first; then the money moves.
    let before_the_money = if moves == Moves::Enters { 1 } else { 2 };
    for (step, person) in subjects.iter().enumerate() {
        let spent = ledger.wallets[&person.id] == 0;
        assert_eq!(spent, step >= before_the_money, "{moves:?}, frozen before step {}", step + 1);
    }
}

/// The same of an entry whose player is suspended, or asked for a proof of age.
#[rstest]
#[case::suspended(Change::Suspended(true))]
#[case::asked_for_a_proof_of_age(Change::AgeProofWanted(true))]
#[tokio::test]
async fn nothing_is_entered_once_its_player_is_looked_into(#[case] change: Change) {
    let (world, person) = World::with_player(100).await;
    let process = world.process(Fate::WaitsBefore(1));
    let enters = processes::join(process.app(), &person, EntryAmount::Hundred);
    let looked_into = async {
        changes::change(world.app(), &person.user_id(), change, Who::Operator, "A test.").await.unwrap();
    };
    assert_eq!(process.run_around(enters, looked_into).await, Joined::AccountChanged);
    let wallet = world.app().store().wallet(&person.user_id()).await.unwrap();
    assert_eq!(wallet.balance, Kes::new(100));
}

#[rstest]
#[case::paid(true)]
#[case::marked_as_done(false)]
#[tokio::test]
async fn nothing_is_paid_out_once_it_is_frozen(#[case] by_mpesa: bool) {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.withdrawing().await,
        async |app, (_, id)| {
            if by_mpesa {
                let _sent_or_refused = processes::pay_out(app, id, &admin).await;
            } else {
                processes::end_withdrawal(app, id, Ending::Done).await;
            }
        },
        async |app, (person, _)| freeze(app, person).await,
    )
    .await;
    world.advance(3600).await;
    let mut out = 0;
    // Marking as done sends its message first.
    let before_the_money = if by_mpesa { 1 } else { 2 };
    for (step, (_, id)) in subjects.iter().enumerate() {
        let withdrawal = world.stored_withdrawal(id).await;
        let moved = withdrawal.status == WithdrawalStatus::Done;
        assert_eq!(moved, step >= before_the_money, "frozen before step {}: {withdrawal:?}", step + 1);
        out += if moved { 450 } else { 0 };
    }
    assert_eq!(world.ledger().await.account("mpesa:out"), out);
}

/// A prompt for an entry that is paid: the money is credited, and nothing is entered.
#[tokio::test]
async fn a_prompt_of_a_frozen_account_credits_and_enters_nothing() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.paid_prompt("/api/pay", 50).await,
        process_callback,
        async |app, paid| freeze(app, &paid.player).await,
    )
    .await;
    let ledger = world.ledger().await;
    let mut entered = 0;
    for paid in &subjects {
        let payment = world.app().store().payment(&paid.id).await.unwrap().unwrap();
        assert_eq!(payment.state, domain::payments::prompt::PaymentState::Success);
        entered += usize::from(payment.entered);
        assert_eq!(ledger.wallets[&paid.player.id], if payment.entered { 0 } else { 50 });
        let frozen = "Your account is frozen. Please contact us. Your money is in your wallet.";
        assert!(payment.entered || payment.reason.as_deref() == Some(frozen), "{:?}", payment.reason);
    }
    assert!(entered < subjects.len(), "some were frozen first");
}
