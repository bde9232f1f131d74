//! Forgotten passwords: a link with 256 random bits, of which only the SHA-256 is kept; good once,
//! for thirty minutes by the product's clock, and until a newer one is sent
//! (docs/security.md, "Passwords").
//!
//! Using it is one transaction that also counts the reset on the profile. A session stands only as
//! long as that count is what it began with, so none outlives a reset, wherever a process dies and
//! whatever two clocks say.

use std::net::IpAddr;

use domain::{Email, Password, UserId, accounts::account::InvalidResetToken, platform::limits::Limited};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::accounts::{players::Player, resets::Reset};
use subtle::ConstantTimeEq;

use crate::{
    App, AppError,
    accounts::passwords,
    platform::{
        flow::{Flow, Refusal},
        limits,
        secrets::random_32,
        security_log::{Event, SecurityEntry},
    },
};

const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

impl Refusal for InvalidResetToken {}

impl App {
    /// Has a link for a new password mailed. Whether the email is an account's shows neither in the answer nor in
    /// its time: that is looked up when the mail is sent.
    pub async fn ask_for_reset(&self, email: Email, address: Option<IpAddr>) -> Flow<(), Limited> {
        limits::forgot(self, &email).await?;
        let line = SecurityEntry::new(Event::PasswordResetAsked).email(email.as_str()).from(address);
        self.log_security(line).await;
        Ok(self.mail_reset_link(email).await?)
    }

    /// A new link's token for `player`, in the place of the one before.
    pub(crate) async fn issue_reset(&self, player: &Player) -> Result<String, AppError> {
        let token = ResetToken { player: player.id.clone(), secret: random_32() };
        let expires_at = self.clock().now() + LIFETIME;
        let reset =
            Reset { token_hash: token.hash(), expires_at, used_at: None, ttl: expires_at.as_second() };
        self.store().put_reset(&player.id, &reset).await?;
        Ok(token.text())
    }

    /// Sets the password of whoever was sent `token`, as long as that is good.
    pub async fn reset_password(&self, token: &str, password: Password) -> Flow<(), InvalidResetToken> {
        let token = ResetToken::parse(token).ok_or(InvalidResetToken)?;
        let found = self.store().reset(&token.player).await?;
        let reset = found.filter(|reset| token.opens(reset, self.clock().now())).ok_or(InvalidResetToken)?;
        let hash = passwords::hash(self, password).await?;
        let at = self.clock().now();
        if !self.store().use_reset(&token.player, &reset, &hash, at).await? {
            return Err(InvalidResetToken.into());
        }
        self.log_security(SecurityEntry::new(Event::PasswordReset).of(&token.player)).await;
        Ok(())
    }
}

/// The player's id and the secret, in hex, one behind the other.
struct ResetToken {
    player: UserId,
    secret: [u8; 32],
}

impl ResetToken {
    fn parse(text: &str) -> Option<Self> {
        let (player, secret) = text.split_at_checked(32)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(secret, &mut bytes).ok()?;
        Some(Self { player: UserId::parse(player).ok()?, secret: bytes })
    }

    fn text(&self) -> String {
        format!("{}{}", self.player, hex::encode(self.secret))
    }

    fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.secret))
    }

    fn opens(&self, reset: &Reset, now: Timestamp) -> bool {
        let same = bool::from(reset.token_hash.as_bytes().ct_eq(self.hash().as_bytes()));
        same && reset.used_at.is_none() && now < reset.expires_at
    }
}
