//! Whether the table answers. Anybody may ask, as often as they like: the table is asked now and then.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use store::{Store, StoreError};

/// An answer of the table's is good for so long.
const GOOD_FOR: Duration = Duration::from_secs(10);

/// When the table last answered this process.
#[derive(Default)]
pub struct Health(Mutex<Option<Instant>>);

impl Health {
    /// # Errors
    /// The table does not answer, or is not there.
    pub async fn check(&self, store: &Store) -> Result<(), StoreError> {
        let answered = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answered().is_some_and(|at| at.elapsed() < GOOD_FOR) {
            return Ok(());
        }
        store.calendar().await?;
        *answered() = Some(Instant::now());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use aws_smithy_runtime_api::client::{
        http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn},
        orchestrator::{HttpRequest, HttpResponse},
    };
    use aws_smithy_types::body::SdkBody;
    use clients::Clock;

    use super::*;
    use crate::{App, Config};

    /// An empty table, which counts how often it is asked.
    #[derive(Clone, Debug, Default)]
    struct Table(Arc<AtomicUsize>);

    impl HttpConnector for Table {
        fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
            self.0.fetch_add(1, Ordering::SeqCst);
            HttpConnectorFuture::ready(Ok(HttpResponse::new(200.try_into().unwrap(), SdkBody::from("{}"))))
        }
    }

    #[tokio::test]
    async fn the_table_is_asked_once_more_when_its_answer_is_ten_seconds_old() {
        let table = Table::default();
        let connector = SharedHttpConnector::new(table.clone());
        let http = http_client_fn(move |_, _| connector.clone());
        let app = App::new(Config::for_tests(&[]).unwrap(), Clock::system(), Some(http));
        let asked = async || {
            app.health().check(app.store()).await.unwrap();
            table.0.load(Ordering::SeqCst)
        };
        let answered_before = |seconds| {
            let at = Instant::now().checked_sub(Duration::from_secs(seconds));
            *app.health().0.lock().unwrap() = Some(at.expect("the machine has run for longer"));
        };
        assert_eq!(asked().await, 1);
        answered_before(5);
        assert_eq!(asked().await, 1);
        answered_before(10);
        assert_eq!(asked().await, 2);
        assert_eq!(asked().await, 2);
    }
}
