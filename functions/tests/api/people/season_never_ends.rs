//! The official game never says that points are final, and the season is left.

use app::{
    App, Safeguards,
    gameweeks::{calling_off, seasons},
    settlement::{settling, waiting, winners},
};
use domain::{EntryAmount, GameweekId, gameweeks::calling_off::CalledOff};
use jiff::SignedDuration;
use local::{DataDir, Settings, fixtures, process::Fate};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    accounts::players::Player,
    entries::Joined,
    leagues::{LeagueId, Reading},
    settlement::record::Basis,
};

use crate::{
    platform::{crash_recovery, interleavings},
    support::{PASSWORD, World},
};

const DAY: i64 = 24 * 3600;
const PROCESS: &str = "/api/gameweek/process-winners";

fn void_of(gameweek: &str) -> String {
    format!("/api/admin/gameweeks/{gameweek}/void")
}

fn permit(app: &app::App, admin: &Player) -> store::admin::permits::Permit {
    store::admin::permits::Permit::plain(store::admin::audit::Who::admin(admin), app.clock().now())
}

fn because() -> Value {
    json!({"reason": "The season was left."})
}

async fn current(world: &World) -> Value {
    world.nobody().get("/current-gameweek").await.expect(200)["currentGameweek"].clone()
}

async fn state(world: &World, number: u8) -> Value {
    let gameweeks = world.nobody().get("/api/gameweeks").await.expect(200);
    let found = gameweeks.as_array().unwrap().iter().find(|gameweek| gameweek["number"] == number);
    found.unwrap_or_else(|| panic!("gameweek {number} in {gameweeks}")).clone()
}

#[rstest]
#[tokio::test]
async fn the_stakes_come_back_after_seven_days(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    let alone = world.player_with(50).await;
    alone.join(50, 1).await.expect(201);
    let admin = world.admin().await;
    let open = admin.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(open, "Gameweek 1 can be called off from 2026-08-29T10:30:00Z on.");
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.sim(Method::POST, "/clock", json!({"to": "2026-08-29T10:29:30Z"})).await;

    let admin = world.admin().await;
    admin.post(PROCESS, json!({"gameweek": 1})).await.refused(409);
    let too_early = admin.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(too_early, open);
    let preview = admin.get(&void_of("2026-01")).await.expect(200);
    assert_eq!(
        (&preview["possibleFrom"], &preview["refused"]),
        (&json!("2026-08-29T10:30:00Z"), &json!(open))
    );
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
        assert_eq!(
            (&told["state"], &told["leagues"], &told["toPay"]),
            (&json!("settling"), &json!(2), &json!(3_000))
        );
    }
    world.advance(60).await;

    let ledger = world.ledger().await;
    assert_eq!(
        (ledger.account("pot:2026-01"), ledger.account("fees"), ledger.account("rounding")),
        (0, 0, 0)
    );
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 250).count(), 12);
    let settled = state(&world, 1).await;
    assert_eq!(
        (&settled["state"], &settled["calledOff"]),
        (&json!("settled"), &json!("The season was left."))
    );
    let admin = world.admin().await;
    assert_eq!(admin.post(&void_of("2026-01"), because()).await.refused(409), "Gameweek 1 is settled.");
    let after = admin.get(&void_of("2026-01")).await.expect(200);
    assert_eq!(
        (&after["leagues"], &after["toRefund"], &after["settled"], &after["paid"]),
        (&json!(0), &json!(0), &json!(2), &json!(3_050))
    );
    let record = world.nobody().get("/api/leagues/2026-01-250-00001/settlement").await.expect(200);
    assert_eq!((&record["basis"], &record["fee"]), (&json!("called-off"), &json!(0)));

    // Its points become final after all: nothing more is paid.
    world.faults(json!({"fpl": "none"})).await;
    world.advance(DAY).await;
    assert_eq!(world.ledger().await.wallets, ledger.wallets);
}

