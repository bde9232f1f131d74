//! The end of a prompt that was paid: its credit, the entry it makes where it still may, and its receipt.

use domain::{join::JoinError, payment::State};
use jiff::Timestamp;
use store::{
    entries::Entry,
    payments::{Credit, Credited, ForEntry, LateReceipt, Payment},
};

use super::new_entry;
use crate::{App, AppError, teams};

const MAY_BE_TYPED: &str =
    "An M-Pesa code of this amount was credited to you meanwhile. We are looking into it.";

const CREDITED_BY_CODE: &str = "This payment was credited by its M-Pesa code. Your money is in your wallet.";

/// Credits a payment and, where it still may, enters.
pub(super) async fn credit(
    app: &App,
    payment: &Payment,
    receipt: Option<&str>,
    flagged: bool,
) -> Result<(), AppError> {
    let at = app.clock().now();
    let (entry, reason) = match &payment.entry {
        None => (None, None),
        Some(wanted) => match entry_for(app, payment, wanted, at).await? {
            Ok(entry) => (Some(entry), None),
            Err(why) => (None, Some(in_the_wallet(&why))),
        },
    };
    let credit = Credit { receipt, flagged, reason: reason.as_deref(), at };
    let mut credited = app.store().credit_payment(payment, entry.as_ref(), credit).await?;
    if credited == Credited::AlreadyJoined {
        let reason = in_the_wallet(&JoinError::AlreadyJoined);
        let credit = Credit { reason: Some(&reason), ..credit };
        credited = app.store().credit_payment(payment, None, credit).await?;
    }
    match credited {
        Credited::Done => Ok(()),
        // Whoever was first may not have known the receipt that the callback brought.
        Credited::AlreadyDecided => match app.store().payment(&payment.id).await? {
            Some(decided) => learn_receipt(app, &decided).await,
            None => Err(AppError::Internal(format!("payment {} is gone", payment.id))),
        },
        Credited::ReceiptTaken => credited_before(app, payment, credit).await,
        Credited::MayBeTyped => {
            tracing::error!(payment = %payment.id, "a typed code may be this payment's: it is set aside");
            app.store().set_payment_aside(payment, MAY_BE_TYPED, at).await.map(drop).map_err(AppError::from)
        }
        Credited::AlreadyJoined => {
            Err(AppError::Internal(format!("payment {} is booked and undecided", payment.id)))
        }
    }
}

/// A payment whose receipt was credited by another way credits nothing: to the same player it is paid
/// and done, to another it waits for an admin.
async fn credited_before(app: &App, payment: &Payment, credit: Credit<'_>) -> Result<(), AppError> {
    let holder = match credit.receipt {
        Some(receipt) => app.store().receipt(receipt).await?,
        None => None,
    };
    let own = holder.as_ref().is_some_and(|holder| holder.user_id == payment.user_id);
    tracing::error!(payment = %payment.id, own, "a receipt that was credited before");
    if own {
        let credit = Credit { reason: Some(CREDITED_BY_CODE), ..credit };
        app.store().end_payment_uncredited(payment, credit).await?;
    } else {
        app.store().set_payment_aside(payment, "This M-Pesa receipt was credited before.", credit.at).await?;
    }
    Ok(())
}

/// A payment that was credited on M-Pesa's answer alone claims its receipt once the callback tells it.
pub(super) async fn learn_receipt(app: &App, payment: &Payment) -> Result<(), AppError> {
    let claimed = payment.claim.as_ref().filter(|claim| claim.paid);
    let Some(receipt) = claimed.and_then(|claim| claim.receipt.as_deref()) else { return Ok(()) };
    if payment.state != State::Success || payment.receipt.is_some() {
        return Ok(());
    }
    if claimed.is_some_and(|claim| claim.amount != Some(payment.amount)) {
        tracing::error!(payment = %payment.id, alarm = "amount", "credited, and M-Pesa reports another amount");
    }
    match app.store().claim_late_receipt(payment, receipt, app.clock().now()).await? {
        LateReceipt::Claimed | LateReceipt::NotWanted => {}
        LateReceipt::Taken(holder) => tracing::error!(
            payment = %payment.id,
            holder = holder.cause,
            alarm = "receipt",
            "a payment was credited, and its receipt too: the money may be credited twice"
        ),
    }
    Ok(())
}

fn in_the_wallet(why: &JoinError) -> String {
    format!("{why} Your money is in your wallet.")
}

/// The entry that a payment makes now, or why it makes none any more.
async fn entry_for(
    app: &App,
    payment: &Payment,
    wanted: &ForEntry,
    at: Timestamp,
) -> Result<Result<Entry, JoinError>, AppError> {
    let calendar = app.calendar().await?;
    let gameweek = calendar
        .filter(|calendar| calendar.season == wanted.gameweek.season)
        .and_then(|calendar| calendar.gameweek(wanted.gameweek.number).cloned());
    let Some(player) = app.store().player(&payment.user_id).await? else {
        return Err(AppError::Internal(format!("payment {} is nobody's", payment.id)));
    };
    let admitted = gameweek.is_some_and(|gameweek| gameweek.admits_prompt(payment.created_at, at));
    if !admitted {
        return Ok(Err(JoinError::GameweekClosed));
    }
    Ok(teams::entering(&player, wanted.gameweek.season).map(|fpl_id| {
        let mut entry = new_entry(&player, fpl_id, wanted.gameweek, wanted.amount, at);
        entry.checkout_id = Some(payment.id.clone());
        entry
    }))
}
