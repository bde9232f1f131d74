//! Leagues, `LEAGUES#gameweek#amount` / number, made by the draw; each player's place among them,
//! `USER#id/PLACE#gameweek`; and settlements, `SETTLEMENTS#gameweek#amount` / number: written once,
//! and the only thing that prizes are paid from.

use aws_sdk_dynamodb::types::Put;
use domain::{
    EntryAmount, FplId, GameweekId, Kes, UserId, Username,
    ledger::Posting,
    ranking::{Figures, Score},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    entries::Entry,
    lists::{DELIST, enlist},
    players,
    sessions::conditional,
    table::{Key, Range, s},
    transaction::{Outcome, Transaction},
    wallets::{Booking, WALLET_TRIES, operator_posting},
};

/// Which league: its gameweek, amount and number. Written `2026-03-50-00001`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeagueId {
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
    /// From 1.
    pub number: u32,
}

impl std::fmt::Display for LeagueId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{:05}", self.gameweek, self.amount.kes().get(), self.number)
    }
}

impl std::str::FromStr for LeagueId {
    type Err = domain::account::NotAnId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = domain::account::NotAnId;
        let (gameweek, rest) = text.split_at_checked(7).ok_or(wrong)?;
        let (amount, number) = rest.strip_prefix('-').and_then(|rest| rest.split_once('-')).ok_or(wrong)?;
        let amount: i64 = amount.parse().map_err(|_| wrong)?;
        let id = Self {
            gameweek: gameweek.parse().map_err(|_| wrong)?,
            amount: EntryAmount::try_from(amount).map_err(|_| wrong)?,
            number: number.parse().map_err(|_| wrong)?,
        };
        if id.to_string() == text { Ok(id) } else { Err(wrong) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct League {
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
    pub number: u32,
    pub members: Vec<Member>,
    #[serde(default, rename = "settledAt")]
    pub settled_at: Option<Timestamp>,
    /// Why it waits, where it cannot be settled yet.
    #[serde(default)]
    pub waiting: Option<String>,
}

impl League {
    #[must_use]
    pub fn id(&self) -> LeagueId {
        LeagueId { gameweek: self.gameweek, amount: self.amount, number: self.number }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub entry_id: String,
    pub user_id: UserId,
    pub username: Username,
    pub fpl_id: FplId,
    #[serde(default)]
    pub team_name: Option<String>,
}

impl From<Entry> for Member {
    fn from(entry: Entry) -> Self {
        Self {
            entry_id: entry.id,
            user_id: entry.user_id,
            username: entry.username,
            fpl_id: entry.fpl_id,
            team_name: entry.team_name,
        }
    }
}

/// What a league was paid from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    pub league: String,
    pub at: Timestamp,
    /// Whether extra transfers were deducted: as of the official deadline.
    pub deduct_transfer_points: bool,
    pub fee_percent: u8,
    pub collected: Kes,
    pub fee: Kes,
    pub rounding: Kes,
    /// Best first.
    pub ranking: Vec<Ranked>,
    /// SHA-256 (hex) over the official figures as they stand here.
    pub figures_hash: String,
}

/// A member with what they scored and what they are paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ranked {
    pub rank: usize,
    pub user_id: UserId,
    pub username: Username,
    pub fpl_id: FplId,
    #[serde(default)]
    pub team_name: Option<String>,
    pub figures: Figures,
    pub score: Score,
    /// KES; nothing for most.
    pub prize: Kes,
    /// KES given back, where nothing was played.
    #[serde(default)]
    pub refund: Kes,
}

#[derive(Serialize, Deserialize)]
struct Place {
    gameweek: GameweekId,
    amount: EntryAmount,
    number: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    WalletMoved,
    Booked,
    Recorded,
}

fn partition(gameweek: GameweekId, amount: EntryAmount) -> String {
    format!("LEAGUES#{gameweek}#{}", amount.kes().get())
}

/// The list of leagues that are not settled.
fn unsettled(gameweek: GameweekId) -> String {
    format!("LEAGUES#unsettled#{gameweek}")
}

fn key(id: LeagueId) -> Key {
    Key::new(partition(id.gameweek, id.amount), format!("{:05}", id.number))
}

fn settlements(gameweek: GameweekId, amount: EntryAmount) -> String {
    format!("SETTLEMENTS#{gameweek}#{}", amount.kes().get())
}

fn settlement_key(id: LeagueId) -> Key {
    Key::new(settlements(id.gameweek, id.amount), format!("{:05}", id.number))
}

impl Store {
    /// Writes a league of the draw and its members' places, at once and the same at every try.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn create_league(&self, league: &League) -> Result<(), StoreError> {
        let mut transaction = Transaction::new();
        let mut item = key(league.id()).item(league);
        enlist(&mut item, &unsettled(league.gameweek), &league.id().to_string());
        transaction.put(self.new_put(item), ());
        for member in &league.members {
            let place = Place { gameweek: league.gameweek, amount: league.amount, number: league.number };
            let pk = players::partition(&member.user_id);
            let item = Key::new(pk, format!("PLACE#{}", league.gameweek)).item(&place);
            let put = Put::builder().table_name(&self.name).set_item(Some(item));
            transaction.put(put.build().expect("table and item are given"), ());
        }
        // Refused: an attempt before this one wrote it, and the draw makes the same league every time.
        self.commit(transaction).await.map(drop)
    }

