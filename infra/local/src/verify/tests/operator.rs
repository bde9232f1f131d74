//! A gameweek as its operator draws and publishes it.

use std::collections::BTreeMap;

use blst::min_sig::SecretKey;
use domain::{
    FplId, Username,
    leagues::{
        draw::{self, Seed},
        entry_line::{self, EntryLine, NameHash},
    },
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::super::{AmountDraw, Chain, Draw, League, List, Member, Published, Silence};

pub const SECRET: [u8; 32] = [7; 32];
pub const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

pub fn fence() -> Timestamp {
    "2026-08-22T10:40:00Z".parse().unwrap()
}

/// When every list was fixed.
pub fn lists_at() -> Timestamp {
    fence() + SignedDuration::from_secs(2)
}

pub fn key(seed: u8) -> SecretKey {
    SecretKey::key_gen(&[seed; 32], &[]).unwrap()
}

/// A chain of quicknet's pace with the key of that seed.
pub fn chain(seed: u8) -> Chain {
    let public_key = key(seed).sk_to_pk().compress();
    let hash = Sha256::new()
        .chain_update(3_u32.to_be_bytes())
        .chain_update(1_692_803_367_i64.to_be_bytes())
        .chain_update(public_key)
        .chain_update([0; 32])
        .chain_update("test");
    let info = json!({
        "public_key": hex::encode(public_key), "period": 3, "genesis_time": 1_692_803_367,
        "hash": hex::encode(hash.finalize()), "groupHash": "00".repeat(32),
        "schemeID": "bls-unchained-g1-rfc9380", "metadata": { "beaconID": "test" },
    });
    Chain::from_info(&info.to_string()).unwrap()
}

/// How a gameweek is drawn. What a dishonest operator would do otherwise stands in here.
pub struct Operator {
    pub secret: [u8; 32],
    pub key: u8,
    pub rounds_later: u64,
    pub beacon_answers: bool,
    pub drawn_after: SignedDuration,
    /// So long the beacon was asked in vain.
    pub waited: SignedDuration,
    /// By the rules of before the lists were public.
    pub old: bool,
}

impl Default for Operator {
    fn default() -> Self {
        let drawn_after = SignedDuration::from_secs(70);
        let waited = SignedDuration::from_mins(30);
        Self {
            secret: SECRET,
            key: 1,
            rounds_later: 0,
            beacon_answers: true,
            drawn_after,
            waited,
            old: false,
        }
    }
}

impl Operator {
    /// 23 entries at 50, 12 at 100 and a lone one at 250: leagues of 10, 7 and 6; of 6 and 6; none.
    /// The instant from which the round counts.
    fn counts_from(&self) -> Timestamp {
        if self.old { fence() } else { lists_at() + SignedDuration::from_secs(60) }
    }

    pub fn draws(&self) -> Published {
        let mut leagues = BTreeMap::new();
        let mut draws = Vec::new();
        for (amount, entries) in [(50, 23), (100, 12), (250, 1)] {
            let (draw, of_amount) = self.draw(amount, entries);
            draws.push(draw);
            leagues.insert(amount, of_amount);
        }
        let list = |draw: &AmountDraw| List {
            entry_amount: draw.entry_amount,
            entries: draw.entries,
            entries_hash: draw.entries_hash.clone(),
            at: lists_at(),
        };
        let since = chain(1).time_of(chain(1).first_round_from(self.counts_from()));
        let silence = Silence { since, until: since + self.waited, tries: 30 };
        let draw = Draw {
            secret_hash: Some(draw::secret_hash(&SECRET)),
            deadline: fence() - SignedDuration::from_mins(if self.old { 2 } else { 10 }),
            fence: fence(),
            beacon_addresses: vec!["http://beacon.test".into()],
            beacon_chain: chain(1).hash,
            lists_at: (!self.old).then(lists_at),
            lists: draws.iter().map(list).collect(),
            beacon_silence: (!self.beacon_answers && !self.old).then_some(silence),
            drawn_at: Some(fence() + self.drawn_after),
            draws,
        };
        Published { draw, leagues }
    }

    pub fn draw(&self, amount: i64, entries: usize) -> (AmountDraw, Vec<League>) {
        let ids: Vec<String> = (0..entries).map(|n| format!("{amount:016x}{n:016x}")).collect();
        let beacon_round = chain(1).first_round_from(self.counts_from()) + self.rounds_later;
        let message = Sha256::digest(beacon_round.to_be_bytes());
        let signature = self.beacon_answers.then(|| key(self.key).sign(&message, DOMAIN, &[]).compress());
        let value = signature.map(|signature| Sha256::digest(signature).to_vec());
        let lines: Vec<EntryLine> = ids.iter().map(|id| line(id)).collect();
        let hash = match self.old {
            true => draw::entries_hash(ids.iter().map(String::as_str)),
            false => entry_line::lines_hash(&lines),
        };
        let seed = Seed::new(&self.secret, value.as_deref().unwrap_or_default(), &hash);
        let sizes = draw::sizes(entries);
        let drawn = draw::draw(seed, ids, String::as_str);
        let leagues = (1..)
            .zip(drawn.leagues)
            .map(|(number, ids)| League { number, users: ids.into_iter().map(member).collect() });
        let draw = AmountDraw {
            entry_amount: amount,
            secret: hex::encode(self.secret),
            beacon_chain: Some(chain(1).hash),
            beacon_round,
            beacon: value.map(hex::encode),
            beacon_signature: signature.map(hex::encode),
            without_beacon: (!self.beacon_answers).then(|| "Drawn without the beacon.".into()),
            entries_hash: hex::encode(hash),
            covers: if self.old { "ids" } else { "lines" }.into(),
            entries,
            seed: seed.to_hex(),
            at: fence() + self.drawn_after,
            sizes,
            alone_line: drawn.alone.as_deref().map(|id| line(id).to_string()),
            alone: drawn.alone,
        };
        (draw, leagues.collect())
    }
}

/// Team, salt and name of the player whose entry it is.
pub fn player_of(id: &str) -> (FplId, String, Username) {
    let n = u32::from_str_radix(&id[24..], 16).unwrap() + 1;
    (
        FplId::parse(&n.to_string()).unwrap(),
        format!("{n:032x}"),
        Username::parse(&format!("name{n}")).unwrap(),
    )
}

pub fn line(id: &str) -> EntryLine {
    let (team, salt, name) = player_of(id);
    EntryLine::new(id, team, &NameHash::new(&salt, &name))
}

pub fn member(id: String) -> Member {
    let (team, salt, name) = player_of(&id);
    Member {
        fpl_id: team.to_string(),
        username: Some(name.as_str().to_owned()),
        name_hash: Some(entry_line::hash_of(&salt, name.as_str())),
        salt: Some(salt),
        entry_id: Some(id),
    }
}
