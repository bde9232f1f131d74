//! What was done in a year, counted: so that one in which nothing came of anything fails, and for people to read.

use std::{
    collections::BTreeMap,
    fmt::{Display, Write as _},
    ops::AddAssign,
    time::Instant,
};

use super::{dying, plan::Size};

/// What is counted apart, as it is never taken.
pub const FORGED: &str = "/hooks/stk (forged)";
/// In so many a process dies at least once in each piece of work in which one may.
const ALL_DEATHS: usize = 160_000;

/// What was done, in one year or in several.
#[derive(Default)]
pub struct Tally {
    pub operations: usize,
    /// By call: how many were done, refused, and not taken as the database was busy.
    pub calls: BTreeMap<String, [usize; 3]>,
    /// By the piece of work in which a process died.
    pub deaths: BTreeMap<&'static str, usize>,
    /// What was done by a clock that is off.
    pub off: usize,
    pub faults: usize,
    pub checks: usize,
    pub leagues: usize,
    /// Entries that had to be there, as their prompts were paid in time.
    pub in_time: usize,
    /// Entries that had to be there, as their players were told that they have joined.
    pub joined: usize,
    /// Withdrawals that were taken, and have ended.
    pub withdrawals: usize,
    /// Requests whose key came again, and which had the same answer.
    pub repeated: usize,
    /// Accounts that were closed, and are gone.
    pub erased: usize,
    pub weeks: usize,
    /// Gameweeks that the official game has called off.
    pub voids: usize,
    /// In KES, when a year is over: what M-Pesa received and kept, what it gave back, and what was paid out.
    pub money: [i64; 3],
}

impl Tally {
    /// What nothing comes of loses nothing either: there is money beside what everybody began with, some of it was paid out,
    /// leagues were paid, entries and withdrawals were demanded; and in a `long` time processes died, keys came again, nothing was always
    /// refused, and in `years` of two gameweeks closed accounts were erased.
    pub fn shows_something(&self, begun_with: i64, years: usize, long: bool) {
        let [kept, _, out] = self.money;
        assert!(
            kept > begun_with && out > 0,
            "{kept} received, of which {begun_with} at the start; {out} paid out"
        );
        assert!(self.leagues > 0 || self.voids == self.weeks, "no league in {} gameweeks", self.weeks);
        let (by_prompt, by_wallet) = (self.in_time > 0, self.joined > 0);
        assert!((by_prompt && by_wallet) || self.voids == self.weeks, "no entry that had to be there");
        assert!(self.withdrawals > 0, "no withdrawal that had to be there");
        let (never, deaths) = (self.never_done(), self.all_deaths());
        assert!(
            !long || (deaths > 0 && self.repeated > 0 && never.is_empty()),
            "{deaths} deaths, {} keys that came again; never done: {never:?}",
            self.repeated
        );
        let in_none = dying::WORK.into_iter().filter(|work| !self.deaths.contains_key(work));
        let in_none: Vec<_> = in_none.filter(|_| self.operations >= ALL_DEATHS).collect();
        assert!(in_none.is_empty(), "no process died in {in_none:?}");
        // A year of one gameweek ends before a closed account is old enough.
        assert!(!long || self.weeks == years || self.erased > 0, "no closed account was erased");
    }

    fn all_deaths(&self) -> usize {
        self.deaths.values().sum()
    }

    /// Calls that were always refused show nothing.
    fn never_done(&self) -> Vec<&str> {
        let calls = self.calls.iter().filter(|(call, [done, ..])| *done == 0 && *call != FORGED);
        calls.map(|(call, _)| call.as_str()).collect()
    }

    pub fn line(&self, size: Size, since: Instant) -> String {
        format!(
            "seed {}, indexes {} s behind, gameweek {} of {}: {} of {} operations, {:.0} a second, {} checks",
            size.seed,
            size.lag,
            self.weeks,
            size.weeks,
            self.operations,
            size.operations,
            rate(self.operations, since),
            self.checks
        )
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        let Self {
            operations,
            calls,
            deaths,
            off,
            faults,
            checks,
            leagues,
            in_time,
            joined,
            withdrawals,
            repeated,
            erased,
            weeks,
            voids,
            money,
        } = other;
        for (sum, more) in [
            (&mut self.operations, operations),
            (&mut self.off, off),
            (&mut self.faults, faults),
            (&mut self.checks, checks),
            (&mut self.leagues, leagues),
            (&mut self.in_time, in_time),
            (&mut self.joined, joined),
            (&mut self.withdrawals, withdrawals),
            (&mut self.repeated, repeated),
            (&mut self.erased, erased),
            (&mut self.weeks, weeks),
            (&mut self.voids, voids),
        ] {
            *sum += more;
        }
        for (work, more) in deaths {
            *self.deaths.entry(work).or_default() += more;
        }
        for (call, answers) in calls {
            let sums = self.calls.entry(call).or_default();
            sums.iter_mut().zip(answers).for_each(|(sum, more)| *sum += more);
        }
        self.money.iter_mut().zip(money).for_each(|(sum, more)| *sum += more);
    }
}

/// What it came to.
impl Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut by_call = String::new();
        let Self { operations, off, faults, checks, leagues, in_time, joined, repeated, .. } = self;
        let Self { calls, withdrawals, erased, weeks, voids, money, .. } = self;
        for (call, [done, refused, busy]) in calls {
            writeln!(by_call, "  {call:<32} {done:>8} {refused:>8} {busy:>8}")?;
        }
        let [kept, given_back, out] = money;
        let (deaths, by_work) = (self.all_deaths(), &self.deaths);
        write!(
            f,
            "{operations} operations in {weeks} gameweeks, {voids} of them called off\n\
             {faults} changes of faults, {deaths} processes that died, {off} by a clock that is off, {leagues} leagues paid, {checks} checks\n\
             processes that died, by their work: {by_work:?}\n\
             {in_time} entries had to be there as they were paid in time, {joined} as their players had joined\n\
             {withdrawals} withdrawals were taken and have ended, {repeated} keys came again, {erased} closed accounts are gone\n\
             M-Pesa received {kept} KES and {given_back} that it gave back; {out} were paid out\n  \
             {:<32} {:>8} {:>8} {:>8}\n{by_call}no violation",
            "call", "done", "refused", "busy"
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
pub fn rate(operations: usize, since: Instant) -> f64 {
    operations as f64 / since.elapsed().as_secs_f64()
}
