//! More leagues than lie together, are written in one step or fit into one answer.

use std::collections::BTreeSet;

use app::{
    leagues::{draw, list, picks_import},
    settlement::{settling, winners},
};
use domain::{EntryAmount, GameweekId, Kes, UserId, ledger::postings::Posting};
use jiff::SignedDuration;
use local::{
    DataDir, Settings, fixtures,
    process::{Fate, Process},
};
use serde_json::{Value, json};
use store::{
    entries::{EntryOf, Joined},
    leagues::{LeagueId, Reading, draw_rounds::SweepSoFar},
};

use crate::support::{World, gameweek::this_week, text};

const FIFTY: EntryAmount = EntryAmount::Fifty;
const WAITING: &str = "/api/admin/leagues/waiting";
const TRANSACTION: &str = "TransactWriteItems";

/// 34 leagues that may be drawn, five of them in a step, by this test alone.
async fn to_be_drawn() -> World {
    let parameters = [("LeaguesPerStep", "5".to_owned())].into();
    let settings = Settings { data_dir: DataDir::Memory, parameters, ..Settings::default() };
    let world = World::start_with(settings).await;
    world.no_schedules().await;
    world.many(333, 50).await;
    fixtures::let_draw(world.app(), this_week()).await;
    world
}

async fn close(process: &Process) {
    draw::advance(process.app(), this_week()).await.unwrap();
}

async fn is_drawn(world: &World) -> bool {
    world.app().gameweek(this_week()).await.unwrap().unwrap().drawn_at.is_some()
}

async fn members(world: &World) -> Vec<usize> {
    let leagues = world.app().store().leagues_page(this_week(), FIFTY, None, 200).await.unwrap().items;
    leagues.iter().map(|league| league.members.len()).collect()
}

/// Its process dies after the third step and a bit. Until its turn is over nobody else writes a league; then another one
/// goes on after the third step.
#[tokio::test]
async fn a_draw_that_dies_among_its_leagues_goes_on_there_when_its_turn_is_over() {
    let world = to_be_drawn().await;
    // Three lists, the beacon, the seed and the turn; then each step is its turn, five leagues and a note.
    let dies = world.process(Fate::DiesAfter(10 + 3 * 7 + 3));
    assert!(dies.run(close(&dies)).await.is_none());
    let written = members(&world).await.len();
    assert!((15..20).contains(&written), "{written}");

    let early = world.process(Fate::Lives);
    close(&early).await;
    assert_eq!((early.calls_of(TRANSACTION), is_drawn(&world).await), (0, false), "it is another's turn");
    world.advance(121).await;
    let next = world.process(Fate::Lives);
    close(&next).await;
    assert!(is_drawn(&world).await);
    let transactions = next.calls_of(TRANSACTION);
    assert!((34 - written as u64..=34 - 15 + 2).contains(&transactions), "it began anew: {transactions}");
    assert_eq!((members(&world).await.len(), members(&world).await.iter().sum()), (34, 333));
}

/// Before its function's time is over it hands over, and whoever comes next need not wait.
#[tokio::test]
async fn a_draw_whose_time_is_over_hands_over() {
    let world = to_be_drawn().await;
    let hurried = world.process_in_haste(40);
    close(&hurried).await;
    let written = members(&world).await.len();
    assert!(!is_drawn(&world).await && (5..30).contains(&written), "{written}");
    let next = world.process(Fate::Lives);
    close(&next).await;
    assert!(is_drawn(&world).await);
    assert_eq!((members(&world).await.len(), members(&world).await.iter().sum()), (34, 333));
    assert!(next.calls_of(TRANSACTION) as usize <= 34 - written + 2);
}

