//! What a player is told of beside the screen, and how: kinds, channels, language, and the hours in which a phone is
//! left alone (docs/decisions.md, "Push").

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::KENYA;

/// What a notification is about.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Kind {
    /// The deadline is in three hours, and this player, who has played before, is not in.
    Deadline,
    /// Money has come into the wallet, or was corrected there.
    Payment,
    /// The league that the player was drawn into.
    Drawn,
    /// The final points, and what place they made.
    Final,
    Prize,
    /// A withdrawal that was paid or refused.
    Withdrawal,
    /// Somebody did something that the player should know of if it was somebody else.
    Security,
}

impl Kind {
    /// Those that are mailed only to who asks for it, and can be stopped by a link. What is about money or security is
    /// mailed whatever anybody has chosen.
    pub const MAILED_IF_ASKED: [Self; 3] = [Self::Deadline, Self::Drawn, Self::Final];

    #[must_use]
    pub fn is_mailed_if_asked(self) -> bool {
        Self::MAILED_IF_ASKED.contains(&self)
    }

    /// How long a notification is of use that no phone could be reached with.
    #[must_use]
    pub fn keeps_for(self) -> SignedDuration {
        match self {
            Self::Deadline => DEADLINE_TOLD_BEFORE,
            _ => SignedDuration::from_hours(24),
        }
    }
}

/// Who is not in is told so long before a deadline.
pub const DEADLINE_TOLD_BEFORE: SignedDuration = SignedDuration::from_hours(3);

/// A player's notifications go to so many browsers at the most; the oldest gives way.
pub const MOST_SUBSCRIPTIONS: usize = 5;

/// In which a player is written to.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Language {
    #[default]
    En,
    /// Kiswahili.
    Sw,
}

/// What a player has asked to be told of. Nothing, before they ask.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    #[serde(default)]
    pub push: BTreeSet<Kind>,
    /// Of [`Kind::MAILED_IF_ASKED`].
    #[serde(default)]
    pub mail: BTreeSet<Kind>,
}

impl Choices {
    #[must_use]
    pub fn want(&self, kind: Kind) -> bool {
        self.push.contains(&kind) || self.mail.contains(&kind)
    }
}

const QUIET_FROM: i8 = 22;
const QUIET_TO: i8 = 7;

/// When a phone may be woken that must not be now: seven in the morning in Kenya. `None`: it is no quiet hour.
#[must_use]
pub fn quiet_until(now: Timestamp) -> Option<Timestamp> {
    let here = KENYA.to_datetime(now);
    let day = match here.hour() {
        QUIET_FROM.. => here.date().tomorrow().ok()?,
        ..QUIET_TO => here.date(),
        _ => return None,
    };
    KENYA.to_timestamp(day.at(QUIET_TO, 0, 0, 0)).ok()
}

/// So long somebody looks at the phone for the answer to what they have done with their money.
const AWAITED_FOR: SignedDuration = SignedDuration::from_mins(30);

/// Until when a phone may be woken at night as well: its player has moved money at `moved`, and waits for the answer.
#[must_use]
pub fn awaited_until(moved: Timestamp) -> Timestamp {
    moved + AWAITED_FOR
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::late("2026-08-20T19:00:00Z", Some("2026-08-21T04:00:00Z"))]
    #[case::after_midnight_in_kenya("2026-08-20T21:30:00Z", Some("2026-08-21T04:00:00Z"))]
    #[case::early("2026-08-21T03:59:59Z", Some("2026-08-21T04:00:00Z"))]
    #[case::seven("2026-08-21T04:00:00Z", None)]
    #[case::just_before_ten("2026-08-20T18:59:59Z", None)]
    #[case::over_the_new_year("2026-12-31T20:00:00Z", Some("2027-01-01T04:00:00Z"))]
    fn phones_are_quiet_from_ten_to_seven_in_kenya(#[case] now: Timestamp, #[case] until: Option<&str>) {
        assert_eq!(quiet_until(now), until.map(|until| until.parse().unwrap()));
    }

    #[test]
    fn nothing_is_told_before_it_is_asked_for() {
        let none = Choices::default();
        assert!(Kind::VARIANTS.iter().all(|kind| !none.want(*kind)));
    }

    #[test]
    fn what_is_asked_for_by_push_or_by_mail_is_told() {
        let asked = BTreeSet::from([Kind::Prize]);
        let by_push = Choices { push: asked.clone(), ..Choices::default() };
        let by_mail = Choices { mail: asked, ..Choices::default() };
        for choices in [by_push, by_mail] {
            assert!(choices.want(Kind::Prize) && !choices.want(Kind::Final));
        }
    }

    #[test]
    fn what_is_about_money_or_security_cannot_be_stopped() {
        for kind in [Kind::Payment, Kind::Prize, Kind::Withdrawal, Kind::Security] {
            assert!(!kind.is_mailed_if_asked(), "{kind:?}");
        }
        for kind in [Kind::Deadline, Kind::Drawn, Kind::Final] {
            assert!(kind.is_mailed_if_asked(), "{kind:?}");
        }
    }

    #[rstest]
    #[case::until_the_deadline(Kind::Deadline, 3)]
    #[case::for_a_day(Kind::Prize, 24)]
    fn what_reached_no_phone_is_of_use_for_so_many_hours(#[case] kind: Kind, #[case] hours: i64) {
        assert_eq!(kind.keeps_for(), SignedDuration::from_hours(hours));
    }

    #[test]
    fn who_has_moved_money_may_be_woken_for_half_an_hour() {
        let moved: Timestamp = "2026-08-20T21:00:00Z".parse().unwrap();
        assert_eq!(awaited_until(moved), moved + SignedDuration::from_mins(30));
    }
}
