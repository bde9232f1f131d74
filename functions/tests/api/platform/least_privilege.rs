//! A function whose role does not grant what it does is refused as on AWS, says so loudly, and takes nobody with it.

use local::Settings;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{Answer, World};

/// A world whose `template.yaml` has `instead` in the place of `grant` in the role of one function.
async fn world_without(role: &str, grant: &str, instead: &str) -> World {
    let default = Settings::default();
    let text = std::fs::read_to_string(&default.template).unwrap();
    let (before, after) = text.split_once(&format!("\n  {role}:\n")).unwrap();
    let is_next = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let next = after.lines().find(is_next).unwrap();
    let (own, others) = after.split_at(after.find(&format!("\n{next}\n")).unwrap());
    assert!(own.contains(grant), "{role} has no {grant}");
    let text = format!("{before}\n  {role}:\n{}{others}", own.replace(grant, instead));
    let template = std::env::temp_dir().join(format!("fpl-without-{role}-{}.yaml", std::process::id()));
    std::fs::write(&template, text).unwrap();
    let world = World::start_with(Settings { template: template.clone(), ..default }).await;
    std::fs::remove_file(template).unwrap();
    world
}

fn failed(answer: &Answer) -> bool {
    matches!(answer.status.as_u16(), 500 | 503)
}

#[tokio::test]
async fn who_may_not_read_fails_and_the_others_go_on() {
    let world = world_without("GetWalletRole", "'dynamodb:GetItem'", "'dynamodb:Query'").await;
    let player = world.player().await;
    let wallet = player.get(&format!("/api/users/{}/wallet", player.id)).await;
    assert!(failed(&wallet), "{wallet:?}");
    player.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn a_secret_that_another_function_has_read_is_not_this_ones() {
    let world = world_without("StartDepositRole", "/daraja-passkey'", "/none'").await;
    let player = world.player().await;
    player.pay(50, 1).await.expect(200);
    let deposit = player.deposit(&player.phone(), 100).await;
    assert!(failed(&deposit), "{deposit:?}");
}

#[tokio::test]
async fn another_partition_is_not_to_be_had() {
    let world = world_without("GetSettlementRole", "'SETTLEMENTS#*'", "'SETTLEMENT'").await;
    let player = world.player().await;
    let record = player.get("/api/leagues/2026-01-50-00001/settlement").await;
    assert!(failed(&record), "{record:?}");
    player.get("/api/user").await.expect(200);
}

#[tokio::test]
async fn who_may_not_move_money_moves_none() {
    let deny = "'ForAnyValue:StringEquals': { 'dynamodb:Attributes': [balance] }";
    let world = world_without("RefreshRole", deny, &deny.replace("balance", "pk")).await;
    let player = world.player().await;
    let refreshed = player.send(Method::POST, "/refresh", None).await;
    assert!(failed(&refreshed), "{refreshed:?}");
}

/// Where the queue does not take what M-Pesa sends, M-Pesa is not told that it is kept.
#[rstest]
#[case::callback("ReceiveStkCallbackRole", "/hooks/stk/{id}")]
#[case::confirmation("ReceivePaybillConfirmationRole", "/hooks/c2b/confirm")]
#[case::result("ReceivePayoutResultRole", "/hooks/b2c/result/{id}")]
#[case::timeout("ReceivePayoutTimeoutRole", "/hooks/b2c/timeout/{id}")]
#[case::status("ReceiveStatusResultRole", "/hooks/status/{id}")]
#[tokio::test]
async fn what_the_queue_does_not_take_is_not_acknowledged(#[case] role: &str, #[case] path: &str) {
    let path = path.replace("{id}", &"a".repeat(32));
    let told = async |world: &World| world.nobody().post(&world.hook_path(&path).await, json!({})).await;
    told(&World::start().await).await.expect(200);
    let world = world_without(role, "'sqs:SendMessage'", "'sqs:ReceiveMessage'").await;
    let answer = told(&world).await;
    assert!(failed(&answer), "{answer:?}");
}
