//! An admin's authenticator app, and the recovery codes beside it.

use std::sync::Mutex;

use app::App;
use serde_json::json;

use crate::support::Person;

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
        let begun = admin.post("/api/admin/totp", json!({"password": password})).await.expect(200);
        let secret = begun["secret"].as_str().unwrap().to_owned();
        let left = Mutex::new(Left { last_step: 0, recovery: Vec::new() });
        let authenticator = Self { app: app.clone(), secret, left };
        let form = json!({"password": password, "code": authenticator.code()});
        let codes = admin.post("/api/admin/totp/confirm", form).await.expect(200)["recoveryCodes"].clone();
        let codes = codes.as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned());
        authenticator.left.lock().unwrap().recovery = codes.collect();
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
        let secret = totp_rs::Secret::try_from_base32(&self.secret).unwrap();
        let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
        totp.generate(u64::try_from(step * 30).unwrap()).to_string()
    }
}
