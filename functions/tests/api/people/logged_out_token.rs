//! Logged out, and kept the token. Every call is asked with a token whose session has ended.

use app::Safeguards::{self, Full, Light};
use domain::Role;
use functions::Endpoint;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::admin::audit::{AuditAction, AuditRecord, Who};

use crate::support::{
    Person, World,
    authz::{For, call, serves},
    read,
};

/// A way in which a session ends.
#[derive(Clone, Copy, Debug)]
enum End {
    LogOut,
    PasswordReset,
    ByAnAdmin,
    Freeze,
    /// Its refresh token was stolen, and both have used it.
    Replay,
}

impl End {
    async fn end(self, world: &World, victim: &Person) {
        match self {
            Self::LogOut => {
                read(victim.request(Method::POST, "/logout")).await.expect(204);
            }
            Self::PasswordReset => {
                world.reset_password(&victim.email(), "battery staple").await;
            }
            Self::ByAnAdmin => {
                let change = json!({"endSessions": true, "reason": "Asked for by the player."});
                world.change_player(&victim.id, change).await.expect(200);
            }
            Self::Freeze => {
                let change = json!({"frozen": true, "reason": "A thief."});
                world.change_player(&victim.id, change).await.expect(200);
            }
            Self::Replay => {
                let thief = victim.clone();
                let stolen = {
                    let answer = read(victim.request(Method::POST, "/refresh")).await;
                    answer.headers[reqwest::header::SET_COOKIE].to_str().unwrap().to_owned()
                };
                let stolen = stolen.split(';').next().unwrap().to_owned();
                for _ in 0..2 {
                    world.advance(11).await;
                    read(thief.request(Method::POST, "/refresh")).await.expect(200);
                }
                let replay = world.nobody().request(Method::POST, "/refresh").header("cookie", stolen);
                read(replay).await.refused(401);
            }
        }
    }
}

/// A player who is an admin too: every call that needs a log-in serves them.
async fn player_and_admin(world: &World) -> Person {
    let person = world.player_with(1_000).await;
    let id = person.user_id();
    let act = AuditRecord::new(
        Who::Operator,
        AuditAction::GrantAdmin,
        format!("player {id}"),
        world.app().clock().now(),
    );
    assert!(world.app().store().set_role(&id, Role::Admin, &act).await.unwrap());
    person
}

fn reads_a_token(endpoint: &Endpoint) -> bool {
    !matches!(serves(endpoint), For::Unasked | For::Session)
}

#[rstest]
#[tokio::test]
async fn a_kept_token_is_refused_on_every_call(
    #[values(Light, Full)] safeguards: Safeguards,
    #[values(End::LogOut, End::PasswordReset, End::ByAnAdmin, End::Freeze, End::Replay)] end: End,
) {
    let world = World::start_guarded(safeguards).await;
    let victim = player_and_admin(&world).await;
    for path in ["/api/user", "/api/withdraw", "/api/leagues", "/api/settings"] {
        victim.get(path).await.expect(200);
    }
    end.end(&world, &victim).await;
    for endpoint in functions::endpoints().iter().filter(|endpoint| reads_a_token(endpoint)) {
        assert_eq!(call(&victim, endpoint, &victim).await, 401, "{} after {end:?}", endpoint.name);
    }
    read(victim.request(Method::POST, "/refresh")).await.refused(401);
    // Nothing was done in its name.
    assert_eq!(world.ledger().await.wallets[&victim.id], 1_000);
}

/// Other sessions of the account go on after a log-out.
#[rstest]
#[tokio::test]
async fn a_log_out_ends_its_own_session_only(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let here = world.player().await;
    let elsewhere = world.player_again(1).await;
    End::LogOut.end(&world, &here).await;
    here.get("/api/user").await.refused(401);
    elsewhere.user().await;
}
