//! Forgotten passwords: the link by mail, the new password by the link, and what a reset ends.

use local::Settings;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, PASSWORD, Person, World, at_once, read};

const EMAIL: &str = "player1@example.co.ke";
const NEW: &str = "battery staple";
const SENT: &str = "If the email exists, a reset link has been sent.";
const DONE: &str = "Password has been reset successfully.";
const INVALID: &str = "Invalid or expired token.";

/// Asks for a link.
async fn forget(world: &World, email: &str) {
    let body = world.nobody().post("/api/forgot-password", json!({"email": email})).await.expect(200);
    assert_eq!(body, json!({"message": SENT}));
    world.advance(0).await;
}

/// The paths of the reset links that were sent, newest first. Other mails may have come beside them.
async fn links(world: &World) -> Vec<String> {
    let mails = world.mails(EMAIL).await;
    let links = mails.iter().filter_map(|mail| mail["links"][0].as_str());
    let paths = links.map(|link| link.strip_prefix(&world.base).expect("a link to here").to_owned());
    paths.filter(|path| path.starts_with("/reset-password/")).collect()
}

async fn reset(world: &World, link: &str, password: &str) -> Answer {
    world.nobody().post(&format!("/api{link}"), json!({"newPassword": password})).await
}

async fn can_log_in(world: &World, password: &str) -> bool {
    let body = json!({"email": EMAIL, "password": password});
    world.nobody().post("/api/login", body).await.status == 200
}

/// The suite's own worlds hash for less; this is one as it is run.
#[tokio::test]
async fn a_password_is_kept_as_promised() {
    let world = World::start_as_told(Settings::default()).await;
    let player = world.player().await;
    let id = domain::UserId::parse(&player.id).unwrap();
    let hash = world.app().store().password_hash(&id).await.unwrap().unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
}

#[tokio::test]
async fn a_link_sets_a_new_password_once() {
    let world = World::start().await;
    world.player().await;
    forget(&world, "PLAYER1@example.co.ke").await;
    let mails = world.mails(EMAIL).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0]["subject"], "Reset your FPL Leagues password");
    let link = &links(&world).await[0];
    assert!(link.starts_with("/reset-password/"), "{link}");

    assert!(can_log_in(&world, PASSWORD).await, "until it is used, nothing has changed");
    assert_eq!(reset(&world, link, &format!("  {NEW} ")).await.expect(200), json!({"message": DONE}));
    assert!(can_log_in(&world, NEW).await && !can_log_in(&world, PASSWORD).await);
    assert_eq!(reset(&world, link, "a third one").await.refused(400), INVALID);
    assert!(can_log_in(&world, NEW).await);
}

#[tokio::test]
async fn an_email_that_nobody_has_is_answered_alike_and_mailed_nothing() {
    let world = World::start().await;
    world.player().await;
    forget(&world, "nobody@example.co.ke").await;
    assert_eq!(world.mails("nobody@example.co.ke").await, [] as [Value; 0]);
    assert_eq!(world.mails(EMAIL).await, [] as [Value; 0]);
}

#[rstest]
#[case(json!({}))]
#[case(json!({"email": null}))]
#[case(json!({"email": 7}))]
#[case(json!({"email": "nobody"}))]
#[case(json!({"email": "a\u{0}@b.co"}))]
#[tokio::test]
async fn what_is_no_email_is_refused(#[case] body: Value) {
    let world = World::start().await;
    let answer = world.nobody().post("/api/forgot-password", body).await;
    assert_eq!(answer.refused(400), "Enter a valid email address.");
}

#[tokio::test]
async fn a_link_is_good_for_thirty_minutes() {
    let world = World::start().await;
    world.player().await;
    forget(&world, EMAIL).await;
    world.advance(29 * 60).await;
    forget(&world, EMAIL).await;
    let late = links(&world).await[0].clone();
    world.advance(30 * 60).await;
    assert_eq!(reset(&world, &late, NEW).await.refused(400), INVALID);
    forget(&world, EMAIL).await;
    world.advance(29 * 60).await;
    reset(&world, &links(&world).await[0], NEW).await.expect(200);
}

#[tokio::test]
async fn a_newer_link_takes_the_place_of_the_older() {
    let world = World::start().await;
    world.player().await;
    forget(&world, EMAIL).await;
    forget(&world, EMAIL).await;
    let links = links(&world).await;
    assert_eq!(links.len(), 2);
    assert_eq!(reset(&world, &links[1], NEW).await.refused(400), INVALID);
    reset(&world, &links[0], NEW).await.expect(200);
}

#[tokio::test]
async fn what_was_never_sent_resets_nothing() {
    let (world, player) = World::with_player(0).await;
    let forged = format!("{}{}", player.id, "0".repeat(64));
    for token in [forged.as_str(), "nonsense", &"f".repeat(96), "%00", "ä"] {
        let link = format!("/reset-password/{token}");
        assert_eq!(reset(&world, &link, NEW).await.refused(400), INVALID, "before a link was sent");
    }
    forget(&world, EMAIL).await;
    let real = links(&world).await[0].clone();
    let other = real.replace(&player.id, &world.player().await.id);
    for link in
        [format!("/reset-password/{forged}"), other, format!("{real}0"), real[..real.len() - 1].into()]
    {
        assert_eq!(reset(&world, &link, NEW).await.refused(400), INVALID, "{link}");
    }
    assert!(can_log_in(&world, PASSWORD).await);
}

