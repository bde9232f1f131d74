//! Texts of M-Pesa's, as they may be kept, logged and shown: without access tokens and phone numbers.
//!
//! A refusal's text can carry our access token (`Invalid Access Token - <token>`, docs/daraja.md). Whoever
//! reads it could call M-Pesa in our name until it ends.

/// No text of M-Pesa's is kept longer, in characters.
const LONGEST: usize = 300;
/// What follows these words, in whatever case, is a token.
const BEFORE_A_TOKEN: &str = "access token";
/// A word of letters and digits of this length is taken for a token, wherever it stands.
const TOKEN_LENGTH: usize = 24;

/// `text` in a line's length, without what may be a token, and with every run of seven digits or more left
/// out.
pub(super) fn kept(text: &str) -> String {
    without_numbers(&without_long_words(&without_tokens(text)))
}

/// `text` without the access token that it says to carry. A body is kept so, with its ids.
pub fn without_tokens(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    while let Some(at) = lower[from..].find(BEFORE_A_TOKEN) {
        let after = from + at + BEFORE_A_TOKEN.len();
        out.push_str(&text[from..after]);
        from = after + length_of_token(&text[after..]);
        // What looks like a token may be the beginning of the same words again, with the token behind them.
        if let Some(again) = lower[after..].find(BEFORE_A_TOKEN) {
            from = from.min(after + again);
        }
        if from > after {
            out.push_str(" …");
        }
    }
    out.push_str(&text[from..]);
    out
}

/// How much of `text` is a separator and a token behind it, in bytes; nothing where there is none.
fn length_of_token(text: &str) -> usize {
    let begins = text.find(|c: char| !is_between(c)).unwrap_or(text.len());
    let token = text[begins..].find(|c: char| !is_of_a_token(c)).unwrap_or(text.len() - begins);
    let parted = text[..begins].contains(['-', ':', '=']);
    if begins == 0 || token == 0 || !parted { 0 } else { begins + token }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | ':' | '=' | '"' | '\'' | '<' | '[' | '(')
}

fn is_of_a_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+' | '/' | '=')
}

fn without_long_words(text: &str) -> String {
    let (mut out, mut word) = (String::with_capacity(text.len()), String::new());
    for c in text.chars().map(Some).chain([None]) {
        if let Some(c) = c.filter(char::is_ascii_alphanumeric) {
            word.push(c);
            continue;
        }
        let digits = word.bytes().any(|byte| byte.is_ascii_digit());
        let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
        out.push_str(if word.len() >= TOKEN_LENGTH && digits && letters { "…" } else { &word });
        word.clear();
        out.extend(c);
    }
    out
}

/// `text` with every run of seven digits or more left out, and cut to a line's length.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut digits = String::new();
    for char in text.chars().take(LONGEST).chain(std::iter::once('\n')) {
        if char.is_ascii_digit() {
            digits.push(char);
            continue;
        }
        kept.push_str(if digits.len() >= 7 { "…" } else { &digits });
        digits.clear();
        kept.push(char);
    }
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("Bad Request - Invalid PhoneNumber", "Bad Request - Invalid PhoneNumber")]
    #[case("no such number 254708374149.", "no such number ….")]
    #[case("254708374149", "…")]
    #[case("line 1 column 345", "line 1 column 345")]
    fn long_numbers_are_left_out(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(kept(text), expected);
    }

    #[test]
    fn a_number_cut_by_the_length_does_not_slip_through() {
        let text = format!("{}254708374149", " ".repeat(297));
        assert!(!kept(&text).contains("2547"));
    }

    #[rstest]
    #[case(
        "Error Occurred - Invalid Access Token - c9SQxWWhmdVRlyh0zh8gZDTkubVF",
        "Error Occurred - Invalid Access Token …"
    )]
    #[case("invalid ACCESS TOKEN: abcdefg.hij-k_l, sign in", "invalid ACCESS TOKEN …, sign in")]
    #[case("Invalid Access Token -tiny", "Invalid Access Token …")]
    #[case("Invalid Access Token", "Invalid Access Token")]
    #[case("Invalid Access Token was sent", "Invalid Access Token was sent")]
    #[case("bearer 0a1b2c3d4e5f60718293a4b5c6d7e8f9 refused", "bearer … refused")]
    #[case("Duplicate OriginatorConversationID.", "Duplicate OriginatorConversationID.")]
    #[case("Access Token - Access Token - c9SQxWWh", "Access Token …Access Token …")]
    #[case("twice: access token - a1 access token - b2", "twice: access token … access token …")]
    fn tokens_are_left_out(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(kept(text), expected);
    }
}
