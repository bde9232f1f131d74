//! Mails about log-ins. A link for a new password goes to whatever address somebody typed, so it repeats
//! nothing of theirs.

use super::{Button, MailText, lay_out};

/// The link for a new password.
pub fn reset(origin: &str, token: &str) -> MailText {
    lay_out(
        "Reset your FPL Leagues password",
        "Hello,",
        &[
            "Somebody, hopefully you, asked for a new password for your FPL Leagues account.".to_owned(),
            "The link works once, for 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.".to_owned(),
        ],
        &Button { label: "Choose a new password", link: format!("{origin}/reset-password/{token}") },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_in_the_text_and_in_the_html() {
        let mail = reset("https://play.example", "0123abcd");
        for body in [&mail.text, &mail.html] {
            assert!(body.contains("https://play.example/reset-password/0123abcd"), "{body}");
            assert!(body.contains("30 minutes"));
        }
    }
}
