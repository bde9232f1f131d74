//! A month of gameweeks in which one player in ten cheats, each in a way of their own (`cheats.rs`). After each
//! gameweek the books are at zero, every honest player has to the shilling what the test's own reckoning
//! (`model.rs`) says, and no cheat has more than honest play with the same entries would have brought.

mod admin;
mod cheats;
mod model;

use app::Safeguards::{self, Full, Light};
use rstest::rstest;
use serde_json::json;

use self::{
    cheats::{Loot, WAYS, Way},
    model::{Entrant, figures},
};

use crate::support::{
    World,
    gameweek::{DAY, PROCESS},
};

const START: i64 = 1000;
const TRIES: usize = 30;

/// Everybody signs up and pays in by a prompt; one in `every` will cheat. A day passes, so that their numbers are
/// their own.
async fn entrants(world: &World, players: usize, every: usize) -> Vec<Entrant> {
    let mut entrants = Vec::new();
    for i in 0..players {
        let person = world.player().await;
        world.fund(&person, START).await;
        let email = person.email();
        let amount = [50, 100, 50, 100, 250][i % 5];
        let way = (i % every == every - 1).then(|| WAYS[i / every % WAYS.len()]);
        entrants.push(Entrant { person, email, amount, way, paid_in: START, honest: 0 });
    }
    world.advance(DAY + 3600).await;
    entrants
}

/// Tokens have ended since.
async fn refresh(entrants: &mut [Entrant]) {
    for entrant in entrants {
        entrant.person.refresh().await;
    }
}

fn cheats_of(entrants: &[Entrant]) -> Vec<usize> {
    (0..entrants.len()).filter(|i| entrants[*i].way.is_some()).collect()
}

/// Answers how many play: who pays at the last minute does not join before.
async fn everybody_joins(entrants: &[Entrant], gameweek: u8) -> usize {
    let joining: Vec<&Entrant> =
        entrants.iter().filter(|entrant| entrant.way != Some(Way::PaysUnheard)).collect();
    for entrant in &joining {
        entrant.person.join(entrant.amount, gameweek).await.expect(201);
    }
    joining.len()
}

async fn deadline(world: &World, gameweek: u8) -> jiff::Timestamp {
    let list = world.nobody().get("/sim/api/fpl/gameweeks").await.expect(200);
    list[usize::from(gameweek) - 1]["deadline"].as_str().unwrap().parse().unwrap()
}

/// The last two minutes before the deadline; what is paid in it is heard of when the leagues are drawn.
async fn over_the_deadline(world: &World, entrants: &mut [Entrant], gameweek: u8, joined: usize) {
    let last = deadline(world, gameweek).await - jiff::SignedDuration::from_secs(120);
    world.clock_to(&last.to_string()).await;
    world.faults(json!({"daraja": "pending"})).await;
    for entrant in entrants.iter_mut().filter(|entrant| entrant.way == Some(Way::PaysUnheard)) {
        entrant.person.refresh().await;
        cheats::at_the_deadline(world, entrant, gameweek).await;
    }
    world.phase(gameweek, "live").await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(1800).await;
    let drawn: usize = model::leagues(world, entrants, gameweek).await.iter().map(|(_, of)| of.len()).sum();
    assert_eq!(drawn, joined, "who was not heard of in time does not play");
}

/// Presses the button and lets time pass until every league is paid: one whose teams have vanished waits for two
/// days.
async fn settle(world: &World, gameweek: u8) {
    for _ in 0..TRIES {
        let pressed = world.admin().await.post(PROCESS, json!({"gameweek": gameweek})).await;
        if pressed.status == 200 && pressed.body["state"] == "settled" {
            return;
        }
        world.advance(2 * 3600).await;
    }
    panic!("gameweek {gameweek} is never settled");
}

async fn play(world: &World, entrants: &mut [Entrant], gameweek: u8) {
    for (i, entrant) in entrants.iter().enumerate() {
        let (points, bench, cost) = figures(gameweek, i);
        world.points(&entrant.person.fpl_id, gameweek, points, bench, cost).await;
    }
    refresh(entrants).await;
    let joined = everybody_joins(entrants, gameweek).await;
    let mut loot: Vec<(usize, Loot)> = Vec::new();
    for cheat in cheats_of(entrants) {
        refresh_both(entrants, cheat).await;
        loot.push((cheat, cheats::before(world, entrants, cheat, gameweek).await));
    }
    over_the_deadline(world, entrants, gameweek, joined).await;
    world.advance(6 * 3600).await;
    cheats::while_it_is_played(world, entrants, gameweek).await;
    for (cheat, loot) in &loot {
        cheats::take_back(world, entrants, *cheat, loot).await;
    }
    world.phase(gameweek, "checked").await;
    settle(world, gameweek).await;
    model::reckon(world, entrants, gameweek).await;
    for (cheat, loot) in &loot {
        refresh_both(entrants, *cheat).await;
        cheats::after(world, entrants, *cheat, loot).await;
    }
    withdraw_prizes(world, entrants, gameweek).await;
    admin::work(world, entrants).await;
    for entrant in entrants.iter().filter(|entrant| entrant.way == Some(Way::Vanishes)) {
        cheats::vanish(world, entrant, true).await;
    }
    model::check(world, entrants, &format!("after gameweek {gameweek}")).await;
}

/// Of a cheat, and of the honest player before, beside whom it is done.
async fn refresh_both(entrants: &mut [Entrant], cheat: usize) {
    for entrant in [cheat, cheat - 1] {
        entrants[entrant].person.refresh().await;
    }
}

/// A few of the winners have as much as they paid for it sent home.
async fn withdraw_prizes(world: &World, entrants: &mut [Entrant], gameweek: u8) {
    let leagues = model::leagues(world, entrants, gameweek).await;
    for (amount, members) in leagues.iter().filter(|(amount, _)| *amount == 100).take(4) {
        let entrant = &mut entrants[model::winners(members, gameweek)[0]];
        if entrant.way.is_none() {
            entrant.person.refresh().await;
            entrant.person.withdraw(&entrant.person.phone(), *amount).await.expect(201);
        }
    }
}

async fn month(safeguards: Safeguards, players: usize, every: usize, gameweeks: u8) {
    let world = World::start_guarded(safeguards).await;
    let mut entrants = entrants(&world, players, every).await;
    for gameweek in 1..=gameweeks {
        play(&world, &mut entrants, gameweek).await;
    }
    admin::is_empty(&world).await;
    let ledger = world.ledger().await;
    for gameweek in 1..=gameweeks {
        assert_eq!(ledger.account(&format!("pot:2026-{gameweek:02}")), 0);
    }
    assert_eq!(ledger.account("withdrawals"), 0);
}

#[rstest]
#[tokio::test]
async fn a_gameweek_in_which_every_third_cheats_brings_nobody_more(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    month(safeguards, WAYS.len() * 3, 3, 1).await;
}

/// Two hundred players, four gameweeks.
#[rstest]
#[tokio::test]
#[ignore = "long: make test-all"]
async fn a_month_of_two_hundred_of_whom_one_in_ten_cheats_brings_nobody_more(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    month(safeguards, 200, 10, 4).await;
}
