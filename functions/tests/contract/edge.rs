//! What stands between people and the functions: parameters, address, limits.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{
    resources::{Template, only_if},
    template::fits,
};

/// What has a default. Whatever else is a parameter, the operator has to say: no value would be safe for everybody.
const WITH_DEFAULT: &[&str] = &[
    "AccessTokenPublicKeys",
    "ApiBurst",
    "ApiRate",
    "ApprovalThreshold",
    "AutoSettle",
    "Backups",
    "BeaconBaseUrls",
    "BeaconChainInfo",
    "BooksItemsAtOnce",
    "BooksSegments",
    "BudgetPerDay",
    "CertificateArn",
    "CreditVerifiedCodes",
    "DarajaTransactionType",
    "DomainName",
    "Excise",
    "ExistingTableName",
    "FeePercent",
    "FloatLow",
    "FloatTakesIn",
    "FplBaseUrl",
    "FplRequestsPerSecond",
    "KeyArn",
    "LeaguesAtOnce",
    "LeaguesPerStep",
    "MailsAtOnce",
    "NextGameweekLeadHours",
    "PaymentsAtOnce",
    "PayoutCeiling",
    "Promotions",
    "PromptsAtOnce",
    "PublicOrigin",
    "PushServices",
    "ReceiptQuestionsPerMinute",
    "ReceiptSamplePercent",
    "ReleaseShift",
    "ReservedConcurrency",
    "ResultsAtOnce",
    "Safeguards",
    "SecretsVersion",
    "Tracing",
    "VoidAfterDays",
    "WebAclArn",
    "Withholding",
];

#[test]
fn what_has_no_safe_default_has_none() {
    let template = Template::new();
    let parameters = template.part("Parameters");
    let with_default: BTreeSet<&str> = parameters
        .iter()
        .filter(|(_, declared)| declared.get("Default").is_some())
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(with_default, WITH_DEFAULT.iter().copied().collect());
    assert_eq!(parameters["Safeguards"]["Default"], "full");
    assert_eq!(parameters["Promotions"]["Default"], "false", "the law may forbid them");
    for (name, declared) in parameters {
        assert!(!declared["Default"].as_str().unwrap_or_default().contains(".test"), "{name}");
        let is_bounded = ["AllowedPattern", "AllowedValues", "MinLength", "MinValue"]
            .iter()
            .any(|b| declared.get(b).is_some());
        assert!(is_bounded || declared.get("Default").is_some(), "{name} takes an empty text");
    }
}

/// Whoever may look at a function reads its settings.
#[test]
fn no_secret_is_in_the_functions_settings() {
    let template = Template::new();
    let secrets = template.part("Parameters").iter().filter(|(_, declared)| declared["NoEcho"] == true);
    let secrets: Vec<&str> = secrets.map(|(name, _)| &**name).collect();
    assert_eq!(secrets, ["EdgeSecret"]);
    let settings = template.globals()["Environment"].to_string();
    for reference in ["\"EdgeSecret\"", "${EdgeSecret}", "{{resolve:"] {
        assert!(!settings.contains(reference), "{reference} in {settings}");
    }
}

#[test]
fn the_sandboxes_numbers_are_refused_for_production() {
    let template = Template::new();
    let rule = &template.part("Rules")["SandboxNumbers"];
    assert_eq!(
        rule["RuleCondition"],
        json!({ "Fn::Equals": [{ "Ref": "DarajaBaseUrl" }, "https://api.safaricom.co.ke"] })
    );
    let refused: BTreeSet<String> =
        rule["Assertions"].as_array().unwrap().iter().map(|a| a["Assert"].to_string()).collect();
    let not = |name: &str, number: &str| {
        json!({ "Fn::Not": [{ "Fn::Equals": [{ "Ref": name }, number] }] }).to_string()
    };
    let expected = [
        ("DarajaShortcode", "174379"),
        ("DarajaPartyB", "174379"),
        ("PaybillNumber", "174379"),
        ("B2cShortcode", "600992"),
    ];
    assert_eq!(refused, expected.map(|(name, number)| not(name, number)).into());
}

