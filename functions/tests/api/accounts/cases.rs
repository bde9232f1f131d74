//! "Something is wrong?": a player's cases, what admins answer, and what is refused.

use app::{
    App,
    accounts::cases::{self, Said, Wrong},
};
use local::process::Fate;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, PASSWORD, Person, World,
    admin::OWN_ACCOUNT,
    assert_has, at_once,
    gameweek::PROCESS,
    money::{done, rejected},
    processes::{self, by_the_rules, held_up_at_every_step},
    statuses, text,
};

const CASES: &str = "/api/cases";
const WAITING: &str = "/api/admin/cases";
const TOLD: &str = "Where is my money? I was promised it for Friday.";
const ANSWERED: &str = "We have answered you";
const CLOSED: &str = "We have closed your case";
const DAY: i64 = 24 * 3600;

fn wrong(kind: &str, id: &str) -> Value {
    json!({"about": {"kind": kind, "id": id}, "text": TOLD})
}

fn says(text: &str) -> Value {
    json!({"text": text})
}

fn closes(reason: &str) -> Value {
    json!({"close": reason})
}

impl Person {
    async fn open_case(&self, kind: &str, id: &str) -> Answer {
        self.post(CASES, wrong(kind, id)).await
    }

    async fn write_to(&self, case: &str, body: Value) -> Answer {
        self.post(&format!("{CASES}/{case}/messages"), body).await
    }

    async fn case(&self, case: &str) -> Value {
        self.get(&format!("{CASES}/{case}")).await.expect(200)
    }
}

/// The cases that admins see waiting: id and state.
async fn waiting(world: &World) -> Vec<(String, String)> {
    let list = world.admin().await.get(WAITING).await.expect(200);
    list.as_array().unwrap().iter().map(|case| (text(case, "_id"), text(case, "state"))).collect()
}

#[tokio::test]
async fn a_case_goes_to_and_fro_between_its_player_and_admins_alone() {
    let world = World::start().await;
    let (player, withdrawal) = world.withdrawing().await;
    let stranger = world.player().await;
    let opened = player.post_with_key(CASES, "one", &wrong("withdrawal", &withdrawal)).await.expect(201);
    let id = text(&opened, "_id");
    assert_eq!(opened["state"], "open");
    assert_has(&opened["known"], json!({"state": "pending", "amount": 450}));
    assert_has(&opened["thread"][0], json!({"by": "player", "text": TOLD}));
    let again = player.post_with_key(CASES, "one", &wrong("withdrawal", &withdrawal)).await.expect(201);
    assert_eq!(text(&again, "_id"), id);
    let refused = player.open_case("withdrawal", &withdrawal).await.expect(409);
    assert_has(&refused, json!({"code": "case_open_already", "case": id}));

    // Nobody else's, whichever way.
    stranger.open_case("withdrawal", &withdrawal).await.refused(404);
    stranger.get(&format!("{CASES}/{id}")).await.refused(404);
    stranger.write_to(&id, says("Me too.")).await.refused(404);
    assert_eq!(stranger.get(CASES).await.expect(200), json!([]));
    assert_eq!(player.get(CASES).await.expect(200)[0]["_id"], id);
    player.write_to(&id, closes("Done.")).await.refused(403);

    world.advance(3 * 3600).await;
    let admin = world.admin().await;
    assert_has(&admin.get(WAITING).await.expect(200)[0], json!({"_id": id, "state": "open", "ageHours": 3}));
    let secret = "It is paid on Friday at noon.";
    let answered = admin.write_to(&id, says(secret)).await.expect(200);
    assert_eq!(answered["state"], "answered");
    assert_has(&answered["thread"][1], json!({"by": "admin", "text": secret}));
    let act = world.acts().await.remove(0);
    assert_eq!((act.what.into_str(), act.on), ("write-to-case", format!("case {id}")));
    assert_eq!((act.before.as_deref(), act.after.as_deref()), (Some("open"), Some("answered")));
    assert!(act.reason.is_none());
    world.advance(120).await;
    let mails = world.mails_about(&player.email(), ANSWERED).await;
    assert_eq!(mails.len(), 1);
    assert!(!mails[0].to_string().contains("Friday"), "{}", mails[0]);
    assert!(mails[0].to_string().contains(&format!("/cases/{id}")));

    let player = world.again(&player).await;
    assert_eq!(player.write_to(&id, says("It is Saturday.")).await.expect(200)["state"], "open");
    let admin = world.admin().await;
    let closed = admin.write_to(&id, closes("It was paid.")).await.expect(200);
    assert_has(&closed, json!({"state": "closed", "reason": "It was paid."}));
    admin.write_to(&id, says("One more thing.")).await.refused(409);
    assert_eq!(waiting(&world).await, []);
    world.advance(120).await;
    assert_eq!(world.mails_about(&player.email(), CLOSED).await.len(), 1);

    world.advance(14 * DAY - 300).await;
    let player = world.again(&player).await;
    let open = player.write_to(&id, says("It was not.")).await.expect(200);
    assert_has(&open, json!({"state": "open", "reason": null}));
    assert_eq!(waiting(&world).await, [(id.clone(), "open".to_owned())]);
    world.admin().await.write_to(&id, closes("It was.")).await.expect(200);
    world.advance(14 * DAY).await;
    let player = world.again(&player).await;
    let refused = player.write_to(&id, says("Not.")).await.expect(409);
    assert_eq!(refused["code"], "case_closed_long_ago");
    let another = player.open_case("withdrawal", &withdrawal).await.text(201, "_id");
    let listed = player.get(CASES).await.expect(200);
    assert_eq!((text(&listed[0], "_id"), text(&listed[1], "_id")), (another, id));
}

