//! A year is played: step after step, and what has to hold after each.

use std::{
    any::Any,
    collections::BTreeMap,
    fmt::Display,
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use domain::{Kes, ledger::postings::Posting};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use local::{DataDir, Settings};
use reqwest::Method;
use serde_json::json;

use super::{
    Year,
    model::Model,
    plan::Size,
    players::Player,
    steps::{Act, Span, Step},
    tally::Tally,
};
use crate::support::{World, at_once, gameweek::DAY, text};

/// A step that takes longer is named.
const SLOW: Duration = Duration::from_secs(5);
/// Who is at it at once, at most.
const BESIDE: usize = 4;

/// What everybody begins with, in KES.
pub const FUNDS: i64 = 500;

/// What does not hold, and from which step on.
#[derive(Debug)]
pub struct Violation {
    pub step: usize,
    pub what: String,
}

impl Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {}: {}", self.step, self.what)
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// What came of a year without a violation.
pub enum Played {
    Whole(Tally),
    /// Another year was violated meanwhile.
    LeftOff,
}

/// Years that are played beside each other.
pub struct All {
    pub violated: AtomicBool,
    /// Their operations up to each one's last check.
    pub done: AtomicUsize,
    pub operations: usize,
}

/// Plays the steps, each with its number in the whole year. One that is played as one of `all` says how far it is, and they are,
/// and ends where one of them is violated.
pub async fn play(size: Size, steps: &[(usize, Step)], all: Option<&All>) -> Result<Played, Violation> {
    let loud = all.is_some();
    let begun = AssertUnwindSafe(Year::begin(size)).catch_unwind().await;
    let failed =
        |panic: Box<dyn Any + Send>| Violation { step: 0, what: format!("at the start: {}", said(&*panic)) };
    let (year, since) = (begun.map_err(failed)?, Instant::now());
    let (mut at, mut told) = (0, 0);
    while let Some((step, _)) = steps.get(at) {
        if all.is_some_and(|all| all.violated.load(Ordering::Relaxed)) {
            return Ok(Played::LeftOff);
        }
        let (group, begun) = (together(&steps[at..]), Instant::now());
        let done = AssertUnwindSafe(year.steps(&steps[at..at + group])).catch_unwind().await;
        if let Err(panic) = done {
            return Err(Violation { step: *step, what: said(&*panic) });
        }
        if loud && begun.elapsed() > SLOW {
            println!("seed {}, step {step} took {:.0?}: {:?}", size.seed, begun.elapsed(), steps[at].1);
        }
        if let Some(all) = all.filter(|_| matches!(steps[at].1, Step::End { .. } | Step::Check)) {
            let tally = year.tally();
            let more = tally.operations - told;
            told = tally.operations;
            let done = all.done.fetch_add(more, Ordering::Relaxed) + more;
            println!("{done:>7} of {} | {}", all.operations, tally.line(size, since));
        }
        at += group;
    }
    let Year { world, tally, model, .. } = year;
    world.kill().await;
    let (mut tally, (kept, given_back, out)) =
        (tally.into_inner().unwrap(), model.into_inner().unwrap().sums());
    tally.money = [kept, given_back, out];
    Ok(Played::Whole(tally))
}

/// How many of the next steps are begun at once: acts that are beside each other, of different players, or a join with
/// something else that its player does.
fn together(steps: &[(usize, Step)]) -> usize {
    let Some((_, Step::Act { player, .. })) = steps.first() else { return 1 };
    let mut players = vec![*player];
    for ((_, before), (_, step)) in steps.iter().zip(&steps[1..]) {
        match step {
            Step::Act { player, act, beside: true }
                if players.len() < BESIDE && (!players.contains(player) || meets(before, *player, act)) =>
            {
                players.push(*player);
            }
            _ => break,
        }
    }
    players.len()
}

/// Whether a player withdraws, or types a code, while the same one joins.
fn meets(before: &Step, who: usize, act: &Act) -> bool {
    matches!(before, Step::Act { player, act: Act::Join { .. }, .. } if *player == who)
        && matches!(act, Act::Withdraw { .. } | Act::TypeOwn)
}

impl Year {
    /// Everybody has signed up and paid in by a prompt a day ago: their numbers are their own.
    async fn begin(size: Size) -> Self {
        // A reading of the whole table goes by its keys: the embedded engine sorts all of it for each page of one in parts.
        let parameters = [("BooksSegments", "1".to_owned()), ("BooksItemsAtOnce", "5000".to_owned())].into();
        let index_lag = SignedDuration::from_secs(size.lag);
        let settings = Settings { data_dir: DataDir::Memory, parameters, index_lag, ..Settings::default() };
        let world = World::start_with(settings).await;
        world.second_admin().await;
        let mut year = Self {
            world,
            size,
            players: Vec::new(),
            ids: BTreeMap::new(),
            phones: BTreeMap::new(),
            names: BTreeMap::new(),
            model: Model::of(size.players).into(),
            week: 1.into(),
            span: Span::Open.into(),
            bounds: (0, 0).into(),
            keys: 0.into(),
            barred: Default::default(),
            vanished: Default::default(),
            leavers: Default::default(),
            faulty: Default::default(),
            paid_entries: Default::default(),
            void: false.into(),
            harvested: 0.into(),
            tally: Tally::default().into(),
        };
        for n in 0..size.players {
            let person = year.world.player().await;
            year.world.fund(&person, FUNDS).await;
            let player = Player::new(person).await;
            year.ids.insert(player.id.clone(), n);
            year.names.insert(player.name(), n);
            for phone in [&player.phone, &player.elsewhere] {
                year.phones.insert(phone.clone(), n);
            }
            year.players.push(player);
            year.look_at_phone(n, None).await;
        }
        year.world.advance(DAY + 3600).await;
        year
    }

    async fn steps(&self, steps: &[(usize, Step)]) {
        self.tally().operations += steps.iter().filter(|(_, step)| step.is_operation()).count();
        match &steps[0].1 {
            Step::Act { .. } => {
                let acts = steps.iter().filter_map(|(_, step)| match step {
                    Step::Act { player, act, .. } => Some((*player, act)),
                    _ => None,
                });
                at_once(acts.map(|(player, act): (usize, &Act)| Box::pin(self.act(player, act)))).await;
            }
            Step::Begin { week, void } => self.begin_week(*week, *void).await,
            Step::Go { week, span, share } => self.go(*week, *span, *share).await,
            Step::Desk(desk) => Box::pin(self.desk(desk)).await,
            Step::Fault(fault) => {
                self.tally().faults += 1;
                self.note_faults(fault);
                self.world.faults(fault.clone()).await;
            }
            Step::Team { player, exists } => {
                if !exists {
                    self.vanished.lock().unwrap().insert(*player);
                }
                self.world.team_exists(&self.players[*player].fpl_id, *exists).await;
            }
            Step::Check => self.check().await,
            Step::Plant { player } => self.plant(&self.players[*player].id).await,
            Step::Give { player } => self.give(*player).await,
            Step::Lose { player } => {
                let mut model = self.model();
                let paid = model.received.values_mut().find(|one| one.owner == *player);
                paid.expect("everybody has paid in").amount += 1;
            }
            Step::Overturn => self.model().overturn(),
            Step::End { week } => self.end_week(*week).await,
        }
    }

    async fn plant(&self, player: &str) {
        let books = self.world.nobody().get("/sim/api/ledger").await.expect(200);
        let wrong = books["wallets"][player].as_i64().unwrap() + 1;
        let item =
            json!({"pk": format!("USER#{player}"), "sk": "WALLET", "attribute": "balance", "number": wrong});
        self.world.sim(Method::PUT, "/table", item).await;
    }

    async fn give(&self, player: usize) {
        self.world.faults(json!({"dynamodb": {}})).await;
        let (books, id) = (self.books().await, self.players[player].person().user_id());
        let has = books["wallets"][id.as_str()].as_i64().unwrap()
            - books["debts"][id.as_str()].as_i64().unwrap_or(0);
        let more = Kes::new(self.model().most(player) - has + 1);
        let (app, money) = (self.world.app(), Posting::deposit(&id, &store::random_id(), more));
        assert!(app.store().credit_wallet(&id, &money, app.clock().now()).await.unwrap());
    }

    async fn begin_week(&self, week: u8, void: bool) {
        self.week.store(week, Ordering::Relaxed);
        if week > 1 {
            // A smaller year may begin here.
            let before = self.deadline(week - 1).await + 3 * DAY;
            self.clock_to(before).await;
        }
        let path = format!("/sim/api/fpl/gameweeks/{week}");
        // Not one whose deadline has passed while the one before was worked off.
        let is = void && self.world.nobody().put(&path, json!({"kind": "void"})).await.status.is_success();
        self.void.store(is, Ordering::Relaxed);
        let mut chance = fastrand::Rng::with_seed(self.size.seed ^ u64::from(week) << 32);
        for (n, player) in self.players.iter().enumerate() {
            let (points, bench, cost) = (chance.i64(30..70), chance.i64(0..6), 4 * chance.i64(0..3));
            self.world.points(&player.fpl_id, week, points, bench, cost).await;
            self.model().score(week, n, points, bench, cost);
        }
        self.paid_entries.lock().unwrap().clear();
        *self.bounds.lock().unwrap() = (0, 0);
    }

    async fn deadline(&self, week: u8) -> i64 {
        let list = self.world.nobody().get("/sim/api/fpl/gameweeks").await.expect(200);
        let deadline: Timestamp = text(&list[usize::from(week) - 1], "deadline").parse().unwrap();
        deadline.as_second()
    }

    async fn clock_to(&self, at: i64) {
        if at > self.now() {
            self.world.clock_to(&Timestamp::from_second(at).unwrap().to_string()).await;
        }
    }

    async fn go(&self, week: u8, span: Span, share: u16) {
        let begun = std::mem::replace(&mut *self.span.lock().unwrap(), span) == span;
        if !begun {
            self.let_schedules(!self.rests(week, span)).await;
        }
        if !begun || *self.bounds.lock().unwrap() == (0, 0) {
            let deadline = self.deadline(week).await;
            let ends = match span {
                Span::Open => deadline - 120,
                Span::Deadline => deadline + 1800,
                Span::Play => self.after_phase(week, "finished").await,
                Span::Final => self.after_phase(week, "checked").await + 8 * 3600,
            };
            let from = if span == Span::Open { self.now() } else { self.bounds.lock().unwrap().1 };
            *self.bounds.lock().unwrap() = (from.max(self.now()), ends.max(self.now()));
        }
        let (from, ends) = *self.bounds.lock().unwrap();
        self.clock_to(from + (ends - from) * i64::from(share) / 1000).await;
        self.look_for_entries().await;
    }

    /// Whether no schedule draws by itself: around every other deadline processes do that may die.
    fn rests(&self, week: u8, span: Span) -> bool {
        span == Span::Deadline && (self.size.seed + u64::from(week)).is_multiple_of(2)
    }

    pub async fn let_schedules(&self, fire: bool) {
        for job in ["sync-gameweek", "close-gameweek"] {
            self.world.schedule(job, fire).await;
        }
    }

    /// When a phase begins: play ends two and a half days after a deadline, and points are final half a day later.
    async fn after_phase(&self, week: u8, phase: &str) -> i64 {
        let hours = if phase == "finished" { 60 } else { 74 };
        self.deadline(week).await + SignedDuration::from_hours(hours).as_secs()
    }
}
