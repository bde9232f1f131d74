//! An admin plays too: who is in a gameweek decides nothing about it, and who has decided something about it does not enter.

use app::{
    Safeguards::{self, Full, Light},
    gameweeks::status,
};
use domain::EntryAmount;
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::entries::Joined;

use crate::support::{
    World,
    admin::{KEPT_OUT, OWN_ACCOUNT},
    assert_has,
    gameweek::DAY,
    mpesa::paid,
    processes,
};

const VOID: &str = "/api/admin/gameweeks/2026-01/void";

/// Before the deadline: not by which rule the points count, and not which team a rival's entry is of.
#[rstest]
#[tokio::test]
async fn an_admin_who_plays_bends_no_open_gameweek(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let plays = world.second_admin().await;
    world.fund(&plays, 50).await;
    plays.join(50, 1).await.expect(201);
    let (rival, other) = (world.player_with(50).await, world.player().await);
    rival.join(50, 1).await.expect(201);
    let (admin, plays) = (world.admin().await, world.second_admin().await);
    let toggle = "/api/points/toggle-deduction";
    assert_eq!(plays.post(toggle, json!({})).await.refused(403), OWN_ACCOUNT);
    let team = |id: &str, to: u32| {
        let body = json!({"fplId": to.to_string(), "reason": "A digit was wrong."});
        (format!("/api/admin/players/{id}"), body)
    };
    let (path, body) = team(&rival.id, 760_001);
    assert_eq!(plays.send(Method::PATCH, &path, Some(body.clone())).await.refused(403), OWN_ACCOUNT);
    // Who is not in can be helped by anybody, and by an admin who does not play the rival as well.
    let (elsewhere, correct) = team(&other.id, 760_002);
    plays.send(Method::PATCH, &elsewhere, Some(correct)).await.expect(200);
    // Nor whom a prompt may bring in.
    world.again(&other).await.pay(50, 1).await.expect(200);
    let (elsewhere, again) = team(&other.id, 760_003);
    assert_eq!(plays.send(Method::PATCH, &elsewhere, Some(again)).await.refused(403), OWN_ACCOUNT);
    admin.send(Method::PATCH, &path, Some(body)).await.expect(200);
    admin.post(toggle, json!({})).await.expect(200);
    // Just after the deadline a payment from before may still enter.
    world.to_deadline(30).await;
    let (elsewhere, late) = team(&other.id, 760_004);
    let refused = world.admin().await.send(Method::PATCH, &elsewhere, Some(late)).await.refused(409);
    assert!(refused.starts_with("A payment of this player may still make an entry"), "{refused}");
    // What is turned after the deadline counts from the next gameweek.
    world.phase(1, "locked").await;
    world.second_admin().await.post(toggle, json!({})).await.expect(200);
}

/// Nor one that has opened while the one before it is not paid, and whose deadline is then moved to more than 48 hours away.
#[tokio::test]
async fn an_admin_who_plays_bends_no_open_gameweek_whose_deadline_was_moved() {
    let world = World::start().await;
    world.crowd(5, 50).await;
    world.clock_to("2026-08-27T10:40:00Z").await;
    let (plays, rival) = (world.second_admin().await, world.player_with(50).await);
    world.fund(&plays, 50).await;
    for person in [&plays, &rival] {
        person.join(50, 2).await.expect(201);
    }
    world.sim(Method::PUT, "/fpl/gameweeks/2", json!({"deadline": "2026-09-01T10:30:00Z"})).await;
    // Long enough for the official calendar to be read again.
    world.advance(600).await;
    let status = world.nobody().get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"isOpen": true, "gameweek": 2, "deadline": "2026-09-01T10:30:00Z"}));
    let (plays, rival) = (world.second_admin().await, world.again(&rival).await);
    assert_eq!(plays.post("/api/points/toggle-deduction", json!({})).await.refused(403), OWN_ACCOUNT);
    let team = json!({"fplId": "760001", "reason": "A digit was wrong."});
    assert_eq!(plays.patch_player(&rival.id, team.clone()).await.refused(403), OWN_ACCOUNT);
    world.change_player(&rival.id, team).await.expect(200);
    let own = rival.get("/api/me/league?gameweek=2&entryAmount=50").await.expect(200);
    assert_eq!(own["fplId"], "760001", "the entry goes with the account");
}

