//! Pausing entries and payouts: a plain sentence for players, nothing pushed, nothing sent.

use app::admin::switches::{self, SwitchChange};
use local::process::Fate;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    World,
    admin::{KEPT_OUT, OWN_ACCOUNT, SECOND_ADMIN},
    assert_has,
    mpesa::paid,
};

const SWITCHES: &str = "/api/admin/switches";
const PAUSED: &str = "Entries are paused just now. Your money is safe. Please try again later.";
const OTHER_PAUSE: &str =
    "It was paused anew after you looked, and nothing was resumed. See who paused it now, and why.";

async fn set(world: &World, body: Value) -> Value {
    world.admin().await.put(SWITCHES, body).await.expect(200)
}

#[tokio::test]
async fn paused_entries_are_refused_in_a_plain_sentence_and_nothing_is_pushed() {
    let (world, player) = World::with_player(100).await;
    let status = player.get("/api/gameweek/status").await.expect(200);
    assert_eq!(status["notice"], json!(null));
    let switches = set(&world, json!({"entriesPaused": true, "reason": "The draw is looked into."})).await;
    let entries = &switches["entries"];
    assert_has(entries, json!({"paused": true, "by": "admin"}));
    assert_eq!(entries["reason"], "The draw is looked into.");
    assert!(entries["since"].is_string() && entries["byName"].is_string());
    assert_eq!(switches["payouts"]["paused"], false);

    let status = player.get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"isOpen": true, "notice": PAUSED}));
    assert_eq!(player.join(50, 1).await.refused(400), PAUSED);
    let path = format!("/sim/api/prompts?phone={}", player.phone());
    let prompts = player.get(&path).await.expect(200).as_array().unwrap().len();
    assert_eq!(player.pay(50, 1).await.refused(400), PAUSED);
    assert_eq!(player.get(&path).await.expect(200).as_array().unwrap().len(), prompts);
    assert_eq!(player.wallet().await, 100);

    set(&world, json!({"entriesPaused": false, "reason": "All is well."})).await;
    player.join(50, 1).await.expect(201);
}

/// Who plays stops entries as everybody does, and does not let in who comes after. All admins hear of it.
#[tokio::test]
async fn who_is_in_does_not_resume_entries() {
    let world = World::start().await;
    let plays = world.second_admin().await;
    world.fund(&plays, 50).await;
    plays.join(50, 1).await.expect(201);
    let turn = |paused| json!({"entriesPaused": paused, "reason": "The draw is looked into."});
    plays.put(SWITCHES, turn(true)).await.expect(200);
    assert_eq!(plays.put(SWITCHES, turn(false)).await.refused(403), OWN_ACCOUNT);
    assert_eq!(plays.get(SWITCHES).await.expect(200)["entries"]["paused"], true);
    // Who lets others in does not come in.
    let other = world.third_admin().await;
    other.put(SWITCHES, turn(false)).await.expect(200);
    assert_eq!(other.join(50, 1).await.refused(403), KEPT_OUT);
    // What stops something is done all the same.
    let plays = world.second_admin().await;
    plays.put(SWITCHES, turn(true)).await.expect(200);
    let both = json!({"entriesPaused": false, "payoutsPaused": true, "reason": "The float is counted."});
    assert_eq!(plays.put(SWITCHES, both).await.refused(403), OWN_ACCOUNT);
    assert_eq!(plays.get(SWITCHES).await.expect(200)["payouts"]["paused"], true);
    world.advance(120).await;
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        let told = world.mails_about(email, "An admin's act: set-switches").await;
        assert_eq!(told.len(), 4, "{told:?}");
    }
}

#[tokio::test]
async fn a_prompt_that_was_sent_before_the_pause_makes_its_entry() {
    let (world, player) = World::with_player(0).await;
    player.pay(50, 1).await.expect(200);
    set(&world, json!({"entriesPaused": true, "reason": "A moment."})).await;
    world.answer_prompt(&player.phone(), paid()).await;
    assert_eq!(player.wallet().await, 0);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 50);
}

