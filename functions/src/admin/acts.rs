//! What an admin does with money, as one list: each act can be done at once, or be proposed by one admin and
//! approved by another, and is carried out by the same code then. A handler reads its form and calls
//! [`Actor::does`]; nothing else is needed for step-up, own accounts, a second admin, the ceiling and the mails.

use app::{
    App,
    admin::approvals::{self, Leave, Stakes},
    ledger::taking_back::{self, AskedCorrection},
    payments::set_asides::{Case, Decision},
    withdrawals::{endings, payouts},
};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use domain::{
    Kes,
    payments::{set_aside, typed_code::check_amount},
    withdrawals::requests::Status,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    accounts::players::Player,
    admin::{audit::AuditAction, permits::Permit},
    withdrawals::Withdrawal,
};

use crate::{
    admin::{approvals::ProposalItem, players},
    gameweeks::calling_off,
    ledger::corrections::CorrectedWallet,
    payments::{set_asides as cases, typed_codes::review},
    platform::http::{Actor, ApiError},
    withdrawals::wire::WithdrawalItem,
};

/// Acts of one admin at once are met this often.
const TRIES: u32 = 8;

/// An act, as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum MoneyAct {
    ConfirmCode {
        id: String,
        amount: Kes,
    },
    /// Of the player `id`'s wallet; `correction` is the caller's own id for it.
    CorrectWallet {
        id: String,
        correction: String,
        amount: Kes,
        reason: String,
    },
    /// `decision`: `credit`, `paid` or `return`.
    DecideSetAside {
        id: String,
        decision: String,
        reason: String,
        amount: Option<i64>,
        receipt: String,
    },
    MarkDone {
        id: String,
    },
    Pay {
        id: String,
    },
    /// The prizes in the player `id`'s wallet that were won with teams which are not proved.
    ReleasePrizes {
        id: String,
        reason: String,
    },
    VoidGameweek {
        gameweek: String,
        reason: String,
    },
}

impl MoneyAct {
    /// What is at stake, as it stands now.
    async fn stakes(&self, app: &App) -> Result<Stakes, ApiError> {
        match self {
            Self::ConfirmCode { id, amount } => {
                let typed_code = review::find(app, id).await?;
                let on = format!("typed code {id}");
                let whose = (&typed_code.user_id, &typed_code.username);
                let payer = typed_code.known.as_ref().and_then(|known| known.answered.payer.clone());
                let is_open = typed_code.status == domain::payments::typed_code::Status::Pending;
                let stakes = Stakes::of(AuditAction::ConfirmTypedCode, on, whose, *amount);
                Ok(Stakes { number: payer, is_open, ..stakes })
            }
            Self::CorrectWallet { id, correction, amount, reason } => {
                let asked = AskedCorrection { player: id, id: correction, amount: *amount, reason };
                Ok(taking_back::stakes(app, asked).await?)
            }
            Self::DecideSetAside { id, amount, reason, decision, .. } => {
                set_aside::check_reason(reason).map_err(ApiError::bad_request)?;
                if decision == set_aside::SetAsideAct::Credit.into_str() {
                    let amount = check_amount(*amount);
                    amount.map_err(|_| ApiError::bad_request(set_aside::SetAsideError::Amount))?;
                }
                case_stakes(app, &cases::find(app, id).await?, *amount, reason).await
            }
            Self::MarkDone { id } => {
                Ok(of_withdrawal(AuditAction::UpdateWithdrawal, &endings::find(app, id).await?))
            }
            Self::Pay { id } => Ok(of_withdrawal(AuditAction::PayWithdrawal, &endings::find(app, id).await?)),
            Self::ReleasePrizes { id, reason } => {
                Ok(app::admin::players::release_stakes(app, id, reason).await?)
            }
            Self::VoidGameweek { gameweek, reason } => calling_off::stakes(app, gameweek, reason).await,
        }
    }

    /// Does it, by `permit`. Answers what its call answers.
    async fn carry_out(&self, app: &App, permit: &Permit) -> Result<Response, ApiError> {
        match self {
            Self::ConfirmCode { id, amount } => review::confirm(app, id, *amount, permit).await,
            Self::CorrectWallet { id, correction, amount, reason } => {
                let asked = AskedCorrection { player: id, id: correction, amount: *amount, reason };
                Ok(Json(CorrectedWallet::from(taking_back::book(app, asked, permit).await?)).into_response())
            }
            Self::DecideSetAside { id, decision, reason, amount, receipt } => {
                let act = set_aside::SetAsideAct::parse(decision).map_err(ApiError::bad_request)?;
                cases::decide(app, id, Decision { act, reason, amount: *amount, receipt, permit }).await
            }
            Self::MarkDone { id } => {
                Ok(Json(WithdrawalItem::from(endings::mark_done(app, id, permit).await?)).into_response())
            }
            Self::Pay { id } => {
                Ok(Json(WithdrawalItem::from(payouts::send(app, id, permit).await?)).into_response())
            }
            Self::ReleasePrizes { id, reason } => players::release_prizes(app, id, reason, permit).await,
            Self::VoidGameweek { gameweek, reason } => {
                calling_off::call_off(app, gameweek, reason, permit).await
            }
        }
    }

