//! What a team scores: who replaces whom, who is captain, and the sum.

use super::{Chip, Element, FootballerPoints, Position, SQUAD, Squad};
use crate::leagues::ranking::Figures;

const ELEVEN: usize = 11;

/// Somebody from the bench who played, for one of the eleven who did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Substitution {
    pub comes: Element,
    pub goes: Element,
}

/// The squad's footballers by place: twice the points, and 1 for having played.
type Values = [i32; SQUAD];
/// Who is in which place: an index into the squad.
type Places = [u8; SQUAD];

const AS_PICKED: Places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

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

    /// Who comes in for whom once the gameweek has ended, in the bench's order. Under Bench Boost
    /// too, as in the official game: all fifteen play, so it changes no figure.
    #[must_use]
    pub fn substitutions(&self, points: &FootballerPoints) -> Vec<Substitution> {
        let places = self.substituted(&self.values(points));
        let element = |at: u8| self.elements[usize::from(at)];
        let on_the_bench = AS_PICKED[ELEVEN..].iter().zip(&places[ELEVEN..]);
        on_the_bench
            .filter(|(before, after)| before != after)
            .map(|(before, after)| Substitution { comes: element(*before), goes: element(*after) })
            .collect()
    }

    fn values(&self, points: &FootballerPoints) -> Values {
        self.elements.map(|element| points.value(element))
    }

    /// Who is in which place after the substitutions. In order of preference, whoever on the bench
    /// played comes in for the first of the eleven who did not and whose place may go to them. (For
    /// whom they come in does not matter to those after them: each leaves one chance fewer.)
    fn substituted(&self, values: &Values) -> Places {
        let mut places = AS_PICKED;
        if values[..ELEVEN].iter().all(|value| value & 1 == 1) {
            return places;
        }
        let mut in_eleven = [0; 4];
        for position in &self.positions[..ELEVEN] {
            in_eleven[*position as usize] += 1;
        }
        for bench in ELEVEN..SQUAD {
            let comes = places[bench];
            if !played(values, comes) {
                continue;
            }
            let into = self.position(comes);
            let goes = (0..ELEVEN).find(|at| {
                let out = self.position(places[*at]);
                !played(values, places[*at]) && may_replace(into, out, in_eleven[out as usize])
            });
            if let Some(at) = goes {
                in_eleven[self.position(places[at]) as usize] -= 1;
                in_eleven[into as usize] += 1;
                places.swap(at, bench);
            }
        }
        places
    }

    fn position(&self, at: u8) -> Position {
        self.positions[usize::from(at)]
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

fn played(values: &Values, at: u8) -> bool {
    values[usize::from(at)] & 1 == 1
}

/// Whether an eleven with `of_it` in position `out` stays one when somebody in position `into`
/// replaces one of them.
fn may_replace(into: Position, out: Position, of_it: usize) -> bool {
    let keepers = [out, into].contains(&Position::Goalkeeper);
    out == into || (!keepers && of_it > out.least())
}

#[cfg(test)]
#[path = "scoring_tests.rs"]
mod tests;
