//! The backstop. What M-Pesa has not decided yet is asked about until it is, and each question is a message that sends
//! the next one. Where a message was lost, a schedule sends it again.

use jiff::{SignedDuration, Timestamp};
use store::{Page, StoreError};

use crate::{App, AppError, platform::queues::Message};

/// A question that is this late was lost.
const LOST_AFTER: SignedDuration = SignedDuration::from_mins(20);
/// Questions that are resumed go on at their longest pause.
pub(crate) const ASKED_BEFORE_RESUMED: u32 = 8;
/// Items of one read.
pub(crate) const PAGE: usize = 100;

/// Whether a question that was due at `next` (in milliseconds), and without that at `first`, was lost.
pub(crate) fn is_lost(next: Option<i64>, first: Timestamp, now: Timestamp) -> bool {
    next.and_then(|millis| Timestamp::from_millisecond(millis).ok()).unwrap_or(first) + LOST_AFTER < now
}

/// Sends the message of each item on all pages for which there is one. Says how many that were.
pub(crate) async fn resume<T, M: Message, F: Future<Output = Result<Page<T>, StoreError>>>(
    app: &App,
    page: impl Fn(Option<String>) -> F,
    message: impl Fn(&T) -> Option<M>,
) -> Result<usize, AppError> {
    let (mut sent, mut cursor) = (0, None);
    loop {
        let Page { items, cursor: next } = page(cursor).await?;
        for message in items.iter().filter_map(&message) {
            app.send(&message, SignedDuration::ZERO).await?;
            sent += 1;
        }
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(sent),
        }
    }
}
