//! What each operation costs in the table and how often it waits for AWS, held to `budgets.txt`. A read that is added to
//! a call is one more of these; `UPDATE=1` writes the file anew, and what becomes more has to be worth it.

mod admins;
mod gameweek;
mod jobs;
mod players;

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf, sync::Arc};

use app::Safeguards;
use local::aws::Metered;
use serde_json::Value;

use crate::support::{Answer, Person, World};

/// What an item's length may change by itself.
const ROOM: f64 = 1.05;

const HEAD: &str = "\
# Each operation in a small world: how many of its calls to AWS wait for one another, how many there are,
# and the units of DynamoDB that they read and write. Written by UPDATE=1, see budgets/mod.rs.
";

struct Budgets {
    world: Arc<World>,
    measured: BTreeMap<String, Metered>,
    /// What was to be measured, and asked AWS nothing.
    unmeasured: Vec<String>,
}

/// The function that a line is about; what comes after a comma says in which case.
fn function(line: &str) -> String {
    let words = operation(line).split('-');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.map(capital).collect::<String>() + "Function"
}

fn operation(line: &str) -> &str {
    line.split(',').next().unwrap_or_default()
}

impl Budgets {
    /// What the functions of `lines` cost while `what` is done.
    async fn during<T>(&mut self, lines: &[&str], what: impl Future<Output = T>) -> T {
        let meter = self.world.meter().clone();
        meter.start();
        let done = what.await;
        for line in lines {
            let metered = meter.of(&function(line));
            if metered.calls > 0 {
                self.measured.insert((*line).to_owned(), metered);
            } else {
                self.unmeasured.push((*line).to_owned());
            }
        }
        done
    }

    /// A call that is made once.
    async fn once(&mut self, line: &str, call: impl Future<Output = Answer>) -> Value {
        let answer = self.during(&[line], call).await;
        assert!(
            answer.status.is_success() || answer.status.is_redirection(),
            "{line}: {} {}",
            answer.status,
            answer.body
        );
        answer.body
    }

    /// One that only shows something: made three times, since a machine that is busy may let calls that go out at once
    /// look like some that wait for one another.
    async fn shows(&mut self, line: &str, who: &Person, path: &str) -> Value {
        let mut least: Option<Metered> = None;
        let mut body = Value::Null;
        for _ in 0..3 {
            body = self.once(line, who.get(path)).await;
            let now = self.measured[line];
            least = Some(least.filter(|least| least.depth <= now.depth).unwrap_or(now));
        }
        self.measured.extend(least.map(|least| (line.to_owned(), least)));
        body
    }
}

impl Budgets {
    /// What was measured, a line each.
    fn table(&self) -> String {
        let mut table = HEAD.to_owned();
        writeln!(table, "{:<50} {:>5} {:>5} {:>6} {:>6}", "# operation", "depth", "calls", "read", "write")
            .unwrap();
        for (line, Metered { depth, calls, read_units, write_units }) in &self.measured {
            writeln!(table, "{line:<50} {depth:>5} {calls:>5} {read_units:>6.1} {write_units:>6.1}").unwrap();
        }
        table
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/api/platform").join(name)
}

fn parsed(table: &str) -> BTreeMap<String, [f64; 4]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &str| {
        let (name, figures) = line.split_at(50);
        let figures: Vec<f64> = figures.split_whitespace().map(|figure| figure.parse().unwrap()).collect();
        (name.trim().to_owned(), figures.try_into().unwrap())
    };
    lines.map(line).collect()
}

#[tokio::test]
async fn no_operation_costs_more_than_its_budget() {
    let mut budgets =
        Budgets { world: Arc::new(World::start().await), measured: BTreeMap::new(), unmeasured: Vec::new() };
    budgets.accounts().await;
    let (player, other) = (budgets.world.player_with(500).await, budgets.world.player().await);
    budgets.money(&player).await;
    budgets.entries(&player, &other).await;
    budgets.gameweek(&player).await;
    budgets.world = Arc::new(World::start().await);
    budgets.called_off().await;
    budgets.world = Arc::new(World::start().await);
    budgets.decided().await;
    budgets.world = Arc::new(World::start_guarded(Safeguards::Full).await);
    budgets.approved().await;
    budgets.world = Arc::new(World::start().await);
    budgets.trust().await;

    let file = file("budgets.txt");
    let table = budgets.table();
    println!("{table}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    assert!(budgets.unmeasured.is_empty(), "asked AWS nothing: {:?}", budgets.unmeasured);
    let (allowed, now) = (parsed(&std::fs::read_to_string(&file).unwrap()), parsed(&table));
    assert_eq!(allowed.keys().collect::<Vec<_>>(), now.keys().collect::<Vec<_>>());
    let over: Vec<_> = now
        .iter()
        .filter(|(line, [depth, calls, read, write])| {
            let [most_depth, most_calls, most_read, most_write] = allowed[*line];
            *depth > most_depth
                || *calls > most_calls
                || *read > most_read * ROOM + 0.05
                || *write > most_write * ROOM + 0.05
        })
        .map(|(line, figures)| format!("{line}: {figures:?}, budget {:?}", allowed[line]))
        .collect();
    assert!(over.is_empty(), "{over:#?}");
}

#[test]
fn every_operation_has_a_budget() {
    let lines = parsed(&std::fs::read_to_string(file("budgets.txt")).unwrap());
    let has_line = |name: &str| lines.keys().any(|line| operation(line) == name);
    let reasons = std::fs::read_to_string(file("without_budget.txt")).unwrap();
    let reasons = reasons.lines().filter(|line| !line.starts_with('#'));
    let without: BTreeMap<_, _> = reasons.map(|line| line.split_once(": ").expect("a reason")).collect();
    let names: Vec<String> = functions::endpoints()
        .into_iter()
        .map(|endpoint| endpoint.name)
        .chain(functions::jobs().into_iter().map(|job| job.name.to_owned()))
        .collect();
    let missing: Vec<_> =
        names.iter().filter(|name| !has_line(name) && !without.contains_key(name.as_str())).collect();
    assert!(missing.is_empty(), "measured nowhere in budgets/: {missing:?}");
    let both: Vec<_> = without.keys().filter(|name| has_line(name)).collect();
    assert!(both.is_empty(), "these have a budget, so no reason why not: {both:?}");
    let unknown: Vec<_> = without
        .keys()
        .copied()
        .chain(lines.keys().map(|line| operation(line)))
        .filter(|name| !names.iter().any(|known| known == name))
        .collect();
    assert!(unknown.is_empty(), "there are no such operations: {unknown:?}");
}
