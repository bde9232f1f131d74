//! What each function may do, read from the roles of `template.yaml` and held to lists that are written by hand: a
//! check that were made from the table would find nothing wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use yaml_serde::Value;

use crate::support::{
    functions::{Function, functions_of_the_template, text, tokens},
    template::pascal,
};

/// Every action that any function may have, and on what. The list may only shrink without a reason.
const GRANTS: &[(&str, &str)] = &[
    ("logs:CreateLogStream", "own log"),
    ("logs:PutLogEvents", "own log"),
    ("sqs:DeleteMessage", "own queue"),
    ("sqs:GetQueueAttributes", "own queue"),
    // How many messages wait: `get-backlog`.
    ("sqs:GetQueueAttributes", "queue"),
    ("sqs:GetQueueAttributes", "dead letters"),
    ("sqs:GetQueueAttributes", "failed events"),
    ("sqs:ReceiveMessage", "own queue"),
    ("sqs:SendMessage", "own queue"),
    ("sqs:SendMessage", "queue"),
    // Lambda's own, with the function's role: an event that failed three times.
    ("sqs:SendMessage", "failed events"),
    ("dynamodb:GetItem", "Table"),
    ("dynamodb:Query", "Table"),
    ("dynamodb:Query", "Table/lists"),
    ("dynamodb:Query", "Table/days"),
    ("dynamodb:BatchGetItem", "Table"),
    ("dynamodb:PutItem", "Table"),
    ("dynamodb:UpdateItem", "Table"),
    // What is personal of a closed account: `erase-accounts`, and nobody else (below).
    ("dynamodb:DeleteItem", "Table"),
    // Payouts are not paused; the account is not frozen; a receipt is not called reversed; what an act carries beside its record.
    ("dynamodb:ConditionCheckItem", "Table"),
    // The nightly reading of the books: `read-books`, and nobody else (below).
    ("dynamodb:Scan", "Table"),
    ("ssm:GetParameters", "parameter"),
    // Whether the fence's rule has to be put.
    ("events:DescribeRule", "rule"),
    ("events:PutRule", "rule"),
    // Under the condition that it comes from our own address.
    ("ses:SendEmail", "identity"),
];