/// The other way round neither: who has switched the deduction, or changed a rival's team, does not enter that gameweek.
#[rstest]
#[tokio::test]
async fn an_admin_who_has_bent_an_open_gameweek_does_not_enter_it(#[values(true, false)] by_deduction: bool) {
    let world = World::start_guarded(Full).await;
    let admin = world.second_admin().await;
    world.fund(&admin, 60).await;
    let rival = world.player_with(50).await;
    rival.join(50, 1).await.expect(201);
    admin.pay(50, 1).await.expect(200);
    let team = json!({"fplId": "760001", "reason": "A digit was wrong."});
    let act = match by_deduction {
        true => admin.post("/api/points/toggle-deduction", json!({})).await,
        false => admin.send(Method::PATCH, &format!("/api/admin/players/{}", rival.id), Some(team)).await,
    };
    act.expect(200);
    // What is paid from before the act makes no entry either.
    world.answer_prompt(&admin.phone(), paid()).await;
    assert_eq!(admin.wallet().await, 110);
    let prompts = admin.get("/api/me/payments").await.expect(200);
    assert!(prompts[0]["reason"].as_str().unwrap().starts_with(KEPT_OUT), "{prompts}");
    assert_eq!(admin.join(50, 1).await.refused(403), KEPT_OUT);
    assert_eq!(admin.pay(50, 1).await.refused(403), KEPT_OUT);
    assert_eq!(admin.entries().await["entries"], json!([]));
    if by_deduction {
        let told = world.mails_about(&world.admin_account().0, "An admin's act: toggle-deduction").await;
        assert_eq!(told.len(), 1, "{told:?}");
    }
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;
    world.second_admin().await.join(50, 2).await.expect(201);
}

/// A request that stands still over the deadline counts as of when it came, so who may make it is asked as of then.
#[tokio::test]
async fn the_deduction_is_not_switched_by_who_plays_at_the_deadline() {
    let world = World::start().await;
    let plays = world.second_admin().await;
    world.fund(&plays, 50).await;
    plays.join(50, 1).await.expect(201);
    let admin = world.stored(&plays).await;
    let process = world.process(Fate::WaitsBefore(1));
    let switched = async {
        let switched = status::toggle_deduction(process.app(), &admin, None).await;
        assert!(processes::by_the_rules(switched).is_err());
    };
    process
        .run_around(switched, async {
            world.phase(1, "locked").await;
        })
        .await;
    assert_eq!(process.tally().steps, 1, "the mail alone");
}

/// The admin enters in the moment in which they switch it: it is not switched.
#[tokio::test]
async fn the_deduction_is_not_switched_by_who_enters_meanwhile() {
    let world = World::start().await;
    let plays = world.second_admin().await;
    world.fund(&plays, 50).await;
    let admin = world.stored(&plays).await;
    // The message to the admins goes out before the step that switches it.
    let process = world.process(Fate::WaitsBefore(2));
    let switched = async {
        let switched = status::toggle_deduction(process.app(), &admin, None).await;
        assert!(processes::by_the_rules(switched).is_err());
    };
    let enter = async {
        let joined = processes::join(world.app(), &plays, EntryAmount::Fifty).await;
        assert_eq!(joined, Joined::Entered);
    };
    process.run_around(switched, enter).await;
    assert_eq!(process.tally().steps, 2, "the message, and what is refused");
}

/// Whoever has an entry in a gameweek decides nothing about its stakes: an admin who has none does.
#[rstest]
#[tokio::test]
async fn an_admin_who_plays_calls_nothing_off(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let third = format!("player{}@example.co.ke", world.player().await.n);
    app::admin::commands::grant(world.app(), &third).await.unwrap();
    let plays = world.second_admin().await;
    world.fund(&plays, 50).await;
    plays.join(50, 1).await.expect(201);
    world.crowd(4, 50).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(8 * DAY).await;

    let (admin, plays) = (world.admin().await, world.second_admin().await);
    let because = json!({"reason": "The season was left."});
    assert_eq!(plays.post(VOID, because.clone()).await.refused(403), OWN_ACCOUNT);
    let told = admin.post(VOID, because).await;
    if safeguards.are_full() {
        let path = format!("/api/admin/approvals/{}", told.expect(202)["_id"].as_str().unwrap());
        let own = "This is your own account's. Another admin has to approve it.";
        for decision in ["approve", "refuse"] {
            let body = json!({"decision": decision, "reason": "I am the last."});
            assert_eq!(plays.post(&path, body).await.refused(403), own);
        }
        let third = world.admin_again(&third).await;
        third.post(&path, json!({"decision": "approve"})).await.expect(200);
    } else {
        told.expect(200);
    }
    world.advance(60).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), 0);
}
