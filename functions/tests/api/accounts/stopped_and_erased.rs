//! Who has stopped playing closes the account, and everything personal in it goes: their number and their team are nobody
//! else's all the same until the stop is over.

use local::template::Table;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    PASSWORD, Person, World,
    mpesa::paid,
    njeri::{CLOSURE, right},
    team_proofs::{owner, prove},
};

/// The prompt on the phone is paid and the team is proved: both are the player's own.
async fn show_what_is_theirs(world: &World, player: &Person) {
    world.answer_prompt(&player.phone(), paid()).await;
    prove(world, player, &player.fpl_id).await;
}

async fn stop_for_two_weeks(player: &Person) {
    player.post("/api/me/exclusion", json!({"for": "2w", "password": PASSWORD})).await.expect(201);
}

/// DynamoDB deletes by now all that has expired; on AWS that takes some time.
async fn delete_what_has_expired(world: &World) {
    let key = |name: &str| json!({"AttributeName": name});
    let create = json!({"KeySchema": [key("pk"), key("sk")]});
    let name = world.app().config().table_name.clone();
    let table = Table { name, create, ttl: Some("ttl".to_owned()) };
    world.dynamo().sweep(&table, world.app().clock().now()).await.unwrap();
}

#[rstest]
#[case::theirs_before_they_stopped(true)]
#[case::theirs_after_they_had_stopped(false)]
#[tokio::test]
async fn nobody_takes_their_number_or_their_team_before_the_stop_is_over(#[case] before: bool) {
    let (world, stopper) = World::with_player(0).await;
    let (number, team) = (stopper.phone(), stopper.fpl_id.clone());
    stopper.prompt(50).await;
    if before {
        show_what_is_theirs(&world, &stopper).await;
    }
    stop_for_two_weeks(&stopper).await;
    if !before {
        show_what_is_theirs(&world, &stopper).await;
    }
    stopper.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert!(world.app().store().player(&stopper.user_id()).await.unwrap().is_none(), "it is erased");
    delete_what_has_expired(&world).await;

    let other = world.player_with(100).await;
    assert_eq!(other.deposit(&number, 100).await.expect(409)["code"], "number_of_another_player");
    assert_eq!(other.withdraw(&number, 60).await.expect(409)["code"], "number_not_paid");
    // Signing up with the team is refused; without it there is an account.
    let again = owner(&world, "again", &team).await;
    again.link_team(&team).await.refused(409);
    let proof = again.post("/api/user/team/proof", json!({"fplId": team})).await.expect(409);
    assert_eq!(proof["code"], "team_proved_by_another");

    world.advance(7 * 24 * 3600).await;
    delete_what_has_expired(&world).await;
    world.again(&other).await.deposit(&number, 100).await.expect(200);
    let again = world.log_in("again@example.co.ke", PASSWORD).await;
    again.link_team(&team).await.expect(200);
}
