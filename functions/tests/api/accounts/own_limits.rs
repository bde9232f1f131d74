//! Limits that players set themselves: held in the transaction of the money that they limit.

use app::{
    App,
    accounts::own_limits::{self, LimitChange},
    payments::deposits::{self, DepositRequest},
};
use domain::EntryAmount;
use serde_json::{Value, json};
use store::entries::Joined;

use crate::support::{
    Answer, Person, World, at_once,
    money::rejected,
    mpesa::{paid, paid_calling_back},
    processes::{self, by_the_rules, held_up_at_every_step},
};

const LIMITS: &str = "/api/me/limits";
/// In seconds.
const DAY: i64 = 24 * 3600;

async fn set(player: &Person, limit: &str, amount: Value) -> Value {
    of(&player.put(LIMITS, json!({"limits": {limit: amount}})).await.expect(200), limit)
}

async fn confirm(player: &Person, limit: &str) -> Answer {
    player.put(LIMITS, json!({"confirm": [limit]})).await
}

fn of(limits: &Value, limit: &str) -> Value {
    let all = limits["limits"].as_array().unwrap();
    all.iter().find(|one| one["limit"] == limit).unwrap().clone()
}

async fn shown(player: &Person, limit: &str) -> Value {
    of(&player.get(LIMITS).await.expect(200), limit)
}

fn reached(refused: Answer) -> Value {
    reached_with(409, refused)
}

/// Of a call that enters: a conflict is there that the player has joined, and nothing else.
fn entry_reached(refused: Answer) -> Value {
    reached_with(400, refused)
}

fn reached_with(status: u16, refused: Answer) -> Value {
    let body = refused.expect(status);
    assert_eq!(body["code"], "own_limit_reached", "{body}");
    body
}

#[tokio::test]
async fn nobody_has_a_limit_before_they_set_one_and_what_is_none_is_refused() {
    let (world, player) = World::with_player(200).await;
    player.join(50, 1).await.expect(201);
    player.withdraw(&player.phone(), 60).await.expect(201);
    let limits = player.get(LIMITS).await.expect(200);
    assert_eq!(limits["limits"].as_array().unwrap().len(), 7);
    assert!(limits["limits"].as_array().unwrap().iter().all(|one| one["amount"].is_null()));
    assert_eq!(
        limits["month"],
        json!({"paidIn": 200, "staked": 50, "refunded": 0, "won": 0, "takenOut": 60})
    );
    assert_eq!(player.user().await["hasLimits"], false);
    for (wrong, status) in [
        (json!({"limits": {"deposit-year": 500}}), 400),
        (json!({"limits": {"deposit-day": -1}}), 400),
        (json!({"limits": {"deposit-day": 10_000_001}}), 400),
        (json!({"limits": {"deposit-day": "500"}}), 400),
        (json!({"limits": {"deposit-day": 0.5}}), 400),
        (json!({"limits": 500}), 400),
        (json!({"confirm": ["deposit-year"]}), 400),
        // Nothing of it is done.
        (json!({"limits": {"deposit-day": 1}, "confirm": ["entry-day"]}), 409),
    ] {
        player.put(LIMITS, wrong).await.expect(status);
    }
    assert_eq!(player.get(LIMITS).await.expect(200), limits);
    // What was spent before it counts, and a limit below that leaves nothing.
    let day = set(&player, "deposit-day", json!(150)).await;
    assert_eq!((&day["amount"], &day["used"], &day["left"]), (&json!(150), &json!(200), &json!(0)));
    assert_eq!(day["next"], "2026-08-21");
    assert_eq!(player.user().await["hasLimits"], true);
    let body = reached(player.deposit(&player.phone(), 1).await);
    assert_eq!(
        body["message"],
        "This is more than your own limit of KSh 150 a day for deposits allows: KSh 0 is left. The next period begins on 21 August 2026."
    );
    assert_eq!(body["success"], false);
    // What is sent by hand cannot be refused: it is credited, and it counts.
    let account = player.paybill_account().await;
    world.paybill(json!({"phone": player.phone(), "amount": 70, "accountReference": account})).await;
    world.advance(60).await;
    assert_eq!(player.wallet().await, 160);
    assert_eq!(shown(&player, "deposit-day").await["used"], 270);
    world.ledger().await;
}

