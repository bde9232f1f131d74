//! What a push asks for, and Daraja's rules for its fields, checked before anything is sent.

use std::fmt;

use super::{DarajaError, masked};

/// Words that Safaricom refuses anywhere in a callback's address.
const BANNED_IN_URL: [&str; 8] = ["mpesa", "m-pesa", "safaricom", "exe", "exec", "cmd", "sql", "query"];

#[derive(Clone, PartialEq, Eq)]
pub struct StkPush {
    /// Twelve digits: `2547…` or `2541…`.
    pub phone: String,
    /// Whole KES, at least 1.
    pub amount: i64,
    /// At most 12 characters; the prompt shows it.
    pub account_reference: String,
    /// 1 to 13 characters.
    pub description: String,
    /// Where M-Pesa says what became of it: public HTTPS outside the local run.
    pub callback_url: String,
}

impl StkPush {
    /// The phone as the number that Daraja's documents show, once every field is as they ask.
    pub(super) fn checked_phone(&self) -> Result<u64, DarajaError> {
        let rules = [
            (self.amount >= 1, "the amount is below KES 1"),
            (
                self.account_reference.chars().count() <= 12,
                "the account reference is longer than 12 characters",
            ),
            (
                (1..=13).contains(&self.description.chars().count()),
                "the description is not of 1 to 13 characters",
            ),
            (!has_banned_word(&self.callback_url), "the callback address has a word that Safaricom refuses"),
            (is_kenyan_msisdn(&self.phone), "the phone is not 2547 or 2541 and eight digits"),
        ];
        if let Some((_, broken)) = rules.iter().find(|(kept, _)| !kept) {
            return Err(DarajaError::Invalid(broken));
        }
        self.phone.parse().map_err(|_| DarajaError::Invalid("the phone is not a number"))
    }
}

pub(super) fn is_kenyan_msisdn(phone: &str) -> bool {
    phone.len() == 12
        && phone.bytes().all(|byte| byte.is_ascii_digit())
        && (phone.starts_with("2547") || phone.starts_with("2541"))
}

pub(super) fn has_banned_word(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    BANNED_IN_URL.iter().any(|word| url.contains(word))
}

impl fmt::Debug for StkPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The callback's address carries its mac.
        f.debug_struct("StkPush")
            .field("phone", &masked(&self.phone))
            .field("amount", &self.amount)
            .field("account_reference", &self.account_reference)
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn push() -> StkPush {
        StkPush {
            phone: "254708374149".into(),
            amount: 50,
            account_reference: "GW3".into(),
            description: "Entry".into(),
            callback_url: "https://example.test/hooks/stk/0a/1b".into(),
        }
    }

    #[test]
    fn a_good_push_gives_its_phone_as_a_number() {
        assert_eq!(push().checked_phone(), Ok(254_708_374_149));
        let newer = StkPush { phone: "254110000000".into(), ..push() };
        assert_eq!(newer.checked_phone(), Ok(254_110_000_000));
    }

    #[rstest]
    #[case::local_form(StkPush { phone: "0708374149".into(), ..push() })]
    #[case::landline(StkPush { phone: "254208374149".into(), ..push() })]
    #[case::plus(StkPush { phone: "+25470837414".into(), ..push() })]
    #[case::nothing(StkPush { amount: 0, ..push() })]
    #[case::negative(StkPush { amount: -1, ..push() })]
    #[case::long_reference(StkPush { account_reference: "1234567890123".into(), ..push() })]
    #[case::no_description(StkPush { description: String::new(), ..push() })]
    #[case::long_description(StkPush { description: "12345678901234".into(), ..push() })]
    #[case::banned_word(StkPush { callback_url: "https://x.test/Mpesa/a".into(), ..push() })]
    fn a_push_that_daraja_would_refuse_is_not_sent(#[case] push: StkPush) {
        let error = push.checked_phone().expect_err("it breaks a rule");
        assert!(matches!(error, DarajaError::Invalid(_)));
        assert!(error.definitely_not_sent());
    }

    #[test]
    fn its_debug_form_hides_the_phone_and_the_mac() {
        let shown = format!("{:?}", push());
        assert!(shown.contains("…149"));
        assert!(!shown.contains("254708374149"));
        assert!(!shown.contains("/hooks/"));
    }
}
