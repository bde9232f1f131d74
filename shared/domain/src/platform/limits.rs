//! Limits: how often something may be tried, and for how long it is refused then.
//!
//! A history is the times of what counted. Failed log-ins are met with a delay that grows with each
//! failure over the limit, never over fifteen minutes and never for good; everything else is a plain
//! number within a sliding window.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// What is limited, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Limit {
    /// Failed log-ins to one account from one address.
    #[strum(serialize = "login-here")]
    LogInHere,
    /// Failed log-ins to one account, wherever from.
    #[strum(serialize = "login-anywhere")]
    LogInAnywhere,
    /// Failed log-ins from one address, whatever the account.
    #[strum(serialize = "login-address")]
    LogInAddress,
    /// Sign-ups from one address: they tell which emails are taken.
    #[strum(serialize = "signups")]
    SignUps,
    /// Reset mails to one account.
    Forgot,
    /// Prompts that one player had sent to one number.
    #[strum(serialize = "prompts-number")]
    PromptsToNumber,
    /// Prompts that one player had sent to numbers that are not the player's own.
    #[strum(serialize = "prompts-others")]
    PromptsToOthers,
    /// Prompts that one number was sent by players whose own it is not, all together.
    #[strum(serialize = "prompts-strangers")]
    PromptsByStrangers,
    /// Codes that one player typed.
    #[strum(serialize = "codes")]
    TypedCodes,
    /// Teams that one player had looked up to link one.
    TeamLinks,
    /// Codes that one player had issued to prove a team.
    TeamProofs,
    /// Looks for such a code in the official team's name.
    TeamChecks,
    /// Codes of one admin's second factor that were not right.
    SecondFactor,
    /// Withdrawals that one player asked for.
    Withdrawals,
    /// Pages of one player's own data.
    OwnData,
    /// Messages of one player's about what is wrong.
    CaseMessages,
    /// Passwords that were not right where a session asks for it again.
    Passwords,
}

/// So many within so long.
struct Rule {
    most: usize,
    within: SignedDuration,
    /// Whether one too many starts a delay, rather than waiting for the window to empty.
    delays: bool,
}

/// The first delay, and the longest.
const FIRST_DELAY: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(15);
/// Without a failure for so long, the delays begin with the first one again.
const DELAYS_FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24);

impl Limit {
    const fn rule(self) -> Rule {
        let (most, within, delays) = match self {
            Self::LogInHere => (5, SignedDuration::from_mins(15), true),
            Self::LogInAnywhere => (30, SignedDuration::from_mins(15), true),
            Self::LogInAddress => (50, SignedDuration::from_mins(15), true),
            Self::SignUps | Self::TeamLinks | Self::SecondFactor | Self::Passwords => {
                (10, SignedDuration::from_hours(1), false)
            }
            Self::TeamProofs => (3, SignedDuration::from_hours(24), false),
            Self::TeamChecks => (20, SignedDuration::from_hours(1), false),
            Self::Forgot => (3, SignedDuration::from_hours(1), false),
            Self::OwnData | Self::CaseMessages => (20, SignedDuration::from_hours(24), false),
            Self::Withdrawals => (50, SignedDuration::from_hours(24), false),
            // A first-timer's wrong PIN, too little money and cancelled leave room for a fourth.
            Self::PromptsToNumber => (4, SignedDuration::from_mins(10), false),
            Self::PromptsToOthers => (6, SignedDuration::from_hours(24), false),
            Self::PromptsByStrangers | Self::TypedCodes => (5, SignedDuration::from_hours(24), false),
        };
        Rule { most, within, delays }
    }
}

/// Refused for now; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited {
    pub limit: Limit,
    /// From when on another one is admitted, in seconds from now, rounded up.
    pub retry_after: u32,
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.limit {
            Limit::LogInHere | Limit::LogInAnywhere | Limit::LogInAddress => "Too many failed attempts.",
            Limit::SignUps => "Too many registrations from here.",
            Limit::Forgot => "Too many reset links were asked for.",
            Limit::PromptsToNumber => "Too many payment requests to this number.",
            Limit::PromptsToOthers => "Too many payment requests today to numbers that are not yours yet.",
            Limit::PromptsByStrangers => "Too many payment requests to this number today.",
            Limit::TypedCodes => "Too many codes today.",
            Limit::TeamLinks => "Too many team ids.",
            Limit::TeamProofs => "Too many codes for a team today.",
            Limit::TeamChecks => "Too many looks for the code.",
            Limit::SecondFactor => "Too many codes that were not right.",
            Limit::Withdrawals => "Too many withdrawals today.",
            Limit::OwnData => "You have asked for your data too often today.",
            Limit::CaseMessages => "Too many messages today.",
            Limit::Passwords => "Too many passwords that were not right.",
        })?;
        let (number, unit) = match self.retry_after {
            seconds @ 0..60 => (seconds.max(1), "second"),
            seconds @ 60..7200 => (seconds.div_ceil(60), "minute"),
            seconds => (seconds.div_ceil(3600), "hour"),
        };
        write!(f, " Try again in {number} {unit}{}.", if number == 1 { "" } else { "s" })
    }
}

