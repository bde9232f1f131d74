//! M-Pesa's own key, made when it is first needed: its certificate is what shops seal their initiators'
//! passwords with.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, OnceLock, PoisonError},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use rcgen::{CertificateParams, KeyPair, PKCS_RSA_SHA256};
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey, pkcs8::EncodePrivateKey, rand_core::OsRng};

use super::{DarajaError, fields::Fields};
use crate::Operator;

const BITS: usize = 2048;

struct Own {
    key: RsaPrivateKey,
    certificate: String,
}

/// M-Pesa's certificate, in PEM. The same for the life of the process.
pub fn certificate() -> String {
    own().certificate.clone()
}

fn own() -> &'static Own {
    static OWN: OnceLock<Own> = OnceLock::new();
    OWN.get_or_init(|| {
        let key = RsaPrivateKey::new(&mut OsRng, BITS).expect("a key of a usual size is found");
        let der = key.to_pkcs8_der().expect("a key that was just made");
        let pair = KeyPair::from_pkcs8_der_and_sign_algo(&der.as_bytes().into(), &PKCS_RSA_SHA256);
        let params = CertificateParams::new(vec!["mpesa.example".to_owned()]).expect("a plain name");
        let signed = params.self_signed(&pair.expect("an RSA key of 2048 bits")).expect("it signs itself");
        Own { key, certificate: signed.pem() }
    })
}

/// Whether `operator` signed a request, its name being in `name_field`. A credential that nobody can
/// open is refused; one with another password is found out later, by the result.
pub(super) fn is_signed(
    fields: &Fields,
    name_field: &'static str,
    operator: &Operator,
) -> Result<bool, DarajaError> {
    let name = super::fields::text(fields, name_field)?;
    let sealed = super::fields::text(fields, "SecurityCredential")?;
    let invalid = DarajaError::Invalid("SecurityCredential");
    let Ok(sealed) = STANDARD.decode(sealed) else { return Err(invalid) };
    let Some(password) = opened(sealed) else { return Err(invalid) };
    Ok(name == operator.name && password == operator.password.as_bytes())
}

/// Opened ones are kept, as many as a few processes send: opening one takes longer than the rest of an answer.
fn opened(sealed: Vec<u8>) -> Option<Vec<u8>> {
    const KEPT: usize = 1_000;
    static OPENED: LazyLock<Mutex<HashMap<Vec<u8>, Vec<u8>>>> = LazyLock::new(Mutex::default);
    let opened = || OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(password) = opened().get(&sealed) {
        return Some(password.clone());
    }
    let password = own().key.decrypt(Pkcs1v15Encrypt, &sealed).ok()?;
    let mut opened = opened();
    if opened.len() >= KEPT {
        opened.clear();
    }
    opened.insert(sealed, password.clone());
    Some(password)
}
