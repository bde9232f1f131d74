//! Which partitions of the table the functions that anybody may call keep to, and who changes what a wallet holds: read
//! from the roles of `template.yaml`, and held to lists that are written by hand.

use std::collections::BTreeSet;

use crate::grants::{Function, functions_of_the_template, text, tokens};

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
    ("log-out", &["USER#*"], &["USER#*"]),
    ("refresh", &["USER#*"], &["USER#*"]),
    ("forgot-password", &["LIMIT#*"], &["LIMIT#*"]),
    ("reset-password", &["USER#*"], &["USER#*"]),
    ("stop-mails", &["USER#*"], &["USER#*"]),
    ("get-deposit-status", &["USER#*", "PAY#*"], &[]),
    ("get-entry-payment-status", &["USER#*", "PAY#*"], &[]),
    ("receive-stk-callback", &["PAY#*"], &["PAY#*"]),
    ("receive-paybill-confirmation", &[], &[]),
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
        &["USER#*", "SEASON", "SETTINGS", "FPL#*", "PAY#*"],
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
    ("follow-referral", &["USER#*", "INFLUENCER#*"], &["INFLUENCER#*"]),
    ("get-settings", &[], &[]),
    ("get-health", &["SEASON"], &[]),
];

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
fn what_anybody_may_call_keeps_to_its_partitions() {
    let tokens = tokens();
    let functions = functions_of_the_template();
    let public = functions
        .iter()
        .filter(|function| tokens.get(&function.name).is_some_and(|token| *token != Some(true)));
    let public: BTreeSet<&str> = public.map(|function| function.name.as_str()).collect();
    assert_eq!(public, PUBLIC.iter().map(|(name, ..)| *name).collect());
    for (name, reads, writes) in PUBLIC {
        let function = functions.iter().find(|function| function.name == *name).unwrap();
        let read = partitions(function, &["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"]);
        assert_eq!(read, Some(reads.iter().copied().collect()), "{name} reads");
        let written = partitions(function, &WRITES);
        assert_eq!(written, Some(writes.iter().copied().collect()), "{name} writes");
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
