//! Questions to M-Pesa about a receipt: `QUESTION#id/QUESTION` (TTL). M-Pesa's answer comes by another way
//! than its question, and names it: so whoever asked knows that an answer is to the question just asked, and
//! to no earlier one. The first answer that could be read stays.

use domain::payments::typed_code::ReceiptCode;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    payments::typed_codes::KnownCode,
    platform::{
        conditions::{absent, exists},
        table::{Key, n},
        writes::Update,
    },
};

/// An answer that is later than this meets nobody who waits for it.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(3 * 24);

/// A question about a receipt.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Ours and unguessable: the answer's path carries it.
    pub id: String,
    pub receipt: ReceiptCode,
    pub about: QuestionSubject,
    /// What goes on with the answer, by its id: a typed code's, for one.
    #[serde(default)]
    pub on: Option<String>,
    pub asked_at: Timestamp,
    #[serde(default)]
    pub answer: Option<KnownCode>,
}

/// Who goes on with the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionSubject {
    /// Whoever asked waits for it and reads it here.
    Waiting,
    /// A typed code.
    #[serde(rename = "code")]
    TypedCode,
    /// A payment to the paybill.
    Paybill,
}

fn key(id: &str) -> Key {
    Key::new(format!("QUESTION#{id}"), "QUESTION")
}

impl Store {
    /// Keeps a question, before it is asked.
    pub async fn keep_question(&self, question: &Question) -> Result<(), StoreError> {
        let mut item = key(&question.id).item(question);
        item.insert("ttl".to_owned(), n((question.asked_at + KEPT_FOR).as_second()));
        self.put(item).await
    }

    pub async fn question(&self, id: &str) -> Result<Option<Question>, StoreError> {
        self.get("question", key(id)).await
    }

    /// Keeps the answer to a question. `false`: it was answered before, and that stays.
    pub async fn answer_question(&self, id: &str, answer: &KnownCode) -> Result<bool, StoreError> {
        let update =
            Update::of(key(id)).set("answer", answer).only_if(exists("pk")).only_if(absent("answer"));
        self.update(update).await
    }
}
