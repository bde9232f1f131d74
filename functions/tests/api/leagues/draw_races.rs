//! A process that stands still over the deadline and the draw, two draws at once, and clocks that are off: an
//! entry is in one league, or its price is back in the wallet (faults 9, 13 and 25).

use app::{
    App,
    admin::changes::{self, Change, ChangeError},
    leagues::draw,
    platform::flow::FlowError,
};
use domain::{EntryAmount, GameweekId, gameweeks::calendar::Gameweek};
use jiff::SignedDuration;
use local::{fixtures, process::Fate};
use rstest::rstest;
use serde_json::json;
use store::{admin::audit::Who, entries::Joined, leagues::draw_rounds::DrawRound};

use crate::support::{
    Person, World, assert_has,
    gameweek::this_week,
    processes,
    processes::{Paid, held_up_at_every_step, process_callback},
};

const DEADLINE: &str = "2026-08-22T10:30:00Z";

async fn first_gameweek(app: &App) -> Gameweek {
    app.calendar().await.unwrap().unwrap().gameweek(1).unwrap().clone()
}

/// The entry was found by a sweep: its price is back, once, and the player reads why.
async fn is_given_back(world: &World, person: &Person) {
    let person = world.again(person).await;
    assert_eq!(person.wallet().await, 50);
    let told = person.entries().await["entries"][0].clone();
    assert_has(&told, json!({"refund": 50, "league": null}));
    assert_eq!(told["refundReason"], "It came too late for the draw.");
}

/// A join that was admitted stands still before its write, over the draw. It is found by the first sweep, the
/// second one, or when the winners are paid, long after any function has been stopped.
#[rstest]
#[case::until_before_the_first_sweep(750)]
#[case::until_before_the_second_sweep(840)]
#[case::until_after_both(3600)]
#[tokio::test]
async fn an_entry_that_is_written_after_the_draw_is_given_back(#[case] until: i64) {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let late = world.player_with(50).await;
    world.to_deadline(-15).await;
    let process = world.process(Fate::WaitsBefore(1));
    let joining = processes::join(process.app(), &late, EntryAmount::Fifty);
    assert_eq!(process.run_around(joining, world.to_deadline(until)).await, Joined::Entered);
    assert!(world.is_drawn().await);
    assert_eq!(world.again(&late).await.wallet().await, 0);
    if until < 1400 {
        world.advance(1200).await;
    } else {
        world.phase(1, "checked").await;
        world.end_gameweek().await;
        world.advance(60).await;
    }
    is_given_back(&world, &late).await;
    assert_eq!(world.ledger().await.account("pot:2026-01"), if until < 1400 { 300 } else { 0 });
}

/// A prompt that was paid before the deadline, whose credit stands still over the draw before each of its
/// steps: the money is in the wallet and no entry is made, or the entry is given back, or it is in a league.
#[tokio::test]
async fn a_credit_that_stands_still_over_the_draw_loses_nothing() {
    for step in 1.. {
        let world = World::start().await;
        world.crowd(6, 50).await;
        world.to_deadline(-50).await;
        let paid = world.paid_prompt("/api/pay", 50).await;
        // M-Pesa answers nobody else, so that nobody else credits it.
        world.faults(json!({"daraja": "pending"})).await;
        world.to_deadline(550).await;
        world.faults(json!({"daraja": "none"})).await;
        let process = world.process(Fate::WaitsBefore(step));
        let meanwhile = async {
            world.faults(json!({"daraja": "pending"})).await;
            // Until after the draw, whose list waits for what was heard of.
            world.to_deadline(1600).await;
            world.faults(json!({"daraja": "none"})).await;
        };
        process.run_around(process_callback(process.app(), &paid), meanwhile).await;
        world.to_deadline(2600).await;
        let held = process.tally().steps >= step;
        let ledger = world.ledger().await;
        // What nobody else had heard of comes too late. Of what was, another process may have made the entry.
        let own = world.again(&paid.player).await.leagues(50, 1).await.first().map(|own| own["own"] == true);
        let enters = own == Some(true);
        assert!(enters || held, "step {step}");
        assert!(!enters || step > 1, "step {step}");
        assert_eq!(ledger.wallets[&paid.player.id], if enters { 0 } else { 50 }, "step {step}");
        assert_eq!(ledger.account("pot:2026-01"), if enters { 350 } else { 300 }, "step {step}");
        if !held {
            assert!(step > 3, "what is heard, the claim, the credit: {step}");
            return;
        }
    }
}

