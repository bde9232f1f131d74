//! A folder of a test's own, gone with it, and a world there that ends and begins anew.

use std::{collections::BTreeMap, path::PathBuf};

use local::{DataDir, Settings};

use super::World;

pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fpl-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> PathBuf {
        self.0.clone()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Secrets that are not the world's own, by name; none: taken away.
pub type Secrets = BTreeMap<String, Option<String>>;

/// A world that ends and begins anew, at one address: tokens and callbacks carry it.
pub struct Place {
    folder: Folder,
    port: u16,
}

impl Place {
    pub fn new(name: &str) -> Self {
        Self { folder: Folder::new(name), port: 0 }
    }

    /// As a deployment has every function begin anew.
    pub async fn begin_anew(&mut self, secrets: &Secrets) -> World {
        let admin_password = Some("operator's own".to_owned());
        let (data_dir, secrets) = (DataDir::Path(self.folder.path()), secrets.clone());
        let settings = Settings { data_dir, secrets, admin_password, port: self.port, ..Settings::default() };
        let world = World::start_with(settings).await;
        self.port = world.base.rsplit(':').next().unwrap().parse().unwrap();
        world
    }
}
