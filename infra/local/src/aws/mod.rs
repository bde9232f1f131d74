//! Every AWS call of the product, answered in process: the connector that the product's SDK
//! clients are built with.
//!
//! Invariants: an operation that is not answered here is refused with a 400 that names it; what a function's role
//! does not grant is refused as AWS refuses it; nothing leaves the machine (but DynamoDB's calls where
//! `DYNAMODB_ENDPOINT` says so).

mod access;
pub mod arns;
mod dynamodb;
mod embedded;
mod events;
mod faults;
mod lagging;
pub mod meter;
mod needs;
mod partition_keys;
mod remote;
mod reply;
mod request_tokens;
mod role;
mod scan;
mod ses;
mod sqs;
mod ssm;
mod tables;
#[cfg(test)]
mod tests;
mod throughput;

use std::{fmt, sync::Arc};

use aws_smithy_runtime_api::{
    client::{
        http::{HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn},
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use clients::Clock;
use serde_json::Value;

pub use access::{Access, Caller};
pub use dynamodb::Dynamo;
pub use embedded::Embedded;
use faults::throttled;
pub use faults::{FaultLayer, Switches};
pub use lagging::Lagging;
pub use meter::{Meter, Metered};
use meter::{ask_for_units, is_read, units};
pub use needs::Need;
pub use remote::Remote;
use reply::Reply;
pub use role::{Condition, Effect, Grant, Role};
pub use ses::{Mail, Outbox};
pub use ssm::Parameters;
pub use throughput::{Load, Throughput};

use crate::world::{queue::Queues, rules::Rules};

#[derive(Clone)]
pub struct Aws(Arc<Services>);

struct Services {
    access: Access,
    dynamo: FaultLayer,
    queues: Queues,
    rules: Rules,
    parameters: Parameters,
    outbox: Outbox,
    meter: Meter,
    throughput: Option<Throughput>,
}

impl Aws {
    pub fn new(
        access: Access,
        dynamo: FaultLayer,
        queues: Queues,
        rules: Rules,
        parameters: Parameters,
        outbox: Outbox,
    ) -> Self {
        let meter = Meter::default();
        let throughput = None;
        Self(Arc::new(Services { access, dynamo, queues, rules, parameters, outbox, meter, throughput }))
    }

    /// The same, with what a partition bears in a second of `clock`.
    #[must_use]
    pub fn limited(self, clock: Clock) -> Self {
        let limited = |services: Services| Services { throughput: Some(Throughput::new(clock)), ..services };
        Self(Arc::new(limited(Arc::into_inner(self.0).expect("it was put together just now"))))
    }

    /// What a partition bears, where that is held to.
    pub fn throughput(&self) -> Option<&Throughput> {
        self.0.throughput.as_ref()
    }

    /// What functions' calls cost.
    pub fn meter(&self) -> &Meter {
        &self.0.meter
    }

    /// The same with another database. Only the operator calls it: no function's grants are known there.
    pub(crate) fn with_dynamo(&self, dynamo: FaultLayer) -> Self {
        let Services { queues, rules, parameters, outbox, .. } = &*self.0;
        let access = Access::new(&crate::template::Template::default(), None).expect("nothing is noted");
        Self::new(access, dynamo, queues.clone(), rules.clone(), parameters.clone(), outbox.clone())
    }

    /// What `caller`'s clients are built on: that it is `caller` who calls cannot be lost on the way.
    pub fn client(&self, caller: Caller) -> SharedHttpClient {
        let aws = self.clone();
        http_client(move |request| {
            let (aws, caller) = (aws.clone(), caller.clone());
            async move { aws.pass(&caller, request).await }
        })
    }

    pub(crate) async fn pass(
        &self,
        caller: &Caller,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let metered = self.0.meter.begin(caller, &request).await;
        ask_for_units(&mut request);
        let answer = response(match self.0.access.refusal(caller, &request) {
            Some(refused) => refused,
            None => self.answer(&request).await?,
        });
        if let Some(call) = metered {
            self.0.meter.end(call, &answer);
        }
        Ok(answer)
    }

    async fn answer(&self, request: &HttpRequest) -> Result<Reply, ConnectorError> {
        let Some(body) = request.body().bytes() else {
            return Ok(Reply::refused(
                "SerializationException",
                "The body is streamed, which nothing here reads.",
            ));
        };
        let Some(target) = request.headers().get("x-amz-target") else {
            return Ok(self.rest(request, body));
        };
        let (service, operation) = target.rsplit_once('.').unwrap_or(("", target));
        if service == "DynamoDB_20120810" {
            return self.dynamo(operation, body).await;
        }
        let Ok(input) = serde_json::from_slice::<Value>(body) else {
            return Ok(Reply::refused("SerializationException", "The body is no JSON."));
        };
        Ok(match service {
            "AmazonSQS" => sqs::answer(&self.0.queues, operation, &input),
            "AWSEvents" => events::answer(&self.0.rules, operation, &input),
            "AmazonSSM" => ssm::answer(&self.0.parameters, operation, &input),
            _ => Reply::unknown(target),
        })
    }

    async fn dynamo(&self, operation: &str, body: &[u8]) -> Result<Reply, ConnectorError> {
        let Some(throughput) = &self.0.throughput else { return self.0.dynamo.answer(operation, body).await };
        let (needs, index_writes) = self.0.access.partitions(operation, body);
        let Some(charged) = throughput.admit(needs, index_writes, is_read(operation)) else {
            tracing::warn!(operation, "a partition has nothing left in this second");
            return Ok(throttled(operation, body));
        };
        let reply = self.0.dynamo.answer(operation, body).await?;
        throughput.charge(charged, units(&reply.body), reply.status == 200);
        Ok(reply)
    }

    fn rest(&self, request: &HttpRequest, body: &[u8]) -> Reply {
        let uri: http::Uri = match request.uri().parse() {
            Ok(uri) => uri,
            Err(error) => return Reply::refused("BadRequestException", &format!("The address: {error}")),
        };
        match (request.method(), uri.path()) {
            ("POST", "/v2/email/outbound-emails") => {
                ses::answer(&self.0.outbox, self.0.dynamo.switches().email_down, body)
            }
            (method, path) => Reply::unknown(&format!("{method} {path}")),
        }
    }
}

/// An SDK's HTTP client whose requests `answer` answers.
pub(crate) fn http_client<A>(
    answer: impl Fn(HttpRequest) -> A + Clone + Send + Sync + 'static,
) -> SharedHttpClient
where
    A: Future<Output = Result<HttpResponse, ConnectorError>> + Send + 'static,
{
    http_client_fn(move |_, _| SharedHttpConnector::new(Connector(answer.clone())))
}

struct Connector<F>(F);

impl<F, A> HttpConnector for Connector<F>
where
    F: Fn(HttpRequest) -> A + Send + Sync,
    A: Future<Output = Result<HttpResponse, ConnectorError>> + Send + 'static,
{
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::new((self.0)(request))
    }
}

impl<F> fmt::Debug for Connector<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

fn response(reply: Reply) -> HttpResponse {
    let status = StatusCode::try_from(reply.status).expect("every status here is a real one");
    let mut response = HttpResponse::new(status, SdkBody::from(reply.body));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response.headers_mut().insert("x-amzn-requestid", uuid::Uuid::new_v4().to_string());
    if let Some(kind) = reply.error {
        response.headers_mut().insert("x-amzn-errortype", kind);
    }
    if let Some(code) = reply.query_error {
        response.headers_mut().insert("x-amzn-query-error", format!("{code};Sender"));
    }
    response
}
