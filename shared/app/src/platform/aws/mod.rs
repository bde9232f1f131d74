//! The one place where AWS clients are built: credentials and region from the environment, an
//! endpoint of its own where `AWS_ENDPOINT_URL` names one, and the connector of the local run.
//! `aws-config` is not used: it costs a cold start more than everything else together. Each client is made
//! when it is first needed: every one reads its SDK's list of regions then.

mod connector;

use std::{sync::OnceLock, time::Duration};

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use connector::Connector;

/// The SDK retries a throttled or broken call this often, with jitter, before we say so.
const ATTEMPTS: u32 = 6;
/// Between two attempts at the most: all of them fit into the 15 seconds that a function has which answers a call.
const LONGEST_BACKOFF: Duration = Duration::from_secs(2);
/// Before the second attempt, with jitter; each further one waits twice as long.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);
/// The same in the local run, where a busy database is mostly made up and people wait for it.
const LOCAL_FIRST_BACKOFF: Duration = Duration::from_millis(10);

/// The clients, and what they share.
#[derive(Debug)]
pub struct Aws {
    http: SharedHttpClient,
    /// Where calls go over the network.
    connector: Option<Connector>,
    credentials: Credentials,
    region: String,
    endpoint: Option<String>,
    sqs: OnceLock<aws_sdk_sqs::Client>,
    ssm: OnceLock<aws_sdk_ssm::Client>,
    eventbridge: OnceLock<aws_sdk_eventbridge::Client>,
    ses: OnceLock<aws_sdk_sesv2::Client>,
}

/// The same builder steps for every service: their config types have no common trait.
macro_rules! client {
    ($aws:expr, $sdk:ident, $service:expr) => {
        client!(
            $aws,
            $sdk,
            $service,
            RetryConfig::standard()
                .with_max_attempts(ATTEMPTS)
                .with_initial_backoff($aws.first_backoff())
                .with_max_backoff(LONGEST_BACKOFF)
        )
    };
    ($aws:expr, $sdk:ident, $service:expr, $retries:expr) => {{
        let config = $sdk::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new($aws.region.clone()))
            .endpoint_url($aws.endpoint($service))
            .credentials_provider($aws.credentials.clone())
            .http_client($aws.http.clone())
            .retry_config($retries);
        $sdk::Client::from_conf(config.build())
    }};
}

impl Aws {
    /// `given` carries every call in the local run; without it calls go over the network.
    #[must_use]
    pub fn new(region: &str, given: Option<SharedHttpClient>) -> Self {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let credentials = match given {
            Some(_) => Credentials::new("local", "local", None, None, "local"),
            None => Credentials::new(
                var("AWS_ACCESS_KEY_ID").unwrap_or_default(),
                var("AWS_SECRET_ACCESS_KEY").unwrap_or_default(),
                var("AWS_SESSION_TOKEN"),
                None,
                "environment",
            ),
        };
        let endpoint = if given.is_some() { None } else { var("AWS_ENDPOINT_URL") };
        let connector = given.is_none().then(Connector::new);
        let http = given.or_else(|| connector.as_ref().map(Connector::client));
        Self {
            http: http.expect("given, or made"),
            connector,
            credentials,
            region: region.to_owned(),
            endpoint,
            sqs: OnceLock::new(),
            ssm: OnceLock::new(),
            eventbridge: OnceLock::new(),
            ses: OnceLock::new(),
        }
    }

    /// Of a service, by the name it has in addresses: they are of this form in every region but China's and the
    /// isolated ones.
    fn endpoint(&self, service: &str) -> String {
        match &self.endpoint {
            Some(endpoint) => endpoint.clone(),
            None => format!("https://{service}.{}.amazonaws.com", self.region),
        }
    }

    fn first_backoff(&self) -> Duration {
        if self.connector.is_some() { FIRST_BACKOFF } else { LOCAL_FIRST_BACKOFF }
    }

    /// Makes a connection to DynamoDB that its first call then finds.
    pub async fn warm(&self) {
        if let Some(connector) = &self.connector {
            connector.warm(&self.endpoint("dynamodb")).await;
        }
    }

    #[must_use]
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        client!(self, aws_sdk_dynamodb, "dynamodb")
    }

    #[must_use]
    pub fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.sqs.get_or_init(|| client!(self, aws_sdk_sqs, "sqs"))
    }

    #[must_use]
    pub fn ssm(&self) -> &aws_sdk_ssm::Client {
        self.ssm.get_or_init(|| client!(self, aws_sdk_ssm, "ssm"))
    }

    #[must_use]
    pub fn eventbridge(&self) -> &aws_sdk_eventbridge::Client {
        self.eventbridge.get_or_init(|| client!(self, aws_sdk_eventbridge, "events"))
    }

    /// Tries once: a mail whose answer was lost may be out, and trying again is the queue's.
    #[must_use]
    pub fn ses(&self) -> &aws_sdk_sesv2::Client {
        self.ses.get_or_init(|| client!(self, aws_sdk_sesv2, "email", RetryConfig::disabled()))
    }
}
