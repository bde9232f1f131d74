//! A world for the tests: the stand-ins mounted as the runner mounts them, a clock that stands still
//! until told, and a shop that receives callbacks over a real socket.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU16, Ordering},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::State,
    http::{HeaderMap, Method, Request, StatusCode},
    routing::post,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use clients::HandClock;
use jiff::{SignedDuration, Timestamp, tz::Offset};
use rusqlite::Connection;
use serde_json::{Value, json};
use sim::{ChangeError, DarajaSecrets, GameweekChange, GameweekRefused, Operator, Settings, Sim};
use tower::ServiceExt;

pub const SHORTCODE: &str = "174379";
pub const B2C_SHORTCODE: &str = "600992";
pub const PASSKEY: &str = "a-passkey-of-the-tests";
const KEY: &str = "consumer";
const SECRET: &str = "its-secret";

/// A status, the headers and the body as JSON (or as a JSON string where it is none).
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

pub struct World {
    pub sim: Sim,
    clock: HandClock,
    router: Router,
}

impl World {
    pub fn new() -> Self {
        Self::on(Connection::open_in_memory().unwrap())
    }

    pub fn on(connection: Connection) -> Self {
        // Another test of this process may have installed it already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let clock = HandClock::at(sim::FIRST_OPEN.parse().unwrap());
        let settings = Settings {
            daraja: DarajaSecrets {
                consumer_key: KEY.into(),
                consumer_secret: SECRET.into(),
                passkey: PASSKEY.into(),
                shortcode: SHORTCODE.into(),
                b2c_shortcode: B2C_SHORTCODE.into(),
                payer: Operator { name: "payer".into(), password: "its password".into() },
                asker: Operator { name: "asker".into(), password: "another password".into() },
            },
            callback_http: reqwest::Client::new(),
        };
        let sim = Sim::open(Arc::new(Mutex::new(connection)), clock.clock(), settings).unwrap();
        let router = Router::new()
            .nest("/sim/daraja", sim.daraja())
            .nest("/sim/fpl", sim.fpl())
            .nest("/sim/beacon", sim.beacon())
            .nest("/sim/api", sim.control());
        Self { sim, clock, router }
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn set(&self, now: Timestamp) {
        self.clock.set(now);
    }

    pub fn at(&self, now: &str) {
        self.set(now.parse().unwrap());
    }

    pub fn advance(&self, seconds: i64) {
        self.set(self.now() + SignedDuration::from_secs(seconds));
    }

    /// What the runner does when something may be due.
    pub async fn run(&self) -> usize {
        self.sim.run_due(self.now()).await.unwrap()
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (status, headers, bytes) = self.read(request).await;
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Answer { status, headers, body }
    }

    /// The answer as it is on the wire.
    pub async fn read(&self, request: Request<Body>) -> (StatusCode, HeaderMap, Bytes) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        (status, headers, to_bytes(response.into_body(), usize::MAX).await.unwrap())
    }

    pub async fn api(&self, method: Method, path: &str, body: Value) -> Answer {
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let uri = format!("/sim/api{path}");
        self.send(Request::builder().method(method).uri(uri).body(body).unwrap()).await
    }

    pub async fn fpl(&self, path: &str) -> Answer {
        self.send(Self::fpl_request(path)).await
    }

    pub fn fpl_request(path: &str) -> Request<Body> {
        let request = Request::builder()
            .uri(format!("/sim/fpl/api{path}"))
            .header("user-agent", "tests (hello@example.test)");
        request.body(Body::empty()).unwrap()
    }

    /// What `PUT /sim/api/fpl/gameweeks/{id}` does in the runner with a kind or a deadline.
    pub fn change(&self, gameweek: u8, change: Value) -> Result<Value, GameweekRefused> {
        let change: GameweekChange = serde_json::from_value(change).unwrap();
        self.sim.change_gameweek(gameweek, change).map_err(|error| match error {
            ChangeError::Refused(refused) => refused,
            ChangeError::NotKept(error) => panic!("{error}"),
        })
    }

