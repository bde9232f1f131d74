//! The status of each refusal in the area `accounts`.

use app::accounts::{
    access::InvalidToken, cases::SupportCaseError, closing::ClosingError, credentials::CredentialsError,
    log_in::LogInError, notifications::NotificationError, own_limits::LimitError,
    own_sessions::NoSuchSession, second_factor::SecondFactorError, sessions::RefreshError,
    step_up::StepUpError, stopping::StoppingError, subscriptions::SubscriptionError,
};
use domain::accounts::{
    account::{AccountError, InvalidResetToken},
    cases::CaseError,
    own_limits::{LimitReached, RaiseError},
    stopping::{NotPlaying, StopError},
    terms::TermsError,
};
use http::StatusCode;

use super::log_in::LogInRefused;
use crate::platform::http::{ApiError, RefusalCode};

/// For a call that names a player by an id that is nobody's.
pub(crate) fn no_such_player() -> ApiError {
    ApiError::not_found("There is no such player.").code(RefusalCode::NoSuchPlayer)
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let code = match error {
            AccountError::Email => RefusalCode::InvalidEmail,
            AccountError::Username => RefusalCode::InvalidUsername,
            AccountError::UsernameCharacters => RefusalCode::UsernameCharacters,
            AccountError::UsernameWithoutLetter => RefusalCode::UsernameWithoutLetter,
            AccountError::UsernameReserved => RefusalCode::UsernameReserved,
            AccountError::FplId => RefusalCode::InvalidFplId,
            AccountError::PasswordTooShort => RefusalCode::PasswordTooShort,
            AccountError::PasswordTooLong => RefusalCode::PasswordTooLong,
            AccountError::PasswordTooCommon => RefusalCode::PasswordTooCommon,
            AccountError::NotOver18 => RefusalCode::NotOver18,
        };
        Self::bad_request(error).code(code)
    }
}

impl From<InvalidResetToken> for ApiError {
    fn from(error: InvalidResetToken) -> Self {
        Self::bad_request(error).code(RefusalCode::InvalidToken)
    }
}

impl From<LimitReached> for ApiError {
    fn from(reached: LimitReached) -> Self {
        Self::conflict(reached)
            .code(RefusalCode::OwnLimitReached)
            .with("limit", reached.limit.into_str())
            .with("amount", reached.amount.get())
            .with("left", reached.left.get())
            .with("next", reached.next.to_string())
    }
}

impl From<NotPlaying> for ApiError {
    fn from(why: NotPlaying) -> Self {
        match why {
            NotPlaying::Stopped(until) => {
                Self::conflict(why).code(RefusalCode::StoppedPlaying).with("until", until.to_string())
            }
            NotPlaying::AgeNotShown => Self::conflict(why).code(RefusalCode::ProofOfAgeWanted),
            NotPlaying::TermsNotAgreed => Self::conflict(why).code(RefusalCode::TermsNotAgreed),
        }
    }
}

impl From<TermsError> for ApiError {
    fn from(error: TermsError) -> Self {
        let refused = Self::bad_request(error);
        match error {
            TermsError::Unsaid => refused.code(RefusalCode::TermsNotAgreed),
            TermsError::Unknown => refused.code(RefusalCode::NoSuchTerms),
            TermsError::NotInForce(current) => {
                refused.code(RefusalCode::OtherTerms).with("current", current.to_string())
            }
        }
    }
}

impl From<LimitError> for ApiError {
    fn from(error: LimitError) -> Self {
        match error {
            LimitError::Unknown | LimitError::Amount(_) => {
                Self::bad_request(error).code(RefusalCode::InvalidLimit)
            }
            LimitError::Raise(RaiseError::NothingAsked) => {
                Self::conflict(error).code(RefusalCode::NothingToConfirm)
            }
            LimitError::Raise(RaiseError::TooEarly) => Self::conflict(error).code(RefusalCode::RaiseTooEarly),
        }
    }
}

impl From<StoppingError> for ApiError {
    fn from(error: StoppingError) -> Self {
        match error {
            StoppingError::Stop(StopError::HowLong) => {
                Self::bad_request(error).code(RefusalCode::InvalidStop)
            }
            StoppingError::Stop(StopError::Shorter(until)) => {
                Self::conflict(error).code(RefusalCode::StoppedForLonger).with("until", until.to_string())
            }
            StoppingError::Credentials(error) => error.into(),
        }
    }
}

impl From<NotificationError> for ApiError {
    fn from(error: NotificationError) -> Self {
        Self::bad_request(error)
    }
}

impl From<SubscriptionError> for ApiError {
    fn from(error: SubscriptionError) -> Self {
        Self::bad_request(error)
    }
}

impl From<InvalidToken> for ApiError {
    fn from(_: InvalidToken) -> Self {
        Self::unauthorized()
    }
}

impl From<RefreshError> for ApiError {
    fn from(error: RefreshError) -> Self {
        let code = match error {
            RefreshError::NotValid => RefusalCode::NotLoggedIn,
            RefreshError::Replayed => RefusalCode::LogInAgain,
        };
        Self::new(StatusCode::UNAUTHORIZED, error).code(code)
    }
}

