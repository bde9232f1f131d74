use super::*;
use crate::season::FIRST_OPEN;

const FIRST_DEADLINE: Timestamp = Timestamp::constant(1_787_394_600, 0);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn moved(number: u8, to: &str) -> (u8, GameweekChange) {
    (number, GameweekChange { kind: None, deadline: Some(at(to)) })
}

#[test]
fn the_first_gameweek_keeps_its_dates() {
    let calendar = Calendar::first();
    let first = calendar.get(1).unwrap();
    assert_eq!(calendar.start_of(first, Phase::Open), at(FIRST_OPEN));
    assert_eq!(first.deadline(), at("2026-08-22T10:30:00Z"));
    assert_eq!(first.first_kickoff(), at("2026-08-22T12:00:00Z"));
    assert_eq!(first.end_of_play(), at("2026-08-24T21:30:00Z"));
    assert_eq!(first.checked(), at("2026-08-25T09:00:00Z"));
    assert_eq!(calendar.get(38).unwrap().deadline(), at("2027-05-08T10:30:00Z"));
    assert_eq!((calendar.get(0), calendar.get(39)), (None, None));
}

#[test]
fn a_phase_begins_exactly_at_its_instant() {
    let calendar = Calendar::first();
    for gameweek in calendar.all() {
        for phase in [Phase::Locked, Phase::Live, Phase::Finished, Phase::Checked] {
            let start = calendar.start_of(gameweek, phase);
            assert_eq!(gameweek.phase_at(start), phase);
            assert!(gameweek.phase_at(start - SignedDuration::from_millis(1)) < phase);
        }
    }
}

#[test]
fn a_gameweek_is_checked_three_days_before_the_next_deadline() {
    let calendar = Calendar::first();
    for (gameweek, next) in calendar.all().zip(calendar.all().skip(1)) {
        assert!(next.deadline().duration_since(gameweek.checked()) >= SignedDuration::from_hours(72));
        assert_eq!(calendar.start_of(next, Phase::Open), gameweek.checked());
    }
    assert!(FIRST_DEADLINE.duration_since(at(FIRST_OPEN)) >= SignedDuration::from_hours(48));
}

#[test]
fn boundaries_leave_out_their_start_and_include_their_end() {
    let calendar = Calendar::first();
    let first = calendar.get(1).unwrap();
    assert_eq!(
        calendar.boundaries(first.deadline(), first.checked()),
        [first.first_kickoff(), first.end_of_play(), first.checked()]
    );
    assert_eq!(calendar.boundaries(at(FIRST_OPEN), at("2027-07-01T00:00:00Z")).len(), 38 * 4);
}

#[test]
fn nothing_is_current_before_the_season_and_the_last_stays() {
    let calendar = Calendar::first();
    let current = |now| calendar.current(now).map(Gameweek::number);
    assert_eq!(current(at(FIRST_OPEN)), None);
    assert_eq!(current(FIRST_DEADLINE), Some(1));
    assert_eq!(current(at("2027-07-01T00:00:00Z")), Some(38));
}

#[test]
fn a_deadline_moves_within_its_neighbours_and_no_further() {
    let calendar = Calendar::first();
    let now = at("2026-08-25T12:00:00Z");
    // Gameweek 1 is checked on 25 August at 09:00Z, gameweek 3's deadline is 5 September at 10:30Z.
    for (to, may) in [
        ("2026-08-25T12:00:01Z", true),
        ("2026-08-25T12:00:00Z", false),
        ("2026-08-25T09:30:00Z", false),
        ("2026-09-02T10:30:00Z", true),
        ("2026-09-02T10:30:01Z", false),
        ("2026-08-29T10:30:00.5Z", false),
    ] {
        let (number, change) = moved(2, to);
        assert_eq!(calendar.changed(number, change, now).is_ok(), may, "{to}");
    }
    let early = at(FIRST_OPEN);
    for (number, to, may) in [
        (2, "2026-08-25T10:00:00Z", true),
        (2, "2026-08-25T09:59:59Z", false),
        (1, "2026-08-20T10:00:00Z", true),
        (1, "2026-08-20T09:59:59Z", false),
        (38, "2027-07-07T09:00:00Z", true),
        (38, "2027-07-07T09:00:01Z", false),
    ] {
        let (number, change) = moved(number, to);
        assert_eq!(calendar.changed(number, change, early).is_ok(), may, "{number} to {to}");
    }
}

#[test]
fn the_phases_stay_in_order_wherever_deadlines_are_moved() {
    let mut calendar = Calendar::first();
    let now = at(FIRST_OPEN);
    // Every second deadline as late as it may be, then every other as early as it may be.
    for number in (2..=38_u8).step_by(2).chain((1..=37).step_by(2)) {
        let gameweek = calendar.get(number).unwrap();
        let seconds = SignedDuration::from_secs;
        let next = calendar.get(number + 1).map_or(calendar.season().ends(), Gameweek::deadline);
        let to = if number % 2 == 0 { next - LEAST_APART } else { calendar.opens(gameweek) + LEAST_OPEN };
        let step = if number % 2 == 0 { seconds(1) } else { seconds(-1) };
        let change = |deadline| GameweekChange { kind: None, deadline: Some(deadline) };
        assert!(calendar.changed(number, change(to + step), now).is_err());
        let changed = calendar.changed(number, change(to), now).unwrap();
        calendar.put(changed);
    }
    let starts: Vec<_> =
        calendar.all().flat_map(|gameweek| gameweek.boundaries().map(|(_, start)| start)).collect();
    assert!(starts.is_sorted());
}

#[test]
fn what_has_locked_does_not_change() {
    let calendar = Calendar::first();
    let kind = GameweekChange { kind: Some(Kind::Void), deadline: None };
    let changed = |number, now| calendar.changed(number, kind, now).map(Gameweek::kind);
    assert_eq!(changed(1, FIRST_DEADLINE), Err(GameweekRefused::Locked(1)));
    assert_eq!(changed(1, FIRST_DEADLINE - SignedDuration::from_millis(1)), Ok(Kind::Void));
    assert_eq!(changed(2, FIRST_DEADLINE), Ok(Kind::Void));
    assert_eq!(changed(39, FIRST_DEADLINE), Err(GameweekRefused::Unknown(39)));
}
