//! The status of each refusal in the area.

use app::ledger::{reconciliation::NoProof, statement::NoSuchYear, transactions::NotACursor};
use domain::ledger::corrections::CorrectionError;

use crate::platform::http::{ApiError, RefusalCode};

impl From<CorrectionError> for ApiError {
    fn from(error: CorrectionError) -> Self {
        match error {
            CorrectionError::Amount | CorrectionError::Id => Self::bad_request(error),
            CorrectionError::Another => Self::conflict(error),
            CorrectionError::NoPlayer => Self::not_found(error).code(RefusalCode::NoSuchPlayer),
        }
    }
}

impl From<NotACursor> for ApiError {
    fn from(error: NotACursor) -> Self {
        Self::bad_request(error).code(RefusalCode::NotACursor)
    }
}

impl From<NoSuchYear> for ApiError {
    fn from(error: NoSuchYear) -> Self {
        Self::not_found(error).code(RefusalCode::NoSuchYear)
    }
}

impl From<NoProof> for ApiError {
    fn from(error: NoProof) -> Self {
        let code = match error {
            NoProof::NoTree => RefusalCode::NoSumTree,
            NoProof::NotInIt => RefusalCode::NotInTheSumTree,
        };
        Self::not_found(error).code(code)
    }
}
