//! Names that nobody gets at sign-up, since a prompt shows them to whoever is to type a PIN: what looks like us, an
//! admin, M-Pesa, Safaricom or a part of either's business (docs/decisions.md, "The name on a prompt").
//!
//! Names are compared by how they look: without regard to case and to what stands between letters, with digits for
//! the letters that they are taken for, and a letter that is doubled as one.

/// Reserved wherever they stand in a name.
const INSIDE: [&str; 15] = [
    "fplleague",
    "admin",
    "mpesa",
    "safaricom",
    "safcom",
    "deposit",
    "wallet",
    "paybill",
    "official",
    "customercare",
    "fuliza",
    "mshwari",
    "okoajahazi",
    "bongapoints",
    "hustlerfund",
];
/// Reserved as the whole name, and with digits behind.
const WHOLE: [&str; 27] = [
    "fpl",
    "support",
    "help",
    "helpdesk",
    "staff",
    "system",
    "operator",
    "moderator",
    "payment",
    "payments",
    "refund",
    "withdraw",
    "mpesapin",
    "till",
    "pochi",
    "ziidi",
    "lipa",
    "bonga",
    "okoa",
    "hakikisha",
    "bonus",
    "promo",
    "promotion",
    "prize",
    "reward",
    "winner",
    "loan",
];

/// Whether a name looks like one of ours, an admin's or M-Pesa's.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    let shape = shape_of(name);
    // Digits at the end number a name: they are no letters there.
    let numbered = shape_of(name.trim_end_matches(|c: char| !c.is_ascii_alphabetic()));
    INSIDE.iter().any(|word| shape.contains(&shape_of(word)))
        || WHOLE.iter().map(|word| shape_of(word)).any(|word| shape == word || numbered == word)
}

/// What is left of a name when only its look counts.
fn shape_of(name: &str) -> String {
    let mut letters: String = name.to_ascii_lowercase().chars().filter_map(taken_for).collect();
    for (pair, letter) in [("rn", "m"), ("vv", "w")] {
        letters = letters.replace(pair, letter);
    }
    let mut shape = String::with_capacity(letters.len());
    for letter in letters.chars() {
        if !shape.ends_with(letter) {
            shape.push(letter);
        }
    }
    shape
}

/// The letter that a character is taken for: `i` and `l` for one another.
fn taken_for(c: char) -> Option<char> {
    match c {
        '0' => Some('o'),
        '1' | 'i' => Some('l'),
        '2' => Some('z'),
        '3' => Some('e'),
        '4' => Some('a'),
        '5' => Some('s'),
        '6' | '8' => Some('b'),
        '7' => Some('t'),
        '9' => Some('g'),
        letter => letter.is_ascii_alphabetic().then_some(letter),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::us("FPLLeagues")]
    #[case::us_parted("FPL-League")]
    #[case::us_in_digits("FP11ea9ues")]
    #[case::us_short("FPL")]
    #[case::us_numbered("Fpl_2026")]
    #[case::an_admin("the.admin")]
    #[case::an_admin_looked_alike("Adrnin")]
    #[case::an_admin_in_digits("4dm1n")]
    #[case::m_pesa("M-PESA")]
    #[case::m_pesa_in_digits("m.p3sa")]
    #[case::m_pesa_doubled("mm_ppesa")]
    #[case::safaricom("Safaric0m")]
    #[case::an_overdraft_of_m_pesa("Fuliza")]
    #[case::savings_at_m_pesa("M-Shwari2")]
    #[case::airtime_on_credit("0koa_Jahazi")]
    #[case::points_of_safaricom("Bonga")]
    #[case::a_loan_of_the_state("Hustler.Fund")]
    #[case::a_prize("Winner_2026")]
    #[case::a_deposit("Dep0sit")]
    #[case::a_wallet("My-VVal1et")]
    #[case::the_paybill("pay.8ill")]
    #[case::the_support("Support24")]
    fn what_looks_like_us_or_m_pesa_is_reserved(#[case] name: &str) {
        assert!(is_reserved(name));
    }

    #[rstest]
    #[case("Wanjiku")]
    #[case("fplking")]
    #[case("Pesa.Nane")]
    #[case("player1")]
    #[case("odhiambo11")]
    #[case("helper7")]
    #[case("Bongani")]
    #[case("Zidisha")]
    #[case("Philipa")]
    #[case("Winnie")]
    #[case("K-1.2_3")]
    fn other_names_are_not(#[case] name: &str) {
        assert!(!is_reserved(name));
    }
}
