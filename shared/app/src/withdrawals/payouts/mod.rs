//! Withdrawals that M-Pesa pays (B2C): sent from the panel, ended by M-Pesa's result, or by its answer
//! to a question where the result does not come (docs/decisions.md, "A payout is M-Pesa's to end").
//!
//! Invariants: `sent` is written before M-Pesa is called; a payout is never sent again on a guess; what
//! M-Pesa says twice changes nothing the second time; what it says against what has ended is asked about, and
//! its answer corrects the books (`correct`).

pub(crate) mod correct;
mod outcome;

use clients::daraja::{
    DarajaError, OrderAccepted, PayoutOrder as Order, StatusOf, parse_result, without_tokens,
};
pub use correct::recheck;
use domain::{
    KENYA, Kes,
    accounts::account::is_hex_id,
    payments::prompt::FIRST_QUESTION_AFTER,
    withdrawals::requests::{PayoutState, WithdrawalStatus},
};
use jiff::Timestamp;
pub use outcome::{answered, poll, remind, take_result, take_timeout};
use store::{
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    payments::events::Subject,
    random_id,
    withdrawals::{Payout, Withdrawal, payouts::Sending},
};

use crate::{
    App, AppError,
    admin::own_account::OwnAccount,
    platform::{
        flow::{Flow, FlowError, Refusal},
        queues::MpesaTask,
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// Why a withdrawal was not ended, or its payout not sent; the text is what the admin reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayError {
    #[error("There is no such withdrawal.")]
    NoWithdrawal,
    #[error("This withdrawal is {} already.", .0.into_str())]
    Ended(WithdrawalStatus),
    #[error(
        "An admin says that this withdrawal was sent by hand, and a second admin has to approve or refuse that first."
    )]
    SaidSent,
    #[error("M-Pesa is paying this withdrawal. It ends when M-Pesa says what became of it.")]
    Sent,
    #[error(
        "This withdrawal waits until {}: it is to a number that is not the player's own.",
        in_nairobi(*.0)
    )]
    Waits(Timestamp),
    #[error("This account is frozen: nothing can be paid out of it.")]
    Frozen,
    #[error(
        "This player owes {0}, which was taken back after it had been used. Reject this withdrawal: what comes \
         back pays it."
    )]
    Owes(Kes),
    #[error("Payouts are paused. Nothing was sent, and the withdrawal waits as before.")]
    Paused,
    #[error("M-Pesa did not accept the payout: {0} Nothing was sent, and the withdrawal waits as before.")]
    NotSent(String),
    #[error(transparent)]
    Own(#[from] OwnAccount),
}

impl Refusal for PayError {}

/// What stands against ending a withdrawal by hand, or sending it: where it stands, its payout, its waiting
/// time, its account.
pub async fn against(app: &App, withdrawal: &Withdrawal) -> Result<PayError, AppError> {
    let owed = owed(app, withdrawal).await?;
    Ok(match (withdrawal.status, withdrawal.waits_until()) {
        (WithdrawalStatus::Pending, _) if withdrawal.payout.is_some() => PayError::Sent,
        (WithdrawalStatus::Pending, _) if withdrawal.is_said_sent(app.clock().now()) => PayError::SaidSent,
        (WithdrawalStatus::Pending, _) if is_frozen(app, withdrawal).await? => PayError::Frozen,
        (WithdrawalStatus::Pending, Some(until)) if withdrawal.waits(app.clock().now()) => {
            PayError::Waits(until)
        }
        (WithdrawalStatus::Pending, _) if owed.is_positive() => PayError::Owes(owed),
        // It was another way a moment ago.
        (WithdrawalStatus::Pending, _) => PayError::Sent,
        (ended, _) => PayError::Ended(ended),
    })
}

/// Whether the withdrawal `id` may be paid: it neither waits for its day, when its player may still cancel it, nor is its account
/// frozen, nor does its player owe something. One that an admin says already to have sent by hand is left to the second admin.
pub async fn check_payable(app: &App, id: &str) -> Flow<(), PayError> {
    let (withdrawal, now) = (find(app, id).await?, app.clock().now());
    let is_barred = withdrawal.waits(now)
        || is_frozen(app, &withdrawal).await?
        || owed(app, &withdrawal).await?.is_positive();
    if is_barred && !withdrawal.is_said_sent(now) {
        return Err(against(app, &withdrawal).await?.into());
    }
    Ok(())
}

async fn is_frozen(app: &App, withdrawal: &Withdrawal) -> Result<bool, AppError> {
    Ok(app.store().player(&withdrawal.user_id).await?.is_none_or(|player| player.frozen))
}

