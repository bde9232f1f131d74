//! The admin's cases: prompts and payouts that do not add up (docs/decisions.md, "What does not add up is an admin's,
//! with its story"; which acts there are is `domain::payments::set_aside`). What an admin makes of them stands in
//! `decide`, the credit of a prompt in `credit`.

mod credit;
mod decide;

pub use decide::{close, decide};
use domain::{
    Kes, MpesaPhone, UserId,
    accounts::account::is_hex_id,
    payments::{
        prompt::PaymentState,
        set_aside::{SetAsideAct, SetAsideError, for_payout, for_prompt},
        typed_code_check::MpesaSays,
    },
};
use jiff::Timestamp;
use store::{
    AdminDecision, Page,
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord},
        permits::Permit,
    },
    payments::{
        events::{StoredEvent, Subject},
        prompts::Payment,
        receipts::Receipt,
    },
    platform::concurrency::try_map,
    withdrawals::Withdrawal,
};

use crate::{
    App, AppError,
    payments::{prompts::differs, receipts::CreditedReceipt},
    platform::flow::{Flow, FlowError, Refusal},
};

/// Payouts that are shown at once, before the first page of prompts.
const PAYOUTS: usize = 100;

/// Something that does not add up.
#[derive(Debug, Clone)]
pub enum Case {
    Prompt(Payment),
    Payout(Withdrawal),
}

/// A case with what an admin sees beside it.
#[derive(Debug)]
pub struct CaseDetails {
    pub case: Case,
    /// Empty where the account was erased.
    pub username: String,
    /// By what, and to whom, a prompt's receipt was credited.
    pub credited: Option<CreditedReceipt>,
}

impl CaseDetails {
    /// `players`: those of [`players_to_read`].
    fn of(case: Case, receipt: Option<Receipt>, players: &[Player]) -> Self {
        let username = match &case {
            Case::Payout(withdrawal) => withdrawal.username.to_string(),
            Case::Prompt(payment) => {
                let player = players.iter().find(|player| player.id == payment.user_id);
                player.map(|player| player.username.to_string()).unwrap_or_default()
            }
        };
        let credited = receipt.map(|receipt| CreditedReceipt::of(receipt, players));
        Self { case, username, credited }
    }
}

/// Why a case is not decided; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    #[error("There is no such case.")]
    NoCase,
    #[error(transparent)]
    Decision(#[from] SetAsideError),
    #[error(transparent)]
    Mpesa(#[from] MpesaSays),
}

impl Refusal for CaseError {}

impl From<SetAsideError> for FlowError<CaseError> {
    fn from(error: SetAsideError) -> Self {
        CaseError::from(error).into()
    }
}

/// What an admin does with a case, as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct CaseDecision<'a> {
    pub act: SetAsideAct,
    pub reason: &'a str,
    /// What M-Pesa received, in KES: to credit.
    pub amount: Option<i64>,
    /// Empty where M-Pesa has told it, or there is none.
    pub receipt: &'a str,
    /// What the admin has seen of a case that is dismissed, where the call says so.
    pub seen: Option<SeenReport<'a>>,
    pub permit: &'a Permit,
}

/// What M-Pesa had reported of a case when an admin looked at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenReport<'a> {
    /// Of a prompt: as paid, in KES.
    pub amount: Option<i64>,
    pub receipt: Option<&'a str>,
    /// Of a payout: why it was a case.
    pub reason: Option<&'a str>,
}

impl SeenReport<'_> {
    /// Whether nothing else is known of the prompt now.
    fn is_all_of(self, payment: &Payment) -> bool {
        self.amount == reported(payment).map(Kes::get) && self.receipt == receipt(payment).as_deref()
    }
}

