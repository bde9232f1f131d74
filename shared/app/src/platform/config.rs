//! Settings, read once at start from environment variables. Names and meanings stand in the
//! template; secrets are not among them (`secrets`).

use std::{collections::BTreeSet, str::FromStr};

use argon2::Params;
use clients::beacon::Chain;
use domain::{Kes, ledger::taxes::TaxRates};
use jiff::SignedDuration;

use crate::platform::push::services::PushServices;

/// One relay may lie and one be down.
const LEAST_RELAYS: usize = 3;

/// What is wrong with the environment, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct ConfigError {
    pub name: String,
    pub problem: String,
}

#[derive(Debug, Clone)]
pub struct Config {
    pub region: String,
    pub table_name: String,
    /// Where the browser reaches the product, without a trailing slash.
    pub public_origin: String,
    /// Under which SSM keeps the secrets, without a trailing slash.
    pub secrets_prefix: String,
    /// The public keys of access tokens, as they were when the function was deployed: the one in force and, while it is
    /// changed, the one before. None before there are secrets.
    pub access_token_public_keys: Vec<[u8; 32]>,
    /// The address that mails come from.
    pub mail_from: String,
    /// What a browser's subscription may lead to.
    pub push_services: PushServices,
    pub queues: QueueUrls,
    pub daraja: DarajaSettings,
    pub paybill: PaybillSettings,
    pub fpl: FplSettings,
    pub beacon: BeaconSettings,
    /// The operator's share of what a league collects, in percent; recorded when a gameweek opens.
    pub fee_percent: u8,
    /// The next gameweek becomes current this long before its own deadline, in hours.
    pub next_gameweek_lead_hours: u16,
    /// Whether the schedule pays the winners by itself once the points are final.
    pub auto_settle: bool,
    pub safeguards: Safeguards,
    /// Whether the pages may advertise: winners shown to visitors, pictures of a win to be shared, invitations.
    pub promotions: bool,
    /// A helpline for people whose playing is a problem, as players are to read it.
    pub helpline: String,
    /// What hashing a password costs: argon2's own default, and no variable says otherwise (docs/security.md,
    /// "Passwords").
    pub password_hashing: Params,
    /// An act of an admin above this, or whose sum in 24 hours passes it, wants a second admin.
    pub approval_threshold: Kes,
    /// The tax on deposits, by the days from which on its rates count.
    pub excise: TaxRates,
    /// The tax that is kept back of withdrawals, by the days from which on its rates count.
    pub withholding: TaxRates,
    /// What payouts and marks as done may come to on one day of Kenya, by all admins together.
    pub payout_ceiling: Kes,
    /// A gameweek without final points can be voided so many days after its deadline.
    pub void_after_days: u16,
    /// Of the receipts up to `approval_threshold`, so many in a hundred are asked about again at night.
    pub receipt_sample_percent: u8,
    /// How many of those questions are asked in a minute.
    pub receipt_questions_per_minute: u16,
    /// Whether a typed code that M-Pesa bears out is credited without an admin (`domain::payments::typed_code_check`).
    pub credit_verified_codes: bool,
    /// The one-off rule that fires at the deadline's fence, kept by `sync-gameweek`.
    pub fence_rule_name: String,
    pub reconciliation: ReconciliationSettings,
    /// A draw of more leagues than this is written in steps of so many.
    pub leagues_per_step: usize,
    pub limits: Limits,
    /// SHA-256 of the secrets by which the distribution's requests are known: the one in force and,
    /// while it is changed, the one before.
    pub edge_secret_hashes: Vec<[u8; 32]>,
}

/// Whether what protects people's money but gets in the way of playing on one machine holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Safeguards {
    /// Deployed.
    Full,
    /// The local run, unless it is told otherwise.
    Light,
}

impl Safeguards {
    #[must_use]
    pub fn are_full(self) -> bool {
        self == Self::Full
    }
}

/// Which limits apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Limits {
    /// Those per player, account and phone.
    Player,
    /// Those per caller's address too.
    All,
}

#[derive(Debug, Clone)]
pub struct QueueUrls {
    pub payments: String,
    pub results: String,
    pub sweeps: String,
    pub winners: String,
    pub leagues: String,
    pub teams: String,
    pub mails: String,
    pub pushes: String,
    pub reconciliation: String,
    /// Where the events go that a job failed at.
    pub job_dead_letters: String,
}

