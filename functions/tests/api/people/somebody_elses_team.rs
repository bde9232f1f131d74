//! Somebody else's public team id is claimed at sign-up. Whoever manages the team proves it, and has it.

use app::{App, Safeguards, teams::proofs};
use domain::FplId;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::teams::proofs::TeamOf;

use crate::{
    platform::{crash_recovery::at_every_step, interleavings::player},
    support::{PASSWORD, Person, World},
};

fn form(n: &str, fpl_id: &str) -> Value {
    json!({"email": format!("{n}@example.co.ke"), "username": n, "password": PASSWORD, "fplId": fpl_id})
}

/// The owner of `fpl_id`, which somebody else has: signed up without a team.
async fn owner(world: &World, name: &str, fpl_id: &str) -> Person {
    let mut form = form(name, fpl_id);
    assert_eq!(world.nobody().post("/api/signup", form.clone()).await.expect(409), json!("exist"));
    form["proveTeam"] = json!(true);
    world.nobody().post("/api/signup", form).await.expect(201);
    world.log_in(&format!("{name}@example.co.ke"), PASSWORD).await
}

/// A code for the team.
async fn code(person: &Person, fpl_id: &str) -> String {
    let body = person.post("/api/user/team/proof", json!({"fplId": fpl_id})).await.expect(201);
    body["code"].as_str().unwrap().to_owned()
}

async fn name_team(world: &World, fpl_id: &str, name: &str) {
    world.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), json!({"name": name})).await;
}

async fn check(person: &Person) -> crate::support::Answer {
    person.post("/api/user/team/proof/check", json!({})).await
}

/// Proves the team that a code was issued for.
async fn prove(world: &World, person: &Person, fpl_id: &str) {
    let code = code(person, fpl_id).await;
    name_team(world, fpl_id, &format!("FC {}", code.to_lowercase())).await;
    assert_eq!(check(person).await.expect(200)["proved"], true);
}

#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn a_claimed_team_is_taken_back_by_who_manages_it(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player_with(200).await;
    let team = thief.fpl_id.clone();
    thief.join(50, 1).await.expect(201);
    let owner = owner(&world, "owner", &team).await;
    let user = owner.get("/api/user").await.expect(200);
    assert_eq!((&user["fplId"], &user["needsTeam"]), (&json!(""), &json!(true)));
    let taken = owner.send(Method::PUT, "/api/user/team", Some(json!({"fplId": team}))).await.refused(409);
    assert!(taken.contains("prove it"), "{taken}");

    check(&owner).await.refused(409);
    let mine = code(&owner, &team).await;
    let thiefs = code(&thief, &team).await;
    assert!(check(&owner).await.refused(409).contains("not in your team's name yet"));
    let standing = owner.get("/api/user/team/proof").await.expect(200);
    assert_eq!((&standing["code"], &standing["proved"]), (&json!(mine), &json!(false)));
    name_team(&world, &team, &format!("Rangers {mine}")).await;
    assert!(
        check(&thief).await.refused(409).contains("not in your team's name yet"),
        "{thiefs} is not there"
    );
    let proved = check(&owner).await.expect(200);
    assert_eq!(
        (&proved["proved"], &proved["fplId"], &proved["code"]),
        (&json!(true), &json!(team), &json!(null))
    );
    assert_eq!(check(&owner).await.expect(200)["proved"], true);

    let user = owner.get("/api/user").await.expect(200);
    assert_eq!((&user["fplId"], &user["needsTeam"]), (&json!(team), &json!(false)));
    let lost = thief.get("/api/user").await.expect(200);
    assert_eq!((&lost["fplId"], &lost["needsTeam"]), (&json!(""), &json!(true)));
    world.advance(120).await;
    let mails = world.mails("player1@example.co.ke").await;
    let told =
        mails.iter().filter(|mail| mail["subject"] == format!("Team {team} is another player's")).count();
    assert_eq!(told, 1, "{mails:?}");

    // The entry stays as it is, and one team makes one entry in a gameweek.
    assert_eq!(thief.leagues(50, 1).await[0]["own"], true);
    let owner = world.log_in("owner@example.co.ke", PASSWORD).await;
    world.fund(&Person { n: 77, ..owner.clone() }, 100).await;
    assert!(owner.join(50, 1).await.refused(409).contains("in this gameweek already"));
    assert_eq!(owner.wallet().await, 100);
    thief.join(50, 1).await.refused(403);

    // Proved is proved: nobody takes it with a claim, nor with a code. Who lost it links anew, once.
    assert!(thief.post("/api/user/team/proof", json!({"fplId": team})).await.refused(409).contains("proved"));
    assert!(check(&thief).await.refused(409).contains("Another player has proved"));
    let link = |fpl_id: &str| thief.send(Method::PUT, "/api/user/team", Some(json!({"fplId": fpl_id})));
    link(&team).await.refused(409);
    link("880001").await.expect(200);
    let second = self::owner(&world, "second", "880001").await;
    prove(&world, &second, "880001").await;
    assert!(link("880002").await.refused(409).contains("Prove the next one"));
    assert_eq!(thief.get("/api/user").await.expect(200)["fplId"], "");
}

