//! Prompts, from the intent to the credit. Two ways lead to [`settle`]: the callback, and the
//! questions that are asked until M-Pesa's answer is final.

mod credit;

use clients::daraja::{self, CallbackAmount, DarajaError, Outcome, PushAccepted, QueryAnswer, StkPush};
use credit::{credit, learn_receipt};
use domain::{
    FplId, GameweekId, Kes, MpesaPhone,
    idempotency::KeyError,
    join::JoinError,
    limits::Limited,
    payment::{self, Answer, Claim, State, Verdict},
};
use jiff::{SignedDuration, Timestamp};
use store::{
    entries::Entry,
    idempotency::Binding,
    payments::{ForEntry, Intended, Payment},
    players::Player,
    random_id, time_ordered_id,
};

use crate::{App, AppError, limits::CountedPrompt, queues::LookAtPayment};

/// A prompt is on its way.
pub const CHECK_YOUR_PHONE: &str = "Check your phone to complete the payment";

/// Why no prompt was sent; the text is what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error(transparent)]
    Limited(Limited),
    /// Another request with the same key was a moment earlier.
    #[error(transparent)]
    Key(KeyError),
    #[error("A payment for this gameweek is still open. Check your phone, or try again in three minutes.")]
    StillOpen,
    #[error("M-Pesa did not accept the request: {0}. Nothing was taken.")]
    Refused(String),
    #[error("Another M-Pesa request is open on this phone. Nothing was taken. Try again in a minute.")]
    PhoneBusy,
    #[error("M-Pesa is busy. Nothing was taken. Please try again in a minute.")]
    Busy,
    #[error(
        "M-Pesa is not answering. If a prompt still reaches your phone and you pay it, the money is credited."
    )]
    NotAnswering,
}

/// What a prompt is for.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub phone: MpesaPhone,
    pub amount: Kes,
    pub entry: Option<ForEntry>,
    /// The request's idempotency key, bound with the intent.
    pub binding: Option<Binding>,
}

/// Writes the intent, makes sure that it will be looked at, and sends the prompt. Answers the
/// payment's id; the inner error is for the player.
///
/// # Errors
/// The table, the queue or the secrets do not answer.
pub async fn start(
    app: &App,
    player: &Player,
    prompt: Prompt,
) -> Result<Result<String, PromptError>, AppError> {
    let now = app.clock().now();
    let mut instead_of = None;
    if let Some(entry) = &prompt.entry
        && let Some(last) = app.store().last_prompt(&player.id, entry.gameweek).await?
    {
        let holds = last.state == State::Pending && now < last.created_at + payment::PROMPT_HOLDS_FOR;
        if holds {
            return Ok(Err(PromptError::StillOpen));
        }
        instead_of = Some(last.id);
    }
    let payment = Payment {
        id: random_id(),
        user_id: player.id.clone(),
        phone: prompt.phone,
        amount: prompt.amount,
        entry: prompt.entry,
        state: State::Pending,
        reason: None,
        created_at: now,
        merchant_request_id: None,
        checkout_request_id: None,
        claim: None,
        receipt: None,
        contested_receipt: None,
        decided_at: None,
        entered: false,
        flagged: false,
        next_question: None,
    };
    let counted = match CountedPrompt::take(app, &player.id, &payment.phone).await? {
        Ok(counted) => counted,
        Err(limited) => return Ok(Err(PromptError::Limited(limited))),
    };
    let binding = prompt.binding.as_ref();
    let outcome = intend_and_send(app, &payment, instead_of.as_deref(), binding).await;
    // Where M-Pesa is not answering, the phone may have it; otherwise it has not.
    if !matches!(outcome, Ok(Ok(_) | Err(PromptError::NotAnswering)))
        && let Err(error) = counted.give_back(app).await
    {
        tracing::warn!(payment = %payment.id, %error, "a prompt that was not sent stays counted");
    }
    outcome
}

async fn intend_and_send(
    app: &App,
    payment: &Payment,
    instead_of: Option<&str>,
    binding: Option<&Binding>,
) -> Result<Result<String, PromptError>, AppError> {
    match app.store().create_payment(payment, instead_of, binding).await? {
        Intended::Written => {}
        Intended::PromptOpen => return Ok(Err(PromptError::StillOpen)),
        Intended::KeyTaken => return Ok(Err(PromptError::Key(KeyError::UnderWay))),
    }
    let push = match prepare(app, payment).await {
        Ok(push) => push,
        Err(error) => {
            give_up(app, payment, &PromptError::Busy).await;
            return Err(error);
        }
    };
    let outcome = send_prompt(app, payment, &push).await?;
    // Only an accepted request binds its key.
    if let (Err(_), Some(binding)) = (&outcome, binding)
        && let Err(error) = app.store().release(binding, &payment.id).await
    {
        tracing::warn!(payment = %payment.id, %error, "a refused prompt keeps its key");
    }
    Ok(outcome)
}

