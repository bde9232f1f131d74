//! Mails about what was taken back, or corrected, in a wallet.

use domain::{
    Kes,
    accounts::notifications::Language::{self, En, Sw},
};
use store::ledger::wallets::StoredPosting;

use super::{MailText, Reader, debt_in_words};
use crate::platform::reasons;

/// M-Pesa has taken the payment `receipt` back.
pub fn reversal(reader: Reader<'_>, receipt: &str, posting: &StoredPosting) -> MailText {
    let amount = gained(posting, "mpesa:in");
    let (out, owed) = (-posting.amount, owed(posting, reader.language));
    let excise = excise_back(-posting.excise(), reader.language);
    match reader.language {
        En => reader.lay_out(
            &format!("M-Pesa has taken back your payment of {amount}"),
            &[
                format!("M-Pesa has taken back the payment {receipt} of {amount}, which was in your wallet."),
                format!("{out} has been taken out of your wallet.{owed}{excise}"),
                "If you did not ask M-Pesa to take it back, ask M-Pesa why it was.".to_owned(),
            ],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            &format!("M-Pesa imerudisha malipo yako ya {amount}"),
            &[
                format!("M-Pesa imerudisha malipo {receipt} ya {amount}, ambayo yalikuwa kwenye pochi yako."),
                format!("{out} imetolewa kwenye pochi yako.{owed}{excise}"),
                "Kama hukuomba M-Pesa irudishe malipo haya, waulize M-Pesa kwa nini yamerudishwa.".to_owned(),
            ],
            &reader.wallet(),
        ),
    }
}

/// Something was given to a wallet or taken from it, by an admin or on M-Pesa's word.
/// `towards_debt`: what of it has paid what the player owed.
pub fn correction(reader: Reader<'_>, posting: &StoredPosting, towards_debt: Kes) -> MailText {
    let (amount, owed) = (posting.amount, owed(posting, reader.language));
    let why = reasons::or_none(posting.note.as_deref(), reader.language);
    let is_there = debt_in_words(amount, towards_debt, reader.language)
        .map(|told| format!(" {told}"))
        .unwrap_or_default();
    match reader.language {
        En => {
            let done = if amount.is_positive() {
                format!("{amount} has been put into your wallet.{is_there}")
            } else {
                format!("{} has been taken out of your wallet.{owed}", -amount)
            };
            reader.lay_out(
                "Your wallet has been corrected",
                &[done, format!("Reason: {why}")],
                &reader.wallet(),
            )
        }
        Sw => {
            let done = if amount.is_positive() {
                format!("{amount} imewekwa kwenye pochi yako.{is_there}")
            } else {
                format!("{} imetolewa kwenye pochi yako.{owed}", -amount)
            };
            reader.lay_out("Pochi yako imerekebishwa", &[done, format!("Sababu: {why}")], &reader.wallet())
        }
    }
}

/// What is owed since `posting`, and how it is paid.
fn owed(posting: &StoredPosting, language: Language) -> String {
    let debts = posting.legs.iter().filter(|leg| leg.account.starts_with("debt:"));
    let debt: Kes = debts.map(|leg| -leg.amount).sum();
    match language {
        _ if !debt.is_positive() => String::new(),
        En => format!(
            " {debt} was not there any more: you owe it, and whatever comes into your wallet pays it first."
        ),
        Sw => format!(
            " {debt} haikuwa kwenye pochi tena: ni deni lako, na chochote kitakachoingia kwenye pochi kitalipa deni kwanza."
        ),
    }
}

/// Of a payment that was taken back, what was excise.
fn excise_back(amount: Kes, language: Language) -> String {
    match language {
        _ if !amount.is_positive() => String::new(),
        En => format!(" {amount} of the payment was excise duty, which never was in it."),
        Sw => format!(" {amount} ya malipo hayo ilikuwa ushuru wa bidhaa, ambayo haikuingia kwenye pochi."),
    }
}

fn gained(posting: &StoredPosting, account: &str) -> Kes {
    posting.legs.iter().filter(|leg| leg.account == account).map(|leg| leg.amount).sum()
}