/// It may name people, and is for the case's player and the admins.
#[tokio::test]
async fn what_is_written_to_a_case_is_not_logged() {
    let world = World::start().await;
    let (player, withdrawal) = world.withdrawing().await;
    let logged = async |who: &Person, path: &str, body: Value| {
        let (status, log) = who.post_for_log(&world, path, &body).await;
        assert!(status.is_success() && !log.all().is_empty(), "{status}");
        log.text()
    };
    let opened = logged(&player, CASES, wrong("withdrawal", &withdrawal)).await;
    let case = text(&player.get(CASES).await.expect(200)[0], "_id");
    let messages = format!("{CASES}/{case}/messages");
    let admin = world.admin().await;
    let answered = logged(&admin, &messages, says("It is paid on Friday.")).await;
    let written = logged(&player, &messages, says("Today is Friday.")).await;
    let closed = logged(&admin, &messages, closes("It was paid on Friday.")).await;
    for log in [opened, answered, written, closed] {
        assert!(!log.contains("Friday"), "{log}");
    }
}

#[tokio::test]
async fn what_is_known_is_attached_and_a_settled_league_has_its_record() {
    let world = World::start().await;
    let player = world.player_with(100).await;
    let other = world.player_with(100).await;
    let deposit = text(&player.movements().await[0], "_id");
    let opened = player.open_case("payment", &deposit).await.expect(201);
    let receipt = player.movements().await[0]["receipt"].clone();
    assert_has(&opened["known"], json!({"state": "success", "amount": 100, "receipt": receipt}));
    // The same payment by its other name.
    let prompt = text(&opened["about"], "id");
    assert_eq!(format!("deposit#{prompt}"), deposit);
    player.open_case("payment", &prompt).await.refused(409);
    other.open_case("payment", &prompt).await.refused(404);
    let typed = other.typed_code("UHK7RT61SV").await;
    player.open_case("payment", &typed).await.refused(404);
    assert_has(&other.open_case("payment", &typed).await.expect(201)["known"], json!({"state": "pending"}));

    player.open_case("entry", "2026-01").await.refused(404);
    player.join(50, 1).await.expect(201);
    world.crowd(5, 50).await;
    let entry = player.open_case("entry", "2026-01").await.expect(201);
    assert_has(&entry["known"], json!({"state": "in no league", "amount": 50, "league": null}));
    world.phase(1, "locked").await;
    world.advance(780).await;
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    world.advance(60).await;
    let league = text(&world.leagues(50).await[0], "_id");
    let other = world.again(&other).await;
    for (kind, id) in [("league", league.as_str()), ("league", "2026-01-50-99999"), ("entry", "2026-01")] {
        other.open_case(kind, id).await.refused(404);
    }
    let opened = world.again(&player).await.open_case("league", &league).await.expect(201);
    assert_has(&opened["known"], json!({"state": "settled", "amount": 50, "league": league}));
    assert!(opened["known"]["settledAt"].is_string(), "{opened}");
}

