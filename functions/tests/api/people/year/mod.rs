//! A simulated year: what players, cheats and admins try and which faults are switched on follows from one seed
//! (`plan.rs`), and all along the books are held against a model that knows only what M-Pesa received and paid and what the
//! official game said (`model.rs`). At the end of each gameweek the faults end and the clock moves on: nothing may
//! wait any more, and everybody has what is theirs to the shilling.
//!
//! `SEED` and `OPERATIONS` say which year (docs/reliability.md, "A simulated year"). One that fails is made smaller (`shrink.rs`).

mod books;
mod corrections;
mod desk;
mod dying;
mod end;
mod in_time;
mod leaving;
mod model;
mod plan;
mod play;
mod players;
mod requests;
mod shrink;
mod steps;
mod tally;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use domain::GameweekId;
use rstest::rstest;

use self::{
    in_time::{Faulty, PaidEntry},
    model::Model,
    plan::Size,
    play::{All, FUNDS, Played},
    players::Player,
    steps::{Act, Desk, Span, Step},
    tally::{Tally, rate},
};
use crate::support::{Answer, World};

/// What a change has to pass.
const SHORT: usize = 300;
/// In so many operations each call that is tried is done at least once.
const ALL_CALLS: usize = 20_000;

/// A year as it goes on.
struct Year {
    world: World,
    size: Size,
    players: Vec<Player>,
    /// Whose user id, whose number and whose name it is.
    ids: BTreeMap<String, usize>,
    phones: BTreeMap<String, usize>,
    names: BTreeMap<String, usize>,
    model: Mutex<Model>,
    week: AtomicU8,
    span: Mutex<Span>,
    /// Where the span began, and where it ends, in seconds.
    bounds: Mutex<(i64, i64)>,
    keys: AtomicU64,
    barred: Mutex<BTreeSet<usize>>,
    vanished: Mutex<BTreeSet<usize>>,
    /// Who is about to close the account, or has closed it.
    leavers: Mutex<BTreeSet<usize>>,
    faulty: Mutex<Faulty>,
    /// What was paid by prompts for entries while all is well, and is not looked at yet.
    paid_entries: Mutex<Vec<PaidEntry>>,
    /// Whether the gameweek has been called off by the official game.
    void: AtomicBool,
    /// Until when M-Pesa's payouts are in the model, in seconds.
    harvested: AtomicI64,
    tally: Mutex<Tally>,
}

impl Year {
    fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap()
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap()
    }

    fn week(&self) -> u8 {
        self.week.load(Ordering::Relaxed)
    }

    fn gameweek(&self) -> GameweekId {
        format!("2026-{:02}", self.week()).parse().unwrap()
    }

    fn now(&self) -> i64 {
        self.world.app().clock().now().as_second()
    }

    fn key(&self) -> String {
        format!("key-{}", self.keys.fetch_add(1, Ordering::Relaxed))
    }

    /// Counts an answer, which is never a failure of ours: a database that is busy is 503, and says so.
    fn count(&self, path: &str, answer: &Answer) {
        let status = answer.status.as_u16();
        assert!(status < 500 || status == 503, "{path} answers {status}: {}", answer.body);
        let what = path.split('?').next().unwrap_or_default();
        let parts = what.split('/').filter(|part| part.len() < 24).collect::<Vec<_>>().join("/");
        let which = match status {
            200..400 => 0,
            503 => 2,
            _ => 1,
        };
        self.tally().calls.entry(parts).or_default()[which] += 1;
    }
}

fn number(name: &str) -> Option<usize> {
    env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, and not {text}")))
}

/// The steps of a year that was made smaller: `3,7-9`.
fn chosen(text: &str) -> BTreeSet<usize> {
    let number = |text: &str| text.trim().parse::<usize>().expect("a step's number");
    let ranges = text.split(',').map(|part| match part.split_once('-') {
        Some((from, to)) => number(from)..=number(to),
        None => number(part)..=number(part),
    });
    ranges.flatten().collect()
}

