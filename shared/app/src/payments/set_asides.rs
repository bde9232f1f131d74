//! The admin's cases: prompts and payouts that do not add up, and what an admin makes of them
//! (docs/decisions.md, "What does not add up is an admin's, with its story"; which acts there are is
//! `domain::payments::set_aside`).

use domain::{
    Kes, UserId,
    payments::{
        prompt::State,
        receipt::{Fit, HELD_FOR, Meeting, Told, fit, meet},
        set_aside::{SetAsideAct, SetAsideError, check_reason, for_payout, for_prompt},
        typed_code::{ReceiptCode, check_amount},
    },
    withdrawals::requests::Status,
};
use jiff::Timestamp;
use store::{
    AdminDecision,
    admin::{
        audit::{self, AuditAction},
        permits::Permit,
    },
    payments::{
        events::{Event, Subject},
        prompts::{AdminCredit, AdminCredited, Payment},
        typed_codes::{KnownCode, told},
    },
    withdrawals::{Payout, Withdrawal, payouts::PaidOut},
};

use crate::{
    App, AppError,
    payments::{
        prompts::differs,
        receipts::{Stands, meet_prompts},
    },
    platform::security_log::{self, SecurityEntry},
};

/// Payouts that are shown at once, before the first page of prompts.
const PAYOUTS: usize = 100;

/// Something that does not add up.
#[derive(Debug, Clone)]
pub enum Case {
    Prompt(Payment),
    Payout(Withdrawal),
}

/// What an admin does with it, as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    pub act: SetAsideAct,
    pub reason: &'a str,
    /// What M-Pesa received, in KES: to credit.
    pub amount: Option<i64>,
    /// Empty where M-Pesa has told it, or there is none.
    pub receipt: &'a str,
    pub permit: &'a Permit,
}

impl Case {
    #[must_use]
    pub fn acts(&self) -> &'static [SetAsideAct] {
        match self {
            Self::Prompt(payment) if payment.closed.is_some() && payment.state == State::Success => &[],
            Self::Prompt(payment) => for_prompt(payment.state, payment.flagged),
            Self::Payout(withdrawal) if withdrawal.trouble.is_none() => &[],
            Self::Payout(withdrawal) => {
                for_payout(withdrawal.status, withdrawal.payout.as_ref().map(|payout| payout.state))
            }
        }
    }

    /// Whose it is.
    #[must_use]
    pub fn player(&self) -> &UserId {
        match self {
            Self::Prompt(payment) => &payment.user_id,
            Self::Payout(withdrawal) => &withdrawal.user_id,
        }
    }

    fn beginning(&self) -> Vec<Event> {
        let event = |kind: &str, text: String, at: Timestamp| Event {
            kind: kind.to_owned(),
            text,
            first_at: at,
            last_at: at,
            times: 1,
        };
        match self {
            Self::Prompt(payment) => {
                let wanted = match &payment.entry {
                    Some(entry) => format!("to enter gameweek {}", entry.gameweek),
                    None => "as a deposit".to_owned(),
                };
                let text = format!("{} from {} {wanted}", payment.amount, payment.phone.local());
                let accepted = payment.checkout_request_id.as_ref().zip(payment.accepted_at);
                let push = accepted.map(|(id, at)| event("push", format!("accepted as {id}"), at));
                std::iter::once(event("intent", text, payment.created_at)).chain(push).collect()
            }
            Self::Payout(withdrawal) => {
                let text = format!("{} to {}", withdrawal.amount, withdrawal.phone.local());
                let push = withdrawal.payout.as_ref().map(|payout| {
                    let id = payout.conversation_id.as_deref().unwrap_or("not known to be accepted");
                    event("push", format!("sent by {}: {id}", payout.sent_by), payout.sent_at)
                });
                std::iter::once(event("intent", text, withdrawal.created_at)).chain(push).collect()
            }
        }
    }

    #[must_use]
    pub fn subject(&self) -> Subject<'_> {
        match self {
            Self::Prompt(payment) => Subject::Payment(&payment.id),
            Self::Payout(withdrawal) => Subject::Withdrawal(&withdrawal.id),
        }
    }
}

/// What was done and heard, in the order in which it was heard first: the intent and the push as they are
/// kept with the case, and then what M-Pesa said and admins did.
///
/// # Errors
/// The table does not answer.
pub async fn timeline(app: &App, case: &Case) -> Result<Vec<Event>, AppError> {
    let mut events = case.beginning();
    events.extend(app.store().timeline(case.subject()).await?);
    events.sort_by_key(|event| event.first_at);
    Ok(events)
}

