//! The status of each refusal in the area.

use domain::gameweeks::calling_off::CallOffError;

use crate::platform::http::{ApiError, RefusalCode};

impl From<CallOffError> for ApiError {
    fn from(error: CallOffError) -> Self {
        match error {
            CallOffError::NoGameweek => Self::not_found(error).code(RefusalCode::NoSuchGameweek),
            CallOffError::Settled(_) | CallOffError::Final(_) | CallOffError::TooEarly(..) => {
                Self::conflict(error)
            }
        }
    }
}
