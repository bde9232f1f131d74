//! Mails about log-ins. A link for a new password goes to whatever address somebody typed, so it repeats
//! nothing of theirs. And about a player's age, and a player who stops.

use domain::accounts::{
    notifications::Language::{self, En, Sw},
    stopping::Stopped,
};
use jiff::Timestamp;
use store::admin::audit::AuditRecord;

use super::{
    Button, MailText, Reader,
    gameweeks::{in_kenya, on_day},
    lay_out,
};
use crate::{admin::changes::PROOF_WANTED, platform::reasons};

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

/// An account that its player has closed: what is personal goes at `erased_at`.
pub fn closed(reader: Reader<'_>, erased_at: Timestamp) -> MailText {
    let link = format!("{}/contact", reader.origin);
    let when = on_day(erased_at);
    match reader.language {
        En => reader.lay_out(
            "Your FPL Leagues account is closed",
            &[
                "You have closed your account. You are logged out everywhere, and nobody can log in.".to_owned(),
                format!(
                    "What is personal is removed on {when}: name, email, numbers, messages. What the books need stays without it."
                ),
                "Should a prompt still be paid before that, or your wallet have KSh 60 or more then, the account is open again and we write to you. If it was not you who closed it, contact us at once.".to_owned(),
            ],
            &Button { label: "Contact us", link },
        ),
        Sw => reader.lay_out(
            "Akaunti yako ya FPL Leagues imefungwa",
            &[
                "Umefunga akaunti yako. Umetolewa kwenye vifaa vyote, na hakuna anayeweza kuingia.".to_owned(),
                format!(
                    "Taarifa zako binafsi zitaondolewa tarehe {when}: jina, barua pepe, nambari za simu, ujumbe. Kinachohitajika kwa hesabu kitabaki bila taarifa hizo."
                ),
                "Ombi la M-Pesa likilipwa kabla ya hapo, au pochi yako ikiwa na KSh 60 au zaidi wakati huo, akaunti itafunguliwa tena na tutakuandikia. Kama si wewe uliyeifunga, wasiliana nasi mara moja.".to_owned(),
            ],
            &Button { label: "Wasiliana nasi", link },
        ),
    }
}

/// A closed account is open again, since something of it is not settled.
pub fn open_again(reader: Reader<'_>) -> MailText {
    let link = format!("{}/login", reader.origin);
    match reader.language {
        En => reader.lay_out(
            "Your FPL Leagues account is open again",
            &[
                "You closed your account, and since then money has come in or something of yours is not settled. So nothing was removed, and you can log in again.".to_owned(),
                "Withdraw the money, then close the account again if you still want to. Less than KSh 60 cannot be withdrawn: write to us, and we pay it out by hand.".to_owned(),
            ],
            &Button { label: "Log in", link },
        ),
        Sw => reader.lay_out(
            "Akaunti yako ya FPL Leagues imefunguliwa tena",
            &[
                "Ulifunga akaunti yako, na tangu hapo pesa zimeingia au kuna jambo lako ambalo halijakamilika. Kwa hiyo hakuna kilichoondolewa, na unaweza kuingia tena.".to_owned(),
                "Ondoa pesa, kisha funga akaunti tena ukitaka. Chini ya KSh 60 haiwezi kuondolewa: tuandikie, nasi tutakulipa.".to_owned(),
            ],
            &Button { label: "Ingia", link },
        ),
    }
}

/// A player has stopped playing. It cannot be taken back, so whoever did not do it hears of it.
pub fn stopped(reader: Reader<'_>, stopped: Stopped) -> MailText {
    let link = format!("{}/contact", reader.origin);
    let (day, at) = (on_day(stopped.until), in_kenya(stopped.until));
    match reader.language {
        En => reader.lay_out(
            "You have stopped playing on FPL Leagues",
            &[
                format!("Until {day}, {at} Kenyan time, you cannot enter or deposit, and we do not invite you. You can withdraw what is in your wallet."),
                "It can be made longer, not shorter. What you have entered already is played.".to_owned(),
                "If it was not you, somebody knows your password: change it and contact us.".to_owned(),
            ],
            &Button { label: "Contact us", link },
        ),
        Sw => reader.lay_out(
            "Umesimamisha kucheza kwenye FPL Leagues",
            &[
                format!("Hadi {day} saa {at} huwezi kuingia kwenye ligi wala kuweka pesa, na hatutakualika. Unaweza kutoa pesa zilizo kwenye pochi yako."),
                "Muda unaweza kuongezwa, si kupunguzwa. Ligi ambazo umeshaingia zitachezwa.".to_owned(),
                "Kama si wewe, kuna mtu anayejua nenosiri lako: libadilishe na uwasiliane nasi.".to_owned(),
            ],
            &Button { label: "Wasiliana nasi", link },
        ),
    }
}

/// An admin has asked for a proof of age, or was given one: `act` says which. Whoever still may not play is not told that
/// they can.
pub fn age_proof(reader: Reader<'_>, act: &AuditRecord, may_play: bool) -> MailText {
    if act.after.as_deref() != Some(PROOF_WANTED) {
        return age_shown(reader, may_play);
    }
    let why = reasons::or_none(act.reason.as_deref(), reader.language);
    let link = format!("{}/contact", reader.origin);
    match reader.language {
        En => reader.lay_out(
            "Please show us that you are 18 or older",
            &[
                "Before you enter or deposit again we have to know that you are 18 or older. Please contact us: we tell you which document we need.".to_owned(),
                format!("Reason: {why}"),
                "Your money stays yours: you can withdraw it as before. What you have entered already is played.".to_owned(),
            ],
            &Button { label: "Contact us", link },
        ),
        Sw => reader.lay_out(
            "Tafadhali tuonyeshe kwamba una miaka 18 au zaidi",
            &[
                "Kabla ya kujiunga au kuweka pesa tena, tunahitaji kujua kwamba una miaka 18 au zaidi. Tafadhali wasiliana nasi: tutakuambia hati tunayohitaji.".to_owned(),
                format!("Sababu: {why}"),
                "Pesa zako bado ni zako: unaweza kuzitoa kama kawaida. Ligi ulizoingia tayari zinachezwa.".to_owned(),
            ],
            &Button { label: "Wasiliana nasi", link },
        ),
    }
}

fn age_shown(reader: Reader<'_>, may_play: bool) -> MailText {
    match (reader.language, may_play) {
        (En, true) => reader.lay_out(
            "You can play again",
            &["Thank you: you have shown us your age. You can enter and deposit again.".to_owned()],
            &reader.wallet(),
        ),
        (En, false) => reader.lay_out(
            "You have shown us your age",
            &["Thank you: you have shown us your age.".to_owned()],
            &reader.wallet(),
        ),
        (Sw, true) => reader.lay_out(
            "Unaweza kucheza tena",
            &["Asante: umetuonyesha umri wako. Unaweza kujiunga na kuweka pesa tena.".to_owned()],
            &reader.wallet(),
        ),
        (Sw, false) => reader.lay_out(
            "Umetuonyesha umri wako",
            &["Asante: umetuonyesha umri wako.".to_owned()],
            &reader.wallet(),
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
