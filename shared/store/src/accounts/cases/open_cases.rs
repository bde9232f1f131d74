//! `CASES` in a player's partition names the cases that are not closed, by what they are about: one a thing, and no more than
//! a few. Whatever opens a case writes it, and so does the account's closing: of two at once one is done again.

use std::collections::BTreeMap;

use domain::{
    UserId,
    accounts::cases::{CaseState, MOST_OPEN},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{About, SupportCase, changed, key};
use crate::{
    Store, StoreError,
    accounts::keys::partition,
    platform::{table::Key, transaction::Transaction, writes::Put},
};

/// Their ids, by what they are about.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct OpenCases {
    version: u64,
    cases: BTreeMap<String, String>,
    /// The account was closed with them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    closed: bool,
}

/// Why one more is not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOpened {
    /// One about the same is open, under this id of the player's own.
    Already(String),
    TooMany,
    /// The account was closed meanwhile.
    AccountClosed,
}

impl OpenCases {
    fn with(mut self, about: &About, id: &str) -> Result<Self, NotOpened> {
        if let Some(open) = self.cases.get(&about.name()) {
            return Err(NotOpened::Already(open.clone()));
        }
        if self.cases.len() >= MOST_OPEN {
            return Err(NotOpened::TooMany);
        }
        self.cases.insert(about.name(), id.to_owned());
        self.closed = false;
        Ok(self)
    }

    pub(super) fn without(mut self, about: &About) -> Self {
        self.cases.remove(&about.name());
        self
    }

    /// Over what was read.
    pub(super) fn put(self, player: &UserId) -> Put {
        let seen = Some(self.version).filter(|version| *version > 0);
        let next = Self { version: self.version + 1, ..self };
        Put::over_version(open_key(player).item(&next), seen)
    }
}

/// The open cases of a player with one more, or why it is not opened.
pub(super) enum WithOneMore {
    Open(OpenCases),
    Not(NotOpened),
}

fn open_key(player: &UserId) -> Key {
    Key::new(partition(player), "CASES")
}

impl Store {
    pub(super) async fn open_cases(&self, player: &UserId) -> Result<OpenCases, StoreError> {
        Ok(self.get("open cases", open_key(player)).await?.unwrap_or_default())
    }

    /// With one more.
    pub(super) async fn open_cases_with(
        &self,
        player: &UserId,
        about: &About,
        id: &str,
    ) -> Result<WithOneMore, StoreError> {
        let open = self.open_cases(player).await?;
        // Money that has come in since may have opened the account again.
        if open.closed && self.player(player).await?.is_none_or(|player| player.closed_at.is_some()) {
            return Ok(WithOneMore::Not(NotOpened::AccountClosed));
        }
        Ok(match open.with(about, id) {
            Ok(open) => WithOneMore::Open(open),
            Err(not) => WithOneMore::Not(not),
        })
    }

    /// Closes what is open, in the transaction that closes the account.
    pub(crate) async fn close_cases_with_account(
        &self,
        transaction: &mut Transaction<()>,
        player: &UserId,
        reason: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let open = self.open_cases(player).await?;
        let keys = open.cases.values().map(|id| key(player, id)).collect();
        let cases: Vec<SupportCase> = self.get_many("case", keys).await?;
        for case in &cases {
            transaction.update(changed(case, CaseState::Closed, at).set("reason", reason), ());
        }
        let none = OpenCases { cases: BTreeMap::new(), closed: true, ..open };
        transaction.put(none.put(player), ());
        Ok(())
    }
}
