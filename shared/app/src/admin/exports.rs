//! What came about in a period, day by day, in pages: postings, withdrawals and prompts for the operator's tables.

use domain::Kes;
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
    tz::TimeZone,
};
use store::{
    Page, ledger::wallets::DatedPosting, payments::prompts::Payment, platform::journals,
    withdrawals::Withdrawal,
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

/// Rows on one page.
const PAGE: usize = 1000;
/// Nothing is older than the product: nobody has to page through the centuries before.
const FIRST_DAY: Date = date(2025, 1, 1);
/// One call looks through so many days at most.
const DAYS: usize = 31;

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Export {
    /// Every movement of money.
    Postings,
    /// By when they were asked for.
    Withdrawals,
    /// Prompts, by when they were sent.
    Payments,
    /// What was kept back for the state, of which withdrawal or deposit, by when it was paid.
    Taxes,
}

/// One row.
#[derive(Debug)]
pub enum Row {
    Posting(Box<DatedPosting>),
    Withdrawal(Box<Withdrawal>),
    Payment(Box<Payment>),
    /// Which tax, and how much.
    Tax(Box<DatedPosting>, &'static str, Kes),
}

/// The days of an export, UTC, the last one included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: Date,
    pub to: Date,
}

impl Period {
    /// From the first of the current month until today, where nothing else is asked for.
    #[must_use]
    pub fn asked(app: &App, from: Option<Date>, to: Option<Date>) -> Self {
        let today = journals::day(app.clock().now());
        Self {
            from: from.unwrap_or(today.first_of_month()).max(FIRST_DAY),
            to: to.unwrap_or(today).min(today),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("That is not a cursor of this list.")]
    NotACursor,
}

impl Refusal for ExportError {}

/// A page of what came about in a period, oldest first, from the cursor of the page before on: day by day, until
/// the page is full or enough days were looked through.
pub async fn page(
    app: &App,
    export: Export,
    period: Period,
    after: Option<&str>,
) -> Flow<Page<Row>, ExportError> {
    let begin = after.map_or(Some(period.from), day_of).ok_or(ExportError::NotACursor)?;
    let (mut items, mut after, mut day) = (Vec::new(), after.map(str::to_owned), begin.max(period.from));
    for _ in 0..DAYS {
        if day > period.to || items.len() == PAGE {
            break;
        }
        let page = of_day(app, export, day, after.as_deref(), PAGE - items.len()).await?;
        items.extend(page.items);
        if let Some(cursor) = page.cursor {
            return Ok(Page { items, cursor: Some(cursor) });
        }
        (day, after) = (day.saturating_add(1.day()), None);
    }
    Ok(Page { items, cursor: (day <= period.to).then(|| beginning(day)) })
}

async fn of_day(
    app: &App,
    export: Export,
    day: Date,
    after: Option<&str>,
    limit: usize,
) -> Result<Page<Row>, AppError> {
    fn rows<T>(page: Page<T>, row: fn(Box<T>) -> Row) -> Page<Row> {
        Page { items: page.items.into_iter().map(|item| row(Box::new(item))).collect(), cursor: page.cursor }
    }
    let store = app.store();
    Ok(match export {
        Export::Postings => rows(store.postings_of_day(day, after, limit).await?, Row::Posting),
        Export::Withdrawals => rows(store.withdrawals_of_day(day, after, limit).await?, Row::Withdrawal),
        Export::Taxes => {
            let page = store.postings_of_day(day, after, limit).await?;
            Page { items: page.items.into_iter().filter_map(tax).collect(), cursor: page.cursor }
        }
        Export::Payments => rows(store.payments_of_day(day, after, limit).await?, Row::Payment),
    })
}

/// No posting has both.
fn tax(dated: DatedPosting) -> Option<Row> {
    let (withheld, excise) = (dated.posting.withheld(), dated.posting.excise());
    let (tax, amount) = if excise == Kes::ZERO { ("withholding", withheld) } else { ("excise", excise) };
    (amount != Kes::ZERO).then(|| Row::Tax(Box::new(dated), tax, amount))
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