impl QueueUrls {
    /// Every queue that a function reads, as an admin knows it.
    #[must_use]
    pub fn read(&self) -> [(&'static str, &str); 9] {
        [
            ("payments", &self.payments),
            ("results", &self.results),
            ("sweeps", &self.sweeps),
            ("winners", &self.winners),
            ("leagues", &self.leagues),
            ("teams", &self.teams),
            ("mails", &self.mails),
            ("pushes", &self.pushes),
            ("books", &self.reconciliation),
        ]
    }
}

#[derive(Debug, Clone)]
pub struct DarajaSettings {
    pub base_url: String,
    pub shortcode: String,
    /// The shortcode again for a paybill, the till for buy-goods.
    pub party_b: String,
    pub transaction_type: String,
    /// What payouts are made from.
    pub b2c_shortcode: String,
    /// The initiator (Daraja's API user) that may pay out.
    pub b2c_initiator: String,
    /// The initiator that may query (a status or a balance) and do nothing else.
    pub query_initiator: String,
}

/// What players are told.
#[derive(Debug, Clone)]
pub struct PaybillSettings {
    /// Where they send money by hand.
    pub number: String,
}

/// How the books are read at night.
#[derive(Debug, Clone)]
pub struct ReconciliationSettings {
    /// An alarm rings when the account that withdrawals are paid from holds less.
    pub float_low: Kes,
    /// Parts of the table that are read side by side.
    pub segments: u32,
    /// Items that are read by one message.
    pub items_at_once: usize,
    /// Whether what players pay comes into the account that withdrawals are paid from.
    pub float_takes_in: bool,
}

#[derive(Debug, Clone)]
pub struct FplSettings {
    pub base_url: String,
    pub requests_per_second: u32,
}

#[derive(Debug, Clone)]
pub struct BeaconSettings {
    /// The relays' base addresses: three or more, so that one may lie and one be down.
    pub relays: Vec<String>,
    /// drand's quicknet, or another.
    pub chain: Chain,
}

impl Config {
    /// How long after its deadline a gameweek without final points can be called off.
    #[must_use]
    pub fn void_after(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.void_after_days))
    }

    /// Reads every setting through `var` (the process environment in a Lambda, the template's
    /// variables in the local run).
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let vars = Vars(&var);
        Ok(Self {
            region: vars.text("AWS_REGION")?,
            table_name: vars.text("TABLE_NAME")?,
            public_origin: vars.text("PUBLIC_ORIGIN")?.trim_end_matches('/').to_owned(),
            secrets_prefix: vars.text("SECRETS_PREFIX")?.trim_end_matches('/').to_owned(),
            access_token_public_keys: vars.optional("ACCESS_TOKEN_PUBLIC_KEYS", keys)?,
            mail_from: vars.text("MAIL_FROM")?,
            queues: QueueUrls {
                payments: vars.text("PAYMENTS_QUEUE_URL")?,
                results: vars.text("RESULTS_QUEUE_URL")?,
                sweeps: vars.text("SWEEPS_QUEUE_URL")?,
                winners: vars.text("WINNERS_QUEUE_URL")?,
                leagues: vars.text("LEAGUES_QUEUE_URL")?,
                teams: vars.text("TEAMS_QUEUE_URL")?,
                mails: vars.text("MAILS_QUEUE_URL")?,
                pushes: vars.text("PUSHES_QUEUE_URL")?,
                reconciliation: vars.text("BOOKS_QUEUE_URL")?,
                job_dead_letters: vars.text("JOB_DEAD_LETTERS_URL")?,
            },
            daraja: DarajaSettings {
                base_url: vars.text("DARAJA_BASE_URL")?,
                shortcode: vars.text("DARAJA_SHORTCODE")?,
                party_b: vars.text("DARAJA_PARTY_B")?,
                transaction_type: vars.text("DARAJA_TRANSACTION_TYPE")?,
                b2c_shortcode: vars.text("B2C_SHORTCODE")?,
                b2c_initiator: vars.text("B2C_INITIATOR")?,
                query_initiator: vars.text("QUERY_INITIATOR")?,
            },
            paybill: PaybillSettings { number: vars.text("PAYBILL_NUMBER")? },
            fpl: FplSettings {
                base_url: vars.text("FPL_BASE_URL")?,
                requests_per_second: vars.parsed("FPL_REQUESTS_PER_SECOND")?,
            },
            push_services: vars.read("PUSH_SERVICES", PushServices::parse)?,
            beacon: BeaconSettings {
                relays: vars.read("BEACON_BASE_URLS", relays)?,
                chain: vars.read("BEACON_CHAIN_INFO", chain)?,
            },
            fee_percent: vars.read("FEE_PERCENT", percent)?,
            next_gameweek_lead_hours: vars.parsed("NEXT_GAMEWEEK_LEAD_HOURS")?,
            auto_settle: vars.parsed("AUTO_SETTLE")?,
            safeguards: vars.parsed("SAFEGUARDS")?,
            promotions: vars.parsed("PROMOTIONS")?,
            helpline: vars.text("HELPLINE")?,
            password_hashing: Params::default(),
            approval_threshold: vars.read("APPROVAL_THRESHOLD", kes)?,
            excise: vars.optional("EXCISE", TaxRates::of_deposits)?,
            withholding: vars.optional("WITHHOLDING", TaxRates::of_withdrawals)?,
            payout_ceiling: vars.read("PAYOUT_CEILING", kes)?,
            void_after_days: vars.parsed("VOID_AFTER_DAYS")?,
            receipt_sample_percent: vars.read("RECEIPT_SAMPLE_PERCENT", percent)?,
            receipt_questions_per_minute: vars.parsed("RECEIPT_QUESTIONS_PER_MINUTE")?,
            credit_verified_codes: vars.parsed("CREDIT_VERIFIED_CODES")?,
            fence_rule_name: vars.text("FENCE_RULE_NAME")?,
            reconciliation: ReconciliationSettings {
                float_low: vars.read("FLOAT_LOW", kes)?,
                segments: vars.parsed("BOOKS_SEGMENTS")?,
                items_at_once: vars.parsed("BOOKS_ITEMS_AT_ONCE")?,
                float_takes_in: vars.parsed("FLOAT_TAKES_IN")?,
            },
            leagues_per_step: vars.read("LEAGUES_PER_STEP", step)?,
            limits: vars.read("LIMITS", limits)?,
            edge_secret_hashes: vars.read("EDGE_SECRET_HASHES", keys)?,
        })
    }
}

