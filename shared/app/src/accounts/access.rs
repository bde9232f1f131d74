//! Access tokens: JWT, EdDSA only, fifteen minutes by the product's clock. Only login and refresh
//! hold the private key; everyone else the public one.

use domain::{Role, UserId};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        secrets::names,
    },
};

pub const LIFETIME: SignedDuration = SignedDuration::from_mins(15);
const TYPE: &str = "at+jwt";
const AUDIENCE: &str = "fpl-leagues";

/// Who a token speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub user_id: UserId,
    pub role: Role,
    /// The session (family) that it came from.
    pub session: String,
}

/// The token is not one of ours, or not any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the access token is not valid")]
pub struct InvalidToken;

impl Refusal for InvalidToken {}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: UserId,
    role: Role,
    sid: String,
    iat: i64,
    exp: i64,
}

/// The fixed head of a PKCS#8 document around an Ed25519 seed (RFC 8410, section 7).
const PKCS8_HEAD: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

impl App {
    /// A token for `identity`, from now.
    pub async fn sign_access_token(&self, identity: &Identity) -> Result<String, AppError> {
        let seed = self.secrets().key(names::ACCESS_TOKEN_KEY).await?;
        let key = EncodingKey::from_ed_der(&[PKCS8_HEAD.as_slice(), &seed].concat());
        let now = self.clock().now();
        let claims = Claims {
            iss: self.config().public_origin.clone(),
            aud: AUDIENCE.to_owned(),
            sub: identity.user_id.clone(),
            role: identity.role,
            sid: identity.session.clone(),
            iat: now.as_second(),
            exp: (now + LIFETIME).as_second(),
        };
        let header = Header { typ: Some(TYPE.to_owned()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, &claims, &key)
            .map_err(|error| AppError::Internal(format!("signing a token: {error}")))
    }

    /// Who `token` speaks for now.
    pub async fn verify_access_token(&self, token: &str) -> Flow<Identity, InvalidToken> {
        if let Some(identity) = self.verify_now(token).await? {
            return Ok(identity);
        }
        // The key may have been changed since it was read: looked up again, once a minute at most.
        if !self.secrets().forget_if_old(names::ACCESS_TOKEN_PUBLIC_KEY) {
            return Err(InvalidToken.into());
        }
        Ok(self.verify_now(token).await?.ok_or(InvalidToken)?)
    }

    /// Under any of the keys that are in force, as far as this process knows.
    async fn verify_now(&self, token: &str) -> Result<Option<Identity>, AppError> {
        let keys = self.secrets().keys(names::ACCESS_TOKEN_PUBLIC_KEY).await?;
        let (issuer, now) = (&self.config().public_origin, self.clock().now());
        Ok(keys.iter().find_map(|public| verify(token, public, issuer, now).ok()))
    }
}

fn verify(token: &str, public: &[u8; 32], issuer: &str, now: Timestamp) -> Result<Identity, InvalidToken> {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_audience(&[AUDIENCE]);
    validation.set_issuer(&[issuer]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    // The library would compare with the machine's clock; the product's is compared below.
    validation.validate_exp = false;
    let key = DecodingKey::from_ed_der(public);
    let token = jsonwebtoken::decode::<Claims>(token, &key, &validation).map_err(|_| InvalidToken)?;
    let sound = token.header.typ.as_deref() == Some(TYPE) && now.as_second() < token.claims.exp;
    let Claims { sub, role, sid, .. } = token.claims;
    sound.then_some(Identity { user_id: sub, role, session: sid }).ok_or(InvalidToken)
}
