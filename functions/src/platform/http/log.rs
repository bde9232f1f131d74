//! How everything is logged, in a Lambda and in the local run: a JSON object a line, with the fields
//! of the request that it belongs to. The security log (`app::platform::security_log`) is written whatever else is.

use tracing::{Level, Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{filter::Targets, fmt::MakeWriter, layer::SubscriberExt};

/// What writes the log to `writer`. `RUST_LOG` says how much (`info`, or `info,app=debug`); without it, what is worth
/// knowing.
pub fn subscriber<W>(writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_writer(writer);
    let wanted = std::env::var("RUST_LOG").unwrap_or_default();
    tracing_subscriber::registry().with(lines).with(filter(&wanted))
}

fn filter(wanted: &str) -> Targets {
    let worth_knowing = || Targets::new().with_default(LevelFilter::INFO);
    let filter =
        if wanted.is_empty() { worth_knowing() } else { wanted.parse().unwrap_or_else(|_| worth_knowing()) };
    filter.with_target("security", Level::INFO)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::unset("", "app", Level::INFO, true)]
    #[case::unset("", "app", Level::DEBUG, false)]
    #[case::wrong("app=loud", "app", Level::INFO, true)]
    #[case::less("error", "app", Level::INFO, false)]
    #[case::more_of_one("info,app=debug", "app", Level::DEBUG, true)]
    #[case::not_of_another("info,app=debug", "store", Level::DEBUG, false)]
    #[case::nothing("off", "app", Level::ERROR, false)]
    #[case::the_security_log_always("off", "security", Level::INFO, true)]
    fn the_log_has_what_is_wanted(
        #[case] wanted: &str,
        #[case] of: &str,
        #[case] level: Level,
        #[case] has: bool,
    ) {
        assert_eq!(filter(wanted).would_enable(of, &level), has);
    }
}
