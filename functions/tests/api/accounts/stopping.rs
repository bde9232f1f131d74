//! Breaks, self-exclusion and proof of age: what is not possible meanwhile, what goes on, and that nobody comes round it.

use app::Safeguards::{self, Full, Light};
use domain::{MpesaPhone, accounts::stopping::StopFor};
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};
use store::entries::Joined;

use crate::support::{
    Answer, PASSWORD, Person, World,
    gameweek::this_week,
    money::done,
    mpesa::paid,
    team_proofs::{check, code, name_team, owner, prove},
    text,
};

const EXCLUSION: &str = "/api/me/exclusion";

async fn stop(player: &Person, how_long: &str) -> Answer {
    player.post(EXCLUSION, json!({"for": how_long, "password": PASSWORD})).await
}

async fn plays_not(player: &Person, code: &str) {
    let deposit = player.deposit(&player.phone(), 100).await;
    for (refused, status) in [(player.join(50, 1).await, 400), (player.pay(50, 1).await, 400), (deposit, 409)]
    {
        assert_eq!(refused.expect(status)["code"], code);
    }
}

#[tokio::test]
async fn whoever_stops_can_only_take_money_out_and_nobody_shortens_it() {
    let (world, player) = World::with_player(300).await;
    for (wrong, code) in [
        (json!({"for": "2y", "password": PASSWORD}), "invalid_stop"),
        (json!({"for": "43d", "password": PASSWORD}), "invalid_stop"),
        (json!({"password": PASSWORD}), "invalid_stop"),
        (json!({"for": "1d", "password": "not this one"}), "wrong_password"),
        (json!({"for": "1d"}), "wrong_password"),
    ] {
        assert_eq!(player.post(EXCLUSION, wrong).await.expect(400)["code"], code);
    }
    assert_eq!(player.user().await["stopped"], json!(null));
    // A join that has read everything before, and is written after: the transaction refuses it.
    let stored = world.stored(&player).await;
    let entry = app::entries::new_entry(
        &stored,
        stored.fpl_id.unwrap(),
        this_week(),
        domain::EntryAmount::Fifty,
        world.app().clock().now(),
    );
    player.pay(50, 1).await.expect(200);
    let week = stop(&player, "1w").await.expect(201);
    assert_eq!(week["kind"], "break");
    assert_eq!(world.app().store().join_by_wallet(&entry).await.unwrap(), Joined::AccountChanged);
    plays_not(&player, "stopped_playing").await;
    // A prompt that was on the phone before is credited, and enters nothing.
    world.answer_prompt(&player.phone(), paid()).await;
    assert_eq!(player.wallet().await, 350);
    assert_eq!(player.entries().await["entries"], json!([]));
    // So is what is sent by hand.
    let account = player.paybill_account().await;
    world.paybill(json!({"phone": player.phone(), "amount": 70, "accountReference": account})).await;
    world.advance(60).await;
    assert_eq!(player.wallet().await, 420);
    player.withdraw(&player.phone(), 100).await.expect(201);

    assert_eq!(stop(&player, "6d").await.expect(409)["code"], "stopped_for_longer");
    let half_a_year = stop(&player, "6m").await.expect(201);
    assert_eq!(half_a_year["kind"], "exclusion");
    assert_eq!(stop(&player, "1w").await.expect(409)["until"], half_a_year["until"]);
    let user = player.user().await;
    assert_eq!(user["stopped"], half_a_year);
    // An admin sees it, and has nothing to end it with.
    assert_eq!(world.profile(&player.id).await["player"]["stoppedUntil"], half_a_year["until"]);
    let lifted = json!({"stopped": false, "stoppedUntil": null, "reason": "Asked for by the player."});
    world.change_player(&player.id, lifted).await.expect(400);
    let suspended = |suspended: bool| json!({"suspended": suspended, "reason": "A test."});
    for on in [true, false] {
        world.change_player(&player.id, suspended(on)).await.expect(200);
    }
    world.advance(8 * 24 * 3600).await;
    let player = world.again(&player).await;
    assert_eq!(player.deposit(&player.phone(), 100).await.expect(409)["code"], "stopped_playing");
    // Whoever did not do it themselves hears of it, each time; of what was refused nobody.
    let told = world.mails_about(&player.email(), "You have stopped playing on FPL Leagues").await;
    assert_eq!(told.len(), 2, "{told:?}");
    let until = |year: &str| told.iter().any(|mail| text(mail, "text").contains(&format!(".{year}, ")));
    assert!(until("2026") && until("2027"), "{told:?}");
    world.ledger().await;
}

