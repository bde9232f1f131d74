//! What a team scores: who is captain, and the sum.

use super::{
    Chip, FootballerPoints, Squad,
    substitutions::{AS_PICKED, ELEVEN, Places, Values, played},
};
use crate::leagues::ranking::Figures;

impl Squad {
    /// The team's figures as things stand: nobody is substituted yet.
    #[must_use]
    pub fn live(&self, points: &FootballerPoints) -> Figures {
        self.count(&self.values(points), &AS_PICKED, self.captain)
    }

    /// The team's figures once the gameweek has ended: substitutions made, the armband passed on.
    /// They are the same from a squad that was read before or after the official game did so.
    #[must_use]
    pub fn settled(&self, points: &FootballerPoints) -> Figures {
        let values = self.values(points);
        let captain = if played(&values, self.captain) { self.captain } else { self.vice };
        self.count(&values, &self.substituted(&values), captain)
    }

    pub(super) fn values(&self, points: &FootballerPoints) -> Values {
        self.elements.map(|element| points.value(element))
    }

    fn count(&self, values: &Values, places: &Places, captain: u8) -> Figures {
        let sum = |places: &[u8]| places.iter().map(|at| values[usize::from(*at)] >> 1).sum::<i32>();
        let (mut gross, mut points_on_bench) = (sum(&places[..ELEVEN]), sum(&places[ELEVEN..]));
        let mut playing = &places[..ELEVEN];
        if self.chip == Some(Chip::BenchBoost) {
            gross += std::mem::take(&mut points_on_bench);
            playing = places;
        }
        if playing.contains(&captain) {
            let more = if self.chip == Some(Chip::TripleCaptain) { 2 } else { 1 };
            gross += more * (values[usize::from(captain)] >> 1);
        }
        Figures { gross, transfers_cost: i32::from(self.transfers_cost), points_on_bench }
    }
}

#[cfg(test)]
#[path = "scoring_tests.rs"]
mod tests;
