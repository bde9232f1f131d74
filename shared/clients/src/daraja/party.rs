//! Who paid, or was paid, as M-Pesa's answers name them.

use std::fmt;

use super::{masked, push::is_kenyan_msisdn};

/// `254705912645 - NICHOLAS JOHN SONGOK`, taken apart.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// A phone in twelve digits, or a shortcode.
    pub number: Option<String>,
    pub name: Option<String>,
}

impl Party {
    pub(super) fn parse(text: &str) -> Self {
        let (number, name) = match text.split_once('-') {
            Some((number, name)) => (number.trim(), name.trim()),
            None => (text.trim(), ""),
        };
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let name = if is_number { name } else { text.trim() };
        Self {
            number: is_number.then(|| number.to_owned()),
            name: (!name.is_empty()).then(|| name.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// Its number, where that is a whole phone number.
    pub fn phone(&self) -> Option<&str> {
        self.number.as_deref().filter(|number| is_kenyan_msisdn(number))
    }
}

impl fmt::Debug for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Party({})", self.number.as_deref().map(masked).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("254705912645 - NICHOLAS JOHN SONGOK", Some("254705912645"), Some("NICHOLAS JOHN SONGOK"))]
    #[case("254705912645-JANE  DOE", Some("254705912645"), Some("JANE DOE"))]
    #[case("600782 - FPL Leagues", Some("600782"), Some("FPL Leagues"))]
    #[case("254705912645", Some("254705912645"), None)]
    #[case("2547 ***** 126 - JANE", None, Some("2547 ***** 126 - JANE"))]
    #[case("JANE-ANN DOE", None, Some("JANE-ANN DOE"))]
    #[case("", None, None)]
    fn a_party_is_a_number_and_a_name(
        #[case] text: &str,
        #[case] number: Option<&str>,
        #[case] name: Option<&str>,
    ) {
        let party = Party::parse(text);
        assert_eq!((party.number.as_deref(), party.name.as_deref()), (number, name));
    }

    #[test]
    fn a_shortcode_is_no_phone_and_nobody_is_named_in_a_log() {
        assert_eq!(Party::parse("600782 - FPL Leagues").phone(), None);
        let party = Party::parse("254705912645 - NICHOLAS JOHN SONGOK");
        assert_eq!(party.phone(), Some("254705912645"));
        assert_eq!(format!("{party:?}"), "Party(…645)");
    }
}
