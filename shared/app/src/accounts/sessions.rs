//! Sessions: a refresh token that is rotated at each use (docs/security.md, "Sessions").
//!
//! The first token's secret is random; each next one is HMAC(refresh key, the one before), so a
//! repeated or lost refresh within the grace answers with the very token that is in force, and two
//! tabs end up with the same one. Only SHA-256 of secrets is stored. An older token that comes back
//! ends the family.

use domain::{Role, UserId, accounts::device::Device};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{
    accounts::{players::Player, sessions::Session},
    random_id,
};
use subtle::ConstantTimeEq;

use crate::{
    App, AppError,
    accounts::{access::Identity, subscriptions},
    platform::{
        flow::{Flow, Refusal},
        secrets::{hmac, names, random_32},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

const GRACE: SignedDuration = SignedDuration::from_secs(10);
const IDLE: SignedDuration = SignedDuration::from_hours(14 * 24);
const ABSOLUTE: SignedDuration = SignedDuration::from_hours(60 * 24);

/// How long the browser keeps the cookie: no longer than the session can be idle.
pub const COOKIE_SECONDS: i64 = IDLE.as_secs();

/// What a log-in or a refresh gives.
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: String,
    pub role: Role,
}

/// Why a refresh token gives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RefreshError {
    #[error("Please log in.")]
    NotValid,
    /// An old token came back: somebody else may have it. The family is ended.
    #[error("Please log in again.")]
    Replayed,
}

impl Refusal for RefreshError {}

struct RefreshToken {
    user_id: UserId,
    family: String,
    secret: [u8; 32],
}

impl RefreshToken {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (user, family, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let mut bytes = [0; 32];
        hex::decode_to_slice(secret, &mut bytes).ok()?;
        let sound = parts.next().is_none() && domain::accounts::account::is_hex_id(family);
        let user_id = UserId::parse(user).ok()?;
        sound.then(|| Self { user_id, family: family.to_owned(), secret: bytes })
    }

    fn text(&self) -> String {
        format!("{}.{}.{}", self.user_id, self.family, hex::encode(self.secret))
    }

    fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.secret))
    }

    fn next(&self, key: &[u8; 32]) -> Self {
        let secret = hmac(key, &self.secret);
        Self { user_id: self.user_id.clone(), family: self.family.clone(), secret }
    }
}

impl App {
    /// Begins a session for a player who has shown who they are.
    pub async fn start_session(&self, player: &Player, device: Option<Device>) -> Result<Tokens, AppError> {
        let now = self.clock().now();
        let token = RefreshToken { user_id: player.id.clone(), family: random_id(), secret: random_32() };
        let session = Session {
            family: token.family.clone(),
            user_id: player.id.clone(),
            token_hash: token.hash(),
            previous_hash: None,
            created_at: now,
            rotated_at: now,
            ended_at: None,
            password_resets: player.password_resets,
            // Whoever has a second factor has just given a code of it.
            stepped_up_at: player.totp.then_some(now),
            device,
            ttl: (now + IDLE).as_second(),
        };
        self.store().create_session(&session).await?;
        self.tokens(player, &token).await
    }

    /// The next tokens for a refresh token.
    pub async fn refresh_session(&self, text: &str) -> Flow<Tokens, RefreshError> {
        let presented = RefreshToken::parse(text).ok_or(RefreshError::NotValid)?;
        let next = presented.next(&self.secrets().key(names::REFRESH_KEY).await?);
        let now = self.clock().now();
        // Twice at most: where another refresh was first, its result is read once.
        for _ in 0..2 {
            let valid_session = self.valid_session(&presented.user_id, &presented.family).await?;
            let (player, session) = valid_session.ok_or(RefreshError::NotValid)?;
            match state_of(&session, &presented, now) {
                TokenState::InForce => {
                    let ttl = (now + IDLE).min(session.created_at + ABSOLUTE).as_second();
                    if !self.store().rotate_session(&session, &next.hash(), now, ttl).await? {
                        continue;
                    }
                }
                TokenState::InGrace => {}
                TokenState::Replayed => {
                    self.log_security(
                        SecurityEntry::new(SecurityEvent::SessionReplayed).of(&session.user_id),
                    )
                    .await;
                    self.end_with_its_pushes(&session).await?;
                    return Err(RefreshError::Replayed.into());
                }
                TokenState::Foreign => return Err(RefreshError::NotValid.into()),
            }
            return Ok(self.tokens(&player, &next).await?);
        }
        Err(RefreshError::NotValid.into())
    }

