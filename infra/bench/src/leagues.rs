//! The draw and the paying of a gameweek grow with its leagues and no faster: among 2,000 leagues one
//! costs as many calls, capacity units and bytes as among 100. The outside world is not part of it:
//! what is read of the teams is put in by hand.
//!
//! The time is shown beside it. It is the embedded database's too, whose index of a partition gets
//! deeper as the partition grows, which `DynamoDB`'s does not.

use std::time::{Duration, Instant};

use app::{draw, settling};
use domain::{EntryAmount, GameweekId};
use local::{
    DataDir, Settings, World, by_hand,
    process::{Fate, Tally},
};
use serde_json::json;

const AMOUNT: EntryAmount = EntryAmount::Fifty;
const FEW: u32 = 100;
const MANY: u32 = 2_000;
/// What comes before is measured: the first of everything is slow.
const WARM: u32 = 20;
/// A league among many may cost this much of a league among few: what is asked of `DynamoDB`, and
/// the time.
const MOST: f64 = 1.1;
const MOST_TIME: f64 = 1.5;

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

pub fn once(part: &str, _: usize) {
    panic!("no part {part}")
}

/// The cost of a league among few and among many, and whether it stays the same.
fn compare(what: &str, few: Cost, many: Cost) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "counts of a benchmark")]
    let figures = |cost: Cost, leagues: u32| {
        let each = |total: f64| total / f64::from(leagues);
        let Tally { calls, units, bytes, .. } = cost.asked;
        [each(calls as f64), each(units), each(bytes as f64), each(cost.took.as_secs_f64() * 1e6)]
    };
    let names = [("calls", MOST), ("capacity units", MOST), ("bytes", MOST), ("microseconds", MOST_TIME)];
    let mut kept = true;
    for ((few, many), (name, most)) in figures(few, FEW).into_iter().zip(figures(many, MANY)).zip(names) {
        let ratio = many / few;
        let verdict = if ratio <= most { "kept" } else { "BROKEN" };
        println!(
            "{what:<9} {name:<15} a league: among {FEW} {few:>9.1}, among {MANY} {many:>9.1}, ratio {ratio:.2} (at most {most}): {verdict}"
        );
        kept &= ratio <= most;
    }
    kept
}

/// What the draw and the settling of a gameweek of so many full leagues cost.
async fn week(leagues: u32) -> [Cost; 2] {
    let settings = Settings { data_dir: DataDir::Memory, ..Settings::default() };
    let world = World::start(settings).await.expect("the world starts");
    let down = world.http().put(format!("{}/sim/api/faults", world.base_url));
    down.json(&json!({"fpl": "down"})).send().await.expect("the world answers");
    let app = world.app();
    let id: GameweekId = "2026-01".parse().expect("a gameweek");
    for n in 0..leagues * 10 {
        by_hand::enter(app, id, AMOUNT, n).await;
    }
    by_hand::end_play(app, id).await;
    let drawing = world.process(Fate::Lives);
    let began = Instant::now();
    draw::close(drawing.app(), id).await.expect("it is drawn");
    let draw = Cost { took: began.elapsed(), asked: drawing.tally() };
    let ids = by_hand::read_teams(app, id, AMOUNT, |_| ()).await;
    assert_eq!(ids.len(), usize::try_from(leagues).expect("few"));
    let settling = world.process(Fate::Lives);
    let began = Instant::now();
    for league in ids {
        if !settling::settle_league(settling.app(), league).await.expect("the table") {
            panic!("{league} waits: {:?}", app.store().mark(league).await.expect("the table"));
        }
    }
    let settle = Cost { took: began.elapsed(), asked: settling.tally() };
    world.kill().await;
    [draw, settle]
}