#[tokio::test]
async fn there_is_one_about_a_thing_five_at_once_and_twenty_messages_a_day() {
    let world = World::start().await;
    let player = world.player_with(1000).await;
    let mut things = Vec::new();
    for _ in 0..6 {
        things.push(player.withdrawal(&player.phone(), 60).await);
    }
    for (body, code) in [
        (json!({"about": {"kind": "withdrawal", "id": things[0]}, "text": " "}), "invalid_case_text"),
        (
            json!({"about": {"kind": "withdrawal", "id": things[0]}, "text": "a".repeat(1001)}),
            "invalid_case_text",
        ),
        (json!({"about": {"kind": "wallet", "id": things[0]}, "text": TOLD}), "invalid_request"),
        (json!({"text": TOLD}), "invalid_request"),
    ] {
        assert_eq!(player.post(CASES, body).await.expect(400)["code"], code);
    }
    let (player, one) = (&player, things[0].as_str());
    let twice = statuses(&at_once((0..4).map(|_| player.open_case("withdrawal", one))).await);
    assert_eq!(twice.iter().filter(|status| **status == 201).count(), 1, "{twice:?}");
    assert_eq!(twice.iter().filter(|status| **status == 409).count(), 3, "{twice:?}");
    let all = at_once(things.iter().skip(1).map(|id| player.open_case("withdrawal", id))).await;
    let opened = statuses(&all);
    assert_eq!(opened.iter().filter(|status| **status == 201).count(), 4, "{opened:?}");
    let refused = all.into_iter().find(|answer| answer.status == 409).unwrap();
    assert_eq!(refused.body["code"], "too_many_open_cases");

    let cases = player.get(CASES).await.expect(200);
    let case = text(&cases[0], "_id");
    assert_eq!(cases.as_array().unwrap().len(), 5);
    // One that is closed leaves room, and does not open again where another one is in its place.
    let admin = world.admin().await;
    admin.write_to(&case, closes("Told by phone.")).await.expect(200);
    let about = text(&cases[0]["about"], "id");
    player.open_case("withdrawal", &about).await.expect(201);
    assert_eq!(player.write_to(&case, says("Not so.")).await.expect(409)["code"], "case_open_already");

    let other = text(&cases[1], "_id");
    for n in 0..14 {
        player.write_to(&other, says(&format!("And {n}."))).await.expect(200);
    }
    let refused = player.write_to(&other, says("And more.")).await.refused(429);
    assert!(refused.starts_with("Too many messages today. Try again in"), "{refused}");
    admin.write_to(&other, says("We have read it.")).await.expect(200);
}

#[tokio::test]
async fn nobody_answers_their_own_case_and_who_may_not_play_can_still_write() {
    let world = World::start().await;
    let admin = world.admin().await;
    let typed = admin.typed_code("UHK7RT61SV").await;
    let own = admin.open_case("payment", &typed).await.text(201, "_id");
    assert_eq!(admin.write_to(&own, closes("I am right.")).await.refused(403), OWN_ACCOUNT);
    let said = admin.write_to(&own, says("I am right.")).await.expect(200);
    assert_eq!((&said["state"], &said["thread"][1]["by"]), (&json!("open"), &json!("player")));
    let closed = world.second_admin().await.write_to(&own, closes("You are not.")).await.expect(200);
    assert_eq!(closed["state"], "closed");

    let (player, withdrawal) = world.withdrawing().await;
    let stop = json!({"for": "1w", "password": PASSWORD});
    player.post("/api/me/exclusion", stop).await.expect(201);
    let suspended = json!({"suspended": true, "reason": "A test."});
    world.change_player(&player.id, suspended).await.expect(200);
    let player = world.again(&player).await;
    let case = player.open_case("withdrawal", &withdrawal).await.text(201, "_id");
    player.write_to(&case, says("Please.")).await.expect(200);
    assert_eq!(player.case(&case).await["thread"].as_array().unwrap().len(), 2);
}

