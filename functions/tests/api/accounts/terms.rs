//! The terms: agreed to at sign-up, asked for again, kept with the time, and never in the way of a player's own money.

use app::Safeguards::{self, Full, Light};
use domain::accounts::terms::Agreement;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Person, TERMS, World};

async fn accept(player: &Person, version: Value) -> Answer {
    player.post("/api/me/terms", json!({"version": version})).await
}

/// Somebody from before there were versions: they have agreed to none.
async fn of_before(world: &World, balance: i64) -> Person {
    let player = world.player_with(balance).await;
    world.app().store().set_terms(&player.user_id(), &[]).await.unwrap();
    player
}

#[rstest]
#[tokio::test]
async fn a_sign_up_agrees_to_the_terms_in_force(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let nobody = world.nobody();
    assert_eq!(nobody.get("/api/settings").await.expect(200)["terms"], TERMS);
    let mut form = World::sign_up_form("w@example.co.ke", "Wanjiku", "4242");
    for wrong in [json!("2020-01-01"), json!("latest"), json!(7), json!(true), json!("")] {
        form["terms"] = wrong;
        nobody.post("/api/signup", form.clone()).await.refused(400);
    }
    form.as_object_mut().unwrap().remove("terms");
    let unsaid = nobody.post("/api/signup", form.clone()).await;
    if safeguards.are_full() {
        assert_eq!(unsaid.expect(400)["code"], "terms_not_agreed");
        form["terms"] = json!(TERMS);
        nobody.post("/api/signup", form).await.expect(201);
    } else {
        unsaid.expect(201);
    }
    let player = world.log_in("w@example.co.ke", crate::support::PASSWORD).await;
    let terms = &player.user().await["terms"];
    assert_eq!(terms["current"], TERMS);
    let agreed = terms["agreed"].as_array().unwrap();
    assert_eq!(agreed.len(), usize::from(safeguards.are_full()));
    assert!(agreed.iter().all(|one| one["version"] == TERMS && one["at"].is_string()), "{agreed:?}");
}

#[rstest]
#[tokio::test]
async fn who_has_not_agreed_is_asked_and_can_take_the_money_out(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let player = of_before(&world, 400).await;
    let paying = async || [player.pay(50, 1).await, player.deposit(&player.phone(), 100).await];
    let terms = &player.user().await["terms"];
    assert_eq!((&terms["agreed"], &terms["required"]), (&json!([]), &json!(safeguards.are_full())));
    if safeguards.are_full() {
        let [pay, deposit] = paying().await;
        for (refused, status) in [(player.join(50, 1).await, 400), (pay, 400), (deposit, 409)] {
            assert_eq!(refused.expect(status)["code"], "terms_not_agreed");
        }
        assert!(world.prompts(&player.phone()).await.iter().all(|prompt| prompt["amount"] == 400));
    }
    // What is in the wallet is theirs.
    player.withdraw(&player.phone(), 60).await.expect(201);

    for (wrong, code) in [
        (json!("2020-01-01"), "no_such_terms"),
        (json!(null), "terms_not_agreed"),
        (json!([TERMS]), "terms_not_agreed"),
    ] {
        assert_eq!(accept(&player, wrong).await.expect(400)["code"], code);
    }
    let agreed = accept(&player, json!(TERMS)).await.expect(200);
    assert_eq!(agreed["agreed"][0]["version"], TERMS);
    assert_eq!(agreed["required"], false);
    // Said again, the first time stays.
    world.advance(60).await;
    assert_eq!(accept(&player, json!(TERMS)).await.expect(200), agreed);
    assert_eq!(player.user().await["terms"], agreed);
    // It can be read later among what is held about the player.
    let held = player.pages("/api/me/data").await;
    let items = held.iter().flat_map(|page| page["items"].as_array().unwrap());
    let profile = items.into_iter().find(|item| item["kind"] == "USER#/PROFILE").unwrap();
    let kept = json!([{"terms": TERMS, "at": agreed["agreed"][0]["at"]}]);
    assert_eq!(profile["what"]["terms"], kept);

    player.join(50, 1).await.expect(201);
    player.deposit(&player.phone(), 100).await.expect(200);
}

/// Who has agreed to a version of before is asked again. Its prompt that was on the phone when the terms changed still makes
/// its entry.
#[tokio::test]
async fn who_agreed_to_a_former_version_is_asked_again_and_what_was_asked_for_before_still_enters() {
    let world = World::start_guarded(Full).await;
    let player = world.player().await;
    player.pay(50, 1).await.expect(200);
    // As if the version in force had taken the place of another since.
    let former: Agreement =
        serde_json::from_value(json!({"terms": "2026-07-01", "at": "2026-08-02T09:00:00Z"})).unwrap();
    world.app().store().set_terms(&player.user_id(), &[former]).await.unwrap();
    world.answer_prompt(&player.phone(), crate::support::mpesa::paid()).await;
    assert_eq!(player.entries().await["entries"].as_array().unwrap().len(), 1);
    let refused = player.deposit(&player.phone(), 100).await;
    assert_eq!(refused.expect(409)["code"], "terms_not_agreed");
}
