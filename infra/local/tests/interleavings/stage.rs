//! A scene: the table as it is at the beginning, and the flows that meet on it.

use std::sync::Arc;

use app::App;
use domain::{GameweekId, Kes, UserId, ledger::postings::Posting};
use local::{LocalRun, Settings, fixtures, snapshot::Snapshot};
use shuttle::{
    Config, Runner,
    future::{block_on, yield_now},
    scheduler::{PctScheduler, RandomScheduler},
};
use store::accounts::players::Player;

pub const GAMEWEEK: &str = "2026-01";
/// Flows are deep, and each has a stack of its own.
const STACK: usize = 4 << 20;
/// An order is over after so many steps: a flow that goes on for ever is a fault as well.
const STEPS: usize = 100_000;
/// A player's flows meet at this many places, mostly: what the second scheduler changes of an order.
const CHANGES: usize = 3;

/// The table at the beginning, and what is known of it.
pub struct Scene<T> {
    table: Snapshot,
    known: Arc<T>,
}

impl<T: Send + Sync + 'static> Scene<T> {
    /// A world in which `prepare` has done its part, and which has stopped then.
    pub fn of(prepare: impl AsyncFnOnce(&LocalRun) -> T) -> Self {
        Self::with(Settings::default(), prepare)
    }

    pub fn with(settings: Settings, prepare: impl AsyncFnOnce(&LocalRun) -> T) -> Self {
        let settings = Settings { partition_limits: false, ..settings };
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let run = LocalRun::start(settings).await.unwrap();
            let known = Arc::new(prepare(&run).await);
            let table = run.snapshot().await.unwrap();
            run.kill().await;
            Self { table, known }
        })
    }

    /// Plays the scene in many orders: half of them by chance, half with few changes from one flow to another.
    pub fn play<F>(self, meet: impl Fn(App, Arc<T>) -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        let Self { table, known } = self;
        let order = move || {
            block_on(async {
                let app = table.process(yield_now).await.unwrap();
                meet(app, known.clone()).await;
            });
        };
        // The SDK sets time limits, which here never run out: nobody drives this clock. (It is never taken down: what an order
        // that failed has left in it must not be woken.)
        let still = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let still = Box::leak(Box::new(still));
        let _entered = still.enter();
        if let Ok(schedule) = std::env::var("REPLAY") {
            return shuttle::replay(order, &schedule);
        }
        let (order, each) = (Arc::new(order), schedules() / 2);
        let mut config = Config::new();
        config.stack_size = STACK;
        config.max_steps = shuttle::MaxSteps::FailAfter(STEPS);
        let by_chance = order.clone();
        Runner::new(RandomScheduler::new(each), config.clone()).run(move || by_chance());
        Runner::new(PctScheduler::new(CHANGES, each), config).run(move || order());
    }
}

fn schedules() -> usize {
    std::env::var("SCHEDULES").map_or(200, |count| count.parse().expect("SCHEDULES is a number"))
}

pub fn gameweek() -> GameweekId {
    GAMEWEEK.parse().unwrap()
}

/// A player with so much in the wallet.
pub async fn player(app: &App, n: u32, kes: i64) -> Player {
    let new = fixtures::sign_up(app, gameweek().season, n).await;
    // The official game knows the team: nobody asks it again.
    app.store().keep_team_name(&new.id, "Eleven").await.unwrap();
    let player = app.store().player(&new.id).await.unwrap().unwrap();
    if kes > 0 {
        let money = Posting::deposit(&player.id, &store::random_id(), Kes::new(kes));
        app.store().credit_wallet(&player.id, &money, app.clock().now()).await.unwrap();
    }
    player
}

/// What is in a wallet, once it is sure that its postings say the same, each after the one before, and that it was never
/// below zero.
pub async fn balance(app: &App, player: &UserId) -> i64 {
    let wallet = app.store().wallet(player).await.unwrap();
    let mut postings = app.store().postings(player).await.unwrap();
    postings.sort_by_key(|posting| posting.version);
    let mut sum = Kes::ZERO;
    for posting in postings.iter().filter(|posting| posting.version.is_some()) {
        sum = sum + posting.amount;
        assert_eq!(sum, posting.balance_after, "after {}", posting.cause);
        assert!(sum >= Kes::ZERO, "{sum} after {}", posting.cause);
    }
    for posting in &postings {
        assert_eq!(posting.legs.iter().map(|leg| leg.amount.get()).sum::<i64>(), 0, "{}", posting.cause);
    }
    assert_eq!(wallet.balance, sum);
    wallet.balance.get()
}
