//! A world with people in it.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use local::{
    DataDir, Settings,
    process::{Fate, Process},
};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::{accounts::authenticator::Authenticator, document, invariants};

pub const PASSWORD: &str = "correct horse";

/// An answer, read.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Answer {
    /// The body of an answer that has to be `status`.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }

    /// The `message` of a refusal that has to be `status`.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        let body = self.expect(status);
        body["message"].as_str().unwrap_or_else(|| panic!("no message in {body}")).to_owned()
    }
}

/// Plain http to this machine: TLS is asked for, and never used, so nobody has to be trusted. (The machine's own
/// list of whom to trust is long, and would be read for each browser.)
static TLS: LazyLock<rustls::ClientConfig> = LazyLock::new(|| {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows them")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
});

fn browser() -> reqwest::ClientBuilder {
    let client = Client::builder().tls_backend_preconfigured(TLS.clone());
    client.no_proxy().redirect(reqwest::redirect::Policy::none())
}

/// A running world.
pub struct World {
    inner: local::LocalRun,
    pub base: String,
    next: AtomicU32,
    /// With the safeguards full: who has logged in as an admin, by email.
    admins: Mutex<BTreeMap<String, Person>>,
    /// Nobody's browser: it keeps no cookies, so all who are nobody may share it.
    http: Client,
}

impl World {
    pub async fn start() -> Self {
        Self::start_with(Settings { data_dir: DataDir::Memory, ..Settings::default() }).await
    }

    /// One whose safeguards are as told (docs/security.md).
    pub async fn start_guarded(safeguards: app::Safeguards) -> Self {
        Self::start_with(Settings { data_dir: DataDir::Memory, safeguards, ..Settings::default() }).await
    }

    pub async fn start_with(settings: Settings) -> Self {
        let inner = local::LocalRun::start(settings).await.expect("the world starts");
        let http = browser().build().unwrap();
        let next = AtomicU32::new(1);
        Self { base: inner.base_url.clone(), inner, next, admins: Mutex::default(), http }
    }

    /// The product, to look into.
    pub fn app(&self) -> &app::App {
        self.inner.app()
    }

    /// A process of the product beside the world's own, which may die.
    pub fn process(&self, fate: Fate) -> Process {
        self.inner.process(fate)
    }

    /// One whose clock is so many seconds off.
    pub fn process_with_clock(&self, seconds: i64) -> Process {
        self.inner.process_with_clock(jiff::SignedDuration::from_secs(seconds))
    }

    /// The database itself.
    pub fn dynamo(&self) -> &local::aws::Dynamo {
        self.inner.dynamo()
    }

    /// What waits to be delivered.
    pub fn queues(&self) -> &local::world::queue::Queues {
        self.inner.queues()
    }

    pub async fn kill(self) {
        self.inner.kill().await;
    }

    /// A client without cookies or token: nobody.
    pub fn nobody(&self) -> Person {
        Person {
            base: self.base.clone(),
            http: self.http.clone(),
            token: None,
            id: String::new(),
            fpl_id: String::new(),
            n: 0,
            authenticator: None,
        }
    }

    pub async fn sim(&self, method: Method, path: &str, body: Value) -> Value {
        self.nobody().send(method, &format!("/sim/api{path}"), Some(body)).await.accepted()
    }

