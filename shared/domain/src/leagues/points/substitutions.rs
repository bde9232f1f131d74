//! Automatic substitutions: who replaces whom once a gameweek has ended.

use super::{Element, FootballerPoints, Position, SQUAD, Squad};

pub(super) const ELEVEN: usize = 11;

/// Somebody from the bench who played, for one of the eleven who did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Substitution {
    pub comes: Element,
    pub goes: Element,
}

/// The squad's footballers by place: twice the points, and 1 for having played.
pub(super) type Values = [i32; SQUAD];
/// Who is in which place: an index into the squad.
pub(super) type Places = [u8; SQUAD];

pub(super) const AS_PICKED: Places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

impl Squad {
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

    /// Who is in which place after the automatic substitutions. In the bench's order, each bench footballer who played
    /// replaces the first absent one of the eleven whom the formation lets him replace. (Which of several he replaces
    /// does not matter to those after him.)
    pub(super) fn substituted(&self, values: &Values) -> Places {
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

    pub(super) fn position(&self, at: u8) -> Position {
        self.positions[usize::from(at)]
    }
}

pub(super) fn played(values: &Values, at: u8) -> bool {
    values[usize::from(at)] & 1 == 1
}

/// Whether an eleven with `of_it` in position `out` stays one when somebody in position `into`
/// replaces one of them.
fn may_replace(into: Position, out: Position, of_it: usize) -> bool {
    let keepers = [out, into].contains(&Position::Goalkeeper);
    out == into || (!keepers && of_it > out.least())
}
