//! What M-Pesa says of typed codes that wait, and when it is asked.

use domain::payments::{
    typed_code::{TypedCodeError, TypedCodeStatus},
    typed_code_check::NotByMachine,
};
use jiff::{SignedDuration, Timestamp};

use super::{KnownCode, ended, waiting_code};
use crate::{
    Store, StoreError,
    platform::conditions::{Condition, due},
};

impl Store {
    /// Notes what M-Pesa answered about a code that waits.
    pub async fn note_known_code(&self, id: &str, known: &KnownCode) -> Result<(), StoreError> {
        self.update(waiting_code(id).set("known", known)).await.map(drop)
    }

    /// Takes on a question to M-Pesa about a code that waits. `false`: it was asked about after `since`.
    pub async fn claim_code_question(
        &self,
        id: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = waiting_code(id).set("askedAt", now.as_millisecond()).only_if(due("askedAt", since));
        self.update(update).await
    }

    /// Ends a code that waits, because its receipt was credited to the same player by another way. `false` where it
    /// does not wait any more.
    pub async fn end_credited_code(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let update = ended(id, TypedCodeStatus::Rejected, None, now);
        self.update(update.set("reason", TypedCodeError::AlreadyCredited.to_string())).await
    }

    /// Ends a code that waits, because M-Pesa has taken back what the same player was credited with by another way. `false`
    /// where it does not wait any more.
    pub async fn end_reversed_code(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let update = ended(id, TypedCodeStatus::Rejected, None, now);
        self.update(update.set("reason", NotByMachine::Reversed.to_string())).await
    }

    /// Notes that no further check of a code is wanted, unless a later one is claimed.
    pub async fn end_typed_code_checks(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let update = waiting_code(id).set("looksOver", true).only_if(check_is_due(now));
        self.update(update).await.map(drop)
    }

    /// Claims the next check of a code, due after `pause`. `false`: a later one is claimed already, or
    /// it does not wait any more.
    pub async fn claim_typed_code_check(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = waiting_code(id)
            .set("nextLook", (now + pause).as_millisecond())
            .remove("looksOver")
            .only_if(check_is_due(now));
        self.update(update).await
    }
}

fn check_is_due(now: Timestamp) -> Condition {
    due("nextLook", now)
}
