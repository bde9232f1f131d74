//! A whole gameweek: joined, drawn, played, paid; and the next one opens.

use app::gameweeks::status;
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::json;
use store::admin::audit::{AuditAction, AuditRecord, Who};

use crate::support::{
    World, assert_has, at_once,
    gameweek::{PROCESS, fpl_id, sizes, users},
    money::done,
};

#[tokio::test]
async fn a_gameweek_from_sign_up_to_withdrawal() {
    let world = World::start().await;
    let winner = world.player_with(200).await;
    winner.join(50, 1).await.expect(201);
    let others = world.crowd(10, 50).await;

    // Ten fill a group, the eleventh starts another; both are provisional and say so.
    let groups = winner.leagues(50, 1).await;
    assert_eq!(sizes(&groups), [10, 1]);
    assert!(groups.iter().all(|group| group["state"] == "provisional"));
    assert_eq!(groups[0]["own"], true);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 11 * 50);

    world.phase(1, "locked").await;
    let mut winner = world.player_again(1).await;
    assert_eq!(winner.join(50, 1).await.refused(400), "The deadline has passed.");
    let admin = world.admin().await;
    let not_final = "Official points for gameweek 1 are not final yet.";
    assert_eq!(admin.post(PROCESS, json!({})).await.refused(409), not_final);

    // The fence falls: eleven are drawn into leagues of six and five.
    world.advance(780).await;
    let drawn = winner.leagues(50, 1).await;
    let mut drawn_sizes = sizes(&drawn);
    drawn_sizes.sort_unstable();
    assert_eq!((drawn_sizes, &drawn[0]["own"]), (vec![5, 6], &json!(true)));
    let own_size = i64::try_from(users(&drawn[0]).len()).unwrap();

    world.points(&winner.fpl_id, 1, 150, 9, 0).await;
    for other in &others {
        world.points(fpl_id(other), 1, 40, 3, 4).await;
    }
    world.phase(1, "checked").await;
    let admin = world.admin().await;
    let progress = admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    assert_eq!(progress["leagues"], 2);
    assert_eq!(progress["state"], "settling");
    world.advance(60).await;
    let progress = admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    assert_has(&progress, json!({"state": "settled", "settled": 2}));

    // 90 % of what the league collected, to the one with 150 points.
    let prize = own_size * 45;
    winner = world.player_again(1).await;
    assert_eq!(winner.wallet().await, 150 + prize);
    let own = &winner.leagues(50, 1).await[0];
    assert_eq!(own["state"], "settled");
    assert_eq!(own["users"][0]["fplId"], winner.fpl_id.as_str());
    assert_has(&own["users"][0], json!({"points": 150, "prize": prize}));
    let record = format!("/api/leagues/{}/settlement", own["_id"].as_str().unwrap());
    let record = winner.get(&record).await.expect(200);
    assert_eq!(record["ranking"][1]["points"], 36, "net of four points for a transfer");
    assert_eq!(record["ranking"][1]["gross"], 40);
    let ledger = world.ledger().await;
    assert_eq!(ledger.account("pot:2026-01"), 0);

    // The next gameweek is open.
    let status = winner.get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"gameweek": 2, "isOpen": true}));
    winner.join(50, 2).await.expect(201);

    // And money goes out.
    let asked = winner.withdraw("0712000001", prize).await.expect(201);
    assert_eq!(asked["walletBalance"], 100);
    let id = asked["_id"].as_str().unwrap();
    let admin = world.admin().await;
    assert_eq!(admin.get("/api/withdraw").await.expect(200)[0]["_id"], id);
    admin.end_withdrawal(id, done()).await.expect(200);
    assert_eq!(admin.get("/api/withdraw").await.expect(200), json!([]));
    let ledger = world.ledger().await;
    assert_eq!(ledger.account("mpesa:out"), prize);
    assert_eq!(ledger.account("withdrawals"), 0);
}