/// What each function may do beside its own log, its own queue and the secrets below: of the table `get`, `batch` (many
/// by their keys), `query`, `scan`, `put`, `update`, `delete` and `check` (a write stands on what is there), of its indexes `lists`
/// and `days`; `>Mails` is to send to the queue; `session` is the key that judges tokens, `mpesa` M-Pesa's key and secret,
/// `certificate` M-Pesa's, `rule` the fence's time, `mail` to send mails.
const FUNCTIONS: &[(&str, &str)] = &[
    ("sign-up", "get put"),
    ("log-in", "get put update"),
    ("log-out", "get put update"),
    ("refresh", "get put update"),
    ("forgot-password", "get put >Mails"),
    ("reset-password", "get put update"),
    ("get-user", "session get put update"),
    ("get-limits", "session get query"),
    ("set-limits", "session get query update"),
    ("start-exclusion", "session get batch query put update >Mails"),
    ("accept-terms", "session get update"),
    ("get-notifications", "session get"),
    ("set-notifications", "session get put"),
    ("stop-mails", "get put"),
    ("add-push-subscription", "session get put"),
    ("remove-push-subscription", "session get put"),
    ("get-own-data", "session get batch query lists put"),
    ("list-sessions", "session get query"),
    ("end-session", "session get query put update"),
    ("close-account", "session get batch query put update check >Mails"),
    ("open-case", "session get query put update"),
    ("list-cases", "session get query"),
    ("get-case", "session get query"),
    ("write-to-case", "session get query put update >Mails"),
    ("list-open-cases", "session get lists"),
    ("get-totp", "session get"),
    ("start-totp", "session get put"),
    ("confirm-totp", "session get put update >Mails"),
    ("remove-totp", "session get put update >Mails"),
    ("renew-recovery-codes", "session get put update >Mails"),
    ("step-up", "session get put update"),
    ("link-team", "session get batch query put update"),
    ("get-team-proof", "session get"),
    ("start-team-proof", "session get put"),
    ("check-team-proof", "session get batch query put update >Mails"),
    ("start-deposit", "session get put update mpesa >Payments"),
    ("get-deposit-status", "session get"),
    ("list-payments", "session get batch query"),
    ("submit-manual-payment", "session get put >Results"),
    ("list-manual-payments", "session get batch query lists"),
    (
        "confirm-manual-payment",
        "session get batch query lists put update check mpesa certificate >Mails >Payments",
    ),
    ("reject-manual-payment", "session get put update check >Mails"),
    ("list-set-asides", "session get batch lists"),
    ("get-set-aside", "session get batch query"),
    (
        "decide-set-aside",
        "session get batch query lists put update check mpesa certificate >Mails >Payments >Results",
    ),
    ("release-number", "session get put query update batch check"),
    ("receive-stk-callback", "get update >Payments"),
    ("receive-paybill-confirmation", "get >Results"),
    ("list-withdrawals", "session get batch query lists"),
    ("request-withdrawal", "session get batch query put update >Mails"),
    ("update-withdrawal", "session get put update check >Mails"),
    ("pay-withdrawal", "session get put update check mpesa certificate >Mails >Results"),
    ("get-cancellation", "get"),
    ("cancel-withdrawal", "get put update >Mails"),
    ("receive-payout-result", ">Results"),
    ("receive-payout-timeout", ">Results"),
    ("receive-status-result", ">Results"),
    ("list-gameweeks", "get"),
    ("get-current-gameweek", "get"),
    ("get-gameweek-status", "get batch query"),
    ("toggle-deduction", "session get put update check >Mails"),
    ("list-owed-gameweeks", "session get query"),
    ("preview-void", "session get batch query"),
    ("void-gameweek", "session get batch query put update check >Mails >Winners"),
    ("list-entries", "session get batch query"),
    ("start-entry-payment", "session get put update mpesa >Payments"),
    ("get-entry-payment-status", "session get"),
    ("join-league", "session get put update"),
    ("list-leagues", "get batch query"),
    ("get-own-league", "session get batch query"),
    ("get-points", "get batch"),
    ("get-draw", "get"),
    ("get-settlement", "get"),
    ("process-winners", "session get query put update >Winners"),
    ("preview-winners", "session get query"),
    ("list-waiting-leagues", "session get query"),
    ("decide-league", "session get put update check >Leagues >Teams"),
    ("get-wallet", "session get"),
    ("get-statement", "session get query"),
    ("list-transactions", "session get query"),
    ("get-books", "session get batch query lists"),
    ("get-trust", "get"),
    ("get-proof", "session get"),
    ("correct-wallet", "session get batch query put update check >Mails"),
    ("create-influencer", "session get put"),
    ("follow-referral", "session get update"),
    ("list-influencers", "session get query"),
    ("get-invitation", "session get query put"),
    ("search-players", "session get batch lists"),
    ("get-player", "session get batch query lists"),
    ("update-player", "session get batch query put update check >Mails"),
    ("list-audit", "session get query"),
    ("list-approvals", "session get lists"),
    (
        "decide-approval",
        "session get batch query lists put update check mpesa certificate >Mails >Payments >Results >Winners",
    ),
    ("export-table", "session get batch days"),
    ("get-switches", "session get"),
    ("set-switches", "session get put update check >Mails"),
    ("get-settings", ""),
    ("get-backlog", "session get counts"),
    ("get-health", "get"),
    ("settle-payment", "get batch query put update check mpesa >Mails >Payments"),
    (
        "take-result",
        "get batch query lists days put update check mpesa certificate >Mails >Payments >Results",
    ),
    ("sweep-entries", "get query put update >Mails >Sweeps"),
    ("settle-gameweek", "get batch query lists put update >Leagues >Mails >Pushes >Sweeps >Teams >Winners"),
    ("settle-league", "get lists put update >Mails >Pushes >Winners"),
    ("collect-teams", "get query put update >Leagues >Teams"),
    ("read-books", "get query scan put update >Books"),
    ("send-mail", "get lists put update mail >Mails >Pushes"),
    ("send-push", "get batch query lists put update >Mails >Pushes"),
    ("sync-gameweek", "get batch query lists put update rule >Mails >Pushes >Sweeps >Teams >Winners"),
    ("track-points", "get batch query put update"),
    ("close-gameweek", "get batch query lists put update >Mails >Pushes >Sweeps >Teams"),
    ("remind-of-payments", "get query lists >Books >Payments >Results"),
    ("register-paybill", "get put update mpesa"),
    ("check-receipts", "get put >Results"),
    ("ask-for-balance", "get update mpesa certificate"),
    ("erase-accounts", "get batch query lists update delete >Mails"),
    ("reconcile", "get put >Books"),
];

