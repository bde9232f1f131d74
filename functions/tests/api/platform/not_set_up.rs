//! What is not set up: whoever asks is told so by 503, the log says what is missing and rings an alarm, and what
//! needs it not goes on.

use std::collections::BTreeMap;

use app::platform::secrets::names;
use local::{DataDir, Settings};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, Folder, PASSWORD, Person, World,
    folder::{Place, Secrets},
    log_capture::Lines,
    mpesa::paid_calling_back,
};

const NOT_SET_UP: &str = "This is not set up yet. Nothing was lost. Please tell the operator.";

async fn world_without(secret: &str) -> World {
    let secrets = BTreeMap::from([(secret.to_owned(), None)]);
    World::start_with(Settings { data_dir: DataDir::Memory, secrets, ..Settings::default() }).await
}

fn assert_told(answer: &Answer, secret: &str) {
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (503, &json!(NOT_SET_UP)));
    assert!(answer.body["requestId"].is_string());
    assert!(!answer.body.to_string().contains(secret), "which secrets there are is for the operator to know");
}

/// Of these lines of the log one rings the alarm, and says what is missing.
#[track_caller]
fn assert_rings(lines: &[Value], missing: &str) {
    let rings = |line: &Value| {
        line["alarm"] == "setup" && line["error"].as_str().is_some_and(|error| error.contains(missing))
    };
    assert!(lines.iter().any(rings), "{lines:?}");
}

async fn assert_call_rings(world: &World, who: &Person, path: &str, body: &Value, missing: &str) {
    let (status, log) = who.post_for_log(world, path, body).await;
    assert_eq!(status, 503);
    assert_rings(&log.all(), missing);
}

#[tokio::test]
async fn without_the_key_of_tokens_a_log_in_says_so_and_what_is_public_goes_on() {
    let world = world_without(names::ACCESS_TOKEN_KEY).await;
    let email = "wanjiru@example.co.ke";
    world.nobody().post("/api/signup", World::sign_up_form(email, "wanjiru", "4242")).await.expect(201);
    let form = json!({"email": email, "password": PASSWORD});
    let answer = world.nobody().post("/api/login", form.clone()).await;
    assert_told(&answer, names::ACCESS_TOKEN_KEY);
    assert_call_rings(&world, &world.nobody(), "/api/login", &form, names::ACCESS_TOKEN_KEY).await;
    world.nobody().get("/api/gameweek/status").await.expect(200);
    world.nobody().get("/healthz").await.expect(200);
}

#[tokio::test]
async fn without_the_passkey_no_prompt_is_sent() {
    let world = world_without(names::DARAJA_PASSKEY).await;
    let player = world.player().await;
    let body = json!({"phone": player.phone(), "amount": 100});
    let answer = player.post("/api/deposits", body.clone()).await;
    assert_told(&answer, names::DARAJA_PASSKEY);
    assert_eq!(answer.body["success"], false, "as every refusal of this call");
    assert_call_rings(&world, &player, "/api/deposits", &body, names::DARAJA_PASSKEY).await;
    assert!(world.prompts(&player.phone()).await.is_empty());
    world.ledger().await;
}

/// A role that is not what the function needs: AWS says which action is not allowed on what, and so does the log.
#[tokio::test]
async fn without_a_grant_a_call_says_so() {
    let own = Settings::default();
    let text = std::fs::read_to_string(&own.template).unwrap();
    let (before, role) = text.split_once("  GetWalletRole:").unwrap();
    let without =
        format!("{before}  GetWalletRole:{}", role.replacen("dynamodb:GetItem", "dynamodb:Query", 1));
    let folder = Folder::new("no-grant");
    let template = folder.path().join("template.yaml");
    std::fs::write(&template, without).unwrap();
    let world = World::start_with(Settings { data_dir: DataDir::Memory, template, ..own }).await;
    let player = world.player().await;
    let answer = player.get(&format!("/api/users/{}/wallet", player.id)).await;
    assert_told(&answer, "dynamodb");
    player.user().await;
}

fn work(name: &str) -> functions::Job {
    functions::jobs().into_iter().find(|job| job.name == name).unwrap()
}

/// Jobs that run by themselves: they fail, which is counted, and say what is missing, so nobody has to find out by
/// a player's log-in.
#[rstest]
#[case("sync-gameweek", names::DRAW_KEY)]
#[case("register-paybill", names::HOOK_KEYS)]
#[case("ask-for-balance", names::QUERY_INITIATOR_PASSWORD)]
#[tokio::test]
async fn a_job_says_what_is_missing(#[case] job: &str, #[case] secret: &str) {
    let world = world_without(secret).await;
    let (log, _capturing) = Lines::capture();
    (work(job).run)(world.app().clone(), json!({})).await.unwrap_err();
    let mut lines = log.all();
    lines.retain(|line| line["job"] == job);
    assert_rings(&lines, secret);
}

/// Messages that nothing could be done about end among the dead letters; once the secret is there they are sent back
/// (docs/runbook.md, "A dead letter"), and nothing is lost.
#[tokio::test]
async fn what_failed_without_a_secret_is_done_when_it_is_sent_back() {
    let mut place = Place::new("dead-letter");
    let world = place.begin_anew(&Secrets::new()).await;
    let player = world.player().await;
    player.prompt(130).await;
    world.answer_prompt(&player.phone(), paid_calling_back("never")).await;
    world.kill().await;

    let without = Secrets::from([(names::DARAJA_PASSKEY.to_owned(), None)]);
    let world = place.begin_anew(&without).await;
    // Each try hides it for six minutes.
    world.advance(6 * 360).await;
    let dead = |world: &World| {
        let queues = world.queues();
        queues.receive("PaymentsDeadLetters", 10, queues.now()).unwrap()
    };
    let letters = dead(&world);
    assert!(!letters.is_empty());
    let (log, capturing) = Lines::capture();
    let batch = json!({"Records": [{"messageId": "m", "body": letters[0].body}]});
    let answer = (work("settle-payment").run)(world.app().clone(), batch).await.unwrap();
    drop(capturing);
    assert_eq!(answer, json!({"batchItemFailures": [{"itemIdentifier": "m"}]}));
    assert_rings(&log.all(), names::DARAJA_PASSKEY);
    assert_eq!(world.player_again(1).await.wallet().await, 0);
    world.kill().await;

    let world = place.begin_anew(&Secrets::new()).await;
    for letter in letters {
        world.queues().send("PaymentsQueue", &letter.body, None).unwrap();
    }
    world.advance(0).await;
    assert_eq!(world.player_again(1).await.wallet().await, 130);
    world.ledger().await;
    world.kill().await;
}