#[rstest]
#[case(json!(" 12345 "), "Password must be at least 6 characters long.")]
#[case(json!(null), "Password must be at least 6 characters long.")]
#[case(json!(123_456_789), "Password must be at least 6 characters long.")]
#[case(json!("x".repeat(129)), "Password must be at most 128 characters long.")]
#[case(json!("LiverPool1"), "This password is too common. Choose another.")]
#[tokio::test]
async fn a_password_that_is_not_in_order_does_not_use_the_link(#[case] password: Value, #[case] text: &str) {
    let world = World::start().await;
    world.player().await;
    forget(&world, EMAIL).await;
    let link = links(&world).await[0].clone();
    let answer = world.nobody().post(&format!("/api{link}"), json!({"newPassword": password})).await;
    assert_eq!(answer.refused(400), text);
    reset(&world, &link, NEW).await.expect(200);
}

/// Who has the older link in hand, read before the newer one was sent, sets no password with it.
#[tokio::test]
async fn a_newer_link_ends_the_one_before_though_that_was_read() {
    let (world, player) = World::with_player(0).await;
    let (store, id) = (world.app().store(), player.user_id());
    forget(&world, EMAIL).await;
    let read = store.reset(&id).await.unwrap().unwrap();
    forget(&world, EMAIL).await;
    assert!(!store.use_reset(&id, &read, "a hash", world.app().clock().now()).await.unwrap());
    assert!(can_log_in(&world, PASSWORD).await);
}

#[tokio::test]
async fn a_reset_ends_every_session() {
    let world = World::start().await;
    let phone = world.player_with(200).await;
    let laptop = world.log_in(EMAIL, PASSWORD).await;
    forget(&world, EMAIL).await;
    laptop.user().await;
    reset(&world, &links(&world).await[0], NEW).await.expect(200);
    for person in [&phone, &laptop] {
        read(person.request(Method::POST, "/refresh")).await.refused(401);
        assert_eq!(spend(person).await, 401);
        person.join(50, 1).await.refused(401);
    }
    let again = world.log_in(EMAIL, NEW).await;
    assert_eq!(again.wallet().await, 200);
    read(again.request(Method::POST, "/refresh")).await.expect(200);
    assert_eq!(spend(&again).await, 201);
    world.ledger().await;
}

async fn spend(person: &Person) -> u16 {
    person.withdraw("0712345678", 60).await.status.as_u16()
}

#[tokio::test]
async fn of_many_at_once_with_one_link_one_sets_its_password() {
    let world = World::start().await;
    world.player().await;
    forget(&world, EMAIL).await;
    let link = links(&world).await[0].clone();
    let tries = (0..6).map(|i| {
        let (nobody, path) = (world.nobody(), format!("/api{link}"));
        let body = json!({"newPassword": format!("new password {i}")});
        async move { (i, nobody.post(&path, body).await.status.as_u16()) }
    });
    let mut won = Vec::new();
    for attempt in at_once(tries).await {
        match attempt {
            (i, 200) => won.push(i),
            (_, status) => assert_eq!(status, 400),
        }
    }
    let [winner] = won[..] else { panic!("one wins: {won:?}") };
    assert!(can_log_in(&world, &format!("new password {winner}")).await);
}

#[tokio::test]
async fn a_mail_service_that_is_down_only_delays_the_link() {
    let world = World::start().await;
    world.player().await;
    world.faults(json!({"email": "down"})).await;
    forget(&world, EMAIL).await;
    // Longer than a queue tries a message.
    world.advance(3 * 3600).await;
    assert_eq!(world.mails(EMAIL).await.len(), 0);
    world.faults(json!({"email": "none"})).await;
    world.advance(16 * 60).await;
    let links = links(&world).await;
    assert_eq!(links.len(), 1);
    reset(&world, &links[0], NEW).await.expect(200);
}

/// Whoever has reset a password may not be the player: for a day, money that leaves is marked.
#[tokio::test]
async fn a_withdrawal_after_a_reset_is_flagged_for_a_day() {
    let (world, player) = World::with_player(500).await;
    let ask = async |person: &Person, number: &str| {
        person.withdraw(number, 60).await.expect(201);
    };
    ask(&player, "0712345678").await;
    forget(&world, EMAIL).await;
    reset(&world, &links(&world).await[0], NEW).await.expect(200);
    let player = world.log_in(EMAIL, NEW).await;
    ask(&player, "0712345678").await;
    ask(&player, "0798765432").await;
    world.advance(24 * 3600).await;
    ask(&world.log_in(EMAIL, NEW).await, "0711111111").await;
    let pending = world.pending_withdrawals().await;
    let after_reset = |one: &Value| one["flags"].as_array().unwrap().contains(&json!("after-reset"));
    let flagged: Vec<bool> = pending.as_array().unwrap().iter().map(after_reset).collect();
    assert_eq!(flagged, [false, true, true, false]);
}