/// Years are played two on each core, each in a world of its own: a year often waits, for what the database has refused.
#[test]
fn a_simulated_year_loses_nothing() {
    let seed = number("SEED").map_or(1, |seed| u64::try_from(seed).unwrap());
    let operations = number("OPERATIONS").unwrap_or(SHORT);
    let (sizes, total) = (Mutex::new(Size::years(seed, operations)), Mutex::new(Tally::default()));
    let (all, since) = (All { violated: false.into(), done: 0.into(), operations }, Instant::now());
    let next = || sizes.lock().unwrap().next().filter(|_| !all.violated.load(Ordering::Relaxed));
    thread::scope(|scope| {
        for _ in 0..2 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                while let Some(size) = next() {
                    let tally =
                        match runtime.block_on(a_year(size, &all)).unwrap_or_else(|why| panic!("{why}")) {
                            Played::Whole(tally) => tally,
                            Played::LeftOff => return,
                        };
                    let mut total = total.lock().unwrap();
                    *total += tally;
                    let rate = rate(total.operations, since);
                    println!(
                        "{} of {operations} operations, {rate:.0} a second, no violation",
                        total.operations
                    );
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    let last = seed + u64::try_from(Size::years(seed, operations).count() - 1).unwrap();
    println!("seeds {seed} to {last}: {total}");
    if env::var("STEPS").is_err() {
        let years: Vec<Size> = Size::years(seed, operations).collect();
        let begun_with = years.iter().map(|size| FUNDS * i64::try_from(size.players).unwrap());
        total.shows_something(begun_with.sum(), years.len(), operations >= ALL_CALLS);
    }
}

/// The whole year, or the chosen `STEPS` of it, while none of `all` is violated. The error says how to see it again.
async fn a_year(size: Size, all: &All) -> Result<Played, String> {
    let steps: Vec<_> = plan::plan(size).into_iter().enumerate().collect();
    let steps = match env::var("STEPS") {
        Ok(text) => shrink::only(&steps, &chosen(&text)),
        Err(_) => steps,
    };
    match play::play(size, &steps, Some(all)).await {
        Ok(played) => Ok(played),
        Err(violation) => {
            all.violated.store(true, Ordering::Relaxed);
            println!("seed {}, {} operations: {violation}", size.seed, size.operations);
            let smaller = shrink::shrink(size, &steps, &violation).await;
            Err(format!("{violation}\n{smaller}"))
        }
    }
}

/// One shilling that nobody has paid, in the midst of what goes on: in a wallet alone, and with its posting, where the model
/// alone can tell. One that is lost, and prizes of the wrong ones, are seen when the gameweek ends.
#[rstest]
#[case::too_many_in_the_wallet_alone(40, Step::Plant { player: 5 }, Step::Check, "postings of")]
#[case::too_many_with_its_posting(40, Step::Give { player: 5 }, Step::Check, "may have")]
#[case::too_few(40, Step::Lose { player: 5 }, Step::End { week: 1 }, "should have, and have")]
#[case::for_the_wrong_one(100, Step::Overturn, Step::End { week: 1 }, "should have, and have")]
#[tokio::test]
async fn a_year_with_a_wrong_shilling_fails(
    #[case] first: usize,
    #[case] plant: Step,
    #[case] look: Step,
    #[case] says: &str,
) {
    let size = Size::of(3, 100);
    let goes_on = plan::plan(size).into_iter().filter(|step| !matches!(step, Step::End { .. }));
    let mut steps: Vec<_> = goes_on.take(first).enumerate().collect();
    let at = steps.len();
    steps.extend([plant, look].into_iter().zip(at..).map(|(step, n)| (n, step)));
    let violation = play::play(size, &steps, None).await.err().expect("it has to be seen");
    assert!(violation.step == at + 1 && violation.what.contains(says), "{violation}");
}

/// M-Pesa takes back a deposit that was paid out meanwhile. Its player is shown an empty wallet, and owes the deposit. A shilling
/// from nowhere is seen all the same.
#[tokio::test]
async fn a_player_who_owes_is_shown_an_empty_wallet() {
    let act = |act| Step::Act { player: 0, act, beside: false };
    let steps = [
        Step::Begin { week: 1, void: false },
        act(Act::TakeBack { amount: 12_304, at_once: false }),
        act(Act::Leave),
        Step::Desk(Desk::Withdrawals { by: 15, both: false }),
        Step::End { week: 1 },
        Step::Begin { week: 2, void: false },
        act(Act::Look(0)),
        Step::Give { player: 0 },
        Step::Check,
    ];
    let steps: Vec<_> = steps.into_iter().enumerate().collect();
    let violation = play::play(Size::of(3, 100), &steps, None).await.err().expect("it has to be seen");
    assert!(violation.what.contains("may have -12304 at most"), "{violation}");
    assert_eq!(violation.step, steps.len() - 1, "{violation}");
}
