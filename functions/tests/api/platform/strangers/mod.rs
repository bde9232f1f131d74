//! Tokens, cookies, cursors, links and forms that strangers make up: the kept ones (`*.txt`, where `{real}` stands for
//! the true value), and true ones changed in many ways. None is answered with a failure of ours, none does anything, and the
//! true value is still good after all of them.
//!
//! `CASES` says how many are made up of each, `SEED` which.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Kes, ledger::postings::Posting};
use fastrand::Rng;
use reqwest::{
    Method,
    header::{AUTHORIZATION, COOKIE, HeaderValue, SET_COOKIE},
};
use serde_json::{Value, json};

use crate::support::{
    Answer, PASSWORD, Person, World,
    calls::{calls, lists, untouched},
    read, text,
};

const NASTY: [&str; 16] = [
    "",
    ".",
    "..",
    "/",
    "%",
    "\u{0}",
    "\n",
    "é",
    "🇰🇪",
    "{}",
    "\"",
    " ",
    "=",
    ";",
    "0",
    "99999999999999999999",
];

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Values of strangers.
struct Strangers {
    kept: &'static str,
    rng: Rng,
}

impl Strangers {
    fn with(kept: &'static str) -> Self {
        Self { kept, rng: Rng::with_seed(number("SEED", 1)) }
    }

    /// The kept ones, and as many made of `real` and of them; never `real` itself.
    fn of(&mut self, real: &str) -> Vec<String> {
        let kept: Vec<_> = self.kept.lines().map(|line| line.replace("{real}", real)).collect();
        let mut all = kept.clone();
        for _ in 0..number("CASES", 150) {
            // Half of them begin with what is true.
            let begin = if self.rng.bool() { real } else { &kept[self.rng.usize(..kept.len())] };
            all.push(self.changed(begin, real));
        }
        all.retain(|value| value != real);
        all
    }

    fn changed(&mut self, value: &str, real: &str) -> String {
        let mut value: Vec<char> = value.chars().collect();
        for _ in 0..self.rng.usize(1..4) {
            let at = self.rng.usize(..=value.len());
            let end = (at + self.rng.usize(..12)).min(value.len());
            let part: Vec<char> = value[at..end].to_vec();
            match self.rng.u8(..7) {
                0 => drop(value.splice(at..end, NASTY[self.rng.usize(..NASTY.len())].chars())),
                1 => drop(value.splice(at..at, part)),
                2 => drop(value.drain(at..end)),
                3 => value.truncate(at),
                4 => value.extend(real.chars().take(self.rng.usize(..40))),
                _ if at < value.len() => {
                    // Another letter, so that only what it is, and not how long, gives it away.
                    value[at] = char::from(self.rng.u8(b'0'..=b'z'));
                }
                _ => {}
            }
        }
        value.into_iter().collect()
    }
}