/// What was asked for in August and comes back in September was taken out in August: of September it is no figure.
#[tokio::test]
async fn what_comes_back_of_last_month_makes_this_month_no_smaller() {
    let (world, player) = World::with_player(300).await;
    let taken_out = async |player: &Person| player.get(LIMITS).await.expect(200)["month"]["takenOut"].clone();
    world.clock_to("2026-08-31T20:50:00Z").await;
    let player = world.again(&player).await;
    let of_august = player.withdrawal(&player.phone(), 100).await;
    assert_eq!(taken_out(&player).await, 100);
    world.clock_to("2026-08-31T21:00:00Z").await;
    let player = world.again(&player).await;
    player.withdrawal(&player.phone(), 130).await;
    let of_september = player.withdrawal(&player.phone(), 70).await;
    assert_eq!(taken_out(&player).await, 200);
    for id in [&of_august, &of_september] {
        world.end_withdrawal(id, rejected("Wrong number.")).await.expect(200);
    }
    assert_eq!((player.wallet().await, taken_out(&player).await), (170, json!(130)));
}

/// Two prompts that do not both fit: one is sent, and what it holds is free again where nobody pays it.
#[tokio::test]
async fn of_two_deposits_at_once_at_the_edge_one_is_refused() {
    let (world, player) = World::with_player(0).await;
    set(&player, "deposit-week", json!(500)).await;
    let phones = ["0722000001", "0722000002"];
    let clicks = phones.map(|phone| {
        let player = player.clone();
        async move { player.deposit(phone, 300).await }
    });
    let (mut sent, mut refused) = (Vec::new(), Vec::new());
    for (phone, answer) in phones.iter().zip(at_once(clicks.into_iter()).await) {
        if answer.status == 200 { sent.push(*phone) } else { refused.push(reached(answer)) }
    }
    assert_eq!((sent.len(), refused.len()), (1, 1), "{refused:?}");
    assert_eq!(refused[0]["left"], 200);
    assert_eq!(shown(&player, "deposit-week").await["left"], 200);
    world.answer_prompt(sent[0], json!({"outcome": "cancelled"})).await;
    assert_eq!(shown(&player, "deposit-week").await["left"], 500, "nobody paid it");
    // Paid, it is used once, however often M-Pesa says so.
    player.deposit(&player.phone(), 500).await.expect(200);
    world.answer_prompt(&player.phone(), paid_calling_back("duplicate")).await;
    assert_eq!(shown(&player, "deposit-week").await["used"], 500);
    reached(player.deposit(&player.phone(), 1).await);
    assert_eq!(player.wallet().await, 500);
}

/// Wherever the one stands still while the other is asked for.
#[tokio::test]
async fn of_two_deposits_on_one_room_one_is_sent() {
    let world = World::start().await;
    let subject = async || {
        let player = world.player().await;
        set(&player, "deposit-week", json!(500)).await;
        player
    };
    let second = |player: &Person| format!("07330{:05}", player.n);
    let one = async |app: &App, person: &Person| {
        let (player, phone) = (processes::player(app, person).await, person.phone());
        let asked = DepositRequest { user_id: None, phone: &phone, amount: Some(300) };
        let _ = by_the_rules(Box::pin(deposits::start(app, &player, asked, None)).await);
    };
    let other = async |_: &App, person: &Person| {
        let answer = person.deposit(&second(person), 300).await;
        assert!([200, 409].contains(&answer.status.as_u16()), "{:?}", answer.body);
    };
    let players = held_up_at_every_step(&world, subject, one, other).await;
    for player in &players {
        let sent = world.prompts(&player.phone()).await.len() + world.prompts(&second(player)).await.len();
        assert_eq!((sent, &shown(player, "deposit-week").await["left"]), (1, &json!(200)));
    }
}

/// What is paid in while a first limit is about to be set counts against it.
#[tokio::test]
async fn a_limit_knows_what_came_in_as_it_was_set() {
    let world = World::start().await;
    let limit = LimitChange::read([("deposit-day", Some(150))], []).unwrap();
    let set_limit = async |app: &App, person: &Person| {
        let player = processes::player(app, person).await;
        assert!(own_limits::change(app, &player, &limit).await.is_ok());
    };
    let pay_in = async |_: &App, person: &Person| {
        world.fund(person, 100).await;
    };
    let players = held_up_at_every_step(&world, async || world.player().await, set_limit, pay_in).await;
    // Of the last one the limit was set alone.
    for player in &players[..players.len() - 1] {
        assert_eq!(reached(player.deposit(&player.phone(), 60).await)["left"], 50);
    }
}

