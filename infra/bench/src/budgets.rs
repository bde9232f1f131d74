//! What calls ask of the table and how often they wait for it, from the budgets that `make test` holds every operation to
//! (`functions/tests/api/platform/budgets.txt`), beside the goals that they were given; and what a player's week costs by them.

use crate::table::{self, Row};

const BUDGETS: &str = include_str!("../../../functions/tests/api/platform/budgets.txt");
/// Where a line's name ends.
const NAME: usize = 50;

/// An operation's figures.
const DEPTH: usize = 0;
const READ: usize = 2;
const WRITTEN: usize = 3;

/// An operation, which of its figures is meant, what that is, and the goal.
const GOALS: [(&str, usize, &str, f64); 5] = [
    ("join-league", WRITTEN, "P7 units written", 6.0),
    ("get-gameweek-status, while it is played", DEPTH, "P12 depth", 1.0),
    ("get-own-league, while it is played", DEPTH, "P12 depth", 4.0),
    ("log-in", DEPTH, "P12 depth", 5.0),
    ("start-entry-payment", DEPTH, "P12 depth", 6.0),
];

/// What a player does in a week, and how often: one entry by a prompt, three visits of ten minutes in which the page asks
/// each minute (docs/performance.md, "What a week costs").
const WEEK: [(&str, f64); 13] = [
    ("get-own-league, before the draw", 10.0),
    ("get-own-league, while it is played", 20.0),
    ("get-user", 4.0),
    ("get-wallet", 4.0),
    ("list-entries", 4.0),
    ("list-payments", 3.0),
    ("refresh", 3.0),
    ("get-points, with the team, while it is played", 3.0),
    ("start-entry-payment", 1.0),
    ("get-entry-payment-status", 10.0),
    ("receive-stk-callback", 1.0),
    ("settle-payment, an entry", 1.0),
    ("send-mail", 2.0),
];
/// Units read and written for each entry by draw, sweep, imports, settling and the books (`bench crowd`).
const JOBS: (f64, f64) = (3.0, 7.0);
/// USD a million, as docs/deploy.md has them: units read and written, a call through API and function, a mail.
const PRICES: (f64, f64, f64, f64) = (0.141, 0.705, 1.64, 100.0);

pub fn run() -> bool {
    let kept = GOALS.into_iter().fold(true, |kept, (operation, figure, what, goal)| {
        let ours = figures(operation)[figure];
        kept & table::add(Row {
            what: format!("{what}, {operation}"),
            ours: ours.to_string(),
            rival: None,
            goal: goal.to_string(),
            kept: ours <= goal,
        })
    });
    costs();
    kept
}

/// Depth, calls, units read and written.
fn figures(operation: &str) -> [f64; 4] {
    let line = BUDGETS.lines().find(|line| line.get(..NAME).is_some_and(|name| name.trim() == operation));
    let line = line.unwrap_or_else(|| panic!("'{operation}' has no budget"));
    let figures: Vec<f64> =
        line[NAME..].split_whitespace().map(|text| text.parse().expect("a figure")).collect();
    figures.try_into().expect("four figures")
}

/// What a week costs, without what stands still and the edge.
fn costs() {
    let sum =
        |figure: usize| WEEK.iter().map(|(operation, times)| figures(operation)[figure] * times).sum::<f64>();
    let (read, written) = (sum(READ) + JOBS.0, sum(WRITTEN) + JOBS.1);
    let calls: f64 = WEEK.iter().map(|(_, times)| times).sum();
    let mails = 2.0;
    println!("a player's week: {calls:.0} calls, {read:.0} units read, {written:.0} written");
    println!(
        "{:<12} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "USD a week", "reads", "writes", "calls", "mails", "together"
    );
    for players in [1_000.0, 10_000.0, 100_000.0, 1_000_000.0] {
        let cost = |each: f64, price: f64| players * each * price / 1e6;
        let parts =
            [cost(read, PRICES.0), cost(written, PRICES.1), cost(calls, PRICES.2), cost(mails, PRICES.3)];
        let [reads, writes, calls, mails] = parts;
        let together: f64 = parts.iter().sum();
        println!("{players:<12} {reads:>10.2} {writes:>10.2} {calls:>10.2} {mails:>10.2} {together:>10.2}");
    }
}
