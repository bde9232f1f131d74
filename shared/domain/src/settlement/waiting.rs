//! What an admin can decide about a league that waits (docs/decisions.md, "A team that vanishes").

use jiff::SignedDuration;
use strum::IntoStaticStr;

use super::readings::{Basis, Readings, has_answered};
use crate::FplId;

/// A league has to have waited this long before an admin decides.
pub const DECIDED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// What an admin decides about a league that waits.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum WaitingDecision {
    /// Settles it on the official figures where only our own computation disagrees.
    OfficialFigures,
    /// Settles it on our own figures where the official ones are missing for a team.
    OwnFigures,
    /// Gives every entry back.
    Refund,
    /// Leaves out these, who have no official score.
    LeaveOut(Vec<FplId>),
}

/// Why a league cannot be decided so; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDecidable {
    #[error("Team {0} has no official score: the official figures do not settle this league.")]
    NoOfficialFigures(FplId),
    #[error("Team {0} has no official score either: leave it out too.")]
    NoScoreEither(FplId),
    #[error("Team {0} is not in that league.")]
    NotAMember(FplId),
    #[error(
        "The official game has the scores of {0} of the {1} teams in that league: nobody is left out and nothing \
         is given back. Settle it on the official figures, or on our own where a team has none."
    )]
    Answered(usize, usize),
    #[error("The official game has a score of every team in that league: it is settled on these.")]
    NoneMissing,
    #[error("Nothing was played in that gameweek: the entries can only be given back.")]
    NothingPlayed,
    #[error("The final points of the footballers are not read yet.")]
    NoScores,
    #[error("Neither the picks nor the official score of team {0} could be read yet.")]
    Unread(FplId),
    #[error("Nothing is known of any team in that league: its entries can be given back.")]
    NothingKnown,
}

/// What is known of a league that waits.
#[derive(Debug, Clone, Copy)]
pub struct WaitingKnowledge<'a> {
    /// Of each member.
    pub readings: &'a [Readings],
    /// Whether the footballers' points are there that it would be settled on.
    pub has_scores: bool,
    /// By these points nothing was played.
    pub void: bool,
    /// It has waited so long that what could not be read of a team counts as not to be read at all.
    pub given_up: bool,
}

