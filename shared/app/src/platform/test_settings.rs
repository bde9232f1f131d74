//! Settings for tests: they fit together and lead nowhere. Nothing that is deployed calls this.

use crate::{Config, platform::config::ConfigError};

impl Config {
    /// A value for every setting; `own` are those that a test has of its own.
    ///
    /// # Errors
    /// One of `own` is not in order.
    pub fn for_tests(own: &[(&str, String)]) -> Result<Self, ConfigError> {
        Self::from_vars(|name| {
            let own = own.iter().find(|(of, _)| *of == name);
            Some(own.map_or_else(|| usual(name).to_owned(), |(_, value)| value.clone()))
        })
    }
}

fn usual(name: &str) -> &'static str {
    match name {
        "AUTO_SETTLE" | "CREDIT_VERIFIED_CODES" | "FLOAT_TAKES_IN" | "PROMOTIONS" => "true",
        "SAFEGUARDS" => "full",
        "LIMITS" => "all",
        "BEACON_BASE_URLS" => "http://a,http://b,http://c",
        "BEACON_CHAIN_INFO" => "quicknet",
        "ACCESS_TOKEN_PUBLIC_KEYS" | "EXCISE" | "WITHHOLDING" => "",
        "EDGE_SECRET_HASHES" => "0000000000000000000000000000000000000000000000000000000000000000",
        "PUBLIC_ORIGIN" => "https://here",
        "PUSH_SERVICES" => "https://push.example",
        _ => "1",
    }
}
