//! M-Pesa numbers. What each call accepts differs (spec §5); inside there is one form, the
//! twelve digits that Daraja takes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Twelve digits, `254` and nine more. Never logged whole: `Debug` masks it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MpesaPhone(String);

/// What the call says to a number that it does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    #[error("Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")]
    Deposit,
    #[error("Please enter a valid 10-digit Safaricom number (07XXXXXXXX or 01XXXXXXXX).")]
    Pay,
    #[error("Please enter a valid Kenyan M-Pesa number.")]
    Withdrawal,
}

impl MpesaPhone {
    /// The number of `POST /api/deposits`: 0 and nine digits.
    ///
    /// # Errors
    /// It is anything else.
    pub fn for_deposit(text: &str) -> Result<Self, PhoneError> {
        national(text).map(|tail| Self(format!("254{tail}"))).ok_or(PhoneError::Deposit)
    }

    /// The number of `POST /api/pay`: 07 or 01 and eight digits.
    ///
    /// # Errors
    /// It is anything else.
    pub fn for_pay(text: &str) -> Result<Self, PhoneError> {
        mobile(national(text)).ok_or(PhoneError::Pay)
    }

    /// The number of `POST /api/withdraw`: 07, 01, 2547 or 2541 and eight digits.
    ///
    /// # Errors
    /// It is anything else.
    pub fn for_withdrawal(text: &str) -> Result<Self, PhoneError> {
        let international = digits(text, 12).and_then(|d| d.strip_prefix("254").map(str::to_owned));
        mobile(international.or_else(|| national(text))).ok_or(PhoneError::Withdrawal)
    }

    /// In the place of the number of an account that is closed.
    #[must_use]
    pub const fn gone() -> Self {
        Self(String::new())
    }

    /// Whether it is the one in the place of a closed account's.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.is_empty()
    }

    /// The twelve digits; nothing where the account is closed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As its owner writes it: `0712345678`.
    #[must_use]
    pub fn local(&self) -> String {
        self.0.get(3..).map(|digits| format!("0{digits}")).unwrap_or_default()
    }

    /// Enough to recognise it, not enough to use it: `07******78`.
    #[must_use]
    pub fn masked(&self) -> String {
        let shown = self.0.get(3..4).zip(self.0.get(10..));
        shown.map(|(first, last)| format!("0{first}******{last}")).unwrap_or_default()
    }
}

impl fmt::Debug for MpesaPhone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

/// Exactly `count` ASCII digits once spaces are gone.
fn digits(text: &str, count: usize) -> Option<String> {
    let text: String = text.chars().filter(|c| *c != ' ').collect();
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

/// The nine digits after the leading 0.
fn national(text: &str) -> Option<String> {
    digits(text, 10)?.strip_prefix('0').map(str::to_owned)
}

fn mobile(tail: Option<String>) -> Option<MpesaPhone> {
    tail.filter(|t| t.starts_with(['7', '1'])).map(|t| MpesaPhone(format!("254{t}")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("0712345678", true, true, true)]
    #[case("07 1234 5678", true, true, true)]
    #[case("0112345678", true, true, true)]
    #[case("0212345678", true, false, false)]
    #[case("254712345678", false, false, true)]
    #[case("254112345678", false, false, true)]
    #[case("254212345678", false, false, false)]
    #[case("+254712345678", false, false, false)]
    #[case("071234567", false, false, false)]
    #[case("07123456789", false, false, false)]
    #[case("07x2345678", false, false, false)]
    #[case("٠٧١٢٣٤٥٦٧٨", false, false, false)]
    #[case("", false, false, false)]
    fn each_call_takes_its_own_forms(
        #[case] text: &str,
        #[case] deposit: bool,
        #[case] pay: bool,
        #[case] withdrawal: bool,
    ) {
        assert_eq!(MpesaPhone::for_deposit(text).is_ok(), deposit);
        assert_eq!(MpesaPhone::for_pay(text).is_ok(), pay);
        assert_eq!(MpesaPhone::for_withdrawal(text).is_ok(), withdrawal);
    }

    #[test]
    fn inside_there_is_one_form() {
        let forms = ["0712345678", "254712345678"].map(|t| MpesaPhone::for_withdrawal(t).unwrap());
        assert_eq!(forms[0], forms[1]);
        assert_eq!(forms[0].as_str(), "254712345678");
        assert_eq!(forms[0].local(), "0712345678");
        assert_eq!(format!("{:?}", forms[0]), "07******78");
    }

    #[test]
    fn of_a_closed_account_no_number_is_left() {
        let gone = MpesaPhone::gone();
        assert_eq!((gone.as_str(), gone.local().as_str(), gone.masked().as_str()), ("", "", ""));
        assert!(gone.is_gone() && !MpesaPhone::for_pay("0712345678").unwrap().is_gone());
    }
}
