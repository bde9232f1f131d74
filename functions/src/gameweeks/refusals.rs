//! The status of each refusal in the area.

use domain::gameweeks::calling_off::CallOffError;

use crate::platform::http::ApiError;

impl From<CallOffError> for ApiError {
    fn from(error: CallOffError) -> Self {
        match error {
            CallOffError::NoGameweek => Self::not_found(error),
            CallOffError::Settled(_) | CallOffError::Final(_) | CallOffError::TooEarly(..) => {
                Self::conflict(error)
            }
        }
    }
}
