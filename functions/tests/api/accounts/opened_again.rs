//! An account that was closed, when its week is over: what opens it again, and what does not.

use app::accounts::erasure;
use domain::{Kes, ledger::postings::Posting};
use jiff::SignedDuration;
use local::process::Fate;
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, World, assert_has,
    mpesa::paid_unheard,
    njeri::{CLOSURE, EMAIL, NAME, again, njeri, right},
};

#[tokio::test]
async fn money_that_comes_in_opens_it_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let account = player.paybill_account().await;
    player.post(CLOSURE, right()).await.expect(200);
    world.paybill(json!({"phone": player.phone(), "amount": 100, "accountReference": account})).await;
    world.advance(7 * 24 * 3600 + 3700).await;
    let player = again(&world).await;
    assert_eq!(player.wallet().await, 100);
    assert_eq!(world.mails_about(EMAIL, "Your FPL Leagues account is open again").await.len(), 1);
}

/// Whoever stole its password has closed it: an admin sees so, and until when. Frozen it outlives the week, and with as much
/// in the wallet as can be withdrawn it is open again once the freeze has ended (docs/runbook.md, "The security log").
#[tokio::test]
async fn a_frozen_one_is_kept_and_with_money_in_it_opened_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let account = player.paybill_account().await;
    let profile = async || world.profile(&player.id).await;
    assert_has(&profile().await["player"], json!({"closedAt": null, "erasedAt": null}));
    let closed = player.post(CLOSURE, right()).await.expect(200);
    let freeze = |so: bool| world.change_player(&player.id, json!({"frozen": so, "reason": "A test."}));
    freeze(true).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    let kept = profile().await["player"].clone();
    assert!(kept["closedAt"].is_string());
    assert_has(&kept, json!({"frozen": true, "erasedAt": closed["erasedAt"]}));

    world.paybill(json!({"phone": "0798765432", "amount": 30, "accountReference": account})).await;
    let correction = json!({"correctionId": "a".repeat(32), "amount": 30, "reason": "To open it again."});
    let path = format!("/api/admin/players/{}/corrections", player.id);
    world.admin().await.post(&path, correction).await.expect(200);
    world.advance(60).await;
    assert_eq!(profile().await["wallet"], 60);
    freeze(false).await.expect(200);
    let log_in = json!({"email": EMAIL, "password": PASSWORD});
    assert_eq!(world.nobody().post("/api/login", log_in).await.expect(403)["code"], "account_closed");
    world.advance(3700).await;
    assert_eq!(again(&world).await.wallet().await, 60);
    assert_eq!(profile().await["player"]["closedAt"], Value::Null);
}

/// A prompt that failed turns out to be paid after the closing: the money is its player's, however little it is.
#[tokio::test]
async fn a_prompt_that_is_paid_after_all_opens_it_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.schedule("erase-accounts", false).await;
    player.post(CLOSURE, right()).await.expect(200);
    let (id, now) = (player.user_id(), world.app().clock().now());
    let paid = Posting::deposit(&id, &store::random_id(), Kes::new(50));
    // Its crediting had begun before the closing.
    world.app().store().credit_wallet(&id, &paid, now - SignedDuration::from_mins(1)).await.unwrap();
    world.advance(7 * 24 * 3600 + 60).await;
    world.start_job("erase-accounts").await;
    world.advance(60).await;
    assert_eq!(again(&world).await.wallet().await, 50);
}

/// M-Pesa says that a prompt has failed, and confirms hours later that it was paid: that comes by the paybill.
#[tokio::test]
async fn a_failed_prompt_that_a_confirmation_says_was_paid_opens_it_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.schedule("erase-accounts", false).await;
    world.faults(json!({"daraja": "pending"})).await;
    player.deposit(&player.phone(), 50).await.expect(200);
    world.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(120).await;
    player.post(CLOSURE, right()).await.expect(200);
    let payment = json!({"phone": player.phone(), "amount": 50, "accountReference": NAME, "confirm": true});
    let receipt = world.paybill(payment).await;
    world.advance(7 * 24 * 3600 + 60).await;
    world.start_job("erase-accounts").await;
    world.advance(60).await;
    let player = again(&world).await;
    assert_has(&player.movements().await[0], json!({"kind": "paybill", "receipt": receipt}));
    assert_eq!(player.wallet().await, 50);
}

