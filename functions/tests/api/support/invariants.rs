//! What always holds, read straight from the table and asserted whenever a test looks at the books: one entry
//! a player and gameweek, every entry of a draw in one league or given back, leagues of the right size that
//! pay out what was paid in, and payments, receipts and withdrawals that are each booked once.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::World;

/// An entry that came too late for the draw is found by the last sweep, so long after the draw.
const SWEPT_AFTER: SignedDuration = SignedDuration::from_mins(16);

/// A player, and the key of a posting of theirs.
type Cause<'a> = (&'a str, String);

/// Asserts all of it.
pub async fn check(world: &World) {
    let kept = Kept(items(world).await);
    let postings: BTreeMap<Cause<'_>, &Value> = kept.postings().collect();
    kept.postings_balance();
    kept.payments(&postings);
    kept.withdrawals(&postings);
    kept.taken_back(&postings);
    kept.entries(&postings);
    kept.draws(&postings, world.app().clock().now());
    kept.settlements(&postings);
}

/// Every item of the table, in plain JSON.
pub async fn items(world: &World) -> Vec<Value> {
    let mut items = Vec::new();
    let keep = |item: &Value| {
        items.push(plain(&json!({ "M": item })));
        Ok(())
    };
    world.dynamo().scan(&world.app().config().table_name, &json!({}), keep).await.expect("the table is read");
    items
}

fn plain(attribute: &Value) -> Value {
    let (kind, value) = attribute.as_object().and_then(|object| object.iter().next()).expect("an attribute");
    match (kind.as_str(), value) {
        ("N", number) => serde_json::from_str(number.as_str().unwrap()).unwrap(),
        ("L", Value::Array(list)) => list.iter().map(plain).collect(),
        ("M", Value::Object(map)) => {
            Value::Object(map.iter().map(|(name, value)| (name.clone(), plain(value))).collect::<Map<_, _>>())
        }
        ("NULL", _) => Value::Null,
        (_, value) => value.clone(),
    }
}

struct Kept(Vec<Value>);

fn text<'a>(item: &'a Value, field: &str) -> &'a str {
    item[field].as_str().unwrap_or_else(|| panic!("no {field} in {item}"))
}

fn whole(item: &Value, field: &str) -> i64 {
    item[field].as_i64().unwrap_or_else(|| panic!("no {field} in {item}"))
}

fn list<'a>(item: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    item[field].as_array().into_iter().flatten()
}

/// What a posting moves on an account.
fn on(posting: &Value, name: &str) -> i64 {
    list(posting, "legs").filter(|leg| leg["account"] == name).map(|leg| whole(leg, "amount")).sum()
}

/// What a withdrawal keeps back for the state.
fn withheld(withdrawal: &Value) -> i64 {
    withdrawal["tax"]["amount"].as_i64().unwrap_or(0)
}

