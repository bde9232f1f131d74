//! The admins' switches, `SETTINGS/SWITCHES`. The deduction has the time of each turn, for a gameweek
//! uses what was in force at its own instant, whenever that is read; a pause holds as long as it is there.

use domain::gameweeks::calendar::Turn;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    Store, StoreError,
    admin::{
        audit::{AuditRecord, Who},
        outsiders::{Outsider, kept_out},
    },
    platform::{
        conditions::{absent, is},
        table::Key,
        transaction::Transaction,
        writes::{Check, Update},
    },
};

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

    /// Whether extra transfers are deducted by the last turn, also where another machine's clock is ahead and has stamped it
    /// later than now.
    #[must_use]
    pub fn deducts_transfers(&self) -> bool {
        self.deduct_transfer_points.last().is_none_or(|turn| turn.value)
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

/// Writes one switch, where the switches are as they were `seen`.
fn turn(turned: Update, seen: u64) -> Update {
    turned.set("version", seen + 1).only_if(absent("version").or(is("version", seen)))
}

impl Store {
    pub async fn switches(&self) -> Result<Switches, StoreError> {
        Ok(self.get("switches", key()).await?.unwrap_or_default())
    }

    /// Turns the deduction on or off, from the switches as `seen`, and says so in the act's record; `outsider` is its admin,
    /// where a gameweek is open that it counts for. `false`: the switches or the admin's wallet have moved meanwhile.
    pub async fn turn_deduction(
        &self,
        seen: &Switches,
        on: bool,
        act: &AuditRecord,
        outsider: Option<&Outsider>,
    ) -> Result<bool, StoreError> {
        let word = |on: bool| if on { "on" } else { "off" };
        let mut turns = seen.deduct_transfer_points.clone();
        // By clocks that differ a turn that was seen may be later than this act: this one comes after it.
        let at = turns.last().map_or(act.at, |last| act.at.max(last.at));
        turns.push(Turn { at, value: on, id: act.id.clone() });
        let turned = Update::of(key()).set("deductTransferPoints", &turns);
        let act = act.clone().from_to(word(!on), word(on));
        self.turn_switch(turn(turned, seen.version), &act, outsider).await
    }

    /// Pauses entries or payouts, or lets them run (`None`), from the switches as `seen`. `outsider` is the admin who lets
    /// entries into an open gameweek. `false`: they were turned meanwhile, or that admin's wallet has moved.
    pub async fn set_pause(
        &self,
        seen: &Switches,
        (what, pause): (Pausable, Option<&Pause>),
        act: &AuditRecord,
        outsider: Option<&Outsider>,
    ) -> Result<bool, StoreError> {
        let turned = Update::of(key()).set_or_remove(what.attribute(), pause);
        self.turn_switch(turn(turned, seen.version), act, outsider).await
    }

    async fn turn_switch(
        &self,
        turned: Update,
        act: &AuditRecord,
        outsider: Option<&Outsider>,
    ) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        transaction.update(turned, ()).put(self.recorded(act), ());
        if let Some(outsider) = outsider {
            transaction.update(kept_out(outsider), ());
        }
        self.commit_all(transaction).await
    }

    /// For the transaction that sends money: payouts are not paused.
    pub(crate) fn payouts_run(&self) -> Check {
        Check::that(key(), absent(Pausable::Payouts.attribute()))
    }
}
