use rstest::rstest;

use super::*;

#[rstest]
#[case(0, Err(WithdrawalError::Amount))]
#[case(-5, Err(WithdrawalError::Amount))]
#[case(59, Err(WithdrawalError::BelowMinimum))]
#[case(60, Ok(()))]
#[case(100, Ok(()))]
#[case(101, Err(WithdrawalError::InsufficientBalance))]
#[case(250_000, Err(WithdrawalError::InsufficientBalance))]
#[case(250_001, Err(WithdrawalError::AboveMaximum))]
fn out_of_a_wallet_of_a_hundred(#[case] amount: i64, #[case] expected: Result<(), WithdrawalError>) {
    assert_eq!(check(Kes::new(amount), Kes::new(100)), expected);
}

#[test]
fn says_what_the_spec_says() {
    assert_eq!(WithdrawalError::BelowMinimum.to_string(), "Minimum withdrawal amount is KES 60.");
}

#[rstest]
#[case::nothing(true, None, 100, false, &[])]
#[case::a_strangers_number(false, None, 100, false, &[Flag::NewNumber])]
#[case::a_day_after_a_reset(true, Some(24), 100, false, &[])]
#[case::within_a_day_of_a_reset(true, Some(23), 100, false, &[Flag::AfterReset])]
#[case::more_than_was_played(true, None, 99, false, &[Flag::NeverPlayed])]
#[case::suspended(true, None, 100, true, &[Flag::Suspended])]
#[case::all(
    false, Some(0), 0, true,
    &[Flag::NewNumber, Flag::AfterReset, Flag::NeverPlayed, Flag::Suspended]
)]
fn what_an_admin_looks_at(
    #[case] own_number: bool,
    #[case] reset_hours_ago: Option<i64>,
    #[case] played: i64,
    #[case] suspended: bool,
    #[case] expected: &[Flag],
) {
    let now: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
    let (amount, played) = (Kes::new(100), Kes::new(played));
    let password_reset_at = reset_hours_ago.map(|hours| now - SignedDuration::from_hours(hours));
    let asked = RequestFacts { amount, own_number, password_reset_at, played, suspended };
    assert_eq!(flags(&asked, now), expected);
}

#[test]
fn only_what_goes_to_a_new_number_waits_and_for_a_day() {
    let now: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
    let waits = |flags: &[Flag]| waits_until(flags, now).map(|until| until.to_string());
    assert_eq!(waits(&[Flag::Suspended, Flag::NewNumber]).as_deref(), Some("2026-08-21T09:00:00Z"));
    assert_eq!(waits(&[Flag::AfterReset, Flag::NeverPlayed, Flag::Suspended]), None);
}

fn standing(status: WithdrawalStatus, payout: Option<PayoutState>) -> WithdrawalState {
    WithdrawalState { status, payout, corrected: None }
}

#[rstest]
#[case::paid(WithdrawalStatus::Pending, Some(PayoutState::Sent), PayoutReport::Paid, PayoutVerdict::Done)]
#[case::failed(
    WithdrawalStatus::Pending,
    Some(PayoutState::Sent),
    PayoutReport::Failed,
    PayoutVerdict::GiveBack
)]
#[case::open(WithdrawalStatus::Pending, Some(PayoutState::Sent), PayoutReport::Open, PayoutVerdict::AskAgain)]
#[case::arrived_after_all(WithdrawalStatus::Pending, None, PayoutReport::Paid, PayoutVerdict::Done)]
#[case::never_sent(WithdrawalStatus::Pending, None, PayoutReport::Failed, PayoutVerdict::Nothing)]
#[case::nobody_was_asked(WithdrawalStatus::Pending, None, PayoutReport::Open, PayoutVerdict::Nothing)]
#[case::done_by_hand_instead(WithdrawalStatus::Done, None, PayoutReport::Failed, PayoutVerdict::Nothing)]
#[case::paid_twice(
    WithdrawalStatus::Done,
    Some(PayoutState::Done),
    PayoutReport::Paid,
    PayoutVerdict::Nothing
)]
#[case::failed_twice(
    WithdrawalStatus::Rejected,
    Some(PayoutState::Failed),
    PayoutReport::Failed,
    PayoutVerdict::Nothing
)]
#[case::by_hand(WithdrawalStatus::Rejected, None, PayoutReport::Failed, PayoutVerdict::Nothing)]
fn what_becomes_of_a_payout(
    #[case] status: WithdrawalStatus,
    #[case] payout: Option<PayoutState>,
    #[case] report: PayoutReport,
    #[case] verdict: PayoutVerdict,
) {
    for said in [Said::Posted, Said::Asked] {
        assert_eq!(decide_payout(standing(status, payout), report, said), verdict);
    }
}

/// What contradicts what has ended is asked about, and the answer corrects it: once.
#[rstest]
#[case::given_back(
    WithdrawalStatus::Rejected,
    Some(PayoutState::Failed),
    PayoutReport::Paid,
    PayoutCorrection::Paid
)]
#[case::rejected_by_hand(WithdrawalStatus::Rejected, None, PayoutReport::Paid, PayoutCorrection::Paid)]
#[case::done_by_hand(WithdrawalStatus::Done, None, PayoutReport::Paid, PayoutCorrection::PaidTwice)]
#[case::taken_back(
    WithdrawalStatus::Done,
    Some(PayoutState::Done),
    PayoutReport::Failed,
    PayoutCorrection::Failed
)]
fn what_contradicts_is_asked_about_and_corrected_once(
    #[case] status: WithdrawalStatus,
    #[case] payout: Option<PayoutState>,
    #[case] report: PayoutReport,
    #[case] correction: PayoutCorrection,
) {
    let ended = standing(status, payout);
    assert_eq!(decide_payout(ended, report, Said::Posted), PayoutVerdict::Ask(correction));
    assert_eq!(decide_payout(ended, report, Said::Asked), PayoutVerdict::Correct(correction));
    let corrected = WithdrawalState { corrected: Some(correction), ..ended };
    for later in [report, PayoutReport::Open] {
        assert_eq!(decide_payout(corrected, later, Said::Asked), PayoutVerdict::Nothing);
    }
    let other = if report == PayoutReport::Paid { PayoutReport::Failed } else { PayoutReport::Paid };
    assert!(matches!(decide_payout(corrected, other, Said::Asked), PayoutVerdict::Contest(_)));
}

#[test]
fn another_amount_is_for_an_admin() {
    for (status, payout) in [
        (WithdrawalStatus::Pending, Some(PayoutState::Sent)),
        (WithdrawalStatus::Done, Some(PayoutState::Done)),
        (WithdrawalStatus::Rejected, None),
    ] {
        let verdict = decide_payout(standing(status, payout), PayoutReport::PaidOtherwise, Said::Asked);
        assert!(matches!(verdict, PayoutVerdict::Contest(_)));
    }
}