struct Vars<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Vars<'_> {
    fn text(&self, name: &str) -> Result<String, ConfigError> {
        let value = (self.0)(name).filter(|value| !value.trim().is_empty());
        value.ok_or_else(|| ConfigError { name: name.to_owned(), problem: "is not set".to_owned() })
    }

    /// What `read` makes of a setting, or what it says is wrong with it.
    fn read<T>(&self, name: &str, read: fn(&str) -> Result<T, String>) -> Result<T, ConfigError> {
        read(&self.text(name)?).map_err(|problem| ConfigError { name: name.to_owned(), problem })
    }

    /// The same, and nothing where it is empty or not set.
    fn optional<T: Default>(
        &self,
        name: &str,
        read: fn(&str) -> Result<T, String>,
    ) -> Result<T, ConfigError> {
        if self.text(name).is_ok() { self.read(name, read) } else { Ok(T::default()) }
    }

    fn parsed<T: FromStr>(&self, name: &str) -> Result<T, ConfigError> {
        self.read(name, parsed)
    }
}

fn parsed<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is not a {}", std::any::type_name::<T>()))
}

/// Whole KES, at least 1.
fn kes(text: &str) -> Result<Kes, String> {
    let amount = Kes::new(parsed(text)?);
    if amount.is_positive() { Ok(amount) } else { Err(format!("'{amount}' is not a positive amount")) }
}

fn percent(text: &str) -> Result<u8, String> {
    let percent: u8 = parsed(text)?;
    if percent <= 100 { Ok(percent) } else { Err(format!("'{percent}' is more than 100")) }
}

fn step(text: &str) -> Result<usize, String> {
    parsed(text).and_then(|step| if step > 0 { Ok(step) } else { Err("no step is of nothing".to_owned()) })
}

fn limits(text: &str) -> Result<Limits, String> {
    text.parse().map_err(|_| format!("'{text}' is not player or all"))
}

/// Values of 32 bytes in hex, separated by commas: keys, or SHA-256.
fn keys(text: &str) -> Result<Vec<[u8; 32]>, String> {
    let key = |text: &str| {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map(|()| bytes)
    };
    let keys: Result<_, _> = text.split(',').map(key).collect();
    keys.map_err(|_| "is not values of 64 hex digits, separated by commas".to_owned())
}

/// Base addresses, separated by commas.
fn relays(text: &str) -> Result<Vec<String>, String> {
    let relays: Vec<String> = text.split(',').map(|relay| relay.trim().to_owned()).collect();
    let distinct: BTreeSet<&String> = relays.iter().collect();
    if distinct.len() >= LEAST_RELAYS && !relays.contains(&String::new()) {
        return Ok(relays);
    }
    Err(format!("'{text}' is not {LEAST_RELAYS} addresses or more, separated by commas"))
}

/// `quicknet`, or what another chain's `/info` says (JSON).
fn chain(text: &str) -> Result<Chain, String> {
    match text {
        "quicknet" => Ok(Chain::quicknet()),
        info => Chain::from_info(info).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