/// What is entered already is played; who has stopped is not invited to the next one.
#[tokio::test]
async fn what_is_entered_is_played_and_nobody_is_invited_who_has_stopped() {
    let world = World::start().await;
    let (stopper, other) = (world.player_with(50).await, world.player_with(50).await);
    for (player, points) in [(&stopper, 80), (&other, 40)] {
        player.join(50, 1).await.expect(201);
        player.set_notifications(json!({"mail": {"deadline": true}})).await;
        world.points(&player.fpl_id, 1, points, 5, 0).await;
    }
    stop(&stopper, "6w").await.expect(201);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;
    let stopper = world.again(&stopper).await;
    assert_eq!(stopper.wallet().await, 90, "it won");
    let status = world.nobody().get("/api/gameweek/status").await.expect(200);
    let deadline: jiff::Timestamp = text(&status, "deadline").parse().unwrap();
    world.clock_to(&(deadline - jiff::SignedDuration::from_mins(170)).to_string()).await;
    world.advance(600).await;
    let subjects = async |player: &Person| -> Vec<String> {
        world.every_mail(&player.email()).await.iter().map(|mail| text(mail, "subject")).collect()
    };
    let (told, untold) = (subjects(&other).await, subjects(&stopper).await);
    let about_deadline = |subject: &String| subject.contains("closes");
    assert!(told.iter().any(about_deadline), "{told:?}");
    assert!(!untold.iter().any(about_deadline), "{untold:?}");
}

#[rstest]
#[tokio::test]
async fn nobody_who_has_stopped_comes_back_by_another_account(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let stopper = world.player_with(150).await;
    let other = world.player_with(500).await;
    // Whoever has played with a team keeps it; one that is only named bars nobody.
    stopper.join(50, 1).await.expect(201);
    stop(&stopper, "1d").await.expect(201);
    // The same email, and the same team: as of anybody's.
    let form = |email: &str, team: &str| World::sign_up_form(email, "again", team);
    for taken in [form(&stopper.email(), "4242"), form("again@example.co.ke", &stopper.fpl_id)] {
        assert_eq!(world.nobody().post("/api/signup", taken).await.expect(409), json!("exist"));
    }
    // Without the team there is an account, and the team does not come to it, though nobody has proved it.
    let mut teamless = form("again@example.co.ke", &stopper.fpl_id);
    teamless["proveTeam"] = json!(true);
    world.nobody().post("/api/signup", teamless).await.expect(201);
    let again = world.log_in("again@example.co.ke", PASSWORD).await;
    again.put("/api/user/team", json!({"fplId": stopper.fpl_id})).await.refused(409);
    let proof = json!({"fplId": stopper.fpl_id});
    let refused = again.post("/api/user/team/proof", proof.clone()).await.expect(409);
    assert_eq!(refused["code"], "team_proved_by_another");
    // The number: no prompt, and no withdrawal, also once an admin has taken it off the account.
    let number = stopper.phone();
    assert_eq!(other.deposit(&number, 100).await.expect(409)["code"], "number_of_another_player");
    let not_paid = |refused: Answer| {
        let body: Value = refused.expect(409);
        assert_eq!(body["code"], "number_not_paid");
        assert_eq!(body["message"], "Money cannot be sent to this number. Withdraw to your own.");
    };
    not_paid(other.withdraw(&number, 60).await);
    let release = format!("/api/admin/players/{}/release-number", stopper.id);
    let body = json!({"phone": number, "reason": "A test."});
    world.admin().await.post(&release, body).await.expect(200);
    assert_eq!(other.deposit(&number, 100).await.expect(409)["code"], "number_of_another_player");
    not_paid(other.withdraw(&number, 60).await);
    // The stopper's own money goes there.
    stopper.withdraw(&number, 60).await.expect(201);
    // Nor where the stop is made longer after that.
    stop(&stopper, "1w").await.expect(201);
    world.advance(48 * 3600).await;
    let other = world.again(&other).await;
    assert_eq!(other.deposit(&number, 100).await.expect(409)["code"], "number_of_another_player");
    not_paid(other.withdraw(&number, 60).await);
    // When it is over, the number is anybody's.
    world.advance(5 * 24 * 3600 + 60).await;
    world.again(&other).await.withdraw(&number, 60).await.expect(201);
    assert_eq!(world.profile(&stopper.id).await["player"]["stoppedUntil"], json!(null));
}

