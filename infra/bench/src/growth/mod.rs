//! A gameweek of a crowd, put into the table directly: what its jobs cost at a thousand, ten thousand and a hundred
//! thousand entries, with what a partition key of `DynamoDB` bears in a second enforced. Each job is done until it is
//! done, as its function does it, and the exponent says how its cost grows: 1 is with the entries.
//!
//! The time under the limits is that of the busiest partition key: what it was used for by what it bears in a second. A job
//! cannot be faster on AWS, however many run at once. Of a transaction each of its keys is charged an equal part.

mod books;
mod official;

use std::{
    fs,
    time::{Duration, Instant},
};

use app::{
    App,
    gameweeks::calling_off,
    leagues::{draw, picks_import},
    settlement::{self, settling, winners},
};
use domain::{
    EntryAmount, GameweekId, Kes,
    gameweeks::calendar::{Calendar, Gameweek},
    ledger::postings::Posting,
};
use jiff::SignedDuration;
use local::{
    DataDir, LocalRun, Settings, fixtures,
    process::{Fate, Process},
};
use official::Official;
use store::{
    leagues::{
        League, LeagueId,
        picks_import::{ImportProgress, ImportStep},
    },
    platform::concurrency::try_map,
};

use crate::table::{self, Row};

const AMOUNT: EntryAmount = EntryAmount::Fifty;
/// A cost may grow with the entries, and hardly faster.
const MOST: f64 = 1.1;
/// What the functions have.
const MEMORY: f64 = 512.0;
/// Leagues of one batch of messages.
const BATCH: usize = 10;

/// What a job came to.
#[derive(Debug, Clone)]
struct Cost {
    job: &'static str,
    calls: f64,
    read: f64,
    written: f64,
    /// The busiest partition key, and the seconds that it needs.
    busiest: (String, f64),
    /// The most memory that came to what was there before, in MB.
    memory: f64,
    took: Duration,
    /// How often it was begun.
    runs: usize,
    /// The longest that its function may run, all runs together; 0: it is parted into messages.
    limit: f64,
}

pub fn run() -> bool {
    measure(&[1_000, 10_000])
}

/// A quarter of an hour.
pub fn crowd() -> bool {
    measure(&[1_000, 10_000, 100_000])
}

fn measure(sizes: &[u32]) -> bool {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut kept = true;
    let mut before: Option<(u32, Vec<Cost>)> = None;
    for &size in sizes {
        let costs = runtime.block_on(week(size));
        println!(
            "\n{size} entries{:>11} {:>9} {:>9} {:>10} {:>8} {:>7} {:>5}  the busiest partition key",
            "calls", "read", "written", "limits, s", "MB", "s here", "runs"
        );
        for (at, cost) in costs.iter().enumerate() {
            kept &= cost.print();
            if let Some((smaller, before)) = &before {
                kept &= cost.grows_from(&before[at], f64::from(size) / f64::from(*smaller));
            }
        }
        if let Some((smaller, before)) = &before
            && size == *sizes.last().expect("there are sizes")
        {
            println!("\nreckoned for a million from the last two: calls, units, limits in s, MB");
            for (now, before) in costs.iter().zip(before) {
                now.reckon(before, f64::from(size) / f64::from(*smaller), 1e6 / f64::from(size));
            }
        }
        before = Some((size, costs));
    }
    kept
}

impl Cost {
    fn print(&self) -> bool {
        let Self { job, calls, read, written, busiest: (key, seconds), memory, took, runs, limit } = self;
        let kept = *memory <= MEMORY && (*limit == 0.0 || seconds <= limit);
        println!(
            "{job:<15}{calls:>9.0} {read:>9.0} {written:>9.0} {seconds:>10.1} {memory:>8.0} {:>7.1} {runs:>5}  {key}{}",
            took.as_secs_f64(),
            if kept { "" } else { "  MISSED" }
        );
        kept
    }

    fn reckon(&self, before: &Self, ratio: f64, times: f64) {
        let of = |figure: fn(&Self) -> f64| reckoned(figure(self), figure(before), ratio, times);
        let calls = of(|cost| cost.calls);
        let units = of(|cost| cost.read + cost.written);
        let limits = of(|cost| cost.busiest.1);
        let memory = of(|cost| cost.memory.max(1.0));
        let verdict =
            if memory <= MEMORY && (self.limit == 0.0 || limits <= self.limit) { "" } else { "  MISSED" };
        println!("{:<15}{calls:>11.0} {units:>11.0} {limits:>8.1} {memory:>8.0}{verdict}", self.job);
    }

