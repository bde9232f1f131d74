//! 250,000 of unplayed deposits are withdrawn to a stranger's number, also from a suspended account.
//! It is flagged, waits, is mailed at once, and can be cancelled by whoever reads that mail.

use app::{
    Safeguards::{self, Full, Light},
    withdrawals::{endings::Ending, payouts::PayError},
};
use domain::withdrawals::requests::WithdrawalStatus;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;
use serde_json::json;

use crate::support::{Person, World, assert_has, processes};

const STRANGER: &str = "0799123456";

async fn pay(world: &World, id: &str) -> Result<(), PayError> {
    let admin = world.stored(&world.admin().await).await;
    processes::pay_out(world.app(), id, &admin).await
}

#[rstest]
#[tokio::test]
async fn unplayed_deposits_to_a_strangers_number(
    #[values(Light, Full)] safeguards: Safeguards,
    #[values(false, true)] suspended: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(250_000).await;
    if suspended {
        let body = json!({"suspended": true, "reason": "Looked into."});
        world.change_player(&player.id, body).await.expect(200);
    }
    let asked = player.withdraw(STRANGER, 250_000).await.expect(201);
    let id = asked["_id"].as_str().unwrap().to_owned();

    // The admin sees what is odd about it, the player until when it waits.
    let listed = world.pending_withdrawals().await[0].clone();
    let mut flags = vec!["new-number", "never-played"];
    flags.extend(suspended.then_some("suspended"));
    assert_has(&listed, json!({"flags": flags, "flagged": true}));
    let own = player.get("/api/withdraw").await.expect(200)[0].clone();
    assert_has(&own, json!({"flags": [], "waitsUntil": listed["waitsUntil"]}));
    assert_eq!(asked["waitsUntil"], listed["waitsUntil"]);

    let full = safeguards.are_full();
    assert_eq!(listed["waitsUntil"].is_string(), full);
    if full {
        let until: Timestamp = listed["waitsUntil"].as_str().unwrap().parse().unwrap();
        let left = until.duration_since(world.app().clock().now());
        assert!(left <= SignedDuration::from_hours(24) && left > SignedDuration::from_hours(23), "{left}");
        assert!(matches!(pay(&world, &id).await, Err(PayError::Waits(_))));
        assert!(!processes::end_withdrawal(world.app(), &id, Ending::Done).await);
        // Nor in the transaction itself, where the flow's own look would have been too early.
        assert_eq!(world.stored_withdrawal(&id).await.status, WithdrawalStatus::Pending);
        assert_eq!(world.ledger().await.account("mpesa:out"), 0);
    }

    // The link shows, and only the button cancels.
    let link = world.cancellation_link(&player).await;
    let path = format!("/api/cancel-withdrawal/{link}");
    for _ in 0..2 {
        let shown = world.nobody().get(&path).await.expect(200);
        assert_has(&shown, json!({"status": "pending", "mpesaNumber": "07******56", "cancellable": true}));
    }
    let other = format!("/api/cancel-withdrawal/{}{}", &link[..32], "0".repeat(64));
    for bad in [other.as_str(), "/api/cancel-withdrawal/nonsense"] {
        world.nobody().get(bad).await.refused(400);
        world.nobody().post(bad, json!({})).await.refused(400);
    }
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    for _ in 0..2 {
        assert_eq!(world.nobody().post(&path, json!({})).await.expect(200)["status"], "rejected");
        assert_eq!(world.ledger().await.wallets[&player.id], 250_000);
    }
    assert!(matches!(pay(&world, &id).await, Err(PayError::Ended(WithdrawalStatus::Rejected))));
    let own = player.get("/api/withdraw").await.expect(200)[0].clone();
    assert_eq!(own["reason"], "It was cancelled with the link in our mail.");
    assert_eq!((&own["waitsUntil"], world.ledger().await.account("withdrawals")), (&json!(null), 0));
}

/// The mail service is away for the whole day in which the link cancels: the mail that comes then does not promise it.
#[tokio::test]
async fn a_mail_that_comes_after_the_day_promises_no_cancelling() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with(500).await;
    world.faults(json!({"email": "down"})).await;
    player.withdraw(STRANGER, 300).await.expect(201);
    world.advance(24 * 3600 - 600).await;
    world.faults(json!({"email": "none"})).await;
    world.advance(1800).await;
    let mails = world.mails_about(&player.email(), "KSh 300 is about to leave your wallet").await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    let text = mails[0]["text"].as_str().unwrap();
    assert!(text.contains("the link does not cancel it any more"), "{text}");
    assert!(text.contains("write to us at once") && !text.contains("until then"), "{text}");
}

/// After a day it is paid, and the link is too late.
#[rstest]
#[tokio::test]
async fn what_has_waited_is_paid(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    let id = player.withdrawal(STRANGER, 450).await;
    let link = world.cancellation_link(&player).await;
    if safeguards.are_full() {
        world.advance(24 * 3600 - 60).await;
        assert!(matches!(pay(&world, &id).await, Err(PayError::Waits(_))));
        world.advance(60).await;
        // An admin may be sending it by hand now.
        let over =
            world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.refused(409);
        assert!(over.starts_with("This link does not cancel it any more"), "{over}");
        let shown = world.nobody().get(&format!("/api/cancel-withdrawal/{link}")).await.expect(200);
        assert_has(&shown, json!({"status": "pending", "cancellable": false}));
    }
    assert_eq!(pay(&world, &id).await, Ok(()));
    world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.refused(409);
    world.advance(60).await;
    let why = world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.refused(409);
    assert_eq!(why, "This withdrawal is done already.");
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.wallets[&player.id]), (450, 50));
}

/// Money that was won, to a number that was paid from a day ago: nothing is odd about it.
#[rstest]
#[tokio::test]
async fn winnings_to_the_own_number_are_neither_flagged_nor_kept_waiting(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(150).await;
    player.join(50, 1).await.expect(201);
    world.crowd(9, 50).await;
    world.points(&player.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 550);
    let fresh = world.again(&player).await;
    let player = Person { n: player.n, ..fresh };
    // Whoever withdraws a prize has proved its team; here it is the admin's word.
    let release = |sum: i64| json!({"releasePrizes": true, "prizesLeft": sum, "reason": "They have shown that they manage it."});
    // Not what the admin has not looked at.
    let moved = "The account has changed meanwhile. Look at it again.";
    assert_eq!(world.change_player(&player.id, release(400)).await.refused(409), moved);
    let release = release(450);
    world.change_player(&player.id, release).await.expect(200);
    let number = player.phone();
    assert_eq!(player.withdraw(&number, 450).await.expect(201)["waitsUntil"], json!(null));
    let listed = world.pending_withdrawals().await[0].clone();
    assert_has(&listed, json!({"flags": [], "flagged": false}));
    world.advance(120).await;
    let mails = world.mails(&player.email()).await;
    assert!(!mails.iter().any(|mail| mail["subject"].as_str().unwrap().ends_with("leave your wallet")));
    // The rest was never played.
    player.withdraw(&number, 100).await.expect(201);
    let listed = world.pending_withdrawals().await[1].clone();
    assert_eq!(listed["flags"], json!(["never-played"]));
}
