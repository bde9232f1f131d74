//! What honest play would have brought: the test's own reckoning of stakes and prizes, from the leagues that were
//! drawn and the figures that the test itself gave the official game.

use std::collections::BTreeMap;

use super::cheats::Way;

use crate::support::{Person, World, gameweek::users, text};

/// Somebody who plays, and all that their phones ever paid and got.
pub struct Entrant {
    pub person: Person,
    pub email: String,
    pub amount: i64,
    pub way: Option<Way>,
    /// What left this player's phone and was not given back by M-Pesa.
    pub paid_in: i64,
    /// What honest play with the same entries has brought: prizes less stakes.
    pub honest: i64,
}

impl Entrant {
    /// A number of nobody's, to which this player would like to have somebody else's money sent.
    pub fn mule(&self) -> String {
        format!("0799{:06}", self.person.n)
    }
}

/// What a team scores: points, bench and cost. Many share the top.
pub fn figures(gameweek: u8, entrant: usize) -> (i64, i64, i64) {
    let (w, i) = (i64::from(gameweek), i64::try_from(entrant).unwrap());
    (60 + (i * 7 + w * 3) % 9, (i + w) % 3, if (i + w) % 5 == 0 { 4 } else { 0 })
}

/// What ranks: net points, then the bench.
fn score(gameweek: u8, entrant: usize) -> (i64, i64) {
    let (points, bench, cost) = figures(gameweek, entrant);
    (points - cost, bench)
}

/// The entrants of each league of a gameweek that was drawn, by amount.
pub async fn leagues(world: &World, entrants: &[Entrant], gameweek: u8) -> Vec<(i64, Vec<usize>)> {
    let of: BTreeMap<String, usize> =
        entrants.iter().enumerate().map(|(i, entrant)| (entrant.person.fpl_id.clone(), i)).collect();
    let mut leagues = Vec::new();
    for amount in [50, 100, 250] {
        for league in world.nobody().leagues(amount, gameweek).await {
            let users = users(&league);
            leagues.push((amount, users.iter().map(|user| of[&text(user, "fplId")]).collect()));
        }
    }
    leagues
}

/// Who is best in a league.
pub fn winners(members: &[usize], gameweek: u8) -> Vec<usize> {
    let best = members.iter().map(|entrant| score(gameweek, *entrant)).max().unwrap();
    members.iter().copied().filter(|entrant| score(gameweek, *entrant) == best).collect()
}

/// Adds what the rules make of a gameweek to what everybody has honestly won and lost.
pub async fn reckon(world: &World, entrants: &mut [Entrant], gameweek: u8) {
    for (amount, members) in leagues(world, entrants, gameweek).await {
        assert!((2..=10).contains(&members.len()), "{} players at {amount}", members.len());
        let best = winners(&members, gameweek);
        let collected = amount * i64::try_from(members.len()).unwrap();
        let share = (collected - collected / 10) / i64::try_from(best.len()).unwrap();
        for entrant in members {
            entrants[entrant].honest += if best.contains(&entrant) { share - amount } else { -amount };
        }
    }
}

/// What M-Pesa has sent to each number.
async fn paid_out(world: &World) -> BTreeMap<String, i64> {
    let mut sent = BTreeMap::new();
    for payout in world.nobody().get("/sim/api/payouts").await.expect(200).as_array().unwrap() {
        if payout["receipt"].is_string() {
            *sent.entry(text(payout, "phone")).or_default() += payout["amount"].as_i64().unwrap();
        }
    }
    sent
}

/// The books are at zero, no honest player has lost or won anything by others' cheating, and no cheat has
/// more than honest play would have brought.
pub async fn check(world: &World, entrants: &[Entrant], when: &str) {
    let ledger = world.ledger().await;
    let (sent, held) = (paid_out(world).await, held(world).await);
    let to = |phone: &str| sent.get(phone).copied().unwrap_or(0);
    for entrant in entrants {
        let out = to(&entrant.person.phone()) + to(&entrant.mule());
        let held = held.get(&entrant.person.id).copied().unwrap_or(0);
        let has = ledger.wallets[&entrant.person.id] + held + out - entrant.paid_in;
        let who = format!("player{} {:?} {when}", entrant.person.n, entrant.way);
        match entrant.way {
            None => assert_eq!(has, entrant.honest, "{who}"),
            // What they did pay is theirs: nothing is swallowed either.
            Some(Way::TypesThePromptsReceipt | Way::PaysUnheard) => {
                assert_eq!(has, entrant.honest, "{who}")
            }
            Some(_) => {
                assert!(has <= entrant.honest, "{who}: {has} and not {} at most", entrant.honest)
            }
        }
    }
}

/// What each player has asked for and not got yet: M-Pesa has not been told, or it may come back.
async fn held(world: &World) -> BTreeMap<String, i64> {
    let (mut held, mut cursor) = (BTreeMap::new(), None::<String>);
    loop {
        let page = world.app().store().pending_withdrawals(cursor.as_deref(), 100).await.unwrap();
        for one in &page.items {
            *held.entry(one.user_id.to_string()).or_default() += one.amount.get();
        }
        cursor = page.cursor;
        if cursor.is_none() {
            return held;
        }
    }
}
