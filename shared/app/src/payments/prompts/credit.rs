//! The end of a prompt that was paid: its credit, the entry it makes where it still may, and its receipt.

use domain::{entries::join::JoinError, payments::prompt::PaymentState};
use jiff::Timestamp;
use store::{
    entries::Entry,
    payments::prompts::{Credit, Credited, ForEntry, LateReceipt, Payment},
};

use crate::{App, AppError, entries::new_entry, platform::flow::Flow, teams::link};

pub const MAY_BE_TYPED: &str =
    "An M-Pesa code of this amount was credited to you meanwhile. We are looking into it.";

pub const CREDITED_BY_CODE: &str = "This payment was credited to your wallet by its M-Pesa code.";

/// Credits a payment and, where it still may, enters.
pub(super) async fn credit(
    app: &App,
    payment: &Payment,
    receipt: Option<&str>,
    flagged: bool,
) -> Result<(), AppError> {
    let at = app.clock().now();
    let (known, named) = (receipt, receipt.is_some());
    let receipt = receipt.or(payment.told_receipt.as_deref());
    let credit = Credit { receipt, flagged, reason: None, at };
    let mut credited = book(app, payment, credit).await?;
    if credited == Credited::ReceiptTaken && is_held_by_a_guess(app, payment, receipt, named).await? {
        tracing::warn!(payment = %payment.id, "credited without a receipt: the one that fitted is another prompt's");
        credited = book(app, payment, Credit { receipt: None, ..credit }).await?;
    }
    match credited {
        Credited::Done => Ok(()),
        Credited::AlreadyDecided => match app.store().payment(&payment.id).await? {
            Some(now) if is_heard_meanwhile(payment, &now) => {
                Box::pin(self::credit(app, &now, known, flagged)).await
            }
            Some(_) => Ok(()),
            None => Err(AppError::Internal(format!("payment {} is gone", payment.id))),
        },
        Credited::ReceiptTaken => credited_before(app, payment, credit).await,
        Credited::MayBeTyped => set_aside(app, payment, MAY_BE_TYPED, at).await,
        Credited::AlreadyJoined
        | Credited::AccountChanged
        | Credited::TeamElsewhere
        | Credited::KeptOut
        | Credited::Owes(_)
        | Credited::OwnLimit(_) => {
            Err(AppError::Internal(format!("payment {} is booked and undecided", payment.id)))
        }
    }
}

/// Whether a success was heard of since `read`, by which the entry may be in time, and nothing else has happened.
fn is_heard_meanwhile(read: &Payment, now: &Payment) -> bool {
    let undecided = matches!(now.state, PaymentState::Pending | PaymentState::Failed);
    undecided && read.success_heard_at.is_none() && now.success_heard_at.is_some()
}

/// Books a credit with the entry that it makes, or else without one.
async fn book(app: &App, payment: &Payment, credit: Credit<'_>) -> Result<Credited, AppError> {
    let (entry, why) = match &payment.entry {
        None => (None, None),
        Some(wanted) => match entry_for(app, payment, wanted, credit.at).await {
            Ok(entry) => (Some(entry), None),
            Err(error) => (None, Some(error.refusal()?)),
        },
    };
    let reason = why.map(|why| why.to_string());
    let first = Credit { reason: reason.as_deref(), ..credit };
    let why: JoinError = match app.store().credit_payment(payment, entry.as_ref(), first).await? {
        Credited::AlreadyJoined => JoinError::AlreadyJoined,
        Credited::AccountChanged => why_not(app, payment).await?,
        Credited::TeamElsewhere => JoinError::TeamElsewhere,
        Credited::KeptOut => JoinError::KeptOut,
        Credited::OwnLimit(reached) => reached.into(),
        Credited::Owes(owes) => owes.into(),
        credited => return Ok(credited),
    };
    // The team was corrected since the player was read: the entry is made with the new one.
    if why == JoinError::TeamElsewhere && has_another_team(app, entry.as_ref()).await? {
        return Box::pin(book(app, payment, credit)).await;
    }
    let reason = why.to_string();
    Ok(app.store().credit_payment(payment, None, Credit { reason: Some(&reason), ..credit }).await?)
}

/// Whether the player of an entry has another team by now than it was to be made with.
async fn has_another_team(app: &App, entry: Option<&Entry>) -> Result<bool, AppError> {
    let Some(entry) = entry else { return Ok(false) };
    let player = app.store().player(&entry.user_id).await?;
    Ok(player.and_then(|player| player.fpl_id).is_some_and(|fpl_id| fpl_id != entry.fpl_id))
}

/// Whether another prompt holds this receipt only by inference: a confirmation fitted both, and M-Pesa's callback has
/// not named the receipt for this prompt (`named`), or not for the other one of the same player. M-Pesa says that both
/// are paid, so this one may be credited without a receipt. A receipt under which an admin credited by hand is never an
/// inference.
async fn is_held_by_a_guess(
    app: &App,
    payment: &Payment,
    receipt: Option<&str>,
    named: bool,
) -> Result<bool, AppError> {
    let Some(receipt) = receipt else { return Ok(false) };
    let Some(holder) = app.store().receipt(receipt).await? else { return Ok(false) };
    let Some(id) = holder.cause.strip_prefix("deposit#").filter(|id| *id != payment.id) else {
        return Ok(false);
    };
    let Some(other) = app.store().payment(id).await? else { return Ok(false) };
    let claim = other.claim.as_ref().filter(|claim| claim.paid);
    let named_there = claim.is_some_and(|claim| claim.receipt.as_deref() == Some(receipt));
    let own = holder.user_id == payment.user_id;
    Ok(other.credited.is_none() && (!named || (own && !named_there)))
}

