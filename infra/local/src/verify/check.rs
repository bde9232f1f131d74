//! The checks. They make the draw again with the product's own rules (`domain::league`) from what is
//! published, and compare.

use std::collections::BTreeSet;

use domain::{
    EntryAmount,
    gameweek::FENCE_AFTER_DEADLINE,
    league::{self, BEACON_AWAITED_FOR, Seed},
};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{AmountDraw, Chain, League, Published, Report};

/// So many leagues that differ are told one by one.
const TOLD: usize = 5;

/// Checks a whole gameweek. `noted` is the hash of the secret (hex) as it was before the deadline.
pub fn check(published: &Published, chains: &[Chain], noted: Option<&str>, report: &mut Report) {
    let draw = &published.draw;
    let secret_hash = draw.secret_hash.as_deref().unwrap_or("none");
    match noted {
        Some(noted) => report.compare("all", "the secret's hash as it was noted", noted, secret_hash),
        None => report.note(
            "the secret's hash is taken as it is published now; --secret-hash compares it with one that was \
             noted before the deadline",
        ),
    }
    // The deadline itself is the official game's, to be compared by whoever reads this.
    let times = |fence: Timestamp| format!("deadline {}, fence {fence}", draw.deadline);
    let expected = times(draw.deadline + FENCE_AFTER_DEADLINE);
    report.compare("all", "the fence is ten minutes after the deadline", expected, times(draw.fence));
    let amounts: Vec<i64> = draw.draws.iter().map(|draw| draw.entry_amount).collect();
    report.compare("all", "the amounts", listed(&EntryAmount::ALL.map(i64::from)), listed(&amounts));
    for of_amount in &draw.draws {
        let leagues = published.leagues.get(&of_amount.entry_amount).map_or(&[][..], Vec::as_slice);
        let of = format!("KES {}", of_amount.entry_amount);
        let amount = Amount { of: &of, fence: draw.fence, secret_hash, draw: of_amount, leagues };
        amount.check(chains, report);
    }
}

/// One amount's draw, as it is published.
struct Amount<'a> {
    of: &'a str,
    fence: Timestamp,
    secret_hash: &'a str,
    draw: &'a AmountDraw,
    leagues: &'a [League],
}

