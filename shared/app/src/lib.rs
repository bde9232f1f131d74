//! Flows with two or more ways in, configuration, secrets, and the clients of AWS.

pub mod config;

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use clients::Clock;

pub use config::{Config, ConfigError};

/// Everything a function needs: configuration, clock, table, queues, outside clients.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    clock: Clock,
}

impl App {
    /// Puts the product together.
    ///
    /// `connector` carries every AWS call (DynamoDB, SQS, EventBridge, SES, SSM); `None` means
    /// the network.
    #[must_use]
    pub fn new(config: Config, clock: Clock, connector: Option<SharedHttpClient>) -> Self {
        let _ = connector;
        Self(Arc::new(Inner { config, clock }))
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }
}
