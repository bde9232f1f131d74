//! The one place where AWS clients are built: credentials and region from the environment, an
//! endpoint of its own where `AWS_ENDPOINT_URL` names one, and the connector of the local run.
//! `aws-config` is not used: it costs a cold start more than everything else together.

use std::time::Duration;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// The SDK retries a throttled or broken call this often, with jitter, before we say so.
const ATTEMPTS: u32 = 6;
/// Between two attempts at the most: all of them fit into the 15 seconds that a function has which answers a call.
const LONGEST_BACKOFF: Duration = Duration::from_secs(2);

/// What all the clients share.
#[derive(Debug, Clone)]
pub struct Aws {
    http: SharedHttpClient,
    credentials: Credentials,
    region: String,
    endpoint: Option<String>,
}

/// The same builder steps for every service: their config types have no common trait.
macro_rules! client {
    ($aws:expr, $sdk:ident) => {
        client!(
            $aws,
            $sdk,
            RetryConfig::standard().with_max_attempts(ATTEMPTS).with_max_backoff(LONGEST_BACKOFF)
        )
    };
    ($aws:expr, $sdk:ident, $retries:expr) => {{
        let config = $sdk::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new($aws.region.clone()))
            .credentials_provider($aws.credentials.clone())
            .http_client($aws.http.clone())
            .retry_config($retries);
        let config = match &$aws.endpoint {
            Some(endpoint) => config.endpoint_url(endpoint),
            None => config,
        };
        $sdk::Client::from_conf(config.build())
    }};
}

impl Aws {
    /// `connector` carries every call in the local run; without it calls go over the network.
    #[must_use]
    pub fn new(region: &str, connector: Option<SharedHttpClient>) -> Self {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        match connector {
            Some(http) => Self {
                http,
                credentials: Credentials::new("local", "local", None, None, "local"),
                region: region.to_owned(),
                endpoint: None,
            },
            None => Self {
                http: aws_smithy_http_client::Builder::new()
                    .tls_provider(Provider::Rustls(CryptoMode::Ring))
                    .build_https(),
                credentials: Credentials::new(
                    var("AWS_ACCESS_KEY_ID").unwrap_or_default(),
                    var("AWS_SECRET_ACCESS_KEY").unwrap_or_default(),
                    var("AWS_SESSION_TOKEN"),
                    None,
                    "environment",
                ),
                region: region.to_owned(),
                endpoint: var("AWS_ENDPOINT_URL"),
            },
        }
    }

    #[must_use]
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        client!(self, aws_sdk_dynamodb)
    }

    #[must_use]
    pub fn sqs(&self) -> aws_sdk_sqs::Client {
        client!(self, aws_sdk_sqs)
    }

    #[must_use]
    pub fn ssm(&self) -> aws_sdk_ssm::Client {
        client!(self, aws_sdk_ssm)
    }

    #[must_use]
    pub fn eventbridge(&self) -> aws_sdk_eventbridge::Client {
        client!(self, aws_sdk_eventbridge)
    }

    /// Tries once: a mail whose answer was lost may be out, and trying again is the queue's.
    #[must_use]
    pub fn ses(&self) -> aws_sdk_sesv2::Client {
        client!(self, aws_sdk_sesv2, RetryConfig::disabled())
    }
}
