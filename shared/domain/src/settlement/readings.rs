//! A league's two readings, ours and the official game's, and what they say: what it is settled on, or why it waits
//! (docs/decisions.md, "A team that vanishes").

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{FplId, leagues::ranking::Figures};

/// How long a league waits for a team that the official game no longer knows while it knows others: 24 hours until an
/// admin may decide, and 12 more for that decision. The time runs only while nothing else is waited for, and begins anew
/// after something else was.
const VANISHED_AWAITED_FOR: SignedDuration = SignedDuration::from_hours(36);

/// Whether a league that has waited since `since` has waited as long as for a team that has vanished. It counts from
/// `final_at` at the earliest: while the points were not final, the league waited for them too.
#[must_use]
pub fn has_waited(since: Timestamp, final_at: Timestamp, now: Timestamp) -> bool {
    now >= since.max(final_at) + VANISHED_AWAITED_FOR
}

/// What a settlement stands on (docs/decisions.md, "A team that vanishes").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Basis {
    /// Our own computation and the official figures, which agree.
    #[default]
    TwoReadings,
    /// Nothing was played: every entry is given back.
    Void,
    /// The official figures where only our own computation disagrees: decided by an admin.
    OfficialFigures,
    /// Everybody gets the entry back: decided by an admin.
    Refunded,
    /// Who has no official score is left out and gets the entry back: decided by an admin.
    LeftOut,
    /// The official figures, and our own where the official game knows a team no more: decided by an admin, or
    /// by itself after a while.
    OwnFigures,
    /// The gameweek was called off by an admin: everybody gets the entry back.
    CalledOff,
}

impl Basis {
    /// Whether nobody is ranked and every entry is given back.
    #[must_use]
    pub fn gives_everything_back(self) -> bool {
        matches!(self, Self::Void | Self::Refunded | Self::CalledOff)
    }
}

/// A waiting league's reasons that are written out; of more only how many.
const REASONS_SHOWN: usize = 3;

/// A member's two readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readings {
    pub fpl_id: FplId,
    pub own: Option<Figures>,
    pub official: Option<Figures>,
    /// The official game was asked and has no score of this team any more, or cannot be asked any more.
    pub no_score: bool,
    /// The chip, by the official game's name.
    pub chip: Option<String>,
}

/// Why a league cannot be settled yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wait {
    #[error("The official points are not final.")]
    NotFinal,
    #[error("The final points of the footballers are not read yet.")]
    NoScores,
    #[error("Nothing was played, and the official game has points for team {0}.")]
    PointsOfNothing(FplId),
    #[error("{}", listed(.0))]
    Teams(Vec<TeamWaits>),
}

/// Why a team keeps its league waiting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamWaits {
    #[error("Team {0}: its official score is not read yet.")]
    Unread(FplId),
    #[error("Team {0}: it has no official score for this gameweek.")]
    NoScore(FplId),
    #[error("Team {0}: its squad cannot be read.")]
    NoSquad(FplId),
    #[error(
        "Team {team}: we count {} points ({} on the bench, transfers {}), the official game {} ({}, {}).",
        own.gross, own.points_on_bench, own.transfers_cost,
        official.gross, official.points_on_bench, official.transfers_cost
    )]
    Disagree { team: FplId, own: Figures, official: Figures },
}

fn listed(teams: &[TeamWaits]) -> String {
    let mut shown: Vec<String> = teams.iter().take(REASONS_SHOWN).map(ToString::to_string).collect();
    if teams.len() > REASONS_SHOWN {
        shown.push(format!("And {} more.", teams.len() - REASONS_SHOWN));
    }
    shown.join(" ")
}

impl Readings {
    /// Whether the official game does not say now what this team has scored.
    #[must_use]
    pub fn lacks_official(&self) -> bool {
        self.official.is_none() || self.no_score
    }

    /// Whether the official game has counted anything for this team.
    pub(super) fn has_points(&self) -> bool {
        self.official.is_some_and(|figures| (figures.gross, figures.points_on_bench) != (0, 0))
    }

