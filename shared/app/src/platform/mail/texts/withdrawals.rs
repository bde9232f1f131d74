//! Mails about withdrawals.

use domain::{
    Kes,
    accounts::notifications::Language::{self, En, Sw},
};
use store::withdrawals::Withdrawal;

use super::{Button, MailText, Reader, debt_in_words};
use crate::platform::reasons;

/// To a number that is not the player's own: `token` is of the link that cancels it, unless the day in which it does `is_over`.
pub fn asked(reader: Reader<'_>, withdrawal: &Withdrawal, token: &str, is_over: bool) -> MailText {
    let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
    let link = format!("{}/cancel-withdrawal/{token}", reader.origin);
    let waits = withdrawal.waits_until.is_some();
    match reader.language {
        En => {
            let when = match waits {
                _ if is_over => {
                    "Its 24 hours are over: it may be on its way, and the link does not cancel it any more."
                }
                true => "It is not paid before 24 hours have passed, and until then the link cancels it.",
                false => "It may be paid soon.",
            };
            let what_to_do = match is_over {
                true => {
                    "If it was you, there is nothing to do. If it was not, write to us at once, and choose a new password."
                }
                false => {
                    "If it was you, there is nothing to do. If it was not, open the link and press the button there: the money goes back into your wallet. Then choose a new password."
                }
            };
            reader.lay_out(
                &format!("{amount} is about to leave your wallet"),
                &[
                    format!(
                        "Somebody, hopefully you, asked to withdraw {amount} to {phone}. You have not paid from that number for a day, so we ask you. {when}"
                    ),
                    what_to_do.to_owned(),
                ],
                &Button { label: if is_over { "Look at it" } else { "Look at it, or cancel it" }, link },
            )
        }
        Sw => {
            let when = match waits {
                _ if is_over => {
                    "Saa zake 24 zimekwisha: huenda pesa ziko njiani, na kiungo hakiighairi tena."
                }
                true => "Haitalipwa kabla ya saa 24 kupita, na hadi wakati huo kiungo kinaighairi.",
                false => "Huenda ikalipwa hivi karibuni.",
            };
            let what_to_do = match is_over {
                true => {
                    "Kama ni wewe, huna la kufanya. Kama si wewe, tuandikie mara moja, na uchague nenosiri jipya."
                }
                false => {
                    "Kama ni wewe, huna la kufanya. Kama si wewe, fungua kiungo na ubonyeze kitufe kilichopo: pesa zitarudi kwenye pochi yako. Kisha chagua nenosiri jipya."
                }
            };
            reader.lay_out(
                &format!("{amount} inakaribia kutoka kwenye pochi yako"),
                &[
                    format!(
                        "Mtu fulani, pengine wewe, ameomba kuondoa {amount} kwenda {phone}. Hujalipa kutoka nambari hiyo kwa siku nzima, ndiyo maana tunakuuliza. {when}"
                    ),
                    what_to_do.to_owned(),
                ],
                &Button { label: if is_over { "Itazame" } else { "Itazame, au uighairi" }, link },
            )
        }
    }
}

/// What is kept back of it, where there is a tax.
fn withheld(withdrawal: &Withdrawal, language: Language) -> Option<String> {
    let (tax, amount) = (withdrawal.tax?, withdrawal.amount);
    Some(match language {
        En => format!(
            "Of {amount}, {} is withholding tax ({}, rounded down), which we pay to the state.",
            tax.amount, tax.rate
        ),
        Sw => format!(
            "Kati ya {amount}, {} ni kodi ya zuio ({}, bila senti), tunayoilipa serikalini.",
            tax.amount, tax.rate
        ),
    })
}

fn sent(text: String, withheld: Option<String>) -> Vec<String> {
    std::iter::once(text).chain(withheld).collect()
}

