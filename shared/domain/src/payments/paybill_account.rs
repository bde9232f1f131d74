//! A player's account at the paybill: six digits and a check digit (docs/decisions.md, "An account number").
//!
//! The check digit is Damm's (H. M. Damm, "Total anti-symmetrische Quasigruppen", Marburg 2004, with the
//! order-10 quasigroup given there): any one wrong digit and any two neighbours that are exchanged are
//! found, and a zero put in front changes nothing. So a number that is mistyped in one of these ways is nobody's,
//! never somebody else's. The first digit is never 0: people leave it out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Username;

/// What is entered as the paybill's account number, to be credited by itself: `1000002`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PaybillAccount(u32);

/// Not seven digits, or the last of them does not fit the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an account number")]
pub struct NotAnAccount;

/// What M-Pesa shows of an account at most (docs/daraja.md).
pub const REFERENCE_MAX: usize = 12;

const FIRST: u32 = 100_000;
/// So many accounts there are.
const COUNT: u32 = 900_000;

const QUASIGROUP: [[u8; 10]; 10] = [
    [0, 3, 1, 7, 5, 9, 8, 6, 4, 2],
    [7, 0, 9, 2, 1, 5, 4, 8, 6, 3],
    [4, 2, 0, 6, 8, 7, 1, 3, 5, 9],
    [1, 7, 5, 0, 9, 8, 3, 4, 2, 6],
    [6, 1, 2, 3, 0, 4, 5, 9, 7, 8],
    [3, 6, 7, 4, 2, 0, 9, 5, 8, 1],
    [5, 8, 6, 9, 7, 2, 0, 1, 3, 4],
    [8, 9, 4, 5, 3, 6, 2, 0, 1, 7],
    [9, 4, 3, 8, 6, 1, 7, 2, 0, 5],
    [2, 5, 8, 1, 4, 3, 6, 7, 9, 0],
];

impl PaybillAccount {
    /// One of all accounts, as `random` picks it.
    #[must_use]
    pub fn picked_by(random: u64) -> Self {
        let picked = u32::try_from(random % u64::from(COUNT)).expect("less than 900,000");
        Self(FIRST + picked)
    }

    /// As it was typed: spaces and hyphens between the digits mean nothing.
    ///
    /// # Errors
    /// Not seven digits, or mistyped.
    pub fn parse(text: &str) -> Result<Self, NotAnAccount> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if digits.len() != 7 || !digits.bytes().all(|b| b.is_ascii_digit()) || checked(&digits) != 0 {
            return Err(NotAnAccount);
        }
        let number: u32 = digits[..6].parse().map_err(|_| NotAnAccount)?;
        if number < FIRST { Err(NotAnAccount) } else { Ok(Self(number)) }
    }
}

impl fmt::Display for PaybillAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, checked(&self.0.to_string()))
    }
}

impl TryFrom<String> for PaybillAccount {
    type Error = NotAnAccount;
    fn try_from(text: String) -> Result<Self, NotAnAccount> {
        Self::parse(&text)
    }
}

impl From<PaybillAccount> for String {
    fn from(account: PaybillAccount) -> Self {
        account.to_string()
    }
}

/// The digit that `digits` end at: nothing where their last one is their check digit.
fn checked(digits: &str) -> u8 {
    digits.bytes().fold(0, |at, digit| QUASIGROUP[usize::from(at)][usize::from(digit - b'0')])
}

/// The account that a prompt shows, so that the person who types the PIN sees whom the money is for. It is the player's
/// name if M-Pesa shows that unchanged (letters and digits, not too long). Otherwise it is the paybill account, and
/// also if the name is digits alone, which could be somebody's account.
#[must_use]
pub fn reference(name: &Username, account: PaybillAccount) -> String {
    let name = name.as_str();
    let shown = name.len() <= REFERENCE_MAX
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && name.bytes().any(|b| b.is_ascii_alphabetic());
    if shown { name.to_owned() } else { account.to_string() }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Some thousand of all.
    fn some() -> impl Iterator<Item = String> {
        (0..u64::from(COUNT)).step_by(211).map(|n| PaybillAccount::picked_by(n).to_string())
    }

    #[test]
    fn the_published_example_has_its_digit() {
        assert_eq!(checked("572"), 4);
        assert_eq!(checked("5724"), 0);
    }

    #[test]
    fn an_account_is_read_as_it_is_written() {
        for text in some() {
            assert_eq!(text.len(), 7);
            assert_eq!(PaybillAccount::parse(&text).map(|account| account.to_string()), Ok(text));
        }
        let spaced = PaybillAccount::picked_by(7).to_string();
        assert_eq!(
            PaybillAccount::parse(&format!(" {} {}-{} ", &spaced[..3], &spaced[3..6], &spaced[6..])),
            Ok(PaybillAccount(FIRST + 7))
        );
    }

    #[test]
    fn an_account_is_kept_as_its_seven_digits() {
        let account = PaybillAccount::picked_by(7);
        let kept = serde_json::to_string(&account).unwrap();
        assert_eq!(kept, format!("\"{account}\""));
        assert_eq!(serde_json::from_str::<PaybillAccount>(&kept).unwrap(), account);
    }

    #[test]
    fn any_one_wrong_digit_is_found() {
        for text in some() {
            for at in 0..7 {
                for digit in '0'..='9' {
                    let mut wrong: Vec<char> = text.chars().collect();
                    wrong[at] = digit;
                    let wrong: String = wrong.into_iter().collect();
                    assert_eq!(PaybillAccount::parse(&wrong).is_ok(), wrong == text, "{wrong} for {text}");
                }
            }
        }
    }

    #[test]
    fn any_two_neighbours_that_are_exchanged_are_found() {
        for text in some() {
            for at in 0..6 {
                let mut wrong = text.clone().into_bytes();
                wrong.swap(at, at + 1);
                let wrong = String::from_utf8(wrong).unwrap();
                assert_eq!(PaybillAccount::parse(&wrong).is_ok(), wrong == text, "{wrong} for {text}");
            }
        }
    }

    #[rstest]
    #[case("")]
    #[case("FPL Leagues")]
    #[case("0712345678")]
    #[case("0000000")]
    #[case("10000020")]
    #[case("١٠٠٠٠٠٢")]
    fn what_is_no_account_is_none(#[case] text: &str) {
        assert_eq!(PaybillAccount::parse(text), Err(NotAnAccount));
    }

    #[rstest]
    #[case("Wanjiku", "Wanjiku")]
    #[case("exactly12chr", "exactly12chr")]
    #[case("Otieno.K", "1000002")]
    #[case("Żółw", "1000002")]
    #[case("1234567", "1000002")]
    #[case("two words", "1000002")]
    fn a_prompt_shows_the_name_where_it_can(#[case] name: &str, #[case] shown: &str) {
        let account = PaybillAccount::picked_by(0);
        assert_eq!(reference(&Username::parse(name).unwrap(), account), shown);
    }
}
