//! Players as an admin finds them, sees them and changes them.

use app::{
    admin::changes::{Change, change},
    platform::flow::FlowError,
};
use domain::{EntryAmount, FplId};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        players::{Corrected, NewTeam},
    },
    entries::Joined,
    teams::proofs::TeamOf,
};

use crate::support::{
    PASSWORD, Person, World, assert_has,
    gameweek::{this_week, users},
    mpesa::paid,
    processes::{Paid, held_up_at_every_step, join, process_callback},
};

async fn found(admin: &Person, text: &str) -> Vec<String> {
    let path = format!("/api/admin/players?q={}", text.replace('+', "%2B").replace(' ', "%20"));
    let found = admin.get(&path).await.expect(200);
    found.as_array().unwrap().iter().map(|item| item["username"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_player_is_found_by_what_is_known_of_them() {
    let world = World::start().await;
    let (one, two) = (world.player_with(100).await, world.player_with(100).await);
    world.crowd(12, 50).await;
    let admin = world.admin().await;
    let both = ["player1".to_owned(), "player2".to_owned()];
    assert_eq!(found(&admin, "pla").await[..2], both);
    assert_eq!(found(&admin, " PLAYER1 ").await[0], both[0], "exact comes first");
    assert_eq!(found(&admin, "player2@example.co.ke").await, [both[1].clone()]);
    assert_eq!(found(&admin, &one.id).await, [both[0].clone()]);
    assert_eq!(found(&admin, &one.fpl_id).await, [both[0].clone()]);
    assert_eq!(found(&admin, &one.fpl_id[..5]).await, both, "the beginning of a team's number");
    for number in [two.phone(), format!("254{}", &two.phone()[1..]), format!("+254 {}", &two.phone()[1..])] {
        assert_eq!(found(&admin, &number).await, [both[1].clone()], "{number}");
    }
    assert_eq!(found(&admin, "00002").await, [both[1].clone()], "the end of a phone number");
    assert!(found(&admin, "nobody").await.is_empty());
    assert!(found(&admin, &"f".repeat(32)).await.is_empty());
    admin.get("/api/admin/players").await.refused(400);
    admin.get("/api/admin/players?q=p%20").await.refused(400);
}

#[tokio::test]
async fn a_profile_shows_what_is_theirs() {
    let (world, player) = World::with_player(100).await;
    player.join(50, 1).await.expect(201);
    let profile = world.profile(&player.id).await;
    assert_eq!((&profile["player"]["username"], &profile["wallet"]), (&json!("player1"), &json!(50)));
    assert_eq!(profile["phones"], json!([player.phone()]));
    let kinds: Vec<_> = profile["transactions"].as_array().unwrap().iter().map(|t| &t["kind"]).collect();
    assert_eq!(kinds, ["entry", "deposit"]);
    assert_eq!(profile["entries"]["entries"][0]["gameweek"], "2026-01");
    assert_eq!(profile["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(profile["sessions"][0]["stands"], true);
    assert_eq!(profile["acts"], json!([]));
    let text = profile.to_string();
    assert!(!text.contains("argon2") && !text.contains("Hash"), "no secrets: {text}");
}

/// Where somebody has paid and the money is not in the wallet: with the admins' words for what became of each.
#[tokio::test]
async fn a_profile_shows_each_prompt_with_what_became_of_it() {
    let (world, player) = World::with_player(0).await;
    let entry = player.pay(50, 1).await.text(200, "checkoutId");
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    world.advance(60).await;
    let receipt = world.fund(&player, 100).await;
    world.advance(60).await;
    let (aside, otherwise) = world.paid_otherwise(&player, 600).await;
    let prompts = world.profile(&player.id).await["prompts"].as_array().unwrap().clone();
    assert_eq!(prompts.len(), 3);
    assert!(prompts.iter().all(|prompt| prompt["phone"] == player.phone() && prompt["at"].is_string()));
    let reported = "M-Pesa reports another amount than was asked for.";
    assert_has(&prompts[0], json!({"checkoutId": aside, "amount": 500, "entryAmount": null}));
    assert_has(&prompts[0], json!({"state": "SET_ASIDE", "reason": reported, "receipt": otherwise}));
    assert_has(&prompts[1], json!({"amount": 100, "state": "SUCCESS", "reason": null, "receipt": receipt}));
    assert_has(&prompts[2], json!({"checkoutId": entry, "entryAmount": 50, "entryGameweek": 1}));
    let why = "You cancelled the request on your phone.";
    assert_has(&prompts[2], json!({"state": "FAILED", "reason": why, "receipt": null}));
}

#[tokio::test]
async fn who_is_suspended_can_withdraw_and_log_in_but_not_enter() {
    let (world, player) = World::with_player(200).await;
    let suspend = json!({"suspended": true, "reason": "Two accounts."});
    assert_eq!(world.change_player(&player.id, suspend.clone()).await.expect(200)["suspended"], true);
    let why = "Your account is suspended. You can withdraw, but not enter.";
    assert_eq!(player.join(50, 1).await.refused(400), why);
    assert_eq!(player.pay(50, 1).await.refused(400), why);
    let player = world.again(&player).await;
    player.withdraw("0712345678", 60).await.expect(201);

    // Once more changes nothing and is not recorded.
    world.change_player(&player.id, suspend).await.expect(200);
    let end = json!({"suspended": false, "reason": "It was a brother's."});
    assert_eq!(world.change_player(&player.id, end).await.expect(200)["suspended"], false);
    player.join(50, 1).await.expect(201);
    let acts = world.profile(&player.id).await["acts"].clone();
    let told: Vec<_> = acts.as_array().unwrap().iter().map(|act| (&act["after"], &act["reason"])).collect();
    let (on, off) = (json!("suspended"), json!("not suspended"));
    assert_eq!(told, [(&off, &json!("It was a brother's.")), (&on, &json!("Two accounts."))]);
}

/// Asked for twice, or ended twice, or ended where it never was.
#[rstest]
#[case("suspended")]
#[case("frozen")]
#[case("ageProofWanted")]
#[tokio::test]
async fn what_is_so_already_is_not_recorded_again(#[case] mark: &str) {
    let (world, player) = World::with_player(0).await;
    for so in [false, true, true, false, false] {
        world.change_player(&player.id, json!({mark: so, "reason": "A test."})).await.expect(200);
    }
    assert_eq!(world.profile(&player.id).await["acts"].as_array().unwrap().len(), 2);
    let ended = u32::from(mark == "frozen");
    assert_eq!(world.stored(&player).await.password_resets, ended, "its sessions ended once");
}

#[tokio::test]
async fn a_prompt_that_is_paid_after_a_suspension_is_in_the_wallet() {
    let (world, player) = World::with_player(0).await;
    player.pay(50, 1).await.expect(200);
    world.change_player(&player.id, json!({"suspended": true, "reason": "Looked into."})).await.expect(200);
    world.answer_prompt(&player.phone(), paid()).await;
    assert_eq!((player.wallet().await, world.ledger().await.account("pot:2026-01")), (50, 0));
}

#[tokio::test]
async fn a_wrong_team_is_corrected_with_the_entry_of_an_open_gameweek() {
    let (world, player) = World::with_player(100).await;
    let wrong = player.fpl_id.clone();
    player.join(50, 1).await.expect(201);
    let correct = json!({"fplId": "0760001", "reason": "A digit was wrong; asked for by mail."});
    let item = world.change_player(&player.id, correct).await.expect(200);
    assert_eq!(item["fplId"], "760001");
    assert!(item["teamName"].is_string());
    let seen = player.leagues(50, 1).await[0]["users"][0]["fplId"].clone();
    assert_eq!(seen, "760001", "the entry goes with it");
    assert_eq!(player.get("/api/me/league").await.expect(200)["fplId"], "760001");
    assert_eq!(player.get("/api/me/league?entryAmount=100").await.expect(200)["fplId"], Value::Null);
    player.get(&format!("/api/points/{wrong}")).await.refused(404);
    let acts = world.profile(&player.id).await["acts"].clone();
    assert_eq!(acts[0]["before"], format!("team {wrong} of 2026"));
    assert_eq!(acts[0]["after"], "team 760001 of 2026");

    // Whose it really is can sign up with it now; and that one is not given away again.
    let form =
        json!({"email": "owner@example.co.ke", "username": "owner", "password": PASSWORD, "fplId": wrong});
    world.nobody().post("/api/signup", form).await.expect(201);
    let back = json!({"fplId": wrong, "reason": "Back again."});
    let taken = world.change_player(&player.id, back).await.refused(409);
    assert!(taken.contains("another account"), "{taken}");
    let acts = world.profile(&player.id).await["acts"].as_array().unwrap().len();
    assert_eq!(acts, 1, "what was refused is not recorded");
}

#[tokio::test]
async fn a_player_is_told_once_that_the_team_was_changed() {
    let (world, player) = World::with_player(0).await;
    let correct = json!({"fplId": "760001", "reason": "Asked for by mail."});
    world.change_player(&player.id, correct.clone()).await.expect(200);
    world.change_player(&player.id, correct).await.refused(409);
    world.advance(120).await;
    let mails = world.mails("player1@example.co.ke").await;
    assert_eq!((mails.len(), &mails[0]["subject"]), (1, &json!("Your FPL team has been changed")));
    let text = mails[0]["text"].as_str().unwrap();
    let told = "Before: team 700001 of 2026. Now: team 760001 of 2026.";
    assert!(text.contains(told) && text.contains("Reason: Asked for by mail."), "{text}");
}

#[tokio::test]
async fn a_correction_after_the_deadline_leaves_what_was_entered() {
    let (world, player) = World::with_player(100).await;
    player.join(50, 1).await.expect(201);
    world.crowd(4, 50).await;
    world.phase(1, "locked").await;
    world.change_player(&player.id, json!({"fplId": "760002", "reason": "Wrong."})).await.expect(200);
    let player = world.again(&player).await;
    let leagues = player.leagues(50, 1).await;
    let own = users(&leagues[0]).iter().find(|user| user["username"] == "player1");
    assert_eq!(own.unwrap()["fplId"], "700001");
    assert_eq!(player.fpl_id, "760002");
    world.advance(780).await;
    let plays = async |state: &str| {
        let player = world.again(&player).await;
        let own = player.get("/api/me/league?gameweek=1&entryAmount=50").await.expect(200);
        assert_eq!((&own["league"]["state"], &own["fplId"]), (&json!(state), &json!("700001")));
    };
    plays("drawn").await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(60).await;
    plays("settled").await;
}

/// Held up before each of its steps, while the player enters: the entry is of the team that the account has. Else its team
/// would be free, and could be entered by somebody else as well.
#[tokio::test]
async fn a_team_that_is_entered_meanwhile_stays_with_its_account() {
    let world = World::start().await;
    let admin = Who::admin(&world.stored(&world.admin().await).await);
    let subjects = held_up_at_every_step(
        &world,
        async || world.player_with(100).await,
        async |app, person| {
            let team = Change::Team(FplId::parse(&(760_000 + person.n).to_string()).unwrap());
            let changed = change(app, &person.user_id(), team, admin.clone(), "A digit was wrong.").await;
            assert!(!matches!(changed, Err(FlowError::Failed(_))), "{changed:?}");
        },
        async |app, person| assert_eq!(join(app, person, EntryAmount::Fifty).await, Joined::Entered),
    )
    .await;
    // Of the last one the change was made alone.
    for person in &subjects[..subjects.len() - 1] {
        let entry = world.app().store().entry_of(&person.user_id(), this_week()).await.unwrap().unwrap();
        assert_eq!(Some(entry.fpl_id), world.stored(person).await.fpl_id);
    }
}

/// Two admins correct it at once: the account has one team of the two, and the other one is nobody's.
#[tokio::test]
async fn of_two_corrections_at_once_one_is_made() {
    let world = World::start().await;
    let admin = Who::admin(&world.stored(&world.admin().await).await);
    let team = |from: u32, person: &Person| FplId::parse(&(from + person.n).to_string()).unwrap();
    let subjects = held_up_at_every_step(
        &world,
        async || world.player().await,
        async |app, person| {
            let (id, team) = (person.user_id(), Change::Team(team(760_000, person)));
            let _made_or_moved = change(app, &id, team, admin.clone(), "A digit was wrong.").await;
        },
        async |app, person| {
            let (id, team) = (person.user_id(), Change::Team(team(770_000, person)));
            change(app, &id, team, admin.clone(), "Another digit was wrong.").await.unwrap();
        },
    )
    .await;
    // Of the last one the first correction was made alone.
    for person in &subjects[..subjects.len() - 1] {
        assert_eq!(world.stored(person).await.fpl_id, Some(team(770_000, person)));
        let other = TeamOf { season: 2026, fpl_id: team(760_000, person) };
        assert_eq!(world.app().store().team_held(other).await.unwrap(), None);
    }
}

/// The player links a team of the next season meanwhile, and it has the same number.
#[tokio::test]
async fn a_team_is_not_corrected_for_the_season_before() {
    let (world, player) = World::with_player(0).await;
    let (store, stored) = (world.app().store(), world.stored(&player).await);
    let seen = Player { season: stored.season - 1, ..stored };
    let team = NewTeam { season: 2026, fpl_id: FplId::parse("760001").unwrap(), name: "The right one" };
    let at = world.app().clock().now();
    let act = AuditRecord::new(Who::Operator, AuditAction::UpdatePlayer, "a test", at);
    let corrected = store.correct_team(&seen, team, (None, None), &act, None).await.unwrap();
    assert_eq!(corrected, Corrected::Moved);
}

/// A prompt that was paid is held up before each of its steps, while an admin corrects its player's team: it makes its entry,
/// with the new team.
#[tokio::test]
async fn a_paid_prompt_whose_team_is_corrected_meanwhile_makes_its_entry() {
    let world = World::start().await;
    let admin = Who::admin(&world.stored(&world.admin().await).await);
    let corrected = |person: &Person| FplId::parse(&(760_000 + person.n).to_string()).unwrap();
    let subjects = held_up_at_every_step(
        &world,
        async || world.paid_prompt("/api/pay", 50).await,
        process_callback,
        async |app, paid| {
            let (id, team) = (paid.player.user_id(), Change::Team(corrected(&paid.player)));
            change(app, &id, team, admin.clone(), "A digit was wrong.").await.unwrap();
        },
    )
    .await;
    // Of the last one nothing was corrected.
    for Paid { player, id, .. } in &subjects[..subjects.len() - 1] {
        let entry = world.app().store().entry_of(&player.user_id(), this_week()).await.unwrap();
        assert_eq!(entry.map(|entry| entry.fpl_id), Some(corrected(player)));
        let status = world.entry_payment_status(id).await;
        assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    }
    let entered = 50 * i64::try_from(subjects.len()).unwrap();
    assert_eq!(world.ledger().await.account("pot:2026-01"), entered);
}

#[tokio::test]
async fn ended_sessions_are_good_for_nothing() {
    let (world, mut player) = World::with_player(100).await;
    let other = world.again(&player).await;
    let end = json!({"endSessions": true, "reason": "A lost phone."});
    world.change_player(&player.id, end).await.expect(200);
    let body = json!({"mpesaNumber": "0712345678", "amount": 60});
    player.post("/api/withdraw", body.clone()).await.refused(401);
    other.post("/api/withdraw", body.clone()).await.refused(401);
    player.send(Method::POST, "/refresh", None).await.refused(401);
    let sessions = world.profile(&player.id).await["sessions"].clone();
    assert!(sessions.as_array().unwrap().iter().all(|session| session["stands"] == false));
    player = world.again(&player).await;
    player.post("/api/withdraw", body).await.expect(201);
}

#[rstest]
#[case(json!({"reason": "Nothing."}), 400)]
#[case(json!({"suspended": true}), 400)]
#[case(json!({"suspended": "yes", "endSessions": true, "reason": "No truth value."}), 400)]
#[case(json!({"suspended": true, "endSessions": 1, "reason": "No truth value."}), 400)]
#[case(json!({"suspended": true, "endSessions": true, "reason": "Two at once."}), 400)]
#[case(json!({"fplId": "x1", "reason": "No number."}), 400)]
#[case(json!({"fplId": "700001", "reason": "The same."}), 409)]
#[case(json!({"fplId": "700002", "reason": "Another's."}), 409)]
#[tokio::test]
async fn what_is_not_in_order_changes_nothing(#[case] body: Value, #[case] status: u16) {
    let world = World::start().await;
    let (player, _other) = (world.player().await, world.player().await);
    world.change_player(&player.id, body).await.refused(status);
    assert_eq!(world.profile(&player.id).await["acts"], json!([]));
    world.change_player(&"f".repeat(32), json!({"suspended": true, "reason": "Nobody."})).await.refused(404);
}

#[tokio::test]
async fn a_team_that_the_official_game_does_not_have_is_not_linked() {
    let (world, player) = World::with_player(0).await;
    world.team_exists("760003", false).await;
    world.change_player(&player.id, json!({"fplId": "760003", "reason": "Wrong."})).await.refused(400);
    world.faults(json!({"fpl": "down"})).await;
    world.change_player(&player.id, json!({"fplId": "760004", "reason": "Wrong."})).await.refused(503);
    assert_eq!(world.profile(&player.id).await["player"]["fplId"], "700001");
}
