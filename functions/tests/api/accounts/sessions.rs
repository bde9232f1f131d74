//! Sign-up, log-in, refresh and log-out.

use reqwest::{Method, StatusCode, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{PASSWORD, World, assert_has, at_once, read};

fn form() -> Value {
    json!({"email": "Wanjiku@Example.co.ke", "username": "Wanjiku", "password": PASSWORD, "fplId": "0042"})
}

#[tokio::test]
async fn signing_up_and_logging_in() {
    let world = World::start().await;
    assert_eq!(world.nobody().post("/api/signup", form()).await.expect(201), json!("notexist"));
    let answer = world
        .nobody()
        .post("/api/login", json!({"email": "wanjiku@example.co.ke", "password": format!(" {PASSWORD} ")}))
        .await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
    for part in ["rt=", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Expires"));
    let body = answer.expect(200);
    assert_eq!(body["status"], "exist");
    assert_has(&body, json!({"username": "Wanjiku", "fplId": "42", "role": "player"}));
    assert_eq!(body["email"], "Wanjiku@Example.co.ke");
    assert_eq!(body["token"], body["accessToken"]);
}

#[rstest]
#[case("email", json!("wanjiku@EXAMPLE.CO.KE"))]
#[case("username", json!("WANJIKU"))]
#[case("fplId", json!("42"))]
#[tokio::test]
async fn what_is_taken_is_taken_whatever_its_case(#[case] same: &str, #[case] value: Value) {
    let world = World::start().await;
    world.nobody().post("/api/signup", form()).await.expect(201);
    let mut other =
        json!({"email": "o@example.co.ke", "username": "Otieno", "password": PASSWORD, "fplId": "7"});
    world
        .nobody()
        .post(
            "/api/signup",
            json!({"email": "o@example.co.ke", "username": "Otieno", "password": PASSWORD, "fplId": "8"}),
        )
        .await
        .expect(201);
    other["email"] = json!("p@example.co.ke");
    other["username"] = json!("Other");
    other[same] = value;
    assert_eq!(world.nobody().post("/api/signup", other.clone()).await.expect(409), json!("exist"));
    // Nothing of a refused sign-up is claimed.
    other[same] = match same {
        "email" => json!("p@example.co.ke"),
        "username" => json!("Other"),
        _ => json!("9"),
    };
    world.nobody().post("/api/signup", other).await.expect(201);
}

#[tokio::test]
async fn two_at_once_with_one_team_make_one_account() {
    let world = World::start().await;
    let tries = (0..6).map(|i| {
        let nobody = world.nobody();
        let form = json!({"email": format!("{i}@example.co.ke"), "username": format!("same{i}"), "password": PASSWORD, "fplId": "42"});
        async move { nobody.post("/api/signup", form).await.status }
    });
    let mut made = 0;
    for attempt in at_once(tries).await {
        made += usize::from(attempt == StatusCode::CREATED);
    }
    assert_eq!(made, 1);
}

#[rstest]
#[case("fplId", json!("12a"), "FPL ID must be a numeric value.")]
#[case("fplId", json!(42), "FPL ID must be a numeric value.")]
#[case("fplId", json!(null), "FPL ID must be a numeric value.")]
#[case("password", json!(" 12345 "), "Password must be at least 6 characters long.")]
#[case("password", json!(["x"]), "Password must be at least 6 characters long.")]
#[case("username", json!("thirteenchars"), "Enter a username of 3 to 12 characters.")]
#[case("username", json!("ab"), "Enter a username of 3 to 12 characters.")]
#[case("username", json!(null), "Enter a username of 3 to 12 characters.")]
#[case("username", json!("a\u{202e}b"), "A username has only letters without accents, digits, '.', '_' and '-'.")]
#[case("username", json!("Żółw"), "A username has only letters without accents, digits, '.', '_' and '-'.")]
#[case("username", json!("12345"), "A username has at least one letter.")]
#[case("username", json!("M-P3sa"), "This username is reserved. Choose another.")]
#[case("password", json!("PassWord1"), "This password is too common. Choose another.")]
#[case("over18", json!(false), "You must be 18 or older to play.")]
#[case("over18", json!("yes"), "You must be 18 or older to play.")]
#[case("email", json!("nobody"), "Enter a valid email address.")]
#[tokio::test]
async fn a_field_that_is_not_in_order_is_met_with_its_own_text(
    #[case] field: &str,
    #[case] value: Value,
    #[case] message: &str,
) {
    let world = World::start().await;
    let mut form = form();
    form[field] = value;
    assert_eq!(world.nobody().post("/api/signup", form).await.refused(400), message);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_are_told_alike() {
    let world = World::start().await;
    world.player().await;
    for (email, password) in [
        ("player1@example.co.ke", "wrong password"),
        ("nobody@example.co.ke", PASSWORD),
        ("player1@example.co.ke", "short"),
        ("no email", PASSWORD),
    ] {
        let answer = world.nobody().post("/api/login", json!({"email": email, "password": password})).await;
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
        let body = answer.expect(401);
        assert_eq!(body["status"], "notexist");
        assert_eq!(body["message"], "Invalid email or password. Please try again.");
    }
    world.nobody().post("/api/login", json!({})).await.refused(400);
}

#[tokio::test]
async fn a_token_ends_after_fifteen_minutes_and_the_cookie_gives_the_next() {
    let (world, mut player) = World::with_player(0).await;
    world.advance(14 * 60).await;
    player.user().await;
    world.advance(2 * 60).await;
    player.get("/api/user").await.refused(401);
    player.get("/api/leagues").await.refused(401);
    player.refresh().await;
    player.user().await;
}

#[tokio::test]
async fn a_session_ends_at_log_out_on_the_server_too() {
    let (_world, player) = World::with_player(100).await;
    read(player.request(Method::POST, "/logout")).await.expect(204);
    read(player.request(Method::POST, "/refresh")).await.refused(401);
    player.join(50, 1).await.refused(401);
    player.get("/api/user").await.refused(401);
}

/// A refresh token is good once; used again within ten seconds it gives the same session on, later
/// it ends the family.
#[tokio::test]
async fn a_replayed_refresh_token_ends_the_family() {
    let world = World::start().await;
    let sign_up = world.player().await;
    let body = json!({"email": "player1@example.co.ke", "password": PASSWORD});
    let first = cookie(world.nobody().post("/api/login", body).await.headers);
    let second = refreshed(&world, &first).await.expect("the first use");
    let grace = refreshed(&world, &first).await.expect("a second tab within the grace");
    assert_eq!(second, grace, "both tabs end up with one token");
    world.advance(11).await;
    let third = refreshed(&world, &second).await.expect("the token in force");
    world.advance(11).await;
    assert_eq!(refreshed(&world, &second).await, None, "replayed");
    assert_eq!(refreshed(&world, &third).await, None, "the family is ended");
    assert_eq!(refreshed(&world, "nonsense").await, None);
    sign_up.user().await;
}

async fn refreshed(world: &World, token: &str) -> Option<String> {
    let request =
        world.nobody().request(Method::POST, "/refresh").header(header::COOKIE, format!("rt={token}"));
    let answer = read(request).await;
    (answer.status == StatusCode::OK).then(|| cookie(answer.headers))
}

fn cookie(headers: header::HeaderMap) -> String {
    let line = headers[header::SET_COOKIE].to_str().unwrap();
    line.split(';').next().unwrap().trim_start_matches("rt=").to_owned()
}

#[tokio::test]
async fn another_site_cannot_use_the_cookie() {
    let (world, player) = World::with_player(0).await;
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        for path in ["/refresh", "/logout", "/api/login"] {
            let request = player.request(Method::POST, path).header(name, value).json(&json!({}));
            read(request).await.refused(403);
        }
    }
    read(player.request(Method::POST, "/refresh").header("origin", &world.base)).await.expect(200);
}

#[tokio::test]
async fn a_session_that_is_not_used_for_two_weeks_is_over() {
    let (world, mut player) = World::with_player(0).await;
    world.advance(13 * 24 * 3600).await;
    player.refresh().await;
    world.advance(15 * 24 * 3600).await;
    read(player.request(Method::POST, "/refresh")).await.refused(401);
}
