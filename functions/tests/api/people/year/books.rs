//! The books, as they are held against the model while a year goes on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Year, steps::Span};

/// So often the books are read until each wallet is its postings, at the most.
const BOOKS_READ: usize = 5;

/// The sum of a wallet's postings, in KES.
fn posted(books: &Value, id: &str) -> i64 {
    books["accounts"][format!("wallet:{id}")].as_i64().unwrap_or(0)
}

impl Year {
    /// What holds at every instant: the books are at zero, nobody is below it, and nobody has more than M-Pesa
    /// received for them, was paid out and they have won.
    pub async fn check(&self) {
        self.tally().checks += 1;
        self.harvest().await;
        self.model().check_cancelled();
        let books = self.books().await;
        let mut has = BTreeMap::new();
        for (id, wallet) in books["wallets"].as_object().unwrap() {
            let wallet = wallet.as_i64().unwrap();
            assert!(wallet >= 0, "{id} has {wallet}");
            assert_eq!(posted(&books, id), wallet, "postings of {id}");
            if let Some(player) = self.ids.get(id) {
                has.insert(*player, wallet - books["debts"][id].as_i64().unwrap_or(0));
            }
        }
        if let Some(player) = self.has_too_much(&has) {
            self.tell_all_of(player).await;
        }
        self.check_most(&has);
    }

    /// The books. They are read page by page, and what was begun before may go on meanwhile: a wallet that is not its postings
    /// is looked at again.
    pub async fn books(&self) -> Value {
        let mut books = Value::Null;
        for _ in 0..BOOKS_READ {
            books = self.world.nobody().get("/sim/api/ledger").await.expect(200);
            assert_eq!(books["sum"], 0, "the accounts together");
            let wallets = books["wallets"].as_object().unwrap();
            if wallets.iter().all(|(id, wallet)| wallet.as_i64() == Some(posted(&books, id))) {
                break;
            }
        }
        books
    }

    /// What the product keeps of a player, and the model, for whoever looks for the mistake.
    async fn tell_all_of(&self, player: usize) {
        let id = &self.players[player].id;
        let query = json!({
            "TableName": self.world.environment()["TABLE_NAME"], "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": format!("USER#{id}")}},
        });
        let kept = self.world.dynamo().call("Query", &query).await.unwrap();
        kept["Items"].as_array().unwrap().iter().for_each(|item| println!("{item}"));
        let user = domain::UserId::parse(id).unwrap();
        let withdrawals = self.world.app().store().withdrawals_of(&user).await.unwrap();
        withdrawals.iter().for_each(|withdrawal| println!("{withdrawal:?}"));
        self.model().tell(player);
    }

    pub fn check_most(&self, has: &BTreeMap<usize, i64>) {
        if let Some(player) = self.has_too_much(has) {
            let (name, has, most) = (self.players[player].name(), has[&player], self.model().most(player));
            panic!("{name} has {has} KES, and may have {most} at most");
        }
    }

    /// The first of them. While the winners are paid the model does not know yet what they won.
    fn has_too_much(&self, has: &BTreeMap<usize, i64>) -> Option<usize> {
        if *self.span.lock().unwrap() == Span::Final {
            return None;
        }
        let model = self.model();
        has.iter().find(|(player, has)| **has > model.most(**player)).map(|(player, _)| *player)
    }
}
