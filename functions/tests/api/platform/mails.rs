//! Mails about money: one for each prize, refund and withdrawal that was booked, and none besides.

use app::platform::mail::{self, MailSubject, SendMail};
use domain::ledger::postings::Posting;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::platform::mailed::{Hold, NextTurn};

use crate::support::{
    World,
    gameweek::{PROCESS, this_week},
    money::{done, rejected},
    processes::in_every_fate,
};

fn subjects(mails: &[Value]) -> Vec<&str> {
    mails.iter().map(|mail| mail["subject"].as_str().unwrap()).collect()
}

/// A player who has asked for a withdrawal: their email and its id.
async fn withdrawing(world: &World) -> (String, String) {
    let player = world.player_with(500).await;
    let id = player.withdrawal("0712345678", 450).await;
    (player.email(), id)
}

#[tokio::test]
async fn a_withdrawal_that_is_done_is_mailed_once() {
    let world = World::start().await;
    let (email, id) = withdrawing(&world).await;
    world.advance(300).await;
    assert_eq!(world.notices(&email).await.len(), 0, "nothing is decided");
    world.end_withdrawal(&id, done()).await.expect(200);
    world.end_withdrawal(&id, done()).await.expect(200);
    world.advance(0).await;
    let mails = world.notices(&email).await;
    assert_eq!(subjects(&mails), ["Your withdrawal of KSh 450 is done"]);
    assert!(mails[0]["text"].as_str().unwrap().contains("to 07******78 by M-Pesa"));
    world.advance(3600).await;
    assert_eq!(world.notices(&email).await.len(), 1);
}

#[tokio::test]
async fn a_withdrawal_that_is_rejected_is_mailed_with_the_reason() {
    let world = World::start().await;
    let (email, id) = withdrawing(&world).await;
    world.end_withdrawal(&id, rejected("The number is not registered.")).await.expect(200);
    world.advance(3600).await;
    let mails = world.notices(&email).await;
    assert_eq!(subjects(&mails), ["Your withdrawal of KSh 450 was rejected"]);
    let text = mails[0]["text"].as_str().unwrap();
    assert!(text.contains("Reason: The number is not registered."), "{text}");
}

#[tokio::test]
async fn a_mail_service_that_is_down_only_delays_mails_about_money() {
    let world = World::start().await;
    let (email, id) = withdrawing(&world).await;
    world.faults(json!({"email": "down"})).await;
    world.end_withdrawal(&id, done()).await.expect(200);
    world.advance(2 * 3600).await;
    assert_eq!(world.notices(&email).await.len(), 0);
    world.faults(json!({"email": "none"})).await;
    world.advance(3600).await;
    assert_eq!(world.notices(&email).await.len(), 1);
}

/// The mail service is down, and each message comes three times: one line of messages goes on, and one mail out.
#[tokio::test]
async fn what_is_put_off_goes_on_by_one_line_of_messages() {
    let world = World::start().await;
    let (email, id) = withdrawing(&world).await;
    world.advance(300).await;
    world.faults(json!({"email": "down", "extraDeliveries": 2})).await;
    world.end_withdrawal(&id, done()).await.expect(200);
    world.advance(900).await;
    let queues = world.queues();
    let waiting = queues.counts("MailsQueue", queues.now()).unwrap();
    assert_eq!((waiting.visible, waiting.in_flight + waiting.delayed), (0, 1));
    world.faults(json!({"email": "none"})).await;
    world.advance(3600).await;
    assert_eq!(subjects(&world.notices(&email).await), ["Your withdrawal of KSh 450 is done"]);
}

