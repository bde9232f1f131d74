//! One transaction: its items, each with the name of what its refusal means.
//!
//! The request token is random per commit and kept over that commit's tries, so a reply that was
//! lost is not written twice; across commits only the conditions decide (decisions, "Money").

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{ConditionCheck, Put, ReturnConsumedCapacity, TransactWriteItem, Update},
};

use crate::{Store, StoreError, random_id};

/// Conflicts and throttling are met this often at most, with full jitter between.
const TRIES: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(640);

/// The items of a transaction; `R` names what a refused condition means.
#[derive(Debug)]
pub(crate) struct Transaction<R> {
    items: Vec<(TransactWriteItem, R)>,
}

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome<R> {
    Written,
    /// Nothing was written; these conditions did not hold.
    Refused(Vec<R>),
}

impl<R: Copy + PartialEq> Transaction<R> {
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }

    pub fn put(&mut self, put: Put, refusal: R) -> &mut Self {
        self.items.push((TransactWriteItem::builder().put(put).build(), refusal));
        self
    }

    pub fn update(&mut self, update: Update, refusal: R) -> &mut Self {
        self.items.push((TransactWriteItem::builder().update(update).build(), refusal));
        self
    }

    /// An item that has to be as the condition says, and stays as it is.
    pub fn check(&mut self, check: ConditionCheck, refusal: R) -> &mut Self {
        self.items.push((TransactWriteItem::builder().condition_check(check).build(), refusal));
        self
    }
}

impl Store {
    pub(crate) async fn commit<R: Copy + PartialEq>(
        &self,
        transaction: Transaction<R>,
    ) -> Result<Outcome<R>, StoreError> {
        let (items, refusals): (Vec<_>, Vec<_>) = transaction.items.into_iter().unzip();
        let request = self
            .client
            .transact_write_items()
            .set_transact_items(Some(items))
            .client_request_token(random_id())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        for attempt in 0.. {
            let Err(error) = request.clone().send().await else { return Ok(Outcome::Written) };
            let reasons = match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    cancelled.cancellation_reasons()
                }
                Some(TransactWriteItemsError::TransactionInProgressException(_)) => &[],
                _ => return Err(error.into()),
            };
            let codes = || reasons.iter().map(|reason| reason.code().unwrap_or("None"));
            if codes().any(|code| code == "ValidationError") {
                return Err(StoreError::Refused(format!("{:?}", codes().collect::<Vec<_>>())));
            }
            let refused: Vec<R> = codes()
                .zip(&refusals)
                .filter(|(code, _)| *code == "ConditionalCheckFailed")
                .map(|(_, refusal)| *refusal)
                .collect();
            if !refused.is_empty() {
                return Ok(Outcome::Refused(refused));
            }
            if attempt + 1 >= TRIES {
                return Err(error.into());
            }
            tokio::time::sleep(pause(attempt)).await;
        }
        unreachable!("the loop ends by returning")
    }
}

/// Full jitter: anything up to a bound that doubles.
pub(crate) fn pause(attempt: u32) -> Duration {
    let bound = FIRST_PAUSE.saturating_mul(1 << attempt.min(10)).min(LONGEST_PAUSE);
    bound.mul_f64(f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX))
}