/// Makes sure that the payment will be looked at, and makes the prompt. Nothing is sent to M-Pesa yet.
async fn prepare(app: &App, payment: &Payment) -> Result<StkPush, AppError> {
    app.send(&LookAtPayment::line(&payment.id, 0), payment::FIRST_QUESTION_AFTER).await?;
    let path = app.secrets().hook_path(&format!("/hooks/stk/{}", payment.id)).await?;
    Ok(StkPush {
        phone: payment.phone.as_str().to_owned(),
        amount: payment.amount.get(),
        account_reference: app.config().paybill.account_reference.clone(),
        description: if payment.entry.is_some() { "League entry" } else { "Deposit" }.to_owned(),
        callback_url: format!("{}{path}", app.config().public_origin),
    })
}

async fn send_prompt(
    app: &App,
    payment: &Payment,
    push: &StkPush,
) -> Result<Result<String, PromptError>, AppError> {
    match app.push(push).await {
        Ok(Ok(accepted)) => {
            keep_ids(app, payment, accepted).await;
            Ok(Ok(payment.id.clone()))
        }
        Ok(Err(error)) => {
            tracing::warn!(payment = %payment.id, ?error, "the prompt was not accepted");
            let for_player = prompt_error(&error);
            if error.definitely_not_sent() {
                give_up(app, payment, &for_player).await;
            }
            Ok(Err(for_player))
        }
        Err(error) => {
            give_up(app, payment, &PromptError::Busy).await;
            Err(error)
        }
    }
}

/// Keeps the ids that M-Pesa gave. The prompt is on the phone whether or not they can be kept: where
/// they cannot, a message carries them.
async fn keep_ids(app: &App, payment: &Payment, accepted: PushAccepted) {
    let PushAccepted { merchant_request_id, checkout_request_id, .. } = accepted;
    let kept = app.store().attach_daraja_ids(&payment.id, &merchant_request_id, &checkout_request_id).await;
    let Err(error) = kept else { return };
    tracing::error!(payment = %payment.id, %error, "the ids of a prompt could not be kept");
    let ids = Some((merchant_request_id, checkout_request_id));
    let message = LookAtPayment { ids, ..LookAtPayment::line(&payment.id, 0) };
    if let Err(error) = app.send(&message, SignedDuration::ZERO).await {
        tracing::error!(payment = %payment.id, %error, "nor sent on: only the callback names it now");
    }
}

/// Fails a payment whose prompt was certainly not sent. Where even that fails, the questions find it.
async fn give_up(app: &App, payment: &Payment, why: &PromptError) {
    let failed = app.store().fail_payment(&payment.id, &why.to_string(), app.clock().now()).await;
    if let Err(error) = failed {
        tracing::error!(payment = %payment.id, %error, "a payment without a prompt stays open");
    }
}

fn prompt_error(error: &DarajaError) -> PromptError {
    match error {
        DarajaError::Refused { message, .. } => PromptError::Refused(message.clone()),
        DarajaError::Invalid(field) => PromptError::Refused((*field).to_owned()),
        DarajaError::SubscriberLocked => PromptError::PhoneBusy,
        DarajaError::Busy | DarajaError::InvalidToken => PromptError::Busy,
        _ => PromptError::NotAnswering,
    }
}

/// Takes a message about a payment: notes what a callback claims, asks M-Pesa, and does what follows.
/// Any number of times, at once and in any order, to one result.
///
/// # Errors
/// The table or the queue do not answer: the message is to be tried again.
pub async fn look_at(app: &App, message: &LookAtPayment) -> Result<(), AppError> {
    if let Some((merchant, checkout)) = &message.ids {
        app.store().attach_daraja_ids(&message.payment_id, merchant, checkout).await?;
    }
    if let Some(body) = &message.callback {
        let at = message.received_at.unwrap_or_else(|| app.clock().now());
        note_callback(app, &message.payment_id, body, at).await?;
    }
    let Some(payment) = app.store().payment(&message.payment_id).await? else {
        tracing::warn!(payment = %message.payment_id, "a message about a payment that does not exist");
        return Ok(());
    };
    match payment.state {
        State::Success => return learn_receipt(app, &payment).await,
        State::SetAside => return Ok(()),
        State::Pending | State::Failed => {}
    }
    if payment.state == State::Failed && !payment.claim.as_ref().is_some_and(|claim| claim.paid) {
        return Ok(());
    }
    let answer = ask(app, &payment).await?;
    if settle(app, &payment, &answer).await? {
        return Ok(());
    }
    // One line of questions a payment. A callback for one that is pending finds the line there.
    let pause = payment::pause_before_next_question(message.asked);
    let in_line = message.callback.is_none() || payment.state == State::Failed;
    if in_line && app.store().take_on_question(&payment.id, app.clock().now(), pause).await? {
        app.send(&LookAtPayment::line(&payment.id, message.asked + 1), pause).await?;
    }
    Ok(())
}

