//! The security credential of an initiator: its password under the public key of Safaricom's
//! certificate (docs/daraja.md, "A payout (B2C)").
//!
//! Only the public half of RSA is used here: nothing that an attacker could time.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rsa::{
    Pkcs1v15Encrypt, RsaPublicKey,
    pkcs8::{
        DecodePublicKey,
        der::{self, Decode, Encode, Reader, Tag, Tagged, asn1::AnyRef},
    },
    rand_core::OsRng,
};

/// Safaricom's certificate, as far as we need it: whom the password is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(RsaPublicKey);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    #[error("the certificate is not PEM")]
    Pem,
    #[error("the certificate is not X.509 with an RSA key")]
    Key,
    #[error("the password does not fit the certificate's key")]
    Password,
}

impl Certificate {
    /// Reads a certificate in PEM, as Safaricom hands it out.
    pub fn parse(pem: &str) -> Result<Self, CertificateError> {
        let (_, rest) = pem.split_once("-----BEGIN CERTIFICATE-----").ok_or(CertificateError::Pem)?;
        let (body, _) = rest.split_once("-----END CERTIFICATE-----").ok_or(CertificateError::Pem)?;
        let text: String = body.split_whitespace().collect();
        let der = STANDARD.decode(text).map_err(|_| CertificateError::Pem)?;
        let key = public_key(&der).map_err(|_| CertificateError::Key)?;
        RsaPublicKey::from_public_key_der(&key).map(Self).map_err(|_| CertificateError::Key)
    }

    /// `password` for the holder of the certificate's private key only, in base64. Differs each time.
    pub fn encrypt(&self, password: &str) -> Result<String, CertificateError> {
        let sealed = self.0.encrypt(&mut OsRng, Pkcs1v15Encrypt, password.as_bytes());
        sealed.map(|sealed| STANDARD.encode(sealed)).map_err(|_| CertificateError::Password)
    }
}

/// The SubjectPublicKeyInfo of a certificate (RFC 5280, 4.1): serial, algorithm, issuer, validity and
/// subject stand before it, and a version in a tag of its own that may be left out.
fn public_key(certificate: &[u8]) -> der::Result<Vec<u8>> {
    const BEFORE_THE_KEY: usize = 5;
    let signed = parts(AnyRef::from_der(certificate)?)?;
    let fields = parts(*signed.first().ok_or(Tag::Sequence.value_error())?)?;
    let versioned = fields.first().is_some_and(|first| first.tag().is_context_specific());
    let key = fields.get(usize::from(versioned) + BEFORE_THE_KEY);
    key.ok_or(Tag::Sequence.value_error())?.to_der()
}

fn parts(sequence: AnyRef<'_>) -> der::Result<Vec<AnyRef<'_>>> {
    sequence.sequence(|reader| {
        let mut parts = Vec::new();
        while !reader.is_finished() {
            parts.push(AnyRef::decode(reader)?);
        }
        Ok(parts)
    })
}

#[cfg(test)]
#[path = "credential_tests.rs"]
mod tests;