/// The cases that wait: all payouts first, then a page of prompts, each oldest first. The next page's
/// cursor is beside them.
///
/// # Errors
/// The table does not answer.
pub async fn waiting(
    app: &App,
    cursor: Option<&str>,
    limit: usize,
) -> Result<(Vec<Case>, Option<String>), AppError> {
    let mut cases = Vec::new();
    if cursor.is_none() {
        cases.extend(payouts_in_trouble(app).await?.into_iter().map(Case::Payout));
    }
    let page = app.store().set_asides(cursor, limit).await?;
    cases.extend(page.items.into_iter().map(Case::Prompt));
    Ok((cases, page.cursor))
}

async fn payouts_in_trouble(app: &App) -> Result<Vec<Withdrawal>, AppError> {
    let mut found = app.store().contested_withdrawals(None, PAYOUTS).await?.items;
    let mut cursor = None;
    loop {
        let page = app.store().pending_withdrawals(cursor.as_deref(), PAYOUTS).await?;
        found.extend(page.items.into_iter().filter(|withdrawal| withdrawal.trouble.is_some()));
        match page.cursor {
            Some(next) if found.len() < PAYOUTS => cursor = Some(next),
            _ => return Ok(found),
        }
    }
}

/// The case `id`: a prompt, or a withdrawal that has trouble.
///
/// # Errors
/// The table does not answer.
pub async fn find(app: &App, id: &str) -> Result<Option<Case>, AppError> {
    if let Some(payment) = app.store().payment(id).await? {
        return Ok(Some(Case::Prompt(payment)));
    }
    let withdrawal = app.store().withdrawal(id).await?;
    let has_trouble = |withdrawal: &Withdrawal| {
        let resolved = withdrawal.payout.as_ref().is_some_and(|payout| payout.resolved.is_some());
        withdrawal.trouble.is_some() || resolved
    };
    Ok(withdrawal.filter(has_trouble).map(Case::Payout))
}

/// Does what the admin decided. The inner error is the admin's; an act that was done before, in the same
/// way, is done.
///
/// # Errors
/// The table or the queue do not answer.
pub async fn decide(
    app: &App,
    case: &Case,
    decision: Decision<'_>,
) -> Result<Result<(), SetAsideError>, AppError> {
    let Some((by, _)) = decision.permit.who.person() else {
        return Err(AppError::Internal("a case is an admin's to decide".to_owned()));
    };
    let decided = match check_reason(decision.reason) {
        Ok(reason) => AdminDecision { by: by.clone(), reason: reason.to_owned(), at: app.clock().now() },
        Err(error) => return Ok(Err(error)),
    };
    let done = match (case, decision.act) {
        (Case::Prompt(payment), SetAsideAct::Credit) => credit(app, payment, decision, &decided).await?,
        (Case::Prompt(payment), SetAsideAct::Dismiss) => dismiss(app, payment, decision, &decided).await?,
        (Case::Payout(withdrawal), act) => resolve(app, withdrawal, act, decision, decided.clone()).await?,
        (Case::Prompt(_), SetAsideAct::Paid | SetAsideAct::Return) => Err(SetAsideError::NotForThis),
    };
    if let Ok(true) = done {
        let text = format!("{} by {}: {}", decision.act.into_str(), decided.by, decided.reason);
        app.store().note_event(case.subject(), "act", &text, decided.at).await?;
    }
    Ok(done.map(drop))
}

/// Whether it was done now; `false`: it was before, in the same way.
type Done = Result<bool, SetAsideError>;

async fn credit(
    app: &App,
    payment: &Payment,
    decision: Decision<'_>,
    decided: &AdminDecision,
) -> Result<Done, AppError> {
    if !matches!(payment.state, State::SetAside | State::Success) {
        return Ok(Err(SetAsideError::Closed));
    }
    let amount = match check_amount(decision.amount) {
        Ok(amount) => amount,
        Err(_) => return Ok(Err(SetAsideError::Amount)),
    };
    let receipt = match receipt_of(payment, decision.receipt) {
        Ok(receipt) => receipt,
        Err(error) => return Ok(Err(error)),
    };
    let reason = format!("We have looked into this payment: {amount} is in your wallet.");
    let act = &record(of_prompt(payment), decision, decided, &format!("credited, {amount}, {receipt}"));
    let by = AdminCredit { amount, receipt: &receipt, decided, reason: &reason, act };
    Ok(match app.store().credit_set_aside(payment, by).await? {
        AdminCredited::Done => Ok(true),
        AdminCredited::ReceiptTaken => Err(SetAsideError::ReceiptTaken),
        AdminCredited::Closed => {
            let now = app.store().payment(&payment.id).await?;
            let same = |now: Payment| now.credited == Some(amount) && now.receipt == Some(receipt.clone());
            if now.is_some_and(same) { Ok(false) } else { Err(SetAsideError::Closed) }
        }
    })
}

