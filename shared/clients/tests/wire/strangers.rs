//! Bodies of strangers: those in `bodies` as they stand, and each changed in many ways. Nothing panics, nothing that is not
//! said to be paid is read as paid, and an amount is the one that was written or none.
//!
//! `PROPTEST_CASES` says how many are made up.

use clients::{
    Beacon, BeaconConfig, BeaconError, Http,
    beacon::Chain,
    daraja::{
        CallbackAmount, LateResult, PayoutOutcome, TransactionState, parse_balances, parse_confirmation,
        parse_result, parse_stk_callback, without_tokens,
    },
    fpl::{Bootstrap, Entry, EventStatus, Fixture, History, Live, Picks, decode},
};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

use crate::beacon;

const BOOTSTRAP: &[u8] = include_bytes!("bodies/game-bootstrap.json");
const ENTRY: &[u8] = include_bytes!("bodies/game-entry.json");
const STATUS: &[u8] = include_bytes!("bodies/game-status.json");
const HISTORY: &[u8] = include_bytes!("bodies/game-history.json");
const LIVE: &[u8] = include_bytes!("bodies/game-live.json");
const PICKS: &[u8] = include_bytes!("bodies/game-picks.json");
const FIXTURES: &[u8] = include_bytes!("bodies/game-fixtures.json");

const BODIES: [&[u8]; 20] = [
    include_bytes!("bodies/callback-paid.json"),
    include_bytes!("bodies/callback-cancelled.json"),
    include_bytes!("bodies/callback-two-amounts.json"),
    include_bytes!("bodies/confirmation.json"),
    include_bytes!("bodies/result-payout.json"),
    include_bytes!("bodies/result-status.json"),
    include_bytes!("bodies/result-balance.json"),
    BOOTSTRAP,
    ENTRY,
    STATUS,
    HISTORY,
    LIVE,
    PICKS,
    FIXTURES,
    include_bytes!("bodies/game-updating.json"),
    include_bytes!("bodies/nobody.html"),
    include_bytes!("bodies/deep.json"),
    include_bytes!("bodies/token-said-twice.txt"),
    include_bytes!("bodies/beacon-round.json"),
    include_bytes!("bodies/beacon-lie.json"),
];

/// What is put where something else was.
const NASTY: [&str; 24] = [
    "null",
    "0",
    "-1",
    "1e400",
    "9223372036854775808",
    "-9223372036854775809",
    "9007199254740993",
    "0.1",
    "\"\"",
    "\"0\"",
    "\"-0\"",
    "\"٥٠\"",
    "\"99999999999999999999999\"",
    "\"50.00\"",
    "[]",
    "{}",
    "[[]]",
    "\"\\u0000\"",
    "\"🇰🇪\"",
    "true",
    "\"Access Token = 0123456789abcdef0123456789abcdef\"",
    "\"Amount\"",
    ",",
    "}",
];

