//! The twenty made-up clubs and their made-up players. No club or player here is a real one.
//!
//! Ids 1 to 600 are the pool that squads are drawn from, thirty a club. From 1001 on come the
//! reserved players, fifteen for each team whose points can be set (see `entries`).

use serde::Serialize;

use super::Season;

/// Players per position in a squad: goalkeepers, defenders, midfielders, forwards.
pub(crate) const SQUAD: [(Position, usize); 4] =
    [(Position::Goalkeeper, 2), (Position::Defender, 5), (Position::Midfielder, 5), (Position::Forward, 3)];

const POOL: u32 = 600;
const CLUB_SIZE: u32 = 30;
const RESERVED_FROM: u32 = 1001;
const SQUAD_SIZE: u32 = 15;

/// A club: its number is its place in [`CLUBS`], from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Club {
    pub(crate) name: &'static str,
    pub(crate) short: &'static str,
}

const fn club(name: &'static str, short: &'static str) -> Club {
    Club { name, short }
}

pub(crate) const CLUBS: [Club; 20] = [
    club("Alderbrook", "ALD"),
    club("Bramfield", "BRA"),
    club("Carrow Vale", "CAR"),
    club("Dunmarsh", "DUN"),
    club("Eastmoor", "EAS"),
    club("Fenwick Park", "FEN"),
    club("Gallowhill", "GAL"),
    club("Harrowdene", "HAR"),
    club("Inverleigh", "INV"),
    club("Jesmere", "JES"),
    club("Kestrel Bay", "KES"),
    club("Larkspur", "LAR"),
    club("Millhaven", "MIL"),
    club("Northgate", "NOR"),
    club("Oakenshaw", "OAK"),
    club("Pellbridge", "PEL"),
    club("Quarrydown", "QUA"),
    club("Ravensmouth", "RAV"),
    club("Stonecross", "STO"),
    club("Thornbury Vale", "THO"),
];

/// Where a player plays, with the official game's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Position {
    Goalkeeper = 1,
    Defender = 2,
    Midfielder = 3,
    Forward = 4,
}

impl Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Player {
    pub(crate) id: u32,
    /// 1 to 20.
    pub(crate) club: u8,
    pub(crate) position: Position,
}

pub(crate) fn pool() -> impl Iterator<Item = Player> {
    (1..=POOL).map(Player::of_pool)
}

impl Player {
    fn of_pool(id: u32) -> Self {
        let position = match (id - 1) % CLUB_SIZE {
            0..3 => Position::Goalkeeper,
            3..13 => Position::Defender,
            13..25 => Position::Midfielder,
            _ => Position::Forward,
        };
        Self { id, club: club_number((id - 1) / CLUB_SIZE), position }
    }

    /// The fifteen players of a slot, in the order of [`SQUAD`], each of another club.
    pub(crate) fn reserved(slot: u16) -> [Self; SQUAD_SIZE as usize] {
        let slot = u32::from(slot);
        let mut positions = SQUAD.iter().flat_map(|(position, count)| vec![*position; *count]);
        std::array::from_fn(|place| {
            // An array of fifteen has no place beyond 14, and the squad has fifteen positions.
            let place = u32::try_from(place).expect("a place in a squad is below 15");
            Self {
                id: RESERVED_FROM + slot * SQUAD_SIZE + place,
                club: club_number((slot * 7 + place) % 20),
                position: positions.next().expect("a squad is fifteen players"),
            }
        })
    }

    /// First name and family name; a family name belongs to one player of the pool only. An id is
    /// somebody else's in another season.
    pub(crate) fn names(&self, season: Season) -> (&'static str, String) {
        const STARTS: [&str; 25] = [
            "Bar", "Cal", "Dor", "El", "Fan", "Gor", "Hal", "Ist", "Jor", "Kel", "Lom", "Mar", "Nev", "Or",
            "Pel", "Quin", "Ros", "Sel", "Tar", "Ul", "Ver", "Wen", "Yar", "Zan", "Okw",
        ];
        const ENDS: [&str; 24] = [
            "ado", "beck", "corin", "dale", "emba", "fors", "gani", "holt", "ique", "jari", "kov", "lund",
            "mose", "nari", "oti", "pane", "quist", "rell", "sano", "tovic", "ume", "vane", "wick", "zare",
        ];
        const FIRST: [&str; 16] = [
            "Abel", "Bento", "Caleb", "Dami", "Emil", "Farai", "Goran", "Hugo", "Ivo", "Jonas", "Kito",
            "Luca", "Malik", "Nico", "Oskar", "Tomas",
        ];
        // 347 and 600 have no common factor, so the pool's family names are all different.
        let person = self.id as usize + 211 * usize::from(season.before());
        let at = (person * 347) % (STARTS.len() * ENDS.len());
        let family = format!("{}{}", STARTS[at / ENDS.len()], ENDS[at % ENDS.len()]);
        (FIRST[(person * 5 + usize::from(self.club)) % FIRST.len()], family)
    }

    /// Price in tenths of a million. Any fifteen stay under the budget of 1000.
    pub(crate) fn price(&self) -> u32 {
        let spread = |from: u32, to: u32| from + self.id.wrapping_mul(37) % (to - from + 1);
        match self.position {
            Position::Goalkeeper => spread(40, 50),
            Position::Defender => spread(40, 55),
            Position::Midfielder => spread(45, 75),
            Position::Forward => spread(45, 80),
        }
    }
}

fn club_number(index: u32) -> u8 {
    u8::try_from(index % 20).expect("a remainder of 20 fits") + 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_pool_has_six_hundred_players_with_their_own_names() {
        for season in Season::ALL {
            let names: HashSet<_> = pool().map(|player| player.names(season).1).collect();
            assert_eq!(names.len(), 600);
        }
        let [first, second] = Season::ALL;
        assert!(pool().all(|player| player.names(first) != player.names(second)));
        for club in 1..=20 {
            assert_eq!(pool().filter(|player| player.club == club).count(), 30);
        }
    }

    #[test]
    fn a_reserved_squad_is_a_squad() {
        for slot in [0, 1, 199, 4000] {
            let squad = Player::reserved(slot);
            for (position, count) in SQUAD {
                assert_eq!(squad.iter().filter(|player| player.position == position).count(), count);
            }
            let clubs: HashSet<_> = squad.iter().map(|player| player.club).collect();
            assert_eq!(clubs.len(), 15);
            assert!(squad.iter().map(Player::price).sum::<u32>() <= 1000);
        }
        assert_eq!(Player::reserved(0)[14].id + 1, Player::reserved(1)[0].id);
    }
}
