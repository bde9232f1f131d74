//! How the table's partitions are named, in IAM's patterns: for the roles of functions whose partitions are known
//! (`functions/src/lib.rs`, `functions/src/platform/jobs.rs`). The keys themselves are made in each entity's file.

/// A player's own: profile, password's hash, second factor, sessions, wallet and postings, pointers.
pub const PLAYERS: &str = "USER#*";
pub const EMAILS: &str = "EMAIL#*";
pub const USERNAMES: &str = "NAME#*";
pub const TEAMS: &str = "FPL#*";
pub const PAYBILL_ACCOUNTS: &str = "ACCOUNT#*";
pub const LIMITS: &str = "LIMIT#*";
/// What admins have done.
pub const AUDIT: &str = "AUDIT#*";
pub const KNOWN_ADDRESSES: &str = "KNOWN#*";
/// With the visits of their links, and who came by them.
pub const INFLUENCERS: &str = "INFLUENCER#*";
/// Their list by name.
pub const INFLUENCER_NAMES: &str = "INFLUENCERS";
/// With what was heard of them.
pub const PAYMENTS: &str = "PAY#*";
pub const RECEIPTS: &str = "RECEIPT#*";
/// With what M-Pesa has answered about them.
pub const TYPED_CODES: &str = "MANUAL#*";
/// Whose own a number is.
pub const NUMBERS: &str = "NUMBER#*";
/// Whose a browser's pushes are.
pub const BROWSERS: &str = "PUSH#*";
/// Where M-Pesa confirms what is paid to it.
pub const PAYBILL: &str = "PAYBILL";
pub const MPESA_TOKEN: &str = "TOKEN#daraja";
/// With what was heard of their payouts.
pub const WITHDRAWALS: &str = "WITHDRAWAL#*";
pub const CALENDARS: &str = "SEASON";
pub const SWITCHES: &str = "SETTINGS";
pub const ENTRIES: &str = "ENTRIES#*";
pub const CHECKPOINTS: &str = "CHECKPOINTS#*";
pub const DRAWS: &str = "DRAW#*";
pub const LEAGUES: &str = "LEAGUES#*";
/// Who plays for whom this season, by the official list.
pub const FOOTBALLERS: &str = "FOOTBALLERS#*";
pub const SCORES: &str = "GW#*";
pub const SETTLEMENTS: &str = "SETTLEMENTS#*";
/// What is settled, waits or was corrected.
pub const LEAGUE_STATUSES: &str = "MARKS#*";
/// The readings of the books and the runs that ask about receipts, without their parts.
pub const BOOKS: &str = "BOOKS";
/// What is in the accounts with M-Pesa.
pub const FLOAT: &str = "FLOAT";
/// What everybody is told of the books.
pub const TRUST: &str = "TRUST";
/// The sum trees of the last readings.
pub const SUM_TREES: &str = "TREE#*";
