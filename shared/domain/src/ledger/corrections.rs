//! What an admin may correct a wallet by.

use crate::Kes;

/// Why an admin's correction is refused; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CorrectionError {
    #[error("The amount has to be whole KSh, more or less than 0, and at most 250,000 either way.")]
    Amount,
    #[error("Give the correction an id of 32 hex digits, the same each time it is sent.")]
    Id,
    #[error("A correction with this id was booked with another amount.")]
    Another,
    #[error("There is no such player.")]
    NoPlayer,
}

/// The most that one correction moves, either way.
pub const MAXIMUM_CORRECTION: Kes = Kes::new(250_000);

/// Checks the amount of a correction: positive gives, negative takes.
///
/// # Errors
/// Nothing, or too much.
pub fn check_correction(amount: Option<i64>) -> Result<Kes, CorrectionError> {
    let most = MAXIMUM_CORRECTION.get();
    let amount = amount.filter(|amount| *amount != 0 && (-most..=most).contains(amount));
    amount.map(Kes::new).ok_or(CorrectionError::Amount)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(None, false)]
    #[case(Some(0), false)]
    #[case(Some(1), true)]
    #[case(Some(-250_000), true)]
    #[case(Some(250_001), false)]
    #[case(Some(-250_001), false)]
    #[case(Some(i64::MIN), false)]
    fn a_correction_is_of_something(#[case] amount: Option<i64>, #[case] sound: bool) {
        assert_eq!(check_correction(amount).is_ok(), sound);
    }
}
