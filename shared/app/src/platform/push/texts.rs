//! What a phone shows: a line to see and one to read, and what opens behind it. In English and in Kiswahili; a `match`
//! over the language has both, or it does not compile.

use domain::{
    Kes,
    accounts::notifications::Language::{self, En, Sw},
    withdrawals::requests::WithdrawalStatus,
};
use store::ledger::wallets::StoredPosting;

use crate::platform::mail::{
    found::{Content, Found},
    texts::{
        debt_in_words,
        gameweeks::{in_kenya, league_path, settlement_path},
    },
};

/// What is shown, and the page that it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushText {
    pub title: String,
    pub body: String,
    pub path: String,
}

/// Nothing, of what is never pushed.
pub fn of(found: &Found, language: Language) -> Option<PushText> {
    let text =
        |(title, body): (String, String), path: &str| Some(PushText { title, body, path: path.to_owned() });
    match &found.says {
        Content::Act(_)
        | Content::Closed { .. }
        | Content::OpenAgain
        | Content::Stopped(_)
        | Content::Case { .. } => None,
        Content::ResetLink => text(reset(language), "/payment"),
        Content::Posting { posting, entered: Some(gameweek), .. } => {
            text(entered(posting, gameweek.number, language), "/payment")
        }
        Content::Posting { posting, towards_debt, .. } => about_posting(posting, *towards_debt, language),
        Content::TypedCodeRejected(_) => text(code_rejected(language), "/payment"),
        Content::Withdrawal { withdrawal, towards_debt } => {
            let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
            let paid = withdrawal.paid_amount();
            let is_there = debt_in_words(amount, *towards_debt, language);
            let says = match (withdrawal.status, language) {
                (WithdrawalStatus::Done, En) => (
                    format!("Your withdrawal of {amount} is done"),
                    format!("We have sent {paid} to {phone} by M-Pesa."),
                ),
                (WithdrawalStatus::Done, Sw) => (
                    format!("{amount} uliyoondoa imetumwa"),
                    format!("Tumetuma {paid} kwa {phone} kupitia M-Pesa."),
                ),
                (_, En) => (
                    format!("Your withdrawal of {amount} was rejected"),
                    is_there.unwrap_or_else(|| "The money is back in your wallet.".to_owned()),
                ),
                (_, Sw) => (
                    format!("Ombi lako la kuondoa {amount} limekataliwa"),
                    is_there.unwrap_or_else(|| "Pesa zimerudi kwenye pochi yako.".to_owned()),
                ),
            };
            text(says, "/withdrawals")
        }
        Content::HowToCancel(withdrawal) => {
            let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
            let says = match language {
                En => (
                    format!("{amount} is about to leave your wallet"),
                    format!("It goes to {phone}. If you did not ask for it, open the link in our mail."),
                ),
                Sw => (
                    format!("{amount} inakaribia kutoka kwenye pochi yako"),
                    format!(
                        "Inaenda kwa {phone}. Kama si wewe uliyeomba, fungua kiungo kilicho kwenye barua pepe yetu."
                    ),
                ),
            };
            text(says, "/withdrawals")
        }
        Content::OwnNumber { phone, .. } => {
            let phone = phone.masked();
            let says = match language {
                En => (
                    format!("{phone} is your number now"),
                    "If you did not do this, set a new password at once.".to_owned(),
                ),
                Sw => (
                    format!("{phone} ni nambari yako sasa"),
                    "Kama si wewe uliyefanya hivi, weka nenosiri jipya mara moja.".to_owned(),
                ),
            };
            text(says, "/payment")
        }
        Content::TeamLost(team) => {
            let says = match language {
                En => (
                    format!("Team {} is another player's", team.fpl_id),
                    "It is not linked to your account any more.".to_owned(),
                ),
                Sw => (
                    format!("Timu {} ni ya mchezaji mwingine", team.fpl_id),
                    "Haijaunganishwa tena na akaunti yako.".to_owned(),
                ),
            };
            text(says, "/payment")
        }
        Content::TeamChanged(_) => text(team_changed(language), "/payment"),
        Content::AgeProof { .. } => text(age_proof(language), "/contact"),
        Content::Deadline { gameweek, deadline } => {
            let (number, at) = (gameweek.number, in_kenya(*deadline));
            let says = match language {
                En => (
                    format!("Gameweek {number} closes at {at}"),
                    "You are not in yet. Join a league before the deadline.".to_owned(),
                ),
                Sw => (
                    format!("Gameweek {number} inafungwa saa {at}"),
                    "Bado hujaingia. Jiunge na ligi kabla ya muda kuisha.".to_owned(),
                ),
            };
            text(says, "/payment")
        }
        Content::Drawn(league) => {
            let (id, members) = (league.id(), league.members.len());
            let (gameweek, number, entry) = (id.gameweek.number, id.number, id.amount.kes());
            let says = match language {
                En => (
                    format!("Gameweek {gameweek}: you are in Group #{number}"),
                    format!("{members} players, {entry} each. See who you play against."),
                ),
                Sw => (
                    format!("Gameweek {gameweek}: uko katika Kundi #{number}"),
                    format!("Wachezaji {members}, dau la {entry} kila mmoja. Tazama unacheza na nani."),
                ),
            };
            text(says, &league_path(id))
        }
        Content::Final { league, place, of } => {
            let (gameweek, rank) = (league.gameweek.number, place.rank.unwrap_or(*of));
            let points = place.score.map(|score| score.points);
            let says = match language {
                En => (
                    format!("Gameweek {gameweek} is final: place {rank} of {of}"),
                    points.map_or_else(
                        || "See the result of your league.".to_owned(),
                        |points| format!("You have {points} points. See the result of your league."),
                    ),
                ),
                Sw => (
                    format!("Matokeo ya gameweek {gameweek}: nafasi ya {rank} kati ya {of}"),
                    points.map_or_else(
                        || "Tazama matokeo ya ligi yako.".to_owned(),
                        |points| format!("Una pointi {points}. Tazama matokeo ya ligi yako."),
                    ),
                ),
            };
            text(says, &settlement_path(*league))
        }
    }
}

