//! What was heard of a payment or a payout: `PAY#id/EVENT#…` and `WITHDRAWAL#id/EVENT#…`. What is heard
//! again is counted, so a body that is delivered fifty times is one event; so is an answer that says the same
//! under another id. What M-Pesa has sent expires (TTL): it names people. What was done stays.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Store, StoreError,
    payments::prompts,
    platform::{table::Key, writes::Update},
    withdrawals,
};

/// How the sort keys of events begin.
pub(crate) const EVENTS: &str = "EVENT#";

/// A text is kept up to so many bytes.
const LONGEST: usize = 4096;

/// What M-Pesa has sent is kept for so long after it was last heard.
const BODIES_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

/// What something was heard about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    Payment(&'a str),
    Withdrawal(&'a str),
}

/// Something that was heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredEvent {
    /// `push`, `callback`, `query`, `result`, `timeout`, `answer` or `act`.
    pub kind: String,
    /// As it came, or what an admin did.
    pub text: String,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// How often.
    pub times: u64,
}

impl Subject<'_> {
    pub(crate) fn partition(self) -> String {
        match self {
            Self::Payment(id) => prompts::key(id).pk,
            Self::Withdrawal(id) => withdrawals::key(id).pk,
        }
    }
}

impl Store {
    /// Notes what was done, or what was found out: it stays.
    pub async fn note_event(
        &self,
        subject: Subject<'_>,
        kind: &str,
        text: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.note(subject, (kind, text), text, at, None).await
    }

    /// Notes what M-Pesa has sent, as it came; what `means` the same is one event. It expires.
    pub async fn note_body(
        &self,
        subject: Subject<'_>,
        (kind, means): (&str, &str),
        body: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.note(subject, (kind, means), body, at, Some(at + BODIES_KEPT)).await
    }

    async fn note(
        &self,
        subject: Subject<'_>,
        (kind, means): (&str, &str),
        text: &str,
        at: Timestamp,
        until: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let hash = hex::encode(&Sha256::digest(means)[..16]);
        let update = Update::of(Key::new(subject.partition(), format!("{EVENTS}{kind}#{hash}")))
            .set("kind", kind)
            .set("text", &text[..end])
            .set_if_absent("firstAt", at)
            .set("lastAt", at)
            .set_some("ttl", until.map(Timestamp::as_second))
            .add("times", 1);
        self.update(update).await.map(drop)
    }

    /// Everything that was heard, in the order in which it was heard first.
    pub async fn timeline(&self, subject: Subject<'_>) -> Result<Vec<StoredEvent>, StoreError> {
        let mut events: Vec<StoredEvent> = self.all("event", &subject.partition(), EVENTS).await?;
        events.sort_by_key(|event| event.first_at);
        Ok(events)
    }
}
