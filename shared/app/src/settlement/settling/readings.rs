//! A league's two readings, ours and the official game's, and what they say: settled, or why it waits.

use domain::{FplId, leagues::ranking::Figures};
use store::{
    leagues::{League, Reading, scores::Scores},
    settlement::record::Basis,
};

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

/// The two readings of each member, in the league's order. Of a former season nothing is read any more.
#[must_use]
pub fn readings(league: &League, scores: Option<&Scores>, former: bool) -> Vec<Readings> {
    let of = |at: usize| {
        let none = Reading::default();
        let reading = league.reading(at).unwrap_or(&none);
        let (squad, official) = (reading.squad(), reading.official.as_ref());
        let chip = official.and_then(|official| official.chip.clone());
        Readings {
            fpl_id: league.members[at].fpl_id,
            no_score: reading.no_score || (former && official.is_none()),
            official: official.map(|official| official.figures),
            chip: chip.or_else(|| squad.as_ref()?.chip().map(|chip| chip.name().to_owned())),
            own: squad.zip(scores).map(|(squad, scores)| squad.settled(&scores.points)),
        }
    };
    (0..league.members.len()).map(of).collect()
}

/// Whether the official game has a score of any of these teams.
#[must_use]
pub fn has_answered(readings: &[Readings]) -> bool {
    readings.iter().any(|reading| reading.official.is_some())
}

/// What a league can be settled on by the figures alone.
pub(crate) fn basis(readings: &[Readings], void: bool) -> Result<Basis, Wait> {
    if void {
        // The second reading of "nothing was played": no team has a point from it.
        let scored = |r: &&Readings| r.official.is_some_and(|f| (f.gross, f.points_on_bench) != (0, 0));
        let unread: Vec<TeamWaits> = readings
            .iter()
            .filter_map(Readings::waits)
            .filter(|w| matches!(w, TeamWaits::Unread(_)))
            .collect();
        return match readings.iter().find(scored) {
            Some(team) => Err(Wait::PointsOfNothing(team.fpl_id)),
            None if !unread.is_empty() => Err(Wait::Teams(unread)),
            None => Ok(Basis::Void),
        };
    }
    let waits: Vec<TeamWaits> = readings.iter().filter_map(Readings::waits).collect();
    if waits.is_empty() { Ok(Basis::TwoReadings) } else { Err(Wait::Teams(waits)) }
}

/// Whether nothing is waited for but teams that the official game does not know, though it knows others.
pub(super) fn is_vanished(why: &Wait, readings: &[Readings]) -> bool {
    let vanished = |team: &TeamWaits| matches!(team, TeamWaits::NoScore(_));
    has_answered(readings) && matches!(why, Wait::Teams(teams) if teams.iter().all(vanished))
}

/// What a team is ranked by: the official figures; where there are none and it is settled so, our own. Of what
/// the official game said of a team and does not say any more, and our own, the lower: to vanish brings nothing.
pub(super) fn counted(reading: &Readings, basis: Basis, deduct_transfers: bool) -> Option<Figures> {
    match (reading.official, reading.own) {
        (Some(said), Some(own)) if basis == Basis::OwnFigures && reading.no_score => {
            Some(std::cmp::min_by_key(said, own, |figures| figures.score(deduct_transfers)))
        }
        (Some(official), _) => Some(official),
        (None, own) => own.filter(|_| basis == Basis::OwnFigures),
    }
}
