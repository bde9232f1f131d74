//! The official game answers, but not about one team: its league waits, and no other one does.

use crate::support::{World, gameweek::fpl_id, text};

#[tokio::test]
async fn a_team_that_the_official_game_is_silent_about_holds_up_its_own_league_alone() {
    let world = World::start().await;
    // The leagues of 50 are read first.
    let first = world.crowd_in_order(6, 50).await;
    world.crowd_in_order(6, 100).await;
    let silent = fpl_id(&first[2]);
    world.team_answers(silent, false).await;
    world.phase(1, "checked").await;
    world.advance(600).await;
    world.end_gameweek().await;
    world.advance(3600).await;
    let waiting = world.waiting_leagues().await;
    let [league] = &waiting[..] else { panic!("one league waits: {waiting:?}") };
    let why = text(league, "why");
    assert!(why.contains(&format!("Team {silent}")) && why.matches("Team ").count() == 1, "{why}");
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (300, 60), "its stakes alone");

    world.team_answers(silent, true).await;
    for _ in 0..5 {
        world.advance(3600).await;
    }
    assert_eq!(world.waiting_leagues().await.len(), 0);
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 60 + 30));
}
