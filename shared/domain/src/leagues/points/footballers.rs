//! Every footballer's points of one gameweek, and how they are packed.

use super::Element;

/// What one footballer has scored in a gameweek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored {
    pub element: Element,
    /// Over all matches of the gameweek.
    pub points: i16,
    /// Was on the pitch, or shown a card: counts as having played.
    pub played: bool,
}

/// Every footballer's points of one gameweek, by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FootballerPoints {
    /// Twice the points, and 1 for having played: by number; whoever is missing has 0. The last
    /// one is not 0, so equal points are equal maps.
    by_element: Vec<i32>,
}

/// A packed map that is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a packed map of points")]
pub struct NotPoints;

impl FootballerPoints {
    #[must_use]
    pub fn new(scored: impl IntoIterator<Item = Scored>) -> Self {
        let mut by_element = Vec::new();
        for Scored { element, points, played } in scored {
            let at = usize::from(element);
            if by_element.len() <= at {
                by_element.resize(at + 1, 0);
            }
            by_element[at] = value(points, played);
        }
        let known = by_element.iter().rposition(|value| *value != 0).map_or(0, |last| last + 1);
        by_element.truncate(known);
        Self { by_element }
    }

    /// A footballer's points.
    #[must_use]
    pub fn of(&self, element: Element) -> i32 {
        self.value(element) >> 1
    }

    #[must_use]
    pub fn played(&self, element: Element) -> bool {
        self.value(element) & 1 == 1
    }

    /// Twice the points, and 1 for having played.
    pub(super) fn value(&self, element: Element) -> i32 {
        self.by_element.get(usize::from(element)).copied().unwrap_or(0)
    }

    /// Whether anybody has played at all: not in a gameweek that was called off.
    #[must_use]
    pub fn anybody_played(&self) -> bool {
        self.by_element.iter().any(|value| value & 1 == 1)
    }

    /// Only those who played or scored: the distance from the one before and the value, each in as
    /// few bytes as it needs (2 for most).
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut before = 0;
        for (element, value) in (0_u32..).zip(&self.by_element).filter(|(_, value)| **value != 0) {
            put(&mut bytes, element - before);
            put(&mut bytes, (value << 1 ^ value >> 31).cast_unsigned());
            before = element;
        }
        bytes
    }

    /// # Errors
    /// It is not what [`FootballerPoints::pack`] made.
    pub fn unpack(mut bytes: &[u8]) -> Result<Self, NotPoints> {
        let mut by_element: Vec<i32> = Vec::new();
        let mut before = 0;
        while !bytes.is_empty() {
            let distance = take(&mut bytes)?;
            let folded = take(&mut bytes)?;
            let element = Element::try_from(distance).ok().and_then(|d| d.checked_add(before));
            let element = element.ok_or(NotPoints)?;
            let at = usize::from(element);
            let value = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
            if at < by_element.len() || value == 0 || i16::try_from(value >> 1).is_err() {
                return Err(NotPoints);
            }
            by_element.resize(at, 0);
            by_element.push(value);
            before = element;
        }
        Ok(Self { by_element })
    }
}

fn value(points: i16, played: bool) -> i32 {
    i32::from(points) * 2 + i32::from(played)
}

/// Seven bits a byte, the lowest first; the highest bit says that more come.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// What [`put`] wrote, in as few bytes as it wrote; at most 28 bits.
pub(super) fn take(bytes: &mut &[u8]) -> Result<u32, NotPoints> {
    let mut value = 0;
    for shift in (0..28).step_by(7) {
        let (first, rest) = bytes.split_first().ok_or(NotPoints)?;
        *bytes = rest;
        value |= u32::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return if *first == 0 && shift > 0 { Err(NotPoints) } else { Ok(value) };
        }
    }
    Err(NotPoints)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scored() -> impl Strategy<Value = Vec<Scored>> {
        let one = (any::<Element>(), any::<i16>(), any::<bool>());
        let usual = (1..900_u16, -5..30_i16, any::<bool>());
        prop::collection::vec(prop_oneof![1 => one, 20 => usual], 0..60).prop_map(|all| {
            all.into_iter().map(|(element, points, played)| Scored { element, points, played }).collect()
        })
    }

    proptest! {
        #[test]
        fn what_went_in_comes_out(scored in scored()) {
            let points = FootballerPoints::new(scored.iter().copied());
            for one in &scored {
                let last = scored.iter().rfind(|other| other.element == one.element).unwrap();
                prop_assert_eq!(points.of(one.element), i32::from(last.points));
                prop_assert_eq!(points.played(one.element), last.played);
            }
            prop_assert_eq!(FootballerPoints::unpack(&points.pack()), Ok(points));
        }

        #[test]
        fn arbitrary_bytes_are_refused_or_the_pack_of_what_they_say(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0..6_u8], 0..40),
        ) {
            if let Ok(points) = FootballerPoints::unpack(&bytes) {
                prop_assert_eq!(points.pack(), bytes);
            }
        }
    }

    #[test]
    fn those_without_points_do_not_make_a_difference() {
        let nobody = FootballerPoints::new([Scored { element: 700, points: 0, played: false }]);
        assert_eq!(nobody, FootballerPoints::default());
        assert!(nobody.pack().is_empty() && !nobody.anybody_played());
        assert_eq!((nobody.of(700), nobody.played(700), nobody.of(u16::MAX)), (0, false, 0));
    }

    #[test]
    fn who_has_points_alone_has_not_played() {
        let one = |played| FootballerPoints::new([Scored { element: 5, points: 3, played }]);
        assert!(one(true).anybody_played() && !one(false).anybody_played());
    }

    #[test]
    fn a_number_is_packed_in_one_way() {
        assert_eq!(take(&mut [0x81, 1].as_slice()), Ok(129));
        assert_eq!(take(&mut [0].as_slice()), Ok(0));
        assert_eq!(take(&mut [0x81, 0].as_slice()), Err(NotPoints), "1 in two bytes");
    }

    #[test]
    fn a_gameweek_of_the_official_game_takes_about_a_kilobyte() {
        let seen = (1..=700).filter(|element| element % 2 == 0);
        let points = FootballerPoints::new(seen.map(|element| Scored {
            element,
            points: i16::try_from(element % 15).unwrap() - 1,
            played: true,
        }));
        assert_eq!(points.pack().len(), 700);
    }
}
