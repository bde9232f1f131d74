use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::leagues::points::{Element, NotASquad, Pick, Position, SQUAD, Scored, Substitution};

/// `G1 D2 …`: positions and numbers by place. `captain` and `vice` are numbers.
fn squad(text: &str, captain: Element, vice: Element, chip: Option<Chip>) -> Squad {
    let pick = |(place, text): (u8, &str)| {
        let element = text[1..].parse().unwrap();
        Pick {
            element,
            place,
            position: Position::ALL["GDMF".find(&text[..1]).unwrap()],
            is_captain: element == captain,
            is_vice_captain: element == vice,
        }
    };
    let picks: Vec<Pick> = (1..).zip(text.split_whitespace()).map(pick).collect();
    Squad::new(&picks, chip, 4).unwrap()
}

const FOUR_FOUR_TWO: &str = "G1 D2 D3 D4 D5 M6 M7 M8 M9 F10 F11 G12 D13 M14 F15";
const THREE_FOUR_THREE: &str = "G1 D2 D3 D4 M5 M6 M7 M8 F9 F10 F11 G12 M13 D14 D15";
const FOUR_FIVE_ONE: &str = "G1 D2 D3 D4 D5 M6 M7 M8 M9 M10 F11 G12 F13 D14 F15";

/// Everybody scores their own number, except who is absent.
fn all_but(absent: &[Element]) -> FootballerPoints {
    FootballerPoints::new((1..=15).filter(|n| !absent.contains(n)).map(|element| Scored {
        element,
        points: i16::try_from(element).unwrap(),
        played: true,
    }))
}

fn figures(gross: i32, points_on_bench: i32) -> Figures {
    Figures { gross, transfers_cost: 4, points_on_bench }
}

#[rstest]
#[case::nobody_missing(FOUR_FOUR_TWO, &[], &[])]
#[case::first_on_the_bench(FOUR_FOUR_TWO, &[8], &[(13, 8)])]
#[case::who_did_not_play_does_not_come(FOUR_FOUR_TWO, &[8, 13], &[(14, 8)])]
#[case::in_the_bench_s_order(FOUR_FOUR_TWO, &[2, 10, 11], &[(13, 2), (14, 10), (15, 11)])]
#[case::more_missing_than_there_are(FOUR_FOUR_TWO, &[5, 6, 7, 8, 9], &[(13, 5), (14, 6), (15, 7)])]
#[case::a_keeper_for_the_keeper(FOUR_FOUR_TWO, &[1], &[(12, 1)])]
#[case::nobody_else_for_the_keeper(FOUR_FOUR_TWO, &[1, 12], &[])]
#[case::no_keeper_for_anybody_else(FOUR_FOUR_TWO, &[9, 13, 14, 15], &[])]
#[case::three_defenders_stay(THREE_FOUR_THREE, &[3], &[(14, 3)])]
#[case::the_first_waits_for_a_place(THREE_FOUR_THREE, &[3, 10], &[(13, 10), (14, 3)])]
#[case::two_defenders_are_none(THREE_FOUR_THREE, &[3, 14, 15], &[])]
#[case::a_forward_stays(FOUR_FIVE_ONE, &[11, 13, 15], &[])]
#[case::and_may_go_once_another_came(FOUR_FIVE_ONE, &[3, 11], &[(13, 3), (14, 11)])]
#[case::the_bench_alone_played(FOUR_FOUR_TWO, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], &[(12, 1), (13, 2), (14, 3), (15, 6)])]
#[case::nobody_played(FOUR_FOUR_TWO, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], &[])]
fn who_comes_in_for_whom(
    #[case] picked: &str,
    #[case] absent: &[Element],
    #[case] expected: &[(Element, Element)],
) {
    let made = squad(picked, 1, 2, None).substitutions(&all_but(absent));
    assert_eq!(made.iter().map(|s| (s.comes, s.goes)).collect::<Vec<_>>(), expected);
}

