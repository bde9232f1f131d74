//! M-Pesa's word on a receipt stands over an admin's (decisions, "Against people"): what it says when it is asked
//! now, and where it does not answer, what it has said before. What it does not know it does not contradict.

use domain::{
    Kes,
    code_check::{Answered, MpesaSays, bears_out},
    manual_payment::ReceiptCode,
};
use store::manual_payments::KnownCode;

use crate::{App, AppError, ask_afresh};

/// What of M-Pesa's stands against crediting `amount` for a receipt; `known` is what it has answered before.
///
/// # Errors
/// The table or the secrets do not answer.
pub async fn against(
    app: &App,
    receipt: &ReceiptCode,
    known: Option<&KnownCode>,
    amount: Kes,
) -> Result<Option<MpesaSays>, AppError> {
    let asked = ask_afresh::ask_and_wait(app, receipt).await?;
    if let Some(said) = asked.as_ref().map(|asked| &asked.answered).filter(|said| says_something(said)) {
        return Ok(bears_out(said, amount).err());
    }
    let confirmed = app.store().paybill_payment(receipt.as_str()).await?.and_then(|paid| paid.amount);
    let answered = known.map(|known| &known.answered).filter(|said| said.completed || said.reversed);
    let before = answered.and_then(|said| bears_out(said, amount).err());
    let another = confirmed.filter(|told| *told != amount).map(MpesaSays::AnotherAmount);
    Ok(before.or(another))
}

/// Whether M-Pesa knows the payment at all.
fn says_something(said: &Answered) -> bool {
    said.completed || said.reversed || said.amount.is_some()
}
