//! Taxes, which the operator keeps back for the state: excise, a share of what is paid in, and withholding tax, one of what
//! is withdrawn (docs/decisions.md, "Taxes"). Rates have the day of Kenya from which on they count; without any nothing is
//! kept back.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::postings::{Account, Posting};
use crate::{Kes, ledger::reconciliation::day_of};

/// A rate is in hundredths of a percent.
const WHOLE: i64 = 10_000;
const HIGHEST: u16 = 5_000;

/// A rate, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaxRate(u16);

impl TaxRate {
    /// Of `amount`, in whole shillings. What is less than a shilling is not taken: it is the player's.
    #[must_use]
    pub fn of(self, amount: Kes) -> Kes {
        Kes::new(amount.get() * i64::from(self.0) / WHOLE)
    }

    /// What is kept back of `amount`; `None` where it is nothing.
    #[must_use]
    pub fn kept_of(self, amount: Kes) -> Option<Withheld> {
        let withheld = Withheld { rate: self, amount: self.of(amount) };
        withheld.amount.is_positive().then_some(withheld)
    }

    /// The least amount of which `net` (1 or more) is left: just that, for of a shilling more a shilling more is left, or none.
    #[must_use]
    pub fn gross_for(self, net: Kes) -> Kes {
        let left_of_whole = WHOLE - i64::from(self.0);
        Kes::new((net.get() - 1) * WHOLE / left_of_whole + 1)
    }

    /// In percent.
    #[must_use]
    pub fn percent(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for TaxRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent())
    }
}

impl FromStr for TaxRate {
    type Err = String;

    /// `5`, `7.5` or `7.25`: percent, at most 50.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not a rate in percent from 0 to 50, such as 5 or 7.5");
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str, most| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !digits(whole, 2) || !digits(part, 2) {
            return Err(wrong());
        }
        let hundredths = format!("{whole}{part:0<2}").parse().map_err(|_| wrong())?;
        if hundredths > HIGHEST { Err(wrong()) } else { Ok(Self(hundredths)) }
    }
}

/// What is kept back of an amount, and by which rate: recorded with what it is kept back of, so that a later change of the
/// rate changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    pub rate: TaxRate,
    pub amount: Kes,
}

/// How much it is, where there is any.
#[must_use]
pub fn amount_of(tax: Option<Withheld>) -> Kes {
    tax.map_or(Kes::ZERO, |tax| tax.amount)
}

/// The rates by the days from which on they count, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxRates(Vec<(Date, TaxRate)>);

impl TaxRates {
    /// The one in force at `now`.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Option<TaxRate> {
        let today = day_of(now);
        let begun = self.0.iter().rev().find(|(from, _)| *from <= today);
        begun.map(|(_, rate)| *rate).filter(|rate| rate.0 > 0)
    }

    /// What is kept back of `amount` at `now`; `None` where it is nothing.
    #[must_use]
    pub fn withheld(&self, amount: Kes, now: Timestamp) -> Option<Withheld> {
        self.at(now)?.kept_of(amount)
    }

    /// `deposits:2026-07-01:5`, more of them separated by commas; nothing, or `none`, is none.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_deposits(text: &str) -> Result<Self, String> {
        Self::parse("deposits", text)
    }

    /// The same of `withdrawals`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_withdrawals(text: &str) -> Result<Self, String> {
        Self::parse("withdrawals", text)
    }

    fn parse(taxed: &str, text: &str) -> Result<Self, String> {
        if text.trim().is_empty() || text.trim() == "none" {
            return Ok(Self::default());
        }
        let rates = text.split(',').map(|part| {
            let wrong =
                || format!("'{part}' is not {taxed}, a day and a percentage, such as {taxed}:2026-07-01:5");
            let mut parts = part.trim().splitn(3, ':');
            let (of, from, rate) = (parts.next(), parts.next(), parts.next());
            match (of, from, rate) {
                (Some(of), Some(from), Some(rate)) if of == taxed => {
                    Ok((from.parse::<Date>().map_err(|_| wrong())?, rate.parse::<TaxRate>()?))
                }
                _ => Err(wrong()),
            }
        });
        let rates: Vec<(Date, TaxRate)> = rates.collect::<Result<_, String>>()?;
        if rates.is_sorted_by(|(one, _), (next, _)| one < next) {
            Ok(Self(rates))
        } else {
            Err(format!("'{text}': each day has to be later than the one before"))
        }
    }
}

