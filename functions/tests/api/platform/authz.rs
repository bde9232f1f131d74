//! Every operation × who calls it: nobody, the player whose it is, another player, an admin.

use std::collections::BTreeSet;

use functions::Endpoint;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{PASSWORD, Person, World};

/// Whom a call serves. Everybody else meets 401 without a token, 403 with one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum For {
    /// Anybody. A token is not needed; one that is sent has to hold.
    Anyone,
    /// Anybody, and a token is not even read: a password, a mailed token or a mac says who it is.
    Unasked,
    /// Who has a session's cookie. A token is not read.
    Session,
    /// Anybody logged in, each with their own.
    Player,
    /// The player whose it is.
    Owner,
    /// The player whose it is, and an admin.
    OwnerOrAdmin,
    Admin,
}

/// Every operation. What is missing here fails, with the line to paste.
pub const CALLS: &[(&str, For)] = &[
    ("sign-up", For::Unasked),
    ("log-in", For::Unasked),
    ("log-out", For::Unasked),
    ("refresh", For::Session),
    ("forgot-password", For::Unasked),
    ("reset-password", For::Unasked),
    ("get-user", For::Player),
    ("link-team", For::Player),
    ("get-team-proof", For::Player),
    ("start-team-proof", For::Player),
    ("check-team-proof", For::Player),
    ("get-wallet", For::OwnerOrAdmin),
    ("list-transactions", For::Player),
    ("list-payments", For::Player),
    ("list-entries", For::Player),
    ("start-deposit", For::Owner),
    ("get-deposit-status", For::Anyone),
    ("start-entry-payment", For::Owner),
    ("get-entry-payment-status", For::Anyone),
    ("submit-manual-payment", For::Player),
    ("list-manual-payments", For::Admin),
    ("confirm-manual-payment", For::Admin),
    ("reject-manual-payment", For::Admin),
    ("list-withdrawals", For::Player),
    ("request-withdrawal", For::Player),
    ("update-withdrawal", For::Admin),
    ("pay-withdrawal", For::Admin),
    ("get-cancellation", For::Unasked),
    ("cancel-withdrawal", For::Unasked),
    ("list-set-asides", For::Admin),
    ("get-set-aside", For::Admin),
    ("decide-set-aside", For::Admin),
    ("get-books", For::Admin),
    ("join-league", For::Owner),
    ("list-leagues", For::Anyone),
    ("get-points", For::Anyone),
    ("get-settlement", For::Anyone),
    ("list-gameweeks", For::Anyone),
    ("get-current-gameweek", For::Anyone),
    ("get-gameweek-status", For::Anyone),
    ("get-draw", For::Anyone),
    ("process-winners", For::Admin),
    ("toggle-deduction", For::Admin),
    ("get-totp", For::Admin),
    ("start-totp", For::Admin),
    ("confirm-totp", For::Admin),
    ("remove-totp", For::Admin),
    ("step-up", For::Admin),
    ("search-players", For::Admin),
    ("get-player", For::Admin),
    ("update-player", For::Admin),
    ("release-number", For::Admin),
    ("correct-wallet", For::Admin),
    ("preview-winners", For::Admin),
    ("list-owed-gameweeks", For::Admin),
    ("preview-void", For::Admin),
    ("void-gameweek", For::Admin),
    ("list-audit", For::Admin),
    ("list-approvals", For::Admin),
    ("decide-approval", For::Admin),
    ("export-table", For::Admin),
    ("get-switches", For::Admin),
    ("set-switches", For::Admin),
    ("list-waiting-leagues", For::Admin),
    ("decide-league", For::Admin),
    ("create-influencer", For::Admin),
    ("list-influencers", For::Admin),
    ("follow-referral", For::Anyone),
    ("get-settings", For::Anyone),
    ("receive-stk-callback", For::Unasked),
    ("receive-paybill-confirmation", For::Unasked),
    ("receive-payout-result", For::Unasked),
    ("receive-payout-timeout", For::Unasked),
    ("receive-status-result", For::Unasked),
];

/// Whom `endpoint` serves.
///
/// # Panics
/// `CALLS` does not say so.
pub fn serves(endpoint: &Endpoint) -> For {
    let line = CALLS.iter().find(|(name, _)| *name == endpoint.name);
    let paste = || panic!("who may call it? Paste into CALLS:\n\n    (\"{}\", For::…),\n", endpoint.name);
    line.map_or_else(paste, |(_, who)| *who)
}

