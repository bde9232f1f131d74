//! Access tokens: JWT, EdDSA only, fifteen minutes by the product's clock. Only login and refresh
//! hold the private key; everyone else the public one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{Role, UserId};
use jiff::SignedDuration;
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        secrets::names,
    },
};

pub const LIFETIME: SignedDuration = SignedDuration::from_mins(15);
/// Of every token: another is none of ours, whatever it says of itself.
const HEADER: &str = r#"{"typ":"at+jwt","alg":"EdDSA"}"#;
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

impl App {
    /// A token for `identity`, from now.
    pub async fn sign_access_token(&self, identity: &Identity) -> Result<String, AppError> {
        let seed = self.secrets().key(names::ACCESS_TOKEN_KEY).await?;
        let key = Ed25519KeyPair::from_seed_unchecked(&seed)
            .map_err(|error| AppError::Internal(format!("the key of tokens: {error}")))?;
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
        let claims = serde_json::to_vec(&claims).expect("claims are plain values");
        let signed = format!("{}.{}", BASE64.encode(HEADER), BASE64.encode(claims));
        let signature = BASE64.encode(key.sign(signed.as_bytes()));
        Ok(format!("{signed}.{signature}"))
    }

    /// Who `token` speaks for now. Nothing is asked of anybody where it was signed by a key that the function was deployed
    /// with.
    pub async fn verify_access_token(&self, token: &str) -> Flow<Identity, InvalidToken> {
        let parts = Parts::of(token).ok_or(InvalidToken)?;
        let claims = match parts.signed_by(&self.config().access_token_public_keys) {
            Some(claims) => claims,
            None => self.verify_with_kept_keys(&parts).await?,
        };
        let sound = claims.iss == self.config().public_origin
            && claims.aud == AUDIENCE
            && self.clock().now().as_second() < claims.exp;
        let Claims { sub, role, sid, .. } = claims;
        Ok(sound.then_some(Identity { user_id: sub, role, session: sid }).ok_or(InvalidToken)?)
    }

    /// With the keys that are kept with the secrets: they may have been changed since the function was deployed.
    async fn verify_with_kept_keys(&self, parts: &Parts<'_>) -> Flow<Claims, InvalidToken> {
        let name = names::ACCESS_TOKEN_PUBLIC_KEY;
        if let Some(claims) = parts.signed_by(&self.secrets().keys(name).await?) {
            return Ok(claims);
        }
        // And since they were read: they are looked up again, once a minute at most.
        if !self.secrets().forget_if_old(name) {
            return Err(InvalidToken.into());
        }
        Ok(parts.signed_by(&self.secrets().keys(name).await?).ok_or(InvalidToken)?)
    }
}

/// A compact JWS (RFC 7515) of one header and one algorithm.
struct Parts<'a> {
    signed: &'a str,
    signature: Vec<u8>,
    claims: Vec<u8>,
}

impl<'a> Parts<'a> {
    fn of(token: &'a str) -> Option<Self> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let parts =
            Self { signed, signature: BASE64.decode(signature).ok()?, claims: BASE64.decode(claims).ok()? };
        (BASE64.decode(header).ok()? == HEADER.as_bytes()).then_some(parts)
    }

    /// What it says, where one of these keys has signed it.
    fn signed_by(&self, keys: &[[u8; 32]]) -> Option<Claims> {
        let fits = |key: &[u8; 32]| {
            UnparsedPublicKey::new(&ED25519, key).verify(self.signed.as_bytes(), &self.signature).is_ok()
        };
        if keys.iter().any(fits) { serde_json::from_slice(&self.claims).ok() } else { None }
    }
}
