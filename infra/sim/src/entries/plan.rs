//! What a team's manager does over the season: a first squad, transfers with their hits, chips. Made
//! up from the id, the same each time; a squad always has its 2-5-5-3 and at most three of a club.

use crate::{
    noise::Noise,
    season::{Gameweek, Player, SQUAD, Season, pool},
};

const CLUB_LIMIT: usize = 3;
/// Points that each transfer beyond the free ones costs.
const HIT: u32 = 4;
const MOST_FREE: u32 = 5;

/// A chip, with the official game's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chip {
    Wildcard,
    FreeHit,
    BenchBoost,
    TripleCaptain,
}

impl Chip {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wildcard => "wildcard",
            Self::FreeHit => "freehit",
            Self::BenchBoost => "bboost",
            Self::TripleCaptain => "3xc",
        }
    }

    /// Transfers made under it cost nothing.
    pub(crate) fn frees_transfers(self) -> bool {
        matches!(self, Self::Wildcard | Self::FreeHit)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) squad: [Player; 15],
    pub(crate) transfers: u32,
    pub(crate) cost: u32,
}

pub(crate) fn chips(id: u64, season: Season, gameweek: u8) -> Option<Chip> {
    // (chip, first and last gameweek, how many teams in a hundred play it)
    const HABITS: [(Chip, usize, usize, usize); 4] = [
        (Chip::Wildcard, 4, 19, 60),
        (Chip::FreeHit, 10, 33, 40),
        (Chip::BenchBoost, 8, 38, 60),
        (Chip::TripleCaptain, 2, 38, 60),
    ];
    let mut noise = Noise::of(season, "chips", &[id]);
    HABITS
        .map(|(chip, first, last, percent)| {
            let week = first + noise.below(last - first + 1);
            (noise.chance(percent) && week == usize::from(gameweek)).then_some(chip)
        })
        .into_iter()
        .flatten()
        .next()
}

pub(crate) fn plans(id: u64, last: Gameweek) -> Vec<Plan> {
    let season = last.season();
    let mut squad = drawn(&mut Noise::of(season, "squad", &[id]));
    let mut free = 0;
    (1..=last.number())
        .map(|week| {
            let chip = chips(id, season, week);
            let mut noise = Noise::of(season, "transfers", &[id, u64::from(week)]);
            if chip == Some(Chip::FreeHit) {
                let squad = drawn(&mut noise);
                return Plan { squad, transfers: 0, cost: 0 };
            }
            let transfers: usize = match chip {
                _ if week == 1 => 0,
                Some(Chip::Wildcard) => noise.weighted(&[(5, 1), (7, 1), (9, 1)]).unwrap_or(5),
                _ => noise.weighted(&[(0, 26), (1, 54), (2, 13), (3, 5), (4, 2)]).unwrap_or(0),
            };
            for place in places(&mut noise, transfers) {
                replace(&mut squad, place, &mut noise);
            }
            let transfers = u32::try_from(transfers).expect("transfers are few");
            let paid = if chip == Some(Chip::Wildcard) { 0 } else { transfers.saturating_sub(free) };
            if chip != Some(Chip::Wildcard) {
                free = (free.saturating_sub(transfers) + 1).min(MOST_FREE);
            }
            Plan { squad, transfers, cost: paid * HIT }
        })
        .collect()
}

fn places(noise: &mut Noise, count: usize) -> Vec<usize> {
    let mut places: Vec<_> = (0..15).collect();
    noise.shuffle(&mut places);
    places.truncate(count);
    places
}

fn drawn(noise: &mut Noise) -> [Player; 15] {
    let mut squad: Vec<Player> = Vec::with_capacity(15);
    for (position, count) in SQUAD {
        let candidates: Vec<_> = pool().filter(|player| player.position == position).collect();
        for _ in 0..count {
            let player = choose(&candidates, &squad, noise);
            squad.push(player);
        }
    }
    squad.try_into().expect("a squad is fifteen players")
}

fn replace(squad: &mut [Player; 15], place: usize, noise: &mut Noise) {
    let position = squad[place].position;
    let candidates: Vec<_> = pool().filter(|player| player.position == position).collect();
    squad[place] = choose(&candidates, squad.as_slice(), noise);
}

/// A candidate who is not in the squad and whose club has room. There always is one: fifteen players
/// fill five of the twenty clubs at most.
fn choose(candidates: &[Player], squad: &[Player], noise: &mut Noise) -> Player {
    let start = noise.below(candidates.len());
    let fits = |player: &&Player| {
        squad.iter().all(|other| other.id != player.id)
            && squad.iter().filter(|other| other.club == player.club).count() < CLUB_LIMIT
    };
    *candidates[start..]
        .iter()
        .chain(&candidates[..start])
        .find(fits)
        .expect("fifteen clubs always have room")
}
