//! The status of each refusal in the area `payments`.

use app::payments::{
    deposits::DepositRefusal,
    numbers::ReleaseError,
    prompts::{NoPayment, PromptError},
    set_asides::CaseError,
    typed_codes::{review::ReviewError, submit::SubmitError},
};
use domain::payments::{prompt::DepositError, set_aside::SetAsideError, typed_code::TypedCodeError};
use http::StatusCode;
use serde_json::json;

use crate::{
    payments::wire::OwnPaybill,
    platform::http::{ApiError, RefusalCode},
};

impl From<DepositRefusal> for ApiError {
    fn from(refusal: DepositRefusal) -> Self {
        match refusal {
            DepositRefusal::AnotherPlayer => Self::forbidden(),
            DepositRefusal::Phone(error) => Self::bad_request(error).code(RefusalCode::InvalidPhone),
            DepositRefusal::Amount(error) => {
                let code = match error {
                    DepositError::Amount => RefusalCode::InvalidAmount,
                    DepositError::AboveMaximum => RefusalCode::AmountAboveMaximum,
                };
                Self::bad_request(error).code(code)
            }
            DepositRefusal::Prompt(error) => error.into(),
        }
    }
}

impl From<PromptError> for ApiError {
    fn from(error: PromptError) -> Self {
        let text = error.to_string();
        match error {
            PromptError::Limited { limited, paybill } => Self::new(StatusCode::TOO_MANY_REQUESTS, text)
                .code(RefusalCode::TooManyPrompts)
                .retry_after(limited.retry_after)
                .with("paybill", json!(OwnPaybill::from(paybill))),
            PromptError::AnothersNumber { paybill } => Self::conflict(text)
                .code(RefusalCode::NumberOfAnotherPlayer)
                .with("paybill", json!(OwnPaybill::from(paybill))),
            PromptError::Key(error) => error.into(),
            PromptError::OwnLimit(reached) => reached.into(),
            PromptError::NotPlaying(why) => why.into(),
            PromptError::StillOpen => Self::conflict(text).code(RefusalCode::PaymentStillOpen),
            PromptError::PhoneBusy => Self::conflict(text).code(RefusalCode::PhoneBusy),
            PromptError::Busy => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, text).code(RefusalCode::MpesaBusy)
            }
            PromptError::NotAnswering => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, text).code(RefusalCode::MpesaNotAnswering)
            }
            PromptError::Refused(_) => Self::bad_request(text).code(RefusalCode::MpesaRefused),
        }
    }
}

impl From<NoPayment> for ApiError {
    fn from(none: NoPayment) -> Self {
        Self::not_found(none).code(RefusalCode::NoSuchPayment)
    }
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Code(error) => error.into(),
            SubmitError::Limited(limited) => limited.into(),
            SubmitError::Key(error) => error.into(),
        }
    }
}

impl From<ReviewError> for ApiError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::NoTypedCode => Self::not_found(error).code(RefusalCode::NoSuchPayment),
            ReviewError::LongReason => Self::bad_request(error),
            ReviewError::TypedCode(error) => error.into(),
            ReviewError::Mpesa(said) => Self::conflict(said),
        }
    }
}

impl From<TypedCodeError> for ApiError {
    fn from(error: TypedCodeError) -> Self {
        match error {
            TypedCodeError::Code => Self::bad_request(error).code(RefusalCode::InvalidMpesaCode),
            TypedCodeError::Amount => Self::bad_request(error).code(RefusalCode::InvalidAmount),
            TypedCodeError::AlreadyCredited => Self::conflict(error).code(RefusalCode::CodeAlreadyCredited),
            TypedCodeError::AnotherPlayer | TypedCodeError::AnothersAccount => {
                Self::conflict(error).code(RefusalCode::PaymentOfAnotherPlayer)
            }
            TypedCodeError::OwnPrompt => Self::conflict(error).code(RefusalCode::OwnPromptOpen),
            TypedCodeError::Ended(_) | TypedCodeError::AnotherAmount(_) => Self::conflict(error),
        }
    }
}

impl From<CaseError> for ApiError {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::NoCase => Self::not_found(error),
            CaseError::Decision(error) => error.into(),
            CaseError::Mpesa(said) => Self::conflict(said),
        }
    }
}

impl From<SetAsideError> for ApiError {
    fn from(error: SetAsideError) -> Self {
        match error {
            SetAsideError::Act
            | SetAsideError::Reason
            | SetAsideError::Amount
            | SetAsideError::Receipt
            | SetAsideError::AnotherReceipt => Self::bad_request(error),
            SetAsideError::NotForThis
            | SetAsideError::ReceiptTaken
            | SetAsideError::AnotherPrompts
            | SetAsideError::MayBeAnothers
            | SetAsideError::NotThisPrompts
            | SetAsideError::AnothersAccount
            | SetAsideError::Closed
            | SetAsideError::ReportedSince => Self::conflict(error),
        }
    }
}

impl From<ReleaseError> for ApiError {
    fn from(error: ReleaseError) -> Self {
        match error {
            ReleaseError::NoPlayer => Self::not_found(error).code(RefusalCode::NoSuchPlayer),
            ReleaseError::NotOwn => Self::conflict(error),
        }
    }
}
