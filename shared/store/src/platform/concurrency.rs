//! Many calls at once, and never too many; and how long a call waits before it is tried again.

use std::{future::Future, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};

/// So many calls are under way at once.
const AT_ONCE: usize = 16;
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(640);

/// Does `task` with each of `inputs`, sixteen at once, and answers what they answer, in the inputs'
/// order. The first error ends it, and lets go of what is under way: a call that was let go may have
/// been done or not, so each has to be one that can be repeated.
///
/// # Errors
/// What a task answers.
pub async fn try_map<I, T, E, F>(
    inputs: impl IntoIterator<Item = I>,
    task: impl Fn(I) -> F,
) -> Result<Vec<T>, E>
where
    F: Future<Output = Result<T, E>>,
{
    let tasks: Vec<F> = inputs.into_iter().map(task).collect();
    stream::iter(tasks).buffered(AT_ONCE).try_collect().await
}

/// Full jitter: anything up to a bound that doubles.
pub(crate) fn pause(attempt: u32) -> Duration {
    let bound = FIRST_PAUSE.saturating_mul(1 << attempt.min(10)).min(LONGEST_PAUSE);
    bound.mul_f64(f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn sixteen_at_once_and_answers_in_order() {
        let under_way = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let answers = try_map(0..100_usize, |n| {
            let (under_way, most) = (under_way.clone(), most.clone());
            async move {
                most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                // Later ones are done sooner.
                for _ in 0..100 - n {
                    yield_now().await;
                }
                under_way.fetch_sub(1, Ordering::SeqCst);
                Ok::<_, ()>(n)
            }
        });
        assert_eq!(answers.await, Ok((0..100).collect()));
        assert_eq!((most.load(Ordering::SeqCst), under_way.load(Ordering::SeqCst)), (16, 0));
    }

    #[tokio::test]
    async fn the_first_error_ends_it() {
        let begun = Arc::new(AtomicUsize::new(0));
        let answer = try_map(0..100, |n| {
            let begun = begun.clone();
            async move {
                begun.fetch_add(1, Ordering::SeqCst);
                if n == 3 { Err(n) } else { Ok(n) }
            }
        });
        assert_eq!(answer.await, Err(3));
        assert!(begun.load(Ordering::SeqCst) < 100);
    }
}
