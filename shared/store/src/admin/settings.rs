//! The operator's switches, `SETTINGS/SWITCHES`. The deduction has the time of each turn, for a gameweek
//! uses what was in force at its own instant, whenever that is read; a pause holds as long as it is there.

use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, Update};
use domain::gameweeks::calendar::Turn;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::audit::{AuditRecord, Who},
    platform::table::{Key, n},
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
    /// No entries are taken: neither prompts for them are pushed, nor wallets joined from.
    #[serde(default)]
    pub entries_paused: Option<Pause>,
    /// Nothing is sent by M-Pesa.
    #[serde(default)]
    pub payouts_paused: Option<Pause>,
}

/// Why something does not run, since when, and who has stopped it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    pub by: Who,
    pub since: Timestamp,
    pub reason: String,
}

/// What can be paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pausable {
    Entries,
    Payouts,
}

impl Pausable {
    /// `entries` or `payouts`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Entries => "entries",
            Self::Payouts => "payouts",
        }
    }

    fn attribute(self) -> &'static str {
        match self {
            Self::Entries => "entriesPaused",
            Self::Payouts => "payoutsPaused",
        }
    }
}

impl Switches {
    /// Whether extra transfers are deducted, as of `at` (spec §1; on until first switched).
    #[must_use]
    pub fn deducts_transfers_at(&self, at: Timestamp) -> bool {
        domain::gameweeks::calendar::value_at(&self.deduct_transfer_points, true, at)
    }

    #[must_use]
    pub fn pause(&self, what: Pausable) -> Option<&Pause> {
        match what {
            Pausable::Entries => self.entries_paused.as_ref(),
            Pausable::Payouts => self.payouts_paused.as_ref(),
        }
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

    /// Turns the deduction to what it is not, and says so in the act's record. Answers what it is now.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn toggle_deduction(&self, act: &AuditRecord) -> Result<bool, StoreError> {
        let word = |on: bool| if on { "on" } else { "off" };
        for _ in 0..TRIES {
            let mut switches = self.switches().await?;
            let value = !switches.deducts_transfers_at(act.at);
            switches.deduct_transfer_points.push(Turn { at: act.at, value, id: act.id.clone() });
            let turns = attribute(&switches.deduct_transfer_points)?;
            let turned = ("SET deductTransferPoints = :value", Some(turns));
            let act = act.clone().from_to(word(!value), word(value));
            if self.turn_switch(switches.version, turned, &act).await? {
                return Ok(value);
            }
        }
        Err(StoreError::Contended("the switches"))
    }

    /// Pauses entries or payouts, or lets them run (`None`), from the switches as `seen`. `false`: they
    /// were turned meanwhile.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_pause(
        &self,
        seen: &Switches,
        what: Pausable,
        pause: Option<&Pause>,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let name = what.attribute();
        match pause {
            Some(pause) => {
                let pause = attribute(pause)?;
                self.turn_switch(seen.version, (&format!("SET {name} = :value"), Some(pause)), act).await
            }
            None => self.turn_switch(seen.version, (&format!("REMOVE {name}"), None), act).await,
        }
    }

    /// Writes one switch with the record of the act, where the switches are as they were `seen`.
    async fn turn_switch(
        &self,
        seen: u64,
        (expression, value): (&str, Option<AttributeValue>),
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let version = if value.is_some() { ", version = :next" } else { " SET version = :next" };
        let mut update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression(format!("{expression}{version}"))
            .condition_expression("attribute_not_exists(version) OR version = :seen")
            .expression_attribute_values(":next", n(seen + 1))
            .expression_attribute_values(":seen", n(seen));
        if let Some(value) = value {
            update = update.expression_attribute_values(":value", value);
        }
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// For the transaction that sends money: payouts are not paused.
    pub(crate) fn payouts_run(&self) -> ConditionCheck {
        ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .condition_expression(format!("attribute_not_exists({})", Pausable::Payouts.attribute()))
            .build()
            .expect("table, key and condition are given")
    }
}

fn attribute<T: Serialize>(value: &T) -> Result<AttributeValue, StoreError> {
    serde_dynamo::to_attribute_value(value)
        .map_err(|source| StoreError::Corrupt { entity: "switches", source })
}