    /// A session that stands, with its player: not ended, not too old, and begun with the password
    /// that the account has now.
    pub async fn valid_session(
        &self,
        user: &UserId,
        family: &str,
    ) -> Result<Option<(Player, Session)>, AppError> {
        // At once: every call that needs a log-in waits for both.
        let (session, player) =
            tokio::try_join!(self.store().session(user, family), self.store().player(user))?;
        Ok(player.zip(session).filter(|(player, session)| self.is_valid(player, session)))
    }

    /// Whether a session of `player` is good for anything now.
    #[must_use]
    pub fn is_valid(&self, player: &Player, session: &Session) -> bool {
        is_alive(session, self.clock().now())
            && player.password_resets == session.password_resets
            && !player.frozen
            && player.closed_at.is_none()
    }

    /// Ends the session of a refresh token at once. One that is none of ours changes nothing.
    pub async fn end_session(&self, text: &str) -> Result<(), AppError> {
        let Some(presented) = RefreshToken::parse(text) else { return Ok(()) };
        let Some(session) = self.store().session(&presented.user_id, &presented.family).await? else {
            return Ok(());
        };
        if !matches!(state_of(&session, &presented, self.clock().now()), TokenState::Foreign) {
            self.end_with_its_pushes(&session).await?;
            self.log_security(SecurityEntry::new(SecurityEvent::SignedOut).of(&session.user_id)).await;
        }
        Ok(())
    }

    /// Ends a session, and first the pushes to the browsers that were added in it: where this dies in between, the session is
    /// still there to be ended. Where the pushes cannot be ended now the session ends all the same.
    async fn end_with_its_pushes(&self, session: &Session) -> Result<(), AppError> {
        let pushes = subscriptions::end_but(self, &session.user_id, |family| family != session.family).await;
        self.store().end_session(session, self.clock().now()).await?;
        pushes
    }

    async fn tokens(&self, player: &Player, refresh: &RefreshToken) -> Result<Tokens, AppError> {
        let identity =
            Identity { user_id: player.id.clone(), role: player.role, session: refresh.family.clone() };
        let access_token = self.sign_access_token(&identity).await?;
        Ok(Tokens { access_token, refresh_token: refresh.text(), role: player.role })
    }
}

enum TokenState {
    InForce,
    /// The one before, used again within the grace: the next one is in force already.
    InGrace,
    Replayed,
    /// Never of this family.
    Foreign,
}

fn state_of(session: &Session, presented: &RefreshToken, now: Timestamp) -> TokenState {
    let same = |hash: &str| bool::from(hash.as_bytes().ct_eq(presented.hash().as_bytes()));
    if same(&session.token_hash) {
        TokenState::InForce
    } else if session.previous_hash.as_deref().is_some_and(same) {
        if now <= session.rotated_at + GRACE { TokenState::InGrace } else { TokenState::Replayed }
    } else if session.previous_hash.is_some() {
        // Two or more uses ago, or made up by somebody who knows the family: end it either way.
        TokenState::Replayed
    } else {
        TokenState::Foreign
    }
}

fn is_alive(session: &Session, now: Timestamp) -> bool {
    session.ended_at.is_none() && now < session.rotated_at + IDLE && now < session.created_at + ABSOLUTE
}
