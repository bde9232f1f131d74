//! Who may make which call, and how each is made.

use functions::Endpoint;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::Person;

/// Whom a call serves. Everybody else meets 401 without a token, 403 with one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum For {
    /// Anybody. A token is not needed; one that is sent has to hold.
    Anyone,
    /// Anybody, and a token is not even read: it is the same for everybody, or a password, a mailed token or a mac says
    /// who it is.
    Unasked,
    /// Who has a session's cookie. A token is not read.
    Session,
    /// Anybody logged in, each with their own.
    Player,
    /// The player whose it is.
    Owner,
    /// The player whose it is, and an admin.
    OwnerOrAdmin,
    Admin,
}

/// Every operation. What is missing here fails, with the line to paste.
pub const CALLS: &[(&str, For)] = &[
    ("sign-up", For::Unasked),
    ("log-in", For::Unasked),
    ("log-out", For::Unasked),
    ("refresh", For::Session),
    ("forgot-password", For::Unasked),
    ("reset-password", For::Unasked),
    ("get-user", For::Player),
    ("get-limits", For::Player),
    ("set-limits", For::Player),
    ("start-exclusion", For::Player),
    ("accept-terms", For::Player),
    ("get-notifications", For::Player),
    ("set-notifications", For::Player),
    ("stop-mails", For::Unasked),
    ("add-push-subscription", For::Player),
    ("remove-push-subscription", For::Player),
    ("get-own-data", For::Player),
    ("list-sessions", For::Player),
    ("end-session", For::Player),
    ("close-account", For::Player),
    ("open-case", For::Player),
    ("list-cases", For::Player),
    ("get-case", For::Player),
    ("write-to-case", For::Player),
    ("list-open-cases", For::Admin),
    ("link-team", For::Player),
    ("get-team-proof", For::Player),
    ("start-team-proof", For::Player),
    ("check-team-proof", For::Player),
    ("get-wallet", For::OwnerOrAdmin),
    ("list-transactions", For::Player),
    ("get-statement", For::Player),
    ("list-payments", For::Player),
    ("list-entries", For::Player),
    ("start-deposit", For::Owner),
    ("get-deposit-status", For::Anyone),
    ("start-entry-payment", For::Owner),
    ("get-entry-payment-status", For::Anyone),
    ("submit-manual-payment", For::Player),
    ("list-manual-payments", For::Admin),
    ("confirm-manual-payment", For::Admin),
    ("reject-manual-payment", For::Admin),
    ("list-withdrawals", For::Player),
    ("request-withdrawal", For::Player),
    ("update-withdrawal", For::Admin),
    ("pay-withdrawal", For::Admin),
    ("get-cancellation", For::Unasked),
    ("cancel-withdrawal", For::Unasked),
    ("list-set-asides", For::Admin),
    ("get-set-aside", For::Admin),
    ("decide-set-aside", For::Admin),
    ("get-backlog", For::Admin),
    ("get-books", For::Admin),
    ("get-trust", For::Unasked),
    ("get-proof", For::Player),
    ("join-league", For::Owner),
    ("list-leagues", For::Unasked),
    ("get-own-league", For::Player),
    ("get-points", For::Unasked),
    ("get-settlement", For::Unasked),
    ("list-gameweeks", For::Unasked),
    ("get-current-gameweek", For::Unasked),
    ("get-gameweek-status", For::Unasked),
    ("get-draw", For::Unasked),
    ("process-winners", For::Admin),
    ("toggle-deduction", For::Admin),
    ("get-totp", For::Admin),
    ("start-totp", For::Admin),
    ("confirm-totp", For::Admin),
    ("remove-totp", For::Admin),
    ("renew-recovery-codes", For::Admin),
    ("step-up", For::Admin),
    ("search-players", For::Admin),
    ("get-player", For::Admin),
    ("update-player", For::Admin),
    ("release-number", For::Admin),
    ("correct-wallet", For::Admin),
    ("preview-winners", For::Admin),
    ("list-owed-gameweeks", For::Admin),
    ("preview-void", For::Admin),
    ("void-gameweek", For::Admin),
    ("list-audit", For::Admin),
    ("list-approvals", For::Admin),
    ("decide-approval", For::Admin),
    ("export-table", For::Admin),
    ("get-switches", For::Admin),
    ("set-switches", For::Admin),
    ("list-waiting-leagues", For::Admin),
    ("decide-league", For::Admin),
    ("create-influencer", For::Admin),
    ("list-influencers", For::Admin),
    ("follow-referral", For::Anyone),
    ("get-invitation", For::Player),
    ("get-settings", For::Unasked),
    ("get-health", For::Unasked),
    ("receive-stk-callback", For::Unasked),
    ("receive-paybill-confirmation", For::Unasked),
    ("receive-payout-result", For::Unasked),
    ("receive-payout-timeout", For::Unasked),
    ("receive-status-result", For::Unasked),
];

/// Whom `endpoint` serves.
///
/// # Panics
/// `CALLS` does not say so.
pub fn serves(endpoint: &Endpoint) -> For {
    let line = CALLS.iter().find(|(name, _)| *name == endpoint.name);
    let paste = || panic!("who may call it? Paste into CALLS:\n\n    (\"{}\", For::…),\n", endpoint.name);
    line.map_or_else(paste, |(_, who)| *who)
}

/// The endpoint's path, with `owner`'s ids where they are a player's and ids that nothing has elsewhere.
pub fn path_for(endpoint: &Endpoint, owner: &Person) -> String {
    let named = |segment: &str| match segment {
        "{userId}" => owner.id.clone(),
        "{fplId}" => owner.fpl_id.clone(),
        "{n}" => "1".to_owned(),
        "{mac}" => "0".repeat(64),
        "{token}" => "0".repeat(96),
        segment if segment.starts_with('{') => "0".repeat(32),
        literal => literal.to_owned(),
    };
    endpoint.path.split('/').map(named).collect::<Vec<_>>().join("/")
}

/// A body that says it is `owner`'s, where a call lets it say so.
fn body_for(endpoint: &Endpoint, owner: &Person) -> Option<Value> {
    match endpoint.name.as_str() {
        "start-deposit" => Some(json!({"userId": owner.id})),
        "start-entry-payment" => Some(json!({"fplId": owner.fpl_id})),
        "join-league" => Some(json!({"fplId": owner.fpl_id, "entryAmount": 50, "gameweek": 1})),
        _ => (endpoint.method != Method::GET).then(|| json!({})),
    }
}

pub async fn call(person: &Person, endpoint: &Endpoint, owner: &Person) -> StatusCode {
    let (path, body) = (path_for(endpoint, owner), body_for(endpoint, owner));
    person.send(endpoint.method.clone(), &path, body).await.status
}
