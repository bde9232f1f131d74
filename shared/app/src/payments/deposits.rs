//! Money in by a prompt, to stay in the wallet (spec §4 "Deposit", §5 "Deposit").

use domain::{
    Kes, MpesaPhone,
    payments::{
        phone::PhoneError,
        prompt::{self, DepositError},
    },
    platform::idempotency::{KeyError, KeyedCall},
};
use store::{accounts::players::Player, platform::idempotency::Binding};

use crate::{
    App,
    payments::prompts::{self, NewPrompt, PromptError, ReadAhead},
    platform::{
        flow::{Flow, FlowError, Refusal},
        idempotency::{self, RequestKey},
    },
};

/// A deposit as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct DepositRequest<'a> {
    /// Whoever asks, where it says so.
    pub user_id: Option<&'a str>,
    pub phone: &'a str,
    /// In KES.
    pub amount: Option<i64>,
}

/// Why no prompt was sent; the text is what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DepositRefusal {
    #[error("You are not allowed to do this.")]
    AnotherPlayer,
    #[error(transparent)]
    Phone(#[from] PhoneError),
    #[error(transparent)]
    Amount(#[from] DepositError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

impl Refusal for DepositRefusal {}

impl From<KeyError> for DepositRefusal {
    fn from(error: KeyError) -> Self {
        Self::Prompt(error.into())
    }
}

/// Sends a prompt, once for a key. Answers the payment's id.
pub async fn start(
    app: &App,
    player: &Player,
    asked: DepositRequest<'_>,
    key: Option<&RequestKey>,
) -> Flow<String, DepositRefusal> {
    let call = (KeyedCall::Deposit, key);
    let ahead = read_ahead(app, player, asked);
    let act = |binding, ahead| prompt(app, player, ahead, binding);
    idempotency::once(app, &player.id, call, std::convert::identity, ahead, act).await
}

/// A deposit that is in order, with what is read before its prompt is sent.
struct Ahead {
    phone: MpesaPhone,
    amount: Kes,
    prompt: ReadAhead,
}

async fn read_ahead(app: &App, player: &Player, asked: DepositRequest<'_>) -> Flow<Ahead, DepositRefusal> {
    let (phone, amount) = check(player, asked)?;
    let prompt = ReadAhead::of(app, &player.id, &phone, None).await?;
    Ok(Ahead { phone, amount, prompt })
}

async fn prompt(
    app: &App,
    player: &Player,
    ahead: Flow<Ahead, DepositRefusal>,
    binding: Option<Binding>,
) -> Flow<String, DepositRefusal> {
    let Ahead { phone, amount, prompt: read } = ahead?;
    let excise = app.config().excise.at(app.clock().now());
    let prompt = NewPrompt { phone, amount, excise, entry: None, binding };
    prompts::start(app, player, prompt, read).await.map_err(FlowError::within)
}

fn check(player: &Player, asked: DepositRequest<'_>) -> Result<(MpesaPhone, Kes), DepositRefusal> {
    if asked.user_id.is_some_and(|id| id.trim() != player.id.as_str()) {
        return Err(DepositRefusal::AnotherPlayer);
    }
    let phone = MpesaPhone::for_deposit(asked.phone)?;
    let amount = Kes::new(asked.amount.unwrap_or(0));
    prompt::check_deposit(amount)?;
    Ok((phone, amount))
}
