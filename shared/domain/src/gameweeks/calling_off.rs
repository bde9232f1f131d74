//! Calling a gameweek off: an admin's way to give every stake back where the official game never makes its points
//! final (docs/decisions.md, "Calling a gameweek off"). Refused while the points can still decide.

use jiff::{SignedDuration, Timestamp};

use crate::gameweeks::calendar::Gameweek;

/// Why a gameweek cannot be called off; the text is what the admin reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallOffError {
    #[error("There is no such gameweek.")]
    NoGameweek,
    #[error("Gameweek {0} is settled.")]
    Settled(u8),
    #[error("The official points for gameweek {0} are final: its winners can be paid.")]
    Final(u8),
    #[error("Gameweek {0} can be called off from {1} on.")]
    TooEarly(u8, Timestamp),
}

/// From when a gameweek may be called off: so long after its deadline that its points should be final.
#[must_use]
pub fn possible_from(gameweek: &Gameweek, after: SignedDuration) -> Timestamp {
    gameweek.deadline + after
}

/// Whether a gameweek can be called off at `now`. One that is called off already can: what is left of it goes on.
///
/// # Errors
/// It is settled, its points are final, or the time `after` its deadline is not over.
pub fn check(gameweek: &Gameweek, now: Timestamp, after: SignedDuration) -> Result<(), CallOffError> {
    let from = possible_from(gameweek, after);
    if gameweek.settled_at.is_some() {
        Err(CallOffError::Settled(gameweek.number))
    } else if gameweek.called_off.is_some() {
        Ok(())
    } else if gameweek.final_at.is_some() {
        Err(CallOffError::Final(gameweek.number))
    } else if now < from {
        Err(CallOffError::TooEarly(gameweek.number, from))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{UserId, gameweeks::calendar::CalledOff};

    const DAYS: SignedDuration = SignedDuration::from_hours(7 * 24);

    fn hours(n: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n)
    }

    #[rstest]
    #[case::while_it_is_open(-1, None, None, false, "from 1970-01-08T00:00:00Z on")]
    #[case::an_hour_too_early(167, None, None, false, "from 1970-01-08T00:00:00Z on")]
    #[case::a_week_after_the_deadline(168, None, None, false, "")]
    #[case::its_points_are_final(200, Some(150), None, false, "are final")]
    #[case::final_and_too_early(100, Some(90), None, false, "are final")]
    #[case::settled(200, Some(150), Some(160), false, "is settled")]
    #[case::again(169, None, None, true, "")]
    #[case::again_after_it_is_through(200, None, Some(170), true, "is settled")]
    fn when_it_can_be_called_off(
        #[case] now: i64,
        #[case] final_at: Option<i64>,
        #[case] settled: Option<i64>,
        #[case] called_off: bool,
        #[case] refused: &str,
    ) {
        let admin = UserId::parse(&"a".repeat(32)).unwrap();
        let called_off = called_off.then(|| CalledOff { at: hours(168), admin, reason: "Left.".to_owned() });
        let gameweek = Gameweek {
            final_at: final_at.map(hours),
            settled_at: settled.map(hours),
            called_off,
            ..Gameweek::new(1, hours(0))
        };
        let text =
            check(&gameweek, hours(now), DAYS).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(text.is_empty(), refused.is_empty(), "{text}");
        assert!(text.contains(refused), "{text}");
    }
}
