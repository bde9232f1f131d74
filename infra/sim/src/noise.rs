//! Numbers that look random and are always the same: everything that is made up in the season comes
//! from here, so that the same gameweek, player or team id says the same in every run, and something
//! else in the next season.

use crate::season::Season;

const FIRST: u64 = 0x2026_27F0_01BA_11AA;

/// A stream of numbers that depends on nothing but what it was made from.
#[derive(Debug, Clone)]
pub(crate) struct Noise(u64);

impl Noise {
    /// The stream for `parts`; the first part names the purpose, so that two uses never share one.
    pub(crate) fn of(season: Season, purpose: &str, parts: &[u64]) -> Self {
        let mut state = FIRST + u64::from(season.before());
        for byte in purpose.bytes() {
            state = mix(state ^ u64::from(byte));
        }
        for part in parts {
            state = mix(state ^ part.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        }
        Self(state)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number in `0..limit`; 0 where `limit` is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        // `limit` came from a usize and the remainder is smaller, so it fits again.
        usize::try_from(self.next() % limit).unwrap_or(0)
    }

    /// True in `percent` of a hundred draws.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices` by weight.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(T, usize)]) -> Option<T> {
        let total: usize = choices.iter().map(|(_, weight)| weight).sum();
        let mut at = self.below(total);
        for (choice, weight) in choices {
            if at < *weight {
                return Some(*choice);
            }
            at -= weight;
        }
        None
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The finaliser of splitmix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Noise;
    use crate::season::Season;

    #[test]
    fn the_same_parts_say_the_same_and_others_do_not() {
        let [first, second] = Season::ALL;
        let draw = |purpose: &str, parts: &[u64]| Noise::of(first, purpose, parts).next();
        assert_ne!(draw("minutes", &[7, 1]), Noise::of(second, "minutes", &[7, 1]).next());
        assert_eq!(draw("minutes", &[7, 1]), draw("minutes", &[7, 1]));
        assert_ne!(draw("minutes", &[7, 1]), draw("minutes", &[1, 7]));
        assert_ne!(draw("minutes", &[7, 1]), draw("points", &[7, 1]));
    }

    #[test]
    fn weights_are_followed_roughly() {
        let mut noise = Noise::of(Season::ALL[0], "weights", &[]);
        let rare = (0..10_000).filter(|_| noise.weighted(&[(true, 1), (false, 9)]) == Some(true)).count();
        assert!((800..1200).contains(&rare), "{rare}");
    }
}
