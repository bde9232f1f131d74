//! A wallet that several flows want at once.

use std::sync::Arc;

use app::{
    App,
    entries::by_wallet::{self, ReadAhead},
    ledger::reconciliation,
    platform::queues::ReconcileSegment,
    withdrawals::requests::{self, Request},
};
use domain::{EntryAmount, Kes, ledger::postings::Posting};
use local::{Settings, Target};
use serde_json::Value;
use shuttle::future::spawn;
use store::{accounts::players::Player, ledger::reconciliation::ReconciliationRun};

use crate::stage::{Scene, balance, gameweek, player};

/// So many items of the books are read at once.
const AT_ONCE: i64 = 3;
/// More messages than it takes to read them.
const READINGS: usize = 1_000;
/// So many shillings are given, one after another: about as long as the books are read.
const GIFTS: i64 = 32;

/// Joins from the wallet as a call does. Whether the player is in by it.
pub async fn join(app: App, player: Arc<Player>, amount: EntryAmount) -> bool {
    let ahead = ReadAhead::of(&app, &player.id).await;
    let number = gameweek().number;
    by_wallet::join(&app, &player, None, (amount, number), ahead).await.is_ok()
}

/// Asks for a withdrawal as a call does. Whether the money is taken out by it.
pub async fn withdraw(app: App, player: Arc<Player>, kes: i64) -> bool {
    let request = Request { phone: "0712345678", amount: Some(kes), key: None, from: None };
    requests::request(&app, &player, request).await.is_ok()
}

pub async fn credit(app: App, player: Arc<Player>, cause: &'static str, kes: i64) -> bool {
    let posting = Posting::deposit(&player.id, cause, Kes::new(kes));
    app.store().credit_wallet(&player.id, &posting, app.clock().now()).await.unwrap()
}

#[test]
fn join_and_join() {
    Scene::of(async |run| player(run.app(), 1, 300).await).play(|app, player| async move {
        let first = spawn(join(app.clone(), player.clone(), EntryAmount::Fifty));
        let second = spawn(join(app.clone(), player.clone(), EntryAmount::Hundred));
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        assert!(first != second, "in by the first: {first}, by the second: {second}");
        assert_eq!(balance(&app, &player.id).await, if first { 250 } else { 200 });
    });
}

#[test]
fn join_withdraw_and_credit() {
    Scene::of(async |run| player(run.app(), 1, 50).await).play(|app, player| async move {
        let joining = spawn(join(app.clone(), player.clone(), EntryAmount::Fifty));
        let withdrawing = spawn(withdraw(app.clone(), player.clone(), 50));
        let credited = spawn(credit(app.clone(), player.clone(), "of-the-scene", 30));
        let (joined, withdrawn) = (joining.await.unwrap(), withdrawing.await.unwrap());
        assert!(credited.await.unwrap());
        assert!(joined != withdrawn, "50 is enough for one: joined {joined}, withdrawn {withdrawn}");
        assert_eq!(balance(&app, &player.id).await, 30);
    });
}

#[test]
fn the_same_credit_three_times() {
    Scene::of(async |run| player(run.app(), 1, 0).await).play(|app, player| async move {
        let credits: Vec<_> =
            (0..3).map(|_| spawn(credit(app.clone(), player.clone(), "one-cause", 100))).collect();
        let mut booked = 0;
        for credit in credits {
            booked += u32::from(credit.await.unwrap());
        }
        assert_eq!((booked, balance(&app, &player.id).await), (1, 100));
    });
}

/// Reads on in the books, as a message for each part of them would.
async fn read_on(app: &App, run: &ReconciliationRun) {
    for segment in 0..run.segments {
        let message = ReconcileSegment { run: run.id.clone(), segment };
        reconciliation::read(app, &message).await.unwrap();
    }
}

/// Begins to read the books, and comes to a stop between the player's postings and the wallet.
async fn read_half(app: &App, player: &Player) {
    reconciliation::start(app).await.unwrap();
    let run = app.store().reconciliation_run().await.unwrap().unwrap();
    for _ in 0..READINGS {
        let part = app.store().reconciliation_part(&run, 0).await.unwrap();
        let sums: Value = serde_json::from_str(&part.totals).unwrap_or_default();
        let open = &sums["wallet"];
        if open["player"] == player.id.as_str() && open["seen"].is_null() {
            return;
        }
        read_on(app, &run).await;
    }
    panic!("it never is in the midst of the player's items");
}

/// Reads the books on to their end.
async fn read_books(app: App) {
    for _ in 0..READINGS {
        let run = app.store().reconciliation_run().await.unwrap().unwrap();
        if run.finished_at.is_some() {
            return;
        }
        read_on(&app, &run).await;
    }
    panic!("they are not read to their end");
}

/// Gives a little again and again, and joins in the midst of it. The reading does not meet the gifts: they lie before what it
/// has read.
async fn give_and_join(app: App, player: Arc<Player>) {
    for n in 0..GIFTS {
        if n == GIFTS / 2 {
            assert!(join(app.clone(), player.clone(), EntryAmount::Fifty).await);
        }
        let gift = Posting::correction_up(&player.id, &format!("a{n:02}"), Kes::new(1));
        assert!(app.store().credit_wallet(&player.id, &gift, app.clock().now()).await.unwrap());
    }
}

/// The wallet moves again and again between the reading of its postings and of itself, and while it is looked at once more.
#[test]
fn credit_and_reconcile() {
    let parameters = [("BooksSegments", "1".to_owned()), ("BooksItemsAtOnce", AT_ONCE.to_string())].into();
    let scene = Scene::with(Settings { parameters, ..Settings::default() }, async |run| {
        let (app, player) = (run.app(), player(run.app(), 1, 0).await);
        // So many that they are not read at once with the wallet.
        for n in 0..AT_ONCE {
            let money = Posting::correction_up(&player.id, &format!("b{n}"), Kes::new(50));
            app.store().credit_wallet(&player.id, &money, app.clock().now()).await.unwrap();
        }
        // What is younger than ten minutes is left for the next reading.
        run.jump(Target::Ahead(20 * 60)).await.unwrap();
        run.rest().await;
        read_half(app, &player).await;
        player
    });
    scene.play(|app, player| async move {
        let reading = spawn(read_books(app.clone()));
        let moving = spawn(give_and_join(app.clone(), player.clone()));
        reading.await.unwrap();
        moving.await.unwrap();
        let report = reconciliation::latest(&app).await.unwrap().unwrap();
        assert!(report.differences.is_empty(), "nothing is wrong: {:?}", report.differences);
        assert_eq!(balance(&app, &player.id).await, AT_ONCE * 50 - 50 + GIFTS);
    });
}
