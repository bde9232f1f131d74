//! The connector through the real SDK clients.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::{
    error::ProvideErrorMetadata,
    types::{AttributeValue, Put, ReturnConsumedCapacity, TransactWriteItem},
};
use aws_sdk_eventbridge::types::RuleState;
use aws_sdk_sesv2::types::{Body, Content, Destination, EmailContent, Message as Mail};
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use clients::Clock;
use jiff::Timestamp;
use serde_json::json;

use super::*;
use crate::{
    settings::{DataDir, Keys},
    template::{Table, Template},
    world::{
        db,
        queue::{QueueSpec, Queues},
        rules::{Rules, invocations},
    },
};

const URL: &str = "http://sqs.local/000000000000/Work";

struct AwsTest {
    aws: Aws,
    queues: Queues,
    rules: Rules,
    outbox: Outbox,
    email_down: Arc<AtomicBool>,
    throttled: Arc<AtomicBool>,
}

/// The same steps for every service: their config types have no common trait.
macro_rules! client {
    ($world:expr, $sdk:ident) => {
        $sdk::Client::from_conf(
            $sdk::Config::builder()
                .behavior_version($sdk::config::BehaviorVersion::latest())
                .region($sdk::config::Region::new("local"))
                .credentials_provider(Credentials::new("local", "local", None, None, "test"))
                .retry_config($sdk::config::retry::RetryConfig::disabled())
                .http_client($world.aws.client(Caller::Operator))
                .build(),
        )
    };
}

fn now() -> Timestamp {
    "2026-08-20T09:00:00Z".parse().unwrap()
}

async fn world() -> AwsTest {
    let files = db::open(&DataDir::Memory).unwrap();
    let clock = Clock::from_fn(now);
    let spec =
        |name: String| QueueSpec { name, visibility_timeout: 30, delay: 0, retention: 3600, redrive: None };
    let specs = vec![spec("Work".into()), spec(invocations("Close"))];
    let queues = Queues::open(files.world.clone(), clock.clone(), specs, Arc::default()).unwrap();
    let rules = Rules::open(files.world.clone(), clock.clone(), &[]).unwrap();
    let secrets = vec![("key".to_owned(), "abc".to_owned())];
    let parameters = Parameters::open(&files.world, "/fpl-leagues", secrets).unwrap();
    let outbox = Outbox::new(files.world.clone(), clock);
    let dynamo = Dynamo::Embedded(Embedded::new(files.dynamo.clone()));
    dynamo.ensure(&table("Things")).await.unwrap();
    let (email_down, throttled) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let switches = {
        let (email_down, throttled) = (email_down.clone(), throttled.clone());
        move || Switches {
            throttle: if throttled.load(Ordering::SeqCst) { 1.0 } else { 0.0 },
            email_down: email_down.load(Ordering::SeqCst),
            ..Switches::default()
        }
    };
    let layer = FaultLayer::new(dynamo, 1, switches);
    let access = Access::new(&Template::default(), None).unwrap();
    let aws = Aws::new(access, layer, queues.clone(), rules.clone(), parameters, outbox.clone());
    AwsTest { aws, queues, rules, outbox, email_down, throttled }
}

fn table(name: &str) -> Table {
    let create = json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    Table { name: name.into(), create, ttl: Some("ttl".into()) }
}

fn put(pk: &str, condition: Option<&str>) -> TransactWriteItem {
    let put = Put::builder()
        .table_name("Things")
        .item("pk", AttributeValue::S(pk.into()))
        .set_condition_expression(condition.map(str::to_owned));
    TransactWriteItem::builder().put(put.build().unwrap()).build()
}

#[tokio::test]
async fn a_transaction_says_which_of_its_items_refused_it_and_what_it_used() {
    let client = client!(world().await, aws_sdk_dynamodb);
    let first = client
        .transact_write_items()
        .transact_items(put("a", Some("attribute_not_exists(pk)")))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .unwrap();
    assert_eq!(first.consumed_capacity()[0].capacity_units(), Some(2.0));
    let refused = client
        .transact_write_items()
        .transact_items(put("b", None))
        .transact_items(put("a", Some("attribute_not_exists(pk)")))
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    let aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError::TransactionCanceledException(reasons) =
        refused
    else {
        panic!("another error: {refused}")
    };
    let codes: Vec<_> = reasons.cancellation_reasons().iter().filter_map(|reason| reason.code()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed"]);
    let b =
        client.get_item().table_name("Things").key("pk", AttributeValue::S("b".into())).send().await.unwrap();
    assert!(b.item().is_none());
}

#[tokio::test]
async fn an_item_of_more_than_400_kb_and_a_transaction_of_more_than_a_hundred_are_refused() {
    let client = client!(world().await, aws_sdk_dynamodb);
    let write = async |size: usize| {
        let text = AttributeValue::S("x".repeat(size));
        let item = client.put_item().table_name("Things").item("pk", AttributeValue::S("a".into()));
        item.item("text", text).send().await
    };
    write(399 * 1024).await.unwrap();
    let error = write(400 * 1024).await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("ValidationException"));
    let commit = async |count: usize| {
        let items = (0..count).map(|n| put(&format!("many{n}"), None)).collect();
        client.transact_write_items().set_transact_items(Some(items)).send().await
    };
    commit(100).await.unwrap();
    let error = commit(101).await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("ValidationException"));
}