impl Kept {
    /// The items whose partition and sort key begin so.
    fn of<'a>(&'a self, pk: &'static str, sk: &'static str) -> impl Iterator<Item = &'a Value> {
        self.0.iter().filter(move |item| text(item, "pk").starts_with(pk) && text(item, "sk").starts_with(sk))
    }

    /// What moved a player's wallet or was booked beside it.
    fn postings(&self) -> impl Iterator<Item = (Cause<'_>, &Value)> {
        self.of("USER#", "POST#").map(|posting| {
            let player = text(posting, "pk").strip_prefix("USER#").unwrap();
            ((player, text(posting, "cause").to_owned()), posting)
        })
    }

    fn postings_balance(&self) {
        for posting in self.of("", "POST#") {
            assert_eq!(list(posting, "legs").map(|leg| whole(leg, "amount")).sum::<i64>(), 0, "{posting}");
        }
        let receipts: Vec<&str> =
            self.of("USER#", "POST#").filter_map(|posting| posting["receipt"].as_str()).collect();
        let once: BTreeSet<&str> = receipts.iter().copied().collect();
        assert_eq!(once.len(), receipts.len(), "a receipt is credited once: {receipts:?}");
    }

    /// A payment is credited where it succeeded, and nowhere else.
    fn payments(&self, postings: &BTreeMap<Cause<'_>, &Value>) {
        for payment in self.of("PAY#", "PAY") {
            let cause = (text(payment, "userId"), format!("deposit#{}", text(payment, "id")));
            // Its receipt may have been credited by its typed code.
            let credits = payment["state"] == "SUCCESS" && payment["credited"] != 0;
            assert_eq!(postings.contains_key(&cause), credits, "{payment}");
        }
    }

    /// One debit for each withdrawal, and one end that fits how it ended, each of its amount.
    fn withdrawals(&self, postings: &BTreeMap<Cause<'_>, &Value>) {
        let mut causes = BTreeSet::new();
        for withdrawal in self.of("WITHDRAWAL#", "WITHDRAWAL") {
            let amount = whole(withdrawal, "amount");
            let mut booked = |kind: &str, (held, out): (i64, i64)| {
                let cause = (text(withdrawal, "userId"), format!("{kind}#{}", text(withdrawal, "id")));
                let posting = postings.get(&cause);
                let legs = posting.map(|posting| (on(posting, "withdrawals"), on(posting, "mpesa:out")));
                assert!(legs.is_none_or(|legs| legs == (held, out)), "{legs:?} of {withdrawal}");
                causes.insert(cause);
                legs.is_some()
            };
            let booked = (
                booked("withdrawal", (amount, 0)),
                booked("withdrawal-done", (-amount, amount - withheld(withdrawal))),
                booked("withdrawal-rejected", (-amount, 0)),
            );
            let ended = |how: &str| withdrawal["status"] == how;
            assert_eq!(booked, (true, ended("done"), ended("rejected")), "{withdrawal}");
        }
        let of_none = |cause: &&Cause<'_>| cause.1.starts_with("withdrawal") && !causes.contains(*cause);
        assert_eq!(postings.keys().find(of_none), None, "a posting of no withdrawal");
    }

    /// A receipt that was taken back has one posting that says so, of what it was credited with; a withdrawal
    /// that M-Pesa's word has corrected has one of its amount. What pays a debt comes of something.
    fn taken_back(&self, postings: &BTreeMap<Cause<'_>, &Value>) {
        for receipt in self.of("RECEIPT#", "RECEIPT") {
            let code = text(receipt, "pk").strip_prefix("RECEIPT#").unwrap();
            let player = text(receipt, "userId");
            let reversal = postings.get(&(player, format!("reversal#{code}")));
            assert_eq!(reversal.is_some(), receipt["reversal"].is_object(), "{receipt}");
            let Some(reversal) = reversal else { continue };
            let credit = postings[&(player, text(receipt, "cause").to_owned())];
            assert_eq!(on(reversal, "mpesa:in"), -on(credit, "mpesa:in"), "{receipt}");
        }
        for withdrawal in self.of("WITHDRAWAL#", "WITHDRAWAL") {
            let Some(corrected) = withdrawal["corrected"].as_str() else { continue };
            let word = corrected.trim_start_matches("paid-");
            let cause = format!("correction#{}-{word}", text(withdrawal, "id"));
            let posting = postings.get(&(text(withdrawal, "userId"), cause)).expect("it is booked");
            let paid = whole(withdrawal, "amount") - withheld(withdrawal);
            let out = if corrected == "failed" { -paid } else { paid };
            assert_eq!(on(posting, "mpesa:out"), out, "{withdrawal}");
        }
        for (player, cause) in postings.keys() {
            let Some(of) = cause.strip_prefix("debt-paid#") else { continue };
            assert!(postings.contains_key(&(*player, of.to_owned())), "{cause} of {player} comes of nothing");
        }
    }

    fn entered(&self) -> impl Iterator<Item = &Value> {
        self.of("ENTRIES#", "")
    }

    /// At most one entry a player and gameweek, each paid for by its own posting.
    fn entries(&self, postings: &BTreeMap<Cause<'_>, &Value>) {
        let mut seen = BTreeSet::new();
        for entry in self.entered() {
            let cause = (text(entry, "userId"), format!("entry#{}", text(entry, "gameweek")));
            let posting =
                postings.get(&cause).unwrap_or_else(|| panic!("an entry that nobody paid: {entry}"));
            assert_eq!(
                (&posting["entryId"], &posting["amount"]),
                (&entry["id"], &json!(-whole(entry, "amount")))
            );
            assert!(seen.insert(cause), "entered twice: {entry}");
        }
        let paid = postings.keys().filter(|(_, cause)| cause.starts_with("entry#"));
        assert_eq!(paid.count(), seen.len(), "an entry is paid for and is not there");
    }

    /// Once a gameweek is drawn, each of its entries is in exactly one league, or given back; leagues are of
    /// five to ten, unless fewer than five joined.
    fn draws(&self, postings: &BTreeMap<Cause<'_>, &Value>, now: Timestamp) {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for league in self.of("LEAGUES#", "") {
            let of = format!("DRAW#{}#{}", text(league, "gameweek"), whole(league, "amount"));
            let drawn = self.of("DRAW#", "LIST").find(|list| text(list, "pk") == of);
            let joined = whole(drawn.expect("a league comes of a list"), "count");
            let size = list(league, "members").count();
            assert!((5..=10).contains(&size) || (joined < 5 && size > 1), "{size} of {joined}: {league}");
            for member in list(league, "members") {
                *places.entry(text(member, "entryId")).or_default() += 1;
            }
        }
        for (id, swept) in self.drawn(now) {
            for entry in self.entered().filter(|entry| text(entry, "gameweek") == id) {
                let leagues = places.get(text(entry, "id")).copied().unwrap_or(0);
                let refund = postings.contains_key(&(text(entry, "userId"), format!("refund#{id}")));
                assert!(leagues <= 1, "in {leagues} leagues: {entry}");
                assert!(leagues == 1 || refund || !swept, "in no league, and not given back: {entry}");
                assert!(
                    leagues == 0 || !refund || self.is_given_back(entry),
                    "in a league, and given back: {entry}"
                );
            }
        }
    }

    /// The gameweeks that are drawn, and whether what came too late for it has been looked for.
    fn drawn(&self, now: Timestamp) -> impl Iterator<Item = (String, bool)> {
        self.of("SEASON", "CALENDAR").flat_map(move |calendar| {
            let drawn = list(calendar, "gameweeks").filter(|gameweek| gameweek["drawnAt"].is_string());
            drawn.map(move |gameweek| {
                let drawn_at: Timestamp = text(gameweek, "drawnAt").parse().unwrap();
                let id = format!("{}-{:02}", whole(calendar, "season"), whole(gameweek, "number"));
                (id, now > drawn_at + SWEPT_AFTER)
            })
        })
    }

    fn records(&self) -> impl Iterator<Item = &Value> {
        self.of("SETTLEMENTS#", "").filter(|item| !item["ranking"].is_null())
    }

    /// Whether its league's record gives it back.
    fn is_given_back(&self, entry: &Value) -> bool {
        self.records().filter(|record| text(record, "league").starts_with(text(entry, "gameweek"))).any(
            |record| {
                list(record, "ranking")
                    .any(|who| who["userId"] == entry["userId"] && whole(who, "refund") > 0)
            },
        )
    }

    /// What a league collected is what it pays, keeps and gives back; it is paid as its record says.
    fn settlements(&self, postings: &BTreeMap<Cause<'_>, &Value>) {
        let ended: BTreeSet<String> = self
            .of("LEAGUES#", "")
            .filter(|league| league["settledAt"].is_string())
            .map(|league| {
                let (gameweek, amount) = (text(league, "gameweek"), whole(league, "amount"));
                format!("{gameweek}-{amount}-{:05}", whole(league, "number"))
            })
            .collect();
        let mut prizes = 0;
        for record in self.records() {
            let paid: i64 =
                list(record, "ranking").map(|who| whole(who, "prize") + whole(who, "refund")).sum();
            let kept = whole(record, "fee") + whole(record, "rounding");
            assert_eq!(paid + kept, whole(record, "collected"), "{record}");
            let league = text(record, "league");
            for who in list(record, "ranking").filter(|who| whole(who, "prize") > 0) {
                let prize = postings.get(&(text(who, "userId"), format!("prize#{league}")));
                assert!(prize.is_none_or(|prize| prize["amount"] == who["prize"]), "{league}: {who}");
                assert!(prize.is_some() || !ended.contains(league), "{league} ended without {who}");
                prizes += usize::from(prize.is_some());
            }
        }
        let booked = postings.keys().filter(|(_, cause)| cause.starts_with("prize#")).count();
        assert_eq!(booked, prizes, "a prize that no record has");
    }
}
