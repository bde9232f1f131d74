//! How far each league of a gameweek is: `MARKS#gameweek` / amount and number, small, so that many of
//! them are read in a page. A league without its end on its status is not settled. They lie in blocks as the leagues do:
//! `MARKS#gameweek#block` has that block's of every amount.

use domain::{GameweekId, Kes};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    leagues::{self, BLOCK, LeagueId, block_partition, number_key, places},
    platform::{
        concurrency::try_map,
        conditions::{absent, exists},
        table::{Item, Key},
        transaction::Transaction,
        worklists::put_on_worklist,
        writes::Update,
    },
};

/// A league's status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeagueStatus {
    league: String,
    #[serde(default)]
    pub settled_at: Option<Timestamp>,
    /// What it paid in prizes; not known of leagues that were paid before it was noted.
    #[serde(default)]
    pub prizes: Option<Kes>,
    /// Why it waits, where it cannot be settled yet.
    #[serde(default)]
    pub waiting: Option<String>,
    #[serde(default)]
    pub waiting_since: Option<Timestamp>,
    /// Since when nothing is waited for but teams that have vanished.
    #[serde(default)]
    pub vanished_since: Option<Timestamp>,
    /// What the official game corrected after it was paid.
    #[serde(default)]
    pub corrected: Option<String>,
}

impl LeagueStatus {
    /// # Errors
    /// What is kept is no league: a mistake of ours.
    pub fn league(&self) -> Result<LeagueId, StoreError> {
        self.league.parse().map_err(|_| StoreError::Refused(format!("a mark of {:?}", self.league)))
    }
}

fn partition(gameweek: GameweekId) -> String {
    format!("MARKS#{gameweek}")
}

fn keys(id: LeagueId) -> impl Iterator<Item = Key> {
    places(
        &partition(id.gameweek),
        id.number,
        &format!("{:03}-{}", id.amount.kes().get(), number_key(id.number)),
    )
}

/// The list of leagues that are not settled.
fn unsettled(gameweek: GameweekId) -> String {
    format!("LEAGUES#unsettled#{gameweek}")
}

/// The status of a league that was drawn just now, at one of its places.
pub(super) fn new_item(id: LeagueId, place: usize) -> Option<Item> {
    let status = LeagueStatus {
        league: id.to_string(),
        settled_at: None,
        prizes: None,
        waiting: None,
        waiting_since: None,
        vanished_since: None,
        corrected: None,
    };
    let mut item = keys(id).nth(place)?.item(&status);
    put_on_worklist(&mut item, &unsettled(id.gameweek), &status.league);
    Some(item)
}

impl Store {
    /// Shows `look` the statuses of a gameweek, of all amounts, some blocks at a time: however many there are, a few
    /// thousand are held at once.
    pub async fn each_league_status(
        &self,
        gameweek: GameweekId,
        mut look: impl FnMut(LeagueId, LeagueStatus),
    ) -> Result<(), StoreError> {
        let first = partition(gameweek);
        let mut look_at = |statuses: Vec<LeagueStatus>| {
            statuses.into_iter().try_for_each(|status| {
                look(status.league()?, status);
                Ok::<_, StoreError>(())
            })
        };
        let of_first: Vec<LeagueStatus> = self.all("mark", &first, "").await?;
        // As long as there may be more blocks, ever more of them at once.
        let (mut next, mut at_once) = (1, 1);
        let mut more = of_first.len() >= usize::try_from(BLOCK).unwrap_or(0);
        look_at(of_first)?;
        while more {
            let blocks = try_map(next..next + at_once, |block| {
                let pk = block_partition(&first, block);
                async move { self.all::<LeagueStatus>("mark", &pk, "").await }
            });
            let blocks = blocks.await?;
            more = blocks.iter().all(|block| !block.is_empty());
            (next, at_once) = (next + at_once, (at_once * 2).min(16));
            blocks.into_iter().try_for_each(&mut look_at)?;
        }
        Ok(())
    }

    pub async fn league_status(&self, id: LeagueId) -> Result<Option<LeagueStatus>, StoreError> {
        self.first_of("mark", keys(id)).await
    }

    /// Whether a gameweek has no league left to settle, as the index knows (it lags a little): for
    /// looking closely at the right moment, never for deciding.
    pub async fn seems_settled(&self, gameweek: GameweekId) -> Result<bool, StoreError> {
        Ok(self.worklist_page::<LeagueStatus>("mark", &unsettled(gameweek), None, 1).await?.items.is_empty())
    }

    /// Marks a league as paid, with what it paid in prizes.
    pub async fn mark_league_settled(
        &self,
        id: LeagueId,
        prizes: Kes,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        for (league, status) in leagues::keys(id).zip(keys(id)) {
            let league =
                Update::of(league).set("settledAt", at).only_if(exists("pk")).only_if(absent("settledAt"));
            let status = Update::of(status)
                .set("settledAt", at)
                .set("prizes", prizes)
                .remove("waiting")
                .remove("waitingSince")
                .remove("vanishedSince")
                .off_worklist();
            let mut transaction = Transaction::new();
            transaction.update(league, ()).update(status, ());
            if self.commit_all(transaction).await? {
                break;
            }
        }
        Ok(())
    }

    /// Notes why a league waits; the time since which it waits stays as first noted. `vanished`: it waits for nothing
    /// but vanished teams. The time since which that is so is noted too, and removed when it is no longer so.
    pub async fn mark_league_waiting(
        &self,
        id: LeagueId,
        (why, vanished): (&str, bool),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let update = |key| {
            let update = Update::of(key).set("waiting", why).set_if_absent("waitingSince", now);
            let update = if vanished {
                update.set_if_absent("vanishedSince", now)
            } else {
                update.remove("vanishedSince")
            };
            update.only_if(exists("pk")).only_if(absent("settledAt"))
        };
        self.update_first(keys(id).map(update)).await
    }

    /// Notes what was corrected after a league was paid. `None`: nothing is, or not any more.
    pub async fn mark_league_corrected(&self, id: LeagueId, what: Option<&str>) -> Result<(), StoreError> {
        let update = |key| Update::of(key).set_or_remove("corrected", what).only_if(exists("pk"));
        self.update_first(keys(id).map(update)).await
    }
}
