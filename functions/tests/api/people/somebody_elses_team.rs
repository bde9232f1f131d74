//! Somebody else's public team id is claimed at sign-up. Whoever manages the team proves it, and has it.

use app::{
    App,
    Safeguards::{self, Full, Light},
    teams::proofs,
};
use domain::FplId;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::teams::proofs::TeamOf;

use crate::support::{
    Answer, PASSWORD, Person, World, assert_has,
    mpesa::paid,
    processes,
    processes::dying_at_every_step,
    team_proofs::{check, code, name_team, owner, prove},
};

#[rstest]
#[tokio::test]
async fn a_claimed_team_is_taken_back_by_who_manages_it(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player_with(200).await;
    let team = thief.fpl_id.clone();
    thief.join(50, 1).await.expect(201);
    let owner = owner(&world, "owner", &team).await;
    let user = owner.user().await;
    assert_has(&user, json!({"fplId": "", "needsTeam": true}));
    let taken = owner.put("/api/user/team", json!({"fplId": team})).await.refused(409);
    assert!(taken.contains("prove it"), "{taken}");

    check(&owner).await.refused(409);
    let mine = code(&owner, &team).await;
    let thiefs = code(&thief, &team).await;
    assert!(check(&owner).await.refused(409).contains("not in your team's name yet"));
    let standing = owner.get("/api/user/team/proof").await.expect(200);
    assert_has(&standing, json!({"code": mine, "proved": false}));
    name_team(&world, &team, &format!("Rangers {mine}")).await;
    assert!(
        check(&thief).await.refused(409).contains("not in your team's name yet"),
        "{thiefs} is not there"
    );
    let proved = check(&owner).await.expect(200);
    assert_has(&proved, json!({"proved": true, "fplId": team, "code": null}));
    assert_eq!(check(&owner).await.expect(200)["proved"], true);

    let user = owner.user().await;
    assert_has(&user, json!({"fplId": team, "needsTeam": false}));
    assert_has(&thief.user().await, json!({"fplId": "", "needsTeam": true}));
    world.advance(120).await;
    let subject = format!("Team {team} is another player's");
    assert_eq!(world.mails_about(&thief.email(), &subject).await.len(), 1);

    // The entry stays as it is, and one team makes one entry in a gameweek.
    assert_eq!(thief.leagues(50, 1).await[0]["own"], true);
    let owner = world.log_in("owner@example.co.ke", PASSWORD).await;
    world.fund(&Person { n: 77, ..owner.clone() }, 100).await;
    assert!(owner.join(50, 1).await.refused(400).contains("in this gameweek already"));
    assert_eq!(owner.wallet().await, 100);
    thief.join(50, 1).await.refused(403);

    // Proved is proved: nobody takes it with a claim, nor with a code. Who lost it links anew, once.
    assert!(thief.post("/api/user/team/proof", json!({"fplId": team})).await.refused(409).contains("proved"));
    assert!(check(&thief).await.refused(409).contains("Another player has proved"));
    let link = |fpl_id: &str| thief.put("/api/user/team", json!({"fplId": fpl_id}));
    link(&team).await.refused(409);
    link("880001").await.expect(200);
    let second = self::owner(&world, "second", "880001").await;
    prove(&world, &second, "880001").await;
    assert!(link("880002").await.refused(409).contains("Prove the next one"));
    assert_eq!(thief.user().await["fplId"], "");
}

/// The owner plays from the next gameweek on. A prompt for this one would take money, and its excise, for no entry.
#[tokio::test]
async fn no_prompt_is_sent_for_a_team_that_is_in_already() {
    let (world, thief) = World::with_player(50).await;
    let team = thief.fpl_id.clone();
    thief.join(50, 1).await.expect(201);
    prove(&world, &owner(&world, "owner", &team).await, &team).await;
    let owner = world.log_in("owner@example.co.ke", PASSWORD).await.with_number(77);
    assert!(owner.pay(50, 1).await.refused(400).contains("in this gameweek already"));
    assert!(world.prompts(&owner.phone()).await.is_empty());

    world.crowd(9, 50).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;
    let owner = world.log_in("owner@example.co.ke", PASSWORD).await.with_number(77);
    let id = owner.pay(50, 2).await.text(200, "checkoutId");
    world.answer_prompt(&owner.phone(), paid()).await;
    assert_has(&world.entry_payment_status(&id).await, json!({"status": "SUCCESS", "entered": true}));
}