/// M-Pesa's word of a prompt comes before the fence, and cannot be confirmed before it: the list waits until
/// that is decided, and the entry is in it. Of the one that was sent first the next question would come after the
/// list has stopped waiting.
#[rstest]
#[case(-50)]
#[case(-170)]
#[tokio::test]
async fn the_list_waits_for_a_prompt_that_was_heard_of_in_time(#[case] sent: i64) {
    let world = World::start().await;
    world.crowd(6, 50).await;
    world.to_deadline(sent).await;
    let paid = world.paid_prompt("/api/pay", 50).await;
    world.faults(json!({"daraja": "pending"})).await;
    world.to_deadline(540).await;
    let hook = world.hook(&paid.id).await;
    world.nobody().post(&hook, serde_json::from_str(&paid.callback).unwrap()).await.expect(200);
    world.to_deadline(601).await;
    let fixed = async || app_list(&world).await.is_some();
    assert!(!fixed().await, "it waits");
    world.to_deadline(1440).await;
    assert!(fixed().await, "by 25 minutes after the deadline");
    world.to_deadline(1600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&paid.player.id], ledger.account("pot:2026-01")), (0, 350));
    assert_eq!(app_list(&world).await.unwrap().count, 7);
    assert!(world.is_drawn().await);
}

/// An admin's correction of a team stands still over the draw's list: it is refused, and the entry is as it is
/// listed.
#[tokio::test]
async fn a_team_is_not_corrected_in_a_list_that_is_fixed() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let player = world.player_with(50).await;
    player.join(50, 1).await.expect(201);
    world.to_deadline(-15).await;
    let id = player.user_id();
    let team = Change::Team(domain::FplId::parse("880001").unwrap());
    let process = world.process(Fate::WaitsBefore(1));
    let correcting = changes::change(process.app(), &id, team, Who::Operator, "Mistyped.");
    let corrected = process.run_around(correcting, world.to_deadline(1600)).await;
    assert!(matches!(corrected, Err(FlowError::Refused(ChangeError::Moved))), "{corrected:?}");
    assert!(world.is_drawn().await);
    let entry = world.app().store().entry_of(&id, this_week()).await.unwrap().unwrap();
    assert_eq!(entry.fpl_id.to_string(), player.fpl_id);
    world.ledger().await;
}

/// An admin's correction, by a clock that is behind, meets a draw at each of its steps: the entry is as it is listed.
#[rstest]
#[case::before_it_is_closed(1, true)]
#[case::before_the_entries_are_kept(2, false)]
#[case::before_the_list_is_fixed(3, false)]
#[tokio::test]
async fn a_team_is_not_corrected_while_its_list_is_made(#[case] step: u64, #[case] in_time: bool) {
    let world = World::start().await;
    world.no_schedules().await;
    world.crowd(6, 50).await;
    let player = world.player_with(50).await;
    player.join(50, 1).await.expect(201);
    world.to_deadline(601).await;
    let (behind, drawing) = (world.process_with_clock(-700), world.process(Fate::WaitsBefore(step)));
    let (id, team) = (player.user_id(), domain::FplId::parse("880001").unwrap());
    let change = changes::change(behind.app(), &id, Change::Team(team), Who::Operator, "Mistyped.");
    let mut corrected = None;
    let meanwhile = async { corrected = Some(change.await) };
    drawing.run_around(draw::advance(drawing.app(), this_week()), meanwhile).await.unwrap();
    let moved = matches!(corrected, Some(Err(FlowError::Refused(ChangeError::Moved))));
    assert_eq!(moved, !in_time, "{corrected:?}");
    let list = app_list(&world).await.unwrap();
    let store = world.app().store();
    let listed = store.listed_entries(this_week(), EntryAmount::Fifty, &list).await.unwrap();
    let listed = listed.into_iter().find(|entry| entry.user_id == id).unwrap();
    let entry = store.entry_of(&id, this_week()).await.unwrap().unwrap();
    assert_eq!((listed.fpl_id, listed.line()), (entry.fpl_id, entry.line()));
    assert_eq!(entry.fpl_id == team, in_time);
}

