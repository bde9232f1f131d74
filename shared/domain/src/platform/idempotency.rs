//! Idempotency keys (docs/decisions.md, "Idempotency keys"): the same request sent twice acts once.
//!
//! Only an accepted request binds its key: the same key and body give the first answer again, another
//! body is refused. A key is its player's and its call's alone, and is kept for a day.

use strum::{IntoStaticStr, VariantArray};

use jiff::{SignedDuration, Timestamp};

/// How long a key is bound.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// No function that sends a prompt lives longer (the template's time limit): an intent older than
/// this, with nothing known of its push, is nobody's work any more.
pub const UNDER_WAY_FOR: SignedDuration = SignedDuration::from_secs(30);

/// The longest key, in characters.
pub const LONGEST: usize = 128;

/// The calls that take a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum KeyedCall {
    Deposit,
    Pay,
    Withdraw,
    #[strum(serialize = "manual-payment")]
    TypedCode,
    /// A case that is opened.
    Case,
    CaseMessage,
}

/// Why a request with a key is refused; the text is what the caller reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("An Idempotency-Key is 1 to 128 visible ASCII characters.")]
    Malformed,
    #[error("This Idempotency-Key was used for another request.")]
    OtherBody,
    #[error("This request is still being processed. Try again in a moment.")]
    UnderWay,
}

/// Whether a header's value is a key.
///
/// # Errors
/// It is empty, too long, or has something else than visible ASCII in it.
pub fn check_key(key: &[u8]) -> Result<(), KeyError> {
    let sound = (1..=LONGEST).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    if sound { Ok(()) } else { Err(KeyError::Malformed) }
}

/// Whether what was bound at `at` still is.
#[must_use]
pub fn is_bound(at: Timestamp, now: Timestamp) -> bool {
    now < at + LIFETIME
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(b"a", true)]
    #[case(b"0198c0de-7a11-7000-8000-c0ffee000001", true)]
    #[case(&[b'~'; 128], true)]
    #[case(&[b'~'; 129], false)]
    #[case(b"", false)]
    #[case(b"two words", false)]
    #[case(b"tab\t", false)]
    #[case("ключ".as_bytes(), false)]
    fn a_key_is_visible_ascii(#[case] key: &[u8], #[case] sound: bool) {
        assert_eq!(check_key(key).is_ok(), sound);
    }

    #[test]
    fn a_key_is_kept_for_a_day() {
        let at: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
        assert!(is_bound(at, at + LIFETIME - SignedDuration::from_secs(1)));
        assert!(!is_bound(at, at + LIFETIME));
    }
}
