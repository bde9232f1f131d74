//! What the environment may say, parsed once. Invariant: a value that is not understood is a
//! [`Refusal`], never a default.

mod sandbox;

use std::{collections::BTreeMap, fmt::Display, path::PathBuf};

use app::{Safeguards, accounts::passwords::Params};
use aws_credential_types::Credentials;
use jiff::{SignedDuration, Timestamp};

use self::sandbox::Sandbox;

/// Why the runner does not start: which setting, file or place, and what is wrong with it, in one
/// line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {what}")]
pub struct Refusal {
    pub name: String,
    pub what: String,
}

impl Refusal {
    /// A refusal whose text is kept to one line, whatever the cause printed.
    pub fn new(name: impl Into<String>, what: impl Display) -> Self {
        let what = what.to_string();
        let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { name: name.into(), what }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataDir {
    Memory,
    Path(PathBuf),
}

/// Which of the product's limits apply; those per player and phone always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    Player,
    /// Those per caller's address too.
    All,
}

impl Limits {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::All => "all",
        }
    }
}

/// What calls to a DynamoDB elsewhere are signed with. Emulators take anything.
#[derive(Debug, Clone)]
pub struct Keys {
    pub credentials: Credentials,
    /// Where neither the server's name nor this says it, [`crate::REGION`].
    pub region: Option<String>,
}

impl Keys {
    /// The usual variables of AWS's own tools.
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Self {
        let or_local = |name: &str| var(name).unwrap_or_else(|| "local".to_owned());
        let (id, secret) = (or_local("AWS_ACCESS_KEY_ID"), or_local("AWS_SECRET_ACCESS_KEY"));
        Self {
            credentials: Credentials::new(id, secret, var("AWS_SESSION_TOKEN"), None, "environment"),
            region: var("AWS_REGION").or_else(|| var("AWS_DEFAULT_REGION")),
        }
    }
}

/// How to start a world. The default keeps nothing and takes any free port: what a test wants.
#[derive(Debug, Clone)]
pub struct Settings {
    /// 0 takes any free port.
    pub port: u16,
    pub data_dir: DataDir,
    /// A DynamoDB-compatible server to use instead of the embedded one.
    pub dynamodb_endpoint: Option<String>,
    pub keys: Keys,
    /// How long the embedded DynamoDB's indexes lag behind its table; a server has its own way.
    pub index_lag: SignedDuration,
    /// Where the simulated clock starts in a new world; a kept one goes on where it stopped.
    pub sim_clock: Timestamp,
    pub admin_email: String,
    pub admin_password: Option<String>,
    pub limits: Limits,
    pub safeguards: Safeguards,
    /// Whether the pages may advertise.
    pub promotions: bool,
    /// Parameters of the template that are not as the local run sets them.
    pub parameters: BTreeMap<&'static str, String>,
    /// Whether a partition of the table bears no more in a second than `DynamoDB`'s does.
    pub partition_limits: bool,
    /// What hashing a password costs, where that is not what it costs in the product: tests sign up thousands.
    pub password_hashing: Option<Params>,
    pub open_browser: bool,
    /// Secrets as an operator has changed them, by name; none: taken away.
    pub secrets: BTreeMap<String, Option<String>>,
    pub template: PathBuf,
    /// The built web app.
    pub web: PathBuf,
    /// A file in which it is noted which grants of the roles are used (docs/security.md says what for).
    pub used_grants: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        let workspace = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        Self {
            port: 0,
            data_dir: DataDir::Memory,
            dynamodb_endpoint: None,
            keys: Keys::from_vars(|_| None),
            index_lag: SignedDuration::ZERO,
            sim_clock: sim::FIRST_OPEN.parse().expect("the season's first instant is RFC 3339"),
            admin_email: "admin@fplleagues.test".to_owned(),
            admin_password: None,
            limits: Limits::Player,
            safeguards: Safeguards::Light,
            promotions: true,
            parameters: BTreeMap::new(),
            partition_limits: true,
            password_hashing: None,
            open_browser: false,
            secrets: BTreeMap::new(),
            template: workspace.join("template.yaml"),
            web: workspace.join("web/dist"),
            used_grants: std::env::var_os("USED_GRANTS").map(PathBuf::from),
        }
    }
}