/// Without either of the two the functions have no address, and no default of one.
#[test]
fn the_public_origin_is_the_domain_or_what_is_said_and_https() {
    let template = Template::new();
    let said = only_if("HasOrigin", json!({ "Ref": "PublicOrigin" }));
    let expected = json!({ "Fn::If": ["HasDomain", { "Fn::Sub": "https://${DomainName}" }, said] });
    assert_eq!(template.globals()["Environment"]["Variables"]["PUBLIC_ORIGIN"], expected);
    assert_eq!(template.part("Parameters")["PublicOrigin"]["AllowedPattern"], "https://[^/]+|");
    let (empty, given) =
        (|name: &str| json!({ "Fn::Equals": [{ "Ref": name }, ""] }), |is: Value| json!({ "Fn::Not": [is] }));
    assert_eq!(template.part("Conditions")["HasDomain"], given(empty("DomainName")));
    assert_eq!(template.part("Conditions")["HasOrigin"], given(empty("PublicOrigin")));
    let both_or_neither = json!({ "Fn::Or": [
        { "Fn::And": [empty("DomainName"), empty("CertificateArn")] },
        { "Fn::And": [given(empty("DomainName")), given(empty("CertificateArn"))] },
    ] });
    assert_eq!(template.part("Rules")["DomainAndCertificate"]["Assertions"][0]["Assert"], both_or_neither);
}

#[test]
fn the_distribution_speaks_tls_12_under_the_domain_and_nothing_unencrypted() {
    let template = Template::new();
    let distribution = &template.properties("Distribution")["DistributionConfig"];
    assert_eq!(distribution["Aliases"], only_if("HasDomain", json!([{ "Ref": "DomainName" }])));
    let own = json!({
        "AcmCertificateArn": { "Ref": "CertificateArn" },
        "SslSupportMethod": "sni-only",
        "MinimumProtocolVersion": "TLSv1.2_2021",
    });
    assert_eq!(
        distribution["ViewerCertificate"],
        json!({ "Fn::If": ["HasDomain", own, { "CloudFrontDefaultCertificate": true }] })
    );
    assert_eq!(distribution["HttpVersion"], "http2and3");
    assert_eq!(distribution["WebACLId"], only_if("HasWebAcl", json!({ "Ref": "WebAclArn" })));
    assert_eq!(distribution["DefaultCacheBehavior"]["ViewerProtocolPolicy"], "redirect-to-https");
    assert_eq!(distribution["DefaultCacheBehavior"]["Compress"], true);
    let behaviors = distribution["CacheBehaviors"].as_array().unwrap();
    assert!(!behaviors.is_empty());
    let patterns: BTreeSet<&str> = behaviors.iter().filter_map(|b| b["PathPattern"].as_str()).collect();
    assert_eq!(patterns.len(), behaviors.len(), "CloudFront refuses a pattern that comes twice");
    for behavior in behaviors {
        assert_eq!(behavior["ViewerProtocolPolicy"], "https-only", "{behavior}");
        assert_eq!(behavior["TargetOriginId"], "api", "{behavior}");
    }
    for behavior in behaviors.iter().chain([&distribution["DefaultCacheBehavior"]]) {
        assert_eq!(behavior["ResponseHeadersPolicyId"], json!({ "Ref": "SecurityHeaders" }), "{behavior}");
    }
    let web =
        distribution["Origins"].as_array().unwrap().iter().find(|origin| origin["Id"] == "web").unwrap();
    assert_eq!(web["S3OriginConfig"], json!({ "OriginAccessIdentity": "" }));
}

/// What anybody may be shown from a cache: no more may become public by a mistake.
const PUBLIC: &[&str] = &[
    "/api/gameweek/status",
    "/api/gameweeks",
    "/api/gameweeks/{n}/draw",
    "/api/leagues",
    "/api/leagues/{id}/settlement",
    "/api/points/{fplId}",
    "/api/settings",
    "/api/trust",
    "/current-gameweek",
];

/// The path of the first behavior that the distribution takes for `path`, with its cache policy.
fn behavior_of<'a>(behaviors: &'a [Value], path: &str) -> &'a Value {
    let fitting = |behavior: &&Value| fits(behavior["PathPattern"].as_str().unwrap(), path);
    behaviors.iter().find(fitting).unwrap_or_else(|| panic!("{path} goes to the web app"))
}