/// A drawn gameweek of 333, 50 of them looked at in a step, and four who came too late: three of them before everybody else.
async fn to_be_swept() -> (World, Vec<UserId>) {
    let world = to_be_drawn().await;
    close(&world.process(Fate::Lives)).await;
    assert!(is_drawn(&world).await);
    // The draw's own sweeps are over.
    world.advance(1_000).await;
    let mut late = vec![fixtures::enter(world.app(), this_week(), FIFTY, 5_000).await.user_id];
    for n in 5_001..5_004 {
        late.push(enter_early(&world, n).await);
    }
    (world, late)
}

/// Joins past every rule, with a place before all others: as an attempt does that was held up somewhere.
async fn enter_early(world: &World, n: u32) -> UserId {
    let (app, now) = (world.app(), world.app().clock().now());
    let player = fixtures::sign_up(app, 2026, n).await;
    let money = Posting::deposit(&player.id, &store::random_id(), Kes::new(100));
    app.store().credit_wallet(&player.id, &money, now).await.unwrap();
    let early = now - SignedDuration::from_hours(1);
    let entry = app::entries::new_entry(&player, player.fpl_id.unwrap(), this_week(), FIFTY, early);
    assert_eq!(app.store().join_by_wallet(&entry).await.unwrap(), Joined::Entered);
    player.id
}

async fn balances(world: &World, players: &[UserId]) -> Vec<i64> {
    let mut balances = Vec::new();
    for player in players {
        balances.push(world.app().store().wallet(player).await.unwrap().balance.get());
    }
    balances
}

async fn sweep(process: &Process) -> bool {
    draw::sweep(process.app(), this_week()).await.unwrap()
}

/// Where it is noted how far a sweep is: once for each of seven steps, and at the end.
const NOTED: &str = "PutItem";

/// Its process dies in the third step. Until its turn is over nobody else sweeps, and nobody is paid; then another one goes on
/// after the second step.
#[tokio::test]
async fn a_sweep_that_dies_goes_on_there_when_its_turn_is_over() {
    let (world, late) = to_be_swept().await;
    let before = balances(&world, &late).await;
    assert_eq!(before, [50; 4]);
    // The turn; three refunds, each noted, booked and told; then each step is a note and the turn.
    let dies = world.process(Fate::DiesAfter(1 + 3 * 3 + 2 * 2));
    assert!(dies.run(sweep(&dies)).await.is_none());
    assert_eq!(balances(&world, &late).await, [50, 100, 100, 100]);
    assert!(under_way(&world).await.is_some_and(|sweep| sweep.after.is_some()));

    let early = world.process(Fate::Lives);
    assert!(!sweep(&early).await, "it is another's turn");
    assert_eq!(early.tally().steps, 1, "and this one asks for it, and does no more");
    let now = world.app().clock().now();
    fixtures::change(world.app(), this_week(), |gameweek| {
        (gameweek.final_at, gameweek.settling_since) = (Some(now), Some(now));
    })
    .await;
    winners::settle_gameweek(world.app(), this_week()).await.unwrap();
    assert!(fanned_out(&world).await.is_none(), "nobody is paid before all is swept");

    world.advance(121).await;
    let next = world.process(Fate::Lives);
    assert!(sweep(&next).await);
    assert_eq!(balances(&world, &late).await, [100; 4]);
    assert_eq!(next.calls_of(NOTED), 1 + 5 + 1, "why one is in no league, five steps, the end");
    let again = world.process(Fate::Lives);
    assert!(sweep(&again).await);
    assert_eq!(again.calls_of(NOTED), 4 + 7 + 1, "the next one begins with the first entry");
    assert_eq!(balances(&world, &late).await, [100; 4], "and gives nothing back twice");
    winners::settle_gameweek(world.app(), this_week()).await.unwrap();
    assert!(fanned_out(&world).await.is_some());
    world.ledger().await;
}

async fn under_way(world: &World) -> Option<SweepSoFar> {
    world.app().store().sweeps(this_week()).await.unwrap().sweep
}

