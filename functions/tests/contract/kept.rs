//! What is kept, and how it comes back: the table, its copies, its key; events that failed; releases.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{
    resources::{Template, only_if},
    template::{SHIFTED, URGENT, pascal},
};

#[test]
fn the_table_outlives_mistakes() {
    let template = Template::new();
    let table = template.resource("Table");
    assert_eq!(table["DeletionPolicy"], "Retain");
    assert_eq!(table["UpdateReplacePolicy"], "Retain");
    let properties = &table["Properties"];
    assert_eq!(properties["DeletionProtectionEnabled"], true);
    assert_eq!(properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], true);
    let encrypted = json!({
        "SSEEnabled": true,
        "SSEType": only_if("HasKey", json!("KMS")),
        "KMSMasterKeyId": only_if("HasKey", json!({ "Ref": "KeyArn" })),
    });
    assert_eq!(properties["SSESpecification"], encrypted);
}

/// A restored table is wired in by its name: roles, environment and backups follow.
#[test]
fn another_table_can_take_the_place_of_the_stacks_own() {
    let template = Template::new();
    let in_use = json!({ "Fn::If": ["HasOwnTable", { "Ref": "Table" }, { "Ref": "ExistingTableName" }] });
    assert_eq!(template.resource("Table")["Condition"], "HasOwnTable");
    let own = json!({ "Fn::Equals": [{ "Ref": "ExistingTableName" }, ""] });
    assert_eq!(template.part("Conditions")["HasOwnTable"], own);
    assert_eq!(template.globals()["Environment"]["Variables"]["TABLE_NAME"], in_use);
    assert_eq!(template.properties("TableInUse")["Value"], in_use);
    let arn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableInUse.Value}";
    assert_eq!(
        template.properties("BackupSelection")["BackupSelection"]["Resources"],
        json!([{ "Fn::Sub": arn }])
    );
    // Nothing beside these two names the stack's own table.
    let text = json!(template.part("Resources")).to_string();
    assert_eq!(text.matches(r#"{"Ref":"Table"}"#).count(), 1);
    assert_eq!(text.matches("Table.Arn").count(), 0);
    assert!(text.matches(arn).count() > 80);
}

#[test]
fn copies_of_a_year_are_a_switch() {
    let template = Template::new();
    for id in ["BackupVault", "BackupPlan", "BackupRole", "BackupSelection"] {
        assert_eq!(template.resource(id)["Condition"], "HasBackups", "{id}");
    }
    assert_eq!(template.resource("BackupVault")["DeletionPolicy"], "Retain");
    // The vault stays when its stack goes: the next stack of that name makes one of another name. AWS takes 50 characters, and
    // a stack's name has 25 at the most (infra/deploy/stage.py), the end of its id twelve.
    let id = json!({ "Fn::Select": [2, { "Fn::Split": ["/", { "Ref": "AWS::StackId" }] }] });
    let end = json!({ "Fn::Select": [4, { "Fn::Split": ["-", id] }] });
    assert_eq!(
        template.properties("BackupVault")["BackupVaultName"],
        json!({ "Fn::Join": ["-", [{ "Ref": "AWS::StackName" }, end]] })
    );
    let rule = &template.properties("BackupPlan")["BackupPlan"]["BackupPlanRule"][0];
    assert_eq!(rule["Lifecycle"], json!({ "DeleteAfterDays": 366 }));
    assert_eq!(rule["TargetBackupVault"], json!({ "Ref": "BackupVault" }));
}

/// Functions may use the customer's key where there is one, and only by way of the table and the secrets.
#[test]
fn a_customers_key_is_used_by_every_function_and_for_nothing_else() {
    let template = Template::new();
    assert_eq!(template.resource("UseKey")["Condition"], "HasKey");
    let roles: Vec<_> =
        template.of_type("AWS::Serverless::Function").map(|(id, _)| id.replace("Function", "Role")).collect();
    for policy in ["UseKey", "SendTraces"] {
        let attached = template.properties(policy)["Roles"].as_array().unwrap();
        let attached: BTreeSet<_> = attached.iter().map(|role| role["Ref"].as_str().unwrap()).collect();
        assert_eq!(attached, roles.iter().map(String::as_str).collect(), "{policy}");
    }
    let statements = template.properties("UseKey")["PolicyDocument"]["Statement"].as_array().unwrap();
    let via = ["dynamodb", "ssm"].map(|service| format!("{service}.${{AWS::Region}}.amazonaws.com"));
    assert_eq!(statements.len(), via.len());
    for (statement, via) in statements.iter().zip(via) {
        assert_eq!(statement["Resource"], json!({ "Ref": "KeyArn" }));
        assert_eq!(
            statement["Condition"],
            json!({ "StringEquals": { "kms:ViaService": { "Fn::Sub": via } } })
        );
        let actions = statement["Action"].as_array().unwrap();
        assert!(actions.iter().all(|action| action != "kms:*" && action != "kms:CreateGrant"), "{statement}");
    }
}

#[test]
fn an_event_that_a_job_failed_at_is_kept_where_somebody_sees_it() {
    let template = Template::new();
    let to = json!({ "Fn::GetAtt": "JobDeadLetters.Arn" });
    let mut started = 0;
    let routes = template.routes();
    for (id, function) in template.of_type("AWS::Serverless::Function") {
        if routes.contains_key(id) || function["Events"]["Queue"].is_object() {
            assert!(function["DeadLetterQueue"].is_null(), "{id}");
            continue;
        }
        started += 1;
        assert_eq!(function["DeadLetterQueue"], json!({ "Type": "SQS", "TargetArn": to }), "{id}");
        let role = template.properties(&id.replace("Function", "Role"))["Policies"].to_string();
        assert!(
            role.contains(r#""Action":["sqs:SendMessage"]"#) && role.contains("JobDeadLetters.Arn"),
            "{id}"
        );
        let event = match &function["Events"]["Schedule"]["Properties"] {
            schedule if schedule.is_object() => schedule,
            _ => &template.properties("DeadlineFenceRule")["Targets"][0],
        };
        assert_eq!(event["DeadLetterConfig"], json!({ "Arn": to }), "{id}");
    }
    assert_eq!(started, 9);
    let policy = &template.properties("JobDeadLettersPolicy")["PolicyDocument"]["Statement"];
    assert_eq!(policy[0]["Principal"], json!({ "Service": "events.amazonaws.com" }));
    assert_eq!(
        policy[0]["Condition"],
        json!({ "StringEquals": { "aws:SourceAccount": { "Ref": "AWS::AccountId" } } })
    );
}

/// Pay, join, callbacks, settling: step by step, and back where an alarm rings.
#[test]
fn a_new_version_of_what_moves_money_takes_over_step_by_step() {
    let template = Template::new();
    let functions = template.of_type("AWS::Serverless::Function");
    let shifted: BTreeSet<&str> = functions
        .filter(|(_, function)| !function["AutoPublishAlias"].is_null())
        .map(|(id, function)| {
            assert_eq!(function["AutoPublishAlias"], "live", "{id}");
            // A version is its settings too: a table that is wired in, a secret that was changed.
            assert_eq!(function["AutoPublishCodeSha256"], json!({ "Ref": "Release" }), "{id}");
            let preference = &function["DeploymentPreference"];
            assert_eq!(preference["Type"], json!({ "Ref": "ReleaseShift" }), "{id}");
            let alarms = json!([{ "Ref": "ApiErrorsAlarm" }, { "Ref": "FunctionErrorsAlarm" }, { "Ref": "PaymentsInDoubtAlarm" }]);
            // All at once has none: a release that rings could not be taken back.
            let alarms = json!({ "Fn::If": ["ShiftsReleases", alarms, []] });
            assert_eq!(preference["Alarms"], alarms, "{id}");
            function["Handler"].as_str().unwrap()
        })
        .collect();
    let expected =
        ["join-league", "receive-stk-callback", "settle-league", "settle-payment", "start-entry-payment"];
    assert_eq!(shifted, expected.into());
    assert_eq!(template.part("Parameters")["ReleaseShift"]["Default"], "AllAtOnce");
    let all_at_once = json!({ "Fn::Equals": [{ "Ref": "ReleaseShift" }, "AllAtOnce"] });
    assert_eq!(template.part("Conditions")["ShiftsReleases"], json!({ "Fn::Not": [all_at_once] }));
    // The API is made after the alias, which is made after these: none of them may name the API.
    for alarm in ["ApiErrorsAlarm", "FunctionErrorsAlarm", "PaymentsInDoubtAlarm"] {
        assert!(!template.resource(alarm).to_string().contains(r#"{"Ref":"Api"}"#), "{alarm}");
    }
}

/// At the first deployment without a domain the functions do not know their address: each run would fail.
#[test]
fn no_job_runs_before_the_address_is_known() {
    let template = Template::new();
    let mut schedules = 0;
    for (id, function) in template.of_type("AWS::Serverless::Function") {
        let schedule = &function["Events"]["Schedule"]["Properties"];
        if schedule.is_object() {
            schedules += 1;
            let state = json!({ "Fn::If": ["KnowsOrigin", "ENABLED", "DISABLED"] });
            assert_eq!(schedule["State"], state, "{id}");
        }
    }
    assert_eq!(schedules, 8);
    let known = json!({ "Fn::Or": [{ "Fn::Condition": "HasDomain" }, { "Fn::Condition": "HasOrigin" }] });
    assert_eq!(template.part("Conditions")["KnowsOrigin"], known);
}

#[test]
fn what_is_named_by_hand_is_a_function() {
    let template = Template::new();
    for name in URGENT.iter().chain(&SHIFTED) {
        template.resource(&format!("{}Function", pascal(name)));
    }
}
