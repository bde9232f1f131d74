//! Stand-ins for the outside world of the local run: M-Pesa (Daraja), the official game, a push service, and the
//! randomness beacon, as real HTTP servers that people, tests and benchmarks use alike.
//!
//! Invariants: time is the clock that was given and nothing else; what was acknowledged is in the
//! database, so a kill loses nothing; nothing here is shared with the clients but [`Clock`], because a
//! second reading of the same documents is the point. No deployed function contains this crate.

mod beacon;
mod control;
mod daraja;
mod db;
mod entries;
mod faults;
mod fpl;
mod http;
mod noise;
mod push;
mod season;

use std::sync::{
    Arc, Mutex, PoisonError, RwLock,
    atomic::{AtomicU64, Ordering},
};

use anyhow::Context;
use axum::{Router, response::Html};
use clients::Clock;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use uuid::Uuid;

pub use beacon::RELAYS as BEACON_RELAYS;
pub use daraja::certificate;
pub use faults::{
    BeaconFault, DarajaFault, DynamoFaults, EmailFault, Faults, FplFault, PayerFault, PayoutFault, PushFault,
};
pub use http::{Read, Refusal, method_not_allowed};
pub use season::{ChangeError, FIRST_OPEN, GameweekChange, GameweekRefused, Kind, Phase};

use daraja::DarajaError;
use db::Db;
use entries::Entries;
use fpl::Requests;
use season::{Calendar, Gameweek, Kept, Season};

/// What the shop and Safaricom agreed on. Never printed.
#[derive(Clone, Default)]
pub struct DarajaSecrets {
    pub consumer_key: String,
    pub consumer_secret: String,
    pub passkey: String,
    /// Five to seven digits.
    pub shortcode: String,
    /// What payouts are made from.
    pub b2c_shortcode: String,
    /// Who may pay out.
    pub payer: Operator,
    /// Who may ask for a status or a balance.
    pub asker: Operator,
}

/// An initiator: a user of the API, in whose name orders are signed. (M-Pesa's portal calls it an operator.)
#[derive(Clone, Default)]
pub struct Operator {
    pub name: String,
    pub password: String,
}

/// What the stand-ins are told at start.
#[derive(Clone)]
pub struct Settings {
    pub daraja: DarajaSecrets,
    /// Sends the callbacks; its time limit is theirs.
    pub callback_http: reqwest::Client,
}

/// The page for people, `GET /sim/`.
pub fn page() -> Html<&'static str> {
    Html(include_str!("page.html"))
}

/// The stand-ins, with everything they remember. Cheap to clone.
#[derive(Clone)]
pub struct Sim(Arc<SimState>);

struct SimState {
    db: Db,
    clock: Clock,
    settings: Settings,
    faults: RwLock<Faults>,
    entries: Entries,
    season: Kept,
    requests: Requests,
    refusals: AtomicU64,
    beacon: beacon::Chain,
    changed: Arc<Notify>,
}

const FAULTS: &str = "faults";

impl Sim {
    /// Opens the stand-ins on the runner's world database, whose tables starting with `sim_` are theirs.
    pub fn open(db: Arc<Mutex<Connection>>, clock: Clock, settings: Settings) -> anyhow::Result<Self> {
        let db = Db::open(db)?;
        let faults = match db.read(|connection| db::get(connection, FAULTS))? {
            Some(stored) => serde_json::from_str(&stored).context("the stored faults")?,
            None => Faults::default(),
        };
        let beacon_seed = db::get_or_make(&db, "beacon_seed", || Uuid::new_v4().simple().to_string())?;
        Ok(Self(Arc::new(SimState {
            entries: Entries::open(db.clone())?,
            season: Kept::open(db.clone())?,
            db,
            clock,
            settings,
            faults: RwLock::new(faults),
            requests: Requests::default(),
            refusals: AtomicU64::new(0),
            beacon: beacon::Chain::new(&beacon_seed),
            changed: Arc::new(Notify::new()),
        })))
    }

    pub fn daraja(&self) -> Router {
        daraja::router(self.clone())
    }

    pub fn fpl(&self) -> Router {
        fpl::router(self.clone())
    }

    pub fn beacon(&self) -> Router {
        beacon::router(self.clone())
    }

    pub fn push(&self) -> Router {
        push::router(self.clone())
    }

    /// The hash (hex) that names the beacon's chain: each world has its own.
    pub fn beacon_chain(&self) -> &str {
        &self.chain().hash
    }

