//! A team's frozen picks, and how they are packed.

use super::{Chip, Element, Position};

/// A squad: places 1 to 11 play, 12 to 15 are the bench in order of preference.
pub const SQUAD: usize = 15;

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
    pub(super) elements: [Element; SQUAD],
    pub(super) positions: [Position; SQUAD],
    /// Places from 0, as is `vice`; the two differ.
    pub(super) captain: u8,
    pub(super) vice: u8,
    pub(super) chip: Option<Chip>,
    /// Points that extra transfers cost.
    pub(super) transfers_cost: u8,
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

    /// The chip by the official game's name. `None`: none was played, or one whose name is not known here.
    #[must_use]
    pub fn chip_name(&self) -> Option<&'static str> {
        self.chip.filter(|chip| *chip != Chip::Other).map(Chip::name)
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
}
