//! The audit log: every act of an admin leaves its record, and what changes nothing leaves none.

use domain::accounts::account::is_hex_id;
use functions::Endpoint;
use reqwest::Method;
use serde_json::{Value, json};
use store::admin::audit::{AuditAction, AuditRecord, Who};

use crate::support::{
    Person, World, at_once,
    authz::{For, serves},
    gameweek::PROCESS,
    money::{done, rejected},
    statuses,
};

/// What an admin sends, and what it is sent to.
type Call = (String, Value);

/// Something for the operation to act on, and the call that does.
async fn prepare(world: &World, endpoint: &Endpoint) -> Call {
    let path = endpoint.path.clone();
    match endpoint.name.as_str() {
        "confirm-manual-payment" => {
            let id = world.player().await.typed_code("UHK7RT61SV").await;
            (path, json!({"paymentId": id, "amount": 500}))
        }
        "reject-manual-payment" => {
            let id = world.player().await.typed_code("UHK7RT61SV").await;
            (path, json!({"paymentId": id, "reason": "No such payment."}))
        }
        "update-withdrawal" => {
            let player = world.player_with(100).await;
            let id = player.withdrawal(&player.phone(), 60).await;
            (path.replace("{id}", &id), rejected("Wrong number."))
        }
        "pay-withdrawal" => {
            let player = world.player_with(100).await;
            let id = player.withdrawal(&player.phone(), 60).await;
            (path.replace("{id}", &id), json!({}))
        }
        "process-winners" => {
            world.crowd(5, 50).await;
            world.phase(1, "checked").await;
            (path, json!({}))
        }
        "void-gameweek" => {
            world.crowd(5, 50).await;
            world.faults(json!({"fpl": "unfinal"})).await;
            world.phase(1, "checked").await;
            world.advance(7 * 24 * 3600).await;
            (path.replace("{id}", "2026-01"), json!({"reason": "The season was left."}))
        }
        "decide-league" => {
            world.league_with_hidden(1).await;
            let league = world.waiting_leagues().await.remove(0);
            (path.replace("{id}", league["_id"].as_str().unwrap()), json!({"act": "retry"}))
        }
        "toggle-deduction" => (path, json!({})),
        "create-influencer" => (path, json!({"name": "Mwalimu FPL"})),
        "decide-set-aside" => {
            let (id, _) = world.paid_otherwise(&world.player().await, 600).await;
            (
                path.replace("{id}", &id),
                json!({"act": "credit", "reason": "Seen in the portal.", "amount": 500}),
            )
        }
        "set-switches" => (path, json!({"entriesPaused": true, "reason": "Something is wrong."})),
        "update-player" => {
            let id = world.player().await.id;
            (path.replace("{id}", &id), json!({"suspended": true, "reason": "Two accounts."}))
        }
        "release-number" => {
            let player = world.player_with(100).await;
            (path.replace("{id}", &player.id), json!({"phone": player.phone(), "reason": "Changed hands."}))
        }
        "correct-wallet" => {
            let id = world.player().await.id;
            let body = json!({"correctionId": "a".repeat(32), "amount": 60, "reason": "Paid by hand."});
            (path.replace("{id}", &id), body)
        }
        "start-totp" => (path, json!({"password": world.admin_account().1})),
        "confirm-totp" => {
            let secret = world.start_totp(&world.admin().await).await;
            let code = world.totp_code(&secret, 0);
            (path, json!({"password": world.admin_account().1, "code": code}))
        }
        "decide-approval" => {
            // Whoever decides it has a second factor already.
            world.admin().await;
            let player = world.player_with(20_000).await;
            let id = player.withdrawal(&player.phone(), 15_000).await;
            let pay = format!("/api/withdraw/{id}/pay");
            let proposed = world.second_admin().await.send(Method::POST, &pay, None).await.expect(202);
            let id = proposed["_id"].as_str().unwrap();
            (path.replace("{id}", id), json!({"decision": "refuse", "reason": "Not that number."}))
        }
        "remove-totp" | "renew-recovery-codes" | "step-up" => {
            let secret = world.enrol().await.0;
            world.advance(30).await;
            (path, json!({"code": world.totp_code(&secret, 0)}))
        }
        name => panic!("{name} is an admin's and no test sees its record: add what it acts on here"),
    }
}

/// Whoever removes a second factor has logged in with it.
async fn acting_admin(world: &World, endpoint: &Endpoint) -> Person {
    match endpoint.name.as_str() {
        "remove-totp" | "renew-recovery-codes" | "step-up" => world.enrolled_admin(),
        _ => world.admin().await,
    }
}

