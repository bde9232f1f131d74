//! kill -9 in the middle, and start again: nothing acknowledged is lost, what was under way goes on.

use local::{DataDir, Settings};
use reqwest::Method;
use serde_json::json;

use crate::support::{
    Folder, World, engine,
    gameweek::{PROCESS, fpl_id},
    mpesa::paid_calling_back,
};

async fn world_in(folder: &Folder) -> World {
    let password = Some("operator's own".to_owned());
    let data_dir = DataDir::Path(folder.path());
    World::start_with(Settings { data_dir, admin_password: password, ..Settings::default() }).await
}

#[tokio::test]
async fn a_prompt_that_is_paid_while_nothing_runs_is_credited() {
    let folder = Folder::new("paid-meanwhile");
    let world = world_in(&folder).await;
    let player = world.player_with(80).await;
    player.join(50, 1).await.expect(201);
    player.prompt(500).await;
    // Paid, its callback still to come; and everything ends.
    world.decide_prompt(&player.phone(), paid_calling_back("late")).await;
    let before = world.nobody().get("/sim/api/clock").await.text(200, "now");
    world.kill().await;

    let world = world_in(&folder).await;
    let after = world.nobody().get("/sim/api/clock").await.text(200, "now");
    let read = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    assert!(read(&after) >= read(&before), "the clock never goes back");
    world.advance(900).await;
    let player = world.player_again(1).await;
    assert_eq!(player.wallet().await, 530);
    assert_eq!(player.movements().await.len(), 3);
    assert_eq!(player.leagues(50, 1).await[0]["own"], true);
    world.ledger().await;
    world.kill().await;
}

#[tokio::test]
async fn an_operators_command_makes_an_admin_and_sign_up_never_does() {
    let folder = Folder::new("admin");
    let world = world_in(&folder).await;
    let player = world.player().await;
    player.get("/api/withdraw").await.expect(200);
    player.post("/api/points/toggle-deduction", json!({})).await.refused(403);
    let settings =
        || engine::chosen(Settings { data_dir: DataDir::Path(folder.path()), ..Settings::default() });
    let running =
        local::operator(&settings(), local::OperatorsAct::Grant, "player1@example.co.ke").await.unwrap_err();
    assert!(running.to_string().ends_with("another run is using it"), "{running}");
    world.kill().await;

    let unknown =
        local::operator(&settings(), local::OperatorsAct::Grant, "nobody@example.co.ke").await.unwrap_err();
    assert_eq!(unknown.to_string(), "EMAIL: there is no account of this email: sign up first");
    local::operator(&settings(), local::OperatorsAct::Grant, "Player1@example.co.ke").await.unwrap();
    let world = world_in(&folder).await;
    let player = world.player_again(1).await;
    assert_eq!(player.user().await["role"], "admin");
    player.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    world.kill().await;
}

#[tokio::test]
async fn winners_are_paid_once_though_everything_ends_while_they_are() {
    let folder = Folder::new("winners");
    let world = world_in(&folder).await;
    let crowd = world.crowd(20, 50).await;
    for player in &crowd {
        world.points(fpl_id(player), 1, 50, 5, 0).await;
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.kill().await;
    let world = world_in(&folder).await;
    world.advance(600).await;
    let ledger = world.ledger().await;
    assert_eq!(ledger.account("pot:2026-01"), 0);
    assert_eq!(ledger.account("fees"), 100);
    world.sim(Method::POST, "/clock", json!({"advanceSeconds": 3600})).await;
    for player in &crowd {
        let mails = world.mails(player["email"].as_str().unwrap()).await;
        assert!(mails.iter().any(|mail| mail["subject"] == "You won KSh 45 in gameweek 1"), "{mails:?}");
    }
    assert_eq!(world.ledger().await.wallets, ledger.wallets);
    world.kill().await;
}
