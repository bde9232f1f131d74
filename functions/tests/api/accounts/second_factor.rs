//! An admin's second factor over HTTP.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use store::{
    accounts::sessions::Session,
    admin::audit::{AuditAction, AuditRecord, Who},
};

use crate::support::{
    Answer, PASSWORD, Person, World, assert_has, at_once, authenticator::TOTP, read, statuses, text,
};

const ASKED: &str = "Enter the code from your authenticator app.";
const WRONG: &str = "That code is not right. A code counts once and changes every 30 seconds.";

async fn log_in(world: &World, code: Option<&str>) -> Answer {
    let (email, password) = world.admin_account();
    let mut body = json!({"email": email, "password": password});
    if let Some(code) = code {
        body["totp"] = json!(code);
    }
    world.nobody().post("/api/login", body).await
}

#[track_caller]
fn asks_for_a_code(answer: Answer, message: &str) {
    assert_has(&answer.expect(401), json!({"status": "totp", "message": message}));
}

#[tokio::test]
async fn who_has_enrolled_logs_in_with_a_code_that_is_good_once() {
    let world = World::start().await;
    log_in(&world, None).await.expect(200);
    let (secret, _) = world.enrol().await;
    asks_for_a_code(log_in(&world, None).await, ASKED);
    asks_for_a_code(log_in(&world, Some(" ")).await, ASKED);
    asks_for_a_code(log_in(&world, Some(&world.totp_code(&secret, 0))).await, WRONG);
    world.advance(30).await;
    let shown = world.totp_code(&secret, 0);
    asks_for_a_code(log_in(&world, Some(&world.totp_code(&secret, 5))).await, WRONG);
    let spaced = format!("{} {}", &shown[..3], &shown[3..]);
    log_in(&world, Some(&spaced)).await.expect(200);
    asks_for_a_code(log_in(&world, Some(&shown)).await, WRONG);
    // A phone's clock may be half a minute ahead; the one before that is over then.
    log_in(&world, Some(&world.totp_code(&secret, 1))).await.expect(200);
    world.advance(30).await;
    asks_for_a_code(log_in(&world, Some(&world.totp_code(&secret, 0))).await, WRONG);
    // Without the password a code is good for nothing.
    let (email, _) = world.admin_account();
    let body = json!({"email": email, "password": "not the password", "totp": world.totp_code(&secret, 1)});
    assert_eq!(world.nobody().post("/api/login", body).await.expect(401)["status"], "notexist");
}

#[tokio::test]
async fn one_code_at_once_from_many_places_lets_one_in() {
    let world = World::start().await;
    let (secret, _) = world.enrol().await;
    world.advance(30).await;
    let shown = world.totp_code(&secret, 0);
    let tries = (0..4).map(|_| log_in(&world, Some(&shown)));
    assert_eq!(statuses(&at_once(tries).await), [200, 401, 401, 401]);
}

#[tokio::test]
async fn recovery_codes_are_good_once_each() {
    let world = World::start().await;
    let (_, codes) = world.enrol().await;
    assert_eq!(codes.len(), 10);
    let admin = world.enrolled_admin();
    log_in(&world, Some(&codes[0])).await.expect(200);
    asks_for_a_code(log_in(&world, Some(&codes[0])).await, WRONG);
    log_in(&world, Some(&codes[1].replace('-', " ").to_uppercase())).await.expect(200);
    asks_for_a_code(log_in(&world, Some("aaaaa-aaaaa")).await, WRONG);
    let stands = admin.get(TOTP).await.expect(200);
    assert_has(&stands, json!({"enrolled": true, "recoveryCodesLeft": 8}));
}

/// By a code, in the place of those from before; their owner is told.
#[tokio::test]
async fn new_recovery_codes_take_the_place_of_the_old_ones() {
    const RENEW: &str = "/api/admin/totp/recovery-codes";
    let world = World::start().await;
    let code = json!({"code": "000000"});
    world.admin().await.post(RENEW, code.clone()).await.refused(409);
    let (secret, old) = world.enrol().await;
    let admin = world.enrolled_admin();
    assert_eq!(admin.post(RENEW, code).await.refused(400), WRONG);
    log_in(&world, Some(&old[0])).await.expect(200);
    world.advance(30).await;
    let shown = json!({"code": world.totp_code(&secret, 0)});
    let made = admin.post(RENEW, shown.clone()).await.expect(200);
    let new: Vec<String> = serde_json::from_value(made["recoveryCodes"].clone()).unwrap();
    assert_eq!(new.len(), 10);
    assert_eq!(admin.post(RENEW, shown).await.refused(400), WRONG);
    assert_has(&admin.get(TOTP).await.expect(200), json!({"enrolled": true, "recoveryCodesLeft": 10}));
    asks_for_a_code(log_in(&world, Some(&old[1])).await, WRONG);
    log_in(&world, Some(&new[1])).await.expect(200);
    // A recovery code is a code: who has lost the phone makes new ones by one.
    admin.post(RENEW, json!({"code": new[2]})).await.expect(200);
    asks_for_a_code(log_in(&world, Some(&new[3])).await, WRONG);
    world.advance(60).await;
    let told = world.mails_about(&world.admin_account().0, "You have new recovery codes").await;
    assert_eq!(told.len(), 2, "{told:?}");
}

