//! What players are told on their phones and by mail, as far as they have asked for it.

use app::{
    accounts::notifications::{self, Change},
    platform::push::{PushTask, rounds::Round},
};
use jiff::SignedDuration;
use local::process::Fate;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    World,
    gameweek::{PROCESS, this_week},
    money::{done, rejected},
    mpesa::paid,
    processes::held_up_at_every_step,
    text,
};

const SUBSCRIPTIONS: &str = "/api/me/push-subscriptions";

/// The answer to a round's step is lost, and the client writes the step a second time: the round goes on, by one run.
#[tokio::test]
async fn a_round_goes_on_though_the_answer_to_its_step_is_lost() {
    let world = World::start().await;
    let (process, now) = (world.process(Fate::Misses(1)), world.app().clock().now());
    assert!(process.app().store().advance_round("drawn#2026-01", 0, now).await.unwrap());
    assert_eq!(process.tally().steps, 2, "it was written twice");
    assert!(!world.app().store().advance_round("drawn#2026-01", 0, now).await.unwrap(), "a second run");
}

/// The round begins before the draw's last write: where that fails, the next try begins it anew.
#[tokio::test]
async fn a_round_about_a_draw_that_is_not_made_has_not_begun() {
    let world = World::start().await;
    let round = Round::Drawn { gameweek: this_week() };
    world.app().send(&PushTask::Round { round, step: 0, after: None }, SignedDuration::ZERO).await.unwrap();
    world.advance(60).await;
    assert_eq!(world.app().store().round_step("drawn#2026-01").await.unwrap(), None);
}

#[tokio::test]
async fn nothing_is_told_before_it_is_asked_for_and_what_is_not_known_is_refused() {
    let (world, player) = World::with_player(0).await;
    let set = player.notifications().await;
    assert_eq!(set["language"], "en");
    assert_eq!(set["mail"], json!({"deadline": false, "drawn": false, "final": false}));
    assert!(set["push"].as_object().unwrap().values().all(|on| on == false));
    assert_eq!(set["push"].as_object().unwrap().len(), 7);
    let set = player.set_notifications(json!({"language": "sw", "push": {"prize": true}})).await;
    assert_eq!((&set["language"], &set["push"]["prize"]), (&json!("sw"), &json!(true)));
    let set = player.set_notifications(json!({"mail": {"drawn": true}})).await;
    assert_eq!((&set["language"], &set["push"]["prize"]), (&json!("sw"), &json!(true)));
    for wrong in [
        json!({"language": "fr"}),
        json!({"language": 1}),
        json!({"push": {"lottery": true}}),
        json!({"push": {"prize": "yes"}}),
        json!({"mail": {"security": false}}),
    ] {
        player.put("/api/me/notifications", wrong).await.expect(400);
    }
    assert_eq!(player.notifications().await, set);
    let other = world.player().await;
    assert_eq!(other.notifications().await["language"], "en");
}

/// Wherever the one stands still while the other is made: both are there in the end.
#[tokio::test]
async fn of_two_changes_at_once_neither_is_lost() {
    let world = World::start().await;
    let swahili = Change::read(Some("sw"), [], []).unwrap();
    let players = held_up_at_every_step(
        &world,
        async || world.player().await,
        async |app, person| {
            notifications::change(app, &person.user_id(), &swahili).await.unwrap();
        },
        async |_, person| {
            person.set_notifications(json!({"push": {"prize": true}})).await;
        },
    )
    .await;
    // Of the last one the language alone was changed.
    for player in &players[..players.len() - 1] {
        let set = player.notifications().await;
        assert_eq!((&set["language"], &set["push"]["prize"]), (&json!("sw"), &json!(true)));
    }
}