/// The same of a prompt for an entry: it makes none. In a league the money could be lost, and nothing would open the account.
#[tokio::test]
async fn a_failed_prompt_for_an_entry_that_was_paid_makes_none_and_opens_it_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
    world.call_back(&player, &id, 1032, None).await;
    world.advance(1800).await;
    assert_eq!(world.entry_payment_status(&id).await["status"], "FAILED");
    world.faults(json!({"daraja": "none"})).await;
    let player = again(&world).await;
    player.post(CLOSURE, right()).await.expect(200);
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.advance(60).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": false}));
    world.advance(7 * 24 * 3600 + 3700).await;
    let player = again(&world).await;
    assert_eq!((player.wallet().await, &player.entries().await["entries"]), (50, &json!([])));
    assert_eq!(world.mails_about(EMAIL, "Your FPL Leagues account is open again").await.len(), 1);
}

/// Two runs of the job find the money, and one of them is held up. The other one opens the account, whose player logs in and
/// closes it again: it stays closed, and is erased when that week is over.
#[tokio::test]
async fn what_its_player_has_closed_again_is_not_opened_by_a_run_that_is_late() {
    let world = World::start().await;
    world.schedule("erase-accounts", false).await;
    let store = world.app().store();
    for step in 1.. {
        let player = world.player().await;
        player.post(CLOSURE, right()).await.expect(200);
        let (id, now) = (player.user_id(), world.app().clock().now());
        let paid = Posting::deposit(&id, &store::random_id(), Kes::new(20));
        store.credit_wallet(&id, &paid, now).await.unwrap();
        world.advance(7 * 24 * 3600 + 60).await;
        let process = world.process(Fate::WaitsBefore(step));
        let meanwhile = async {
            erasure::erase(world.app()).await.unwrap();
            world.again(&player).await.post(CLOSURE, right()).await.expect(200);
        };
        process.run_around(erasure::erase(process.app()), meanwhile).await.unwrap();
        if process.tally().steps < step {
            assert!(step > 2, "{step}");
            return;
        }
        let kept = store.player(&id).await.unwrap().unwrap();
        assert!(kept.closed_at.is_some(), "it was held up before step {step}");
        world.advance(7 * 24 * 3600 + 60).await;
        erasure::erase(world.app()).await.unwrap();
        assert!(store.player(&id).await.unwrap().is_none(), "it was held up before step {step}");
    }
}

/// What is left below the least withdrawal keeps no account open, and nobody opens another's again by a shilling.
#[tokio::test]
async fn less_than_can_be_withdrawn_stays_in_the_books() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.fund(&player, 58).await;
    let account = player.paybill_account().await;
    player.post(CLOSURE, right()).await.expect(200);
    world.paybill(json!({"phone": "0798765432", "amount": 1, "accountReference": account})).await;
    world.advance(7 * 24 * 3600 + 3700).await;
    assert!(world.app().store().player(&player.user_id()).await.unwrap().is_none());
    assert_eq!(world.ledger().await.wallets[&player.id], 59);
}

/// Wherever the job dies: its player is told once, and the money is there.
#[tokio::test]
async fn whose_account_is_open_again_is_told_wherever_the_job_dies() {
    let world = World::start().await;
    world.schedule("erase-accounts", false).await;
    for step in 1.. {
        let player = world.player().await;
        let account = player.paybill_account().await;
        player.post(CLOSURE, right()).await.expect(200);
        world.paybill(json!({"phone": player.phone(), "amount": 100, "accountReference": account})).await;
        world.advance(7 * 24 * 3600 + 60).await;
        let process = world.process(Fate::DiesAfter(step));
        let lived = process.run(erasure::erase(process.app())).await.is_some();
        erasure::erase(world.app()).await.unwrap();
        world.advance(120).await;
        let told = world.mails_about(&player.email(), "Your FPL Leagues account is open again").await;
        let wallet = world.again(&player).await.wallet().await;
        assert_eq!((told.len(), wallet), (1, 100), "it died after step {step}");
        if lived {
            assert!(step > 3, "{step}");
            return;
        }
    }
}
