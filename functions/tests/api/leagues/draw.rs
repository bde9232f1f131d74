//! The draw as anybody can check it: what is public when, and `verify-draw` over HTTP.

use std::collections::BTreeSet;

use app::leagues::draw;
use domain::{EntryAmount, leagues::beacon::Silence};
use local::{
    fixtures,
    process::Fate,
    verify::{self, Options},
};
use serde_json::{Value, json};
use store::{
    entries::EntryOf,
    leagues::{
        draw_rounds::{DrawBeacon, DrawRound},
        draws::DrawSeed,
    },
};

use crate::support::{
    World, assert_has,
    gameweek::{this_week, users},
    log_capture::Lines,
    processes, text,
};

async fn secret_hash(world: &World) -> String {
    world.draw().await["secretHash"].as_str().unwrap().to_owned()
}

/// 33 at 50, 11 at 100 and a lone one at 250.
async fn entered(world: &World) {
    world.many(33, 50).await;
    world.crowd(11, 100).await;
    world.player_with(250).await.join(250, 1).await.expect(201);
}

#[tokio::test]
async fn before_the_draw_only_the_secrets_hash_and_the_times_are_public() {
    let world = World::start().await;
    world.crowd(2, 50).await;
    let before = world.draw().await;
    let fields: BTreeSet<&str> = before
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, _)| name.as_str())
        .collect();
    // Which round of the beacon counts is nobody's to know before the lists are fixed.
    let known = [
        "beaconAddresses",
        "beaconChain",
        "deadline",
        "draws",
        "fence",
        "gameweek",
        "lists",
        "season",
        "secretHash",
    ];
    assert_eq!(fields, BTreeSet::from(known));
    assert_has(&before, json!({"draws": [], "lists": []}));
    assert_eq!(before["deadline"], "2026-08-22T10:30:00Z");
    assert_eq!(before["fence"], "2026-08-22T10:40:00Z");
    assert!(users(&world.leagues(50).await[0]).iter().all(|user| user["entryId"].is_null()));

    // The deadline has passed and the fence has not fallen: nothing more.
    world.phase(1, "locked").await;
    assert_eq!(world.draw().await, before);
    let unopened = world.nobody().get("/api/gameweeks/2/draw").await.expect(200);
    assert_has(&unopened, json!({"secretHash": null, "draws": []}));
    let refused = verify::run(&Options::parse(&["1", &world.base]).unwrap()).await.unwrap_err();
    let hash = before["secretHash"].as_str().unwrap();
    assert_eq!(
        refused.to_string(),
        format!("gameweek 1: is not drawn yet; the hash of its secret, to be noted, is {hash}")
    );
}

/// The lists' hashes are public as soon as they are fixed, which is a minute before the round that counts, and
/// nothing else is.
#[tokio::test]
async fn the_lists_are_public_before_the_beacons_round() {
    let world = World::start().await;
    entered(&world).await;
    world.schedule("sync-gameweek", false).await;
    world.phase(1, "locked").await;
    world.advance(600).await;
    let fixed = world.draw().await;
    assert_has(&fixed, json!({"draws": [], "drawnAt": null}));
    let counts: Vec<_> = (0..3).map(|at: usize| fixed["lists"][at]["entries"].clone()).collect();
    assert_eq!(counts, [33, 11, 1]);
    let time = |of: &Value| of.as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let lists_at = time(&fixed["listsAt"]);
    for list in fixed["lists"].as_array().unwrap() {
        assert_eq!(list["covers"], "lines");
        assert!(time(&list["at"]) >= time(&fixed["fence"]) && time(&list["at"]) <= lists_at);
    }
    let chain = world.app().beacon().chain();
    let round = fixed["beaconRound"].as_u64().unwrap();
    assert!(chain.time_of(round) >= lists_at + jiff::SignedDuration::from_secs(60));
    assert!(chain.time_of(round - 1) < lists_at + jiff::SignedDuration::from_secs(60));
    let groups = world.leagues(50).await;
    assert!(groups.iter().all(|league| league["state"] == "provisional"));
    assert!(users(&groups[0]).iter().all(|user| user["salt"].is_null()));

    // The rule of the fence fires again when the round is out: it needs nobody else.
    world.advance(120).await;
    let drawn = world.draw().await;
    assert!(drawn["drawnAt"].is_string());
    assert_has(&drawn, json!({"lists": fixed["lists"], "beaconRound": fixed["beaconRound"]}));
    for at in 0..3_usize {
        assert_eq!(drawn["draws"][at]["entriesHash"], fixed["lists"][at]["entriesHash"]);
    }
    let hash = format!("50:{}", fixed["lists"][0]["entriesHash"].as_str().unwrap());
    let noted = Options::parse(&["2026-01", &world.base, "--entries-hash", &hash]).unwrap();
    assert!(verify::run(&noted).await.unwrap().holds());
}