/// Full leagues pay 450, 900 and 2,250.
#[tokio::test]
async fn full_leagues_pay_what_was_shown_before_joining() {
    let world = World::start().await;
    for (amount, prize) in [(50, 450), (100, 900), (250, 2_250)] {
        let winner = world.player_with(amount).await;
        winner.join(amount, 1).await.expect(201);
        world.crowd(9, amount).await;
        world.points(&winner.fpl_id, 1, 199, 0, 0).await;
        world.advance(60).await;
        let status = winner.get("/api/gameweek/status").await.expect(200);
        let shown =
            status["amounts"].as_array().unwrap().iter().find(|a| a["entryAmount"] == amount).unwrap();
        assert_has(shown, json!({"fullLeaguePrize": prize, "entries": 10}));
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(60).await;
    for (n, prize) in [(1, 450), (2, 900), (3, 2_250)] {
        assert_eq!(world.player_again(n).await.wallet().await, prize);
    }
    let ledger = world.ledger().await;
    assert_eq!(ledger.account("fees"), 50 + 100 + 250);
    assert_eq!(ledger.account("pot:2026-01"), 0);
}

/// The bench breaks a tie, and who is still equal shares; what does not divide goes to an account of its own; pressed often, it pays once.
#[tokio::test]
async fn equal_scores_share_and_a_second_press_pays_nothing_more() {
    let world = World::start().await;
    let crowd = world.crowd(7, 50).await;
    for (i, player) in crowd.iter().enumerate() {
        let (points, bench) = match i {
            0..4 => (80, 5),
            4 => (80, 4),
            _ => (79, 20),
        };
        world.points(fpl_id(player), 1, points, bench, 0).await;
    }
    world.phase(1, "checked").await;
    let admin = world.admin().await;
    for _ in 0..3 {
        let presses = (0..5).map(|_| {
            let admin = admin.clone();
            async move { admin.post(PROCESS, json!({"gameweek": 1})).await }
        });
        for press in at_once(presses).await {
            press.expect(200);
        }
        world.advance(30).await;
    }
    // 350 collected, 35 fee, 315 among four: 78 each and 3 left over.
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("fees"), ledger.account("rounding")), (35, 3));
    let mut wallets: Vec<i64> = ledger.wallets.values().copied().collect();
    wallets.sort_unstable();
    let before: i64 = wallets[0];
    assert_eq!(wallets.iter().filter(|balance| **balance == before + 78).count(), 4);
    assert_eq!(ledger.account("pot:2026-01"), 0);
}

/// A league whose official figures cannot be had waits, and goes on when they can.
#[tokio::test]
async fn an_outage_of_the_official_game_makes_leagues_wait() {
    let world = World::start().await;
    world.crowd(6, 100).await;
    world.phase(1, "checked").await;
    world.advance(60).await;
    world.faults(json!({"fpl": "updating"})).await;
    let admin = world.admin().await;
    admin.post(PROCESS, json!({})).await.expect(200);
    world.advance(120).await;
    let progress = admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    assert_has(&progress, json!({"settled": 0, "waiting": 1}));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 600);
    world.faults(json!({"fpl": "none"})).await;
    world.advance(300).await;
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 60));
}

/// The deduction in force at the deadline counts, whenever it is switched later.
#[tokio::test]
async fn the_deduction_is_the_one_at_the_deadline() {
    let world = World::start().await;
    let crowd = world.crowd(5, 50).await;
    for (i, player) in crowd.iter().enumerate() {
        let (points, cost) = if i == 0 { (60, 8) } else { (55, 0) };
        world.points(fpl_id(player), 1, points, 0, cost).await;
    }
    let admin = world.admin().await;
    let off = admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    assert_eq!(off["deductTransferPoints"], false);
    assert_eq!(off["message"], "Transfer point deduction is now OFF.");
    world.phase(1, "live").await;
    let admin = world.admin().await;
    let on = admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    assert_eq!(on["message"], "Transfer point deduction is now ON. It counts from the next gameweek.");
    world.phase(1, "checked").await;
    let admin = world.admin().await;
    admin.post(PROCESS, json!({})).await.expect(200);
    world.advance(30).await;
    let record = admin.get("/api/leagues/2026-01-50-00001/settlement").await.expect(200);
    assert_eq!(record["deductTransferPoints"], false);
    assert_eq!(record["ranking"][0]["fplId"], crowd[0]["fplId"]);
    assert_eq!(record["ranking"][0]["points"], 60);
}