/// Whoever has an entry in a gameweek decides nothing about its stakes: an admin who has none does.
#[rstest]
#[tokio::test]
async fn an_admin_who_plays_calls_nothing_off(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
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
    let own = "This is your own account's. Another admin has to do it.";
    assert_eq!(plays.post(&void_of("2026-01"), because()).await.refused(403), own);
    let told = admin.post(&void_of("2026-01"), because()).await;
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

/// Pressed again while the stakes go back: what is left is taken up, without a second admin's word on it.
#[rstest]
#[tokio::test]
async fn another_press_takes_up_what_is_left(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    let off = called_off(&world).await;
    // The message of the press that called it off was lost.
    seasons::change(world.app(), this_week(), |gameweek| {
        gameweek.called_off = Some(off.clone());
        (gameweek.settling_since, gameweek.fanned_out_at) = (Some(off.at), Some(off.at));
    })
    .await
    .unwrap();
    let again = json!({"reason": "Once more."});
    let pressed = world.admin().await.post(&void_of("2026-01"), again).await.expect(200);
    assert_eq!(
        (&pressed["state"], &pressed["leagues"], &pressed["settled"]),
        (&json!("settling"), &json!(2), &json!(0))
    );
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 250).count(), 12);
    assert_eq!(state(&world, 1).await["calledOff"], off.reason, "the first word stands");
    let settled = world.admin().await.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(settled, "Gameweek 1 is settled.");
}

/// Players read why, in "My entries" and by mail.
#[tokio::test]
async fn players_are_told_that_it_was_called_off() {
    let world = World::start().await;
    let player = world.player_with(100).await;
    player.join(100, 1).await.expect(201);
    world.crowd(4, 100).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let email = format!("player{}@example.co.ke", player.n);
    let player = world.log_in(&email, PASSWORD).await;
    let entry = player.get("/api/me/entries").await.expect(200)["entries"][0].clone();
    let why = "The gameweek was called off: The season was left.";
    assert_eq!(
        (&entry["refund"], &entry["refundReason"], &entry["rank"]),
        (&json!(100), &json!(why), &Value::Null)
    );
    assert_eq!(player.wallet().await, 100);
    let mails = world.mails(&email).await;
    assert!(mails.iter().any(|mail| mail["text"].as_str().unwrap().contains(why)), "{mails:?}");
}

/// A world that begins in the last gameweek of the season, three days before its deadline.
async fn last_gameweek(safeguards: Safeguards) -> World {
    let sim_clock = "2027-05-05T10:30:00Z".parse().unwrap();
    let settings = Settings { data_dir: DataDir::Memory, sim_clock, safeguards, ..Settings::default() };
    World::start_with(settings).await
}

/// The last gameweek is never final. The next season begins all the same, and the stakes come back before or
/// after that.
#[rstest]
#[tokio::test]
async fn the_next_season_begins_and_the_stakes_of_the_last_one_come_back(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
    #[values(true, false)] in_time: bool,
) {
    let world = last_gameweek(safeguards).await;
    world.crowd(10, 250).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(38, "checked").await;
    world.advance(8 * DAY).await;
    if in_time {
        world.by_two(Method::POST, &void_of("2026-38"), Some(because())).await.expect(200);
    }
    world.sim(Method::POST, "/clock", json!({"to": "2027-07-10T10:00:00Z"})).await;
    assert_eq!(current(&world).await, 1, "the next season is there");
    let owed = world.admin().await.get("/api/admin/gameweeks").await.expect(200);
    assert_eq!(owed.as_array().unwrap().len(), usize::from(!in_time), "{owed}");
    if !in_time {
        let admin = world.admin().await;
        let preview = admin.get(&void_of("2026-38")).await.expect(200);
        assert_eq!((&preview["leagues"], &preview["toRefund"]), (&json!(1), &json!(2_500)));
        let not_final = admin.post(PROCESS, json!({"gameweek": "2026-38"})).await.refused(409);
        assert_eq!(not_final, "Official points for gameweek 38 are not final yet.");
        world.by_two(Method::POST, &void_of("2026-38"), Some(because())).await.expect(200);
        world.advance(60).await;
    }
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-38"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 250).count(), 10);
    assert_eq!(world.admin().await.get("/api/admin/gameweeks").await.expect(200), json!([]));
    // And it is played.
    let player = world.player_with(50).await;
    player.join(50, 1).await.expect(201);
}

