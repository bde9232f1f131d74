//! What everybody is told of the books: `TRUST` / `CURRENT`, made by the nightly reading and read as it is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, less},
        table::Key,
        writes::Put,
    },
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredTrust {
    /// In milliseconds since 1970.
    as_of: i64,
    told: String,
}

fn key() -> Key {
    Key::new("TRUST", "CURRENT")
}

impl Store {
    /// What was told last, as JSON.
    pub async fn trust(&self) -> Result<Option<String>, StoreError> {
        let stored: Option<StoredTrust> = self.get("trust", key()).await?;
        Ok(stored.map(|stored| stored.told))
    }

    /// Tells it, unless what is told is of the same reading or a later one. `false`: it was.
    pub async fn put_trust(&self, told: String, as_of: Timestamp) -> Result<bool, StoreError> {
        let as_of = as_of.as_millisecond();
        let newer = absent("pk").or(less("asOf", as_of));
        self.put_where(Put::over(key().item(&StoredTrust { as_of, told })).only_if(newer)).await
    }
}
