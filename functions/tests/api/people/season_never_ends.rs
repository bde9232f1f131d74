//! The official game never says that points are final, and the season is left.

use app::{
    Safeguards::{self, Full, Light},
    gameweeks::seasons,
};
use domain::EntryAmount;
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::entries::Joined;

use crate::support::{
    PASSWORD, World, assert_has,
    gameweek::{DAY, PROCESS, this_week},
    processes,
};

fn void_of(gameweek: &str) -> String {
    format!("/api/admin/gameweeks/{gameweek}/void")
}

fn because() -> Value {
    json!({"reason": "The season was left."})
}

async fn state(world: &World, number: u8) -> Value {
    let gameweeks = world.nobody().get("/api/gameweeks").await.expect(200);
    let found = gameweeks.as_array().unwrap().iter().find(|gameweek| gameweek["number"] == number);
    found.unwrap_or_else(|| panic!("gameweek {number} in {gameweeks}")).clone()
}

#[rstest]
#[tokio::test]
async fn the_stakes_come_back_after_seven_days(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    let alone = world.player_with(50).await;
    alone.join(50, 1).await.expect(201);
    let admin = world.admin().await;
    let open = admin.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(open, "Gameweek 1 can be called off from 2026-08-29T10:30:00Z on.");
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.clock_to("2026-08-29T10:29:30Z").await;

    let admin = world.admin().await;
    admin.post(PROCESS, json!({"gameweek": 1})).await.refused(409);
    assert_eq!(admin.post(&void_of("2026-01"), because()).await.refused(409), open);
    let preview = admin.get(&void_of("2026-01")).await.expect(200);
    assert_has(&preview, json!({"possibleFrom": "2026-08-29T10:30:00Z", "refused": open}));
    assert_eq!(
        (
            &preview["leagues"],
            &preview["entries"],
            &preview["toRefund"],
            &preview["settled"],
            &preview["paid"]
        ),
        (&json!(2), &json!(12), &json!(3_000), &json!(0), &json!(50)),
        "the one alone has it back since the draw"
    );
    world.advance(30).await;
    let admin = world.admin().await;
    assert_eq!(admin.get(&void_of("2026-01")).await.expect(200)["refused"], Value::Null);
    admin.post(&void_of("2026-01"), json!({})).await.refused(400);
    admin.post(&void_of("2026-39"), because()).await.refused(404);
    admin.post(&void_of("2025-01"), because()).await.refused(404);
    admin.post(&void_of("1"), because()).await.refused(404);
    let told = world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    // With full safeguards a second admin approves it.
    if told["state"] != "approved" {
        assert_has(&told, json!({"state": "settling", "leagues": 2, "toPay": 3_000}));
    }
    world.advance(60).await;

    let ledger = world.ledger().await;
    assert_eq!(
        (ledger.account("pot:2026-01"), ledger.account("fees"), ledger.account("rounding")),
        (0, 0, 0)
    );
    assert_eq!(ledger.wallets_with(250), 12);
    let settled = state(&world, 1).await;
    assert_has(&settled, json!({"state": "settled", "calledOff": "The season was left."}));
    let admin = world.admin().await;
    assert_eq!(admin.post(&void_of("2026-01"), because()).await.refused(409), "Gameweek 1 is settled.");
    let after = admin.get(&void_of("2026-01")).await.expect(200);
    assert_has(&after, json!({"leagues": 0, "toRefund": 0, "settled": 2, "paid": 3_050}));
    let record = world.nobody().get("/api/leagues/2026-01-250-00001/settlement").await.expect(200);
    assert_has(&record, json!({"basis": "called-off", "fee": 0}));

    // Its points become final after all: nothing more is paid.
    world.faults(json!({"fpl": "none"})).await;
    world.advance(DAY).await;
    assert_eq!(world.ledger().await.wallets, ledger.wallets);
}

/// Pressed again while the stakes go back: what is left is taken up, without a second admin's word on it.
#[rstest]
#[tokio::test]
async fn another_press_takes_up_what_is_left(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    let off = world.called_off().await;
    // The message of the press that called it off was lost.
    seasons::change(world.app(), this_week(), |gameweek| {
        gameweek.called_off = Some(off.clone());
        (gameweek.settling_since, gameweek.fanned_out_at) = (Some(off.at), Some(off.at));
    })
    .await
    .unwrap();
    let again = json!({"reason": "Once more."});
    let pressed = world.admin().await.post(&void_of("2026-01"), again).await.expect(200);
    assert_has(&pressed, json!({"state": "settling", "leagues": 2}));
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets_with(250), 12);
    assert_eq!(state(&world, 1).await["calledOff"], off.reason, "the first word stands");
    let settled = world.admin().await.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(settled, "Gameweek 1 is settled.");
}

/// Players read why, in "My entries" and by mail.
#[tokio::test]
async fn players_are_told_that_it_was_called_off() {
    let (world, player) = World::with_player(100).await;
    player.join(100, 1).await.expect(201);
    world.crowd(4, 100).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let email = player.email();
    let player = world.log_in(&email, PASSWORD).await;
    let entry = player.entries().await["entries"][0].clone();
    let why = "The gameweek was called off: The season was left.";
    assert_has(&entry, json!({"refund": 100, "refundReason": why, "rank": null}));
    assert_eq!(player.wallet().await, 100);
    let mails = world.mails(&email).await;
    assert!(mails.iter().any(|mail| mail["text"].as_str().unwrap().contains(why)), "{mails:?}");
}