/// Some leagues were paid before the official game took its points back: they keep what they have, and the others
/// get their stakes.
#[rstest]
#[tokio::test]
async fn what_was_settled_before_stays(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 50).await;
    let unknown = world.crowd(5, 100).await;
    for player in &unknown {
        let path = format!("/fpl/entries/{}", player["fplId"].as_str().unwrap());
        world.sim(Method::PUT, &path, json!({"exists": false})).await;
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    world.advance(60).await;
    let paid = world.ledger().await;
    assert_eq!((paid.account("fees"), paid.account("pot:2026-01")), (25, 500));
    let still_final = world.admin().await.post(&void_of("2026-01"), because()).await.refused(409);
    assert_eq!(still_final, "The official points for gameweek 1 are final: its winners can be paid.");

    world.faults(json!({"fpl": "unfinal"})).await;
    world.advance(7 * DAY).await;
    let admin = world.admin().await;
    let preview = admin.get(&void_of("2026-01")).await.expect(200);
    assert_eq!(
        (
            &preview["leagues"],
            &preview["entries"],
            &preview["toRefund"],
            &preview["settled"],
            &preview["paid"]
        ),
        (&json!(1), &json!(5), &json!(500), &json!(1), &json!(225))
    );
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("fees"), ledger.account("pot:2026-01")), (25, 0));
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 100).count(), 5);
    assert_eq!(state(&world, 1).await["state"], "settled");
}

fn this_week() -> GameweekId {
    "2026-01".parse().unwrap()
}

/// Leagues of ten at 50, played and read, of a gameweek whose points are final.
async fn leagues(world: &World, count: u32) -> Vec<LeagueId> {
    leagues_read(world, count, |_| ()).await
}

/// As [`leagues::list`], with what was read of each changed.
async fn leagues_read(world: &World, count: u32, change: impl Fn(&mut Vec<Reading>)) -> Vec<LeagueId> {
    let (app, id, amount) = (world.app(), this_week(), EntryAmount::Fifty);
    world.faults(json!({"fpl": "down"})).await;
    for n in 0..count * 10 {
        fixtures::enter(app, id, amount, n).await;
    }
    fixtures::end_play(app, id).await;
    app::leagues::draw::close(app, id).await.unwrap();
    fixtures::read_teams(app, id, amount, change).await
}

async fn set(app: &App, is_final: bool, called_off: Option<&CalledOff>) {
    let now = app.clock().now();
    seasons::change(app, this_week(), |gameweek| {
        gameweek.final_at = is_final.then_some(now - SignedDuration::from_mins(1));
        gameweek.called_off = called_off.cloned();
    })
    .await
    .unwrap();
}

async fn called_off(world: &World) -> CalledOff {
    let admin = domain::UserId::parse(&world.admin().await.id).unwrap();
    CalledOff { at: world.app().clock().now(), admin, reason: "The season was left.".to_owned() }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Settles,
    CallsOff,
}

impl Does {
    async fn act(self, app: &App, off: &CalledOff, league: LeagueId) {
        if self == Self::CallsOff {
            set(app, false, Some(off)).await;
        }
        settling::settle_league(app, league).await.unwrap();
    }
}

/// A league is settled while its gameweek is called off: it has one record, and is paid by that alone. Points that
/// become final afterwards change nothing.
#[rstest]
#[case::settling_is_held_up(Does::Settles, Does::CallsOff)]
#[case::calling_off_is_held_up(Does::CallsOff, Does::Settles)]
#[tokio::test]
async fn a_league_is_settled_or_given_back_and_not_both(#[case] one: Does, #[case] other: Does) {
    const LEAGUES: u32 = 30;
    let world = World::start().await;
    let mut left = leagues(&world, LEAGUES).await.into_iter();
    let off = called_off(&world).await;
    let subjects = interleavings::at_every_step(
        &world,
        async || {
            set(world.app(), true, None).await;
            left.next().expect("a league for each case")
        },
        async |app, league: &LeagueId| one.act(app, &off, *league).await,
        async |app, league: &LeagueId| other.act(app, &off, *league).await,
    )
    .await;
    set(world.app(), true, Some(&off)).await;
    let (mut fees, mut bases) = (0, Vec::new());
    for league in &subjects {
        settling::settle_league(world.app(), *league).await.unwrap();
        let record = world.app().store().settlement(*league).await.unwrap().unwrap();
        fees += record.fee.get();
        assert_eq!(record.fee.get() == 0, record.basis == Basis::CalledOff);
        assert!(record.ranking.iter().all(|who| who.refund.get() == 0 || who.prize.get() == 0));
        bases.push(record.basis);
    }
    assert!(bases.contains(&Basis::CalledOff) && bases.contains(&Basis::TwoReadings), "{bases:?}");
    let ledger = world.ledger().await;
    let done = i64::try_from(subjects.len()).unwrap();
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - done) * 500);
    assert_eq!(ledger.account("fees"), fees);
}