/// The eleven score 66 without the armband, the bench 54.
#[rstest]
#[case::the_captain(10, 11, &[], None, (76, 54))]
#[case::the_vice_captain(10, 11, &[10], None, (66 - 10 + 13 + 11, 54 - 13))]
#[case::neither(10, 11, &[10, 11], None, (66 - 21 + 13 + 15, 54 - 28))]
#[case::three_times(10, 11, &[], Some(Chip::TripleCaptain), (86, 54))]
#[case::three_times_passed_on(10, 11, &[10], Some(Chip::TripleCaptain), (66 - 10 + 13 + 22, 54 - 13))]
#[case::vice_on_the_bench_stays_there(10, 15, &[10], None, (66 - 10 + 13, 54 - 13))]
#[case::vice_on_the_bench_comes_in(10, 13, &[10], None, (66 - 10 + 13 + 13, 54 - 13))]
#[case::all_fifteen(10, 11, &[], Some(Chip::BenchBoost), (66 + 54 + 10, 0))]
#[case::all_fifteen_passed_on(10, 15, &[10], Some(Chip::BenchBoost), (66 - 10 + 54 + 15, 0))]
#[case::a_free_hit_counts_as_any(10, 11, &[], Some(Chip::FreeHit), (76, 54))]
fn who_wears_the_armband(
    #[case] captain: Element,
    #[case] vice: Element,
    #[case] absent: &[Element],
    #[case] chip: Option<Chip>,
    #[case] (gross, bench): (i32, i32),
) {
    let squad = squad(FOUR_FOUR_TWO, captain, vice, chip);
    assert_eq!(squad.settled(&all_but(absent)), figures(gross, bench));
    assert_eq!(Squad::unpack(&squad.pack()), Ok(squad));
}

/// Of a chip that is not known here there is no name that could be shown.
#[rstest]
#[case::none(None, None)]
#[case::known(Some(Chip::BenchBoost), Some("bboost"))]
#[case::new(Some(Chip::Other), None)]
fn a_chip_is_named_where_it_is_known(#[case] chip: Option<Chip>, #[case] name: Option<&str>) {
    assert_eq!(squad(FOUR_FOUR_TWO, 10, 11, chip).chip_name(), name);
}

#[test]
fn while_play_is_on_nobody_is_replaced() {
    let squad = squad(FOUR_FOUR_TWO, 10, 11, None);
    assert_eq!(squad.live(&all_but(&[10, 2])), figures(66 - 12, 54));
}

#[test]
fn fewer_than_nothing_counts_too_and_a_card_is_play() {
    let shown_a_card = Scored { element: 10, points: -2, played: true };
    let rest = (1..=15).filter(|n| *n != 10).map(|element| Scored { element, points: 0, played: true });
    let points = FootballerPoints::new(rest.chain([shown_a_card]));
    let squad = squad(FOUR_FOUR_TWO, 10, 11, None);
    assert_eq!(squad.settled(&points), figures(-4, 0));
    assert_eq!(squad.substitutions(&points), []);
}

#[test]
fn what_is_no_squad() {
    let all = Position::ALL.into_iter().cycle();
    let picks: Vec<Pick> = (1..=15)
        .zip(all)
        .map(|(place, position)| Pick {
            element: 100 + u16::from(place),
            place,
            position,
            is_captain: place == 1,
            is_vice_captain: place == 2,
        })
        .collect();
    let with = |change: fn(&mut Vec<Pick>)| {
        let mut picks = picks.clone();
        change(&mut picks);
        Squad::new(&picks, None, 0)
    };
    assert!(with(|picks| picks.reverse()).is_ok());
    assert_eq!(with(|picks| picks.truncate(14)), Err(NotASquad::Places));
    assert_eq!(with(|picks| picks[3].place = 3), Err(NotASquad::Places));
    assert_eq!(with(|picks| picks[0].is_captain = false), Err(NotASquad::Captains));
    assert_eq!(with(|picks| picks[4].is_captain = true), Err(NotASquad::Captains));
    assert_eq!(with(|picks| picks[1].is_vice_captain = false), Err(NotASquad::Captains));
    let both = with(|picks| (picks[0].is_vice_captain, picks[1].is_vice_captain) = (true, false));
    assert_eq!(both, Err(NotASquad::Captains));
    assert_eq!(with(|picks| picks.swap(0, 1)).map(|squad| squad.captain), Ok(0));
    assert_eq!(Squad::new(&picks, None, -4), Err(NotASquad::Cost));
    assert_eq!(Squad::new(&picks, None, 256), Err(NotASquad::Cost));
}