/// The last gameweek is never final. The next season begins all the same, and the stakes come back before or
/// after that.
#[rstest]
#[tokio::test]
async fn the_next_season_begins_and_the_stakes_of_the_last_one_come_back(
    #[values(Light, Full)] safeguards: Safeguards,
    #[values(true, false)] in_time: bool,
) {
    let world = World::start_in_last_gameweek(safeguards).await;
    world.crowd(10, 250).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(38, "checked").await;
    world.advance(8 * DAY).await;
    if in_time {
        world.by_two(Method::POST, &void_of("2026-38"), Some(because())).await.expect(200);
    }
    world.clock_to("2027-07-10T10:00:00Z").await;
    assert_eq!(world.current_gameweek().await, 1, "the next season is there");
    let owed = world.admin().await.get("/api/admin/gameweeks").await.expect(200);
    assert_eq!(owed.as_array().unwrap().len(), usize::from(!in_time), "{owed}");
    if !in_time {
        let admin = world.admin().await;
        let preview = admin.get(&void_of("2026-38")).await.expect(200);
        assert_has(&preview, json!({"leagues": 1, "toRefund": 2_500}));
        let not_final = admin.post(PROCESS, json!({"gameweek": "2026-38"})).await.refused(409);
        assert_eq!(not_final, "Official points for gameweek 38 are not final yet.");
        world.by_two(Method::POST, &void_of("2026-38"), Some(because())).await.expect(200);
        world.advance(60).await;
    }
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-38"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets_with(250), 10);
    assert_eq!(world.admin().await.get("/api/admin/gameweeks").await.expect(200), json!([]));
    // And it is played.
    world.player_with(50).await.join(50, 1).await.expect(201);
}

/// Some leagues were paid before the official game took its points back: they keep what they have, and the others
/// get their stakes.
#[rstest]
#[tokio::test]
async fn what_was_settled_before_stays(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 50).await;
    let unknown = world.crowd(5, 100).await;
    for player in &unknown {
        world.team_exists(player["fplId"].as_str().unwrap(), false).await;
    }
    world.phase(1, "checked").await;
    world.press(1).await.expect(200);
    world.advance(60).await;
    let paid = world.ledger().await;
    assert_eq!((paid.account("fees"), paid.account("pot:2026-01")), (25, 500));
    let still_final = world.admin().await.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(still_final, "The official points for gameweek 1 are final: its winners can be paid.");

    world.faults(json!({"fpl": "unfinal"})).await;
    world.advance(7 * DAY).await;
    let preview = world.admin().await.get(&void_of("2026-01")).await.expect(200);
    assert_has(&preview, json!({"leagues": 1, "entries": 5, "toRefund": 500, "settled": 1, "paid": 225}));
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("fees"), ledger.account("pot:2026-01")), (25, 0));
    assert_eq!(ledger.wallets_with(100), 5);
    assert_eq!(state(&world, 1).await["state"], "settled");
}

/// Nobody has drawn it in seven days: it is drawn, for its leagues are what the stakes go back by.
#[rstest]
#[tokio::test]
async fn a_gameweek_that_was_never_drawn_is_given_back(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    let alone = world.player_with(50).await;
    alone.join(50, 1).await.expect(201);
    world.no_schedules().await;
    world.clock_to("2026-08-29T10:30:00Z").await;
    let preview = world.admin().await.get(&void_of("2026-01")).await.expect(200);
    assert_has(&preview, json!({"leagues": 2, "entries": 13, "toRefund": 3_050, "paid": 0}));
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.schedule("sync-gameweek", true).await;
    world.advance(600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets_with(250), 12);
    assert_eq!(ledger.wallets[&alone.id], 50);
    assert_eq!(state(&world, 1).await["state"], "settled");
}

/// A join that stood still over the draw and both sweeps: its entry is in no list, and comes back with the others.
#[rstest]
#[tokio::test]
async fn an_entry_in_no_list_comes_back_too(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(6, 50).await;
    let late = world.player_with(50).await;
    let to = async |at: &str| world.clock_to(at).await;
    to("2026-08-22T10:29:45Z").await;
    let process = world.process(Fate::WaitsBefore(1));
    let joins = processes::join(process.app(), &late, EntryAmount::Fifty);
    assert_eq!(process.run_around(joins, to("2026-08-22T11:30:00Z")).await, Joined::Entered);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    to("2026-08-29T10:30:00Z").await;
    let preview = world.admin().await.get(&void_of("2026-01")).await.expect(200);
    assert_has(&preview, json!({"leagues": 1, "entries": 7, "toRefund": 350}));
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets[&late.id], 50);
}

/// Whose stake was paid with money that M-Pesa has taken back since owes it: the stake that comes back pays that.
#[rstest]
#[tokio::test]
async fn a_stake_that_comes_back_pays_what_is_owed(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let receipt = world.fund(&player, 250).await;
    player.join(250, 1).await.expect(201);
    world.crowd(5, 250).await;
    world.reverse(&receipt).await;
    app::ledger::reversals::take_back(world.app(), &receipt, None).await.unwrap();
    assert_eq!(world.ledger().await.debt(&player), -250);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.debt(&player), ledger.wallets[&player.id]), (0, 0));
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("losses")), (0, 0));
    assert_eq!(ledger.wallets_with(250), 5);
    let movements = world.again(&player).await.movements().await;
    assert_eq!(
        (&movements[0]["kind"], &movements[0]["amount"], &movements[1]["kind"]),
        (&json!("debt-paid"), &json!(-250), &json!("refund"))
    );
}
