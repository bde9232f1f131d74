//! Who a player is: the parts of an account, made only through checked constructors (spec §5).

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::accounts::{common_passwords::is_common, reserved_names::is_reserved};

/// Why registration data is refused; the text is what the player reads (spec §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    #[error("Enter a valid email address.")]
    Email,
    #[error("Enter a username of 3 to 12 characters.")]
    Username,
    #[error("A username has only letters without accents, digits, '.', '_' and '-'.")]
    UsernameCharacters,
    #[error("A username has at least one letter.")]
    UsernameWithoutLetter,
    #[error("This username is reserved. Choose another.")]
    UsernameReserved,
    #[error("FPL ID must be a numeric value.")]
    FplId,
    #[error("Password must be at least 6 characters long.")]
    PasswordTooShort,
    #[error("Password must be at most 128 characters long.")]
    PasswordTooLong,
    #[error("This password is too common. Choose another.")]
    PasswordTooCommon,
    #[error("You must be 18 or older to play.")]
    NotOver18,
}

/// The link for a new password is unknown, used, replaced by a newer one, or too old (spec §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Invalid or expired token.")]
pub struct InvalidResetToken;

/// A player's own id: lowercase hex.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(String);

impl UserId {
    /// # Errors
    /// Not 32 lowercase hex digits.
    pub fn parse(text: &str) -> Result<Self, NotAnId> {
        is_hex_id(text).then(|| Self(text.to_owned())).ok_or(NotAnId)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct NotAnId;

/// Ids in keys, paths and hooks are 32 lowercase hex digits (hex keeps the words that Safaricom
/// bans out of callback paths: docs/daraja.md, "Delivery and limits").
#[must_use]
pub fn is_hex_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// What an account may do. Granted by an operator's command, never by sign-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Role {
    Player,
    Admin,
}

/// An address as its owner wrote it; unique without regard to case.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// # Errors
    /// Not one `@` with something on both sides, a domain without a dot, spaces, or over 254
    /// characters.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let text = text.trim();
        let (local, domain) = text.split_once('@').ok_or(AccountError::Email)?;
        let sound = text.len() <= 254
            && (1..=64).contains(&local.len())
            && !domain.contains('@')
            && domain.split('.').count() >= 2
            && domain
                .split('.')
                .all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-'))
            && text.chars().all(|c| !c.is_whitespace() && is_plain(c) && !"<>()[],;:\\\"".contains(c));
        if sound { Ok(Self(text.to_owned())) } else { Err(AccountError::Email) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form under which it is claimed.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

/// A shown name; unique without regard to case. New ones are 3 to 12 plain letters, digits, `.`, `_` and `-`
/// ([`Username::choose`]); those of before have 1 to 12 characters of any kind, and go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Username(String);

impl Username {
    pub const MIN_CHARACTERS: usize = 3;
    pub const MAX_CHARACTERS: usize = 12;

    /// # Errors
    /// Empty, longer than twelve characters, or with control or direction characters in it.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let text = text.trim();
        let sound = (1..=Self::MAX_CHARACTERS).contains(&text.chars().count()) && text.chars().all(is_plain);
        if sound { Ok(Self(text.to_owned())) } else { Err(AccountError::Username) }
    }

    /// A name for an account from now on, which a prompt can show to whoever is to type a PIN.
    ///
    /// # Errors
    /// Fewer than three characters or more than twelve, others than plain letters, digits, `.`, `_` and `-`, no
    /// letter, or what looks like us, an admin or M-Pesa.
    pub fn choose(text: &str) -> Result<Self, AccountError> {
        let text = text.trim();
        if !(Self::MIN_CHARACTERS..=Self::MAX_CHARACTERS).contains(&text.chars().count()) {
            Err(AccountError::Username)
        } else if !text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
            Err(AccountError::UsernameCharacters)
        } else if !text.bytes().any(|b| b.is_ascii_alphabetic()) {
            Err(AccountError::UsernameWithoutLetter)
        } else if is_reserved(text) {
            Err(AccountError::UsernameReserved)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// In the place of the name of an account that is closed.
    #[must_use]
    pub const fn gone() -> Self {
        Self(String::new())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form under which it is claimed.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Display for Username {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a team in the official game, of one season. Canonical: `007` is `7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FplId(u32);

impl FplId {
    /// # Errors
    /// Not digits only, zero, or beyond what the official game could give out.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let text = text.trim();
        let numeric = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let id = numeric.then(|| text.parse::<u32>().ok()).flatten();
        id.filter(|id| *id > 0).map(Self).ok_or(AccountError::FplId)
    }

    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for FplId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A password as it is compared: trimmed, 6 to 128 characters (spec §5). Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// # Errors
    /// Fewer than six characters once trimmed, or more than 128.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let text = text.trim();
        match text.chars().count() {
            0..6 => Err(AccountError::PasswordTooShort),
            6..=128 => Ok(Self(text.to_owned())),
            _ => Err(AccountError::PasswordTooLong),
        }
    }

    /// A password for an account from now on: [`Password::parse`], and not one of the commonest.
    ///
    /// # Errors
    /// As [`Password::parse`]; or everybody tries it first.
    pub fn choose(text: &str) -> Result<Self, AccountError> {
        let password = Self::parse(text)?;
        if is_common(&password.0) { Err(AccountError::PasswordTooCommon) } else { Ok(password) }
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Neither control characters nor the ones that turn the direction of writing around or hide.
pub(crate) fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a@b.co", true)]
    #[case(" Jane.Doe+fpl@example.co.ke ", true)]
    #[case("jane@my-club.co.ke", true)]
    #[case("jane@my_club.co.ke", false)]
    #[case("a@b", false)]
    #[case("a@b.", false)]
    #[case("@b.co", false)]
    #[case("a b@c.co", false)]
    #[case("a@b@c.co", false)]
    #[case("a\u{0}@b.co", false)]
    #[case("a\u{202e}@b.co", false)]
    fn an_email_is_an_email(#[case] text: &str, #[case] sound: bool) {
        assert_eq!(Email::parse(text).is_ok(), sound);
    }

    #[test]
    fn an_email_and_a_username_stay_as_written_and_are_claimed_without_regard_to_case() {
        let email = Email::parse(" Jane@B.co ").unwrap();
        assert_eq!((email.as_str(), email.key().as_str()), ("Jane@B.co", "jane@b.co"));
        let name = Username::parse(" WanjikU ").unwrap();
        assert_eq!((name.to_string().as_str(), name.key().as_str()), ("WanjikU", "wanjiku"));
    }

    #[test]
    fn a_log_shows_neither_an_email_nor_a_password() {
        let (email, password) = (Email::parse("jane@b.co").unwrap(), Password::parse("kikapu1").unwrap());
        assert_eq!(format!("{email:?} {password:?}"), "Email(…) Password(…)");
    }

    #[rstest]
    #[case("Wanjiku", true)]
    #[case("exactly12chr", true)]
    #[case("thirteenchars", false)]
    #[case("  ", false)]
    #[case("a\u{202e}b", false)]
    #[case("Żółw", true)]
    fn a_username_of_before_has_one_to_twelve_characters(#[case] text: &str, #[case] sound: bool) {
        assert_eq!(Username::parse(text).is_ok(), sound);
    }

    #[rstest]
    #[case("Wanjiku", Ok(()))]
    #[case(" K-1.2_3 ", Ok(()))]
    #[case("exactly12chr", Ok(()))]
    #[case("ab", Err(AccountError::Username))]
    #[case("thirteenchars", Err(AccountError::Username))]
    #[case("", Err(AccountError::Username))]
    #[case("two words", Err(AccountError::UsernameCharacters))]
    #[case("Żółw", Err(AccountError::UsernameCharacters))]
    #[case("a\u{202e}b", Err(AccountError::UsernameCharacters))]
    #[case("аdmin", Err(AccountError::UsernameCharacters))]
    #[case("1234567", Err(AccountError::UsernameWithoutLetter))]
    #[case("...", Err(AccountError::UsernameWithoutLetter))]
    #[case("M.Pesa", Err(AccountError::UsernameReserved))]
    fn a_new_username_is_one_that_a_prompt_can_show(
        #[case] text: &str,
        #[case] chosen: Result<(), AccountError>,
    ) {
        assert_eq!(Username::choose(text).map(drop), chosen);
    }

    #[rstest]
    #[case("7", Some(7))]
    #[case(" 007 ", Some(7))]
    #[case("0", None)]
    #[case("-7", None)]
    #[case("+7", None)]
    #[case("7.0", None)]
    #[case("４２", None)]
    #[case("4294967296", None)]
    #[case("", None)]
    fn a_team_id_is_digits_only_and_canonical(#[case] text: &str, #[case] id: Option<u32>) {
        assert_eq!(FplId::parse(text).ok().map(FplId::get), id);
    }

    #[rstest]
    #[case("123456", true)]
    #[case("  12345  ", false)]
    #[case("päßwör", true)]
    fn a_password_counts_trimmed(#[case] text: &str, #[case] sound: bool) {
        assert_eq!(Password::parse(text).is_ok(), sound);
    }

    #[test]
    fn a_password_is_compared_trimmed() {
        assert_eq!(Password::parse("  123456 ").unwrap().as_bytes(), b"123456");
    }

    #[test]
    fn a_common_password_is_compared_but_not_chosen() {
        assert!(Password::parse(" Liverpool1 ").is_ok());
        assert_eq!(Password::choose(" Liverpool1 "), Err(AccountError::PasswordTooCommon));
        assert_eq!(Password::choose("12345"), Err(AccountError::PasswordTooShort));
        assert!(Password::choose("correct horse").is_ok());
    }
}
