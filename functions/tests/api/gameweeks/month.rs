//! Four gameweeks in a row, a normal one, a double one, one that is called off and one whose deadline
//! moves, with 137 players at all three amounts, while the outside world fails now and then. At the end
//! of each the books are held against a calculation of the test's own.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Person, World, assert_has, gameweek::PROCESS};

/// How many enter at each amount: the one at 250 is alone.
const ENTRANTS: [(i64, usize); 3] = [(50, 83), (100, 53), (250, 1)];
const START: i64 = 1000;
const TRIES: usize = 40;

struct Entrant {
    email: String,
    password: String,
    id: String,
    fpl_id: String,
    amount: i64,
    wallet: i64,
}

/// What a team scores in a gameweek: points, bench, cost. Many share the top.
fn figures(gameweek: u8, i: usize) -> (i64, i64, i64) {
    let (w, i) = (i64::from(gameweek), i64::try_from(i).unwrap());
    (60 + (i * 7 + w * 3) % 4, (i + w) % 2, if (i + w) % 5 == 0 { 4 } else { 0 })
}

async fn entrants(world: &World) -> Vec<Entrant> {
    let mut entrants = Vec::new();
    for (amount, count) in ENTRANTS {
        for player in world.crowd(count, amount).await {
            let text = |name: &str| player[name].as_str().unwrap().to_owned();
            let (email, fpl_id) = (text("email"), text("fplId"));
            let password = text("password");
            let person = world.log_in(&email, &password).await;
            // What the deposits would bring, without their prompts.
            let money = domain::ledger::postings::Posting::deposit(
                &person.user_id(),
                &store::random_id(),
                domain::Kes::new(START),
            );
            let player = person.user_id();
            world.app().store().credit_wallet(&player, &money, world.app().clock().now()).await.unwrap();
            let wallet = person.wallet().await;
            entrants.push(Entrant { email, password, id: person.id, fpl_id, amount, wallet });
        }
    }
    entrants
}

/// A few at a time, the first of them while the database is busy.
async fn everybody_joins(world: &World, entrants: &[Entrant], gameweek: u8) {
    world.faults(json!({"dynamodb": {"throttle": 0.1}})).await;
    for (n, some) in entrants.chunks(8).enumerate() {
        let mut joining = tokio::task::JoinSet::new();
        for entrant in some {
            let (nobody, amount) = (world.nobody(), entrant.amount);
            let (email, password) = (entrant.email.clone(), entrant.password.clone());
            joining.spawn(async move {
                join(&log_in(&nobody, &email, &password).await, amount, gameweek).await;
            });
        }
        joining.join_all().await;
        if n == 0 {
            world.faults(json!({"dynamodb": {"throttle": 0.0}})).await;
        }
    }
}

/// Logs in however often it takes.
async fn log_in(nobody: &Person, email: &str, password: &str) -> Person {
    for _ in 0..TRIES {
        let mut person = nobody.clone();
        let answer = person.post("/api/login", json!({"email": email, "password": password})).await;
        if answer.status == 200 {
            person.token = Some(answer.body["accessToken"].as_str().unwrap().to_owned());
            person.fpl_id = answer.body["fplId"].as_str().unwrap().to_owned();
            return person;
        }
        assert_eq!(answer.status, 503, "{}", answer.body);
    }
    panic!("{email} never gets in");
}

async fn admin(world: &World) -> Person {
    let admin = world.admin_account();
    log_in(&world.nobody(), &admin.0, &admin.1).await
}

/// Joins however often it takes: a busy database answers 503, and nothing has happened.
async fn join(person: &Person, amount: i64, gameweek: u8) {
    for _ in 0..TRIES {
        let answer = person.join(amount, gameweek).await;
        match answer.status.as_u16() {
            201 => return,
            // The reply of an attempt before this one was lost, its entry was not.
            409 => return,
            503 => {}
            other => panic!("{other} {}", answer.body),
        }
    }
    panic!("{} never got in", person.fpl_id);
}

async fn set_figures(world: &World, entrants: &[Entrant], gameweek: u8) {
    for (i, entrant) in entrants.iter().enumerate() {
        let (points, bench, cost) = figures(gameweek, i);
        world.points(&entrant.fpl_id, gameweek, points, bench, cost).await;
    }
}

/// Presses the button and lets time pass until every league is paid.
async fn settle(world: &World, gameweek: u8) {
    for _ in 0..TRIES {
        let pressed = admin(world).await.post(PROCESS, json!({"gameweek": gameweek})).await;
        if pressed.status == 200 && pressed.body["state"] == "settled" {
            return;
        }
        world.advance(900).await;
    }
    panic!("gameweek {gameweek} is never settled");
}