/// What the audit log keeps of an act that makes a case `after`.
fn record(
    (on, player, before): (String, &UserId, &str),
    decision: Decision<'_>,
    decided: &AdminDecision,
    after: &str,
) -> audit::AuditRecord {
    audit::AuditRecord::permitted(decision.permit, AuditAction::DecideSetAside, on, decided.at)
        .of(player)
        .from_to(before, after)
        .because(&decided.reason)
}

fn of_prompt(payment: &Payment) -> (String, &UserId, &str) {
    (format!("prompt {}", payment.id), &payment.user_id, payment.state.into_str())
}

fn of_payout(withdrawal: &Withdrawal) -> (String, &UserId, &str) {
    (format!("withdrawal {}", withdrawal.id), &withdrawal.user_id, withdrawal.status.into_str())
}

/// The receipt that M-Pesa has told of a prompt: with its callback, or else with a confirmation that fits it.
#[must_use]
pub fn told_receipt(payment: &Payment) -> Option<String> {
    let claimed = payment.claim.as_ref().filter(|claim| claim.paid).and_then(|claim| claim.receipt.clone());
    claimed.or_else(|| payment.told_receipt.clone())
}

/// The receipt that is claimed: the one that M-Pesa told, or the one that the admin has found.
///
/// # Errors
/// There is none, or M-Pesa names another.
pub fn receipt_of(payment: &Payment, typed: &str) -> Result<String, SetAsideError> {
    let told = told_receipt(payment);
    if typed.trim().is_empty() {
        return told.ok_or(SetAsideError::Receipt);
    }
    let typed = ReceiptCode::parse(typed).map_err(|_| SetAsideError::Receipt)?.to_string();
    match told {
        Some(told) if told != typed => Err(SetAsideError::AnotherReceipt),
        _ => Ok(typed),
    }
}

/// Whether the receipt that a case is to be credited under may be its prompt's. One that is another prompt's, whoever's,
/// is given to that. `known` is what M-Pesa has said of it just now.
///
/// # Errors
/// The table does not answer; the inner error is the admin's.
pub async fn check_receipt(
    app: &App,
    payment: &Payment,
    (receipt, amount): (&ReceiptCode, Kes),
    known: Option<&KnownCode>,
) -> Result<Result<(), SetAsideError>, AppError> {
    let confirmed = app.store().paybill_payment(receipt.as_str()).await?;
    // What is credited is what the prompts are held against, whatever M-Pesa says it is.
    let told = Told { amount: Some(amount), ..told(known, confirmed.as_ref()) };
    let may_be_anothers = match meet_prompts(app, receipt.as_str(), &told).await? {
        Stands::Prompts => return Ok(Err(SetAsideError::AnotherPrompts)),
        Stands::Waits => true,
        Stands::MayBe => has_another(app, payment, &told).await?,
        Stands::Free => false,
    };
    if may_be_anothers {
        return Ok(Err(SetAsideError::MayBeAnothers));
    }
    // Another amount than was asked for may be credited: by whom and when it was paid has to fit.
    let paid = Told { amount: Some(payment.amount), account: None, ..told };
    Ok(if fit(&paid, &payment.as_sent()) == Fit::Another {
        Err(SetAsideError::NotThisPrompts)
    } else {
        Ok(())
    })
}

/// Whether another prompt of the same player's may have this receipt: where M-Pesa tells too little it holds the
/// receipt back, as it does a typed code.
async fn has_another(app: &App, payment: &Payment, told: &Told) -> Result<bool, AppError> {
    let now = app.clock().now();
    let prompts = app.store().payments_since(&payment.user_id, now - HELD_FOR).await?;
    let mut others = prompts.iter().filter(|other| other.id != payment.id);
    Ok(others.any(|other| meet(told, &other.as_sent(), now) != Meeting::Free))
}

async fn dismiss(
    app: &App,
    payment: &Payment,
    decision: Decision<'_>,
    decided: &AdminDecision,
) -> Result<Done, AppError> {
    let seen = if payment.state == State::Success { "seen" } else { "dismissed" };
    let act = record(of_prompt(payment), decision, decided, seen);
    let reason = format!("We have looked into this payment: {}", decided.reason);
    let done = match payment.state {
        State::Success => app.store().close_credited(payment, decided, &act).await?,
        _ => app.store().dismiss_payment(payment, decided, &reason, &act).await?,
    };
    if done {
        return Ok(Ok(true));
    }
    let now = app.store().payment(&payment.id).await?;
    Ok(match now {
        Some(now) if now.state == State::Dismissed => Ok(false),
        Some(now) if now.state == State::SetAside => Err(SetAsideError::News),
        Some(now) if now.state == State::Success && now.flagged && now.closed.is_some() => Ok(false),
        _ => Err(SetAsideError::Closed),
    })
}

