//! People: signed up, logged in, with a browser of their own.

use std::sync::{Arc, atomic::Ordering};

use domain::UserId;
use reqwest::{
    Client, Method, StatusCode,
    header::{self, HeaderMap},
};
use serde_json::{Value, json};
use store::accounts::players::Player;

use super::{Answer, World, authenticator::Authenticator, engine, read, text, world::browser};

pub const PASSWORD: &str = "correct horse";
/// The version of the terms that is in force.
pub const TERMS: &str = "2026-08-01";

/// Somebody with a browser.
#[derive(Clone)]
pub struct Person {
    pub base: String,
    pub http: Client,
    pub token: Option<String>,
    pub id: String,
    pub fpl_id: String,
    /// Which player it is of those that the world has made.
    pub n: u32,
    /// Of an admin with a second factor.
    pub authenticator: Option<Arc<Authenticator>>,
}

impl Person {
    /// With the number of another log-in of the same player's.
    pub fn with_number(self, n: u32) -> Self {
        Self { n, ..self }
    }

    pub fn phone(&self) -> String {
        format!("0712{:06}", self.n)
    }

    pub fn email(&self) -> String {
        format!("player{}@example.co.ke", self.n)
    }

    pub fn user_id(&self) -> UserId {
        UserId::parse(&self.id).unwrap()
    }

    /// Where indexes lag, what is looked at is looked at that much later: a list is right then.
    pub async fn get(&self, path: &str) -> Answer {
        let lag = engine::index_lag().as_secs();
        if lag > 0 && !path.starts_with("/sim/") {
            let later = json!({"advanceSeconds": lag});
            self.send_once(Method::POST, "/sim/api/clock", Some(later)).await.accepted();
        }
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    /// Sends it. An admin who is asked for a code of the second factor gives one and sends it again.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = self.send_once(method.clone(), path, body.clone()).await;
        match &self.authenticator {
            Some(authenticator) if answer.body["stepUp"] == true => {
                let code = json!({"code": authenticator.code()});
                self.send_once(Method::POST, "/api/admin/step-up", Some(code)).await.expect(200);
                self.send_once(method, path, body).await
            }
            _ => answer,
        }
    }

    /// As [`Person::send`], without a code that is asked for.
    pub async fn send_once(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let mut request = self.request(method, path);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request).await
    }

    /// A request made by hand, without the token.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    /// A request with an `Idempotency-Key`.
    pub async fn post_with_key(&self, path: &str, key: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).bearer_auth(self.token.as_ref().unwrap());
        read(request.header("idempotency-key", key).json(body)).await
    }

    /// Every page of a list.
    pub async fn pages(&self, path: &str) -> Vec<Value> {
        let (mut pages, mut page) = (Vec::new(), self.get(path).await);
        while let Some(cursor) = page.cursor() {
            pages.push(page.expect(200));
            let joint = if path.contains('?') { '&' } else { '?' };
            let cursor = cursor.replace('#', "%23").replace('+', "%2B");
            page = self.get(&format!("{path}{joint}cursor={cursor}")).await;
        }
        pages.push(page.expect(200));
        pages
    }

    /// What the account's page shows.
    pub async fn user(&self) -> Value {
        self.get("/api/user").await.expect(200)
    }

    pub async fn wallet(&self) -> i64 {
        self.user().await["wallet"].as_i64().unwrap()
    }

    /// Silently refreshes, as the browser does when a token has ended.
    pub async fn refresh(&mut self) {
        let answer = read(self.request(Method::POST, "/refresh")).await;
        self.token = Some(answer.text(200, "accessToken"));
    }
}

/// The refresh token that a log-in or a refresh has answered with.
pub fn refresh_token(headers: HeaderMap) -> String {
    let line = headers[header::SET_COOKIE].to_str().unwrap();
    line.split(';').next().unwrap().trim_start_matches("rt=").to_owned()
}

impl World {
    /// The token that follows on this one, where there is one.
    pub async fn refreshed(&self, token: &str) -> Option<String> {
        let request = self.nobody().request(Method::POST, "/refresh");
        let answer = read(request.header(header::COOKIE, format!("rt={token}"))).await;
        (answer.status == StatusCode::OK).then(|| refresh_token(answer.headers))
    }

    /// The form of a sign-up.
    pub fn sign_up_form(email: &str, username: &str, fpl_id: &str) -> Value {
        json!({"email": email, "username": username, "password": PASSWORD, "fplId": fpl_id, "over18": true, "terms": TERMS})
    }

    /// Signs up by the link whose code is `referral`, and logs in.
    pub async fn sign_up_by(&self, n: u32, referral: Value) -> Person {
        let email = format!("referred{n}@example.co.ke");
        let form = json!({"email": email, "username": format!("referred{n}"), "password": PASSWORD,
            "fplId": (800_000 + n).to_string(), "ref": referral});
        self.nobody().post("/api/signup", form).await.expect(201);
        Person { n: 900 + n, ..self.log_in(&email, PASSWORD).await }
    }

    /// Signs somebody up and logs them in.
    pub async fn sign_up(&self, email: &str, username: &str, fpl_id: &str) -> Person {
        self.nobody().post("/api/signup", Self::sign_up_form(email, username, fpl_id)).await.expect(201);
        self.log_in(email, PASSWORD).await
    }

    /// A new player, logged in.
    pub async fn player(&self) -> Person {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let (email, fpl_id) = (format!("player{n}@example.co.ke"), (700_000 + n).to_string());
        self.sign_up(&email, &format!("player{n}"), &fpl_id).await.with_number(n)
    }

    /// A world, and a player in it with `balance` in the wallet.
    pub async fn with_player(balance: i64) -> (Self, Person) {
        let world = Self::start().await;
        let player = if balance == 0 { world.player().await } else { world.player_with(balance).await };
        (world, player)
    }

    /// A new player with `balance` in the wallet.
    pub async fn player_with(&self, balance: i64) -> Person {
        let player = self.player().await;
        self.fund(&player, balance).await;
        player
    }

    /// A new player whose number has been an own one for a day, with `balance` in the wallet.
    pub async fn player_with_own_number(&self, balance: i64) -> Person {
        let player = self.player_with(balance).await;
        self.advance(24 * 3600 + 60).await;
        self.again(&player).await
    }

    /// The player, logged in afresh: a token ends after fifteen minutes.
    pub async fn again(&self, player: &Person) -> Person {
        self.player_again(player.n).await
    }

    /// The `n`th player, logged in afresh.
    pub async fn player_again(&self, n: u32) -> Person {
        self.log_in(&format!("player{n}@example.co.ke"), PASSWORD).await.with_number(n)
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Person {
        self.log_in_with(email, password, None).await
    }

    /// With a code of the second factor.
    pub async fn log_in_with(&self, email: &str, password: &str, code: Option<&str>) -> Person {
        let http = browser().cookie_store(true).build().unwrap();
        let person = Person { http, ..self.nobody() };
        let mut form = json!({"email": email, "password": password});
        if let Some(code) = code {
            form["totp"] = json!(code);
        }
        let body = person.post("/api/login", form).await.expect(200);
        let token = Some(text(&body, "accessToken"));
        Person { token, id: text(&body, "_id"), fpl_id: text(&body, "fplId"), ..person }
    }

    /// The player as the table has them.
    pub async fn stored(&self, person: &Person) -> Player {
        self.app().store().player(&person.user_id()).await.unwrap().unwrap()
    }
}
