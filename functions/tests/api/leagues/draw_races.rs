//! A process that stands still over the deadline and the draw, two draws at once, and clocks that are off: an
//! entry is in one league, or its price is back in the wallet (faults 9, 13 and 25).

use app::{
    App,
    admin::players::{self, Change, ChangeError},
    leagues::draw,
    platform::flow::FlowError,
};
use domain::{EntryAmount, GameweekId, gameweeks::calendar::Gameweek};
use local::{fixtures, process::Fate};
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::{admin::audit::Who, entries::Joined, leagues::draw_rounds::DrawRound};

use crate::{
    platform::{
        crash_recovery::{Paid, process_callback, prompt},
        interleavings::{at_every_step, join, this_week},
    },
    support::{PASSWORD, Person, World},
};

const DEADLINE: &str = "2026-08-22T10:30:00Z";

/// Moves the clock to so many seconds from the first deadline.
async fn to(world: &World, offset: i64) {
    let at = DEADLINE.parse::<jiff::Timestamp>().unwrap() + jiff::SignedDuration::from_secs(offset);
    world.sim(Method::POST, "/clock", json!({"to": at.to_string()})).await;
}

async fn again(world: &World, person: &Person) -> Person {
    world.log_in(&format!("player{}@example.co.ke", person.n), PASSWORD).await
}

async fn is_drawn(world: &World) -> bool {
    world.nobody().get("/api/gameweeks/1/draw").await.expect(200)["drawnAt"].is_string()
}

async fn first_gameweek(app: &App) -> Gameweek {
    app.calendar().await.unwrap().unwrap().gameweek(1).unwrap().clone()
}

/// The entry was found by a sweep: its price is back, once, and the player reads why.
async fn is_given_back(world: &World, person: &Person) {
    let person = again(world, person).await;
    assert_eq!(person.wallet().await, 50);
    let told = person.get("/api/me/entries").await.expect(200)["entries"][0].clone();
    assert_eq!((&told["refund"], &told["league"]), (&json!(50), &json!(null)));
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
    to(&world, -15).await;
    let process = world.process(Fate::WaitsBefore(1));
    let joined = process.run_around(join(process.app(), &late, EntryAmount::Fifty), to(&world, until)).await;
    assert_eq!(joined, Joined::Entered);
    assert!(is_drawn(&world).await);
    assert_eq!(again(&world, &late).await.wallet().await, 0);
    if until < 1400 {
        world.advance(1200).await;
    } else {
        world.phase(1, "checked").await;
        world.admin().await.post("/api/gameweek/process-winners", json!({})).await.expect(200);
        world.advance(60).await;
    }
    is_given_back(&world, &late).await;
    let ledger = world.ledger().await;
    assert_eq!(ledger.account("pot:2026-01"), if until < 1400 { 300 } else { 0 });
}

/// A prompt that was paid before the deadline, whose credit stands still over the draw before each of its
/// steps: the money is in the wallet and no entry is made, or the entry is given back, or it is in a league.
#[tokio::test]
async fn a_credit_that_stands_still_over_the_draw_loses_nothing() {
    for step in 1.. {
        let world = World::start().await;
        world.crowd(6, 50).await;
        to(&world, -50).await;
        let paid = prompt(&world, "/api/pay", 50).await;
        // M-Pesa answers nobody else, so that nobody else credits it.
        world.faults(json!({"daraja": "pending"})).await;
        to(&world, 550).await;
        world.faults(json!({"daraja": "none"})).await;
        let process = world.process(Fate::WaitsBefore(step));
        let meanwhile = async {
            world.faults(json!({"daraja": "pending"})).await;
            // Until after the draw, whose list waits for what was heard of.
            to(&world, 1600).await;
            world.faults(json!({"daraja": "none"})).await;
        };
        process.run_around(process_callback(process.app(), &paid), meanwhile).await;
        to(&world, 2600).await;
        let held = process.tally().steps >= step;
        let ledger = world.ledger().await;
        // What nobody else had heard of comes too late. Of what was, another process may have made the entry.
        let own =
            again(&world, &paid.player).await.leagues(50, 1).await.first().map(|own| own["own"] == true);
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
    to(&world, sent).await;
    let paid = prompt(&world, "/api/pay", 50).await;
    world.faults(json!({"daraja": "pending"})).await;
    to(&world, 540).await;
    let hook = world.hook(&paid.id).await;
    world.nobody().post(&hook, serde_json::from_str(&paid.callback).unwrap()).await.expect(200);
    to(&world, 601).await;
    let fixed = async || app_list(&world).await.is_some();
    assert!(!fixed().await, "it waits");
    to(&world, 1440).await;
    assert!(fixed().await, "by 25 minutes after the deadline");
    to(&world, 1600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&paid.player.id], ledger.account("pot:2026-01")), (0, 350));
    assert_eq!(app_list(&world).await.unwrap().count, 7);
    assert!(is_drawn(&world).await);
}