fn about_posting(posting: &StoredPosting, towards_debt: Kes, language: Language) -> Option<PushText> {
    let (kind, what) = posting.cause.split_once('#')?;
    let amount = posting.amount;
    let is_there = debt_in_words(amount, towards_debt, language);
    let gameweek = || what.parse().map(|id: domain::GameweekId| id.number).ok();
    let (title, body, path) = match (kind, language) {
        ("prize", _) => {
            let league = what.parse().ok()?;
            let (title, body) = prize(league, amount, is_there, language);
            (title, body, settlement_path(league))
        }
        ("refund", En) => (
            format!("Your entry for gameweek {} is refunded", gameweek()?),
            is_there.unwrap_or_else(|| format!("{amount} is back in your wallet.")),
            "/transactions".to_owned(),
        ),
        ("refund", Sw) => (
            format!("Dau lako la gameweek {} limerudishwa", gameweek()?),
            is_there.unwrap_or_else(|| format!("{amount} imerudi kwenye pochi yako.")),
            "/transactions".to_owned(),
        ),
        ("reversal", En) => (
            "M-Pesa has taken back a payment of yours".to_owned(),
            format!("{} has been taken out of your wallet.", -amount),
            "/transactions".to_owned(),
        ),
        ("reversal", Sw) => (
            "M-Pesa imerudisha malipo yako".to_owned(),
            format!("{} imetolewa kwenye pochi yako.", -amount),
            "/transactions".to_owned(),
        ),
        ("correction", En) => (
            "Your wallet has been corrected".to_owned(),
            "See what was changed, and why.".to_owned(),
            "/transactions".to_owned(),
        ),
        ("correction", Sw) => (
            "Pochi yako imerekebishwa".to_owned(),
            "Tazama kilichobadilika, na sababu yake.".to_owned(),
            "/transactions".to_owned(),
        ),
        ("deposit" | "manual" | "paybill", En) => (
            format!("{} received", posting.before_excise()),
            match (posting.excise(), is_there) {
                (Kes::ZERO, None) => "Your M-Pesa payment has come to your wallet.".to_owned(),
                (tax, None) => {
                    format!("Your M-Pesa payment has come to your wallet, less {tax} of excise duty.")
                }
                (_, Some(is_there)) => is_there,
            },
            "/payment".to_owned(),
        ),
        ("deposit" | "manual" | "paybill", Sw) => (
            format!("Tumepokea {}", posting.before_excise()),
            match (posting.excise(), is_there) {
                (Kes::ZERO, None) => "Malipo yako ya M-Pesa yamefika kwenye pochi yako.".to_owned(),
                (tax, None) => format!(
                    "Malipo yako ya M-Pesa yamefika kwenye pochi yako, bila {tax} ya ushuru wa bidhaa."
                ),
                (_, Some(is_there)) => is_there,
            },
            "/payment".to_owned(),
        ),
        _ => return None,
    };
    Some(PushText { title, body, path })
}