impl Settings {
    /// Reads the environment through `var`; a variable that is empty counts as not set.
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let var = |name: &str| var(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        // Which of two words a variable has; the first where it has none.
        let is_second = |name: &str, [first, second]: [&str; 2]| match var(name) {
            Some(text) if text == second => Ok(true),
            Some(text) if text != first => {
                Err(Refusal::new(name, format!("\"{text}\" is not {first} or {second}")))
            }
            _ => Ok(false),
        };
        let default = Self::default();
        let sandbox = Sandbox::from_vars(var)?;
        // Elsewhere it is now.
        let begins = if sandbox.is_some() { Timestamp::now() } else { default.sim_clock };
        let Sandbox { mut parameters, secrets } = sandbox.unwrap_or_default();
        let taxes = [("EXCISE", "Excise"), ("WITHHOLDING", "Withholding")];
        parameters.extend(taxes.iter().filter_map(|(name, of)| var(name).map(|rates| (*of, rates))));
        Ok(Self {
            port: var("PORT").map_or(Ok(4000), |text| port(&text))?,
            data_dir: match var("DATA_DIR").as_deref() {
                None => DataDir::Path(".local".into()),
                Some("memory") => DataDir::Memory,
                Some(path) => DataDir::Path(path.into()),
            },
            dynamodb_endpoint: var("DYNAMODB_ENDPOINT").map(|text| endpoint(&text)).transpose()?,
            keys: Keys::from_vars(var),
            index_lag: default.index_lag,
            sim_clock: var("SIM_CLOCK").map_or(Ok(begins), |text| instant(&text))?,
            admin_email: var("ADMIN_EMAIL").map_or(Ok(default.admin_email), email)?,
            admin_password: var("ADMIN_PASSWORD").map(password).transpose()?,
            limits: if is_second("LIMITS", ["player", "all"])? { Limits::All } else { Limits::Player },
            parameters,
            partition_limits: true,
            safeguards: if is_second("SAFEGUARDS", ["light", "full"])? {
                Safeguards::Full
            } else {
                Safeguards::Light
            },
            promotions: !is_second("PROMOTIONS", ["on", "off"])?,
            password_hashing: default.password_hashing,
            open_browser: is_second("OPEN_BROWSER", ["0", "1"])?,
            secrets,
            template: var("TEMPLATE").map_or(default.template, PathBuf::from),
            web: default.web,
            used_grants: default.used_grants,
        })
    }
}

fn port(text: &str) -> Result<u16, Refusal> {
    text.parse::<u16>()
        .ok()
        .filter(|port| *port != 0)
        .ok_or_else(|| Refusal::new("PORT", format!("\"{text}\" is not a port (1 to 65535)")))
}

fn instant(text: &str) -> Result<Timestamp, Refusal> {
    let refuse = |what: String| Refusal::new("SIM_CLOCK", format!("\"{text}\" {what}"));
    let such = || refuse(format!("is not an RFC 3339 instant such as {}", sim::FIRST_OPEN));
    let instant: Timestamp = text.parse().map_err(|_| such())?;
    // Beyond these the arithmetic of a season would leave what a timestamp can hold.
    match instant.strftime("%Y").to_string().parse() {
        Ok(2000..2100) => Ok(instant),
        _ => Err(refuse("is not between 2000 and 2100".to_owned())),
    }
}

fn endpoint(text: &str) -> Result<String, Refusal> {
    let refuse = || Refusal::new("DYNAMODB_ENDPOINT", format!("\"{text}\" is not an http or https address"));
    let uri: http::Uri = text.parse().map_err(|_| refuse())?;
    match (uri.scheme_str(), uri.host()) {
        (Some("http" | "https"), Some(_)) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err(refuse()),
    }
}

fn email(text: String) -> Result<String, Refusal> {
    match text.split_once('@') {
        Some((name, host)) if !name.is_empty() && host.contains('.') && !text.contains(' ') => Ok(text),
        _ => Err(Refusal::new("ADMIN_EMAIL", format!("\"{text}\" is not an email address"))),
    }
}

fn password(text: String) -> Result<String, Refusal> {
    // Spec §5: at least six characters. The value itself is never printed.
    if text.chars().count() < 6 {
        return Err(Refusal::new("ADMIN_PASSWORD", "must be at least 6 characters long"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, Refusal> {
        Settings::from_vars(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn nothing_set_gives_the_documented_defaults() {
        let settings = read(&[]).unwrap();
        assert_eq!(settings.port, 4000);
        assert_eq!(settings.data_dir, DataDir::Path(".local".into()));
        assert_eq!(settings.limits, Limits::Player);
        assert_eq!(settings.safeguards, Safeguards::Light);
        assert_eq!(settings.admin_email, "admin@fplleagues.test");
        assert!(settings.promotions && !settings.open_browser);
    }

    #[test]
    fn memory_keeps_nothing() {
        assert_eq!(read(&[("DATA_DIR", "memory")]).unwrap().data_dir, DataDir::Memory);
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        for (name, value) in [
            ("PORT", "abc"),
            ("PORT", "0"),
            ("PORT", "65536"),
            ("SIM_CLOCK", "x"),
            ("SIM_CLOCK", "1999-01-01T00:00:00Z"),
            ("LIMITS", "foo"),
            ("SAFEGUARDS", "Full"),
            ("PROMOTIONS", "no"),
            ("OPEN_BROWSER", "2"),
            ("DYNAMODB_ENDPOINT", "localhost"),
            ("ADMIN_EMAIL", "nobody"),
            ("ADMIN_PASSWORD", "12345"),
        ] {
            let refusal = read(&[(name, value)]).unwrap_err();
            assert_eq!(refusal.name, name, "{refusal}");
        }
    }

    #[test]
    fn a_refusal_is_one_line() {
        assert_eq!(Refusal::new("A", "b\n  c").to_string(), "A: b c");
    }
}
