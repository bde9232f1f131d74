//! The local stack, started for one test: its clock, its jobs, its faults and what lies behind the API.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, atomic::AtomicU32},
};

use app::accounts::passwords::Params;
use local::{
    DataDir, Settings,
    process::{Fate, Process},
};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::{Person, engine};

/// Plain http to this machine: TLS is asked for, and never used, so nobody has to be trusted. (The machine's own
/// list of whom to trust is long, and would be read for each browser.)
static TLS: LazyLock<rustls::ClientConfig> = LazyLock::new(|| {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows them")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
});

pub(super) fn browser() -> reqwest::ClientBuilder {
    let client = Client::builder().tls_backend_preconfigured(TLS.clone());
    client.no_proxy().redirect(reqwest::redirect::Policy::none())
}

/// A running world.
pub struct World {
    pub(super) inner: local::LocalRun,
    pub base: String,
    pub(super) next: AtomicU32,
    /// Who has a second factor, by email.
    pub(super) admins: Mutex<BTreeMap<String, Person>>,
    /// Nobody's browser: it keeps no cookies, so all who are nobody may share it.
    pub(super) http: Client,
}

impl World {
    pub async fn start() -> Self {
        Self::start_with(Settings { data_dir: DataDir::Memory, ..Settings::default() }).await
    }

    /// One whose safeguards are as told (docs/security.md).
    pub async fn start_guarded(safeguards: app::Safeguards) -> Self {
        Self::start_with(Settings { data_dir: DataDir::Memory, safeguards, ..Settings::default() }).await
    }

    /// One that begins in the last gameweek of the season, three days before its deadline.
    pub async fn start_in_last_gameweek(safeguards: app::Safeguards) -> Self {
        let sim_clock = "2027-05-05T10:30:00Z".parse().unwrap();
        let settings = Settings { data_dir: DataDir::Memory, sim_clock, safeguards, ..Settings::default() };
        Self::start_with(settings).await
    }

    /// Passwords cost next to nothing: a fifth of the suite's time would go into their hashing.
    pub async fn start_with(settings: Settings) -> Self {
        let password_hashing = Params::new(Params::MIN_M_COST, 1, 1, None).unwrap();
        Self::start_as_told(Settings { password_hashing: Some(password_hashing), ..settings }).await
    }

    /// One that hashes passwords as the product does.
    pub async fn start_as_told(settings: Settings) -> Self {
        let settings = engine::chosen(settings);
        let inner = local::LocalRun::start(settings).await.expect("the world starts");
        let http = browser().build().unwrap();
        let next = AtomicU32::new(1);
        Self { base: inner.base_url.clone(), inner, next, admins: Mutex::default(), http }
    }

    /// The product, to look into.
    pub fn app(&self) -> &app::App {
        self.inner.app()
    }

    /// What the distribution sends with each request.
    pub fn origin_secret(&self) -> &str {
        self.inner.origin_secret()
    }

    /// The functions' environment.
    pub fn environment(&self) -> &std::collections::BTreeMap<String, String> {
        self.inner.environment()
    }

    /// From here on others write under these keys as much as they bear, in every second.
    pub fn others_write(&self, partitions: &[String]) {
        self.inner.others_write(partitions);
    }

    /// From here on nothing runs by itself: no queue is read, and no schedule fires.
    pub async fn rest(&self) {
        self.inner.rest().await;
    }

    /// A process of the product beside the world's own, which may die.
    pub fn process(&self, fate: Fate) -> Process {
        self.inner.process(fate)
    }

    /// One whose clock is so many seconds off.
    pub fn process_with_clock(&self, seconds: i64) -> Process {
        self.inner.process_with_clock(jiff::SignedDuration::from_secs(seconds))
    }

    /// One to which time flies: each look at its clock is so many seconds later than the one before.
    pub fn process_in_haste(&self, seconds: i64) -> Process {
        self.inner.process_in_haste(jiff::SignedDuration::from_secs(seconds))
    }

    /// The database itself.
    pub fn dynamo(&self) -> &local::aws::Dynamo {
        self.inner.dynamo()
    }

    /// What the product's calls to AWS cost.
    pub fn meter(&self) -> &local::aws::Meter {
        self.inner.meter()
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

    /// A call of the stand-ins' own API.
    pub async fn sim(&self, method: Method, path: &str, body: Value) -> Value {
        self.nobody().send(method, &format!("/sim/api{path}"), Some(body)).await.accepted()
    }

    pub async fn faults(&self, faults: Value) {
        self.sim(Method::PUT, "/faults", faults).await;
    }

    /// Moves the clock and answers when everything that fell due has run.
    pub async fn advance(&self, seconds: i64) {
        self.sim(Method::POST, "/clock", json!({"advanceSeconds": seconds})).await;
    }

    /// Moves the clock to that time, and as [`World::advance`].
    pub async fn clock_to(&self, at: &str) {
        self.sim(Method::POST, "/clock", json!({"to": at})).await;
    }

    /// Starts a scheduled job now, whatever its schedule says.
    pub async fn start_job(&self, name: &str) {
        self.sim(Method::POST, &format!("/jobs/{name}"), Value::Null).await;
    }

    /// Has a job's schedule rest, or fire again.
    pub async fn schedule(&self, name: &str, fires: bool) {
        self.sim(Method::PUT, &format!("/jobs/{name}"), json!({"enabled": fires})).await;
    }

    /// Nothing draws or follows the official game by itself.
    pub async fn no_schedules(&self) {
        for job in ["sync-gameweek", "close-gameweek"] {
            self.schedule(job, false).await;
        }
    }
}