#[tokio::test]
async fn wrong_codes_are_limited_and_right_ones_are_not() {
    let world = World::start().await;
    let (secret, _) = world.enrol().await;
    let admin = world.enrolled_admin();
    let remove = |code: String| admin.post("/api/admin/totp/remove", json!({"code": code}));
    for _ in 0..10 {
        assert_eq!(remove("000000".to_owned()).await.refused(400), WRONG);
    }
    world.advance(30).await;
    let limited = remove(world.totp_code(&secret, 0)).await;
    assert!(limited.headers.contains_key("retry-after"));
    limited.refused(429);
    // Whoever tries in a session that was stolen does not use up the tries of a log-in.
    log_in(&world, Some(&world.totp_code(&secret, 0))).await.expect(200);
    world.advance(3600).await;
    for _ in 0..12 {
        log_in(&world, Some(&world.totp_code(&secret, 0))).await.expect(200);
        world.advance(30).await;
    }
}

#[tokio::test]
async fn it_is_confirmed_by_a_code_and_removed_by_one() {
    let world = World::start().await;
    let admin = world.admin().await;
    let password = world.admin_account().1;
    let confirm =
        |code: String| admin.post("/api/admin/totp/confirm", json!({"password": password, "code": code}));
    let remove = |code: String| admin.post("/api/admin/totp/remove", json!({"code": code}));
    confirm("123456".to_owned()).await.refused(409);
    remove("123456".to_owned()).await.refused(409);
    let before = world.start_totp(&admin).await;
    let enrolment = admin.post(TOTP, json!({"password": password})).await.expect(200);
    let secret = text(&enrolment, "secret");
    let uri = enrolment["uri"].as_str().unwrap();
    assert!(uri.starts_with("otpauth://totp/FPL%20Leagues:admin-") && uri.contains(&secret), "{uri}");
    assert!(enrolment["qrSvg"].as_str().unwrap().starts_with("<svg xmlns="));
    confirm(world.totp_code(&before, 0)).await.refused(400);
    // Begun and not confirmed: nothing is asked for.
    log_in(&world, None).await.expect(200);
    assert_eq!(admin.get(TOTP).await.expect(200)["enrolled"], false);
    confirm(world.totp_code(&secret, 0)).await.expect(200);
    admin.post(TOTP, json!({"password": password})).await.refused(409);
    confirm(world.totp_code(&secret, 1)).await.refused(409);

    remove(world.totp_code(&secret, 0)).await.refused(400);
    assert_eq!(remove(world.totp_code(&secret, 1)).await.expect(200)["enrolled"], false);
    log_in(&world, None).await.expect(200);
    world.start_totp(&admin).await;
}

#[tokio::test]
async fn it_begins_with_the_password_and_ends_the_other_sessions() {
    let world = World::start().await;
    let (admin, mut other) = (world.admin().await, world.admin().await);
    let password = world.admin_account().1;
    for wrong in [json!({}), json!({"password": ""}), json!({"password": "not the password"})] {
        assert_eq!(admin.post(TOTP, wrong).await.refused(400), "That password is not right.");
    }
    let secret = world.start_totp(&admin).await;
    let confirm = |password: &str, code: String| {
        admin.post("/api/admin/totp/confirm", json!({"password": password, "code": code}))
    };
    confirm("not the password", world.totp_code(&secret, 0)).await.refused(400);
    confirm(&password, world.totp_code(&secret, 0)).await.expect(200);
    admin.get(TOTP).await.expect(200);
    other.get(TOTP).await.refused(401);
    read(other.request(Method::POST, "/refresh")).await.refused(401);

    world.advance(30).await;
    other = admin_by_code(&world, &secret).await;
    admin.get(TOTP).await.expect(200);
    let body = json!({"code": world.totp_code(&secret, 1)});
    other.post("/api/admin/totp/remove", body).await.expect(200);
    other.get(TOTP).await.expect(200);
    admin.get(TOTP).await.refused(401);
}

#[tokio::test]
async fn whose_it_is_is_mailed_when_it_begins_and_when_it_ends() {
    let world = World::start().await;
    let (email, _) = world.admin_account();
    let told = async |subject: &str| {
        world.advance(120).await;
        world.mails_about(&email, subject).await.len()
    };
    let (secret, _) = world.enrol().await;
    assert_eq!(told("Your log-in asks for a code now").await, 1);
    let admin = world.enrolled_admin();
    let body = json!({"code": world.totp_code(&secret, 0)});
    admin.post("/api/admin/totp/remove", body).await.expect(200);
    assert_eq!(told("Your log-in asks for no code any more").await, 1);
    assert_eq!(told("Your log-in asks for a code now").await, 1);
}

