use clients::fpl::StatusRow;
use rstest::rstest;

use super::*;

/// Hours of the season of 2026: its first deadline is at hour 100, the others a week apart.
fn hours(n: i64) -> Timestamp {
    let start: Timestamp = "2026-08-01T00:00:00Z".parse().unwrap();
    start + SignedDuration::from_hours(n)
}

fn event(id: u32, deadline: Timestamp) -> Event {
    Event {
        id,
        deadline_time_epoch: deadline.as_second(),
        finished: false,
        data_checked: false,
        is_current: false,
    }
}

/// Three gameweeks, of which the first `played` are played and final.
fn events(played: u32) -> Vec<Event> {
    let event = |id: u32| Event {
        finished: id <= played,
        data_checked: id <= played,
        is_current: id == played,
        ..event(id, hours(100 + 168 * i64::from(id - 1)))
    };
    (1..=3).map(event).collect()
}

fn bootstrap(events: Vec<Event>) -> Bootstrap {
    Bootstrap { events, elements: Vec::new(), teams: Vec::new() }
}

fn status_of(event: u32) -> EventStatus {
    let row = StatusRow { event, bonus_added: true, points: "r".to_owned() };
    EventStatus { status: vec![row], leagues: "Updated".to_owned() }
}

/// What follows from an answer with `events` at hour `now`.
fn follow(known: Option<Calendar>, events: Vec<Event>, now: i64) -> Option<Calendar> {
    let current = events.iter().find(|event| event.is_current).map_or(0, |event| event.id);
    let (bootstrap, status) = (bootstrap(events), status_of(current));
    followed(known, &Official::read(&bootstrap, &status).unwrap(), hours(now), hours(now))
}

/// The calendar as first seen at hour 0.
fn known() -> Calendar {
    follow(None, events(0), 0).unwrap()
}

fn deadlines(calendar: &Calendar) -> Vec<Timestamp> {
    calendar.gameweeks.iter().map(|gameweek| gameweek.deadline).collect()
}

#[test]
fn a_season_is_named_after_the_year_of_its_first_deadline() {
    let calendar = known();
    assert_eq!((calendar.season, calendar.read_at), (2026, Some(hours(0))));
    assert_eq!(deadlines(&calendar), [100, 268, 436].map(hours));
    assert!(calendar.gameweeks.iter().all(|g| g.settled_at.is_none() && g.final_at.is_none()));
}

#[rstest]
#[case::empty(vec![], Odd::NoFirst)]
#[case::without_the_first(vec![event(2, hours(268))], Odd::NoFirst)]
#[case::one_twice(vec![event(1, hours(100)), event(1, hours(268))], Odd::OutOfOrder(1))]
#[case::two_at_once(vec![event(1, hours(100)), event(2, hours(100))], Odd::OutOfOrder(2))]
#[case::the_second_before_the_first(vec![event(1, hours(268)), event(2, hours(100))], Odd::OutOfOrder(2))]
#[case::number_zero(vec![event(0, hours(1)), event(1, hours(100))], Odd::NotAGameweek(0))]
#[case::number_300(vec![event(1, hours(100)), event(300, hours(268))], Odd::NotAGameweek(300))]
fn an_answer_that_is_no_calendar_is_not_believed(#[case] events: Vec<Event>, #[case] expected: Odd) {
    let (bootstrap, status) = (bootstrap(events), status_of(0));
    assert_eq!(Official::read(&bootstrap, &status).unwrap_err(), expected);
}

#[test]
fn a_deadline_beyond_all_time_is_none() {
    let mut events = events(0);
    events[1].deadline_time_epoch = i64::MAX;
    let (bootstrap, status) = (bootstrap(events), status_of(0));
    assert_eq!(Official::read(&bootstrap, &status).unwrap_err(), Odd::NotAGameweek(2));
}

#[test]
fn what_an_answer_leaves_out_stays_and_its_order_means_nothing() {
    let fewer = follow(Some(known()), vec![event(1, hours(100))], 1).unwrap();
    assert_eq!(fewer.gameweeks, known().gameweeks);
    let mut backwards = events(0);
    backwards.reverse();
    assert_eq!(follow(Some(known()), backwards, 1).unwrap().gameweeks, known().gameweeks);
}

