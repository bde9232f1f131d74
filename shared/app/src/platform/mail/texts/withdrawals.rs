//! Mails about withdrawals.

use store::withdrawals::Withdrawal;

use super::{Button, MailText, hello, lay_out};

/// To a number that is not the player's own: `token` is of the link that cancels it.
pub fn asked(origin: &str, withdrawal: &Withdrawal, token: &str) -> MailText {
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

pub fn done(origin: &str, withdrawal: &Withdrawal) -> MailText {
    let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
    let receipt = withdrawal.payout.as_ref().and_then(|payout| payout.receipt.as_deref());
    let receipt = receipt.map(|receipt| format!(" The receipt is {receipt}.")).unwrap_or_default();
    lay_out(
        &format!("Your withdrawal of {amount} is done"),
        &hello(&withdrawal.username),
        &[format!("We have sent {amount} to {phone} by M-Pesa.{receipt}")],
        &Button::wallet(origin),
    )
}

pub fn rejected(origin: &str, withdrawal: &Withdrawal) -> MailText {
    let amount = withdrawal.amount;
    let reason = withdrawal.reason.as_deref().unwrap_or("No reason was given.");
    lay_out(
        &format!("Your withdrawal of {amount} was rejected"),
        &hello(&withdrawal.username),
        &[
            format!("Your withdrawal of {amount} was rejected. The money is back in your wallet."),
            format!("Reason: {reason}"),
        ],
        &Button::wallet(origin),
    )
}

#[cfg(test)]
mod tests {
    use domain::{Kes, MpesaPhone, UserId, Username, withdrawals::requests::WithdrawalStatus};

    use super::*;

    const ORIGIN: &str = "https://play.example";

    fn withdrawal(reason: &str) -> Withdrawal {
        Withdrawal {
            id: "a".repeat(32),
            user_id: UserId::parse(&"b".repeat(32)).unwrap(),
            username: Username::parse("<b>Otis</b>").unwrap(),
            phone: MpesaPhone::for_withdrawal("0712345678").unwrap(),
            amount: Kes::new(1450),
            status: WithdrawalStatus::Rejected,
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
            recheck: None,
            reason: Some(reason.to_owned()),
        }
    }

    #[test]
    fn a_withdrawal_to_a_new_number_can_be_cancelled() {
        let mail = asked(ORIGIN, &withdrawal(""), "0123abcd");
        assert!(mail.text.contains("KSh 1,450 to 07******78"), "{}", mail.text);
        assert!(mail.text.contains("https://play.example/cancel-withdrawal/0123abcd\n"));
        assert!(mail.text.contains("It may be paid soon."));
    }

    #[test]
    fn what_people_wrote_is_escaped_in_html_and_plain_in_text() {
        let mail = rejected(ORIGIN, &withdrawal("Name & number <differ>"));
        assert!(mail.html.contains("Hello &lt;b&gt;Otis&lt;/b&gt;,"));
        assert!(mail.html.contains("Name &amp; number &lt;differ&gt;"));
        assert!(!mail.html.contains("<b>"));
        assert!(mail.text.contains("Hello <b>Otis</b>,") && mail.text.contains("Name & number <differ>"));
    }

    #[test]
    fn amounts_are_grouped_and_numbers_masked() {
        let mail = done(ORIGIN, &withdrawal(""));
        assert_eq!(mail.subject, "Your withdrawal of KSh 1,450 is done");
        assert!(mail.text.contains("KSh 1,450 to 07******78 by M-Pesa"), "{}", mail.text);
    }
}
