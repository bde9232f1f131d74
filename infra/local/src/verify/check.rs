//! The checks. They make the draw again with the product's own rules (`domain::leagues::draw`) from what is
//! published, and compare.

use std::collections::BTreeSet;

use domain::{
    EntryAmount,
    gameweeks::calendar::{FENCE_AFTER_DEADLINE, FENCE_BEFORE_LISTS_WERE_PUBLIC},
    leagues::{
        beacon::{AWAITED_FOR, ROUND_AFTER_LISTS, TRIES},
        draw::{self, Seed},
        entry_line,
    },
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::{
    AmountDraw, Chain, Draw, League, Published, Report,
    members::{self, Listed},
};

/// The list is fixed by then.
const LIST_FIXED_AFTER_DEADLINE: SignedDuration = SignedDuration::from_mins(25);

/// So long after the fence the beacon was awaited before the lists were public.
const OLD_AWAITED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// What somebody knows from before, or asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The hash of the secret (hex) as it was noted before the deadline.
    pub secret_hash: Option<String>,
    /// The hashes of the lists (hex) as they were noted before the beacon's round, by amount in KES.
    pub lists: Vec<(i64, String)>,
    /// The lines of entries as they were shown from joining on.
    pub entries: Vec<entry_line::EntryLine>,
    /// Whether a draw by the rules of before is accepted.
    pub old_rules: bool,
}

pub fn check(published: &Published, chains: &[Chain], known: &Known, report: &mut Report) {
    let draw = &published.draw;
    check_secret(draw, known, report);
    let is_old = known.old_rules && draw.lists_at.is_none();
    // The deadline itself is the official game's, to be compared by whoever reads this.
    let times = |fence: Timestamp| format!("deadline {}, fence {fence}", draw.deadline);
    let after = if is_old { FENCE_BEFORE_LISTS_WERE_PUBLIC } else { FENCE_AFTER_DEADLINE };
    report.compare("all", "the fence", times(draw.deadline + after), times(draw.fence));
    let amounts: Vec<i64> = draw.draws.iter().map(|draw| draw.entry_amount).collect();
    report.compare("all", "the amounts", listed(&EntryAmount::ALL.map(i64::from)), listed(&amounts));
    match draw.lists_at {
        Some(_) => check_lists(draw, report),
        None if is_old => report.note("drawn by the rules of before: the list's hash was not public first"),
        None => {
            report.failing("all", "when every list was fixed", "a time before the beacon's round", "none")
        }
    }
    check_noted(draw, known, report);
    let mut everybody = BTreeSet::new();
    for of_amount in &draw.draws {
        let leagues = published.leagues.get(&of_amount.entry_amount).map_or(&[][..], Vec::as_slice);
        let of = format!("KES {}", of_amount.entry_amount);
        let (secret_hash, old_rules) = (draw.secret_hash.as_deref().unwrap_or("none"), known.old_rules);
        let amount = Amount { of: &of, all: draw, secret_hash, draw: of_amount, leagues, old_rules };
        everybody.extend(amount.check(chains, report));
    }
    members::check_wanted(&known.entries, &everybody, report);
}

fn check_secret(draw: &Draw, known: &Known, report: &mut Report) {
    let secret_hash = draw.secret_hash.as_deref().unwrap_or("none");
    match &known.secret_hash {
        Some(noted) => report.compare("all", "the secret's hash as it was noted", noted, secret_hash),
        None => report.note(
            "the secret's hash is taken as it is published now; --secret-hash compares it with one that was \
             noted before the deadline",
        ),
    }
}

