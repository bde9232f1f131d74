//! Influencers (spec §1, §5 "Influencer"): a name, and a code that links to sign-up.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::accounts::account::is_plain;

/// Why an influencer is not made; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InfluencerError {
    #[error("Please enter a name.")]
    Name,
    #[error("Please enter a name of at most {} characters.", InfluencerName::MAX_CHARACTERS)]
    NameTooLong,
    #[error("There is an influencer of this name already.")]
    Taken,
}

/// A shown name; unique without regard to case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InfluencerName(String);

impl InfluencerName {
    pub const MAX_CHARACTERS: usize = 60;

    /// # Errors
    /// Nothing after trimming, too long, or with control or direction characters in it.
    pub fn parse(text: &str) -> Result<Self, InfluencerError> {
        let text = text.trim();
        if text.is_empty() || !text.chars().all(is_plain) {
            Err(InfluencerError::Name)
        } else if text.chars().count() > Self::MAX_CHARACTERS {
            Err(InfluencerError::NameTooLong)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The form under which it is claimed.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Display for InfluencerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a referral link carries: ten lower-case letters and digits, none of which looks like another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReferralCode(String);

impl ReferralCode {
    const LENGTH: usize = 10;
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

    /// The code that `random` bytes stand for, five bits of each: fifty bits, which nobody guesses by
    /// trying, and short enough to be read out.
    #[must_use]
    pub fn from_random(random: [u8; Self::LENGTH]) -> Self {
        let letter = |byte: u8| char::from(Self::ALPHABET[usize::from(byte % 32)]);
        Self(random.into_iter().map(letter).collect())
    }

    /// A code as somebody sent it; `None` where no influencer can have it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim().to_ascii_lowercase();
        let sound = code.len() == Self::LENGTH && code.bytes().all(|byte| Self::ALPHABET.contains(&byte));
        sound.then_some(Self(code))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReferralCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What somebody is told of how many others there are: by fives, rounded down, so that who sends a link to one friend does
/// not learn from the count whether that friend came.
#[must_use]
pub fn in_fives(count: u64) -> u64 {
    count - count % 5
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("  Mwalimu FPL ", Ok("Mwalimu FPL"))]
    #[case("   ", Err(InfluencerError::Name))]
    #[case("a\u{0}b", Err(InfluencerError::Name))]
    #[case("a\u{202e}b", Err(InfluencerError::Name))]
    #[case(&"n".repeat(61), Err(InfluencerError::NameTooLong))]
    fn a_name_is_something_after_trimming(#[case] text: &str, #[case] name: Result<&str, InfluencerError>) {
        assert_eq!(InfluencerName::parse(text).map(|name| name.to_string()), name.map(str::to_owned));
    }

    #[test]
    fn a_name_has_up_to_sixty_characters_and_is_claimed_without_regard_to_case() {
        let longest = "É".repeat(60);
        let name = InfluencerName::parse(&longest).unwrap();
        assert_eq!((name.to_string(), name.key()), (longest, "é".repeat(60)));
    }

    #[test]
    fn a_code_is_read_as_it_was_made() {
        let code = ReferralCode::from_random([0, 31, 32, 255, 7, 8, 9, 10, 11, 12]);
        assert_eq!((code.as_str(), code.to_string().as_str()), ("0z0z789abc", "0z0z789abc"));
        assert_eq!(ReferralCode::parse(" 0Z0Z789ABC "), Some(code));
    }

    #[test]
    fn one_more_is_seen_with_every_fifth_only() {
        assert_eq!([0, 1, 4, 5, 9, 10, 312].map(in_fives), [0, 0, 0, 5, 5, 10, 310]);
    }

    #[rstest]
    #[case("")]
    #[case("0z0z789ab")]
    #[case("0z0z789abcd")]
    #[case("0z0z789abi")]
    #[case("../../../a")]
    fn what_no_influencer_has_is_no_code(#[case] text: &str) {
        assert_eq!(ReferralCode::parse(text), None);
    }
}
