//! The request log: one line a request, and nothing in it that is anybody's secret.

use std::collections::BTreeMap;

use app::platform::{
    secrets::names,
    security_log::{SecurityEntry, SecurityEvent},
};
use domain::MpesaPhone;
use local::{DataDir, Settings};
use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, Person, World, assert_has, log_capture::Lines, mpesa::paid_calling_back, read, text,
};

/// Everything in one test: the log is the process's.
#[tokio::test]
async fn a_request_is_one_line_and_no_secret_is_in_any() {
    let log = Lines::default();
    let subscriber = functions::platform::http::log::subscriber(log.clone());
    tracing::subscriber::set_global_default(subscriber).expect("no other test takes the log");
    let (world, player) = World::with_player(300).await;
    let token = player.token.clone().unwrap();

    // A line says who did what.
    let answer = player.get("/api/user").await;
    let id = answer.headers["x-request-id"].to_str().unwrap().to_owned();
    let lines = log.of(&id);
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line = &lines[0];
    assert_has(line, json!({"operation": "get-user", "status": 200}));
    assert_eq!(line["caller"], player.id);
    assert!(line["ms"].is_u64());
    let answer = world.nobody().get("/api/nothing").await;
    let line = &log.of(answer.headers["x-request-id"].to_str().unwrap())[0];
    assert_has(line, json!({"operation": "-", "status": 404}));

    // A run with secrets in it, accepted and refused.
    let typed = "a password typed wrong";
    let login = |password: &str| json!({"email": "player1@example.co.ke", "password": password});
    let from = |address: &str, body: Value| {
        let request = world.nobody().request(Method::POST, "/api/login").header("x-sim-address", address);
        read(request.json(&body))
    };
    let answer = from("203.0.113.77", login(PASSWORD)).await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
    let refresh = cookie.split(';').next().unwrap().trim_start_matches("rt=").to_owned();
    from("2001:db8:1:2:3:4:5:6", login(typed)).await.expect(401);
    from("198.18.7.78", json!({"email": "NOBODY@example.co.ke", "password": typed})).await.expect(401);
    let forgotten = json!({"email": "player1@example.co.ke"});
    world.nobody().post("/api/forgot-password", forgotten).await.expect(200);
    check_security_log(&log.all(), &player.id);
    let path = format!("/api/user?token={token}");
    read(world.nobody().request(Method::GET, &path).bearer_auth("not-a-token-of-ours")).await.refused(401);
    let request = world.nobody().request(Method::POST, "/refresh");
    read(request.header(header::COOKIE, format!("rt={refresh}"))).await.expect(200);
    let withdraw = json!({"mpesaNumber": "0733987654", "amount": 60, "note": "a body's own words"});
    let request = player.request(Method::POST, "/api/withdraw").bearer_auth(&token);
    read(request.header("idempotency-key", "a-key-of-mine").json(&withdraw)).await.expect(201);
    let prompt = player.pay(50, 1).await.text(200, "checkoutId");
    world.answer_prompt(&player.phone(), paid_calling_back("duplicate")).await;
    world.faults(json!({"daraja": "reject"})).await;
    player.deposit("0733987655", 100).await.refused(400);
    let hook = world.hook(&"0".repeat(32)).await;
    world.nobody().post(&hook, json!({"Body": "a callback's own words"})).await.expect(200);
    world.advance(120).await;
    check_prompts_log(&log, &prompt);

    // M-Pesa refuses a token that was ended elsewhere, and says it in its refusal.
    let daraja = |world: &World| {
        let app = world.app().clone();
        async move { app.store().daraja_token().await.unwrap().map(|kept| kept.token).unwrap_or_default() }
    };
    world.faults(json!({"daraja": "none"})).await;
    player.pay(50, 1).await;
    let ended = daraja(&world).await;
    world.end_daraja_token().await;
    let urls = clients::daraja::PaybillUrls {
        confirmation: format!("{}/hooks/c2b/confirm/1b", world.base),
        validation: format!("{}/hooks/c2b/validate/2c", world.base),
    };
    let shortcode = world.app().config().paybill.number.clone();
    world.app().register_paybill(&shortcode, &urls).await.unwrap();
    let renewed = daraja(&world).await;
    assert!(ended.len() >= 28 && renewed.len() >= 28 && ended != renewed);

    // What fails inside is in the log once, under the id that the answer names.
    world.faults(json!({"dynamodb": {"throttle": 1.0}})).await;
    let player = Person { token: Some(token.clone()), ..player };
    let answer = player.get("/api/user").await;
    let id = answer.headers["x-request-id"].to_str().unwrap().to_owned();
    let body = answer.expect(503);
    assert_eq!(body["message"], "Something went wrong on our side. Nothing was lost. Please try again.");
    assert_eq!(body["requestId"], id);
    let lines = log.of(&id);
    let errors: Vec<_> = lines.iter().filter(|line| line["level"] == "ERROR").collect();
    assert_eq!(errors.len(), 1, "{lines:?}");
    assert!(errors[0]["error"].as_str().unwrap().contains("Throughput"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line["message"] == "request").count(), 1);

    let text = log.text();
    let phone = player.phone();
    let mac = hook.rsplit('/').next().unwrap();
    for secret in [
        PASSWORD,
        typed,
        &token,
        token.rsplit('.').next().unwrap(),
        &refresh,
        "not-a-token-of-ours",
        "0733987654",
        "254733987654",
        "0733987655",
        "254733987655",
        &phone,
        &phone[1..],
        mac,
        "a body's own words",
        "a callback's own words",
        "a-key-of-mine",
        "player1@example.co.ke",
        "player1@",
        "NOBODY@example.co.ke",
        "nobody@example.co.ke",
        "203.0.113.77",
        "198.18.7.78",
        "2001:db8:1:2",
        "x-origin-secret",
        &ended,
        &renewed,
    ] {
        // What a stand-in logs in another test beside this one is not the product's: M-Pesa's ids hold numbers.
        let mut ours = text.lines().filter(|line| !line.contains("\"target\":\"sim::"));
        let line = ours.find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} is in the log: {line:?}");
    }
    payouts_are_told(&log).await;
    a_second_factor_is_told(&log).await;
}