/// The lists as they were public before the round, against what was drawn.
fn check_lists(draw: &Draw, report: &mut Report) {
    let list = |amount: i64, entries: usize, hash: &str| format!("KES {amount} {entries} {hash}");
    let lists: Vec<String> =
        draw.lists.iter().map(|of| list(of.entry_amount, of.entries, &of.entries_hash)).collect();
    let drawn: Vec<String> =
        draw.draws.iter().map(|of| list(of.entry_amount, of.entries, &of.entries_hash)).collect();
    report.compare(
        "all",
        "the lists that were fixed are those that were drawn",
        listed(&lists),
        listed(&drawn),
    );
    let (first, last) = (draw.lists.iter().map(|l| l.at).min(), draw.lists.iter().map(|l| l.at).max());
    let lists_at = draw.lists_at.unwrap_or(Timestamp::MIN);
    let in_order =
        first.is_some_and(|first| first >= draw.fence) && last.is_some_and(|last| last <= lists_at);
    let what = "every list was fixed after the fence, and before the round was chosen";
    let found = format!("{} to {}, chosen {lists_at}", or_none(first), or_none(last));
    match in_order {
        true => report.holding("all", what, found),
        false => report.failing("all", what, format!("from {} on, in this order", draw.fence), found),
    }
    if lists_at > draw.deadline + LIST_FIXED_AFTER_DEADLINE {
        report.note("the lists were fixed later than 25 minutes after the deadline");
    }
}

fn check_noted(draw: &Draw, known: &Known, report: &mut Report) {
    for (amount, noted) in &known.lists {
        let found = draw.draws.iter().find(|of| of.entry_amount == *amount);
        let found = found.map_or("none", |of| of.entries_hash.as_str());
        report.compare(&format!("KES {amount}"), "the list's hash as it was noted", noted, found);
    }
    if known.lists.is_empty() && draw.lists_at.is_some() {
        report.note(
            "the lists' hashes are taken as they are published now; --entries-hash <amount>:<hex> compares one \
             that was noted before the beacon's round",
        );
    }
}

struct Amount<'a> {
    of: &'a str,
    all: &'a Draw,
    secret_hash: &'a str,
    draw: &'a AmountDraw,
    leagues: &'a [League],
    old_rules: bool,
}

