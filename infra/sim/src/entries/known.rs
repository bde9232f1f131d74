//! What is remembered about teams: their slot, and what `PUT /sim/api/fpl/entries/{fplId}` set.
//! Written to the database first, then to memory, which is what answers read.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{PoisonError, RwLock},
};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::{
    db::Db,
    http::Refusal,
    season::{COUNT, Calendar, Gameweek, Season},
};

use super::plan::{Chip, chips};

/// How many teams of a season get a slot by being asked about. Their players, fifteen a slot, are in every live
/// answer from the start, so that a client may read it before it has read the picks.
pub(crate) const AUTOMATIC_SLOTS: usize = 160;
/// Player numbers stay below 65,536.
const MOST_SLOTS: usize = 4000;
/// 0 to 200 points are possible; nobody has ever scored more in a gameweek.
const MOST_POINTS: i32 = 200;
const MOST_ON_BENCH: i32 = 80;
/// Twenty transfers, the official cap.
const MOST_COST: i32 = 80;

#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    pub(crate) slot: Option<u16>,
    /// It plays with its own fifteen in every gameweek, not only where figures were set.
    pub(crate) every_week: bool,
    pub(crate) set: SetTeam,
}

/// What was set for a team.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetTeam {
    pub(crate) team_name: Option<String>,
    pub(crate) exists: Option<bool>,
    pub(crate) answers: Option<bool>,
    #[serde(default)]
    gameweeks: BTreeMap<u8, SetWeek>,
    /// Gameweeks in which the team plays no chip because of what was set before the deadline.
    #[serde(default)]
    without_chip: BTreeSet<u8>,
}

/// What was set for one gameweek of a team, each in points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetWeek {
    pub(crate) points: Option<i32>,
    pub(crate) points_on_bench: Option<i32>,
    pub(crate) transfers_cost: Option<i32>,
}

/// The body of `PUT /sim/api/fpl/entries/{fplId}`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EntryChange {
    #[serde(alias = "name")]
    team_name: Option<String>,
    exists: Option<bool>,
    answers: Option<bool>,
    #[serde(default)]
    gameweeks: BTreeMap<String, SetWeek>,
}

impl Known {
    pub(crate) fn exists(&self) -> bool {
        self.set.exists.unwrap_or(true)
    }

    /// Whether the game answers about it; where it does not, only this team is concerned.
    pub(crate) fn answers(&self) -> bool {
        self.set.answers.unwrap_or(true)
    }

    pub(crate) fn week(&self, gameweek: Gameweek) -> SetWeek {
        self.set.gameweeks.get(&gameweek.number()).copied().unwrap_or_default()
    }

    pub(crate) fn chip(&self, id: u64, gameweek: Gameweek) -> Option<Chip> {
        chips(id, gameweek.season(), gameweek.number())
            .filter(|_| !self.set.without_chip.contains(&gameweek.number()))
    }

    /// Takes over what is set for a gameweek. A chip that this rules out is not played, unless the
    /// deadline has passed: picks are public since and never change, so then it is refused.
    fn set(&mut self, id: u64, gameweek: Gameweek, newer: SetWeek, locked: bool) -> Result<(), String> {
        let number = gameweek.number();
        let set = self.week(gameweek).merged(newer);
        if locked {
            if let Some(why) = self.chip(id, gameweek).and_then(|chip| set.excludes(chip)) {
                return Err(format!("Gameweek {number}: the deadline has passed, and team {id} {why}."));
            }
        } else if chips(id, gameweek.season(), number).is_some_and(|chip| set.excludes(chip).is_some()) {
            self.set.without_chip.insert(number);
        } else {
            self.set.without_chip.remove(&number);
        }
        self.set.gameweeks.insert(number, set);
        Ok(())
    }
}

impl SetWeek {
    /// Points or bench points were set, so the players' figures must follow.
    pub(crate) fn sets_figures(&self) -> bool {
        self.points.is_some() || self.points_on_bench.is_some()
    }

    /// Why a team of which this is said cannot play `chip`, if it cannot.
    fn excludes(&self, chip: Chip) -> Option<&'static str> {
        let bench = self.points_on_bench.unwrap_or(0) > 0;
        let cost = self.transfers_cost.unwrap_or(0) > 0;
        match chip {
            Chip::BenchBoost if bench => Some("plays bboost: nobody is on its bench"),
            Chip::Wildcard if cost => Some("plays wildcard: its transfers cost nothing"),
            Chip::FreeHit if cost => Some("plays freehit: its transfers cost nothing"),
            _ => None,
        }
    }

    fn merged(self, newer: Self) -> Self {
        Self {
            points: newer.points.or(self.points),
            points_on_bench: newer.points_on_bench.or(self.points_on_bench),
            transfers_cost: newer.transfers_cost.or(self.transfers_cost),
        }
    }

    fn check(&self, gameweek: u8) -> Result<(), String> {
        let within = |name: &str, value: Option<i32>, most: i32| match value {
            Some(value) if !(0..=most).contains(&value) => {
                Err(format!("Gameweek {gameweek}: {name} must be between 0 and {most}, not {value}."))
            }
            _ => Ok(()),
        };
        within("points", self.points, MOST_POINTS)?;
        within("pointsOnBench", self.points_on_bench, MOST_ON_BENCH)?;
        within("transfersCost", self.transfers_cost, MOST_COST)?;
        match self.transfers_cost {
            Some(cost) if cost % 4 != 0 => {
                Err(format!("Gameweek {gameweek}: transfersCost must be a multiple of 4, not {cost}."))
            }
            _ => Ok(()),
        }
    }
}

