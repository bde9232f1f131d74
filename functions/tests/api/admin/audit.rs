//! The audit log: every act of an admin leaves its record, and what changes nothing leaves none.

use domain::accounts::account::is_hex_id;
use functions::Endpoint;
use reqwest::Method;
use serde_json::{Value, json};
use store::admin::audit::{AuditRecord, month};

use crate::{
    platform::authz::{For, serves},
    support::{Person, World},
};

/// This month's acts, newest first.
pub async fn acts(world: &World) -> Vec<AuditRecord> {
    let now = world.app().clock().now();
    world.app().store().acts(&month(now), None, 1000).await.unwrap().items
}

/// What an admin sends, and what it is sent to.
type Call = (String, Value);

async fn typed_code(player: &Person) -> String {
    let body = json!({"mpesaCode": "UHK7RT61SV"});
    player.post("/api/manual-payment", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

async fn withdrawal(player: &Person) -> String {
    withdrawal_of(player, 60).await
}

async fn withdrawal_of(player: &Person, amount: i64) -> String {
    let body = json!({"mpesaNumber": player.phone(), "amount": amount});
    player.post("/api/withdraw", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

/// Something for the operation to act on, and the call that does.
async fn prepare(world: &World, endpoint: &Endpoint) -> Call {
    let path = endpoint.path.clone();
    match endpoint.name.as_str() {
        "confirm-manual-payment" => {
            let id = typed_code(&world.player().await).await;
            (path, json!({"paymentId": id, "amount": 500}))
        }
        "reject-manual-payment" => {
            let id = typed_code(&world.player().await).await;
            (path, json!({"paymentId": id, "reason": "No such payment."}))
        }
        "update-withdrawal" => {
            let id = withdrawal(&world.player_with(100).await).await;
            (path.replace("{id}", &id), json!({"status": "rejected", "reason": "Wrong number."}))
        }
        "pay-withdrawal" => {
            let id = withdrawal(&world.player_with(100).await).await;
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
            crate::settlement::waiting::league_with_hidden(world, 1).await;
            let league = crate::settlement::waiting::waiting(&world.admin().await).await.remove(0);
            (path.replace("{id}", league["_id"].as_str().unwrap()), json!({"act": "retry"}))
        }
        "toggle-deduction" => (path, json!({})),
        "create-influencer" => (path, json!({"name": "Mwalimu FPL"})),
        "decide-set-aside" => {
            let (id, _) =
                crate::payments::set_asides::of_another_amount(world, &world.player().await, 600).await;
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
            let secret = crate::accounts::totp::start(world, &world.admin().await).await;
            let code = crate::accounts::totp::code(world, &secret, 0);
            (path, json!({"password": world.admin_account().1, "code": code}))
        }
        "decide-approval" => {
            // Whoever decides it has a second factor already.
            world.admin().await;
            let id = withdrawal_of(&world.player_with(20_000).await, 15_000).await;
            let pay = format!("/api/withdraw/{id}/pay");
            let proposed = world.second_admin().await.send(Method::POST, &pay, None).await.expect(202);
            let id = proposed["_id"].as_str().unwrap();
            (path.replace("{id}", id), json!({"decision": "refuse", "reason": "Not that number."}))
        }
        "remove-totp" | "step-up" => {
            let secret = crate::accounts::totp::enrol(world).await.0;
            world.advance(30).await;
            (path, json!({"code": crate::accounts::totp::code(world, &secret, 0)}))
        }
        name => panic!("{name} is an admin's and no test sees its record: add what it acts on here"),
    }
}

/// Whoever removes a second factor has logged in with it.
async fn acting_admin(world: &World, endpoint: &Endpoint) -> Person {
    match endpoint.name.as_str() {
        "remove-totp" | "step-up" => crate::accounts::totp::admin_of(world).await,
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
        let before = acts(&world).await;
        let admin = acting_admin(&world, &endpoint).await;
        let answer = admin.send(endpoint.method.clone(), &path, Some(body.clone())).await;
        assert!(answer.status.is_success(), "{}: {}", endpoint.name, answer.body);
        let after = acts(&world).await;
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
    let path = format!("/api/withdraw/{}", withdrawal(&player).await);
    let reject = json!({"status": "rejected", "reason": "Wrong number."});
    admin.send(Method::PUT, &path, Some(reject.clone())).await.expect(200);
    let before = acts(&world).await.len();
    admin.send(Method::PUT, &path, Some(reject)).await.expect(200);
    admin.send(Method::PUT, &path, Some(json!({"status": "done"}))).await.refused(409);
    admin.send(Method::POST, &format!("{path}/pay"), None).await.refused(409);
    let running = json!({"payoutsPaused": false, "entriesPaused": false, "reason": "As it is."});
    admin.send(Method::PUT, "/api/admin/switches", Some(running)).await.expect(200);
    admin.post("/api/gameweek/process-winners", json!({})).await.refused(409);
    assert_eq!(acts(&world).await.len(), before);
}

#[tokio::test]
async fn of_two_acts_at_once_each_that_was_done_has_its_record() {
    let world = World::start().await;
    let (player, admin) = (world.player_with(100).await, world.admin().await);
    let path = format!("/api/withdraw/{}", withdrawal(&player).await);
    let before = acts(&world).await.len();
    let ends = (0..6).map(|i| {
        let (admin, path) = (admin.clone(), path.clone());
        let body = if i % 2 == 0 {
            json!({"status": "done"})
        } else {
            json!({"status": "rejected", "reason": "No."})
        };
        tokio::spawn(async move { admin.send(Method::PUT, &path, Some(body)).await.status })
    });
    let toggles = (0..4).map(|_| {
        let admin = admin.clone();
        tokio::spawn(async move { admin.post("/api/points/toggle-deduction", json!({})).await.status })
    });
    let mut toggled = 0;
    for act in ends.collect::<Vec<_>>() {
        act.await.unwrap();
    }
    for act in toggles.collect::<Vec<_>>() {
        toggled += usize::from(act.await.unwrap() == 200);
    }
    let acts = acts(&world).await;
    assert_eq!(acts.len() - before, 1 + toggled);
    let says = |on: &str| acts.iter().find(|act| act.on.starts_with(on)).unwrap().clone();
    let ended = says("withdrawal");
    let now = player.get("/api/withdraw").await.expect(200)[0]["status"].as_str().unwrap().to_owned();
    assert_eq!(ended.before.as_deref(), Some("pending"));
    assert_eq!(ended.after.as_deref(), Some(format!("{now}, KSh 60").as_str()));
}

#[tokio::test]
async fn a_payout_that_was_not_sent_is_told_as_well() {
    let world = World::start().await;
    let id = withdrawal(&world.player_with(100).await).await;
    world.faults(json!({"daraja": "reject"})).await;
    let path = format!("/api/withdraw/{id}/pay");
    world.admin().await.send(Method::POST, &path, None).await.refused(503);
    let acts = acts(&world).await;
    let says: Vec<_> = acts[..2].iter().map(|act| act.after.as_deref().unwrap()).collect();
    assert_eq!(says, ["pending: it was not sent", "sent, KSh 60"]);
}

#[tokio::test]
async fn the_operators_command_is_told_once() {
    let world = World::start().await;
    let player = world.player().await;
    let before = acts(&world).await;
    assert_eq!(before[0].who.kind(), "operator", "the first admin's account");
    for _ in 0..2 {
        app::admin::commands::grant(world.app(), "player1@example.co.ke").await.unwrap();
    }
    let after = acts(&world).await;
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(after[0].user_id.as_ref().unwrap().as_str(), player.id);
    assert_eq!((after[0].before.as_deref(), after[0].after.as_deref()), (Some("player"), Some("admin")));
}