/// An admin decides a league that waits.
async fn decides(app: &App, admin: &Player, league: LeagueId) {
    let _decided_or_refused =
        waiting::act(app, league, waiting::WaitingAct::OfficialFigures, admin, "Checked by hand.")
            .await
            .unwrap();
    settling::settle_league(app, league).await.unwrap();
}

/// A league that waits is decided by an admin while its gameweek is called off: it has one record, and is paid by
/// that alone.
#[rstest]
#[case::deciding_is_held_up(true)]
#[case::calling_off_is_held_up(false)]
#[tokio::test]
async fn a_league_is_decided_or_given_back_and_not_both(#[case] deciding_is_held_up: bool) {
    const LEAGUES: u32 = 30;
    let world = World::start().await;
    let disagree = |readings: &mut Vec<Reading>| readings[0].official.as_mut().unwrap().figures.gross += 1;
    let mut left = leagues_read(&world, LEAGUES, disagree).await.into_iter();
    let off = called_off(&world).await;
    let admin: Player = interleavings::player(world.app(), &world.admin().await).await;
    let act = async |app: &App, decides_it: bool, league: LeagueId| {
        if decides_it {
            decides(app, &admin, league).await;
        } else {
            Does::CallsOff.act(app, &off, league).await;
        }
    };
    let subjects = interleavings::at_every_step(
        &world,
        async || {
            set(world.app(), true, None).await;
            let league = left.next().expect("a league for each case");
            let since = world.app().clock().now() - SignedDuration::from_hours(25);
            world.app().store().mark_league_waiting(league, ("They disagree.", false), since).await.unwrap();
            league
        },
        async |app, league: &LeagueId| act(app, deciding_is_held_up, *league).await,
        async |app, league: &LeagueId| act(app, !deciding_is_held_up, *league).await,
    )
    .await;
    set(world.app(), true, Some(&off)).await;
    let (mut fees, mut bases) = (0, Vec::new());
    for league in &subjects {
        settling::settle_league(world.app(), *league).await.unwrap();
        let record = world.app().store().settlement(*league).await.unwrap().unwrap();
        fees += record.fee.get();
        assert_eq!(record.fee.get() == 0, record.basis == Basis::CalledOff);
        assert!(record.ranking.iter().all(|who| who.refund.get() == 0 || who.prize.get() == 0));
        bases.push(record.basis);
    }
    assert!(bases.contains(&Basis::CalledOff) && bases.contains(&Basis::OfficialFigures), "{bases:?}");
    let ledger = world.ledger().await;
    let done = i64::try_from(subjects.len()).unwrap();
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - done) * 500);
    assert_eq!(ledger.account("fees"), fees);
}

/// Nobody has drawn it in seven days: it is drawn, for its leagues are what the stakes go back by.
#[rstest]
#[tokio::test]
async fn a_gameweek_that_was_never_drawn_is_given_back(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 250).await;
    let alone = world.player_with(50).await;
    alone.join(50, 1).await.expect(201);
    for job in ["sync-gameweek", "close-gameweek"] {
        world.schedule(job, false).await;
    }
    world.sim(Method::POST, "/clock", json!({"to": "2026-08-29T10:30:00Z"})).await;
    let preview = world.admin().await.get(&void_of("2026-01")).await.expect(200);
    assert_eq!(
        (&preview["leagues"], &preview["entries"], &preview["toRefund"], &preview["paid"]),
        (&json!(2), &json!(13), &json!(3_050), &json!(0))
    );
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.schedule("sync-gameweek", true).await;
    world.advance(600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 250).count(), 12);
    assert_eq!(ledger.wallets[&alone.id], 50);
    assert_eq!(state(&world, 1).await["state"], "settled");
}

/// A join that stood still over the draw and both sweeps: its entry is in no list, and comes back with the others.
#[rstest]
#[tokio::test]
async fn an_entry_in_no_list_comes_back_too(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(6, 50).await;
    let late = world.player_with(50).await;
    let to = async |at: &str| drop(world.sim(Method::POST, "/clock", json!({"to": at})).await);
    to("2026-08-22T10:29:45Z").await;
    let process = world.process(Fate::WaitsBefore(1));
    let joins = interleavings::join(process.app(), &late, EntryAmount::Fifty);
    assert_eq!(process.run_around(joins, to("2026-08-22T11:30:00Z")).await, Joined::Entered);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    to("2026-08-29T10:30:00Z").await;
    let preview = world.admin().await.get(&void_of("2026-01")).await.expect(200);
    assert_eq!(
        (&preview["leagues"], &preview["entries"], &preview["toRefund"]),
        (&json!(1), &json!(7), &json!(350))
    );
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets[&late.id], 50);
}

