//! How often something may be tried. Nothing waits: the clock is moved by what Retry-After says.

use std::{future::poll_fn, pin::pin, task::Poll};

use app::accounts::log_in::{self, Credentials, LogInError};
use domain::platform::limits::Limit;
use local::{DataDir, Limits, Settings, process::Fate};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::platform::limits::Counter;

use crate::support::{Answer, PASSWORD, Person, World, at_once, read};

async fn world_with_all_limits() -> World {
    let settings = Settings { data_dir: DataDir::Memory, limits: Limits::All, ..Settings::default() };
    World::start_with(settings).await
}

async fn from(world: &World, address: &str, path: &str, body: Value) -> Answer {
    read(world.nobody().request(Method::POST, path).header("x-sim-address", address).json(&body)).await
}

async fn log_in(world: &World, address: &str, email: &str, password: &str) -> Answer {
    from(world, address, "/api/login", json!({"email": email, "password": password})).await
}

fn retry_after(answer: &Answer) -> i64 {
    assert_eq!(answer.status.as_u16(), 429, "{}", answer.body);
    assert!(answer.body["message"].as_str().is_some_and(|message| message.starts_with("Too many")));
    answer.headers["retry-after"].to_str().unwrap().parse().unwrap()
}

const EMAIL: &str = "player1@example.co.ke";
const HERE: &str = "203.0.113.7";