/// Asks M-Pesa what became of a payment.
async fn ask(app: &App, payment: &Payment) -> Result<Answer, AppError> {
    let Some(id) = &payment.checkout_request_id else { return Ok(Answer::None) };
    Ok(match app.query(id).await? {
        Ok(QueryAnswer::Paid) => Answer::Paid,
        Ok(QueryAnswer::Pending) => Answer::Pending,
        Ok(QueryAnswer::Failed(code)) => Answer::Failed { reason: code.player_message().to_owned() },
        Ok(QueryAnswer::Unknown(code)) => {
            tracing::warn!(payment = %payment.id, code = code.as_str(), "a result code that is not documented");
            Answer::None
        }
        Err(error) => {
            tracing::warn!(payment = %payment.id, ?error, "M-Pesa could not be asked");
            Answer::None
        }
    })
}

/// Does what follows from M-Pesa's `answer`. `true`: the payment is decided.
///
/// # Errors
/// The table does not answer.
pub async fn settle(app: &App, payment: &Payment, answer: &Answer) -> Result<bool, AppError> {
    let now = app.clock().now();
    let claim = payment.claim.as_ref();
    match payment::decide(payment.created_at, payment.amount, claim, answer, now) {
        Verdict::AskAgain => Ok(false),
        Verdict::Fail { reason } => {
            // Not failed: a success was claimed since the payment was read. It is asked about again.
            Ok(app.store().fail_payment(&payment.id, &reason, now).await?)
        }
        Verdict::SetAside { reason } => {
            tracing::error!(payment = %payment.id, reason, "a payment is set aside");
            app.store().set_payment_aside(payment, reason, now).await?;
            Ok(true)
        }
        Verdict::Credit { receipt, flagged } => {
            credit(app, payment, receipt.as_deref(), flagged).await?;
            Ok(true)
        }
    }
}

/// `player`'s entry into `gameweek`, as of `at`.
#[must_use]
pub fn new_entry(
    player: &Player,
    fpl_id: FplId,
    gameweek: GameweekId,
    amount: domain::EntryAmount,
    at: Timestamp,
) -> Entry {
    Entry {
        id: time_ordered_id(at),
        user_id: player.id.clone(),
        username: player.username.clone(),
        fpl_id,
        team_name: player.team_name.clone(),
        gameweek,
        amount,
        at,
        checkout_id: None,
        referral: player.referral.clone(),
    }
}

/// Notes what a callback claims about our prompt. One whose ids are another prompt's is not noted.
async fn note_callback(app: &App, payment_id: &str, body: &str, at: Timestamp) -> Result<(), AppError> {
    let callback = match daraja::parse_stk_callback(body.as_bytes()) {
        Ok(callback) => callback,
        Err(error) => {
            tracing::error!(payment = payment_id, ?error, "a callback that cannot be read");
            return Ok(());
        }
    };
    let Some(payment) = app.store().payment(payment_id).await? else { return Ok(()) };
    let known = payment.checkout_request_id.as_deref();
    if known.is_some_and(|known| known != callback.checkout_request_id) {
        tracing::error!(payment = payment_id, "a callback with another prompt's ids");
        return Ok(());
    }
    if known.is_none() {
        let (merchant, checkout) = (&callback.merchant_request_id, &callback.checkout_request_id);
        app.store().attach_daraja_ids(payment_id, merchant, checkout).await?;
    }
    let paid = match callback.result_code.outcome() {
        Outcome::Paid => true,
        Outcome::Failed(_) => false,
        Outcome::Pending | Outcome::Unknown => {
            tracing::warn!(
                payment = payment_id,
                code = callback.result_code.as_str(),
                "an undecided callback"
            );
            return Ok(());
        }
    };
    let amount = match callback.amount {
        Some(CallbackAmount::Whole(shillings)) => Some(Kes::new(shillings)),
        Some(CallbackAmount::Other(_)) | None => None,
    };
    let reason = callback.result_code.player_message().to_owned();
    let claim = Claim { at, paid, amount, receipt: callback.receipt, reason };
    app.store().note_claim(&payment, &claim).await?;
    Ok(())
}

/// The backstop: takes up the line of questions of each open payment that has lost it.
///
/// # Errors
/// The table or the queue do not answer.
pub async fn remind_of_open_payments(app: &App) -> Result<usize, AppError> {
    let now = app.clock().now();
    let overdue = |payment: &Payment| {
        let due = payment.next_question.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        due.unwrap_or(payment.created_at + payment::FIRST_QUESTION_AFTER) + BACKSTOP_AFTER < now
    };
    let mut sent = 0;
    let mut cursor = None;
    loop {
        let page = app.store().open_payments(cursor.as_deref(), 100).await?;
        for payment in page.items.iter().filter(|payment| overdue(payment)) {
            app.send(&LookAtPayment::line(&payment.id, LATE_IN_THE_LINE), SignedDuration::ZERO).await?;
            sent += 1;
        }
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(sent),
        }
    }
}

/// A question that is this late is not coming any more.
const BACKSTOP_AFTER: SignedDuration = SignedDuration::from_mins(20);
/// A line that is taken up again goes on at its longest pause.
const LATE_IN_THE_LINE: u32 = 8;
