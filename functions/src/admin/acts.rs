//! An admin's act on money, as its own call answers it. A handler reads its form and calls [`Actor::does`]; with that
//! come the fresh code, and by `app::admin::acts` the own account, the second admin, the ceiling and the mails.

use app::{
    App,
    admin::acts::{self, Asked, Done, MoneyAct},
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
            Asked::Done(done) => answer(app, done).await,
            Asked::Proposed(proposal) => {
                let item = ProposalItem::new(*proposal, app.clock().now());
                Ok((StatusCode::ACCEPTED, Json(item)).into_response())
            }
        }
    }
}

async fn answer(app: &App, done: Done) -> Result<Response, ApiError> {
    Ok(match done {
        Done::TypedCode(code) => Json(TypedCodeItem::ended(*code, app.clock().now())).into_response(),
        Done::Correction(booked) => Json(CorrectedWallet::from(*booked)).into_response(),
        Done::Case(case) => set_asides::whole(app, *case).await?.into_response(),
        Done::Withdrawal(withdrawal) => Json(WithdrawalItem::from(*withdrawal)).into_response(),
        Done::Player(player) => Json(PlayerItem::from(*player)).into_response(),
        Done::CalledOff(progress) => Json(WinnersProgress::from(progress)).into_response(),
    })
}
