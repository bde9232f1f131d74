//! A team's official result in a gameweek: `TEAM#fplId` / `GW#gameweek`. Only final figures are kept
//! here, with the time they were read.

use domain::{FplId, GameweekId, ranking::Figures};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError, table::Key};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficialResult {
    pub fpl_id: FplId,
    pub figures: Figures,
    #[serde(default)]
    pub chip: Option<String>,
    pub as_of: Timestamp,
}

fn key(fpl_id: FplId, gameweek: GameweekId) -> Key {
    Key::new(format!("TEAM#{fpl_id}"), format!("GW#{gameweek}"))
}

impl Store {
    /// # Errors
    /// The table is not answering.
    pub async fn official_result(
        &self,
        fpl_id: FplId,
        gameweek: GameweekId,
    ) -> Result<Option<OfficialResult>, StoreError> {
        self.get("official result", key(fpl_id, gameweek)).await
    }

    /// Keeps a final result; a later reading takes its place, what was paid stays as its record says.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn keep_official_result(
        &self,
        gameweek: GameweekId,
        result: &OfficialResult,
    ) -> Result<(), StoreError> {
        self.put(key(result.fpl_id, gameweek).item(result)).await
    }
}
