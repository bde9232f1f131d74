//! A team's gameweek as the official game shows it at an instant: picks, substitutions, points, bench
//! points, hits. The one place where these are worked out, so history and picks cannot disagree.

use jiff::Timestamp;

use super::{
    forced::spread,
    known::{Known, SetWeek},
    lineup::{Pick, Substitution, lineup, substitute},
    plan::{Chip, Plan, plans},
};
use crate::{
    noise::Noise,
    season::{Calendar, Figure, Figures, Gameweek, Kind, Player, Round, made_up},
};

#[derive(Debug, Clone)]
pub(crate) struct Week {
    pub(crate) gameweek: Gameweek,
    pub(crate) chip: Option<Chip>,
    /// In the order of their places.
    pub(crate) picks: [Pick; 15],
    pub(crate) substitutions: Vec<Substitution>,
    /// Gross points so far.
    pub(crate) points: i32,
    /// Points of those who count nothing.
    pub(crate) on_bench: i32,
    pub(crate) transfers: u32,
    pub(crate) cost: i32,
    /// Net points of the season up to and with this gameweek.
    pub(crate) season_total: i32,
}

/// The gameweeks of a team whose deadline has passed, oldest first.
pub(crate) fn weeks(id: u64, known: &Known, calendar: &Calendar, now: Timestamp) -> Vec<Week> {
    let Some(last) = calendar.current(now) else { return Vec::new() };
    let mut season_total = 0;
    calendar
        .all()
        .zip(plans(id, last))
        .map(|(gameweek, plan)| {
            let mut week = week(id, known, gameweek, &plan, now);
            season_total += week.points - week.cost;
            week.season_total = season_total;
            week
        })
        .collect()
}

/// A slot's fifteen players with their full-time figures of a gameweek; `full_time` is its round.
pub(crate) fn reserved_figures(
    slot: u16,
    team: Option<&(u64, Known)>,
    gameweek: Gameweek,
    full_time: &Round,
) -> [(Player, Figures); 15] {
    let squad = Player::reserved(slot);
    let forced = team.map(|(id, known)| forced(*id, known, &squad, gameweek, full_time));
    squad.map(|player| match &forced {
        Some(forced) => (player, forced.figures(&player, gameweek)),
        None => (player, made_up(&player, gameweek)),
    })
}

fn week(id: u64, known: &Known, gameweek: Gameweek, plan: &Plan, now: Timestamp) -> Week {
    let set = known.week(gameweek);
    let slot = known.slot.filter(|_| known.every_week || set.sets_figures());
    let (picks, forced) = match slot {
        Some(slot) => {
            let squad = Player::reserved(slot);
            let forced = forced(id, known, &squad, gameweek, &Round::full_time(gameweek));
            (lineup(id, gameweek, &squad, forced.chip), forced)
        }
        None => {
            let chip = known.chip(id, gameweek);
            (lineup(id, gameweek, &plan.squad, chip), Forced { chip, figures: Vec::new() })
        }
    };
    let round = Round::at(gameweek, now);
    let figure = |player: &Player| forced.figures(player, gameweek).so_far(player.club, &round);
    let mut week = scored(gameweek, picks, forced.chip, gameweek.played_at(now), figure);
    (week.transfers, week.cost) = hits(plan, set);
    week
}

/// Adds up a team's points, after the official substitutions where play has ended.
fn scored(
    gameweek: Gameweek,
    mut picks: [Pick; 15],
    chip: Option<Chip>,
    played: bool,
    figure: impl Fn(&Player) -> Figure,
) -> Week {
    let substitutions =
        if played { substitute(&mut picks, |player| figure(player).minutes > 0) } else { Vec::new() };
    let (mut points, mut on_bench) = (0, 0);
    for pick in &picks {
        let total = figure(&pick.player).total;
        points += i32::from(pick.multiplier) * total;
        on_bench += if pick.multiplier == 0 { total } else { 0 };
    }
    let (transfers, cost, season_total) = (0, 0, 0);
    Week { gameweek, chip, picks, substitutions, points, on_bench, transfers, cost, season_total }
}

/// Transfers and what they cost, as set or as planned.
fn hits(plan: &Plan, set: SetWeek) -> (u32, i32) {
    match set.transfers_cost {
        None => (plan.transfers, i32::try_from(plan.cost).expect("a hit is a few points")),
        Some(0) => (plan.transfers.min(1), 0),
        Some(cost) => (u32::try_from(cost / 4).unwrap_or(0) + 1, cost),
    }
}

/// The full-time figures that were set, by player; empty where nothing was.
struct Forced {
    chip: Option<Chip>,
    figures: Vec<(u32, Figures)>,
}

impl Forced {
    fn figures(&self, player: &Player, gameweek: Gameweek) -> Figures {
        match self.figures.iter().find(|(id, _)| *id == player.id) {
            Some((_, figures)) => *figures,
            None => made_up(player, gameweek),
        }
    }
}

/// Where nobody plays there is nothing to spread points over: they are 0, whatever was set.
fn forced(id: u64, known: &Known, squad: &[Player; 15], gameweek: Gameweek, full_time: &Round) -> Forced {
    let (set, chip) = (known.week(gameweek), known.chip(id, gameweek));
    if !set.sets_figures() || gameweek.kind() == Kind::Void {
        return Forced { chip, figures: Vec::new() };
    }
    let mut picks = lineup(id, gameweek, squad, chip);
    let made_up = |player: &Player| made_up(player, gameweek).so_far(player.club, full_time);
    let full = scored(gameweek, picks, chip, true, made_up);
    let points = set.points.unwrap_or(full.points.max(0));
    let bench = set.points_on_bench.unwrap_or(full.on_bench.max(0));
    let matches = |player: &Player| full_time.stages(player.club).len();
    substitute(&mut picks, |player| matches(player) > 0);
    let mut noise = Noise::of(gameweek.season(), "forced", &[id, u64::from(gameweek.number())]);
    let totals = spread(&picks, |player| matches(player) > 0, (points, bench), &mut noise);
    let figures = picks
        .iter()
        .zip(totals)
        .map(|(pick, total)| (pick.player.id, Figures::fixed(total, matches(&pick.player))))
        .collect();
    Forced { chip, figures }
}
