//! Which receipts M-Pesa is asked about at night, whether it has taken them back.

use crate::Kes;

/// Whether M-Pesa is asked about a receipt of `amount` at night: all above `threshold`, and of the rest those
/// whose `sample` (0 to 99, another one each night) is below `percent`. One whose amount was not kept counts as
/// large.
#[must_use]
pub fn is_asked_about(amount: Option<Kes>, threshold: Kes, percent: u8, sample: u8) -> bool {
    amount.is_none_or(|amount| amount > threshold) || sample < percent
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::large(Some(10_001), 99, true)]
    #[case::at_the_threshold(Some(10_000), 10, false)]
    #[case::drawn(Some(50), 9, true)]
    #[case::from_before(None, 99, true)]
    fn large_ones_are_asked_about_and_a_sample(
        #[case] amount: Option<i64>,
        #[case] sample: u8,
        #[case] asked: bool,
    ) {
        assert_eq!(is_asked_about(amount.map(Kes::new), Kes::new(10_000), 10, sample), asked);
        assert!(is_asked_about(amount.map(Kes::new), Kes::new(10_000), 100, sample), "all of them");
    }
}
