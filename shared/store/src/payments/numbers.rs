//! Own numbers: `NUMBER#2547…/OWN` says whose a number is, one account at a time. It is claimed after the credit
//! of a paid prompt, never in it: a claim that is lost or late holds no money up, and its step repeats.
//!
//! A number that an admin has released stays as an item: only a prompt that was sent after that claims it
//! again, so that late news of an older one does not.

use domain::{MpesaPhone, UserId, payments::own_number::Proof};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{BARRED_UNTIL, profile_key},
        players::Player,
    },
    admin::audit::AuditRecord,
    payments::prompts::Payment,
    platform::{
        conditions::{absent, exists, is},
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        writes::{Check, Put, Update},
    },
};

/// Whose a number is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnNumber {
    pub user_id: UserId,
    pub phone: MpesaPhone,
    /// The prompt that it was claimed by.
    pub payment_id: String,
    pub since: Timestamp,
    /// When it was last proved: `since`, or later where that was near a new password.
    pub proof: Proof,
    /// When an admin released it: it is nobody's.
    #[serde(default)]
    pub released_at: Option<Timestamp>,
    /// Its present or last owner has stopped: until then nobody else may take it. In milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    barred_until: Option<i64>,
    /// How often it was written.
    #[serde(default)]
    version: u64,
}

impl OwnNumber {
    fn first(payment: &Payment, proof: Proof) -> Self {
        Self {
            user_id: payment.user_id.clone(),
            phone: payment.phone.clone(),
            payment_id: payment.id.clone(),
            since: proof.at,
            proof,
            released_at: None,
            barred_until: None,
            version: 0,
        }
    }

    /// Whether it is `player`'s.
    #[must_use]
    pub fn is_of(&self, player: &UserId) -> bool {
        self.released_at.is_none() && self.user_id == *player
    }

    /// Whether it is somebody's, and not `player`'s.
    #[must_use]
    pub fn is_anothers(&self, player: &UserId, now: Timestamp) -> bool {
        self.user_id != *player && (self.released_at.is_none() || self.is_barred(player, now))
    }

    /// Whether its present or last owner is somebody else, who has stopped.
    #[must_use]
    pub fn is_barred(&self, player: &UserId, now: Timestamp) -> bool {
        self.user_id != *player && self.barred_until.is_some_and(|until| now.as_millisecond() < until)
    }
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// It has become the player's by this prompt.
    Now,
    /// It is the player's by this prompt since a try before.
    Own,
    /// It was the player's before, by another prompt.
    Before,
    /// It is another player's, or was released after this prompt was sent, or what is personal of the account goes.
    No,
}

pub(crate) fn key(phone: &MpesaPhone) -> Key {
    Key::new(format!("NUMBER#{}", phone.as_str()), "OWN")
}

/// A claim may lose against others this often.
const TRIES: u32 = 8;

/// The account is there, and its erasure has not begun.
fn not_erased(player: &UserId) -> Check {
    Check::that(profile_key(player), exists("pk").and(absent("erasingAt")))
}

impl Store {
    /// Whose a number is; one that was released is told as well.
    pub async fn own_number(&self, phone: &MpesaPhone) -> Result<Option<OwnNumber>, StoreError> {
        self.get("own number", key(phone)).await
    }

    /// A player's own numbers, in order of when they became so.
    pub async fn own_numbers(&self, player: &UserId) -> Result<Vec<OwnNumber>, StoreError> {
        let mut numbers = self.numbers_last_of(player).await?;
        numbers.retain(|number| number.is_of(player));
        numbers.sort_by_key(|number| number.since);
        Ok(numbers)
    }

    /// The numbers that are a player's own, or were and have been nobody else's since.
    pub async fn numbers_last_of(&self, player: &UserId) -> Result<Vec<OwnNumber>, StoreError> {
        // Every one has been paid from, and what a player has paid from is kept with the player.
        let keys = self.phones_of(player).await?.iter().map(key).collect();
        let mut numbers: Vec<OwnNumber> = self.get_many("own number", keys).await?;
        numbers.retain(|number| number.user_id == *player);
        Ok(numbers)
    }

    /// Makes the number of a paid prompt its player's own, where it is nobody's; where it is the player's and
    /// was proved near a new password, proves it anew. `reset`: when the player's password was last reset. An account whose
    /// erasure has begun gets no number: it would stay when the account is gone.
    pub async fn claim_number(
        &self,
        payment: &Payment,
        reset: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<Claimed, StoreError> {
        let proof = Proof::of_prompt(payment.created_at, at, reset);
        for _ in 0..TRIES {
            let found = self.own_number(&payment.phone).await?;
            let (claim, seen) = match found {
                None => (OwnNumber::first(payment, proof), None),
                Some(own) if own.is_of(&payment.user_id) => {
                    let claimed = if own.payment_id == payment.id { Claimed::Own } else { Claimed::Before };
                    if claimed == Claimed::Own || !own.proof.is_doubtful(reset) || proof.near_reset {
                        return Ok(claimed);
                    }
                    if self.prove_again(&own, proof).await? {
                        return Ok(claimed);
                    }
                    continue;
                }
                Some(own) if own.is_barred(&payment.user_id, at) => return Ok(Claimed::No),
                Some(own) if own.released_at.is_some_and(|released| released < payment.created_at) => {
                    let seen = own.version;
                    (OwnNumber { version: seen + 1, ..OwnNumber::first(payment, proof) }, Some(seen))
                }
                Some(_) => return Ok(Claimed::No),
            };
            let mut transaction = Transaction::new();
            transaction
                .put(Put::over_version(key(&claim.phone).item(&claim), seen), Unmet::Pointer)
                .check(not_erased(&payment.user_id), Unmet::Account);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Claimed::Now),
                Outcome::Refused(why) if why.contains(&Unmet::Account) => return Ok(Claimed::No),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a number"))
    }

    /// `false`: it has changed meanwhile.
    async fn prove_again(&self, own: &OwnNumber, proof: Proof) -> Result<bool, StoreError> {
        let update = Update::of(key(&own.phone))
            .set("proof", proof)
            .add("version", 1)
            .only_if(is("version", own.version));
        self.update(update).await
    }

    /// Releases `player`'s own number, with the act's record; of who has stopped it stays nobody else's until that is
    /// over. `false`: it is not this player's.
    pub async fn release_number(
        &self,
        player: &Player,
        phone: &MpesaPhone,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(phone))
            .set("releasedAt", act.at)
            .add("version", 1)
            .only_if(is("userId", &player.id))
            .only_if(absent("releasedAt"));
        let update = match player.restraints.stopped(act.at) {
            Some(stopped) => update.set(BARRED_UNTIL, stopped.until.as_millisecond()),
            None => update,
        };
        self.act(act, update).await
    }
}