pub fn done(reader: Reader<'_>, withdrawal: &Withdrawal) -> MailText {
    let (amount, phone) = (withdrawal.amount, withdrawal.phone.masked());
    let paid = withdrawal.paid_amount();
    let receipt = withdrawal.payout.as_ref().and_then(|payout| payout.receipt.as_deref());
    match reader.language {
        En => {
            let receipt = receipt.map(|receipt| format!(" The receipt is {receipt}.")).unwrap_or_default();
            reader.lay_out(
                &format!("Your withdrawal of {amount} is done"),
                &sent(
                    format!("We have sent {paid} to {phone} by M-Pesa.{receipt}"),
                    withheld(withdrawal, En),
                ),
                &reader.wallet(),
            )
        }
        Sw => {
            let receipt = receipt.map(|receipt| format!(" Risiti ni {receipt}.")).unwrap_or_default();
            reader.lay_out(
                &format!("{amount} uliyoondoa imetumwa"),
                &sent(
                    format!("Tumetuma {paid} kwa {phone} kupitia M-Pesa.{receipt}"),
                    withheld(withdrawal, Sw),
                ),
                &reader.wallet(),
            )
        }
    }
}

/// `towards_debt`: what of it has paid what the player owed.
pub fn rejected(reader: Reader<'_>, withdrawal: &Withdrawal, towards_debt: Kes) -> MailText {
    let amount = withdrawal.amount;
    let is_there = debt_in_words(amount, towards_debt, reader.language);
    let reason = reasons::or_none(withdrawal.reason.as_deref(), reader.language);
    match reader.language {
        En => reader.lay_out(
            &format!("Your withdrawal of {amount} was rejected"),
            &[
                format!(
                    "Your withdrawal of {amount} was rejected. {}",
                    is_there.unwrap_or_else(|| "The money is back in your wallet.".to_owned())
                ),
                format!("Reason: {reason}"),
            ],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            &format!("Ombi lako la kuondoa {amount} limekataliwa"),
            &[
                format!(
                    "Ombi lako la kuondoa {amount} limekataliwa. {}",
                    is_there.unwrap_or_else(|| "Pesa zimerudi kwenye pochi yako.".to_owned())
                ),
                format!("Sababu: {reason}"),
            ],
            &reader.wallet(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use domain::{Kes, MpesaPhone, UserId, Username, withdrawals::requests::WithdrawalStatus};

    use super::*;

    fn reader(withdrawal: &Withdrawal) -> Reader<'_> {
        Reader { origin: "https://play.example", name: &withdrawal.username, language: En }
    }

    fn withdrawal(reason: &str) -> Withdrawal {
        Withdrawal {
            id: "a".repeat(32),
            user_id: UserId::parse(&"b".repeat(32)).unwrap(),
            username: Username::parse("<b>Otis</b>").unwrap(),
            phone: MpesaPhone::for_withdrawal("0712345678").unwrap(),
            amount: Kes::new(1450),
            tax: None,
            status: WithdrawalStatus::Rejected,
            created_at: "2026-08-20T09:00:00Z".parse().unwrap(),
            ended_by: None,
            ended_at: None,
            flags: Vec::new(),
            flagged: false,
            waits_until: None,
            said_sent_until: None,
            cancel_hash: None,
            payout: None,
            trouble: None,
            worklist: None,
            corrected: None,
            next_question: None,
            recheck: None,
            reason: Some(reason.to_owned()),
        }
    }

    #[test]
    fn a_withdrawal_to_a_new_number_can_be_cancelled() {
        let withdrawal = withdrawal("");
        let mail = asked(reader(&withdrawal), &withdrawal, "0123abcd", false);
        assert!(mail.text.contains("KSh 1,450 to 07******78"), "{}", mail.text);
        assert!(mail.text.contains("https://play.example/cancel-withdrawal/0123abcd\n"));
        assert!(mail.text.contains("It may be paid soon."));
    }

    #[test]
    fn what_people_wrote_is_escaped_in_html_and_plain_in_text() {
        let withdrawal = withdrawal("Name & number <differ>");
        let mail = rejected(reader(&withdrawal), &withdrawal, Kes::ZERO);
        assert!(mail.html.contains("Hello &lt;b&gt;Otis&lt;/b&gt;,"));
        assert!(mail.html.contains("Name &amp; number &lt;differ&gt;"));
        assert!(!mail.html.contains("<b>"));
        assert!(mail.text.contains("Hello <b>Otis</b>,") && mail.text.contains("Name & number <differ>"));
    }

    #[test]
    fn amounts_are_grouped_and_numbers_masked() {
        let withdrawal = withdrawal("");
        let mail = done(reader(&withdrawal), &withdrawal);
        assert_eq!(mail.subject, "Your withdrawal of KSh 1,450 is done");
        assert!(mail.text.contains("KSh 1,450 to 07******78 by M-Pesa"), "{}", mail.text);
    }
}
