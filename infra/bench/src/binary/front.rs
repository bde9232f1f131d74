//! DynamoDB behind TLS, as a process of its own sees it: a certificate of a root made for this run, and the answers of the
//! world's table. For who is called again and again, a call is answered as the one like it before, so that what is measured
//! is who asks: a read like the same read, a transaction like the first one, which is the only one that is done.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
    serve::Listener,
};
use local::aws::Dynamo;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, PKCS_RSA_SHA256};
use rsa::{RsaPrivateKey, pkcs8::EncodePrivateKey, rand_core::OsRng};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// One call, and when it was under way.
#[derive(Clone)]
pub struct Call {
    pub operation: String,
    pub input: Value,
    pub began: Instant,
    pub ended: Option<Instant>,
}

#[derive(Clone)]
pub struct Front {
    pub url: String,
    /// The root, in PEM.
    pub root: String,
    inside: Arc<Inside>,
}

struct Inside {
    dynamo: Dynamo,
    /// What was answered before; `None` where each call is the table's.
    known: Option<Mutex<HashMap<Bytes, String>>>,
    calls: Mutex<Vec<Call>>,
    /// Somebody has asked.
    asked: Notify,
}

impl Front {
    /// Answers what it was asked before as before.
    pub async fn remembering(dynamo: Dynamo) -> Self {
        Self::start(dynamo, Some(Mutex::default())).await
    }

    pub async fn of_the_table(dynamo: Dynamo) -> Self {
        Self::start(dynamo, None).await
    }

    async fn start(dynamo: Dynamo, known: Option<Mutex<HashMap<Bytes, String>>>) -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("https://localhost:{}", tcp.local_addr().expect("bound").port());
        let (root, tls) = certified();
        let inside = Inside { dynamo, known, calls: Mutex::default(), asked: Notify::new() };
        let front = Self { url, root, inside: Arc::new(inside) };
        let router = Router::new().fallback(answer).with_state(front.clone());
        tokio::spawn(async move { axum::serve(Tls { tcp, tls }, router).await });
        front
    }

    /// The calls since this was last asked.
    pub fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut lock(&self.inside.calls))
    }

    /// Until a call has been answered and another is made after that.
    pub async fn second_call(&self) {
        loop {
            let asked = self.inside.asked.notified();
            let after = {
                let calls = lock(&self.inside.calls);
                let first = calls.iter().filter_map(|call| call.ended).min();
                first.is_some_and(|first| calls.iter().any(|call| call.began > first))
            };
            if after {
                return;
            }
            asked.await;
        }
    }
}

async fn answer(State(front): State<Front>, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    let Some(operation) = target.and_then(|target| target.strip_prefix("DynamoDB_20120810.")) else {
        // A request before there is anything to ask, or a message that goes nowhere.
        return Ok(json!({ "MessageId": "measured" }).to_string());
    };
    let input: Value = serde_json::from_slice(&body).unwrap_or_default();
    let Some(known) = &front.inside.known else {
        return called(&front, operation, &input).await;
    };
    let at = {
        let mut calls = lock(&front.inside.calls);
        let (operation, input) = (operation.to_owned(), input.clone());
        calls.push(Call { operation, input, began: Instant::now(), ended: None });
        calls.len() - 1
    };
    front.inside.asked.notify_waiters();
    let like = if operation == "TransactWriteItems" { Bytes::from(operation.to_owned()) } else { body };
    let before = lock(known).get(&like).cloned();
    let answer = match before {
        Some(before) => Ok(before),
        None => called(&front, operation, &input).await,
    };
    if let Ok(answer) = &answer {
        lock(known).insert(like, answer.clone());
    }
    if let Some(call) = lock(&front.inside.calls).get_mut(at) {
        call.ended = Some(Instant::now());
    }
    answer
}

async fn called(front: &Front, operation: &str, input: &Value) -> Result<String, (StatusCode, String)> {
    let answer = front.inside.dynamo.call(operation, input).await;
    answer.map(|answer| answer.to_string()).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))
}

pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A root in PEM, and what serves `localhost` under it: a chain of the shape of AWS's own, three certificates with RSA keys of
/// 2,048 bits. What a signature costs to check depends on its kind.
fn certified() -> (String, TlsAcceptor) {
    let [root, between, own] = [(); 3].map(|()| key());
    let authority = |name: &str| {
        let mut authority = CertificateParams::new(Vec::new()).expect("no names");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // OpenSSL takes a certificate for self-signed whose issuer is called like itself.
        authority.distinguished_name.push(DnType::CommonName, name);
        authority
    };
    let (first, second) = (authority("the root of a measurement"), authority("between root and server"));
    let pem = first.self_signed(&root).expect("a root").pem();
    let root = Issuer::new(first, root);
    let middle = second.signed_by(&between, &root).expect("a certificate");
    let server = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
    let server = server.signed_by(&own, &Issuer::new(second, between)).expect("a certificate");
    let own = PrivateKeyDer::try_from(own.serialize_der()).expect("PKCS #8");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring offers them")
        .with_no_client_auth()
        .with_single_cert(vec![server.der().clone(), middle.der().clone()], own)
        .expect("they fit");
    (pem, TlsAcceptor::from(Arc::new(config)))
}

fn key() -> KeyPair {
    let key = RsaPrivateKey::new(&mut OsRng, 2_048).expect("a key of a usual size is found");
    let der = key.to_pkcs8_der().expect("a key that was just made");
    KeyPair::from_pkcs8_der_and_sign_algo(&der.as_bytes().into(), &PKCS_RSA_SHA256).expect("ring reads it")
}

struct Tls {
    tcp: TcpListener,
    tls: TlsAcceptor,
}

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            // A process that is killed breaks its connections off: the next one is waited for.
            if let Ok((stream, from)) = self.tcp.accept().await
                && stream.set_nodelay(true).is_ok()
                && let Ok(stream) = self.tls.accept(stream).await
            {
                return (stream, from);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}
