//! The nightly reading of the books of a crowd's gameweek: in this process, and by what is uploaded.

use std::collections::VecDeque;

use app::{App, ledger::reconciliation, platform::queues::ReconcileSegment};
use jiff::SignedDuration;
use local::LocalRun;
use serde_json::json;

use super::{Cost, MEMORY, Measured};
use crate::{
    binary,
    table::{self, Row},
};

/// The books are read as in the night after it.
pub async fn reconcile(world: &LocalRun) -> Cost {
    let job = Measured::begin(world, world.process_with_clock(SignedDuration::from_hours(3)));
    let mut left = Messages::of_a_reading(job.app()).await;
    let mut runs = 0;
    while let Some(message) = left.next(world.app()).await {
        reconciliation::read(job.app(), &message).await.expect("it is read");
        runs += 1;
    }
    books_agree(job.app()).await;
    job.end("reconcile", runs, 0.0)
}

/// And once more by what is uploaded, as the memory of this process is the embedded database's too.
pub async fn read_apart(world: &LocalRun, entries: u32) {
    let night_after = world.process_with_clock(SignedDuration::from_hours(27));
    let mut left = Messages::of_a_reading(night_after.app()).await;
    let next = async || {
        let message = left.next(world.app()).await?;
        let body = serde_json::to_string(&message).expect("a message");
        Some(json!({ "Records": [{ "messageId": "measured", "body": body }] }))
    };
    let Some(memory) = binary::memory_of(world, "read-books", next).await else {
        println!("the books' own memory skipped: nothing is packaged (infra/package.sh x86_64)");
        return;
    };
    books_agree(night_after.app()).await;
    table::add(Row {
        what: format!("peak resident MB of reading the books, {entries} entries"),
        ours: format!("{memory:.0}"),
        rival: None,
        goal: format!("{MEMORY:.0}"),
        kept: memory <= MEMORY,
    });
}

/// The messages by which the parts of a reading are read, in turn.
struct Messages {
    segments: VecDeque<u32>,
}

impl Messages {
    async fn of_a_reading(app: &App) -> Self {
        reconciliation::start(app).await.expect("it begins");
        let run = app.store().reconciliation_run().await.expect("the table").expect("a reading");
        Self { segments: (0..run.segments).collect() }
    }

    /// Until the reading is at its end.
    async fn next(&mut self, app: &App) -> Option<ReconcileSegment> {
        let run = app.store().reconciliation_run().await.expect("the table").expect("a reading");
        if run.finished_at.is_some() {
            return None;
        }
        self.segments.rotate_left(1);
        Some(ReconcileSegment { run: run.id, segment: *self.segments.back()? })
    }
}

async fn books_agree(app: &App) {
    let report = reconciliation::latest(app).await.expect("the table").expect("a report");
    assert_eq!(report.found, 0, "the books agree: {:?}", report.differences.first());
}