/// A week and a bit of one player: each kind is on the phone once, in their language, and leads to a page.
#[tokio::test]
async fn a_phone_is_told_of_each_kind_once_in_its_players_language() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player_with(50).await);
    let phone = player.with_phone(&world).await;
    player.set_notifications(json!({"language": "sw", "mail": {"drawn": true}})).await;
    world.fund(&player, 110).await;
    world.advance(120).await;
    let mut kinds = world.kinds_shown(&phone).await;
    kinds.sort();
    assert_eq!(kinds, ["payment", "security"]);
    for (person, points) in [(&player, 80), (&other, 40)] {
        person.join(50, 1).await.expect(201);
        world.points(&person.fpl_id, 1, points, 5, 0).await;
    }
    world.phase(1, "live").await;
    world.advance(120).await;
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(600).await;
    let player = world.again(&player).await;
    let withdrawal = player.withdrawal(&player.phone(), 60).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    world.advance(60).await;
    // The second gameweek, three hours before it closes: who is not in is told, once.
    let deadline: jiff::Timestamp =
        text(&world.nobody().get("/api/gameweek/status").await.expect(200), "deadline").parse().unwrap();
    world.clock_to(&(deadline - jiff::SignedDuration::from_mins(170)).to_string()).await;
    world.advance(3600).await;
    let shown = world.shown(&phone).await;
    let kinds: Vec<&str> = shown.iter().map(|push| push["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 7, "{shown:#?}");
    for kind in ["deadline", "payment", "drawn", "final", "prize", "withdrawal", "security"] {
        assert_eq!(kinds.iter().filter(|shown| **shown == kind).count(), 1, "{kind}: {kinds:?}");
    }
    let of = |kind: &str| shown.iter().find(|push| push["kind"] == kind).unwrap();
    assert_eq!(of("prize")["title"], "Umeshinda KSh 90 katika gameweek 1");
    // What is settled is addressed with its season; what is drawn is of this one.
    let settlement = "/leagues/2026-01-50-00001/settlement";
    assert_eq!((&of("prize")["path"], &of("final")["path"]), (&json!(settlement), &json!(settlement)));
    assert_eq!(of("drawn")["path"], "/leagues?gameweek=1&amount=50");
    world.nobody().get(&format!("/api{settlement}")).await.expect(200);
    assert_eq!(of("final")["title"], "Matokeo ya gameweek 1: nafasi ya 1 kati ya 2");
    assert_eq!(of("payment")["title"], "Tumepokea KSh 110");
    assert!(shown.iter().all(|push| push["lang"] == "sw" && text(push, "path").starts_with('/')));
    // By mail comes what is about money, and what was asked for; the other player is told nothing new.
    let mails = world.mails(&player.email()).await;
    let mut subjects: Vec<String> = mails.iter().rev().map(|mail| text(mail, "subject")).collect();
    subjects.retain(|subject| !subject.ends_with("ni nambari yako sasa"));
    assert_eq!(
        subjects,
        [
            "Gameweek 1: uko katika Kundi #1",
            "Umeshinda KSh 90 katika gameweek 1",
            "KSh 60 uliyoondoa imetumwa"
        ]
    );
    assert!(world.mails(&other.email()).await.is_empty());
}

/// Who is in, who has never played, and who has not asked for it are not told of a deadline.
#[tokio::test]
async fn only_who_has_played_and_is_not_in_is_told_of_a_deadline() {
    let world = World::start().await;
    let (new, deadline) = (world.player_with(50).await, "2026-08-22T07:40:00Z");
    let phone = new.with_phone(&world).await;
    world.clock_to(deadline).await;
    world.advance(600).await;
    assert!(!world.kinds_shown(&phone).await.contains(&"deadline".to_owned()));
}

/// What has paid for an entry is not in the wallet.
#[tokio::test]
async fn an_entry_that_was_paid_by_mpesa_is_told_as_one() {
    let (world, player) = World::with_player(0).await;
    let phone = player.with_phone(&world).await;
    player.pay(50, 1).await.expect(200);
    world.receipt_of(&player.phone(), paid()).await;
    world.advance(60).await;
    let shown = world.shown(&phone).await;
    let titles: Vec<String> = shown.iter().map(|push| text(push, "title")).collect();
    assert!(titles.contains(&"You are in gameweek 1".to_owned()), "{titles:?}");
    assert!(!titles.contains(&"KSh 50 received".to_owned()), "{titles:?}");
}

#[tokio::test]
async fn at_night_a_phone_is_left_alone_but_for_what_its_player_has_just_paid() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    let withdrawal = player.withdrawal("0712345678", 60).await;
    world.advance(120).await;
    let phone = player.with_phone(&world).await;
    world.clock_to("2026-08-20T19:30:00Z").await;
    world.faults(json!({"extraDeliveries": 2})).await;
    world.end_withdrawal(&withdrawal, rejected("The number is not registered.")).await.expect(200);
    world.fund(&world.again(&player).await, 100).await;
    world.advance(300).await;
    assert_eq!(world.kinds_shown(&phone).await, ["payment"]);
    assert_eq!(world.mails_about(&player.email(), "Your withdrawal of KSh 60 was rejected").await.len(), 1);
    for (time, when) in
        [("2026-08-20T20:10:00Z", "two turns later"), ("2026-08-21T03:55:00Z", "in the morning")]
    {
        world.clock_to(time).await;
        assert_eq!(world.kinds_shown(&phone).await, ["payment"], "{when}");
        let queues = world.queues();
        let waiting = queues.counts("PushesQueue", queues.now()).unwrap();
        assert_eq!(waiting.visible + waiting.in_flight + waiting.delayed, 1, "{when}");
    }
    world.clock_to("2026-08-21T04:20:00Z").await;
    assert_eq!(world.kinds_shown(&phone).await, ["payment", "withdrawal"]);
}

/// What was moved long before, whoever took so long, does not wake anybody; what was asked for a moment ago does.
#[tokio::test]
async fn at_night_it_counts_when_the_player_has_moved_the_money() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    let phone = player.with_phone(&world).await;
    world.advance(120).await;
    // Paid at half past nine in the evening, and told once the push service is there again.
    world.clock_to("2026-08-20T18:30:00Z").await;
    world.faults(json!({"push": "down"})).await;
    world.fund(&world.again(&player).await, 100).await;
    world.clock_to("2026-08-20T19:10:00Z").await;
    world.faults(json!({"push": "none"})).await;
    world.advance(1800).await;
    let before = world.shown(&phone).await;
    assert!(before.is_empty(), "{before:#?}");
    // Asked for and paid at night.
    let withdrawal = world.again(&player).await.withdrawal(&player.phone(), 60).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    world.advance(60).await;
    let shown = world.shown(&phone).await;
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert_eq!(shown[0]["kind"], "withdrawal");
    let rings_until = shown[0]["ringsUntil"].as_i64().unwrap();
    let minutes = (rings_until - world.app().clock().now().as_millisecond()) / 60_000;
    assert!((20..30).contains(&minutes), "{minutes}");
    world.clock_to("2026-08-21T04:30:00Z").await;
    let shown = world.shown(&phone).await;
    let kinds: Vec<String> = shown.iter().map(|push| text(push, "kind")).collect();
    assert_eq!(kinds, ["withdrawal", "payment"], "{shown:#?}");
}

