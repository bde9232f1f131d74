//! The passwords that everybody tries first (docs/decisions.md, "Common passwords").

use std::sync::LazyLock;

/// One a line, lower case, sorted, six characters at least.
static LIST: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Whether `password` is one of the commonest, whatever its case.
#[must_use]
pub fn is_common(password: &str) -> bool {
    LIST.binary_search(&password.to_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_long_sorted_and_lower_case() {
        assert!(LIST.len() >= 8000, "{}", LIST.len());
        assert!(LIST.is_sorted_by(|one, next| one < next), "sorted, each once");
        for word in LIST.iter() {
            assert!(
                word.chars().count() >= 6 && word.to_lowercase() == *word && word.trim() == *word,
                "{word}"
            );
        }
    }

    #[test]
    fn case_does_not_hide_a_common_password() {
        for common in
            ["password", "PassWord1", "123456", "Arsenal123", "qwertyuiop", "iloveyou", "nairobi254"]
        {
            assert!(is_common(common), "{common}");
        }
        for own in ["correct horse", "kikapu-3f9a21c0", "operator's own", "mti wa embe"] {
            assert!(!is_common(own), "{own}");
        }
    }
}
