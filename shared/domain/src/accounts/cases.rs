//! "Something is wrong?": what a player says of a payment, a withdrawal, a league or an entry, and what admins answer
//! (docs/decisions.md, "Support cases").

use std::{fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::account::{is_hex_id, is_plain};
use crate::UserId;

/// The longest text of a message, in characters.
pub const LONGEST_TEXT: usize = 1000;
/// The longest reason for closing one.
pub const LONGEST_REASON: usize = 200;
/// A player has no more open at once.
pub const MOST_OPEN: usize = 5;
/// A player writes no more into one that has so many messages.
pub const MOST_MESSAGES: u32 = 100;
/// A message of the player's opens a closed one again for so long.
pub const REOPENS_FOR: SignedDuration = SignedDuration::from_hours(14 * 24);

/// What a case can be about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum CaseKind {
    Payment,
    Withdrawal,
    League,
    Entry,
}

/// Where a case stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum CaseState {
    /// It waits for an admin.
    Open,
    /// It waits for the player.
    Answered,
    Closed,
}

/// Why a message is not taken; the text is what its writer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    #[error("Write 1 to 1,000 characters.")]
    Text,
    #[error("Give a reason of at most 200 characters.")]
    Reason,
    #[error("Say what it is about: a payment, a withdrawal, a league or an entry.")]
    Kind,
    #[error("You have 5 open cases. Wait for our answer before you open another one.")]
    TooManyOpen,
    #[error("This case has as many messages as it can have. Wait for our answer.")]
    Full,
    #[error("This case is closed.")]
    Closed,
    #[error("This case was closed more than 14 days ago. You can open another one.")]
    ClosedLongAgo,
}

/// A case's id: whose it is, and which of theirs. So an admin finds it by the id alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseId {
    pub player: UserId,
    /// Ordered by time among the player's own.
    pub own: String,
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.player, self.own)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a case's id")]
pub struct NotACaseId;

impl FromStr for CaseId {
    type Err = NotACaseId;

    fn from_str(text: &str) -> Result<Self, NotACaseId> {
        let (player, own) = text.split_at_checked(32).ok_or(NotACaseId)?;
        let player = UserId::parse(player).map_err(|_| NotACaseId)?;
        is_hex_id(own).then(|| Self { player, own: own.to_owned() }).ok_or(NotACaseId)
    }
}

/// A message's text as it is kept: without what cannot be seen, but for line breaks.
///
/// # Errors
/// Nothing is left, or it is too long.
pub fn check_text(text: &str) -> Result<String, CaseError> {
    checked(text, LONGEST_TEXT).ok_or(CaseError::Text)
}

/// The reason for closing a case, the same way.
///
/// # Errors
/// Nothing is left, or it is too long.
pub fn check_reason(text: &str) -> Result<String, CaseError> {
    checked(text, LONGEST_REASON).ok_or(CaseError::Reason)
}

fn checked(text: &str, longest: usize) -> Option<String> {
    let seen: String = text.chars().filter(|c| *c == '\n' || is_plain(*c)).collect();
    let seen = seen.trim();
    (1..=longest).contains(&seen.chars().count()).then(|| seen.to_owned())
}

impl CaseState {
    /// What it is after a message of the player's, where it has stood so since `since` and has so many messages.
    ///
    /// # Errors
    /// It was closed too long ago, or is full.
    pub fn after_player(self, since: Timestamp, messages: u32, now: Timestamp) -> Result<Self, CaseError> {
        if self == Self::Closed && now >= since + REOPENS_FOR {
            return Err(CaseError::ClosedLongAgo);
        }
        if messages >= MOST_MESSAGES {
            return Err(CaseError::Full);
        }
        Ok(Self::Open)
    }

    /// What it is after an admin's.
    ///
    /// # Errors
    /// It is closed: only its player opens it again.
    pub fn after_admin(self, closes: bool) -> Result<Self, CaseError> {
        match self {
            Self::Closed => Err(CaseError::Closed),
            _ if closes => Ok(Self::Closed),
            _ => Ok(Self::Answered),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("  Where is it?\r\n\u{7}No answer.  ", Some("Where is it?\nNo answer."))]
    #[case("\u{202e}Paid\u{200b}", Some("Paid"))]
    #[case(" \n\t\u{0} ", None)]
    #[case::invisible("\u{200b}\u{feff}\u{e0041}", None)]
    fn a_text_is_kept_as_it_is_seen(#[case] text: &str, #[case] kept: Option<&str>) {
        assert_eq!(check_text(text).ok().as_deref(), kept);
    }

    #[test]
    fn a_text_has_a_length_in_characters() {
        assert!(check_text(&"é".repeat(LONGEST_TEXT)).is_ok());
        assert_eq!(check_text(&"a".repeat(LONGEST_TEXT + 1)), Err(CaseError::Text));
        assert_eq!(check_reason(&"a".repeat(LONGEST_REASON + 1)), Err(CaseError::Reason));
    }

    #[test]
    fn a_closed_case_opens_again_for_fourteen_days() {
        let closed: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
        let after = |wait| CaseState::Closed.after_player(closed, 2, closed + wait);
        let fourteen_days = SignedDuration::from_hours(14 * 24);
        assert_eq!(after(fourteen_days - SignedDuration::from_secs(1)), Ok(CaseState::Open));
        assert_eq!(after(fourteen_days), Err(CaseError::ClosedLongAgo));
        assert_eq!(CaseState::Answered.after_player(closed, 100, closed), Err(CaseError::Full));
        assert_eq!(CaseState::Closed.after_admin(false), Err(CaseError::Closed));
    }

    #[test]
    fn an_admin_answers_a_case_or_closes_it() {
        assert_eq!(CaseState::Open.after_admin(false), Ok(CaseState::Answered));
        assert_eq!(CaseState::Answered.after_admin(true), Ok(CaseState::Closed));
    }

    #[test]
    fn an_id_names_its_player() {
        let text = format!("{}{}", "a".repeat(32), "0".repeat(32));
        let id: CaseId = text.parse().unwrap();
        assert_eq!((id.player.as_str(), id.to_string()), ("a".repeat(32).as_str(), text));
        for wrong in ["", "a", &"a".repeat(32), &"a".repeat(65), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<CaseId>(), Err(NotACaseId), "{wrong}");
        }
    }
}