    fn waits(&self) -> Option<TeamWaits> {
        let team = self.fpl_id;
        match (self.own, self.official) {
            (_, None) if self.no_score => Some(TeamWaits::NoScore(team)),
            (_, None) => Some(TeamWaits::Unread(team)),
            (None, Some(_)) => Some(TeamWaits::NoSquad(team)),
            (Some(own), Some(official)) if own == official => None,
            (Some(_), Some(_)) if self.no_score => Some(TeamWaits::NoScore(team)),
            (Some(own), Some(official)) => Some(TeamWaits::Disagree { team, own, official }),
        }
    }
}

/// Whether the official game has a score of any of these teams.
#[must_use]
pub fn has_answered(readings: &[Readings]) -> bool {
    readings.iter().any(|reading| reading.official.is_some())
}

/// What a league can be settled on by the figures alone.
///
/// # Errors
/// Why it waits: the teams whose two readings are not both there or do not agree, or points in a gameweek without a match.
pub fn basis(readings: &[Readings], void: bool) -> Result<Basis, Wait> {
    if void {
        // The second reading of "nothing was played": no team has a point from it.
        let unread: Vec<TeamWaits> = readings
            .iter()
            .filter_map(Readings::waits)
            .filter(|w| matches!(w, TeamWaits::Unread(_)))
            .collect();
        return match readings.iter().find(|reading| reading.has_points()) {
            Some(team) => Err(Wait::PointsOfNothing(team.fpl_id)),
            None if !unread.is_empty() => Err(Wait::Teams(unread)),
            None => Ok(Basis::Void),
        };
    }
    let waits: Vec<TeamWaits> = readings.iter().filter_map(Readings::waits).collect();
    if waits.is_empty() { Ok(Basis::TwoReadings) } else { Err(Wait::Teams(waits)) }
}

/// Whether nothing is waited for but teams that the official game does not know, though it knows others.
#[must_use]
pub fn is_vanished(why: &Wait, readings: &[Readings]) -> bool {
    let vanished = |team: &TeamWaits| matches!(team, TeamWaits::NoScore(_));
    has_answered(readings) && matches!(why, Wait::Teams(teams) if teams.iter().all(vanished))
}

