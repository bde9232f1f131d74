//! The faults that a person or a test can switch on (`PUT /sim/api/faults`). A key left out keeps
//! its value, one of `dynamodb` too; `"dynamodb": {}` ends all of the database's. A fault stays until it is set again,
//! over a restart too.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faults {
    pub fpl: FplFault,
    /// Since when `unfinal` is on.
    #[serde(default, rename = "unfinalSince", skip_serializing_if = "Option::is_none")]
    pub unfinal_since: Option<Timestamp>,
    pub daraja: DarajaFault,
    /// What was stored before there were payouts has none.
    #[serde(default)]
    pub payouts: PayoutFault,
    pub dynamodb: DynamoFaults,
    pub email: EmailFault,
    /// Absent in what an older version kept.
    #[serde(default)]
    pub payer: PayerFault,
    #[serde(default)]
    pub beacon: BeaconFault,
    #[serde(default)]
    pub push: PushFault,
    /// How many times more than once each batch of messages and each event of a schedule is delivered, all at
    /// once; the runner reads it.
    #[serde(default, rename = "extraDeliveries")]
    pub extra_deliveries: u8,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FplFault {
    #[default]
    None,
    /// 503 and an HTML page.
    Down,
    /// 503 and the JSON string `"The game is being updated."`.
    Updating,
    /// 200 and an HTML page.
    Html,
    /// 429 with Retry-After.
    RateLimited,
    /// The right answer, 20 s of real time late.
    Slow,
    /// 403 and an HTML page.
    Forbidden,
    /// 404 for everything under `entry/{id}/`.
    EntryNotFound,
    /// 200 and the first half of the right answer.
    Cut,
    /// 200 and the right answer without its points.
    MissingFields,
    /// 200 and the right answer, with a field in every object that was never there before.
    NewFields,
    /// Live figures, picks and the latest row of a history are those of the gameweek before (of the
    /// second instead of the first), and what says a gameweek's number in them says so.
    WrongGameweek,
    /// From then on no gameweek becomes final, and the last one that was checked is not finished any more: where
    /// it is the current one its days are live again and its leagues updating.
    Unfinal,
    /// The history's row of the last finished gameweek is one or two points off what picks and live
    /// figures give, for teams with an odd id.
    HalfUpdated,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DarajaFault {
    #[default]
    None,
    /// 503 and an HTML page.
    Down,
    /// What was asked is done, the reply comes 20 s of real time late.
    Slow,
    /// Pushes are refused, in turn as a bad request and as a locked subscriber.
    Reject,
    /// Queries say "pending" whatever became of the prompt.
    Pending,
    /// Each push is approved at once, and its callback comes before the push's reply.
    Early,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayoutFault {
    /// Paid at once, where the float covers it, and the result says so.
    #[default]
    None,
    /// Ended at once: the recipient is not registered.
    Failed,
    /// M-Pesa says that it timed out. It is decided by `POST /sim/api/payouts/{conversationId}`.
    TimedOut,
    /// Paid at once, and the result never comes.
    Silent,
    /// Nothing comes until it is decided.
    Unknown,
}

/// How the database fails; the runner's connector reads it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DynamoFaults {
    /// The share of calls that are throttled, 0 to 1.
    pub throttle: f64,
    /// The share of transactions that meet another one at an item of theirs, 0 to 1.
    pub conflict: f64,
    /// The share of writes that are done and whose replies are lost, 0 to 1.
    pub lost: f64,
    /// Puts of items whose key, `partition/sort`, begins so are refused; empty: none.
    #[serde(rename = "refusedPuts")]
    pub refused_puts: String,
}

/// How sending email fails; the runner's connector reads it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmailFault {
    #[default]
    None,
    Down,
}

/// How the push service fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PushFault {
    #[default]
    None,
    /// 503 to every push.
    Down,
}

/// What M-Pesa's answers about a transaction tell of who paid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayerFault {
    /// The whole number, and the name.
    #[default]
    None,
    /// As a confirmation shows it: `2547 ***** 126`.
    Masked,
}

/// How the randomness beacon's relays fail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeaconFault {
    #[default]
    None,
    /// All of them: 503 and an HTML page.
    Down,
    /// The first one is down.
    OneDown,
    /// The first one lies: a round that fits together, and that the beacon never signed.
    OneLies,
    /// The first one lies and the second one is down.
    OneLiesOneDown,
    /// All of them lie.
    Lies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelayFault {
    None,
    Down,
    Lies,
}

impl BeaconFault {
    /// What the relay at `place`, from 0, does.
    pub(crate) fn of(self, place: usize) -> RelayFault {
        match (self, place) {
            (Self::Down, _) | (Self::OneDown, 0) | (Self::OneLiesOneDown, 1) => RelayFault::Down,
            (Self::Lies, _) | (Self::OneLies | Self::OneLiesOneDown, 0) => RelayFault::Lies,
            _ => RelayFault::None,
        }
    }
}

impl Faults {
    /// The faults after `change` (the body of `PUT /sim/api/faults`) at `now`, or what is wrong with it.
    pub(crate) fn changed(&self, change: Map<String, Value>, now: Timestamp) -> Result<Self, String> {
        let mut fields = serde_json::to_value(self).map_err(|error| error.to_string())?;
        for (name, value) in change.into_iter().filter(|(_, value)| !value.is_null()) {
            match (&mut fields[&name], value) {
                (Value::Object(kept), Value::Object(said)) if !said.is_empty() => kept.extend(said),
                (kept, said) => *kept = said,
            }
        }
        let mut changed: Self =
            serde_json::from_value(fields).map_err(|error| format!("Bad body: {error}."))?;
        let DynamoFaults { throttle, conflict, lost, .. } = changed.dynamodb;
        for (name, share) in [("throttle", throttle), ("conflict", conflict), ("lost", lost)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("dynamodb.{name} must be between 0 and 1."));
            }
        }
        let begun = self.unfinal_since.unwrap_or(now);
        changed.unfinal_since = (changed.fpl == FplFault::Unfinal).then_some(begun);
        Ok(changed)
    }
}
