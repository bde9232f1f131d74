//! Where prompts are found: a player's own, those that are open, those that a typed code may belong to.

use domain::{Kes, MpesaPhone, UserId, manual_payment::PROMPTS_LOOKED_AT, payment::State};
use jiff::Timestamp;

use super::{OPEN, Payment, Pointer, SET_ASIDE, WITHOUT_RECEIPT, key};
use crate::{
    Page, Store, StoreError, manual_payments::as_prompt, players::partition, wallets::StoredPosting,
};

/// Of each list of the index, at a time.
const PAGE: usize = 100;

impl Store {
    /// A player's prompts since `since`, newest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn payments_since(
        &self,
        player: &UserId,
        since: Timestamp,
    ) -> Result<Vec<Payment>, StoreError> {
        let pointers: Vec<Pointer> = self.all("payment pointer", &partition(player), "PAYMENT#").await?;
        let keys = pointers.iter().map(|pointer| key(&pointer.checkout_id)).collect();
        let mut payments: Vec<Payment> = self.get_many("payment", keys).await?;
        payments.retain(|payment| payment.created_at >= since);
        payments.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
        Ok(payments)
    }

    /// Payments that nothing final is known of, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn open_payments(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Payment>, StoreError> {
        self.listed("payment", OPEN, after, limit).await
    }

    /// The prompts, whoever's, that a typed code may belong to: open, or credited without a receipt, and
    /// sent in the last 48 hours. With `amount` those of that amount. From the index, which lags a
    /// little: the player's own are read again where the money moves.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn prompts_without_receipt(
        &self,
        amount: Option<Kes>,
        now: Timestamp,
    ) -> Result<Vec<Payment>, StoreError> {
        let since = (now - PROMPTS_LOOKED_AT).to_string();
        let mut found = Vec::new();
        // A prompt goes from the first list to one of the others: in this order none is missed.
        for list in [OPEN, WITHOUT_RECEIPT, SET_ASIDE] {
            let mut after = since.clone();
            loop {
                let page: Page<Payment> = self.listed("payment", list, Some(&after), PAGE).await?;
                let fits = |payment: &Payment| {
                    amount.is_none_or(|amount| payment.amount == amount)
                        && as_prompt(payment).is_without_receipt(now)
                };
                found.extend(page.items.into_iter().filter(fits));
                match page.cursor {
                    Some(next) => after = next,
                    None => break,
                }
            }
        }
        Ok(found)
    }

    /// The numbers that a player has paid prompts from.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn phones_of_paid_prompts(&self, player: &UserId) -> Result<Vec<MpesaPhone>, StoreError> {
        let deposits: Vec<StoredPosting> = self.all("posting", &partition(player), "POST#deposit#").await?;
        let id = |cause: &str| cause.split_once('#').map(|(_, id)| key(id));
        let keys = deposits.iter().filter_map(|posting| id(&posting.cause)).collect();
        let payments: Vec<Payment> = self.get_many("payment", keys).await?;
        let paid = payments.into_iter().filter(|payment| payment.state == State::Success);
        Ok(paid.map(|payment| payment.phone).collect())
    }
}