impl WaitingKnowledge<'_> {
    /// The words of what can be decided.
    #[must_use]
    pub fn decisions(&self) -> Vec<&'static str> {
        let unscored = self.readings.iter().filter(|reading| reading.official.is_none());
        let all = [
            WaitingDecision::OfficialFigures,
            WaitingDecision::OwnFigures,
            WaitingDecision::Refund,
            WaitingDecision::LeaveOut(unscored.map(|reading| reading.fpl_id).collect()),
        ];
        all.iter().filter(|decision| self.basis(decision).is_ok()).map(Into::into).collect()
    }

    /// What the league is settled on by `decision`.
    ///
    /// # Errors
    /// What stands against it: a figure that is missing or not read yet, a team that is not in the league, or an answer of the
    /// official game.
    pub fn basis(&self, decision: &WaitingDecision) -> Result<Basis, NotDecidable> {
        if self.void && !self.readings.iter().any(Readings::has_points) {
            return match decision {
                WaitingDecision::Refund => Ok(Basis::Void),
                _ => Err(NotDecidable::NothingPlayed),
            };
        }
        match decision {
            WaitingDecision::OfficialFigures => self.official_figures(),
            WaitingDecision::OwnFigures => self.own_figures(),
            WaitingDecision::Refund => self.nobody_answered().map(|()| Basis::Refunded),
            WaitingDecision::LeaveOut(teams) => self.left_out(teams),
        }
    }

    fn official_figures(&self) -> Result<Basis, NotDecidable> {
        match self.readings.iter().find(|reading| reading.lacks_official()) {
            Some(reading) => Err(NotDecidable::NoOfficialFigures(reading.fpl_id)),
            None => Ok(Basis::OfficialFigures),
        }
    }

    fn own_figures(&self) -> Result<Basis, NotDecidable> {
        let readings = self.readings;
        if !readings.iter().any(Readings::lacks_official) {
            return Err(NotDecidable::NoneMissing);
        }
        if !self.has_scores {
            return Err(NotDecidable::NoScores);
        }
        let nothing = |reading: &&Readings| reading.official.is_none() && reading.own.is_none();
        if readings.iter().all(|reading| nothing(&reading)) {
            return Err(NotDecidable::NothingKnown);
        }
        // A team of which neither can be read for so long, though others are, must not keep the stakes for ever: it is
        // last, as one that vanished before its picks were read.
        let given_up = self.given_up && has_answered(readings);
        match readings.iter().filter(nothing).find(|reading| !reading.no_score) {
            Some(unread) if !given_up => Err(NotDecidable::Unread(unread.fpl_id)),
            _ => Ok(Basis::OwnFigures),
        }
    }

    /// Whoever makes a team vanish must not take anything from those whom the official game knows.
    fn nobody_answered(&self) -> Result<(), NotDecidable> {
        match self.readings.iter().filter(|reading| reading.official.is_some()).count() {
            0 => Ok(()),
            answered => Err(NotDecidable::Answered(answered, self.readings.len())),
        }
    }

    fn left_out(&self, teams: &[FplId]) -> Result<Basis, NotDecidable> {
        let members = || self.readings.iter().map(|reading| reading.fpl_id);
        if let Some(stranger) = teams.iter().find(|team| members().all(|member| member != **team)) {
            return Err(NotDecidable::NotAMember(*stranger));
        }
        self.nobody_answered()?;
        match members().find(|member| !teams.contains(member)) {
            Some(member) => Err(NotDecidable::NoScoreEither(member)),
            None => Ok(Basis::LeftOut),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::leagues::ranking::Figures;

    fn team(number: u8, own: bool, official: bool, no_score: bool) -> Readings {
        let figures =
            |known: bool| known.then_some(Figures { gross: 50, transfers_cost: 0, points_on_bench: 0 });
        let fpl_id = FplId::parse(&number.to_string()).unwrap();
        Readings { fpl_id, own: figures(own), official: figures(official), no_score, chip: None }
    }

    #[rstest]
    #[case::only_ours_differs([(true, true, false), (true, true, false)], &["official-figures"])]
    #[case::one_has_vanished([(true, true, false), (true, false, true)], &["own-figures"])]
    #[case::one_is_not_read([(true, true, false), (false, false, false)], &[])]
    #[case::nobody_is_known([(false, false, true), (false, false, true)], &["refund", "leave-out"])]
    #[case::nobody_answers([(true, false, true), (true, false, true)], &["own-figures", "refund", "leave-out"])]
    fn what_can_be_decided(#[case] teams: [(bool, bool, bool); 2], #[case] expected: &[&str]) {
        let [one, other] = teams;
        let readings = [team(1, one.0, one.1, one.2), team(2, other.0, other.1, other.2)];
        let known = WaitingKnowledge { readings: &readings, has_scores: true, void: false, given_up: false };
        assert_eq!(known.decisions(), expected);
    }

    #[test]
    fn a_team_that_cannot_be_read_for_long_is_given_up() {
        let readings = [team(1, true, true, false), team(2, false, false, false)];
        let known = WaitingKnowledge { readings: &readings, has_scores: true, void: false, given_up: true };
        assert_eq!(known.basis(&WaitingDecision::OwnFigures), Ok(Basis::OwnFigures));
        let waits = WaitingKnowledge { given_up: false, ..known };
        let unread = NotDecidable::Unread(readings[1].fpl_id);
        assert_eq!(waits.basis(&WaitingDecision::OwnFigures), Err(unread));
    }

    #[test]
    fn left_out_are_all_who_have_no_score_and_nobody_else() {
        let readings = [team(1, true, false, true), team(2, true, false, true)];
        let known = WaitingKnowledge { readings: &readings, has_scores: true, void: false, given_up: false };
        let [one, two, stranger] = ["1", "2", "3"].map(|id| FplId::parse(id).unwrap());
        let left_out = |teams: &[FplId]| known.basis(&WaitingDecision::LeaveOut(teams.to_vec()));
        assert_eq!(left_out(&[one, two]), Ok(Basis::LeftOut));
        assert_eq!(left_out(&[one]), Err(NotDecidable::NoScoreEither(two)));
        assert_eq!(left_out(&[one, two, stranger]), Err(NotDecidable::NotAMember(stranger)));
    }

    /// Of a gameweek without a match nobody wins anything, whatever keeps its leagues from being settled.
    #[test]
    fn where_nothing_was_played_the_entries_can_only_be_given_back() {
        let none = Some(Figures { gross: 0, transfers_cost: 4, points_on_bench: 0 });
        let mut readings = [team(1, true, true, false), team(2, false, false, false)];
        (readings[0].own, readings[0].official) = (none, none);
        let known = WaitingKnowledge { readings: &readings, has_scores: true, void: true, given_up: true };
        assert_eq!(known.decisions(), ["refund"]);
        assert_eq!(known.basis(&WaitingDecision::Refund), Ok(Basis::Void));
        assert_eq!(known.basis(&WaitingDecision::OwnFigures), Err(NotDecidable::NothingPlayed));
        // Where the official game has points after all, nothing is given back on our word.
        let readings = [team(1, true, true, false), readings[1].clone()];
        let known = WaitingKnowledge { readings: &readings, ..known };
        assert_eq!(known.basis(&WaitingDecision::Refund), Err(NotDecidable::Answered(1, 2)));
    }
}
