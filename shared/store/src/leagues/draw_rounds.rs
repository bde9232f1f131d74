//! What a gameweek's draws have in common, `DRAW#gameweek`: `ROUND`, which round of the beacon counts, written
//! once when every amount's list is kept; `TRY#time-ordered id`, each time that the relays were asked in vain;
//! `BEACON`, written once: the round's value, or that the draw goes on without it. And `SWEEP`, how far the sweep of its
//! entries is, with `SWEEPER`, who does it where they are many.

use domain::{
    EntryAmount, GameweekId,
    leagues::beacon::{Silence, Try},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError, platform::table::Key, time_ordered_id};

/// Which round counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawRound {
    /// The chain's hash (hex).
    pub chain: String,
    pub round: u64,
    /// Every list was kept, and its hash public, by then.
    pub at: Timestamp,
}

/// What the beacon came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawBeacon {
    /// The round's value (hex); absent where the draw goes on without it.
    #[serde(default)]
    pub value: Option<String>,
    #[serde(default)]
    pub signature: Option<String>,
    /// Why there is no value.
    #[serde(default)]
    pub silence: Option<Silence>,
    pub at: Timestamp,
}

/// How far a sweep is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepSoFar {
    pub began: Timestamp,
    /// The amounts before it are through.
    pub amount: EntryAmount,
    /// The last entry that was looked at.
    #[serde(default)]
    pub after: Option<String>,
    /// In which part of the draw's list it is, or would be.
    #[serde(default)]
    pub part: usize,
}

/// What is kept of the sweeps of a gameweek.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweeps {
    /// The one that is under way, or was broken off.
    #[serde(default)]
    pub sweep: Option<SweepSoFar>,
    /// When the last one began that is through.
    #[serde(default, rename = "throughSince")]
    pub through_since: Option<Timestamp>,
}

const TRY: &str = "TRY#";

fn partition(gameweek: GameweekId) -> String {
    format!("DRAW#{gameweek}")
}

fn sweep_key(gameweek: GameweekId) -> Key {
    Key::new(partition(gameweek), "SWEEP")
}

fn sweeper_key(gameweek: GameweekId) -> Key {
    Key::new(partition(gameweek), "SWEEPER")
}

impl Store {
    /// Keeps which round counts, unless one is kept already. Answers the one that does.
    pub async fn fix_draw_round(
        &self,
        gameweek: GameweekId,
        round: &DrawRound,
    ) -> Result<DrawRound, StoreError> {
        self.put_once(Key::new(partition(gameweek), "ROUND").item(round)).await?;
        let kept = self.draw_round(gameweek).await?;
        kept.ok_or_else(|| StoreError::Refused("a draw's round is not there after it was kept".into()))
    }

    pub async fn draw_round(&self, gameweek: GameweekId) -> Result<Option<DrawRound>, StoreError> {
        self.get("draw round", Key::new(partition(gameweek), "ROUND")).await
    }

    /// Keeps that the relays were asked in vain.
    pub async fn add_beacon_try(&self, gameweek: GameweekId, one: &Try) -> Result<(), StoreError> {
        let sk = format!("{TRY}{}", time_ordered_id(one.at));
        self.put(Key::new(partition(gameweek), sk).item(one)).await
    }

    /// Every time that the relays were asked in vain.
    pub async fn beacon_tries(&self, gameweek: GameweekId) -> Result<Vec<Try>, StoreError> {
        self.all("beacon try", &partition(gameweek), TRY).await
    }

    /// Keeps what the beacon came to, unless that is kept already. Answers what counts.
    pub async fn fix_draw_beacon(
        &self,
        gameweek: GameweekId,
        beacon: &DrawBeacon,
    ) -> Result<DrawBeacon, StoreError> {
        self.put_once(Key::new(partition(gameweek), "BEACON").item(beacon)).await?;
        let kept = self.draw_beacon(gameweek).await?;
        kept.ok_or_else(|| StoreError::Refused("a draw's beacon is not there after it was kept".into()))
    }

    pub async fn draw_beacon(&self, gameweek: GameweekId) -> Result<Option<DrawBeacon>, StoreError> {
        self.get("draw beacon", Key::new(partition(gameweek), "BEACON")).await
    }

    pub async fn sweeps(&self, gameweek: GameweekId) -> Result<Sweeps, StoreError> {
        Ok(self.get("sweep", sweep_key(gameweek)).await?.unwrap_or_default())
    }

    /// Notes how far they are. Who writes it late says less, and some entries are looked at once more.
    pub async fn keep_sweeps(&self, gameweek: GameweekId, sweeps: &Sweeps) -> Result<(), StoreError> {
        self.put(sweep_key(gameweek).item(sweeps)).await
    }

    /// Takes the turn to sweep a gameweek's entries for `who` until `until`, or keeps it. `false`: it is somebody else's.
    pub async fn take_turn_to_sweep(
        &self,
        gameweek: GameweekId,
        who: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        self.hold(sweeper_key(gameweek), who, now, until).await
    }

    /// Gives that turn back.
    pub async fn end_turn_to_sweep(&self, gameweek: GameweekId, who: &str) -> Result<(), StoreError> {
        self.let_go(sweeper_key(gameweek), who).await
    }
}