/// Who says what the deduction is to be does not turn back what another admin has turned meanwhile.
#[tokio::test]
async fn a_deduction_that_is_as_wanted_is_not_turned() {
    let world = World::start().await;
    let (admin, other) = (world.admin().await, world.second_admin().await);
    let toggle = "/api/points/toggle-deduction";
    let off = format!("{toggle}?deductTransferPoints=false");
    let before = world.acts().await.len();
    at_once((0..3).map(|_| admin.post(&off, json!({})))).await;
    let said = other.post(&off, json!({})).await.expect(200);
    assert_eq!(said["deductTransferPoints"], false);
    assert_eq!(said["message"], "Transfer point deduction is already OFF. Nothing was changed.");
    assert_eq!(world.acts().await.len(), before + 1, "turned once");
    other.post(&format!("{toggle}?deductTransferPoints=on"), json!({})).await.refused(400);
    // Where nothing is said it is turned to what it is not.
    let on = other.send(Method::POST, toggle, None).await.expect(200);
    assert_eq!(on["deductTransferPoints"], true);
    assert_eq!(world.acts().await.len(), before + 2);
}

/// By clocks that differ the one who turns it last may be the earlier one by the clock.
#[tokio::test]
async fn a_turn_counts_after_what_it_has_seen_whatever_its_clock_says() {
    let world = World::start().await;
    let store = world.app().store();
    let now = world.app().clock().now();
    for (on, at) in [(false, now), (true, now - SignedDuration::from_secs(5))] {
        let act = AuditRecord::new(Who::Operator, AuditAction::ToggleDeduction, "the deduction", at);
        assert!(store.turn_deduction(&store.switches().await.unwrap(), on, &act, None).await.unwrap());
        assert_eq!(store.switches().await.unwrap().deducts_transfers_at(now), on);
    }
}

/// A machine whose clock is a minute ahead has turned it off: it is said to be off at once, and can be turned on again.
#[tokio::test]
async fn a_turn_by_a_clock_that_is_ahead_stands_at_once() {
    let world = World::start().await;
    let admin = world.admin().await;
    let (ahead, stored) = (world.process_with_clock(60), world.stored(&admin).await);
    let off = status::toggle_deduction(ahead.app(), &stored, Some(false)).await;
    assert!(off.is_ok_and(|turned| !turned.is_on));
    assert_eq!(admin.get("/api/admin/switches").await.expect(200)["deductTransferPoints"], false);
    let on = "/api/points/toggle-deduction?deductTransferPoints=true";
    let said = admin.post(on, json!({})).await.expect(200);
    let message = "Transfer point deduction is now ON.";
    assert_has(&said, json!({"deductTransferPoints": true, "message": message}));
    world.advance(120).await;
    let now = admin.get("/api/gameweek/status").await.expect(200);
    assert_eq!(now["deductTransferPoints"], true);
}

/// The official game is down over the deadline: the draw does not wait for it.
#[tokio::test]
async fn the_draw_does_not_need_the_official_game() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    world.faults(json!({"fpl": "down"})).await;
    world.phase(1, "live").await;
    let leagues = world.nobody().get("/api/leagues?gameweek=1&entryAmount=50").await.expect(200);
    assert_eq!(leagues.as_array().unwrap().len(), 2);
    assert!(leagues.as_array().unwrap().iter().all(|league| league["state"] == "drawn"));
}