#[rstest]
#[case::captain_out_of_it(34, 15)]
#[case::vice_out_of_it(35, 255)]
#[case::captain_and_vice_in_one(35, 9)]
#[case::a_sixteenth_position(33, 0x40)]
#[case::no_such_chip(36, 6)]
fn what_is_no_packed_squad(#[case] at: usize, #[case] byte: u8) {
    let mut bytes = squad(FOUR_FOUR_TWO, 10, 11, None).pack();
    bytes[at] = byte;
    assert_eq!(Squad::unpack(&bytes), Err(NotASquad::Packed));
    assert_eq!(Squad::unpack(&bytes[1..]), Err(NotASquad::Packed));
}

/// A squad of 2, 5, 5 and 3 whose eleven is one, the reserve keeper first on the bench.
fn squads() -> impl Strategy<Value = Squad> {
    let outfield = [1; 5].into_iter().chain([2; 5]).chain([3; 3]).collect::<Vec<usize>>();
    let positions = Just(outfield).prop_shuffle().prop_filter("an eleven", |order| {
        Position::ALL[1..]
            .iter()
            .all(|p| order[..10].iter().filter(|o| **o == *p as usize).count() >= p.least())
    });
    let numbers = prop::sample::subsequence((1..800).collect::<Vec<Element>>(), SQUAD).prop_shuffle();
    let chip = prop::option::of(prop::sample::select(Chip::ALL.to_vec()));
    (positions, numbers, 0..SQUAD, 1..SQUAD, chip, any::<u8>()).prop_map(
        |(order, numbers, captain, further, chip, cost)| {
            let places = [&[0], &order[..10], &[0], &order[10..]].concat();
            let vice = (captain + further) % SQUAD;
            let picks: Vec<Pick> = (0..SQUAD)
                .map(|i| Pick {
                    element: numbers[i],
                    place: u8::try_from(i + 1).unwrap(),
                    position: Position::ALL[places[i]],
                    is_captain: i == captain,
                    is_vice_captain: i == vice,
                })
                .collect();
            Squad::new(&picks, chip, i64::from(cost)).unwrap()
        },
    )
}

/// A squad and a gameweek in which about a third of it did not play.
fn gameweeks() -> impl Strategy<Value = (Squad, FootballerPoints)> {
    let scored = prop::collection::vec((-4..25_i16, 0..3_u8), SQUAD);
    (squads(), scored).prop_map(|(squad, scored)| {
        let points =
            FootballerPoints::new(squad.elements.into_iter().zip(scored).map(|(element, (points, n))| {
                Scored { element, points: if n > 0 { points } else { 0 }, played: n > 0 }
            }));
        (squad, points)
    })
}

/// The squad as the official game shows it after the substitutions.
fn read_late(squad: &Squad, points: &FootballerPoints) -> Squad {
    let mut late = squad.clone();
    let at = |late: &Squad, element| late.elements.iter().position(|e| *e == element).unwrap();
    for Substitution { comes, goes } in squad.substitutions(points) {
        let (i, j) = (at(&late, comes), at(&late, goes));
        late.elements.swap(i, j);
        late.positions.swap(i, j);
    }
    let find = |was: u8| u8::try_from(at(&late, squad.elements[usize::from(was)])).unwrap();
    (late.captain, late.vice) = (find(squad.captain), find(squad.vice));
    late
}

fn is_an_eleven(positions: &[Position]) -> bool {
    let of = |position| positions.iter().filter(|p| **p == position).count();
    positions.len() == ELEVEN
        && of(Position::Goalkeeper) == 1
        && Position::ALL.into_iter().all(|position| of(position) >= position.least())
}

/// Every choice of some of `all`.
fn choices(all: &[u8]) -> Vec<Vec<u8>> {
    (0..1_usize << all.len())
        .map(|bits| all.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, at)| *at).collect())
        .collect()
}

