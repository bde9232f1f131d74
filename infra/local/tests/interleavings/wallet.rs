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
use shuttle::future::spawn;
use store::accounts::players::Player;

use crate::stage::{Scene, balance, gameweek, player};

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

/// Reads the books to their end, as the messages would.
async fn read_books(app: App) {
    reconciliation::start(&app).await.unwrap();
    let run = app.store().reconciliation_run().await.unwrap().unwrap();
    for _ in 0..10 {
        for segment in 0..run.segments {
            let message = ReconcileSegment { run: run.id.clone(), segment };
            reconciliation::read(&app, &message).await.unwrap();
        }
    }
    let run = app.store().reconciliation_run().await.unwrap().unwrap();
    assert!(run.finished_at.is_some(), "it is read to its end");
}

#[test]
fn credit_and_reconcile() {
    Scene::of(async |run| player(run.app(), 1, 100).await).play(|app, player| async move {
        let reading = spawn(read_books(app.clone()));
        let credited = spawn(credit(app.clone(), player.clone(), "of-the-scene", 30));
        let joined = spawn(join(app.clone(), player.clone(), EntryAmount::Fifty));
        reading.await.unwrap();
        assert!(credited.await.unwrap() && joined.await.unwrap());
        let report = reconciliation::latest(&app).await.unwrap().unwrap();
        assert!(report.differences.is_empty(), "nothing is wrong: {:?}", report.differences);
        assert_eq!(balance(&app, &player.id).await, 80);
    });
}
