//! The draw: from a seed and the entries to leagues of five to ten, or of two to four where fewer than five entered
//! (docs/draw.md, "What is fixed when").
//!
//! Everything here is a function of its arguments, so anybody who has the public data can repeat it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// A full league (spec §9).
pub const LEAGUE_SIZE: usize = 10;

/// A remainder of at least this many plays as a league of its own.
const SMALLEST_REMAINDER: usize = 6;

/// 32 bytes that decide a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// SHA-256(operator's secret ‖ beacon's value ‖ hash of the entries): neither the operator nor
    /// a player can choose it. Without a beacon the middle part is empty, and the record says so.
    #[must_use]
    pub fn new(secret: &[u8], beacon: &[u8], entries_hash: &[u8; 32]) -> Self {
        let mut hash = Sha256::new();
        hash.update(secret);
        hash.update(beacon);
        hash.update(entries_hash);
        Self(hash.finalize().into())
    }

    #[must_use]
    pub fn to_hex(self) -> String {
        hex::encode(self.0)
    }

    /// # Errors
    /// Not 64 hex digits.
    pub fn from_hex(text: &str) -> Result<Self, hex::FromHexError> {
        let mut seed = [0; 32];
        hex::decode_to_slice(text, &mut seed)?;
        Ok(Self(seed))
    }
}

/// What was fixed when the fence fell: SHA-256 over the entries' lines in order, each ended by a line feed
/// ([`crate::leagues::entry_line`]). In draws from before there were lines it was over their ids.
#[must_use]
pub fn entries_hash<'a>(sorted: impl IntoIterator<Item = &'a str>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for line in sorted {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    hash.finalize().into()
}

/// SHA-256 of the operator's secret, in hex: public from the opening, so that the secret is fixed.
#[must_use]
pub fn secret_hash(secret: &[u8]) -> String {
    hex::encode(Sha256::digest(secret))
}

/// How many players each league of a gameweek and amount has. 10q + r: no remainder, q full
/// leagues; r ≥ 6 or q = 0, one more league of r; otherwise the last full league and the remainder
/// are split as evenly as can be. One player alone has no league.
#[must_use]
pub fn sizes(entries: usize) -> Vec<usize> {
    let (full, rest) = (entries / LEAGUE_SIZE, entries % LEAGUE_SIZE);
    let mut sizes = vec![LEAGUE_SIZE; full];
    match (full, rest) {
        (_, 0) | (0, 1) => {}
        (0, _) | (_, SMALLEST_REMAINDER..) => sizes.push(rest),
        _ => {
            let together = LEAGUE_SIZE + rest;
            sizes[full - 1] = together.div_ceil(2);
            sizes.push(together / 2);
        }
    }
    sizes
}

/// The outcome of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn<T> {
    /// The leagues, numbered from 1 in this order.
    pub leagues: Vec<Vec<T>>,
    /// The one player that nobody else joined, if it came to that: refunded.
    pub alone: Option<T>,
}

/// Orders the entries by HMAC-SHA-256(seed, entry id) and cuts them into leagues.
pub fn draw<T>(seed: Seed, entries: Vec<T>, id: impl Fn(&T) -> &str) -> Drawn<T> {
    let mut keyed: Vec<([u8; 32], T)> =
        entries.into_iter().map(|entry| (rank_of(seed, id(&entry)), entry)).collect();
    keyed.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| id(x).cmp(id(y))));
    let sizes = sizes(keyed.len());
    let mut ordered = keyed.into_iter().map(|(_, entry)| entry);
    let leagues = sizes.into_iter().map(|size| ordered.by_ref().take(size).collect()).collect();
    Drawn { leagues, alone: ordered.next() }
}

