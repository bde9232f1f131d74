use rstest::rstest;

use super::*;

fn hours(n: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n)
}

/// Deadlines at hours 100, 268 and 436 (seven days apart); the first `settled` are settled.
fn calendar(settled: usize) -> Calendar {
    let gameweek = |i: usize| Gameweek {
        settled_at: (i < settled).then(|| hours(1)),
        ..Gameweek::new(u8::try_from(i + 1).unwrap(), hours(100 + 168 * i64::try_from(i).unwrap()))
    };
    Calendar { season: 2026, gameweeks: (0..3).map(gameweek).collect(), read_at: None }
}

#[rstest]
#[case::before_the_season(0, 0, Some(1))]
#[case::while_it_is_played(0, 150, Some(1))]
#[case::unsettled_week_gives_way_two_days_before_the_next_deadline(0, 220, Some(2))]
#[case::an_hour_earlier_it_does_not(0, 219, Some(1))]
#[case::settled_early_means_the_next_at_once(1, 150, Some(2))]
#[case::two_unsettled_in_a_row(0, 400, Some(3))]
#[case::after_the_last(3, 500, None)]
fn the_current_one(#[case] settled: usize, #[case] now: i64, #[case] expected: Option<u8>) {
    let calendar = calendar(settled);
    let current = calendar.current(hours(now), SignedDuration::from_hours(48));
    assert_eq!(current.map(|g| g.number), expected);
}

/// Two deadlines 40 hours apart, as at Christmas: closer than the lead.
#[rstest]
#[case(99, Some(1))]
#[case(100, Some(2))]
fn one_that_is_open_does_not_give_way(#[case] now: i64, #[case] expected: Option<u8>) {
    let mut calendar = calendar(0);
    calendar.gameweeks[1].deadline = hours(140);
    let current = calendar.current(hours(now), SignedDuration::from_hours(48));
    assert_eq!(current.map(|g| g.number), expected);
}

/// The second has opened, and its deadline is moved to a week later.
#[rstest]
#[case::the_first_is_closed(hours(100), Some(2))]
#[case::the_first_is_open_by_a_clock_that_is_behind(hours(99), Some(1))]
fn one_that_has_opened_stays(#[case] now: Timestamp, #[case] expected: Option<u8>) {
    let mut calendar = calendar(0);
    let opening = Opening { at: hours(100), fee_percent: 10, secret_hash: String::new() };
    calendar.gameweeks[1].opening = Some(opening);
    calendar.gameweeks[1].deadline = hours(430);
    let current = calendar.current(now, SignedDuration::from_hours(48));
    assert_eq!(current.map(|g| g.number), expected);
}

#[test]
fn one_that_waits_does_not_hold_back_the_ones_after_the_next() {
    let mut calendar = calendar(0);
    calendar.gameweeks[1].settled_at = Some(hours(330));
    let current = calendar.current(hours(340), SignedDuration::from_hours(48));
    assert_eq!(current.map(|g| g.number), Some(3));
}

#[rstest]
#[case::open(None, None, None, false)]
#[case::settled(Some(1), None, Some(2), true)]
#[case::drawn_before_counts_were_kept(Some(1), None, None, false)]
#[case::drawn_with_a_league(Some(1), Some([0, 7, 0]), None, false)]
#[case::drawn_and_nobody_there(Some(1), Some([0, 0, 0]), None, true)]
#[case::drawn_and_one_alone_who_was_refunded(Some(1), Some([0, 0, 1]), None, true)]
fn nothing_is_owed(
    #[case] drawn: Option<i64>,
    #[case] entries: Option<[usize; 3]>,
    #[case] settled: Option<i64>,
    #[case] expected: bool,
) {
    let gameweek = Gameweek {
        drawn_at: drawn.map(hours),
        drawn_entries: entries,
        settled_at: settled.map(hours),
        ..Gameweek::new(1, hours(0))
    };
    assert_eq!(gameweek.is_paid(), expected);
}

#[test]
fn is_closed_from_the_deadline_on_to_the_nanosecond() {
    let calendar = calendar(0);
    let first = &calendar.gameweeks[0];
    assert!(first.is_open(first.deadline - SignedDuration::from_nanos(1)));
    assert!(!first.is_open(first.deadline));
    assert_eq!(first.state(first.deadline), GameweekState::Closed);
}

#[test]
fn the_fence_stands_after_ten_minutes_and_the_list_waits_for_twenty_three() {
    let gameweek = Gameweek::new(1, hours(100));
    let after = |minutes| hours(100) + SignedDuration::from_mins(minutes);
    assert_eq!((gameweek.fence(), gameweek.list_waits_until()), (after(10), after(23)));
}

/// The first is settled, of the second nobody was there, and the third closes at hour 436.
#[test]
fn what_is_closed_and_not_paid_is_owed() {
    let mut calendar = calendar(1);
    let second = &mut calendar.gameweeks[1];
    (second.drawn_at, second.drawn_entries) = (Some(hours(270)), Some([0, 0, 0]));
    let owed = |now| calendar.owed(hours(now)).map(|g| g.number).collect::<Vec<u8>>();
    assert_eq!([435, 436].map(owed), [vec![], vec![3]]);
    let oldest = |now| calendar.oldest_unsettled(hours(now)).map(|g| g.number);
    assert_eq!([267, 268].map(oldest), [None, Some(2)]);
}

#[test]
fn a_gameweek_is_found_by_its_number() {
    let calendar = calendar(0);
    let deadline = |number| calendar.gameweek(number).map(|g| g.deadline);
    assert_eq!([1, 2, 4].map(deadline), [Some(hours(100)), Some(hours(268)), None]);
}

#[test]
fn a_switch_is_read_as_of_an_instant() {
    let turn = |h, value| Turn { at: hours(h), value, id: String::new() };
    let turns = [turn(10, false), turn(20, true)];
    let read = |h| value_at(&turns, true, hours(h));
    assert_eq!([9, 10, 19, 20].map(read), [true, false, false, true]);
}

#[rstest]
#[case("2026-03", true)]
#[case("2026-38", true)]
#[case("2026-3", false)]
#[case("26-03", false)]
#[case("2026-03x", false)]
fn is_written_one_way(#[case] text: &str, #[case] sound: bool) {
    assert_eq!(text.parse::<GameweekId>().is_ok(), sound);
}