#[tokio::test]
async fn throttling_looks_as_it_does_on_aws() {
    let world = world().await;
    let client = client!(world, aws_sdk_dynamodb);
    world.throttled.store(true, Ordering::SeqCst);
    let get = client.get_item().table_name("Things").key("pk", AttributeValue::S("a".into()));
    let error = get.send().await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("ProvisionedThroughputExceededException"));
    let write = client.transact_write_items().transact_items(put("a", None)).send().await;
    let error = write.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("TransactionCanceledException"));
    world.throttled.store(false, Ordering::SeqCst);
    let a =
        client.get_item().table_name("Things").key("pk", AttributeValue::S("a".into())).send().await.unwrap();
    assert!(a.item().is_none(), "a refused call must not have reached the table");
}

#[tokio::test]
async fn an_operation_nobody_answers_is_named() {
    let client = client!(world().await, aws_sdk_dynamodb);
    let error = client.list_backups().send().await.unwrap_err().into_service_error();
    assert_eq!(error.message(), Some("The local run does not answer DynamoDB's ListBackups."));
}

#[tokio::test]
async fn messages_are_sent_with_a_delay_and_counted() {
    let world = world().await;
    let client = client!(world, aws_sdk_sqs);
    let sent =
        client.send_message().queue_url(URL).message_body("hello").delay_seconds(60).send().await.unwrap();
    assert_eq!(sent.md5_of_message_body(), Some("5d41402abc4b2a76b9719d911017c592"));
    let entry = |id: &str| SendMessageBatchRequestEntry::builder().id(id).message_body(id).build().unwrap();
    let batch = client.send_message_batch().queue_url(URL).entries(entry("a")).entries(entry("b"));
    assert_eq!(batch.send().await.unwrap().successful().len(), 2);
    let counts = world.queues.counts("Work", now()).unwrap();
    assert_eq!((counts.visible, counts.delayed), (2, 1));
    assert_eq!(world.queues.receive("Work", 10, now()).unwrap().len(), 2);
}

#[tokio::test]
async fn what_sqs_refuses_is_refused_by_its_name() {
    let client = client!(world().await, aws_sdk_sqs);
    let unknown = client.send_message().queue_url("http://sqs.local/000000000000/None").message_body("a");
    let error = unknown.send().await.unwrap_err().into_service_error();
    assert!(error.is_queue_does_not_exist(), "{error:?}");
    let long = client.send_message().queue_url(URL).message_body("x".repeat(256 * 1024 + 1));
    let error = long.send().await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("InvalidParameterValue"));
}

#[tokio::test]
async fn a_rule_is_put_on_or_off_and_a_wrong_schedule_is_refused() {
    let world = world().await;
    let client = client!(world, aws_sdk_eventbridge);
    let put = |expression: &str| client.put_rule().name("fence").schedule_expression(expression);
    put("cron(32 10 22 8 ? 2026)").send().await.unwrap();
    assert!(world.rules.get("fence").unwrap().unwrap().enabled);
    let next = world.rules.next_cron(now()).unwrap();
    assert_eq!(next, Some("2026-08-22T10:32:00Z".parse().unwrap()));
    put("cron(32 10 22 8 ? 2026)").state(RuleState::Disabled).send().await.unwrap();
    assert!(!world.rules.get("fence").unwrap().unwrap().enabled);
    let bad = put("cron(99 * * * ? *)").send().await.unwrap_err().into_service_error();
    assert_eq!(bad.code(), Some("ValidationException"));
}

#[tokio::test]
async fn secrets_are_read_by_their_full_names_and_only_decrypted() {
    let client = client!(world().await, aws_sdk_ssm);
    let get = async |clear: bool| {
        let names = ["/fpl-leagues/key", "/fpl-leagues/none"].map(str::to_owned);
        client.get_parameters().set_names(Some(names.into())).with_decryption(clear).send().await.unwrap()
    };
    let clear = get(true).await;
    assert_eq!(clear.parameters().iter().map(|found| found.value()).collect::<Vec<_>>(), [Some("abc")]);
    assert_eq!(clear.invalid_parameters(), ["/fpl-leagues/none"]);
    assert_ne!(get(false).await.parameters()[0].value(), Some("abc"));
    let eleven = client.get_parameters().set_names(Some(vec!["/fpl-leagues/key".to_owned(); 11]));
    assert!(eleven.send().await.is_err());
}

