//! The codes of refusals: what a caller goes by where the text is for people, in English. They are part of the API: a
//! code that has been given out keeps its name and its meaning.

use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// Which rule refused. The first ones are said of any call, by the status alone where no rule has a code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    InvalidRequest,
    NotLoggedIn,
    NotAllowed,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    TooManyTries,
    Failed,
    Unavailable,
    NotSetUp,
    InvalidIdempotencyKey,
    IdempotencyKeyReused,
    StillProcessing,
    // Accounts and log-in.
    InvalidEmail,
    InvalidUsername,
    UsernameCharacters,
    UsernameWithoutLetter,
    UsernameReserved,
    InvalidFplId,
    PasswordTooShort,
    PasswordTooLong,
    PasswordTooCommon,
    NotOver18,
    InvalidToken,
    EmailAndPasswordRequired,
    WrongLogIn,
    CodeWanted,
    WrongCode,
    WrongPassword,
    LogInAgain,
    AccountFrozen,
    AccountSuspended,
    AccountChanged,
    SecondFactorWanted,
    FreshCodeWanted,
    OwnAccount,
    // Entries.
    GameweekUnknown,
    DeadlinePassed,
    AlreadyJoined,
    InsufficientBalance,
    NewSeason,
    NoTeam,
    TeamElsewhere,
    InDebt,
    EntriesPaused,
    InvalidEntryAmount,
    NotTheEntryAmount,
    PaidTwice,
    PaidIntoWallet,
    PaymentFailed,
    PaymentNotConfirmed,
    // Money in.
    InvalidPhone,
    InvalidAmount,
    AmountAboveMaximum,
    NumberOfAnotherPlayer,
    TooManyPrompts,
    PaymentStillOpen,
    PhoneBusy,
    MpesaBusy,
    MpesaRefused,
    MpesaNotAnswering,
    NoSuchPayment,
    InvalidMpesaCode,
    CodeAlreadyCredited,
    PaymentOfAnotherPlayer,
    OwnPromptOpen,
    // Money out.
    InvalidWithdrawalPhone,
    BelowMinimum,
    WithdrawalAboveMaximum,
    TeamUnproved,
    WonWithAnotherTeam,
    InvalidLink,
    TooLateToCancel,
    // Teams.
    TeamUnknown,
    OfficialGameNotAnswering,
    SeasonUnknown,
    TeamTaken,
    TeamLost,
    TeamAlreadyLinked,
    NoProofAskedFor,
    ProofExpired,
    ProofNotThere,
    TeamProvedByAnother,
    ChangedMeanwhile,
    // Lists, leagues, links.
    NotACursor,
    NotAGameweek,
    NotALeague,
    NobodysTeam,
    NoSuchGameweek,
    NoSuchPlayer,
    NoSettlement,
    NoReferralLink,
}

impl RefusalCode {
    /// What the status alone says.
    pub(crate) const fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::UNAUTHORIZED => Self::NotLoggedIn,
            StatusCode::FORBIDDEN => Self::NotAllowed,
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::CONFLICT => Self::Conflict,
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            StatusCode::TOO_MANY_REQUESTS => Self::TooManyTries,
            StatusCode::SERVICE_UNAVAILABLE => Self::Unavailable,
            StatusCode::INTERNAL_SERVER_ERROR => Self::Failed,
            _ => Self::InvalidRequest,
        }
    }
}
