//! `BOOKS/RECEIPTS`: the run that asks M-Pesa about the receipts of the last days, and how far it is. Each step
//! is written on condition of the one before.

use aws_sdk_dynamodb::types::Put;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::table::{Key, n, s},
};

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: String,
    /// Draws the sample: secret until the night is over, and another one each night.
    pub salt: String,
    pub started_at: Timestamp,
    /// When it last went on.
    pub touched_at: Timestamp,
    /// How often it was gone on with.
    pub seq: u64,
    /// From 1.
    pub round: u8,
    /// The day (UTC) whose receipts are looked at.
    pub day: Date,
    #[serde(default)]
    pub after: Option<String>,
    /// How many were asked about in this round.
    pub asked: u64,
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
}

/// How a run goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// In the same day, after this position.
    Further(String),
    Day(Date),
    /// From this day once more.
    Round(Date),
    Over,
}

impl Run {
    fn after(&self, step: &Step, asked: u64, now: Timestamp) -> Self {
        let on = Self { seq: self.seq + 1, touched_at: now, asked: self.asked + asked, ..self.clone() };
        match step {
            Step::Further(after) => Self { after: Some(after.clone()), ..on },
            Step::Day(day) => Self { day: *day, after: None, ..on },
            Step::Round(day) => Self { day: *day, after: None, round: self.round + 1, asked: 0, ..on },
            Step::Over => Self { finished_at: Some(now), ..on },
        }
    }
}

fn key() -> Key {
    Key::new("BOOKS", "RECEIPTS")
}

impl Store {
    /// The run that is under way, or the last one.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn receipt_run(&self) -> Result<Option<Run>, StoreError> {
        self.get("run of receipts", key()).await
    }

    /// Writes `run` in the place of `seen`. `false`: somebody else has.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn put_receipt_run(&self, run: &Run, seen: Option<&Run>) -> Result<bool, StoreError> {
        let put = Put::builder().table_name(&self.name).set_item(Some(key().item(run)));
        let put = match seen {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(seen) => put
                .condition_expression("id = :id AND seq = :seq")
                .expression_attribute_values(":id", s(&seen.id))
                .expression_attribute_values(":seq", n(seen.seq)),
        };
        self.put_where(put.build().expect("table and item are given")).await
    }

    /// Goes on with `run` as it was read. `None`: somebody else has.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn step_receipt_run(
        &self,
        run: &Run,
        step: &Step,
        asked: u64,
        now: Timestamp,
    ) -> Result<Option<Run>, StoreError> {
        let next = run.after(step, asked, now);
        Ok(self.put_receipt_run(&next, Some(run)).await?.then_some(next))
    }
}
