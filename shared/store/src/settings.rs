//! The operator's switches, `SETTINGS/SWITCHES`, with the time of each turn: a gameweek uses what
//! was in force at its own instant, whenever that is read.

use domain::gameweek::Turn;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError, random_id,
    sessions::conditional,
    table::{Key, n},
};

const TRIES: u32 = 8;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Switches {
    #[serde(default)]
    version: u64,
    /// Whether extra transfers are deducted; on before any turn.
    #[serde(default)]
    deduct_transfer_points: Vec<Turn<bool>>,
}

impl Switches {
    /// Whether extra transfers are deducted, as of `at` (spec §1; on until first switched).
    #[must_use]
    pub fn deducts_transfers_at(&self, at: Timestamp) -> bool {
        domain::gameweek::value_at(&self.deduct_transfer_points, true, at)
    }
}

fn key() -> Key {
    Key::new("SETTINGS", "SWITCHES")
}

impl Store {
    /// # Errors
    /// The table is not answering.
    pub async fn switches(&self) -> Result<Switches, StoreError> {
        Ok(self.get("switches", key()).await?.unwrap_or_default())
    }

    /// Turns the deduction to what it is not. Answers what it is now.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn toggle_deduction(&self, at: Timestamp) -> Result<bool, StoreError> {
        let id = random_id();
        for _ in 0..TRIES {
            let mut switches = self.switches().await?;
            // A reply that was lost looks like a refusal: the turn is there.
            if let Some(turn) = switches.deduct_transfer_points.iter().find(|turn| turn.id == id) {
                return Ok(turn.value);
            }
            let seen = switches.version;
            let value = !switches.deducts_transfers_at(at);
            switches.deduct_transfer_points.push(Turn { at, value, id: id.clone() });
            let turns = serde_dynamo::to_attribute_value(&switches.deduct_transfer_points)
                .map_err(|source| StoreError::Corrupt { entity: "switches", source })?;
            let update = self
                .client
                .update_item()
                .table_name(&self.name)
                .set_key(Some(key().attributes()))
                .update_expression("SET deductTransferPoints = :turns, version = :next")
                .condition_expression("attribute_not_exists(version) OR version = :seen")
                .expression_attribute_values(":turns", turns)
                .expression_attribute_values(":next", n(seen + 1))
                .expression_attribute_values(":seen", n(seen));
            if conditional(update).await? {
                return Ok(value);
            }
        }
        Err(StoreError::Contended("the switches"))
    }
}
