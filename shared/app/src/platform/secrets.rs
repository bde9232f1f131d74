//! Secrets, in SSM as SecureStrings under the prefix; read when first needed, in one call, kept for the life of
//! the process. Which function may read which is its role's business.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use clients::daraja::{Certificate, DarajaCredentials, Initiator, Passkey};
use hmac::{Hmac, KeyInit, Mac};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING as VAPID, EcdsaKeyPair, Ed25519KeyPair, KeyPair},
};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::{
    AppError,
    platform::{aws::Aws, error::of_aws},
};

/// Every secret there is, by the last part of its SSM name.
pub mod names {
    /// Seed of the EdDSA key that signs access tokens: login and refresh only. 32 bytes, hex.
    pub const ACCESS_TOKEN_KEY: &str = "access-token-key";
    /// Its public half; while the key is changed the one before too, separated by a comma. 32 bytes each, hex.
    pub const ACCESS_TOKEN_PUBLIC_KEY: &str = "access-token-public-key";
    /// From one refresh token to the next. 32 bytes, hex.
    pub const REFRESH_KEY: &str = "refresh-key";
    /// Of the macs in hook paths; the key in force and, after a rotation, the one before, separated by
    /// a comma. 32 bytes each, hex.
    pub const HOOK_KEYS: &str = "hook-keys";
    /// From a gameweek to the operator's secret in its draw. 32 bytes, hex.
    pub const DRAW_KEY: &str = "draw-key";
    /// Of admins' second factors: encrypts their secrets, hashes their recovery codes. 32 bytes, hex.
    pub const TOTP_KEY: &str = "totp-key";
    /// Of the links that stop mails. 32 bytes, hex.
    pub const UNSUBSCRIBE_KEY: &str = "unsubscribe-key";
    /// Signs what is handed to push services (VAPID): a key of P-256 in PKCS#8, hex.
    pub const PUSH_KEY: &str = "push-key";
    /// Its public half, which browsers subscribe with: an uncompressed point. 65 bytes, hex.
    pub const PUSH_PUBLIC_KEY: &str = "push-public-key";
    /// Of the hashes in the security log. 32 bytes, hex.
    pub const SECURITY_LOG_KEY: &str = "security-log-key";
    pub const DARAJA_CONSUMER_KEY: &str = "daraja-consumer-key";
    pub const DARAJA_CONSUMER_SECRET: &str = "daraja-consumer-secret";
    pub const DARAJA_PASSKEY: &str = "daraja-passkey";
    /// Safaricom's certificate, in PEM. Public; beside the passwords that are sealed with it.
    pub const DARAJA_CERTIFICATE: &str = "daraja-certificate";
    /// The password of the initiator that may pay out; only the functions that pay out read it.
    pub const B2C_INITIATOR_PASSWORD: &str = "b2c-initiator-password";
    /// The password of the initiator that may query (a status or a balance).
    pub const QUERY_INITIATOR_PASSWORD: &str = "query-initiator-password";
}

