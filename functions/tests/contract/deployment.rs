//! What holds for the deployment whatever the table says.

use std::collections::BTreeSet;

use functions::platform::{
    alarms::ALARMS,
    deployment::{Grant, Resource, Trigger},
};
use serde_json::json;
use yaml_serde::Value;

use crate::support::{
    resources::Template,
    template::{SHIFTED, parsed, pascal, queues},
};

#[test]
fn nothing_runs_longer_than_who_waits_for_it() {
    for endpoint in functions::endpoints() {
        assert!(endpoint.deployment.timeout <= 30, "{}: an API answers within 30 s", endpoint.name);
    }
    for job in functions::jobs() {
        assert!(job.deployment.timeout <= 300, "{} has no sensible time limit", job.name);
    }
}

#[test]
fn a_queue_waits_longer_than_its_function_runs_and_buries_what_fails() {
    let template = parsed();
    let mut read = BTreeSet::new();
    for (queue, limit) in queues() {
        assert!(read.insert(queue), "two jobs read the queue {queue:?}");
        let properties = &template["Resources"][format!("{queue:?}Queue").as_str()]["Properties"];
        assert!(properties["VisibilityTimeout"].as_u64().unwrap() >= 6 * u64::from(limit), "{queue:?}");
        assert_eq!(properties["RedrivePolicy"]["maxReceiveCount"].as_u64(), Some(5), "{queue:?}");
    }
}

/// Lambda drops what has gone around a function by a queue sixteen times, unless it is told that this is meant: a sweep, the
/// teams of a gameweek and the questions to M-Pesa go on by messages of their own, and each of these lines ends.
/// (docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html)
#[test]
fn who_takes_messages_and_sends_some_may_go_around_for_long() {
    let (template, mut around) = (parsed(), 0);
    for job in functions::jobs() {
        let sends = job.deployment.grants.iter().any(|grant| matches!(grant, Grant::Sends(_)));
        let goes_around = matches!(job.trigger, Trigger::Queue { .. }) && sends;
        let properties = &template["Resources"][(pascal(job.name) + "Function").as_str()]["Properties"];
        let allowed = properties["RecursiveLoop"].as_str() == Some("Allow");
        assert_eq!(allowed, goes_around, "{}", job.name);
        around += usize::from(goes_around);
    }
    assert!(around > 5, "{around}");
}

/// A job of a rule is started by one that the base has, and by nothing else.
#[test]
fn the_rules_of_the_base_start_their_jobs() {
    let rule = |job: &functions::Job| matches!(job.trigger, Trigger::Rule);
    let jobs = functions::jobs().into_iter().filter(rule);
    let targets: BTreeSet<String> = jobs.map(|job| pascal(job.name) + "Function.Arn").collect();
    let template = parsed();
    let resources = template["Resources"].as_mapping().unwrap().values();
    let rules = resources.filter(|resource| resource["Type"] == "AWS::Events::Rule");
    let arn = |rule: &Value| match &rule["Properties"]["Targets"][0]["Arn"] {
        Value::Tagged(arn) => arn.value.as_str().unwrap().to_owned(),
        other => panic!("a rule's target is {other:?}"),
    };
    assert_eq!(rules.map(arn).collect::<BTreeSet<String>>(), targets);
}

/// Without it every call would be a 500.
#[test]
fn the_api_calls_every_function_of_a_route_by_a_role_of_its_own() {
    let template = Template::new();
    let paths = &template.properties("Api")["DefinitionBody"]["paths"];
    for endpoint in functions::endpoints() {
        let method = endpoint.method.as_str().to_lowercase();
        let calls = &paths[&endpoint.path][&method]["x-amazon-apigateway-integration"];
        let version = if SHIFTED.contains(&endpoint.name.as_str()) { "Aliaslive" } else { ".Arn" };
        let function = format!("/functions/${{{}Function{version}}}/invocations", pascal(&endpoint.name));
        assert!(calls["uri"]["Fn::Sub"].as_str().unwrap().ends_with(&function), "{calls}");
        assert_eq!(calls["credentials"], json!({ "Fn::GetAtt": "ApiRole.Arn" }), "{}", endpoint.name);
        assert_eq!((&calls["type"], &calls["payloadFormatVersion"]), (&json!("aws_proxy"), &json!("2.0")));
    }
    assert_eq!(template.routes().len(), functions::endpoints().len());
    let role = template.properties("ApiRole");
    let trusted = &role["AssumeRolePolicyDocument"]["Statement"];
    assert_eq!(trusted[0]["Principal"], json!({ "Service": "apigateway.amazonaws.com" }));
    let may = &role["Policies"][0]["PolicyDocument"]["Statement"];
    assert_eq!((trusted.as_array().unwrap().len(), may.as_array().unwrap().len()), (1, 1));
    assert_eq!(may[0]["Action"], json!(["lambda:InvokeFunction"]));
    let ours = "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:${AWS::StackName}-*";
    assert_eq!(may[0]["Resource"], json!({ "Fn::Sub": ours }));
}

/// A stack holds 500 resources. SAM adds to what is written: for a schedule a rule and a permission, for a queue its source, for what is shifted a version, an alias and a deployment group, for all of these
/// an application and its role, and the API's stage.
#[test]
fn one_stack_holds_it() {
    let written = parsed()["Resources"].as_mapping().unwrap().len();
    let of_a_job = |job: functions::Job| match job.trigger {
        Trigger::Queue(..) => 1,
        Trigger::Schedule(_) => 2,
        Trigger::Rule => 0,
    };
    let jobs: usize = functions::jobs().into_iter().map(of_a_job).sum();
    let resources = written + jobs + 3 * SHIFTED.len() + 2 + 1;
    assert!(resources < 480, "{resources} resources: a second stack is due");
}

#[test]
fn what_is_sent_to_is_read() {
    let read: BTreeSet<_> = queues().map(|(queue, _)| queue).collect();
    let endpoints = functions::endpoints().into_iter().map(|endpoint| (endpoint.name, endpoint.deployment));
    let jobs = functions::jobs().into_iter().map(|job| (job.name.to_owned(), job.deployment));
    for (name, deployment) in endpoints.chain(jobs) {
        for (_, resource) in deployment.grants.iter().flat_map(|grant| grant.actions()) {
            let nowhere = matches!(resource, Resource::Queue(queue) if !read.contains(&queue));
            assert!(!nowhere, "{name} sends to {resource:?}, which no job reads");
        }
    }
}

#[test]
fn an_alarm_is_rung_by_functions_of_the_table() {
    let endpoints = functions::endpoints().into_iter().map(|endpoint| endpoint.name);
    let names: BTreeSet<String> =
        endpoints.chain(functions::jobs().into_iter().map(|job| job.name.to_owned())).collect();
    for (function, _) in ALARMS.iter().flat_map(|alarm| alarm.rung_by) {
        assert!(names.contains(*function), "{function} is no function");
    }
}
