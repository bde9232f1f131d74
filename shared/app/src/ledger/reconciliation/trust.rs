//! What everybody is told of the books (docs/trust.md). It is made by the reading and is one small item.
//!
//! A figure is of five players at least, or of five payments or withdrawals: what is of fewer is part of a larger figure or
//! left out.

use domain::{
    GameweekId, Kes,
    ledger::{
        postings::{EXCISE, WITHHOLDING},
        reconciliation::{Category, FloatSeen, GameweekTotals, Totals, WALLETS},
        sum_tree::PlainNode,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::ledger::reconciliation::ReconciliationRun;
use strum::{IntoStaticStr, VariantArray};

use super::{sum_tree::TreeTop, totals};
use crate::{App, AppError};

/// A figure is of so many at least.
pub const FEW: u64 = 5;
/// Roots of former readings that are told.
const FORMER: usize = 30;
const DRAWS: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    pub as_of: Timestamp,
    /// `None`: too few players hold money.
    pub sums: Option<Sums>,
    /// What the reading found not to agree.
    pub differences: usize,
    /// Newest first.
    pub gameweeks: Vec<GameweekFigures>,
    /// Gameweeks of so few that their figures would tell of them.
    pub left_out: usize,
    /// The last that are drawn, newest first.
    pub draws: Vec<GameweekId>,
    pub root: Option<Root>,
    /// Newest first.
    pub former: Vec<FormerRoot>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// What all wallets hold.
    pub wallets: Kes,
    /// What has come in by M-Pesa less what has gone out, by the books.
    pub booked: Kes,
    /// What M-Pesa said, of the account that withdrawals are paid from.
    pub mpesa: Option<Held>,
    /// Between the wallets and what M-Pesa holds, in cents; `booked`, where it did not say what all accounts hold.
    pub lines: Vec<(Line, i64)>,
    /// Whether what players pay comes into that account too.
    pub takes_in: bool,
}

/// What M-Pesa says it holds, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    pub at: Timestamp,
    pub cents: i64,
}

/// What is at M-Pesa beside the wallets, or (negative) is in wallets and not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Line {
    /// Entries that are not paid out yet.
    Pots,
    /// Withdrawals under way.
    Withdrawals,
    /// What was kept back of withdrawals for the state.
    Taxes,
    /// What was taken of deposits for the state.
    Excise,
    /// What players owe.
    Debts,
    /// The operator's fees and remainders less its losses and corrections; with what is of too few.
    Operator,
    /// Payments that are set aside for an admin.
    SetAside,
    /// Payments that are nobody's yet.
    Unclaimed,
    /// What is in no book of ours.
    NotBooked,
}