/// Whose stake was paid with money that M-Pesa has taken back since owes it: the stake that comes back pays that.
#[rstest]
#[tokio::test]
async fn a_stake_that_comes_back_pays_what_is_owed(
    #[values(Safeguards::Light, Safeguards::Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    let phone = player.phone();
    player.post("/api/deposits", json!({"phone": phone, "amount": 250})).await.expect(200);
    let paid = world.answer_prompt(&phone, json!({"outcome": "success"})).await;
    let receipt = paid["receipt"].as_str().unwrap();
    player.join(250, 1).await.expect(201);
    world.crowd(5, 250).await;
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    app::ledger::reversals::take_back(world.app(), receipt, None).await.unwrap();
    let debt = format!("debt:{}", player.id);
    assert_eq!(world.ledger().await.account(&debt), -250);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.phase(1, "checked").await;
    world.advance(7 * DAY).await;
    world.by_two(Method::POST, &void_of("2026-01"), Some(because())).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account(&debt), ledger.wallets[&player.id]), (0, 0));
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("losses")), (0, 0));
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 250).count(), 5);
    let player = world.log_in(&format!("player{}@example.co.ke", player.n), PASSWORD).await;
    let movements = player.get("/api/me/transactions").await.expect(200);
    assert_eq!(
        (&movements[0]["kind"], &movements[0]["amount"], &movements[1]["kind"]),
        (&json!("debt-paid"), &json!(-250), &json!("refund"))
    );
}

#[tokio::test]
async fn stakes_come_back_once_wherever_giving_them_back_ends() {
    const LEAGUES: u32 = 75;
    let world = World::start().await;
    let mut left = leagues(&world, LEAGUES).await.into_iter();
    set(world.app(), false, Some(&called_off(&world).await)).await;
    let (given_back, steps) = crash_recovery::at_every_step(
        &world,
        async || left.next().expect("a league for each case"),
        async |app, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap()),
    )
    .await;
    // The record, ten refunds and their mails, the league's end.
    assert!(steps >= 20, "{steps}");
    let ledger = world.ledger().await;
    let done = i64::try_from(given_back.len()).unwrap();
    assert_eq!(
        (ledger.account("fees"), ledger.account("pot:2026-01")),
        (0, (i64::from(LEAGUES) - done) * 500)
    );
    assert_eq!(ledger.wallets.values().filter(|balance| **balance == 100).count(), given_back.len() * 10);
}

/// Nobody had entered. The press ends anywhere and is made again: the gameweek is called off once, and ends.
#[tokio::test]
async fn it_is_called_off_wherever_the_press_ends() {
    let world = World::start().await;
    let (app, id) = (world.app(), this_week());
    world.schedule("sync-gameweek", false).await;
    world.phase(1, "live").await;
    app::leagues::draw::close(app, id).await.unwrap();
    let admin = domain::UserId::parse(&world.admin().await.id).unwrap();
    let admin: Player = app.store().player(&admin).await.unwrap().unwrap();
    world.advance(7 * DAY).await;
    let (_, steps) = crash_recovery::at_every_step(
        &world,
        async || {
            // What the press before sent is done before everything is as it was.
            world.advance(0).await;
            let anew = |gameweek: &mut domain::gameweeks::calendar::Gameweek| {
                (gameweek.called_off, gameweek.settling_since) = (None, None);
                (gameweek.settled_at, gameweek.final_at, gameweek.fanned_out_at) = (None, None, None);
            };
            seasons::change(app, id, anew).await.unwrap();
        },
        async |app, ()| {
            // Refused where an attempt before this one has got to the end.
            let _pressed =
                calling_off::call_off(app, id, &permit(app, &admin), "The season was left.").await.unwrap();
            winners::settle_gameweek(app, id).await.unwrap();
            let gameweek = app.gameweek(id).await.unwrap().unwrap();
            assert!(gameweek.called_off.is_some() && gameweek.settled_at.is_some(), "{gameweek:?}");
        },
    )
    .await;
    // The calendar and the message; the message may have ended the gameweek before the press looks at it.
    assert!(steps >= 2, "{steps}");
    world.ledger().await;
}