    fn grows_from(&self, before: &Self, ratio: f64) -> bool {
        let exponent = |now: f64, before: f64| (now.max(1.0) / before.max(1.0)).ln() / ratio.ln();
        let units = exponent(self.read + self.written, before.read + before.written);
        let calls = exponent(self.calls, before.calls);
        let limits = exponent(self.busiest.1 * 1e3, before.busiest.1 * 1e3);
        let memory = exponent(self.memory, before.memory);
        let kept = units <= MOST && calls <= MOST;
        table::add(Row {
            what: format!("growth of {}, exponents of calls / units", self.job),
            ours: format!("{calls:.2} / {units:.2}"),
            rival: None,
            goal: MOST.to_string(),
            kept,
        });
        println!(
            "  exponents: calls {calls:.2}, units {units:.2} (at most {MOST}): {}; busiest key {limits:.2}, memory {memory:.2}",
            if kept { "kept" } else { "BROKEN" }
        );
        kept
    }
}

/// What it would be at so many times the entries, if it goes on as from `before` to now.
fn reckoned(now: f64, before: f64, ratio: f64, times: f64) -> f64 {
    now * times.powf((now.max(1e-3) / before.max(1e-3)).ln() / ratio.ln())
}

/// A job that is being measured.
struct Measured<'a> {
    world: &'a LocalRun,
    process: Process,
    began: Instant,
    resident: f64,
}

impl<'a> Measured<'a> {
    fn begin(world: &'a LocalRun, process: Process) -> Self {
        world.partition_loads();
        // What is the most from here on.
        drop(fs::write("/proc/self/clear_refs", "5"));
        Self { world, process, began: Instant::now(), resident: memory("VmRSS") }
    }

