//! How everything is logged, in a Lambda and in the local run: a JSON object a line, with the fields
//! of the request that it belongs to. The security log (`app::platform::security_log`) is written whatever else is.

use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

/// What writes the log to `writer`. `RUST_LOG` says how much; without it, what is worth knowing.
pub fn subscriber<W>(writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let security = "security=info".parse().expect("a target and a level");
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_env_filter(filter.add_directive(security))
        .with_writer(writer)
        .finish()
}
