//! Who has played with somebody else's team loses it to its manager: what the loser does afterwards, or an admin in
//! between, takes nothing from either of them.

use app::teams::proofs;
use domain::{EntryAmount, FplId};
use local::process::Fate;
use rstest::rstest;
use serde_json::json;
use store::{
    admin::audit::{AuditAction, AuditRecord, Who},
    entries::Joined,
    leagues::LeagueId,
    teams::proofs::{Proved, TeamOf},
};

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

/// What is done between the look at a team and the proof of it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meanwhile {
    Nothing,
    /// Whoever has it proves it, as the code of either is in its name.
    HolderProves,
    /// An admin gives its holder another one.
    IsGivenUp,
    /// The same, and somebody else names it.
    IsNamedByAnother,
    HolderStops,
    /// Whoever proves it has named another one.
    OwnerHasAnother,
    OwnerAsksAnew,
}

#[rstest]
#[tokio::test]
async fn a_team_is_proved_as_it_was_looked_at(
    #[values(
        Meanwhile::Nothing,
        Meanwhile::HolderProves,
        Meanwhile::IsGivenUp,
        Meanwhile::IsNamedByAnother,
        Meanwhile::HolderStops,
        Meanwhile::OwnerHasAnother,
        Meanwhile::OwnerAsksAnew
    )]
    meanwhile: Meanwhile,
) {
    let (world, thief) = World::with_player(50).await;
    let team = thief.fpl_id.clone();
    thief.join(50, 1).await.expect(201);
    let (owner, another) = (owner(&world, "owner", &team).await, owner(&world, "another", &team).await);
    let codes = [code(&owner, &team).await, code(&thief, &team).await];
    name_team(&world, &team, &codes.join(" ")).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let (player, held) = (world.stored(&owner).await, store.team_held(of(&team)).await.unwrap());
    let challenge = store.challenge(&player.id).await.unwrap().unwrap();
    match meanwhile {
        Meanwhile::Nothing => {}
        Meanwhile::HolderProves => _ = check(&thief).await.expect(200),
        Meanwhile::IsGivenUp | Meanwhile::IsNamedByAnother => {
            let other = json!({"fplId": "760001", "reason": "A digit was wrong."});
            world.change_player(&thief.id, other).await.expect(200);
            if meanwhile == Meanwhile::IsNamedByAnother {
                another.put("/api/user/team", json!({"fplId": team})).await.expect(200);
            }
        }
        Meanwhile::HolderStops => {
            let exclusion = json!({"for": "6m", "password": PASSWORD});
            thief.post("/api/me/exclusion", exclusion).await.expect(201);
        }
        Meanwhile::OwnerHasAnother => {
            owner.put("/api/user/team", json!({"fplId": "880001"})).await.expect(200);
        }
        Meanwhile::OwnerAsksAnew => _ = code(&owner, &team).await,
    }
    let proved = store.prove_team(&player, &challenge, held.as_ref(), now).await.unwrap();
    assert_eq!(proved == Proved::Done, meanwhile == Meanwhile::Nothing, "{proved:?}");
}

/// Under the same number there is another team each season: it does not go with the one that was lost.
#[tokio::test]
async fn a_team_is_lost_in_its_season_alone() {
    let (world, player) = World::with_player(0).await;
    let own = of(&player.fpl_id);
    let before = TeamOf { season: own.season - 1, ..own };
    assert!(!world.app().store().lose_team(&player.user_id(), before).await.unwrap());
    assert_eq!(world.stored(&player).await.fpl_id, Some(own.fpl_id));
}

/// Of two admins who press at once one does it: it counts once in what is moved in a day.
#[tokio::test]
async fn a_prize_is_released_once() {
    let (world, player) = World::with_player(0).await;
    let (store, id, at) = (world.app().store(), player.user_id(), world.app().clock().now());
    let leagues: [LeagueId; 1] = ["2026-01-50-00001".parse().unwrap()];
    let act = || AuditRecord::new(Who::Operator, AuditAction::ReleasePrizes, "a test", at);
    assert!(store.release_prizes(&id, &leagues, &act()).await.unwrap());
    assert!(!store.release_prizes(&id, &leagues, &act()).await.unwrap());
}

fn of(team: &str) -> TeamOf {
    TeamOf { season: 2026, fpl_id: FplId::parse(team).unwrap() }
}
