//! The points engine against what the official game said: fourteen settled gameweeks of nine
//! teams, one in play, and the rows of twelve seasons, all from its public answers. Squads are as
//! they were before the automatic substitutions, which were undone.
//!
//! Two tables are put together: gameweek 17 of 2025-26 has its other footballers from a published
//! table of the same figures; of 2026-27's first, where one match had been played, the footballers'
//! points follow from that match's own figures.

use std::collections::BTreeMap;

use domain::leagues::{
    points::{Chip, Element, FootballerPoints, Pick, Position, Scored, Squad},
    ranking::Figures,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Gameweek {
    gameweek: String,
    /// Recorded while play was on.
    #[serde(default)]
    live: bool,
    /// Points, minutes and cards, by number.
    footballers: BTreeMap<Element, (i16, u32, u32)>,
    teams: Vec<Team>,
}

#[derive(Deserialize)]
struct Team {
    entry: u32,
    chip: Option<String>,
    /// By place, each with the letter of the position.
    squad: String,
    captain: Element,
    vice: Element,
    points: i32,
    cost: i32,
    bench: i32,
    /// Who came in for whom.
    substitutions: Vec<(Element, Element)>,
}

impl Gameweek {
    fn points(&self) -> FootballerPoints {
        FootballerPoints::new(self.footballers.iter().map(|(element, (points, minutes, cards))| Scored {
            element: *element,
            points: *points,
            played: minutes + cards > 0,
        }))
    }
}

impl Team {
    fn order(&self) -> Vec<(Position, Element)> {
        let read = |text: &str| {
            let (letter, number) = text.split_at(1);
            let position = Position::ALL["GDMF".find(letter).expect("a position's letter")];
            (position, number.parse().expect("a footballer's number"))
        };
        self.squad.split(' ').map(read).collect()
    }

    fn squad(&self, order: &[(Position, Element)]) -> Squad {
        let picks: Vec<Pick> = (1..)
            .zip(order)
            .map(|(place, (position, element))| Pick {
                element: *element,
                place,
                position: *position,
                is_captain: *element == self.captain,
                is_vice_captain: *element == self.vice,
            })
            .collect();
        let chip = self.chip.as_deref().map(Chip::from_name);
        Squad::new(&picks, chip, i64::from(self.cost)).expect("a squad")
    }

    fn official(&self) -> Figures {
        Figures { gross: self.points, transfers_cost: self.cost, points_on_bench: self.bench }
    }
}

fn gameweeks() -> Vec<Gameweek> {
    serde_json::from_str(include_str!("recorded/gameweeks.json")).expect("our own table")
}

fn played(element: Element, points: &FootballerPoints) -> (i32, bool) {
    (points.of(element), points.played(element))
}

#[test]
fn every_settled_gameweek_comes_out_exactly() {
    let mut chips = Vec::new();
    for week in gameweeks().iter().filter(|week| !week.live) {
        let points = week.points();
        for team in &week.teams {
            let name = format!("{} in {}", team.entry, week.gameweek);
            let squad = team.squad(&team.order());
            assert_eq!(squad.settled(&points), team.official(), "{name}");
            let made = squad.substitutions(&points);
            assert_eq!(
                made.iter().map(|s| (s.comes, s.goes)).collect::<Vec<_>>(),
                team.substitutions,
                "{name}"
            );
            if made.is_empty() {
                assert_eq!(squad.live(&points), team.official(), "{name}: who began also ended");
            }
            chips.push(squad.chip());
        }
    }
    assert_eq!(chips.len(), 14);
    for chip in [Chip::Wildcard, Chip::FreeHit, Chip::BenchBoost, Chip::TripleCaptain] {
        assert!(chips.contains(&Some(chip)), "{chip:?}");
    }
}

#[test]
fn a_squad_read_after_the_substitutions_gives_the_same() {
    let weeks = gameweeks();
    let teams = weeks.iter().flat_map(|week| week.teams.iter().map(move |team| (week, team)));
    let changed: Vec<_> = teams.filter(|(_, team)| !team.substitutions.is_empty()).collect();
    assert_eq!(changed.len(), 5);
    for (week, team) in changed {
        let mut order = team.order();
        for (comes, goes) in &team.substitutions {
            let at = |element| order.iter().position(|(_, other)| *other == element).unwrap();
            let (i, j) = (at(*comes), at(*goes));
            order.swap(i, j);
        }
        // The official game lists an eleven by position.
        order[..11].sort_by_key(|(position, _)| *position as u8);
        let late = team.squad(&order);
        assert_eq!(late.settled(&week.points()), team.official(), "{} in {}", team.entry, week.gameweek);
        assert_eq!(late.substitutions(&week.points()), []);
    }
}

#[test]
fn a_gameweek_in_play_comes_out_as_it_stood() {
    for week in gameweeks().iter().filter(|week| week.live) {
        for team in &week.teams {
            let squad = team.squad(&team.order());
            assert_eq!(squad.live(&week.points()), team.official(), "{} in {}", team.entry, week.gameweek);
        }
    }
}

#[test]
fn packing_changes_nothing() {
    for week in gameweeks() {
        let points = FootballerPoints::unpack(&week.points().pack()).unwrap();
        for team in &week.teams {
            let squad = Squad::unpack(&team.squad(&team.order()).pack()).unwrap();
            let same = if week.live { squad.live(&points) } else { squad.settled(&points) };
            assert_eq!(same, team.official(), "{} in {}", team.entry, week.gameweek);
        }
    }
}

/// Two matches are summed; none is not having played.
#[test]
fn double_and_blank_gameweeks() {
    let weeks = gameweeks();
    let points = |name: &str| weeks.iter().find(|week| week.gameweek == name).unwrap().points();
    let double = points("2025-26/26");
    assert_eq!(
        [1, 5, 7, 2].map(|element| played(element, &double)),
        [(3, true), (7, true), (2, true), (0, false)]
    );
    assert!(double.anybody_played() && !points("2025-26/31").anybody_played());
}

#[derive(Deserialize)]
struct Season {
    entry: u32,
    season: String,
    /// Of each gameweek: points, what transfers cost, points on the bench, the season's total.
    rows: Vec<(i32, i32, i32, i32)>,
}

fn seasons() -> Vec<Season> {
    serde_json::from_str(include_str!("recorded/seasons.json")).expect("our own table")
}

#[test]
fn what_counts_with_the_deduction_is_what_a_season_adds_up() {
    let mut rows = 0;
    for Season { entry, season, rows: of_it } in seasons() {
        let mut before = 0;
        for (n, (gross, transfers_cost, points_on_bench, total)) in (1..).zip(of_it) {
            let figures = Figures { gross, transfers_cost, points_on_bench };
            assert_eq!(before + figures.score(true).points, total, "{entry} in {season}/{n}");
            assert_eq!(figures.score(false).points, gross);
            before = total;
            rows += 1;
        }
    }
    assert_eq!(rows, 259);
}

/// Gameweek 7 of 2022-23 was called off: everybody has nothing, and so says the engine.
#[test]
fn a_gameweek_called_off() {
    let season = seasons().into_iter().find(|season| season.season == "2022-23").unwrap();
    let (points, cost, bench, _) = season.rows[6];
    let nobody = FootballerPoints::default();
    assert!(!nobody.anybody_played());
    let weeks = gameweeks();
    let team = &weeks[1].teams[0];
    let official = Figures { gross: points, transfers_cost: cost, points_on_bench: bench };
    assert_eq!(team.squad(&team.order()).settled(&nobody), official);
}

/// The gameweeks above and the seasons' rows say the same.
#[test]
fn gameweeks_agree_with_their_seasons() {
    let seasons = seasons();
    for week in gameweeks() {
        let (season, n) = week.gameweek.split_once('/').unwrap();
        let n: usize = n.parse().unwrap();
        for team in &week.teams {
            let of = |s: &&Season| (s.entry, s.season.as_str()) == (team.entry, season);
            let (points, cost, bench, _) = seasons.iter().find(of).unwrap().rows[n - 1];
            assert_eq!((points, cost, bench), (team.points, team.cost, team.bench), "{}", team.entry);
        }
    }
}
