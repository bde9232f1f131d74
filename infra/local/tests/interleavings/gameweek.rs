//! The draw and the settlement, twice at once and with a late entry.

use std::sync::Arc;

use app::{App, leagues::draw, settlement::settling};
use domain::{EntryAmount, Kes, ledger::postings::Posting};
use local::fixtures;
use serde_json::json;
use shuttle::future::spawn;
use store::entries::Entry;

use crate::stage::{Scene, balance, gameweek, player};

const AMOUNT: EntryAmount = EntryAmount::Fifty;

/// Nothing but the scene draws or reads points.
async fn stop_official_game(run: &local::LocalRun) {
    let faults = run.http().put(format!("{}/sim/api/faults", run.base_url));
    faults.json(&json!({"fpl": "down"})).send().await.unwrap();
}

#[test]
fn settle_and_settle() {
    let scene = Scene::of(async |run| {
        stop_official_game(run).await;
        let app = run.app();
        let mut entries = Vec::new();
        for n in 0..6 {
            entries.push(fixtures::enter(app, gameweek(), AMOUNT, n).await);
        }
        fixtures::end_play(app, gameweek()).await;
        draw::close(app, gameweek()).await.unwrap();
        let leagues = fixtures::read_teams(app, gameweek(), AMOUNT, |_| ()).await;
        assert_eq!(leagues.len(), 1);
        (leagues[0], entries)
    });
    scene.play(|app, known| async move {
        let settle = || {
            let (app, league) = (app.clone(), known.0);
            async move { settling::settle_league(&app, league).await.unwrap() }
        };
        let (first, second) = (spawn(settle()), spawn(settle()));
        assert!(first.await.unwrap() && second.await.unwrap());
        // Each paid 50 of 100 in; six paid 300, and 30 of it is the operator's.
        let mut sum = 0;
        for entry in &known.1 {
            sum += balance(&app, &entry.user_id).await;
        }
        assert_eq!(sum, 6 * 50 + 270);
    });
}

/// Enters as a process does whose clock is behind: nothing stands in its way but the wallet.
async fn enter_late(app: App, entry: Arc<Entry>) {
    app.store().join_by_wallet(&entry).await.unwrap();
}

#[test]
fn join_and_draw() {
    let scene = Scene::of(async |run| {
        stop_official_game(run).await;
        let app = run.app();
        for n in 0..5 {
            fixtures::enter(app, gameweek(), AMOUNT, n).await;
        }
        let late = player(app, 9, 50).await;
        let team = late.fpl_id.unwrap();
        let entry = app::entries::new_entry(&late, team, gameweek(), AMOUNT, app.clock().now());
        fixtures::pass_deadline(app, gameweek()).await;
        Arc::new(entry)
    });
    scene.play(|app, entry| async move {
        let closing = spawn({
            let app = app.clone();
            // The list is fixed; the beacon's round is not out yet.
            async move { draw::close(&app, gameweek()).await.unwrap() }
        });
        let entering = spawn(enter_late(app.clone(), (*entry).clone()));
        closing.await.unwrap();
        entering.await.unwrap();
        let list = app.store().entry_list(gameweek(), AMOUNT).await.unwrap().expect("it is fixed");
        assert!((5..=6).contains(&list.count));
        for _ in 0..2 {
            draw::sweep(&app, gameweek()).await.unwrap();
        }
        let refund = Posting::refund(&entry.user_id, gameweek(), Kes::new(50)).cause().key();
        let refunded = app.store().posting(&entry.user_id, &refund).await.unwrap().is_some();
        assert_eq!(refunded, list.count == 5, "in the list, or refunded");
        assert_eq!(balance(&app, &entry.user_id).await, if refunded { 50 } else { 0 });
    });
}
