//! Postings, withdrawals and prompts of a period as tables, in pages that are appended to each other: an
//! answer of a function has at most 6 MB, and a season has more.

use app::App;
use axum::{
    extract::{Path, Query, State},
    response::Response,
};
use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::Deserialize;
use store::{
    Page, ledger::wallets::DatedPosting, payments::prompts::Payment, platform::journals,
    withdrawals::Withdrawal,
};
use utoipa::IntoParams;

use crate::platform::http::{
    Admin, ApiError, Refusal,
    csv::{self, Cell},
    cursor,
};

/// Rows on one page.
const PAGE: usize = 1000;
/// Nothing is older than the product: nobody has to page through the centuries before.
const FIRST_DAY: Date = jiff::civil::date(2025, 1, 1);
/// One call looks through so many days at most.
const DAYS: usize = 31;

#[derive(Clone, Copy)]
enum Export {
    Postings,
    Withdrawals,
    Payments,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The first day, UTC: `2026-11-01`. By default the first of the current month.
    from: Option<String>,
    /// The last day, UTC. By default today.
    to: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// A table of what came about in a period, oldest first: `postings` (every movement of money), `withdrawals`
/// (by when they were asked for) or `payments` (prompts, by when they were sent). The first page has the
/// head: the pages make one file.
#[utoipa::path(get, path = "/api/admin/exports/{what}", tag = "admin", security(("bearer" = [])),
    params(("what" = String, Path, description = "`postings`, `withdrawals` or `payments`"), ExportQuery),
    responses(
        (status = 200, description = "At most 1,000 rows", content_type = "text/csv", body = String,
            example = "at,userId,cause,kind,amount,balanceAfter,receipt,legs\r\n"),
        (status = 400, description = "Not a day, or not a cursor", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such table", body = Refusal),
    ))]
pub async fn export_table(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(what): Path<String>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let export = Export::named(&what).ok_or_else(|| ApiError::not_found("There is no such table."))?;
    let today = journals::day(app.clock().now());
    let from = date(query.from.as_deref(), today.first_of_month())?.max(FIRST_DAY);
    let to = date(query.to.as_deref(), today)?.min(today);
    let after = cursor(query.cursor.as_deref())?;
    let begin = after.map_or(Some(from), day_of).ok_or_else(not_a_cursor)?.max(from);
    let Page { items, cursor: next } = rows(&app, export, (begin, to), after).await?;
    tracing::info!(admin = %admin.id, what, %from, %to, rows = items.len(), "export");
    let head = after.is_none().then(|| export.head());
    Ok(csv::page(&format!("{what}-{from}-{to}"), head, items, next))
}

fn date(sent: Option<&str>, otherwise: Date) -> Result<Date, ApiError> {
    let malformed = |_| ApiError::bad_request("A day is written 2026-11-20.");
    sent.map_or(Ok(otherwise), |text| text.parse().map_err(malformed))
}

fn not_a_cursor() -> ApiError {
    ApiError::bad_request("That is not a cursor of this list.")
}

/// Day by day, until the page is full or enough days were looked through.
async fn rows(
    app: &App,
    export: Export,
    (mut day, to): (Date, Date),
    after: Option<&str>,
) -> Result<Page<Vec<Cell>>, ApiError> {
    let (mut items, mut after) = (Vec::new(), after.map(str::to_owned));
    for _ in 0..DAYS {
        if day > to || items.len() == PAGE {
            break;
        }
        let page = export.page(app, day, after.as_deref(), PAGE - items.len()).await?;
        items.extend(page.items);
        if let Some(cursor) = page.cursor {
            return Ok(Page { items, cursor: Some(cursor) });
        }
        (day, after) = (day.saturating_add(1.day()), None);
    }
    Ok(Page { items, cursor: (day <= to).then(|| beginning(day)) })
}

/// The cursor before the first position of a day. Positions begin with milliseconds of fourteen digits.
fn beginning(day: Date) -> String {
    let at = day.to_zoned(TimeZone::UTC).map_or(0, |at| at.timestamp().as_millisecond());
    format!("{at:014}")
}