impl Posting {
    /// The same deposit, of which `tax` is excise and not the player's.
    #[must_use]
    pub fn excised(self, tax: Kes) -> Self {
        let player = self.player().expect("a deposit is a player's").clone();
        self.moved(&Account::Wallet(player), &Account::Excise, tax)
    }

    /// The same reversal, where M-Pesa has taken back `tax` more, which was excise.
    #[must_use]
    pub fn excise_given_back(self, tax: Kes) -> Self {
        self.moved(&Account::Excise, &Account::MpesaIn, tax)
    }

    /// The same, where M-Pesa has paid `tax` less of a withdrawal, which is kept back for the state; negative: where it
    /// has not after all.
    #[must_use]
    pub fn withheld(self, tax: Kes) -> Self {
        self.moved(&Account::MpesaOut, &Account::Withholding, tax)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::{
        UserId,
        ledger::{postings::EXCISE, taking_back::TakenBack},
    };

    fn rates(text: &str) -> TaxRates {
        TaxRates::of_withdrawals(text).unwrap()
    }

    #[rstest]
    #[case("")]
    #[case("none")]
    #[case("withdrawals:2026-07-01:0")]
    #[case::later("withdrawals:2026-12-01:5")]
    #[case::over("withdrawals:2026-07-01:5,withdrawals:2026-08-01:0")]
    fn nothing_is_kept_back_without_a_rate_in_force(#[case] text: &str) {
        let (rates, now) = (rates(text), "2026-08-20T09:00:00Z".parse().unwrap());
        assert_eq!((rates.at(now), rates.withheld(Kes::new(1_000), now)), (None, None));
    }

    #[test]
    fn what_is_kept_back_is_kept_with_its_rate() {
        let now = "2026-08-20T09:00:00Z".parse().unwrap();
        let kept = rates("withdrawals:2026-07-01:5").withheld(Kes::new(1_000), now);
        assert_eq!(kept, Some(Withheld { rate: TaxRate(500), amount: Kes::new(50) }));
        assert_eq!((amount_of(kept), amount_of(None)), (Kes::new(50), Kes::ZERO));
    }

    #[rstest]
    #[case("withdrawals")]
    #[case("withdrawals:2026-07-01")]
    #[case("withdrawals:2026-07-01:5%")]
    #[case("withdrawals:2026-07-01:50.01")]
    #[case("withdrawals:2026-07-01:-5")]
    #[case("withdrawals:2026-07-01:5.")]
    #[case("withdrawals:2026-07-01:")]
    #[case("withdrawals:2026-13-01:5")]
    #[case("prizes:2026-07-01:5")]
    #[case::twice_a_day("withdrawals:2026-07-01:5,withdrawals:2026-07-01:6")]
    #[case::not_in_order("withdrawals:2026-07-01:5,withdrawals:2026-06-01:6")]
    #[case("withdrawals:2026-07-01:5,")]
    fn what_is_no_rate_is_refused(#[case] text: &str) {
        let error = TaxRates::of_withdrawals(text).unwrap_err();
        assert!(error.contains('\''), "{error}");
    }

    #[test]
    fn a_setting_has_the_rates_of_its_own_tax() {
        let rates = TaxRates::of_deposits("deposits:2026-07-01:5").unwrap();
        assert_eq!(rates, TaxRates::of_withdrawals("withdrawals:2026-07-01:5").unwrap());
        assert!(TaxRates::of_deposits("withdrawals:2026-07-01:5").unwrap_err().contains("is not deposits"));
    }

    #[rstest]
    #[case("5", 50, 52)]
    #[case("5", 100, 105)]
    #[case("5", 250, 263)]
    #[case("50", 50, 99)]
    #[case("0", 50, 50)]
    fn what_is_paid_for_a_stake(#[case] rate: &str, #[case] stake: i64, #[case] paid: i64) {
        assert_eq!(rate.parse::<TaxRate>().unwrap().gross_for(Kes::new(stake)), Kes::new(paid));
    }

    #[rstest]
    #[case::a_second_before_midnight_in_kenya("2026-06-30T20:59:59Z", None)]
    #[case::midnight_in_kenya("2026-06-30T21:00:00Z", Some("5 %"))]
    #[case("2027-06-30T21:00:00Z", Some("7.5 %"))]
    fn a_rate_counts_from_its_day_on(#[case] now: &str, #[case] rate: Option<&str>) {
        let rates = rates("withdrawals:2026-07-01:5, withdrawals:2027-07-01:7.5");
        assert_eq!(rates.at(now.parse().unwrap()).map(|rate| rate.to_string()).as_deref(), rate);
    }

    #[rstest]
    #[case("5", 1_000, 50)]
    #[case::a_shilling_begins_at_twenty("5", 19, 0)]
    #[case("5", 20, 1)]
    #[case::the_cents_are_the_players("5", 119, 5)]
    #[case("7.25", 1_000, 72)]
    #[case("0.05", 10_000, 5)]
    #[case("50", 61, 30)]
    fn it_is_rounded_down_to_the_shilling(#[case] rate: &str, #[case] amount: i64, #[case] tax: i64) {
        assert_eq!(rate.parse::<TaxRate>().unwrap().of(Kes::new(amount)), Kes::new(tax));
    }

    proptest! {
        #[test]
        fn never_more_than_the_rate_and_less_than_a_shilling_below(rate in 0..=HIGHEST, amount in 0..250_000_i64) {
            let tax = TaxRate(rate).of(Kes::new(amount)).get();
            let (exact, taken) = (amount * i64::from(rate), tax * WHOLE);
            prop_assert!((0..WHOLE).contains(&(exact - taken)));
            prop_assert!(tax <= amount);
        }

        #[test]
        fn a_rate_is_read_as_it_is_written(rate in 0..=HIGHEST) {
            let rate = TaxRate(rate);
            let written = rate.to_string();
            prop_assert_eq!(written.strip_suffix(" %").unwrap().parse::<TaxRate>().unwrap(), rate);
        }

        #[test]
        fn just_the_stake_is_left_and_of_a_shilling_less_it_is_not(rate in 0..=HIGHEST, stake in 1..250_000_i64) {
            let (rate, stake) = (TaxRate(rate), Kes::new(stake));
            let left = |paid: Kes| paid - rate.of(paid);
            let paid = rate.gross_for(stake);
            prop_assert_eq!(left(paid), stake);
            prop_assert!(left(paid - Kes::new(1)) < stake);
        }

        /// A deposit and its reversal, whatever of it the wallet still covers: the books are where they were.
        #[test]
        fn excise_is_booked_with_a_deposit_and_given_back_with_it(
            rate in 0..=HIGHEST,
            amount in 1..250_000_i64,
            spent in 0..250_000_i64,
            owes: bool,
        ) {
            let player = UserId::parse(&"a".repeat(32)).unwrap();
            let (amount, tax) = (Kes::new(amount), TaxRate(rate).of(Kes::new(amount)));
            let deposit = Posting::deposit(&player, "c", amount).excised(tax);
            let on = |posting: &Posting, account: &str| -> Kes {
                posting.legs().iter().filter(|leg| leg.account == account).map(|leg| leg.amount).sum()
            };
            prop_assert_eq!((on(&deposit, "mpesa:in"), on(&deposit, EXCISE)), (-amount, tax));
            prop_assert_eq!((deposit.wallet_change(), deposit.before_excise()), (amount - tax, amount));
            let left = (amount - tax - Kes::new(spent)).max(Kes::ZERO);
            let taken = TakenBack::of(amount - tax, left, owes);
            let reversal = Posting::reversal(&player, "NLJ7RT61SV", taken).excise_given_back(tax);
            prop_assert_eq!((on(&reversal, "mpesa:in"), on(&reversal, EXCISE)), (amount, -tax));
            for posting in [deposit, reversal] {
                prop_assert_eq!(posting.legs().iter().map(|leg| leg.amount).sum::<Kes>(), Kes::ZERO);
                prop_assert!(posting.legs().iter().all(|leg| leg.amount != Kes::ZERO));
            }
        }

        /// Of a higher amount it is never less, and in parts less by less than a shilling each: how many a day there are is
        /// bounded (`Limit::Withdrawals`).
        #[test]
        fn it_grows_with_the_amount(rate in 0..=HIGHEST, amount in 0..250_000_i64, more in 0..1_000_i64) {
            let of = |amount| TaxRate(rate).of(Kes::new(amount));
            prop_assert!(of(amount) <= of(amount + more));
            prop_assert!(of(amount + more) - of(amount) <= Kes::new(more));
        }
    }
}
