//! Indexes that lag: a list is right when its index has caught up, what is pressed on an old one is refused, and jobs that
//! go by lists leave nothing out and do nothing twice.

use jiff::SignedDuration;
use local::Settings;
use serde_json::json;

use crate::support::{
    PASSWORD, World, assert_has,
    money::{done, rejected},
    mpesa::paid_unheard,
    text,
};

/// In seconds: longer than any index of AWS's own is known to lag.
const LAG: i64 = 30;

async fn start() -> World {
    World::start_with(Settings { index_lag: SignedDuration::from_secs(LAG), ..Settings::default() }).await
}

#[tokio::test]
async fn a_list_is_right_once_its_index_has_caught_up_and_an_old_one_does_no_harm() {
    let world = start().await;
    let player = world.player_with(300).await;
    let id = player.withdrawal(&player.phone(), 100).await;
    let listed = async || {
        let list = world.admin().await.get("/api/withdraw").await.expect(200);
        list.as_array().unwrap().iter().map(|one| text(one, "_id")).collect::<Vec<_>>()
    };
    assert!(listed().await.is_empty());
    world.advance(LAG).await;
    assert_eq!(listed().await, [id.as_str()]);
    world.end_withdrawal(&id, done()).await.expect(200);
    assert_eq!(listed().await, [id.as_str()], "as it was");
    world.end_withdrawal(&id, rejected("Seen on an old list.")).await.refused(409);
    world.advance(LAG).await;
    assert!(listed().await.is_empty());
    assert_eq!(world.ledger().await.wallets[&player.id], 200);
}

/// A prompt of which nobody hears, a payment that is nobody's so far and a closed account: each is found by a list, on
/// which it stands for a while after it has ended.
#[tokio::test]
async fn jobs_that_go_by_lists_leave_nothing_out_and_do_nothing_twice() {
    let world = start().await;
    world.faults(json!({"extraDeliveries": 2})).await;
    let (player, leaver) = (world.player_with(50).await, world.player().await);
    let closed = leaver.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    world.advance(7 * 24 * 3600 + 60).await;
    let player = world.again(&player).await;
    player.prompt(110).await;
    world.decide_prompt(&player.phone(), paid_unheard()).await;
    let account = player.paybill_account().await;
    world.paybill(json!({"phone": player.phone(), "amount": 70, "accountReference": account})).await;
    world.advance(3600).await;
    for job in ["remind-of-payments", "erase-accounts", "remind-of-payments", "erase-accounts"] {
        world.start_job(job).await;
    }
    let ledger = world.ledger().await;
    assert_eq!(ledger.wallets[&player.id], 50 + 110 + 70);
    assert_eq!(ledger.account("mpesa:in"), -(50 + 110 + 70));
    assert!(text(&closed, "erasedAt") < world.app().clock().now().to_string());
    let log_in = json!({"email": leaver.email(), "password": PASSWORD});
    assert_has(&world.nobody().post("/api/login", log_in).await.expect(401), json!({"code": "wrong_log_in"}));
    assert_eq!(world.mails_about(&leaver.email(), "Your FPL Leagues account is closed").await.len(), 1);
}

/// An admin suspends a closed account in the seconds before its data goes: the list of closed ones does not know it yet.
#[tokio::test]
async fn what_a_list_does_not_know_yet_is_read_before_anything_goes() {
    let world = start().await;
    world.schedule("erase-accounts", false).await;
    let leaver = world.player().await;
    leaver.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    world.advance(7 * 24 * 3600 + 60).await;
    let suspend = json!({"suspended": true, "reason": "Another player says that the team is theirs."});
    world.admin().await.patch_player(&leaver.id, suspend).await.expect(200);
    world.start_job("erase-accounts").await;
    assert_has(
        &world.profile(&leaver.id).await["player"],
        json!({"email": leaver.email(), "suspended": true}),
    );
    let allow = json!({"suspended": false, "reason": "It was a mistake."});
    world.admin().await.patch_player(&leaver.id, allow).await.expect(200);
    world.start_job("erase-accounts").await;
    world.admin().await.get(&format!("/api/admin/players/{}", leaver.id)).await.refused(404);
}
