//! The nightly reading of the books: `BOOKS/RUN` says which reading is under way, `BOOKS#id/PART#…` how far
//! each segment of the table is read and what was added up there, `BOOKS/REPORT#time` what came of it.
//!
//! This is the only thing that scans. A part is written on condition of the one before, so a message that
//! comes twice, or comes again after a death, goes on where the part stands.

use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use domain::{
    UserId,
    ledger::reconciliation::{Category, Difference},
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Store, StoreError,
    ledger::wallets::{self, StoredPosting, Wallet},
    payments::{paybill::PaybillPayment, prompts::Payment, typed_codes::TypedCode},
    platform::{
        conditions::{absent, exists, is},
        table::{Item, Key, Range, n, parse, s, text},
        writes::Put,
    },
    withdrawals::Withdrawal,
};

/// Parts are of no use once their reading is over; TTL takes them.
const PARTS_KEPT_SECONDS: i64 = 3 * 24 * 60 * 60;

/// A reading of the books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReconciliationRun {
    pub id: String,
    pub started_at: Timestamp,
    pub as_of: Timestamp,
    /// When M-Pesa told what is in our account, where it did.
    #[serde(default)]
    pub float_at: Option<Timestamp>,
    pub segments: u32,
    /// 1, or 2 where the first one found sums that do not agree.
    pub round: u8,
    #[serde(default)]
    pub suspects: Vec<(Category, Date)>,
    /// What the first round found between sums.
    #[serde(default)]
    pub found: Vec<Difference>,
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
}

/// A place in the table, beyond which reading goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePosition {
    pk: String,
    sk: String,
}

/// How far a segment is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentPart {
    /// How often it was gone on with.
    pub seq: u32,
    pub segment: u32,
    #[serde(default)]
    pub after: Option<TablePosition>,
    pub done: bool,
    /// What was added up, as JSON.
    #[serde(rename = "folded")]
    pub totals: String,
}

/// An item that has to do with money.
#[derive(Debug, Clone)]
pub enum Scanned {
    /// A posting, and whose partition it is in, where that is a player's.
    Posting(Option<UserId>, StoredPosting),
    Wallet(UserId, Wallet),
    Prompt(Payment),
    TypedCode(TypedCode),
    Withdrawal(Withdrawal),
    Paybill(PaybillPayment),
    Unreadable {
        key: String,
    },
}

/// A piece of a segment.
#[derive(Debug, Clone)]
pub struct Slice {
    pub items: Vec<Scanned>,
    /// How many items were looked at.
    pub looked_at: usize,
    /// Where it goes on; `None` at the segment's end.
    pub next: Option<TablePosition>,
}

#[derive(Serialize, Deserialize)]
struct StoredReport {
    report: String,
}

fn run_key() -> Key {
    Key::new("BOOKS", "RUN")
}

fn parts(run: &str) -> String {
    format!("BOOKS#{run}")
}

fn part_key(run: &str, round: u8, segment: u32) -> Key {
    Key::new(parts(run), format!("PART#{round}#{segment:05}"))
}

impl Store {
    /// The reading that is under way, or the last one.
    pub async fn reconciliation_run(&self) -> Result<Option<ReconciliationRun>, StoreError> {
        self.get("run", run_key()).await
    }

    /// Writes `run` in the place of `seen`. `false`: somebody else has.
    pub async fn put_reconciliation_run(
        &self,
        run: &ReconciliationRun,
        seen: Option<&ReconciliationRun>,
    ) -> Result<bool, StoreError> {
        let as_seen = match seen {
            None => absent("pk"),
            Some(seen) => is("id", &seen.id).and(is("round", seen.round)).and(match seen.finished_at {
                None => absent("finishedAt"),
                Some(_) => exists("finishedAt"),
            }),
        };
        self.put_where(Put::over(run_key().item(run)).only_if(as_seen)).await
    }

    /// How far a segment is read; from its beginning where nothing was yet.
    pub async fn reconciliation_part(
        &self,
        run: &ReconciliationRun,
        segment: u32,
    ) -> Result<SegmentPart, StoreError> {
        let part: Option<SegmentPart> = self.get("part", part_key(&run.id, run.round, segment)).await?;
        Ok(part.unwrap_or_else(|| SegmentPart { segment, ..SegmentPart::default() }))
    }

    /// Every part that was begun.
    pub async fn reconciliation_parts(
        &self,
        run: &ReconciliationRun,
    ) -> Result<Vec<SegmentPart>, StoreError> {
        self.all("part", &parts(&run.id), &format!("PART#{}#", run.round)).await
    }

    /// Writes how far a segment is read now, after the part before it. `false`: somebody else has.
    pub async fn put_reconciliation_part(
        &self,
        run: &ReconciliationRun,
        part: &SegmentPart,
    ) -> Result<bool, StoreError> {
        let mut item = part_key(&run.id, run.round, part.segment).item(part);
        item.insert("ttl".to_owned(), n(run.started_at.as_second() + PARTS_KEPT_SECONDS));
        let put = Put::over(item).only_if(absent("pk").or(is("seq", part.seq - 1)));
        self.put_where(put).await
    }

