//! One transaction: its items, each with the name of what its refusal means.
//!
//! The request token is random per commit and kept over that commit's tries, so a reply that was
//! lost is not written twice; across commits only the conditions decide.

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{ConditionCheck, ReturnConsumedCapacity, TransactWriteItem, Update},
};

use crate::{
    Store, StoreError,
    admin::permits::{Recorded, Withheld},
    random_id,
};

/// Conflicts and throttling are met this often at most, with full jitter between.
const TRIES: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(640);

/// The items of a transaction; `R` names what a refused condition means.
#[derive(Debug)]
pub(crate) struct Transaction<R> {
    items: Vec<(TransactWriteItem, Says<R>)>,
}

/// What a refused condition says.
#[derive(Debug, Clone, Copy)]
enum Says<R> {
    /// Of what is done.
    Of(R),
    /// Of the admin's leave to do it.
    Withheld(Withheld),
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

    /// A put; with an act's record comes what the act carries.
    pub fn put(&mut self, put: impl Into<Recorded>, refusal: R) -> &mut Self {
        let Recorded { put, beside } = put.into();
        self.push(TransactWriteItem::builder().put(put).build(), refusal);
        self.items.extend(beside.into_iter().map(|(item, withheld)| (item, Says::Withheld(withheld))));
        self
    }

    pub fn update(&mut self, update: Update, refusal: R) -> &mut Self {
        self.push(TransactWriteItem::builder().update(update).build(), refusal)
    }

    /// An item that has to be as the condition says, and stays as it is.
    pub fn check(&mut self, check: ConditionCheck, refusal: R) -> &mut Self {
        self.push(TransactWriteItem::builder().condition_check(check).build(), refusal)
    }

    fn push(&mut self, item: TransactWriteItem, refusal: R) -> &mut Self {
        self.items.push((item, Says::Of(refusal)));
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
            let said = codes().zip(&refusals).filter(|(code, _)| *code == "ConditionalCheckFailed");
            let (mut refused, mut withheld) = (Vec::new(), None);
            for (_, says) in said {
                match says {
                    Says::Of(refusal) => refused.push(*refusal),
                    Says::Withheld(why) => withheld = withheld.or(Some(*why)),
                }
            }
            // What the act itself says comes first: done twice it finds itself done.
            if !refused.is_empty() {
                return Ok(Outcome::Refused(refused));
            }
            if let Some(why) = withheld {
                return Err(StoreError::Withheld(why));
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