/// As a part of an address, whatever is in it.
fn in_address(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[track_caller]
fn is_no_failure(answer: &Answer, value: &str) {
    assert!(!answer.status.is_server_error(), "{value:?}: {} {}", answer.status, answer.body);
}

async fn with_header(
    person: &Person,
    (method, path): (Method, &str),
    name: &str,
    value: &str,
) -> Option<Answer> {
    // What no header can carry never comes.
    let value = HeaderValue::from_bytes(value.as_bytes()).ok()?;
    let body = json!({"mpesaNumber": "0712345678", "amount": 60});
    Some(read(person.request(method, path).header(name, value).json(&body)).await)
}

#[tokio::test]
async fn a_made_up_token_speaks_for_nobody() {
    let (world, player) = World::with_player(100).await;
    let (token, admin) = (player.token.clone().unwrap(), world.admin().await.token.unwrap());
    let before = untouched(&world).await;
    let mut strangers = Strangers::with(include_str!("authorization.txt"));
    for real in [&token, &admin] {
        for value in strangers.of(&format!("Bearer {real}")) {
            // Spaces around it, and how the scheme is written, change nothing of what it says.
            let said = value.split_once(' ').map(|(scheme, token)| (scheme.to_lowercase(), token.trim()));
            if said.is_some_and(|(scheme, token)| scheme == "bearer" && token == real.as_str()) {
                continue;
            }
            for call in [
                (Method::POST, "/api/withdraw"),
                (Method::GET, "/api/user"),
                (Method::GET, "/api/admin/books"),
            ] {
                let name = AUTHORIZATION.as_str();
                let Some(answer) = with_header(&world.nobody(), call, name, &value).await else { continue };
                assert_eq!(answer.status, 401, "{value:?}: {}", answer.body);
            }
        }
    }
    assert_eq!(untouched(&world).await, before);
    assert_eq!(player.wallet().await, 100);
}

#[tokio::test]
async fn a_made_up_cookie_begins_and_ends_no_session() {
    let (world, player) = World::with_player(100).await;
    let form = json!({"email": player.email(), "password": PASSWORD});
    let answer = world.nobody().post("/api/login", form).await;
    let cookie = answer.headers[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let own = Person { token: Some(answer.text(200, "accessToken")), ..player };
    let real = cookie.strip_prefix("rt=").unwrap().to_owned();
    for value in Strangers::with(include_str!("cookies.txt")).of(&cookie) {
        // The true token may be in it whole, where a browser could have sent it: in hexadecimal, which has two spellings.
        let says_it = value.split(';').any(|part| {
            part.split_once('=').is_some_and(|(_, value)| value.trim().eq_ignore_ascii_case(&real))
        });
        if says_it {
            continue;
        }
        for (path, expected) in [("/refresh", 401), ("/logout", 204)] {
            let call = (Method::POST, path);
            let Some(answer) = with_header(&world.nobody(), call, COOKIE.as_str(), &value).await else {
                continue;
            };
            assert_eq!(answer.status, expected, "{path} with {value:?}: {}", answer.body);
        }
    }
    assert_eq!(own.wallet().await, 100, "the session stands");
    with_header(&world.nobody(), (Method::POST, "/refresh"), "cookie", &cookie).await.unwrap().expect(200);
}

/// Two players with sixty movements each, and sixty players more: lists of several pages.
async fn crowded() -> (World, [Person; 2]) {
    let world = World::start().await;
    let players = [world.player().await, world.player().await];
    let (app, season) = (world.app(), 2026);
    for n in 0..60 {
        local::fixtures::sign_up(app, season, n).await;
        for player in &players {
            let money = Posting::deposit(&player.user_id(), &format!("{n:03}"), Kes::new(10));
            app.store().credit_wallet(&player.user_id(), &money, app.clock().now()).await.unwrap();
        }
    }
    (world, players)
}

fn ids(page: &Value) -> BTreeSet<String> {
    page.as_array().unwrap().iter().map(|one| text(one, "_id")).collect()
}

/// Also one that is true, of another list or of the same list of somebody else.
#[tokio::test]
async fn a_made_up_cursor_shows_nobody_elses() {
    let (world, [player, other]) = crowded().await;
    let lists = lists(&world, &player).await;
    let before = untouched(&world).await;
    let path = "/api/me/transactions";
    let own: BTreeSet<_> = player.pages(path).await.iter().flat_map(ids).collect();
    assert_eq!(own.len(), 60);
    let mut true_ones = vec![other.get(path).await.cursor().expect("it has a second page")];
    for list in &lists {
        true_ones.extend(list.caller.get(&list.page("0")).await.cursor());
    }
    let mut strangers = Strangers::with(include_str!("cursors.txt"));
    let made_up = strangers.of(&true_ones[0]).into_iter().chain(true_ones);
    for (n, cursor) in made_up.enumerate() {
        // Every list with the kept ones; of the others each list has its share.
        for (m, list) in lists.iter().enumerate() {
            if n < 40 || n % lists.len() == m {
                is_no_failure(&list.caller.get(&list.page(&in_address(&cursor))).await, &cursor);
            }
        }
        let page = player.get(&format!("{path}?cursor={}", in_address(&cursor))).await;
        if page.status == 200 {
            assert!(ids(&page.body).is_subset(&own), "{cursor:?} shows another's");
        } else {
            page.refused(400);
        }
    }
    assert_eq!(untouched(&world).await, before);
}

/// What the link carries that stops mails about draws: such a mail has come to the player.
async fn stop_link(world: &World, player: &Person) -> String {
    player.set_notifications(json!({"mail": {"drawn": true}})).await;
    let other = world.player_with(50).await;
    for person in [player, &other] {
        person.join(50, 1).await.expect(201);
    }
    world.phase(1, "live").await;
    world.advance(120).await;
    let mail = world.mails_about(&player.email(), "Gameweek 1: you are in Group #1").await.remove(0);
    let link = mail["links"][1].as_str().unwrap();
    link.strip_prefix(&format!("{}/unsubscribe/", world.base)).unwrap().to_owned()
}

#[tokio::test]
async fn a_made_up_link_does_nothing() {
    let (world, player) = World::with_player(250_000).await;
    let unsubscribe = stop_link(&world, &player).await;
    let player = world.again(&player).await;
    player.withdraw("0799123456", 100_000).await.expect(201);
    let cancel = world.cancellation_link(&player).await;
    world.nobody().post("/api/forgot-password", json!({"email": player.email()})).await.expect(200);
    world.advance(0).await;
    let reset = world.linked(&player.email(), "/reset-password/").await.remove(0);
    let reset = reset.trim_start_matches("/reset-password/").to_owned();
    let nobody = world.nobody();
    let before = untouched(&world).await;
    let mut strangers = Strangers::with(include_str!("links.txt"));
    let new = json!({"newPassword": "battery staple"});
    for (call, real, body) in [
        ("cancel-withdrawal", &cancel, json!({})),
        ("reset-password", &reset, new.clone()),
        ("unsubscribe", &unsubscribe, json!({})),
    ] {
        for value in strangers.of(real) {
            // Hexadecimal has two spellings.
            if value.eq_ignore_ascii_case(real) {
                continue;
            }
            // Some make an address that is none of ours, of which the document says nothing.
            let path = format!("/api/{call}/{}", in_address(&value));
            let answer = nobody.request(Method::POST, &path).json(&body).send().await.unwrap();
            assert!(answer.status().is_client_error(), "{call} {value:?}: {}", answer.status());
        }
    }
    assert_eq!(untouched(&world).await, before);
    assert_eq!(player.notifications().await["mail"]["drawn"], true);
    world.log_in(&player.email(), PASSWORD).await;
    nobody.post(&format!("/api/unsubscribe/{unsubscribe}"), json!({})).await.expect(200);
    assert_eq!(player.notifications().await["mail"]["drawn"], false);
    nobody.post(&format!("/api/cancel-withdrawal/{cancel}"), json!({})).await.expect(200);
    nobody.post(&format!("/api/reset-password/{reset}"), new).await.expect(200);
}

#[tokio::test]
async fn a_made_up_form_is_no_failure_of_ours_and_touches_nobody_else() {
    let world = World::start().await;
    let bystander = world.player_with(777).await;
    let (before, calls) = (bystander.user().await, calls(&world).await);
    let mut strangers = Strangers::with(include_str!("forms.txt"));
    let mut answered = BTreeMap::new();
    for call in calls {
        let example = Value::Object(call.example()).to_string();
        for (n, form) in strangers.of(&example).into_iter().enumerate() {
            // All of the kept ones are sent to every call, and a third of those that are made up.
            if n % 3 == 0 || n < 24 {
                let answer = call.send(form.clone().into_bytes()).await;
                is_no_failure(&answer, &format!("{} with {form}", call.name));
                *answered.entry(answer.status.as_u16()).or_insert(0) += 1;
            }
        }
    }
    assert!(answered[&400] > 1000, "{answered:?}");
    assert_eq!(world.again(&bystander).await.user().await, before);
    world.ledger().await;
}