    /// Reads on in a segment: at most `limit` items, and what DynamoDB gives at once. Eventually consistent:
    /// what does not agree is read again before it counts.
    pub async fn scan_segment(
        &self,
        (segment, segments): (u32, u32),
        after: Option<&TablePosition>,
        limit: usize,
    ) -> Result<Slice, StoreError> {
        let whole = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        let mut scan = self
            .client
            .scan()
            .table_name(&self.name)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .filter_expression(
                "begins_with(sk, :posting) OR sk IN (:wallet, :prompt, :code, :withdrawal, :paybill)",
            )
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        for (name, value) in [
            (":posting", "POST#"),
            (":wallet", "WALLET"),
            (":prompt", "PAY"),
            (":code", "MANUAL"),
            (":withdrawal", "WITHDRAWAL"),
            (":paybill", "PAYBILL"),
        ] {
            scan = scan.expression_attribute_values(name, s(value));
        }
        if segments > 1 {
            scan = scan.segment(whole(segment)).total_segments(whole(segments));
        }
        if let Some(after) = after {
            let start = Key::new(&after.pk, &after.sk).attributes();
            scan = scan.set_exclusive_start_key(Some(start));
        }
        let answer = scan.send().await?;
        let next = answer.last_evaluated_key.map(|key| place(&key));
        let items = answer.items.unwrap_or_default().into_iter().map(scanned).collect();
        Ok(Slice { items, looked_at: usize::try_from(answer.scanned_count).unwrap_or(0), next })
    }

    /// A player's wallet, where there is one.
    pub async fn wallet_if_any(&self, player: &UserId) -> Result<Option<Wallet>, StoreError> {
        self.get("wallet", wallets::key(player)).await
    }

    /// Keeps what came of a reading.
    pub async fn put_reconciliation_report(
        &self,
        run: &ReconciliationRun,
        report: String,
    ) -> Result<(), StoreError> {
        let key = Key::new("BOOKS", format!("REPORT#{}", run.started_at));
        self.put(key.item(&StoredReport { report })).await
    }

    /// What came of the last reading, as JSON.
    pub async fn reconciliation_report(&self) -> Result<Option<String>, StoreError> {
        let range = Range { pk: "BOOKS", prefix: "REPORT#", after: None, newest_first: true, limit: 1 };
        let page = self.range::<StoredReport>("report", range).await?;
        Ok(page.items.into_iter().next().map(|stored| stored.report))
    }
}

fn place(item: &Item) -> TablePosition {
    let part = |name: &str| text(item, name).unwrap_or_default();
    TablePosition { pk: part("pk"), sk: part("sk") }
}

fn scanned(item: Item) -> Scanned {
    let TablePosition { pk, sk } = place(&item);
    let owner = pk.strip_prefix("USER#").and_then(|id| UserId::parse(id).ok());
    let read = match (sk.as_str(), owner) {
        ("WALLET", Some(owner)) => read(item).map(|wallet| Scanned::Wallet(owner, wallet)),
        ("PAY", _) => read(item).map(Scanned::Prompt),
        ("MANUAL", _) => read(item).map(Scanned::TypedCode),
        ("WITHDRAWAL", _) => read(item).map(Scanned::Withdrawal),
        ("PAYBILL", _) => read(item).map(Scanned::Paybill),
        (_, owner) if sk.starts_with("POST#") => read(item).map(|posting| Scanned::Posting(owner, posting)),
        _ => None,
    };
    read.unwrap_or_else(|| Scanned::Unreadable { key: format!("{pk} {sk}") })
}

fn read<T: DeserializeOwned>(item: Item) -> Option<T> {
    let wanted: Result<T, StoreError> = parse("item of the books", item);
    wanted.inspect_err(|error| tracing::warn!(%error, "an item that cannot be read")).ok()
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::AttributeValue;

    use super::*;

    fn item(pk: &str, sk: &str, attributes: &[(&str, AttributeValue)]) -> Item {
        let mut item = Key::new(pk, sk).attributes();
        item.extend(attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        item
    }

    #[test]
    fn a_wallet_is_its_players_and_what_cannot_be_read_is_named() {
        let pk = format!("USER#{}", "a".repeat(32));
        let wallet = item(&pk, "WALLET", &[("balance", n(5)), ("version", n(2))]);
        let Scanned::Wallet(owner, wallet) = scanned(wallet) else { panic!("a wallet") };
        assert_eq!((owner.as_str(), wallet.balance.get(), wallet.version), (&pk[5..], 5, 2));
        for broken in [
            item(&pk, "WALLET", &[("balance", s("5")), ("version", n(2))]),
            item("USER#x", "WALLET", &[("balance", n(5)), ("version", n(2))]),
            item("PAY#1", "PAY", &[]),
        ] {
            let TablePosition { pk, sk } = place(&broken);
            let key = format!("{pk} {sk}");
            assert!(matches!(scanned(broken), Scanned::Unreadable { key: named } if named == key));
        }
    }
}
