//! A DynamoDB elsewhere: calls are signed anew and sent on.
//! Signature: docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html

use std::fmt;

use aws_smithy_runtime_api::client::result::ConnectorError;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::reply::Reply;

/// What calls are signed with. Emulators take anything.
#[derive(Clone)]
pub struct Keys {
    id: String,
    secret: String,
    session: Option<String>,
    region: Option<String>,
}

impl Keys {
    /// The usual variables of AWS's own tools.
    #[must_use]
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            id: var("AWS_ACCESS_KEY_ID").unwrap_or_else(|| "local".to_owned()),
            secret: var("AWS_SECRET_ACCESS_KEY").unwrap_or_else(|| "local".to_owned()),
            session: var("AWS_SESSION_TOKEN"),
            region: var("AWS_REGION").or_else(|| var("AWS_DEFAULT_REGION")),
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct Remote {
    http: reqwest::Client,
    endpoint: String,
    host: String,
    region: String,
    keys: Keys,
}

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

impl Remote {
    /// `endpoint` without a trailing slash.
    #[must_use]
    pub fn new(http: reqwest::Client, endpoint: &str, keys: Keys) -> Self {
        let host = endpoint.split_once("://").map_or(endpoint, |(_, host)| host);
        // dynamodb.eu-west-1.amazonaws.com names its region itself.
        let named = host.strip_suffix(".amazonaws.com").and_then(|host| host.rsplit('.').next());
        let region = named.map(str::to_owned).or_else(|| keys.region.clone());
        Self {
            http,
            endpoint: endpoint.to_owned(),
            host: host.to_owned(),
            region: region.unwrap_or_else(|| crate::REGION.to_owned()),
            keys,
        }
    }

    pub(super) async fn answer(&self, operation: &str, body: &[u8]) -> Result<Reply, ConnectorError> {
        self.send(operation, body, Timestamp::now()).await.map_err(|error| {
            if error.is_timeout() {
                ConnectorError::timeout(error.into())
            } else {
                ConnectorError::io(error.into())
            }
        })
    }

    /// `at` is the real time: the server would refuse a signature of another.
    async fn send(&self, operation: &str, body: &[u8], at: Timestamp) -> Result<Reply, reqwest::Error> {
        let target = format!("DynamoDB_20120810.{operation}");
        let mut request = self
            .http
            .post(format!("{}/", self.endpoint))
            .header("content-type", CONTENT_TYPE)
            .header("x-amz-date", stamp(at))
            .header("x-amz-target", &target)
            .header("authorization", self.signature(&target, body, at));
        if let Some(session) = &self.keys.session {
            request = request.header("x-amz-security-token", session);
        }
        let response = request.body(body.to_vec()).send().await?;
        let status = response.status().as_u16();
        Ok(Reply::raw(status, response.bytes().await?.to_vec()))
    }

    fn signature(&self, target: &str, body: &[u8], at: Timestamp) -> String {
        let mut headers = vec![
            ("content-type", CONTENT_TYPE.to_owned()),
            ("host", self.host.clone()),
            ("x-amz-date", stamp(at)),
        ];
        headers.extend(self.keys.session.clone().map(|session| ("x-amz-security-token", session)));
        headers.push(("x-amz-target", target.to_owned()));
        let names = headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let lines: String = headers.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
        let canonical = format!("POST\n/\n\n{lines}\n{names}\n{}", hex::encode(Sha256::digest(body)));
        let day = at.strftime("%Y%m%d").to_string();
        let scope = format!("{day}/{}/dynamodb/aws4_request", self.region);
        let hashed = hex::encode(Sha256::digest(canonical));
        let text = format!("AWS4-HMAC-SHA256\n{}\n{scope}\n{hashed}", stamp(at));
        let first = format!("AWS4{}", self.keys.secret).into_bytes();
        let key = [day.as_str(), &self.region, "dynamodb", "aws4_request"]
            .iter()
            .fold(first, |key, part| mac(&key, part.as_bytes()));
        let signature = hex::encode(mac(&key, text.as_bytes()));
        format!(
            "AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={names}, Signature={signature}",
            self.keys.id
        )
    }
}

fn stamp(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}
