//! An admin's second factor: codes of an authenticator app (RFC 6238: SHA-1, six digits, thirty seconds, as
//! every app takes them), each good once, and ten recovery codes for a phone that is lost.
//!
//! The secret is shown once, kept encrypted and never logged; of recovery codes only a keyed hash is kept.

use domain::{
    Password, UserId,
    platform::limits::{Limit, Limited},
};
use jiff::Timestamp;
use qrcodegen::{QrCode, QrCodeEcc};
use ring::aead;
use store::{
    accounts::{players::Player, second_factor::SecondFactor, sessions::Session},
    admin::audit::{AuditAction, AuditRecord, Who},
    platform::limits::Counter,
};
use totp_rs::Builder;

use crate::{
    App, AppError,
    accounts::{passwords, recovery_codes, subscriptions},
    platform::{
        flow::{Flow, FlowError, Refusal},
        secrets::{names, random_32},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

const ISSUER: &str = "FPL Leagues";
/// Bytes of a secret, as RFC 4226 recommends.
const SECRET: usize = 20;

/// Why it stays as it is; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecondFactorError {
    #[error("You use codes of an authenticator app already. Remove that first.")]
    Enrolled,
    #[error("There is nothing to confirm. Start again.")]
    NotStarted,
    #[error("You do not use codes of an authenticator app.")]
    NotEnrolled,
    #[error("That code is not right. A code counts once and changes every 30 seconds.")]
    WrongCode,
    #[error("That password is not right.")]
    WrongPassword,
    #[error(transparent)]
    Limited(#[from] Limited),
}

impl Refusal for SecondFactorError {}

/// What an authenticator app is set up with: shown once.
pub struct Enrolment {
    /// Base32.
    pub secret: String,
    /// `otpauth://…`.
    pub uri: String,
    /// The same as a picture.
    pub qr_svg: String,
}

/// An admin in one of their sessions, who sets a second factor up, removes it or gives a code of it. The flow asks for
/// the password again where a stolen session must not be enough.
#[derive(Debug, Clone, Copy)]
pub struct InSession<'a> {
    pub admin: &'a Player,
    pub session: &'a Session,
}

/// Begins: a new secret, not in force before a code of it is shown.
pub async fn start(app: &App, who: InSession<'_>, password: &str) -> Flow<Enrolment, SecondFactorError> {
    let admin = who.admin;
    noted(app, who, show_password(app, who, password).await).await?;
    let random = random_32();
    let secret = random.first_chunk::<SECRET>().expect("32 bytes have 20");
    let sealed = seal(app, &admin.id, secret).await?;
    let act = act(app, admin, AuditAction::StartTotp).to("a secret that waits to be confirmed");
    if !app.store().start_second_factor(&admin.id, &sealed, &act).await? {
        return Err(SecondFactorError::Enrolled.into());
    }
    app.log_security(SecurityEntry::new(SecurityEvent::SecondFactorStarted).of(&admin.id)).await;
    let secret = totp_rs::Secret::from(*secret).to_base32();
    let uri = uri(&secret, admin);
    let qr_svg = svg(&uri)?;
    Ok(Enrolment { secret, uri, qr_svg })
}

/// Shows the password once more; wrong ones count with wrong codes.
async fn show_password(app: &App, who: InSession<'_>, password: &str) -> Flow<(), SecondFactorError> {
    let password = Password::parse(password).map_err(|_| SecondFactorError::WrongPassword)?;
    let counted = count(app, &who.counter()).await?;
    let kept = app.store().password_hash(&who.admin.id).await?;
    if !passwords::verify(password, kept).await? {
        return Err(SecondFactorError::WrongPassword.into());
    }
    Ok(counted.give_back(app).await?)
}

/// Notes in the security log what was not right: whoever has stolen a session is seen guessing.
async fn noted<T>(
    app: &App,
    who: InSession<'_>,
    shown: Flow<T, SecondFactorError>,
) -> Flow<T, SecondFactorError> {
    let event = match &shown {
        Err(FlowError::Refused(SecondFactorError::Limited(_))) => SecurityEvent::SecondFactorLimited,
        Err(FlowError::Refused(SecondFactorError::WrongCode | SecondFactorError::WrongPassword)) => {
            SecurityEvent::SecondFactorRefused
        }
        _ => return shown,
    };
    app.log_security(SecurityEntry::new(event).of(&who.admin.id)).await;
    shown
}

impl InSession<'_> {
    /// What tries in this session count against: whoever has stolen one must not use up the tries of a log-in.
    fn counter(self) -> Counter {
        Counter::new(Limit::SecondFactor, &[self.admin.id.as_str(), &self.session.family])
    }
}

