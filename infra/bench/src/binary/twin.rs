//! What ours is compared with (`infra/bench/twin`).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use super::{Setting, front::Call, lambda::Lambda};

/// The function on Node: it makes the calls of ours, those at once that ours made at once, and answers the same.
pub struct Twin(PathBuf);

impl Twin {
    pub fn new(folder: &Path) -> Self {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/twin");
        let npm = |arguments: &[&str]| {
            let done = Command::new("npm").args(arguments).current_dir(source).output().expect("npm is here");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        npm(&["ci", "--no-audit", "--no-fund"]);
        let bundle = folder.join("twin.cjs");
        npm(&["run", "bundle", "--", &format!("--outfile={}", bundle.display())]);
        Self(bundle)
    }

    pub fn environment(&self, setting: &Setting, calls: &[Call], answer: &Value) -> BTreeMap<String, String> {
        let mut groups: Vec<Vec<Value>> = Vec::new();
        let mut ended = None;
        for call in calls {
            let one = json!({"operation": call.operation, "input": call.input});
            match groups.last_mut() {
                // Made before the one before had been answered.
                Some(group) if ended.is_none_or(|ended| call.began < ended) => group.push(one),
                _ => groups.push(vec![one]),
            }
            ended = call.ended;
        }
        let root = self.0.with_file_name("root.pem");
        fs::write(&root, &setting.front.root).expect("the folder");
        let mut environment = setting.environment.clone();
        let path = std::env::var("PATH").unwrap_or_default();
        environment.extend([
            ("PATH".to_owned(), path),
            ("NODE_EXTRA_CA_CERTS".to_owned(), root.display().to_string()),
            ("CALLS".to_owned(), json!(groups).to_string()),
            ("ANSWER".to_owned(), answer["body"].as_str().unwrap_or_default().to_owned()),
        ]);
        environment
    }

    pub async fn start(&self, environment: &BTreeMap<String, String>) -> Lambda {
        Lambda::start(&["node", self.0.to_str().expect("plain")], environment).await
    }
}
