//! What the official game corrects in a gameweek of many leagues is found in steps.

use app::settlement::{corrections, settling, waiting};
use domain::EntryAmount;
use jiff::{SignedDuration, Timestamp};
use local::{
    DataDir, Settings, fixtures,
    process::{Fate, Process},
};
use serde_json::json;
use store::leagues::points::{CorrectionsLook, Matches};

use crate::support::{World, gameweek::this_week};

const RECORDS: &str = "BatchGetItem";

/// Five leagues, paid yesterday on points that the official game does not have any more; two of them are looked at in a
/// step, by this test alone.
async fn corrected_since() -> World {
    let parameters = [("LeaguesPerStep", "2".to_owned())].into();
    let settings = Settings { data_dir: DataDir::Memory, parameters, ..Settings::default() };
    let world = World::start_with(settings).await;
    for job in ["sync-gameweek", "close-gameweek", "track-points"] {
        world.schedule(job, false).await;
    }
    world.played_leagues(5, |_| ()).await;
    world.faults(json!({"fpl": "none"})).await;
    world.phase(1, "finished").await;
    // The draw has sent for the teams: what is made up of them stays only when nobody reads them any more.
    world.rest().await;
    for league in fixtures::read_teams(world.app(), this_week(), EntryAmount::Fifty, |_| ()).await {
        assert!(settling::settle_league(world.app(), league).await.unwrap());
    }
    let now = world.app().clock().now();
    let yesterday = now - SignedDuration::from_hours(25);
    fixtures::change(world.app(), this_week(), |gameweek| gameweek.settled_at = Some(yesterday)).await;
    let fixtures = world.app().fpl().fixtures(1).await.unwrap().into_iter();
    let matches = fixtures.map(|fixture| store::leagues::points::Match {
        fixture: fixture.id,
        kickoff: fixture.kickoff_time,
        started: fixture.started,
        over: true,
        clubs: None,
    });
    let matches = Matches { as_of: now, matches: matches.collect() };
    world.app().store().keep_matches(this_week(), &matches).await.unwrap();
    world
}

async fn poll(process: &Process) {
    corrections::poll(process.app()).await.unwrap();
}

/// How many leagues are shown as corrected, and how far the look is.
async fn found(world: &World) -> (usize, Option<Timestamp>, Option<String>) {
    let CorrectionsLook { at, after, .. } = world.app().store().corrections_look(this_week()).await.unwrap();
    (waiting::corrections(world.app()).await.unwrap().0.len(), at, after)
}

/// The points were others when these leagues were paid, and were read once more before the last league was.
#[tokio::test]
async fn what_was_corrected_before_the_gameweek_was_paid_in_full_is_shown() {
    let world = corrected_since().await;
    let (app, id) = (world.app(), this_week());
    let matches = app.store().matches(id).await.unwrap().unwrap();
    let points = app::leagues::points::read_points(app, id, &matches).await.unwrap();
    let scores = app.store().scores(id).await.unwrap().unwrap();
    app.store()
        .replace_scores(id, &store::leagues::points::GameweekPoints { points, ..scores })
        .await
        .unwrap();
    for _ in 0..3 {
        corrections::poll(app).await.unwrap();
    }
    assert_eq!(found(&world).await.0, 5);
}

#[tokio::test]
async fn a_look_for_corrections_goes_on_where_it_stopped_and_hands_over_in_time() {
    let world = corrected_since().await;
    assert_eq!(found(&world).await, (0, None, None));
    let paid = world.app().gameweek(this_week()).await.unwrap().unwrap().settled_at;
    // Two leagues and the note of how far it is.
    let dies = world.process(Fate::DiesAfter(3));
    assert!(dies.run(poll(&dies)).await.is_none());
    assert_eq!(found(&world).await, (2, paid, Some("2026-01-50-00002".to_owned())));
    let hurried = world.process_in_haste(46);
    poll(&hurried).await;
    assert_eq!(hurried.calls_of(RECORDS), 1, "its time was over after a step");
    assert_eq!(found(&world).await, (4, paid, Some("2026-01-50-00004".to_owned())));
    let next = world.process(Fate::Lives);
    let now = world.app().clock().now();
    poll(&next).await;
    assert_eq!(next.calls_of(RECORDS), 1, "it begins with the fifth");
    let (corrected, at, after) = found(&world).await;
    assert_eq!((corrected, after), (5, None));
    assert!(at >= Some(now));
    let again = world.process(Fate::Lives);
    poll(&again).await;
    assert_eq!(again.calls_of(RECORDS), 0, "not before a day has passed");
    world.ledger().await;
}