impl From<LogInError> for ApiError {
    fn from(error: LogInError) -> Self {
        let not_logged_in = |status: LogInRefused| {
            Self::new(StatusCode::UNAUTHORIZED, error).with("status", status.into_str())
        };
        match error {
            LogInError::WrongPassword => not_logged_in(LogInRefused::NotExist).code(RefusalCode::WrongLogIn),
            LogInError::CodeWanted => not_logged_in(LogInRefused::Totp).code(RefusalCode::CodeWanted),
            LogInError::WrongCode => not_logged_in(LogInRefused::Totp).code(RefusalCode::WrongCode),
            LogInError::Frozen => Self::new(StatusCode::FORBIDDEN, error)
                .code(RefusalCode::AccountFrozen)
                .with("status", "frozen"),
            LogInError::Closed => Self::new(StatusCode::FORBIDDEN, error)
                .code(RefusalCode::AccountClosed)
                .with("status", "closed"),
            LogInError::Limited(limited) => limited.into(),
        }
    }
}

impl From<SecondFactorError> for ApiError {
    fn from(error: SecondFactorError) -> Self {
        match error {
            SecondFactorError::WrongCode => Self::bad_request(error).code(RefusalCode::WrongCode),
            SecondFactorError::WrongPassword => Self::bad_request(error).code(RefusalCode::WrongPassword),
            SecondFactorError::Enrolled | SecondFactorError::NotStarted | SecondFactorError::NotEnrolled => {
                Self::conflict(error)
            }
            SecondFactorError::Limited(limited) => limited.into(),
        }
    }
}

/// With `stepUp`: give a code, then the same call again; with `enrol`: there is no second factor.
impl From<StepUpError> for ApiError {
    fn from(error: StepUpError) -> Self {
        let (field, code) = match error {
            StepUpError::NotEnrolled => ("enrol", RefusalCode::SecondFactorWanted),
            StepUpError::NoFreshCode => ("stepUp", RefusalCode::FreshCodeWanted),
        };
        Self::new(StatusCode::FORBIDDEN, error).code(code).with(field, true)
    }
}

impl From<NoSuchSession> for ApiError {
    fn from(error: NoSuchSession) -> Self {
        Self::not_found(error).code(RefusalCode::NoSuchSession)
    }
}

impl From<CredentialsError> for ApiError {
    fn from(error: CredentialsError) -> Self {
        match error {
            CredentialsError::WrongPassword => Self::bad_request(error).code(RefusalCode::WrongPassword),
            CredentialsError::CodeWanted => Self::bad_request(error).code(RefusalCode::CodeWanted),
            CredentialsError::WrongCode => Self::bad_request(error).code(RefusalCode::WrongCode),
            CredentialsError::Limited(limited) => limited.into(),
        }
    }
}

impl From<ClosingError> for ApiError {
    fn from(error: ClosingError) -> Self {
        let conflict = |code| Self::conflict(error).code(code);
        match error {
            ClosingError::Credentials(error) => error.into(),
            ClosingError::Admin => {
                Self::new(StatusCode::FORBIDDEN, error).code(RefusalCode::AccountOfAnAdmin)
            }
            ClosingError::MoneyInWallet(_) => conflict(RefusalCode::MoneyInWallet),
            ClosingError::Owes(_) => conflict(RefusalCode::InDebt),
            ClosingError::WithdrawalOpen => conflict(RefusalCode::WithdrawalOpen),
            ClosingError::PaymentOpen => conflict(RefusalCode::PaymentOpen),
            ClosingError::EntryOpen(_) => conflict(RefusalCode::EntryOpen),
            ClosingError::LookedInto => conflict(RefusalCode::AccountSuspended),
            ClosingError::Moved => conflict(RefusalCode::ChangedMeanwhile),
        }
    }
}

impl From<SupportCaseError> for ApiError {
    fn from(error: SupportCaseError) -> Self {
        let text = error.to_string();
        match error {
            SupportCaseError::NoCase => Self::not_found(text).code(RefusalCode::NoSuchCase),
            SupportCaseError::NotYours => Self::not_found(text).code(RefusalCode::NothingOfYours),
            SupportCaseError::OpenAlready(id) => {
                Self::conflict(text).code(RefusalCode::CaseOpenAlready).with("case", id.to_string())
            }
            SupportCaseError::NotYoursToClose => Self::new(StatusCode::FORBIDDEN, text),
            SupportCaseError::Own(own) => own.into(),
            SupportCaseError::Case(error) => error.into(),
            SupportCaseError::Limited(limited) => limited.into(),
            SupportCaseError::Key(error) => error.into(),
        }
    }
}

impl From<CaseError> for ApiError {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Text => Self::bad_request(error).code(RefusalCode::InvalidCaseText),
            CaseError::Reason | CaseError::Kind => Self::bad_request(error),
            CaseError::TooManyOpen => Self::conflict(error).code(RefusalCode::TooManyOpenCases),
            CaseError::Full => Self::conflict(error).code(RefusalCode::CaseFull),
            CaseError::Closed => Self::conflict(error).code(RefusalCode::CaseClosed),
            CaseError::ClosedLongAgo => Self::conflict(error).code(RefusalCode::CaseClosedLongAgo),
        }
    }
}
