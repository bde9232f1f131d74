//! How a player proves a team: eight characters of ours, absent from the official team's name when they are
//! issued, are to be in that name within a day. Only whoever manages the team can put them there.

use jiff::SignedDuration;

/// So long a challenge can be met.
pub const LASTS_FOR: SignedDuration = SignedDuration::from_hours(24);

pub const LENGTH: usize = 8;

/// Letters and digits that are not taken for each other, and without vowels: no words come of them.
const ALPHABET: &[u8; 28] = b"BCDFGHJKLMNPQRSTVWXZ23456789";

/// The code that random bytes make.
#[must_use]
pub fn code(random: [u8; LENGTH * 2]) -> String {
    let pairs = random.chunks_exact(2).map(|pair| usize::from(u16::from_be_bytes([pair[0], pair[1]])));
    pairs.map(|number| char::from(ALPHABET[number % ALPHABET.len()])).collect()
}

/// Whether a team's name carries a code, in large or small letters.
#[must_use]
pub fn carries(name: &str, code: &str) -> bool {
    name.to_uppercase().contains(&code.to_uppercase())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("BCDF2345", true)]
    #[case("Gor bcdf2345", true)]
    #[case("BCDF2345 Rangers", true)]
    #[case("BCDF 2345", false)]
    #[case("BCDF234", false)]
    #[case("", false)]
    fn a_name_carries_a_code(#[case] name: &str, #[case] does: bool) {
        assert_eq!(carries(name, "BCDF2345"), does);
    }

    #[test]
    fn a_code_is_eight_plain_characters() {
        for byte in [0, 1, 27, 28, 200, 255] {
            let code = code([byte; 16]);
            assert_eq!(code.len(), LENGTH);
            assert!(code.bytes().all(|b| ALPHABET.contains(&b)), "{code}");
        }
    }
}
