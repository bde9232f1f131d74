//! 250,000 of unplayed deposits are withdrawn to a stranger's number, also from a suspended account.
//! It is flagged, waits, is mailed at once, and can be cancelled by whoever reads that mail.

use app::{
    Safeguards,
    withdrawals::{
        payouts::{self, PayError},
        requests::{self, Ending},
    },
};
use domain::{FplId, UserId, withdrawals::requests::Status};
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    teams::proofs::TeamOf,
    withdrawals::Withdrawal,
};

use crate::{
    platform::interleavings::link_of,
    support::{PASSWORD, Person, World},
};

const STRANGER: &str = "0799123456";

async fn ask(player: &Person, number: &str, amount: i64) -> Value {
    player.post("/api/withdraw", json!({"mpesaNumber": number, "amount": amount})).await.expect(201)
}

async fn suspend(world: &World, player: &Person) {
    let body = json!({"suspended": true, "reason": "Looked into."});
    let path = format!("/api/admin/players/{}", player.id);
    world.admin().await.send(Method::PATCH, &path, Some(body)).await.expect(200);
}

async fn account(world: &World, person: &Person) -> Player {
    world.app().store().player(&UserId::parse(&person.id).unwrap()).await.unwrap().unwrap()
}

async fn kept(world: &World, id: &str) -> Withdrawal {
    world.app().store().withdrawal(id).await.unwrap().unwrap()
}

async fn pay(world: &World, id: &str) -> Result<(), PayError> {
    let (withdrawal, admin) = (kept(world, id).await, account(world, &world.admin().await).await);
    payouts::pay(world.app(), &withdrawal, &Permit::plain(Who::admin(&admin), world.app().clock().now()))
        .await
        .unwrap()
}

async fn mark_done(world: &World, id: &str) -> bool {
    let withdrawal = kept(world, id).await;
    requests::end(
        world.app(),
        &withdrawal,
        &Ending::Done,
        &Permit::plain(Who::Operator, world.app().clock().now()),
    )
    .await
    .unwrap()
}

#[rstest]
#[tokio::test]
async fn unplayed_deposits_to_a_strangers_number(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
    #[values(false, true)] suspended: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(250_000).await;
    if suspended {
        suspend(&world, &player).await;
    }
    let asked = ask(&player, STRANGER, 250_000).await;
    let id = asked["_id"].as_str().unwrap().to_owned();

    // The admin sees what is odd about it, the player until when it waits.
    let listed = world.admin().await.get("/api/withdraw").await.expect(200)[0].clone();
    let mut flags = vec!["new-number", "never-played"];
    flags.extend(suspended.then_some("suspended"));
    assert_eq!((&listed["flags"], &listed["flagged"]), (&json!(flags), &json!(true)));
    let own = player.get("/api/withdraw").await.expect(200)[0].clone();
    assert_eq!((&own["flags"], &own["waitsUntil"]), (&json!([]), &listed["waitsUntil"]));
    assert_eq!(asked["waitsUntil"], listed["waitsUntil"]);

    let full = safeguards.are_full();
    assert_eq!(listed["waitsUntil"].is_string(), full);
    if full {
        let until: Timestamp = listed["waitsUntil"].as_str().unwrap().parse().unwrap();
        let left = until.duration_since(world.app().clock().now());
        assert!(left <= SignedDuration::from_hours(24) && left > SignedDuration::from_hours(23), "{left}");
        assert!(matches!(pay(&world, &id).await, Err(PayError::Waits(_))));
        assert!(!mark_done(&world, &id).await);
        // Nor in the transaction itself, where the flow's own look would have been too early.
        assert_eq!(kept(&world, &id).await.status, Status::Pending);
        assert_eq!(world.ledger().await.account("mpesa:out"), 0);
    }

    // The link shows, and only the button cancels.
    let link = link_of(&world, &player).await;
    let path = format!("/api/cancel-withdrawal/{link}");
    for _ in 0..2 {
        let shown = world.nobody().get(&path).await.expect(200);
        assert_eq!((&shown["status"], &shown["mpesaNumber"]), (&json!("pending"), &json!("07******56")));
    }
    let other = format!("/api/cancel-withdrawal/{}{}", &link[..32], "0".repeat(64));
    for bad in [other.as_str(), "/api/cancel-withdrawal/nonsense"] {
        world.nobody().get(bad).await.refused(400);
        world.nobody().post(bad, json!({})).await.refused(400);
    }
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    for _ in 0..2 {
        assert_eq!(world.nobody().post(&path, json!({})).await.expect(200)["status"], "rejected");
        assert_eq!(world.ledger().await.wallets[&player.id], 250_000);
    }
    assert!(matches!(pay(&world, &id).await, Err(PayError::Ended(Status::Rejected))));
    let own = player.get("/api/withdraw").await.expect(200)[0].clone();
    assert_eq!(own["reason"], "It was cancelled with the link in our mail.");
    assert_eq!((&own["waitsUntil"], world.ledger().await.account("withdrawals")), (&json!(null), 0));
}

/// After a day it is paid, and the link is too late.
#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn what_has_waited_is_paid(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(500).await;
    let id = ask(&player, STRANGER, 450).await["_id"].as_str().unwrap().to_owned();
    let link = link_of(&world, &player).await;
    if safeguards.are_full() {
        world.advance(24 * 3600 - 60).await;
        assert!(matches!(pay(&world, &id).await, Err(PayError::Waits(_))));
        world.advance(60).await;
    }
    assert_eq!(pay(&world, &id).await, Ok(()));
    world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.refused(409);
    world.advance(60).await;
    let why = world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.refused(409);
    assert_eq!(why, "This withdrawal is done already.");
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.wallets[&player.id]), (450, 50));
}

/// Money that was won, to a number that was paid from a day ago: nothing is odd about it.
#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn winnings_to_the_own_number_are_neither_flagged_nor_kept_waiting(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with(150).await;
    player.join(50, 1).await.expect(201);
    world.crowd(9, 50).await;
    world.points(&player.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.admin().await.post("/api/gameweek/process-winners", json!({})).await.expect(200);
    world.advance(600).await;
    let id = UserId::parse(&player.id).unwrap();
    assert_eq!(world.ledger().await.wallets[&player.id], 550);
    let fresh = world.log_in(&format!("player{}@example.co.ke", player.n), PASSWORD).await;
    let player = Person { n: player.n, ..fresh };
    // Whoever withdraws a prize has proved its team; here it is the admin's word.
    let act = AuditRecord::new(
        Who::Operator,
        AuditAction::UpdatePlayer,
        format!("player {id}"),
        world.app().clock().now(),
    );
    let team = TeamOf { season: 2026, fpl_id: FplId::parse(&player.fpl_id).unwrap() };
    assert!(world.app().store().accept_teams(&id, &[team], &act).await.unwrap());
    let number = player.phone();
    let asked = ask(&player, &number, 450).await;
    assert_eq!(asked["waitsUntil"], json!(null));
    let listed = world.admin().await.get("/api/withdraw").await.expect(200)[0].clone();
    assert_eq!((&listed["flags"], &listed["flagged"]), (&json!([]), &json!(false)));
    world.advance(120).await;
    let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
    assert!(!mails.iter().any(|mail| mail["subject"].as_str().unwrap().ends_with("leave your wallet")));
    // The rest was never played.
    ask(&player, &number, 100).await;
    let listed = world.admin().await.get("/api/withdraw").await.expect(200)[1].clone();
    assert_eq!(listed["flags"], json!(["never-played"]));
}
