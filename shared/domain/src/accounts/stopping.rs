//! Breaks and self-exclusion: a player stops for a time that nobody can shorten (docs/decisions.md, "Stopping").

use std::str::FromStr;

use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::KENYA;

/// The longest break, in days.
const LONGEST_BREAK: i64 = 6 * 7;

/// What a player has asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum StopKind {
    /// One day to six weeks.
    Break,
    /// Six months, a year or five years.
    Exclusion,
}

/// That a player has stopped, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    pub kind: StopKind,
    pub until: Timestamp,
}

/// What keeps a player from playing, by their own will or until they have shown their age; kept with the account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Restraints {
    /// Whether there are limits of their own: they lie on the wallet.
    #[serde(default)]
    pub has_limits: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// An admin has asked for a proof of age, and has not been given one.
    #[serde(default)]
    pub age_proof_wanted: bool,
}

impl Restraints {
    /// Where the player has stopped and it is not over.
    #[must_use]
    pub fn stopped(&self, now: Timestamp) -> Option<Stopped> {
        self.stopped.filter(|stopped| stopped.is_in_force(now))
    }

    /// Whether the player may enter and be asked to pay in.
    ///
    /// # Errors
    /// The player has stopped and it is not over, or has yet to show their age.
    pub fn check(&self, now: Timestamp) -> Result<(), NotPlaying> {
        match self.stopped(now) {
            Some(stopped) => Err(NotPlaying::Stopped(stopped.until)),
            None if self.age_proof_wanted => Err(NotPlaying::AgeNotShown),
            None => Ok(()),
        }
    }
}

/// For how long a player stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopFor {
    Days(i64),
    Months(i64),
}

/// Why nobody stops, or not like this; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StopError {
    #[error("Choose a break of 1 day to 6 weeks, or an exclusion of 6 months, 1 year or 5 years.")]
    HowLong,
    #[error("You have stopped until {} already. That can be made longer, not shorter.", day(*.0))]
    Shorter(Timestamp),
}

/// Why somebody does not play or pay in now; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotPlaying {
    #[error("You have stopped until {}. Until then you can withdraw, but not enter or deposit.", day(*.0))]
    Stopped(Timestamp),
    #[error(
        "We have asked you to show that you are 18 or older. Until you have, you can withdraw, but not enter or deposit. Please contact us."
    )]
    AgeNotShown,
    #[error("Please agree to our terms first. Until you have, you can withdraw, but not enter or deposit.")]
    TermsNotAgreed,
}

fn day(at: Timestamp) -> String {
    KENYA.to_datetime(at).strftime("%-d %B %Y, %H:%M").to_string()
}

impl FromStr for StopFor {
    type Err = StopError;

    /// `1d` to `42d`, `1w` to `6w`, `6m`, `1y`, `5y`.
    fn from_str(text: &str) -> Result<Self, StopError> {
        match text {
            "6m" => return Ok(Self::Months(6)),
            "1y" => return Ok(Self::Months(12)),
            "5y" => return Ok(Self::Months(60)),
            _ => {}
        }
        let days = |text: &str, of: i64| {
            let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            let number: i64 = text.parse().ok().filter(|_| digits)?;
            Some(number * of)
        };
        let days = match (text.strip_suffix('d'), text.strip_suffix('w')) {
            (Some(number), _) => days(number, 1),
            (_, Some(number)) => days(number, 7),
            _ => None,
        };
        match days {
            Some(days @ 1..=LONGEST_BREAK) => Ok(Self::Days(days)),
            _ => Err(StopError::HowLong),
        }
    }
}

impl StopFor {
    /// From `now` on: days of 24 hours, months by Kenya's calendar.
    #[must_use]
    pub fn from(self, now: Timestamp) -> Stopped {
        match self {
            Self::Days(days) => {
                Stopped { kind: StopKind::Break, until: now + SignedDuration::from_hours(24 * days) }
            }
            Self::Months(months) => {
                let until = KENYA.to_datetime(now).saturating_add(Span::new().months(months));
                // A calendar of some years ahead has every instant.
                let until = KENYA.to_timestamp(until).unwrap_or(Timestamp::MAX);
                Stopped { kind: StopKind::Exclusion, until }
            }
        }
    }
}

impl Stopped {
    #[must_use]
    pub fn is_in_force(&self, now: Timestamp) -> bool {
        now < self.until
    }

