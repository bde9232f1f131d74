//! Leagues that cannot be settled by two equal readings: they wait and say why, and the admin has
//! ways out once they have waited for a day.

use app::settlement::{
    settling,
    waiting::{self, WaitingLeagueError},
};
use domain::{
    EntryAmount, GameweekId,
    settlement::{
        readings::Basis,
        waiting::{NotDecidable, WaitingDecision},
    },
};
use local::fixtures;
use serde_json::{Value, json};
use store::leagues::{League, Reading};

use crate::support::{
    World, assert_has, at_once,
    gameweek::{DAY, PROCESS, fpl_id, this_week, users},
    text,
};

const WAITING: &str = "/api/admin/leagues/waiting";

#[tokio::test]
async fn a_team_that_is_not_known_any_more_is_ranked_on_our_own_figures_after_a_day() {
    let world = World::start().await;
    let crowd = world.league_with_hidden(1).await;
    let league = world.waiting_leagues().await.remove(0);
    let lost = fpl_id(&crowd[0]);
    assert_eq!(league["why"], format!("Team {lost}: it has no official score for this gameweek.").as_str());
    assert_eq!(league["decisions"], json!(["own-figures"]));
    let team = league["teams"].as_array().unwrap().iter().find(|team| team["fplId"] == lost).unwrap();
    assert_eq!((&team["official"], &team["own"]["gross"]), (&Value::Null, &json!(90)));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 300, "nothing is paid");

    let own_figures = json!({"act": "own-figures", "reason": "No such team any more."});
    let too_early = world.decide_league(&league, own_figures.clone()).await.refused(409);
    assert!(too_early.starts_with("That league can be decided from "), "{too_early}");
    world.decide_league(&league, json!({"act": "retry"})).await.expect(200);
    world.advance(DAY).await;

    let answered = "The official game has the scores of 5 of the 6 teams in that league: nobody is left out and \
        nothing is given back. Settle it on the official figures, or on our own where a team has none.";
    for (body, status, text) in [
        (json!({"act": "own-figures"}), 400, "Give a reason of at most 200 characters.".to_owned()),
        (
            json!({"act": "pay"}),
            400,
            "The act is retry, official-figures, own-figures, refund or leave-out.".to_owned(),
        ),
        (json!({"act": "leave-out", "reason": "x"}), 400, "Say which teams to leave out.".to_owned()),
        (
            json!({"act": "leave-out", "fplIds": ["1"], "reason": "x"}),
            400,
            "Team 1 is not in that league.".to_owned(),
        ),
        (json!({"act": "leave-out", "fplIds": [lost], "reason": "x"}), 409, answered.to_owned()),
        (json!({"act": "refund", "reason": "x"}), 409, answered.to_owned()),
        (
            json!({"act": "official-figures", "reason": "x"}),
            409,
            format!("Team {lost} has no official score: the official figures do not settle this league."),
        ),
    ] {
        assert_eq!(world.decide_league(&league, body).await.refused(status), text);
    }
    let decided = world.decide_league(&league, own_figures.clone()).await.expect(200);
    world.advance(60).await;
    assert_eq!(world.decide_league(&league, own_figures).await.expect(200), decided, "asked for again");
    let refund = json!({"act": "refund", "reason": "x"});
    assert_eq!(world.decide_league(&league, refund).await.refused(409), "That league is settled.");

    let id = league["_id"].as_str().unwrap();
    let record = world.nobody().get(&format!("/api/leagues/{id}/settlement")).await.expect(200);
    assert_has(&record, json!({"basis": "own-figures", "reason": "No such team any more."}));
    assert_has(&record, json!({"collected": 300, "fee": 30}));
    let first = &record["ranking"][0];
    assert_has(first, json!({"fplId": lost, "points": 90, "prize": 270, "ownFigures": true}));
    assert_eq!(record["ranking"][1]["ownFigures"], false);
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 30));
    let admin = world.admin().await;
    assert_eq!(admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200)["state"], "settled");
}