/// A draw from before the lists were public still opens, with what it was then.
#[tokio::test]
async fn a_draw_from_before_still_opens() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    world.phase(1, "live").await;
    let table = &world.app().config().table_name;
    let of = |pk: &str, sk: &str| json!({"TableName": table, "Key": {"pk": {"S": pk}, "sk": {"S": sk}}});
    for sk in ["ROUND", "BEACON"] {
        world.dynamo().call("DeleteItem", &of("DRAW#2026-01", sk)).await.unwrap();
    }
    for amount in [50, 100, 250] {
        let mut update = of(&format!("DRAW#2026-01#{amount}"), "LIST");
        update["UpdateExpression"] = json!("REMOVE covers");
        world.dynamo().call("UpdateItem", &update).await.unwrap();
    }
    for n in 1..=2 {
        let mut update = of("LEAGUES#2026-01#50", &format!("{n:05}"));
        update["UpdateExpression"] = json!("REMOVE members[0].#name");
        update["ExpressionAttributeNames"] = json!({"#name": "name"});
        world.dynamo().call("UpdateItem", &update).await.unwrap();
    }
    let old = world.draw().await;
    assert_has(&old, json!({"fence": "2026-08-22T10:32:00Z", "listsAt": null}));
    assert_eq!(old["draws"][0]["covers"], "ids");
    assert!(users(&world.leagues(50).await[0]).iter().any(|user| user["nameHash"].is_null()));

    // What is personal goes from it as well.
    let (store, first) = (world.app().store(), "2026-01-50-00001".parse().unwrap());
    let member = &store.league(first).await.unwrap().unwrap().members[0];
    let (gameweek, amount) = (this_week(), EntryAmount::Fifty);
    let of = EntryOf { player: &member.user_id, gameweek, amount, id: &member.entry_id };
    store.forget_entry(&of).await.unwrap();
    let kept = &store.league(first).await.unwrap().unwrap().members[0];
    assert_eq!((kept.username.as_str(), &kept.entry_id), ("", &member.entry_id));
}

#[tokio::test]
async fn a_drawn_gameweek_verifies_from_what_is_public() {
    let world = World::start().await;
    entered(&world).await;
    let noted = secret_hash(&world).await;
    world.phase(1, "live").await;
    let report = world.verified("1", &["--secret-hash", &noted]).await;
    assert!(report.holds(), "{report}");
    assert_eq!((report.entries, report.leagues), (45, 6));
    let drawn = world.draw().await;
    assert_eq!(drawn["draws"][0]["sizes"], json!([10, 10, 7, 6]));
    assert_eq!(drawn["draws"][1]["sizes"], json!([6, 5]));
    assert_eq!(drawn["draws"][2]["sizes"], json!([]));
    let alone: Vec<bool> = (0..3).map(|amount: usize| drawn["draws"][amount]["alone"].is_string()).collect();
    assert_eq!(alone, [false, false, true]);
    assert!(drawn["draws"][0]["withoutBeacon"].is_null());
    assert!(!world.verified("1", &["--secret-hash", &"ab".repeat(32)]).await.holds());

    // Paid, the leagues are ranked: they are still the draw's.
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(60).await;
    assert!(world.leagues(100).await.iter().all(|league| league["state"] == "settled"));
    let report = world.verified("1", &["--secret-hash", &noted]).await;
    assert!(report.holds(), "{report}");
}

/// The beacon is silent: after half an hour of asking the draw goes on, and says so.
#[tokio::test]
async fn a_draw_without_the_beacon_says_so_and_verifies() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    let noted = secret_hash(&world).await;
    world.phase(1, "locked").await;
    world.faults(json!({"beacon": "down"})).await;
    world.advance(41 * 60).await;
    assert!(world.draw().await["drawnAt"].is_null());
    assert!(world.leagues(50).await.iter().all(|league| league["state"] == "provisional"));
    world.advance(60).await;
    let drawn = world.draw().await;
    assert!(drawn["drawnAt"].is_string());
    for of_amount in drawn["draws"].as_array().unwrap() {
        assert_has(of_amount, json!({"beacon": null, "beaconSignature": null}));
        let statement = of_amount["withoutBeacon"].as_str().unwrap();
        let times = drawn["beaconSilence"]["tries"].as_u64().unwrap();
        let told = format!(
            "no relay gave its round when all of them were asked {times} times from 2026-08-22 10:42:"
        );
        assert!(statement.contains(&told), "{statement}");
        assert!(statement.contains("/sim/beacon/three: it could not be reached"), "{statement}");
    }
    world.faults(json!({"beacon": "none"})).await;
    let report = world.verified("1", &["--secret-hash", &noted]).await;
    assert!(report.holds(), "{report}");
    assert!(report.to_string().contains("without the beacon the operator could know"), "{report}");
}

