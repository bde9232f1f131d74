//! One transaction: its items, each with the name of what its refusal means.
//!
//! The request token is random per commit and kept over that commit's tries, so a reply that was
//! lost is not written twice; across commits only the conditions decide.

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError, types::ReturnConsumedCapacity,
};

use crate::{
    Store, StoreError,
    platform::{
        concurrency::pause,
        error::Withheld,
        ids::random_id,
        writes::{Check, Put, Update, Write},
    },
};

/// Conflicts and throttling are met this often at most, with full jitter between.
const TRIES: u32 = 8;

/// The items of a transaction; `R` names what a refused condition means.
#[derive(Debug)]
pub(crate) struct Transaction<R> {
    items: Vec<(Write, UnmetCondition<R>)>,
}

/// What a refused condition says.
#[derive(Debug, Clone, Copy)]
enum UnmetCondition<R> {
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

/// A condition that was not met, in the transactions that move money and others that are several steps at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unmet {
    /// The wallet is not as it was read.
    Wallet,
    /// A posting of this cause is there already.
    Booked,
    /// The receipt is claimed.
    Receipt,
    /// M-Pesa has called the receipt reversed.
    Reversed,
    /// What is to be decided, or ended, is so already.
    Decided,
    /// Another request has bound the idempotency key.
    Key,
    /// What names the thing by another key is not as it was read.
    Pointer,
    /// The history of a limit is not as it was read.
    Limit,
    /// The account is frozen, or suspended or erased where that matters.
    Account,
    Team,
    Owes,
    /// It is not refused, or says nothing that another one does not say.
    Never,
}

/// The record of an admin's act, and what is written beside it.
#[derive(Debug)]
pub(crate) struct RecordedAct {
    pub put: Put,
    pub beside: Vec<(Write, Withheld)>,
}

impl From<Put> for RecordedAct {
    fn from(put: Put) -> Self {
        Self { put, beside: Vec::new() }
    }
}

impl<R: Copy + PartialEq> Transaction<R> {
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// A put; with an act's record comes what the act carries.
    pub fn put(&mut self, put: impl Into<RecordedAct>, refusal: R) -> &mut Self {
        let RecordedAct { put, beside } = put.into();
        self.push(Write::Put(put), refusal);
        self.items
            .extend(beside.into_iter().map(|(item, withheld)| (item, UnmetCondition::Withheld(withheld))));
        self
    }

    pub fn update(&mut self, update: Update, refusal: R) -> &mut Self {
        self.push(Write::Update(update), refusal)
    }

    pub fn check(&mut self, check: Check, refusal: R) -> &mut Self {
        self.push(Write::Check(check), refusal)
    }

    fn push(&mut self, item: Write, refusal: R) -> &mut Self {
        self.items.push((item, UnmetCondition::Of(refusal)));
        self
    }
}

impl Store {
    /// Where it does not matter which condition did not hold. `false`: nothing was written.
    pub(crate) async fn commit_all<R: Copy + PartialEq>(
        &self,
        transaction: Transaction<R>,
    ) -> Result<bool, StoreError> {
        Ok(matches!(self.commit(transaction).await?, Outcome::Written))
    }

    pub(crate) async fn commit<R: Copy + PartialEq>(
        &self,
        transaction: Transaction<R>,
    ) -> Result<Outcome<R>, StoreError> {
        let items = transaction.items.into_iter().map(|(item, says)| (item.build(&self.name), says));
        let (items, refusals): (Vec<_>, Vec<_>) = items.unzip();
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
                    UnmetCondition::Of(refusal) => refused.push(*refusal),
                    UnmetCondition::Withheld(why) => withheld = withheld.or(Some(*why)),
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
