//! Why something was done, as it is kept and read later: a sentence of ours is told in the reader's language, an admin's
//! own words as they were written. The page has its own words for the same (`web/src/locales/sw-server.ts`).

use domain::accounts::notifications::Language::{self, En, Sw};

pub const NOBODY_ELSE_JOINED: &str = "Nobody else joined.";
pub const TOO_LATE_FOR_THE_DRAW: &str = "It came too late for the draw.";
pub const NOTHING_PLAYED: &str = "Nothing was played in this gameweek.";
pub const NO_SCORE: &str = "The official game has no score of your team.";
pub const NOT_SETTLED: &str = "The league could not be settled.";
/// Before the admin's own words.
pub const CALLED_OFF: &str = "The gameweek was called off: ";
pub const CANCELLED_BY_LINK: &str = "It was cancelled with the link in our mail.";
pub const PAYOUT_FAILED: &str = "M-Pesa could not make this payment.";
pub const COVERS_A_PAYOUT: &str =
    "M-Pesa has paid another withdrawal after its money had gone back to your wallet, and this covers it.";
pub const COVERS_A_REVERSAL: &str = "M-Pesa has taken back a payment of yours, and this covers it.";

/// Ours, each with the same in Kiswahili.
pub const OURS: &[(&str, &str)] = &[
    (NOBODY_ELSE_JOINED, "Hakuna mwingine aliyejiunga."),
    (TOO_LATE_FOR_THE_DRAW, "Lilichelewa kuingia kwenye droo."),
    (NOTHING_PLAYED, "Hakuna mechi iliyochezwa katika gameweek hii."),
    (NO_SCORE, "FPL rasmi haina pointi za timu yako."),
    (NOT_SETTLED, "Matokeo ya ligi hayakuweza kukamilishwa."),
    (CANCELLED_BY_LINK, "Ilighairiwa kwa kiungo kilicho kwenye barua pepe yetu."),
    (PAYOUT_FAILED, "M-Pesa haikuweza kufanya malipo haya."),
    (
        COVERS_A_PAYOUT,
        "M-Pesa imelipa ombi lingine baada ya pesa zake kurudi kwenye pochi yako, na pesa hizi zinagharamia hilo.",
    ),
    (COVERS_A_REVERSAL, "M-Pesa imerudisha malipo yako mengine, na pesa hizi zinagharamia hayo."),
    ("The account was closed.", "Akaunti ilifungwa."),
    // Of a payout that failed.
    (
        "M-Pesa could not make this payment for us at the moment.",
        "M-Pesa haikuweza kutufanyia malipo haya kwa sasa.",
    ),
    (
        "This would pass an M-Pesa limit of the receiving number.",
        "Hii ingezidi kiwango cha M-Pesa cha nambari inayopokea.",
    ),
    ("The M-Pesa account of this number is not active.", "Akaunti ya M-Pesa ya nambari hii haifanyi kazi."),
    ("This number is not registered with M-Pesa.", "Nambari hii haijasajiliwa M-Pesa."),
    ("M-Pesa does not know this number.", "M-Pesa haiijui nambari hii."),
    // Of what is taken back.
    (
        "M-Pesa has paid a withdrawal after its money had gone back to your wallet.",
        "M-Pesa imelipa ombi la kuondoa pesa baada ya pesa zake kurudi kwenye pochi yako.",
    ),
    (
        "M-Pesa has paid a withdrawal that was paid already.",
        "M-Pesa imelipa ombi la kuondoa pesa ambalo lilikuwa limelipwa tayari.",
    ),
    (
        "M-Pesa has not paid a withdrawal that counted as paid.",
        "M-Pesa haikulipa ombi la kuondoa pesa lililohesabiwa kuwa limelipwa.",
    ),
];

pub fn in_language(why: &str, language: Language) -> String {
    match language {
        En => why.to_owned(),
        Sw => match OURS.iter().find(|(english, _)| *english == why) {
            Some((_, kiswahili)) => (*kiswahili).to_owned(),
            None => why.replacen(CALLED_OFF, "Gameweek ilifutwa: ", 1),
        },
    }
}

pub fn or_none(why: Option<&str>, language: Language) -> String {
    match (why, language) {
        (Some(why), _) => in_language(why, language),
        (None, En) => "No reason was given.".to_owned(),
        (None, Sw) => "Hakuna sababu iliyotolewa.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clients::daraja::PayoutFailure;
    use domain::withdrawals::requests::PayoutCorrection;
    use strum::VariantArray;

    use super::*;

    #[test]
    fn what_we_say_is_translated_and_an_admins_words_stay() {
        assert_eq!(in_language("Nobody else joined.", Sw), "Hakuna mwingine aliyejiunga.");
        assert_eq!(in_language("The gameweek was called off: floods", Sw), "Gameweek ilifutwa: floods");
        assert_eq!(in_language("The number is ported.", Sw), "The number is ported.");
        assert!(
            OURS.iter()
                .all(|(english, kiswahili)| english != kiswahili && in_language(english, En) == *english)
        );
    }

    #[test]
    fn what_became_of_a_payout_is_told_in_both_languages() {
        let failures = PayoutFailure::VARIANTS.iter().map(|failure| failure.player_message());
        let corrections = PayoutCorrection::VARIANTS.iter().map(|correction| correction.note());
        for english in failures.chain(corrections) {
            assert_ne!(in_language(english, Sw), english);
        }
    }
}
