//! What is in our accounts with M-Pesa: asked for, and kept as M-Pesa last said it.

use clients::daraja::parse_result;
use store::{
    ledger::float::{Float, FloatAccount},
    random_id,
};

use crate::{App, AppError};

/// What withdrawals are paid from (docs/daraja.md, "Others").
const PAID_FROM: &str = "Utility Account";

/// What is in the account that withdrawals are paid from, in KES cents, where M-Pesa names it.
#[must_use]
pub fn held(accounts: &[FloatAccount]) -> Option<i64> {
    accounts.iter().find(|account| account.account == PAID_FROM).map(|account| account.cents)
}

/// Asks M-Pesa what is in the accounts that withdrawals are paid from. The answer is kept when it comes.
pub async fn ask(app: &App) -> Result<(), AppError> {
    let question = random_id();
    app.store().note_float_question(&question, app.clock().now()).await?;
    let shortcode = app.config().daraja.b2c_shortcode.clone();
    app.ask_balance(&shortcode, &question).await?;
    Ok(())
}

/// Takes the answer to a question about the accounts. One that does not parse leaves what was known.
pub async fn answered(app: &App, question: &str, body: &str) -> Result<(), AppError> {
    let asked: Option<Float> = app.store().float().await?;
    if asked.is_none_or(|asked| asked.question != question) {
        tracing::warn!(question, "an answer of M-Pesa's to nothing that is known");
        return Ok(());
    }
    let balances = match parse_result(body.as_bytes()) {
        Ok(result) => match result.balances() {
            Some(Ok(balances)) => balances,
            Some(Err(error)) => return unread(app, question, &error).await,
            None => {
                tracing::warn!(question, ?result, "M-Pesa does not tell the accounts' balance");
                return Ok(());
            }
        },
        Err(error) => return unread(app, question, &error).await,
    };
    let accounts: Vec<FloatAccount> = balances
        .into_iter()
        .map(|balance| FloatAccount { account: balance.account, cents: balance.cents })
        .collect();
    app.store().note_float(question, &accounts, app.clock().now()).await?;
    let low = app.config().reconciliation.float_low;
    if let Some(cents) = held(&accounts)
        && cents < low.get().saturating_mul(100)
    {
        tracing::warn!(cents, %low, alarm = "float-low", "there is little left to pay withdrawals from");
    }
    Ok(())
}

async fn unread(app: &App, question: &str, error: &(dyn std::error::Error + Sync)) -> Result<(), AppError> {
    tracing::error!(question, %error, alarm = "balance", "the accounts' balance cannot be read");
    Ok(app.store().note_unread_float(question).await?)
}