    pub async fn fault(&self, faults: Value) {
        assert_eq!(self.api(Method::PUT, "/faults", faults).await.status, StatusCode::OK);
    }

    pub async fn sign_in(&self) -> String {
        let answer = self.sign_in_as(&format!("{KEY}:{SECRET}"), "client_credentials").await;
        answer.body["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn sign_in_as(&self, pair: &str, grant: &str) -> Answer {
        let request = Request::builder()
            .uri(format!("/sim/daraja/oauth/v1/generate?grant_type={grant}"))
            .header("authorization", format!("Basic {}", STANDARD.encode(pair)));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub async fn daraja(&self, path: &str, token: &str, body: &Value) -> Answer {
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("/sim/daraja{path}"))
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn push(&self, phone: &str, amount: u32, callback_url: &str) -> Answer {
        let token = self.sign_in().await;
        let body = self.push_body(phone, amount, callback_url);
        self.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await
    }

    /// Pushes and returns the CheckoutRequestID.
    pub async fn pushed(&self, phone: &str, amount: u32, callback_url: &str) -> String {
        let answer = self.push(phone, amount, callback_url).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body["CheckoutRequestID"].as_str().unwrap().to_owned()
    }

    pub fn push_body(&self, phone: &str, amount: u32, callback_url: &str) -> Value {
        let timestamp = self.timestamp();
        json!({
            "BusinessShortCode": SHORTCODE.parse::<u32>().unwrap(),
            "Password": STANDARD.encode(format!("{SHORTCODE}{PASSKEY}{timestamp}")),
            "Timestamp": timestamp,
            "TransactionType": "CustomerPayBillOnline",
            "Amount": amount,
            "PartyA": phone.parse::<u64>().unwrap(),
            "PartyB": SHORTCODE.parse::<u32>().unwrap(),
            "PhoneNumber": phone.parse::<u64>().unwrap(),
            "CallBackURL": callback_url,
            "AccountReference": "FPL7",
            "TransactionDesc": "Deposit",
        })
    }

    pub async fn query(&self, id: &str) -> Answer {
        let token = self.sign_in().await;
        let timestamp = self.timestamp();
        let body = json!({
            "BusinessShortCode": SHORTCODE,
            "Password": STANDARD.encode(format!("{SHORTCODE}{PASSKEY}{timestamp}")),
            "Timestamp": timestamp,
            "CheckoutRequestID": id,
        });
        self.daraja("/mpesa/stkpushquery/v1/query", &token, &body).await
    }

    pub async fn answer(&self, id: &str, answer: Value) -> Answer {
        self.api(Method::POST, &format!("/prompts/{id}"), answer).await
    }

    pub fn timestamp(&self) -> String {
        Offset::constant(3).to_datetime(self.now()).strftime("%Y%m%d%H%M%S").to_string()
    }
}

/// The shop: keeps what it is told and answers with a status of the test's choice.
pub struct Shop {
    pub url: String,
    received: Arc<Mutex<Vec<Value>>>,
    status: Arc<AtomicU16>,
}

impl Shop {
    pub async fn open() -> Self {
        type Kept = (Arc<Mutex<Vec<Value>>>, Arc<AtomicU16>);
        async fn keep(State((received, status)): State<Kept>, body: String) -> StatusCode {
            received.lock().unwrap().push(serde_json::from_str(&body).unwrap());
            StatusCode::from_u16(status.load(Ordering::SeqCst)).unwrap()
        }
        let received = Arc::new(Mutex::new(Vec::new()));
        let status = Arc::new(AtomicU16::new(200));
        let router = Router::new().route("/hook", post(keep)).with_state((received.clone(), status.clone()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, received, status }
    }

    /// Everything received since the last call.
    pub fn taken(&self) -> Vec<Value> {
        std::mem::take(&mut self.received.lock().unwrap())
    }

    pub fn answers(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }
}
