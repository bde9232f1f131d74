//! Who has played with somebody else's team loses it to its manager: what the loser does afterwards, or an admin in
//! between, takes nothing from either of them.

use app::teams::proofs;
use domain::{EntryAmount, FplId};
use local::process::Fate;
use rstest::rstest;
use serde_json::json;
use store::{entries::Joined, teams::proofs::TeamOf};

use crate::support::{
    PASSWORD, World, assert_has,
    gameweek::PROCESS,
    mpesa::paid,
    processes,
    team_proofs::{check, code, name_team, owner, prove},
};

/// The mail about the loss looks at the profile once more, a minute later.
#[tokio::test]
async fn who_links_another_team_at_once_keeps_it() {
    let (world, thief) = World::with_player(100).await;
    let team = thief.fpl_id.clone();
    prove(&world, &owner(&world, "owner", &team).await, &team).await;
    thief.link_team("880001").await.expect(200);
    world.advance(120).await;
    let thief = world.again(&thief).await;
    assert_eq!(thief.user().await["fplId"], "880001");
    thief.join(50, 1).await.expect(201);
}

/// What is personal of the loser goes a week after the account was closed: not the team, which is its manager's by then. Nor is
/// it kept from others for a loser who has stopped playing.
#[rstest]
#[case::and_would_play_on(false)]
#[case::and_has_stopped(true)]
#[tokio::test]
async fn a_loser_who_closes_the_account_takes_the_team_from_nobody(#[case] has_stopped: bool) {
    let (world, thief) = World::with_player(50).await;
    let team = thief.fpl_id.clone();
    thief.join(50, 1).await.expect(201);
    world.crowd(9, 50).await;
    let owner = owner(&world, "owner", &team).await;
    prove(&world, &owner, &team).await;
    world.points(&team, 1, 1, 0, 0).await;
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    world.advance(600).await;
    let thief = world.again(&thief).await;
    if has_stopped {
        thief.post("/api/me/exclusion", json!({"for": "6m", "password": PASSWORD})).await.expect(201);
    }
    thief.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert!(world.app().store().player(&thief.user_id()).await.unwrap().is_none(), "the account is erased");
    let held = world.app().store().team_held(of(&team)).await.unwrap().unwrap();
    assert!(held.proved && held.by == owner.user_id());
    assert!(!held.is_barred(&thief.user_id(), world.app().clock().now()));
}

/// The team has been proved and is not yet taken off the loser's profile: the loser enters, and an admin puts another in
/// its place.
#[tokio::test]
async fn a_correction_in_between_takes_the_team_from_nobody() {
    let (world, thief) = World::with_player(50).await;
    let team = thief.fpl_id.clone();
    let owner = owner(&world, "owner", &team).await;
    let code = code(&owner, &team).await;
    name_team(&world, &team, &format!("FC {code}")).await;
    let stored = world.stored(&owner).await;
    let mut step = 1;
    // As far as the claim has changed hands, and no further.
    loop {
        let process = world.process(Fate::DiesAfter(step));
        let _died = process.run(proofs::check(process.app(), &stored)).await;
        let held = world.app().store().team_held(of(&team)).await.unwrap().unwrap();
        if held.by == owner.user_id() {
            break;
        }
        step += 1;
    }
    assert_eq!(processes::player(world.app(), &thief).await.fpl_id, FplId::parse(&team).ok());
    let joined = processes::join(world.app(), &thief, EntryAmount::Fifty).await;
    assert_eq!(joined, Joined::TeamElsewhere, "nor is it entered by who has lost it");
    assert!(thief.pay(50, 1).await.refused(400).contains("is another account's now"), "nor by a prompt");
    let correct = json!({"fplId": "880001", "reason": "Asked for by mail."});
    world.change_player(&thief.id, correct).await.refused(409);
    check(&owner).await.expect(200);
    let held = world.app().store().team_held(of(&team)).await.unwrap().unwrap();
    assert!(held.proved && held.by == owner.user_id());
}

/// One person with two accounts: the second one proves the first one's team. After the deadline the first one links no
/// other team while its prompt may still enter: it would be chosen by its picks.
#[tokio::test]
async fn no_team_is_linked_by_its_picks() {
    let (world, first) = World::with_player(0).await;
    owner(&world, "second", &first.fpl_id).await;
    let chosen = json!({"fplId": "880003"});
    world.to_deadline(-10).await;
    let first = world.again(&first).await;
    let second = world.log_in("second@example.co.ke", PASSWORD).await;
    first.pay(50, 1).await.expect(200);
    prove(&world, &second, &first.fpl_id).await;
    code(&first, "880003").await;
    world.advance(20).await;
    let refused = first.put("/api/user/team", chosen.clone()).await.expect(409);
    assert_has(&refused, json!({"code": "payment_open"}));
    assert_has(&check(&first).await.expect(409), json!({"code": "payment_open"}));
    world.answer_prompt(&first.phone(), paid()).await;
    world.advance(1200).await;
    let first = world.again(&first).await;
    assert_eq!((first.entries().await["entries"].clone(), first.wallet().await), (json!([]), 50));
    first.put("/api/user/team", chosen).await.expect(200);
}

fn of(team: &str) -> TeamOf {
    TeamOf { season: 2026, fpl_id: FplId::parse(team).unwrap() }
}