#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn a_code_is_good_for_a_day_and_three_are_issued(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let mut player = world.player().await;
    let team = player.fpl_id.clone();
    player.post("/api/user/team/proof", json!({"fplId": "12x"})).await.refused(400);
    player.post("/api/user/team/proof", json!({"fplId": "999123"})).await.refused(409);
    let first = code(&player, &team).await;
    name_team(&world, &team, &format!("FC {first}")).await;
    let second = code(&player, &team).await;
    assert_ne!(first, second);
    check(&player).await.refused(409);
    code(&player, &team).await;
    player.post("/api/user/team/proof", json!({"fplId": team})).await.refused(429);
    world.advance(24 * 3600 + 1).await;
    player.refresh().await;
    assert!(check(&player).await.refused(409).contains("not good any more"));
    prove(&world, &player, &team).await;
}

/// The season turns before the code is looked for: under the same id there is another team now.
#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn a_code_of_the_season_before_proves_nothing(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let before = code(&player, &player.fpl_id).await;
    name_team(&world, &player.fpl_id, &format!("FC {before}")).await;
    crate::gameweeks::seasons::new_season(&world).await;
    assert!(check(&player).await.refused(409).contains("not good any more"));
    let team = TeamOf { season: 2026, fpl_id: FplId::parse(&player.fpl_id).unwrap() };
    let held = world.app().store().team_held(team).await.unwrap().unwrap();
    assert!(!held.proved);
    // Of this season's own it is asked for anew.
    prove(&world, &player, "880001").await;
}

/// `person` wins a league of ten with 450, beside `deposited` that was not played.
async fn win(world: &World, person: &Person) {
    person.join(50, 1).await.expect(201);
    world.crowd(9, 50).await;
    world.points(&person.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.admin().await.post("/api/gameweek/process-winners", json!({})).await.expect(200);
    world.advance(600).await;
}

async fn again(world: &World, person: &Person) -> Person {
    let fresh = world.log_in(&format!("player{}@example.co.ke", person.n), PASSWORD).await;
    Person { n: person.n, ..fresh }
}

async fn withdraw(person: &Person, amount: i64) -> crate::support::Answer {
    person.post("/api/withdraw", json!({"mpesaNumber": person.phone(), "amount": amount})).await
}

#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn a_prize_is_withdrawn_once_its_team_is_proved(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let winner = world.player_with(150).await;
    win(&world, &winner).await;
    let winner = again(&world, &winner).await;
    assert_eq!(winner.wallet().await, 100 + 450);
    if safeguards.are_full() {
        let refused = withdraw(&winner, 101).await.expect(409);
        assert_eq!(refused["prove"], json!(winner.fpl_id), "{refused}");
        // Other money goes out first.
        withdraw(&winner, 100).await.expect(201);
        withdraw(&winner, 60).await.expect(409);
        let profile = world.admin().await.get(&format!("/api/admin/players/{}", winner.id)).await.expect(200);
        assert_eq!(profile["unprovedPrizes"][0]["left"], 450);
        prove(&world, &winner, &winner.fpl_id).await;
        withdraw(&winner, 450).await.expect(201);
    } else {
        withdraw(&winner, 550).await.expect(201);
    }
    assert_eq!(world.ledger().await.wallets[&winner.id], 0);
}