/// Why an entry is in no league cannot be kept. Its price is given back, and the log says that.
#[tokio::test]
async fn what_is_only_shown_and_cannot_be_kept_is_logged() {
    let world = World::start().await;
    world.no_schedules().await;
    let (app, id) = (world.app(), this_week());
    let alone = fixtures::enter(app, id, EntryAmount::TwoFifty, 1).await;
    fixtures::pass_deadline(app, id).await;
    world.faults(json!({"dynamodb": {"refusedPuts": "DRAW#2026-01#250/UNPLACED#"}})).await;
    let (log, here) = Lines::capture();
    processes::draw(&world, app, id).await;
    drop(here);
    let lines = log.all();
    let told = lines.iter().find(|line| line["what"] == "why an entry is in no league");
    let told = told.unwrap_or_else(|| panic!("{lines:?}"));
    assert_has(told, json!({"level": "WARN", "message": "what is only shown could not be kept"}));
    assert!(text(told, "error").starts_with("the table refused"), "{told}");
    assert_eq!(world.ledger().await.wallets[alone.user_id.as_str()], 50 + 250);
}

/// It ends anywhere, as a function does that is killed, and is begun again; nobody sees a league before
/// all are there.
#[tokio::test]
async fn a_draw_that_dies_anywhere_goes_on_to_the_same_leagues() {
    let world = World::start().await;
    world.many(333, 50).await;
    let noted = secret_hash(&world).await;
    // Only this test draws: the schedule finds no beacon.
    world.phase(1, "locked").await;
    world.faults(json!({"beacon": "down"})).await;
    world.advance(780).await;
    world.faults(json!({"beacon": "none"})).await;
    let (id, amount) = ("2026-01".parse().unwrap(), domain::EntryAmount::Fifty);
    let mut half_way = 0;
    for step in 1.. {
        let process = world.process(Fate::DiesAfter(step));
        if let Some(ended) = process.run(draw::advance(process.app(), id)).await {
            ended.unwrap();
            break;
        }
        let written = world.app().store().leagues_page(id, amount, None, 100).await.unwrap().items.len();
        half_way += usize::from((1..34).contains(&written));
        let is_drawn = !world.draw().await["drawnAt"].is_null();
        assert!(!is_drawn || written == 34, "published with {written} leagues");
        let state = if is_drawn { "drawn" } else { "provisional" };
        assert!(world.leagues(50).await.iter().all(|league| league["state"] == state));
    }
    assert!(half_way > 0, "it never died between two leagues");
    let report = world.verified("1", &["--secret-hash", &noted]).await;
    assert!(report.holds(), "{report}");
    assert_eq!((report.entries, report.leagues), (333, 34));
}

/// When the next season has begun, a gameweek of the one before is where it was, by season and number.
#[tokio::test]
async fn the_draw_of_a_former_season_stays_where_it_was() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    world.phase(1, "live").await;
    let (was, leagues) = (world.draw().await, world.leagues(50).await);
    world.new_season().await;
    let nobody = world.nobody();
    assert_eq!(nobody.get("/api/gameweeks/2026-01/draw").await.expect(200), was);
    assert_has(&world.draw().await, json!({"season": 2027, "draws": []}));
    nobody.get("/api/gameweeks/2025-01/draw").await.refused(404);
    let shown = nobody.get("/api/leagues?gameweek=2026-01&entryAmount=50").await.expect(200);
    let ids = |leagues: &[Value]| leagues.iter().map(|league| league["_id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(shown.as_array().unwrap()), ids(&leagues));
    let report = verify::run(&Options::parse(&["2026-01", &world.base]).unwrap()).await.unwrap();
    assert!(report.holds() && report.leagues == 2, "{report}");
}

/// Two draws at once that have come to different rounds or seeds, or one of which heard the beacon and one did not: what is
/// public already stays.
#[tokio::test]
async fn the_first_round_the_first_word_of_the_beacon_and_the_first_seed_stay() {
    let world = World::start().await;
    let (store, at) = (world.app().store(), world.app().clock().now());
    let round = |round| DrawRound { chain: "ab".repeat(32), round, at };
    for tried in [round(7), round(8)] {
        assert_eq!(store.fix_draw_round(this_week(), &tried).await.unwrap(), round(7));
    }
    let nothing = Silence { since: at, until: at, tries: 1, relays: Vec::new() };
    let heard = DrawBeacon { value: Some("cd".repeat(32)), signature: None, silence: None, at };
    let silent = DrawBeacon { value: None, silence: Some(nothing), ..heard.clone() };
    for tried in [&heard, &silent] {
        assert_eq!(store.fix_draw_beacon(this_week(), tried).await.unwrap(), heard);
    }
    let seed = |seed: &str| DrawSeed {
        secret: "ef".repeat(32),
        beacon_chain: None,
        beacon_round: 7,
        beacon: None,
        beacon_signature: None,
        seed: seed.repeat(32),
        at,
    };
    for tried in [seed("01"), seed("02")] {
        assert_eq!(store.fix_draw_seed(this_week(), EntryAmount::Fifty, &tried).await.unwrap(), seed("01"));
    }
}