/// Why the account that a payment is of may not enter as it was about to.
async fn why_not(app: &App, payment: &Payment) -> Result<JoinError, AppError> {
    let player = app.store().player(&payment.user_id).await?;
    let now = app.clock().now();
    let entering =
        player.zip(payment.entry).map(|(player, entry)| link::entering(&player, entry.gameweek.season, now));
    Ok(entering.and_then(Result::err).unwrap_or(JoinError::AccountChanged))
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
        set_aside(app, payment, "This M-Pesa receipt was credited before.", credit.at).await?;
    }
    Ok(())
}

/// Puts a payment before the admins, who are told once.
pub(super) async fn set_aside(
    app: &App,
    payment: &Payment,
    reason: &str,
    at: Timestamp,
) -> Result<(), AppError> {
    if app.store().set_payment_aside(payment, reason, at).await? {
        tracing::error!(payment = %payment.id, reason, alarm = "set-aside", "a payment is set aside");
    }
    Ok(())
}

/// Learns from a callback about a credited payment. If the callback reports another amount or receipt, the payment goes
/// before an admin. If the payment was credited on M-Pesa's answer alone, it claims the receipt now, unless another prompt holds
/// that by a guess. `true`: the payment may be another than was read.
pub(super) async fn learn_receipt(app: &App, payment: &Payment) -> Result<bool, AppError> {
    let Some(claim) = payment.claim.as_ref().filter(|claim| claim.paid) else { return Ok(false) };
    if payment.state != PaymentState::Success {
        return Ok(false);
    }
    let mut payment = payment.clone();
    let flagged = flag_if_it_differs(app, &payment).await?;
    payment.flagged |= flagged;
    let news =
        |receipt: &&str| payment.receipt.is_none() && payment.contested_receipt.as_deref() != Some(*receipt);
    let Some(receipt) = claim.receipt.as_deref().filter(news) else { return Ok(flagged) };
    if is_held_by_a_guess(app, &payment, Some(receipt), true).await? {
        return Ok(flagged);
    }
    match app.store().claim_late_receipt(&payment, receipt, app.clock().now()).await? {
        LateReceipt::Claimed => {}
        // It may have learned another one since it was read.
        LateReceipt::NotWanted => {
            if let Some(now) = app.store().payment(&payment.id).await? {
                flag_if_it_differs(app, &now).await?;
            }
        }
        LateReceipt::Taken(holder) => tracing::error!(
            payment = %payment.id,
            holder = holder.cause,
            credited_to = %holder.user_id,
            alarm = "receipt",
            "a payment was credited, and its receipt too: the money may be credited twice"
        ),
    }
    Ok(true)
}

/// Puts a credited payment before an admin if M-Pesa's callback reports otherwise. `true`: it is there now.
async fn flag_if_it_differs(app: &App, payment: &Payment) -> Result<bool, AppError> {
    let flagged = differs(payment) && app.store().flag_credited(payment).await?;
    if flagged {
        tracing::error!(payment = %payment.id, alarm = "amount", "credited, and M-Pesa reports otherwise");
    }
    Ok(flagged)
}

/// Whether M-Pesa's callback reports another amount or receipt than a payment was credited with.
pub(crate) fn differs(payment: &Payment) -> bool {
    let Some(claim) = payment.claim.as_ref().filter(|claim| claim.paid) else { return false };
    let another_receipt = claim.receipt.as_ref().zip(payment.receipt.as_ref()).is_some_and(|(a, b)| a != b);
    let credited = payment.credited.filter(|credited| credited.is_positive());
    claim.amount != Some(credited.unwrap_or(payment.amount)) || another_receipt
}

/// When M-Pesa's success first reached us, as far as it is kept.
fn heard_at(payment: &Payment) -> Option<Timestamp> {
    let claimed = payment.claim.as_ref().filter(|claim| claim.paid && claim.amount == Some(payment.amount));
    [payment.success_heard_at, claimed.map(|claim| claim.at)].into_iter().flatten().min()
}

/// The entry that a payment makes now, or why it makes none any more.
async fn entry_for(app: &App, payment: &Payment, wanted: &ForEntry, at: Timestamp) -> Flow<Entry, JoinError> {
    let calendar = app.calendar().await?;
    let gameweek = calendar
        .filter(|calendar| calendar.season == wanted.gameweek.season)
        .and_then(|calendar| calendar.gameweek(wanted.gameweek.number).cloned());
    // Of an account that is erased: the money is in the wallet that has stayed under its id.
    let Some(player) = app.store().player(&payment.user_id).await? else {
        return Err(JoinError::GameweekClosed.into());
    };
    // When M-Pesa's success reached us decides, not when it is processed; but nothing enters a list that is fixed.
    let heard = heard_at(payment).unwrap_or(at);
    let admitted = gameweek.is_some_and(|gameweek| gameweek.admits_prompt(payment.created_at, heard));
    if !admitted || app.store().entry_list(wanted.gameweek, wanted.amount).await?.is_some() {
        return Err(JoinError::GameweekClosed.into());
    }
    let fpl_id = link::entering(&player, wanted.gameweek.season, at)?;
    // The money stays in the wallet, and opens the account again: lost in a league it would not.
    if player.closed_at.is_some() {
        return Err(JoinError::AccountChanged.into());
    }
    let entry = new_entry(&player, fpl_id, wanted.gameweek, wanted.amount, at);
    Ok(Entry { checkout_id: Some(payment.id.clone()), ..entry })
}