#[test]
fn the_edge_keeps_public_answers_and_no_others() {
    let template = Template::new();
    let behaviors = template.properties("Distribution")["DistributionConfig"]["CacheBehaviors"].clone();
    let behaviors = behaviors.as_array().unwrap();
    let off = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
    let mut kept = BTreeSet::new();
    for endpoint in functions::endpoints() {
        // With whatever stands for a parameter, a slash too.
        for part in ["118670", "2026-01-50-00001", "a/b"] {
            let segments = endpoint.path.split('/').map(|s| if s.starts_with('{') { part } else { s });
            let behavior = behavior_of(behaviors, &segments.collect::<Vec<_>>().join("/"));
            let is_kept = behavior["CachePolicyId"] == json!({ "Ref": "PublicAnswers" });
            assert_eq!(is_kept, endpoint.is_public, "{} {}", endpoint.method, endpoint.path);
            assert!(is_kept || behavior["CachePolicyId"] == off, "{behavior}");
            // A caller's headers reach what is not kept, and nothing that is.
            assert_eq!(behavior["OriginRequestPolicyId"].is_null(), is_kept, "{behavior}");
        }
        if endpoint.is_public {
            assert_eq!(endpoint.method, "GET");
            kept.insert(endpoint.path.clone());
        }
    }
    assert_eq!(kept.iter().collect::<Vec<_>>(), PUBLIC);
}

/// CloudFront keeps these for ten seconds if it is told nothing, though the answer is not to be stored.
#[test]
fn a_failure_is_its_callers_alone() {
    let template = Template::new();
    let told = &template.properties("Distribution")["DistributionConfig"]["CustomErrorResponses"];
    let never = [500, 502, 503, 504].map(|code| json!({"ErrorCode": code, "ErrorCachingMinTTL": 0}));
    assert_eq!(*told, json!(never));
}

#[test]
fn what_is_kept_is_told_apart_by_what_is_asked_for_alone() {
    let template = Template::new();
    let policy = &template.properties("PublicAnswers")["CachePolicyConfig"];
    assert_eq!(policy["MinTTL"], 0, "an answer that is not to be kept is not");
    let key = &policy["ParametersInCacheKeyAndForwardedToOrigin"];
    assert_eq!(key["CookiesConfig"], json!({ "CookieBehavior": "none" }));
    assert_eq!(key["HeadersConfig"], json!({ "HeaderBehavior": "none" }));
    let document = serde_json::to_value(functions::document()).unwrap();
    let asked =
        |path: &&str| document["paths"][*path]["get"]["parameters"].as_array().cloned().unwrap_or_default();
    let asked = PUBLIC.iter().flat_map(asked).filter(|parameter| parameter["in"] == "query");
    let asked: BTreeSet<String> =
        asked.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect();
    let expected = json!({ "QueryStringBehavior": "whitelist", "QueryStrings": asked });
    assert_eq!(key["QueryStringsConfig"], expected);
}

/// What one account has once for all regions: two stacks of one name must not meet.
#[test]
fn names_of_the_whole_account_carry_the_region() {
    let template = Template::new();
    let names = [
        &template.properties("WebAccess")["OriginAccessControlConfig"]["Name"],
        &template.properties("WebRewrite")["Name"],
        &template.properties("ViewerAddress")["Name"],
        &template.properties("SecurityHeaders")["ResponseHeadersPolicyConfig"]["Name"],
        &template.properties("PublicAnswers")["CachePolicyConfig"]["Name"],
        &template.properties("Dashboard")["DashboardName"],
        &template.properties("DailyBudget")["Budget"]["BudgetName"],
    ];
    for name in names {
        assert!(name["Fn::Sub"].as_str().unwrap().starts_with("${AWS::StackName}-${AWS::Region}"), "{name}");
    }
    let of_cloudfront = ["CachePolicy", "OriginAccessControl", "Function", "ResponseHeadersPolicy"];
    let of_cloudfront = of_cloudfront.map(|kind| format!("AWS::CloudFront::{kind}"));
    assert_eq!(of_cloudfront.iter().map(|kind| template.of_type(kind).count()).sum::<usize>(), 5);
}

