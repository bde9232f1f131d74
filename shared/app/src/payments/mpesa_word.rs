//! M-Pesa's word on a receipt stands above an admin's (docs/decisions.md, "M-Pesa does not know a code"). Its word is
//! its answer now or, if it does not answer or names no amount, its earlier answer. M-Pesa does not contradict a
//! receipt that it does not know. Where it has called a receipt reversed, the credit's own transaction is refused.

use domain::{
    Kes,
    payments::{
        typed_code::ReceiptCode,
        typed_code_check::{Answered, MpesaSays, bears_out},
    },
};
use store::payments::typed_codes::KnownCode;

use crate::{
    App,
    payments::ask_afresh,
    platform::flow::{Flow, Refusal},
};

impl Refusal for MpesaSays {}

/// Whether M-Pesa's word allows `amount` to be credited for a receipt. Returns M-Pesa's answer of just now if it knows
/// the payment; the caller goes by that answer. `known` is M-Pesa's earlier answer.
pub async fn check(
    app: &App,
    receipt: &ReceiptCode,
    known: Option<&KnownCode>,
    amount: Kes,
) -> Flow<Option<KnownCode>, MpesaSays> {
    let asked = ask_afresh::ask_and_wait(app, receipt).await?;
    let asked = asked.filter(|asked| says_something(&asked.answered));
    if let Some(asked) = &asked {
        bears_out(&asked.answered, amount)?;
    }
    if asked.as_ref().is_some_and(|asked| asked.answered.amount.is_some()) {
        return Ok(asked);
    }
    // What it does not say now, it may have said before.
    let confirmed = app.store().paybill_payment(receipt.as_str()).await?.and_then(|paid| paid.amount);
    let answered = known.map(|known| &known.answered).filter(|said| said.completed || said.reversed);
    let before = answered.and_then(|said| bears_out(said, amount).err());
    let another = confirmed.filter(|told| *told != amount).map(MpesaSays::AnotherAmount);
    before.or(another).map_or(Ok(asked), |against| Err(against.into()))
}

/// Whether M-Pesa knows the payment at all.
fn says_something(said: &Answered) -> bool {
    said.completed || said.reversed || said.amount.is_some()
}
