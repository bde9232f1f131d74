//! Players see where they are logged in, and end it there, with the pushes to that browser.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Person, World, person::refresh_token, read, text};

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let world = World::start().await;
    let one = world.player().await;
    let (two, three) = (world.again(&one).await, world.again(&one).await);
    let stranger = world.player().await;
    let listed = one.get("/api/me/sessions").await.expect(200);
    let listed = listed.as_array().unwrap();
    assert_eq!((listed.len(), listed.iter().filter(|session| session["current"] == true).count()), (3, 1));
    let of_two = two.get("/api/me/sessions").await.expect(200);
    let of_two =
        of_two.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap().clone();
    let path = format!("/api/me/sessions/{}", text(&of_two, "_id"));
    stranger.send(Method::DELETE, &path, None).await.refused(404);
    two.user().await;
    one.send(Method::DELETE, &path, None).await.expect(204);
    two.get("/api/user").await.refused(401);
    one.send(Method::DELETE, &path, None).await.refused(404);
    one.send(Method::DELETE, "/api/me/sessions/others", None).await.expect(204);
    three.get("/api/user").await.refused(401);
    assert_eq!(one.get("/api/me/sessions").await.expect(200).as_array().unwrap().len(), 1);
    stranger.user().await;
}

/// How many browsers a player's pushes go to.
async fn browsers(player: &Person) -> usize {
    player.notifications().await["subscriptions"].as_array().unwrap().len()
}

/// Who has been in a player's account on a phone of their own hears no more of it once that session is ended.
#[rstest]
#[tokio::test]
async fn pushes_end_with_the_session_that_asked_for_them(
    #[values("one", "others", "logged out", "token used again")] how: &str,
) {
    let world = World::start().await;
    let owner = world.player().await;
    let thief = world.again(&owner).await;
    let (of_owner, of_thief) = (owner.with_phone(&world).await, thief.with_phone(&world).await);
    assert_eq!(browsers(&owner).await, 2);
    match how {
        "logged out" => drop(read(thief.request(Method::POST, "/logout")).await.expect(204)),
        "token used again" => {
            let old = refresh_token(read(thief.request(Method::POST, "/refresh")).await.headers);
            world.refreshed(&old).await.expect("the token in force");
            world.advance(11).await;
            assert_eq!(world.refreshed(&old).await, None);
        }
        _ => {
            let of_thief_session = thief.get("/api/me/sessions").await.expect(200);
            let mut sessions = of_thief_session.as_array().unwrap().iter();
            let id = text(sessions.find(|session| session["current"] == true).unwrap(), "_id");
            let which = if how == "others" { how } else { &id };
            owner.send(Method::DELETE, &format!("/api/me/sessions/{which}"), None).await.expect(204);
        }
    }
    assert_eq!(browsers(&owner).await, 1);
    world.fund(&owner, 200).await;
    world.advance(60).await;
    let shows_payment = async |phone| world.kinds_shown(phone).await.contains(&"payment".to_owned());
    assert!(shows_payment(&of_owner).await && !shows_payment(&of_thief).await);
}

/// After a new password only the account's safety is told where pushes were on before: it may be the owner's phone or the
/// thief's. Turned on again it is told of everything.
#[tokio::test]
async fn a_new_password_ends_the_pushes_of_before_but_for_the_accounts_safety() {
    let world = World::start().await;
    let player = world.player().await;
    let (email, phone) = (player.email(), player.with_phone(&world).await);
    world.reset_password(&email, "another horse").await;
    world.advance(60).await;
    let player = world.log_in(&email, "another horse").await;
    assert_eq!(browsers(&player).await, 0);
    world.fund(&player, 200).await;
    world.advance(60).await;
    let told = world.kinds_shown(&phone).await;
    assert!(!told.is_empty() && told.iter().all(|kind| kind == "security"), "{told:?}");
    world.reset_password(&email, "one horse more").await;
    world.advance(60).await;
    let player = world.log_in(&email, "one horse more").await;
    let more = world.kinds_shown(&phone).await;
    assert!(more.len() > told.len() && more.iter().all(|kind| kind == "security"), "it goes on: {more:?}");
    player.post("/api/me/push-subscriptions", phone.told.clone()).await.expect(201);
    assert_eq!(browsers(&player).await, 1);
    world.fund(&player, 300).await;
    world.advance(60).await;
    assert!(world.kinds_shown(&phone).await.contains(&"payment".to_owned()));
}

/// The same after what an admin does about a thief.
#[rstest]
#[case::a_freeze_that_is_over(vec![json!({"frozen": true}), json!({"frozen": false})])]
#[case::an_end_of_all_sessions(vec![json!({"endSessions": true})])]
#[tokio::test]
async fn what_an_admin_ends_ends_the_pushes_of_before_but_for_the_accounts_safety(#[case] acts: Vec<Value>) {
    let world = World::start().await;
    let player = world.player().await;
    let phone = player.with_phone(&world).await;
    for mut act in acts {
        act["reason"] = json!("A thief has been in it.");
        world.change_player(&player.id, act).await.expect(200);
    }
    let player = world.again(&player).await;
    assert_eq!(browsers(&player).await, 0);
    world.fund(&player, 200).await;
    world.advance(120).await;
    // That the number is the player's own from now on is about the account's safety; the money is not.
    assert_eq!(world.kinds_shown(&phone).await, ["security"]);
}
