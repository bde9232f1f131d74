//! Periods, what uses a limit, and that what is kept with each posting is what all postings together say.

use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

const THURSDAY: &str = "2026-08-20T09:00:00Z";

fn limited(limit: OwnLimit, amount: i64) -> OwnLimits {
    let none = OwnLimits::default().reckoned(std::iter::empty(), at(THURSDAY));
    none.set(limit, Some(Kes::new(amount)), at(THURSDAY))
}

fn movement(cause: &str, change: i64, at: Timestamp) -> DatedMovement<'_> {
    DatedMovement { cause, change: Kes::new(change), at }
}

#[rstest]
#[case::before_midnight_in_kenya(Period::Day, "2026-08-20T20:59:59Z", "2026-08-20", "2026-08-21")]
#[case::at_midnight_in_kenya(Period::Day, "2026-08-20T21:00:00Z", "2026-08-21", "2026-08-22")]
#[case::sunday_night(Period::Week, "2026-08-23T20:59:59Z", "2026-08-17", "2026-08-24")]
#[case::monday(Period::Week, "2026-08-23T21:00:00Z", "2026-08-24", "2026-08-31")]
#[case::over_the_new_year(Period::Week, "2027-01-01T12:00:00Z", "2026-12-28", "2027-01-04")]
#[case::last_of_august(Period::Month, "2026-08-31T20:59:59Z", "2026-08-01", "2026-09-01")]
#[case::first_of_september(Period::Month, "2026-08-31T21:00:00Z", "2026-09-01", "2026-10-01")]
#[case::december(Period::Month, "2026-12-15T12:00:00Z", "2026-12-01", "2027-01-01")]
fn periods_are_kenyas(#[case] of: Period, #[case] now: &str, #[case] start: &str, #[case] next: &str) {
    assert_eq!((of.start(at(now)), of.next(at(now))), (date(start), date(next)));
}

#[rstest]
#[case::prompt(OwnLimit::DepositDay, "deposit#1", 100, 100)]
#[case::typed_code(OwnLimit::DepositWeek, "manual#R1", 100, 100)]
#[case::by_hand(OwnLimit::DepositMonth, "paybill#R1", 100, 100)]
#[case::entry(OwnLimit::EntryDay, "entry#2026-01", -50, 50)]
#[case::entry_is_lost_at_first(OwnLimit::LossMonth, "entry#2026-01", -50, 50)]
#[case::prize(OwnLimit::LossMonth, "prize#2026-01-50-00001", 450, -450)]
#[case::refund_is_no_loss(OwnLimit::LossMonth, "refund#2026-01", 50, -50)]
#[case::refund_gives_no_room_back(OwnLimit::EntryWeek, "refund#2026-01", 50, 0)]
#[case::prize_gives_no_room_back(OwnLimit::EntryMonth, "prize#2026-01-50-00001", 450, 0)]
#[case::correction(OwnLimit::DepositDay, "correction#1", 100, 0)]
#[case::reversal(OwnLimit::DepositDay, "reversal#R1", -100, 0)]
#[case::withdrawal(OwnLimit::LossMonth, "withdrawal#1", -60, 0)]
fn what_uses_a_limit(#[case] limit: OwnLimit, #[case] cause: &str, #[case] change: i64, #[case] used: i64) {
    let limits = limited(limit, 1_000).booked(movement(cause, change, at(THURSDAY)));
    assert_eq!(limits.used(limit, at(THURSDAY)), Kes::new(used));
}

#[test]
fn all_of_it_may_be_spent_and_no_shilling_more() {
    let now = at(THURSDAY);
    let limits = limited(OwnLimit::DepositDay, 500).booked(movement("deposit#1", 400, now));
    assert_eq!(limits.check(Spending::Deposit, Kes::new(100), now), Ok(()));
    let refused = limits.check(Spending::Deposit, Kes::new(101), now).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "This is more than your own limit of KSh 500 a day for deposits allows: KSh 100 is left. The next period begins on 21 August 2026."
    );
    // A limit of deposits holds no entry out of the wallet, and holds one that a prompt pays.
    assert_eq!(limits.check(Spending::Entry, Kes::new(250), now), Ok(()));
    assert!(limits.check(Spending::PaidEntry, Kes::new(250), now).is_err());
    // The next day all of it is free.
    assert_eq!(limits.check(Spending::Deposit, Kes::new(500), at("2026-08-20T21:00:00Z")), Ok(()));
}