/// The rule by trying everything: of all legal elevens that replace absent with present ones, that
/// with the first of the bench, among those that with the second, and so on.
fn who_comes_in_at_best(squad: &Squad, points: &FootballerPoints) -> Vec<Element> {
    let played = |at: &u8| points.played(squad.elements[usize::from(*at)]);
    let (eleven, bench) = AS_PICKED.split_at(ELEVEN);
    let absent: Vec<u8> = eleven.iter().copied().filter(|at| !played(at)).collect();
    let present: Vec<u8> = bench.iter().copied().filter(|at| played(at)).collect();
    let legal = |come: &[u8], go: &[u8]| {
        let stay = eleven.iter().filter(|at| !go.contains(at));
        let positions: Vec<Position> = stay.chain(come).map(|at| squad.position(*at)).collect();
        is_an_eleven(&positions)
    };
    let possible =
        choices(&present).into_iter().filter(|come| choices(&absent).iter().any(|go| legal(come, go)));
    let best = possible.max_by_key(|come| bench.iter().map(|at| come.contains(at)).collect::<Vec<_>>());
    best.unwrap().iter().map(|at| squad.elements[usize::from(*at)]).collect()
}

/// The rule the other way round: each of the eleven who is absent, in order, asks the bench.
fn who_comes_in_when_the_eleven_ask(squad: &Squad, points: &FootballerPoints) -> Vec<Element> {
    let mut places = AS_PICKED;
    let played = |at: u8| points.played(squad.elements[usize::from(at)]);
    for at in 0..ELEVEN {
        let comes = (ELEVEN..SQUAD).find(|bench| {
            let mut changed = places;
            changed.swap(at, *bench);
            let eleven: Vec<Position> = changed[..ELEVEN].iter().map(|at| squad.position(*at)).collect();
            !played(places[at]) && played(places[*bench]) && is_an_eleven(&eleven)
        });
        if let Some(bench) = comes {
            places.swap(at, bench);
        }
    }
    let mut come: Vec<u8> =
        places[..ELEVEN].iter().copied().filter(|at| usize::from(*at) >= ELEVEN).collect();
    come.sort_unstable();
    come.iter().map(|at| squad.elements[usize::from(*at)]).collect()
}

fn sum(squad: &Squad, points: &FootballerPoints) -> i32 {
    squad.elements.iter().map(|element| points.of(*element)).sum()
}

