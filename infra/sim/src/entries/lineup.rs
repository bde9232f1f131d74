//! Who starts, who captains, who sits on the bench, and what the official game does about those who
//! did not play. Substitutions and the vice-captain's promotion happen only at the end of play
//! (docs/fpl.md, "Times").

use super::plan::Chip;
use crate::{
    noise::Noise,
    season::{Gameweek, Player, Position},
};

/// Defenders, midfielders, forwards that may start.
const FORMATIONS: [(usize, usize, usize); 8] =
    [(3, 4, 3), (3, 5, 2), (4, 4, 2), (4, 3, 3), (4, 5, 1), (5, 3, 2), (5, 4, 1), (5, 2, 3)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pick {
    pub(crate) player: Player,
    /// 1 to 11 start, 12 to 15 are the bench in its order; 12 is a goalkeeper.
    pub(crate) place: u8,
    /// What the player's points count: 0 on the bench, 2 for the captain, 3 under triple captain.
    pub(crate) multiplier: u8,
    pub(crate) captain: bool,
    pub(crate) vice: bool,
}

/// A player who came in for one who did not play, by player id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Substitution {
    pub(crate) came_in: u32,
    pub(crate) went_out: u32,
}

/// The fifteen as they stood at the deadline.
pub(crate) fn lineup(id: u64, gameweek: Gameweek, squad: &[Player; 15], chip: Option<Chip>) -> [Pick; 15] {
    let mut noise = Noise::of(gameweek.season(), "lineup", &[id, u64::from(gameweek.number())]);
    let (defenders, midfielders, forwards) = FORMATIONS[noise.below(FORMATIONS.len())];
    let mut starters = Vec::with_capacity(15);
    let mut bench = Vec::with_capacity(4);
    for (range, start) in [(0..2, 1), (2..7, defenders), (7..12, midfielders), (12..15, forwards)] {
        let mut group = squad[range].to_vec();
        noise.shuffle(&mut group);
        bench.extend(group.split_off(start));
        starters.extend(group);
    }
    noise.shuffle(&mut bench[1..]);
    let captain = 1 + noise.below(10);
    let vice = 1 + (captain - 1 + 1 + noise.below(9)) % 10;
    starters.extend(bench);
    let armband = if chip == Some(Chip::TripleCaptain) { 3 } else { 2 };
    std::array::from_fn(|at| Pick {
        player: starters[at],
        place: u8::try_from(at + 1).expect("there are fifteen places"),
        multiplier: match at {
            _ if at == captain => armband,
            11.. if chip != Some(Chip::BenchBoost) => 0,
            _ => 1,
        },
        captain: at == captain,
        vice: at == vice,
    })
}

/// What the official game does at the end of play about those who did not play.
pub(crate) fn substitute(picks: &mut [Pick; 15], played: impl Fn(&Player) -> bool) -> Vec<Substitution> {
    promote_vice(picks, &played);
    let mut made = Vec::new();
    for starter in 0..11 {
        if played(&picks[starter].player) {
            continue;
        }
        let replacement = (11..15).find(|bench| {
            picks[*bench].multiplier == 0 && played(&picks[*bench].player) && legal(picks, starter, *bench)
        });
        if let Some(bench) = replacement {
            made.push(Substitution { came_in: picks[bench].player.id, went_out: picks[starter].player.id });
            swap(picks, starter, bench);
        }
    }
    made
}

fn promote_vice(picks: &mut [Pick; 15], played: impl Fn(&Player) -> bool) {
    let captain = picks.iter().position(|pick| pick.captain).expect("a team has a captain");
    let vice = picks.iter().position(|pick| pick.vice).expect("a team has a vice-captain");
    if !played(&picks[captain].player) && played(&picks[vice].player) {
        picks[vice].multiplier = picks[captain].multiplier;
        picks[captain].multiplier = 1;
    }
}

/// The one who comes in takes the starter's place; the one who goes out counts nothing.
fn swap(picks: &mut [Pick; 15], starter: usize, bench: usize) {
    picks.swap(starter, bench);
    let (front, back) = (picks[starter].place, picks[bench].place);
    picks[starter].place = back;
    picks[bench].place = front;
    picks[starter].multiplier = 1;
    picks[bench].multiplier = 0;
}

/// Whether the eleven stay a team: one goalkeeper, and at least three defenders, two midfielders and
/// one forward.
fn legal(picks: &[Pick; 15], starter: usize, bench: usize) -> bool {
    let out = picks[starter].player.position;
    let comes = picks[bench].player.position;
    if out == Position::Goalkeeper || comes == Position::Goalkeeper {
        return out == comes;
    }
    let count = |position| {
        let before = picks[..11].iter().filter(|pick| pick.player.position == position).count();
        before + usize::from(comes == position) - usize::from(out == position)
    };
    count(Position::Defender) >= 3 && count(Position::Midfielder) >= 2 && count(Position::Forward) >= 1
}

#[cfg(test)]
#[path = "lineup_tests.rs"]
mod tests;
