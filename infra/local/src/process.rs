//! One more process of the product beside a world's own, as another Lambda would be: on the same table
//! and the same queues, with its calls to AWS counted, and killed or held up at any of them.
//!
//! A step is a call that changes something: a write, a message, a schedule. Steps count from 1.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use app::App;
use aws_smithy_runtime_api::client::{
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use clients::Clock;
use tokio::sync::Notify;

use crate::aws::{
    Aws, Caller, http_client,
    meter::{is_read, operation, units},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Lives,
    /// It ends as it takes this step, which is not done.
    DiesBefore(u64),
    /// It ends when this step is done, and never learns of it.
    DiesAfter(u64),
    /// The answer to this step is lost; the process lives on, and may take the step again.
    Misses(u64),
    /// A mistake of ours: the code panics as it takes this step, which is not done. What else runs in the
    /// process goes on.
    Panics(u64),
    /// It stands still before this step, with all that it has read, until something else is done.
    WaitsBefore(u64),
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    pub calls: u64,
    /// Calls that change something.
    pub steps: u64,
    /// `DynamoDB`'s capacity units, read and written together.
    pub units: f64,
    /// The bodies of the calls and of the answers together.
    pub bytes: u64,
}

pub struct Process {
    app: App,
    line: Arc<Line>,
}

impl Process {
    pub(crate) fn new(aws: Aws, like: &App, clock: Clock, fate: Fate) -> Self {
        let line = Arc::new(Line {
            aws,
            fate,
            tally: Mutex::default(),
            called: Mutex::default(),
            stopped: Notify::new(),
            going: Notify::new(),
        });
        let client = {
            let line = line.clone();
            http_client(move |request| {
                let line = line.clone();
                async move { line.pass(request).await }
            })
        };
        Self { app: App::new(like.config().clone(), clock, Some(client)), line }
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// Does `work` until it ends; `None` where the process dies first.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.line.stopped.notified() => None,
            done = work => Some(done),
        }
    }

    /// Does `work`, and all of `meanwhile` where it stands still. Without such a step `meanwhile` is left out.
    pub async fn run_around<T>(
        &self,
        work: impl Future<Output = T>,
        meanwhile: impl Future<Output = ()>,
    ) -> T {
        let mut work = pin!(work);
        tokio::select! {
            biased;
            () = self.line.stopped.notified() => {}
            done = &mut work => return done,
        }
        meanwhile.await;
        self.line.going.notify_one();
        work.await
    }

    pub fn tally(&self) -> Tally {
        *self.line.tally()
    }

    /// How often that operation of AWS's was called.
    pub fn calls_of(&self, operation: &str) -> u64 {
        self.line.called().get(operation).copied().unwrap_or_default()
    }
}

/// What the process's clients are built on.
struct Line {
    aws: Aws,
    fate: Fate,
    tally: Mutex<Tally>,
    /// How often each operation was called.
    called: Mutex<BTreeMap<String, u64>>,
    /// It has died, or stands still.
    stopped: Notify,
    /// It may go on.
    going: Notify,
}

impl Line {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn called(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn pass(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let operation = operation(&request);
        let step = self.count(&operation, request.body().bytes().map_or(0, <[u8]>::len));
        match (self.fate, step) {
            (Fate::DiesBefore(at), Some(step)) if step >= at => self.end().await,
            // What is under way at once with the last step is cut off like all that follows.
            (Fate::DiesAfter(at), Some(step)) if step > at => self.end().await,
            (Fate::Panics(at), Some(step)) if step == at => panic!("a mistake of ours"),
            (Fate::WaitsBefore(at), Some(step)) if step == at => {
                self.stopped.notify_one();
                self.going.notified().await;
            }
            _ => {}
        }
        // No network answers at once: what is begun together is under way together.
        tokio::task::yield_now().await;
        let answer = self.aws.pass(&Caller::Operator, request).await?;
        self.count_answer(&answer);
        match (self.fate, step) {
            (Fate::DiesAfter(at), Some(step)) if step == at => self.end().await,
            (Fate::Misses(at), Some(step)) if step == at => {
                Err(ConnectorError::io("the answer was lost".into()))
            }
            _ => Ok(answer),
        }
    }

    async fn end<T>(&self) -> T {
        self.stopped.notify_one();
        std::future::pending().await
    }

    /// Which step this call is; `None`: it changes nothing.
    fn count(&self, operation: &str, bytes: usize) -> Option<u64> {
        *self.called().entry(operation.to_owned()).or_default() += 1;
        let mut tally = self.tally();
        tally.calls += 1;
        tally.bytes += bytes as u64;
        if is_read(operation) {
            return None;
        }
        tally.steps += 1;
        Some(tally.steps)
    }

    fn count_answer(&self, answer: &HttpResponse) {
        let Some(body) = answer.body().bytes() else { return };
        let mut tally = self.tally();
        tally.bytes += body.len() as u64;
        tally.units += units(body);
    }
}