#[tokio::test]
async fn every_act_of_an_admin_leaves_its_record() {
    let acting = |endpoint: &Endpoint| serves(endpoint) == For::Admin && endpoint.method != Method::GET;
    for endpoint in functions::endpoints().into_iter().filter(acting) {
        let safeguards = match endpoint.name.as_str() {
            "decide-approval" => app::Safeguards::Full,
            _ => app::Safeguards::Light,
        };
        let world = World::start_guarded(safeguards).await;
        let (path, body) = prepare(&world, &endpoint).await;
        let before = world.acts().await;
        let admin = acting_admin(&world, &endpoint).await;
        let answer = admin.send(endpoint.method.clone(), &path, Some(body.clone())).await;
        assert!(answer.status.is_success(), "{}: {}", endpoint.name, answer.body);
        let after = world.acts().await;
        assert_eq!(after.len(), before.len() + 1, "{} leaves one record", endpoint.name);
        let act = &after[0];
        assert_eq!(act.what.into_str(), endpoint.name);
        assert_eq!(act.who.person().unwrap().0.as_str(), admin.id);
        assert!(!act.on.is_empty() && act.after.is_some(), "{act:?}");
        assert_eq!(act.reason.as_deref(), body["reason"].as_str());
        assert!(is_hex_id(&act.id));
    }
}

#[tokio::test]
async fn what_changes_nothing_leaves_no_record() {
    let world = World::start().await;
    let (player, admin) = (world.player_with(100).await, world.admin().await);
    let path = format!("/api/withdraw/{}", player.withdrawal(&player.phone(), 60).await);
    let reject = rejected("Wrong number.");
    admin.put(&path, reject.clone()).await.expect(200);
    let before = world.acts().await.len();
    admin.put(&path, reject).await.expect(200);
    admin.put(&path, done()).await.refused(409);
    admin.send(Method::POST, &format!("{path}/pay"), None).await.refused(409);
    let running = json!({"payoutsPaused": false, "entriesPaused": false, "reason": "As it is."});
    admin.put("/api/admin/switches", running).await.expect(200);
    admin.post(PROCESS, json!({})).await.refused(409);
    assert_eq!(world.acts().await.len(), before);
}

#[tokio::test]
async fn of_two_acts_at_once_each_that_was_done_has_its_record() {
    let world = World::start().await;
    let (player, admin) = (world.player_with(100).await, world.admin().await);
    let path = format!("/api/withdraw/{}", player.withdrawal(&player.phone(), 60).await);
    let before = world.acts().await.len();
    let path = &path;
    let ends = (0..6).map(|i| admin.put(path, if i % 2 == 0 { done() } else { rejected("No.") }));
    at_once(ends).await;
    let toggles = (0..4).map(|_| admin.post("/api/points/toggle-deduction", json!({})));
    let toggled = statuses(&at_once(toggles).await).iter().filter(|status| **status == 200).count();
    let acts = world.acts().await;
    assert_eq!(acts.len() - before, 1 + toggled);
    let says = |on: &str| acts.iter().find(|act| act.on.starts_with(on)).unwrap().clone();
    let ended = says("withdrawal");
    let now = player.get("/api/withdraw").await.expect(200)[0]["status"].as_str().unwrap().to_owned();
    assert_eq!(ended.before.as_deref(), Some("pending"));
    assert_eq!(ended.after.as_deref(), Some(format!("{now}, KSh 60").as_str()));
}

/// Written once more under its id, as by a call that is repeated where its answer was lost: what it says stays, and nothing
/// is done.
#[tokio::test]
async fn a_record_is_not_written_over() {
    let (world, player) = World::with_player(0).await;
    let (store, id) = (world.app().store(), player.user_id());
    let now = world.app().clock().now();
    let act = AuditRecord::new(Who::Operator, AuditAction::UpdatePlayer, format!("player {id}"), now).of(&id);
    store.end_all_sessions(&id, &act.clone().because("The first.")).await.unwrap();
    assert!(store.end_all_sessions(&id, &act.because("The second.")).await.is_err());
    let acts = world.profile(&player.id).await["acts"].clone();
    assert_eq!((acts.as_array().unwrap().len(), &acts[0]["reason"]), (1, &json!("The first.")));
}

#[tokio::test]
async fn a_payout_that_was_not_sent_is_told_as_well() {
    let (world, player) = World::with_player(100).await;
    let id = player.withdrawal(&player.phone(), 60).await;
    world.faults(json!({"daraja": "reject"})).await;
    let path = format!("/api/withdraw/{id}/pay");
    world.admin().await.send(Method::POST, &path, None).await.refused(503);
    let acts = world.acts().await;
    let says: Vec<_> = acts[..2].iter().map(|act| act.after.as_deref().unwrap()).collect();
    assert_eq!(says, ["pending: it was not sent", "sent, KSh 60"]);
}

#[tokio::test]
async fn the_operators_command_is_told_once() {
    let (world, player) = World::with_player(0).await;
    let before = world.acts().await;
    assert_eq!(before[0].who.kind(), "operator", "the first admin's account");
    for _ in 0..2 {
        app::admin::commands::grant(world.app(), "player1@example.co.ke").await.unwrap();
    }
    let after = world.acts().await;
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(after[0].user_id.as_ref().unwrap().as_str(), player.id);
    assert_eq!((after[0].before.as_deref(), after[0].after.as_deref()), (Some("player"), Some("admin")));
}
