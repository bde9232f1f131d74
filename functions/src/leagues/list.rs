//! The leagues of a gameweek and amount: provisional groups before the draw, what was drawn after it,
//! with points as far as they are known. The public form may be kept by caches for a moment; a form
//! made for somebody never is.

use app::App;
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use domain::{EntryAmount, GameweekId, leagues::draw::LEAGUE_SIZE, ledger::money::NotAnEntryAmount};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::{
    accounts::players::Player,
    entries::Entry,
    leagues::{League, LeagueId, Member},
};
use utoipa::{
    IntoParams,
    openapi::{Object, ObjectBuilder, schema::Type},
};

use super::view::{self, LeagueState, LeagueView};
use crate::{
    gameweeks::not_a_gameweek,
    platform::http::{ApiError, OptionalCaller, Refusal},
};

/// Leagues on one page.
const PAGE: usize = 50;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeaguesQuery {
    /// The number in the current season, or season and number; the current one where it is left out.
    #[param(pattern = "^([0-9]{4}-)?[0-9]{1,2}$", example = "3")]
    gameweek: Option<String>,
    /// 50, 100 or 250 KES; 50 where it is left out.
    #[param(schema_with = entry_amounts)]
    entry_amount: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

fn entry_amounts() -> Object {
    let amounts = EntryAmount::ALL.map(|amount| amount.kes().get());
    let mut schema = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(amounts)).build();
    schema.example = Some(50.into());
    schema
}

/// The leagues of a gameweek and amount, the caller's own first.
#[utoipa::path(get, path = "/api/leagues", tag = "leagues", security((), ("bearer" = [])),
    params(LeaguesQuery), responses(
        (status = 200, description = "At most 50 leagues", body = Vec<LeagueView>,
            headers(("etag" = String, description = "Of the public form: without a token"))),
        (status = 304, description = "As it was when the `ETag` of `If-None-Match` was given",
            headers(("etag" = String, description = "The same one"))),
        (status = 400, description = "Not a gameweek, an amount or a cursor", body = Refusal),
        (status = 401, description = "The token is not valid", body = Refusal),
    ))]
pub async fn list_leagues(
    State(app): State<App>,
    OptionalCaller(caller): OptionalCaller,
    headers: HeaderMap,
    Query(query): Query<LeaguesQuery>,
) -> Result<Response, ApiError> {
    let amount = query.entry_amount.as_deref().unwrap_or("50").parse::<i64>().map_err(|_| NotAnEntryAmount);
    let amount = amount.and_then(EntryAmount::try_from).map_err(ApiError::bad_request)?;
    let found = app.asked_gameweek(query.gameweek.as_deref()).await?;
    let listed = match found {
        Some((id, gameweek)) => {
            let deadline = gameweek.deadline;
            let page = Page { app: &app, gameweek: id, deadline, amount, caller: caller.as_ref() };
            let cursor = query.cursor.as_deref();
            if gameweek.drawn_at.is_some() {
                page.drawn(cursor).await?
            } else {
                page.provisional(cursor).await?
            }
        }
        None if query.gameweek.is_none() => (Vec::new(), None),
        None => return Err(not_a_gameweek()),
    };
    Ok(answer(listed, caller.is_some(), &headers))
}

type Listed = (Vec<LeagueView>, Option<String>);

/// A page with what caches may do with it.
fn answer((leagues, next): Listed, private: bool, asked: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    let body = serde_json::to_vec(&leagues).expect("a page is plain values");
    let value = |text: &str| HeaderValue::from_str(text).expect("plain characters");
    if let Some(cursor) = &next {
        headers.insert("x-next-cursor", value(cursor));
    }
    headers.insert(header::VARY, HeaderValue::from_static("authorization"));
    if private {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        return (headers, Json(leagues)).into_response();
    }
    let digest = Sha256::new().chain_update(&body).chain_update(next.unwrap_or_default()).finalize();
    let etag = value(&format!("\"{}\"", hex::encode(&digest[..16])));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=5"));
    headers.insert(header::ETAG, etag.clone());
    if asked.get_all(header::IF_NONE_MATCH).iter().any(|known| *known == etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    (headers, body).into_response()
}

/// Whose page, and of what.
struct Page<'a> {
    app: &'a App,
    gameweek: GameweekId,
    deadline: Timestamp,
    amount: EntryAmount,
    caller: Option<&'a Player>,
}

