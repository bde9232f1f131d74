//! Postings as they are kept, and read.

use domain::{
    Kes,
    accounts::own_limits::DatedMovement,
    ledger::{
        postings::{EXCISE, Leg, WITHHOLDING},
        taxes::Withheld,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A posting as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredPosting {
    pub cause: String,
    pub kind: String,
    /// What the player's wallet gained.
    pub amount: Kes,
    pub balance_after: Kes,
    pub legs: Vec<Leg>,
    #[serde(default)]
    pub receipt: Option<String>,
    pub at: Timestamp,
    /// The wallet's version that this posting made; absent where the wallet did not change.
    #[serde(default)]
    pub version: Option<u64>,
    /// The id of the entry that this posting belongs to.
    #[serde(default)]
    pub entry_id: Option<String>,
    #[serde(default)]
    pub entry_amount: Option<Kes>,
    /// Why, for the player to read, where the kind does not say it.
    #[serde(default)]
    pub note: Option<String>,
    /// The tax that is kept back of a withdrawal or was taken of a deposit, and its rate; with a reversal, or a correction of
    /// a withdrawal, the one that goes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax: Option<Withheld>,
}

impl StoredPosting {
    /// What it has kept back as withholding tax (negative: what is not kept back after all).
    #[must_use]
    pub fn withheld(&self) -> Kes {
        self.on(WITHHOLDING)
    }

    /// What of it is excise (negative: given back).
    #[must_use]
    pub fn excise(&self) -> Kes {
        self.on(EXCISE)
    }

    /// Of a reversal what was not in the wallet any more: the player owes it, or the operator bears it.
    #[must_use]
    pub fn not_covered(&self) -> Kes {
        if self.kind == "reversal" { self.amount + self.on("mpesa:in") + self.excise() } else { Kes::ZERO }
    }

    /// What the wallet gained before excise: of a deposit what was paid.
    #[must_use]
    pub fn before_excise(&self) -> Kes {
        self.amount + self.excise()
    }

    /// As a player's own limits count it.
    #[must_use]
    pub fn movement(&self) -> DatedMovement<'_> {
        DatedMovement { cause: &self.cause, change: self.before_excise(), at: self.at }
    }

    fn on(&self, account: &str) -> Kes {
        self.legs.iter().filter(|leg| leg.account == account).map(|leg| leg.amount).sum()
    }
}

/// A posting and in whose partition it is: a player's, or a league's where it is the operator's alone.
#[derive(Debug, Clone, Deserialize)]
pub struct DatedPosting {
    pk: String,
    #[serde(flatten)]
    pub posting: StoredPosting,
}

impl DatedPosting {
    /// The player's id; `None` for the operator's own.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        self.pk.strip_prefix("USER#")
    }
}
