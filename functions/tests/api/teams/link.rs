//! Whose team it is: asked for at sign-up, or before the first entry where the game did not answer.

use app::teams::link;
use local::process::Fate;
use reqwest::Method;
use serde_json::json;

use crate::support::{PASSWORD, World, team_proofs::name_team};

#[tokio::test]
async fn a_team_that_does_not_exist_is_refused() {
    let world = World::start().await;
    world.team_exists("4242", false).await;
    let form =
        json!({"email": "a@example.co.ke", "username": "Achieng", "password": PASSWORD, "fplId": "4242"});
    let message = world.nobody().post("/api/signup", form.clone()).await.refused(400);
    assert!(message.starts_with("There is no team with this FPL ID."), "{message}");
    world.sim(Method::PUT, "/fpl/entries/4242", json!({"exists": true, "teamName": "Gor Mahia Fans"})).await;
    world.nobody().post("/api/signup", form).await.expect(201);
    let player = world.log_in("a@example.co.ke", PASSWORD).await;
    assert_eq!(player.user().await["teamName"], "Gor Mahia Fans");
}

#[tokio::test]
async fn one_taken_on_trust_is_asked_for_before_the_first_entry() {
    let world = World::start().await;
    world.faults(json!({"fpl": "down"})).await;
    let player = world.player_with(100).await;
    assert_eq!(player.user().await["teamName"], json!(null));
    player.join(50, 1).await.refused(503);
    player.pay(50, 1).await.refused(503);
    world.faults(json!({"fpl": "none"})).await;
    world.team_exists(&player.fpl_id, false).await;
    player.join(50, 1).await.refused(400);
    assert_eq!(player.pay(50, 1).await.expect(400)["success"], false);
    assert_eq!(player.wallet().await, 100);
    let team = json!({"exists": true, "teamName": "Late Finders"});
    world.sim(Method::PUT, &format!("/fpl/entries/{}", player.fpl_id), team).await;
    player.join(50, 1).await.expect(201);
    assert_eq!(player.user().await["teamName"], "Late Finders");
    assert_eq!(player.leagues(50, 1).await[0]["users"][0]["teamName"], "Late Finders");
}

/// An admin gives the account another team while the official game is asked for the name of the one before.
#[tokio::test]
async fn the_name_of_the_team_before_is_not_kept_for_the_next_one() {
    let world = World::start().await;
    world.faults(json!({"fpl": "down"})).await;
    let player = world.player().await;
    world.faults(json!({"fpl": "none"})).await;
    name_team(&world, "880001", "The next one").await;
    let (process, stored) = (world.process(Fate::WaitsBefore(1)), world.stored(&player).await);
    let correct = async {
        let body = json!({"fplId": "880001", "reason": "Asked for by mail."});
        world.change_player(&player.id, body).await.expect(200);
    };
    process.run_around(link::checked(process.app(), stored), correct).await.unwrap();
    assert_eq!(world.again(&player).await.user().await["teamName"], "The next one");
}

/// Ids are given out anew each season: under the same one there was another team.
#[tokio::test]
async fn the_name_of_the_season_before_is_not_kept_for_this_ones_team() {
    let (world, player) = World::with_player(0).await;
    let (store, stored) = (world.app().store(), world.stored(&player).await);
    let before = (stored.season - 1, stored.fpl_id.unwrap());
    assert!(!store.keep_team_name(&stored.id, before, "The one before").await.unwrap());
    assert_eq!(world.stored(&player).await.team_name, stored.team_name);
}
