//! The draw and the paying of a gameweek grow with its leagues and no faster: among 2,000 leagues one
//! costs as many calls, capacity units and bytes as among 100. The outside world is not part of it:
//! what is read of the teams is put in by hand.
//!
//! The processor's time is shown beside it and has no limit: most of it is the embedded database's,
//! whose indexes get deeper as the table grows, and `DynamoDB`'s partitions do not.

use std::time::Duration;

use app::{leagues::draw, settlement::settling};
use domain::{EntryAmount, GameweekId};
use local::{
    DataDir, LocalRun, Settings, fixtures,
    process::{Fate, Tally},
};
use serde_json::json;

use crate::measure;

const AMOUNT: EntryAmount = EntryAmount::Fifty;
const FEW: u32 = 100;
const MANY: u32 = 2_000;
/// What comes before is measured: the first of everything is slow.
const WARM: u32 = 20;
/// A league among many may cost this much of a league among few.
const MOST: f64 = 1.1;

#[derive(Clone, Copy)]
struct Cost {
    took: Duration,
    asked: Tally,
}

pub fn run() -> bool {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let [_, few, many] = [WARM, FEW, MANY].map(|leagues| runtime.block_on(week(leagues)));
    ["draw", "settling"]
        .iter()
        .zip(few.iter().zip(many))
        .map(|(what, (few, many))| compare(what, *few, many))
        .fold(true, |kept, this| kept & this)
}

/// The cost of a league among few and among many, and whether it stays the same.
fn compare(what: &str, few: Cost, many: Cost) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "counts of a benchmark")]
    let figures = |cost: Cost, leagues: u32| {
        let each = |total: f64| total / f64::from(leagues);
        let Tally { calls, units, bytes, .. } = cost.asked;
        [each(calls as f64), each(units), each(bytes as f64), each(cost.took.as_secs_f64() * 1e3)]
    };
    let names =
        [("calls", Some(MOST)), ("capacity units", Some(MOST)), ("bytes", Some(MOST)), ("ms of CPU", None)];
    let mut kept = true;
    for ((few, many), (name, most)) in figures(few, FEW).into_iter().zip(figures(many, MANY)).zip(names) {
        let ratio = many / few;
        let verdict = most.map_or(String::new(), |most| {
            kept &= ratio <= most;
            format!(" (at most {most}): {}", if ratio <= most { "kept" } else { "BROKEN" })
        });
        println!(
            "{what:<9} {name:<15} a league: among {FEW} {few:>9.1}, among {MANY} {many:>9.1}, ratio {ratio:.2}{verdict}"
        );
    }
    kept
}

/// What the draw and the settling of a gameweek of so many full leagues cost.
async fn week(leagues: u32) -> [Cost; 2] {
    // What is compared is what a league costs, not how long its partition makes it wait.
    let settings = Settings { data_dir: DataDir::Memory, partition_limits: false, ..Settings::default() };
    let world = LocalRun::start(settings).await.expect("the world starts");
    let down = world.http().put(format!("{}/sim/api/faults", world.base_url));
    down.json(&json!({"fpl": "down"})).send().await.expect("the world answers");
    let app = world.app();
    let id: GameweekId = "2026-01".parse().expect("a gameweek");
    for n in 0..leagues * 10 {
        fixtures::enter(app, id, AMOUNT, n).await;
    }
    fixtures::end_play(app, id).await;
    let drawing = world.process(Fate::Lives);
    let began = measure::processor_time();
    draw::advance(drawing.app(), id).await.expect("it is drawn");
    let draw = Cost { took: measure::processor_time().saturating_sub(began), asked: drawing.tally() };
    let ids = fixtures::read_teams(app, id, AMOUNT, |_| ()).await;
    assert_eq!(ids.len(), usize::try_from(leagues).expect("few"));
    let settling = world.process(Fate::Lives);
    let began = measure::processor_time();
    for league in ids {
        if !settling::settle_league(settling.app(), league).await.expect("the table") {
            panic!("{league} waits: {:?}", app.store().league_status(league).await.expect("the table"));
        }
    }
    let settle = Cost { took: measure::processor_time().saturating_sub(began), asked: settling.tally() };
    world.kill().await;
    [draw, settle]
}