/// The beacon is set to another chain than the one whose round was published: nothing is drawn from that.
#[tokio::test]
async fn a_round_of_another_chain_draws_nothing() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let (app, at) = (world.app(), DEADLINE.parse::<jiff::Timestamp>().unwrap());
    let round = app.beacon().chain().first_round_from(at);
    let round = DrawRound { chain: "0".repeat(64), round, at };
    app.store().fix_draw_round(this_week(), &round).await.unwrap();
    world.to_deadline(1600).await;
    assert!(app_list(&world).await.is_some());
    draw::advance(app, this_week()).await.unwrap_err();
    assert!(!world.is_drawn().await);
}

async fn app_list(world: &World) -> Option<store::leagues::draws::EntryList> {
    world.app().store().entry_list(this_week(), EntryAmount::Fifty).await.unwrap()
}

/// A draw stands still before each of its steps, while somebody's entry comes and another run draws it all.
#[tokio::test]
async fn a_gameweek_is_drawn_once_whoever_is_held_up() {
    let world = World::start().await;
    world.no_schedules().await;
    let (app, mut number) = (world.app(), 0_u8);
    let next = async || {
        number += 1;
        let id = GameweekId { number, ..this_week() };
        for n in 0..12 {
            fixtures::enter(app, id, EntryAmount::Fifty, u32::from(number) * 100 + n).await;
        }
        fixtures::pass_deadline(app, id).await;
        id
    };
    let close = async |app: &App, id: &GameweekId| processes::draw(&world, app, *id).await;
    let late = async |app: &App, id: &GameweekId| {
        fixtures::enter(app, *id, EntryAmount::Fifty, u32::from(id.number) * 100 + 99).await;
        close(app, id).await;
    };
    let weeks = held_up_at_every_step(&world, next, close, late).await;
    assert!(weeks.len() > 11, "lists, round, beacon, seeds, leagues, sweeps, the end: {}", weeks.len());
    let mut entered = 0;
    for id in &weeks {
        draw::sweep(app, *id).await.unwrap();
        let leagues = app.store().leagues_page(*id, EntryAmount::Fifty, None, 100).await.unwrap().items;
        let list = app.store().entry_list(*id, EntryAmount::Fifty).await.unwrap().unwrap();
        let members: usize = leagues.iter().map(|league| league.members.len()).sum();
        assert_eq!(members, list.count, "{id}");
        entered += i64::try_from(members).unwrap();
        let pot = world.ledger().await.account(&format!("pot:{id}"));
        assert_eq!(pot, 50 * i64::try_from(members).unwrap(), "who is in no league has the price back: {id}");
    }
    assert!(entered >= 12 * i64::try_from(weeks.len()).unwrap());
}

/// A function whose clock is a minute behind still takes entries when the deadline has passed: the draw waits
/// for longer than that.
#[tokio::test]
async fn an_entry_by_a_clock_that_is_behind_is_in_the_draw() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let late = world.player_with(50).await;
    world.to_deadline(50).await;
    let behind = world.process_with_clock(-60);
    let gameweek = first_gameweek(behind.app()).await;
    assert!(gameweek.is_open(behind.app().clock().now()) && !gameweek.is_open(world.app().clock().now()));
    assert_eq!(processes::join(behind.app(), &late, EntryAmount::Fifty).await, Joined::Entered);
    world.to_deadline(1700).await;
    let own = world.again(&late).await.leagues(50, 1).await;
    assert_eq!((own.len(), &own[0]["own"]), (1, &json!(true)));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 350);
}

/// A draw by a clock that is a minute ahead comes before the fence. The beacon's round comes after the list, so
/// it cannot end; but the list of entries is fixed, and what is paid in the minute that is left is in the wallet.
#[tokio::test]
async fn what_is_paid_after_a_list_by_a_clock_that_is_ahead_is_in_the_wallet() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    world.to_deadline(-20).await;
    let paid = world.paid_prompt("/api/pay", 50).await;
    world.faults(json!({"daraja": "pending"})).await;
    world.to_deadline(541).await;
    draw::advance(world.process_with_clock(60).app(), this_week()).await.unwrap();
    assert!(!world.is_drawn().await);
    world.faults(json!({"daraja": "none"})).await;
    let Paid { player, .. } = &paid;
    process_callback(world.app(), &paid).await;
    for at in [590, 1700] {
        world.to_deadline(at).await;
        let ledger = world.ledger().await;
        assert_eq!((ledger.account("pot:2026-01"), ledger.wallets[&player.id]), (300, 50), "at {at}");
    }
    assert!(world.is_drawn().await);
    assert_eq!(world.again(player).await.entries().await["entries"], json!([]));
}

