//! What anybody may know of the books: what the nightly reading has made of them (docs/trust.md).

use app::{
    App,
    ledger::reconciliation::{FEW, GameweekFigures, Line, Root, Sums, Trust, latest_trust},
};
use axum::extract::State;
use domain::{GameweekId, ledger::sum_tree::PlainNode};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Keep, OneOf, Public};

type LineWord = OneOf<Line>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustReport {
    /// What the figures are of (UTC); null before the books were read for the first time.
    as_of: Option<Timestamp>,
    /// A figure is of so many players at least; what is of fewer is left out.
    #[schema(example = 5)]
    least_players: u64,
    /// Null before the first reading, and where too few players hold money.
    sums: Option<TrustSums>,
    /// How many figures in the books did not agree with each other; null before the first reading.
    #[schema(example = 0)]
    differences: Option<usize>,
    /// The last ten at most, newest first.
    gameweeks: Vec<TrustGameweek>,
    /// How many of the last ten gameweeks had so few entries that their figures would tell of their players.
    #[schema(example = 0)]
    gameweeks_left_out: usize,
    /// The last draws, newest first.
    draws: Vec<TrustDraw>,
    /// Of the tree over all wallets; null where none is published.
    root: Option<PublishedRoot>,
    /// Those of former readings, newest first, at most 30.
    former_roots: Vec<PublishedRoot>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustSums {
    /// What players' wallets hold together, in KES.
    #[schema(example = 4500)]
    wallets: i64,
    /// What has come in by M-Pesa less what has gone out, by the books, in KES.
    #[schema(example = 5000)]
    booked: i64,
    /// What M-Pesa says it holds; null where it did not say.
    mpesa: Option<MpesaHolds>,
    /// What is at M-Pesa beside the wallets' money, line by line: with the wallets it comes to what M-Pesa holds, or to
    /// `booked` where M-Pesa did not say what all accounts hold.
    lines: Vec<TrustLine>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MpesaHolds {
    at: Timestamp,
    /// In KES cents: M-Pesa's charges are not whole shillings.
    #[schema(example = 512_300)]
    cents: i64,
    /// Less the wallets, in KES cents.
    #[schema(example = 62_300)]
    difference_cents: i64,
    /// Whether it is of all accounts: false where players pay into another one than withdrawals are paid from.
    #[schema(example = true)]
    all_accounts: bool,
}

#[derive(Serialize, ToSchema)]
pub struct TrustLine {
    #[schema(inline)]
    what: LineWord,
    #[schema(example = "Entries of gameweeks that are not paid out yet")]
    text: &'static str,
    /// In KES cents; negative where it is in wallets and not at M-Pesa.
    #[schema(example = 50_000)]
    cents: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustGameweek {
    /// Season and number.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// Those that were played for.
    #[schema(example = 27)]
    entries: u64,
    /// In KES, like all money here.
    #[schema(example = 1350)]
    staked: i64,
    #[schema(example = 1215)]
    prizes: i64,
    #[schema(example = 134)]
    fees: i64,
    /// What did not divide among winners.
    #[schema(example = 1)]
    rounding: i64,
    /// Whether all of it is paid.
    #[schema(example = true)]
    settled: bool,
    /// Half of the withdrawals that were asked for from its deadline to the next one were paid within so many minutes;
    /// null of fewer than five.
    #[schema(example = 45)]
    median_payout_minutes: Option<u32>,
}

#[derive(Serialize, ToSchema)]
pub struct TrustDraw {
    /// Season and number.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// What checks it.
    #[schema(example = "cargo run -p local -- verify-draw 2026-03 https://fplleagues.example")]
    command: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedRoot {
    as_of: Timestamp,
    /// Hex.
    #[schema(example = "4199aafc8120807d86872da4b1afd3569ac827ef9042e0fec71bdf5d310aabbe")]
    hash: String,
    /// What the wallets under it come to, in KES.
    #[schema(example = 4500)]
    sum: i64,
    /// How many wallets.
    #[schema(example = 137)]
    wallets: u64,
}

impl PublishedRoot {
    fn of(as_of: Timestamp, top: &PlainNode, wallets: u64) -> Self {
        Self { as_of, hash: hex::encode(top.hash), sum: top.sum.get(), wallets }
    }

    pub(super) fn last(as_of: Timestamp, root: &Root) -> Self {
        Self::of(as_of, &root.top, root.leaves)
    }
}

impl From<Sums> for TrustSums {
    fn from(sums: Sums) -> Self {
        let line = |(line, cents): (Line, i64)| TrustLine { what: OneOf(line), text: line.text(), cents };
        let wallets = sums.wallets.get();
        Self {
            wallets,
            booked: sums.booked.get(),
            mpesa: sums.mpesa.map(|held| MpesaHolds {
                at: held.at,
                cents: held.cents,
                difference_cents: held.cents - wallets * 100,
                all_accounts: sums.takes_in,
            }),
            lines: sums.lines.into_iter().map(line).collect(),
        }
    }
}

impl From<GameweekFigures> for TrustGameweek {
    fn from(figures: GameweekFigures) -> Self {
        Self {
            gameweek: figures.id.to_string(),
            entries: figures.entries,
            staked: figures.staked.get(),
            prizes: figures.prizes.get(),
            fees: figures.fees.get(),
            rounding: figures.rounding.get(),
            settled: figures.settled,
            median_payout_minutes: figures.median_minutes,
        }
    }
}

fn draw(app: &App, id: GameweekId) -> TrustDraw {
    let command = format!("cargo run -p local -- verify-draw {id} {}", app.config().public_origin);
    TrustDraw { gameweek: id.to_string(), command }
}

fn report(app: &App, trust: Trust) -> TrustReport {
    let former = trust.former.iter().map(|root| PublishedRoot::of(root.as_of, &root.top, root.leaves));
    TrustReport {
        as_of: Some(trust.as_of),
        least_players: FEW,
        differences: Some(trust.differences),
        gameweeks_left_out: trust.left_out,
        draws: trust.draws.iter().map(|id| draw(app, *id)).collect(),
        root: trust.root.as_ref().map(|root| PublishedRoot::last(trust.as_of, root)),
        former_roots: former.collect(),
        sums: trust.sums.map(TrustSums::from),
        gameweeks: trust.gameweeks.into_iter().map(TrustGameweek::from).collect(),
    }
}

fn nothing_yet() -> TrustReport {
    TrustReport {
        as_of: None,
        least_players: FEW,
        sums: None,
        differences: None,
        gameweeks: Vec::new(),
        gameweeks_left_out: 0,
        draws: Vec::new(),
        root: None,
        former_roots: Vec::new(),
    }
}

/// What players' wallets come to, what M-Pesa holds, and what is between the two.
#[utoipa::path(get, path = "/api/trust", tag = "account", responses(
    (status = 200, description = "As the last reading of the books has it", body = TrustReport),
))]
pub async fn get_trust(State(app): State<App>) -> Result<Public<TrustReport>, ApiError> {
    let trust = latest_trust(&app).await?;
    Ok(Public(Keep::MINUTES, trust.map_or_else(nothing_yet, |trust| report(&app, trust))))
}