/// At so many thousandths of the body something is written over, put in, or left out.
#[derive(Debug, Clone)]
enum Change {
    Byte(usize, u8),
    Value(usize, usize),
    Cut(usize, usize),
    Twice(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0..1000_usize;
    prop_oneof![
        1 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        4 => (at.clone(), 0..NASTY.len()).prop_map(|(at, nasty)| Change::Value(at, nasty)),
        1 => (at.clone(), 1..60_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        1 => (at, 1..60_usize).prop_map(|(at, length)| Change::Twice(at, length)),
    ]
}

/// The value that begins behind the next colon from there on.
fn value(body: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
    let begins = from + body[from..].iter().position(|byte| *byte == b':')? + 1;
    let mut values = serde_json::Deserializer::from_slice(&body[begins..]).into_iter::<Value>();
    values.next()?.ok()?;
    Some(begins..begins + values.byte_offset())
}

fn changed(body: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut body = body.to_vec();
    for change in changes {
        let place = |at: &usize| at * body.len() / 1000;
        match change {
            Change::Byte(at, byte) if !body.is_empty() => {
                let at = place(at);
                body[at] = *byte;
            }
            Change::Value(at, nasty) => {
                if let Some(range) = value(&body, place(at)) {
                    body.splice(range, NASTY[*nasty].bytes());
                }
            }
            Change::Cut(at, length) => {
                let at = place(at);
                body.drain(at..(at + length).min(body.len()));
            }
            Change::Twice(at, length) => {
                let at = place(at);
                let part = body[at..(at + length).min(body.len())].to_vec();
                body.splice(at..at, part);
            }
            Change::Byte(..) => {}
        }
    }
    body
}

/// A value as it is read: its text, or the number's.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

/// Whether `kes` is what a value says: digits, with nothing but zeros behind the point.
fn says(value: &Value, kes: i64) -> bool {
    let text = written(value);
    let (units, rest) = text.split_once('.').unwrap_or((&text, ""));
    let exact = units.parse::<i128>().ok().filter(|_| rest.bytes().all(|digit| digit == b'0'));
    // A number with an exponent is read as a double, exact up to here.
    let double = text.parse::<f64>().ok().filter(|double| double.abs() < 9_007_199_254_740_992.0);
    #[expect(clippy::cast_precision_loss, reason = "it is small enough")]
    let is_double =
        double.is_some_and(|double| double.to_bits() == (kes as f64).to_bits() || double == kes as f64);
    exact == Some(i128::from(kes)) || is_double
}

fn values(body: &Value, list: &str, (name, of): (&str, &str), value: &str) -> Vec<Value> {
    let items = body.pointer(list).cloned().unwrap_or_default();
    let items = match items {
        Value::Array(items) => items,
        one => vec![one],
    };
    items.into_iter().filter(|item| item[name] == of).map(|item| item[value].clone()).collect()
}

fn check_amount(amount: Option<&CallbackAmount>, said: &[Value]) {
    if let Some(CallbackAmount::Whole(kes)) = amount {
        assert!(said.iter().any(|value| says(value, *kes)), "{kes} of {said:?}");
    }
}

/// Whether a result code says that all went well.
fn says_paid(code: &Value) -> bool {
    code.as_str().is_some_and(|text| text.trim() == "0") || code.as_f64() == Some(0.0)
}

fn check_result(result: &LateResult, body: &Value) {
    let code = &body["Result"]["ResultCode"];
    let is_paid = says_paid(code);
    let said = |key| values(body, "/Result/ResultParameters/ResultParameter", ("Key", key), "Value");
    match result.payout() {
        PayoutOutcome::Paid { amount, .. } => {
            assert!(is_paid, "{code} is paid");
            check_amount(amount.as_ref(), &said("TransactionAmount"));
        }
        PayoutOutcome::Failed(_) => assert!(!is_paid, "{code} has failed"),
        PayoutOutcome::Unknown => {}
    }
    if let Some(known) = result.transaction() {
        assert!(is_paid, "{code} says what became of it");
        check_amount(known.amount.as_ref(), &said("Amount"));
        let status = said("TransactionStatus");
        let is_word = |word: &str| status.iter().any(|value| written(value) == word);
        match known.state {
            TransactionState::Completed => assert!(is_word("Completed"), "{status:?} is completed"),
            TransactionState::Reversed => assert!(is_word("Reversed"), "{status:?} is reversed"),
            TransactionState::Failed | TransactionState::Open(_) => {}
        }
        if let Some(receipt) = &known.receipt {
            let receipts = said("ReceiptNo");
            let is_said = receipts.iter().any(|value| value.is_number() || written(value) == *receipt);
            assert!(is_said, "{receipt} of {receipts:?}");
        }
        known.finalised_at();
    }
    if let Some(balances) = result.balances() {
        assert!(is_paid, "{code} says a balance");
        drop(balances);
    }
}

fn quicknet() -> Beacon {
    Beacon::new(BeaconConfig { relays: Vec::new(), chain: Chain::quicknet() }, Http::new())
}

/// Whatever a relay answers, a round has one value and one signature.
fn check_round(body: &[u8]) {
    let client = quicknet();
    if let Ok(round) = client.decode(1000, body) {
        assert_eq!(round.round, 1000);
        assert_eq!(round.signature_hex, beacon::SIGNATURE);
        assert_eq!(round.randomness_hex, beacon::RANDOMNESS);
    }
    if let Ok(chain) = Chain::from_info(&String::from_utf8_lossy(body)) {
        assert_eq!(chain.hash, Chain::quicknet().hash, "a chain of its own");
    }
}

/// All that reads what others send. Where a body is no JSON as a whole, as in a part that nobody reads, no amount of it
/// is looked up.
fn read(body: &[u8]) {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    if let Ok(callback) = parse_stk_callback(body) {
        if let Some(parsed) = &parsed {
            let list = "/Body/stkCallback/CallbackMetadata/Item";
            check_amount(callback.amount.as_ref(), &values(parsed, list, ("Name", "Amount"), "Value"));
            let code = &parsed["Body"]["stkCallback"]["ResultCode"];
            assert!(says_paid(code) || !callback.result_code.is_paid(), "{code} is paid");
        }
        assert_ne!(callback.receipt.as_deref().map(str::trim), Some(""));
        assert!(format!("{callback:?}").len() < 10_000);
    }
    if let Ok(confirmation) = parse_confirmation(body) {
        if let Some(parsed) = &parsed {
            check_amount(Some(&confirmation.amount), &[parsed["TransAmount"].clone()]);
        }
        assert!(!confirmation.receipt.trim().is_empty());
        confirmation.paid_at();
    }
    if let (Ok(result), Some(parsed)) = (parse_result(body), &parsed) {
        check_result(&result, parsed);
    }
    drop(decode::<Bootstrap>(body));
    drop(decode::<Entry>(body));
    drop(decode::<EventStatus>(body));
    drop(decode::<History>(body));
    drop(decode::<Live>(body));
    drop(decode::<Picks>(body));
    drop(decode::<Vec<Fixture>>(body));
    check_round(body);
    let text = String::from_utf8_lossy(body);
    assert!(!without_tokens(&format!("{text} Access Token - SeCrEt0SeCrEt1SeCrEt2")).contains("SeCrEt0"));
    for balance in parse_balances(&text).into_iter().flatten() {
        assert!(!balance.account.is_empty());
    }
}

/// What the checks below demand of an amount.
#[test]
fn an_amount_is_said_by_the_same_number_alone() {
    let said = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for same in ["50", "50.00", "\"50\"", "\" 50.00 \"", "5e1"] {
        assert!(says(&said(same), 50), "{same}");
    }
    for other in ["50.99", "\"50.01\"", "0.1", "\"49.999\"", "null", "\"\"", "\"KES 50\"", "[50]"] {
        assert!(!says(&said(other), 50) && !says(&said(other), 0), "{other}");
    }
}

#[test]
fn kept_bodies_are_read_or_refused() {
    BODIES.into_iter().for_each(read);
}

/// What is changed of the official game's answers is nearly right.
#[test]
fn the_kept_answers_of_the_official_game_are_sound() {
    decode::<Bootstrap>(BOOTSTRAP).expect("the season's gameweeks");
    decode::<Entry>(ENTRY).expect("a team");
    decode::<EventStatus>(STATUS).expect("how far the points are");
    decode::<History>(HISTORY).expect("a team's gameweeks");
    decode::<Live>(LIVE).expect("points of footballers");
    decode::<Picks>(PICKS).expect("a squad");
    decode::<Vec<Fixture>>(FIXTURES).expect("matches");
}

/// The kept round is the true one, so that what is changed of it is nearly right.
#[test]
fn the_kept_round_is_signed_and_the_kept_lie_is_not() {
    let beacon = quicknet();
    assert!(beacon.decode(1000, include_bytes!("bodies/beacon-round.json")).is_ok());
    let lie = beacon.decode(1000, include_bytes!("bodies/beacon-lie.json"));
    assert_eq!(lie, Err(BeaconError::NotSigned));
}

proptest! {
    #[test]
    fn bodies_of_strangers_are_read_or_refused(
        body in 0..BODIES.len(), changes in vec(change(), 0..6), bytes in vec(any::<u8>(), 0..80),
    ) {
        read(&changed(BODIES[body], &changes));
        read(&bytes);
    }
}
