//! A wallet whose items are being read, and the second look at one that does not agree with its postings.

use domain::{
    Kes, UserId,
    ledger::{
        postings::Account,
        reconciliation::{WalletSeen, WalletVerdict, judge_wallet},
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::ledger::wallets::{StoredPosting, Wallet};

use crate::{App, AppError};

/// A wallet that moves at each of so many looks is busy, not wrong.
const READINGS: u32 = 3;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OpenWallet {
    pub player: UserId,
    sum: Kes,
    count: u64,
    /// What is owed by the postings.
    #[serde(default)]
    debt: Kes,
    /// What the wallet held as of the reading, by its postings.
    #[serde(default)]
    pub held: Kes,
    pub seen: Option<Wallet>,
}

impl OpenWallet {
    pub fn of(player: &UserId) -> Self {
        Self {
            player: player.clone(),
            sum: Kes::ZERO,
            count: 0,
            debt: Kes::ZERO,
            held: Kes::ZERO,
            seen: None,
        }
    }

    pub fn add(&mut self, posting: &StoredPosting, as_of: Timestamp) {
        let on = |account: Account| -> Kes {
            let name = account.to_string();
            posting.legs.iter().filter(|leg| leg.account == name).map(|leg| leg.amount).sum()
        };
        let gained = on(Account::Wallet(self.player.clone()));
        self.sum = self.sum + gained;
        self.held = if posting.at < as_of { self.held + gained } else { self.held };
        self.debt = self.debt - on(Account::Debt(self.player.clone()));
        self.count += u64::from(posting.version.is_some());
    }

    /// What the wallet is by its postings.
    pub fn posted(&self) -> WalletSeen {
        WalletSeen { balance: self.sum, version: self.count, debt: self.debt }
    }
}

pub(super) fn seen(wallet: &Wallet) -> WalletSeen {
    WalletSeen { balance: wallet.balance, version: wallet.version, debt: wallet.debt }
}

/// Reads a wallet, its postings, and the wallet again, consistently, until it stands still.
pub(super) async fn judge_again(app: &App, player: &UserId) -> Result<WalletVerdict, AppError> {
    let mut verdict = WalletVerdict::Moved;
    for _ in 0..READINGS {
        let before = app.store().wallet_if_any(player).await?.as_ref().map(seen);
        let mut sums = OpenWallet::of(player);
        app.store().postings(player).await?.iter().for_each(|posting| sums.add(posting, Timestamp::MAX));
        let after = app.store().wallet_if_any(player).await?.as_ref().map(seen);
        verdict = judge_wallet(before, sums.posted(), after);
        if verdict != WalletVerdict::Moved {
            break;
        }
    }
    Ok(verdict)
}