/// What M-Pesa answered to a prompt, and to a question about it.
fn check_prompts_log(log: &Lines, payment: &str) {
    let lines: Vec<_> = log.all().into_iter().filter(|line| line["payment"] == payment).collect();
    let said = |message: &str| lines.iter().filter(|line| line["message"] == message).collect::<Vec<_>>();
    assert_eq!(said("M-Pesa has accepted the prompt").len(), 1, "{lines:?}");
    let answers = said("M-Pesa has answered about a prompt");
    assert!(!answers.is_empty() && answers.iter().all(|line| line["code"] == "0"), "{lines:?}");
}

/// The events of the security log in whose lines `field` is `value`.
fn events(log: &Lines, field: &str, value: &str) -> Vec<String> {
    let lines = log.all().into_iter().filter(|line| line["target"] == "security" && line[field] == value);
    lines.map(|line| line["event"].as_str().unwrap().to_owned()).collect()
}

/// How each payout ends, whoever says so.
async fn payouts_are_told(log: &Lines) {
    let world = World::start().await;
    let (player, admin) = (world.player_with(1_000).await, world.admin().await);
    let pay = async |phone: &str| {
        let id = player.withdrawal(phone, 100).await;
        admin.pay_out(&id).await.expect(200);
        world.advance(0).await;
        id
    };
    let done = pay("0733000701").await;
    world.faults(json!({"payouts": "failed"})).await;
    let failed = pay("0733000702").await;
    world.faults(json!({"payouts": "unknown"})).await;
    let (paid, returned) = (pay("0733000703").await, pay("0733000704").await);
    world.advance(25 * 3600).await;
    let admin = world.admin().await;
    for (id, act) in [(&paid, "paid"), (&returned, "return")] {
        let body = json!({"act": act, "reason": "As the portal has it."});
        admin.post(&format!("/api/admin/set-asides/{id}"), body).await.expect(200);
    }
    // What was returned is paid after all.
    world.faults(json!({"payouts": "none"})).await;
    let payouts = world.nobody().get("/sim/api/payouts?phone=0733000704").await.expect(200);
    let path = format!("/payouts/{}", payouts[0]["conversationId"].as_str().unwrap());
    world.sim(Method::POST, &path, json!({"outcome": "completed"})).await;
    world.advance(0).await;
    world.advance(120).await;
    for (id, event) in [
        (&done, "payout-done"),
        (&failed, "payout-failed"),
        (&paid, "withdrawal-done"),
        (&returned, "withdrawal-rejected"),
        (&returned, "payout-corrected"),
    ] {
        let told = events(log, "on", id);
        assert!(told.contains(&event.to_owned()), "{event} in {told:?}");
    }
}

