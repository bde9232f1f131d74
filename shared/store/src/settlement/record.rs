//! Settlements, `SETTLEMENTS#gameweek#amount` / number: written once, and the only thing that prizes
//! and refunds of a league are paid from.

use domain::{
    EntryAmount, FplId, GameweekId, Kes, UserId, Username,
    leagues::ranking::{Figures, Score},
    ledger::postings::Posting,
    settlement::readings::Basis,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    leagues::{LeagueId, number_key},
    ledger::wallets::operator_posting,
    platform::{
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        writes::Put,
    },
};

/// What a league was paid from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    pub league: String,
    pub at: Timestamp,
    #[serde(default)]
    pub basis: Basis,
    /// Who decided it and why, where it was not the figures alone.
    #[serde(default)]
    pub decision: Option<SettlementDecision>,
    /// Whether extra transfers were deducted: as of the official deadline.
    pub deduct_transfer_points: bool,
    pub fee_percent: u8,
    /// What its members paid in, refunds included.
    pub collected: Kes,
    pub fee: Kes,
    pub rounding: Kes,
    /// Best first; who is not ranked comes last.
    pub ranking: Vec<Ranked>,
    /// SHA-256 (hex) over the figures as they stand here.
    pub figures_hash: String,
}

/// An admin's decision over a league that waited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementDecision {
    pub admin: UserId,
    /// Shown to everybody.
    pub reason: String,
}

/// A member with what they scored and what they are paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ranked {
    /// `None`: left out, or nobody is ranked.
    #[serde(default)]
    pub rank: Option<usize>,
    pub user_id: UserId,
    pub username: Username,
    pub fpl_id: FplId,
    #[serde(default)]
    pub team_name: Option<String>,
    /// The official ones, or our own; `None` where there were none.
    #[serde(default)]
    pub figures: Option<Figures>,
    /// Whether the figures are our own: the official game had none.
    #[serde(default)]
    pub own_figures: bool,
    #[serde(default)]
    pub score: Option<Score>,
    #[serde(default)]
    pub chip: Option<String>,
    /// KES; nothing for most.
    pub prize: Kes,
    /// KES given back, where the entry was not played for.
    #[serde(default)]
    pub refund: Kes,
}

/// What became of writing a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettlementRecorded {
    Written,
    /// Another one was there before; it counts.
    Before(Box<Settlement>),
}

fn partition(gameweek: GameweekId, amount: EntryAmount) -> String {
    format!("SETTLEMENTS#{gameweek}#{}", amount.kes().get())
}

pub(crate) fn key(id: LeagueId) -> Key {
    Key::new(partition(id.gameweek, id.amount), number_key(id.number))
}

impl Store {
    pub async fn settlement(&self, id: LeagueId) -> Result<Option<Settlement>, StoreError> {
        self.get("settlement", key(id)).await
    }

    /// The settlements of these leagues, as far as there are any.
    pub async fn settlements(&self, ids: &[LeagueId]) -> Result<Vec<Settlement>, StoreError> {
        self.get_many("settlement", ids.iter().copied().map(key).collect()).await
    }

    /// Keeps a settlement and books its fee and remainder, unless there is one already. `act`: the record of the admin
    /// who decided the league, where one did.
    pub async fn record_settlement(
        &self,
        id: LeagueId,
        settlement: &Settlement,
        act: Option<&AuditRecord>,
    ) -> Result<SettlementRecorded, StoreError> {
        let mut transaction = Transaction::new();
        transaction.put(Put::new(key(id).item(settlement)), Unmet::Decided);
        let fee = Posting::league_fee(id.gameweek, &id.to_string(), settlement.fee, settlement.rounding);
        if let Some(posting) = fee {
            let pk = partition(id.gameweek, id.amount);
            let item = operator_posting(format!("{pk}#POSTINGS"), &posting, settlement.at);
            transaction.put(Put::new(item), Unmet::Booked);
        }
        if let Some(act) = act {
            transaction.put(self.recorded(act), Unmet::Decided);
        }
        match self.commit(transaction).await? {
            Outcome::Written => Ok(SettlementRecorded::Written),
            Outcome::Refused(_) => {
                let before = self.settlement(id).await?.map(Box::new).map(SettlementRecorded::Before);
                before
                    .ok_or_else(|| StoreError::Refused(format!("the fee of {id} is booked without a record")))
            }
        }
    }
}
