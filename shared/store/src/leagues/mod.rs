//! Leagues, `LEAGUES#gameweek#amount` / number, made by the draw, with what was read of each member's
//! team packed beside them: a page of leagues is a page of items. And each player's place among them,
//! `USER#id/PLACE#gameweek`.
//!
//! Each hundred leagues is a block with a partition of its own (`LEAGUES#gameweek#amount#block`; the first block's has no
//! number), so that the draw may write all of them at once. Leagues from before there were blocks all lie where the
//! first block is, and are looked for there too.

pub mod draw_rounds;
pub mod draws;
pub mod footballers;
pub mod picks_import;
pub mod points;
pub mod status;

use std::iter::once;

use domain::{
    EntryAmount, FplId, GameweekId, UserId, Username,
    leagues::{entry_line::NameHash, points::Squad, ranking::Figures},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::{
    Page, Store, StoreError,
    accounts::keys::partition as partition_of,
    entries::Entry,
    platform::{
        conditions::exists,
        table::{Key, Range},
        writes::Update,
    },
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
    type Err = domain::accounts::account::NotAnId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = domain::accounts::account::NotAnId;
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

/// So many leagues lie in one partition: all of them together cost less to write than it bears in a second.
pub const BLOCK: u32 = 100;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct League {
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
    pub number: u32,
    pub members: Vec<Member>,
    #[serde(default, rename = "settledAt")]
    pub settled_at: Option<Timestamp>,
    /// What was read of the members' teams, in their order; shorter while nothing was.
    #[serde(default)]
    pub readings: Vec<Reading>,
}

impl League {
    #[must_use]
    pub fn id(&self) -> LeagueId {
        LeagueId { gameweek: self.gameweek, amount: self.amount, number: self.number }
    }

    /// What was read of the member at `at`, if anything.
    #[must_use]
    pub fn reading(&self, at: usize) -> Option<&Reading> {
        self.readings.get(at)
    }
}

/// What the official game said of a member's team in this gameweek.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The frozen picks, packed ([`Squad::pack`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    squad: Option<ByteBuf>,
    /// The official game knows no picks of this team.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_squad: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub official: Option<OfficialResult>,
    /// The official game has no score of this team, or none any more: as of the last time it was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_score: bool,
}

impl Reading {
    /// The team's frozen picks. `None`: not read yet, or there are none.
    #[must_use]
    pub fn squad(&self) -> Option<Squad> {
        let packed = self.squad.as_ref()?;
        Squad::unpack(packed).inspect_err(|error| tracing::error!(%error, "a kept squad")).ok()
    }

    pub fn keep_squad(&mut self, squad: &Squad) {
        self.squad = Some(ByteBuf::from(squad.pack()));
        self.no_squad = false;
    }
}

/// A team's official figures of a gameweek whose points are final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficialResult {
    pub figures: Figures,
    /// By the official game's name.
    #[serde(default)]
    pub chip: Option<String>,
    pub as_of: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub entry_id: String,
    pub user_id: UserId,
    pub username: Username,
    /// The name as the draw's list has it; absent in leagues from before the list had names.
    #[serde(default)]
    pub name: Option<NameHash>,
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
            name: entry.name,
            fpl_id: entry.fpl_id,
            team_name: entry.team_name,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct EntryLeague {
    gameweek: GameweekId,
    amount: EntryAmount,
    number: u32,
}

fn place_key(player: &UserId, gameweek: GameweekId) -> Key {
    Key::new(partition_of(player), format!("PLACE#{gameweek}"))
}

fn partition(gameweek: GameweekId, amount: EntryAmount) -> String {
    format!("LEAGUES#{gameweek}#{}", amount.kes().get())
}

/// A league's number as keys and cursors have it: they sort as the numbers do, and those of five digits are written so.
#[must_use]
pub fn number_key(number: u32) -> String {
    if number < 100_000 { format!("{number:05}") } else { format!("~{number:08}") }
}

/// The number that is written so.
#[must_use]
pub fn number_of(key: &str) -> Option<u32> {
    let number = key.strip_prefix('~').unwrap_or(key).parse().ok()?;
    (number_key(number) == key).then_some(number)
}

/// The partition of a block, from 0, where `first` is the first one's.
fn block_partition(first: &str, block: u32) -> String {
    if block == 0 { first.to_owned() } else { format!("{first}#{block:04}") }
}

fn block_of(number: u32) -> u32 {
    number.saturating_sub(1) / BLOCK
}

/// Where what belongs to the league of that number is: in its block, or, from before there were blocks, in the first one's
/// partition.
fn places(first: &str, number: u32, sk: &str) -> impl Iterator<Item = Key> + use<> {
    let block = block_of(number);
    let before = (block > 0).then(|| Key::new(first, sk));
    once(Key::new(block_partition(first, block), sk)).chain(before)
}

pub(crate) fn keys(id: LeagueId) -> impl Iterator<Item = Key> {
    places(&partition(id.gameweek, id.amount), id.number, &number_key(id.number))
}

impl Store {
    pub async fn league(&self, id: LeagueId) -> Result<Option<League>, StoreError> {
        self.first_of("league", keys(id)).await
    }

    /// Whether the leagues that are written of a draw lie in blocks: not where that began before there were any.
    pub async fn lie_in_blocks(&self, gameweek: GameweekId, amount: EntryAmount) -> Result<bool, StoreError> {
        let (pk, last) = (partition(gameweek, amount), number_key(BLOCK));
        let beyond = Range { pk: &pk, prefix: "", after: Some(&last), newest_first: false, limit: 1 };
        Ok(self.range::<League>("league", beyond).await?.items.is_empty())
    }

    /// The league that a player was drawn into.
    pub async fn league_of(
        &self,
        player: &UserId,
        gameweek: GameweekId,
    ) -> Result<Option<LeagueId>, StoreError> {
        let place: Option<EntryLeague> = self.get("place", place_key(player, gameweek)).await?;
        Ok(place.map(|place| LeagueId { gameweek, amount: place.amount, number: place.number }))
    }

    /// Every league that a player was drawn into.
    pub async fn leagues_of(&self, player: &UserId) -> Result<Vec<LeagueId>, StoreError> {
        let places: Vec<EntryLeague> = self.all("place", &partition_of(player), "PLACE#").await?;
        let id = |EntryLeague { gameweek, amount, number }| LeagueId { gameweek, amount, number };
        Ok(places.into_iter().map(id).collect())
    }

    /// A page of leagues in order of their numbers, after number `after`.
    pub async fn leagues_page(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        after: Option<&str>,
        limit: i32,
    ) -> Result<Page<League>, StoreError> {
        let first = partition(gameweek, amount);
        let number = |sk: &str| number_of(sk).unwrap_or(0);
        let (mut items, mut after): (Vec<League>, _) = (Vec::new(), after.map(str::to_owned));
        loop {
            let left = limit - i32::try_from(items.len()).unwrap_or(limit);
            let block = after.as_deref().map_or(0, number) / BLOCK;
            let of = |pk: String| {
                let after = after.as_deref();
                async move {
                    let range = Range { pk: &pk, prefix: "", after, newest_first: false, limit: left };
                    self.range::<League>("league", range).await
                }
            };
            let mut page = of(block_partition(&first, block)).await?;
            if page.items.is_empty() && block > 0 {
                // From before there were blocks; or these were all.
                page = of(first.clone()).await?;
            }
            items.append(&mut page.items);
            let end = items.last().map_or(0, |league| league.number);
            let ends_block = end > 0 && end.is_multiple_of(BLOCK) && after.as_deref().map_or(0, number) < end;
            if page.cursor.is_some() || !ends_block {
                return Ok(Page { items, cursor: page.cursor });
            }
            after = Some(number_key(end));
            if items.len() >= usize::try_from(limit).unwrap_or(0) {
                return Ok(Page { items, cursor: after });
            }
        }
    }

    /// Keeps what was read of a league's members, in their order.
    pub async fn keep_readings(&self, id: LeagueId, readings: &[Reading]) -> Result<(), StoreError> {
        let update = |key| Update::of(key).set("readings", readings).only_if(exists("pk"));
        self.update_first(keys(id).map(update)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_leagues_lie_together_and_those_of_before_with_the_first() {
        let found = |number| places("L", number, "x").map(|key| key.pk).collect::<Vec<_>>();
        assert_eq!((found(1), found(100)), (vec!["L".to_owned()], vec!["L".to_owned()]));
        assert_eq!(found(101), ["L#0001", "L"]);
        assert_eq!(
            (found(200), found(201)),
            (vec!["L#0001".into(), "L".into()], vec!["L#0002".into(), "L".into()])
        );
    }

    #[test]
    fn keys_of_leagues_sort_as_their_numbers() {
        let numbers = [1, 99, 100, 101, 99_900, 99_999, 100_000, 100_001, 999_999, 1_000_000];
        let keys = numbers.map(number_key);
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!((keys[0].as_str(), keys[6].as_str()), ("00001", "~00100000"));
        assert_eq!(keys.map(|key| number_of(&key)), numbers.map(Some));
        for wrong in ["", "1", "000001", "~00000001", "100000", "0000x", "+0001"] {
            assert_eq!(number_of(wrong), None, "{wrong}");
        }
    }

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