async fn owed(app: &App, withdrawal: &Withdrawal) -> Result<Kes, AppError> {
    Ok(app.store().wallet(&withdrawal.user_id).await?.debt)
}

fn in_nairobi(at: Timestamp) -> String {
    KENYA.to_datetime(at).strftime("%-d %B at %H:%M").to_string()
}

/// The withdrawal of this id.
pub async fn find(app: &App, id: &str) -> Flow<Withdrawal, PayError> {
    let found = if is_hex_id(id) { app.store().withdrawal(id).await? } else { None };
    found.ok_or(PayError::NoWithdrawal.into())
}

/// Notes in the security log what was done with a withdrawal, and by whom.
pub(super) async fn log(app: &App, event: SecurityEvent, withdrawal: &Withdrawal, permit: &Permit) {
    let entry = SecurityEntry::new(event).of(&withdrawal.user_id).on(&withdrawal.id);
    let entry = match permit.who.person() {
        Some((admin, _)) => entry.by(admin),
        None => entry,
    };
    app.log_security(entry).await;
}

/// Sends the withdrawal `id` by M-Pesa by `permit`. Answers it as it stands then.
pub async fn send(app: &App, id: &str, permit: &Permit) -> Flow<Withdrawal, PayError> {
    let withdrawal = find(app, id).await?;
    let sent = pay(app, &withdrawal, permit).await;
    if !matches!(sent, Err(FlowError::Failed(_))) {
        tracing::info!(by = ?permit.who.person(), withdrawal = id, ?sent, "payout");
    }
    sent?;
    log(app, SecurityEvent::PayoutSent, &withdrawal, permit).await;
    find(app, id).await
}

/// Sends a withdrawal's money by M-Pesa. Where it fails, nothing was sent.
pub async fn pay(app: &App, withdrawal: &Withdrawal, permit: &Permit) -> Flow<(), PayError> {
    let now = app.clock().now();
    // The day that the ceiling counts it on is the day that it is given back to.
    let sent_at = permit.paid_out.as_ref().map_or(now, |paid_out| paid_out.at);
    let Some((admin, _)) = permit.who.person() else {
        return Err(AppError::Internal("a payout is an admin's to send".to_owned()).into());
    };
    let payout = Payout {
        state: PayoutState::Sent,
        attempt: random_id(),
        sent_at,
        sent_by: admin.clone(),
        conversation_id: None,
        receipt: None,
        recipient: None,
        resolved: None,
    };
    let act = AuditRecord::permitted(permit, AuditAction::PayWithdrawal, on(withdrawal), now)
        .of(&withdrawal.user_id);
    let act = act.from_to("pending", format!("sent, {}", withdrawal.amount));
    match app.store().send_payout(withdrawal, &payout, now + FIRST_QUESTION_AFTER, &act).await? {
        Sending::Noted => {}
        Sending::Frozen => return Err(PayError::Frozen.into()),
        Sending::Owes => return Err(PayError::Owes(owed(app, withdrawal).await?).into()),
        Sending::Paused => return Err(PayError::Paused.into()),
        Sending::NotPending => {
            let now = app.store().withdrawal(&withdrawal.id).await?;
            return Err(against(app, &now.unwrap_or_else(|| withdrawal.clone())).await?.into());
        }
    }
    match order(app, withdrawal).await {
        Ok(OrderAccepted { conversation_id }) => {
            let kept = app.store().attach_conversation_id(&withdrawal.id, &conversation_id).await;
            if let Err(error) = kept {
                tracing::warn!(withdrawal = withdrawal.id, %error, "the id of a payout could not be kept");
            }
            Ok(())
        }
        Err(FlowError::Failed(error)) => {
            take_back(app, withdrawal, &payout, &permit.who).await;
            Err(error.into())
        }
        Err(FlowError::Refused(error)) if error.definitely_not_sent() => {
            tracing::warn!(withdrawal = withdrawal.id, ?error, "a payout was not accepted");
            record_event(app, &withdrawal.id, "push", &error.to_string()).await;
            take_back(app, withdrawal, &payout, &permit.who).await;
            Err(PayError::NotSent(for_admin(&error)).into())
        }
        Err(FlowError::Refused(error)) => {
            tracing::warn!(withdrawal = withdrawal.id, ?error, "what became of a payout is not known yet");
            record_event(app, &withdrawal.id, "push", &error.to_string()).await;
            Ok(())
        }
    }
}