/// The official game answers for nobody: the league waits for an admin, who can settle it on our own figures, or
/// give every entry back, once.
#[tokio::test]
async fn an_admin_gives_every_entry_back_once_where_nobody_is_known() {
    let world = World::start().await;
    let crowd = world.league_with_hidden(6).await;
    let league = world.waiting_leagues().await.remove(0);
    assert!(league["why"].as_str().unwrap().ends_with("And 3 more."), "{}", league["why"]);
    assert_eq!(league["decisions"], json!(["own-figures", "refund", "leave-out"]));
    world.advance(3 * DAY).await;
    assert_eq!(world.waiting_leagues().await.len(), 1, "nothing settles it by itself");
    let lost: Vec<&str> = crowd.iter().map(fpl_id).collect();
    let one_missing = json!({"act": "leave-out", "fplIds": lost[1..], "reason": "x"});
    assert_eq!(
        world.decide_league(&league, one_missing).await.refused(409),
        format!("Team {} has no official score either: leave it out too.", lost[0])
    );
    let refund = json!({"act": "refund", "reason": "The official game lost them."});
    let path = format!("/api/admin/leagues/{}", league["_id"].as_str().unwrap());
    let admin = world.admin().await;
    let acts = (0..5).map(|_| {
        let (admin, path, refund) = (admin.clone(), path.clone(), refund.clone());
        async move { admin.post(&path, refund).await.status.as_u16() }
    });
    let mut statuses = Vec::new();
    for act in at_once(acts).await {
        statuses.push(act);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409]);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 0));
    assert_eq!(ledger.wallets_with(50), 6);
    assert!(world.waiting_leagues().await.is_empty());
}

/// Nothing that is answered of one team can be read, neither its picks nor its score: after 36 hours an admin
/// settles the league without them, and the team is last.
#[tokio::test]
async fn a_team_that_cannot_be_read_does_not_keep_the_stakes() {
    let world = World::start().await;
    let (app, id, amount) = (world.app(), this_week(), EntryAmount::Fifty);
    world.faults(json!({"fpl": "down"})).await;
    for n in 0..10 {
        fixtures::enter(app, id, amount, n).await;
    }
    fixtures::end_play(app, id).await;
    app::leagues::draw::advance(app, id).await.unwrap();
    let unread = |readings: &mut Vec<Reading>| readings[9] = Reading::default();
    let league = fixtures::read_teams(app, id, amount, unread).await[0];
    assert!(!settling::settle_league(app, league).await.unwrap(), "it waits");

    let admin = world.stored(&world.admin().await).await;
    let act = async |hours: i64, decision: WaitingDecision| {
        let later = world.process_with_clock(hours * 3600);
        let decided = waiting::decide(later.app(), league, &decision, &admin, "It cannot be read.").await;
        decided.map_err(|error| error.refusal().unwrap())
    };
    let own_figures = WaitingDecision::OwnFigures;
    assert!(matches!(
        act(25, own_figures.clone()).await,
        Err(WaitingLeagueError::NotDecidable(NotDecidable::Unread(_)))
    ));
    assert!(matches!(
        act(37, WaitingDecision::Refund).await,
        Err(WaitingLeagueError::NotDecidable(NotDecidable::Answered(9, 10)))
    ));
    let record = act(37, own_figures).await.unwrap();
    assert_eq!(record.basis, Basis::OwnFigures);
    let last = record.ranking.last().unwrap();
    assert_eq!((last.rank, last.figures), (Some(10), None));
    assert_eq!((last.prize.get(), last.refund.get()), (0, 0));
    assert!(settling::settle_league(app, league).await.unwrap());
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 50));
}