/// Whoever puts a mail off dies or loses an answer at each of its steps, and its message comes again where it has
/// died: the mail comes once the service is back.
#[tokio::test]
async fn what_is_put_off_comes_wherever_that_ends() {
    let world = World::start().await;
    let steps = in_every_fate(&world, async |process, fate| {
        let player = world.player().await;
        let (id, now) = (player.user_id(), world.app().clock().now());
        let posting = Posting::refund(&id, this_week(), domain::Kes::new(50));
        world.app().store().credit_wallet(&id, &posting, now).await.unwrap();
        let about = MailSubject::Posting { user_id: id, cause: posting.cause().key(), why: None };
        let message = SendMail { about, since: now, tried: 0 };
        world.faults(json!({"email": "down"})).await;
        if !matches!(process.run(mail::send(process.app(), &message)).await, Some(Ok(()))) {
            world.advance(180).await;
            mail::send(world.app(), &message).await.unwrap();
        }
        world.faults(json!({"email": "none"})).await;
        world.advance(900).await;
        let mails = world.mails_about(&player.email(), "Your entry for gameweek 1 is refunded").await;
        assert_eq!(mails.len(), 1, "{fate:?}, {:?}", process.tally());
    })
    .await;
    assert!(steps >= 4, "it is held, handed over, put off and sent again: {steps}");
}

/// Of two who have the same message one sends it, and whoever comes late with it neither sends it nor puts it off.
#[tokio::test]
async fn a_mail_is_taken_on_by_one_at_a_time() {
    let (world, player) = World::with_player(0).await;
    let (store, id, now) = (world.app().store(), player.user_id(), world.app().clock().now());
    let later = now + SignedDuration::from_mins(1);
    let claim = async |turn: u32, at: Timestamp| {
        let until = at + SignedDuration::from_secs(30);
        store.claim_mail(&id, ("a cause", turn), at, until).await.unwrap()
    };
    let put_off = async |turn: u32, at: Timestamp| {
        let next = NextTurn { turn: turn + 1, at };
        store.put_mail_off(&id, ("a cause", turn), next).await.unwrap()
    };
    assert_eq!((claim(0, now).await, claim(0, now).await), (Hold::Ours, Hold::Others));
    assert!(put_off(0, later).await);
    assert!(!put_off(0, later + SignedDuration::from_mins(1)).await, "it was put off");
    assert!(matches!(claim(0, later).await, Hold::PutOff(_)), "its turn is over");
    assert_eq!(claim(1, later).await, Hold::Ours);
    store.release_mail(&id, "a cause").await.unwrap();
    assert_eq!(claim(1, later).await, Hold::Ours, "given back, it is anybody's");
    store.note_mailed(&id, "a cause", later).await.unwrap();
    assert_eq!(claim(1, later).await, Hold::Sent);
    assert!(!put_off(1, later).await, "it is sent");
    store.release_mail(&id, "a cause").await.unwrap();
    assert_eq!(claim(1, later).await, Hold::Sent);
}

#[tokio::test]
async fn winners_are_told_and_nobody_else() {
    let world = World::start().await;
    let (winner, loser) = (world.player_with(50).await, world.player_with(50).await);
    for (player, points) in [(&winner, 80), (&loser, 40)] {
        player.join(50, 1).await.expect(201);
        world.points(&player.fpl_id, 1, points, 5, 0).await;
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(600).await;
    let mails = world.mails("player1@example.co.ke").await;
    assert_eq!(subjects(&mails), ["You won KSh 90 in gameweek 1"]);
    assert!(mails[0]["text"].as_str().unwrap().contains("Group #1 of the KSh 50 leagues"));
    assert_eq!(mails[0]["links"], json!([format!("{}/leagues/2026-01-50-00001/settlement", world.base)]));
    assert_eq!(world.mails("player2@example.co.ke").await.len(), 0);
}

#[tokio::test]
async fn who_played_alone_is_told_of_the_refund_once() {
    let (world, player) = World::with_player(100).await;
    player.join(100, 1).await.expect(201);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(3600).await;
    let mails = world.mails("player1@example.co.ke").await;
    assert_eq!(subjects(&mails), ["Your entry for gameweek 1 is refunded"]);
    let text = mails[0]["text"].as_str().unwrap();
    assert!(text.contains("KSh 100 is back in your wallet. Nobody else joined."), "{text}");
}