impl std::error::Error for Limited {}

/// What counted lately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Oldest first.
    times: Vec<Timestamp>,
    /// How many delays have followed each other.
    #[serde(default)]
    delays: u32,
    /// The end of the delay.
    #[serde(default)]
    until: Option<Timestamp>,
}

impl History {
    /// Whether one more is admitted at `now`.
    ///
    /// # Errors
    /// It is refused for now; the error says for how many seconds.
    pub fn check(&self, limit: Limit, now: Timestamp) -> Result<(), Limited> {
        let rule = limit.rule();
        let free_at = if rule.delays {
            self.until
        } else {
            let inside = self.inside(&rule, now);
            inside.len().checked_sub(rule.most).map(|over| inside[over] + rule.within)
        };
        let Some(free_at) = free_at.filter(|free_at| now < *free_at) else { return Ok(()) };
        let wait = free_at.duration_since(now);
        let seconds = wait.as_secs() + i64::from(wait.subsec_nanos() > 0);
        Err(Limited { limit, retry_after: u32::try_from(seconds).unwrap_or(u32::MAX) })
    }

    /// The history with one more, at `now`.
    #[must_use]
    pub fn with(&self, limit: Limit, now: Timestamp) -> Self {
        let rule = limit.rule();
        let mut times = self.inside(&rule, now).to_vec();
        times.push(now);
        // What came late (another machine's clock) does not make the list grow without bound.
        let surplus = times.len().saturating_sub(rule.most + 1);
        times.drain(..surplus);
        if !rule.delays {
            return Self { times, ..Self::default() };
        }
        let forgotten = self.times.last().is_none_or(|last| *last + DELAYS_FORGOTTEN_AFTER < now);
        let before = if forgotten { 0 } else { self.delays };
        if times.len() < rule.most {
            return Self { times, delays: before, until: None };
        }
        let delay = (FIRST_DELAY * (1 << before.min(8))).min(LONGEST_DELAY);
        Self { times, delays: before.saturating_add(1), until: Some(now + delay) }
    }

