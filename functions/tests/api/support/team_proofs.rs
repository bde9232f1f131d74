//! Teams that are proved by a code in their name.

use reqwest::Method;
use serde_json::json;

use super::{Answer, PASSWORD, Person, World};

/// The owner of `fpl_id`, which somebody else has: signed up without a team.
pub async fn owner(world: &World, name: &str, fpl_id: &str) -> Person {
    let mut form = World::sign_up_form(&format!("{name}@example.co.ke"), name, fpl_id);
    assert_eq!(world.nobody().post("/api/signup", form.clone()).await.expect(409), json!("exist"));
    form["proveTeam"] = json!(true);
    world.nobody().post("/api/signup", form).await.expect(201);
    world.log_in(&format!("{name}@example.co.ke"), PASSWORD).await
}

/// A code for the team.
pub async fn code(person: &Person, fpl_id: &str) -> String {
    let body = person.post("/api/user/team/proof", json!({"fplId": fpl_id})).await.expect(201);
    body["code"].as_str().unwrap().to_owned()
}

pub async fn name_team(world: &World, fpl_id: &str, name: &str) {
    world.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), json!({"name": name})).await;
}

pub async fn check(person: &Person) -> Answer {
    person.post("/api/user/team/proof/check", json!({})).await
}

/// Proves the team that a code was issued for.
pub async fn prove(world: &World, person: &Person, fpl_id: &str) {
    let code = code(person, fpl_id).await;
    name_team(world, fpl_id, &format!("FC {}", code.to_lowercase())).await;
    assert_eq!(check(person).await.expect(200)["proved"], true);
}
