//! What is sent to a queue: small messages that say what to look at, never what to do with money.

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use domain::GameweekId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use store::platform::concurrency::try_map;

use crate::{App, AppError, platform::error::of_aws};

/// SQS delays a message by this much at the most.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(15);
/// How long a chain's next message is waited for before it counts as lost. Longer than one run and than a hold by
/// another receiver; shorter than the queue's visibility timeout.
const DIED_AFTER: SignedDuration = SignedDuration::from_mins(2);

/// In a chain each message does a step and sends the next message. When `step`'s message is delivered again: whether
/// the next message must be sent again. It must if the chain reached `step + 1` at least `DIED_AFTER` ago (`at`): the
/// process that should have sent it has died by then. Earlier than that two copies of one message may be running, and
/// sending from both would multiply the chain.
pub(crate) fn is_next_lost(step: u64, (reached, at): (u64, Timestamp), now: Timestamp) -> bool {
    reached == step + 1 && now >= at + DIED_AFTER
}

/// To `settle-payment`: process this payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessPayment {
    pub payment_id: String,
    /// A callback's body as it came, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<String>,
    /// When it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_at: Option<Timestamp>,
    /// M-Pesa's ids (merchant's and checkout's), where they could not be kept with the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<(String, String)>,
    /// How many questions were asked before; a callback asks none.
    #[serde(default)]
    pub asked: u32,
}

impl ProcessPayment {
    /// The question after `asked` others.
    #[must_use]
    pub fn question(payment_id: &str, asked: u32) -> Self {
        Self { payment_id: payment_id.to_owned(), callback: None, received_at: None, ids: None, asked }
    }

    /// A callback's body, as it came.
    #[must_use]
    pub fn callback(payment_id: String, body: String, received_at: Timestamp) -> Self {
        Self { payment_id, callback: Some(body), received_at: Some(received_at), ids: None, asked: 0 }
    }
}

/// To `take-result`: something M-Pesa has posted about an order of ours, or is to be asked about one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum MpesaTask {
    /// A payout is asked about; `asked` counts the questions before.
    Payout { withdrawal_id: String, asked: u32 },
    /// A withdrawal that has ended, and of which M-Pesa says something else: it is asked. `asked` counts.
    Recheck { withdrawal_id: String, asked: u32 },
    /// The step `seq` of the run that asks about receipts.
    Receipts { run: String, seq: u64 },
    /// A payout's result, as it came.
    PayoutResult { withdrawal_id: String, body: String },
    /// A payout timed out in M-Pesa's queue: nothing is known of it.
    PayoutTimeout { withdrawal_id: String },
    /// The answer to a question about what `id` names, as it came.
    Answer { id: String, body: String },
    /// A typed code is checked; `asked` counts the checks before.
    #[serde(rename = "code")]
    TypedCode {
        #[serde(rename = "manualId")]
        typed_code_id: String,
        asked: u32,
    },
    /// A payment to the paybill, as it was confirmed.
    Confirmation { body: String, received_at: Timestamp },
    /// A payment to the paybill is checked; `asked` counts the checks before.
    Paybill { code: String, asked: u32 },
}

/// To `sweep-entries` and `settle-gameweek`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForGameweek {
    pub gameweek: GameweekId,
}

/// To `settle-league`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettleLeague {
    /// `2026-03-50-00001`.
    pub league: String,
}

/// To `collect-teams`: read what is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportPicks {}

/// To `read-books`: read on in this segment, from where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReconcileSegment {
    pub run: String,
    pub segment: u32,
}

/// A message that knows its queue.
pub trait Message: Serialize {
    const QUEUE: &'static str;
    fn url(app: &App) -> &str;
}

/// The sweep of a gameweek's entries.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct Sweep(pub ForGameweek);

/// Paying the winners of a gameweek.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct Settle(pub ForGameweek);

/// Which message goes to which queue: by its name, and by its address in the configuration.
macro_rules! queues {
    ($($message:ty => $queue:literal, $address:ident;)*) => {$(
        impl Message for $message {
            const QUEUE: &'static str = $queue;
            fn url(app: &App) -> &str {
                &app.config().queues.$address
            }
        }
    )*};
}

queues! {
    ProcessPayment => "payments", payments;
    MpesaTask => "results", results;
    SettleLeague => "leagues", leagues;
    ImportPicks => "teams", teams;
    ReconcileSegment => "books", reconciliation;
    Sweep => "sweeps", sweeps;
    Settle => "winners", winners;
}