/// What the rules make of a gameweek: every entrant's wallet, the fees and what was left over.
async fn reckon(
    world: &World,
    entrants: &mut [Entrant],
    gameweek: u8,
    deduct: bool,
    void: bool,
) -> (i64, i64) {
    let number: BTreeMap<String, usize> =
        entrants.iter().enumerate().map(|(i, entrant)| (entrant.fpl_id.clone(), i)).collect();
    let (mut fees, mut rounding) = (0, 0);
    for (amount, count) in ENTRANTS {
        if void || count == 1 {
            continue;
        }
        let leagues = world.nobody().leagues(amount, gameweek).await;
        let mut seen = 0;
        for league in leagues {
            let members: Vec<usize> = league["users"]
                .as_array()
                .unwrap()
                .iter()
                .map(|user| number[user["fplId"].as_str().unwrap()])
                .collect();
            assert!((5..=10).contains(&members.len()), "{} players", members.len());
            seen += members.len();
            let score = |i: &usize| {
                let (points, bench, cost) = figures(gameweek, *i);
                (points - if deduct { cost } else { 0 }, bench)
            };
            let best = members.iter().map(score).max().unwrap();
            let winners: Vec<usize> = members.iter().copied().filter(|i| score(i) == best).collect();
            let collected = amount * i64::try_from(members.len()).unwrap();
            let fee = collected / 10;
            let share = (collected - fee) / i64::try_from(winners.len()).unwrap();
            fees += fee;
            rounding += collected - fee - share * i64::try_from(winners.len()).unwrap();
            for member in &members {
                entrants[*member].wallet -= amount;
            }
            for winner in winners {
                entrants[winner].wallet += share;
            }
        }
        assert_eq!(seen, count, "every entry is in a league");
    }
    (fees, rounding)
}

#[tokio::test]
#[ignore = "long: make test-all"]
async fn four_gameweeks_in_a_row_end_with_every_wallet_as_reckoned() {
    let world = World::start().await;
    let mut entrants = entrants(&world).await;
    // The first gameweek's entries are paid: reckoned from before them.
    for entrant in &mut entrants {
        entrant.wallet += entrant.amount;
    }
    let (mut fees, mut rounding) = (0, 0);
    for (gameweek, kind) in [(1, "normal"), (2, "double"), (3, "void"), (4, "normal")] {
        world.sim(Method::PUT, &format!("/fpl/gameweeks/{gameweek}"), json!({"kind": kind})).await;
        set_figures(&world, &entrants, gameweek).await;
        if gameweek == 4 {
            move_deadline(&world, 4).await;
        }
        if gameweek > 1 {
            everybody_joins(&world, &entrants, gameweek).await;
        }
        world.faults(json!({"dynamodb": {"throttle": 0.03}})).await;
        if gameweek == 2 {
            // Off at the deadline, on again after it: this gameweek is ranked by gross points.
            toggle(&world).await;
        }
        world.faults(json!({"fpl": if gameweek == 1 { "down" } else { "none" }})).await;
        world.phase(gameweek, "locked").await;
        if gameweek == 2 {
            toggle(&world).await;
        }
        world.phase(gameweek, "live").await;
        world.faults(json!({"fpl": "rate_limited"})).await;
        world.advance(3600).await;
        world.faults(json!({"fpl": "none"})).await;
        world.phase(gameweek, "finished").await;
        world.faults(json!({"fpl": "half_updated"})).await;
        world.phase(gameweek, "checked").await;
        admin(&world).await.post(PROCESS, json!({"gameweek": gameweek})).await;
        world.advance(900).await;
        world.faults(json!({"fpl": "none"})).await;
        settle(&world, gameweek).await;
        world.faults(json!({"dynamodb": {"throttle": 0.0}})).await;

        let (fee, left) = reckon(&world, &mut entrants, gameweek, gameweek != 2, kind == "void").await;
        (fees, rounding) = (fees + fee, rounding + left);
        let ledger = world.ledger().await;
        for entrant in &entrants {
            assert_eq!(ledger.wallets[&entrant.id], entrant.wallet, "{} after {gameweek}", entrant.fpl_id);
        }
        assert_eq!(ledger.account(&format!("pot:2026-{gameweek:02}")), 0);
        assert_eq!((ledger.account("fees"), ledger.account("rounding")), (fees, rounding));
    }
}

/// A day later than it was; an entry between the old deadline and the new one is in.
async fn move_deadline(world: &World, gameweek: u8) {
    let list = world.nobody().get("/sim/api/fpl/gameweeks").await.expect(200);
    let deadline: jiff::Timestamp =
        list[usize::from(gameweek) - 1]["deadline"].as_str().unwrap().parse().unwrap();
    let moved = deadline + jiff::SignedDuration::from_hours(24);
    let path = format!("/fpl/gameweeks/{gameweek}");
    world.sim(Method::PUT, &path, json!({"deadline": moved.to_string()})).await;
    // Long enough for the official calendar to be read again.
    world.advance(600).await;
    let until = json!({"to": (deadline + jiff::SignedDuration::from_hours(2)).to_string()});
    world.sim(Method::POST, "/clock", until).await;
    let status = world.nobody().get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"isOpen": true, "gameweek": gameweek}));
}

async fn toggle(world: &World) {
    for _ in 0..TRIES {
        let answer = admin(world).await.post("/api/points/toggle-deduction", Value::Null).await;
        if answer.status == 200 {
            return;
        }
        assert_eq!(answer.status, 503);
    }
    panic!("the switch never turns");
}