/// Clocks that are a minute off credit, take and pay as any other.
#[rstest]
#[case::ahead(60)]
#[case::behind(-60)]
#[tokio::test]
async fn a_clock_that_is_off_moves_the_same_money(#[case] off: i64) {
    let world = World::start().await;
    let process = world.process_with_clock(off);
    let paid = world.paid_prompt("/api/deposits", 500).await;
    process_callback(process.app(), &paid).await;
    process_callback(world.app(), &paid).await;
    assert_eq!(processes::join(process.app(), &paid.player, EntryAmount::Fifty).await, Joined::Entered);
    assert_eq!(processes::join(world.app(), &paid.player, EntryAmount::Fifty).await, Joined::AlreadyJoined);
    assert!(processes::withdraw(process.app(), &paid.player, 100, None).await);
    world.advance(7200).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&paid.player.id], ledger.account("mpesa:in")), (350, -500));
}

/// A draw ends before or after each of its writes: the list, its hash, the round, the beacon's value, the seed, the
/// leagues. It goes on to leagues that verify.
#[rstest]
#[case::before(Fate::DiesBefore)]
#[case::after(Fate::DiesAfter)]
#[case::unheard(Fate::Misses)]
#[tokio::test]
async fn a_gameweek_is_drawn_once_wherever_its_draw_ends(#[case] fate: fn(u64) -> Fate) {
    let world = World::start().await;
    world.no_schedules().await;
    let app = world.app();
    for step in 1_u8.. {
        let id = GameweekId { season: 2026, number: step };
        for n in 0..12 {
            fixtures::enter(app, id, EntryAmount::Fifty, u32::from(step) * 100 + n).await;
        }
        fixtures::pass_deadline(app, id).await;
        let process = world.process(fate(step.into()));
        process.run(processes::draw(&world, process.app(), id)).await;
        let reached = process.tally().steps >= u64::from(step);
        let hash =
            async || app.store().entry_list(id, EntryAmount::Fifty).await.unwrap().map(|list| list.hash);
        let public = hash().await;
        fixtures::enter(app, id, EntryAmount::Fifty, u32::from(step) * 100 + 99).await;
        processes::draw(&world, app, id).await;
        assert!(public.is_none() || hash().await == public, "a list that was public does not change");
        let report = world.verified(&id.to_string(), &[]).await;
        // It never opened, so its secret has no hash from then.
        let failed: Vec<_> = report.failures().filter(|(_, what)| !what.contains("the secret")).collect();
        assert!(failed.is_empty() && report.leagues == 2, "step {step}: {report}");
        let pot = world.ledger().await.account(&format!("pot:{id}"));
        assert!(pot == 13 * 50 || pot == 12 * 50, "step {step}: {pot}");
        if !reached {
            assert!(step > 11, "lists, round, beacon, seeds, leagues, sweeps, the end: {step}");
            return;
        }
    }
}

/// Who was too slow with a turn does not give back that of who has followed.
#[tokio::test]
async fn a_turn_is_given_back_by_who_has_it() {
    let world = World::start().await;
    let (store, gameweek, now) = (world.app().store(), this_week(), world.app().clock().now());
    let (until, end) = (now + SignedDuration::from_mins(1), now + SignedDuration::from_mins(2));
    assert!(store.take_turn_to_sweep(gameweek, "one", now, until).await.unwrap());
    assert!(!store.take_turn_to_sweep(gameweek, "other", now, until).await.unwrap());
    assert!(store.take_turn_to_sweep(gameweek, "other", until, end).await.unwrap());
    store.end_turn_to_sweep(gameweek, "one").await.unwrap();
    assert!(!store.take_turn_to_sweep(gameweek, "third", until, end).await.unwrap());
    store.end_turn_to_sweep(gameweek, "other").await.unwrap();
    assert!(store.take_turn_to_sweep(gameweek, "third", until, end).await.unwrap());
}