impl App {
    /// Sends `message` to its queue, to be seen after `delay`.
    pub async fn send<M: Message>(&self, message: &M, delay: SignedDuration) -> Result<(), AppError> {
        let body = serde_json::to_string(message).expect("messages are plain values");
        let delay = delay.clamp(SignedDuration::ZERO, LONGEST_DELAY).as_secs();
        let delay = i32::try_from(delay).expect("at most 900 seconds");
        let request =
            self.sqs().send_message().queue_url(M::url(self)).message_body(body).delay_seconds(delay);
        let failed = |problem| AppError::Queue { queue: M::QUEUE, problem };
        request.send().await.map(drop).map_err(|error| of_aws(error, failed))
    }

    /// Sends many messages to their queue, to be seen at once, ten a call and some calls side by side. Where it fails, some
    /// may have been sent.
    pub async fn send_all<M: Message>(&self, messages: &[M]) -> Result<(), AppError> {
        try_map(messages.chunks(10), |batch| self.send_batch(batch)).await.map(drop)
    }

    async fn send_batch<M: Message>(&self, batch: &[M]) -> Result<(), AppError> {
        let failed = |problem: String| AppError::Queue { queue: M::QUEUE, problem };
        let entries = batch.iter().enumerate().map(|(i, message)| {
            let body = serde_json::to_string(message).expect("messages are plain values");
            let entry = SendMessageBatchRequestEntry::builder().id(i.to_string()).message_body(body);
            entry.build().expect("id and body are given")
        });
        let request = self.sqs().send_message_batch().queue_url(M::url(self));
        let sent = request
            .set_entries(Some(entries.collect()))
            .send()
            .await
            .map_err(|error| of_aws(error, failed))?;
        match sent.failed.first() {
            Some(refused) => Err(failed(format!("{} messages refused: {}", sent.failed.len(), refused.code))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::{
            Arc, Mutex,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use aws_smithy_runtime_api::client::{
        http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn},
        orchestrator::{HttpRequest, HttpResponse},
    };
    use aws_smithy_types::body::SdkBody;
    use clients::Clock;
    use serde_json::{Value, json};

    use super::*;
    use crate::Config;

    /// SQS, which takes its time, counts the calls that are under way at once, and refuses one message.
    #[derive(Clone, Debug, Default)]
    struct Sqs {
        taken: Arc<Mutex<BTreeSet<String>>>,
        under_way: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
        refused: Option<String>,
    }

    impl HttpConnector for Sqs {
        fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
            let (sqs, body) = (self.clone(), request.body().bytes().unwrap().to_vec());
            HttpConnectorFuture::new(async move {
                sqs.most.fetch_max(sqs.under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                sqs.under_way.fetch_sub(1, Ordering::SeqCst);
                let input: Value = serde_json::from_slice(&body).unwrap();
                let (mut successful, mut failed) = (Vec::new(), Vec::new());
                for entry in input["Entries"].as_array().unwrap() {
                    let message: SettleLeague =
                        serde_json::from_str(entry["MessageBody"].as_str().unwrap()).unwrap();
                    if sqs.refused.as_ref() == Some(&message.league) {
                        failed
                            .push(json!({"Id": entry["Id"], "Code": "InternalError", "SenderFault": false}));
                    } else {
                        successful
                            .push(json!({"Id": entry["Id"], "MessageId": "m", "MD5OfMessageBody": "m"}));
                        sqs.taken.lock().unwrap().insert(message.league);
                    }
                }
                let body = SdkBody::from(json!({"Successful": successful, "Failed": failed}).to_string());
                Ok(HttpResponse::new(200.try_into().unwrap(), body))
            })
        }
    }

    async fn sent(count: usize, refused: Option<&str>) -> (Result<(), AppError>, Sqs) {
        let sqs = Sqs { refused: refused.map(str::to_owned), ..Sqs::default() };
        let connector = SharedHttpConnector::new(sqs.clone());
        let http = http_client_fn(move |_, _| connector.clone());
        let app = App::new(Config::for_tests(&[]).unwrap(), Clock::system(), Some(http));
        let messages: Vec<_> = (0..count).map(|n| SettleLeague { league: n.to_string() }).collect();
        (app.send_all(&messages).await, sqs)
    }

    #[tokio::test]
    async fn many_messages_are_sent_some_batches_at_once() {
        let (sent, sqs) = sent(995, None).await;
        sent.unwrap();
        assert_eq!(sqs.taken.lock().unwrap().len(), 995);
        let most = sqs.most.load(Ordering::SeqCst);
        assert!((2..=16).contains(&most), "{most} at once");
    }

    #[tokio::test]
    async fn one_message_that_is_refused_fails_the_whole() {
        let (sent, _) = sent(995, Some("777")).await;
        assert_eq!(sent.unwrap_err().to_string(), "queue leagues: 1 messages refused: InternalError");
    }
}