    /// What `wanted` makes of it: a longer one takes its place. An exclusion stays one.
    ///
    /// # Errors
    /// It is in force, and `wanted` ends no later.
    pub fn followed_by(self, wanted: Self, now: Timestamp) -> Result<Self, StopError> {
        if !self.is_in_force(now) {
            return Ok(wanted);
        }
        if wanted.until <= self.until {
            return Err(StopError::Shorter(self.until));
        }
        let kind = if self.kind == StopKind::Exclusion { self.kind } else { wanted.kind };
        Ok(Self { kind, ..wanted })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[rstest]
    #[case("1d", Ok(StopFor::Days(1)))]
    #[case("42d", Ok(StopFor::Days(42)))]
    #[case("6w", Ok(StopFor::Days(42)))]
    #[case("6m", Ok(StopFor::Months(6)))]
    #[case("1y", Ok(StopFor::Months(12)))]
    #[case("5y", Ok(StopFor::Months(60)))]
    #[case("0d", Err(StopError::HowLong))]
    #[case("43d", Err(StopError::HowLong))]
    #[case("7w", Err(StopError::HowLong))]
    #[case("-1d", Err(StopError::HowLong))]
    #[case("+1d", Err(StopError::HowLong))]
    #[case("1m", Err(StopError::HowLong))]
    #[case("2y", Err(StopError::HowLong))]
    #[case("", Err(StopError::HowLong))]
    #[case("d", Err(StopError::HowLong))]
    #[case("99999999999999999999d", Err(StopError::HowLong))]
    #[case("1é", Err(StopError::HowLong))]
    fn how_long_one_can_stop(#[case] text: &str, #[case] read: Result<StopFor, StopError>) {
        assert_eq!(text.parse(), read);
    }

    #[rstest]
    #[case(StopFor::Days(1), "2026-08-21T09:00:00Z", StopKind::Break)]
    #[case(StopFor::Months(6), "2027-02-20T09:00:00Z", StopKind::Exclusion)]
    #[case(StopFor::Months(60), "2031-08-20T09:00:00Z", StopKind::Exclusion)]
    fn until_when(#[case] stop: StopFor, #[case] until: &str, #[case] kind: StopKind) {
        let stopped = stop.from(at("2026-08-20T09:00:00Z"));
        assert_eq!(stopped, Stopped { kind, until: at(until) });
        assert!(stopped.is_in_force(at(until) - SignedDuration::from_secs(1)));
        assert!(!stopped.is_in_force(at(until)));
    }

    #[test]
    fn who_has_stopped_or_is_to_show_an_age_does_not_play() {
        let (now, until) = (at("2026-08-20T09:00:00Z"), at("2026-08-21T09:00:00Z"));
        let stopped = Restraints { stopped: Some(StopFor::Days(1).from(now)), ..Restraints::default() };
        assert_eq!(stopped.check(now), Err(NotPlaying::Stopped(until)));
        assert_eq!(
            stopped.check(now).unwrap_err().to_string(),
            "You have stopped until 21 August 2026, 12:00. Until then you can withdraw, but not enter or deposit."
        );
        assert_eq!(stopped.check(until), Ok(()));
        let unproved = Restraints { age_proof_wanted: true, ..stopped };
        assert_eq!(unproved.check(until), Err(NotPlaying::AgeNotShown));
    }

    #[test]
    fn half_a_year_after_the_last_of_august_is_the_last_of_february() {
        assert_eq!(StopFor::Months(6).from(at("2026-08-31T21:30:00Z")).until, at("2027-02-28T21:30:00Z"));
        // In Kenya that is the first of September already.
        assert_eq!(StopFor::Months(6).from(at("2026-08-31T20:30:00Z")).until, at("2027-02-28T20:30:00Z"));
    }

    #[test]
    fn it_can_be_made_longer_and_never_shorter() {
        let now = at("2026-08-20T09:00:00Z");
        let (week, half_a_year) = (StopFor::Days(7).from(now), StopFor::Months(6).from(now));
        assert_eq!(week.followed_by(half_a_year, now), Ok(half_a_year));
        assert_eq!(half_a_year.followed_by(week, now), Err(StopError::Shorter(half_a_year.until)));
        assert_eq!(half_a_year.followed_by(half_a_year, now), Err(StopError::Shorter(half_a_year.until)));
        // Once it is over it says nothing more.
        assert_eq!(half_a_year.followed_by(week, half_a_year.until), Ok(week));
        // A break on top of an exclusion that is nearly over lasts longer, and stays an exclusion.
        let nearly_over = half_a_year.until - SignedDuration::from_hours(24);
        let on_top = half_a_year.followed_by(StopFor::Days(7).from(nearly_over), nearly_over).unwrap();
        assert_eq!(
            (on_top.kind, on_top.until),
            (StopKind::Exclusion, nearly_over + SignedDuration::from_hours(24 * 7))
        );
    }
}
