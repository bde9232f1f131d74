//! The seasons that the game shows, one after the other. Team ids, player ids and everything that is
//! made up begin anew with each.

use jiff::Timestamp;

/// Where the simulated clock starts by default: the first gameweek is open, its deadline 49½ hours away.
pub const FIRST_OPEN: &str = "2026-08-20T09:00:00Z";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Season(u16);

impl Season {
    pub(crate) const ALL: [Self; 2] = [Self(2026), Self(2027)];

    /// The season that starts in a year, if it is one that there is.
    pub(crate) fn new(year: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|season| season.0 == year)
    }

    /// The season that is shown: the old one stays until the next begins to be prepared.
    pub(crate) fn at(now: Timestamp) -> Self {
        let shown = Self::ALL.into_iter().rev().find(|season| now >= season.shown_from());
        shown.unwrap_or(Self::ALL[0])
    }

    pub(crate) fn year(self) -> u16 {
        self.0
    }

    /// How many seasons were shown before.
    pub(crate) fn before(self) -> u16 {
        self.0 - Self::ALL[0].0
    }

    /// 10 July, 09:00Z. Nothing is current then, and the gameweeks have their dates.
    pub(crate) fn shown_from(self) -> Timestamp {
        match self.0 {
            2026 => Timestamp::constant(1_783_674_000, 0),
            _ => Timestamp::constant(1_815_210_000, 0),
        }
    }

    /// When it makes room for the next: everything is over by then.
    pub(crate) fn ends(self) -> Timestamp {
        match self.0 {
            2026 => Self(2027).shown_from(),
            // 2028-07-10T09:00:00Z
            _ => Timestamp::constant(1_846_832_400, 0),
        }
    }

    /// When its first gameweek opens.
    pub(crate) fn opens(self) -> Timestamp {
        match self.0 {
            // `FIRST_OPEN` as an instant.
            2026 => Timestamp::constant(1_787_216_400, 0),
            _ => self.shown_from(),
        }
    }

    /// A Saturday in August, 10:30Z.
    pub(crate) fn first_deadline(self) -> Timestamp {
        match self.0 {
            // 2026-08-22
            2026 => Timestamp::constant(1_787_394_600, 0),
            // 2027-08-21
            _ => Timestamp::constant(1_818_844_200, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_season_has_its_dates() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let [first, second] = Season::ALL;
        assert_eq!((first.year(), first.before()), (2026, 0));
        assert_eq!((second.year(), second.before()), (2027, 1));
        assert_eq!(first.shown_from(), at("2026-07-10T09:00:00Z"));
        assert_eq!(first.opens(), at(FIRST_OPEN));
        assert_eq!(first.first_deadline(), at("2026-08-22T10:30:00Z"));
        assert_eq!(second.opens(), at("2027-07-10T09:00:00Z"));
        assert_eq!(second.first_deadline(), at("2027-08-21T10:30:00Z"));
        assert_eq!((first.ends(), second.ends()), (second.shown_from(), at("2028-07-10T09:00:00Z")));
        assert_eq!(Season::at(at("2020-01-01T00:00:00Z")), first);
        assert_eq!(Season::at(at("2027-07-10T08:59:59Z")), first);
        assert_eq!(Season::at(at("2027-07-10T09:00:00Z")), second);
    }
}
