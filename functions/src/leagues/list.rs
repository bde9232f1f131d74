//! The leagues of a gameweek and amount: provisional groups before the draw, what was drawn after it,
//! with points as far as they are known. The public form may be kept by caches for a moment; a form
//! made for somebody never is.

use app::{App, leagues::list};
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use domain::{EntryAmount, ledger::money::NotAnEntryAmount};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::Page;
use utoipa::{
    IntoParams,
    openapi::{Object, ObjectBuilder, schema::Type},
};

use super::view::LeagueView;
use crate::platform::http::{ApiError, OptionalCaller, Refusal};

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
    let (gameweek, cursor) = (query.gameweek.as_deref(), query.cursor.as_deref());
    let Page { items, cursor } = list::page(&app, gameweek, amount, cursor, caller.as_ref()).await?;
    let leagues: Vec<LeagueView> = items.into_iter().map(LeagueView::from).collect();
    Ok(answer(&leagues, cursor.as_deref(), caller.is_some(), &headers))
}

/// A page with what caches may do with it.
fn answer(leagues: &[LeagueView], next: Option<&str>, private: bool, asked: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    let body = serde_json::to_vec(leagues).expect("a page is plain values");
    let value = |text: &str| HeaderValue::from_str(text).expect("plain characters");
    if let Some(cursor) = next {
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
