//! The time in Kenya.

use jiff::{Timestamp, tz::Offset};

/// Three hours ahead of UTC, all year.
pub const KENYA: Offset = Offset::constant(3);

/// The midnight in Kenya at which the day of `at` ends.
#[must_use]
pub fn end_of_day(at: Timestamp) -> Timestamp {
    let tomorrow = KENYA.to_datetime(at).date().tomorrow();
    let midnight = tomorrow.and_then(|day| KENYA.to_timestamp(day.at(0, 0, 0, 0)));
    midnight.unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("2026-08-20T20:59:59Z", "2026-08-20T21:00:00Z")]
    #[case("2026-08-20T21:00:00Z", "2026-08-21T21:00:00Z")]
    fn a_day_ends_at_midnight(#[case] at: Timestamp, #[case] end: Timestamp) {
        assert_eq!(end_of_day(at), end);
    }
}