/// The endpoint's path, with `owner`'s ids where they are a player's and ids that nothing has elsewhere.
pub fn path_for(endpoint: &Endpoint, owner: &Person) -> String {
    let named = |segment: &str| match segment {
        "{userId}" => owner.id.clone(),
        "{fplId}" => owner.fpl_id.clone(),
        "{n}" => "1".to_owned(),
        "{mac}" => "0".repeat(64),
        "{token}" => "0".repeat(96),
        segment if segment.starts_with('{') => "0".repeat(32),
        literal => literal.to_owned(),
    };
    endpoint.path.split('/').map(named).collect::<Vec<_>>().join("/")
}

/// A body that says it is `owner`'s, where a call lets it say so.
fn body_for(endpoint: &Endpoint, owner: &Person) -> Option<Value> {
    match endpoint.name.as_str() {
        "start-deposit" => Some(json!({"userId": owner.id})),
        "start-entry-payment" => Some(json!({"fplId": owner.fpl_id})),
        "join-league" => Some(json!({"fplId": owner.fpl_id, "entryAmount": 50, "gameweek": 1})),
        _ => (endpoint.method != Method::GET).then(|| json!({})),
    }
}

pub async fn call(person: &Person, endpoint: &Endpoint, owner: &Person) -> StatusCode {
    let (path, body) = (path_for(endpoint, owner), body_for(endpoint, owner));
    person.send(endpoint.method.clone(), &path, body).await.status
}

/// What nobody, the owner, another player and an admin meet: a refusal's status, or `None` where the
/// call serves them.
fn expected(who: For) -> [Option<u16>; 4] {
    match who {
        For::Anyone | For::Unasked => [None, None, None, None],
        For::Session | For::Player => [Some(401), None, None, None],
        For::Owner => [Some(401), None, Some(403), Some(403)],
        For::OwnerOrAdmin => [Some(401), None, Some(403), None],
        For::Admin => [Some(401), Some(403), Some(403), None],
    }
}

#[tokio::test]
async fn every_operation_serves_whom_it_is_for_and_nobody_else() {
    let world = World::start().await;
    let (owner, other, admin) = (world.player().await, world.player().await, world.admin().await);
    for endpoint in functions::endpoints() {
        let who = serves(&endpoint);
        let callers = match who {
            // These begin and end sessions: in browsers of their own.
            For::Unasked | For::Session => [
                world.nobody(),
                world.log_in("player1@example.co.ke", PASSWORD).await,
                world.log_in("player2@example.co.ke", PASSWORD).await,
                world.admin().await,
            ],
            _ => [world.nobody(), owner.clone(), other.clone(), admin.clone()],
        };
        let mut met = Vec::new();
        for caller in &callers {
            let status = call(caller, &endpoint, &owner).await.as_u16();
            met.push(matches!(status, 401 | 403).then_some(status));
        }
        assert_eq!(met, expected(who), "{} is for {who:?}", endpoint.name);
    }
}

#[test]
fn the_list_names_nothing_that_is_gone() {
    let there: BTreeSet<String> = functions::endpoints().into_iter().map(|endpoint| endpoint.name).collect();
    let gone: Vec<_> = CALLS.iter().filter(|(name, _)| !there.contains(*name)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

/// The document says of each call what the list says.
#[test]
fn the_document_tells_who_needs_a_token() {
    let document = serde_json::to_value(functions::document()).unwrap();
    for endpoint in functions::endpoints() {
        let method = endpoint.method.as_str().to_lowercase();
        let security = &document["paths"][&endpoint.path][&method]["security"];
        let expected = match serves(&endpoint) {
            For::Unasked | For::Session => Value::Null,
            For::Anyone => json!([{}, {"bearer": []}]),
            // With a prompt that was paid it needs none.
            For::Owner if endpoint.name == "join-league" => json!([{}, {"bearer": []}]),
            _ => json!([{"bearer": []}]),
        };
        assert_eq!(*security, expected, "{}", endpoint.name);
    }
}

#[tokio::test]
async fn a_token_that_is_not_valid_is_refused_on_every_call() {
    let world = World::start().await;
    let owner = world.player().await;
    let good = owner.token.clone().unwrap();
    // A foreign world's: another key.
    let foreign = World::start().await.player().await.token.unwrap();
    let parts: Vec<&str> = good.split('.').collect();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0";
    let bad = [
        "nonsense".to_owned(),
        format!("{none}.{}.", parts[1]),
        format!("{}.{}.{}", parts[0], parts[1], "A".repeat(86)),
        foreign,
        // An expired one: the clock is moved before any is sent.
        good.clone(),
    ];
    world.advance(16 * 60).await;
    for token in bad {
        let person = Person { token: Some(token), ..world.nobody() };
        for endpoint in functions::endpoints() {
            if matches!(serves(&endpoint), For::Unasked | For::Session) {
                continue;
            }
            assert_eq!(call(&person, &endpoint, &owner).await, 401, "{}", endpoint.name);
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