#[rstest]
#[tokio::test]
async fn a_code_is_good_for_a_day_and_three_are_issued(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let mut player = world.player().await;
    let team = player.fpl_id.clone();
    player.post("/api/user/team/proof", json!({"fplId": "12x"})).await.refused(400);
    player.post("/api/user/team/proof", json!({"fplId": "999123"})).await.refused(409);
    let first = code(&player, &team).await;
    name_team(&world, &team, &format!("FC {first}")).await;
    assert_ne!(first, code(&player, &team).await);
    check(&player).await.refused(409);
    code(&player, &team).await;
    player.post("/api/user/team/proof", json!({"fplId": team})).await.refused(429);
    world.advance(24 * 3600 + 1).await;
    player.refresh().await;
    assert!(check(&player).await.refused(409).contains("not good any more"));
    prove(&world, &player, &team).await;
}

/// Each look asks the official game: the twenty-first within an hour is refused, and an hour later the code is found.
#[tokio::test]
async fn a_code_is_looked_for_twenty_times_an_hour() {
    let (world, mut player) = World::with_player(0).await;
    let team = player.fpl_id.clone();
    let code = code(&player, &team).await;
    for _ in 0..20 {
        check(&player).await.refused(409);
    }
    name_team(&world, &team, &format!("FC {code}")).await;
    check(&player).await.refused(429);
    world.advance(3601).await;
    player.refresh().await;
    check(&player).await.expect(200);
}

/// The season turns before the code is looked for: under the same id there is another team now.
#[rstest]
#[tokio::test]
async fn a_code_of_the_season_before_proves_nothing(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let before = code(&player, &player.fpl_id).await;
    name_team(&world, &player.fpl_id, &format!("FC {before}")).await;
    world.new_season().await;
    assert!(check(&player).await.refused(409).contains("not good any more"));
    let team = TeamOf { season: 2026, fpl_id: FplId::parse(&player.fpl_id).unwrap() };
    assert!(!world.app().store().team_held(team).await.unwrap().unwrap().proved);
    // Of this season's own it is asked for anew.
    prove(&world, &player, "880001").await;
}

/// `person` wins a league of ten with 450, beside `deposited` that was not played.
async fn win(world: &World, person: &Person) {
    win_in(world, person, 1).await;
}

