//! What is at stake with each act of an admin: whose money, how much, and whether it can still be done.

use domain::{
    Kes, Username,
    gameweeks::calling_off::CallOffError,
    payments::{
        set_aside::{SetAsideAct, SetAsideError, check_reason},
        typed_code::{TypedCodeStatus, check_amount},
    },
    withdrawals::requests::WithdrawalStatus,
};
use store::{admin::audit::AuditAction, withdrawals::Withdrawal};

use crate::{
    App,
    admin::{
        acts::{MoneyAct, MoneyActError},
        approvals::Stakes,
        changes, prizes,
    },
    gameweeks::calling_off,
    ledger::corrections::{self, AskedCorrection},
    payments::{
        set_asides::{self, Case, CaseError},
        typed_codes::review,
    },
    platform::flow::{Flow, FlowError},
    withdrawals::payouts,
};

impl MoneyAct {
    /// What is at stake, as it stands now.
    pub(super) async fn stakes(&self, app: &App) -> Flow<Stakes, MoneyActError> {
        match self {
            Self::ConfirmCode { id, amount } => of_typed_code(app, id, *amount).await,
            Self::CorrectWallet { id, correction, amount, reason } => {
                let asked = AskedCorrection { player: id, id: correction, amount: *amount, reason };
                corrections::stakes(app, asked).await.map_err(FlowError::within)
            }
            Self::DecideSetAside { id, amount, reason, decision, .. } => {
                check_reason(reason).map_err(CaseError::from).map_err(MoneyActError::from)?;
                if decision == SetAsideAct::Credit.into_str() {
                    check_amount(*amount).map_err(|_| MoneyActError::Case(SetAsideError::Amount.into()))?;
                }
                of_case(app, id, *amount, reason).await
            }
            Self::MarkDone { id } => {
                let withdrawal = payouts::find(app, id).await.map_err(FlowError::within)?;
                Ok(of_withdrawal(AuditAction::UpdateWithdrawal, &withdrawal))
            }
            Self::Pay { id } => {
                let withdrawal = payouts::find(app, id).await.map_err(FlowError::within)?;
                Ok(of_withdrawal(AuditAction::PayWithdrawal, &withdrawal))
            }
            Self::ReleasePrizes { id, seen, reason } => {
                prizes::stakes(app, id, *seen, reason).await.map_err(FlowError::within)
            }
            Self::RestoreAdmin { id, mark, reason } => {
                changes::restore_stakes(app, id, *mark, reason).await.map_err(FlowError::within)
            }
            Self::VoidGameweek { gameweek, reason } => {
                let id = gameweek.parse().map_err(|_| MoneyActError::CallingOff(CallOffError::NoGameweek))?;
                calling_off::stakes(app, id, reason).await.map_err(FlowError::within)
            }
        }
    }
}

async fn of_typed_code(app: &App, id: &str, amount: Kes) -> Flow<Stakes, MoneyActError> {
    let typed_code = review::find(app, id).await.map_err(FlowError::within)?;
    let whose = (&typed_code.user_id, &typed_code.username);
    let stakes = Stakes::of(AuditAction::ConfirmTypedCode, format!("typed code {id}"), whose, amount);
    let is_open = typed_code.status == TypedCodeStatus::Pending;
    let number = typed_code.known.and_then(|known| known.answered.payer);
    Ok(Stakes { number, code: Some(typed_code.code.to_string()), is_open, ..stakes })
}

fn of_withdrawal(what: AuditAction, withdrawal: &Withdrawal) -> Stakes {
    let on = format!("withdrawal {}", withdrawal.id);
    let whose = (&withdrawal.user_id, &withdrawal.username);
    let is_open = withdrawal.status == WithdrawalStatus::Pending && withdrawal.payout.is_none();
    let stakes = Stakes::of(what, on, whose, withdrawal.amount);
    let net = withdrawal.tax.map(|_| withdrawal.paid_amount());
    Stakes { number: Some(withdrawal.phone.clone()), net, pays_out: true, is_open, ..stakes }
}

/// A payout was counted when it was sent: resolving it pays nothing out.
async fn of_case(app: &App, id: &str, amount: Option<i64>, reason: &str) -> Flow<Stakes, MoneyActError> {
    let case = set_asides::find(app, id).await.map_err(FlowError::within)?;
    let is_open = !case.acts().is_empty();
    let stakes = match &case {
        Case::Payout(withdrawal) => {
            Stakes { pays_out: false, ..of_withdrawal(AuditAction::DecideSetAside, withdrawal) }
        }
        Case::Prompt(payment) => {
            let player = app.store().player(&payment.user_id).await?;
            let name = player.map_or_else(Username::gone, |player| player.username);
            let on = format!("prompt {}", payment.id);
            let amount = Kes::new(amount.unwrap_or_default());
            let stakes = Stakes::of(AuditAction::DecideSetAside, on, (&payment.user_id, &name), amount);
            Stakes { number: Some(payment.phone.clone()), code: set_asides::receipt(payment), ..stakes }
        }
    };
    Ok(Stakes { is_open, reason: Some(reason.to_owned()), ..stakes })
}
