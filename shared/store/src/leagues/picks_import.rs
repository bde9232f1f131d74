//! Reading every team from the official game at a set pace: whose turn it is, `COLLECTING/TURN` (one
//! reader at a time, whatever the gameweek), and how far it is, `GW#gameweek/COLLECTED#what`.

use domain::GameweekId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    platform::{
        conditions::exists,
        table::Key,
        transaction::{Outcome, Transaction},
        writes::Update,
    },
};

/// What is read of each team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportStep {
    /// Its frozen picks, once the deadline has passed.
    Squads,
    /// Its official result, once that is final.
    Results,
}

/// How far a gameweek's teams are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportProgress {
    /// The last league that was done in this round; `None`: it begins.
    #[serde(default)]
    pub after: Option<String>,
    /// Since when every league has been done once.
    #[serde(default)]
    pub round_ended_at: Option<Timestamp>,
    /// Since when nothing is missing.
    #[serde(default)]
    pub complete_at: Option<Timestamp>,
    /// Not to be gone on with before.
    #[serde(default)]
    pub not_before: Option<Timestamp>,
    /// Why it was interrupted last.
    #[serde(default)]
    pub trouble: Option<String>,
    /// Whether something was found missing in this round.
    #[serde(default)]
    pub missing: bool,
    /// Rounds that found something missing.
    #[serde(default)]
    pub rounds: u32,
    /// Interruptions in a row.
    #[serde(default)]
    pub outages: u32,
    /// Of results: a hash of the points that they are held against in this round.
    #[serde(default)]
    pub held_against: Option<String>,
}

impl ImportProgress {
    /// Whether there is something to be read now; what was complete before `since` is not any more.
    #[must_use]
    pub fn is_due(&self, now: Timestamp, since: Option<Timestamp>) -> bool {
        let complete = self.complete_at.is_some_and(|at| since.is_none_or(|since| at >= since));
        !complete && self.not_before.is_none_or(|at| now >= at)
    }
}

fn lease_key() -> Key {
    Key::new("COLLECTING", "TURN")
}

fn key(gameweek: GameweekId, what: ImportStep) -> Key {
    let what = match what {
        ImportStep::Squads => "SQUADS",
        ImportStep::Results => "RESULTS",
    };
    Key::new(format!("GW#{gameweek}"), format!("COLLECTED#{what}"))
}

impl Store {
    /// Takes the turn for `who` until `until`, or keeps it. `false`: it is somebody else's.
    pub async fn take_lease(&self, who: &str, now: Timestamp, until: Timestamp) -> Result<bool, StoreError> {
        self.hold(lease_key(), who, now, until).await
    }

    /// Gives the turn back.
    pub async fn release_lease(&self, who: &str) -> Result<(), StoreError> {
        self.let_go(lease_key(), who).await
    }

    pub async fn import_progress(
        &self,
        gameweek: GameweekId,
        what: ImportStep,
    ) -> Result<ImportProgress, StoreError> {
        Ok(self.get("collected", key(gameweek, what)).await?.unwrap_or_default())
    }

    /// Has what is missing asked for now, whatever the pause.
    pub async fn hasten_import(&self, gameweek: GameweekId, what: ImportStep) -> Result<(), StoreError> {
        let mut transaction = Transaction::new();
        transaction.update(hastened(gameweek, what), ());
        self.commit(transaction).await.map(drop)
    }

    /// As [`Store::hasten_import`], of squads and results, by hand.
    pub async fn hasten_all_imports(
        &self,
        gameweek: GameweekId,
        act: &AuditRecord,
    ) -> Result<(), StoreError> {
        let mut begun = [ImportStep::Squads, ImportStep::Results].to_vec();
        loop {
            let mut transaction = Transaction::new();
            for what in &begun {
                transaction.update(hastened(gameweek, *what), Some(*what));
            }
            transaction.put(self.recorded(act), None);
            match self.commit(transaction).await? {
                // What has not begun needs no haste.
                Outcome::Refused(why) if why.iter().any(Option::is_some) => {
                    begun.retain(|what| !why.contains(&Some(*what)));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Keeps how far it is: only whoever has the turn does.
    pub async fn keep_collected(
        &self,
        gameweek: GameweekId,
        what: ImportStep,
        progress: &ImportProgress,
    ) -> Result<(), StoreError> {
        self.put(key(gameweek, what).item(progress)).await
    }
}

fn hastened(gameweek: GameweekId, what: ImportStep) -> Update {
    Update::of(key(gameweek, what)).remove("notBefore").remove("completeAt").only_if(exists("pk"))
}
