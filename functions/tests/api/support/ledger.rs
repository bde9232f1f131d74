//! The books, as every test that looks at them has them checked.

use std::collections::BTreeMap;

use local::settings::{DataDir, Settings};
use reqwest::{Method, header::ACCEPT};
use serde_json::Value;

use super::{Person, World, invariants, read};

/// Every account's sum and every wallet's balance, in KES.
pub struct Ledger {
    pub accounts: BTreeMap<String, i64>,
    pub wallets: BTreeMap<String, i64>,
}

impl Ledger {
    pub fn account(&self, name: &str) -> i64 {
        self.accounts.get(name).copied().unwrap_or(0)
    }

    /// What a player owes by the books: 0, or below it.
    pub fn debt(&self, person: &Person) -> i64 {
        self.account(&format!("debt:{}", person.id))
    }

    /// How many wallets have just so much.
    pub fn wallets_with(&self, balance: i64) -> usize {
        self.wallets.values().filter(|has| **has == balance).count()
    }
}

impl World {
    /// The books: they sum to zero, every wallet is what its postings say, and what always holds does.
    pub async fn ledger(&self) -> Ledger {
        let ledger = self.nobody().get("/sim/api/ledger").await.expect(200);
        let read = |part: &Value| -> BTreeMap<String, i64> {
            let map = part.as_object().expect("a map").iter();
            map.map(|(name, amount)| (name.clone(), amount.as_i64().expect("whole KES"))).collect()
        };
        let (accounts, wallets) = (read(&ledger["accounts"]), read(&ledger["wallets"]));
        let debts = read(&ledger["debts"]);
        assert_eq!(ledger["sum"], 0);
        assert_eq!(accounts.values().sum::<i64>(), 0, "{accounts:?}");
        for (player, balance) in &wallets {
            assert!(*balance >= 0, "{player} is below zero");
            let posted = accounts.get(&format!("wallet:{player}")).copied().unwrap_or(0);
            assert_eq!(posted, *balance, "the postings of {player}");
            let owed = debts.get(player).copied().unwrap_or(0);
            let posted = accounts.get(&format!("debt:{player}")).copied().unwrap_or(0);
            assert_eq!(-posted, owed, "what {player} owes by the postings");
            assert!(owed >= 0 && (owed == 0 || *balance == 0), "{player} owes {owed} and has {balance}");
        }
        invariants::check(self).await;
        Ledger { accounts, wallets }
    }

    /// Where these rates of taxes count, by the parameter that says so: the season begins in August 2026.
    pub async fn taxed(rates: &[(&'static str, &str)]) -> Self {
        let parameters = rates.iter().map(|(tax, rates)| (*tax, (*rates).to_owned())).collect();
        Self::start_with(Settings { data_dir: DataDir::Memory, parameters, ..Settings::default() }).await
    }

    /// The table of taxes, its head first.
    pub async fn tax_table(&self) -> Vec<String> {
        self.export("taxes").await
    }

    /// The first page of an export, its head first.
    pub async fn export(&self, what: &str) -> Vec<String> {
        let admin = self.admin().await;
        let path = format!("/api/admin/exports/{what}");
        let request = admin.request(Method::GET, &path).header(ACCEPT, "text/csv");
        let table = read(request.bearer_auth(admin.token.as_ref().unwrap())).await.expect(200);
        table.as_str().unwrap().lines().map(str::to_owned).collect()
    }

    /// What the books say that somebody has.
    pub async fn balance(&self, person: &Person) -> i64 {
        self.ledger().await.wallets[&person.id]
    }

    /// Has the books read now, with everything in them that has happened.
    pub async fn read_books(&self) -> Value {
        self.advance(900).await;
        self.start_job("reconcile").await;
        self.advance(0).await;
        self.books_as_read().await
    }

    /// What the books' page shows once a reading has come to its end.
    pub async fn books_as_read(&self) -> Value {
        let books = self.books().await;
        assert!(books["readingSince"].is_null(), "the reading has come to its end");
        books
    }
}
