//! The season as players act on it: one item, `SEASON/CALENDAR`, read at each request and written
//! only by the jobs, on condition of the version that was read.

use aws_sdk_dynamodb::types::{AttributeValue, Update};
use domain::gameweek::Calendar;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    audit::Act,
    table::{Key, n},
    transaction::{Outcome, Transaction},
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
        self.change_calendar(change, None).await
    }

    /// As [`Store::update_calendar`], by hand: it is recorded even where the calendar stays as it is, for
    /// what follows from it is taken up again.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn update_calendar_by_hand(
        &self,
        change: impl Fn(Option<Calendar>) -> Option<Calendar>,
        act: &Act,
    ) -> Result<(), StoreError> {
        self.change_calendar(change, Some(act)).await
    }

    async fn change_calendar(
        &self,
        change: impl Fn(Option<Calendar>) -> Option<Calendar>,
        act: Option<&Act>,
    ) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            let seen = self.stored_calendar().await?;
            let version = seen.as_ref().map_or(0, |stored| stored.version);
            let before = seen.map(|stored| stored.calendar);
            let changed = |after: &Calendar| act.is_some() || Some(after) != before.as_ref();
            let Some(calendar) = change(before.clone()).filter(changed) else { return Ok(()) };
            if self.replace_calendar(&Stored { version: version + 1, calendar }, version, act).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended("the calendar"))
    }

    async fn stored_calendar(&self) -> Result<Option<Stored>, StoreError> {
        self.get("calendar", key()).await
    }

    async fn replace_calendar(
        &self,
        next: &Stored,
        seen: u64,
        act: Option<&Act>,
    ) -> Result<bool, StoreError> {
        let gameweeks: AttributeValue = serde_dynamo::to_attribute_value(&next.calendar.gameweeks)
            .map_err(|source| StoreError::Corrupt { entity: "calendar", source })?;
        let read_at = serde_dynamo::to_attribute_value(next.calendar.read_at)
            .map_err(|source| StoreError::Corrupt { entity: "calendar", source })?;
        let update = Update::builder()
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
            .expression_attribute_values(":seen", n(seen))
            .build()
            .expect("table, key and expression are given");
        let mut transaction = Transaction::new();
        transaction.update(update, ());
        if let Some(act) = act {
            transaction.put(self.recorded(act), ());
        }
        Ok(self.commit(transaction).await? == Outcome::Written)
    }
}
