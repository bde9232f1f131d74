//! A player closes the account: at once nobody logs in, and a week later what is personal goes (`erasure`). The week is
//! for what M-Pesa may still say of a payment; should money come in, the account is open again.

use domain::{
    GameweekId, Kes, Role,
    ledger::taking_back::Owes,
    payments::{prompt::PaymentState, typed_code::TypedCodeStatus},
    withdrawals::requests::{self, WithdrawalStatus},
};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    ledger::wallets::{StoredPosting, Wallet},
    payments::prompts::Payment,
    withdrawals::Withdrawal,
};

use crate::{
    App, AppError,
    accounts::credentials::{self, CredentialsError, Shown},
    platform::{
        flow::{Flow, FlowError, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// How long what is personal stays after an account was closed.
pub const GRACE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Why an account stays open; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClosingError {
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    #[error("An admin's account cannot be closed. Have the role taken from it first.")]
    Admin,
    #[error("There is {0} in your wallet. Withdraw it first.")]
    MoneyInWallet(Kes),
    #[error(transparent)]
    Owes(Owes),
    #[error("A withdrawal of yours is not done yet. Wait until it is paid or rejected.")]
    WithdrawalOpen,
    #[error("A payment of yours is not decided yet. Wait until it has ended.")]
    PaymentOpen,
    #[error("Your entry into gameweek {} is not settled yet. Wait until its prizes are paid.", .0.number)]
    EntryOpen(GameweekId),
    #[error("Your account is being looked into. Please contact us.")]
    LookedInto,
    #[error("Something has changed in your account meanwhile. Look at it again.")]
    Moved,
}

impl Refusal for ClosingError {}

/// Closes the account of whoever shows its password, and a code where there is a second factor. Answers when what is
/// personal goes.
pub async fn close(app: &App, player: &Player, shown: Shown<'_>) -> Flow<Timestamp, ClosingError> {
    credentials::show(app, player, shown).await.map_err(FlowError::within)?;
    if player.suspended || player.restraints.age_proof_wanted {
        return Err(ClosingError::LookedInto.into());
    }
    let wallet = nothing_is_open(app, player).await?;
    let at = app.clock().now();
    app.mail_closing_later(&player.id, at).await?;
    if !app.store().close_account(&player.id, wallet, at).await? {
        return Err(ClosingError::Moved.into());
    }
    app.log_security(SecurityEntry::new(SecurityEvent::AccountClosed).of(&player.id)).await;
    app.mail_closing_now(&player.id, at).await;
    Ok(at + GRACE)
}

/// That no money of the account's is anywhere but booked and ended. Answers the wallet by which that was found.
pub async fn nothing_is_open(app: &App, player: &Player) -> Flow<Wallet, ClosingError> {
    if player.role == Role::Admin {
        return Err(ClosingError::Admin.into());
    }
    // The wallet first: what is decided after this read moves it.
    let wallet = app.store().wallet(&player.id).await?;
    if wallet.debt.is_positive() {
        return Err(ClosingError::Owes(Owes(wallet.debt)).into());
    }
    let (withdrawals, payments, typed, postings) = tokio::try_join!(
        app.store().all_withdrawals_of(&player.id),
        app.store().payments_since(&player.id, Timestamp::UNIX_EPOCH),
        app.store().typed_codes_of(&player.id),
        app.store().postings(&player.id),
    )?;
    let open =
        |withdrawal: &Withdrawal| withdrawal.status == WithdrawalStatus::Pending || withdrawal.is_contested();
    if withdrawals.iter().any(open) {
        return Err(ClosingError::WithdrawalOpen.into());
    }
    let undecided = |state| matches!(state, PaymentState::Pending | PaymentState::SetAside);
    let doubted = |payment: &Payment| payment.flagged && payment.closed.is_none();
    if payments.iter().any(|payment| undecided(payment.state) || doubted(payment))
        || typed.iter().any(|typed| typed.status == TypedCodeStatus::Pending)
    {
        return Err(ClosingError::PaymentOpen.into());
    }
    if let Some(gameweek) = unsettled_entry(app, player, &postings).await? {
        return Err(ClosingError::EntryOpen(gameweek).into());
    }
    // Less cannot be withdrawn. It stays in the wallet, which is kept under the account's id.
    if wallet.balance >= requests::MINIMUM {
        return Err(ClosingError::MoneyInWallet(wallet.balance).into());
    }
    Ok(wallet)
}

/// The first gameweek whose entry is neither given back nor in a league that has been paid.
async fn unsettled_entry(
    app: &App,
    player: &Player,
    postings: &[StoredPosting],
) -> Result<Option<GameweekId>, AppError> {
    let of = |kind: &'static str| {
        let causes = postings.iter().filter_map(move |posting| posting.cause.strip_prefix(kind));
        causes.filter_map(|gameweek| gameweek.parse::<GameweekId>().ok())
    };
    let given_back: Vec<GameweekId> = of("refund#").collect();
    for gameweek in of("entry#").filter(|gameweek| !given_back.contains(gameweek)) {
        let Some(id) = app.store().league_of(&player.id, gameweek).await? else {
            return Ok(Some(gameweek));
        };
        let league = app.store().league(id).await?;
        let ended = app.store().league_status(id).await?.is_some_and(|status| status.settled_at.is_some());
        if !ended && league.is_none_or(|league| league.settled_at.is_none()) {
            return Ok(Some(gameweek));
        }
    }
    Ok(None)
}