#[tokio::test]
async fn thirty_wrong_log_ins_meet_429_and_the_right_password_works_after_the_delay_or_from_elsewhere() {
    let world = World::start().await;
    world.player().await;
    let (mut judged, mut delay) = (0, 0);
    for _ in 0..30 {
        let answer = log_in(&world, HERE, EMAIL, "wrong password").await;
        match answer.status.as_u16() {
            401 => judged += 1,
            _ => delay = retry_after(&answer),
        }
    }
    assert_eq!(judged, 5);
    assert!(retry_after(&log_in(&world, HERE, EMAIL, PASSWORD).await) <= delay);
    log_in(&world, "203.0.113.8", EMAIL, PASSWORD).await.expect(200);
    // Elsewhere and here are told apart, so here the delay still stands; it is not made longer.
    world.advance(delay).await;
    log_in(&world, HERE, EMAIL, PASSWORD).await.expect(200);
    // A success clears it.
    for _ in 0..4 {
        log_in(&world, HERE, EMAIL, "wrong password").await.expect(401);
    }
    log_in(&world, HERE, EMAIL, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn the_delay_grows_up_to_a_quarter_of_an_hour() {
    let world = World::start().await;
    world.player().await;
    for _ in 0..4 {
        log_in(&world, HERE, EMAIL, "wrong password").await.expect(401);
    }
    let mut delays = Vec::new();
    for _ in 0..4 {
        log_in(&world, HERE, EMAIL, "wrong password").await.expect(401);
        let delay = retry_after(&log_in(&world, HERE, EMAIL, PASSWORD).await);
        delays.push(delay);
        world.advance(delay).await;
    }
    assert!(delays.is_sorted() && delays[0] <= 60 && delays[3] > 300, "{delays:?}");
    assert!(delays.iter().all(|delay| *delay <= 900), "{delays:?}");
}

/// Of a hundred at once no more are judged than in a row, the right one among them or not.
#[tokio::test]
async fn tries_at_once_are_no_way_around_it() {
    let world = World::start().await;
    world.player().await;
    log_in(&world, "203.0.113.9", EMAIL, PASSWORD).await.expect(200);
    let tries = (0..40).map(|i| {
        let request = world.nobody().request(Method::POST, "/api/login").header("x-sim-address", HERE);
        let request = request.json(&json!({"email": EMAIL, "password": format!("wrong password {i}")}));
        async move { read(request).await.status.as_u16() }
    });
    let mut judged = 0;
    for one in at_once(tries).await {
        judged += usize::from(one == 401);
    }
    assert_eq!(judged, 5);
}

/// Ten an hour, and no eleventh, though all of them have read the same history before one was counted.
#[tokio::test]
async fn who_has_read_the_same_history_is_counted_too() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.read_limit(&Counter::new(Limit::SecondFactor, &["somebody"])).await.unwrap();
    for _ in 0..10 {
        assert_eq!(store.take_limit_as_read(read.clone(), now).await.unwrap(), None);
    }
    assert!(store.take_limit_as_read(read, now).await.unwrap().is_some(), "the eleventh");
}

/// A right password that began before five wrong ones were counted and is judged after them is told nothing: neither that a
/// code is wanted, nor by a session.
#[rstest]
#[case::of_an_admin(true)]
#[case::of_a_player(false)]
#[tokio::test]
async fn the_question_for_a_code_is_no_way_around_it(#[case] admin: bool) {
    let world = World::start().await;
    let (email, password) = if admin {
        world.enrol().await;
        world.admin_account()
    } else {
        world.player().await;
        (EMAIL.to_owned(), PASSWORD.to_owned())
    };
    let process = world.process(Fate::Lives);
    let credentials = Credentials { email: &email, password: &password, code: "", device: None };
    let mut right = pin!(log_in::log_in(process.app(), credentials, HERE.parse().ok()));
    // Three reads of how many have failed, then three of the account: it stands still before its password is looked at.
    poll_fn(|context| {
        assert!(right.as_mut().poll(context).is_pending(), "it stands still");
        if process.tally().calls >= 6 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    for _ in 0..5 {
        log_in(&world, HERE, &email, "wrong password").await.expect(401);
    }
    let refused = right.await.err().expect("too many have failed meanwhile").refusal().unwrap();
    assert!(matches!(refused, LogInError::Limited(_)), "{refused:?}");
}

/// Whoever has an admin's password and not the phone tries codes from many addresses. After ten wrong ones no code is good
/// before the hour is over, the right one neither.
#[tokio::test]
async fn ten_wrong_codes_an_hour_are_judged_at_the_log_in_wherever_they_come_from() {
    let world = World::start().await;
    let (secret, _) = world.enrol().await;
    let (email, password) = world.admin_account();
    world.advance(30).await;
    let show = async |i: u32, code: &str| {
        let body = json!({"email": email, "password": password, "totp": code});
        from(&world, &format!("198.51.100.{i}"), "/api/login", body).await
    };
    for i in 0..10 {
        assert_eq!(show(i, "000000").await.expect(401)["status"], "totp");
    }
    retry_after(&show(10, "000000").await);
    let delay = retry_after(&show(11, &world.totp_code(&secret, 0)).await);
    assert!((3500..=3600).contains(&delay), "{delay}");
    world.advance(delay - 60).await;
    retry_after(&show(12, &world.totp_code(&secret, 0)).await);
    world.advance(60).await;
    show(13, &world.totp_code(&secret, 0)).await.expect(200);
}

/// Nobody can lock another player out: the limit over all addresses never refuses one of their own.
#[rstest]
#[case::an_account(EMAIL)]
#[case::nobodys("nobody@example.co.ke")]
#[tokio::test]
async fn an_account_is_shut_to_strangers_after_thirty_failures_and_open_to_its_own(#[case] email: &str) {
    let world = World::start().await;
    world.player().await;
    let home = "2001:db8:1:2::1";
    log_in(&world, home, EMAIL, PASSWORD).await.expect(200);
    for i in 0..30 {
        log_in(&world, &format!("198.51.100.{i}"), email, "wrong password").await.expect(401);
    }
    retry_after(&log_in(&world, "198.51.100.99", email, "wrong password").await);
    retry_after(&log_in(&world, "198.51.100.98", email, PASSWORD).await);
    // The same household, on another device.
    log_in(&world, "2001:db8:1:2:ffff::9", EMAIL, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn an_address_is_limited_only_where_all_limits_apply() {
    for (all, refused) in [(false, false), (true, true)] {
        let world = if all { world_with_all_limits().await } else { World::start().await };
        world.player().await;
        for i in 0..50 {
            let email = format!("somebody{i}@example.co.ke");
            log_in(&world, HERE, &email, "wrong password").await.expect(401);
        }
        let right = log_in(&world, HERE, EMAIL, PASSWORD).await;
        if refused {
            world.advance(retry_after(&right)).await;
        } else {
            right.expect(200);
        }
        log_in(&world, HERE, EMAIL, PASSWORD).await.expect(200);
    }
}

fn form(i: u32) -> Value {
    json!({"email": format!("new{i}@example.co.ke"), "username": format!("new{i}"),
        "password": PASSWORD, "fplId": (5000 + i).to_string()})
}

#[tokio::test]
async fn ten_sign_ups_an_hour_from_one_address() {
    let world = world_with_all_limits().await;
    for i in 0..8 {
        from(&world, HERE, "/api/signup", form(i)).await.expect(201);
    }
    // What is not in order tells nothing, and does not count; what is taken does.
    from(&world, HERE, "/api/signup", json!({"email": "x"})).await.expect(400);
    for _ in 0..2 {
        from(&world, HERE, "/api/signup", form(0)).await.expect(409);
    }
    let delay = retry_after(&from(&world, HERE, "/api/signup", form(11)).await);
    assert!((3500..=3600).contains(&delay));
    from(&world, "203.0.113.8", "/api/signup", form(12)).await.expect(201);
    world.advance(delay).await;
    from(&world, HERE, "/api/signup", form(11)).await.expect(201);
}

/// For an account that exists and for one that does not, alike.
#[tokio::test]
async fn three_reset_links_an_hour_to_an_account() {
    let world = World::start().await;
    world.player().await;
    for email in [EMAIL, "nobody@example.co.ke"] {
        let body = json!({"email": email});
        for _ in 0..3 {
            from(&world, HERE, "/api/forgot-password", body.clone()).await.expect(200);
        }
        let capitals = json!({"email": email.to_uppercase()});
        let delay = retry_after(&from(&world, HERE, "/api/forgot-password", capitals).await);
        assert!((3500..=3600).contains(&delay));
        world.advance(delay).await;
        from(&world, HERE, "/api/forgot-password", body).await.expect(200);
    }
}

/// Further limits of prompts: `people/prompt_to_a_stranger.rs`.
#[tokio::test]
async fn four_prompts_in_ten_minutes_by_a_player_to_a_number() {
    let (world, player) = World::with_player(0).await;
    for amount in [100, 101, 102] {
        player.prompt(amount).await;
        world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    }
    player.pay(50, 1).await.expect(200);
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    let refused = player.deposit(&player.phone(), 100).await;
    let delay = retry_after(&refused);
    assert!((500..=600).contains(&delay));
    assert_eq!(refused.body["success"], false);
    // Another number is another matter.
    player.deposit("0712000003", 100).await.expect(200);
    world.advance(delay).await;
    player.prompt(100).await;
}

#[tokio::test]
async fn a_prompt_that_was_not_sent_does_not_count() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "reject"})).await;
    for i in 0..5 {
        // Whichever way M-Pesa refuses.
        let refused = player.deposit(&format!("071200003{i}"), 100).await;
        assert!(matches!(refused.status.as_u16(), 400 | 409 | 503), "{}", refused.body);
    }
    world.faults(json!({"daraja": "none"})).await;
    for i in 0..6 {
        player.deposit(&format!("071200000{i}"), 100).await.expect(200);
    }
}

#[tokio::test]
async fn of_prompts_asked_for_at_once_six_reach_strangers() {
    let (_world, player) = World::with_player(0).await;
    let asks = (0..9).map(|i| {
        let player = player.clone();
        async move { player.deposit(&format!("071200010{i}"), 100).await.status.as_u16() }
    });
    let mut sent = 0;
    for ask in at_once(asks).await {
        match ask {
            200 => sent += 1,
            other => assert_eq!(other, 429),
        }
    }
    assert_eq!(sent, 6);
}

#[tokio::test]
async fn five_typed_codes_a_day() {
    let (world, player) = World::with_player(0).await;
    let submit = async |player: &Person, code: &str| player.type_code(code).await;
    submit(&player, "no code").await.refused(400);
    let sends = (0..8).map(|i| {
        let player = player.clone();
        let body = json!({"mpesaCode": format!("UHK5RT61S{i}")});
        async move { player.post("/api/manual-payment", body).await.status.as_u16() }
    });
    let mut taken = 0;
    for send in at_once(sends).await {
        taken += usize::from(send == 201);
    }
    assert_eq!(taken, 5);
    let delay = retry_after(&submit(&player, "UHK5RT61S9").await);
    assert!((86_000..=86_400).contains(&delay));
    submit(&world.player().await, "UHK5RT61S9").await.expect(201);
    world.advance(delay).await;
    submit(&world.log_in(EMAIL, PASSWORD).await, "UHK5RT61S9").await.expect(201);
}
