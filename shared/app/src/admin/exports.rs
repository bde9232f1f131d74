//! What came about in a period, day by day, in pages: postings, withdrawals, prompts and taxes for an admin's tables.

use domain::{KENYA, Kes, ledger::reconciliation};
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

impl Row {
    fn at(&self) -> Timestamp {
        match self {
            Self::Posting(dated) | Self::Tax(dated, ..) => dated.posting.at,
            Self::Withdrawal(requested) => requested.created_at,
            Self::Payment(sent) => sent.created_at,
        }
    }
}

/// The days of an export, the last one included: Kenya's, as the books and the taxes have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: Date,
    pub to: Date,
}

impl Period {
    /// From the first of the current month until today, where nothing else is asked for.
    #[must_use]
    pub fn asked(app: &App, from: Option<Date>, to: Option<Date>) -> Self {
        let today = reconciliation::day_of(app.clock().now());
        Self {
            from: from.unwrap_or(today.first_of_month()).max(FIRST_DAY),
            to: to.unwrap_or(today).min(today),
        }
    }

    /// When it begins, and when it is over.
    fn instants(self) -> (Timestamp, Timestamp) {
        (midnight(self.from), midnight(self.to.saturating_add(1.day())))
    }
}

/// The beginning of a day in Kenya.
fn midnight(day: Date) -> Timestamp {
    KENYA.to_timestamp(day.at(0, 0, 0, 0)).unwrap_or(Timestamp::MAX)
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
    let (begin, end) = period.instants();
    let reached = after.map_or(Some(begin), instant_of).ok_or(ExportError::NotACursor)?;
    let mut after = after.filter(|_| reached >= begin).map_or_else(|| position(begin), str::to_owned);
    // The journals' days are UTC's: a day of Kenya lies in two of them.
    let (mut items, mut day, last) = (Vec::new(), journals::day(reached.max(begin)), journals::day(end));
    for _ in 0..DAYS {
        if day > last || items.len() == PAGE {
            break;
        }
        let page = of_day(app, export, day, &after, PAGE - items.len()).await?;
        items.extend(page.items.into_iter().filter(|row| row.at() < end));
        if let Some(cursor) = page.cursor {
            let more = instant_of(&cursor).is_some_and(|at| at < end);
            return Ok(Page { items, cursor: more.then_some(cursor) });
        }
        day = day.saturating_add(1.day());
        after = beginning(day);
    }
    Ok(Page { items, cursor: (day <= last).then_some(after) })
}

async fn of_day(
    app: &App,
    export: Export,
    day: Date,
    after: &str,
    limit: usize,
) -> Result<Page<Row>, AppError> {
    fn rows<T>(page: Page<T>, row: fn(Box<T>) -> Row) -> Page<Row> {
        Page { items: page.items.into_iter().map(|item| row(Box::new(item))).collect(), cursor: page.cursor }
    }
    let (store, after) = (app.store(), Some(after));
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

/// The cursor before the first position of a journal's day.
fn beginning(day: Date) -> String {
    position(day.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |at| at.timestamp()))
}

/// The cursor before the positions of an instant: they begin with milliseconds of fourteen digits.
fn position(at: Timestamp) -> String {
    format!("{:014}", at.as_millisecond())
}

fn instant_of(position: &str) -> Option<Timestamp> {
    Timestamp::from_millisecond(position.get(..14)?.parse().ok()?).ok()
}
