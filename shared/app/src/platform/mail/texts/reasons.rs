//! Why something was done, as it is kept: a sentence of ours is told in the reader's language, an admin's own words as
//! they were written.

use domain::accounts::notifications::Language::{self, En, Sw};

/// Ours, each with the same in Kiswahili.
const OURS: &[(&str, &str)] = &[
    ("Nobody else joined.", "Hakuna mwingine aliyejiunga."),
    ("It came too late for the draw.", "Ilichelewa: droo ilikuwa tayari imefanyika."),
    ("Nothing was played in this gameweek.", "Hakuna mechi iliyochezwa katika gameweek hii."),
    ("The official game has no score of your team.", "FPL rasmi haina pointi za timu yako."),
    ("The league could not be settled.", "Matokeo ya ligi hayakuweza kukamilishwa."),
    ("It was cancelled with the link in our mail.", "Ilighairiwa kwa kiungo kilicho kwenye barua pepe yetu."),
];
const CALLED_OFF: (&str, &str) = ("The gameweek was called off: ", "Gameweek ilifutwa: ");

pub fn told(why: &str, language: Language) -> String {
    match language {
        En => why.to_owned(),
        Sw => match OURS.iter().find(|(english, _)| *english == why) {
            Some((_, kiswahili)) => (*kiswahili).to_owned(),
            None => why.replacen(CALLED_OFF.0, CALLED_OFF.1, 1),
        },
    }
}

pub fn or_none(why: Option<&str>, language: Language) -> String {
    match (why, language) {
        (Some(why), _) => told(why, language),
        (None, En) => "No reason was given.".to_owned(),
        (None, Sw) => "Hakuna sababu iliyotolewa.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_say_is_translated_and_an_admins_words_stay() {
        assert_eq!(told("Nobody else joined.", Sw), "Hakuna mwingine aliyejiunga.");
        assert_eq!(told("The gameweek was called off: floods", Sw), "Gameweek ilifutwa: floods");
        assert_eq!(told("The number is not registered.", Sw), "The number is not registered.");
        assert!(
            OURS.iter().all(|(english, kiswahili)| english != kiswahili && told(english, En) == *english)
        );
    }
}