/// An admin gives them another team: the one that they played with is nobody's, and nobody else can have it until the stop is
/// over. Its manager has an account without it, is told so at once, and proves it after that.
#[tokio::test]
async fn a_team_that_was_given_up_after_a_stop_is_still_kept_from_others() {
    let (world, stopper) = World::with_player(50).await;
    let team = stopper.fpl_id.clone();
    stopper.join(50, 1).await.expect(201);
    let manager = owner(&world, "manager", &team).await;
    name_team(&world, &team, &format!("FC {}", code(&manager, &team).await)).await;
    stop(&stopper, "1d").await.expect(201);
    let other = json!({"fplId": "760001", "reason": "A digit was wrong."});
    world.change_player(&stopper.id, other).await.expect(200);
    assert_eq!(check(&manager).await.expect(409)["code"], "team_proved_by_another");
    let proof = manager.post("/api/user/team/proof", json!({"fplId": team})).await;
    assert_eq!(proof.expect(409)["code"], "team_proved_by_another");
    let late = owner(&world, "late", &team).await;
    assert_eq!(late.user().await["fplId"], "");
    world.advance(24 * 3600 + 60).await;
    let manager = world.log_in("manager@example.co.ke", PASSWORD).await;
    prove(&world, &manager, &team).await;
}

/// Whoever signs up with somebody else's email, which costs nothing, and stops, does not keep them out for years: who reads its
/// mails sets another password, closes that account, and signs up anew. Whoever has paid does not come back so.
#[tokio::test]
async fn an_account_that_has_never_paid_or_played_bars_no_email() {
    let world = World::start().await;
    let (never, has_paid, by_hand) =
        (world.player().await, world.player_with(100).await, world.player().await);
    let account = by_hand.paybill_account().await;
    world.paybill(json!({"phone": by_hand.phone(), "amount": 100, "accountReference": account})).await;
    world.advance(60).await;
    let mut withdrawals = Vec::new();
    for player in [&has_paid, &by_hand] {
        withdrawals.push(player.withdrawal(&player.phone(), 100).await);
    }
    world.advance(25 * 3600).await;
    for withdrawal in withdrawals {
        world.end_withdrawal(&withdrawal, done()).await.expect(200);
    }
    let [never, has_paid, by_hand] =
        [world.again(&never).await, world.again(&has_paid).await, world.again(&by_hand).await];
    for player in [&never, &has_paid, &by_hand] {
        stop(player, "5y").await.expect(201);
        player.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    }
    world.advance(9 * 24 * 3600).await;
    for (player, team, status) in [(&never, "4242", 201), (&has_paid, "4243", 409), (&by_hand, "4244", 409)] {
        let form = World::sign_up_form(&player.email(), &format!("again{team}"), team);
        assert_eq!(world.nobody().post("/api/signup", form).await.status, status);
    }
}