proptest! {
    #[test]
    fn a_squad_comes_out_as_it_went_in(squad in squads()) {
        prop_assert_eq!(Squad::unpack(&squad.pack()), Ok(squad));
    }

    #[test]
    fn arbitrary_bytes_are_refused_or_the_pack_of_what_they_say(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..80),
            (squads(), 0..Squad::PACKED, any::<u8>()).prop_map(|(squad, at, byte)| {
                let mut bytes = squad.pack().to_vec();
                bytes[at] = byte;
                bytes
            }),
        ],
    ) {
        if let Ok(squad) = Squad::unpack(&bytes) {
            prop_assert_eq!(&squad.pack()[..], &bytes);
            prop_assert!(squad.captain != squad.vice);
            prop_assert_eq!(squad.settled(&all_but(&[])).transfers_cost, i32::from(bytes[37]));
        }
    }

    /// What is seen on the pitch adds up to what is ranked.
    #[test]
    fn the_lineup_counts_what_the_figures_say((squad, points) in gameweeks()) {
        for (ended, figures) in [(false, squad.live(&points)), (true, squad.settled(&points))] {
            let lineup = squad.lineup(&points, ended);
            let gross: i32 = lineup.iter().map(|p| i32::from(p.multiplier) * points.of(p.element)).sum();
            prop_assert_eq!(gross, figures.gross);
            let bench: i32 = lineup.iter().filter(|p| p.multiplier == 0).map(|p| points.of(p.element)).sum();
            prop_assert_eq!(bench, figures.points_on_bench);
            let came: Vec<_> = lineup.iter().filter_map(|p| Some((p.element, p.came_for?))).collect();
            let mut made: Vec<_> = squad.substitutions(&points).iter().map(|s| (s.comes, s.goes)).collect();
            made.sort_by_key(|(comes, _)| lineup.iter().find(|p| p.element == *comes).map(|p| p.place));
            prop_assert_eq!(came, if ended { made } else { Vec::new() });
        }
    }

    #[test]
    fn the_lineup_has_the_whole_squad_with_its_captains((squad, points) in gameweeks()) {
        let lineup = squad.lineup(&points, true);
        prop_assert!(lineup.iter().map(|placed| placed.place).eq(1..=15));
        let is_placed = |element: &Element| lineup.iter().any(|placed| placed.element == *element);
        prop_assert!(squad.elements().iter().all(is_placed));
        for placed in lineup {
            prop_assert_eq!(placed.is_captain, placed.element == squad.captain());
            prop_assert_eq!(placed.is_vice_captain, placed.element == squad.elements[usize::from(squad.vice)]);
        }
    }

    #[test]
    fn substitutions_are_right((squad, points) in gameweeks()) {
        let made = squad.substitutions(&points);
        for Substitution { comes, goes } in &made {
            prop_assert!(points.played(*comes) && !points.played(*goes));
        }
        let late = read_late(&squad, &points);
        prop_assert!(is_an_eleven(&late.positions[..ELEVEN]));
        prop_assert_eq!(late.substitutions(&points), []);
        let come: Vec<Element> = made.iter().map(|substitution| substitution.comes).collect();
        prop_assert_eq!(&come, &who_comes_in_at_best(&squad, &points));
        prop_assert_eq!(&come, &who_comes_in_when_the_eleven_ask(&squad, &points));
    }

    #[test]
    fn a_squad_read_after_the_substitutions_gives_the_same((squad, points) in gameweeks()) {
        let mut late = read_late(&squad, &points);
        prop_assert_eq!(late.settled(&points), squad.settled(&points));
        let played = |at: u8| points.played(late.elements[usize::from(at)]);
        if !played(late.captain) && played(late.vice) {
            std::mem::swap(&mut late.captain, &mut late.vice);
        }
        prop_assert_eq!(late.settled(&points), squad.settled(&points), "the armband shown as passed on");
    }

    #[test]
    fn every_point_counts_once_and_the_armband_s_again((squad, points) in gameweeks()) {
        let again = if squad.chip == Some(Chip::TripleCaptain) { 2 } else { 1 };
        let made = squad.substitutions(&points);
        let plays = |at: u8| {
            let element = squad.elements[usize::from(at)];
            let eleven = usize::from(at) < ELEVEN || made.iter().any(|made| made.comes == element);
            points.played(element) && (eleven || squad.chip == Some(Chip::BenchBoost))
        };
        let played = |at: &u8| points.played(squad.elements[usize::from(*at)]);
        let of = |at: u8| again * points.of(squad.elements[usize::from(at)]);
        let armband = [squad.captain, squad.vice].into_iter().find(played).filter(|at| plays(*at));
        let settled = squad.settled(&points);
        let all = sum(&squad, &points);
        prop_assert_eq!(settled.gross + settled.points_on_bench, all + armband.map_or(0, of));
        let live = squad.live(&points);
        let on_the_bench = usize::from(squad.captain) >= ELEVEN && squad.chip != Some(Chip::BenchBoost);
        let armband = if on_the_bench { 0 } else { of(squad.captain) };
        prop_assert_eq!(live.gross + live.points_on_bench, all + armband);
        for figures in [live, settled] {
            prop_assert_eq!(figures.transfers_cost, i32::from(squad.transfers_cost));
            prop_assert!(figures.points_on_bench == 0 || squad.chip != Some(Chip::BenchBoost));
        }
    }

    #[test]
    fn with_everybody_on_the_pitch_the_live_figures_are_the_last(squad in squads(), scored in prop::collection::vec(-4..25_i16, SQUAD)) {
        let all = squad.elements.into_iter().zip(scored);
        let points = FootballerPoints::new(all.map(|(element, points)| Scored { element, points, played: true }));
        prop_assert_eq!(squad.live(&points), squad.settled(&points));
    }

    #[test]
    fn nobody_on_the_pitch_is_nothing(squad in squads()) {
        let nothing = Figures { gross: 0, transfers_cost: i32::from(squad.transfers_cost), points_on_bench: 0 };
        prop_assert_eq!(squad.settled(&FootballerPoints::default()), nothing);
    }
}