#[tokio::test]
async fn paused_payouts_send_nothing_and_withdrawals_can_still_be_asked_for() {
    let (world, player) = World::with_player(100).await;
    set(&world, json!({"payoutsPaused": true, "reason": "The float is counted."})).await;
    let id = player.withdrawal("0712345678", 60).await;
    let path = format!("/api/withdraw/{id}/pay");
    let admin = world.admin().await;
    let paused = "Payouts are paused. Nothing was sent, and the withdrawal waits as before.";
    assert_eq!(admin.send(Method::POST, &path, None).await.refused(409), paused);
    assert_eq!(player.get("/sim/api/payouts?phone=0712345678").await.expect(200), json!([]));
    assert_eq!(player.get("/api/withdraw").await.expect(200)[0]["payout"], json!(null));

    set(&world, json!({"payoutsPaused": false, "reason": "It is right."})).await;
    admin.send(Method::POST, &path, None).await.expect(200);
}

#[tokio::test]
async fn a_pause_by_the_machine_says_so_and_an_admin_ends_it() {
    let world = World::start().await;
    let why = "The books are off by KSh 10.";
    assert!(app::admin::switches::pause_payouts_by_machine(world.app(), why).await.unwrap());
    assert!(!app::admin::switches::pause_payouts_by_machine(world.app(), why).await.unwrap(), "twice");
    let payouts = world.admin().await.get(SWITCHES).await.expect(200)["payouts"].clone();
    assert_has(&payouts, json!({"by": "reconciliation", "reason": why}));
    assert_eq!(payouts["byName"], json!(null));
    let switches = set(&world, json!({"payoutsPaused": false, "reason": "Found and put right."})).await;
    assert_eq!(switches["payouts"]["paused"], false);
    let acts = world.acts().await;
    let paused = format!("paused by reconciliation: {why}");
    assert_eq!(
        (acts[0].before.as_deref(), acts[0].after.as_deref()),
        (Some(paused.as_str()), Some("running"))
    );
    assert_eq!((acts[1].who.kind(), acts[1].after.as_deref()), ("reconciliation", Some(paused.as_str())));
}

/// Whoever ends an admin's pause for something else has not read what is off in the books: so it is no longer that pause.
/// What comes twice, or on another night, does not pile up in its reason.
#[tokio::test]
async fn the_machine_pauses_over_an_admins_pause() {
    let world = World::start().await;
    let by_admin = json!({"payoutsPaused": true, "reason": "M-Pesa is down."});
    let seen = set(&world, by_admin.clone()).await["payouts"].clone();
    let name = seen["byName"].as_str().unwrap();
    let mut since = seen["since"].clone();
    for why in ["The books are off by KSh 10.", "The books are off by KSh 20."] {
        world.advance(60).await;
        for is_new in [true, false] {
            let paused = app::admin::switches::pause_payouts_by_machine(world.app(), why).await.unwrap();
            assert_eq!(paused, is_new, "{why}");
        }
        let payouts = world.admin().await.get(SWITCHES).await.expect(200)["payouts"].clone();
        assert_has(&payouts, json!({"paused": true, "by": "reconciliation", "byName": null}));
        assert_eq!(payouts["reason"], format!("{why} Paused before by {name}: M-Pesa is down."));
        assert_ne!(payouts["since"], since);
        since = payouts["since"].clone();
    }
    // An admin's pause after it does not hide it.
    assert_eq!(set(&world, by_admin).await["payouts"]["since"], since);
    let acts = world.acts().await;
    let kinds: Vec<_> = acts[..3].iter().map(|act| act.who.kind()).collect();
    assert_eq!(kinds, ["reconciliation", "reconciliation", "admin"], "{acts:?}");
    assert_eq!(acts[1].before.as_deref(), Some("paused by admin: M-Pesa is down."));
    assert_eq!(acts[0].before, acts[1].after);
    let resume = json!({"payoutsPaused": false, "reason": "M-Pesa is back.", "since": seen["since"]});
    assert_eq!(world.admin().await.put(SWITCHES, resume).await.refused(409), OTHER_PAUSE);
}

