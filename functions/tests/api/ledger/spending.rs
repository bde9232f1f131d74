//! One balance is spent once: by two at once, by a request whose process dies or whose answer is lost, and by one that is tried
//! again (faults 10, 12, 18 and 23).

use app::{App, platform::idempotency::RequestKey};
use domain::EntryAmount;
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::entries::Joined;

use crate::support::{
    Person, World, processes,
    processes::{dying_at_every_step, held_up_at_every_step},
    read,
};

#[derive(Debug, Clone, Copy)]
enum Spends {
    Fifty,
    Hundred,
    Withdraws,
}

impl Spends {
    fn price(self) -> i64 {
        if matches!(self, Self::Fifty) { 50 } else { 100 }
    }

    async fn act(self, app: &App, person: &Person) {
        match self {
            Self::Fifty => _ = processes::join(app, person, EntryAmount::Fifty).await,
            Self::Hundred => _ = processes::join(app, person, EntryAmount::Hundred).await,
            Self::Withdraws => _ = processes::withdraw(app, person, 100, None).await,
        }
    }
}

/// A wallet of 100: whoever is held up finds it spent, and spends nothing.
#[rstest]
#[case::an_entry_and_a_withdrawal(Spends::Hundred, Spends::Withdraws)]
#[case::a_withdrawal_and_an_entry(Spends::Withdraws, Spends::Hundred)]
#[case::two_withdrawals(Spends::Withdraws, Spends::Withdraws)]
#[case::two_entries(Spends::Fifty, Spends::Fifty)]
#[case::two_entries_of_two_amounts(Spends::Fifty, Spends::Hundred)]
#[tokio::test]
async fn a_balance_is_spent_once(#[case] one: Spends, #[case] other: Spends) {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.player_with(100).await,
        async |app, person| one.act(app, person).await,
        async |app, person| other.act(app, person).await,
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!(ledger.wallets[&alone.id], 100 - one.price());
    for person in met {
        assert_eq!(ledger.wallets[&person.id], 100 - other.price(), "the other one was first");
        let movements = person.movements().await;
        assert_eq!(movements.len(), 2, "{movements:?}");
    }
    let spent: i64 = subjects.iter().map(|person| 100 - ledger.wallets[&person.id]).sum();
    assert_eq!(ledger.account("pot:2026-01") + ledger.account("withdrawals"), spent);
}

/// Two requests with one key: wherever the one stands still, the other acts, and the money goes out once.
#[tokio::test]
async fn a_key_is_bound_once() {
    let world = World::start().await;
    let ask = async |app: &App, person: &Person| {
        let hash = "0".repeat(64);
        let key = RequestKey { key_hash: hash.clone(), body_hash: hash };
        processes::withdraw(app, person, 100, Some(&key)).await;
    };
    let subjects = held_up_at_every_step(&world, async || world.player_with(500).await, ask, ask).await;
    let ledger = world.ledger().await;
    assert!(subjects.iter().all(|person| ledger.wallets[&person.id] == 400));
}

/// A key that is not bound any more, since a day has passed: it is bound anew, and once.
#[tokio::test]
async fn a_key_of_the_day_before_is_bound_once() {
    let world = World::start().await;
    let ask = async |app: &App, person: &Person| {
        let hash = "0".repeat(64);
        let key = RequestKey { key_hash: hash.clone(), body_hash: hash };
        processes::withdraw(app, person, 100, Some(&key)).await;
    };
    let of_yesterday = async || {
        let person = world.player_with(500).await;
        ask(world.app(), &person).await;
        world.advance(25 * 3600).await;
        person
    };
    let subjects = held_up_at_every_step(&world, of_yesterday, ask, ask).await;
    let ledger = world.ledger().await;
    let left: Vec<i64> = subjects.iter().map(|person| ledger.wallets[&person.id]).collect();
    assert!(left.iter().all(|left| *left == 300), "{left:?}");
}

