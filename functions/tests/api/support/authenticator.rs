//! An admin's authenticator app, and the recovery codes beside it.

use std::sync::Mutex;

use app::App;
use serde_json::json;

use super::{Person, World};

pub const TOTP: &str = "/api/admin/totp";

/// Gives codes that were not given before, without moving the clock: of this half minute or the next one, and
/// recovery codes where both are used up.
pub struct Authenticator {
    app: App,
    secret: String,
    left: Mutex<Left>,
}

struct Left {
    last_step: i64,
    recovery: Vec<String>,
}

impl Authenticator {
    /// Sets a second factor up for an admin who is logged in.
    pub async fn enrol(app: &App, admin: &Person, password: &str) -> Self {
        let secret = start(admin, password).await;
        let left = Mutex::new(Left { last_step: 0, recovery: Vec::new() });
        let authenticator = Self { app: app.clone(), secret, left };
        let recovery = confirm(admin, password, &authenticator.code()).await;
        authenticator.left.lock().unwrap().recovery = recovery;
        authenticator
    }

    /// A code that is good now.
    pub fn code(&self) -> String {
        let now = self.app.clock().now().as_second() / 30;
        let mut left = self.left.lock().unwrap();
        let step = now.max(left.last_step + 1);
        if step > now + 1 {
            return left.recovery.pop().expect("two codes a half minute, and ten recovery codes");
        }
        left.last_step = step;
        shown(&self.secret, step * 30)
    }
}

/// What an app shows for `secret` at a time.
fn shown(secret: &str, seconds: i64) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(seconds).unwrap()).to_string()
}

async fn start(admin: &Person, password: &str) -> String {
    admin.post(TOTP, json!({"password": password})).await.text(200, "secret")
}

/// Answers the recovery codes.
async fn confirm(admin: &Person, password: &str, code: &str) -> Vec<String> {
    let form = json!({"password": password, "code": code});
    let codes = admin.post(&format!("{TOTP}/confirm"), form).await.expect(200)["recoveryCodes"].clone();
    codes.as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect()
}

impl World {
    /// Begins an enrolment of the admin's, and answers the secret.
    pub async fn start_totp(&self, admin: &Person) -> String {
        start(admin, &self.admin_account().1).await
    }

    /// What an app shows for `secret`, some steps from now.
    pub fn totp_code(&self, secret: &str, steps: i64) -> String {
        shown(secret, self.app().clock().now().as_second() + 30 * steps)
    }

    /// Puts a second factor of the admin's in force. Answers its secret and the recovery codes.
    pub async fn enrol(&self) -> (String, Vec<String>) {
        let (admin, (email, password)) = (self.admin().await, self.admin_account());
        let secret = self.start_totp(&admin).await;
        let codes = confirm(&admin, &password, &self.totp_code(&secret, 0)).await;
        self.admins.lock().unwrap().insert(email, admin);
        (secret, codes)
    }

    /// Who has enrolled by [`World::enrol`], before the factor was in force: that session stands.
    pub fn enrolled_admin(&self) -> Person {
        self.admins.lock().unwrap()[&self.admin_account().0].clone()
    }
}
