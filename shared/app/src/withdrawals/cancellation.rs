//! The link in the mail about a withdrawal to a number that is not the player's own: 256 random bits, of
//! which only the SHA-256 is kept. Whoever reads that mail can take the money back into the wallet, without
//! a session, as long as it is not sent and, where it waits for a day, until that is over: an admin may be sending it by
//! hand then. Opening the link shows what it is about; only the button cancels.

use domain::withdrawals::requests::WithdrawalStatus;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::withdrawals::Withdrawal;
use subtle::ConstantTimeEq;

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        reasons,
        secrets::random_32,
        security_log::{SecurityEntry, SecurityEvent},
    },
    withdrawals::payouts::{self, PayError},
};

/// Why nothing is cancelled; the text is what the page shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CancelError {
    #[error("Invalid or expired link.")]
    Invalid,
    #[error(
        "This link does not cancel it any more: the money may be on its way. If it was not you who asked for it, write \
         to us at once."
    )]
    Over,
    #[error(transparent)]
    TooLate(PayError),
}

impl Refusal for CancelError {}

/// A new link's token for `withdrawal`, in the place of the one before. `None`: it cannot be cancelled any
/// more.
pub(crate) async fn issue(app: &App, withdrawal: &Withdrawal) -> Result<Option<String>, AppError> {
    let token = Token { withdrawal: withdrawal.id.clone(), secret: random_32() };
    let kept = app.store().keep_cancel_hash(&withdrawal.id, &token.hash()).await?;
    Ok(kept.then(|| token.text()))
}

/// The withdrawal that a link is about.
pub async fn find(app: &App, token: &str) -> Flow<Withdrawal, CancelError> {
    Ok(opened(app, token).await?.0)
}

/// Takes a withdrawal back: the money is in the wallet again. One that was rejected or cancelled before
/// stays as it is.
pub async fn cancel(app: &App, token: &str) -> Flow<Withdrawal, CancelError> {
    let (withdrawal, hash) = opened(app, token).await?;
    if is_open(&withdrawal) {
        app.mail_withdrawal_later(&withdrawal.id).await?;
        let now = app.clock().now();
        if app.store().cancel_withdrawal(&withdrawal, &hash, reasons::CANCELLED_BY_LINK, now).await? {
            let line = SecurityEntry::new(SecurityEvent::WithdrawalCancelled)
                .of(&withdrawal.user_id)
                .on(&withdrawal.id);
            app.log_security(line).await;
            app.mail_withdrawal_now(&withdrawal.id).await;
        }
    }
    // Of two at once the second meets what the first has made of it.
    match app.store().withdrawal(&withdrawal.id).await? {
        Some(now) if now.status == WithdrawalStatus::Rejected => Ok(now),
        Some(now) if is_open(&now) && has_waited(&now, app.clock().now()) => Err(CancelError::Over.into()),
        Some(now) => Err(CancelError::TooLate(payouts::against(app, &now).await?).into()),
        None => Err(CancelError::Invalid.into()),
    }
}

fn is_open(withdrawal: &Withdrawal) -> bool {
    withdrawal.status == WithdrawalStatus::Pending && withdrawal.payout.is_none()
}

/// Whether it has waited its day, in which its link cancels it.
pub(crate) fn has_waited(withdrawal: &Withdrawal, now: Timestamp) -> bool {
    withdrawal.waits_until.is_some() && !withdrawal.waits(now)
}

/// Whether its link cancels it.
#[must_use]
pub fn is_cancellable(withdrawal: &Withdrawal, now: Timestamp) -> bool {
    is_open(withdrawal) && !has_waited(withdrawal, now) && !withdrawal.is_said_sent(now)
}

/// The withdrawal and the secret's hash, where the link is the newest of ours for it.
async fn opened(app: &App, token: &str) -> Flow<(Withdrawal, String), CancelError> {
    let token = Token::parse(token).ok_or(CancelError::Invalid)?;
    let hash = token.hash();
    let found = app.store().withdrawal(&token.withdrawal).await?.filter(|withdrawal| {
        let kept = withdrawal.cancel_hash.as_deref().unwrap_or_default();
        bool::from(kept.as_bytes().ct_eq(hash.as_bytes()))
    });
    Ok((found.ok_or(CancelError::Invalid)?, hash))
}

/// The withdrawal's id and the secret, in hex, one behind the other.
struct Token {
    withdrawal: String,
    secret: [u8; 32],
}

impl Token {
    fn parse(text: &str) -> Option<Self> {
        let (withdrawal, secret) = text.split_at_checked(32)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(secret, &mut bytes).ok()?;
        domain::accounts::account::is_hex_id(withdrawal)
            .then(|| Self { withdrawal: withdrawal.to_owned(), secret: bytes })
    }

    fn text(&self) -> String {
        format!("{}{}", self.withdrawal, hex::encode(self.secret))
    }

    fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.secret))
    }
}