/// An entry and a withdrawal: whose answer alone is lost is told that it is done, and whoever asks again finds
/// it done.
#[tokio::test]
async fn what_is_spent_is_spent_once_wherever_its_request_ends() {
    let world = World::start().await;
    let funded = async || world.player_with(200).await;
    let (entered, steps) = dying_at_every_step(&world, funded, async |app, person| {
        processes::join(app, person, EntryAmount::Fifty).await;
    })
    .await;
    assert_eq!(steps, 1, "one transaction");
    let ledger = world.ledger().await;
    assert!(entered.iter().all(|person| ledger.wallets[&person.id] == 150));

    let (one, other) = (funded().await, funded().await);
    let process = world.process(Fate::Misses(1));
    let joined = process.run(processes::join(process.app(), &one, EntryAmount::Fifty)).await;
    assert_eq!((joined, process.tally().steps), (Some(Joined::Entered), 2));
    // The message about it, the transaction twice, and the message once more.
    let process = world.process(Fate::Misses(2));
    let asked = process.run(processes::withdraw(process.app(), &other, 100, None)).await;
    assert_eq!((asked, process.tally().steps), (Some(true), 4));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&one.id], ledger.wallets[&other.id]), (150, 100));
}

/// The transaction of an entry meets another one. It is tried again, and whoever joins is told that they are in.
#[tokio::test]
async fn what_meets_another_transaction_is_tried_again() {
    let (world, player) = World::with_player(100).await;
    world.faults(json!({"dynamodb": {"conflict": 1.0}})).await;
    let process = world.process(Fate::WaitsBefore(2));
    let joining = processes::join(process.app(), &player, EntryAmount::Fifty);
    let joined = process.run_around(joining, world.faults(json!({"dynamodb": {}}))).await;
    assert_eq!((joined, process.tally().steps), (Joined::Entered, 2));
    assert_eq!(world.ledger().await.wallets[&player.id], 50);
}

/// The first try is done and its answer is lost, and the second one finds the table busy: a later one learns that it is done.
#[tokio::test]
async fn a_later_try_learns_of_one_that_was_done_unheard() {
    let (world, player) = World::with_player(100).await;
    world.faults(json!({"dynamodb": {"lost": 1.0}})).await;
    let process = world.process(Fate::WaitsBefore(2));
    let busy = async {
        world.faults(json!({"dynamodb": {}})).await;
        world.others_write(&[format!("USER#{}", player.id)]);
    };
    let not_any_more = async {
        while process.tally().steps < 3 {
            tokio::task::yield_now().await;
        }
        world.others_write(&[]);
        std::future::pending().await
    };
    let joining = process.run_around(processes::join(process.app(), &player, EntryAmount::Fifty), busy);
    let joined =
        tokio::select! { joined = joining => joined, () = not_any_more => unreachable!("it never ends") };
    assert_eq!(joined, Joined::Entered);
    assert_eq!(world.ledger().await.wallets[&player.id], 50);
}

/// The function dies with its answer, and the player asks again: a second later, or when the database has
/// forgotten the attempt's token.
#[rstest]
#[case::a_second_later(1)]
#[case::eleven_minutes_later(11 * 60)]
#[tokio::test]
async fn what_was_done_unheard_is_not_done_again(#[case] after: i64) {
    let world = World::start().await;
    let person = world.player_with(200).await;
    let dying = world.process(Fate::DiesAfter(1));
    assert_eq!(dying.run(processes::join(dying.app(), &person, EntryAmount::Fifty)).await, None);
    let body = json!({"amount": 100, "mpesaNumber": person.phone()});
    let hash = |text: &str| hex::encode(Sha256::digest(text));
    let key = RequestKey {
        key_hash: hash("key-1"),
        body_hash: hash(&format!("{{\"amount\":100,\"mpesaNumber\":\"{}\",}}", person.phone())),
    };
    let dying = world.process(Fate::DiesAfter(2));
    assert_eq!(dying.run(processes::withdraw(dying.app(), &person, 100, Some(&key))).await, None);

    world.advance(after).await;
    assert_eq!(person.join(50, 1).await.refused(409), "You already joined this gameweek.");
    let request = || {
        let request = person.request(Method::POST, "/api/withdraw").header("idempotency-key", "key-1");
        read(request.bearer_auth(person.token.as_ref().unwrap()).json(&body))
    };
    let (first, second) = (request().await.expect(201), request().await.expect(201));
    assert_eq!((&first["walletBalance"], &first), (&json!(50), &second));
    assert_eq!(world.ledger().await.wallets[&person.id], 50);
}
