//! The draw and the settlement, twice at once and with a late entry.

use std::sync::Arc;

use app::{App, leagues::draw, settlement::settling};
use domain::{EntryAmount, Kes, ledger::postings::Posting};
use local::fixtures;
use serde_json::json;
use shuttle::future::spawn;
use store::{entries::Entry, leagues::draw_rounds::DrawBeacon};

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
        draw::advance(app, gameweek()).await.unwrap();
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

/// Five have entered and the deadline has passed. Answers the entry that a sixth has still to make.
async fn five_and_a_late_one(run: &local::LocalRun) -> Entry {
    stop_official_game(run).await;
    let app = run.app();
    for n in 0..5 {
        fixtures::enter(app, gameweek(), AMOUNT, n).await;
    }
    let late = player(app, 9, 50).await;
    let entry = app::entries::new_entry(&late, late.fpl_id.unwrap(), gameweek(), AMOUNT, app.clock().now());
    fixtures::pass_deadline(app, gameweek()).await;
    entry
}

/// After the sweeps: in the list, or refunded.
async fn is_in_the_list_or_refunded(app: &App, entry: &Entry) -> bool {
    let list = app.store().entry_list(gameweek(), AMOUNT).await.unwrap().expect("it is fixed");
    assert!((5..=6).contains(&list.count));
    for _ in 0..2 {
        draw::sweep(app, gameweek()).await.unwrap();
    }
    let refund = Posting::refund(&entry.user_id, gameweek(), Kes::new(50)).cause().key();
    let refunded = app.store().posting(&entry.user_id, &refund).await.unwrap().is_some();
    assert_eq!(refunded, list.count == 5, "in the list, or refunded");
    assert_eq!(balance(app, &entry.user_id).await, if refunded { 50 } else { 0 });
    !refunded
}

#[test]
fn join_and_draw() {
    let scene = Scene::of(async |run| five_and_a_late_one(run).await);
    scene.play(|app, entry| async move {
        let closing = spawn({
            let app = app.clone();
            // The list is fixed; the beacon's round is not out yet.
            async move { draw::advance(&app, gameweek()).await.unwrap() }
        });
        let entering = spawn(enter_late(app.clone(), entry.clone()));
        closing.await.unwrap();
        entering.await.unwrap();
        is_in_the_list_or_refunded(&app, &entry).await;
    });
}

/// The list is fixed and the beacon's value kept: the leagues are written, by two at once, while somebody still enters.
#[test]
fn join_and_the_writing_of_leagues() {
    let scene = Scene::of(async |run| {
        let (entry, app) = (five_and_a_late_one(run).await, run.app());
        draw::advance(app, gameweek()).await.unwrap();
        let (value, at) = (Some("07".repeat(32)), app.clock().now());
        let beacon = DrawBeacon { value, signature: None, silence: None, at };
        app.store().fix_draw_beacon(gameweek(), &beacon).await.unwrap();
        entry
    });
    scene.play(|app, entry| async move {
        let close = || {
            let app = app.clone();
            async move { draw::advance(&app, gameweek()).await.unwrap() }
        };
        let (first, second) = (spawn(close()), spawn(close()));
        let entering = spawn(enter_late(app.clone(), entry.clone()));
        first.await.unwrap();
        second.await.unwrap();
        entering.await.unwrap();
        assert!(!is_in_the_list_or_refunded(&app, &entry).await, "the list was fixed before it");
        let leagues = app.store().leagues_page(gameweek(), AMOUNT, None, 10).await.unwrap().items;
        assert_eq!(leagues.iter().map(|league| league.members.len()).collect::<Vec<_>>(), [5]);
        assert_eq!(app.store().league_of(&entry.user_id, gameweek()).await.unwrap(), None);
    });
}