fn day_of(position: &str) -> Option<Date> {
    let millis = position.get(..14)?.parse().ok()?;
    Timestamp::from_millisecond(millis).ok().map(journals::day)
}

impl Export {
    fn named(name: &str) -> Option<Self> {
        match name {
            "postings" => Some(Self::Postings),
            "withdrawals" => Some(Self::Withdrawals),
            "payments" => Some(Self::Payments),
            _ => None,
        }
    }

    fn head(self) -> &'static [&'static str] {
        match self {
            Self::Postings => &["at", "userId", "cause", "kind", "amount", "balanceAfter", "receipt", "legs"],
            Self::Withdrawals => &[
                "id",
                "createdAt",
                "userId",
                "username",
                "mpesaNumber",
                "amount",
                "status",
                "endedAt",
                "reason",
                "payout",
                "receipt",
                "recipientName",
                "flagged",
                "trouble",
            ],
            Self::Payments => &[
                "id",
                "createdAt",
                "userId",
                "phone",
                "amount",
                "gameweek",
                "entryAmount",
                "state",
                "entered",
                "receipt",
                "decidedAt",
                "reason",
                "flagged",
                "checkoutRequestId",
            ],
        }
    }

    async fn page(
        self,
        app: &App,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Vec<Cell>>, ApiError> {
        let store = app.store();
        Ok(match self {
            Self::Postings => in_rows(store.postings_of_day(day, after, limit).await?, posting),
            Self::Withdrawals => in_rows(store.withdrawals_of_day(day, after, limit).await?, withdrawal),
            Self::Payments => in_rows(store.payments_of_day(day, after, limit).await?, payment),
        })
    }
}

fn in_rows<T>(page: Page<T>, row: fn(T) -> Vec<Cell>) -> Page<Vec<Cell>> {
    Page { items: page.items.into_iter().map(row).collect(), cursor: page.cursor }
}

fn posting(dated: DatedPosting) -> Vec<Cell> {
    let player = dated.user_id().map(str::to_owned);
    let posting = dated.posting;
    let leg = |leg: &domain::ledger::postings::Leg| format!("{} {}", leg.account, leg.amount.get());
    let legs: Vec<String> = posting.legs.iter().map(leg).collect();
    vec![
        posting.at.to_string().into(),
        player.into(),
        posting.cause.into(),
        posting.kind.into(),
        posting.amount.get().into(),
        posting.version.map(|_| posting.balance_after.get()).into(),
        posting.receipt.into(),
        legs.join("; ").into(),
    ]
}

fn withdrawal(withdrawal: Withdrawal) -> Vec<Cell> {
    let flags = withdrawal.flags();
    let payout = withdrawal.payout;
    vec![
        withdrawal.id.into(),
        withdrawal.created_at.to_string().into(),
        withdrawal.user_id.to_string().into(),
        withdrawal.username.to_string().into(),
        withdrawal.phone.local().into(),
        withdrawal.amount.get().into(),
        withdrawal.status.into_str().into(),
        withdrawal.ended_at.map(|at| at.to_string()).into(),
        withdrawal.reason.into(),
        payout.as_ref().map(|payout| payout.state.into_str()).into(),
        payout.as_ref().and_then(|payout| payout.receipt.clone()).into(),
        payout.and_then(|payout| payout.recipient).into(),
        (!flags.is_empty()).into(),
        withdrawal.trouble.into(),
    ]
}

fn payment(payment: Payment) -> Vec<Cell> {
    let entry = payment.entry;
    vec![
        payment.id.into(),
        payment.created_at.to_string().into(),
        payment.user_id.to_string().into(),
        payment.phone.local().into(),
        payment.amount.get().into(),
        entry.map(|entry| entry.gameweek.to_string()).into(),
        entry.map(|entry| entry.amount.kes().get()).into(),
        payment.state.into_str().into(),
        payment.entered.into(),
        payment.receipt.into(),
        payment.decided_at.map(|at| at.to_string()).into(),
        payment.reason.into(),
        payment.flagged.into(),
        payment.checkout_request_id.into(),
    ]
}