/// Who may read what is worth stealing.
const READERS: &[(&str, &[&str])] = &[
    ("access-token-key", &["log-in", "refresh"]),
    ("refresh-key", &["refresh"]),
    // Who closes an account with a second factor gives a code.
    (
        "totp-key",
        &[
            "close-account",
            "confirm-totp",
            "log-in",
            "remove-totp",
            "renew-recovery-codes",
            "start-exclusion",
            "start-totp",
            "step-up",
        ],
    ),
    // Hashes emails: who meets one.
    (
        "security-log-key",
        &[
            "forgot-password",
            "log-in",
            "release-number",
            "settle-payment",
            "sign-up",
            "start-deposit",
            "start-entry-payment",
        ],
    ),
    ("draw-key", &["close-gameweek", "settle-gameweek", "sync-gameweek"]),
    // What signs pushes: who hands them over. Its public half is for browsers.
    ("push-key", &["send-push"]),
    ("push-public-key", &["get-notifications", "set-notifications"]),
    ("unsubscribe-key", &["send-mail", "stop-mails"]),
    ("daraja-passkey", &["settle-payment", "start-deposit", "start-entry-payment"]),
    // Money out: who pays, and nobody else. Who only asks has another operator's.
    ("b2c-initiator-password", &["decide-approval", "pay-withdrawal"]),
    (
        "query-initiator-password",
        &["ask-for-balance", "confirm-manual-payment", "decide-approval", "decide-set-aside", "take-result"],
    ),
    (
        "hook-keys",
        &[
            "ask-for-balance",
            "confirm-manual-payment",
            "decide-approval",
            "decide-set-aside",
            "pay-withdrawal",
            "receive-paybill-confirmation",
            "receive-payout-result",
            "receive-payout-timeout",
            "receive-status-result",
            "receive-stk-callback",
            "register-paybill",
            "start-deposit",
            "start-entry-payment",
            "take-result",
        ],
    ),
];

/// What no function may that somebody can call without a token.
const NEVER_PUBLIC: &[(&str, &str)] = &[
    ("dynamodb:Scan", ""),
    ("dynamodb:DeleteItem", ""),
    ("dynamodb:Query", "/index/"),
    ("events:", ""),
    ("ses:", ""),
    ("sqs:SendMessage", "SweepsQueue"),
    ("sqs:SendMessage", "WinnersQueue"),
    ("sqs:SendMessage", "LeaguesQueue"),
    ("sqs:SendMessage", "TeamsQueue"),
    ("sqs:SendMessage", "BooksQueue"),
    ("sqs:SendMessage", "PushesQueue"),
    ("ssm:GetParameters", "/push-key"),
    ("ssm:GetParameters", "/daraja-"),
    ("ssm:GetParameters", "-initiator-password"),
    ("ssm:GetParameters", "/draw-key"),
];

#[test]
fn no_function_may_do_more_than_the_list_says() {
    for function in functions_of_the_template() {
        for (action, resource) in function.grants() {
            let grant = (action, function.kind_of(resource));
            assert!(GRANTS.contains(&grant), "{}: {grant:?} is not on the list", function.name);
        }
    }
}

/// In the words of the list; what every function has, and secrets that are on the list of readers, has none.
fn words(function: &Function) -> BTreeSet<String> {
    let word = |(action, on): (&str, &str)| {
        let word = match (action, function.kind_of(on)) {
            ("dynamodb:GetItem", _) => "get",
            ("dynamodb:BatchGetItem", _) => "batch",
            ("dynamodb:Query", "Table") => "query",
            ("dynamodb:Query", "Table/lists") => "lists",
            ("dynamodb:Query", "Table/days") => "days",
            ("dynamodb:Scan", _) => "scan",
            ("dynamodb:PutItem", _) => "put",
            ("dynamodb:UpdateItem", _) => "update",
            ("dynamodb:DeleteItem", _) => "delete",
            ("dynamodb:ConditionCheckItem", _) => "check",
            ("sqs:SendMessage", "failed events") => return None,
            ("sqs:SendMessage", _) => return Some(format!(">{}", on.trim_end_matches("Queue.Arn"))),
            ("sqs:GetQueueAttributes", "queue" | "dead letters" | "failed events") => "counts",
            ("events:DescribeRule" | "events:PutRule", _) => "rule",
            ("ses:SendEmail", _) => "mail",
            ("ssm:GetParameters", _) => match on.rsplit('/').next().unwrap() {
                "access-token-public-key" => "session",
                "daraja-consumer-key" | "daraja-consumer-secret" => "mpesa",
                "daraja-certificate" => "certificate",
                other if READERS.iter().any(|(secret, _)| *secret == other) => return None,
                other => panic!("{}: the secret {other} is on no list", function.name),
            },
            ("logs:CreateLogStream" | "logs:PutLogEvents", "own log") => return None,
            (action, "own queue") if action != "sqs:SendMessage" => return None,
            other => panic!("{}: {other:?} has no word", function.name),
        };
        Some(word.to_owned())
    };
    function.grants().into_iter().filter_map(word).collect()
}

