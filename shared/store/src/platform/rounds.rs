//! How far a round is in which all of a gameweek are told something: `ROUND#what` / `STEP`.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is},
        ids::random_id,
        table::Key,
        writes::Update,
    },
};

/// Longer than anything about a gameweek could be told once more.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(60 * 24);

/// How many steps are done, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RoundStep {
    pub step: u32,
    pub at: Timestamp,
    /// The run that noted it.
    #[serde(default)]
    run: String,
}

fn key(round: &str) -> Key {
    Key::new(format!("ROUND#{round}"), "STEP")
}

impl Store {
    /// `None`: it has not begun.
    pub async fn round_step(&self, round: &str) -> Result<Option<RoundStep>, StoreError> {
        self.get("round", key(round)).await
    }

    /// Notes that `step` (from 0) is done. `false`: somebody has noted that before.
    pub async fn advance_round(&self, round: &str, step: u32, now: Timestamp) -> Result<bool, StoreError> {
        let run = random_id();
        let update = Update::of(key(round))
            .set("step", step + 1)
            .set("at", now)
            .set("run", &run)
            .set("ttl", (now + KEPT_FOR).as_second())
            .only_if(absent("step").or(is("step", step)));
        // Refused, where the answer was lost and the client has written it a second time.
        Ok(self.update(update).await? || self.round_step(round).await?.is_some_and(|kept| kept.run == run))
    }
}
