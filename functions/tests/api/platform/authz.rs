//! Every operation × who calls it: nobody, the player whose it is, another player, an admin.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{
    Person, World,
    authz::{CALLS, For, call, serves},
};

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
                world.player_again(1).await,
                world.player_again(2).await,
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
            For::Unasked | For::Session => json!([]),
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
            if endpoint.is_public {
                let status = call(&person, &endpoint, &owner).await;
                assert!(status != 401 && status != 403, "{} reads a token", endpoint.name);
            }
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
