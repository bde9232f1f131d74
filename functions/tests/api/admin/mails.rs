//! Acts above the threshold, corrections and gameweeks that are called off are mailed to every admin: once where one
//! admin does them, and as a proposal before where two are wanted.

use app::Safeguards::{self, Full, Light};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{World, admin::SECOND_ADMIN};

async fn each_is_told(world: &World, safeguards: Safeguards, act: &str, times: usize) {
    let times = if safeguards.are_full() { 2 * times } else { times };
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        let mails = world.mails_about(email, &format!("An admin's act: {act}")).await;
        assert_eq!(mails.len(), times, "{act}, {email}: {mails:?}");
    }
}

#[rstest]
#[tokio::test]
async fn all_admins_are_told_of_what_weighs(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.second_admin().await;
    let player = world.player_with_own_number(60_000).await;
    let done = async |method: Method, path: String, body: Option<Value>| {
        world.by_two(method, &path, body).await.expect(200);
        world.advance(120).await;
    };
    // Small ones of one's own are nobody's news.
    let small = player.withdrawal(&player.phone(), 100).await;
    done(Method::POST, format!("/api/withdraw/{small}/pay"), None).await;
    each_is_told(&world, safeguards, "pay-withdrawal", 0).await;
    let large = player.withdrawal(&player.phone(), 15_000).await;
    done(Method::POST, format!("/api/withdraw/{large}/pay"), None).await;
    each_is_told(&world, safeguards, "pay-withdrawal", 1).await;
    let player = world.again(&player).await;
    let by_hand = player.withdrawal(&player.phone(), 15_000).await;
    done(Method::PUT, format!("/api/withdraw/{by_hand}"), Some(json!({"status": "done"}))).await;
    each_is_told(&world, safeguards, "update-withdrawal", 1).await;
    let correction = json!({"correctionId": "a".repeat(32), "amount": -60, "reason": "Seen in the portal."});
    done(Method::POST, format!("/api/admin/players/{}/corrections", player.id), Some(correction)).await;
    each_is_told(&world, safeguards, "correct-wallet", 1).await;

    world.again(&player).await.join(50, 1).await.expect(201);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * 24 * 3600).await;
    let off = json!({"reason": "The season was left."});
    done(Method::POST, "/api/admin/gameweeks/2026-01/void".to_owned(), Some(off)).await;
    each_is_told(&world, safeguards, "void-gameweek", 1).await;
    world.ledger().await;
}
