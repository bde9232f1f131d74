//! A scene: the table as it is at the beginning, and the flows that meet on it.

use std::sync::Arc;

use app::App;
use domain::{GameweekId, Kes, UserId, ledger::postings::Posting};
use local::{LocalRun, Settings, fixtures, snapshot::Snapshot};
use shuttle::future::{block_on, yield_now};
use store::accounts::players::Player;

use crate::orders::{self, Failure, Play};

pub const GAMEWEEK: &str = "2026-01";

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

    /// Plays the scene in many orders, or in the one that `REPLAY` names. One that fails is printed as a command that plays
    /// it again.
    pub fn play<F>(self, meet: impl Fn(App, Arc<T>) -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        let play = self.meeting(meet);
        let failed = match std::env::var("REPLAY") {
            Ok(order) => orders::replay(&play, &order),
            Err(_) => orders::try_many(&play),
        };
        failed.unwrap_or_else(Failure::tell);
    }

    /// The scene from its beginning to its end, as often as wanted, in an order that whoever calls it decides.
    pub fn meeting<F>(self, meet: impl Fn(App, Arc<T>) -> F + Send + Sync + 'static) -> Play
    where
        F: Future<Output = ()> + 'static,
    {
        let Self { table, known } = self;
        Arc::new(move || {
            block_on(async {
                let app = table.process(yield_now).await.unwrap();
                meet(app, known.clone()).await;
            });
        })
    }
}

pub fn gameweek() -> GameweekId {
    GAMEWEEK.parse().unwrap()
}

/// A player with so much in the wallet.
pub async fn player(app: &App, n: u32, kes: i64) -> Player {
    let new = fixtures::sign_up(app, gameweek().season, n).await;
    // The official game knows the team: nobody asks it again.
    let team = (new.season, new.fpl_id.unwrap());
    assert!(app.store().keep_team_name(&new.id, team, "Eleven").await.unwrap());
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
