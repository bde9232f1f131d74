//! A team as it stands on the pitch: who is in which place, who wears the armband, and how often each one counts.

use super::{
    Chip, Element, FootballerPoints, Position, SQUAD, Squad,
    substitutions::{AS_PICKED, ELEVEN, played},
};

/// One of a squad's fifteen, as it stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub element: Element,
    pub position: Position,
    /// 1 to 15, as it is now; 12 to 15 are the bench.
    pub place: u8,
    /// How often the points count: 0 on the bench, 2 or 3 with the armband.
    pub multiplier: u8,
    pub is_captain: bool,
    pub is_vice_captain: bool,
    /// Whose place it is that this one has taken.
    pub came_for: Option<Element>,
}

impl Squad {
    /// The fifteen by their places. `ended`: substitutions are made and the armband is passed on, as in
    /// [`Squad::settled`]; without it as in [`Squad::live`].
    #[must_use]
    pub fn lineup(&self, points: &FootballerPoints, ended: bool) -> [Placed; SQUAD] {
        let values = self.values(points);
        let places = if ended { self.substituted(&values) } else { AS_PICKED };
        let passed_on = ended && !played(&values, self.captain);
        let armband = if passed_on { self.vice } else { self.captain };
        let all_play = self.chip == Some(Chip::BenchBoost);
        let with_armband = if self.chip == Some(Chip::TripleCaptain) { 3 } else { 2 };
        std::array::from_fn(|at| {
            let who = places[at];
            let element = |at: u8| self.elements[usize::from(at)];
            let counts = at < ELEVEN || all_play;
            Placed {
                element: element(who),
                position: self.position(who),
                place: AS_PICKED[at] + 1,
                multiplier: match counts {
                    true if who == armband => with_armband,
                    true => 1,
                    false => 0,
                },
                is_captain: who == self.captain,
                is_vice_captain: who == self.vice,
                came_for: (at < ELEVEN && who != AS_PICKED[at]).then(|| element(AS_PICKED[at])),
            }
        })
    }

    /// Who was picked as captain.
    #[must_use]
    pub fn captain(&self) -> Element {
        self.elements[usize::from(self.captain)]
    }

    /// Everybody who was picked.
    #[must_use]
    pub fn elements(&self) -> &[Element; SQUAD] {
        &self.elements
    }
}
