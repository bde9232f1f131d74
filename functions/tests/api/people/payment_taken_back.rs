//! A deposit was reversed by M-Pesa when its money was spent, or waited to be paid out.

use app::Safeguards::{self, Full, Light};
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::json;

use crate::support::{Person, World, assert_has, mpesa::paid, processes, text};

/// A number of nobody's, from which a thief pays.
const UNPROMPTED: &str = "0733000001";

/// A payment to the player's account from a phone that is nobody's. Answers its receipt.
async fn pays_by_hand(world: &World, player: &Person, amount: i64) -> String {
    let account = world.again(player).await.paybill_account().await;
    let payment = json!({"phone": UNPROMPTED, "amount": amount, "accountReference": account});
    let receipt = world.paybill(payment).await;
    world.advance(5).await;
    receipt
}

/// Paid in from a phone that was never asked, asked for at once at the player's own number, and taken back: the
/// money that waits covers it, newest first and no more than it takes. Nobody has lost anything.
#[rstest]
#[tokio::test]
async fn what_waits_to_be_paid_is_not_written_off(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    world.advance(26 * 3600).await;
    let older = world.again(&player).await.withdrawal(&player.phone(), 400).await;
    let receipt = pays_by_hand(&world, &player, 150_000).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 150_100);
    let newer = world.again(&player).await.withdrawal(&player.phone(), 150_000).await;
    world.reverse(&receipt).await;
    world.advance(24 * 3600).await;

    let ledger = world.ledger().await;
    assert_eq!((ledger.account("losses"), ledger.debt(&player)), (0, 0));
    assert_eq!((ledger.wallets[&player.id], ledger.account("withdrawals")), (100, 400));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("mpesa:out")), (-500, 0));
    let rejected = world.stored_withdrawal(&newer).await;
    let why = "M-Pesa has taken back a payment of yours, and this covers it.";
    assert_eq!((rejected.status.into_str(), rejected.reason.as_deref()), ("rejected", Some(why)));
    assert_eq!(world.stored_withdrawal(&older).await.status.into_str(), "pending", "no more than it takes");
    assert_eq!(
        world.mails_about(&player.email(), "Your withdrawal of KSh 150,000 was rejected").await.len(),
        1
    );
    // What is left is paid as ever.
    let admin = world.admin().await;
    admin.pay_out(&newer).await.refused(409);
    admin.pay_out(&older).await.expect(200);
}

/// Nothing covers it: what was paid from another's phone and is spent is our loss, and the player goes on.
#[rstest]
#[case::masked_light(Light, true)]
#[case::masked_full(Full, true)]
#[case::released_light(Light, false)]
#[case::released_full(Full, false)]
#[tokio::test]
async fn what_is_taken_back_from_another_phone_is_lost(#[case] safeguards: Safeguards, #[case] masked: bool) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let receipt = if masked {
        world.faults(json!({"payer": "masked"})).await;
        pays_by_hand(&world, &player, 300).await
    } else {
        // Of the player's own number, which an admin has released since.
        let receipt = world.fund(&player, 300).await;
        let path = format!("/api/admin/players/{}/release-number", player.id);
        let body = json!({"phone": player.phone(), "reason": "The line has another holder now."});
        world.admin().await.post(&path, body).await.expect(200);
        receipt
    };
    world.again(&player).await.join(250, 1).await.expect(201);
    world.reverse(&receipt).await;
    app::ledger::reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("losses"), ledger.debt(&player)), (-250, 0));
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (0, 0));
    assert_has(&world.books().await["reversals"][0], json!({"owed": 0, "lost": 250}));
    assert_eq!(world.again(&player).await.user().await["owed"], 0);
}

/// A deposit of 20,000 is paid out and then reversed: the next night it is booked, and both see it.
#[rstest]
#[tokio::test]
async fn a_deposit_that_m_pesa_takes_back_is_booked_the_next_night(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.fund(&world.player().await, 90_000).await;
    let player = world.player().await;
    let receipt = world.fund(&player, 20_000).await;
    world.advance(26 * 3600).await;
    let id = world.again(&player).await.withdrawal(&player.phone(), 15_000).await;
    processes::pay_out(world.app(), &id, &world.stored(&world.admin().await).await).await.unwrap();
    world.advance(60).await;
    assert_eq!(world.stored_withdrawal(&id).await.status.into_str(), "done");
    world.reverse(&receipt).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 5000, "nobody has told us yet");

    world.advance(24 * 3600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.debt(&player)), (0, -15_000));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (-90_000, 0));
    assert_has(
        &world.again(&player).await.movements().await[0],
        json!({"kind": "reversal", "amount": -5000}),
    );
    assert_has(&world.again(&player).await.user().await, json!({"wallet": 0, "owed": 15_000}));
    let mails = world.mails_about(&player.email(), "M-Pesa has taken back your payment of KSh 20,000").await;
    let text = text(&mails[0], "text");
    assert!(
        text.contains(&receipt) && text.contains("KSh 15,000 was not there any more: you owe it"),
        "{text}"
    );

    let seen = world.books().await;
    let item = &seen["reversals"][0];
    assert_has(item, json!({"receipt": receipt, "userId": player.id}));
    assert_has(item, json!({"amount": 20_000, "fromWallet": 5000, "owed": 15_000, "lost": 0}));
    let report = &seen["report"];
    assert!(report["found"] == 0 && report["float"]["said"] != "differs", "{seen}");
    assert_eq!(world.profile(&player.id).await["acts"][0]["what"], "reverse-receipt");
    // The nights after it is asked about no more, and nothing moves.
    world.advance(3 * 24 * 3600).await;
    assert_eq!(world.ledger().await.account("mpesa:in"), -90_000);
}

/// M-Pesa answers nothing for longer than a receipt is asked about: the first night on which it answers makes up for it.
#[tokio::test]
async fn an_outage_of_m_pesa_hides_nothing_that_it_takes_back() {
    let world = World::start().await;
    let (player, receipt) = world.reversed_deposit(20_000).await;
    let other = world.reversed_deposit(15_000).await.0;
    world.faults(json!({"daraja": "down"})).await;
    world.advance(5 * 24 * 3600).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 20_000);
    world.faults(json!({"daraja": "none"})).await;
    world.advance(24 * 3600).await;
    let ledger = world.ledger().await;
    assert_eq!(
        (ledger.wallets[&player.id], ledger.wallets[&other.id]),
        (0, 0),
        "{receipt} and the other one"
    );
    // The first night without an answer looked at what is eight days old by now. No night looks further back than seven.
    let run = world.app().store().receipt_run().await.unwrap().unwrap();
    assert_eq!(run.since, Some(run.started_at - SignedDuration::from_hours(7 * 24)));
    // What is answered is asked about no longer than ever, and nobody knows before what is drawn.
    world.advance(24 * 3600).await;
    let next = world.app().store().receipt_run().await.unwrap().unwrap();
    assert!(next.since.unwrap() > run.since.unwrap() + SignedDuration::from_hours(24), "{run:?} {next:?}");
    assert_ne!(next.salt, run.salt);
}

/// What was entered stays entered: others play in that league. The stake is owed.
#[tokio::test]
async fn an_entry_whose_payment_is_taken_back_stays_and_is_owed() {
    let (world, player) = World::with_player(0).await;
    player.pay(50, 1).await.expect(200);
    let receipt = world.receipt_of(&player.phone(), paid()).await;
    world.reverse(&receipt).await;
    app::ledger::reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.debt(&player)), (50, -50));
    assert_eq!(player.join(50, 1).await.refused(409), "You already joined this gameweek.");
}
