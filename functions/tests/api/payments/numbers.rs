//! Accounts at the paybill, and numbers that are one player's.

use domain::{MpesaPhone, PaybillAccount, UserId, payments::prompt::PaymentState};
use jiff::{SignedDuration, Timestamp};
use local::process::Fate;
use rstest::rstest;
use serde_json::json;
use store::{
    accounts::players::Player,
    admin::audit::{AuditAction, AuditRecord, Who},
    payments::{numbers::Claimed, prompts::Payment},
};

use crate::support::{
    Person, World, at_once,
    mpesa::{paid, paid_calling_back},
};

#[tokio::test]
async fn every_player_has_an_account_at_the_paybill_from_sign_up_on() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let (first, second) = (one.paybill_account().await, other.paybill_account().await);
    assert_ne!(first, second);
    for (person, text) in [(&one, &first), (&other, &second)] {
        let parsed = PaybillAccount::parse(text).unwrap();
        let holder = world.app().store().player_by_account(parsed).await.unwrap().unwrap();
        assert_eq!(holder.id.as_str(), person.id);
        assert_eq!(world.stored(person).await.account, Some(parsed), "it came with sign-up");
    }
}

/// A player of before gets one when it is first asked for: one, however many ask at once, wherever one dies.
#[tokio::test]
async fn a_player_of_before_gets_an_account_when_it_is_first_asked_for() {
    let world = World::start().await;
    let person = world.player().await;
    let update = json!({
        "TableName": world.app().config().table_name,
        "Key": {"pk": {"S": format!("USER#{}", person.id)}, "sk": {"S": "PROFILE"}},
        "UpdateExpression": "REMOVE account",
    });
    world.dynamo().call("UpdateItem", &update).await.unwrap();
    assert_eq!(world.stored(&person).await.account, None);
    let asks = (0..8).map(|_| {
        let person = person.clone();
        async move { person.paybill_account().await }
    });
    let mut told = Vec::new();
    for ask in at_once(asks).await {
        told.push(ask);
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(world.stored(&person).await.account.map(|own| own.to_string()), told.pop());
}

/// A process that has read a player before an account was given gives no second one, nor one to nobody.
#[tokio::test]
async fn the_account_that_was_given_first_stays() {
    let (world, player) = World::with_player(0).await;
    let (store, stored) = (world.app().store(), world.stored(&player).await);
    let (given, free) = (stored.account.unwrap(), PaybillAccount::picked_by(5));
    let read = Player { account: None, ..stored };
    assert_eq!(store.give_account(&read, [free]).await.unwrap(), given);
    let nobody = Player { id: UserId::parse(&store::random_id()).unwrap(), ..read };
    assert!(store.give_account(&nobody, [free]).await.is_err());
    assert!(store.player_by_account(free).await.unwrap().is_none());
}

/// The number of the first prompt that was paid is the player's, which is mailed; it counts for money a day later.
#[tokio::test]
async fn a_paid_prompt_makes_its_number_the_players_own() {
    let (world, player) = World::with_player(0).await;
    let (phone, email) = (player.phone(), player.email());
    let number = MpesaPhone::for_deposit(&phone).unwrap();
    let app = world.app();
    let prompt = json!({"phone": phone, "amount": 100});
    player.post("/api/deposits", prompt.clone()).await.expect(200);
    world.answer_prompt(&phone, json!({"outcome": "cancelled"})).await;
    assert_eq!(app.store().own_number(&number).await.unwrap(), None, "it was not paid");

    player.post("/api/deposits", prompt.clone()).await.expect(200);
    world.answer_prompt(&phone, paid_calling_back("duplicate")).await;
    let own = app.store().own_number(&number).await.unwrap().expect("claimed");
    let who = world.stored(&player).await;
    assert!(own.is_of(&who.id));
    let mails = world.every_mail(&email).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0]["subject"], format!("{} is your number now", number.masked()));
    assert!(!mails[0].to_string().contains(&phone), "masked");

    let day = SignedDuration::from_hours(24);
    assert!(!app::payments::numbers::is_own(app, &who, &number, own.since).await.unwrap());
    assert!(app::payments::numbers::is_own(app, &who, &number, own.since + day).await.unwrap());
    let other = world.player().await;
    let other = world.stored(&other).await;
    assert!(!app::payments::numbers::is_own(app, &other, &number, own.since + day).await.unwrap());
    // Another one that is paid changes nothing and mails nothing.
    world.advance(130).await;
    player.post("/api/deposits", prompt).await.expect(200);
    world.answer_prompt(&phone, paid()).await;
    assert_eq!(app.store().own_number(&number).await.unwrap(), Some(own));
    assert_eq!(world.every_mail(&email).await.len(), 1);
}