/// An answer is told once it is there, wherever its writer dies, and none is told that is not.
#[tokio::test]
async fn what_is_answered_is_mailed_wherever_the_admins_process_dies() {
    let world = World::start().await;
    let (player, withdrawal) = world.withdrawing().await;
    let case = player.open_case("withdrawal", &withdrawal).await.text(201, "_id");
    let admin = world.stored(&world.admin().await).await;
    let said = Said { text: "We look into it.", close: None };
    for step in 1.. {
        let process = world.process(Fate::DiesAfter(step));
        if process.run(cases::write(process.app(), &admin, &case, said, None)).await.is_some() {
            break;
        }
    }
    world.advance(180).await;
    let thread = world.admin().await.case(&case).await["thread"].clone();
    let answers = thread.as_array().unwrap().iter().filter(|message| message["by"] == "admin").count();
    assert!(answers > 0);
    assert_eq!(world.mails_about(&player.email(), ANSWERED).await.len(), answers);
}

#[tokio::test]
async fn open_cases_are_closed_with_the_account() {
    let world = World::start().await;
    let player = world.player_with(100).await;
    let withdrawal = player.withdrawal(&player.phone(), 100).await;
    let case = player.open_case("withdrawal", &withdrawal).await.text(201, "_id");
    world.end_withdrawal(&withdrawal, rejected("Wrong number.")).await.expect(200);
    let withdrawal = player.withdrawal(&player.phone(), 100).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    player.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    assert_eq!(waiting(&world).await, []);
    let closed = world.admin().await.case(&case).await;
    assert_has(&closed, json!({"state": "closed", "reason": "The account was closed."}));
}

/// What is done to a case while its player's account closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Opened,
    WrittenInto,
    OpenedAgain,
    Answered,
}

/// Wherever it stands still while the account closes: no case of a closed account waits for anybody.
#[rstest]
#[tokio::test]
async fn no_case_outlives_its_account(
    #[values(Act::Opened, Act::WrittenInto, Act::OpenedAgain, Act::Answered)] act: Act,
) {
    let world = World::start().await;
    let admin = world.admin().await;
    let admins = world.stored(&admin).await;
    let subject = async || {
        let player = world.player().await;
        let prompt = player.prompt(100).await;
        world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
        if act == Act::Opened {
            return (player, prompt);
        }
        let case = player.open_case("payment", &prompt).await.text(201, "_id");
        if act == Act::OpenedAgain {
            admin.write_to(&case, closes("It was cancelled.")).await.expect(200);
        }
        (player, case)
    };
    let doing = async |app: &App, (person, id): &(Person, String)| {
        let (player, said) = (processes::player(app, person).await, Said { text: TOLD, close: None });
        let done = match act {
            Act::Opened => cases::open(app, &player, Wrong { kind: "payment", id, text: TOLD }, None).await,
            Act::WrittenInto | Act::OpenedAgain => cases::write(app, &player, id, said, None).await,
            Act::Answered => cases::write(app, &admins, id, said, None).await,
        };
        // Too late it is refused, which is well too.
        let _ = by_the_rules(done);
    };
    let close = async |_: &App, (person, _): &(Person, String)| {
        person.post("/api/me/closure", json!({"password": PASSWORD})).await.expect(200);
    };
    let subjects = held_up_at_every_step(&world, subject, doing, close).await;
    let (alone, closed) = subjects.split_last().unwrap();
    let waiting = waiting(&world).await;
    let waits = |(person, _): &(Person, String)| waiting.iter().any(|(id, _)| id.starts_with(&person.id));
    assert!(waits(alone), "{waiting:?}");
    assert!(!closed.iter().any(waits), "{waiting:?}");
}