async fn fanned_out(world: &World) -> Option<jiff::Timestamp> {
    world.app().gameweek(this_week()).await.unwrap().unwrap().fanned_out_at
}

/// Before its function's time is over it hands over, and asks for the run that goes on. What began more than an hour ago is
/// begun anew: somebody may have come since.
#[tokio::test]
async fn a_sweep_whose_time_is_over_hands_over() {
    let (world, late) = to_be_swept().await;
    let hurried = world.process_in_haste(25);
    draw::sweep_or_ask_again(hurried.app(), this_week()).await.unwrap();
    let noted = hurried.calls_of(NOTED) - 3;
    assert!((1..7).contains(&noted), "{noted}");
    assert_eq!(balances(&world, &late).await, [50, 100, 100, 100]);
    assert!(under_way(&world).await.is_some());
    // The message that it has sent is seen a minute later.
    world.advance(70).await;
    assert_eq!(balances(&world, &late).await, [100; 4]);
    assert_eq!(under_way(&world).await, None);

    assert!(!sweep(&world.process_in_haste(25)).await);
    let came = enter_early(&world, 5_005).await;
    world.advance(3_700).await;
    let next = world.process(Fate::Lives);
    assert!(sweep(&next).await);
    assert_eq!(balances(&world, &[came]).await, [100]);
    let last = world.process(Fate::Lives);
    assert!(sweep(&last).await);
    assert_eq!(last.calls_of(NOTED), 0, "nobody can have come since that one began");
    world.ledger().await;
}

/// How many leagues have something of their teams.
async fn are_read(world: &World) -> usize {
    let leagues = world.app().store().leagues_page(this_week(), FIFTY, None, 200).await.unwrap().items;
    leagues.iter().filter(|league| !league.readings.is_empty()).count()
}

/// Also where there is little to ask for, and each league takes its time; whoever comes next need not wait.
#[tokio::test]
async fn a_reading_of_the_teams_whose_time_is_over_hands_over() {
    let world = to_be_drawn().await;
    world.rest().await;
    close(&world.process(Fate::Lives)).await;
    let hurried = world.process_in_haste(100);
    picks_import::collect(hurried.app()).await.unwrap();
    let read = are_read(&world).await;
    assert!((1..4).contains(&read), "{read}");
    let next = world.process(Fate::Lives);
    picks_import::collect(next.app()).await.unwrap();
    assert_eq!(are_read(&world).await, read + 20, "as many as a run may ask about");
}

/// As it was kept before: a league and its status with the first hundred, a part of the list with the first.
async fn move_to_where_it_was(world: &World, from: &str, to: &str, sk: &str) {
    let table = &world.app().config().table_name;
    let key = json!({"pk": {"S": from}, "sk": {"S": sk}});
    let call = async |operation, input: Value| world.dynamo().call(operation, &input).await.unwrap();
    let mut item = call("GetItem", json!({"TableName": table, "Key": key})).await["Item"].clone();
    assert!(item.is_object(), "{from} {sk}");
    item["pk"]["S"] = json!(to);
    call("PutItem", json!({"TableName": table, "Item": item})).await;
    call("DeleteItem", json!({"TableName": table, "Key": key})).await;
}

/// What is personal goes from these places of the list, in whatever part they are.
async fn are_forgotten(world: &World, places: &[usize]) {
    let (process, id) = (world.process(Fate::Lives), this_week());
    let store = process.app().store();
    let list = store.entry_list(id, FIFTY).await.unwrap().unwrap();
    for place in places {
        let entry = &store.listed_entries(id, FIFTY, &list).await.unwrap()[*place];
        let of = EntryOf { player: &entry.user_id, gameweek: id, amount: FIFTY, id: &entry.id };
        store.forget_entry(&of).await.unwrap();
        let listed = &store.listed_entries(id, FIFTY, &list).await.unwrap()[*place];
        assert_eq!((listed.username.as_str(), &listed.id), ("", &entry.id), "{place}");
    }
}

