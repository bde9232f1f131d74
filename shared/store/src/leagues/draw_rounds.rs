//! What a gameweek's draws have in common, `DRAW#gameweek`: `ROUND`, which round of the beacon counts, written
//! once when every amount's list is kept; `TRY#time-ordered id`, each time that the relays were asked in vain;
//! `BEACON`, written once: the round's value, or that the draw goes on without it.

use domain::{
    GameweekId,
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

const TRY: &str = "TRY#";

fn partition(gameweek: GameweekId) -> String {
    format!("DRAW#{gameweek}")
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
}
