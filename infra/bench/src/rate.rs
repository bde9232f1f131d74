//! How many joins and settlements a second go through the product, beside the same number of transactions of the same
//! items put bare to the same engine in the same run: nothing is read, decided or signed there. What is between the two is
//! ours. Both are as fast as this machine; only the ratio tells something about the product.

use std::time::{Duration, Instant};

use app::{
    entries::by_wallet::{self, ReadAhead},
    leagues::draw,
    settlement::settling,
};
use domain::{EntryAmount, GameweekId, Kes, ledger::postings::Posting};
use local::{
    DataDir, LocalRun, Settings, fixtures,
    process::{Fate, Process},
};
use serde_json::{Value, json};
use store::{accounts::players::Player, platform::concurrency::try_map};

use crate::table::{self, Row};

const AMOUNT: EntryAmount = EntryAmount::Fifty;
const PLAYERS: u32 = 2_000;
/// What comes before is not counted: the first of everything is slow.
const WARM: u32 = 200;
/// The product makes this part of the bare rate at least: a third less than when it was first measured (docs/performance.md).
/// What it does beside the transaction (reading, deciding, signing) shares the processors with the engine here.
const LEAST: [f64; 2] = [0.1, 0.06];

pub fn run() -> bool {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(measured())
}

async fn measured() -> bool {
    let world = world().await;
    let (app, id) = (world.app(), "2026-01".parse::<GameweekId>().expect("a gameweek"));
    let players: Vec<Player> = try_map(0..PLAYERS, |n| funded(&world, id, n)).await.expect("the table");
    let process = world.process(Fate::Lives);
    let (first, rest) = players.split_at(WARM as usize);
    joined(&process, id, first).await;
    let (began, before) = (Instant::now(), process.tally());
    joined(&process, id, rest).await;
    let took = began.elapsed();
    let steps = process.tally().steps - before.steps;
    let bare = bare(PLAYERS - WARM, &join_items).await;
    let mut kept = compare("joins", LEAST[0], rest.len(), (took, steps), bare);

    fixtures::end_play(app, id).await;
    draw::advance(app, id).await.expect("it is drawn");
    let leagues = fixtures::read_teams(app, id, AMOUNT, |_| ()).await;
    let process = world.process(Fate::Lives);
    let began = Instant::now();
    let settled = try_map(&leagues, |league| settling::settle_league(process.app(), *league)).await;
    assert!(settled.expect("the table").into_iter().all(|settled| settled), "no league waits");
    let (took, steps) = (began.elapsed(), process.tally().steps);
    let transactions = u32::try_from(steps).expect("few");
    let bare = self::bare(transactions, &prize_items).await;
    kept &= compare("settlements", LEAST[1], leagues.len(), (took, steps), bare);
    world.kill().await;
    kept
}

/// Partitions are not held to what AWS's bear: the rate of this machine is wanted.
async fn world() -> LocalRun {
    let settings = Settings { data_dir: DataDir::Memory, partition_limits: false, ..Settings::default() };
    let world = LocalRun::start(settings).await.expect("the world starts");
    let down = world.http().put(format!("{}/sim/api/faults", world.base_url));
    down.json(&json!({"fpl": "down"})).send().await.expect("the world answers");
    world
}

async fn funded(world: &LocalRun, id: GameweekId, n: u32) -> Result<Player, store::StoreError> {
    let (app, now) = (world.app(), world.app().clock().now());
    // Its team is known by name, so the official game is not asked for it.
    let player =
        Player { team_name: Some(format!("Team {n}")), ..fixtures::sign_up(app, id.season, n).await };
    let money = Posting::deposit(&player.id, &store::random_id(), AMOUNT.kes() + Kes::new(50));
    app.store().credit_wallet(&player.id, &money, now).await?;
    Ok(player)
}

/// As the call does it, once it knows who calls.
async fn joined(process: &Process, id: GameweekId, players: &[Player]) {
    let app = process.app();
    let joined = try_map(players, |player| async move {
        let ahead = ReadAhead::of(app, &player.id).await;
        by_wallet::join(app, player, None, (AMOUNT, id.number), ahead).await
    });
    if let Err(error) = joined.await {
        panic!("everybody has the money, and the gameweek is open: {error:?}");
    }
}

/// So many transactions of what `items` says of each, put to an engine of their own, as many at once.
async fn bare(transactions: u32, items: &(dyn Fn(&str, u32) -> Value + Sync)) -> Duration {
    let world = world().await;
    let (table, dynamo) = (&world.environment()["TABLE_NAME"], world.dynamo());
    let mut took = Duration::ZERO;
    for numbers in [transactions..transactions + WARM, 0..transactions] {
        let began = Instant::now();
        let done = try_map(numbers, |n| async move {
            dynamo.call("TransactWriteItems", &json!({"TransactItems": items(table, n)})).await
        });
        done.await.expect("the engine takes them");
        took = began.elapsed();
    }
    world.kill().await;
    took
}

/// What a join writes: wallet, posting, entry and the team's claim (docs/decisions.md, "What a join writes").
fn join_items(table: &str, n: u32) -> Value {
    let player = format!("BARE#{n}");
    json!([
        wallet(table, &player),
        new(table, &player, "POST", true),
        new(table, "BARE-ENTRIES", &player, false),
        wallet(table, &format!("BARE-TEAM#{n}"))
    ])
}

/// What a prize writes: wallet and posting. A league's record and its marks are counted as one of these each.
fn prize_items(table: &str, n: u32) -> Value {
    let player = format!("BARE#{n}");
    json!([wallet(table, &player), new(table, &player, "POST", true)])
}

fn wallet(table: &str, key: &str) -> Value {
    json!({"Update": {
        "TableName": table,
        "Key": {"pk": {"S": key}, "sk": {"S": "WALLET"}},
        "UpdateExpression": "ADD version :one SET balance = :balance",
        "ConditionExpression": "attribute_not_exists(version) OR version < :balance",
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":balance": {"N": "1000"}},
    }})
}

/// A new item, with a place on the index of days where it is a posting.
fn new(table: &str, partition: &str, sort: &str, is_posting: bool) -> Value {
    let mut item = json!({"pk": {"S": partition}, "sk": {"S": sort}, "what": {"S": "x".repeat(250)}});
    if is_posting {
        item["dayPk"] = json!({"S": "BARE-DAY"});
        item["daySk"] = json!({"S": partition});
    }
    json!({"Put": {"TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}})
}

/// A line, and whether enough is left of the bare rate.
#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark")]
fn compare(what: &str, least: f64, many: usize, (took, steps): (Duration, u64), bare: Duration) -> bool {
    let rate = many as f64 / took.as_secs_f64();
    let bare_rate = many as f64 / bare.as_secs_f64();
    let ratio = rate / bare_rate;
    table::add(Row {
        what: format!("{what} a second, of {:.1} writes each", steps as f64 / many as f64),
        ours: format!("{rate:.0}"),
        rival: Some((format!("{bare_rate:.0} bare"), Some(ratio))),
        goal: format!("{least}×"),
        kept: ratio >= least,
    })
}
