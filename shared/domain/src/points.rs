//! Points (facts/fpl.md, "Points"): from a squad as it froze at the deadline and every footballer's
//! points to a team's gameweek. While play is on nobody is substituted; once it has ended, whoever
//! did not play is replaced as the official game does it, and the vice-captain takes the armband.
//!
//! Everything is packed small: a league's squads lie in its item, a gameweek's points in one.

use crate::ranking::Figures;

/// A squad: places 1 to 11 play, 12 to 15 are the bench in order of preference.
pub const SQUAD: usize = 15;
const ELEVEN: usize = 11;
/// A footballer's number in the official game this season.
pub type Element = u16;

/// What somebody plays as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Goalkeeper,
    Defender,
    Midfielder,
    Forward,
}

impl Position {
    /// The official game's `element_type`, 1 to 4.
    #[must_use]
    pub fn from_type(number: u8) -> Option<Self> {
        [Self::Goalkeeper, Self::Defender, Self::Midfielder, Self::Forward]
            .get(usize::from(number.checked_sub(1)?))
            .copied()
    }

    /// An eleven has at least this many.
    fn least(self) -> usize {
        match self {
            Self::Goalkeeper | Self::Forward => 1,
            Self::Defender => 3,
            Self::Midfielder => 2,
        }
    }
}

/// A chip that a team played, by the official game's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chip {
    Wildcard,
    FreeHit,
    BenchBoost,
    TripleCaptain,
    /// One that does not change how points are counted, as far as we know.
    Other,
}

impl Chip {
    const ALL: [Self; 5] =
        [Self::Wildcard, Self::FreeHit, Self::BenchBoost, Self::TripleCaptain, Self::Other];

    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|chip| chip.name() == name).unwrap_or(Self::Other)
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wildcard => "wildcard",
            Self::FreeHit => "freehit",
            Self::BenchBoost => "bboost",
            Self::TripleCaptain => "3xc",
            Self::Other => "other",
        }
    }
}

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
    captain: u8,
    vice: u8,
    chip: Option<Chip>,
    /// Points that extra transfers cost.
    transfers_cost: u8,
}

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
        let find = |is: fn(&Pick) -> bool| {
            let at = ordered.iter().position(is).ok_or(NotASquad::Captains)?;
            u8::try_from(at).map_err(|_| NotASquad::Captains)
        };
        Ok(Self {
            captain: find(|pick| pick.is_captain)?,
            vice: find(|pick| pick.is_vice_captain)?,
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
        if usize::from(captain.max(vice)) >= SQUAD {
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
        self.count(points, &std::array::from_fn(|i| i), self.captain)
    }

    /// The team's figures once the gameweek has ended: substitutions made, the armband passed on.
    #[must_use]
    pub fn settled(&self, points: &FootballerPoints) -> Figures {
        let played: [bool; SQUAD] = std::array::from_fn(|i| points.played(self.elements[i]));
        let passed_on = !played[usize::from(self.captain)] && played[usize::from(self.vice)];
        let captain = if passed_on { self.vice } else { self.captain };
        self.count(points, &self.substituted(&played), captain)
    }

    /// Who is in which place after the substitutions. In order of preference, whoever on the bench
    /// played comes in for the first of the eleven who did not, if the eleven stays one.
    fn substituted(&self, played: &[bool; SQUAD]) -> [usize; SQUAD] {
        let mut places: [usize; SQUAD] = std::array::from_fn(|i| i);
        if self.chip == Some(Chip::BenchBoost) {
            return places;
        }
        for bench in ELEVEN..SQUAD {
            let comes = places[bench];
            if !played[comes] {
                continue;
            }
            let goes = (0..ELEVEN).find(|at| !played[places[*at]] && self.stays_legal(&places, *at, comes));
            if let Some(at) = goes {
                places.swap(at, bench);
            }
        }
        places
    }

    /// Whether the eleven stays one when `comes` replaces whoever is in place `at`.
    fn stays_legal(&self, places: &[usize; SQUAD], at: usize, comes: usize) -> bool {
        let (out, into) = (self.positions[places[at]], self.positions[comes]);
        if out == into {
            return true;
        }
        if out == Position::Goalkeeper || into == Position::Goalkeeper {
            return false;
        }
        let of_it = places[..ELEVEN].iter().filter(|i| self.positions[**i] == out).count();
        of_it > out.least()
    }

    fn count(&self, points: &FootballerPoints, places: &[usize; SQUAD], captain: u8) -> Figures {
        let armband = if self.chip == Some(Chip::TripleCaptain) { 3 } else { 2 };
        let bench_plays = self.chip == Some(Chip::BenchBoost);
        let (mut gross, mut points_on_bench) = (0, 0);
        for (place, i) in places.iter().enumerate() {
            let scored = points.of(self.elements[*i]);
            if place >= ELEVEN && !bench_plays {
                points_on_bench += scored;
            } else if *i == usize::from(captain) {
                gross += armband * scored;
            } else {
                gross += scored;
            }
        }
        Figures { gross, transfers_cost: i32::from(self.transfers_cost), points_on_bench }
    }
}

/// What one footballer has scored in a gameweek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored {
    pub element: Element,
    /// Over all matches of the gameweek.
    pub points: i16,
    /// Was on the pitch, or shown a card: counts as having played.
    pub played: bool,
}

