//! Sign-up.

use reqwest::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{PASSWORD, World, at_once};

fn form() -> Value {
    json!({"email": "Wanjiku@Example.co.ke", "username": "Wanjiku", "password": PASSWORD, "fplId": "0042"})
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
    let answer = world.nobody().post("/api/signup", other.clone()).await;
    // Whether somebody has an account here is nobody's business: of an email it is not said that it is that.
    assert_eq!(
        answer.headers.get("x-taken").map(|names| names.to_str().unwrap()),
        Some(same).filter(|field| *field != "email")
    );
    assert_eq!(answer.expect(409), json!("exist"));
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

/// Who signs up in Kiswahili is written to in Kiswahili from the first mail on.
#[tokio::test]
async fn the_first_mail_is_in_the_language_of_the_sign_up() {
    let world = World::start().await;
    let form_in = |language: Value| {
        let mut form = form();
        form["language"] = language;
        form
    };
    for wrong in [json!("fr"), json!("SW"), json!(1)] {
        world.nobody().post("/api/signup", form_in(wrong)).await.expect(400);
    }
    world.nobody().post("/api/signup", form_in(json!("sw"))).await.expect(201);
    let player = world.log_in("Wanjiku@Example.co.ke", PASSWORD).await.with_number(4242);
    assert_eq!(player.notifications().await["language"], "sw");
    world.fund(&player, 100).await;
    let mails = world.mails("wanjiku@example.co.ke").await;
    let subjects: Vec<&str> = mails.iter().map(|mail| mail["subject"].as_str().unwrap()).collect();
    assert!(subjects.iter().any(|subject| subject.ends_with("ni nambari yako sasa")), "{subjects:?}");
}