/// A number that became the player's own after they had stopped is not given to others either.
#[tokio::test]
async fn a_number_that_is_paid_from_while_its_player_has_stopped_stays_theirs_when_it_is_released() {
    let world = World::start().await;
    let (stopper, other) = (world.player().await, world.player_with(100).await);
    stopper.prompt(100).await;
    stop(&stopper, "6m").await.expect(201);
    world.answer_prompt(&stopper.phone(), json!({"outcome": "success"})).await;
    world.advance(60).await;
    let body = json!({"phone": stopper.phone(), "reason": "A test."});
    let release = format!("/api/admin/players/{}/release-number", stopper.id);
    world.admin().await.post(&release, body).await.expect(200);
    let refused = other.deposit(&stopper.phone(), 100).await.expect(409);
    assert_eq!(refused["code"], "number_of_another_player");
}

/// Whoever has stolen a session guesses ten passwords an hour, and the player stops all the same.
#[tokio::test]
async fn wrong_passwords_of_one_session_keep_no_other_from_stopping() {
    let (world, thief) = World::with_player(0).await;
    let player = world.again(&thief).await;
    let wrong = json!({"for": "1d", "password": "not the password"});
    for _ in 0..5 {
        thief.post(EXCLUSION, wrong.clone()).await.expect(400);
        thief.post("/api/me/closure", wrong.clone()).await.expect(400);
    }
    thief.post(EXCLUSION, wrong.clone()).await.refused(429);
    thief.post("/api/me/closure", wrong).await.refused(429);
    stop(&player, "1d").await.expect(201);
}

/// Where the account has a second factor the password alone shuts nobody out.
#[tokio::test]
async fn whoever_stops_gives_a_code_where_there_is_a_second_factor() {
    let world = World::start_guarded(Full).await;
    let admin = world.second_admin().await;
    let stop = async |code: Option<&str>| {
        admin.post(EXCLUSION, json!({"for": "5y", "password": PASSWORD, "code": code})).await
    };
    world.advance(30).await;
    assert_eq!(stop(None).await.expect(400)["code"], "code_wanted");
    assert_eq!(stop(Some("000000")).await.expect(400)["code"], "wrong_code");
    assert_eq!(admin.user().await["stopped"], json!(null));
    let shown = admin.authenticator.as_ref().unwrap().code();
    stop(Some(&shown)).await.expect(201);
}

/// An admin asks for a proof of age, with a reason: the player is told, plays on when it was given, and can withdraw.
#[tokio::test]
async fn a_proof_of_age_is_asked_for_and_given() {
    let (world, player) = World::with_player(300).await;
    let asked = |wanted: bool| json!({"ageProofWanted": wanted, "reason": "The name on M-Pesa is another."});
    let item = world.change_player(&player.id, asked(true)).await.expect(200);
    assert_eq!(item["ageProofWanted"], true);
    plays_not(&player, "proof_of_age_wanted").await;
    assert_eq!(player.user().await["ageProofWanted"], true);
    player.withdraw(&player.phone(), 60).await.expect(201);
    world.advance(120).await;
    let mails = world.mails_about(&player.email(), "Please show us that you are 18 or older").await;
    assert_eq!(mails.len(), 1);
    assert!(text(&mails[0], "text").contains("The name on M-Pesa is another."));
    // Asked for once more it is so already: nothing more is recorded or mailed.
    world.change_player(&player.id, asked(true)).await.expect(200);
    assert_eq!(world.profile(&player.id).await["acts"].as_array().unwrap().len(), 1);

    world.change_player(&player.id, asked(false)).await.expect(200);
    assert_eq!(world.profile(&player.id).await["acts"][0]["after"], "no proof of age wanted");
    let player = world.again(&player).await;
    player.join(50, 1).await.expect(201);
    world.advance(120).await;
    assert_eq!(world.mails_about(&player.email(), "You can play again").await.len(), 1);
    assert_eq!(world.mails_about(&player.email(), "Please show us that you are 18 or older").await.len(), 1);
}

