//! Mails about what a settlement has paid or given back.

use domain::{
    GameweekId, Kes,
    accounts::notifications::Language::{En, Sw},
};
use store::leagues::LeagueId;

use super::{Button, MailText, Reader, debt_in_words, gameweeks::settlement_path};
use crate::platform::reasons;

/// `towards_debt`: what of it has paid what the player owed.
pub fn prize(reader: Reader<'_>, league: LeagueId, amount: Kes, towards_debt: Kes) -> MailText {
    let LeagueId { gameweek, amount: entry, number } = league;
    let entry = entry.kes();
    let link = format!("{}{}", reader.origin, settlement_path(league));
    let is_there = debt_in_words(amount, towards_debt, reader.language);
    match reader.language {
        En => reader.lay_out(
            &format!("You won {amount} in gameweek {}", gameweek.number),
            &[
                format!(
                    "Congratulations! You won {amount} in gameweek {}: Group #{number} of the {entry} leagues.",
                    gameweek.number
                ),
                is_there.unwrap_or_else(|| "The money is in your wallet.".to_owned()),
            ],
            &Button { label: "See the result", link },
        ),
        Sw => reader.lay_out(
            &format!("Umeshinda {amount} katika gameweek {}", gameweek.number),
            &[
                format!(
                    "Hongera! Zawadi yako ya gameweek {} ni {amount}: Kundi #{number} la ligi za {entry}.",
                    gameweek.number
                ),
                is_there.unwrap_or_else(|| "Pesa ziko kwenye pochi yako.".to_owned()),
            ],
            &Button { label: "Tazama matokeo", link },
        ),
    }
}

/// `given_back`, and what of it has paid what the player owed; `why` is a sentence for the player.
pub fn refund(
    reader: Reader<'_>,
    gameweek: GameweekId,
    (given_back, towards_debt): (Kes, Kes),
    why: Option<&str>,
) -> MailText {
    let why = why.map(|why| format!(" {}", reasons::in_language(why, reader.language))).unwrap_or_default();
    let is_there = debt_in_words(given_back, towards_debt, reader.language);
    match reader.language {
        En => reader.lay_out(
            &format!("Your entry for gameweek {} is refunded", gameweek.number),
            &[match is_there {
                None => format!(
                    "Your entry for gameweek {} could not be played, so {given_back} is back in your wallet.{why}",
                    gameweek.number
                ),
                Some(is_there) => format!(
                    "Your entry for gameweek {} could not be played, so {given_back} is given back.{why} {is_there}",
                    gameweek.number
                ),
            }],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            &format!("Dau lako la gameweek {} limerudishwa", gameweek.number),
            &[match is_there {
                None => format!(
                    "Dau lako la gameweek {} halikuweza kuchezwa, kwa hivyo {given_back} imerudi kwenye pochi yako.{why}",
                    gameweek.number
                ),
                Some(is_there) => format!(
                    "Dau lako la gameweek {} halikuweza kuchezwa, kwa hivyo {given_back} imerudishwa.{why} {is_there}",
                    gameweek.number
                ),
            }],
            &reader.wallet(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use domain::Username;

    use super::*;

    #[test]
    fn a_prize_names_its_league() {
        let league = "2026-03-250-00002".parse().unwrap();
        let name = &Username::parse("Wanjiku").unwrap();
        let reader = Reader { origin: "https://play.example", name, language: En };
        let link = "https://play.example/leagues/2026-03-250-00002/settlement\n";
        let mail = prize(reader, league, Kes::new(2250), Kes::ZERO);
        assert_eq!(mail.subject, "You won KSh 2,250 in gameweek 3");
        assert!(mail.text.contains("Group #2 of the KSh 250 leagues"));
        assert!(mail.text.contains(link), "{}", mail.text);
        let mail = prize(Reader { language: Sw, ..reader }, league, Kes::new(2250), Kes::ZERO);
        assert_eq!(mail.subject, "Umeshinda KSh 2,250 katika gameweek 3");
        assert!(mail.text.contains(link) && mail.html.contains("lang=\"sw\""));
    }
}