#[test]
fn calls_are_limited_on_the_stage_and_by_route() {
    let template = Template::new();
    let api = template.properties("Api");
    let default =
        json!({ "ThrottlingRateLimit": { "Ref": "ApiRate" }, "ThrottlingBurstLimit": { "Ref": "ApiBurst" } });
    assert_eq!(api["DefaultRouteSettings"], default);
    assert_eq!(template.globals()["Environment"]["Variables"]["LIMITS"], "all", "our own limits too");
    let routes = api["RouteSettings"].as_object().unwrap();
    let of_the_table: BTreeSet<String> =
        functions::endpoints().iter().map(|e| format!("{} {}", e.method, e.path)).collect();
    for (route, settings) in routes {
        assert!(of_the_table.contains(route), "{route} is no route");
        assert!(
            settings["ThrottlingRateLimit"].as_u64() > Some(0)
                && settings["ThrottlingBurstLimit"].as_u64() > Some(0)
        );
    }
    // What hashes a password or asks M-Pesa has less; what M-Pesa calls has its own.
    for route in
        ["signup", "login", "forgot-password", "reset-password/{token}", "pay", "deposits", "join-league"]
    {
        assert!(routes.contains_key(&format!("POST /api/{route}")), "{route}");
    }
    let hooks: Vec<&String> = of_the_table.iter().filter(|route| route.starts_with("POST /hooks/")).collect();
    assert_eq!(hooks.len(), 5);
    assert!(hooks.iter().all(|hook| routes.contains_key(*hook)), "a hook shares its limit with players");
}

/// The route and never the path, no address, no agent: nothing of who called.
#[test]
fn the_access_log_is_about_nobody() {
    let template = Template::new();
    let format = template.properties("Api")["AccessLogSettings"]["Format"].as_str().unwrap();
    let format: Value = serde_json::from_str(format).unwrap();
    assert_eq!(
        format,
        json!({
            "request": "$context.requestId",
            "route": "$context.routeKey",
            "status": "$context.status",
            "ms": "$context.responseLatency",
        })
    );
    assert!(template.properties("Distribution")["DistributionConfig"]["Logging"].is_null());
}

/// A crowd of readers leaves to money what is kept for it.
#[test]
fn executions_can_be_kept_for_callbacks_and_money() {
    let template = Template::new();
    let kept = only_if("ReservesConcurrency", json!({ "Ref": "ReservedConcurrency" }));
    let bounded = only_if("BoundsPrompts", json!({ "Ref": "PromptsAtOnce" }));
    let functions = template.of_type("AWS::Serverless::Function");
    let with = functions.filter(|(_, properties)| !properties["ReservedConcurrentExecutions"].is_null());
    // Where M-Pesa is slow, prompts do not take the executions of all other calls.
    let (prompting, with): (Vec<_>, Vec<_>) =
        with.partition(|(_, properties)| properties["ReservedConcurrentExecutions"] == bounded);
    let prompting: BTreeSet<&str> = prompting.iter().filter_map(|(_, p)| p["Handler"].as_str()).collect();
    assert_eq!(prompting, ["start-deposit", "start-entry-payment"].into());
    let with: BTreeSet<&str> = with
        .into_iter()
        .map(|(_, properties)| {
            assert_eq!(properties["ReservedConcurrentExecutions"], kept);
            // What a queue may start at once is not more than the least that is kept, unless a stage says so: `make check`
            // looks at both.
            let at_once = &properties["Events"]["Queue"]["Properties"]["ScalingConfig"]["MaximumConcurrency"];
            let at_once = match at_once["Ref"].as_str() {
                Some(parameter) => &template.part("Parameters")[parameter]["Default"],
                None => at_once,
            };
            assert!(at_once.as_u64() <= Some(5));
            properties["Handler"].as_str().unwrap()
        })
        .collect();
    let expected = [
        "close-gameweek",
        "receive-paybill-confirmation",
        "receive-payout-result",
        "receive-payout-timeout",
        "receive-status-result",
        "receive-stk-callback",
        "settle-gameweek",
        "settle-league",
        "settle-payment",
        "sweep-entries",
        "sync-gameweek",
        "take-result",
    ];
    assert_eq!(with, expected.into());
    assert_eq!(
        template.part("Parameters")["ReservedConcurrency"]["AllowedValues"],
        json!([0, 5, 10, 20, 50])
    );
}
