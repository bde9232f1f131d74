//! The status of each refusal in the area `admin`.

use app::{
    admin::{
        acts::MoneyActError, approvals::ApprovalError, changes::ChangeError, exports::ExportError,
        own_account::OwnAccount, players::TooShort, switches::SwitchError,
    },
    teams::link::LinkError,
};
use http::StatusCode;

use crate::platform::http::{ApiError, RefusalCode};

impl From<MoneyActError> for ApiError {
    fn from(error: MoneyActError) -> Self {
        match error {
            MoneyActError::TypedCode(error) => error.into(),
            MoneyActError::Correction(error) => error.into(),
            MoneyActError::Case(error) => error.into(),
            MoneyActError::Withdrawal(error) => error.into(),
            MoneyActError::Player(error) => error.into(),
            MoneyActError::CallingOff(error) => error.into(),
            MoneyActError::Approval(error) => error.into(),
            MoneyActError::Own(error) => error.into(),
            MoneyActError::Busy => Self::conflict(error),
        }
    }
}

impl From<OwnAccount> for ApiError {
    fn from(own: OwnAccount) -> Self {
        Self::new(StatusCode::FORBIDDEN, own).code(RefusalCode::OwnAccount)
    }
}

impl From<SwitchError> for ApiError {
    fn from(error: SwitchError) -> Self {
        match error {
            SwitchError::Own(error) => error.into(),
            SwitchError::OtherPause => Self::conflict(error),
        }
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
            ExportError::NotACursor => Self::bad_request(error).code(RefusalCode::NotACursor),
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
            ChangeError::NoPlayer => Self::not_found(error).code(RefusalCode::NoSuchPlayer),
            ChangeError::StepUp(error) => error.into(),
            ChangeError::Own(error) => error.into(),
            ChangeError::Team(error @ (LinkError::NoSeason | LinkError::Team(_))) => error.into(),
            ChangeError::Team(_)
            | ChangeError::SameTeam
            | ChangeError::NothingToRelease
            | ChangeError::Moved
            | ChangeError::Paying
            | ChangeError::Entered => Self::conflict(error),
        }
    }
}