#[rstest]
#[case::light(Safeguards::Light)]
#[case::full(Safeguards::Full)]
#[tokio::test]
async fn a_prize_of_a_team_that_was_lost_waits_for_an_admin(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player_with(50).await;
    let team = thief.fpl_id.clone();
    win(&world, &thief).await;
    let owner = owner(&world, "owner", &team).await;
    prove(&world, &owner, &team).await;
    let thief = again(&world, &thief).await;
    if !safeguards.are_full() {
        withdraw(&thief, 450).await.expect(201);
        return;
    }
    let why = withdraw(&thief, 450).await.refused(409);
    assert!(why.contains("We are looking into it") || why.contains("we look into it"), "{why}");
    thief.send(Method::PUT, "/api/user/team", Some(json!({"fplId": "880001"}))).await.expect(200);
    prove(&world, &thief, "880001").await;
    withdraw(&thief, 450).await.refused(409);
    let path = format!("/api/admin/players/{}", thief.id);
    let release = json!({"releasePrizes": true, "reason": "It was the player's own stake."});
    world.admin().await.send(Method::PATCH, &path, Some(release.clone())).await.expect(200);
    world.admin().await.send(Method::PATCH, &path, Some(release)).await.refused(409);
    withdraw(&thief, 450).await.expect(201);
    assert_eq!(world.ledger().await.wallets[&thief.id], 0);
}

/// It lets money out: with what an admin has moved alone that day a second one is wanted.
#[tokio::test]
async fn releasing_prizes_is_weighed_like_money() {
    let world = World::start_guarded(Safeguards::Full).await;
    let winner = world.player_with(50).await;
    win(&world, &winner).await;
    let winner = again(&world, &winner).await;
    let typed = winner.post("/api/manual-payment", json!({"mpesaCode": "NLJ7RT61SV"})).await.expect(201);
    let admin = world.admin().await;
    let body = json!({"paymentId": typed["_id"], "amount": 9_900});
    admin.post("/api/manual-payment/confirm", body).await.expect(200);

    let path = format!("/api/admin/players/{}", winner.id);
    let release = json!({"releasePrizes": true, "reason": "The team is the player's own."});
    let proposed = admin.send(Method::PATCH, &path, Some(release.clone())).await.expect(202);
    assert_eq!((&proposed["what"], &proposed["amount"]), (&json!("release-prizes"), &json!(450)));
    withdraw(&winner, 10_000).await.expect(409);
    let approval = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
    let second = world.second_admin().await;
    second.post(&approval, json!({"decision": "approve"})).await.expect(200);
    withdraw(&winner, 10_000).await.expect(201);
    let nothing = "There is no prize in this wallet that waits for a proof.";
    assert_eq!(admin.send(Method::PATCH, &path, Some(release)).await.refused(409), nothing);
    world.ledger().await;
}

/// Wherever the proof ends: asked again the team is the owner's, and its former holder has lost it and is told
/// once.
#[tokio::test]
async fn a_team_changes_hands_once_wherever_the_proof_ends() {
    let world = World::start().await;
    let mut n = 0;
    let (pairs, steps) = at_every_step(
        &world,
        async || {
            n += 1;
            let thief = world.player().await;
            let owner = owner(&world, &format!("owner{n}"), &thief.fpl_id).await;
            let code = code(&owner, &thief.fpl_id).await;
            name_team(&world, &thief.fpl_id, &code).await;
            (owner, thief)
        },
        async |app: &App, (owner, _)| {
            let owner = player(app, owner).await;
            assert!(proofs::check(app, &owner).await.is_ok());
        },
    )
    .await;
    assert!(steps >= 3, "{steps}");
    world.advance(120).await;
    for (owner, thief) in &pairs {
        let (won, lost) = (player(world.app(), owner).await, player(world.app(), thief).await);
        assert_eq!(won.fpl_id.map(|id| id.to_string()), Some(thief.fpl_id.clone()));
        assert_eq!((lost.fpl_id, lost.team_name), (None, None));
        let mails = world.mails(&format!("player{}@example.co.ke", thief.n)).await;
        assert_eq!(mails.len(), 1, "{mails:?}");
    }
}
