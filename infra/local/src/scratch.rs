//! A directory for one test, removed afterwards.

use std::path::{Path, PathBuf};

pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("local-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("the temporary directory can be written");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leaving it behind would harm nobody, and a panic here would hide the test's own.
        drop(std::fs::remove_dir_all(&self.0));
    }
}
