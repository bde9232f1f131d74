//! The world's table as it was at one moment, laid out anew as often as wanted: for runs that all begin alike.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use app::{App, Config};
use clients::Clock;
use dynoxide::Database;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    aws::{Aws, Caller, Dynamo, Embedded, FaultLayer, Switches, http_client},
    template::Table,
};

pub struct Snapshot {
    aws: Aws,
    config: Config,
    at: Timestamp,
    tables: Vec<Table>,
    /// Bodies of `PutItem`.
    items: Vec<Value>,
}

impl Snapshot {
    pub(crate) async fn take(
        app: &App,
        aws: &Aws,
        dynamo: &Dynamo,
        tables: &[Table],
    ) -> anyhow::Result<Self> {
        let mut items = Vec::new();
        for table in tables {
            let mut page = json!({ "TableName": table.name });
            loop {
                let found = dynamo.call("Scan", &page).await?;
                let of = found["Items"].as_array().into_iter().flatten();
                items.extend(of.map(|item| json!({ "TableName": table.name, "Item": item })));
                match found.get("LastEvaluatedKey") {
                    Some(last) => page["ExclusiveStartKey"] = last.clone(),
                    None => break,
                }
            }
        }
        let (config, at) = (app.config().clone(), app.clock().now());
        Ok(Self { aws: aws.clone(), config, at, tables: tables.to_vec(), items })
    }

    /// A process of the product on a copy of the table, whose clock stands. It waits for `turn` before and after each call
    /// to AWS. It sends to the queues, which nobody reads.
    pub async fn process<T>(&self, turn: fn() -> T) -> anyhow::Result<App>
    where
        T: Future<Output = ()> + Send + 'static,
    {
        let dynamo = Dynamo::Embedded(Embedded::new(Database::memory()?));
        for table in &self.tables {
            dynamo.call("CreateTable", &table.create).await?;
        }
        for item in &self.items {
            dynamo.call("PutItem", item).await?;
        }
        let aws = self.aws.with_dynamo(FaultLayer::new(dynamo, 0, Switches::default));
        let calls = Arc::new(AtomicUsize::new(0));
        let client = http_client(move |request| {
            let aws = aws.clone();
            // Of two calls side by side one goes first, and another flow may go on between them.
            let waits_longer = calls.fetch_add(1, Ordering::Relaxed) % 2 == 1;
            async move {
                turn().await;
                if waits_longer {
                    turn().await;
                }
                let answer = aws.pass(&Caller::Operator, request).await;
                turn().await;
                answer
            }
        });
        let at = self.at;
        Ok(App::new(self.config.clone(), Clock::from_fn(move || at), Some(client)))
    }
}