async fn admin_by_code(world: &World, secret: &str) -> Person {
    let (email, password) = world.admin_account();
    world.log_in_with(&email, &password, Some(&world.totp_code(secret, 0))).await
}

#[tokio::test]
async fn the_secret_is_kept_encrypted_and_never_told_again() {
    let world = World::start().await;
    let (secret, codes) = world.enrol().await;
    let admin = world.enrolled_admin();
    let id = admin.user_id();
    let kept = format!("{:?}", world.app().store().second_factor(&id).await.unwrap().unwrap()).to_lowercase();
    assert!(!kept.contains(&secret.to_lowercase()) && !kept.contains(&hex_of(&secret)));
    assert!(codes.iter().all(|code| !kept.contains(code) && !kept.contains(&code.replace('-', ""))));
    let mut told = vec![admin.get(TOTP).await.expect(200)];
    told.push(admin.get("/api/admin/audit").await.expect(200));
    told.push(admin.get(&format!("/api/admin/players/{}", admin.id)).await.expect(200));
    let told = Value::from(told).to_string();
    assert!(!told.contains(&secret) && !told.contains(&codes[0]), "{told}");
}

/// Whoever can write to the table puts an own secret, as it is kept, in the place of another admin's: it does not open there.
#[tokio::test]
async fn a_secret_that_is_kept_for_one_account_opens_for_no_other() {
    let world = World::start().await;
    let (secret, _) = world.enrol().await;
    let (store, thief) = (world.app().store(), world.enrolled_admin().user_id());
    let sealed = store.second_factor(&thief).await.unwrap().unwrap().sealed.unwrap();
    let other = world.second_admin().await;
    let act = AuditRecord::new(Who::Operator, AuditAction::StartTotp, "a test", world.app().clock().now());
    assert!(store.start_second_factor(&other.user_id(), &sealed, &act).await.unwrap());
    let form = json!({"password": PASSWORD, "code": world.totp_code(&secret, 0)});
    other.post("/api/admin/totp/confirm", form).await.refused(500);
    assert_eq!(other.get(TOTP).await.expect(200)["enrolled"], false);
}

fn hex_of(secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    secret.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A thief with password and session is about to put a secret of their own in force, when the admin ends that session, sets a
/// new password or begins anew: it is not put in force.
#[tokio::test]
async fn what_was_begun_before_is_not_put_in_force() {
    let world = World::start().await;
    let (admin, (email, _)) = (world.admin().await, world.admin_account());
    let (store, id, at) = (world.app().store(), admin.user_id(), world.app().clock().now());
    let newest =
        async || store.sessions(&id).await.unwrap().into_iter().max_by_key(|s| s.created_at).unwrap();
    let sealed = async || store.second_factor(&id).await.unwrap().unwrap().sealed.unwrap();
    let confirm = async |sealed: &str, session: &Session| {
        let act = AuditRecord::new(Who::Operator, AuditAction::ConfirmTotp, "a test", at);
        store.confirm_second_factor(&id, sealed, 1, &BTreeMap::new(), session, &act).await.unwrap()
    };
    world.start_totp(&admin).await;
    let (session, first) = (newest().await, sealed().await);
    world.start_totp(&admin).await;
    assert!(!confirm(&first, &session).await, "another secret waits by now");
    world.advance(1).await;
    world.admin().await;
    let ended = newest().await;
    store.end_session(&ended, at).await.unwrap();
    assert!(!confirm(&sealed().await, &ended).await, "that session was ended from another one");
    let act = AuditRecord::new(Who::Operator, AuditAction::StepUp, "a test", at);
    assert!(!store.step_session_up(&ended, &act).await.unwrap());
    world.reset_password(&email, "a new password").await;
    assert!(!confirm(&sealed().await, &session).await, "the session has ended with the password");
    world.log_in(&email, "a new password").await;
}

/// The operator takes it away while a thief's code, which was right a moment before, is about to count.
#[tokio::test]
async fn no_code_counts_once_it_is_taken_away() {
    let world = World::start().await;
    world.enrol().await;
    let (store, id, at) = (world.app().store(), world.enrolled_admin().user_id(), world.app().clock().now());
    let act = |what| AuditRecord::new(Who::Operator, what, "a test", at);
    assert!(store.lose_second_factor(&id, &act(AuditAction::RemoveTotp)).await.unwrap());
    assert!(!store.use_second_factor_step(&id, u64::from(u32::MAX)).await.unwrap());
    let renewed = act(AuditAction::RenewRecoveryCodes);
    assert!(!store.renew_recovery_codes(&id, &BTreeMap::new(), &renewed).await.unwrap());
}