    /// Whether a gameweek has no league left to settle, as the index knows (it lags a little): for
    /// looking closely at the right moment, never for deciding.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn seems_settled(&self, gameweek: GameweekId) -> Result<bool, StoreError> {
        Ok(self.listed::<League>("league", &unsettled(gameweek), None, 1).await?.items.is_empty())
    }

    /// # Errors
    /// The table is not answering.
    pub async fn league(&self, id: LeagueId) -> Result<Option<League>, StoreError> {
        self.get("league", key(id)).await
    }

    /// The league that a player was drawn into.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn league_of(
        &self,
        player: &UserId,
        gameweek: GameweekId,
    ) -> Result<Option<LeagueId>, StoreError> {
        let place_key = Key::new(players::partition(player), format!("PLACE#{gameweek}"));
        let place: Option<Place> = self.get("place", place_key).await?;
        Ok(place.map(|place| LeagueId { gameweek, amount: place.amount, number: place.number }))
    }

    /// Every league that a player was drawn into.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn leagues_of(&self, player: &UserId) -> Result<Vec<LeagueId>, StoreError> {
        let places: Vec<Place> = self.all("place", &players::partition(player), "PLACE#").await?;
        let id = |Place { gameweek, amount, number }| LeagueId { gameweek, amount, number };
        Ok(places.into_iter().map(id).collect())
    }

    /// A page of leagues in order of their numbers, after number `after`.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn leagues_page(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        after: Option<&str>,
        limit: i32,
    ) -> Result<Page<League>, StoreError> {
        let pk = partition(gameweek, amount);
        let range = Range { pk: &pk, prefix: "", after, newest_first: false, limit };
        self.range("league", range).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn settlement(&self, id: LeagueId) -> Result<Option<Settlement>, StoreError> {
        self.get("settlement", settlement_key(id)).await
    }

    /// The settlements of these leagues, as far as there are any.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn settlements(&self, ids: &[LeagueId]) -> Result<Vec<Settlement>, StoreError> {
        self.get_many("settlement", ids.iter().copied().map(settlement_key).collect()).await
    }

    /// Keeps a settlement and books its fee and remainder, unless one is kept. Answers the one that
    /// counts.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn record_settlement(
        &self,
        id: LeagueId,
        settlement: &Settlement,
    ) -> Result<Settlement, StoreError> {
        let mut transaction = Transaction::new();
        transaction.put(self.new_put(settlement_key(id).item(settlement)), Refusal::Recorded);
        let fee = Posting::league_fee(id.gameweek, &id.to_string(), settlement.fee, settlement.rounding);
        if let Some(posting) = fee {
            let pk = settlements(id.gameweek, id.amount);
            let item = operator_posting(format!("{pk}#POSTINGS"), &posting, settlement.at);
            transaction.put(self.new_put(item), Refusal::Booked);
        }
        match self.commit(transaction).await? {
            Outcome::Written => Ok(settlement.clone()),
            Outcome::Refused(_) => {
                let kept = self.settlement(id).await?;
                kept.ok_or_else(|| StoreError::Refused(format!("the fee of {id} is booked without a record")))
            }
        }
    }

    /// Puts a prize or a refund into a wallet. `false`: it was booked before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn pay_out(
        &self,
        player: &UserId,
        posting: &Posting,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(player).await?;
            let mut transaction = Transaction::new();
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            self.book(&mut transaction, player, wallet, &[Booking::of(posting)], at, refusals);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(true),
                Outcome::Refused(why) if why.contains(&Refusal::Booked) => return Ok(false),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Marks a league as paid.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn mark_league_settled(&self, id: LeagueId, at: Timestamp) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .update_expression(format!("SET settledAt = :at REMOVE waiting, {DELIST}"))
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(settledAt)")
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await.map(drop)
    }

    /// Notes why a league waits.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn mark_league_waiting(&self, id: LeagueId, why: &str) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .update_expression("SET waiting = :why")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(settledAt)")
            .expression_attribute_values(":why", s(why));
        conditional(update).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_id_is_written_one_way() {
        let id = LeagueId {
            gameweek: GameweekId { season: 2026, number: 3 },
            amount: EntryAmount::TwoFifty,
            number: 12,
        };
        assert_eq!(id.to_string(), "2026-03-250-00012");
        assert_eq!("2026-03-250-00012".parse(), Ok(id));
        for wrong in ["", "2026-03-250-12", "2026-03-60-00012", "2026-3-250-00012", "2026-03-250-00012x"] {
            assert!(wrong.parse::<LeagueId>().is_err(), "{wrong}");
        }
    }
}
