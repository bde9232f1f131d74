//! The accounts of a shortcode (docs/daraja.md, "Others"): accounts are separated by `&`, an account's
//! fields by `|`. One that is not understood makes the whole answer worth nothing: a float is never
//! made up from half of it.

use super::LateResult;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountBalance {
    /// "Working Account", "Utility Account", …
    pub account: String,
    /// In KES cents: M-Pesa's fees are not whole shillings. Below zero where it owes.
    pub cents: i64,
}

/// The text is no list of balances. It does not show the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a list of balances: account {place} is not name|KES|amount")]
pub struct BalanceError {
    /// Counted from one.
    pub place: usize,
}

impl LateResult {
    /// The accounts, where the order was a balance query that succeeded.
    pub fn balances(&self) -> Option<Result<Vec<AccountBalance>, BalanceError>> {
        let text = self.text("AccountBalance").filter(|_| self.code.is_paid())?;
        Some(parse_balances(&text))
    }
}

/// Reads `Working Account|KES|700000.00|…&Utility Account|KES|…`.
pub fn parse_balances(text: &str) -> Result<Vec<AccountBalance>, BalanceError> {
    let account = |(index, part): (usize, &str)| {
        let fields: Vec<&str> = part.split('|').map(str::trim).collect();
        match fields[..] {
            [name, "KES", amount, ..] if !name.is_empty() => {
                let cents = cents(amount).ok_or(BalanceError { place: index + 1 })?;
                Ok(AccountBalance { account: name.to_owned(), cents })
            }
            _ => Err(BalanceError { place: index + 1 }),
        }
    };
    text.split('&').enumerate().map(account).collect()
}

/// `-1980.00`, `8959269.6` or `10`.
fn cents(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (units, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(units) || !all_digits(fraction) || fraction.len() > 2 {
        return None;
    }
    let scale = if fraction.len() == 1 { 10 } else { 1 };
    let fraction: i64 = fraction.parse().ok()?;
    let cents = units.parse::<i64>().ok()?.checked_mul(100)?.checked_add(fraction * scale)?;
    Some(if negative { -cents } else { cents })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn the_documented_text_is_read() {
        let text = "Working Account|KES|700000.00|700000.00|0.00|0.00&Float Account|KES|0.00|0.00|0.00|0.00\
                    &Utility Account|KES|228037.5|228037.50|0.00|0.00&Charges Paid Account|KES|-1540.05|-1540.05";
        let read = parse_balances(text).expect("balances");
        let read: Vec<(&str, i64)> = read.iter().map(|one| (one.account.as_str(), one.cents)).collect();
        let expected = [
            ("Working Account", 70_000_000),
            ("Float Account", 0),
            ("Utility Account", 22_803_750),
            ("Charges Paid Account", -154_005),
        ];
        assert_eq!(read, expected);
    }

    #[rstest]
    #[case::nothing("", 1)]
    #[case::no_amount("Working Account|KES", 1)]
    #[case::words("Working Account|KES|lots", 1)]
    #[case::another_currency("Working Account|USD|1.00", 1)]
    #[case::no_name("|KES|1.00", 1)]
    #[case::a_cut_list("Working Account|KES|1.00&Utility Acc", 2)]
    #[case::an_empty_end("Working Account|KES|1.00&", 2)]
    #[case::three_digits("Working Account|KES|1.005", 1)]
    #[case::too_large("Working Account|KES|92233720368547758.08", 1)]
    #[case::exponent("Working Account|KES|1e9", 1)]
    #[case::two_signs("Working Account|KES|--1.00", 1)]
    fn what_is_not_understood_is_worth_nothing(#[case] text: &str, #[case] place: usize) {
        assert_eq!(parse_balances(text), Err(BalanceError { place }));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,80}") {
            let _ = parse_balances(&text);
        }
    }
}
