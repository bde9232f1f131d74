//! `GET /sim/api/ledger`: the accounts as the postings have them, and the wallets as they are kept.
//! Read straight from the table, so that it can prove the product's own books wrong.

use std::collections::BTreeMap;

use anyhow::Context;
use axum::{Json, extract::State};
use serde::Serialize;
use serde_json::{Value, json};
use sim::Refusal;

use super::Api;

/// All in whole KES.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Ledger {
    pub accounts: BTreeMap<String, i64>,
    /// Of all accounts: 0, or something is wrong.
    pub sum: i64,
    /// By player's id.
    pub wallets: BTreeMap<String, i64>,
    /// What players owe, by player's id; those who owe nothing are left out.
    pub debts: BTreeMap<String, i64>,
}

pub async fn show(State(api): State<Api>) -> Result<Json<Ledger>, Refusal> {
    let filter = json!({
        "FilterExpression": "begins_with(sk, :posting) OR sk = :wallet",
        "ExpressionAttributeValues": { ":posting": { "S": "POST#" }, ":wallet": { "S": "WALLET" } },
        "ConsistentRead": true,
    });
    let mut ledger = Ledger::default();
    api.dynamo.scan(&api.table, &filter, |item| ledger.add(item)).await?;
    Ok(Json(ledger))
}

impl Ledger {
    fn add(&mut self, item: &Value) -> anyhow::Result<()> {
        let key = || format!("item {} {}", item["pk"]["S"], item["sk"]["S"]);
        if item["sk"]["S"] == "WALLET" {
            let user = item["pk"]["S"].as_str().and_then(|pk| pk.strip_prefix("USER#")).with_context(key)?;
            self.wallets.insert(user.to_owned(), whole(&item["balance"]).with_context(key)?);
            if let Some(debt) = whole(&item["debt"]).filter(|debt| *debt != 0) {
                self.debts.insert(user.to_owned(), debt);
            }
            return Ok(());
        }
        for leg in item["legs"]["L"].as_array().with_context(key)? {
            let account = leg["M"]["account"]["S"].as_str().with_context(key)?;
            let amount = whole(&leg["M"]["amount"]).with_context(key)?;
            *self.accounts.entry(account.to_owned()).or_default() += amount;
            self.sum += amount;
        }
        Ok(())
    }
}

fn whole(attribute: &Value) -> Option<i64> {
    attribute["N"].as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_add_up_by_account_and_wallets_stand_as_they_are() {
        let leg =
            |account: &str, amount: &str| json!({"M": {"account": {"S": account}, "amount": {"N": amount}}});
        let posting =
            |legs: Value| json!({"pk": {"S": "USER#1"}, "sk": {"S": "POST#x"}, "legs": {"L": legs}});
        let mut ledger = Ledger::default();
        ledger.add(&posting(json!([leg("mpesa-in", "-100"), leg("wallet:1", "100")]))).unwrap();
        ledger.add(&posting(json!([leg("wallet:1", "-50"), leg("pot", "50")]))).unwrap();
        ledger.add(&json!({"pk": {"S": "USER#1"}, "sk": {"S": "WALLET"}, "balance": {"N": "50"}})).unwrap();
        let owing =
            json!({"pk": {"S": "USER#2"}, "sk": {"S": "WALLET"}, "balance": {"N": "0"}, "debt": {"N": "70"}});
        ledger.add(&owing).unwrap();
        let accounts = [("mpesa-in", -100), ("pot", 50), ("wallet:1", 50)];
        assert_eq!(ledger.accounts, accounts.map(|(name, kes)| (name.to_owned(), kes)).into());
        assert_eq!(ledger.sum, 0);
        assert_eq!(ledger.wallets, [("1".to_owned(), 50), ("2".to_owned(), 0)].into());
        assert_eq!(ledger.debts, [("2".to_owned(), 70)].into());
    }

    #[test]
    fn an_item_that_is_not_understood_is_an_error_and_names_its_key() {
        let error = Ledger::default().add(&json!({"pk": {"S": "a"}, "sk": {"S": "POST#b"}})).unwrap_err();
        assert!(error.to_string().contains("POST#b"), "{error}");
    }
}
