//! Where prompts are found: a player's own, those that are open, those that a receipt may belong to, those that
//! a draw waits for.

use std::collections::BTreeSet;

use domain::{
    GameweekId, UserId,
    payments::{
        prompt::PaymentState,
        receipt_match::{HELD_FOR, MACHINES_DIFFER, PAID_WITHIN, PromptMatch, ReceiptFacts, match_prompt},
    },
};
use jiff::{SignedDuration, Timestamp, civil::Date};

use super::{CheckoutPointer, OPEN, POINTER, Payment, SET_ASIDE, WITHOUT_RECEIPT, key};
use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    platform::{journals::Journal, table::Range},
};

/// How many prompts of a list one read of the index takes.
const PAGE: usize = 100;

impl Store {
    /// A player's prompts since `since`, newest first.
    pub async fn payments_since(
        &self,
        player: &UserId,
        since: Timestamp,
    ) -> Result<Vec<Payment>, StoreError> {
        // In the order of the text of the time a fraction of a second comes first.
        let first = since.checked_sub(SignedDuration::from_secs(1)).unwrap_or(since);
        let (pk, mut after) = (partition(player), Some(format!("{POINTER}{first}")));
        let mut keys = Vec::new();
        while let Some(last) = after {
            let range =
                Range { pk: &pk, prefix: POINTER, after: Some(&last), newest_first: false, limit: 1000 };
            let page: Page<CheckoutPointer> = self.range("payment pointer", range).await?;
            keys.extend(page.items.iter().map(|pointer| key(&pointer.checkout_id)));
            after = page.cursor;
        }
        let mut payments: Vec<Payment> = self.get_many("payment", keys).await?;
        payments.retain(|payment| payment.created_at >= since);
        payments.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
        Ok(payments)
    }

    /// Payments that nothing final is known of, oldest first.
    pub async fn open_payments(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Payment>, StoreError> {
        self.worklist_page("payment", OPEN, after, limit).await
    }

    /// A page of the prompts that were sent on a day, oldest first.
    pub async fn payments_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Payment>, StoreError> {
        self.of_day("payment", Journal::Payments, day, after, limit).await
    }

    /// The prompts of all players that a receipt may belong to while nothing is known about it: open or credited
    /// without a receipt, and sent in the last eight days. They come from the index, which lags a little.
    pub async fn prompts_without_receipt(&self, now: Timestamp) -> Result<Vec<Payment>, StoreError> {
        let found = self.prompts_sent(now - HELD_FOR, now).await?;
        Ok(found.into_iter().filter(|payment| payment.as_sent().is_without_receipt()).collect())
    }

    /// The prompts of all players that the receipt of these facts may concern, each with what it means for the receipt;
    /// newest first. The index finds them, and each one is read again as it stands now.
    pub async fn prompts_that_match(
        &self,
        facts: &ReceiptFacts,
        now: Timestamp,
    ) -> Result<Vec<(Payment, PromptMatch)>, StoreError> {
        let (from, to) = match facts.at {
            Some(at) => (at - PAID_WITHIN, at + MACHINES_DIFFER),
            None => (now - HELD_FOR, now),
        };
        let of_amount = |payment: &Payment| facts.amount.is_none_or(|amount| amount == payment.amount);
        let found = self.prompts_sent(from, to).await?.into_iter().filter(of_amount);
        let keys: BTreeSet<String> = found.map(|payment| payment.id).collect();
        let payments: Vec<Payment> =
            self.get_many("payment", keys.iter().map(|id| key(id)).collect()).await?;
        let mut meeting: Vec<(Payment, PromptMatch)> = payments
            .into_iter()
            .map(|payment| {
                let means = match_prompt(facts, &payment.as_sent(), now);
                (payment, means)
            })
            .filter(|(_, means)| *means != PromptMatch::Free)
            .collect();
        meeting.sort_by_key(|(payment, _)| std::cmp::Reverse(payment.created_at));
        Ok(meeting)
    }

    /// The prompts on any list that were sent in this time.
    async fn prompts_sent(&self, from: Timestamp, to: Timestamp) -> Result<Vec<Payment>, StoreError> {
        // The list's order is that of the text of the time, in which a fraction of a second comes first.
        let first = (from - SignedDuration::from_secs(1)).to_string();
        let mut found: Vec<Payment> = Vec::new();
        // A prompt goes from the first list to one of the others: in this order none is missed.
        for list in [OPEN, WITHOUT_RECEIPT, SET_ASIDE] {
            let mut after = first.clone();
            loop {
                let page: Page<Payment> = self.worklist_page("payment", list, Some(&after), PAGE).await?;
                let beyond = page.items.last().is_some_and(|last| last.created_at > to);
                let sent = |payment: &Payment| (from..=to).contains(&payment.created_at);
                found.extend(page.items.into_iter().filter(sent));
                match page.cursor {
                    Some(next) if !beyond => after = next,
                    _ => break,
                }
            }
        }
        Ok(found)
    }

    /// The prompts for an entry into `gameweek` of whose success M-Pesa has told us before `fence`, and that
    /// are not decided yet: the draw's list waits for them. Each is on the list of open ones since before the
    /// deadline, or since its success was heard, stays there for an hour at least whatever M-Pesa answers, and is
    /// read again as it stands.
    pub async fn undecided_entry_prompts(
        &self,
        gameweek: GameweekId,
        fence: Timestamp,
    ) -> Result<Vec<Payment>, StoreError> {
        let (mut keys, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.open_payments(cursor.as_deref(), PAGE).await?;
            let of_gameweek = |payment: &&Payment| payment.entry.is_some_and(|e| e.gameweek == gameweek);
            keys.extend(page.items.iter().filter(of_gameweek).map(|payment| key(&payment.id)));
            match page.cursor {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        let mut payments: Vec<Payment> = self.get_many("payment", keys).await?;
        payments.retain(|payment| {
            let undecided = matches!(payment.state, PaymentState::Pending | PaymentState::Failed);
            undecided && payment.success_heard_at.is_some_and(|heard| heard < fence)
        });
        Ok(payments)
    }
}
