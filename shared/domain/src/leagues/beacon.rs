//! The public beacon in a draw: which round counts, and when the draw goes on without it
//! (docs/draw.md, "What is fixed when").

use std::{collections::BTreeMap, fmt};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The round that counts is the first one so long after the lists of entries were fixed: nobody can know its
/// value while a list can still be chosen.
pub const ROUND_AFTER_LISTS: SignedDuration = SignedDuration::from_secs(60);

/// So long the relays are asked, from the first time on.
pub const AWAITED_FOR: SignedDuration = SignedDuration::from_mins(30);

/// And so often at the least: a process that stood still in between has not tried.
pub const TRIES: usize = 3;

/// A time at which every relay was asked and none gave the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    pub at: Timestamp,
    pub failures: Vec<FailedRelay>,
}

/// What one relay did instead of giving the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRelay {
    /// Its address.
    pub relay: String,
    /// In words that can be published.
    pub why: String,
}

/// What came of asking, while nothing has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silence {
    /// When the relays were first asked, and when last.
    pub since: Timestamp,
    pub until: Timestamp,
    /// How often all of them were asked.
    pub tries: usize,
    pub relays: Vec<RelaySilence>,
}

/// How often a relay failed, and in which ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelaySilence {
    pub relay: String,
    pub failed: usize,
    pub why: BTreeMap<String, usize>,
}

impl Silence {
    /// What `tries`, in whatever order, come to; `None` where there was none.
    #[must_use]
    pub fn of(tries: &[Try]) -> Option<Self> {
        let since = tries.iter().map(|one| one.at).min()?;
        let until = tries.iter().map(|one| one.at).max()?;
        let mut relays: Vec<RelaySilence> = Vec::new();
        for FailedRelay { relay, why } in tries.iter().flat_map(|one| &one.failures) {
            let at = relays.iter().position(|known| known.relay == *relay).unwrap_or_else(|| {
                relays.push(RelaySilence { relay: relay.clone(), failed: 0, why: BTreeMap::new() });
                relays.len() - 1
            });
            relays[at].failed += 1;
            *relays[at].why.entry(why.clone()).or_default() += 1;
        }
        Some(Self { since, until, tries: tries.len(), relays })
    }

    /// Whether the draw goes on without the beacon.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.tries >= TRIES && self.until.duration_since(self.since) >= AWAITED_FOR
    }
}

/// What is published as the reason: what happened.
impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |at: Timestamp| at.strftime("%Y-%m-%d %H:%M:%S UTC");
        let (since, until, tries) = (time(self.since), time(self.until), often(self.tries));
        write!(
            f,
            "Drawn without the beacon: no relay gave its round when all of them were asked {tries} from \
             {since} to {until}."
        )?;
        for RelaySilence { relay, why, .. } in &self.relays {
            let ways: Vec<String> =
                why.iter().map(|(why, count)| format!("{why} ({})", often(*count))).collect();
            write!(f, " {relay}: {}.", ways.join(", "))?;
        }
        Ok(())
    }
}

fn often(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn tries(minutes: &[i64]) -> Vec<Try> {
        let failure = |relay: &str, why: &str| FailedRelay { relay: relay.into(), why: why.into() };
        let at = |minute: &i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(*minute);
        let failures = vec![failure("https://a", "it did not answer"), failure("https://b", "it lied")];
        minutes.iter().map(|minute| Try { at: at(minute), failures: failures.clone() }).collect()
    }

    #[rstest]
    #[case::once(&[13], false)]
    #[case::for_less_than_half_an_hour(&[0, 10, 20, 29], false)]
    #[case::for_half_an_hour(&[0, 10, 30], true)]
    #[case::in_whatever_order(&[30, 0, 10], true)]
    #[case::only_twice(&[0, 45], false)]
    fn half_an_hour_of_trying_is_enough(#[case] minutes: &[i64], #[case] expected: bool) {
        assert_eq!(Silence::of(&tries(minutes)).unwrap().is_enough(), expected);
    }

    #[test]
    fn the_reason_is_what_happened() {
        let mut all = tries(&[0, 10, 31]);
        all[2].failures.remove(0);
        all[1].failures[0].why = "it was down".into();
        let silence = Silence::of(&all).unwrap();
        assert_eq!(silence.relays.iter().map(|relay| relay.failed).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(
            silence.to_string(),
            "Drawn without the beacon: no relay gave its round when all of them were asked 3 times from \
             1970-01-01 00:00:00 UTC to 1970-01-01 00:31:00 UTC. https://a: it did not answer (once), it was \
             down (once). https://b: it lied (3 times)."
        );
        assert_eq!(Silence::of(&[]), None);
    }
}