/// Puts it in force by a code of it, and ends the account's other sessions. Answers the recovery codes: shown
/// once.
pub async fn confirm(
    app: &App,
    who: InSession<'_>,
    password: &str,
    code: &str,
) -> Flow<Vec<String>, SecondFactorError> {
    let admin = who.admin;
    noted(app, who, show_password(app, who, password).await).await?;
    let counted = noted(app, who, count(app, &who.counter()).await).await?;
    let kept = app.store().second_factor(&admin.id).await?.filter(SecondFactor::is_pending);
    let sealed = kept.and_then(|kept| kept.sealed).ok_or(SecondFactorError::NotStarted)?;
    let Some(step) = matching(app, &open(app, &admin.id, &sealed).await?, code)? else {
        return noted(app, who, Err(SecondFactorError::WrongCode.into())).await;
    };
    let (codes, hashes) = recovery_codes::make(app, &admin.id).await?;
    let act = act(app, admin, AuditAction::ConfirmTotp).from_to("password alone", "password and code");
    app.mail_act_later(&admin.id, &act.id, act.at).await?;
    if !app.store().confirm_second_factor(&admin.id, &sealed, step, &hashes, who.session, &act).await? {
        return Err(SecondFactorError::NotStarted.into());
    }
    app.mail_act_now(&admin.id, &act.id, act.at).await;
    app.log_security(SecurityEntry::new(SecurityEvent::SecondFactorEnrolled).of(&admin.id)).await;
    counted.give_back(app).await?;
    subscriptions::go_on(app, who.session).await;
    Ok(codes)
}

/// Takes it out of force, by a code of it, and ends the account's other sessions.
pub async fn remove(app: &App, who: InSession<'_>, code: &str) -> Flow<(), SecondFactorError> {
    let admin = &who.admin.id;
    noted(app, who, check_counted(app, admin, &who.counter(), code).await).await?;
    let act = act(app, who.admin, AuditAction::RemoveTotp).from_to("password and code", "password alone");
    app.mail_act_later(admin, &act.id, act.at).await?;
    if !app.store().remove_second_factor(who.session, &act).await? {
        return Err(SecondFactorError::NotEnrolled.into());
    }
    app.mail_act_now(admin, &act.id, act.at).await;
    app.log_security(SecurityEntry::new(SecurityEvent::SecondFactorRemoved).of(admin)).await;
    subscriptions::go_on(app, who.session).await;
    Ok(())
}

/// Makes new recovery codes by a code: those from before are good for nothing any more. Answers them: shown once.
pub async fn renew_recovery_codes(
    app: &App,
    who: InSession<'_>,
    code: &str,
) -> Flow<Vec<String>, SecondFactorError> {
    let admin = &who.admin.id;
    noted(app, who, check_counted(app, admin, &who.counter(), code).await).await?;
    let (codes, hashes) = recovery_codes::make(app, admin).await?;
    let act = act(app, who.admin, AuditAction::RenewRecoveryCodes).to("new recovery codes");
    app.mail_act_later(admin, &act.id, act.at).await?;
    if !app.store().renew_recovery_codes(admin, &hashes, &act).await? {
        return Err(SecondFactorError::NotEnrolled.into());
    }
    app.mail_act_now(admin, &act.id, act.at).await;
    app.log_security(SecurityEntry::new(SecurityEvent::RecoveryCodesRenewed).of(admin)).await;
    Ok(codes)
}

/// Gives a code in a session: for a while it may move money (`step_up`).
pub async fn step_up(app: &App, who: InSession<'_>, code: &str) -> Flow<(), SecondFactorError> {
    let shown = check_counted(app, &who.admin.id, &who.counter(), code).await;
    let event = match &shown {
        Ok(()) => SecurityEvent::StepUp,
        Err(FlowError::Refused(SecondFactorError::Limited(_))) => SecurityEvent::SecondFactorLimited,
        Err(FlowError::Refused(_)) => SecurityEvent::StepUpRefused,
        Err(FlowError::Failed(_)) => return shown,
    };
    app.log_security(SecurityEntry::new(event).of(&who.admin.id)).await;
    shown?;
    let act = act(app, who.admin, AuditAction::StepUp).to("a code was given");
    let stands = app.store().step_session_up(who.session, &act).await?;
    if stands { Ok(()) } else { Err(SecondFactorError::NotEnrolled.into()) }
}

/// Uses up a code at a log-in: the app's or a recovery code.
pub async fn check(app: &App, player: &UserId, code: &str) -> Flow<(), SecondFactorError> {
    check_counted(app, player, &Counter::new(Limit::SecondFactor, &[player.as_str()]), code).await
}