/// The same of a member of a league, which lies in one of two places.
async fn is_forgotten_in(world: &World, league: LeagueId, place: usize) {
    // A key bears only so much in a second.
    world.advance(1).await;
    let store = world.app().store();
    let member = &store.league(league).await.unwrap().unwrap().members[place];
    let (gameweek, amount) = (league.gameweek, league.amount);
    let of = EntryOf { player: &member.user_id, gameweek, amount, id: &member.entry_id };
    store.forget_entry(&of).await.unwrap();
    let kept = &store.league(league).await.unwrap().unwrap().members[place];
    assert_eq!((kept.username.as_str(), &kept.entry_id), ("", &member.entry_id), "{league}");
}

/// Every waiting league's id, page by page.
async fn waiting(world: &World) -> (Vec<String>, Vec<usize>) {
    let (admin, mut ids, mut pages, mut path) =
        (world.admin().await, Vec::new(), Vec::new(), WAITING.to_owned());
    loop {
        let answer = admin.get(&path).await;
        let next = answer.cursor();
        let page = answer.expect(200)["waiting"].as_array().unwrap().clone();
        pages.push(page.len());
        ids.extend(page.iter().map(|league| text(league, "_id")));
        match next {
            Some(next) => path = format!("{WAITING}?cursor={next}"),
            None => return (ids, pages),
        }
    }
}

async fn listed(world: &World) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = list::page(world.app(), Some("2026-01"), FIFTY, cursor.as_deref()).await.unwrap().page;
        ids.extend(page.items.iter().map(|league| match league {
            list::LeagueNow::Drawn { league, .. } => league.id().to_string(),
            _ => panic!("it is drawn"),
        }));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => return ids,
        }
    }
}