/// A stake of 50 for which 52 are paid: the one counts against limits of entries, the other against those of deposits.
#[rstest]
#[case(OwnLimit::EntryDay, 50, Some(50))]
#[case(OwnLimit::LossMonth, 49, None)]
#[case(OwnLimit::DepositDay, 51, None)]
#[case(OwnLimit::DepositDay, 52, Some(52))]
fn a_paid_entry_with_excise(#[case] limit: OwnLimit, #[case] most: i64, #[case] used: Option<i64>) {
    let now = at(THURSDAY);
    let spends = Spends { spending: Spending::PaidEntry, paid_in: Kes::new(52), staked: Kes::new(50) };
    let held = limited(limit, most).hold("1", spends, now);
    assert_eq!(held.ok().map(|held| held.used(limit, now)), used.map(Kes::new));
}

#[rstest]
#[case(-1, false)]
#[case(0, true)]
#[case(10_000_000, true)]
#[case(10_000_001, false)]
fn a_limit_is_from_nothing_to_ten_million(#[case] amount: i64, #[case] sound: bool) {
    let amount = Kes::new(amount);
    assert_eq!(check_amount(amount), if sound { Ok(amount) } else { Err(NotALimit) });
}

#[test]
fn a_limit_is_set_where_there_was_none_and_each_change_is_a_new_version() {
    let now = at(THURSDAY);
    let one = OwnLimits::default().set(OwnLimit::EntryDay, Some(Kes::new(500)), now);
    let two = one.clone().set(OwnLimit::DepositDay, Some(Kes::new(900)), now);
    let amounts = [OwnLimit::EntryDay, OwnLimit::DepositDay].map(|limit| two.amount(limit));
    assert_eq!(amounts, [Some(Kes::new(500)), Some(Kes::new(900))]);
    assert_eq!([OwnLimits::default(), one, two].map(|limits| limits.version()), [0, 1, 2]);
}

#[test]
fn what_is_reckoned_anew_in_a_later_period_counts_in_that_one() {
    let (limit, tomorrow) = (OwnLimit::DepositDay, at(THURSDAY) + SignedDuration::from_hours(24));
    let anew = limited(limit, 500).reckoned([movement("deposit#1", 300, tomorrow)].into_iter(), tomorrow);
    assert_eq!(anew.left(limit, tomorrow), Some(Kes::new(200)));
}

#[test]
fn a_limit_below_what_was_spent_leaves_nothing() {
    let now = at(THURSDAY);
    let spent = limited(OwnLimit::EntryDay, 500).booked(movement("entry#2026-01", -250, now));
    let lower = spent.set(OwnLimit::EntryDay, Some(Kes::new(100)), now);
    assert_eq!(lower.left(OwnLimit::EntryDay, now), Some(Kes::ZERO));
    assert_eq!(lower.check(Spending::Entry, Kes::new(50), now).unwrap_err().left, Kes::ZERO);
}

#[test]
fn room_is_held_for_a_prompt_until_it_ends() {
    let now = at(THURSDAY);
    let limits = limited(OwnLimit::DepositDay, 500);
    let held = limits.hold("1", Spends::of(Spending::Deposit, Kes::new(300)), now).unwrap();
    assert!(held.check(Spending::Deposit, Kes::new(201), now).is_err());
    // Not paid: free again, once.
    let released = held.clone().released("1", now).unwrap();
    assert_eq!(released.left(OwnLimit::DepositDay, now), Some(Kes::new(500)));
    assert_eq!(released.released("1", now), None);
    // Paid: used, and no longer held.
    let paid = held.clone().booked(movement("deposit#1", 300, now));
    assert_eq!(paid.left(OwnLimit::DepositDay, now), Some(Kes::new(200)));
    assert_eq!(paid.released("1", now), None);
    // Paid after midnight: it counts for the day on which it is credited.
    let next_day = at("2026-08-20T21:00:30Z");
    assert_eq!(held.left(OwnLimit::DepositDay, next_day), Some(Kes::new(200)));
    let paid_late = held.clone().booked(movement("deposit#1", 300, next_day));
    assert_eq!(paid_late.left(OwnLimit::DepositDay, next_day), Some(Kes::new(200)));
    // Nothing was heard of it for a day.
    assert_eq!(held.left(OwnLimit::DepositDay, now + HELD_FOR), Some(Kes::new(500)));
}

#[test]
fn an_entry_that_was_paid_is_made_where_room_was_held() {
    let now = at(THURSDAY);
    let limits = limited(OwnLimit::EntryDay, 100);
    let held = limits.hold("1", Spends::of(Spending::PaidEntry, Kes::new(100)), now).unwrap();
    let lower = held.clone().set(OwnLimit::EntryDay, Some(Kes::ZERO), now);
    assert_eq!(lower.check_paid("1", Kes::new(100), now), Ok(()));
    assert!(lower.check_paid("2", Kes::new(50), now).is_err());
    let released = held.released("1", now).unwrap();
    assert_eq!(released.check_paid("1", Kes::new(100), now), Ok(()), "there is room");
    let lower = released.set(OwnLimit::EntryDay, Some(Kes::ZERO), now);
    assert!(lower.check_paid("1", Kes::new(100), now).is_err());
}