    fn app(&self) -> &App {
        self.process.app()
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of a benchmark")]
    fn end(self, job: &'static str, runs: usize, limit: f64) -> Cost {
        let loads = self.world.partition_loads();
        let written: f64 = loads.iter().filter(|load| !load.reads).map(|load| load.units).sum();
        let busiest = loads.iter().max_by(|a, b| a.seconds().total_cmp(&b.seconds()));
        Cost {
            job,
            calls: self.process.tally().calls as f64,
            // A scan is no partition key's.
            read: self.process.tally().units - written,
            written,
            busiest: busiest.map_or((String::new(), 0.0), |load| (load.partition.clone(), load.seconds())),
            memory: (memory("VmHWM") - self.resident).max(0.0),
            took: self.began.elapsed(),
            runs,
            limit,
        }
    }
}

/// In MB; 0 where `/proc` is not.
fn memory(field: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

async fn week(entries: u32) -> Vec<Cost> {
    let folder = tempfile::tempdir().expect("a folder");
    let official = Official::start().await;
    let parameters = [
        ("FplBaseUrl", official.address.clone()),
        ("FplRequestsPerSecond", "10000".to_owned()),
        ("BooksItemsAtOnce", "60000".to_owned()),
        ("BooksSegments", "8".to_owned()),
    ];
    let settings = Settings {
        data_dir: DataDir::Path(folder.path().join("data")),
        parameters: parameters.into(),
        ..Settings::default()
    };
    let world = LocalRun::start(settings).await.expect("the world starts");
    world.rest().await;
    let id: GameweekId = "2026-01".parse().expect("a gameweek");
    open_season(world.app(), id).await;
    enter_all(world.app(), id, entries).await;
    fixtures::let_draw(world.app(), id).await;
    let alive = || world.process(Fate::Lives);
    let mut costs = Vec::new();

    let job = Measured::begin(&world, alive());
    let mut runs = 0;
    while !is(&world, id, |gameweek| gameweek.drawn_at.is_some()).await {
        draw::advance(job.app(), id).await.expect("it is drawn");
        runs += 1;
    }
    costs.push(job.end("draw", runs, 300.0));

    let job = Measured::begin(&world, alive());
    draw::sweep(job.app(), id).await.expect("it is swept");
    costs.push(job.end("sweep", 1, 120.0));

    costs.push(import(&world, id, ("import squads", ImportStep::Squads)).await);
    fixtures::change(world.app(), id, |gameweek| gameweek.final_at = Some(world.app().clock().now())).await;
    costs.push(import(&world, id, ("import results", ImportStep::Results)).await);
    calls_for_each_team(official.asked(), entries);
    close_results(world.app(), id).await;
    costs.push(preview(&world, id).await);
    costs.push(settle(&world, id).await);
    costs.push(books::reconcile(&world).await);
    books::read_apart(&world, entries).await;
    world.kill().await;
    costs
}

/// Every team is read once, as often as the job has to be called for that.
async fn import(world: &LocalRun, id: GameweekId, (name, step): (&'static str, ImportStep)) -> Cost {
    let job = Measured::begin(world, world.process(Fate::Lives));
    let mut runs = 0;
    while world.app().store().import_progress(id, step).await.expect("the table").complete_at.is_none() {
        picks_import::collect(job.app()).await.expect("the teams are read");
        runs += 1;
    }
    job.end(name, runs, 0.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark")]
fn calls_for_each_team(asked: u64, entries: u32) {
    let each = asked as f64 / f64::from(entries);
    table::add(Row {
        what: format!("P8 calls of the official game for a team, {entries} entries"),
        ours: format!("{each:.1}"),
        rival: None,
        goal: "1.2".to_owned(),
        kept: each <= 1.2,
    });
}

async fn open_season(app: &App, id: GameweekId) {
    let now = app.clock().now();
    let gameweeks = vec![Gameweek::new(id.number, now + SignedDuration::from_hours(24))];
    let calendar = Calendar { season: id.season, gameweeks, read_at: Some(now) };
    app.store()
        .update_calendar(|known| Some(known.unwrap_or_else(|| calendar.clone())))
        .await
        .expect("the table");
}

/// Nobody is paid by M-Pesa here: the money is a correction's, so that the books agree.
async fn enter_all(app: &App, id: GameweekId, entries: u32) {
    let entered = try_map(0..entries, |n| async move {
        let player = fixtures::sign_up(app, id.season, n).await;
        let money = Posting::correction_up(&player.id, &store::random_id(), AMOUNT.kes() + Kes::new(50));
        let now = app.clock().now();
        app.store().credit_wallet(&player.id, &money, now).await?;
        let fpl_id = player.fpl_id.expect("it signs up with one");
        let entry = app::entries::new_entry(&player, fpl_id, id, AMOUNT, now);
        app.store().join_by_wallet(&entry).await.map(drop)
    });
    entered.await.expect("the table");
}

async fn is(world: &LocalRun, id: GameweekId, so: impl Fn(&Gameweek) -> bool) -> bool {
    world.app().gameweek(id).await.expect("the table").is_some_and(|gameweek| so(&gameweek))
}

/// The last look at the results is not waited for any more, and what is undecided has had its time.
async fn close_results(app: &App, id: GameweekId) {
    let now = app.clock().now();
    let read =
        ImportProgress { round_ended_at: Some(now), complete_at: Some(now), ..ImportProgress::default() };
    app.store().keep_collected(id, ImportStep::Results, &read).await.expect("the table");
    fixtures::change(app, id, |gameweek| {
        gameweek.final_at = Some(now - SignedDuration::from_hours(30));
        gameweek.settling_since = Some(now - SignedDuration::from_hours(25));
    })
    .await;
}

/// What the admin sees before the winners are paid, and before a gameweek is called off.
async fn preview(world: &LocalRun, id: GameweekId) -> Cost {
    let job = Measured::begin(world, world.process(Fate::Lives));
    let winners = settlement::preview::preview(job.app(), None).await.expect("what is to pay");
    let void = calling_off::preview(job.app(), id).await.expect("what would go back");
    let players: usize = winners.amounts.iter().map(|amount| amount.players).sum();
    assert_eq!(players, void.left.entries, "both see every entry");
    job.end("both previews", 2, 58.0)
}

/// The winners are asked for, and every league is settled.
async fn settle(world: &LocalRun, id: GameweekId) -> Cost {
    let app = world.app();
    let leagues = leagues(app, id).await;
    let job = Measured::begin(world, world.process(Fate::Lives));
    winners::settle_gameweek(job.app(), id).await.expect("it is fanned out");
    for batch in leagues.chunks(BATCH) {
        let settled = try_map(batch, |league| settling::settle_league(job.app(), *league));
        assert!(settled.await.expect("the table").into_iter().all(|settled| settled), "no league waits");
    }
    winners::settle_gameweek(job.app(), id).await.expect("it is settled");
    assert!(is(world, id, |gameweek| gameweek.settled_at.is_some()).await, "every league is paid");
    job.end("settle", 2, 0.0)
}

async fn leagues(app: &App, id: GameweekId) -> Vec<LeagueId> {
    let (mut ids, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = app.store().leagues_page(id, AMOUNT, after.as_deref(), 100).await.expect("the table");
        ids.extend(page.items.iter().map(League::id));
        match page.cursor {
            Some(next) => after = Some(next),
            None => return ids,
        }
    }
}
