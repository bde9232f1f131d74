//! The terms that players agree to, in versions (docs/decisions.md, "Terms that were agreed to"). Their texts are the
//! page's, which has one for each version of this list.

use std::fmt;

use jiff::{
    Timestamp,
    civil::{Date, date},
};
use serde::{Deserialize, Serialize};

use crate::KENYA;

/// A version of the terms, called by the day of Kenya on which it comes into force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TermsVersion(Date);

const FIRST: TermsVersion = TermsVersion(date(2026, 8, 1));

/// All of them, the oldest first. One that has been in force stays here, and its text on the page: who has agreed to it
/// can read it later.
pub const VERSIONS: &[TermsVersion] = &[FIRST];

impl fmt::Display for TermsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// That a player has agreed, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Kept as `terms`: what is called `version` in an item is how often it was written, and "my data" leaves that out.
    #[serde(rename = "terms")]
    pub version: TermsVersion,
    pub at: Timestamp,
}

/// Why nobody has agreed by this; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    #[error("Agree to the terms: say their version.")]
    Unsaid,
    #[error("There are no such terms.")]
    Unknown,
    #[error("These terms are not the ones in force. Please read those of {0}, and agree to them.")]
    NotInForce(TermsVersion),
}

/// The version of `versions` in force: the last that has begun, by the day in Kenya. Before the first begins it is the first.
#[must_use]
pub fn in_force(versions: &[TermsVersion], now: Timestamp) -> TermsVersion {
    let today = KENYA.to_datetime(now).date();
    versions.iter().rev().find(|version| version.0 <= today).or(versions.first()).copied().unwrap_or(FIRST)
}

/// The version in force now.
#[must_use]
pub fn current(now: Timestamp) -> TermsVersion {
    in_force(VERSIONS, now)
}

/// What somebody agrees to who sends the name of a version.
///
/// # Errors
/// No name is sent, there is no such version, or it is not the one in force.
pub fn agreed(versions: &[TermsVersion], sent: &str, now: Timestamp) -> Result<Agreement, TermsError> {
    let current = in_force(versions, now);
    match sent.trim() {
        "" => Err(TermsError::Unsaid),
        sent if sent == current.to_string() => Ok(Agreement { version: current, at: now }),
        sent if versions.iter().any(|version| version.to_string() == sent) => {
            Err(TermsError::NotInForce(current))
        }
        _ => Err(TermsError::Unknown),
    }
}

/// Whether one of `agreements` is to the terms of `versions` in force now.
#[must_use]
pub fn covers(versions: &[TermsVersion], agreements: &[Agreement], now: Timestamp) -> bool {
    agreements.iter().any(|agreement| agreement.version == in_force(versions, now))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const NEXT: TermsVersion = TermsVersion(date(2026, 11, 23));
    const TWO: &[TermsVersion] = &[FIRST, NEXT];

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn each_version_begins_later_than_the_one_before() {
        assert!(!VERSIONS.is_empty() && VERSIONS.is_sorted_by(|one, next| one < next));
    }

    #[rstest]
    #[case::before_there_were_any("2026-05-01T09:00:00Z", FIRST)]
    #[case("2026-08-20T09:00:00Z", FIRST)]
    #[case::a_second_before_midnight_in_kenya("2026-11-22T20:59:59Z", FIRST)]
    #[case::midnight_in_kenya("2026-11-22T21:00:00Z", NEXT)]
    #[case("2030-01-01T00:00:00Z", NEXT)]
    fn the_last_that_has_begun_is_in_force(#[case] now: &str, #[case] expected: TermsVersion) {
        assert_eq!(in_force(TWO, at(now)), expected);
    }

    #[rstest]
    #[case("2026-08-01", Ok(FIRST))]
    #[case(" 2026-08-01 ", Ok(FIRST))]
    #[case("", Err(TermsError::Unsaid))]
    #[case("2026-08-02", Err(TermsError::Unknown))]
    #[case("latest", Err(TermsError::Unknown))]
    #[case::not_yet("2026-11-23", Err(TermsError::NotInForce(FIRST)))]
    fn one_agrees_to_what_is_in_force(#[case] sent: &str, #[case] to: Result<TermsVersion, TermsError>) {
        let now = at("2026-08-20T09:00:00Z");
        assert_eq!(agreed(TWO, sent, now), to.map(|version| Agreement { version, at: now }));
    }

    #[test]
    fn when_the_terms_change_who_has_agreed_is_asked_again() {
        let (before, after) = (at("2026-11-22T20:59:59Z"), at("2026-11-22T21:00:00Z"));
        let mut agreements = vec![agreed(TWO, "2026-08-01", at("2026-08-20T09:00:00Z")).unwrap()];
        assert!(covers(TWO, &agreements, before));
        assert!(!covers(TWO, &agreements, after));
        assert_eq!(agreed(TWO, "2026-08-01", after), Err(TermsError::NotInForce(NEXT)));
        agreements.push(agreed(TWO, "2026-11-23", after).unwrap());
        assert!(covers(TWO, &agreements, after));
        assert!(!covers(TWO, &[], before), "who has agreed to none");
    }

    #[test]
    fn it_is_kept_as_its_name() {
        let kept = serde_json::to_string(&NEXT).unwrap();
        assert_eq!(kept, "\"2026-11-23\"");
        assert_eq!(serde_json::from_str::<TermsVersion>(&kept).unwrap(), NEXT);
    }
}
