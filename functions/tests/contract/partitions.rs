//! Which partitions of the table functions keep to, all that anybody may call among them, and who changes what a wallet
//! holds: read from the roles of `template.yaml`, and held to lists that are written by hand.

use std::collections::BTreeSet;

use functions::platform::deployment::DELETES;
use store::platform::kinds::{AtClosing, KINDS};

use crate::support::{
    functions::{Function, functions_of_the_template, text, tokens},
    template::root,
};

/// What anybody may call without a token, and all of the table that it may read and write, by partition. A player's
/// is one partition: sessions and second factor lie beside the profile there (docs/security.md, "What a role cannot tell
/// apart").
const PUBLIC: &[(&str, &[&str], &[&str])] = &[
    (
        "sign-up",
        &["FPL#*", "LIMIT#*", "INFLUENCER#*", "SEASON"],
        &["USER#*", "EMAIL#*", "NAME#*", "FPL#*", "ACCOUNT#*", "LIMIT#*", "INFLUENCER#*"],
    ),
    ("log-in", &["USER#*", "EMAIL#*", "LIMIT#*", "KNOWN#*", "SEASON"], &["USER#*", "LIMIT#*", "KNOWN#*"]),
    ("log-out", &["USER#*", "PUSH#*"], &["USER#*", "PUSH#*"]),
    ("refresh", &["USER#*", "PUSH#*"], &["USER#*", "PUSH#*"]),
    ("forgot-password", &["LIMIT#*"], &["LIMIT#*"]),
    ("reset-password", &["USER#*"], &["USER#*"]),
    ("stop-mails", &["USER#*"], &["USER#*"]),
    ("get-deposit-status", &["USER#*", "PAY#*"], &[]),
    ("get-entry-payment-status", &["USER#*", "PAY#*"], &[]),
    ("receive-stk-callback", &["PAY#*"], &["PAY#*"]),
    ("receive-paybill-confirmation", &["PAYBILL"], &[]),
    ("receive-payout-result", &[], &[]),
    ("receive-payout-timeout", &[], &[]),
    ("receive-status-result", &[], &[]),
    ("get-cancellation", &["WITHDRAWAL#*"], &[]),
    ("cancel-withdrawal", &["USER#*", "WITHDRAWAL#*"], &["USER#*", "WITHDRAWAL#*"]),
    ("list-gameweeks", &["SEASON"], &[]),
    ("get-current-gameweek", &["SEASON"], &[]),
    ("get-gameweek-status", &["SEASON", "SETTINGS", "ENTRIES#*", "CHECKPOINTS#*"], &[]),
    (
        "join-league",
        &["USER#*", "SEASON", "SETTINGS", "FPL#*", "PAY#*", "ENTRIES#*"],
        &["USER#*", "FPL#*", "ENTRIES#*", "INFLUENCER#*"],
    ),
    (
        "list-leagues",
        &["SEASON", "SETTINGS", "ENTRIES#*", "LEAGUES#*", "GW#*", "FOOTBALLERS#*", "SETTLEMENTS#*"],
        &[],
    ),
    ("get-points", &["USER#*", "SEASON", "SETTINGS", "FPL#*", "LEAGUES#*", "GW#*", "FOOTBALLERS#*"], &[]),
    ("get-draw", &["SEASON", "DRAW#*"], &[]),
    ("get-settlement", &["SETTLEMENTS#*"], &[]),
    ("get-trust", &["TRUST"], &[]),
    ("follow-referral", &["USER#*", "INFLUENCER#*"], &["INFLUENCER#*"]),
    ("get-settings", &[], &[]),
    ("get-health", &["SEASON"], &[]),
];