/// The figures that a team is ranked by: the official ones. With [`Basis::OwnFigures`]: ours where there are no
/// official ones; where the official game has withdrawn them (`no_score`), the lower of the two, so that nobody gains
/// by vanishing.
#[must_use]
pub fn counted(reading: &Readings, basis: Basis, deduct_transfers: bool) -> Option<Figures> {
    match (reading.official, reading.own) {
        (Some(said), Some(own)) if basis == Basis::OwnFigures && reading.no_score => {
            Some(std::cmp::min_by_key(said, own, |figures| figures.score(deduct_transfers)))
        }
        (Some(official), _) => Some(official),
        (None, own) => own.filter(|_| basis == Basis::OwnFigures),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn figures(gross: i32) -> Option<Figures> {
        Some(Figures { gross, transfers_cost: 0, points_on_bench: 0 })
    }

    fn team(own: Option<i32>, official: Option<i32>, no_score: bool) -> Readings {
        let (own, official) = (own.and_then(figures), official.and_then(figures));
        Readings { fpl_id: FplId::parse("118670").unwrap(), own, official, no_score, chip: None }
    }

    /// Hours after the points were final: since when it waits, and how late it is.
    #[rstest]
    #[case::not_yet(0, 35, false)]
    #[case::long_enough(0, 36, true)]
    #[case::from_later_on(10, 45, false)]
    #[case::from_later_on_long_enough(10, 46, true)]
    #[case::from_before_the_points_were_final(-40, 35, false)]
    #[case::from_before_and_long_enough_since(-40, 36, true)]
    fn it_is_waited_while_the_points_are_final(#[case] since: i64, #[case] now: i64, #[case] expected: bool) {
        let final_at = Timestamp::from_second(1_787_500_000).unwrap();
        let after = |hours| final_at + SignedDuration::from_hours(hours);
        assert_eq!(has_waited(after(since), final_at, after(now)), expected);
    }

    #[rstest]
    #[case::they_agree(Some(50), Some(50), false, Ok(Basis::TwoReadings))]
    #[case::they_disagree(Some(50), Some(49), false, Err(()))]
    #[case::ours_is_missing(None, Some(50), false, Err(()))]
    #[case::the_official_one_is_missing(Some(50), None, false, Err(()))]
    #[case::it_is_not_known_any_more(Some(50), None, true, Err(()))]
    #[case::it_is_not_known_any_more_and_was_other(Some(50), Some(49), true, Err(()))]
    fn two_readings_that_agree_settle_a_league(
        #[case] own: Option<i32>,
        #[case] official: Option<i32>,
        #[case] no_score: bool,
        #[case] expected: Result<Basis, ()>,
    ) {
        let readings = [team(Some(40), Some(40), false), team(own, official, no_score)];
        assert_eq!(basis(&readings, false).map_err(|_| ()), expected);
    }

    #[rstest]
    #[case::it_is_not_known_any_more(team(Some(50), None, true), true)]
    #[case::its_score_was_withdrawn(team(Some(50), Some(49), true), true)]
    #[case::it_is_not_read_yet(team(Some(50), None, false), false)]
    #[case::they_disagree(team(Some(50), Some(49), false), false)]
    fn a_team_has_vanished_that_is_not_known_while_others_are(
        #[case] other: Readings,
        #[case] vanished: bool,
    ) {
        let is_vanished = |readings: &[Readings]| is_vanished(&basis(readings, false).unwrap_err(), readings);
        assert_eq!(is_vanished(&[team(Some(40), Some(40), false), other]), vanished);
        assert!(!is_vanished(&[team(Some(40), None, true), team(Some(50), None, true)]), "none is known");
    }

    #[rstest]
    #[case(3, "")]
    #[case(5, " And 2 more.")]
    fn three_of_the_teams_that_are_waited_for_are_written_out(#[case] teams: usize, #[case] more: &str) {
        let unread = |number: usize| TeamWaits::Unread(FplId::parse(&number.to_string()).unwrap());
        let three = [1, 2, 3].map(|number| unread(number).to_string()).join(" ");
        assert_eq!(Wait::Teams((1..=teams).map(unread).collect()).to_string(), format!("{three}{more}"));
    }

    #[test]
    fn every_entry_is_given_back_where_nobody_is_ranked() {
        let back = Basis::VARIANTS.iter().copied().filter(|basis| basis.gives_everything_back());
        assert_eq!(back.collect::<Vec<_>>(), [Basis::Void, Basis::Refunded, Basis::CalledOff]);
    }

    #[test]
    fn nothing_was_played_where_nobody_has_a_point_from_it() {
        assert_eq!(basis(&[team(Some(0), Some(0), false)], true), Ok(Basis::Void));
        assert!(matches!(basis(&[team(Some(0), Some(7), false)], true), Err(Wait::PointsOfNothing(_))));
        assert!(matches!(basis(&[team(Some(0), None, false)], true), Err(Wait::Teams(_))));
    }

    #[test]
    fn to_vanish_brings_no_points() {
        let counts = |own, official| {
            counted(&team(Some(own), Some(official), true), Basis::OwnFigures, true)
                .map(|figures| figures.gross)
        };
        assert_eq!((counts(60, 50), counts(40, 50)), (Some(50), Some(40)));
        // Though ours are lower: what still stands counts, and of a team that was withdrawn only where ours may count.
        for (no_score, basis) in [(false, Basis::OwnFigures), (true, Basis::OfficialFigures)] {
            let known = team(Some(40), Some(50), no_score);
            assert_eq!(counted(&known, basis, true), known.official);
        }
        let unknown = team(Some(60), None, true);
        assert_eq!(counted(&unknown, Basis::OfficialFigures, true), None);
        assert_eq!(counted(&unknown, Basis::OwnFigures, true), unknown.own);
    }
}
