//! A team's frozen picks: how they are packed, who replaces whom, and what they score.

use super::{Chip, Element, FootballerPoints, Position};
use crate::leagues::ranking::Figures;

/// A squad: places 1 to 11 play, 12 to 15 are the bench in order of preference.
pub const SQUAD: usize = 15;
const ELEVEN: usize = 11;

/// Why a squad cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotASquad {
    #[error("a squad has fifteen footballers in the places 1 to 15")]
    Places,
    #[error("a squad has a captain and a vice-captain")]
    Captains,
    #[error("what a transfer costs is between 0 and 255 points")]
    Cost,
    #[error("a packed squad has 38 bytes")]
    Packed,
}

/// One footballer of a squad, as the official game lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    pub element: Element,
    /// 1 to 15.
    pub place: u8,
    pub position: Position,
    pub is_captain: bool,
    pub is_vice_captain: bool,
}

/// A team's frozen picks of one gameweek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Squad {
    elements: [Element; SQUAD],
    positions: [Position; SQUAD],
    /// Places from 0, as is `vice`; the two differ.
    captain: u8,
    vice: u8,
    chip: Option<Chip>,
    /// Points that extra transfers cost.
    transfers_cost: u8,
}

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
    /// Bytes of a packed squad.
    pub const PACKED: usize = 2 * SQUAD + 8;

    /// # Errors
    /// It is no squad: not fifteen in their places, without its captains, or its cost is out of range.
    pub fn new(picks: &[Pick], chip: Option<Chip>, transfers_cost: i64) -> Result<Self, NotASquad> {
        let mut ordered: Vec<Pick> = picks.to_vec();
        ordered.sort_by_key(|pick| pick.place);
        let in_places = ordered.len() == SQUAD && ordered.iter().zip(1..).all(|(pick, n)| pick.place == n);
        if !in_places {
            return Err(NotASquad::Places);
        }
        let the_one = |is: fn(&Pick) -> bool| {
            let mut all = (0_u8..).zip(&ordered).filter(|(_, pick)| is(pick)).map(|(at, _)| at);
            all.next().filter(|_| all.next().is_none()).ok_or(NotASquad::Captains)
        };
        let (captain, vice) = (the_one(|pick| pick.is_captain)?, the_one(|pick| pick.is_vice_captain)?);
        if captain == vice {
            return Err(NotASquad::Captains);
        }
        Ok(Self {
            captain,
            vice,
            elements: std::array::from_fn(|i| ordered[i].element),
            positions: std::array::from_fn(|i| ordered[i].position),
            chip,
            transfers_cost: u8::try_from(transfers_cost).map_err(|_| NotASquad::Cost)?,
        })
    }

    #[must_use]
    pub fn chip(&self) -> Option<Chip> {
        self.chip
    }

    /// Two bytes a footballer, then positions, captains, chip and cost; little endian.
    #[must_use]
    pub fn pack(&self) -> [u8; Self::PACKED] {
        let mut bytes = [0; Self::PACKED];
        for (slot, element) in bytes.chunks_exact_mut(2).zip(self.elements) {
            slot.copy_from_slice(&element.to_le_bytes());
        }
        let positions =
            self.positions.iter().enumerate().fold(0_u32, |all, (i, p)| all | (*p as u32) << (2 * i));
        bytes[30..34].copy_from_slice(&positions.to_le_bytes());
        bytes[34] = self.captain;
        bytes[35] = self.vice;
        bytes[36] = self.chip.map_or(0, |chip| chip as u8 + 1);
        bytes[37] = self.transfers_cost;
        bytes
    }

    /// # Errors
    /// It is not what [`Squad::pack`] made.
    pub fn unpack(bytes: &[u8]) -> Result<Self, NotASquad> {
        let bytes: &[u8; Self::PACKED] = bytes.try_into().map_err(|_| NotASquad::Packed)?;
        let positions = u32::from_le_bytes([bytes[30], bytes[31], bytes[32], bytes[33]]);
        let position = |i: usize| match positions >> (2 * i) & 3 {
            0 => Position::Goalkeeper,
            1 => Position::Defender,
            2 => Position::Midfielder,
            _ => Position::Forward,
        };
        let (captain, vice) = (bytes[34], bytes[35]);
        let chip = match bytes[36] {
            0 => None,
            n => Some(*Chip::ALL.get(usize::from(n) - 1).ok_or(NotASquad::Packed)?),
        };
        if usize::from(captain.max(vice)) >= SQUAD || captain == vice || positions >> (2 * SQUAD) != 0 {
            return Err(NotASquad::Packed);
        }
        Ok(Self {
            elements: std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])),
            positions: std::array::from_fn(position),
            captain,
            vice,
            chip,
            transfers_cost: bytes[37],
        })
    }

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
#[path = "squad_tests.rs"]
mod tests;
