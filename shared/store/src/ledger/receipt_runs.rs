//! `BOOKS/RECEIPTS`: the run that asks M-Pesa about the receipts of the last days, and how far it is. Each step
//! is written on condition of the one before.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is},
        table::Key,
        writes::Put,
    },
};

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptRun {
    pub id: String,
    /// Draws the sample: secret until the night is over, and another one each night.
    pub salt: String,
    pub started_at: Timestamp,
    /// Receipts that were credited from here on are looked at. Nothing of one that an older version has written.
    #[serde(default)]
    pub since: Option<Timestamp>,
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
    /// How many were asked about in this round. Once the run has finished: how many M-Pesa has not answered about.
    pub asked: u64,
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
}

/// How a run goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptStep {
    /// In the same day, after this position.
    Further(String),
    Day(Date),
    /// From this day once more.
    Round(Date),
    Over,
}

impl ReceiptRun {
    fn after(&self, step: &ReceiptStep, asked: u64, now: Timestamp) -> Self {
        let on = Self { seq: self.seq + 1, touched_at: now, asked: self.asked + asked, ..self.clone() };
        match step {
            ReceiptStep::Further(after) => Self { after: Some(after.clone()), ..on },
            ReceiptStep::Day(day) => Self { day: *day, after: None, ..on },
            ReceiptStep::Round(day) => Self { day: *day, after: None, round: self.round + 1, asked: 0, ..on },
            ReceiptStep::Over => Self { finished_at: Some(now), ..on },
        }
    }
}

fn key() -> Key {
    Key::new("BOOKS", "RECEIPTS")
}

impl Store {
    /// The run that is under way, or the last one.
    pub async fn receipt_run(&self) -> Result<Option<ReceiptRun>, StoreError> {
        self.get("run of receipts", key()).await
    }

    /// Writes `run` in the place of `seen`. `false`: somebody else has.
    pub async fn put_receipt_run(
        &self,
        run: &ReceiptRun,
        seen: Option<&ReceiptRun>,
    ) -> Result<bool, StoreError> {
        let as_seen = match seen {
            None => absent("pk"),
            Some(seen) => is("id", &seen.id).and(is("seq", seen.seq)),
        };
        self.put_where(Put::over(key().item(run)).only_if(as_seen)).await
    }

    /// Goes on with `run` as it was read. `None`: somebody else has.
    pub async fn step_receipt_run(
        &self,
        run: &ReceiptRun,
        step: &ReceiptStep,
        asked: u64,
        now: Timestamp,
    ) -> Result<Option<ReceiptRun>, StoreError> {
        let next = run.after(step, asked, now);
        Ok(self.put_receipt_run(&next, Some(run)).await?.then_some(next))
    }
}
