//! `verify-draw`: whether every league of a gameweek follows from what is public (docs/draw.md).
//!
//! Invariants: it reads what anybody can read, over HTTP; which chain's key it believes is its own
//! decision or its user's, never the answer's.

pub mod balance;
mod check;
mod members;
mod published;
mod report;
#[cfg(test)]
mod tests;

use std::{net::IpAddr, path::PathBuf, time::Duration};

use reqwest::{Client, Url};

pub use check::{Known, check};
pub use clients::beacon::Chain;
use domain::{EntryAmount, GameweekId, leagues::entry_line::EntryLine};
pub use published::{AmountDraw, Draw, League, List, Member, Published, Silence};
pub use report::{Line, Report};

use crate::{settings::Refusal, start::http_client};

const DEFAULT_ORIGIN: &str = "http://localhost:4000";
const USAGE: &str = "<gameweek> [<origin>] [--entry '<line>'] [--secret-hash <hex>] \
    [--entries-hash <amount>:<hex>] [--chain-info <file>] [--old-rules]; a gameweek is 3, or 2026-03 in a \
    former season";
/// For each request.
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// A number in the current season, or season and number: `2026-03`.
    pub gameweek: String,
    /// Without a trailing slash.
    pub origin: String,
    pub known: Known,
    /// A file with what a further chain says of itself: the answer of its `/info`.
    pub chain_info: Option<PathBuf>,
}

impl Options {
    pub fn parse(words: &[&str]) -> Result<Self, Refusal> {
        let mut words = words.iter().copied();
        let mut plain = Vec::new();
        let (mut known, mut chain_info) = (Known::default(), None);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| Refusal::new(word, "needs a value"));
            match word {
                "--secret-hash" => known.secret_hash = Some(hash(word, value()?)?),
                "--entries-hash" => known.lists.push(list(word, value()?)?),
                "--entry" => known.entries.push(line(value()?)?),
                "--old-rules" => known.old_rules = true,
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
        if gameweek.parse::<u8>().is_err() && gameweek.parse::<GameweekId>().is_err() {
            return Err(Refusal::new(
                gameweek,
                "is not a gameweek's number, nor season and number (2026-03)",
            ));
        }
        let origin = is_origin(origin)?.trim_end_matches('/').to_owned();
        Ok(Self { gameweek: gameweek.to_owned(), origin, known, chain_info })
    }
}

fn is_origin(origin: &str) -> Result<&str, Refusal> {
    let sound = Url::parse(origin).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if sound { Ok(origin) } else { Err(Refusal::new(origin, "is not an http or https address")) }
}

/// An entry's line. What a copy has put around it or between its parts does not matter.
fn line(text: &str) -> Result<EntryLine, Refusal> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    parts
        .join(" ")
        .parse()
        .map_err(|error: domain::leagues::entry_line::NotALine| Refusal::new("--entry", error))
}

/// An amount and a hash, separated by a colon.
fn list(option: &str, text: &str) -> Result<(i64, String), Refusal> {
    let wrong = || Refusal::new(option, "is not an amount and a hash: 50:<64 hex digits>");
    let (amount, text) = text.split_once(':').ok_or_else(wrong)?;
    let amount = amount.parse().ok().filter(|amount| EntryAmount::try_from(*amount).is_ok());
    Ok((amount.ok_or_else(wrong)?, hash(option, text)?))
}

fn hash(option: &str, text: &str) -> Result<String, Refusal> {
    let text = text.to_ascii_lowercase();
    let sound = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if sound { Ok(text) } else { Err(Refusal::new(option, "is not 64 hex digits")) }
}

pub async fn run(options: &Options) -> Result<Report, Refusal> {
    let http = http_client(LIMIT)?;
    let published = published::fetch(&http, &options.origin, &options.gameweek).await?;
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
    check(&published, &chains, &options.known, &mut report);
    Ok(report)
}

/// The chain of a local run's stand-in, whose key nobody can know beforehand. Only a world on this
/// machine that serves the beacon itself is believed so: elsewhere a beacon of the operator's own
/// would prove nothing.
async fn stand_in(http: &Client, origin: &str, draw: &Draw) -> Result<Option<Chain>, Refusal> {
    let served = format!("{origin}/sim/beacon/");
    let Ok(served) = Url::parse(&served) else { return Ok(None) };
    let is_served = |relay: &Url| {
        let same_port = relay.port_or_known_default() == served.port_or_known_default();
        same_port && relay.path().starts_with(served.path()) && is_this_machine(relay)
    };
    let relays: Vec<Url> =
        draw.beacon_addresses.iter().filter_map(|address| Url::parse(address).ok()).collect();
    if relays.is_empty() || !is_this_machine(&served) || !relays.iter().all(is_served) {
        return Ok(None);
    }
    // A relay may be down just now; what a chain says of itself is held to its hash.
    let mut refused = None;
    for relay in relays {
        let address = format!(
            "{}{}/{}/info",
            served,
            relay.path().trim_start_matches(served.path()),
            draw.beacon_chain
        );
        let read = match published::text(http, &address).await {
            Ok((_, text)) => Chain::from_info(&text).map_err(|error| Refusal::new(address, error)),
            Err(refusal) => Err(refusal),
        };
        match read {
            Ok(chain) => return Ok(Some(chain)),
            Err(refusal) => refused = Some(refusal),
        }
    }
    refused.map_or(Ok(None), Err)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