/// A set of fresh secrets, by name: for a new installation and for the local run. The certificate is
/// M-Pesa's to give.
///
/// # Panics
/// The machine has no randomness.
#[must_use]
pub fn generate() -> Vec<(String, String)> {
    let seed = random_32();
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).expect("any 32 bytes are a seed");
    let fresh = || hex::encode(random_32());
    let random = SystemRandom::new();
    let push = EcdsaKeyPair::generate_pkcs8(&VAPID, &random).expect("the machine gives randomness");
    let push_pair = EcdsaKeyPair::from_pkcs8(&VAPID, push.as_ref(), &random).expect("it was just made");
    [
        (names::ACCESS_TOKEN_KEY, hex::encode(seed)),
        (names::ACCESS_TOKEN_PUBLIC_KEY, hex::encode(pair.public_key())),
        (names::REFRESH_KEY, fresh()),
        (names::HOOK_KEYS, fresh()),
        (names::DRAW_KEY, fresh()),
        (names::TOTP_KEY, fresh()),
        (names::UNSUBSCRIBE_KEY, fresh()),
        (names::PUSH_KEY, hex::encode(push)),
        (names::PUSH_PUBLIC_KEY, hex::encode(push_pair.public_key())),
        (names::SECURITY_LOG_KEY, fresh()),
        (names::DARAJA_CONSUMER_KEY, fresh()),
        (names::DARAJA_CONSUMER_SECRET, fresh()),
        (names::DARAJA_PASSKEY, fresh()),
        (names::B2C_INITIATOR_PASSWORD, fresh()),
        (names::QUERY_INITIATOR_PASSWORD, fresh()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// 256 random bits.
///
/// # Panics
/// The machine has no randomness: nothing safe can be done then.
#[must_use]
pub fn random_32() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the machine gives randomness");
    bytes
}

/// A secret that does not fit is read again where it was read longer ago than this.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(60);

struct Kept {
    value: String,
    at: Instant,
}

/// The secrets of this process.
pub struct Secrets {
    aws: Arc<Aws>,
    prefix: String,
    /// What this process may read.
    together: OnceLock<Vec<&'static str>>,
    read: Mutex<HashMap<&'static str, Kept>>,
    /// The initiators' passwords, sealed as M-Pesa takes them, by the secret's name. Sealing takes as long as all else of a call.
    sealed: Mutex<HashMap<&'static str, String>>,
    /// Held while SSM is asked: what begins at once, as the messages of a batch do, asks once. When it was last asked in vain.
    asking: tokio::sync::Mutex<Option<Instant>>,
}

impl Secrets {
    #[must_use]
    pub fn new(aws: Arc<Aws>, prefix: &str) -> Self {
        Self {
            aws,
            prefix: prefix.to_owned(),
            together: OnceLock::new(),
            read: Mutex::default(),
            sealed: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// These are the secrets of this process (SSM answers for ten at the most): when the first of them is needed all are
    /// asked for at once.
    pub fn read_together(&self, names: Vec<&'static str>) {
        self.together.get_or_init(|| names);
    }

    /// The secret `name` (one of [`names`]).
    pub async fn text(&self, name: &'static str) -> Result<String, AppError> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        let came = Instant::now();
        let mut in_vain = self.asking.lock().await;
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        // Another call asked while this one waited, and in vain: this one fails with it and does not ask once more.
        if in_vain.is_some_and(|at| at > came) {
            return Err(AppError::Unavailable(format!("the secret {name} could not be read just now")));
        }
        let mut wanted: BTreeSet<&'static str> = self.together.get().into_iter().flatten().copied().collect();
        wanted.retain(|known| !lock(&self.read).contains_key(known));
        wanted.insert(name);
        let full = wanted.iter().map(|name| format!("{}/{name}", self.prefix)).collect();
        let request = self.aws.ssm().get_parameters().set_names(Some(full)).with_decryption(true);
        let answer = request.send().await.map_err(|error| {
            *in_vain = Some(Instant::now());
            match of_aws(error, AppError::Unavailable) {
                AppError::NotSetUp(problem) => AppError::Secret { name, problem },
                other => other,
            }
        })?;
        let mut read = lock(&self.read);
        for found in answer.parameters.unwrap_or_default() {
            let last = found.name.as_deref().and_then(|full| full.rsplit('/').next());
            if let (Some(known), Some(value)) = (last.and_then(|last| wanted.get(last)), found.value) {
                read.insert(*known, Kept { value, at: Instant::now() });
            }
        }
        let kept = read.get(name).map(|kept| kept.value.clone());
        kept.ok_or_else(|| AppError::Secret { name, problem: "is not there".to_owned() })
    }

    fn known(&self, name: &str) -> Option<String> {
        lock(&self.read).get(name).map(|kept| kept.value.clone())
    }

    /// A secret of 32 bytes.
    pub async fn key(&self, name: &'static str) -> Result<[u8; 32], AppError> {
        parse_key(name, &self.text(name).await?)
    }

    /// The key in force and, while it is changed, the one before, separated by a comma.
    pub async fn keys(&self, name: &'static str) -> Result<Vec<[u8; 32]>, AppError> {
        self.text(name).await?.split(',').map(|key| parse_key(name, key.trim())).collect()
    }

    /// What Daraja signs us in by.
    pub async fn daraja(&self) -> Result<DarajaCredentials, AppError> {
        Ok(DarajaCredentials {
            consumer_key: self.text(names::DARAJA_CONSUMER_KEY).await?,
            consumer_secret: self.text(names::DARAJA_CONSUMER_SECRET).await?,
        })
    }

    /// What prompts and questions about them are signed with.
    pub async fn passkey(&self) -> Result<Passkey, AppError> {
        self.text(names::DARAJA_PASSKEY).await.map(Passkey)
    }

    /// The initiator `name` (Daraja's API user) with its password, which is the secret `password`.
    pub async fn initiator(&self, name: &str, password: &'static str) -> Result<Initiator, AppError> {
        let kept = lock(&self.sealed).get(password).cloned();
        let security_credential = match kept {
            Some(kept) => kept,
            None => self.seal(password).await?,
        };
        Ok(Initiator { name: name.to_owned(), security_credential })
    }

    /// The secret `password`, sealed with M-Pesa's certificate and kept so.
    async fn seal(&self, password: &'static str) -> Result<String, AppError> {
        let sealing = names::DARAJA_CERTIFICATE;
        let (certificate, text) = (self.text(sealing).await?, self.text(password).await?);
        let sealed = Certificate::parse(&certificate)
            .and_then(|certificate| certificate.encrypt(&text))
            .map_err(|error| AppError::Secret { name: sealing, problem: error.to_string() })?;
        lock(&self.sealed).insert(password, sealed.clone());
        Ok(sealed)
    }

    /// `path` with its mac behind it: `/hooks/stk/<id>` becomes `/hooks/stk/<id>/<mac>`.
    pub async fn hook_path(&self, path: &str) -> Result<String, AppError> {
        let keys = self.keys(names::HOOK_KEYS).await?;
        let mac = hmac(&keys[0], path.as_bytes());
        Ok(format!("{path}/{}", hex::encode(mac)))
    }

    /// Whether `mac` (hex) belongs to `path`, under the key in force or the one before. Compared in
    /// constant time.
    pub async fn is_hook_mac(&self, path: &str, mac: &str) -> Result<bool, AppError> {
        if fits(&self.keys(names::HOOK_KEYS).await?, path, mac) {
            return Ok(true);
        }
        // The key may have been changed since it was read: looked up again, once a minute at most.
        if !self.forget_if_old(names::HOOK_KEYS) {
            return Ok(false);
        }
        Ok(fits(&self.keys(names::HOOK_KEYS).await?, path, mac))
    }

    /// Drops what was read of a secret more than a minute ago. `false`: it was read since.
    pub(crate) fn forget_if_old(&self, name: &'static str) -> bool {
        let mut read = lock(&self.read);
        let old = read.get(name).is_some_and(|kept| kept.at.elapsed() > READ_AGAIN_AFTER);
        old && read.remove(name).is_some()
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether `mac` is that of `path` under any of the keys, in constant time.
fn fits(keys: &[[u8; 32]], path: &str, mac: &str) -> bool {
    let mut sound = subtle::Choice::from(0);
    for key in keys {
        sound |= hex::encode(hmac(key, path.as_bytes())).as_bytes().ct_eq(mac.as_bytes());
    }
    sound.into()
}

fn parse_key(name: &'static str, text: &str) -> Result<[u8; 32], AppError> {
    let mut key = [0; 32];
    hex::decode_to_slice(text, &mut key)
        .map_err(|_| AppError::Secret { name, problem: "is not 64 hex digits".to_owned() })?;
    Ok(key)
}

/// HMAC-SHA-256.
pub(crate) fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}
