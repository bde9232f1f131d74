//! The status of each refusal in the area `influencers`.

use app::influencers::NotACursor;
use domain::influencers::InfluencerError;

use crate::platform::http::{ApiError, RefusalCode};

impl From<InfluencerError> for ApiError {
    fn from(error: InfluencerError) -> Self {
        match error {
            InfluencerError::Name | InfluencerError::NameTooLong => Self::bad_request(error),
            InfluencerError::Taken => Self::conflict(error),
        }
    }
}

impl From<NotACursor> for ApiError {
    fn from(error: NotACursor) -> Self {
        Self::bad_request(error).code(RefusalCode::NotACursor)
    }
}