/// The official game is half updated: its figures and our computation differ for teams with an odd id, and no
/// league with such a team is paid; once the official game is through, they go on by themselves.
#[tokio::test]
async fn two_readings_that_differ_pay_nothing_until_they_agree() {
    let world = World::start().await;
    world.many(60, 50).await;
    world.faults(json!({"fpl": "half_updated"})).await;
    world.phase(1, "checked").await;
    world.advance(60).await;
    let drawn = world.nobody().get("/api/leagues?gameweek=1&entryAmount=50").await.expect(200);
    // The draw may put ten teams with even ids together: that league agrees at once.
    let differing =
        drawn.as_array().unwrap().iter().filter(|league| users(league).iter().any(has_odd_id)).count();
    world.end_gameweek().await;
    world.advance(60).await;
    let admin = world.admin().await;
    let progress = admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    assert_has(&progress, json!({"leagues": 6, "settled": 6 - differing}));
    let leagues = world.waiting_leagues().await;
    assert_eq!(leagues.len(), differing);
    assert!(leagues[0]["why"].as_str().unwrap().contains("we count"), "{}", leagues[0]["why"]);

    world.faults(json!({"fpl": "none"})).await;
    for _ in 0..4 {
        world.advance(1800).await;
    }
    let progress = world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    assert_has(&progress, json!({"state": "settled", "waiting": 0}));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 0);
}

/// A gameweek's waiting leagues fill a page to its end: those of the next gameweek are on the next one.
#[tokio::test]
async fn waiting_leagues_of_the_next_gameweek_follow_a_page_that_is_full() {
    let world = World::start().await;
    world.no_schedules().await;
    let (app, now) = (world.app(), world.app().clock().now());
    let mut ids = Vec::new();
    for (number, leagues) in [(1, 50), (2, 2)] {
        let gameweek = GameweekId { number, ..this_week() };
        fixtures::change(app, gameweek, |gameweek| gameweek.final_at = Some(now)).await;
        for number in 1..=leagues {
            let (members, readings) = (Vec::new(), Vec::new());
            let amount = EntryAmount::Fifty;
            let league = League { gameweek, amount, number, members, settled_at: None, readings };
            app.store().create_league(&league, true).await.unwrap();
            app.store().mark_league_waiting(league.id(), ("They disagree.", false), now).await.unwrap();
            ids.push(league.id());
        }
    }
    let (first, next) = waiting::list(app, None).await.unwrap();
    let (second, end) = waiting::list(app, next).await.unwrap();
    assert_eq!((first.len(), next, second.len(), end), (50, Some(ids[49]), 2, None));
    let shown: Vec<_> = first.iter().chain(&second).map(|waiting| waiting.league.id()).collect();
    assert_eq!(shown, ids);
}

/// The official game is wrong about one team only: its league waits and nothing of it is paid, while every other league is.
/// When the figures are equal it is paid, once.
#[tokio::test]
async fn one_team_whose_figures_are_wrong_holds_up_its_own_league_alone() {
    let world = World::start().await;
    // An odd id is what the fault goes by.
    let wrong = 1_000_011;
    for n in [0, 2, 4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36] {
        fixtures::enter(world.app(), this_week(), EntryAmount::Fifty, n).await;
    }
    for n in (100..112).step_by(2) {
        fixtures::enter(world.app(), this_week(), EntryAmount::Hundred, n).await;
    }
    world.points(&wrong.to_string(), 1, 140, 3, 0).await;
    world.faults(json!({"fpl": "half_updated"})).await;
    world.phase(1, "checked").await;
    world.advance(60).await;
    world.end_gameweek().await;
    world.advance(120).await;
    let held_up = async || {
        let waiting = world.waiting_leagues().await;
        let [league] = &waiting[..] else { panic!("one league waits: {waiting:?}") };
        let why = league["why"].as_str().unwrap();
        assert!(why.contains(&format!("Team {wrong}")) && why.matches("Team ").count() == 1, "{why}");
        text(league, "_id")
    };
    let league = held_up().await;
    let record = async || world.nobody().get(&format!("/api/leagues/{league}/settlement")).await;
    for _ in 0..3 {
        world.press(1).await.expect(200);
        world.advance(1800).await;
        assert_eq!(held_up().await, league);
        assert_eq!(record().await.status, 404);
        let ledger = world.ledger().await;
        assert_eq!(
            (ledger.account("pot:2026-01"), ledger.account("fees")),
            (500, 50 + 60),
            "its stakes alone"
        );
    }

    world.faults(json!({"fpl": "none"})).await;
    for _ in 0..5 {
        world.advance(1800).await;
    }
    let winner = record().await.expect(200)["ranking"][0].clone();
    assert_has(&winner, json!({"fplId": wrong.to_string(), "points": 140, "prize": 450}));
    let paid = world.ledger().await;
    assert_eq!((paid.account("pot:2026-01"), paid.account("fees")), (0, 50 + 50 + 60));
    world.press(1).await.expect(200);
    settling::settle_league(world.app(), league.parse().unwrap()).await.unwrap();
    world.advance(600).await;
    assert_eq!(world.ledger().await.wallets, paid.wallets, "it is paid once");
}

