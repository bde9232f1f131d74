//! The line by which an entry stands in the draw's list: `entryId fplId nameHash`. The list's hash is over
//! these lines, so nobody's team or name can be put in the place of another's once the list is fixed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{FplId, Username, accounts::account::is_hex_id};

/// A player's name as the list has it: SHA-256 over the salt's characters and the name's, in hex. Without the
/// salt nobody can find the name by trying names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameHash {
    pub hash: String,
    /// Shown with the league; gone once the account is closed, when the hash stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

impl NameHash {
    /// `salt` is random and of one length, so that salt and name cannot be cut elsewhere.
    #[must_use]
    pub fn new(salt: &str, name: &Username) -> Self {
        Self { hash: hash_of(salt, name.as_str()), salt: Some(salt.to_owned()) }
    }
}

/// The hash of a name under a salt.
#[must_use]
pub fn hash_of(salt: &str, name: &str) -> String {
    hex::encode(Sha256::new().chain_update(salt).chain_update(name).finalize())
}

/// An entry's line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryLine {
    pub entry_id: String,
    pub fpl_id: String,
    pub name_hash: String,
}

impl EntryLine {
    #[must_use]
    pub fn new(entry_id: &str, fpl_id: FplId, name: &NameHash) -> Self {
        Self { entry_id: entry_id.to_owned(), fpl_id: fpl_id.to_string(), name_hash: name.hash.clone() }
    }
}

impl fmt::Display for EntryLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.entry_id, self.fpl_id, self.name_hash)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an entry's line: its id, the team's id and the name's hash, with a space between")]
pub struct NotALine;

impl FromStr for EntryLine {
    type Err = NotALine;

    fn from_str(text: &str) -> Result<Self, NotALine> {
        let mut parts = text.split(' ');
        let (Some(entry_id), Some(fpl_id), Some(name_hash), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(NotALine);
        };
        let is_hash =
            name_hash.len() == 64 && name_hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let is_team = FplId::parse(fpl_id).is_ok_and(|id| id.to_string() == fpl_id);
        if !is_hex_id(entry_id) || !is_team || !is_hash {
            return Err(NotALine);
        }
        Ok(Self { entry_id: entry_id.into(), fpl_id: fpl_id.into(), name_hash: name_hash.into() })
    }
}

/// [`lines_hash`] of lines that come one by one and in order: by their entries' ids.
#[derive(Debug, Default)]
pub struct LinesHash(Sha256);

impl LinesHash {
    pub fn add(&mut self, line: &EntryLine) {
        self.0.update(line.to_string());
        self.0.update(b"\n");
    }

    #[must_use]
    pub fn end(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// The hash of a list: SHA-256 over its lines in order, each ended by a line feed.
#[must_use]
pub fn lines_hash(lines: &[EntryLine]) -> [u8; 32] {
    let mut sorted: Vec<String> = lines.iter().map(ToString::to_string).collect();
    sorted.sort_unstable();
    crate::leagues::draw::entries_hash(sorted.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const ID: &str = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f";

    fn line(n: u8) -> EntryLine {
        let name = Username::parse("wanjiku").unwrap();
        let id = format!("{n:032x}");
        EntryLine::new(&id, FplId::parse("118670").unwrap(), &NameHash::new("00ff", &name))
    }

    #[test]
    fn a_names_hash_is_what_sha256sum_makes_of_salt_and_name() {
        // printf '%s%s' 00ff wanjiku | sha256sum
        let known = "3d0db277205a474a35c77b4bbddbe632f7a2c2819349236d59ff0e4c9ed599a4";
        assert_eq!(hash_of("00ff", "wanjiku"), known);
        assert_ne!(hash_of("00fe", "wanjiku"), known);
        assert_ne!(hash_of("00ff", "wanjiru"), known);
    }

    #[test]
    fn a_line_is_read_as_it_is_written() {
        assert_eq!(line(7).to_string().parse(), Ok(line(7)));
    }

    #[rstest]
    #[case::nothing(String::new())]
    #[case::two_parts(format!("{ID} 118670"))]
    #[case::four_parts(format!("{ID} 118670 {} x", "ab".repeat(32)))]
    #[case::two_spaces(format!("{ID}  118670 {}", "ab".repeat(32)))]
    #[case::another_id(format!("{} 118670 {}", &ID[1..], "ab".repeat(32)))]
    #[case::not_a_team(format!("{ID} 0118670 {}", "ab".repeat(32)))]
    #[case::a_short_hash(format!("{ID} 118670 {}", "ab".repeat(31)))]
    #[case::a_hash_in_capitals(format!("{ID} 118670 {}", "AB".repeat(32)))]
    fn what_is_no_line(#[case] text: String) {
        assert_eq!(text.parse::<EntryLine>(), Err(NotALine));
    }

    #[test]
    fn the_lists_hash_is_over_sorted_lines_and_all_of_their_parts() {
        let hash = lines_hash(&[line(1), line(2)]);
        assert_eq!(lines_hash(&[line(2), line(1)]), hash);
        let text = format!("{}\n{}\n", line(1), line(2));
        assert_eq!(Sha256::digest(text).as_slice(), hash);
        let mut one_by_one = LinesHash::default();
        [line(1), line(2)].iter().for_each(|line| one_by_one.add(line));
        assert_eq!(one_by_one.end(), hash);
        let other = |change: fn(&mut EntryLine)| {
            let mut changed = line(2);
            change(&mut changed);
            lines_hash(&[line(1), changed])
        };
        assert_ne!(other(|line| line.entry_id = "ff".repeat(16)), hash);
        assert_ne!(other(|line| line.fpl_id = "118671".into()), hash);
        assert_ne!(other(|line| line.name_hash = "ab".repeat(32)), hash);
        // Two names exchanged are another list.
        let (mut one, mut two) = (line(1), line(2));
        two.fpl_id = "5".into();
        let before = lines_hash(&[one.clone(), two.clone()]);
        std::mem::swap(&mut one.fpl_id, &mut two.fpl_id);
        assert_ne!(lines_hash(&[one, two]), before);
    }
}