/// A limit is lowered while its player enters: the entry is booked, and the limit is the lower one.
#[tokio::test]
async fn a_limit_that_is_lowered_while_money_moves_stays_lowered() {
    let world = World::start().await;
    let subject = async || {
        let player = world.player_with(100).await;
        set(&player, "deposit-day", json!(5000)).await;
        player
    };
    let enter = async |app: &App, person: &Person| {
        assert_eq!(processes::join(app, person, EntryAmount::Fifty).await, Joined::Entered);
    };
    let lower = async |_: &App, person: &Person| {
        set(person, "deposit-day", json!(150)).await;
    };
    let players = held_up_at_every_step(&world, subject, enter, lower).await;
    // Of the last one nobody lowered the limit.
    for player in &players[..players.len() - 1] {
        assert_eq!(player.wallet().await, 50);
        assert_eq!(reached(player.deposit(&player.phone(), 60).await)["left"], 50);
    }
}

#[tokio::test]
async fn a_higher_limit_counts_a_day_later_and_once_it_is_confirmed() {
    let (world, player) = World::with_player(0).await;
    set(&player, "deposit-month", json!(500)).await;
    let asked = set(&player, "deposit-month", json!(900)).await;
    assert_eq!((&asked["amount"], &asked["raise"]["to"]), (&json!(500), &json!(900)));
    reached(player.deposit(&player.phone(), 501).await);
    assert_eq!(confirm(&player, "deposit-month").await.expect(409)["code"], "raise_too_early");

    world.advance(DAY - 120).await;
    let player = world.again(&player).await;
    // Asked for once more it waits no longer.
    assert_eq!(set(&player, "deposit-month", json!(900)).await["raise"], asked["raise"]);
    confirm(&player, "deposit-month").await.expect(409);
    world.advance(180).await;
    reached(player.deposit(&player.phone(), 501).await);
    assert_eq!(shown(&player, "deposit-month").await["amount"], 500, "not by itself");
    let raised = of(&confirm(&player, "deposit-month").await.expect(200), "deposit-month");
    assert_eq!((&raised["amount"], &raised["raise"]), (&json!(900), &json!(null)));
    assert_eq!(
        of(&confirm(&player, "deposit-month").await.expect(200), "deposit-month"),
        raised,
        "said twice"
    );
    player.deposit(&player.phone(), 900).await.expect(200);
    // None at all waits as well, and a lower one takes its place.
    assert_eq!(set(&player, "deposit-month", json!(null)).await["amount"], 900);
    let lower = set(&player, "deposit-month", json!(300)).await;
    assert_eq!((&lower["amount"], &lower["raise"]), (&json!(300), &json!(null)));
    assert_eq!(confirm(&player, "deposit-month").await.expect(409)["code"], "nothing_to_confirm");
}

#[tokio::test]
async fn entries_are_held_from_the_wallet_and_by_a_prompt() {
    let (world, player) = World::with_player(400).await;
    set(&player, "entry-day", json!(99)).await;
    let body = entry_reached(player.join(100, 1).await);
    assert_eq!((&body["limit"], &body["left"]), (&json!("entry-day"), &json!(99)));
    reached(player.pay(100, 1).await);
    assert!(
        world.prompts(&player.phone()).await.iter().all(|prompt| prompt["amount"] != 100),
        "none was sent"
    );
    // A prompt that was sent holds its room: lowered meanwhile, its entry is made all the same.
    player.pay(50, 1).await.expect(200);
    set(&player, "entry-day", json!(0)).await;
    set(&player, "loss-month", json!(0)).await;
    world.answer_prompt(&player.phone(), paid()).await;
    assert_eq!(player.entries().await["entries"][0]["amount"], 50);
    let limits = player.get(LIMITS).await.expect(200);
    assert_eq!(
        (&of(&limits, "entry-day")["used"], &of(&limits, "loss-month")["used"]),
        (&json!(50), &json!(50))
    );
    assert_eq!(of(&limits, "loss-month")["left"], 0);

    // One that was sent before there was any limit held nothing: paid, it stays in the wallet.
    let other = world.player_with(100).await;
    other.pay(50, 1).await.expect(200);
    set(&other, "loss-month", json!(49)).await;
    world.answer_prompt(&other.phone(), paid()).await;
    assert_eq!(other.wallet().await, 150);
    entry_reached(other.join(50, 1).await);
    set(&other, "entry-week", json!(10)).await;
    let wallet = other.wallet().await;
    assert_eq!(wallet, 150);
    world.ledger().await;
}