#[tokio::test]
async fn a_push_service_that_is_down_delays_pushes_and_nothing_else() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    let phone = player.with_phone(&world).await;
    let withdrawal = player.withdrawal(&player.phone(), 60).await;
    world.faults(json!({"push": "down"})).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    world.advance(1200).await;
    assert_eq!(world.notices(&player.email()).await.len(), 1);
    assert!(world.shown(&phone).await.is_empty());
    world.faults(json!({"push": "none"})).await;
    world.advance(1800).await;
    assert_eq!(world.kinds_shown(&phone).await, ["withdrawal"]);
}

/// Nobody has us call an address of their choice.
#[tokio::test]
async fn what_is_no_subscription_of_a_push_service_is_refused() {
    let (world, player) = World::with_player(0).await;
    let sound = world.phone(&player).await.told;
    let with = |path: &str, value: Value| {
        let mut told = sound.clone();
        *told.pointer_mut(path).unwrap() = value;
        told
    };
    let key = text(&sound["keys"], "p256dh");
    for wrong in [
        json!({}),
        json!({"endpoint": sound["endpoint"]}),
        with("/endpoint", json!("http://169.254.169.254/latest/meta-data/")),
        with("/endpoint", json!("https://example.com/push")),
        with("/endpoint", json!("http://localhost:1/sim/push/1")),
        with("/endpoint", json!(["http://localhost"])),
        with("/keys/p256dh", json!(format!("BAAA{}", &key[4..]))),
        with("/keys/p256dh", json!("")),
        with("/keys/auth", json!("AAAA")),
        with("/keys", json!("none")),
    ] {
        player.post(SUBSCRIPTIONS, wrong).await.expect(400);
    }
    assert_eq!(player.notifications().await["subscriptions"], json!([]));
}

