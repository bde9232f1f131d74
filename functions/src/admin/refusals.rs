//! The status of each refusal in the area `admin`.

use app::{
    admin::{
        acts::{ActError, OwnAccount},
        approvals::ApprovalError,
        exports::ExportError,
        players::{ChangeError, TooShort},
    },
    teams::link::LinkError,
};
use http::StatusCode;

use crate::platform::http::ApiError;

impl From<ActError> for ApiError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::TypedCode(error) => error.into(),
            ActError::Correction(error) => error.into(),
            ActError::Case(error) => error.into(),
            ActError::Withdrawal(error) => error.into(),
            ActError::Player(error) => error.into(),
            ActError::CallingOff(error) => error.into(),
            ActError::Approval(error) => error.into(),
            ActError::Own(error) => error.into(),
            ActError::Busy => Self::conflict(error),
        }
    }
}

impl From<OwnAccount> for ApiError {
    fn from(own: OwnAccount) -> Self {
        Self::new(StatusCode::FORBIDDEN, own)
    }
}

impl From<ApprovalError> for ApiError {
    fn from(error: ApprovalError) -> Self {
        match error {
            ApprovalError::NoProposal => Self::not_found(error),
            ApprovalError::Own | ApprovalError::OwnAccount | ApprovalError::TooNew => {
                Self::new(StatusCode::FORBIDDEN, error)
            }
            ApprovalError::Approved
            | ApprovalError::Refused
            | ApprovalError::Expired
            | ApprovalError::ProposerGone
            | ApprovalError::Changed => Self::conflict(error),
        }
    }
}

impl From<ExportError> for ApiError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NotACursor => Self::bad_request(error),
        }
    }
}

impl From<TooShort> for ApiError {
    fn from(error: TooShort) -> Self {
        Self::bad_request(error)
    }
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NoPlayer => Self::not_found(error),
            ChangeError::StepUp(error) => error.into(),
            ChangeError::Team(error @ (LinkError::NoSeason | LinkError::Team(_))) => error.into(),
            ChangeError::Team(_)
            | ChangeError::SameTeam
            | ChangeError::NothingToRelease
            | ChangeError::Moved => Self::conflict(error),
        }
    }
}