fn prize(
    league: store::leagues::LeagueId,
    amount: Kes,
    is_there: Option<String>,
    language: Language,
) -> (String, String) {
    let gameweek = league.gameweek.number;
    match language {
        En => (
            format!("You won {amount} in gameweek {gameweek}"),
            format!(
                "Congratulations! {}",
                is_there.unwrap_or_else(|| "The money is in your wallet.".to_owned())
            ),
        ),
        Sw => (
            format!("Umeshinda {amount} katika gameweek {gameweek}"),
            format!("Hongera! {}", is_there.unwrap_or_else(|| "Zawadi yako iko kwenye pochi.".to_owned())),
        ),
    }
}

fn entered(posting: &StoredPosting, gameweek: u8, language: Language) -> (String, String) {
    let paid = posting.before_excise();
    match language {
        En => (
            format!("You are in gameweek {gameweek}"),
            format!("Your M-Pesa payment of {paid} has arrived and paid for your entry."),
        ),
        Sw => (
            format!("Umeingia gameweek {gameweek}"),
            format!("Malipo yako ya M-Pesa ya {paid} yamefika na yamelipia kuingia kwako."),
        ),
    }
}

fn code_rejected(language: Language) -> (String, String) {
    match language {
        En => ("Your M-Pesa code was not accepted".to_owned(), "Our mail says why.".to_owned()),
        Sw => ("Code yako ya M-Pesa haikukubaliwa".to_owned(), "Barua pepe yetu inaeleza sababu.".to_owned()),
    }
}

fn reset(language: Language) -> (String, String) {
    match language {
        En => (
            "Somebody asked for a new password".to_owned(),
            "If it was not you, ignore our mail: your password stays as it is.".to_owned(),
        ),
        Sw => (
            "Mtu fulani ameomba nenosiri jipya".to_owned(),
            "Kama si wewe, puuza barua pepe yetu: nenosiri lako halibadiliki.".to_owned(),
        ),
    }
}

fn age_proof(language: Language) -> (String, String) {
    match language {
        En => ("News about your account".to_owned(), "Our mail says what it is about.".to_owned()),
        Sw => ("Habari kuhusu akaunti yako".to_owned(), "Barua pepe yetu inaeleza zaidi.".to_owned()),
    }
}

fn team_changed(language: Language) -> (String, String) {
    match language {
        En => ("Your FPL team has been changed".to_owned(), "Our mail says by whom and why.".to_owned()),
        Sw => ("Timu yako ya FPL imebadilishwa".to_owned(), "Barua pepe yetu inaeleza sababu.".to_owned()),
    }
}