async fn check_counted(
    app: &App,
    player: &UserId,
    counter: &Counter,
    code: &str,
) -> Flow<(), SecondFactorError> {
    let counted = count(app, counter).await?;
    let kept = app.store().second_factor(player).await?.filter(SecondFactor::is_active);
    let kept = kept.ok_or(SecondFactorError::NotEnrolled)?;
    let right = if is_of_an_app(code) {
        let sealed = kept.sealed.unwrap_or_default();
        match matching(app, &open(app, player, &sealed).await?, code)? {
            Some(step) => app.store().use_second_factor_step(player, step).await?,
            None => false,
        }
    } else {
        let hash = recovery_codes::hash(app, player, code).await?;
        app.store().use_recovery_code(player, &hash).await?
    };
    if !right {
        return Err(SecondFactorError::WrongCode.into());
    }
    Ok(counted.give_back(app).await?)
}

/// A try that has been counted and is about to be judged.
struct CountedTry {
    counter: Counter,
    at: Timestamp,
}

impl CountedTry {
    /// It was right, so it does not count.
    async fn give_back(self, app: &App) -> Result<(), AppError> {
        Ok(app.store().give_limit_back(&self.counter, self.at).await?)
    }
}

/// Counts a try before it is judged, so that of many at once no more are judged than may be.
async fn count(app: &App, counter: &Counter) -> Flow<CountedTry, SecondFactorError> {
    let at = app.clock().now();
    if let Some(limited) = app.store().take_limit(counter, at).await? {
        return Err(SecondFactorError::Limited(limited).into());
    }
    Ok(CountedTry { counter: counter.clone(), at })
}

fn act(app: &App, admin: &Player, what: AuditAction) -> AuditRecord {
    AuditRecord::new(Who::admin(admin), what, format!("player {}", admin.id), app.clock().now()).of(&admin.id)
}

fn is_of_an_app(code: &str) -> bool {
    digits(code).len() == 6 && digits(code).bytes().all(|b| b.is_ascii_digit())
}

fn digits(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The step that `code` is of: the current one, the one before or the one after.
fn matching(app: &App, secret: &[u8], code: &str) -> Result<Option<u64>, AppError> {
    let totp = Builder::new().with_secret(secret.to_vec()).build();
    let totp = totp.map_err(|error| AppError::Internal(format!("a kept second factor: {error}")))?;
    let now = u64::try_from(app.clock().now().as_second()).unwrap_or_default();
    Ok(totp.check(&digits(code), now))
}

fn uri(secret: &str, admin: &Player) -> String {
    // Usernames may hold anything; the id's beginning tells two accounts apart.
    let issuer = ISSUER.replace(' ', "%20");
    let account = admin.id.as_str().get(..8).unwrap_or_default();
    format!("otpauth://totp/{issuer}:admin-{account}?secret={secret}&issuer={issuer}")
}

/// A QR code with the four modules of white around it that readers ask for.
fn svg(text: &str) -> Result<String, AppError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium);
    let code = code.map_err(|error| AppError::Internal(format!("a QR code: {error:?}")))?;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            path.push_str(&format!("M{},{}h1v1h-1z", x + 4, y + 4));
        }
    }
    let size = code.size() + 8;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0,0h{size}v{size}h-{size}z\"/><path d=\"{path}\"/></svg>"
    ))
}

async fn cipher(app: &App) -> Result<aead::LessSafeKey, AppError> {
    let key = app.secrets().key(names::TOTP_KEY).await?;
    let key = aead::UnboundKey::new(&aead::CHACHA20_POLY1305, &key).expect("a key of 32 bytes");
    Ok(aead::LessSafeKey::new(key))
}

/// Encrypts a secret for its player: nonce, then ciphertext, in hex.
async fn seal(app: &App, player: &UserId, secret: &[u8]) -> Result<String, AppError> {
    let random = random_32();
    let nonce = *random.first_chunk::<{ aead::NONCE_LEN }>().expect("32 bytes have 12");
    let mut text = secret.to_vec();
    let whose = aead::Aad::from(player.as_str());
    let sealed = cipher(app).await?.seal_in_place_append_tag(
        aead::Nonce::assume_unique_for_key(nonce),
        whose,
        &mut text,
    );
    sealed.map_err(|_| AppError::Internal("a second factor could not be sealed".to_owned()))?;
    Ok(hex::encode([nonce.as_slice(), &text].concat()))
}

async fn open(app: &App, player: &UserId, sealed: &str) -> Result<Vec<u8>, AppError> {
    let broken = || AppError::Internal(format!("the second factor of {player} cannot be opened"));
    let mut bytes = hex::decode(sealed).map_err(|_| broken())?;
    let (nonce, text) = bytes.split_at_mut_checked(aead::NONCE_LEN).ok_or_else(broken)?;
    let nonce = aead::Nonce::try_assume_unique_for_key(nonce).map_err(|_| broken())?;
    let whose = aead::Aad::from(player.as_str());
    let opened = cipher(app).await?.open_in_place(nonce, whose, text).map_err(|_| broken())?;
    Ok(opened.to_vec())
}
