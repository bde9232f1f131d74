use proptest::prelude::*;
use rstest::rstest;

use super::*;

const SATURDAY: u32 = 11;
const MONDAY: u32 = 12;

fn line(deed: Deed, count: u16, points: i16) -> Line {
    Line { deed, count, points }
}

fn played(element: Element, bonus_measure: i32, fixture: u32, more: &[Line]) -> Explained {
    let lines = [&[line(Deed::Minutes, 90, 2)], more].concat();
    Explained { element, bonus_measure, matches: vec![(fixture, lines)] }
}

fn bonus(explained: &[Explained]) -> Vec<u8> {
    bonus_by(explained, &BonusMeasures::new())
}

fn bonus_by(explained: &[Explained], measures: &BonusMeasures) -> Vec<u8> {
    let breakdown = Breakdown::new(explained, measures);
    explained.iter().map(|one| breakdown.of(one.element).map_or(0, |why| why.provisional_bonus)).collect()
}

#[test]
fn two_matches_are_one_explanation() {
    let mut twice = played(7, 0, SATURDAY, &[line(Deed::Goals, 1, 4), line(Deed::Saves, 0, 0)]);
    twice.matches.push((MONDAY, vec![line(Deed::Minutes, 20, 1), line(Deed::Goals, 1, 4)]));
    let breakdown = Breakdown::new(&[twice], &BonusMeasures::new());
    let why = breakdown.of(7).unwrap();
    assert_eq!(why.lines, [line(Deed::Minutes, 110, 3), line(Deed::Goals, 2, 8)]);
    assert_eq!(why.points(), 11);
    assert_eq!(breakdown.of(8), None);
}

#[test]
fn who_did_nothing_has_no_explanation() {
    let absent = Explained {
        element: 3,
        bonus_measure: 0,
        matches: vec![(SATURDAY, vec![line(Deed::Minutes, 0, 0)])],
    };
    assert_eq!(Breakdown::new(&[absent], &BonusMeasures::new()), Breakdown::default());
}

#[rstest]
#[case::three_two_one(&[30, 25, 20, 10], &[3, 2, 1, 0])]
#[case::two_best(&[30, 30, 20, 10], &[3, 3, 1, 0])]
#[case::three_best(&[30, 30, 30, 10], &[3, 3, 3, 0])]
#[case::two_second(&[30, 25, 25, 10], &[3, 2, 2, 0])]
#[case::two_third(&[30, 25, 20, 20], &[3, 2, 1, 1])]
#[case::nothing_done_yet(&[0, 0, 0, 0], &[0, 0, 0, 0])]
fn the_best_three_of_a_match_would_have_the_bonus(#[case] measures: &[i32], #[case] expected: &[u8]) {
    let match_of: Vec<_> = (1..).zip(measures).map(|(n, m)| played(n, *m, SATURDAY, &[])).collect();
    assert_eq!(bonus(&match_of), expected);
}

#[test]
fn bonus_that_is_counted_is_not_expected_again() {
    let counted = [
        played(1, 30, SATURDAY, &[line(Deed::Bonus, 3, 3)]),
        played(2, 25, SATURDAY, &[]),
        played(3, 20, MONDAY, &[]),
    ];
    assert_eq!(bonus(&counted), [0, 0, 3]);
}

/// The measure of two matches together says nothing about the second, where the matches themselves do not tell.
#[test]
fn a_second_match_is_left_out_where_its_measure_is_not_told() {
    let mut both = played(1, 60, SATURDAY, &[line(Deed::Bonus, 3, 3)]);
    both.matches.push((MONDAY, vec![line(Deed::Minutes, 30, 1)]));
    assert_eq!(bonus(&[both, played(2, 40, MONDAY, &[])]), [0, 0]);
    // Before it begins, the first one is like any.
    let mut first = played(3, 60, SATURDAY, &[]);
    first.matches.push((MONDAY, vec![line(Deed::Minutes, 0, 0)]));
    assert_eq!(bonus(&[first]), [3]);
}

