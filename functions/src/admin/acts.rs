//! An admin's act on money, as its own call answers it. A handler reads its form and calls [`Actor::does`]; with that
//! come the fresh code, and by `app::admin::acts` the own account, the second admin, the ceiling and the mails.

use app::{
    App,
    admin::acts::{self, ActOutcome, CompletedAct, MoneyAct},
};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;

use crate::{
    admin::{approvals::ProposalItem, players::PlayerItem},
    ledger::corrections::CorrectedWallet,
    payments::{set_asides, typed_codes::list::TypedCodeItem},
    platform::http::{Actor, ApiError},
    settlement::winners::WinnersProgress,
    withdrawals::wire::WithdrawalItem,
};

impl Actor {
    /// Does `act`, or puts it before another admin: 202 with the proposal.
    pub async fn does(&self, app: &App, act: MoneyAct) -> Result<Response, ApiError> {
        self.step_up(app)?;
        match acts::ask(app, &self.admin, &act).await? {
            ActOutcome::Done(done) => answer(app, done).await,
            ActOutcome::Proposed(proposal) => {
                let item = ProposalItem::new(*proposal, app.clock().now());
                Ok((StatusCode::ACCEPTED, Json(item)).into_response())
            }
        }
    }
}

async fn answer(app: &App, done: CompletedAct) -> Result<Response, ApiError> {
    Ok(match done {
        CompletedAct::TypedCode(code) => Json(TypedCodeItem::ended(*code, app.clock().now())).into_response(),
        CompletedAct::Correction(booked) => Json(CorrectedWallet::from(*booked)).into_response(),
        CompletedAct::Case(case) => set_asides::whole(app, *case).await?.into_response(),
        CompletedAct::Withdrawal(withdrawal) => Json(WithdrawalItem::from(*withdrawal)).into_response(),
        CompletedAct::Player(player) => Json(PlayerItem::of(*player, app.clock().now())).into_response(),
        CompletedAct::CalledOff(progress) => Json(WinnersProgress::from(progress)).into_response(),
    })
}