/// 103 leagues: those above a hundred lie by themselves. All are listed, counted and shown where they wait, page by page,
/// and settled; and so are those that still lie where all lay before.
#[tokio::test]
async fn leagues_beyond_a_hundred_are_found_where_they_lie_and_where_they_lay() {
    let world = World::start().await;
    world.no_schedules().await;
    let disagree = |readings: &mut Vec<Reading>| readings[0].official.as_mut().unwrap().figures.gross += 1;
    let ids = world.played_leagues(103, disagree).await;
    let (app, id, since) =
        (world.app(), this_week(), world.app().clock().now() - SignedDuration::from_hours(25));
    for league in &ids {
        app.store().mark_league_waiting(*league, ("They disagree.", false), since).await.unwrap();
    }
    let names: Vec<String> = ids.iter().map(LeagueId::to_string).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 103);
    let holds = async |when: &str| {
        assert_eq!(waiting(&world).await, (names.clone(), vec![50, 50, 3]), "{when}");
        assert_eq!(listed(&world).await, names, "{when}");
        let at_once = app.store().leagues_page(id, FIFTY, None, 200).await.unwrap();
        assert_eq!((at_once.items.len(), at_once.cursor), (103, None), "{when}");
        let preview = world.admin().await.get("/api/admin/winners").await.expect(200);
        assert_eq!((&preview["leagues"], &preview["waiting"]), (&json!(103), &json!(103)), "{when}");
        assert_eq!(preview["collected"], 103 * 500, "{when}");
        assert_eq!(winners::progress(app, id).await.unwrap().leagues, 103, "{when}");
    };
    holds("in blocks").await;
    are_forgotten(&world, &[0, 499, 500, 1029]).await;
    is_forgotten_in(&world, ids[101], 0).await;
    let settle = async |league: &LeagueId| {
        assert!(settling::settle_league(app, *league).await.unwrap());
        let status = app.store().league_status(*league).await.unwrap().unwrap();
        assert!(status.settled_at.is_some() && status.waiting.is_none(), "{league}");
        assert!(app.store().league(*league).await.unwrap().unwrap().settled_at.is_some());
    };

    for number in [102, 103] {
        let (from, to) = ("LEAGUES#2026-01#50#0001", "LEAGUES#2026-01#50");
        move_to_where_it_was(&world, from, to, &format!("{number:05}")).await;
        move_to_where_it_was(&world, "MARKS#2026-01#0001", "MARKS#2026-01", &format!("050-{number:05}"))
            .await;
    }
    move_to_where_it_was(&world, "LEAGUES#2026-01#50#0001", "LEAGUES#2026-01#50", "00101").await;
    move_to_where_it_was(&world, "MARKS#2026-01#0001", "MARKS#2026-01", "050-00101").await;
    let list = app.store().entry_list(id, FIFTY).await.unwrap().unwrap();
    for part in 1..3 {
        let sk = format!("PART#{}#{part:04}", list.attempt);
        move_to_where_it_was(&world, &format!("DRAW#2026-01#50#{part:04}"), "DRAW#2026-01#50", &sk).await;
    }
    for league in &ids[100..] {
        app.store().mark_league_waiting(*league, ("They disagree.", false), since).await.unwrap();
        app.store().mark_league_corrected(*league, None).await.unwrap();
    }
    holds("as before").await;
    are_forgotten(&world, &[1, 498, 501, 1028]).await;
    is_forgotten_in(&world, ids[101], 1).await;
    let sweeper = world.process(Fate::Lives);
    assert!(draw::sweep(sweeper.app(), id).await.unwrap());
    assert_eq!(sweeper.tally().steps, 0, "everybody is listed");
    late_entry_is_given_back(&world, id).await;
    fixtures::read_teams(app, id, FIFTY, |_| ()).await;
    for league in [&ids[0], &ids[102]] {
        settle(league).await;
        // Who is late with it changes nothing.
        let settled = app.store().league_status(*league).await.unwrap();
        let now = app.clock().now() + SignedDuration::from_hours(1);
        app.store().mark_league_settled(*league, Kes::ZERO, now).await.unwrap();
        app.store().mark_league_waiting(*league, ("They disagree.", false), now).await.unwrap();
        assert_eq!(app.store().league_status(*league).await.unwrap(), settled, "{league}");
    }
    assert_eq!(waiting(&world).await.0, names[1..102]);
}

async fn late_entry_is_given_back(world: &World, id: GameweekId) {
    let late = fixtures::enter(world.app(), id, FIFTY, 5_000).await;
    for time in ["found", "found again, and given back once"] {
        assert!(draw::sweep(world.app(), id).await.unwrap());
        let balance = world.app().store().wallet(&late.user_id).await.unwrap().balance.get();
        assert_eq!(balance, 100, "{time}");
    }
}

/// In the last minutes before a deadline most have joined too recently for marks that never change. A place among them is
/// found from the marks of a minute ago, with what a few reads cost.
#[tokio::test]
async fn a_place_among_those_who_have_just_joined_costs_little() {
    let world = World::start().await;
    world.no_schedules().await;
    world.many(2_000, 50).await;
    let store = world.app().store();
    let entries = store.entries_page(this_week(), FIFTY, None, 2_000).await.unwrap();
    let own = &entries[1_503];
    let look = async || {
        let process = world.process(Fate::Lives);
        let group = process.app().store().provisional_group(this_week(), FIFTY, &own.user_id, &own.id).await;
        (group.unwrap(), process.tally().units)
    };
    let (counted, dear) = look().await;
    assert_eq!((counted.number, &counted.entries[..]), (151, &entries[1_500..1_510]));
    store.advance_checkpoints(this_week(), FIFTY, world.app().clock().now()).await.unwrap();
    let (marked, cheap) = look().await;
    assert_eq!(marked, counted);
    assert!(cheap < 50.0 && 2.0 * cheap < dear, "{cheap} and {dear} units");
    println!("{cheap} units from marks, {dear} counted");
}
