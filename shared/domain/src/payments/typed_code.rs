//! M-Pesa codes that players type in (spec §2 "Main page", §4 "Typed code"; docs/daraja.md, "A typed code"). A machine
//! credits one where M-Pesa bears it out ([`crate::payments::typed_code_check`]); an admin confirms or rejects the others.
//! Which of them are a prompt's own receipt is [`crate::payments::receipt_match`]'s.

use std::fmt;

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{KENYA, Kes, payments::prompt};

/// A code that is older than this is unusual: codes are typed within the hour.
const USUAL_AGE_DAYS: i32 = 7;

/// Why a typed code is not taken, or not confirmed or rejected; the text is what the reader sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TypedCodeError {
    #[error("Enter the M-Pesa code from the message you got (e.g. NLJ7RT61SV).")]
    Code,
    #[error("This M-Pesa code has already been credited.")]
    AlreadyCredited,
    #[error("Please enter a valid amount.")]
    Amount,
    #[error("This payment is another player's.")]
    AnotherPlayer,
    #[error("This payment names another player's account: it is credited to that player, by itself.")]
    AnothersAccount,
    #[error(
        "There is an M-Pesa prompt of this amount that is still open, or credited without a receipt \
         so far: the code may be that prompt's. Confirm it once the prompt's receipt is known."
    )]
    OwnPrompt,
    #[error("This payment is {} already.", .0.into_str())]
    Ended(TypedCodeStatus),
    #[error("This payment is confirmed with {0} already.")]
    AnotherAmount(Kes),
}

/// `pending` → `confirmed` or `rejected`; nothing leaves those two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum TypedCodeStatus {
    Pending,
    Confirmed,
    Rejected,
}

/// Whether an admin can credit `amount`: whole KES, positive, no more than M-Pesa moves at once.
///
/// # Errors
/// It is missing, not positive, or more than [`prompt::MAXIMUM`].
pub fn check_amount(amount: Option<i64>) -> Result<Kes, TypedCodeError> {
    let amount = amount.map(Kes::new).ok_or(TypedCodeError::Amount)?;
    if amount.is_positive() && amount <= prompt::MAXIMUM { Ok(amount) } else { Err(TypedCodeError::Amount) }
}

/// An M-Pesa receipt as M-Pesa writes it: ten letters and digits, the first three of them a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReceiptCode(String);

impl ReceiptCode {
    /// Spaces and case are the typist's own business.
    ///
    /// # Errors
    /// Not `[A-Z][A-L][1-9A-V]` and seven letters or digits.
    pub fn parse(text: &str) -> Result<Self, TypedCodeError> {
        let code: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        let sound = code.len() == 10
            && code.bytes().enumerate().all(|(place, byte)| match place {
                0 => byte.is_ascii_uppercase(),
                1 => matches!(byte, b'A'..=b'L'),
                2 => matches!(byte, b'1'..=b'9' | b'A'..=b'V'),
                _ => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            });
        if sound { Ok(Self(code)) } else { Err(TypedCodeError::Code) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is strange about the code's date, for the admin. That a date is in there is inferred from
    /// samples, so it refuses nothing.
    #[must_use]
    pub fn warning(&self, now: Timestamp) -> Option<String> {
        let today = KENYA.to_datetime(now).date();
        let Some(date) = self.date(today) else {
            return Some("The date in this code does not exist.".to_owned());
        };
        let age = today.since(date).map_or(i32::MAX, |span| span.get_days());
        if age < 0 {
            Some(format!("The date in this code, {date}, is in the future."))
        } else if age > USUAL_AGE_DAYS {
            Some(format!("The date in this code, {date}, is {age} days ago."))
        } else {
            None
        }
    }

    /// The day in Kenya that the first three letters stand for: A is 2006, and 2032 again, whichever is
    /// nearer; A is January; 1 to 9 and A to V are days.
    fn date(&self, today: Date) -> Option<Date> {
        let [year, month, day] = *self.0.as_bytes().first_chunk::<3>()?;
        let year = 2006 + i16::from(year.checked_sub(b'A')?);
        let cycles = (today.year() - year + 13).div_euclid(26);
        let month = i8::try_from(month.checked_sub(b'A')? + 1).ok()?;
        let day = if day.is_ascii_digit() { day - b'0' } else { day.checked_sub(b'A')? + 10 };
        Date::new(year + 26 * cycles, month, i8::try_from(day).ok()?).ok()
    }
}

impl fmt::Display for ReceiptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("NLJ7RT61SV", Some("NLJ7RT61SV"))]
    #[case("  nlj7 rt61\tsv ", Some("NLJ7RT61SV"))]
    #[case("NLJ7RT61S", None)]
    #[case("NLJ7RT61SVV", None)]
    #[case("1LJ7RT61SV", None)]
    #[case("NMJ7RT61SV", None)]
    #[case("NL07RT61SV", None)]
    #[case("NLW7RT61SV", None)]
    #[case("NLJ7RT61S-", None)]
    #[case("NLJ7RT61Sé", None)]
    #[case("ſLJ7RT61SV", None)]
    #[case("", None)]
    fn a_code_has_ten_places(#[case] text: &str, #[case] code: Option<&str>) {
        assert_eq!(ReceiptCode::parse(text).ok().as_ref().map(ReceiptCode::as_str), code);
    }

    #[rstest]
    #[case::samples("NLJ7RT61SV", "2019-12-19T07:21:15Z", None)]
    #[case::samples("SG632NMUAB", "2024-07-06T19:48:52Z", None)]
    #[case::samples("RKL51ZDR4F", "2023-11-21T09:13:25Z", None)]
    #[case::after_midnight_in_kenya("UHL1111111", "2026-08-20T21:30:00Z", None)]
    #[case::tomorrow("UHL1111111", "2026-08-20T20:30:00Z", Some("future"))]
    #[case::a_week("UHD1111111", "2026-08-20T09:00:00Z", None)]
    #[case::older("UHC1111111", "2026-08-20T09:00:00Z", Some("8 days ago"))]
    #[case::a_day_of_one_digit("UH91111111", "2026-08-20T09:00:00Z", Some("11 days ago"))]
    #[case::years("NLJ7RT61SV", "2026-08-20T09:00:00Z", Some("2019-12-19"))]
    #[case::no_such_day("UBU1111111", "2026-08-20T09:00:00Z", Some("does not exist"))]
    #[case::the_letters_begin_again("AA11111111", "2032-01-01T09:00:00Z", None)]
    fn a_strange_date_is_a_warning(#[case] code: &str, #[case] now: &str, #[case] says: Option<&str>) {
        let warning = ReceiptCode::parse(code).unwrap().warning(now.parse().unwrap());
        match (&warning, says) {
            (None, None) => {}
            (Some(warning), Some(says)) => assert!(warning.contains(says), "{warning}"),
            other => panic!("{other:?}"),
        }
    }

    #[rstest]
    #[case(Some(1), true)]
    #[case(Some(250_000), true)]
    #[case(Some(0), false)]
    #[case(Some(-1), false)]
    #[case(Some(250_001), false)]
    #[case(None, false)]
    fn an_amount_is_positive_and_what_m_pesa_moves(#[case] amount: Option<i64>, #[case] sound: bool) {
        assert_eq!(check_amount(amount).is_ok(), sound);
    }
}
