//! A DynamoDB elsewhere: calls are signed anew (the product signed them for the local run) and
//! sent on.

use std::time::SystemTime;

use anyhow::Context;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_smithy_runtime_api::client::{identity::Identity, result::ConnectorError};

use super::reply::Reply;
use crate::settings::Keys;

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct Remote {
    http: reqwest::Client,
    url: String,
    region: String,
    identity: Identity,
}

impl Remote {
    /// `endpoint` without a trailing slash.
    pub fn new(http: reqwest::Client, endpoint: &str, keys: Keys) -> Self {
        // dynamodb.eu-west-1.amazonaws.com names its region itself.
        let named = endpoint.strip_suffix(".amazonaws.com").and_then(|host| host.rsplit('.').next());
        let region = named.map(str::to_owned).or(keys.region);
        Self {
            http,
            url: format!("{endpoint}/"),
            region: region.unwrap_or_else(|| crate::REGION.to_owned()),
            identity: keys.credentials.into(),
        }
    }

    pub(super) async fn answer(&self, operation: &str, body: &[u8]) -> Result<Reply, ConnectorError> {
        let request = self.signed(operation, body).map_err(|error| ConnectorError::user(error.into()))?;
        self.send(request).await.map_err(|error| {
            if error.is_timeout() {
                ConnectorError::timeout(error.into())
            } else {
                ConnectorError::io(error.into())
            }
        })
    }

    async fn send(&self, request: http::Request<Vec<u8>>) -> Result<Reply, reqwest::Error> {
        let response = self.http.execute(request.try_into()?).await?;
        let status = response.status().as_u16();
        Ok(Reply::raw(status, response.bytes().await?.to_vec()))
    }

    fn signed(&self, operation: &str, body: &[u8]) -> anyhow::Result<http::Request<Vec<u8>>> {
        let mut request = http::Request::post(&self.url)
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
            .body(body.to_vec())
            .context("DYNAMODB_ENDPOINT")?;
        // The real time: the server would refuse a signature of another.
        let params = SigningParams::builder()
            .identity(&self.identity)
            .region(&self.region)
            .name("dynamodb")
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()?
            .into();
        let headers =
            request.headers().iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap_or("")));
        let signable = SignableRequest::new("POST", &self.url, headers, SignableBody::Bytes(body))?;
        let (instructions, _) = sign(signable, &params)?.into_parts();
        instructions.apply_to_request_http1x(&mut request);
        Ok(request)
    }
}