#[tokio::test]
async fn mails_go_to_the_outbox_unless_the_service_is_down() {
    let world = world().await;
    let client = client!(world, aws_sdk_sesv2);
    let send = || {
        let text = |data: &str| Content::builder().data(data).build().unwrap();
        let body = Body::builder().text(text("Open http://localhost:4000/reset-password/t.")).build();
        let mail = Mail::builder().subject(text("Reset your password")).body(body).build();
        client
            .send_email()
            .from_email_address("no-reply@fplleagues.test")
            .destination(Destination::builder().to_addresses("a@players.test").build())
            .content(EmailContent::builder().simple(mail).build())
            .send()
    };
    send().await.unwrap();
    let mails = world.outbox.list(Some("A@players.test")).unwrap();
    assert_eq!(mails[0].links, ["http://localhost:4000/reset-password/t"]);
    assert!(world.outbox.list(Some("b@players.test")).unwrap().is_empty());
    world.email_down.store(true, Ordering::SeqCst);
    let down = send().await.unwrap_err();
    assert_eq!(down.raw_response().unwrap().status().as_u16(), 503);
    assert_eq!(world.outbox.list(None).unwrap().len(), 1);
}

#[tokio::test]
async fn a_table_is_made_once_and_another_one_of_its_name_is_refused() {
    let files = db::open(&DataDir::Memory).unwrap();
    let dynamo = Dynamo::Embedded(Embedded::new(files.dynamo.clone()));
    dynamo.ensure(&table("Things")).await.unwrap();
    dynamo.ensure(&table("Things")).await.unwrap();
    let mut other = table("Things");
    other.create["KeySchema"][0]["AttributeName"] = json!("id");
    assert!(dynamo.ensure(&other).await.unwrap_err().to_string().contains("made by another template"));
}

#[tokio::test]
async fn a_transaction_with_a_request_token_is_done_once() {
    let world = world().await;
    let client = client!(world, aws_sdk_dynamodb);
    let put_once = |pk: &str| {
        let put = put(pk, Some("attribute_not_exists(pk)"));
        client.transact_write_items().transact_items(put).client_request_token("one").send()
    };
    put_once("a").await.unwrap();
    put_once("a").await.expect("its answer is told again");
    let error = put_once("b").await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("IdempotentParameterMismatchException"));
    // What has failed is not kept.
    let again = || {
        let put = put("a", Some("attribute_not_exists(pk)"));
        client.transact_write_items().transact_items(put).client_request_token("two").send()
    };
    for _ in 0..2 {
        let error = again().await.unwrap_err().into_service_error();
        assert_eq!(error.code(), Some("TransactionCanceledException"));
    }
}

#[tokio::test]
async fn what_has_expired_is_swept_by_the_simulated_clock() {
    let world = world().await;
    let client = client!(world, aws_sdk_dynamodb);
    for (pk, ttl) in [("old", now().as_second() - 1), ("new", now().as_second() + 60)] {
        let item = HashMap::from([
            ("pk".to_owned(), AttributeValue::S(pk.into())),
            ("ttl".to_owned(), AttributeValue::N(ttl.to_string())),
        ]);
        client.put_item().table_name("Things").set_item(Some(item)).send().await.unwrap();
    }
    let dynamo = world.aws.0.dynamo.dynamo();
    assert_eq!(dynamo.sweep(&table("Things"), now()).await.unwrap(), 1);
    assert_eq!(dynamo.sweep(&table("Things"), now()).await.unwrap(), 0);
}

/// The embedded database behind a socket, as another machine's would be.
#[tokio::test]
async fn a_server_elsewhere_gets_signed_calls_and_its_answers_come_back_whole() {
    let files = db::open(&DataDir::Memory).unwrap();
    let there = Dynamo::Embedded(Embedded::new(files.dynamo.clone()));
    let server = axum::Router::new().fallback(move |headers: axum::http::HeaderMap, body: bytes::Bytes| {
        let there = there.clone();
        async move {
            assert!(
                headers["authorization"].to_str().unwrap().starts_with("AWS4-HMAC-SHA256 Credential=local/")
            );
            let target = headers["x-amz-target"].to_str().unwrap();
            let reply =
                there.answer(target.strip_prefix("DynamoDB_20120810.").unwrap(), &body).await.unwrap();
            (axum::http::StatusCode::from_u16(reply.status).unwrap(), reply.body)
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, server).await });

    let http = crate::start::http_client(std::time::Duration::from_secs(10)).unwrap();
    let dynamo = Dynamo::Remote(Remote::new(http, &endpoint, Keys::from_vars(|_| None)));
    dynamo.ensure(&table("Things")).await.unwrap();
    let mut world = world().await;
    world.aws = world.aws.with_dynamo(FaultLayer::new(dynamo, 1, Switches::default));
    let client = client!(world, aws_sdk_dynamodb);
    let once =
        || client.transact_write_items().transact_items(put("a", Some("attribute_not_exists(pk)"))).send();
    once().await.unwrap();
    let error = once().await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("TransactionCanceledException"));
}
