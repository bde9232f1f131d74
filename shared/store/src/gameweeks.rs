//! The season as players act on it: one item, `SEASON/CALENDAR`, read at each request and written
//! only by the jobs, on condition of the version that was read.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::gameweek::Calendar;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    sessions::conditional,
    table::{Key, n},
};

/// Jobs that move the calendar at once try this often.
const TRIES: u32 = 8;

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u64,
    #[serde(flatten)]
    calendar: Calendar,
}

fn key() -> Key {
    Key::new("SEASON", "CALENDAR")
}

impl Store {
    /// The calendar; `None` before the official one was first read.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn calendar(&self) -> Result<Option<Calendar>, StoreError> {
        Ok(self.stored_calendar().await?.map(|stored| stored.calendar))
    }

    /// Changes the calendar as `change` says, from what is there (`None`: nothing yet). `change` may
    /// be asked again where another job was first; answering `None` leaves everything as it is.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn update_calendar(
        &self,
        change: impl Fn(Option<Calendar>) -> Option<Calendar>,
    ) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            let seen = self.stored_calendar().await?;
            let version = seen.as_ref().map_or(0, |stored| stored.version);
            let before = seen.map(|stored| stored.calendar);
            let Some(calendar) = change(before.clone()).filter(|after| Some(after) != before.as_ref()) else {
                return Ok(());
            };
            if self.replace_calendar(&Stored { version: version + 1, calendar }, version).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended("the calendar"))
    }

    async fn stored_calendar(&self) -> Result<Option<Stored>, StoreError> {
        self.get("calendar", key()).await
    }

    async fn replace_calendar(&self, next: &Stored, seen: u64) -> Result<bool, StoreError> {
        let gameweeks: AttributeValue = serde_dynamo::to_attribute_value(&next.calendar.gameweeks)
            .map_err(|source| StoreError::Corrupt { entity: "calendar", source })?;
        let read_at = serde_dynamo::to_attribute_value(next.calendar.read_at)
            .map_err(|source| StoreError::Corrupt { entity: "calendar", source })?;
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression(
                "SET season = :season, gameweeks = :gameweeks, readAt = :read, version = :next",
            )
            .condition_expression("attribute_not_exists(pk) OR version = :seen")
            .expression_attribute_values(":season", n(next.calendar.season))
            .expression_attribute_values(":gameweeks", gameweeks)
            .expression_attribute_values(":read", read_at)
            .expression_attribute_values(":next", n(next.version))
            .expression_attribute_values(":seen", n(seen));
        conditional(update).await
    }
}