impl EntryChange {
    /// The gameweeks by number, or what is wrong with the body.
    fn checked(&self) -> Result<BTreeMap<u8, SetWeek>, String> {
        if let Some(name) = &self.team_name
            && (name.trim().is_empty() || name.chars().count() > 40)
        {
            return Err("teamName must have 1 to 40 characters.".into());
        }
        self.gameweeks
            .iter()
            .map(|(key, week)| {
                let gameweek = key
                    .parse()
                    .ok()
                    .filter(|number| (1..=COUNT).contains(number))
                    .ok_or_else(|| format!("There is no gameweek {key:?}; they are 1 to {COUNT}."))?;
                week.check(gameweek)?;
                Ok((gameweek, *week))
            })
            .collect()
    }
}

/// All teams that were asked about or set, each in the season in which that was.
pub(crate) struct Entries {
    db: Db,
    known: RwLock<HashMap<Season, Teams>>,
}

type Teams = HashMap<u64, Known>;

impl Entries {
    pub(crate) fn open(db: Db) -> anyhow::Result<Self> {
        let rows = db.read(|connection| {
            connection
                .prepare("SELECT season, fpl_id, slot, every_week, says FROM sim_teams")?
                .query_map([], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, String>(4)?))
                })?
                .collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut known: HashMap<Season, Teams> = HashMap::new();
        for (year, id, slot, every_week, says) in rows {
            let season = Season::new(year).context("a stored team of a season that there is not")?;
            let set = serde_json::from_str(&says).context("a stored team")?;
            known.entry(season).or_default().insert(id, Known { slot, every_week, set });
        }
        Ok(Self { db, known: RwLock::new(known) })
    }

    /// The team with this id, given a slot if it is asked about for the first time and one is left.
    pub(crate) fn seen(&self, season: Season, id: u64) -> anyhow::Result<Known> {
        let find = |seasons: &HashMap<Season, Teams>| seasons.get(&season)?.get(&id).cloned();
        if let Some(known) = find(&self.known.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(known);
        }
        let mut seasons = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = find(&seasons) {
            return Ok(known);
        }
        let all = seasons.entry(season).or_default();
        let slots = slots(all);
        if slots >= AUTOMATIC_SLOTS {
            return Ok(Known::default());
        }
        let known = Known { slot: u16::try_from(slots).ok(), every_week: true, set: SetTeam::default() };
        self.store(season, id, &known)?;
        all.insert(id, known.clone());
        Ok(known)
    }

    /// Sets what the official game will say of a team in the calendar's season.
    pub(crate) fn change(
        &self,
        id: u64,
        change: EntryChange,
        calendar: &Calendar,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let weeks = change.checked().map_err(Refusal::bad)?;
        let season = calendar.season();
        let mut seasons = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let all = seasons.entry(season).or_default();
        let slots = slots(all);
        let mut known = all.get(&id).cloned().unwrap_or_default();
        let first_seen = !all.contains_key(&id) && slots < AUTOMATIC_SLOTS;
        if known.slot.is_none() && (first_seen || weeks.values().any(SetWeek::sets_figures)) {
            if slots >= MOST_SLOTS {
                return Err(Refusal::bad(format!("Figures can be set for {MOST_SLOTS} teams at most.")));
            }
            known.slot = u16::try_from(slots).ok();
            known.every_week = first_seen;
        }
        known.set.team_name = change.team_name.or(known.set.team_name);
        known.set.exists = change.exists.or(known.set.exists);
        known.set.answers = change.answers.or(known.set.answers);
        for (number, week) in weeks {
            let gameweek = calendar.get(number).context("a gameweek that was checked is there")?;
            known.set(id, gameweek, week, gameweek.locked_at(now)).map_err(Refusal::bad)?;
        }
        self.store(season, id, &known)?;
        all.insert(id, known);
        Ok(())
    }

    /// Every slot of a season with its team: first the automatic ones, whether somebody has them or not, then
    /// the others, in their order.
    pub(crate) fn slots(&self, season: Season) -> Vec<(u16, Option<(u64, Known)>)> {
        let taken = self.with_slots(season);
        let free = (taken.len()..AUTOMATIC_SLOTS)
            .filter_map(|slot| Some((u16::try_from(slot).ok()?, None)))
            .collect::<Vec<_>>();
        taken.into_iter().map(|(id, slot, known)| (slot, Some((id, known)))).chain(free).collect()
    }

    /// Every team of a season with a slot, in the order of the slots.
    pub(crate) fn with_slots(&self, season: Season) -> Vec<(u64, u16, Known)> {
        let seasons = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let all = seasons.get(&season).into_iter().flatten();
        let mut list: Vec<_> =
            all.filter_map(|(id, known)| Some((*id, known.slot?, known.clone()))).collect();
        list.sort_unstable_by_key(|(_, slot, _)| *slot);
        list
    }

    fn store(&self, season: Season, id: u64, known: &Known) -> anyhow::Result<()> {
        let says = serde_json::to_string(&known.set)?;
        self.db.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO sim_teams (season, fpl_id, slot, every_week, says)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![season.year(), id, known.slot, known.every_week, says],
            )?;
            Ok(())
        })
    }
}

fn slots(known: &Teams) -> usize {
    known.values().filter(|known| known.slot.is_some()).count()
}
