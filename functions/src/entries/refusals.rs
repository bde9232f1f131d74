//! The status of each refusal in the area `entries`.

use app::entries::{
    join::EntryError,
    payments::{EntryPromptError, PaidEntryError},
};
use domain::entries::join::JoinError;
use http::StatusCode;

use crate::platform::http::{ApiError, RefusalCode};

impl From<JoinError> for ApiError {
    fn from(error: JoinError) -> Self {
        let (status, code) = match error {
            JoinError::OwnLimit(reached) => return Self::from(reached).status(StatusCode::BAD_REQUEST),
            JoinError::NotPlaying(why) => return Self::from(why).status(StatusCode::BAD_REQUEST),
            // A conflict is this alone (spec §7).
            JoinError::AlreadyJoined => (StatusCode::CONFLICT, RefusalCode::AlreadyJoined),
            JoinError::AccountChanged => (StatusCode::BAD_REQUEST, RefusalCode::AccountChanged),
            JoinError::TeamElsewhere => (StatusCode::BAD_REQUEST, RefusalCode::TeamElsewhere),
            JoinError::KeptOut => (StatusCode::FORBIDDEN, RefusalCode::KeptOut),
            JoinError::NoGameweek => (StatusCode::BAD_REQUEST, RefusalCode::GameweekUnknown),
            JoinError::GameweekClosed => (StatusCode::BAD_REQUEST, RefusalCode::DeadlinePassed),
            JoinError::InsufficientBalance(_) => (StatusCode::BAD_REQUEST, RefusalCode::InsufficientBalance),
            JoinError::AnotherSeason => (StatusCode::BAD_REQUEST, RefusalCode::NewSeason),
            JoinError::NoTeam => (StatusCode::BAD_REQUEST, RefusalCode::NoTeam),
            JoinError::Suspended => (StatusCode::BAD_REQUEST, RefusalCode::AccountSuspended),
            JoinError::Frozen => (StatusCode::BAD_REQUEST, RefusalCode::AccountFrozen),
            JoinError::Owes(_) => (StatusCode::BAD_REQUEST, RefusalCode::InDebt),
            JoinError::Paused => (StatusCode::BAD_REQUEST, RefusalCode::EntriesPaused),
        };
        Self::new(status, error).code(code)
    }
}

impl From<EntryError> for ApiError {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::AnotherTeam => Self::forbidden(),
            EntryError::NoTeamId(error) => error.into(),
            EntryError::Amount(error) => Self::bad_request(error).code(RefusalCode::InvalidEntryAmount),
            EntryError::Join(error) => error.into(),
            EntryError::Team(error) => error.into(),
        }
    }
}

impl From<EntryPromptError> for ApiError {
    fn from(error: EntryPromptError) -> Self {
        match error {
            EntryPromptError::Phone(_) => Self::bad_request(error).code(RefusalCode::InvalidPhone),
            EntryPromptError::AnotherAmount | EntryPromptError::AnotherThanWithExcise { .. } => {
                Self::bad_request(error).code(RefusalCode::NotTheEntryAmount)
            }
            EntryPromptError::NoGameweek => Self::bad_request(error).code(RefusalCode::GameweekUnknown),
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
            PaidEntryError::NoTeamId(error) => error.into(),
            PaidEntryError::AlreadyJoined(_) => Self::conflict(error).code(RefusalCode::PaidTwice),
            PaidEntryError::InTheWallet(_) => Self::bad_request(error).code(RefusalCode::PaidIntoWallet),
            PaidEntryError::Failed => Self::bad_request(error).code(RefusalCode::PaymentFailed),
            PaidEntryError::NotConfirmed => Self::bad_request(error).code(RefusalCode::PaymentNotConfirmed),
        }
    }
}