/// Makes sure that the payout will be asked about, and orders it.
async fn order(app: &App, withdrawal: &Withdrawal) -> Flow<OrderAccepted, DarajaError> {
    let message = MpesaTask::Payout { withdrawal_id: withdrawal.id.clone(), asked: 0 };
    app.send(&message, FIRST_QUESTION_AFTER).await?;
    let path = |of: &str| format!("/hooks/b2c/{of}/{}", withdrawal.id);
    app.pay_out(&Order {
        id: withdrawal.id.clone(),
        shortcode: app.config().daraja.b2c_shortcode.clone(),
        phone: withdrawal.phone.as_str().to_owned(),
        amount: withdrawal.paid_amount().get(),
        remarks: "Withdrawal".to_owned(),
        urls: app.result_urls(&path("result"), &path("timeout")).await?,
    })
    .await
}

/// Lets a withdrawal wait as before. Where even that fails, the questions find that nothing was sent.
async fn take_back(app: &App, withdrawal: &Withdrawal, payout: &Payout, who: &Who) {
    let act = AuditRecord::new(who.clone(), AuditAction::PayWithdrawal, on(withdrawal), app.clock().now());
    let act = act.of(&withdrawal.user_id).from_to("sent", "pending: it was not sent");
    if let Err(error) = app.store().mark_payout_unsent(withdrawal, payout, &act).await {
        tracing::error!(withdrawal = withdrawal.id, %error, "a payout that was not sent stays as sent");
    }
}

fn on(withdrawal: &Withdrawal) -> String {
    format!("withdrawal {}", withdrawal.id)
}

fn for_admin(error: &DarajaError) -> String {
    match error {
        DarajaError::Refused { message, .. } if !message.is_empty() => format!("{message}."),
        DarajaError::Busy | DarajaError::InvalidToken => "it is busy.".to_owned(),
        DarajaError::Unreachable { .. } => "it cannot be reached.".to_owned(),
        _ => "it gave no reason.".to_owned(),
    }
}

/// Asks M-Pesa. Its answer comes later, as [`answered`]; where M-Pesa cannot be asked now, the next
/// question does.
async fn ask(app: &App, withdrawal: &Withdrawal) -> Result<(), AppError> {
    let shortcode = app.config().daraja.b2c_shortcode.clone();
    if let Err(error) = app.ask_status(StatusOf::Payout(&withdrawal.id), &shortcode, &withdrawal.id).await {
        let error = error.refusal()?;
        tracing::warn!(withdrawal = withdrawal.id, ?error, "M-Pesa could not be asked about a payout");
    }
    Ok(())
}

/// The payout as it stands; where the call seemed not to have arrived, M-Pesa has made it all the same.
fn payout_of(withdrawal: &Withdrawal, now: Timestamp) -> Payout {
    withdrawal.payout.clone().unwrap_or_else(|| Payout {
        state: PayoutState::Sent,
        attempt: random_id(),
        sent_at: now,
        sent_by: withdrawal.user_id.clone(),
        conversation_id: None,
        receipt: None,
        recipient: None,
        resolved: None,
    })
}

/// Puts a withdrawal before an admin, once for each reason.
async fn contest(app: &App, withdrawal: &Withdrawal, why: &str) -> Result<(), AppError> {
    if app.store().contest_withdrawal(withdrawal, why).await? {
        alarm(withdrawal, why);
    }
    Ok(())
}

fn alarm(withdrawal: &Withdrawal, why: &str) {
    tracing::error!(withdrawal = withdrawal.id, why, alarm = "payout", "a payout that does not add up");
}

/// Keeps what M-Pesa has sent about a payout, as it came. Answers that say the same are one event: each carries
/// ids of its own.
async fn record_body(app: &App, withdrawal_id: &str, kind: &str, body: &str) {
    let means = match parse_result(body.as_bytes()) {
        Ok(result) if kind == "answer" => format!("{:?} {:?}", result.code, result.transaction()),
        _ => body.to_owned(),
    };
    let at = app.clock().now();
    let subject = Subject::Withdrawal(withdrawal_id);
    if let Err(error) = app.store().note_body(subject, (kind, &means), body, at).await {
        tracing::warn!(withdrawal = withdrawal_id, kind, %error, "what M-Pesa sent could not be kept");
    }
}

/// Keeps what was recorded of a payout for whoever may look into it. It decides nothing, so it undoes
/// nothing either.
async fn record_event(app: &App, withdrawal_id: &str, kind: &str, text: &str) {
    let (at, text) = (app.clock().now(), without_tokens(text));
    if let Err(error) = app.store().note_event(Subject::Withdrawal(withdrawal_id), kind, &text, at).await {
        tracing::warn!(withdrawal = withdrawal_id, kind, %error, "what was heard could not be kept");
    }
}