/// Who has stopped, or is suspended or frozen, is told that their age has been shown, and not that they can play again.
#[rstest]
#[case::stopped(None)]
#[case::suspended(Some("suspended"))]
#[case::frozen(Some("frozen"))]
#[tokio::test]
async fn who_still_may_not_play_is_not_told_that_they_can(#[case] mark: Option<&str>) {
    let (world, player) = World::with_player(50).await;
    let asked = |wanted: bool| json!({"ageProofWanted": wanted, "reason": "The name on M-Pesa is another."});
    world.change_player(&player.id, asked(true)).await.expect(200);
    let kept_out = match mark {
        None => stop(&player, "6m").await,
        Some(mark) => world.change_player(&player.id, json!({mark: true, "reason": "A test."})).await,
    };
    kept_out.accepted();
    world.change_player(&player.id, asked(false)).await.expect(200);
    world.advance(120).await;
    assert_eq!(world.mails_about(&player.email(), "You can play again").await.len(), 0);
    let mails = world.mails_about(&player.email(), "You have shown us your age").await;
    assert_eq!(mails.len(), 1);
    assert!(!text(&mails[0], "text").contains("deposit again"), "{mails:?}");
}

/// Who owes enters nothing before that is paid.
#[tokio::test]
async fn who_owes_is_not_told_that_they_can_play() {
    let world = World::start().await;
    let player = world.owing(450).await;
    for wanted in [true, false] {
        let asked = json!({"ageProofWanted": wanted, "reason": "The name on M-Pesa is another."});
        world.change_player(&player.id, asked).await.expect(200);
        world.advance(120).await;
    }
    assert_eq!(world.mails_about(&player.email(), "You can play again").await.len(), 0);
    assert_eq!(world.mails_about(&player.email(), "You have shown us your age").await.len(), 1);
}

/// The mail service is down as a proof of age is asked for and then given: what has been turned round is not told any more.
#[tokio::test]
async fn a_proof_of_age_that_was_given_meanwhile_is_not_asked_for() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"email": "down"})).await;
    for wanted in [true, false] {
        let asked = json!({"ageProofWanted": wanted, "reason": "The name on M-Pesa is another."});
        world.change_player(&player.id, asked).await.expect(200);
    }
    world.advance(120).await;
    world.faults(json!({"email": "none"})).await;
    world.advance(3600).await;
    let told = world.mails(&player.email()).await;
    let subjects: Vec<_> = told.iter().map(|mail| text(mail, "subject")).collect();
    assert_eq!(subjects, ["You can play again"]);
}

#[rstest]
#[tokio::test]
async fn a_sign_up_says_that_one_is_an_adult_where_players_are_protected(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let mut form = World::sign_up_form("w@example.co.ke", "Wanjiku", "4242");
    form.as_object_mut().unwrap().remove("over18");
    if safeguards.are_full() {
        let refused = world.nobody().post("/api/signup", form.clone()).await.expect(400);
        assert_eq!(refused["code"], "not_over18");
        form["over18"] = json!(true);
    }
    world.nobody().post("/api/signup", form).await.expect(201);
}

/// A number that was read as the player's own, and is another's by now, is not kept from its owner.
#[tokio::test]
async fn a_number_that_is_anothers_by_now_is_not_barred() {
    let world = World::start().await;
    let (stopper, other) = (world.player().await, world.player_with(100).await);
    let (stored, now) = (world.stored(&stopper).await, world.app().clock().now());
    let stopped = "6m".parse::<StopFor>().unwrap().from(now);
    let number = MpesaPhone::for_pay(&other.phone()).unwrap();
    assert!(!world.app().store().stop(&stored, &stopped, &[number]).await.unwrap());
    assert!(world.stored(&stopper).await.restraints.stopped(now).is_none(), "it is tried again");
}

/// Two requests that have read the same account: the shorter one is written last, and changes nothing.
#[tokio::test]
async fn a_shorter_stop_that_comes_last_shortens_nothing() {
    let (world, player) = World::with_player(50).await;
    let (stored, now) = (world.stored(&player).await, world.app().clock().now());
    let stop = async |how_long: &str| {
        let stopped = how_long.parse::<StopFor>().unwrap().from(now);
        world.app().store().stop(&stored, &stopped, &[]).await.unwrap()
    };
    assert!(stop("6m").await && !stop("1w").await);
    plays_not(&player, "stopped_playing").await;
    let in_a_month = now + SignedDuration::from_hours(30 * 24);
    assert!(world.stored(&player).await.restraints.stopped(in_a_month).is_some());
}