#[rstest]
#[case::later(90, 124, false, 124)]
#[case::earlier(50, 60, false, 60)]
#[case::after_it_has_passed(100, 124, false, 100)]
#[case::back_once_it_has_passed(150, 90, false, 100)]
#[case::into_the_past_while_the_game_says_it_is_open(90, 80, false, 100)]
fn a_deadline_moves_while_it_is_to_come(
    #[case] now: i64,
    #[case] official: i64,
    #[case] closed: bool,
    #[case] expected: i64,
) {
    let mut events = events(0);
    events[0].deadline_time_epoch = hours(official).as_second();
    events[0].is_current = closed;
    let calendar = follow(Some(known()), events, now).unwrap();
    assert_eq!(deadlines(&calendar), [expected, 268, 436].map(hours));
}

/// It moved while nobody could ask, and has passed: what was entered until now is in.
#[test]
fn a_deadline_that_moved_unseen_closes_the_gameweek_now() {
    let mut events = events(0);
    events[0].deadline_time_epoch = hours(80).as_second();
    events[0].is_current = true;
    let calendar = follow(Some(known()), events, 90).unwrap();
    let first = &calendar.gameweeks[0];
    assert_eq!(first.deadline, hours(90) + SignedDuration::from_secs(1));
    assert!(first.admits_prompt(hours(89), hours(90) + SignedDuration::from_secs(100)));
}

#[test]
fn final_can_be_taken_back_until_it_is_paid_and_never_is_before_the_deadline() {
    let seen = follow(Some(known()), events(1), 200).unwrap();
    assert_eq!(seen.gameweeks[0].final_at, Some(hours(200)));
    let taken_back = follow(Some(seen.clone()), events(0), 201).unwrap();
    assert_eq!(taken_back.gameweeks[0].final_at, None);
    let again = follow(Some(taken_back), events(1), 202).unwrap();
    assert_eq!(again.gameweeks[0].final_at, Some(hours(202)));
    let mut paid = seen;
    paid.gameweeks[0].settled_at = Some(hours(200));
    let paid = follow(Some(paid), events(0), 201).unwrap();
    assert_eq!(paid.gameweeks[0].final_at, Some(hours(200)));
    let too_early = follow(Some(known()), events(1), 90).unwrap();
    assert_eq!(too_early.gameweeks[0].final_at, None);
}

#[test]
fn what_was_over_before_it_was_known_is_settled_and_nothing_else() {
    let first_sight = follow(None, events(1), 300).unwrap();
    let settled: Vec<bool> = first_sight.gameweeks.iter().map(|g| g.settled_at.is_some()).collect();
    assert_eq!(settled, [true, true, false]);
    // The first answer left one out; it is told of when it is over.
    let without_the_second = vec![event(1, hours(100)), event(3, hours(436))];
    let known = follow(None, without_the_second, 0).unwrap();
    let later = follow(Some(known), events(1), 300).unwrap();
    let settled: Vec<bool> = later.gameweeks.iter().map(|g| g.settled_at.is_some()).collect();
    assert_eq!(settled, [false, true, false]);
}

/// The events of the season after, seen in July.
fn next_season() -> Vec<Event> {
    (1..=3).map(|id| event(id, hours(8_900 + 168 * i64::from(id)))).collect()
}

fn paid(mut calendar: Calendar) -> Calendar {
    for gameweek in &mut calendar.gameweeks {
        gameweek.drawn_at = Some(hours(500));
        gameweek.settled_at = Some(hours(600));
    }
    calendar
}

#[test]
fn a_new_season_takes_the_place_of_one_that_is_paid_in_full() {
    let calendar = follow(Some(paid(known())), next_season(), 8_200).unwrap();
    assert_eq!((calendar.season, calendar.gameweeks.len()), (2027, 3));
    assert!(calendar.gameweeks.iter().all(|g| g.drawn_at.is_none() && g.opening.is_none()));
}

/// What is owed is kept with the old season: no debt keeps the new one from beginning.
#[test]
fn a_new_season_begins_whatever_the_old_one_owes() {
    let mut old = paid(known());
    old.gameweeks[1].settled_at = None;
    let calendar = follow(Some(old), next_season(), 8_200).unwrap();
    assert_eq!((calendar.season, calendar.read_at), (2027, Some(hours(8_200))));
    assert!(calendar.gameweeks.iter().all(|g| g.drawn_at.is_none() && g.settled_at.is_none()));
}

