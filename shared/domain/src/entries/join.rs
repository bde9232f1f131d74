//! Whether a player may enter a gameweek (spec §5 "Join", §8 "Joining and paying").

use jiff::Timestamp;

use crate::{
    EntryAmount, Kes,
    accounts::{own_limits::LimitReached, stopping::NotPlaying},
    gameweeks::calendar::Gameweek,
    ledger::taking_back::Owes,
};

/// Why an entry is refused; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    #[error("Could not determine current gameweek. Try again shortly.")]
    NoGameweek,
    #[error("The deadline has passed.")]
    GameweekClosed,
    #[error("You already joined this gameweek.")]
    AlreadyJoined,
    #[error("Insufficient wallet balance for {}. Please top up.", .0.kes())]
    InsufficientBalance(EntryAmount),
    #[error("A new season has begun. Link your team id for it first.")]
    AnotherSeason,
    #[error("Your account has no team.")]
    NoTeam,
    #[error("Your account is suspended. You can withdraw, but not enter.")]
    Suspended,
    #[error("Your account is frozen. Please contact us.")]
    Frozen,
    #[error("Your account has changed meanwhile. Please try again.")]
    AccountChanged,
    #[error("Your team is in this gameweek already, or is another account's now. Look at your profile.")]
    TeamElsewhere,
    /// An admin who has switched its deduction, or changed a rival's team in it.
    #[error("You have decided something about this gameweek as an admin, so you cannot enter it.")]
    KeptOut,
    #[error(transparent)]
    Owes(#[from] Owes),
    #[error(transparent)]
    OwnLimit(#[from] LimitReached),
    #[error(transparent)]
    NotPlaying(#[from] NotPlaying),
    #[error("Entries are paused just now. Your money is safe. Please try again later.")]
    Paused,
}

/// Whether `balance` covers `amount`.
///
/// # Errors
/// It does not.
pub fn check_balance(balance: Kes, amount: EntryAmount) -> Result<(), JoinError> {
    if balance < amount.kes() { Err(JoinError::InsufficientBalance(amount)) } else { Ok(()) }
}

/// The gameweek that an entry goes into, whichever way it is paid: the one asked for has to be the current one, and
/// open.
///
/// # Errors
/// Nothing to play, another gameweek than the current one (its deadline has passed, or it has not
/// been opened), or closed.
pub fn check_open(current: Option<&Gameweek>, asked: u8, now: Timestamp) -> Result<&Gameweek, JoinError> {
    let current = current.ok_or(JoinError::NoGameweek)?;
    match asked.cmp(&current.number) {
        std::cmp::Ordering::Less => Err(JoinError::GameweekClosed),
        std::cmp::Ordering::Greater => Err(JoinError::NoGameweek),
        std::cmp::Ordering::Equal if current.is_open(now) => Ok(current),
        std::cmp::Ordering::Equal => Err(JoinError::GameweekClosed),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(3, -1, Ok(3))]
    #[case(3, 0, Err(JoinError::GameweekClosed))]
    #[case(2, -1, Err(JoinError::GameweekClosed))]
    #[case(4, -1, Err(JoinError::NoGameweek))]
    fn only_the_current_gameweek_while_it_is_open(
        #[case] asked: u8,
        #[case] seconds_to_deadline: i64,
        #[case] expected: Result<u8, JoinError>,
    ) {
        let deadline = Timestamp::UNIX_EPOCH;
        let gameweek = Gameweek::new(3, deadline);
        let now = deadline + SignedDuration::from_secs(seconds_to_deadline);
        assert_eq!(check_open(Some(&gameweek), asked, now).map(|g| g.number), expected);
        assert_eq!(check_open(None, asked, now), Err(JoinError::NoGameweek));
    }

    #[test]
    fn a_shortfall_names_the_amount() {
        let refused = check_balance(Kes::new(99), EntryAmount::Hundred).unwrap_err();
        assert_eq!(refused.to_string(), "Insufficient wallet balance for KSh 100. Please top up.");
        assert_eq!(check_balance(Kes::new(100), EntryAmount::Hundred), Ok(()));
    }
}
