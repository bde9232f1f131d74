//! Adding up what is read.

use std::collections::BTreeSet;

use domain::{
    Kes, UserId,
    ledger::reconciliation::{
        Booked, Category, CategoryRecord, Difference, GameweekWindow, Kind, Scope, Totals, WalletVerdict,
        judge_wallet,
    },
    payments::{prompt, typed_code},
    withdrawals::requests::{PayoutState, WithdrawalStatus},
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use store::{
    ledger::{
        reconciliation::{ReconciliationRun, Scanned},
        sum_trees::Holding,
        wallets::StoredPosting,
    },
    payments::{paybill::PaybillPayment, prompts::Payment, typed_codes::TypedCode},
    withdrawals::Withdrawal,
};

use super::open_wallet::{OpenWallet, judge_again, seen};
use crate::{
    App, AppError,
    payments::set_asides::{receipt, reported},
};

/// Payments to the paybill are looked up one by one, and only those of the last days.
const PAYBILL_CHECKED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// A prompt that is open for longer is set aside: it moves nothing by itself.
const PROMPT_OPEN: SignedDuration = SignedDuration::from_hours(48);
/// So many differences of one part of the table are kept, and the others counted.
const MOST_DIFFERENCES: usize = 200;
/// What was added up in a part of the table.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct PartTotals {
    pub totals: Totals,
    pub differences: Vec<Difference>,
    /// Differences that are only counted.
    pub left_out: usize,
    /// The player whose items are being read: they lie together.
    wallet: Option<OpenWallet>,
    /// Where the wallets lie that were read to their end.
    #[serde(default)]
    pub pages: Vec<String>,
    /// Those that lie nowhere yet.
    #[serde(skip)]
    pub leaves: Vec<Holding>,
}

/// The last gameweeks are told of.
const GAMEWEEKS: usize = 10;

pub(super) async fn scope(app: &App, run: &ReconciliationRun) -> Result<Scope, AppError> {
    let calendars = app.calendars().await?;
    let mut deadlines: Vec<_> = calendars
        .iter()
        .flat_map(|calendar| {
            calendar.gameweeks.iter().map(|gameweek| (gameweek.deadline, calendar.id(gameweek.number)))
        })
        .collect();
    deadlines.sort();
    let until = |at: usize| deadlines.get(at + 1).map_or(Timestamp::MAX, |(deadline, _)| *deadline);
    let windows = deadlines.iter().enumerate().map(|(at, (from, id))| GameweekWindow {
        id: *id,
        from: *from,
        until: until(at),
    });
    let gameweeks: Vec<_> = windows.filter(|window| window.from < run.as_of).collect();
    Ok(Scope {
        gameweeks: gameweeks[gameweeks.len().saturating_sub(GAMEWEEKS)..].to_vec(),
        as_of: run.as_of,
        float_at: run.float_at,
        float_takes_in: app.config().reconciliation.float_takes_in,
        suspects: run.suspects.iter().copied().collect(),
    })
}

/// The days and categories that the second reading looks into.
pub(super) fn suspects(found: &[Difference]) -> Vec<(Category, Date)> {
    let of_category = |difference: &Difference| {
        let category = Category::ALL.into_iter().find(|category| Kind::from(*category) == difference.kind)?;
        Some((category, difference.day?))
    };
    found.iter().filter_map(of_category).collect::<BTreeSet<_>>().into_iter().collect()
}