fn has_odd_id(user: &Value) -> bool {
    !user["fplId"].as_str().unwrap().parse::<u32>().unwrap().is_multiple_of(2)
}

/// They never agree: after a day the admin settles it on the official figures.
#[tokio::test]
async fn an_admin_settles_on_the_official_figures() {
    let world = World::start().await;
    world.many(10, 100).await;
    world.faults(json!({"fpl": "half_updated"})).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(60).await;
    let league = world.waiting_leagues().await.remove(0);
    world.advance(DAY).await;
    let body = json!({"act": "official-figures", "reason": "Checked by hand."});
    world.decide_league(&league, body).await.expect(200);
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 100));
    // What never agreed is no correction.
    world.faults(json!({"fpl": "none"})).await;
    world.press(1).await.expect(200);
    world.advance(DAY + 60).await;
    assert_eq!(world.admin().await.get(WAITING).await.expect(200)["corrected"], json!([]));
}

/// While the points were not final nothing could be decided: that time does not count for who decides.
#[tokio::test]
async fn a_league_is_decided_a_day_after_its_points_are_final_again() {
    let world = World::start().await;
    world.league_with_hidden(1).await;
    let league = world.waiting_leagues().await.remove(0);
    world.faults(json!({"fpl": "unfinal"})).await;
    world.advance(2 * DAY).await;
    world.faults(json!({"fpl": "none"})).await;
    world.advance(900).await;
    let own_figures = json!({"act": "own-figures", "reason": "No such team any more."});
    let too_early = world.decide_league(&league, own_figures).await.refused(409);
    assert!(too_early.starts_with("That league can be decided from "), "{too_early}");
}

/// What the official game corrects after the league was paid changes nothing, and the admin sees it.
#[tokio::test]
async fn a_correction_after_settlement_is_shown_and_changes_nothing() {
    let world = World::start().await;
    let crowd = world.league_with_hidden(0).await;
    let admin = world.admin().await;
    assert_eq!(admin.post(PROCESS, json!({"gameweek": 1})).await.expect(200)["state"], "settled");
    let before = world.ledger().await;
    let record = "/api/leagues/2026-01-50-00001/settlement";
    let paid_from = world.nobody().get(record).await.expect(200);
    world.points(fpl_id(&crowd[5]), 1, 120, 3, 0).await;
    world.advance(DAY + 60).await;
    assert_eq!(world.ledger().await.wallets, before.wallets);
    assert_eq!(world.nobody().get(record).await.expect(200), paid_from);
    let corrected = world.admin().await.get(WAITING).await.expect(200)["corrected"].clone();
    let team = fpl_id(&crowd[5]);
    assert_eq!(
        corrected,
        json!([{
            "_id": "2026-01-50-00001",
            "what": format!("Team {team}: 120 points (3 on the bench), paid on 85 (5)."),
        }])
    );
}

/// The official game goes back to what was paid on: nothing is left to show, whatever it said in between.
#[tokio::test]
async fn a_correction_that_is_taken_back_is_not_shown_any_more() {
    let world = World::start().await;
    let crowd = world.league_with_hidden(0).await;
    let says = async |points, bench| {
        world.points(fpl_id(&crowd[5]), 1, points, bench, 0).await;
        world.advance(DAY + 60).await;
        world.admin().await.get(WAITING).await.expect(200)["corrected"].clone()
    };
    let (team, id) = (fpl_id(&crowd[5]), "2026-01-50-00001");
    for (points, bench) in [(120, 3), (100, 2)] {
        let what = format!("Team {team}: {points} points ({bench} on the bench), paid on 85 (5).");
        assert_eq!(says(points, bench).await, json!([{"_id": id, "what": what}]));
    }
    assert_eq!(says(85, 5).await, json!([]));
}
