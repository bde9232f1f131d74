//! DynamoDB: the embedded one, as it is or with indexes that lag, or a server that speaks the same protocol.

use anyhow::{Context, bail};
use aws_smithy_runtime_api::client::result::ConnectorError;
use serde_json::Value;

use super::{embedded::Embedded, lagging::Lagging, remote::Remote, reply::Reply};

#[derive(Clone)]
pub enum Dynamo {
    Embedded(Embedded),
    Lagging(Lagging),
    Remote(Remote),
}

impl Dynamo {
    pub(super) async fn answer(&self, operation: &str, body: &[u8]) -> Result<Reply, ConnectorError> {
        match self {
            Self::Embedded(embedded) => Ok(embedded.answer(operation, body)),
            Self::Lagging(lagging) => Ok(lagging.answer(operation, body)),
            Self::Remote(remote) => remote.answer(operation, body).await,
        }
    }

    /// One call of the runner's own: the answer's body, or the error's.
    pub async fn call(&self, operation: &str, input: &Value) -> anyhow::Result<Value> {
        let reply =
            self.answer(operation, input.to_string().as_bytes()).await.map_err(anyhow::Error::from)?;
        let body: Value = serde_json::from_slice(&reply.body)
            .with_context(|| format!("{operation}: the answer is no JSON"))?;
        if reply.status == 200 {
            return Ok(body);
        }
        let kind = body["__type"].as_str().unwrap_or("no error type");
        let message = body["message"].as_str().or(body["Message"].as_str()).unwrap_or_default();
        bail!("{operation}: {} {message}", kind.rsplit('#').next().unwrap_or(kind))
    }
}
