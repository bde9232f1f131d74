//! The flows of the product, configuration, secrets, and the clients of AWS.
//!
//! A flow strings steps together; each step that moves money is one transaction in `store`, decided by a rule in
//! `domain`. The world's answers are arguments of the step that writes.
//!
//! A [`Flow<T, R>`](platform::flow::Flow) fails with a rule's refusal (`R`, whose text is shown to whoever asked) or
//! with an [`AppError`]. A call logs an `AppError` and answers 503 if something is not set up, AWS does not answer or
//! an item kept changing, and 500 otherwise. Only an act that an admin's permit withheld is answered by 409, with the
//! reason. A job that fails is tried again by its queue or schedule.

pub mod accounts;
pub mod admin;
pub mod entries;
pub mod gameweeks;
pub mod influencers;
pub mod leagues;
pub mod ledger;
pub mod payments;
pub mod platform;
pub mod settlement;
pub mod teams;
pub mod withdrawals;

use std::{sync::Arc, time::Duration};

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use clients::{
    Clock,
    beacon::{Beacon, BeaconConfig},
    daraja::{Daraja, DarajaConfig},
    fpl::Fpl,
    http::Http,
};
use platform::aws::Aws;
pub use platform::config::{Config, ConfigError, Safeguards};
pub use platform::error::AppError;
use platform::{health::Health, secrets::Secrets};
use store::Store;

/// No call to the outside world takes longer.
const OUTGOING_TIME_LIMIT: Duration = Duration::from_secs(10);

/// Everything a function needs. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    clock: Clock,
    http: Http,
    store: Store,
    secrets: Secrets,
    health: Health,
    aws: Arc<Aws>,
    daraja: Daraja,
    fpl: Fpl,
    beacon: Beacon,
}

impl App {
    /// Puts the product together. `connector` carries every AWS call; `None` means the network.
    #[must_use]
    pub fn new(config: Config, clock: Clock, connector: Option<SharedHttpClient>) -> Self {
        let aws = Arc::new(Aws::new(&config.region, connector));
        let http = Http::new();
        let daraja = DarajaConfig {
            base_url: config.daraja.base_url.clone(),
            shortcode: config.daraja.shortcode.clone(),
            party_b: config.daraja.party_b.clone(),
            transaction_type: config.daraja.transaction_type.clone(),
            time_limit: OUTGOING_TIME_LIMIT,
        };
        let beacon =
            BeaconConfig { relays: config.beacon.relays.clone(), chain: config.beacon.chain.clone() };
        let fpl = &config.fpl;
        Self(Arc::new(Inner {
            store: Store::new(aws.dynamodb(), &config.table_name),
            secrets: Secrets::new(aws.clone(), &config.secrets_prefix),
            health: Health::default(),
            aws,
            daraja: Daraja::new(daraja, http.clone()),
            fpl: Fpl::new(
                fpl.base_url.clone(),
                http.clone(),
                clock.clone(),
                fpl.requests_per_second,
                OUTGOING_TIME_LIMIT,
            ),
            beacon: Beacon::new(beacon, http.clone()),
            http,
            config,
            clock,
        }))
    }

    /// Makes a connection to the table that the first call then finds. What goes wrong is that call's to tell.
    pub async fn warm(&self) {
        self.0.aws.warm().await;
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.0.secrets
    }

    #[must_use]
    pub fn health(&self) -> &Health {
        &self.0.health
    }

    #[must_use]
    pub fn fpl(&self) -> &Fpl {
        &self.0.fpl
    }

    #[must_use]
    pub fn beacon(&self) -> &Beacon {
        &self.0.beacon
    }

    pub(crate) fn daraja(&self) -> &Daraja {
        &self.0.daraja
    }

    pub(crate) fn http(&self) -> &Http {
        &self.0.http
    }

    pub(crate) fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.0.aws.sqs()
    }

    pub(crate) fn eventbridge(&self) -> &aws_sdk_eventbridge::Client {
        self.0.aws.eventbridge()
    }

    pub(crate) fn ses(&self) -> &aws_sdk_sesv2::Client {
        self.0.aws.ses()
    }
}
