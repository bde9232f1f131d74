//! A player's own entries: what each gameweek cost and brought.

use std::collections::BTreeMap;

use domain::{EntryAmount, GameweekId, Kes, UserId, ledger::postings::Cause};
use jiff::Timestamp;
use store::{
    Page,
    leagues::LeagueId,
    ledger::wallets::StoredPosting,
    settlement::record::{Ranked, Settlement},
};

use crate::{App, AppError, settlement::settling};

/// Entries on one page: more than a season's.
const PAGE: usize = 50;

/// A player's entry, with what became of it.
#[derive(Debug, Clone)]
pub struct OwnEntry {
    pub gameweek: GameweekId,
    /// What it cost.
    pub amount: Kes,
    /// Nothing before the draw, and where there was none.
    pub league: Option<LeagueId>,
    /// The rank in the league; nothing until it is settled.
    pub rank: Option<usize>,
    /// What it was ranked by; nothing either where the team could not be read.
    pub points: Option<i32>,
    pub prize: Kes,
    pub refund: Kes,
    /// What of the prize or the refund has paid what the player owed.
    pub towards_debt: Kes,
    pub refund_reason: Option<String>,
    /// How it stands in the draw's list; nothing in entries from before it was so.
    pub line: Option<String>,
    pub at: Timestamp,
}

/// A player's entries into gameweeks before one, newest first, and what all entries brought less what they cost.
pub async fn page(
    app: &App,
    player: &UserId,
    before: Option<GameweekId>,
) -> Result<(Page<OwnEntry>, Kes), AppError> {
    let postings = app.store().postings(player).await?;
    let mut entered: Vec<Entered<'_>> = postings.iter().filter_map(Entered::of).collect();
    entered.retain(|entry| before.is_none_or(|before| entry.gameweek < before));
    entered.sort_by_key(|entry| std::cmp::Reverse(entry.gameweek));
    let more = entered.len() > PAGE;
    entered.truncate(PAGE);
    let cursor = entered.last().filter(|_| more).map(|entry| entry.gameweek.to_string());
    let items = own_entries(app, player, &postings, &entered).await?;
    Ok((Page { items, cursor }, profit_and_loss(&postings)))
}

/// The posting of an entry, and which gameweek it is.
struct Entered<'a> {
    gameweek: GameweekId,
    posting: &'a StoredPosting,
}

impl<'a> Entered<'a> {
    fn of(posting: &'a StoredPosting) -> Option<Self> {
        let (kind, gameweek) = posting.cause.split_once('#')?;
        (kind == "entry").then_some(())?;
        Some(Self { gameweek: gameweek.parse().ok()?, posting })
    }

    /// Its gameweek, amount and id, which name it.
    fn named(&self) -> Option<(GameweekId, EntryAmount, &'a str)> {
        let amount = EntryAmount::try_from(self.posting.entry_amount?.get()).ok()?;
        Some((self.gameweek, amount, self.posting.entry_id.as_deref()?))
    }
}

async fn own_entries(
    app: &App,
    player: &UserId,
    postings: &[StoredPosting],
    entered: &[Entered<'_>],
) -> Result<Vec<OwnEntry>, AppError> {
    let shown = |league: &LeagueId| entered.iter().any(|entry| entry.gameweek == league.gameweek);
    let leagues: Vec<LeagueId> = app.store().leagues_of(player).await?.into_iter().filter(shown).collect();
    let by_cause: BTreeMap<&str, &StoredPosting> =
        postings.iter().map(|posting| (posting.cause.as_str(), posting)).collect();
    let gained =
        |cause: &Cause| by_cause.get(cause.key().as_str()).map_or(Kes::ZERO, |posting| posting.amount);
    let towards_debt = |of: &Cause| -gained(&Cause::DebtPaid { of: of.key() });
    let placed = |gameweek: GameweekId| leagues.iter().find(|league| league.gameweek == gameweek);
    let unplaced = entered.iter().filter(|entry| placed(entry.gameweek).is_none());
    let unplaced: Vec<_> = unplaced.filter_map(Entered::named).collect();
    let named: Vec<_> = entered.iter().filter_map(Entered::named).collect();
    let (settlements, reasons, kept) = tokio::try_join!(
        app.store().settlements(&leagues),
        app.store().why_unplaced(&unplaced),
        app.store().entries_named(player, &named),
    )?;
    let line = |id: Option<&String>| {
        let entry = kept.iter().find(|entry| Some(&entry.id) == id)?;
        Some(entry.line()?.to_string())
    };
    let own = |entry: &Entered<'_>| {
        let (gameweek, posting) = (entry.gameweek, entry.posting);
        let league = placed(gameweek).copied();
        let settled = league.and_then(|id| settled_in(&settlements, id, player));
        let won = league.map(|id| Cause::Prize { gameweek, league: id.to_string() });
        let (refund, prize) = (Cause::Refund { gameweek }, won.as_ref().map_or(Kes::ZERO, gained));
        // Who has won has no place before the prize is booked: a place without one says that there is none.
        let booked = settled.filter(|(_, ranked)| !ranked.prize.is_positive() || prize.is_positive());
        let place = booked.map(|(_, ranked)| ranked).filter(|ranked| ranked.rank.is_some());
        let given_back = settled.filter(|(_, ranked)| ranked.refund.is_positive());
        let why = given_back.map(|(record, _)| settling::why_refunded(record));
        OwnEntry {
            gameweek,
            amount: -posting.amount,
            league,
            rank: place.and_then(|ranked| ranked.rank),
            points: place.and_then(|ranked| ranked.score).map(|score| score.points),
            prize,
            refund: gained(&refund),
            towards_debt: towards_debt(&refund) + won.as_ref().map_or(Kes::ZERO, towards_debt),
            refund_reason: why.or_else(|| reasons.get(posting.entry_id.as_ref()?).cloned()),
            line: line(posting.entry_id.as_ref()),
            at: posting.at,
        }
    };
    Ok(entered.iter().map(own).collect())
}

/// What gameweeks brought, less what they cost.
fn profit_and_loss(postings: &[StoredPosting]) -> Kes {
    let of_gameweeks = postings.iter().filter(|p| matches!(p.kind.as_str(), "entry" | "prize" | "refund"));
    of_gameweeks.fold(Kes::ZERO, |sum, posting| sum + posting.amount)
}

/// A player in the record of a league that is settled.
fn settled_in<'a>(
    settlements: &'a [Settlement],
    league: LeagueId,
    player: &UserId,
) -> Option<(&'a Settlement, &'a Ranked)> {
    let record = settlements.iter().find(|record| record.league == league.to_string())?;
    let ranked = record.ranking.iter().find(|ranked| ranked.user_id == *player)?;
    Some((record, ranked))
}