    /// Does it and has all admins told, where it is large: the message goes out before the act, to be looked at a
    /// minute later, and once more after.
    async fn carry_out_and_tell(
        &self,
        app: &App,
        stakes: &Stakes,
        permit: &Permit,
    ) -> Result<Response, ApiError> {
        if !stakes.is_large(app) {
            return self.carry_out(app, permit).await;
        }
        let at = app.clock().now();
        app.mail_admins_later(&permit.act, at).await?;
        let done = self.carry_out(app, permit).await;
        app.mail_admins_now(&permit.act, at).await;
        done
    }

    /// The proposed act of `order`, with what is at stake now.
    async fn proposed(app: &App, order: &str) -> Result<(Self, Stakes), ApiError> {
        let act: Self = serde_json::from_str(order)
            .map_err(|error| app::AppError::Internal(format!("a proposal that cannot be read: {error}")))?;
        let stakes = act.stakes(app).await?;
        Ok((act, stakes))
    }
}

fn of_withdrawal(what: AuditAction, withdrawal: &Withdrawal) -> Stakes {
    let on = format!("withdrawal {}", withdrawal.id);
    let whose = (&withdrawal.user_id, &withdrawal.username);
    let is_open = withdrawal.status == Status::Pending && withdrawal.payout.is_none();
    let stakes = Stakes::of(what, on, whose, withdrawal.amount);
    Stakes { number: Some(withdrawal.phone.clone()), pays_out: true, is_open, ..stakes }
}

/// A payout was counted when it was sent: resolving it pays nothing out.
async fn case_stakes(app: &App, case: &Case, amount: Option<i64>, reason: &str) -> Result<Stakes, ApiError> {
    let is_open = !case.acts().is_empty();
    let stakes = match case {
        Case::Payout(withdrawal) => {
            Stakes { pays_out: false, ..of_withdrawal(AuditAction::DecideSetAside, withdrawal) }
        }
        Case::Prompt(payment) => {
            let on = format!("prompt {}", payment.id);
            let player = app.store().player(&payment.user_id).await?.ok_or_else(ApiError::unauthorized)?;
            let amount = Kes::new(amount.unwrap_or_default());
            let stakes = Stakes::of(AuditAction::DecideSetAside, on, (&player.id, &player.username), amount);
            Stakes { number: Some(payment.phone.clone()), ..stakes }
        }
    };
    Ok(Stakes { is_open, reason: Some(reason.to_owned()), ..stakes })
}

impl Actor {
    /// Does `act`, or puts it before another admin: 202 with the proposal.
    ///
    /// # Errors
    /// No fresh code, one's own account, or what stands against the act.
    pub async fn does(&self, app: &App, act: MoneyAct) -> Result<Response, ApiError> {
        self.step_up(app)?;
        for _ in 0..TRIES {
            let stakes = act.stakes(app).await?;
            let plays = approvals::plays(app, &self.admin, stakes.gameweek).await?;
            let whose = stakes.player.as_ref().map(|(id, _)| id).or(plays.then_some(&self.admin.id));
            if let Some(whose) = whose {
                self.not_own(whose)?;
            }
            let permit = match approvals::weigh(app, &self.admin, &stakes).await? {
                Leave::Granted(permit) => permit,
                Leave::Second(wanted) => return self.proposes(app, &act, &stakes, wanted).await,
            };
            match act.carry_out_and_tell(app, &stakes, &permit).await {
                // Another act of this admin, player or number was written meanwhile: it is weighed anew.
                Err(refusal) if refusal.is_to_be_weighed_again() => {}
                done => return done,
            }
        }
        Err(ApiError::conflict("Other acts are done at the same time. Try again."))
    }

    async fn proposes(
        &self,
        app: &App,
        act: &MoneyAct,
        stakes: &Stakes,
        wanted: domain::admin::approval::Wanted,
    ) -> Result<Response, ApiError> {
        let order = serde_json::to_string(act)
            .map_err(|error| app::AppError::Internal(format!("an act that cannot be kept: {error}")))?;
        let proposal = approvals::propose(app, &self.admin, stakes, order, wanted).await?;
        let item = ProposalItem::new(proposal, app.clock().now());
        Ok((StatusCode::ACCEPTED, Json(item)).into_response())
    }
}

/// Does a proposed act by `approver`'s approval, in one step with it.
pub async fn approve(app: &App, approver: &Player, id: &str, reason: Option<String>) -> Result<(), ApiError> {
    let proposal = approvals::find(app, id).await?;
    let (act, stakes) = MoneyAct::proposed(app, &proposal.order).await?;
    let permit = approvals::approve(app, approver, &proposal, &stakes, reason).await?;
    act.carry_out_and_tell(app, &stakes, &permit).await?;
    tracing::info!(admin = %approver.id, proposal = proposal.id, ?act, "approval");
    Ok(approvals::note_approved(app, approver, &proposal.id, &permit).await?)
}
