//! Another engine than the embedded one, where `DYNAMODB_ENDPOINT` names it (`make test-engines`), or the embedded one with
//! indexes that lag so many seconds, where `INDEX_LAG` says so (`make test-all`).

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use jiff::SignedDuration;
use local::{DataDir, Settings, settings::Keys};

static WORLDS: AtomicU64 = AtomicU64::new(0);

/// How long every world's indexes lag.
pub fn index_lag() -> SignedDuration {
    let seconds = std::env::var("INDEX_LAG").ok();
    SignedDuration::from_secs(seconds.map_or(0, |text| text.parse().expect("INDEX_LAG is in seconds")))
}

/// Engines keep apart what is signed with different keys: each world has a table of its own there, and one that is kept
/// comes back to its table. The key is twelve digits, which ministack takes for an account.
pub fn chosen(settings: Settings) -> Settings {
    let index_lag = settings.index_lag.max(index_lag());
    let settings = Settings { index_lag, ..settings };
    let Ok(endpoint) = std::env::var("DYNAMODB_ENDPOINT") else { return settings };
    let mut hasher = DefaultHasher::new();
    std::process::id().hash(&mut hasher);
    match &settings.data_dir {
        DataDir::Memory => WORLDS.fetch_add(1, Ordering::SeqCst).hash(&mut hasher),
        DataDir::Path(path) => path.hash(&mut hasher),
    }
    let key = format!("{:012}", hasher.finish() % 1_000_000_000_000);
    let keys = Keys::from_vars(|name| (name == "AWS_ACCESS_KEY_ID").then(|| key.clone()));
    Settings { dynamodb_endpoint: Some(endpoint.trim_end_matches('/').to_owned()), keys, ..settings }
}