#[test]
fn each_function_may_do_what_its_line_says() {
    let line = |(name, words): &(&str, &str)| {
        ((*name).to_owned(), words.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>())
    };
    let lines: BTreeMap<String, BTreeSet<String>> = FUNCTIONS.iter().map(line).collect();
    let functions = functions_of_the_template();
    let granted = functions.iter().map(|function| (function.name.clone(), words(function)));
    let others = granted.filter(|(name, words)| lines.get(name) != Some(words));
    assert_eq!(others.collect::<Vec<_>>(), [], "these have no such line");
    assert_eq!(functions.len(), FUNCTIONS.len());
}

/// With a role that is written out SAM adds nothing to what it may.
#[test]
fn each_function_has_a_role_of_its_own_and_nothing_beside_it() {
    for Function { name, properties, role } in functions_of_the_template() {
        assert_eq!(text(&properties["Role"]), format!("{}Role.Arn", pascal(&name)));
        assert!(properties["Policies"].is_null() && role["ManagedPolicyArns"].is_null(), "{name}");
        let trust = &role["AssumeRolePolicyDocument"]["Statement"];
        assert_eq!(trust.as_sequence().unwrap().len(), 1, "{name}");
        assert_eq!(trust[0]["Principal"]["Service"], Value::from("lambda.amazonaws.com"), "{name}");
        assert!(properties["Environment"].is_null(), "{name}: settings are the same for all");
    }
}

#[test]
fn mails_are_sent_from_our_own_address_alone() {
    for function in functions_of_the_template() {
        for statement in function.statements() {
            let mails =
                statement["Action"].as_sequence().unwrap().iter().any(|a| text(a).starts_with("ses:"));
            let from = text(&statement["Condition"]["StringEquals"]["ses:FromAddress"]);
            assert_eq!(mails, from == "MailFrom", "{}", function.name);
        }
    }
}

/// Whoever sends a token is asked whether the session stands: by everything that reads one.
#[test]
fn what_reads_a_token_reads_the_session() {
    let tokens = tokens();
    for function in functions_of_the_template() {
        let reads =
            |(action, on): &(&str, &str)| *action == "dynamodb:GetItem" && function.kind_of(on) == "Table";
        let reads = function.grants().iter().any(reads);
        let takes_one = tokens.get(&function.name).is_some_and(Option::is_some);
        assert!(reads || !takes_one, "{} cannot read the session", function.name);
    }
}

#[test]
fn what_anybody_may_call_holds_nothing_of_the_operators() {
    let tokens = tokens();
    let public = |name: &String| tokens.get(name).is_some_and(|token| *token != Some(true));
    let functions: Vec<Function> =
        functions_of_the_template().into_iter().filter(|function| public(&function.name)).collect();
    assert!(functions.len() > 20, "{}", functions.len());
    for function in functions {
        for (action, resource) in function.grants() {
            let never = |(a, r): &(&str, &str)| action.starts_with(a) && resource.contains(r);
            assert!(!NEVER_PUBLIC.iter().any(never), "{}: {action} on {resource}", function.name);
        }
    }
}

#[test]
fn only_the_reading_of_the_books_scans() {
    let functions = functions_of_the_template();
    let scans = |function: &&Function| function.grants().iter().any(|(action, _)| *action == "dynamodb:Scan");
    let scanning: Vec<&str> = functions.iter().filter(scans).map(|function| function.name.as_str()).collect();
    assert_eq!(scanning, ["read-books"]);
}

#[test]
fn only_the_erasure_of_closed_accounts_deletes() {
    let functions = functions_of_the_template();
    let deletes = |function: &&Function| {
        function
            .grants()
            .iter()
            .any(|(action, _)| action.starts_with("dynamodb:Delete") || *action == "dynamodb:BatchWriteItem")
    };
    let deleting: Vec<&str> =
        functions.iter().filter(deletes).map(|function| function.name.as_str()).collect();
    assert_eq!(deleting, ["erase-accounts"]);
}

#[test]
fn only_these_functions_read_these_secrets() {
    let functions = functions_of_the_template();
    for (secret, readers) in READERS {
        let suffix = format!("/{secret}");
        let reads = |function: &&Function| function.grants().iter().any(|(_, on)| on.ends_with(&suffix));
        let reading: BTreeSet<&str> = functions.iter().filter(reads).map(|f| f.name.as_str()).collect();
        assert_eq!(reading, readers.iter().copied().collect(), "{secret}");
    }
}