#[test]
fn a_second_match_has_its_bonus_by_its_own_measure() {
    let mut both = played(1, 60, SATURDAY, &[line(Deed::Bonus, 3, 3)]);
    both.matches.push((MONDAY, vec![line(Deed::Minutes, 30, 1)]));
    let monday = [both, played(2, 40, MONDAY, &[]), played(3, 25, MONDAY, &[]), played(4, 9, MONDAY, &[])];
    let measures = BonusMeasures::from([((MONDAY, 1), 20), ((MONDAY, 2), 40), ((MONDAY, 3), 25)]);
    assert_eq!(bonus_by(&monday, &measures), [1, 3, 2, 0]);
}

#[test]
fn deeds_by_the_official_names() {
    for deed in Deed::ALL {
        assert_eq!(Deed::from_name(deed.name()), deed);
        assert_eq!(Deed::ALL[deed as usize], deed);
    }
    assert_eq!(Deed::from_name("throw_ins"), Deed::Other);
}

fn explained() -> impl Strategy<Value = Vec<Explained>> {
    let line = (0..Deed::ALL.len(), 0..200_u16, -9..20_i16)
        .prop_map(|(at, count, points)| line(Deed::ALL[at], count, points));
    let matches = prop::collection::vec((1..4_u32, prop::collection::vec(line, 0..5)), 0..3);
    let one = (1..2000_u16, 0..60, matches).prop_map(|(element, bonus_measure, matches)| Explained {
        element,
        bonus_measure,
        matches,
    });
    prop::collection::vec(one, 0..30)
}

/// Somebody's measure in each of two matches, where they were in it.
type InTwo = (Option<i32>, Option<i32>);

fn two_matches() -> impl Strategy<Value = BTreeMap<Element, InTwo>> {
    let measure = || prop::option::of(-5..40_i32);
    prop::collection::btree_map(1..60_u16, (measure(), measure()), 0..30)
}

proptest! {
    /// What a gameweek of two matches brings is what each of them brings by itself.
    #[test]
    fn the_bonus_of_a_double_gameweek_is_that_of_its_matches(players in two_matches()) {
        let alone = |fixture, of: fn(&InTwo) -> Option<i32>| {
            let measured = players.iter().filter_map(|(element, both)| Some((*element, of(both)?)));
            let week: Vec<_> = measured.map(|(element, measure)| played(element, measure, fixture, &[])).collect();
            Breakdown::new(&week, &BonusMeasures::new())
        };
        let (saturday, monday) = (alone(SATURDAY, |both| both.0), alone(MONDAY, |both| both.1));
        let measures = players.iter().flat_map(|(element, (first, second))| {
            [(SATURDAY, first), (MONDAY, second)].into_iter().filter_map(|(fixture, m)| Some(((fixture, *element), (*m)?)))
        });
        let week: Vec<_> = players.iter().map(|(element, (first, second))| {
            let minutes = || vec![line(Deed::Minutes, 90, 2)];
            let matches = [(SATURDAY, first), (MONDAY, second)].into_iter().filter(|(_, m)| m.is_some());
            let matches = matches.map(|(fixture, _)| (fixture, minutes())).collect();
            let bonus_measure = first.unwrap_or_default() + second.unwrap_or_default();
            Explained { element: *element, bonus_measure, matches }
        }).collect();
        let whole = Breakdown::new(&week, &measures.collect());
        for element in players.keys() {
            let of = |part: &Breakdown| part.of(*element).map_or(0, |why| why.provisional_bonus);
            prop_assert_eq!(of(&whole), of(&saturday) + of(&monday), "{}", element);
        }
    }

    #[test]
    fn what_went_in_comes_out_in_parts_too(explained in explained()) {
        let whole = Breakdown::new(&explained, &BonusMeasures::new());
        prop_assert_eq!(Breakdown::unpack(&whole.pack()), Ok(whole.clone()));
        let mut again = Breakdown::default();
        for (number, part) in whole.clone().parts(512) {
            prop_assert!(part.by_element.keys().all(|element| element / 512 == number));
            again.extend(Breakdown::unpack(&part.pack()).unwrap());
        }
        prop_assert_eq!(again, whole);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = Breakdown::unpack(&bytes);
    }
}

#[test]
fn a_gameweek_fits_into_two_small_items() {
    let week: Vec<_> =
        (1..=800).map(|n| played(n, i32::from(n), SATURDAY, &[line(Deed::Goals, 1, 4)])).collect();
    assert!(
        Breakdown::new(&week, &BonusMeasures::new())
            .parts(512)
            .values()
            .all(|part| part.pack().len() < 8 * 1024)
    );
}