impl Amount<'_> {
    fn check(&self, chains: &[Chain], report: &mut Report) {
        let what = "the secret has the hash that was public from the opening";
        let secret = hex::decode(&self.draw.secret);
        let hash = secret.as_deref().map_or_else(|_| "what is not hex".to_owned(), league::secret_hash);
        report.compare(self.of, what, self.secret_hash, hash);
        let secret = secret.unwrap_or_default();
        self.check_beacon(chains, report);

        let entries = self.entries(report);
        report.compare(self.of, "how many entries", self.draw.entries, entries.len());
        let hash = league::entries_hash(entries.iter().map(String::as_str));
        report.compare(self.of, "the entries' hash", hex::encode(hash), &self.draw.entries_hash);
        let beacon = bytes(self.draw.beacon.as_deref().unwrap_or_default());
        let seed = Seed::new(&secret, &beacon, &hash);
        report.compare(self.of, "the seed", seed.to_hex(), &self.draw.seed);
        let sizes = league::sizes(entries.len());
        report.compare(self.of, "the leagues' sizes", listed(&sizes), listed(&self.draw.sizes));

        report.entries += entries.len();
        report.leagues += sizes.len();
        let drawn = league::draw(seed, entries.into_iter().collect(), String::as_str);
        let none = || "none".to_owned();
        let alone = (drawn.alone.unwrap_or_else(none), self.draw.alone.clone().unwrap_or_else(none));
        report.compare(self.of, "the entry without a league", alone.0, alone.1);
        self.check_leagues(&drawn.leagues, report);
    }

    fn check_beacon(&self, chains: &[Chain], report: &mut Report) {
        let told = self.draw.beacon_chain.as_deref().unwrap_or("none");
        let Some(chain) = chains.iter().find(|chain| chain.hash == told) else {
            let known: Vec<_> = chains.iter().map(|c| format!("{} ({})", c.hash, c.name)).collect();
            let known = format!("one whose key is known, {} (--chain-info adds one)", known.join(", "));
            return report.failing(self.of, "the beacon's chain", known, told);
        };
        report.holding(self.of, "the beacon's chain", format!("{told} ({})", chain.name));
        let round = chain.first_round_from(self.fence);
        report.compare(self.of, "the first round after the fence", round, self.draw.beacon_round);
        match (&self.draw.beacon, &self.draw.beacon_signature) {
            (None, None) => self.check_silence(report),
            (beacon, signature) => {
                let signature = bytes(signature.as_deref().unwrap_or_default());
                let value = hex::encode(Sha256::digest(&signature));
                let beacon = beacon.as_deref().unwrap_or("none");
                report.compare(self.of, "the beacon's value is its signature's hash", value, beacon);
                let signed = chain.signed(self.draw.beacon_round, &signature);
                let found = if signed { "valid" } else { "not this chain's for this round" };
                report.compare(self.of, "the beacon's signature", "valid", found);
            }
        }
    }

    /// A draw without the beacon says so, and was not made before the beacon's time was over.
    fn check_silence(&self, report: &mut Report) {
        let what = "says that it was drawn without the beacon";
        let Some(statement) = &self.draw.without_beacon else {
            return report.failing(self.of, what, "a beacon's value, or a statement", "neither");
        };
        report.holding(self.of, what, statement);
        let (what, from) = ("was not drawn while the beacon was awaited", self.fence + BEACON_AWAITED_FOR);
        if self.draw.at >= from {
            report.holding(self.of, what, self.draw.at);
        } else {
            report.failing(self.of, what, format!("{from} or later"), self.draw.at);
        }
        report.note(format!(
            "{}: without the beacon the operator could know the draw beforehand (docs/draw.md)",
            self.of
        ));
    }

    /// Every entry's id, from all leagues and the one without.
    fn entries(&self, report: &mut Report) -> BTreeSet<String> {
        let members = self.leagues.iter().flat_map(|league| &league.users);
        let known = members.clone().filter_map(|member| member.entry_id.clone());
        let ids: Vec<String> = known.chain(self.draw.alone.clone()).collect();
        let nameless = members.filter(|member| member.entry_id.is_none()).count();
        report.compare(self.of, "members without an entry's id", 0, nameless);
        let distinct: BTreeSet<String> = ids.iter().cloned().collect();
        report.compare(self.of, "entries that are there twice", 0, ids.len() - distinct.len());
        distinct
    }

    /// Who is in which league. In which order a league tells them is not the draw's: they are ranked
    /// once there are points.
    fn check_leagues(&self, drawn: &[Vec<String>], report: &mut Report) {
        let what = "each league has whom the draw puts there";
        let mut wrong = 0;
        let numbers = self.leagues.iter().map(|league| league.number).chain(1..=drawn.len());
        for number in numbers.collect::<BTreeSet<_>>() {
            let there: Vec<&League> = self.leagues.iter().filter(|league| league.number == number).collect();
            let drawn = number.checked_sub(1).and_then(|place| drawn.get(place));
            if let Some((expected, found)) = difference(drawn, &there) {
                wrong += 1;
                if wrong <= TOLD {
                    report.failing(self.of, what, format!("league {number} {expected}"), found);
                }
            }
        }
        match wrong {
            0 => report.holding(self.of, what, format!("{} leagues", drawn.len())),
            wrong if wrong > TOLD => {
                report.note(format!("{}: {} more leagues differ", self.of, wrong - TOLD))
            }
            _ => {}
        }
    }
}

/// What is expected of a league and what is found; `None` where they agree.
fn difference(drawn: Option<&Vec<String>>, there: &[&League]) -> Option<(String, String)> {
    let Some(drawn) = drawn else { return Some(("not to be there".into(), "it is".into())) };
    let [league] = there else { return Some(("once".into(), format!("{} times", there.len()))) };
    let drawn: BTreeSet<&str> = drawn.iter().map(String::as_str).collect();
    let found: BTreeSet<&str> = league.users.iter().filter_map(|member| member.entry_id.as_deref()).collect();
    if drawn == found {
        return None;
    }
    let only = |these: &BTreeSet<&str>, those: &BTreeSet<&str>| {
        let ids: Vec<&str> = these.difference(those).copied().collect();
        if ids.is_empty() { "nobody else".to_owned() } else { ids.join(" ") }
    };
    Some((format!("with {}", only(&drawn, &found)), format!("{} in their place", only(&found, &drawn))))
}

/// What is not hex is as wrong as any other value: no bytes.
fn bytes(hex: &str) -> Vec<u8> {
    hex::decode(hex).unwrap_or_default()
}

fn listed(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    if numbers.is_empty() { "none".to_owned() } else { numbers.join(" ") }
}
