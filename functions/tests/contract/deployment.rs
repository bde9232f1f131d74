//! What holds for the deployment whatever the table says.

use std::collections::BTreeSet;

use functions::platform::{
    alarms::ALARMS,
    deployment::{Resource, Trigger},
};
use yaml_serde::Value;

use crate::template::{SHIFTED, parsed, pascal, queues};

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

/// A stack holds 500 resources. SAM adds to what is written: for a route a permission, for a schedule a rule and a
/// permission, for a queue its source, for what is shifted a version, an alias and a deployment group, for all of these
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
    let resources = written + functions::endpoints().len() + jobs + 3 * SHIFTED.len() + 2 + 1;
    assert!(resources < 490, "{resources} resources: a second stack is due");
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
