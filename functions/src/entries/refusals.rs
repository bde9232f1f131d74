//! The status of each refusal in the area `entries`.

use app::entries::{
    join::EntryError,
    payments::{EntryPromptError, PaidEntryError},
};
use domain::entries::join::JoinError;

use crate::platform::http::ApiError;

impl From<JoinError> for ApiError {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::AlreadyJoined | JoinError::AccountChanged | JoinError::TeamElsewhere => {
                Self::conflict(error)
            }
            JoinError::NoGameweek
            | JoinError::GameweekClosed
            | JoinError::InsufficientBalance(_)
            | JoinError::AnotherSeason
            | JoinError::NoTeam
            | JoinError::Suspended
            | JoinError::Frozen
            | JoinError::Owes(_)
            | JoinError::Paused => Self::bad_request(error),
        }
    }
}

impl From<EntryError> for ApiError {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::AnotherTeam => Self::forbidden(),
            EntryError::Amount(error) => Self::bad_request(error),
            EntryError::Join(error) => error.into(),
            EntryError::Team(error) => error.into(),
        }
    }
}

impl From<EntryPromptError> for ApiError {
    fn from(error: EntryPromptError) -> Self {
        match error {
            EntryPromptError::Phone(_) | EntryPromptError::AnotherAmount | EntryPromptError::NoGameweek => {
                Self::bad_request(error)
            }
            EntryPromptError::Entry(error) => error.into(),
            EntryPromptError::Prompt(error) => error.into(),
        }
    }
}

impl From<PaidEntryError> for ApiError {
    fn from(error: PaidEntryError) -> Self {
        match error {
            PaidEntryError::NoPayment(error) => error.into(),
            PaidEntryError::AnotherEntry => Self::forbidden(),
            PaidEntryError::AlreadyJoined(_) => Self::conflict(error),
            PaidEntryError::InTheWallet(_) | PaidEntryError::Failed | PaidEntryError::NotConfirmed => {
                Self::bad_request(error)
            }
        }
    }
}