impl PartTotals {
    pub fn read(text: &str) -> Result<Self, AppError> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_str(text)
            .map_err(|error| AppError::Internal(format!("a part of the books: {error}")))
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("what is added up are plain values")
    }

    pub async fn add(&mut self, app: &App, scope: &Scope, item: Scanned) -> Result<(), AppError> {
        match item {
            Scanned::Posting(owner, posting) => {
                if let Some(owner) = owner {
                    self.turn_to(app, &owner, |wallet| wallet.add(&posting, scope.as_of)).await?;
                }
                self.paid_to_account(app, &posting).await?;
                self.posting(scope, &posting);
            }
            Scanned::Wallet(owner, wallet) => {
                self.totals.wallets += 1;
                self.turn_to(app, &owner, |open| open.seen = Some(wallet)).await?;
            }
            Scanned::Prompt(payment) => self.prompt(app, scope, &payment).await?,
            Scanned::TypedCode(typed_code) => self.code(scope, &typed_code),
            Scanned::Withdrawal(withdrawal) => self.withdrawal(scope, &withdrawal),
            Scanned::Paybill(paid) => self.paybill(app, scope, &paid).await?,
            Scanned::Unreadable { key } => {
                self.note(Difference::of(Kind::Unreadable, key, 0, 0));
            }
        }
        Ok(())
    }

    fn posting(&mut self, scope: &Scope, posting: &StoredPosting) {
        let booked = Booked { cause: &posting.cause, legs: &posting.legs, at: posting.at };
        if let Some(off) = self.totals.add_posting(scope, booked) {
            self.note(off);
        }
    }

    fn note(&mut self, off: Difference) {
        if self.differences.len() < MOST_DIFFERENCES {
            self.differences.push(off);
        } else {
            self.left_out += 1;
        }
    }

    async fn prompt(&mut self, app: &App, scope: &Scope, payment: &Payment) -> Result<(), AppError> {
        match payment.state {
            prompt::PaymentState::Success => {
                let amount = payment.credited.unwrap_or(payment.amount);
                if amount.is_positive() {
                    let at = payment.decided_at.unwrap_or(payment.created_at);
                    let record = CategoryRecord { category: Category::Prompts, id: &payment.id, amount, at };
                    self.totals.add_record(scope, record);
                }
            }
            prompt::PaymentState::SetAside => self.set_aside(app, scope, payment).await?,
            prompt::PaymentState::Pending if payment.created_at > scope.as_of - PROMPT_OPEN => {
                self.totals.may_move(payment.amount);
            }
            prompt::PaymentState::Pending
            | prompt::PaymentState::Failed
            | prompt::PaymentState::Dismissed => {}
        }
        Ok(())
    }

    /// What M-Pesa reports of a prompt that is set aside, or confirms at the paybill, is in nobody's wallet until its receipt
    /// is credited, in whatever way, or taken back.
    async fn set_aside(&mut self, app: &App, scope: &Scope, payment: &Payment) -> Result<(), AppError> {
        self.totals.set_asides += 1;
        let reported = reported(payment).filter(|amount| amount.is_positive());
        let (credited, confirmed) = match receipt(payment) {
            Some(code) if app.store().is_called_reversed(&code).await? => return Ok(()),
            Some(code) => (credit_of(app, &code).await?, app.store().paybill_payment(&code).await?),
            None => (None, None),
        };
        let in_no_wallet = |at: Timestamp| credited.is_none_or(|credited| credited.at >= at);
        if in_no_wallet(scope.as_of) {
            let paid = reported.or_else(|| confirmed.as_ref().and_then(|paid| paid.amount));
            if let Some(amount) = paid {
                self.totals.set_aside.add(amount);
            }
            if let Some(amount) = confirmed.and_then(|paid| checked_amount(scope, &paid)) {
                self.totals.unclaimed_set_aside.add(amount);
            }
        }
        // It was in no posting yet when M-Pesa told what it holds.
        if let (Some(claim), Some(amount)) = (&payment.claim, reported)
            && scope.float_takes_in
            && scope.float_at.is_some_and(in_no_wallet)
        {
            self.totals.move_float(scope, claim.at, amount);
        }
        Ok(())
    }

    fn code(&mut self, scope: &Scope, typed_code: &TypedCode) {
        if let (typed_code::TypedCodeStatus::Confirmed, Some(amount)) = (typed_code.status, typed_code.amount)
        {
            let at = typed_code.ended_at.unwrap_or(typed_code.created_at);
            let record =
                CategoryRecord { category: Category::TypedCodes, id: typed_code.code.as_str(), amount, at };
            self.totals.add_record(scope, record);
        }
    }

    fn withdrawal(&mut self, scope: &Scope, withdrawal: &Withdrawal) {
        let (id, amount) = (withdrawal.id.as_str(), withdrawal.amount);
        let asked = CategoryRecord { category: Category::Asked, id, amount, at: withdrawal.created_at };
        self.totals.add_record(scope, asked);
        let at = withdrawal.ended_at.unwrap_or(withdrawal.created_at);
        let category = match withdrawal.status {
            WithdrawalStatus::Done => {
                self.totals.paid_out(scope, withdrawal.created_at, at);
                let paid = withdrawal.paid_amount();
                let record = CategoryRecord { category: Category::PaidOut, id, amount: paid, at };
                return self.totals.add_record(scope, record);
            }
            WithdrawalStatus::Rejected => Category::Returned,
            WithdrawalStatus::Pending => {
                let sent = withdrawal.payout.as_ref().is_some_and(|payout| payout.state == PayoutState::Sent);
                if sent {
                    self.totals.may_move(withdrawal.paid_amount());
                }
                return;
            }
        };
        self.totals.add_record(scope, CategoryRecord { category, id, amount, at });
    }

    /// What was paid to the paybill is in a wallet as it came, or in none yet.
    async fn paybill(&mut self, app: &App, scope: &Scope, paid: &PaybillPayment) -> Result<(), AppError> {
        let Some(amount) = checked_amount(scope, paid) else { return Ok(()) };
        let credited = credit_of(app, &paid.code).await?;
        match credited.filter(|credited| credited.at < scope.as_of) {
            None if app.store().is_called_reversed(&paid.code).await? => {}
            None => self.totals.unclaimed.add(amount),
            Some(credited) if credited.amount == amount => {}
            Some(credited) => {
                self.note(Difference::of(Kind::Paybill, &paid.code, credited.amount.get(), amount.get()));
            }
        }
        Ok(())
    }

    /// What was credited to an account at the paybill is what M-Pesa confirmed.
    async fn paid_to_account(&mut self, app: &App, posting: &StoredPosting) -> Result<(), AppError> {
        let Some(code) = posting.cause.strip_prefix("paybill#") else { return Ok(()) };
        let taken_in = posting.legs.iter().filter(|leg| leg.account == "mpesa:in");
        let booked = -taken_in.map(|leg| leg.amount).sum::<Kes>();
        let paid = app.store().paybill_payment(code).await?.and_then(|paid| paid.amount);
        if paid != Some(booked) {
            let confirmed = paid.map_or(0, Kes::get);
            self.note(Difference::of(Kind::Paybill, code, booked.get(), confirmed));
        }
        Ok(())
    }

    /// Goes on with `player`'s items; the player's before are all read then.
    async fn turn_to(
        &mut self,
        app: &App,
        player: &UserId,
        note: impl FnOnce(&mut OpenWallet),
    ) -> Result<(), AppError> {
        if self.wallet.as_ref().is_some_and(|open| open.player != *player) {
            self.close_wallet(app).await?;
        }
        note(self.wallet.get_or_insert_with(|| OpenWallet::of(player)));
        Ok(())
    }

    /// Judges the wallet whose items were read. What was read piece by piece proves nothing against it:
    /// it is read again at once, with its postings.
    pub async fn close_wallet(&mut self, app: &App) -> Result<(), AppError> {
        let Some(open) = self.wallet.take() else { return Ok(()) };
        if open.seen.is_some() || open.held != Kes::ZERO {
            self.totals.holders += u64::from(open.held.is_positive());
            self.leaves.push((open.player.clone(), open.held));
        }
        self.totals.debtors += u64::from(open.seen.as_ref().is_some_and(|wallet| wallet.debt.is_positive()));
        let seen = open.seen.as_ref().map(seen);
        if judge_wallet(seen, open.posted(), seen) == WalletVerdict::Fits {
            return Ok(());
        }
        match judge_again(app, &open.player).await? {
            WalletVerdict::Fits => {}
            WalletVerdict::Moved => self.totals.moving += 1,
            WalletVerdict::Differs { kind, expected, found } => {
                self.note(Difference::of(kind, open.player.as_str(), expected, found));
            }
        }
        Ok(())
    }
}

/// When the money of a receipt came into a wallet, and what was paid by its posting.
#[derive(Clone, Copy)]
struct ReceiptCredit {
    at: Timestamp,
    amount: Kes,
}

/// How a receipt was credited, to whomever.
async fn credit_of(app: &App, code: &str) -> Result<Option<ReceiptCredit>, AppError> {
    let Some(receipt) = app.store().receipt(code).await? else { return Ok(None) };
    let posting = app.store().posting(&receipt.user_id, &receipt.cause).await?;
    let amount = posting.as_ref().map_or(Kes::ZERO, StoredPosting::before_excise);
    Ok(Some(ReceiptCredit { at: posting.map_or(receipt.at, |posting| posting.at), amount }))
}

/// What a payment to the paybill counts with: only those of the last days are looked up.
fn checked_amount(scope: &Scope, paid: &PaybillPayment) -> Option<Kes> {
    let checked = scope.as_of - PAYBILL_CHECKED_FOR..scope.as_of;
    paid.amount.filter(|_| checked.contains(&paid.at))
}