/// Nor does one that an admin is about to make in that moment.
#[tokio::test]
async fn a_pause_at_the_same_time_does_not_hide_the_machines() {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let (pause, why) =
        (SwitchChange { entries: None, payouts: Some(true), since: None }, "The books are off by KSh 10.");
    // The message to the admins goes out before the step that pauses.
    for step in 1..=2 {
        let process = world.process(Fate::WaitsBefore(step));
        let machine = async {
            assert!(switches::pause_payouts_by_machine(world.app(), why).await.unwrap());
        };
        let by_admin = switches::turn(process.app(), pause, &admin, "M-Pesa is down.");
        process.run_around(by_admin, machine).await.unwrap();
        let payouts = world.admin().await.get(SWITCHES).await.expect(200)["payouts"].clone();
        assert_has(&payouts, json!({"by": "reconciliation", "reason": why}));
        set(&world, json!({"payoutsPaused": false, "reason": "It is right."})).await;
    }
}

/// Who answers an old question does not end a pause that another admin has begun meanwhile.
#[tokio::test]
async fn a_resume_ends_the_pause_that_was_seen_and_no_other() {
    let world = World::start().await;
    let pause = json!({"entriesPaused": true, "reason": "The draw is looked into."});
    let seen = set(&world, pause.clone()).await["entries"]["since"].clone();
    let resume = |since: &Value| json!({"entriesPaused": false, "reason": "All is well.", "since": since});
    set(&world, resume(&seen)).await;
    // Sent once more where its answer was lost.
    set(&world, resume(&seen)).await;
    world.advance(60).await;
    let other = world.second_admin().await;
    let paused = other.put(SWITCHES, pause).await.expect(200);
    let before = world.acts().await.len();
    let admin = world.admin().await;
    assert_eq!(admin.put(SWITCHES, resume(&seen)).await.refused(409), OTHER_PAUSE);
    let both =
        json!({"entriesPaused": false, "payoutsPaused": false, "reason": "All is well.", "since": seen});
    admin.put(SWITCHES, both).await.refused(400);
    admin.put(SWITCHES, resume(&json!("a minute ago"))).await.refused(400);
    assert_eq!(admin.get(SWITCHES).await.expect(200), paused);
    assert_eq!(world.acts().await.len(), before);
    // Of what goes along with it what stops something is done.
    let stop = json!({"entriesPaused": false, "payoutsPaused": true, "reason": "To be safe.", "since": seen});
    assert_eq!(admin.put(SWITCHES, stop).await.refused(409), OTHER_PAUSE);
    let switches = set(&world, resume(&paused["entries"]["since"])).await;
    let paused = [&switches["entries"]["paused"], &switches["payouts"]["paused"]];
    assert_eq!(paused, [&json!(false), &json!(true)]);
}

#[tokio::test]
async fn a_switch_needs_a_reason_and_has_to_be_named() {
    let world = World::start().await;
    let admin = world.admin().await;
    let put = |body: Value| admin.put(SWITCHES, body);
    put(json!({"entriesPaused": true})).await.refused(400);
    put(json!({"entriesPaused": true, "reason": "  "})).await.refused(400);
    put(json!({"entriesPaused": true, "reason": "x".repeat(201)})).await.refused(400);
    put(json!({"entriesPaused": "yes", "reason": "No truth value."})).await.refused(400);
    put(json!({"entriesPaused": true, "payoutsPaused": 1, "reason": "Half of it."})).await.refused(400);
    put(json!({"reason": "Nothing to switch."})).await.refused(400);
    assert_eq!(admin.get(SWITCHES).await.expect(200)["entries"]["paused"], false);
}