#[tokio::test]
async fn a_browser_goes_along_with_who_has_logged_in_last_and_is_forgotten_once_it_is_gone() {
    let world = World::start().await;
    let (first, second) = (world.player_with(50).await, world.player_with(50).await);
    let phone = first.with_phone(&world).await;
    second.post(SUBSCRIPTIONS, phone.told.clone()).await.expect(201);
    second.set_notifications(json!({"push": {"payment": true}})).await;
    for player in [&first, &second] {
        world.fund(player, 100).await;
    }
    world.advance(60).await;
    let shown = world.shown(&phone).await;
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert_eq!(first.notifications().await["subscriptions"], json!([]));
    // The oldest of six gives way; one that is gone is dropped when it is next used.
    let mut phones = Vec::new();
    for _ in 0..5 {
        phones.push(second.with_phone(&world).await);
    }
    assert_eq!(second.notifications().await["subscriptions"].as_array().unwrap().len(), 5);
    world.sim(Method::DELETE, &format!("/push/phones/{}", phones[0].id), Value::Null).await;
    // M-Pesa takes the same amount from one phone again after two minutes.
    world.advance(180).await;
    world.fund(&second, 100).await;
    world.advance(60).await;
    let left = second.notifications().await["subscriptions"].clone();
    assert_eq!(left.as_array().unwrap().len(), 4);
    assert_eq!((world.shown(&phones[0]).await.len(), world.shown(&phones[1]).await.len()), (0, 1));
    let path = format!("{SUBSCRIPTIONS}/{}", text(&left[0], "_id"));
    for _ in 0..2 {
        second.send(Method::DELETE, &path, None).await.expect(204);
    }
    assert_eq!(second.notifications().await["subscriptions"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn the_link_in_a_mail_stops_its_kind_without_a_log_in_and_twice() {
    let world = World::start().await;
    let (player, other) = (world.player_with(50).await, world.player_with(50).await);
    player.set_notifications(json!({"mail": {"drawn": true, "final": true}})).await;
    for person in [&player, &other] {
        person.join(50, 1).await.expect(201);
    }
    world.phase(1, "live").await;
    world.advance(120).await;
    let mail = world.mails(&player.email()).await.remove(0);
    assert_eq!(mail["subject"], "Gameweek 1: you are in Group #1");
    let link = mail["links"][1].as_str().unwrap();
    let token = link.strip_prefix(&format!("{}/unsubscribe/", world.base)).unwrap();
    let one_click = format!("{}/api/unsubscribe/{token}", world.base);
    assert_eq!(mail["headers"]["List-Unsubscribe"], format!("<{one_click}>"));
    assert_eq!(mail["headers"]["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
    let nobody = world.nobody();
    for forged in [token.replace("drawn", "final"), token.replace('-', "_"), "a-b-c".to_owned(), {
        let other = other.id.clone();
        token.replace(&player.id, &other)
    }] {
        nobody.post(&format!("/api/unsubscribe/{forged}"), json!({})).await.expect(400);
    }
    // As a mail program does it: a form, and nobody logged in.
    for _ in 0..2 {
        let request = nobody.request(Method::POST, &format!("/api/unsubscribe/{token}"));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let answer = crate::support::read(request.body("List-Unsubscribe=One-Click")).await;
        assert_eq!(answer.expect(200), json!({"kind": "drawn"}));
    }
    let player = world.again(&player).await;
    assert_eq!(
        player.notifications().await["mail"],
        json!({"deadline": false, "drawn": false, "final": true})
    );
}