    /// What the beacon's chain says of itself (JSON), as its `/info` does.
    pub fn beacon_info(&self) -> String {
        self.chain().info().to_string()
    }

    pub fn control(&self) -> Router {
        control::router(self.clone())
    }

    /// The earliest instant at which a prompt runs out or a callback is due; it may have passed.
    pub fn next_due(&self) -> anyhow::Result<Option<Timestamp>> {
        let expiry = daraja::next_expiry(self.db())?;
        let callback = daraja::next_callback(self.db())?;
        Ok([expiry, callback].into_iter().flatten().min())
    }

    /// Does what is due at or before `now`, in the order of its time, and returns how many things
    /// that were. Must not run twice at once.
    ///
    /// # Errors
    /// The database cannot be read or written. A callback that is refused is not an error.
    pub async fn run_due(&self, now: Timestamp) -> anyhow::Result<usize> {
        let mut done = 0;
        while let Some(due) = self.next_due()?.filter(|due| *due <= now) {
            if daraja::next_expiry(self.db())? == Some(due) {
                daraja::expire_next(self.db())?;
            } else {
                daraja::send_next_callback(self.db(), self.http()).await?;
            }
            done += 1;
        }
        Ok(done)
    }

    /// Woken whenever something new may be due.
    pub fn changed(&self) -> Arc<Notify> {
        self.0.changed.clone()
    }

    /// Deadline, first kick-off, end of play and "points checked" of every gameweek of every season,
    /// the instants five minutes after a deadline was moved, and those at which a new season is first
    /// shown; strictly after `after` and not after `until`, in order.
    pub fn boundaries(&self, after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let begins = Season::ALL.into_iter().skip(1).map(Season::shown_from);
        let begins = begins.filter(|at| *at > after && *at <= until);
        let calendars = self.0.season.all();
        let of_season = calendars.iter().flat_map(|calendar| calendar.boundaries(after, until));
        let mut instants: Vec<_> = of_season.chain(begins).collect();
        instants.sort_unstable();
        instants
    }

    pub fn deadlines(&self) -> Vec<Timestamp> {
        let calendars = self.0.season.all();
        calendars.iter().flat_map(|calendar| calendar.all().map(Gameweek::deadline)).collect()
    }

    /// When a phase of a gameweek of the season that is shown now begins; `None` where there is no
    /// such gameweek.
    pub fn phase_start(&self, gameweek: u8, phase: Phase) -> Option<Timestamp> {
        let calendar = self.calendar(self.now());
        calendar.get(gameweek).map(|gameweek| calendar.start_of(gameweek, phase))
    }

    /// Changes a gameweek of the season that is shown now, one whose deadline has not passed, and says how it stands, as
    /// `GET /sim/api/fpl/gameweeks` does.
    pub fn change_gameweek(&self, gameweek: u8, change: GameweekChange) -> Result<Value, ChangeError> {
        let now = self.now();
        Ok(control::describe(self.0.season.change(gameweek, change, now)?, now))
    }

    pub fn faults(&self) -> Faults {
        self.0.faults.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change_faults(&self, change: Map<String, Value>) -> Result<Faults, Refusal> {
        let mut faults = self.0.faults.write().unwrap_or_else(PoisonError::into_inner);
        let changed = faults.changed(change, self.now()).map_err(Refusal::bad)?;
        let stored = serde_json::to_string(&changed).map_err(anyhow::Error::from)?;
        self.db().write(|tx| Ok(db::put(tx, FAULTS, &stored)?))?;
        faults.clone_from(&changed);
        Ok(changed)
    }

    /// The refusals of the fault `reject`, in turn.
    fn next_refusal(&self) -> DarajaError {
        match self.0.refusals.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => DarajaError::Invalid("PhoneNumber"),
            _ => DarajaError::SubscriberLocked,
        }
    }

    fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    fn db(&self) -> &Db {
        &self.0.db
    }

    fn http(&self) -> &reqwest::Client {
        &self.0.settings.callback_http
    }

    fn secrets(&self) -> &DarajaSecrets {
        &self.0.settings.daraja
    }

    fn calendar(&self, now: Timestamp) -> Arc<Calendar> {
        self.0.season.calendar(now)
    }

    fn entries(&self) -> &Entries {
        &self.0.entries
    }

    fn requests(&self) -> &Requests {
        &self.0.requests
    }

    fn chain(&self) -> &beacon::Chain {
        &self.0.beacon
    }
}
