//! What the mails say: one function each, in plain text and in HTML over one plain layout.
//! Everything that comes from a person is escaped. A name stands only in mails that money made: a
//! link for a new password goes to whatever address somebody typed, so it repeats nothing of theirs.

use domain::{FplId, GameweekId, Kes, MpesaPhone, Username};
use store::{
    admin::audit::{AuditAction, AuditRecord, Who},
    ledger::wallets::StoredPosting,
    withdrawals::Withdrawal,
};

use super::Group;

/// A mail, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Something to press.
struct Button {
    label: &'static str,
    link: String,
}

/// The link for a new password.
pub fn reset(origin: &str, token: &str) -> Letter {
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

pub fn prize(origin: &str, name: &Username, group: &Group, amount: Kes) -> Letter {
    let Group { gameweek, entry, number } = group;
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
pub fn refund(origin: &str, name: &Username, gameweek: GameweekId, amount: Kes, why: Option<&str>) -> Letter {
    let why = why.map(|why| format!(" {why}")).unwrap_or_default();
    lay_out(
        &format!("Your entry for gameweek {} is refunded", gameweek.number),
        &hello(name),
        &[format!(
            "Your entry for gameweek {} could not be played, so {amount} is back in your wallet.{why}",
            gameweek.number
        )],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

/// To a number that is not the player's own: `token` is of the link that cancels it.
pub fn withdrawal_asked(origin: &str, withdrawal: &Withdrawal, token: &str) -> Letter {
    let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
    let when = match withdrawal.waits_until {
        Some(_) => "It is not paid before 24 hours have passed.",
        None => "It may be paid soon.",
    };
    lay_out(
        &format!("{amount} is about to leave your wallet"),
        &hello(&withdrawal.username),
        &[
            format!(
                "Somebody, hopefully you, asked to withdraw {amount} to {phone}. You have not paid from that number for a day, so we ask you. {when}"
            ),
            "If it was you, there is nothing to do. If it was not, open the link and press the button there: the money goes back into your wallet. Then choose a new password.".to_owned(),
        ],
        &Button { label: "Look at it, or cancel it", link: format!("{origin}/cancel-withdrawal/{token}") },
    )
}

/// Somebody else has proved a team that this player had linked.
pub fn team_lost(origin: &str, name: &Username, team: FplId) -> Letter {
    lay_out(
        &format!("Team {team} is another player's"),
        &hello(name),
        &[
            format!(
                "Another player has shown that team {team} is theirs: a code of ours was in its name in the official game. It is not linked to your account any more."
            ),
            "Entries that you made with it stay as they are. If you mistyped your own number, link your team now. If the team is yours, please contact us.".to_owned(),
        ],
        &Button { label: "Link your team", link: format!("{origin}/payment") },
    )
}

/// An admin has given an account another team: `act` says which.
pub fn team_changed(origin: &str, name: &Username, act: &AuditRecord) -> Letter {
    let (before, now) =
        (act.before.as_deref().unwrap_or("no team"), act.after.as_deref().unwrap_or("no team"));
    let why = act.reason.as_deref().unwrap_or("No reason was given.");
    lay_out(
        "Your FPL team has been changed",
        &hello(name),
        &[
            format!("We have changed the team that your account plays with. Before: {before}. Now: {now}."),
            format!("Reason: {why}"),
            "An entry into a gameweek that is still open goes with the new team. If you did not ask for this, please contact us."
                .to_owned(),
        ],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

pub fn withdrawal_done(origin: &str, withdrawal: &Withdrawal) -> Letter {
    let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
    let receipt = withdrawal.payout.as_ref().and_then(|payout| payout.receipt.as_deref());
    let receipt = receipt.map(|receipt| format!(" The receipt is {receipt}.")).unwrap_or_default();
    lay_out(
        &format!("Your withdrawal of {amount} is done"),
        &hello(&withdrawal.username),
        &[format!("We have sent {amount} to {phone} by M-Pesa.{receipt}")],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

pub fn withdrawal_rejected(origin: &str, withdrawal: &Withdrawal) -> Letter {
    let amount = withdrawal.amount;
    let reason = withdrawal.reason.as_deref().unwrap_or("No reason was given.");
    lay_out(
        &format!("Your withdrawal of {amount} was rejected"),
        &hello(&withdrawal.username),
        &[
            format!("Your withdrawal of {amount} was rejected. The money is back in your wallet."),
            format!("Reason: {reason}"),
        ],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

pub fn own_number(origin: &str, name: &Username, phone: &MpesaPhone) -> Letter {
    let phone = phone.masked();
    lay_out(
        &format!("{phone} is your number now"),
        &hello(name),
        &[
            format!(
                "An M-Pesa request that you sent to {phone} was paid. From now on this number is yours: nobody else \
                 can send payment requests to it. A day from now you can also be paid at it without waiting."
            ),
            "If you did not do this, set a new password at once, and write to us: somebody else may be in your account."
                .to_owned(),
        ],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

/// What an admin or the operator did: to the admins, or to whose log-in it is.
pub fn act(origin: &str, name: &Username, act: &AuditRecord) -> Letter {
    let by = act.who.person().map_or_else(|| "The operator".to_owned(), |(_, name)| name.to_string());
    let subject = match act.what {
        AuditAction::ConfirmTotp => "Your log-in asks for a code now".to_owned(),
        AuditAction::RemoveTotp if act.who.person().is_some() => {
            "Your log-in asks for no code any more".to_owned()
        }
        AuditAction::RemoveTotp => "An admin's second factor was taken away".to_owned(),
        AuditAction::GrantAdmin => "There is a new admin".to_owned(),
        AuditAction::RevokeAdmin => "An admin is none any more".to_owned(),
        other => format!("An admin's act: {}", other.into_str()),
    };
    let mut says = vec![format!("{by}: {} on {}.", act.what.into_str(), act.on)];
    let was = act.before.as_ref().map(|before| format!("Before: {before}."));
    says.extend(was);
    says.extend(act.after.as_ref().map(|after| format!("Now: {after}.")));
    says.extend(act.reason.as_ref().map(|reason| format!("Reason: {reason}")));
    let approved = act.approved_by.as_ref().and_then(Who::person);
    says.extend(approved.map(|(_, name)| format!("Approved by {name}.")));
    says.push("If nobody should have done this, pause the payouts and look into it.".to_owned());
    let button = Button { label: "Open the panel", link: format!("{origin}/panel") };
    lay_out(&subject, &hello(name), &says, &button)
}

/// M-Pesa has taken the payment `receipt` back.
pub fn reversal(origin: &str, name: &Username, receipt: &str, posting: &StoredPosting) -> Letter {
    let amount = gained(posting, "mpesa:in");
    lay_out(
        &format!("M-Pesa has taken back your payment of {amount}"),
        &hello(name),
        &[
            format!("M-Pesa has taken back the payment {receipt} of {amount}, which was in your wallet."),
            format!("{} has been taken out of your wallet.{}", -posting.amount, owed(posting)),
            "If you did not ask M-Pesa to take it back, ask M-Pesa why it was.".to_owned(),
        ],
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
    )
}

/// Something was given to a wallet or taken from it, by an admin or on M-Pesa's word.
pub fn correction(origin: &str, name: &Username, posting: &StoredPosting) -> Letter {
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
        &Button { label: "Open your wallet", link: format!("{origin}/payment") },
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

fn hello(name: &Username) -> String {
    format!("Hello {name},")
}

fn lay_out(subject: &str, greeting: &str, paragraphs: &[String], button: &Button) -> Letter {
    let Button { label, link } = button;
    let text = format!("{greeting}\n\n{}\n\n{label}:\n{link}\n\nFPL Leagues\n", paragraphs.join("\n\n"));
    let body: String =
        paragraphs.iter().map(|paragraph| format!("<p>{}</p>\n", escaped(paragraph))).collect();
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body style=\"font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1b1b1b; max-width: 32em; \
         margin: 0 auto; padding: 16px\">\n<p>{greeting}</p>\n{body}<p><a href=\"{link}\" style=\"display: \
         inline-block; padding: 10px 18px; border-radius: 6px; background: #37003c; color: #ffffff; \
         text-decoration: none\">{label}</a></p>\n<p>Or open this address: {link}</p>\n<p>FPL Leagues</p>\n\
         </body>\n</html>\n",
        title = escaped(subject),
        greeting = escaped(greeting),
        link = escaped(link),
        label = escaped(label),
    );
    Letter { subject: subject.to_owned(), text, html }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use domain::{UserId, withdrawals::requests::Status};

    use super::*;

    const ORIGIN: &str = "https://play.example";

    fn withdrawal(reason: &str) -> Withdrawal {
        Withdrawal {
            id: "a".repeat(32),
            user_id: UserId::parse(&"b".repeat(32)).unwrap(),
            username: Username::parse("<b>Otis</b>").unwrap(),
            phone: MpesaPhone::for_withdrawal("0712345678").unwrap(),
            amount: Kes::new(1450),
            status: Status::Rejected,
            created_at: "2026-08-20T09:00:00Z".parse().unwrap(),
            ended_at: None,
            flags: Vec::new(),
            flagged: false,
            waits_until: None,
            cancel_hash: None,
            payout: None,
            trouble: None,
            corrected: None,
            next_question: None,
            reason: Some(reason.to_owned()),
        }
    }

    #[test]
    fn a_link_is_in_the_text_and_in_the_html() {
        let letter = reset(ORIGIN, "0123abcd");
        for body in [&letter.text, &letter.html] {
            assert!(body.contains("https://play.example/reset-password/0123abcd"), "{body}");
            assert!(body.contains("30 minutes"));
        }
    }

    #[test]
    fn a_withdrawal_to_a_new_number_can_be_cancelled() {
        let letter = withdrawal_asked(ORIGIN, &withdrawal(""), "0123abcd");
        assert!(letter.text.contains("KSh 1,450 to 07******78"), "{}", letter.text);
        assert!(letter.text.contains("https://play.example/cancel-withdrawal/0123abcd\n"));
        assert!(letter.text.contains("It may be paid soon."));
    }

    #[test]
    fn what_people_wrote_is_escaped_in_html_and_plain_in_text() {
        let letter = withdrawal_rejected(ORIGIN, &withdrawal("Name & number <differ>"));
        assert!(letter.html.contains("Hello &lt;b&gt;Otis&lt;/b&gt;,"));
        assert!(letter.html.contains("Name &amp; number &lt;differ&gt;"));
        assert!(!letter.html.contains("<b>"));
        assert!(letter.text.contains("Hello <b>Otis</b>,") && letter.text.contains("Name & number <differ>"));
    }

    #[test]
    fn amounts_are_grouped_and_numbers_masked() {
        let letter = withdrawal_done(ORIGIN, &withdrawal(""));
        assert_eq!(letter.subject, "Your withdrawal of KSh 1,450 is done");
        assert!(letter.text.contains("KSh 1,450 to 07******78 by M-Pesa"), "{}", letter.text);
    }

    #[test]
    fn a_prize_names_its_league() {
        let gameweek = GameweekId { season: 2026, number: 3 };
        let group = Group { gameweek, entry: Kes::new(250), number: 2 };
        let letter = prize(ORIGIN, &Username::parse("Wanjiku").unwrap(), &group, Kes::new(2250));
        assert_eq!(letter.subject, "You won KSh 2,250 in gameweek 3");
        assert!(letter.text.contains("Group #2 of the KSh 250 leagues"));
        assert!(letter.text.contains("/leagues?gameweek=3&amount=250\n"), "{}", letter.text);
    }
}
