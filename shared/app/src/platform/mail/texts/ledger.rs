//! Mails about what was booked in a wallet.

use domain::{GameweekId, Kes, Username};
use store::{leagues::LeagueId, ledger::wallets::StoredPosting};

use super::{Button, MailText, hello, lay_out};

pub fn prize(origin: &str, name: &Username, league: LeagueId, amount: Kes) -> MailText {
    let LeagueId { gameweek, amount: entry, number } = league;
    let entry = entry.kes();
    let link = format!("{origin}/leagues?gameweek={}&amount={}", gameweek.number, entry.get());
    lay_out(
        &format!("You won {amount} in gameweek {}", gameweek.number),
        &hello(name),
        &[
            format!(
                "Congratulations! You won {amount} in gameweek {}: Group #{number} of the {entry} leagues.",
                gameweek.number
            ),
            "The money is in your wallet.".to_owned(),
        ],
        &Button { label: "See your league", link },
    )
}

/// `why` is a sentence for the player.
pub fn refund(
    origin: &str,
    name: &Username,
    gameweek: GameweekId,
    amount: Kes,
    why: Option<&str>,
) -> MailText {
    let why = why.map(|why| format!(" {why}")).unwrap_or_default();
    lay_out(
        &format!("Your entry for gameweek {} is refunded", gameweek.number),
        &hello(name),
        &[format!(
            "Your entry for gameweek {} could not be played, so {amount} is back in your wallet.{why}",
            gameweek.number
        )],
        &Button::wallet(origin),
    )
}

/// M-Pesa has taken the payment `receipt` back.
pub fn reversal(origin: &str, name: &Username, receipt: &str, posting: &StoredPosting) -> MailText {
    let amount = gained(posting, "mpesa:in");
    lay_out(
        &format!("M-Pesa has taken back your payment of {amount}"),
        &hello(name),
        &[
            format!("M-Pesa has taken back the payment {receipt} of {amount}, which was in your wallet."),
            format!("{} has been taken out of your wallet.{}", -posting.amount, owed(posting)),
            "If you did not ask M-Pesa to take it back, ask M-Pesa why it was.".to_owned(),
        ],
        &Button::wallet(origin),
    )
}

/// Something was given to a wallet or taken from it, by an admin or on M-Pesa's word.
pub fn correction(origin: &str, name: &Username, posting: &StoredPosting) -> MailText {
    let amount = posting.amount;
    let done = if amount.is_positive() {
        format!("{amount} has been put into your wallet.")
    } else {
        format!("{} has been taken out of your wallet.{}", -amount, owed(posting))
    };
    let why = posting.note.as_deref().unwrap_or("No reason was given.");
    lay_out(
        "Your wallet has been corrected",
        &hello(name),
        &[done, format!("Reason: {why}")],
        &Button::wallet(origin),
    )
}

/// What is owed since `posting`, and how it is paid.
fn owed(posting: &StoredPosting) -> String {
    let debts = posting.legs.iter().filter(|leg| leg.account.starts_with("debt:"));
    let debt: Kes = debts.map(|leg| -leg.amount).sum();
    if debt.is_positive() {
        format!(
            " {debt} was not there any more: you owe it, and whatever comes into your wallet pays it first."
        )
    } else {
        String::new()
    }
}

fn gained(posting: &StoredPosting, account: &str) -> Kes {
    posting.legs.iter().filter(|leg| leg.account == account).map(|leg| leg.amount).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prize_names_its_league() {
        let league = "2026-03-250-00002".parse().unwrap();
        let name = Username::parse("Wanjiku").unwrap();
        let mail = prize("https://play.example", &name, league, Kes::new(2250));
        assert_eq!(mail.subject, "You won KSh 2,250 in gameweek 3");
        assert!(mail.text.contains("Group #2 of the KSh 250 leagues"));
        assert!(mail.text.contains("/leagues?gameweek=3&amount=250\n"), "{}", mail.text);
    }
}