/// Every footballer's points of one gameweek, by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FootballerPoints {
    /// Twice the points, and 1 for having played: by number; whoever is missing has 0.
    by_element: Vec<i16>,
}

/// A packed map that is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a packed map of points")]
pub struct NotPoints;

impl FootballerPoints {
    #[must_use]
    pub fn new(scored: impl IntoIterator<Item = Scored>) -> Self {
        let mut by_element = Vec::new();
        for Scored { element, points, played } in scored {
            let at = usize::from(element);
            if by_element.len() <= at {
                by_element.resize(at + 1, 0);
            }
            // Nobody is near the limits: a gameweek's best ever is below 100.
            by_element[at] = points.clamp(-999, 9_999) * 2 + i16::from(played);
        }
        Self { by_element }
    }

    #[must_use]
    pub fn of(&self, element: Element) -> i32 {
        i32::from(self.by_element.get(usize::from(element)).copied().unwrap_or(0) >> 1)
    }

    #[must_use]
    pub fn played(&self, element: Element) -> bool {
        self.by_element.get(usize::from(element)).is_some_and(|value| value & 1 == 1)
    }

    /// Whether anybody has played at all: not in a gameweek that was called off.
    #[must_use]
    pub fn anybody_played(&self) -> bool {
        self.by_element.iter().any(|value| value & 1 == 1)
    }

    /// Only those who played or scored: the distance from the one before and the value, each in as
    /// few bytes as it needs (2 for most).
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut before = 0;
        for (element, value) in self.by_element.iter().enumerate().filter(|(_, value)| **value != 0) {
            put(&mut bytes, u32::try_from(element - before).unwrap_or(u32::MAX));
            put(&mut bytes, (i32::from(*value) << 1 ^ i32::from(*value) >> 31).cast_unsigned());
            before = element;
        }
        bytes
    }

    /// # Errors
    /// It is not what [`FootballerPoints::pack`] made.
    pub fn unpack(mut bytes: &[u8]) -> Result<Self, NotPoints> {
        let mut by_element = Vec::new();
        let mut at = 0_usize;
        while !bytes.is_empty() {
            at += usize::try_from(take(&mut bytes)?).map_err(|_| NotPoints)?;
            let folded = take(&mut bytes)?;
            if at > usize::from(Element::MAX) {
                return Err(NotPoints);
            }
            by_element.resize(at + 1, 0);
            let value = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
            by_element[at] = i16::try_from(value).map_err(|_| NotPoints)?;
        }
        Ok(Self { by_element })
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more come.
fn put(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).unwrap_or(0) | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).unwrap_or(0));
}

fn take(bytes: &mut &[u8]) -> Result<u32, NotPoints> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (first, rest) = bytes.split_first().ok_or(NotPoints)?;
        *bytes = rest;
        value |= u32::from(first & 0x7f).checked_shl(shift).ok_or(NotPoints)?;
        if first & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(NotPoints)
}