async fn win_in(world: &World, person: &Person, week: u8) {
    person.join(50, week).await.expect(201);
    world.crowd(9, 50).await;
    world.points(&person.fpl_id, week, 199, 0, 0).await;
    world.phase(week, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;
}

async fn withdraw(person: &Person, amount: i64) -> Answer {
    person.withdraw(&person.phone(), amount).await
}

#[rstest]
#[tokio::test]
async fn a_prize_is_withdrawn_once_its_team_is_proved(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let winner = world.player_with(150).await;
    win(&world, &winner).await;
    let winner = world.again(&winner).await;
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
#[tokio::test]
async fn a_prize_of_a_team_that_was_lost_waits_for_an_admin(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player_with(50).await;
    let team = thief.fpl_id.clone();
    win(&world, &thief).await;
    prove(&world, &owner(&world, "owner", &team).await, &team).await;
    let thief = world.again(&thief).await;
    if !safeguards.are_full() {
        withdraw(&thief, 450).await.expect(201);
        return;
    }
    let why = withdraw(&thief, 450).await.refused(409);
    assert!(why.contains("We are looking into it") || why.contains("we look into it"), "{why}");
    thief.put("/api/user/team", json!({"fplId": "880001"})).await.expect(200);
    prove(&world, &thief, "880001").await;
    withdraw(&thief, 450).await.refused(409);
    let path = format!("/api/admin/players/{}", thief.id);
    let release = json!({"releasePrizes": true, "reason": "It was the player's own stake."});
    world.admin().await.send(Method::PATCH, &path, Some(release.clone())).await.expect(200);
    world.admin().await.send(Method::PATCH, &path, Some(release)).await.refused(409);
    withdraw(&thief, 450).await.expect(201);
    assert_eq!(world.ledger().await.wallets[&thief.id], 0);
}

/// One team is proved, and what it has won goes out: that of the other one stays, however often it is asked for.
#[tokio::test]
async fn a_proved_prize_lets_no_other_one_out() {
    let world = World::start_guarded(Full).await;
    let thief = world.player_with(50).await;
    let team = thief.fpl_id.clone();
    win(&world, &thief).await;
    prove(&world, &owner(&world, "owner", &team).await, &team).await;
    let thief = world.again(&thief).await;
    thief.put("/api/user/team", json!({"fplId": "880001"})).await.expect(200);
    prove(&world, &thief, "880001").await;
    let thief = Person { fpl_id: "880001".to_owned(), ..thief };
    win_in(&world, &thief, 2).await;
    let thief = world.again(&thief).await;
    // The stake was of the first prize, to which it has come back.
    assert_eq!(thief.wallet().await, 450 + 400);
    withdraw(&thief, 400).await.expect(201);
    withdraw(&thief, 60).await.refused(409);
    let profile = world.admin().await.get(&format!("/api/admin/players/{}", thief.id)).await.expect(200);
    assert_eq!(profile["unprovedPrizes"][0]["left"], 450);
}

/// It lets money out: with what an admin has moved alone that day a second one is wanted.
#[tokio::test]
async fn releasing_prizes_is_weighed_like_money() {
    let world = World::start_guarded(Full).await;
    let winner = world.player_with(50).await;
    win(&world, &winner).await;
    let winner = world.again(&winner).await;
    let typed = winner.typed_code("NLJ7RT61SV").await;
    let admin = world.admin().await;
    admin.confirm_code(typed, 9_900).await.expect(200);

    let path = format!("/api/admin/players/{}", winner.id);
    let release = json!({"releasePrizes": true, "reason": "The team is the player's own."});
    let proposed = admin.send(Method::PATCH, &path, Some(release.clone())).await.expect(202);
    assert_has(&proposed, json!({"what": "release-prizes", "amount": 450}));
    withdraw(&winner, 10_000).await.expect(409);
    let approval = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
    world.second_admin().await.post(&approval, json!({"decision": "approve"})).await.expect(200);
    withdraw(&winner, 10_000).await.expect(201);
    let nothing = "There is no prize in this wallet that waits for a proof.";
    assert_eq!(admin.send(Method::PATCH, &path, Some(release.clone())).await.refused(409), nothing);

    // What the team wins next was not weighed.
    world.fund(&winner, 50).await;
    win_in(&world, &winner, 2).await;
    let winner = world.again(&winner).await;
    withdraw(&winner, 450).await.expect(409);
    let admin = world.admin().await;
    admin.send(Method::PATCH, &path, Some(release.clone())).await.expect(200);
    withdraw(&winner, 450).await.expect(201);
    win_in(&world, &winner, 3).await;
    let winner = world.again(&winner).await;
    withdraw(&winner, 360).await.expect(409);
    // A proof is for all.
    prove(&world, &winner, &winner.fpl_id).await;
    withdraw(&winner, 400).await.expect(201);
    world.ledger().await;
}

/// An entry that is paid for stands: it is shown as long as the season lasts, whatever team its player has by now.
#[tokio::test]
async fn a_paid_entry_is_shown_though_its_team_is_lost() {
    let (world, loser) = World::with_player(0).await;
    let checkout = loser.pay(50, 1).await.text(200, "checkoutId");
    world.answer_prompt(&loser.phone(), paid()).await;
    let owner = owner(&world, "owner", &loser.fpl_id).await;
    prove(&world, &owner, &loser.fpl_id).await;
    let show = async |team: &str| {
        let entry = json!({"fplId": team, "entryAmount": 50, "gameweek": 1, "checkoutId": checkout});
        loser.post("/api/join-league", entry).await.status.as_u16()
    };
    assert_eq!((show(&loser.fpl_id).await, show("").await, show("999999").await), (201, 201, 403));
}

/// What is won later is another release: with what was released before it passes what one admin may move alone.
#[tokio::test]
async fn two_releases_of_a_day_are_summed() {
    let world = World::start_guarded(Full).await;
    let winner = world.player_with(100).await;
    win(&world, &winner).await;
    let winner = world.again(&winner).await;
    winner.join(50, 2).await.expect(201);
    world.crowd(9, 50).await;
    world.points(&winner.fpl_id, 2, 199, 0, 0).await;
    world.phase(2, "checked").await;
    let winner = world.again(&winner).await;
    let typed = winner.typed_code("NLJ7RT61SV").await;
    let admin = world.admin().await;
    admin.confirm_code(typed, 9_200).await.expect(200);
    let path = format!("/api/admin/players/{}", winner.id);
    let release = json!({"releasePrizes": true, "reason": "The team is the player's own."});
    admin.send(Method::PATCH, &path, Some(release.clone())).await.expect(200);
    world.end_gameweek().await;
    world.advance(600).await;
    let second = world.admin().await.send(Method::PATCH, &path, Some(release)).await.expect(202);
    assert_has(&second, json!({"what": "release-prizes", "amount": 450}));
}

/// Who has lost a team may link it once more where it is free again, and loses it again to who proves it.
#[tokio::test]
async fn a_team_is_lost_a_second_time() {
    let world = World::start().await;
    let loser = world.player().await;
    let team = loser.fpl_id.clone();
    let first = owner(&world, "first", &team).await;
    prove(&world, &first, &team).await;
    let change = json!({"fplId": "880002", "reason": "The player has another team."});
    world.change_player(&first.id, change).await.expect(200);
    loser.put("/api/user/team", json!({"fplId": team})).await.expect(200);
    prove(&world, &owner(&world, "second", &team).await, &team).await;
    assert_has(&loser.user().await, json!({"fplId": "", "needsTeam": true}));
    loser.put("/api/user/team", json!({"fplId": "880003"})).await.expect(200);
}

/// Wherever the proof ends: asked again the team is the owner's, and its former holder has lost it and is told
/// once.
#[tokio::test]
async fn a_team_changes_hands_once_wherever_the_proof_ends() {
    let world = World::start().await;
    let mut n = 0;
    let (pairs, steps) = dying_at_every_step(
        &world,
        async || {
            n += 1;
            let thief = world.player().await;
            let owner = owner(&world, &format!("owner{n}"), &thief.fpl_id).await;
            name_team(&world, &thief.fpl_id, &code(&owner, &thief.fpl_id).await).await;
            (owner, thief)
        },
        async |app: &App, (owner, _)| {
            let owner = processes::player(app, owner).await;
            assert!(proofs::check(app, &owner).await.is_ok());
        },
    )
    .await;
    assert!(steps >= 3, "{steps}");
    world.advance(120).await;
    for (owner, thief) in &pairs {
        let (won, lost) = (world.stored(owner).await, world.stored(thief).await);
        assert_eq!(won.fpl_id.map(|id| id.to_string()), Some(thief.fpl_id.clone()));
        assert_eq!((lost.fpl_id, lost.team_name), (None, None));
        let mails = world.mails(&thief.email()).await;
        assert_eq!(mails.len(), 1, "{mails:?}");
    }
}
