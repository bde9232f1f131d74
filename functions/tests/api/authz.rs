//! Every operation × who calls it. What is not on a list here is refused to everybody else.

use reqwest::Method;
use serde_json::json;

use crate::support::{Person, World};

/// Operations that need no token. The list may only shrink without a reason.
const PUBLIC: &[&str] = &[
    "follow-referral",
    "forgot-password",
    "get-current-gameweek",
    "get-deposit-status",
    "get-draw",
    "get-entry-payment-status",
    "get-gameweek-status",
    "get-points",
    "get-settings",
    "get-settlement",
    "join-league",
    "list-leagues",
    "log-in",
    "log-out",
    "receive-stk-callback",
    "refresh",
    "reset-password",
    "sign-up",
];

/// Operations for an admin only.
const ADMIN: &[&str] = &[
    "confirm-manual-payment",
    "create-influencer",
    "list-influencers",
    "list-manual-payments",
    "process-winners",
    "reject-manual-payment",
    "toggle-deduction",
    "update-withdrawal",
];

/// Calls that take no bearer at all: they log in, or are M-Pesa's.
const BEARERLESS: &[&str] =
    &["forgot-password", "log-in", "log-out", "receive-stk-callback", "refresh", "reset-password", "sign-up"];

fn path_of(path: &str) -> String {
    path.replace("{code}", "0000000000")
        .replace("{userId}", &"0".repeat(32))
        .replace("{fplId}", "1")
        .replace("{id}", &"0".repeat(32))
        .replace("{n}", "1")
        .replace("{paymentId}", &"0".repeat(32))
        .replace("{token}", &"0".repeat(96))
        .replace("{mac}", &"0".repeat(64))
}

async fn call(person: &Person, endpoint: &functions::Endpoint) -> u16 {
    let body = (endpoint.method != Method::GET).then(|| json!({}));
    person.send(endpoint.method.clone(), &path_of(&endpoint.path), body).await.status.as_u16()
}

#[tokio::test]
async fn every_operation_is_public_or_refuses_nobody() {
    let world = World::start().await;
    let nobody = world.nobody();
    let mut public = Vec::new();
    for endpoint in functions::endpoints() {
        // Needs a session's cookie rather than a token, or (join) a token only where nothing is paid.
        let own_rule = matches!(endpoint.name.as_str(), "refresh" | "join-league");
        if call(&nobody, &endpoint).await != 401 || own_rule {
            public.push(endpoint.name);
        }
    }
    public.sort_unstable();
    assert_eq!(public, PUBLIC);
}

#[tokio::test]
async fn an_admins_operations_are_forbidden_to_players() {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    let mut forbidden = Vec::new();
    for endpoint in functions::endpoints() {
        if matches!(endpoint.name.as_str(), "log-out" | "get-wallet") {
            continue;
        }
        if call(&player, &endpoint).await == 403 {
            let as_admin = call(&admin, &endpoint).await;
            assert!(!matches!(as_admin, 401 | 403), "{}: {as_admin}", endpoint.name);
            forbidden.push(endpoint.name);
        }
    }
    forbidden.sort_unstable();
    assert_eq!(forbidden, ADMIN);
}

#[tokio::test]
async fn a_token_that_is_not_valid_is_refused_on_every_call() {
    let world = World::start().await;
    let good = world.player().await.token.unwrap();
    let parts: Vec<&str> = good.split('.').collect();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0";
    let bad = [
        "nonsense".to_owned(),
        format!("{none}.{}.", parts[1]),
        format!("{}.{}.{}", parts[0], parts[1], "A".repeat(86)),
        // A foreign world's: another key.
        World::start().await.player().await.token.unwrap(),
    ];
    for token in bad {
        let person = Person { token: Some(token), ..world.nobody() };
        for endpoint in functions::endpoints() {
            if BEARERLESS.contains(&endpoint.name.as_str()) {
                continue;
            }
            // Bodies are read after the caller, so an empty one does not hide the refusal.
            assert_eq!(call(&person, &endpoint).await, 401, "{}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn a_wallet_is_its_owners_and_an_admins() {
    let world = World::start().await;
    let (one, other, admin) = (world.player_with(70).await, world.player().await, world.admin().await);
    let path = format!("/api/users/{}/wallet", one.id);
    assert_eq!(one.get(&path).await.expect(200)["wallet"], 70);
    assert_eq!(admin.get(&path).await.expect(200)["wallet"], 70);
    other.get(&path).await.refused(403);
    admin.get(&format!("/api/users/{}/wallet", "f".repeat(32))).await.refused(404);
    admin.get("/api/users/nobody/wallet").await.refused(404);
}
