//! A prompt around the deadline: whether it still makes an entry.

use jiff::Timestamp;

use crate::gameweeks::calendar::Gameweek;

impl Gameweek {
    /// Whether a prompt sent at `sent`, of whose success we heard at `now`, still makes an entry: sent before the
    /// deadline, heard before the fence (docs/decisions.md, "When a success was heard").
    #[must_use]
    pub fn admits_prompt(&self, sent: Timestamp, now: Timestamp) -> bool {
        sent < self.deadline && now < self.fence()
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::paid_in_time(-60, -1, true)]
    #[case::paid_inside_the_fence(-1, 599, true)]
    #[case::paid_at_the_fence(-1, 600, false)]
    #[case::sent_at_the_deadline(0, 10, false)]
    fn a_prompt_across_the_deadline(#[case] sent: i64, #[case] paid: i64, #[case] admitted: bool) {
        let gameweek = Gameweek::new(1, Timestamp::UNIX_EPOCH + SignedDuration::from_hours(100));
        let at = |seconds| gameweek.deadline + SignedDuration::from_secs(seconds);
        assert_eq!(gameweek.admits_prompt(at(sent), at(paid)), admitted);
    }
}
