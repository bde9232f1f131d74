//! Entering by a prompt (spec §4 "Payment by prompt"): refused before anything is sent where no entry could come of
//! it. Once it is paid, its credit makes the entry (`payments::prompts`).

use domain::{
    EntryAmount, FplId, GameweekId, Kes, MpesaPhone,
    accounts::account::AccountError,
    entries::join::JoinError,
    ledger::{
        taking_back::{IN_THE_WALLET, check_debt},
        taxes::TaxRate,
    },
    payments::{phone::PhoneError, prompt::PaymentState},
    platform::idempotency::{KeyError, KeyedCall},
};
use store::{
    accounts::players::Player, payments::prompts::ForEntry, platform::idempotency::Binding,
    teams::proofs::TeamOf,
};

use super::join::{
    Admission, CurrentEntries, EntryError, admit, check_own_team, entry_amount, gameweek_number, has_joined,
    named_team,
};
use crate::{
    App, AppError,
    payments::prompts::{self, NewPrompt, NoPayment, PromptError, ReadAhead},
    platform::{
        flow::{Flow, FlowError, Refusal},
        idempotency::{self, RequestKey},
    },
    teams::link,
};

/// A prompt for an entry as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct EntryPromptRequest<'a> {
    pub phone: &'a str,
    /// In KES: `entry_amount`, and the excise of what is paid.
    pub amount: Option<i64>,
    /// The player's own, where it is named.
    pub team: Option<&'a str>,
    /// In KES.
    pub entry_amount: Option<i64>,
    pub gameweek: Option<i64>,
}

/// Why no prompt was sent; the text is what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryPromptError {
    #[error(transparent)]
    Phone(#[from] PhoneError),
    #[error("The amount has to be the entry amount.")]
    AnotherAmount,
    #[error("The amount has to be {paid}: {stake} for the entry and {} of excise duty. Load the page again.", *.paid - *.stake)]
    AnotherThanWithExcise { paid: Kes, stake: Kes },
    /// In this flow's own words (spec §5 "Join").
    #[error("Could not determine current gameweek. Try again.")]
    NoGameweek,
    #[error(transparent)]
    Entry(EntryError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

impl Refusal for EntryPromptError {}

impl From<EntryError> for EntryPromptError {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::Join(JoinError::NoGameweek) => Self::NoGameweek,
            error => Self::Entry(error),
        }
    }
}

impl From<KeyError> for EntryPromptError {
    fn from(error: KeyError) -> Self {
        Self::Prompt(error.into())
    }
}

/// Sends a prompt that pays for an entry, once for a key. Answers the payment's id.
pub async fn start(
    app: &App,
    player: &Player,
    asked: EntryPromptRequest<'_>,
    key: Option<&RequestKey>,
    current: CurrentEntries,
) -> Flow<String, EntryPromptError> {
    let ahead = read_ahead(app, player, asked, current);
    let act = |binding, ahead| prompt(app, player, ahead, binding);
    idempotency::once(app, &player.id, (KeyedCall::Pay, key), std::convert::identity, ahead, act).await
}

/// An entry that may be paid for, with what is read before its prompt is sent.
struct Ahead {
    phone: MpesaPhone,
    entry: ForEntry,
    excise: Option<TaxRate>,
    prompt: Result<ReadAhead, AppError>,
}

fn refused(why: JoinError) -> EntryPromptError {
    EntryError::from(why).into()
}

async fn read_ahead(
    app: &App,
    player: &Player,
    asked: EntryPromptRequest<'_>,
    current: CurrentEntries,
) -> Flow<Ahead, EntryPromptError> {
    let excise = app.config().excise.at(app.clock().now());
    let (phone, amount, number) = check(player, asked, excise)?;
    let Admission { fpl_id, gameweek } = admit(app, player, number, current).map_err(FlowError::within)?;
    let team = TeamOf { season: gameweek.season, fpl_id };
    let (joined, wallet, held, prompt) = tokio::join!(
        has_joined(app, &player.id, gameweek),
        app.store().wallet(&player.id),
        app.store().team_held(team),
        ReadAhead::of(app, &player.id, &phone, Some(gameweek)),
    );
    // What the transaction of the credit would refuse is refused before anybody pays.
    if joined? {
        return Err(refused(JoinError::AlreadyJoined).into());
    }
    let wallet = wallet?;
    if wallet.kept_out_of == Some(gameweek) {
        return Err(refused(JoinError::KeptOut).into());
    }
    check_debt(wallet.debt).map_err(|owes| refused(owes.into()))?;
    if !held?.is_some_and(|held| held.may_enter(&player.id, gameweek)) {
        return Err(refused(JoinError::TeamElsewhere).into());
    }
    Ok(Ahead { phone, entry: ForEntry { gameweek, amount }, excise, prompt })
}