impl Page<'_> {
    /// Before the draw: the entries in order of joining, cut into tens. The cursor is the number of
    /// groups before the page and the last entry's id.
    async fn provisional(&self, cursor: Option<&str>) -> Result<Listed, ApiError> {
        let (before, after) = match cursor {
            None => (0, None),
            Some(cursor) => {
                let parts = cursor
                    .split_once('-')
                    .and_then(|(n, id)| Some((usize::from(n.parse::<u16>().ok()?), id)));
                let sound = parts.filter(|(_, id)| domain::accounts::account::is_hex_id(id));
                let (n, id) = sound.ok_or_else(not_a_cursor)?;
                (n, Some(id))
            }
        };
        let entries =
            self.app.store().entries_page(self.gameweek, self.amount, after, PAGE * LEAGUE_SIZE).await?;
        let full = entries.len() == PAGE * LEAGUE_SIZE;
        let next = entries.last().filter(|_| full).map(|last| format!("{}-{}", before + PAGE, last.id));
        let groups = entries.chunks(LEAGUE_SIZE).enumerate();
        let mut leagues: Vec<LeagueView> =
            groups.map(|(i, group)| self.group(before + i + 1, group)).collect();
        if let Some(own) = self.own_group().await? {
            leagues.retain(|league| league.number != own.number);
            if cursor.is_none() {
                leagues.insert(0, own);
            }
        }
        Ok((leagues, next))
    }

    /// The caller's own group.
    async fn own_group(&self) -> Result<Option<LeagueView>, ApiError> {
        let Some(caller) = self.caller else { return Ok(None) };
        let cause = domain::ledger::postings::Cause::Entry { gameweek: self.gameweek }.key();
        let posting = self.app.store().posting(&caller.id, &cause).await?;
        let joined = posting.filter(|posting| posting.entry_amount == Some(self.amount.kes()));
        let Some(entry) = joined.and_then(|posting| posting.entry_id) else { return Ok(None) };
        let group = self.app.store().provisional_group(self.gameweek, self.amount, &entry).await?;
        Ok(Some(self.group(group.number, &group.entries)))
    }

    fn group(&self, number: usize, group: &[Entry]) -> LeagueView {
        let is_own = |entry: &Entry| self.caller.is_some_and(|caller| entry.user_id == caller.id);
        LeagueView {
            id: format!("{}-{}-provisional-{number}", self.gameweek, self.amount.kes().get()),
            number,
            state: LeagueState::Provisional,
            status: None,
            as_of: None,
            own: group.iter().any(is_own),
            users: view::unranked(group.iter().cloned().map(Member::from)),
        }
    }

    /// After the draw: the leagues as written, with what they were paid where they are settled. The
    /// cursor is the last league's number.
    async fn drawn(&self, cursor: Option<&str>) -> Result<Listed, ApiError> {
        if cursor.is_some_and(|cursor| cursor.len() != 5 || cursor.parse::<u32>().is_err()) {
            return Err(not_a_cursor());
        }
        let limit = i32::try_from(PAGE).expect("a page is small");
        let store = self.app.store();
        let page = store.leagues_page(self.gameweek, self.amount, cursor, limit).await?;
        let mut leagues = page.items;
        let own = match self.caller {
            Some(caller) => store.league_of(&caller.id, self.gameweek).await?,
            None => None,
        };
        let own = own.filter(|own| own.amount == self.amount);
        if let Some(id) = own {
            leagues.retain(|league| league.id() != id);
            if cursor.is_none() {
                leagues.splice(0..0, store.league(id).await?);
            }
        }
        let settled: Vec<LeagueId> =
            leagues.iter().filter(|league| league.settled_at.is_some()).map(League::id).collect();
        let settlements = store.settlements(&settled).await?;
        let scores = store.scores(self.gameweek).await?;
        let deduct = store.switches().await?.deducts_transfers_at(self.deadline);
        let views = leagues.iter().map(|league| {
            let id = league.id();
            let own = own == Some(id);
            match settlements.iter().find(|record| record.league == id.to_string()) {
                Some(record) => view::settled(league, record, own),
                None => view::drawn(league, scores.as_ref(), deduct, own),
            }
        });
        Ok((views.collect(), page.cursor))
    }
}

fn not_a_cursor() -> ApiError {
    ApiError::bad_request("That is not a cursor.")
}