impl Case {
    #[must_use]
    pub fn acts(&self) -> &'static [SetAsideAct] {
        match self {
            Self::Prompt(payment) if payment.closed.is_some() && payment.state == PaymentState::Success => {
                &[]
            }
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

    /// The number that the money goes to or came from.
    #[must_use]
    pub fn number(&self) -> &MpesaPhone {
        match self {
            Self::Prompt(payment) => &payment.phone,
            Self::Payout(withdrawal) => &withdrawal.phone,
        }
    }

    /// A prompt's receipt, as far as it is known.
    #[must_use]
    pub fn receipt(&self) -> Option<String> {
        match self {
            Self::Prompt(payment) => receipt(payment),
            Self::Payout(_) => None,
        }
    }

    fn beginning(&self) -> Vec<StoredEvent> {
        let event = |kind: &str, text: String, at: Timestamp| StoredEvent {
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

    fn subject(&self) -> Subject<'_> {
        match self {
            Self::Prompt(payment) => Subject::Payment(&payment.id),
            Self::Payout(withdrawal) => Subject::Withdrawal(&withdrawal.id),
        }
    }
}

/// What was done and heard, in the order in which it was heard first: the intent and the push as they are
/// kept with the case, and then what M-Pesa said and admins did.
pub async fn timeline(app: &App, case: &Case) -> Result<Vec<StoredEvent>, AppError> {
    let mut events = case.beginning();
    events.extend(app.store().timeline(case.subject()).await?);
    events.sort_by_key(|event| event.first_at);
    Ok(events)
}

/// The cases that wait: all payouts first, then a page of prompts, each oldest first.
pub async fn waiting(app: &App, cursor: Option<&str>, limit: usize) -> Result<Page<CaseDetails>, AppError> {
    let payouts = async { if cursor.is_none() { payouts_in_trouble(app).await } else { Ok(Vec::new()) } };
    let prompts = async { Ok::<_, AppError>(app.store().set_asides(cursor, limit).await?) };
    let (payouts, page) = tokio::try_join!(payouts, prompts)?;
    let cases = payouts.into_iter().map(Case::Payout).chain(page.items.into_iter().map(Case::Prompt));
    let found = try_map(cases, |case| async move {
        let receipt = credited_receipt(app, &case).await?;
        Ok::<_, AppError>((case, receipt))
    })
    .await?;
    let ids = found.iter().flat_map(|(case, receipt)| players_to_read(case, receipt.as_ref()));
    let players = app.store().players(&ids.collect::<Vec<_>>()).await?;
    let items = found.into_iter().map(|(case, receipt)| CaseDetails::of(case, receipt, &players));
    Ok(Page { items: items.collect(), cursor: page.cursor })
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

/// The case with what an admin sees beside it.
pub async fn details(app: &App, case: Case) -> Result<CaseDetails, AppError> {
    let receipt = credited_receipt(app, &case).await?;
    let ids: Vec<UserId> = players_to_read(&case, receipt.as_ref()).collect();
    let players = app.store().players(&ids).await?;
    Ok(CaseDetails::of(case, receipt, &players))
}

/// The receipt of a prompt, where it was credited.
async fn credited_receipt(app: &App, case: &Case) -> Result<Option<Receipt>, AppError> {
    let Case::Prompt(payment) = case else { return Ok(None) };
    let Some(receipt) = receipt(payment) else { return Ok(None) };
    Ok(app.store().receipt(&receipt).await?)
}

/// The players whose names are read for a case: its own, unless it is a payout, which has the name with it, and who has the
/// money of its receipt.
fn players_to_read(case: &Case, receipt: Option<&Receipt>) -> impl Iterator<Item = UserId> {
    let own = match case {
        Case::Prompt(payment) => Some(payment.user_id.clone()),
        Case::Payout(_) => None,
    };
    own.into_iter().chain(receipt.map(|receipt| receipt.user_id.clone()))
}

/// The case `id`: a prompt, or a withdrawal that has trouble.
pub async fn find(app: &App, id: &str) -> Flow<Case, CaseError> {
    if !is_hex_id(id) {
        return Err(CaseError::NoCase.into());
    }
    if let Some(payment) = app.store().payment(id).await? {
        return Ok(Case::Prompt(payment));
    }
    let withdrawal = app.store().withdrawal(id).await?;
    let has_trouble = |withdrawal: &Withdrawal| {
        let resolved = withdrawal.payout.as_ref().is_some_and(|payout| payout.resolved.is_some());
        withdrawal.trouble.is_some() || resolved
    };
    Ok(withdrawal.filter(has_trouble).map(Case::Payout).ok_or(CaseError::NoCase)?)
}

/// The receipt of a prompt, as far as it is known.
#[must_use]
pub fn receipt(payment: &Payment) -> Option<String> {
    let known = payment.receipt.as_ref().or(payment.contested_receipt.as_ref());
    known.cloned().or_else(|| told_receipt(payment))
}

/// The receipt that M-Pesa has told of a prompt: with its callback, or else with a confirmation that fits it.
fn told_receipt(payment: &Payment) -> Option<String> {
    let claimed = payment.claim.as_ref().filter(|claim| claim.paid).and_then(|claim| claim.receipt.clone());
    claimed.or_else(|| payment.told_receipt.clone())
}

/// What M-Pesa reported as paid, in KES, where it was whole.
#[must_use]
pub fn reported(payment: &Payment) -> Option<Kes> {
    payment.claim.as_ref().filter(|claim| claim.paid).and_then(|claim| claim.amount)
}

/// Why a prompt is a case; for the admin.
#[must_use]
pub fn why(payment: &Payment) -> Option<String> {
    if payment.state != PaymentState::Success {
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

/// What the audit log keeps of an act that makes a case `after`.
fn record(
    (on, player, before): (String, &UserId, &str),
    decision: CaseDecision<'_>,
    decided: &AdminDecision,
    after: &str,
) -> AuditRecord {
    AuditRecord::permitted(decision.permit, AuditAction::DecideSetAside, on, decided.at)
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