async fn prompt(
    app: &App,
    player: &Player,
    ahead: Flow<Ahead, EntryPromptError>,
    binding: Option<Binding>,
) -> Flow<String, EntryPromptError> {
    let Ahead { phone, entry, excise, prompt: read } = ahead?;
    let player = link::checked(app, player.clone()).await.map_err(FlowError::within::<EntryError>);
    let player = player.map_err(FlowError::within)?;
    let amount = to_pay(entry.amount, excise);
    let prompt = NewPrompt { phone, amount, excise, entry: Some(entry), binding };
    prompts::start(app, &player, prompt, read?).await.map_err(FlowError::within)
}

fn check(
    player: &Player,
    asked: EntryPromptRequest<'_>,
    excise: Option<TaxRate>,
) -> Result<(MpesaPhone, EntryAmount, u8), EntryPromptError> {
    check_own_team(player, asked.team)?;
    let phone = MpesaPhone::for_pay(asked.phone)?;
    let amount = entry_amount(asked.entry_amount)?;
    let (paid, stake) = (to_pay(amount, excise), amount.kes());
    match asked.amount {
        Some(sent) if sent == paid.get() => Ok((phone, amount, gameweek_number(asked.gameweek)?)),
        _ if paid == stake => Err(EntryPromptError::AnotherAmount),
        _ => Err(EntryPromptError::AnotherThanWithExcise { paid, stake }),
    }
}

/// What a prompt asks for, so that the stake is left of it.
fn to_pay(amount: EntryAmount, excise: Option<TaxRate>) -> Kes {
    excise.map_or(amount.kes(), |rate| rate.gross_for(amount.kes()))
}

/// Why a payment shows no entry; the text is what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaidEntryError {
    #[error(transparent)]
    NoPayment(#[from] NoPayment),
    #[error("You are not allowed to do this.")]
    AnotherEntry,
    #[error(transparent)]
    NoTeamId(#[from] AccountError),
    /// With the payment's own reason.
    #[error("{0}")]
    AlreadyJoined(String),
    /// With the payment's own reason.
    #[error("{0}")]
    InTheWallet(String),
    #[error("Payment failed. Please try again.")]
    Failed,
    #[error("The payment is not confirmed yet.")]
    NotConfirmed,
}

impl Refusal for PaidEntryError {}

/// Whether the payment `checkout_id` has made this entry: it can show that one, and nothing else.
pub async fn check_paid(
    app: &App,
    checkout_id: &str,
    team: &str,
    amount: EntryAmount,
    number: u8,
) -> Flow<(), PaidEntryError> {
    let payment = prompts::find(app, checkout_id).await.map_err(FlowError::within)?;
    let player = app.store().player(&payment.user_id).await?.ok_or(PaidEntryError::AnotherEntry)?;
    // A number is a gameweek of this season: last season's payment shows nothing in it.
    let asked = app.season().await?.map(|season| GameweekId { season, number });
    let paid_for = payment.entry.filter(|entry| entry.amount == amount && Some(entry.gameweek) == asked);
    let Some(paid_for) = paid_for else { return Err(PaidEntryError::AnotherEntry.into()) };
    let team = named_team(&player, team).map_err(PaidEntryError::from)?;
    // The entry stands, whatever team the player has by now.
    let is_its = team == player.fpl_id
        || payment.entered && is_entered_with(app, &player, paid_for.gameweek, team).await?;
    if !is_its {
        return Err(PaidEntryError::AnotherEntry.into());
    }
    match payment.state {
        PaymentState::Success if payment.entered => Ok(()),
        PaymentState::Success => {
            let why = payment.reason.unwrap_or_else(|| IN_THE_WALLET.to_owned());
            // Why this payment made no entry, whatever the player has joined since or before.
            let joined = why.starts_with(&JoinError::AlreadyJoined.to_string());
            let refusal = if joined { PaidEntryError::AlreadyJoined } else { PaidEntryError::InTheWallet };
            Err(refusal(why).into())
        }
        PaymentState::Failed | PaymentState::Dismissed => Err(PaidEntryError::Failed.into()),
        PaymentState::Pending | PaymentState::SetAside => Err(PaidEntryError::NotConfirmed.into()),
    }
}

async fn is_entered_with(
    app: &App,
    player: &Player,
    gameweek: GameweekId,
    team: Option<FplId>,
) -> Result<bool, AppError> {
    let entry = app.store().entry_of(&player.id, gameweek).await?;
    Ok(entry.is_some_and(|entry| Some(entry.fpl_id) == team))
}
