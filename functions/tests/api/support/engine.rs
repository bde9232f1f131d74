//! Another engine than the embedded one, where `DYNAMODB_ENDPOINT` names it (`make test-engines`).

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use local::{DataDir, Settings, settings::Keys};

static WORLDS: AtomicU64 = AtomicU64::new(0);

/// Engines keep apart what is signed with different keys: each world has a table of its own there, and one that is kept
/// comes back to its table. The key is twelve digits, which ministack takes for an account.
pub fn chosen(settings: Settings) -> Settings {
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
