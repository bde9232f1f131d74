//! `verify-balance`: whether a balance is in the sum of all wallets that is published (docs/trust.md).
//!
//! Invariant: what it holds a proof against is what anybody can read, and what its user has noted.

use std::{path::PathBuf, time::Duration};

use domain::{
    Kes,
    ledger::sum_tree::{Fault, Node, Proof, verify},
};
use jiff::Timestamp;
use serde::Deserialize;

use super::{DEFAULT_ORIGIN, Report, hash, is_origin, published};
use crate::{settings::Refusal, start::http_client};

const USAGE: &str = "<file with the answer of /api/me/proof> [<origin>] [--root <hex>]";
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub file: PathBuf,
    /// Without a trailing slash.
    pub origin: String,
    /// The root as its user noted it.
    pub root: Option<String>,
}

/// `GET /api/me/proof`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub as_of: Timestamp,
    #[serde(flatten)]
    pub proof: Proof,
}

/// Of `GET /api/trust`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    pub root: Option<Root>,
    pub former_roots: Vec<Root>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    pub as_of: Timestamp,
    pub hash: String,
    pub sum: i64,
    pub wallets: u64,
}

impl Options {
    pub fn parse(words: &[&str]) -> Result<Self, Refusal> {
        let mut words = words.iter().copied();
        let (mut plain, mut root) = (Vec::new(), None);
        while let Some(word) = words.next() {
            match word {
                "--root" => {
                    let text = words.next().ok_or_else(|| Refusal::new(word, "needs a value"))?;
                    root = Some(hash(word, text)?);
                }
                _ if word.starts_with('-') => return Err(Refusal::new(word, "is not an option")),
                _ => plain.push(word),
            }
        }
        let (file, origin) = match plain[..] {
            [file] => (file, DEFAULT_ORIGIN),
            [file, origin] => (file, is_origin(origin)?),
            _ => return Err(Refusal::new("verify-balance", USAGE)),
        };
        Ok(Self { file: file.into(), origin: origin.trim_end_matches('/').to_owned(), root })
    }
}

pub async fn run(options: &Options) -> Result<Report, Refusal> {
    let name = options.file.display().to_string();
    let text = std::fs::read_to_string(&options.file).map_err(|error| Refusal::new(&name, error))?;
    let saved: Saved = published::read(&name, &text)?;
    let address = format!("{}/api/trust", options.origin);
    let trust: Trust = published::read(&address, &published::text(&http_client(LIMIT)?, &address).await?.1)?;
    Ok(check(&saved, &trust, options.root.as_deref()))
}

/// Holds a proof against what is published, and against the root that its user noted.
pub fn check(saved: &Saved, trust: &Trust, noted: Option<&str>) -> Report {
    let mut report = Report::default();
    let Saved { as_of, proof } = saved;
    let root = trust.root.iter().chain(&trust.former_roots).find(|root| root.as_of == *as_of);
    let Some(root) = root else {
        report.failing("root", "published", format!("one as of {as_of}"), "none");
        return report;
    };
    report.holding("root", "published", format!("{} as of {as_of}", root.hash));
    if let Some(noted) = noted {
        report.compare("root", "as you noted it", noted, &root.hash);
    }
    report.compare("root", "over so many wallets", proof.count, root.wallets);
    let mut node = Node { hash: [0; 32], sum: Kes::new(root.sum) };
    if hex::decode_to_slice(&root.hash, &mut node.hash).is_err() {
        report.failing("root", "published", "64 hex digits", &root.hash);
        return report;
    }
    match verify(proof, &node) {
        Ok(()) => {
            let balance = proof.balance.get();
            let way = format!("KES {balance} is in KES {}, by {} steps", root.sum, proof.steps.len());
            report.holding("balance", "leads to the root", way);
            report.note(format!(
                "KES {balance} is what your wallet is said to have held as of {as_of}: compare it with your transactions"
            ));
            report.shown = format!("KES {balance} is in the published sum");
        }
        Err(fault) => fail(&mut report, &fault),
    }
    report
}

fn fail(report: &mut Report, fault: &Fault) {
    report.failing("balance", "leads to the root", "that each step does", fault);
}