#[test]
fn a_raise_counts_after_a_day_and_a_confirmation() {
    let (limit, now) = (OwnLimit::DepositMonth, at(THURSDAY));
    let (higher, tomorrow) = (Some(Kes::new(900)), now + RAISED_AFTER);
    let asked = limited(limit, 500).set(limit, higher, now);
    assert_eq!(asked.amount(limit), Some(Kes::new(500)));
    assert_eq!(asked.raise(limit, now), Some(Raise { to: higher, from: tomorrow }));
    // Asked for again it waits no longer; another one waits anew.
    let later = now + SignedDuration::from_hours(1);
    assert_eq!(asked.clone().set(limit, higher, later).raise(limit, later), asked.raise(limit, later));
    let none = asked.clone().set(limit, None, later);
    assert_eq!(none.raise(limit, later), Some(Raise { to: None, from: later + RAISED_AFTER }));
    // One that was not confirmed in time is gone.
    let last = tomorrow + SignedDuration::from_hours(7 * 24);
    assert!(
        asked.raise(limit, last - SignedDuration::from_secs(1)).is_some()
            && asked.raise(limit, last).is_none()
    );
    // Not before a day has gone, and not by itself.
    assert_eq!(
        asked.clone().confirm(limit, tomorrow - SignedDuration::from_secs(1)),
        Err(RaiseError::TooEarly)
    );
    assert_eq!(asked.left(limit, tomorrow + RAISED_AFTER), Some(Kes::new(500)));
    let raised = asked.clone().confirm(limit, tomorrow).unwrap();
    assert_eq!((raised.amount(limit), raised.raise(limit, tomorrow)), (higher, None));
    // Said again it is so, until something else is set.
    let again = raised.clone().reckoned(std::iter::empty(), tomorrow).confirm(limit, tomorrow).unwrap();
    assert_eq!((again.amount(limit), again.raise(limit, tomorrow)), (higher, None));
    let lowered = raised.set(limit, Some(Kes::new(300)), tomorrow);
    assert_eq!(lowered.confirm(limit, tomorrow), Err(RaiseError::NothingAsked));
    assert_eq!(none.confirm(limit, later + RAISED_AFTER).unwrap().amount(limit), None);
    // A lower one, or the same, takes it back.
    for lower in [500, 100] {
        let lowered = asked.clone().set(limit, Some(Kes::new(lower)), later);
        assert_eq!((lowered.amount(limit), lowered.raise(limit, later)), (Some(Kes::new(lower)), None));
    }
}

proptest! {
    /// In whatever order movements come over two months: what is kept with each of them is what all say together.
    #[test]
    fn what_is_kept_is_what_the_postings_say(
        moves in proptest::collection::vec((0..6_usize, 1..500_i64, 0..200_000_i64), 0..40),
    ) {
        let kinds = ["deposit#", "paybill#", "entry#", "prize#", "refund#", "withdrawal#"];
        let mut now = at(THURSDAY);
        let mut movements: Vec<(String, i64, Timestamp)> = Vec::new();
        let mut kept = OwnLimits::default().reckoned(std::iter::empty(), now);
        for (n, (kind, amount, seconds)) in moves.into_iter().enumerate() {
            now += SignedDuration::from_secs(seconds);
            let sign = if matches!(kinds[kind], "entry#" | "withdrawal#") { -1 } else { 1 };
            movements.push((format!("{}{n}", kinds[kind]), sign * amount, now));
            kept = kept.booked(movement(&movements[n].0, sign * amount, now));
        }
        let all = movements.iter().map(|(cause, change, at)| movement(cause, *change, *at));
        let reckoned = OwnLimits::default().reckoned(all, now);
        for limit in OwnLimit::VARIANTS {
            prop_assert_eq!(kept.used(*limit, now), reckoned.used(*limit, now));
        }
    }

    /// Whatever is asked for: prompts that a limit lets through never take more than it, paid or not.
    #[test]
    fn no_more_is_let_through_than_the_limit(
        most in 0..1_000_i64,
        asked in proptest::collection::vec((1..400_i64, 0..3_u8), 0..20),
    ) {
        let now = at(THURSDAY);
        let (mut limits, mut paid, mut open) = (limited(OwnLimit::DepositWeek, most), 0, 0);
        for (n, (amount, end)) in asked.into_iter().enumerate() {
            let id = n.to_string();
            let Ok(held) = limits.clone().hold(&id, Spends::of(Spending::Deposit, Kes::new(amount)), now) else {
                prop_assert!(paid + open + amount > most);
                continue;
            };
            limits = match end {
                0 => { paid += amount; held.booked(movement(&format!("deposit#{id}"), amount, now)) }
                1 => held.released(&id, now).unwrap(),
                _ => { open += amount; held }
            };
            prop_assert!(paid + open <= most);
        }
    }
}