impl Amount<'_> {
    /// Answers the lines of everybody in it.
    fn check(&self, chains: &[Chain], report: &mut Report) -> BTreeSet<String> {
        let what = "the secret has the hash that was public from the opening";
        let secret = hex::decode(&self.draw.secret);
        let hash = secret.as_deref().map_or_else(|_| "what is not hex".to_owned(), draw::secret_hash);
        report.compare(self.of, what, self.secret_hash, hash);
        let secret = secret.unwrap_or_default();
        self.check_beacon(chains, report);

        let entries = Listed::of(self.of, self.draw, self.leagues, report);
        report.compare(self.of, "how many entries", self.draw.entries, entries.ids.len());
        let hash = self.list_hash(&entries, report);
        report.compare(self.of, "the entries' hash", hex::encode(hash), &self.draw.entries_hash);
        let beacon = bytes(self.draw.beacon.as_deref().unwrap_or_default());
        let seed = Seed::new(&secret, &beacon, &hash);
        report.compare(self.of, "the seed", seed.to_hex(), &self.draw.seed);
        let sizes = draw::sizes(entries.ids.len());
        report.compare(self.of, "the leagues' sizes", listed(&sizes), listed(&self.draw.sizes));

        report.entries += entries.ids.len();
        report.leagues += sizes.len();
        let drawn = draw::draw(seed, entries.ids.into_iter().collect(), String::as_str);
        let none = || "none".to_owned();
        let alone = (drawn.alone.unwrap_or_else(none), self.draw.alone.clone().unwrap_or_else(none));
        report.compare(self.of, "the entry without a league", alone.0, alone.1);
        self.check_leagues(&drawn.leagues, report);
        entries.lines.iter().map(ToString::to_string).collect()
    }

    /// The hash of the list, over what it covers.
    fn list_hash(&self, entries: &Listed, report: &mut Report) -> [u8; 32] {
        let covers = self.draw.covers.as_str();
        if covers == "ids" && self.old_rules {
            report.note(format!(
                "{}: the list's hash covers the entries' ids only, not whose they are",
                self.of
            ));
            return draw::entries_hash(entries.ids.iter().map(String::as_str));
        }
        report.compare(self.of, "what the list's hash covers", "lines", covers);
        entries.check_names(self.of, report);
        entry_line::lines_hash(&entries.lines)
    }

    fn check_beacon(&self, chains: &[Chain], report: &mut Report) {
        let named = self.draw.beacon_chain.as_deref().unwrap_or("none");
        let Some(chain) = chains.iter().find(|chain| chain.hash == named) else {
            let known: Vec<_> = chains.iter().map(|c| format!("{} ({})", c.hash, c.name)).collect();
            let known = format!("one whose key is known, {} (--chain-info adds one)", known.join(", "));
            return report.failing(self.of, "the beacon's chain", known, named);
        };
        report.holding(self.of, "the beacon's chain", format!("{named} ({})", chain.name));
        let counts_from = self.all.lists_at.map_or(self.all.fence, |at| at + ROUND_AFTER_LISTS);
        let round = chain.first_round_from(counts_from);
        report.compare(self.of, "the round that counts", round, self.draw.beacon_round);
        match (&self.draw.beacon, &self.draw.beacon_signature) {
            (None, None) => self.check_silence(chain.time_of(round), report),
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

    /// A draw without the beacon says so, and was not made before the beacon was waited for.
    fn check_silence(&self, round_at: Timestamp, report: &mut Report) {
        let what = "says that it was drawn without the beacon";
        let Some(statement) = &self.draw.without_beacon else {
            return report.failing(self.of, what, "a beacon's value, or a statement", "neither");
        };
        report.holding(self.of, what, statement);
        let what = "was not drawn while the beacon was awaited";
        let is_old = self.old_rules && self.all.lists_at.is_none();
        let (holds, expected, found) = match &self.all.beacon_silence {
            None if is_old => {
                let from = self.all.fence + OLD_AWAITED_FOR;
                (self.draw.at >= from, format!("{from} or later"), self.draw.at.to_string())
            }
            silence => {
                let waited = silence.as_ref().is_some_and(|s| {
                    let long = s.until.duration_since(s.since) >= AWAITED_FOR && s.tries >= TRIES;
                    long && s.since >= round_at && s.until <= self.draw.at
                });
                let asked = |s: &super::Silence| format!("{} times from {} to {}", s.tries, s.since, s.until);
                let found = silence.as_ref().map_or("no times at which it was asked".to_owned(), asked);
                (waited, format!("half an hour of asking, from {round_at} on"), found)
            }
        };
        match holds {
            true => report.holding(self.of, what, found),
            false => report.failing(self.of, what, expected, found),
        }
        report.note(format!(
            "{}: without the beacon the operator could know the draw beforehand (docs/draw.md)",
            self.of
        ));
    }

    /// Who is in which league. In which order a league tells them is not the draw's: they are ranked
    /// once there are points.
    fn check_leagues(&self, drawn: &[Vec<String>], report: &mut Report) {
        let what = "each league has whom the draw puts there";
        let numbers = self.leagues.iter().map(|league| league.number).chain(1..=drawn.len());
        let wrong = numbers.collect::<BTreeSet<_>>().into_iter().filter_map(|number| {
            let there: Vec<&League> = self.leagues.iter().filter(|league| league.number == number).collect();
            let drawn = number.checked_sub(1).and_then(|place| drawn.get(place));
            let (expected, found) = difference(drawn, &there)?;
            Some((format!("league {number} {expected}"), found))
        });
        let wrong: Vec<_> = wrong.collect();
        report.each(self.of, what, (drawn.len(), "leagues"), &wrong);
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

fn listed(these: &[impl ToString]) -> String {
    let these: Vec<String> = these.iter().map(ToString::to_string).collect();
    if these.is_empty() { "none".to_owned() } else { these.join(" ") }
}

fn or_none(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "none".to_owned(), |at| at.to_string())
}