    /// Signs somebody up and logs them in.
    pub async fn player(&self) -> Person {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let fpl_id = (700_000 + n).to_string();
        let email = format!("player{n}@example.co.ke");
        let form =
            json!({"email": email, "username": format!("player{n}"), "password": PASSWORD, "fplId": fpl_id});
        self.nobody().post("/api/signup", form).await.expect(201);
        Person { n, ..self.log_in(&email, PASSWORD).await }
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Person {
        self.log_in_with(email, password, None).await
    }

    pub async fn log_in_with(&self, email: &str, password: &str, code: Option<&str>) -> Person {
        let http = browser().cookie_store(true).build().unwrap();
        let mut person = Person { http, ..self.nobody() };
        let mut form = json!({"email": email, "password": password});
        if let Some(code) = code {
            form["totp"] = json!(code);
        }
        let body = person.post("/api/login", form).await.expect(200);
        person.token = Some(body["accessToken"].as_str().unwrap().to_owned());
        person.id = body["_id"].as_str().unwrap().to_owned();
        person.fpl_id = body["fplId"].as_str().unwrap().to_owned();
        person
    }

    /// The admin's email and password.
    pub fn admin_account(&self) -> (String, String) {
        let admin = self.inner.admin.clone();
        (admin.email, admin.password.expect("made up at the start"))
    }

    /// The admin, logged in afresh (a token lives for fifteen simulated minutes). With the safeguards full with a
    /// second factor, whose codes are given by themselves where the product asks for one.
    pub async fn admin(&self) -> Person {
        let (email, password) = self.admin_account();
        self.admin_of(&email, &password).await
    }

    /// A second admin, for two days already; as [`World::admin`].
    pub async fn second_admin(&self) -> Person {
        let email = "second-admin@example.co.ke";
        let parsed = domain::Email::parse(email).unwrap();
        if self.app().store().player_by_email(&parsed).await.unwrap().is_none() {
            let form = json!({"email": email, "username": "deputy", "password": PASSWORD, "fplId": "699999"});
            self.nobody().post("/api/signup", form).await.expect(201);
            let id = self.app().store().player_by_email(&parsed).await.unwrap().unwrap().id;
            let since = self.app().clock().now() - jiff::SignedDuration::from_hours(48);
            let (who, what) =
                (store::admin::audit::Who::Operator, store::admin::audit::AuditAction::GrantAdmin);
            let act = store::admin::audit::AuditRecord::new(who, what, format!("player {id}"), since).of(&id);
            self.app()
                .store()
                .set_role(&id, domain::Role::Admin, &act.from_to("player", "admin"))
                .await
                .unwrap();
        }
        self.admin_of(email, PASSWORD).await
    }

    /// Sends an act of the admin's, and has the second admin approve it where one is wanted.
    pub async fn by_two(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = self.admin().await.send(method, path, body).await;
        if answer.status != StatusCode::ACCEPTED {
            return answer;
        }
        let path = format!("/api/admin/approvals/{}", answer.body["_id"].as_str().unwrap());
        self.second_admin().await.post(&path, json!({"decision": "approve"})).await
    }

    /// An admin who was a player of [`World::player`] before.
    pub async fn admin_again(&self, email: &str) -> Person {
        self.admin_of(email, PASSWORD).await
    }

    async fn admin_of(&self, email: &str, password: &str) -> Person {
        if !self.app().config().safeguards.are_full() {
            return self.log_in(email, password).await;
        }
        let before = self.admins.lock().unwrap().get(email).cloned();
        let admin = match before.and_then(|before| before.authenticator) {
            Some(authenticator) => {
                let admin = self.log_in_with(email, password, Some(&authenticator.code())).await;
                Person { authenticator: Some(authenticator), ..admin }
            }
            None => {
                let admin = self.log_in(email, password).await;
                let authenticator = Authenticator::enrol(self.app(), &admin, password).await;
                Person { authenticator: Some(Arc::new(authenticator)), ..admin }
            }
        };
        self.admins.lock().unwrap().insert(email.to_owned(), admin.clone());
        admin
    }

    /// Somebody with `balance` in the wallet.
    pub async fn player_with(&self, balance: i64) -> Person {
        let player = self.player().await;
        self.fund(&player, balance).await;
        player
    }

    /// `count` further players who have each joined at `amount`, through the simulators' page.
    pub async fn crowd(&self, count: usize, amount: i64) -> Vec<Value> {
        let body = json!({"count": count, "entryAmount": amount});
        self.sim(Method::POST, "/players", body).await.as_array().unwrap().clone()
    }

    /// As [`World::crowd`], written straight through the store: for hundreds, whose passwords nobody needs.
    pub async fn many(&self, count: u32, amount: i64) -> Vec<store::entries::Entry> {
        let app = self.inner.app();
        let gameweek = "2026-01".parse().unwrap();
        let mut entries = Vec::new();
        for n in 0..count {
            let player = store::accounts::players::Player {
                id: domain::UserId::parse(&store::random_id()).unwrap(),
                email: domain::Email::parse(&format!("many{n}@example.co.ke")).unwrap(),
                username: domain::Username::parse(&format!("many{n}")).unwrap(),
                fpl_id: Some(domain::FplId::parse(&(900_000 + n).to_string()).unwrap()),
                team_name: Some(format!("Team {n}")),
                season: 2026,
                role: domain::Role::Player,
                suspended: false,
                frozen: false,
                referral: None,
                created_at: app.clock().now(),
                password_reset_at: None,
                password_resets: 0,
                account: None,
                totp: false,
            };
            app.store().create_player(&player, "nobody logs in").await.unwrap().unwrap();
            let amount = domain::EntryAmount::try_from(amount).unwrap();
            let money =
                domain::ledger::postings::Posting::deposit(&player.id, &store::random_id(), amount.kes());
            app.store().credit_wallet(&player.id, &money, app.clock().now()).await.unwrap();
            let fpl_id = player.fpl_id.unwrap();
            let entry =
                app::payments::prompts::new_entry(&player, fpl_id, gameweek, amount, app.clock().now());
            app.store().join_by_wallet(&entry).await.unwrap();
            entries.push(entry);
        }
        entries
    }

    /// A deposit by prompt, paid.
    pub async fn fund(&self, player: &Person, amount: i64) {
        let before = player.wallet().await;
        let phone = player.phone();
        player.post("/api/deposits", json!({"phone": phone, "amount": amount})).await.expect(200);
        self.answer_prompt(&phone, json!({"outcome": "success"})).await;
        assert_eq!(player.wallet().await, before + amount);
    }

    /// Answers the newest prompt on `phone` and lets what follows happen.
    pub async fn answer_prompt(&self, phone: &str, how: Value) -> Value {
        let answer = self.decide_prompt(phone, how).await;
        self.advance(0).await;
        answer
    }

    /// Answers the newest prompt on `phone`.
    pub async fn decide_prompt(&self, phone: &str, how: Value) -> Value {
        let prompts = self.nobody().get(&format!("/sim/api/prompts?phone={phone}")).await.expect(200);
        let id = prompts[0]["checkoutRequestId"].as_str().expect("there is a prompt").to_owned();
        self.sim(Method::POST, &format!("/prompts/{id}"), how).await
    }

    /// The hook's path that a payment's push named.
    pub async fn hook(&self, payment_id: &str) -> String {
        self.inner.app().secrets().hook_path(&format!("/hooks/stk/{payment_id}")).await.unwrap()
    }

    /// Moves the clock and answers when everything that fell due has run.
    pub async fn advance(&self, seconds: i64) {
        self.sim(Method::POST, "/clock", json!({"advanceSeconds": seconds})).await;
    }

    /// Moves the clock to the beginning of a gameweek's phase.
    pub async fn phase(&self, gameweek: u8, phase: &str) {
        self.sim(Method::PUT, &format!("/fpl/gameweeks/{gameweek}"), json!({"phase": phase})).await;
    }

    /// Starts a scheduled job now, whatever its schedule says.
    pub async fn start_job(&self, name: &str) {
        self.sim(Method::POST, &format!("/jobs/{name}"), Value::Null).await;
    }

    /// Has a job's schedule rest, or fire again.
    pub async fn schedule(&self, name: &str, fires: bool) {
        self.sim(Method::PUT, &format!("/jobs/{name}"), json!({"enabled": fires})).await;
    }

    /// What the official game will say of a team.
    pub async fn points(&self, fpl_id: &str, gameweek: u8, points: i64, bench: i64, cost: i64) {
        let week = json!({"points": points, "pointsOnBench": bench, "transfersCost": cost});
        let body = json!({"gameweeks": {gameweek.to_string(): week}});
        self.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), body).await;
    }

    pub async fn faults(&self, faults: Value) {
        self.sim(Method::PUT, "/faults", faults).await;
    }

    /// The mails to `email`, newest first, but for the one about an own number, which whoever pays by a prompt gets.
    pub async fn mails(&self, email: &str) -> Vec<Value> {
        let mut mails = self.every_mail(email).await;
        mails.retain(|mail| !mail["subject"].as_str().unwrap().ends_with("is your number now"));
        mails
    }

    /// The mails to `email`, newest first.
    pub async fn every_mail(&self, email: &str) -> Vec<Value> {
        let path = format!("/sim/api/outbox?to={email}");
        self.nobody().get(&path).await.expect(200).as_array().unwrap().clone()
    }

    /// As [`World::mails`], without those that only ask whether it was the player.
    pub async fn notices(&self, email: &str) -> Vec<Value> {
        let mut mails = self.mails(email).await;
        let asks =
            |mail: &Value| mail["subject"].as_str().unwrap().ends_with("is about to leave your wallet");
        mails.retain(|mail| !asks(mail));
        mails
    }

    /// The books: they sum to zero, every wallet is what its postings say, and what always holds does.
    pub async fn ledger(&self) -> Ledger {
        let ledger = self.nobody().get("/sim/api/ledger").await.expect(200);
        let read = |part: &Value| -> BTreeMap<String, i64> {
            let map = part.as_object().expect("a map").iter();
            map.map(|(name, amount)| (name.clone(), amount.as_i64().expect("whole KES"))).collect()
        };
        let (accounts, wallets) = (read(&ledger["accounts"]), read(&ledger["wallets"]));
        let debts = read(&ledger["debts"]);
        assert_eq!(ledger["sum"], 0);
        assert_eq!(accounts.values().sum::<i64>(), 0, "{accounts:?}");
        for (player, balance) in &wallets {
            assert!(*balance >= 0, "{player} is below zero");
            let posted = accounts.get(&format!("wallet:{player}")).copied().unwrap_or(0);
            assert_eq!(posted, *balance, "the postings of {player}");
            let owed = debts.get(player).copied().unwrap_or(0);
            let posted = accounts.get(&format!("debt:{player}")).copied().unwrap_or(0);
            assert_eq!(-posted, owed, "what {player} owes by the postings");
            assert!(owed >= 0 && (owed == 0 || *balance == 0), "{player} owes {owed} and has {balance}");
        }
        invariants::check(self).await;
        Ledger { accounts, wallets }
    }
}

