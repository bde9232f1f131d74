//! The operator's switches, `SETTINGS/SWITCHES`. The deduction has the time of each turn, for a gameweek
//! uses what was in force at its own instant, whenever that is read; a pause holds as long as it is there.

use domain::gameweeks::calendar::Turn;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    Store, StoreError,
    admin::audit::{AuditRecord, Who},
    platform::{
        conditions::{absent, is},
        table::Key,
        writes::{Check, Update},
    },
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum Pausable {
    Entries,
    Payouts,
}

impl Pausable {
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
    pub async fn switches(&self) -> Result<Switches, StoreError> {
        Ok(self.get("switches", key()).await?.unwrap_or_default())
    }

    /// Turns the deduction to what it is not, and says so in the act's record. Answers what it is now.
    pub async fn toggle_deduction(&self, act: &AuditRecord) -> Result<bool, StoreError> {
        let word = |on: bool| if on { "on" } else { "off" };
        for _ in 0..TRIES {
            let mut switches = self.switches().await?;
            let value = !switches.deducts_transfers_at(act.at);
            switches.deduct_transfer_points.push(Turn { at: act.at, value, id: act.id.clone() });
            let turned = Update::of(key()).set("deductTransferPoints", &switches.deduct_transfer_points);
            let act = act.clone().from_to(word(!value), word(value));
            if self.turn_switch(turned, switches.version, &act).await? {
                return Ok(value);
            }
        }
        Err(StoreError::Contended("the switches"))
    }

    /// Pauses entries or payouts, or lets them run (`None`), from the switches as `seen`. `false`: they
    /// were turned meanwhile.
    pub async fn set_pause(
        &self,
        seen: &Switches,
        what: Pausable,
        pause: Option<&Pause>,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let turned = Update::of(key()).set_or_remove(what.attribute(), pause);
        self.turn_switch(turned, seen.version, act).await
    }

    /// Writes one switch with the record of the act, where the switches are as they were `seen`.
    async fn turn_switch(&self, turned: Update, seen: u64, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = turned.set("version", seen + 1).only_if(absent("version").or(is("version", seen)));
        self.act(act, update).await
    }

    /// For the transaction that sends money: payouts are not paused.
    pub(crate) fn payouts_run(&self) -> Check {
        Check::that(key(), absent(Pausable::Payouts.attribute()))
    }
}