    /// The history without what counted at `at`: it turned out not to count.
    #[must_use]
    pub fn without(&self, at: Timestamp) -> Self {
        let mut kept = self.clone();
        if let Some(found) = kept.times.iter().rposition(|time| *time == at) {
            kept.times.remove(found);
        }
        kept
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// From when on it says nothing any more.
    #[must_use]
    pub fn ends(&self, limit: Limit) -> Option<Timestamp> {
        let rule = limit.rule();
        let kept_for = if rule.delays { DELAYS_FORGOTTEN_AFTER } else { rule.within };
        self.times.last().map(|last| *last + kept_for)
    }

    fn inside(&self, rule: &Rule, now: Timestamp) -> &[Timestamp] {
        let from = self.times.partition_point(|time| *time + rule.within <= now);
        &self.times[from..]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        "2026-08-20T09:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_secs(seconds)
    }

    fn after(limit: Limit, seconds: &[i64]) -> History {
        seconds.iter().fold(History::default(), |history, second| history.with(limit, at(*second)))
    }

    #[rstest]
    #[case::prompts(Limit::PromptsToNumber, 4, 600)]
    #[case::prompts_to_others(Limit::PromptsToOthers, 6, 86_400)]
    #[case::prompts_by_strangers(Limit::PromptsByStrangers, 5, 86_400)]
    #[case::reset_mails(Limit::Forgot, 3, 3600)]
    #[case::sign_ups(Limit::SignUps, 10, 3600)]
    #[case::codes(Limit::TypedCodes, 5, 86_400)]
    #[case::team_links(Limit::TeamLinks, 10, 3600)]
    #[case::team_checks(Limit::TeamChecks, 20, 3600)]
    #[case::own_data(Limit::OwnData, 20, 86_400)]
    #[case::messages(Limit::CaseMessages, 20, 86_400)]
    #[case::passwords(Limit::Passwords, 10, 3600)]
    #[case::withdrawals(Limit::Withdrawals, 50, 86_400)]
    fn so_many_within_so_long(#[case] limit: Limit, #[case] most: i64, #[case] within: i64) {
        let all: Vec<i64> = (0..most).collect();
        assert_eq!(after(limit, &all[1..]).check(limit, at(most)), Ok(()));
        let full = after(limit, &all);
        assert_eq!(full.check(limit, at(most)).unwrap_err().retry_after, (within - most) as u32);
        assert!(full.check(limit, at(within - 1)).is_err());
        assert_eq!(full.check(limit, at(within)), Ok(()), "the first one is out of the window");
        let next = full.with(limit, at(within));
        assert_eq!(next.check(limit, at(within)).unwrap_err().retry_after, 1, "the second one is not");
    }

    #[rstest]
    #[case::here(Limit::LogInHere, 5)]
    #[case::anywhere(Limit::LogInAnywhere, 30)]
    #[case::address(Limit::LogInAddress, 50)]
    fn failures_are_met_with_a_delay_that_grows_up_to_a_quarter_of_an_hour(
        #[case] limit: Limit,
        #[case] most: usize,
    ) {
        let mut history = after(limit, &vec![0; most - 1]);
        let mut now = 0;
        assert_eq!(history.check(limit, at(now)), Ok(()));
        for minutes in [1, 2, 4, 8] {
            history = history.with(limit, at(now));
            assert_eq!(history.check(limit, at(now)).unwrap_err().retry_after, minutes * 60);
            now += i64::from(minutes) * 60;
            assert_eq!(history.check(limit, at(now)), Ok(()));
        }
        // The window has emptied meanwhile: the next delay needs as many failures, and is the longest.
        for _ in 0..most {
            history = history.with(limit, at(now));
        }
        assert!(history.check(limit, at(now)).unwrap_err().retry_after <= 900);
        for _ in 0..200 {
            history = history.with(limit, at(now));
            assert_eq!(history.check(limit, at(now)).unwrap_err().retry_after, 900);
        }
        assert!(history.times.len() <= most + 1);
        assert_eq!(history.check(limit, at(now + 900)), Ok(()), "never for good");
        for (later, retry_after) in [(86_400, 900), (86_401, 60)] {
            let later = at(now + later);
            let again = (0..most).fold(history.clone(), |history, _| history.with(limit, later));
            assert_eq!(again.check(limit, later).unwrap_err().retry_after, retry_after);
        }
    }

    #[test]
    fn failures_that_are_far_apart_are_no_attack() {
        let limit = Limit::LogInHere;
        let history = after(limit, &[0, 300, 600, 899, 1200]);
        assert_eq!(history.check(limit, at(1200)), Ok(()));
    }

    #[test]
    fn what_did_not_count_is_taken_out_once() {
        let limit = Limit::PromptsToNumber;
        let history = after(limit, &[0, 5, 5]);
        assert_eq!(history.without(at(5)), after(limit, &[0, 5]));
        assert_eq!(history.without(at(9)), history);
        // One too many is taken out again: all before it still count.
        assert_eq!(after(limit, &[0, 1, 2, 3, 4]).without(at(4)), after(limit, &[0, 1, 2, 3]));
    }

    #[test]
    fn a_part_of_a_second_is_waited_for_whole() {
        let limit = Limit::PromptsToNumber;
        let full = after(limit, &[0, 1, 2, 3]);
        let now = at(10) + SignedDuration::from_millis(300);
        assert_eq!(full.check(limit, now).unwrap_err().retry_after, 590);
    }

    #[rstest]
    #[case::a_window(Limit::PromptsToNumber, 600)]
    #[case::delays(Limit::LogInHere, 86_400)]
    fn a_history_says_nothing_any_more_once_it_ends(#[case] limit: Limit, #[case] kept_for: i64) {
        let (history, none) = (after(limit, &[0, 5]), History::default());
        assert_eq!((history.is_empty(), history.ends(limit)), (false, Some(at(5 + kept_for))));
        assert_eq!((none.is_empty(), none.ends(limit)), (true, None));
    }

    #[rstest]
    #[case(0, "1 second.")]
    #[case(59, "59 seconds.")]
    #[case(60, "1 minute.")]
    #[case(61, "2 minutes.")]
    #[case(86_400, "24 hours.")]
    fn the_text_says_when(#[case] retry_after: u32, #[case] when: &str) {
        let limited = Limited { limit: Limit::LogInHere, retry_after };
        assert_eq!(limited.to_string(), format!("Too many failed attempts. Try again in {when}"));
    }
}
