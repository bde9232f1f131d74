//! Points (docs/fpl.md, "Points"): from a squad as it froze at the deadline and every footballer's
//! points to a team's gameweek. While play is on nobody is substituted; once it has ended, whoever
//! did not play is replaced as the official game does it, and the vice-captain takes the armband.
//!
//! Everything is packed small: a league's squads lie in its item, a gameweek's points in one.

mod breakdown;
mod footballers;
mod lineup;
mod scoring;
mod squad;
mod substitutions;

pub use breakdown::{BonusMeasures, Breakdown, Deed, Explained, Line, NotABreakdown, Why};
pub use footballers::{FootballerPoints, NotPoints, Scored};
pub use lineup::Placed;
pub use squad::{NotASquad, Pick, SQUAD, Squad};
pub use substitutions::Substitution;

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
    pub const ALL: [Self; 4] = [Self::Goalkeeper, Self::Defender, Self::Midfielder, Self::Forward];

    /// The official game's `element_type`, 1 to 4.
    #[must_use]
    pub fn from_type(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number.checked_sub(1)?)).copied()
    }

    /// An eleven has at least this many (the official game's `squad_min_play`). At most as many as
    /// a squad has, and one goalkeeper.
    #[must_use]
    pub fn least(self) -> usize {
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
    pub const ALL: [Self; 5] =
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_chips_by_the_official_names() {
        assert_eq!([1, 2, 3, 4].map(Position::from_type), Position::ALL.map(Some));
        assert_eq!([0, 5, 255].map(Position::from_type), [None; 3]);
        for chip in Chip::ALL {
            assert_eq!(Chip::from_name(chip.name()), chip);
        }
        assert_eq!(Chip::from_name("manager"), Chip::Other);
    }
}