/// What wants a token, or is a job, and keeps to its partitions as well. A function of neither list may use any.
const OTHERS: &[(&str, &[&str], &[&str])] = &[
    ("get-user", &["USER#*", "SEASON"], &["USER#*", "ACCOUNT#*"]),
    ("get-wallet", &["USER#*"], &[]),
    ("list-transactions", &["USER#*"], &[]),
    ("get-statement", &["USER#*"], &[]),
    ("get-proof", &["USER#*", "TRUST", "TREE#*"], &[]),
    ("get-totp", &["USER#*"], &[]),
    ("start-totp", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    ("get-limits", &["USER#*"], &[]),
    ("set-limits", &["USER#*"], &["USER#*"]),
    (
        "start-exclusion",
        &["USER#*", "LIMIT#*", "NUMBER#*", "FPL#*"],
        &["USER#*", "LIMIT#*", "EMAIL#*", "FPL#*", "NUMBER#*"],
    ),
    ("accept-terms", &["USER#*"], &["USER#*"]),
    ("get-notifications", &["USER#*"], &[]),
    ("set-notifications", &["USER#*"], &["USER#*"]),
    ("list-sessions", &["USER#*"], &[]),
    ("add-push-subscription", &["USER#*", "PUSH#*"], &["USER#*", "PUSH#*"]),
    ("remove-push-subscription", &["USER#*", "PUSH#*"], &["USER#*", "PUSH#*"]),
    ("end-session", &["USER#*", "PUSH#*"], &["USER#*", "PUSH#*"]),
    (
        "close-account",
        &["USER#*", "LIMIT#*", "PAY#*", "WITHDRAWAL#*", "MANUAL#*", "LEAGUES#*", "MARKS#*"],
        &["USER#*", "LIMIT#*"],
    ),
    (
        "open-case",
        &["USER#*", "PAY#*", "MANUAL#*", "WITHDRAWAL#*", "LEAGUES#*", "LIMIT#*"],
        &["USER#*", "LIMIT#*"],
    ),
    ("list-cases", &["USER#*"], &[]),
    ("get-case", &["USER#*"], &[]),
    ("write-to-case", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    ("confirm-totp", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    ("remove-totp", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    ("renew-recovery-codes", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    ("step-up", &["USER#*", "LIMIT#*"], &["USER#*", "LIMIT#*", "AUDIT#*"]),
    (
        "link-team",
        &["USER#*", "FPL#*", "LIMIT#*", "SEASON", "PAY#*", "DRAW#*"],
        &["USER#*", "FPL#*", "LIMIT#*"],
    ),
    ("get-team-proof", &["USER#*", "FPL#*", "SEASON"], &[]),
    ("start-team-proof", &["USER#*", "FPL#*", "LIMIT#*", "SEASON"], &["USER#*", "LIMIT#*"]),
    (
        "check-team-proof",
        &["USER#*", "FPL#*", "LIMIT#*", "SEASON", "PAY#*", "DRAW#*"],
        &["USER#*", "FPL#*", "LIMIT#*"],
    ),
    (
        "start-deposit",
        &["USER#*", "PAY#*", "NUMBER#*", "LIMIT#*", "TOKEN#daraja"],
        &["USER#*", "PAY#*", "ACCOUNT#*", "LIMIT#*", "TOKEN#daraja"],
    ),
    (
        "start-entry-payment",
        &["USER#*", "PAY#*", "NUMBER#*", "LIMIT#*", "TOKEN#daraja", "SEASON", "SETTINGS", "FPL#*"],
        &["USER#*", "PAY#*", "ACCOUNT#*", "LIMIT#*", "TOKEN#daraja"],
    ),
    ("list-payments", &["USER#*", "PAY#*"], &[]),
    (
        "submit-manual-payment",
        &["USER#*", "RECEIPT#*", "MANUAL#*", "LIMIT#*"],
        &["USER#*", "MANUAL#*", "LIMIT#*"],
    ),
    (
        "request-withdrawal",
        &["USER#*", "LIMIT#*", "NUMBER#*", "WITHDRAWAL#*", "SETTLEMENTS#*", "SEASON"],
        &["USER#*", "LIMIT#*", "WITHDRAWAL#*"],
    ),
    ("list-entries", &["USER#*", "ENTRIES#*", "DRAW#*", "SETTLEMENTS#*"], &[]),
    (
        "get-own-league",
        &["USER#*", "SEASON", "SETTINGS", "ENTRIES#*", "CHECKPOINTS#*", "LEAGUES#*", "GW#*", "SETTLEMENTS#*"],
        &[],
    ),
    ("get-backlog", &["USER#*", "SEASON"], &[]),
    ("get-switches", &["USER#*", "SETTINGS"], &[]),
    ("set-switches", &["USER#*", "SETTINGS", "SEASON", "ENTRIES#*"], &["USER#*", "SETTINGS", "AUDIT#*"]),
    ("toggle-deduction", &["USER#*", "SETTINGS", "SEASON", "ENTRIES#*"], &["USER#*", "SETTINGS", "AUDIT#*"]),
    ("list-owed-gameweeks", &["USER#*", "SEASON"], &[]),
    ("list-audit", &["USER#*", "AUDIT#*"], &[]),
    ("create-influencer", &["USER#*"], &["INFLUENCER#*", "INFLUENCERS", "AUDIT#*"]),
    ("list-influencers", &["USER#*", "INFLUENCER#*", "INFLUENCERS"], &[]),
    ("get-invitation", &["USER#*", "INFLUENCER#*"], &["USER#*", "INFLUENCER#*"]),
    ("track-points", &["SEASON", "GW#*", "LEAGUES#*", "MARKS#*", "SETTLEMENTS#*"], &["GW#*", "MARKS#*"]),
    ("register-paybill", &["PAYBILL", "TOKEN#daraja"], &["PAYBILL", "TOKEN#daraja"]),
    ("check-receipts", &["BOOKS"], &["BOOKS"]),
    ("ask-for-balance", &["TOKEN#daraja"], &["FLOAT", "TOKEN#daraja"]),
    ("reconcile", &["BOOKS", "FLOAT"], &["BOOKS"]),
];

const READS: [&str; 3] = ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"];

/// Who changes what a wallet holds. To everybody else who writes it is forbidden. Three of these can be called without
/// a token: `sign-up` makes an empty wallet, `cancel-withdrawal` brings money back by the link of a mail, and
/// `join-league` spends only by a token.
const MOVES_MONEY: &[&str] = &[
    "cancel-withdrawal",
    "close-gameweek",
    "confirm-manual-payment",
    "correct-wallet",
    "decide-approval",
    "decide-set-aside",
    "join-league",
    "pay-withdrawal",
    "request-withdrawal",
    "settle-gameweek",
    "settle-league",
    "settle-payment",
    "sign-up",
    "sweep-entries",
    "sync-gameweek",
    "take-result",
    "update-withdrawal",
];

const WRITES: [&str; 3] = ["dynamodb:ConditionCheckItem", "dynamodb:PutItem", "dynamodb:UpdateItem"];

/// The partitions of the table for which a function may do one of `actions`; `None`: for any.
fn partitions<'a>(function: &'a Function, actions: &[&str]) -> Option<BTreeSet<&'a str>> {
    let mut partitions = BTreeSet::new();
    for statement in function.statements() {
        let on_the_table = text(&statement["Resource"]).ends_with(":table/${TableInUse.Value}")
            && statement["Effect"] == "Allow";
        let does = statement["Action"].as_sequence().unwrap().iter().any(|a| actions.contains(&text(a)));
        if on_the_table && does {
            let keys = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
            partitions.extend(keys.as_sequence()?.iter().map(text));
        }
    }
    Some(partitions)
}

#[test]
fn functions_keep_to_their_partitions() {
    let tokens = tokens();
    let functions = functions_of_the_template();
    let public = functions
        .iter()
        .filter(|function| tokens.get(&function.name).is_some_and(|token| *token != Some(true)));
    let public: BTreeSet<&str> = public.map(|function| function.name.as_str()).collect();
    assert_eq!(public, PUBLIC.iter().map(|(name, ..)| *name).collect());
    for (name, reads, writes) in PUBLIC.iter().chain(OTHERS) {
        let function = functions.iter().find(|function| function.name == *name).unwrap();
        assert_eq!(partitions(function, &READS), Some(reads.iter().copied().collect()), "{name} reads");
        assert_eq!(partitions(function, &WRITES), Some(writes.iter().copied().collect()), "{name} writes");
    }
}

/// The figures of docs/security.md.
#[test]
fn the_document_says_how_many_keep_to_partitions() {
    let jobs: BTreeSet<&str> = functions::jobs().into_iter().map(|job| job.name).collect();
    let of_jobs = OTHERS.iter().filter(|(name, ..)| jobs.contains(name)).count();
    let said = format!("So do {} calls with a token and {of_jobs} jobs", OTHERS.len() - of_jobs);
    let document = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    assert!(document.contains(&said), "docs/security.md has to say: {said}");
}

/// Whoever keeps to partitions is on one of the lists.
#[test]
fn no_other_function_says_that_it_keeps_to_partitions() {
    let listed: BTreeSet<&str> = PUBLIC.iter().chain(OTHERS).map(|(name, ..)| *name).collect();
    for function in functions_of_the_template() {
        let keeps = [&READS, &WRITES]
            .iter()
            .any(|actions| partitions(&function, &actions[..]).is_some_and(|keys| !keys.is_empty()));
        assert!(!keeps || listed.contains(function.name.as_str()), "{} is on no list", function.name);
    }
}

/// The one that deletes does so where a kind of item goes with its player's account, and nowhere else.
#[test]
fn only_what_goes_with_an_account_can_be_deleted() {
    let going = KINDS.iter().filter(|kind| kind.at_closing == AtClosing::Removed);
    let going: BTreeSet<String> = going.map(|kind| format!("{}*", kind.pk)).collect();
    for function in functions_of_the_template() {
        if function.grants().iter().any(|(action, _)| *action == DELETES) {
            let from = partitions(&function, &[DELETES]).expect("it may delete from some partitions only");
            assert_eq!(from, going.iter().map(String::as_str).collect(), "{}", function.name);
        }
    }
}

#[test]
fn wallets_change_by_these_alone() {
    let functions = functions_of_the_template();
    let mut moving = BTreeSet::new();
    for function in &functions {
        let forbidden = function.statements().into_iter().any(|statement| {
            let attributes = &statement["Condition"]["ForAnyValue:StringEquals"]["dynamodb:Attributes"];
            let actions = statement["Action"].as_sequence().unwrap().iter().map(text);
            statement["Effect"] == "Deny"
                && text(&statement["Resource"]).ends_with(":table/${TableInUse.Value}")
                && actions.eq(["dynamodb:PutItem", "dynamodb:UpdateItem"])
                && attributes.as_sequence().is_some_and(|names| names.iter().map(text).eq(["balance"]))
        });
        let writes = function.grants().iter().any(|(action, _)| WRITES.contains(action));
        if writes && !forbidden {
            moving.insert(function.name.as_str());
        }
    }
    assert_eq!(moving, MOVES_MONEY.iter().copied().collect());
}