impl Line {
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Pots => "Entries of gameweeks that are not paid out yet",
            Self::Withdrawals => "Withdrawals under way: out of the wallet, not yet paid by M-Pesa",
            Self::Taxes => {
                "Withholding tax that was kept back of withdrawals: the operator owes it to the state, or has paid it"
            }
            Self::Excise => {
                "Excise duty that was taken of deposits: the operator owes it to the state, or has paid it"
            }
            Self::Debts => "What players owe, after M-Pesa took payments back",
            Self::Operator => {
                "The operator's fees and remainders, less losses and corrections, and what concerns fewer than five players, payments or withdrawals"
            }
            Self::SetAside => "Payments that wait for a person to look at them",
            Self::Unclaimed => "Payments of the last week that are in nobody's wallet yet",
            Self::NotBooked => {
                "What is in no books: money that the operator has put in or taken out, M-Pesa's charges, and what moved between the two times"
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameweekFigures {
    pub id: GameweekId,
    /// Those that were played for: what was given back is not among them.
    pub entries: u64,
    pub staked: Kes,
    pub prizes: Kes,
    pub fees: Kes,
    pub rounding: Kes,
    pub settled: bool,
    /// Half of the withdrawals asked for in it took at most so many minutes.
    pub median_minutes: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// Its tree, in the table.
    pub tree: String,
    pub top: PlainNode,
    pub leaves: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormerRoot {
    pub as_of: Timestamp,
    pub top: PlainNode,
    pub leaves: u64,
}

/// What everybody was told last.
///
/// # Errors
/// The table does not answer, or it was written by something else.
pub async fn latest_trust(app: &App) -> Result<Option<Trust>, AppError> {
    let Some(text) = app.store().trust().await? else { return Ok(None) };
    let trust = serde_json::from_str(&text);
    trust.map(Some).map_err(|error| AppError::Internal(format!("what is told of the books: {error}")))
}

/// Tells what a reading found. Twice is the same as once.
pub(super) async fn tell(
    app: &App,
    run: &ReconciliationRun,
    totals: &Totals,
    top: Option<TreeTop>,
    (float, differences): (Option<&FloatSeen>, usize),
) -> Result<(), AppError> {
    let before = latest_trust(app).await?;
    let enough = totals.holders >= FEW;
    let root =
        top.filter(|_| enough).map(|top| Root { tree: top.id, top: top.root.into(), leaves: top.leaves });
    let (gameweeks, left_out, draws) = gameweeks(app, run, totals).await?;
    let trust = Trust {
        as_of: run.as_of,
        sums: enough.then(|| sums(totals, float, app.config().reconciliation.float_takes_in)),
        differences,
        gameweeks,
        left_out,
        draws,
        root,
        former: before.map(former).unwrap_or_default(),
    };
    let text = serde_json::to_string(&trust).expect("what is told are plain values");
    // Not written: a message that came twice has told it.
    app.store().put_trust(text, run.as_of).await?;
    Ok(())
}

fn former(before: Trust) -> Vec<FormerRoot> {
    let last = before.root.map(|root| FormerRoot { as_of: before.as_of, top: root.top, leaves: root.leaves });
    last.into_iter().chain(before.former).take(FORMER).collect()
}

fn sums(totals: &Totals, float: Option<&FloatSeen>, takes_in: bool) -> Sums {
    let account = |name: &str| totals.accounts.get(name).copied().unwrap_or_default();
    let (wallets, booked) = (account(WALLETS), -(account("mpesa:in") + account("mpesa:out")));
    let pots = totals.accounts.iter().filter(|(name, _)| name.starts_with("pot:")).map(|(_, sum)| *sum).sum();
    let recorded =
        |category| -> u64 { totals.days.values().map(|day| day.category(category).recorded.1).sum() };
    let ended = recorded(Category::PaidOut) + recorded(Category::Returned);
    let of_many = |count: u64, amount: Kes| if count >= FEW { amount } else { Kes::ZERO };
    let withdrawals = of_many(recorded(Category::Asked).saturating_sub(ended), account("withdrawals"));
    let debts = of_many(totals.debtors, account("debts"));
    let taxes = of_many(totals.withheld, account(WITHHOLDING));
    let excise = of_many(totals.excised, account(EXCISE));
    let set_aside = of_many(totals.set_aside.1, totals.set_aside.0);
    let unclaimed = totals.unclaimed_beside_set_aside();
    let unclaimed = of_many(unclaimed.1, unclaimed.0);
    let operator = booked - wallets - pots - withdrawals - taxes - excise - debts;
    let mpesa = float.map(|float| Held { at: float.at, cents: float.cents });
    let mut lines: Vec<(Line, i64)> = [
        (Line::Pots, pots),
        (Line::Withdrawals, withdrawals),
        (Line::Taxes, taxes),
        (Line::Excise, excise),
        (Line::Debts, debts),
        (Line::Operator, operator),
    ]
    .map(|(line, amount)| (line, amount.get() * 100))
    .into();
    if let Some(held) = mpesa.filter(|_| takes_in) {
        // They are in no book: where M-Pesa did not say what it holds of them, the lines come to what is booked.
        lines.extend([(Line::SetAside, set_aside.get() * 100), (Line::Unclaimed, unclaimed.get() * 100)]);
        let known: i64 = lines.iter().map(|(_, cents)| cents).sum();
        lines.push((Line::NotBooked, held.cents - wallets.get() * 100 - known));
    }
    lines.retain(|(_, cents)| *cents != 0);
    Sums { wallets, booked, mpesa, lines, takes_in }
}

async fn gameweeks(
    app: &App,
    run: &ReconciliationRun,
    totals: &Totals,
) -> Result<(Vec<GameweekFigures>, usize, Vec<GameweekId>), AppError> {
    let calendars = app.calendars().await?;
    let known = |id: GameweekId| {
        let calendar = calendars.iter().find(|calendar| calendar.season == id.season);
        calendar.and_then(|calendar| calendar.gameweek(id.number))
    };
    let windows = totals::scope(app, run).await?.gameweeks;
    let newest_first = windows.iter().rev().map(|window| window.id);
    let drawn = |id: &GameweekId| known(*id).is_some_and(|gameweek| gameweek.drawn_at.is_some());
    let draws = newest_first.clone().filter(drawn).take(DRAWS).collect();
    let (mut figures, mut left_out) = (Vec::new(), 0);
    for id in newest_first {
        let Some(of) = totals.gameweeks.get(&id).filter(|of| of.entries.1 > 0) else { continue };
        let settled =
            known(id).and_then(|gameweek| gameweek.settled_at).is_some_and(|settled| settled < run.as_of);
        match told_of(id, of, settled) {
            Some(gameweek) => figures.push(gameweek),
            None => left_out += 1,
        }
    }
    Ok((figures, left_out, draws))
}

fn told_of(id: GameweekId, of: &GameweekTotals, settled: bool) -> Option<GameweekFigures> {
    let entries = of.entries.1.saturating_sub(of.refunds.1);
    (entries >= FEW).then(|| GameweekFigures {
        id,
        entries,
        staked: of.entries.0 - of.refunds.0,
        prizes: of.prizes,
        fees: of.fees,
        rounding: of.rounding,
        settled,
        median_minutes: of.median_minutes().filter(|_| of.payouts() >= FEW),
    })
}