/// Whoever has taken an account over, by its mail, does not make a number of theirs its own for money.
#[tokio::test]
async fn a_number_that_was_proved_near_a_new_password_counts_once_it_is_proved_again() {
    let (world, player) = World::with_player(0).await;
    let (app, email) = (world.app(), player.email());
    world.reset_password(&email, "battery staple").await;
    let log_in = async || world.log_in(&email, "battery staple").await.with_number(player.n);

    let phone = player.phone();
    let number = MpesaPhone::for_deposit(&phone).unwrap();
    let pay = async |amount: i64| {
        let player = log_in().await;
        player.prompt(amount).await;
        world.answer_prompt(&phone, paid()).await;
        world.stored(&player).await
    };
    let who = pay(100).await;
    let own = app.store().own_number(&number).await.unwrap().expect("against others it counts at once");
    assert!(own.is_of(&who.id));
    let days = |n: i64| SignedDuration::from_hours(24 * n);
    let now = app.clock().now();
    assert!(!app::payments::numbers::is_own(app, &who, &number, now + days(30)).await.unwrap());
    world.advance(12 * 3600).await;
    let who = pay(101).await;
    assert!(
        !app::payments::numbers::is_own(app, &who, &number, now + days(30)).await.unwrap(),
        "still within the day"
    );
    world.advance(13 * 3600).await;
    let who = pay(102).await;
    let now = app.clock().now();
    assert!(!app::payments::numbers::is_own(app, &who, &number, now).await.unwrap(), "a day later, from now");
    assert!(app::payments::numbers::is_own(app, &who, &number, now + days(1)).await.unwrap());
    let again = app.store().own_number(&number).await.unwrap().unwrap();
    assert_eq!((again.since, again.payment_id), (own.since, own.payment_id));
}

/// A prompt of a player to `phone`, sent `at` that time and paid.
fn prompt(person: &Person, phone: &MpesaPhone, at: Timestamp) -> Payment {
    let prompt = json!({"id": store::random_id(), "userId": person.id, "phone": phone, "amount": 100,
        "state": PaymentState::Success, "createdAt": at});
    serde_json::from_value(prompt).unwrap()
}

fn release(at: Timestamp) -> AuditRecord {
    AuditRecord::new(Who::Operator, AuditAction::ReleaseNumber, "a test", at)
}

/// Two players have paid from one phone, and one claim stands still before it writes: the number is the other's, also where it
/// was released before.
#[rstest]
#[case::it_was_nobodys(false)]
#[case::it_was_released(true)]
#[tokio::test]
async fn of_two_claims_at_once_the_first_one_stands(#[case] released: bool) {
    let world = World::start().await;
    let (one, other, before) = (world.player().await, world.player().await, world.player().await);
    let phone = MpesaPhone::for_deposit("0712345678").unwrap();
    let (store, now) = (world.app().store(), world.app().clock().now());
    if released {
        assert_eq!(store.claim_number(&prompt(&before, &phone, now), None, now).await.unwrap(), Claimed::Now);
        let player = world.stored(&before).await;
        assert!(store.release_number(&player, &phone, &release(now)).await.unwrap());
    }
    let sent = now + SignedDuration::from_secs(60);
    let (first, second) = (prompt(&one, &phone, sent), prompt(&other, &phone, sent));
    let process = world.process(Fate::WaitsBefore(1));
    let late = process.app().store().claim_number(&second, None, sent);
    let meanwhile = async {
        assert_eq!(store.claim_number(&first, None, sent).await.unwrap(), Claimed::Now);
    };
    assert_eq!(process.run_around(late, meanwhile).await.unwrap(), Claimed::No);
    assert!(store.own_number(&phone).await.unwrap().unwrap().is_of(&one.user_id()));
}

/// A prompt proves a number anew when an admin has just released it, and it has become another player's, near a new password of
/// theirs: it does not count for them by that.
#[tokio::test]
async fn nobody_proves_a_number_that_is_anothers_by_now() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let phone = MpesaPhone::for_deposit("0712345678").unwrap();
    let (store, now) = (world.app().store(), world.app().clock().now());
    let first = prompt(&one, &phone, now);
    assert_eq!(store.claim_number(&first, Some(now), now).await.unwrap(), Claimed::Now);
    let later = now + SignedDuration::from_hours(48);
    let (again, process) = (prompt(&one, &phone, later), world.process(Fate::WaitsBefore(1)));
    let proves = process.app().store().claim_number(&again, Some(now), later);
    let changes_hands = async {
        let player = world.stored(&one).await;
        assert!(store.release_number(&player, &phone, &release(later)).await.unwrap());
        let sent = later + SignedDuration::from_secs(60);
        let others = prompt(&other, &phone, sent);
        assert_eq!(store.claim_number(&others, Some(sent), sent).await.unwrap(), Claimed::Now);
    };
    assert_eq!(process.run_around(proves, changes_hands).await.unwrap(), Claimed::No);
    let own = store.own_number(&phone).await.unwrap().unwrap();
    assert!(own.is_of(&other.user_id()) && own.proof.near_reset, "{own:?}");
}

/// An admin releases what is this player's own, once.
#[tokio::test]
async fn a_number_is_released_once_and_of_its_player() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let phone = MpesaPhone::for_deposit("0712345678").unwrap();
    let (store, now) = (world.app().store(), world.app().clock().now());
    let claimed = store.claim_number(&prompt(&one, &phone, now), None, now).await.unwrap();
    assert_eq!(claimed, Claimed::Now);
    let later = now + SignedDuration::from_secs(60);
    for (person, at, done) in [(&other, now, false), (&one, now, true), (&one, later, false)] {
        let player = world.stored(person).await;
        assert_eq!(store.release_number(&player, &phone, &release(at)).await.unwrap(), done);
    }
    assert_eq!(store.own_number(&phone).await.unwrap().unwrap().released_at, Some(now));
}
