//! When a gameweek's official points are final (docs/fpl.md, "Times").

use super::{Event, EventStatus};

/// Whether the points of `event` are final: finished and checked, and, while the status still
/// covers that gameweek, every day of it with its bonus added and its points final, the leagues
/// updated. The status covers the current gameweek only; once it speaks of a later one, or the
/// gameweek is no longer the current one, the first two decide alone.
pub fn is_final(event: &Event, status: &EventStatus) -> bool {
    if !(event.finished && event.data_checked) {
        return false;
    }
    if covers(status, event.id) {
        return is_confirmed(status, event.id);
    }
    let later = |row: &super::StatusRow| row.event > event.id;
    if event.is_current {
        // Still of the gameweek before it confirms nothing. Without a day, because nothing was played,
        // the leagues being updated is the only sign there is.
        status.status.iter().all(later) && (!status.status.is_empty() || status.leagues == "Updated")
    } else {
        true
    }
}

/// Whether the status itself says that a gameweek is over: a few hundred bytes that tell when
/// bootstrap-static is worth reading.
pub fn is_confirmed(status: &EventStatus, event: u32) -> bool {
    let mut days = status.status.iter().filter(|row| row.event == event);
    covers(status, event)
        && status.leagues == "Updated"
        && days.all(|row| row.bonus_added && row.points == "r")
}

fn covers(status: &EventStatus, event: u32) -> bool {
    status.status.iter().any(|row| row.event == event)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{super::StatusRow, *};

    fn event(finished: bool, data_checked: bool, is_current: bool) -> Event {
        Event { id: 7, deadline_time_epoch: 1_759_572_000, finished, data_checked, is_current }
    }

    fn row(event: u32, bonus_added: bool, points: &str) -> StatusRow {
        StatusRow { event, bonus_added, points: points.into() }
    }

    fn status(rows: Vec<StatusRow>, leagues: &str) -> EventStatus {
        EventStatus { status: rows, leagues: leagues.into() }
    }

    #[test]
    fn final_when_every_sign_says_so() {
        let rows = vec![row(7, true, "r"), row(7, true, "r")];
        assert!(is_final(&event(true, true, true), &status(rows, "Updated")));
    }

    #[rstest]
    #[case::not_finished(event(false, true, true))]
    #[case::not_checked(event(true, false, true))]
    fn never_final_before_it_is_finished_and_checked(#[case] event: Event) {
        let rows = vec![row(7, true, "r")];
        assert!(!is_final(&event, &status(rows, "Updated")));
        assert!(!is_final(&event, &status(vec![row(8, false, "")], "")));
    }

    #[rstest]
    #[case::bonus_missing(vec![row(7, true, "r"), row(7, false, "r")], "Updated")]
    #[case::provisional(vec![row(7, true, "r"), row(7, true, "p")], "Updated")]
    #[case::live(vec![row(7, true, "l")], "Updated")]
    #[case::leagues_updating(vec![row(7, true, "r")], "Updating")]
    #[case::leagues_untouched(vec![row(7, true, "r")], "")]
    #[case::no_rows(vec![], "")]
    #[case::no_rows_and_updating(vec![], "Updating")]
    #[case::rows_of_the_week_before(vec![row(6, true, "r")], "Updated")]
    fn not_final_while_the_status_does_not_confirm_it(#[case] rows: Vec<StatusRow>, #[case] leagues: &str) {
        assert!(!is_final(&event(true, true, true), &status(rows, leagues)));
    }

    #[test]
    fn a_gameweek_without_a_day_of_play_is_final_when_the_leagues_are_updated() {
        assert!(is_final(&event(true, true, true), &status(vec![], "Updated")));
        assert!(!is_final(&event(true, false, true), &status(vec![], "Updated")));
    }

    #[rstest]
    #[case::status_of_the_next_week(vec![row(8, false, "")], true)]
    #[case::no_longer_current(vec![row(8, false, "")], false)]
    #[case::between_seasons(vec![], false)]
    fn later_the_flags_decide_alone(#[case] rows: Vec<StatusRow>, #[case] is_current: bool) {
        assert!(is_final(&event(true, true, is_current), &status(rows, "")));
    }
}