/// In mid-season an answer of another year is a mistake; a season that was left gives way once the next is near.
#[rstest]
#[case::in_mid_season(210, 2026)]
#[case::nine_weeks_before_the_next(7_500, 2026)]
#[case::a_month_before_the_next(8_200, 2027)]
fn a_season_with_gameweeks_to_come_gives_way_when_the_next_is_near(#[case] now: i64, #[case] expected: u16) {
    let mut calendar = known();
    calendar.gameweeks[0].settled_at = Some(hours(200));
    calendar.gameweeks[2].deadline = hours(9_500);
    let after = follow(Some(calendar.clone()), next_season(), now).unwrap();
    assert_eq!(after.season, expected);
    assert_eq!(after.gameweeks == calendar.gameweeks, expected == 2026);
}

/// A season that begins before the last deadline of this one is not the next.
#[test]
fn a_season_that_begins_too_early_is_not_believed() {
    let mut calendar = known();
    calendar.gameweeks[2].deadline = hours(9_000 + 168);
    assert_eq!(follow(Some(calendar), next_season(), 9_500).unwrap().season, 2026);
}

/// What a gameweek that is called off is said to have scored decides nothing any more.
#[test]
fn a_gameweek_that_is_called_off_does_not_become_final() {
    let mut calendar = known();
    let admin = domain::UserId::parse(&"a".repeat(32)).unwrap();
    let called_off =
        domain::gameweeks::calendar::CalledOff { at: hours(268), admin, reason: "Left.".to_owned() };
    calendar.gameweeks[0].called_off = Some(called_off);
    let after = follow(Some(calendar), events(1), 300).unwrap();
    assert_eq!((after.gameweeks[0].final_at, after.gameweeks[0].ended_at), (None, Some(hours(300))));
}

#[test]
fn an_older_season_and_an_older_answer_change_nothing() {
    let last_year = (1..=3).map(|id| event(id, hours(-8_760 + 168 * i64::from(id)))).collect();
    assert_eq!(follow(Some(paid(known())), last_year, 8_200), None);
    let mut events = events(0);
    events[0].deadline_time_epoch = hours(124).as_second();
    let newer = follow(Some(known()), events, 50).unwrap();
    assert_eq!(follow(Some(newer), self::events(0), 49), None);
}

fn read_at(hour: i64) -> Calendar {
    Calendar { read_at: Some(hours(hour)), ..known() }
}

#[rstest]
#[case::just_read(0, Due::No)]
#[case::four_minutes_ago(240, Due::No)]
#[case::five_minutes_ago(300, Due::Yes)]
fn it_is_read_each_five_minutes(#[case] seconds: i64, #[case] expected: Due) {
    assert_eq!(due(Some(&read_at(50)), hours(50) + SignedDuration::from_secs(seconds)), expected);
    assert_eq!(due(None, hours(50)), Due::Yes);
    assert_eq!(due(Some(&Calendar { read_at: None, ..known() }), hours(50)), Due::Yes);
}

#[rstest]
#[case::eleven_minutes_before(-660, Due::No)]
#[case::ten_minutes_before(-600, Due::Yes)]
#[case::at_it(0, Due::Yes)]
#[case::at_the_fence(600, Due::Yes)]
#[case::after_the_fence(601, Due::IfConfirmed(1))]
fn around_a_deadline_it_is_read_at_each_run(#[case] seconds: i64, #[case] expected: Due) {
    let now = hours(100) + SignedDuration::from_secs(seconds);
    let calendar = Calendar { read_at: Some(now - SignedDuration::from_mins(1)), ..known() };
    assert_eq!(due(Some(&calendar), now), expected);
}

#[test]
fn once_the_points_are_final_there_is_nothing_to_wait_for() {
    let mut calendar = read_at(200);
    assert_eq!(due(Some(&calendar), hours(200)), Due::IfConfirmed(1));
    calendar.gameweeks[0].final_at = Some(hours(200));
    assert_eq!(due(Some(&calendar), hours(200)), Due::No);
}

#[test]
fn a_day_without_a_reading_is_told_while_there_is_something_to_play() {
    let calendar = read_at(100);
    assert!(!is_stale(&calendar, hours(123)));
    assert!(is_stale(&calendar, hours(124)));
    assert!(!is_stale(&paid(calendar), hours(8_200)));
}
