//! Prompts, from the intent to the phone. What becomes of them stands in `outcome`, their credit in
//! `credit`, how many may be sent in `limits`.

mod credit;
pub mod intent;
mod limits;
mod outcome;

use clients::daraja::{DarajaError, PushAccepted, StkPush, without_tokens};
pub(crate) use credit::differs;
pub use credit::{CREDITED_BY_CODE, MAY_BE_TYPED};
use domain::{
    GameweekId, Kes, MpesaPhone, UserId,
    accounts::{account::is_hex_id, own_limits::LimitReached, stopping::NotPlaying},
    ledger::taxes::TaxRate,
    payments::{
        paybill_account,
        prompt::{self, PaymentState},
    },
    platform::{idempotency::KeyError, limits::Limited},
};
use jiff::SignedDuration;
use limits::{CountedPrompt, PromptCounters, Whose};
pub use outcome::{apply, note_evidence, process, remind_of_open_payments};
use store::{
    accounts::players::Player,
    payments::{
        events::Subject,
        prompts::{ForEntry, Payment},
    },
    platform::{idempotency::Binding, tokens::SharedToken},
    random_id,
};

use crate::{
    App, AppError,
    accounts::terms,
    payments::paybill_accounts::OwnPaybill,
    platform::{
        flow::{Flow, FlowError, Refusal},
        queues::ProcessPayment,
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// A prompt is on its way.
pub const CHECK_YOUR_PHONE: &str = "Check your phone to complete the payment";

/// Why no prompt was sent; the text is what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// No prompt is sent there now: the player's own account at the paybill is the way that is left.
    #[error("{limited} Or pay to the paybill {paybill}: it is credited by itself.")]
    Limited { limited: Limited, paybill: OwnPaybill },
    /// Another request with the same key was a moment earlier, or had another body.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// No prompt is ever sent there.
    #[error("This number belongs to another player. Use your own, or pay to the paybill with your account.")]
    AnothersNumber { paybill: OwnPaybill },
    /// The player's own limit.
    #[error(transparent)]
    OwnLimit(#[from] LimitReached),
    #[error(transparent)]
    NotPlaying(#[from] NotPlaying),
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

impl Refusal for PromptError {}

/// What a prompt is for.
#[derive(Debug, Clone)]
pub struct NewPrompt {
    pub phone: MpesaPhone,
    pub amount: Kes,
    /// The rate that its player was shown.
    pub excise: Option<TaxRate>,
    pub entry: Option<ForEntry>,
    /// The request's idempotency key, bound with the intent.
    pub binding: Option<Binding>,
}

/// There is none under this id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no such payment.")]
pub struct NoPayment;

impl Refusal for NoPayment {}

/// The payment behind a call's `checkoutId`.
pub async fn find(app: &App, checkout_id: &str) -> Flow<Payment, NoPayment> {
    if !is_hex_id(checkout_id) {
        return Err(NoPayment.into());
    }
    Ok(app.store().payment(checkout_id).await?.ok_or(NoPayment)?)
}

/// What is read before a prompt is sent, all at once.
pub struct ReadAhead {
    /// The prompt that the player was last sent for the same entry.
    last: Option<Payment>,
    whose: Whose,
    counters: PromptCounters,
    /// M-Pesa's token, as it is kept.
    token: Option<SharedToken>,
}

impl ReadAhead {
    /// For a prompt of `player` to `phone`; `entry`: the gameweek that it is to pay for.
    pub async fn of(
        app: &App,
        player: &UserId,
        phone: &MpesaPhone,
        entry: Option<GameweekId>,
    ) -> Result<Self, AppError> {
        let last = async {
            match entry {
                Some(gameweek) => Ok::<_, AppError>(app.store().last_prompt(player, gameweek).await?),
                None => Ok(None),
            }
        };
        let token = async { Ok::<_, AppError>(app.store().daraja_token().await?) };
        let (whose, counters) = (whose(app, player, phone), PromptCounters::read(app, player, phone));
        let (last, whose, counters, token) = tokio::try_join!(last, whose, counters, token)?;
        Ok(Self { last, whose, counters, token })
    }
}

/// Writes the intent, makes sure that it will be looked at, and sends the prompt. Answers the payment's id.
pub async fn start(
    app: &App,
    player: &Player,
    prompt: NewPrompt,
    ahead: ReadAhead,
) -> Flow<String, PromptError> {
    let now = app.clock().now();
    player.restraints.check(now).map_err(PromptError::from)?;
    terms::check(app, player).map_err(PromptError::from)?;
    let ReadAhead { last, whose, counters, token } = ahead;
    let mut instead_of = None;
    if let Some(last) = last {
        let holds = last.state == PaymentState::Pending && now < last.created_at + prompt::PROMPT_HOLDS_FOR;
        if holds {
            return Err(PromptError::StillOpen.into());
        }
        instead_of = Some(last.id);
    }
    let paybill = OwnPaybill::of(app, player).await?;
    let payment = Payment {
        id: random_id(),
        user_id: player.id.clone(),
        phone: prompt.phone,
        amount: prompt.amount,
        excise: prompt.excise,
        account: Some(paybill_account::reference(&player.username, paybill.account)),
        entry: prompt.entry,
        state: PaymentState::Pending,
        reason: None,
        created_at: now,
        merchant_request_id: None,
        checkout_request_id: None,
        accepted_at: None,
        success_heard_at: None,
        told_receipt: None,
        claim: None,
        receipt: None,
        contested_receipt: None,
        decided_at: None,
        entered: false,
        flagged: false,
        next_question: None,
        credited: None,
        holds_room: player.restraints.has_limits,
        closed: None,
    };
    let counted = match CountedPrompt::take(app, counters, whose, now).await {
        Ok(_) if whose == Whose::Anothers => {
            let line = SecurityEntry::new(SecurityEvent::NumberRefused).of(&player.id).number(&payment.phone);
            app.log_security(line).await;
            return Err(PromptError::AnothersNumber { paybill }.into());
        }
        Ok(counted) => counted,
        Err(FlowError::Refused(limited)) => return Err(PromptError::Limited { limited, paybill }.into()),
        Err(FlowError::Failed(failure)) => return Err(failure.into()),
    };
    let binding = prompt.binding.as_ref();
    let outcome = intend_and_send(app, &payment, instead_of.as_deref(), binding, token).await;
    // Where M-Pesa is not answering, the phone may have it; otherwise it has not.
    if !matches!(outcome, Ok(_) | Err(FlowError::Refused(PromptError::NotAnswering)))
        && let Err(error) = counted.give_back(app).await
    {
        tracing::warn!(payment = %payment.id, %error, "a prompt that was not sent stays counted");
    }
    outcome
}

async fn whose(app: &App, player: &UserId, phone: &MpesaPhone) -> Result<Whose, AppError> {
    Ok(match app.store().own_number(phone).await? {
        Some(own) if own.is_of(player) => Whose::Own,
        Some(own) if own.is_anothers(player, app.clock().now()) => Whose::Anothers,
        _ => Whose::Nobodys,
    })
}

async fn intend_and_send(
    app: &App,
    payment: &Payment,
    instead_of: Option<&str>,
    binding: Option<&Binding>,
    token: Option<SharedToken>,
) -> Flow<String, PromptError> {
    intent::write(app, payment, instead_of, binding).await?;
    let push = match prepare(app, payment).await {
        Ok(push) => push,
        Err(error) => {
            give_up(app, payment, &PromptError::Busy).await;
            return Err(error.into());
        }
    };
    let outcome = send_prompt(app, payment, &push, token).await;
    // Only an accepted request binds its key.
    if let (Err(FlowError::Refused(_)), Some(binding)) = (&outcome, binding)
        && let Err(error) = app.store().release(binding, &payment.id).await
    {
        tracing::warn!(payment = %payment.id, %error, "a refused prompt keeps its key");
    }
    outcome
}

/// Makes sure that the payment will be looked at, and makes the prompt. Nothing is sent to M-Pesa yet.
async fn prepare(app: &App, payment: &Payment) -> Result<StkPush, AppError> {
    app.send(&ProcessPayment::question(&payment.id, 0), prompt::FIRST_QUESTION_AFTER).await?;
    let path = app.secrets().hook_path(&format!("/hooks/stk/{}", payment.id)).await?;
    let account = || AppError::Internal(format!("the prompt {} shows no account", payment.id));
    Ok(StkPush {
        phone: payment.phone.as_str().to_owned(),
        amount: payment.amount.get(),
        account_reference: payment.account.clone().ok_or_else(account)?,
        description: if payment.entry.is_some() { "League entry" } else { "Deposit" }.to_owned(),
        callback_url: format!("{}{path}", app.config().public_origin),
    })
}

async fn send_prompt(
    app: &App,
    payment: &Payment,
    push: &StkPush,
    token: Option<SharedToken>,
) -> Flow<String, PromptError> {
    match app.push(push, token).await {
        Ok(accepted) => {
            tracing::info!(payment = %payment.id, "M-Pesa has accepted the prompt");
            keep_ids(app, payment, accepted).await;
            Ok(payment.id.clone())
        }
        Err(FlowError::Refused(error)) => {
            tracing::warn!(payment = %payment.id, ?error, "the prompt was not accepted");
            record_event(app, &payment.id, "push", &error.to_string()).await;
            let for_player = prompt_error(&error);
            if error.definitely_not_sent() {
                give_up(app, payment, &for_player).await;
            }
            Err(for_player.into())
        }
        Err(FlowError::Failed(error)) => {
            give_up(app, payment, &PromptError::Busy).await;
            Err(error.into())
        }
    }
}

/// Keeps the ids that M-Pesa gave. The prompt is on the phone whether or not they can be kept: where
/// they cannot, a message carries them.
async fn keep_ids(app: &App, payment: &Payment, accepted: PushAccepted) {
    let PushAccepted { merchant_request_id, checkout_request_id, .. } = accepted;
    let (merchant, checkout) = (&merchant_request_id, &checkout_request_id);
    let kept = app.store().attach_daraja_ids(&payment.id, merchant, checkout, app.clock().now()).await;
    let Err(error) = kept else { return };
    tracing::error!(payment = %payment.id, %error, "the ids of a prompt could not be kept");
    let ids = Some((merchant_request_id, checkout_request_id));
    let message = ProcessPayment { ids, ..ProcessPayment::question(&payment.id, 0) };
    if let Err(error) = app.send(&message, SignedDuration::ZERO).await {
        tracing::error!(payment = %payment.id, %error, "nor sent on: only the callback names it now");
    }
}

/// Keeps what was recorded of a payment for whoever may look into it. It decides nothing, so it undoes
/// nothing either.
async fn record_event(app: &App, payment_id: &str, kind: &str, text: &str) {
    let (at, text) = (app.clock().now(), without_tokens(text));
    if let Err(error) = app.store().note_event(Subject::Payment(payment_id), kind, &text, at).await {
        tracing::warn!(payment = payment_id, kind, %error, "what was heard could not be kept");
    }
}

/// Keeps a callback's body as it came.
async fn record_body(app: &App, payment_id: &str, body: &str) {
    let at = app.clock().now();
    let kept = app.store().note_body(Subject::Payment(payment_id), ("callback", body), body, at).await;
    if let Err(error) = kept {
        tracing::warn!(payment = payment_id, %error, "a callback's body could not be kept");
    }
}

/// Fails a payment whose prompt was certainly not sent. Where even that fails, the questions find it.
async fn give_up(app: &App, payment: &Payment, why: &PromptError) {
    let failed = app.store().fail_payment(payment, &why.to_string(), app.clock().now()).await;
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
