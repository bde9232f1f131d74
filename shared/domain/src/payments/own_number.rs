//! The first paid prompt to a number makes it the player's own (docs/decisions.md, "What makes a number a player's
//! own"). Against other players' prompts it counts at once. For money that is credited by a typed code or paid out
//! without waiting, it counts a day later, and only if the prompt was paid more than a day before or after a new
//! password: a thief who has taken the account over must not make another number count.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// So long after it was proved a number counts for money.
pub const COUNTS_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// Within so long of a new password nothing is proved.
const NEAR_A_RESET: SignedDuration = SignedDuration::from_hours(24);

/// When a number was proved, and whether that was near a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    pub at: Timestamp,
    pub near_reset: bool,
}

impl Proof {
    /// A prompt that was sent at `sent` has proved the number at `at`; `reset` is the last password reset of the
    /// account. Both times must be away from the reset: late news of a prompt that was sent near it proves no more than
    /// the prompt itself.
    #[must_use]
    pub fn of_prompt(sent: Timestamp, at: Timestamp, reset: Option<Timestamp>) -> Self {
        Self { at, near_reset: near(sent, reset) || near(at, reset) }
    }

    /// Whether the number counts for money that is paid in or asked for at `at`. `reset` is the account's last.
    #[must_use]
    pub fn counts(self, reset: Option<Timestamp>, at: Timestamp) -> bool {
        !self.is_doubtful(reset) && self.at + COUNTS_AFTER <= at
    }

    /// Whether a new password is too near: another paid prompt, away from it, proves the number anew.
    #[must_use]
    pub fn is_doubtful(self, reset: Option<Timestamp>) -> bool {
        self.near_reset || near(self.at, reset)
    }
}

fn near(at: Timestamp, reset: Option<Timestamp>) -> bool {
    reset.is_some_and(|reset| at.duration_since(reset).abs() < NEAR_A_RESET)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn hours(n: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n)
    }

    #[rstest]
    #[case::at_once(None, None, 1000, false)]
    #[case::a_day_less_an_hour(None, None, 1023, false)]
    #[case::a_day(None, None, 1024, true)]
    #[case::an_old_reset(Some(976), Some(976), 1024, true)]
    #[case::a_reset_before_it(Some(977), Some(977), 9999, false)]
    #[case::a_reset_after_it(None, Some(1023), 9999, false)]
    #[case::a_reset_a_day_after_it(None, Some(1024), 1024, true)]
    #[case::another_reset_since(Some(990), Some(5000), 9999, false)]
    fn when_a_number_counts(
        #[case] reset_then: Option<i64>,
        #[case] reset_now: Option<i64>,
        #[case] at: i64,
        #[case] counts: bool,
    ) {
        let proof = Proof::of_prompt(hours(1000), hours(1000), reset_then.map(hours));
        assert_eq!(proof.counts(reset_now.map(hours), hours(at)), counts);
    }

    /// A prompt that is heard of two days after it was sent.
    #[rstest]
    #[case::near_the_prompt(977, true)]
    #[case::a_day_from_both(1024, false)]
    #[case::near_its_news(1025, true)]
    fn a_reset_near_the_prompt_or_near_its_news_is_a_doubt(#[case] reset: i64, #[case] near: bool) {
        assert_eq!(Proof::of_prompt(hours(1000), hours(1048), Some(hours(reset))).near_reset, near);
    }
}