fn rank_of(seed: Seed, entry_id: &str) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(&seed.0).expect("HMAC takes a key of any length");
    mac.update(entry_id.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, &[])]
    #[case(1, &[])]
    #[case(2, &[2])]
    #[case(9, &[9])]
    #[case(10, &[10])]
    #[case(11, &[6, 5])]
    #[case(13, &[7, 6])]
    #[case(15, &[8, 7])]
    #[case(16, &[10, 6])]
    #[case(20, &[10, 10])]
    #[case(21, &[10, 6, 5])]
    fn sizes_as_ruled(#[case] entries: usize, #[case] expected: &[usize]) {
        assert_eq!(sizes(entries), expected);
    }

    /// As FIPS 180 has it, so that anybody's `sha256sum` says the same.
    #[test]
    fn a_secret_is_published_as_its_sha_256() {
        assert_eq!(secret_hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    /// Of `a` that is 4e70…, as `printf a | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07` says; of `b` it is
    /// 1c20…, of `c` 39f3… and of `d` d2ab….
    #[test]
    fn entries_are_ordered_by_their_hmac_under_the_seed() {
        let drawn = draw(Seed([7; 32]), vec!["a", "b", "c", "d"], |id| id);
        assert_eq!(drawn, Drawn { leagues: vec![vec!["b", "c", "a", "d"]], alone: None });
    }

    proptest! {
        /// The rule told another way (docs/draw.md, "What is fixed when").
        #[test]
        fn sizes_of_any_number(entries in 0_usize..100_000) {
            let sizes = sizes(entries);
            prop_assert_eq!(sizes.iter().sum::<usize>(), if entries == 1 { 0 } else { entries });
            prop_assert_eq!(sizes.len(), if entries == 1 { 0 } else { entries.div_ceil(10) });
            let rest = entries % 10;
            let unlike_ten: Vec<usize> = sizes.iter().copied().filter(|size| *size != 10).collect();
            match unlike_ten[..] {
                [] => prop_assert!(rest == 0 || entries == 1),
                [last] => prop_assert!(last == rest && (rest >= 6 || entries < 10)),
                [larger, smaller] => {
                    prop_assert!(entries > 10 && (1..=5).contains(&rest));
                    prop_assert_eq!(larger + smaller, 10 + rest);
                    prop_assert!(larger == smaller || larger == smaller + 1);
                }
                _ => prop_assert!(false, "at most two leagues are not of ten: {:?}", sizes),
            }
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b), "the full ones come first");
        }

        #[test]
        fn every_entry_is_in_exactly_one_league_or_alone(n in 0_usize..400, seed: [u8; 32]) {
            let entries: Vec<String> = (0..n).map(|i| format!("entry-{i}")).collect();
            let drawn = draw(Seed(seed), entries.clone(), |id| id);
            let mut seen: Vec<String> = drawn.leagues.concat();
            seen.extend(drawn.alone.clone());
            prop_assert_eq!(seen.len(), n);
            prop_assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), entries.into_iter().collect());
            for league in &drawn.leagues {
                prop_assert!(league.len() <= 10 && (league.len() >= 5 || n < 5));
            }
            prop_assert_eq!(drawn.alone.is_some(), n == 1);
        }

        #[test]
        fn the_same_seed_and_entries_give_the_same_leagues(n in 0_usize..60, seed: [u8; 32]) {
            let forwards: Vec<String> = (0..n).map(|i| format!("e{i}")).collect();
            let backwards: Vec<String> = forwards.iter().rev().cloned().collect();
            prop_assert_eq!(
                draw(Seed(seed), forwards, |id| id),
                draw(Seed(seed), backwards, |id| id)
            );
        }
    }

    #[test]
    fn each_part_of_the_seed_counts() {
        let base = Seed::new(b"secret", b"beacon", &entries_hash(["a", "b"]));
        assert_ne!(base, Seed::new(b"other", b"beacon", &entries_hash(["a", "b"])));
        assert_ne!(base, Seed::new(b"secret", b"", &entries_hash(["a", "b"])));
        assert_ne!(base, Seed::new(b"secret", b"beacon", &entries_hash(["ab"])));
        assert_eq!(Seed::from_hex(&base.to_hex()).unwrap(), base);
    }
}