/// An admin's correction of a team stands still over the draw's list: it is refused, and the entry is as it is
/// listed.
#[tokio::test]
async fn a_team_is_not_corrected_in_a_list_that_is_fixed() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    let player = world.player_with(50).await;
    player.join(50, 1).await.expect(201);
    to(&world, -15).await;
    let id = domain::UserId::parse(&player.id).unwrap();
    let team = Change::Team(domain::FplId::parse("880001").unwrap());
    let process = world.process(Fate::WaitsBefore(1));
    let correcting = players::change(process.app(), &id, team, Who::Operator, "Mistyped.");
    let corrected = process.run_around(correcting, to(&world, 1600)).await;
    assert!(matches!(corrected, Err(FlowError::Refused(ChangeError::Moved))), "{corrected:?}");
    assert!(is_drawn(&world).await);
    let entry = world.app().store().entry_of(&id, this_week()).await.unwrap().unwrap();
    assert_eq!(entry.fpl_id.to_string(), player.fpl_id);
    world.ledger().await;
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
    to(&world, 1600).await;
    assert!(app_list(&world).await.is_some());
    draw::close(app, this_week()).await.unwrap_err();
    assert!(!is_drawn(&world).await);
}

async fn app_list(world: &World) -> Option<store::leagues::draws::EntryList> {
    world.app().store().entry_list(this_week(), EntryAmount::Fifty).await.unwrap()
}

/// A whole draw: the lists and which round counts, then what the round is waited for.
pub async fn drawn(world: &World, app: &App, id: GameweekId) {
    draw::close(app, id).await.unwrap();
    world.advance(64).await;
    draw::close(app, id).await.unwrap();
}

/// A draw stands still before each of its steps, while somebody's entry comes and another run draws it all.
#[tokio::test]
async fn a_gameweek_is_drawn_once_whoever_is_held_up() {
    let world = World::start().await;
    world.schedule("sync-gameweek", false).await;
    world.schedule("close-gameweek", false).await;
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
    let close = async |app: &App, id: &GameweekId| drawn(&world, app, *id).await;
    let late = async |app: &App, id: &GameweekId| {
        fixtures::enter(app, *id, EntryAmount::Fifty, u32::from(id.number) * 100 + 99).await;
        close(app, id).await;
    };
    let weeks = at_every_step(&world, next, close, late).await;
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
    to(&world, 50).await;
    let behind = world.process_with_clock(-60);
    let gameweek = first_gameweek(behind.app()).await;
    assert!(gameweek.is_open(behind.app().clock().now()) && !gameweek.is_open(world.app().clock().now()));
    assert_eq!(join(behind.app(), &late, EntryAmount::Fifty).await, Joined::Entered);
    to(&world, 1700).await;
    let own = again(&world, &late).await.leagues(50, 1).await;
    assert_eq!((own.len(), &own[0]["own"]), (1, &json!(true)));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 350);
}

/// A draw by a clock that is a minute ahead comes before the fence. The beacon's round comes after the list, so
/// it cannot end; but the list of entries is fixed, and what is paid in the minute that is left is in the wallet.
#[tokio::test]
async fn what_is_paid_after_a_list_by_a_clock_that_is_ahead_is_in_the_wallet() {
    let world = World::start().await;
    world.crowd(6, 50).await;
    to(&world, -20).await;
    let paid = prompt(&world, "/api/pay", 50).await;
    world.faults(json!({"daraja": "pending"})).await;
    to(&world, 541).await;
    draw::close(world.process_with_clock(60).app(), this_week()).await.unwrap();
    assert!(!is_drawn(&world).await);
    world.faults(json!({"daraja": "none"})).await;
    let Paid { player, .. } = &paid;
    process_callback(world.app(), &paid).await;
    for at in [542, 1700] {
        to(&world, at).await;
        let ledger = world.ledger().await;
        assert_eq!((ledger.account("pot:2026-01"), ledger.wallets[&player.id]), (300, 50), "at {at}");
    }
    assert!(is_drawn(&world).await);
    let player = again(&world, player).await;
    assert_eq!(player.get("/api/me/entries").await.expect(200)["entries"], json!([]));
}

/// Clocks that are a minute off credit, take and pay as any other.
#[rstest]
#[case::ahead(60)]
#[case::behind(-60)]
#[tokio::test]
async fn a_clock_that_is_off_moves_the_same_money(#[case] off: i64) {
    let world = World::start().await;
    let process = world.process_with_clock(off);
    let paid = prompt(&world, "/api/deposits", 500).await;
    process_callback(process.app(), &paid).await;
    process_callback(world.app(), &paid).await;
    assert_eq!(join(process.app(), &paid.player, EntryAmount::Fifty).await, Joined::Entered);
    assert_eq!(join(world.app(), &paid.player, EntryAmount::Fifty).await, Joined::AlreadyJoined);
    assert!(crate::platform::interleavings::withdraw(process.app(), &paid.player, 100, None).await);
    world.advance(7200).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&paid.player.id], ledger.account("mpesa:in")), (350, -500));
}
