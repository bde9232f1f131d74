//! What a push service is handed: a body that only the browser can read (RFC 8291), and who we are (VAPID, RFC 8292).
//! Over ring alone; a library reads it in the stand-in (docs/decisions.md, "Push").

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use jiff::{SignedDuration, Timestamp};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    error::Unspecified,
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
    rand::{SecureRandom, SystemRandom},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde::Serialize;

use crate::{AppError, platform::secrets::names};

/// Push services take up to a day.
const LIFETIME: SignedDuration = SignedDuration::from_hours(12);
const HEADER: &str = r#"{"typ":"JWT","alg":"ES256"}"#;
/// An uncompressed point.
const POINT: usize = 65;
/// A message is one record, of this size at the most: services take no more.
const RECORD: u32 = 4096;

/// A browser's keys, as it told them.
pub(crate) struct BrowserKeys {
    public: [u8; POINT],
    auth: [u8; 16],
}

impl BrowserKeys {
    /// `None`: they are no keys.
    pub fn parse(p256dh: &str, auth: &str) -> Option<Self> {
        let decoded = |text: &str| BASE64.decode(text.trim_end_matches('=')).ok();
        let keys = Self { public: decoded(p256dh)?.try_into().ok()?, auth: decoded(auth)?.try_into().ok()? };
        // Whether the point is on the curve shows when something is agreed with it.
        keys.agree().is_ok().then_some(keys)
    }

    /// A public key of this message's own, and what it has in common with the browser's.
    fn agree(&self) -> Result<([u8; POINT], Vec<u8>), Unspecified> {
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())?;
        let public = own.compute_public_key()?.as_ref().try_into().map_err(|_| Unspecified)?;
        let browser = UnparsedPublicKey::new(&ECDH_P256, &self.public);
        Ok((public, agree_ephemeral(own, &browser, <[u8]>::to_vec)?))
    }

    pub fn seal(&self, message: &impl Serialize) -> Result<Vec<u8>, AppError> {
        let mut plain = serde_json::to_vec(message)
            .map_err(|error| AppError::Internal(format!("a push is not sealed: {error}")))?;
        if plain.len() + 1 + AES_128_GCM.tag_len() > RECORD as usize {
            return Err(AppError::Internal(format!("a push of {} bytes is too long", plain.len())));
        }
        // The last record, without padding.
        plain.push(2);
        self.sealed(plain).map_err(|_| AppError::Internal("a push is not sealed".into()))
    }

    fn sealed(&self, mut record: Vec<u8>) -> Result<Vec<u8>, Unspecified> {
        let mut salt = [0; 16];
        SystemRandom::new().fill(&mut salt)?;
        let (public, shared) = self.agree()?;
        let (key, nonce) = self.content_keys(&shared, &public, &salt)?;
        LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?).seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::empty(),
            &mut record,
        )?;
        let length = u8::try_from(POINT).map_err(|_| Unspecified)?;
        Ok([&salt[..], &RECORD.to_be_bytes(), &[length], &public, &record].concat())
    }

    /// The key and the nonce of a message's only record.
    fn content_keys(
        &self,
        shared: &[u8],
        public: &[u8; POINT],
        salt: &[u8; 16],
    ) -> Result<([u8; 16], [u8; 12]), Unspecified> {
        let pair = Salt::new(HKDF_SHA256, &self.auth).extract(shared);
        let input: [u8; 32] = expanded(&pair, &[b"WebPush: info\0", &self.public, public])?;
        let content = Salt::new(HKDF_SHA256, salt).extract(&input);
        let key = expanded(&content, &[b"Content-Encoding: aes128gcm\0"])?;
        Ok((key, expanded(&content, &[b"Content-Encoding: nonce\0"])?))
    }
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expanded<const N: usize>(from: &Prk, info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut out = [0; N];
    from.expand(info, Length(N))?.fill(&mut out)?;
    Ok(out)
}

/// The header by which the service at `origin` knows who sends; `contact` is whom it writes to in case of trouble. `key` is
/// the secret, as it is kept.
pub fn authorization(key: &str, origin: &str, contact: &str, now: Timestamp) -> Result<String, AppError> {
    let wrong = |problem: String| AppError::Secret { name: names::PUSH_KEY, problem };
    let random = SystemRandom::new();
    let key = hex::decode(key).map_err(|error| wrong(error.to_string()))?;
    let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &key, &random)
        .map_err(|error| wrong(error.to_string()))?;
    let (exp, sub) = ((now + LIFETIME).as_second(), format!("mailto:{contact}"));
    let claims = serde_json::json!({ "aud": origin, "exp": exp, "sub": sub }).to_string();
    let signed = format!("{}.{}", BASE64.encode(HEADER), BASE64.encode(claims));
    let signature = key.sign(&random, signed.as_bytes()).map_err(|error| wrong(error.to_string()))?;
    let token = format!("{signed}.{}", BASE64.encode(signature));
    Ok(format!("vapid t={token}, k={}", BASE64.encode(key.public_key())))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    // RFC 8291, appendix A.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[rstest]
    #[case::sound(P256DH, AUTH, true)]
    #[case::padded(&format!("{P256DH}="), &format!("{AUTH}=="), true)]
    #[case::no_key("", AUTH, false)]
    #[case::no_point_of_the_curve(&format!("BD{}", &P256DH[2..]), AUTH, false)]
    #[case::a_short_key(&P256DH[..80], AUTH, false)]
    #[case::no_secret(P256DH, "", false)]
    #[case::a_long_secret(P256DH, P256DH, false)]
    #[case::no_base64("%", "%", false)]
    fn keys_are_a_point_and_sixteen_bytes(#[case] p256dh: &str, #[case] auth: &str, #[case] sound: bool) {
        assert_eq!(BrowserKeys::parse(p256dh, auth).is_some(), sound);
    }

    #[test]
    fn a_messages_keys_are_those_of_the_standards_example() {
        let bytes = |text: &str| BASE64.decode(text).unwrap();
        let keys = BrowserKeys::parse(P256DH, AUTH).unwrap();
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let public =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let (key, nonce) = keys.content_keys(&shared, &public.try_into().unwrap(), &salt).unwrap();
        assert_eq!(BASE64.encode(key), "oIhVW04MRdy2XN9CiKLxTg");
        assert_eq!(BASE64.encode(nonce), "4h_95klXJ5E_qnoN");
    }

    #[test]
    fn each_message_is_sealed_anew_and_has_an_end() {
        let keys = BrowserKeys::parse(P256DH, AUTH).unwrap();
        let (one, other) = (keys.seal(&"hello").unwrap(), keys.seal(&"hello").unwrap());
        assert!(one.len() == other.len() && one[21..] != other[21..]);
        assert!(keys.seal(&"a".repeat(4096)).is_err());
    }
}