/// Every account's sum and every wallet's balance, in KES.
pub struct Ledger {
    pub accounts: BTreeMap<String, i64>,
    pub wallets: BTreeMap<String, i64>,
}

impl Ledger {
    pub fn account(&self, name: &str) -> i64 {
        self.accounts.get(name).copied().unwrap_or(0)
    }
}

/// Somebody with a browser.
#[derive(Clone)]
pub struct Person {
    pub base: String,
    pub http: Client,
    pub token: Option<String>,
    pub id: String,
    pub fpl_id: String,
    pub n: u32,
    /// Of an admin with the safeguards full.
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

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
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
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request).await
    }

    /// A request made by hand.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    pub async fn wallet(&self) -> i64 {
        self.get("/api/user").await.expect(200)["wallet"].as_i64().unwrap()
    }

    pub async fn join(&self, amount: i64, gameweek: u8) -> Answer {
        let body = json!({"fplId": self.fpl_id, "entryAmount": amount, "gameweek": gameweek});
        self.post("/api/join-league", body).await
    }

    /// Sends a prompt that pays for an entry. Answers the `checkoutId`.
    pub async fn pay(&self, amount: i64, gameweek: u8) -> Answer {
        let body = json!({"phone": self.phone(), "amount": amount, "fplId": self.fpl_id,
            "entryAmount": amount, "gameweek": gameweek});
        self.post("/api/pay", body).await
    }

    pub async fn leagues(&self, amount: i64, gameweek: u8) -> Vec<Value> {
        let path = format!("/api/leagues?gameweek={gameweek}&entryAmount={amount}");
        self.get(&path).await.expect(200).as_array().unwrap().clone()
    }

    /// Silently refreshes, as the browser does when a token has ended.
    pub async fn refresh(&mut self) {
        let body = read(self.request(Method::POST, "/refresh")).await.expect(200);
        self.token = Some(body["accessToken"].as_str().unwrap().to_owned());
    }
}

impl Answer {
    fn accepted(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }
}

/// Sends a request and reads the answer, which has to be what the document says.
pub async fn read(request: reqwest::RequestBuilder) -> Answer {
    let (http, request) = request.build_split();
    let request = request.expect("a request");
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let sent = request.body().and_then(|body| body.as_bytes()).map(<[u8]>::to_vec);
    let response = http.execute(request).await.expect("the world answers");
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    let answer = Answer { status, headers, body };
    document::check(&method, &path, sent.as_deref(), &answer);
    answer
}
