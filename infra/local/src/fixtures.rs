//! A gameweek without the outside world, for measures and tests of what comes of it: players, the
//! deadline and what is read of the teams are put into the table by hand, while the clock stands.

use app::App;
use domain::{
    Email, EntryAmount, FplId, GameweekId, Kes, Role, UserId, Username,
    accounts::{notifications::Language, stopping::Restraints},
    gameweeks::calendar::{Calendar, Gameweek},
    leagues::points::{FootballerPoints, Pick, Position, Scored, Squad},
    ledger::postings::Posting,
};
use jiff::SignedDuration;
use store::{
    accounts::{players::Player, sign_up::SignedUp},
    entries::Entry,
    leagues::{
        LeagueId, OfficialResult, Reading,
        draw_rounds::DrawRound,
        points::{GameweekPoints, PointsStage},
    },
};

pub async fn sign_up(app: &App, season: u16, n: u32) -> Player {
    let fpl_id = FplId::parse(&(1_000_000 + n).to_string()).expect("digits");
    let player = Player {
        id: UserId::parse(&store::random_id()).expect("an id"),
        email: Email::parse(&format!("hand{n}@example.co.ke")).expect("an address"),
        username: Username::parse(&format!("hand{n}")).expect("a name"),
        fpl_id: Some(fpl_id),
        team_name: None,
        season,
        role: Role::Player,
        suspended: false,
        frozen: false,
        referral: None,
        created_at: app.clock().now(),
        password_reset_at: None,
        password_resets: 0,
        account: None,
        closed_at: None,
        closed_version: None,
        erasing_at: None,
        totp: false,
        restraints: Restraints::default(),
        terms: Vec::new(),
    };
    let made = app.store().create_player(&player, "nobody logs in", Language::En).await.expect("the table");
    assert_eq!(made, SignedUp::Made, "a player of the fixture");
    player
}

/// The player number `n` signs up, is given the price and joins.
pub async fn enter(app: &App, id: GameweekId, amount: EntryAmount, n: u32) -> Entry {
    let (now, player) = (app.clock().now(), sign_up(app, id.season, n).await);
    let fpl_id = player.fpl_id.expect("it signs up with one");
    let money = Posting::deposit(&player.id, &store::random_id(), amount.kes() + Kes::new(50));
    app.store().credit_wallet(&player.id, &money, now).await.expect("the table");
    let entry = app::entries::new_entry(&player, fpl_id, id, amount, now);
    app.store().join_by_wallet(&entry).await.expect("the table");
    entry
}

/// The deadline was a quarter of an hour ago.
pub async fn pass_deadline(app: &App, id: GameweekId) {
    let at = app.clock().now() - SignedDuration::from_mins(15);
    change(app, id, |gameweek| gameweek.deadline = at).await;
}

/// Changes the gameweek in the calendar.
pub async fn change(app: &App, id: GameweekId, change: impl Fn(&mut Gameweek)) {
    let changed = |known: Option<Calendar>| {
        let mut known = known?;
        change(known.gameweeks.iter_mut().find(|gameweek| gameweek.number == id.number)?);
        Some(known)
    };
    app.store().update_calendar(changed).await.expect("the table");
}

/// The deadline was a quarter of an hour ago, the beacon's round for the draw is out, and the official points
/// are final.
pub async fn end_play(app: &App, id: GameweekId) {
    let_draw(app, id).await;
    let now = app.clock().now();
    change(app, id, |gameweek| gameweek.final_at = Some(now - SignedDuration::from_mins(1))).await;
}

/// The deadline was a quarter of an hour ago, and the beacon's round for the draw is out.
pub async fn let_draw(app: &App, id: GameweekId) {
    pass_deadline(app, id).await;
    let now = app.clock().now();
    let (chain, at) = (app.beacon().chain(), now - SignedDuration::from_mins(2));
    let round = chain.first_round_from(at + domain::leagues::beacon::ROUND_AFTER_LISTS);
    let round = DrawRound { chain: chain.hash.clone(), round, at };
    app.store().fix_draw_round(id, &round).await.expect("the table");
}

/// Gives every member of every league a squad and the official result that it makes, as `change`d.
/// Answers the leagues.
pub async fn read_teams(
    app: &App,
    id: GameweekId,
    amount: EntryAmount,
    change: impl Fn(&mut Vec<Reading>),
) -> Vec<LeagueId> {
    let now = app.clock().now();
    let points = FootballerPoints::new((0..200).map(|element| Scored {
        element,
        points: i16::try_from(element % 11).expect("small"),
        played: true,
    }));
    let scores = GameweekPoints {
        stage: PointsStage::Final,
        ended: true,
        as_of: now,
        points: points.clone(),
        void: false,
    };
    app.store().replace_scores(id, &scores).await.expect("the table");
    let (mut ids, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = app.store().leagues_page(id, amount, after.as_deref(), 100).await.expect("the table");
        for league in page.items {
            let members = u16::try_from(league.members.len()).expect("ten at most");
            let mut readings = (0..members).map(|i| reading(i, &points, now)).collect();
            change(&mut readings);
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
