//! What nearly every call asks of the season: `SEASON/CURRENT`, the calendar's excerpt and how many have joined the
//! current gameweek, a tenth of the calendar's size. The excerpt is changed in the transaction that changes the
//! calendar; the job that runs each minute brings the counts, and puts right what another version has left behind.

use domain::{
    GameweekId,
    gameweeks::{calendar::Calendar, excerpt::CalendarExcerpt},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, at_most},
        table::Key,
        writes::Update,
    },
};

/// What no job has looked at for so long is not believed: another version of the product may have changed the
/// calendar without it.
const BELIEVED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// What is kept of the current gameweek.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptCurrent {
    #[serde(flatten)]
    pub excerpt: CalendarExcerpt,
    /// When the job last looked at it.
    #[serde(default)]
    as_of: Option<Timestamp>,
    #[serde(default)]
    joined: Option<JoinedSoFar>,
}

/// How many had joined a gameweek, in the order of `EntryAmount::ALL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinedSoFar {
    pub gameweek: GameweekId,
    pub entries: [usize; 3],
    pub at: Timestamp,
}

impl KeptCurrent {
    /// How many have joined `gameweek`; `None`: it is not kept.
    #[must_use]
    pub fn joined(&self, gameweek: GameweekId) -> Option<JoinedSoFar> {
        self.joined.filter(|joined| joined.gameweek == gameweek)
    }
}

fn key() -> Key {
    Key::new("SEASON", "CURRENT")
}

/// The excerpt of what the calendar becomes: for the transaction that changes it.
pub(super) fn follows(next: &Calendar, version: u64) -> Update {
    let excerpt = CalendarExcerpt::of(next);
    Update::of(key())
        .set("season", excerpt.season)
        .set("gameweeks", &excerpt.gameweeks)
        .set("more", excerpt.more)
        .set("version", version)
}

impl Store {
    /// What is kept of the current gameweek; `None`: the calendar is to be asked.
    pub async fn kept_current(&self, now: Timestamp) -> Result<Option<KeptCurrent>, StoreError> {
        let kept: Option<KeptCurrent> = self.get("current gameweek", key()).await?;
        Ok(kept.filter(|kept| kept.as_of.is_some_and(|at| now < at + BELIEVED_FOR)))
    }

    /// Brings what is kept up to now, from the calendar as it is.
    pub async fn keep_current(&self, joined: Option<JoinedSoFar>, now: Timestamp) -> Result<(), StoreError> {
        let Some((calendar, version)) = self.calendar_and_version().await? else { return Ok(()) };
        let kept = follows(&calendar, version).set("asOf", now).set_some("joined", joined);
        // Where the calendar has changed since it was read, its change has brought the excerpt.
        self.update(kept.only_if(absent("version").or(at_most("version", version)))).await.map(drop)
    }
}
