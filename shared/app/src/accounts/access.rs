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
/// The header of every token of ours; a token with any other header is refused.
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

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use aws_smithy_runtime_api::client::{
        http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn},
        orchestrator::{HttpRequest, HttpResponse},
    };
    use aws_smithy_types::body::SdkBody;
    use clients::Clock;
    use jiff::Timestamp;
    use proptest::{collection::vec, prelude::*};
    use ring::{hmac, signature::KeyPair};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Config, platform::flow::FlowError};

    const NOW: i64 = 1_787_216_400;
    const DEPLOYED: [u8; 32] = [1; 32];
    const KEPT: [u8; 32] = [2; 32];
    const FOREIGN: [u8; 32] = [3; 32];

    fn pair(seed: &[u8; 32]) -> Ed25519KeyPair {
        Ed25519KeyPair::from_seed_unchecked(seed).unwrap()
    }

    /// SSM, which knows a key that the function was not deployed with.
    #[derive(Clone, Debug, Default)]
    struct Ssm(Arc<AtomicUsize>);

    impl HttpConnector for Ssm {
        fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
            self.0.fetch_add(1, Ordering::SeqCst);
            let key = |name, value| json!({"Name": format!("/secrets/{name}"), "Value": hex::encode(value)});
            let keys = [
                key(names::ACCESS_TOKEN_KEY, DEPLOYED.as_slice()),
                key(names::ACCESS_TOKEN_PUBLIC_KEY, pair(&KEPT).public_key().as_ref()),
            ];
            let body = SdkBody::from(json!({"Parameters": keys}).to_string());
            HttpConnectorFuture::ready(Ok(HttpResponse::new(200.try_into().unwrap(), body)))
        }
    }

    fn app() -> (App, Ssm) {
        let own = [
            ("SECRETS_PREFIX", "/secrets".to_owned()),
            ("ACCESS_TOKEN_PUBLIC_KEYS", hex::encode(pair(&DEPLOYED).public_key())),
        ];
        let (ssm, clock) = (Ssm::default(), Clock::from_fn(|| Timestamp::from_second(NOW).unwrap()));
        let connector = SharedHttpConnector::new(ssm.clone());
        let http = http_client_fn(move |_, _| connector.clone());
        let app = App::new(Config::for_tests(&own).unwrap(), clock, Some(http));
        app.secrets().read_together(vec![names::ACCESS_TOKEN_KEY, names::ACCESS_TOKEN_PUBLIC_KEY]);
        (app, ssm)
    }

    fn claims() -> Value {
        json!({"iss": "https://here", "aud": "fpl-leagues", "sub": "0".repeat(32), "role": "player", "sid": "s",
            "iat": NOW, "exp": NOW + 900})
    }

    fn with(name: &str, value: impl Into<Value>) -> Value {
        let mut claims = claims();
        claims[name] = value.into();
        claims
    }

    fn unsigned(header: &str, claims: &Value) -> String {
        format!("{}.{}", BASE64.encode(header), BASE64.encode(claims.to_string()))
    }

    fn signed(header: &str, claims: &Value, seed: &[u8; 32]) -> String {
        let text = unsigned(header, claims);
        let signature = BASE64.encode(pair(seed).sign(text.as_bytes()));
        format!("{text}.{signature}")
    }

    /// By HMAC under the public key, which everybody may know.
    fn by_hmac() -> String {
        let text = unsigned(r#"{"typ":"at+jwt","alg":"HS256"}"#, &claims());
        let key = hmac::Key::new(hmac::HMAC_SHA256, pair(&DEPLOYED).public_key().as_ref());
        let signature = BASE64.encode(hmac::sign(&key, text.as_bytes()));
        format!("{text}.{signature}")
    }

    /// Sound but for what `change` makes of its header, claims and signature.
    fn changed(change: fn(&mut [String])) -> String {
        let token = signed(HEADER, &claims(), &DEPLOYED);
        let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
        change(&mut parts);
        parts.join(".")
    }

    #[rstest]
    #[case::nothing(String::new())]
    #[case::no_token("a.b.c".to_owned())]
    #[case::two_parts(unsigned(HEADER, &claims()))]
    #[case::alg_none(format!("{}.", unsigned(r#"{"typ":"at+jwt","alg":"none"}"#, &claims())))]
    #[case::alg_none_though_signed(signed(r#"{"typ":"at+jwt","alg":"none"}"#, &claims(), &DEPLOYED))]
    #[case::another_alg(by_hmac())]
    #[case::another_type(signed(r#"{"typ":"JWT","alg":"EdDSA"}"#, &claims(), &DEPLOYED))]
    #[case::another_kid(signed(r#"{"typ":"at+jwt","alg":"EdDSA","kid":"1"}"#, &claims(), &DEPLOYED))]
    #[case::a_key_it_brings(signed(r#"{"typ":"at+jwt","alg":"EdDSA","jwk":{}}"#, &claims(), &FOREIGN))]
    #[case::another_key(signed(HEADER, &claims(), &FOREIGN))]
    #[case::expired(signed(HEADER, &with("exp", NOW), &DEPLOYED))]
    #[case::expired_under_the_kept_key(signed(HEADER, &with("exp", NOW), &KEPT))]
    #[case::without_an_end(signed(HEADER, &with("exp", Value::Null), &DEPLOYED))]
    #[case::another_issuer(signed(HEADER, &with("iss", "https://there"), &DEPLOYED))]
    #[case::another_audience(signed(HEADER, &with("aud", "others"), &DEPLOYED))]
    #[case::nobodys(signed(HEADER, &with("sub", Value::Null), &DEPLOYED))]
    #[case::altered_claims(changed(|parts| parts[1] = BASE64.encode(with("role", "admin").to_string())))]
    #[case::no_signature(changed(|parts| parts[2].clear()))]
    #[case::altered_signature(changed(|parts| parts[2].replace_range(..1, if parts[2].starts_with('A') { "B" } else { "A" })))]
    #[case::shortened_signature(changed(|parts| parts[2].truncate(43)))]
    #[case::padded(changed(|parts| parts[2].push_str("==")))]
    #[case::a_part_more(changed(|parts| parts[2].push_str(".e30")))]
    #[tokio::test]
    async fn a_token_that_is_not_sound_is_refused(#[case] token: String) {
        let (app, _) = app();
        let judged = app.verify_access_token(&token).await;
        assert!(matches!(judged, Err(FlowError::Refused(InvalidToken))), "{token}: {judged:?}");
    }

    #[tokio::test]
    async fn a_token_of_the_deployed_key_asks_nobody_and_one_of_a_newer_key_asks_once() {
        let (app, ssm) = app();
        let asked = || ssm.0.load(Ordering::SeqCst);
        let identity = Identity {
            user_id: UserId::parse(&"0".repeat(32)).unwrap(),
            role: Role::Player,
            session: "s".to_owned(),
        };
        let deployed = signed(HEADER, &claims(), &DEPLOYED);
        assert_eq!(app.verify_access_token(&deployed).await.unwrap(), identity);
        assert_eq!(asked(), 0);
        for _ in 0..2 {
            let newer = signed(HEADER, &claims(), &KEPT);
            assert_eq!(app.verify_access_token(&newer).await.unwrap(), identity);
        }
        // Both secrets came with one call.
        let own = app.sign_access_token(&identity).await.unwrap();
        assert_eq!(app.verify_access_token(&own).await.unwrap(), identity);
        assert_eq!(asked(), 1);
    }

    /// What strangers make of a sound token: letters written over it, left out and put in.
    fn altered(token: &str, changes: &[(usize, usize, String)]) -> String {
        let mut letters: Vec<char> = token.chars().collect();
        for (at, left_out, put_in) in changes {
            let at = at % (letters.len() + 1);
            let end = (at + left_out).min(letters.len());
            letters.splice(at..end, put_in.chars());
        }
        letters.into_iter().collect()
    }

    proptest! {
        #[test]
        fn no_other_token_than_a_sound_one_speaks_for_anybody(
            changes in vec((any::<usize>(), 0..4_usize, "[A-Za-z0-9_.=-]{0,4}"), 1..4), text in any::<String>(),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            let ((app, _), sound) = (app(), signed(HEADER, &claims(), &DEPLOYED));
            runtime.block_on(async {
                for token in [altered(&sound, &changes), text] {
                    let judged = app.verify_access_token(&token).await;
                    let refused = matches!(judged, Err(FlowError::Refused(InvalidToken)));
                    prop_assert!(refused != (token == sound), "{token}: {judged:?}");
                }
                Ok(())
            })?;
        }
    }
}
