//! Settings, read once at start from environment variables.

/// What is wrong with the environment, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct ConfigError {
    pub name: String,
    pub problem: String,
}

#[derive(Debug, Clone)]
pub struct Config {
    /// Where the browser reaches the product, without a trailing slash.
    pub public_origin: String,
}

impl Config {
    /// Reads every setting through `var` (the process environment in a Lambda, the template's
    /// variables in the local run).
    ///
    /// # Errors
    /// A required variable is missing, or one does not parse.
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Ok(Self { public_origin: var("PUBLIC_ORIGIN").unwrap_or_default() })
    }
}