/// A payout that M-Pesa does not answer for is ended on the admin's word; one that has ended is seen.
async fn resolve(
    app: &App,
    withdrawal: &Withdrawal,
    act: SetAsideAct,
    decision: Decision<'_>,
    decided: AdminDecision,
) -> Result<Done, AppError> {
    let (id, at) = (&withdrawal.id, decided.at);
    if act == SetAsideAct::Dismiss && withdrawal.status != Status::Pending {
        let record = record(of_payout(withdrawal), decision, &decided, "seen");
        let done = app.store().dismiss_contested(id, &record).await?;
        return Ok(if done { Ok(true) } else { Err(SetAsideError::Closed) });
    }
    let ends = match act {
        SetAsideAct::Paid => Status::Done,
        SetAsideAct::Return => Status::Rejected,
        SetAsideAct::Credit | SetAsideAct::Dismiss => return Ok(Err(SetAsideError::NotForThis)),
    };
    let receipt = match decision.receipt.trim() {
        "" => None,
        typed => match ReceiptCode::parse(typed) {
            Ok(code) => Some(code.to_string()),
            Err(_) => return Ok(Err(SetAsideError::Receipt)),
        },
    };
    let open = withdrawal.trouble.is_some() && withdrawal.status == Status::Pending;
    let (true, Some(payout)) = (open, withdrawal.payout.clone()) else {
        return Ok(closed_as(withdrawal, ends));
    };
    let ended = format!("{}, {}", ends.into_str(), withdrawal.amount);
    let record = record(of_payout(withdrawal), decision, &decided, &ended);
    let reason = decided.reason.clone();
    let payout = Payout { resolved: Some(decided), ..payout };
    app.mail_withdrawal_later(id).await?;
    let ended = match act {
        SetAsideAct::Paid => {
            let paid = PaidOut { receipt, recipient: payout.recipient.clone() };
            app.store().complete_payout(withdrawal, &payout, &paid, at, Some(&record)).await?
        }
        _ => app.store().return_payout(withdrawal, &payout, &reason, at, Some(&record)).await?,
    };
    if ended {
        log(app, withdrawal, act, decision.permit).await;
        app.mail_withdrawal_now(id).await;
        return Ok(Ok(true));
    }
    let now = app.store().withdrawal(id).await?;
    Ok(now.map_or(Err(SetAsideError::Closed), |now| closed_as(&now, ends)))
}

/// That a payout has ended on an admin's word.
async fn log(app: &App, withdrawal: &Withdrawal, act: SetAsideAct, permit: &Permit) {
    let event = match act {
        SetAsideAct::Paid => security_log::Event::WithdrawalDone,
        _ => security_log::Event::WithdrawalRejected,
    };
    let line = SecurityEntry::new(event).of(&withdrawal.user_id).on(&withdrawal.id);
    let by = permit.who.person();
    app.log_security(by.map_or(line, |(admin, _)| line.by(admin))).await;
}

/// Of the same act twice the second finds it done.
fn closed_as(withdrawal: &Withdrawal, ends: Status) -> Done {
    let by_word = withdrawal.payout.as_ref().is_some_and(|payout| payout.resolved.is_some());
    if by_word && withdrawal.status == ends { Ok(false) } else { Err(SetAsideError::Closed) }
}

/// What M-Pesa reported as paid, in KES, where it was whole.
#[must_use]
pub fn reported(payment: &Payment) -> Option<Kes> {
    payment.claim.as_ref().filter(|claim| claim.paid).and_then(|claim| claim.amount)
}

/// Why a prompt is a case; for the admin.
#[must_use]
pub fn why(payment: &Payment) -> Option<String> {
    if payment.state != State::Success {
        return payment.reason.clone();
    }
    let why = if payment.contested_receipt.is_some() {
        "Its receipt was credited to somebody else before: the money may be credited twice."
    } else if differs(payment) {
        "It is credited, and M-Pesa reports another amount or receipt."
    } else if payment.flagged {
        "It is credited on the callback alone: M-Pesa did not answer when it was asked."
    } else {
        return None;
    };
    Some(why.to_owned())
}
