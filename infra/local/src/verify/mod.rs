//! `verify-draw`: whether every league of a gameweek follows from what is public (docs/draw.md).
//!
//! Invariants: it reads what anybody can read, over HTTP; which chain's key it believes is its own
//! decision or its user's, never the answer's.

mod chain;
mod check;
mod published;
mod report;
#[cfg(test)]
mod tests;

use std::{net::IpAddr, path::PathBuf, time::Duration};

use reqwest::{Client, Url};

pub use chain::Chain;
pub use check::check;
pub use published::{AmountDraw, Draw, League, Member, Published};
pub use report::{Line, Report};

use crate::{settings::Refusal, start::http_client};

const DEFAULT_ORIGIN: &str = "http://localhost:4000";
const USAGE: &str = "<gameweek> [<origin>] [--secret-hash <hex>] [--chain-info <file>]";
/// For each request.
const LIMIT: Duration = Duration::from_secs(30);

/// What is to be verified, and against what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// In the current season.
    pub gameweek: u8,
    /// Without a trailing slash.
    pub origin: String,
    /// The hash of the secret (hex) as somebody noted it before the deadline.
    pub secret_hash: Option<String>,
    /// A file with what a further chain says of itself: the answer of its `/info`.
    pub chain_info: Option<PathBuf>,
}

impl Options {
    /// Reads the words after `verify-draw`.
    ///
    /// # Errors
    /// Something else.
    pub fn parse(words: &[&str]) -> Result<Self, Refusal> {
        let mut words = words.iter().copied();
        let mut plain = Vec::new();
        let (mut secret_hash, mut chain_info) = (None, None);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| Refusal::new(word, "needs a value"));
            match word {
                "--secret-hash" => secret_hash = Some(hash(value()?)?),
                "--chain-info" => chain_info = Some(value()?.into()),
                _ if word.starts_with('-') => return Err(Refusal::new(word, "is not an option")),
                _ => plain.push(word),
            }
        }
        let (gameweek, origin) = match plain[..] {
            [gameweek] => (gameweek, DEFAULT_ORIGIN),
            [gameweek, origin] => (gameweek, origin),
            _ => return Err(Refusal::new("verify-draw", USAGE)),
        };
        let gameweek = gameweek.parse().map_err(|_| Refusal::new(gameweek, "is not a gameweek's number"))?;
        let sound = Url::parse(origin).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !sound {
            return Err(Refusal::new(origin, "is not an http or https address"));
        }
        let origin = origin.trim_end_matches('/').to_owned();
        Ok(Self { gameweek, origin, secret_hash, chain_info })
    }
}

fn hash(text: &str) -> Result<String, Refusal> {
    let text = text.to_ascii_lowercase();
    let sound = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if sound { Ok(text) } else { Err(Refusal::new("--secret-hash", "is not 64 hex digits")) }
}

/// Fetches what is public of a gameweek's draw and checks it.
///
/// # Errors
/// There is nothing to check: it cannot be read, or the gameweek is not drawn.
pub async fn run(options: &Options) -> Result<Report, Refusal> {
    let http = http_client(LIMIT)?;
    let published = published::fetch(&http, &options.origin, options.gameweek).await?;
    let mut chains = vec![Chain::quicknet()];
    if let Some(path) = &options.chain_info {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| Refusal::new(&name, error))?;
        chains.push(Chain::from_info(&text).map_err(|error| Refusal::new(&name, error))?);
    }
    let stand_in = stand_in(&http, &options.origin, &published.draw).await?;
    let mut report = Report::default();
    if let Some(chain) = stand_in {
        report.note("the beacon is the local run's own stand-in: its key is believed as it says it");
        chains.push(chain);
    }
    check(&published, &chains, options.secret_hash.as_deref(), &mut report);
    Ok(report)
}

/// The chain of a local run's stand-in, whose key nobody can know beforehand. Only a world on this
/// machine that serves the beacon itself is believed so: elsewhere a beacon of the operator's own
/// would prove nothing.
async fn stand_in(http: &Client, origin: &str, draw: &Draw) -> Result<Option<Chain>, Refusal> {
    let served = format!("{origin}/sim/beacon");
    let parsed = [served.as_str(), draw.beacon_address.as_str()].map(Url::parse);
    let [Ok(served), Ok(told)] = parsed else { return Ok(None) };
    let same = (told.port_or_known_default(), told.path()) == (served.port_or_known_default(), served.path());
    if !(same && is_this_machine(&served) && is_this_machine(&told)) {
        return Ok(None);
    }
    let address = format!("{served}/{}/info", draw.beacon_chain);
    let text = published::text(http, &address).await?.1;
    Chain::from_info(&text).map(Some).map_err(|error| Refusal::new(address, error))
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