/// Wherever something is not right, and where it was tried too often.
async fn a_second_factor_is_told(log: &Lines) {
    let world = World::start().await;
    let (admin, (email, password)) = (world.admin().await, world.admin_account());
    let with = |code: &str| json!({"password": password, "code": code});
    admin.post("/api/admin/totp", json!({"password": "not the password"})).await.refused(400);
    let secret = world.start_totp(&admin).await;
    admin.post("/api/admin/totp/confirm", with("000000")).await.refused(400);
    admin.post("/api/admin/totp/confirm", with(&world.totp_code(&secret, 0))).await.expect(200);
    let mut last = 0;
    for _ in 0..11 {
        let wrong = json!({"code": "000000"});
        last = admin.post("/api/admin/totp/remove", wrong).await.status.as_u16();
    }
    assert_eq!(last, 429);
    let body = json!({"email": email, "password": password});
    world.nobody().post("/api/login", body).await.expect(401);
    let told = events(log, "player", &admin.id);
    for (event, least) in [
        ("second-factor-started", 1),
        ("second-factor-refused", 3),
        ("second-factor-enrolled", 1),
        ("second-factor-limited", 1),
        ("second-factor-asked", 1),
    ] {
        assert!(told.iter().filter(|one| *one == event).count() >= least, "{event} in {told:?}");
    }
}

/// The security log: lines of one shape, which name nobody to whoever reads them.
fn check_security_log(lines: &[Value], player: &str) {
    let security: Vec<&Value> = lines.iter().filter(|line| line["target"] == "security").collect();
    let known = [
        "timestamp",
        "level",
        "target",
        "message",
        "span",
        "event",
        "player",
        "account",
        "number",
        "network",
        "by",
        "on",
    ];
    let hex = |value: &Value| value.as_str().is_some_and(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
    for line in &security {
        for (field, value) in line.as_object().unwrap() {
            assert!(known.contains(&field.as_str()), "{field} in {line}");
            assert!(!value.as_str().is_some_and(|text| text.contains('@')), "{line}");
        }
        assert_eq!(line["message"], "security");
        for field in ["player", "by", "account", "number"] {
            assert!(line[field].is_null() || hex(&line[field]) && line[field].as_str().unwrap().len() == 32);
        }
        let network = line["network"].as_str();
        assert!(network.is_none_or(|n| n.ends_with(".0/24") || n.ends_with("::/48")), "{line}");
    }
    // Other tests' lines are in the log too.
    let of = |event: &str, field: &str, value: &Value| -> Vec<&&Value> {
        security.iter().filter(|line| line["event"] == event && line[field] == *value).collect()
    };
    let player = json!(player);
    let (signed_up, signed_in) = (of("signed-up", "player", &player), of("signed-in", "player", &player));
    assert_eq!((signed_up.len(), signed_in.len()), (1, 2));
    assert_eq!(signed_in[1]["network"], "203.0.113.0/24");
    // One account is one hash, whatever is done to it and however it is written; another's is another.
    let account = &signed_in[1]["account"];
    assert!(hex(account) && signed_up[0]["account"] == *account);
    assert_eq!(of("password-reset-asked", "account", account).len(), 1);
    assert_eq!(of("sign-in-refused", "account", account)[0]["network"], "2001:db8:1::/48");
    let nobodys = &of("sign-in-refused", "network", &json!("198.18.7.0/24"))[0]["account"];
    assert!(nobodys != account && hex(nobodys));
}

/// Whoever finds the log cannot try emails and numbers until a hash is the one that is there: it is made under a key.
#[tokio::test]
async fn an_email_and_a_number_have_another_hash_under_another_key() {
    let number = MpesaPhone::for_deposit("0712345678").unwrap();
    let logged = async |key: &str| {
        let secrets = BTreeMap::from([(names::SECURITY_LOG_KEY.to_owned(), Some(key.repeat(32)))]);
        let settings = Settings { data_dir: DataDir::Memory, secrets, ..Settings::default() };
        let world = World::start_with(settings).await;
        let entry = SecurityEntry::new(SecurityEvent::SignInRefused).email("wanjiku@example.co.ke");
        // In this thread, whose log is captured.
        let (log, _capturing) = Lines::capture();
        world.app().log_security(entry.number(&number)).await;
        let line = log.all().into_iter().find(|line| line["target"] == "security").unwrap();
        (text(&line, "account"), text(&line, "number"))
    };
    let (one, another) = (logged("1b").await, logged("2c").await);
    assert!(one.0 != another.0 && one.1 != another.1, "{one:?} {another:?}");
}
