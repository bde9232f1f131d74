//! The draw and the paying of a gameweek grow with its leagues and no faster: 100 leagues and 2,000 on
//! the local stack, the time of each league compared. The outside world is not part of it: what is
//! read of the teams is put in by hand.

use std::time::{Duration, Instant};

use app::{App, draw, settling};
use domain::{
    Email, EntryAmount, FplId, GameweekId, Kes, Role, UserId, Username,
    ledger::Posting,
    points::{FootballerPoints, Pick, Position, Scored, Squad},
};
use jiff::SignedDuration;
use local::{DataDir, Settings, World};
use serde_json::json;
use store::{
    leagues::{OfficialResult, Reading},
    players::Player,
    scores::{Scores, Stage},
};

const AMOUNT: EntryAmount = EntryAmount::Fifty;
const FEW: u32 = 100;
const MANY: u32 = 2_000;
/// A league among many may cost this much of a league among few.
const MOST: f64 = 1.5;

struct Cost {
    draw: Duration,
    settle: Duration,
}

pub fn run() -> bool {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let [few, many] = [FEW, MANY].map(|leagues| runtime.block_on(week(leagues)));
    let draw = compare("draw", few.draw, many.draw);
    let settle = compare("settling", few.settle, many.settle);
    draw && settle
}

pub fn once(part: &str, _: usize) {
    panic!("no part {part}")
}

/// The cost of each league among few and among many, and whether it stays the same.
fn compare(what: &str, few: Duration, many: Duration) -> bool {
    let (few, many) = (few / FEW, many / MANY);
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    let kept = ratio <= MOST;
    println!(
        "{what}: a league among {FEW} {few:.2?}, among {MANY} {many:.2?}, ratio {ratio:.2} (at most {MOST}): {}",
        if kept { "kept" } else { "BROKEN" }
    );
    kept
}

async fn week(leagues: u32) -> Cost {
    let settings = Settings { data_dir: DataDir::Memory, ..Settings::default() };
    let world = World::start(settings).await.expect("the world starts");
    let down = world.http().put(format!("{}/sim/api/faults", world.base_url));
    down.json(&json!({"fpl": "down"})).send().await.expect("the world answers");
    let app = world.app();
    let id: GameweekId = "2026-01".parse().expect("a gameweek");
    for n in 0..leagues * 10 {
        enter(app, id, n).await;
    }
    deadline_has_passed(app, id).await;
    let began = Instant::now();
    draw::close(app, id).await.expect("it is drawn");
    let draw = began.elapsed();
    let ids = read_by_hand(app, id).await;
    assert_eq!(ids.len(), usize::try_from(leagues).expect("few"));
    let began = Instant::now();
    for league in ids {
        if !settling::settle_league(app, league).await.expect("the table") {
            panic!("{league} waits: {:?}", app.store().mark(league).await.expect("the table"));
        }
    }
    let settle = began.elapsed();
    world.kill().await;
    Cost { draw, settle }
}

async fn enter(app: &App, id: GameweekId, n: u32) {
    let now = app.clock().now();
    let fpl_id = FplId::parse(&(1_000_000 + n).to_string()).expect("digits");
    let player = Player {
        id: UserId::parse(&store::random_id()).expect("an id"),
        email: Email::parse(&format!("bench{n}@example.co.ke")).expect("an address"),
        username: Username::parse(&format!("bench{n}")).expect("a name"),
        fpl_id: Some(fpl_id),
        team_name: None,
        season: id.season,
        role: Role::Player,
        suspended: false,
        referral: None,
        created_at: now,
        password_reset_at: None,
        password_resets: 0,
    };
    app.store().create_player(&player, "nobody logs in").await.expect("the table").expect("new");
    let money = Posting::deposit(&player.id, &store::random_id(), AMOUNT.kes() + Kes::new(50));
    app.store().pay_out(&player.id, &money, now).await.expect("the table");
    let entry = app::payments::new_entry(&player, fpl_id, id, AMOUNT, now);
    app.store().join_by_wallet(&entry).await.expect("the table");
}

async fn deadline_has_passed(app: &App, id: GameweekId) {
    let now = app.clock().now();
    let changed = |known: Option<domain::gameweek::Calendar>| {
        let mut known = known?;
        let gameweek = known.gameweeks.iter_mut().find(|g| g.number == id.number)?;
        gameweek.deadline = now - SignedDuration::from_mins(15);
        gameweek.final_at = Some(now - SignedDuration::from_mins(1));
        Some(known)
    };
    app.store().update_calendar(changed).await.expect("the table");
}

/// Gives every member a squad and the official result that it makes.
async fn read_by_hand(app: &App, id: GameweekId) -> Vec<store::leagues::LeagueId> {
    let now = app.clock().now();
    let points = FootballerPoints::new((0..200).map(|element| Scored {
        element,
        points: i16::try_from(element % 11).expect("small"),
        played: true,
    }));
    let scores = Scores { stage: Stage::Final, ended: true, as_of: now, points: points.clone(), void: false };
    app.store().replace_scores(id, &scores).await.expect("the table");
    let (mut ids, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = app.store().leagues_page(id, AMOUNT, after.as_deref(), 100).await.expect("the table");
        for league in page.items {
            let readings: Vec<Reading> = (0..10).map(|i| reading(i, &points, now)).collect();
            app.store().keep_readings(league.id(), &readings).await.expect("the table");
            ids.push(league.id());
        }
        match page.cursor {
            Some(next) => after = Some(next),
            None => return ids,
        }
    }
}

fn reading(member: u16, points: &FootballerPoints, as_of: jiff::Timestamp) -> Reading {
    let picks = (0..15_u8).map(|at| Pick {
        element: member * 16 + u16::from(at) * 3,
        place: at + 1,
        position: match at {
            0 | 11 => Position::Goalkeeper,
            1..=4 | 12 => Position::Defender,
            5..=8 | 13 => Position::Midfielder,
            _ => Position::Forward,
        },
        is_captain: at == 1,
        is_vice_captain: at == 2,
    });
    let squad = Squad::new(&picks.collect::<Vec<_>>(), None, 0).expect("a squad");
    let mut reading = Reading::default();
    reading.keep_squad(&squad);
    reading.official = Some(OfficialResult { figures: squad.settled(points), chip: None, as_of });
    reading
}
