//! Mails about log-ins. A link for a new password goes to whatever address somebody typed, so it repeats
//! nothing of theirs.

use domain::accounts::notifications::Language::{self, En, Sw};

use super::{Button, MailText, lay_out};

/// The link for a new password.
pub fn reset(origin: &str, language: Language, token: &str) -> MailText {
    let link = format!("{origin}/reset-password/{token}");
    match language {
        En => lay_out(
            language,
            "Reset your FPL Leagues password",
            "Hello,",
            &[
                "Somebody, hopefully you, asked for a new password for your FPL Leagues account.".to_owned(),
                "The link works once, for 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.".to_owned(),
            ],
            &Button { label: "Choose a new password", link },
        ),
        Sw => lay_out(
            language,
            "Weka nenosiri jipya la FPL Leagues",
            "Habari,",
            &[
                "Mtu fulani, pengine wewe, ameomba nenosiri jipya la akaunti yako ya FPL Leagues.".to_owned(),
                "Kiungo hiki kinafanya kazi mara moja, kwa dakika 30. Kama si wewe uliyeomba, puuza barua hii: nenosiri lako halibadiliki.".to_owned(),
            ],
            &Button { label: "Chagua nenosiri jipya", link },
        ),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(En, "30 minutes")]
    #[case(Sw, "dakika 30")]
    fn a_link_is_in_the_text_and_in_the_html(#[case] language: Language, #[case] lasts: &str) {
        let mail = reset("https://play.example", language, "0123abcd");
        for body in [&mail.text, &mail.html] {
            assert!(body.contains("https://play.example/reset-password/0123abcd"), "{body}");
            assert!(body.contains(lasts));
        }
    }
}
