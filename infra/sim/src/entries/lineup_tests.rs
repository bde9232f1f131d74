use std::collections::HashSet;

use super::*;
use crate::{
    entries::plan::plans,
    season::{Calendar, Season},
};

fn team(id: u64) -> [Pick; 15] {
    let gameweek = Calendar::first().get(1).unwrap();
    lineup(id, gameweek, &plans(id, gameweek)[0].squad, None)
}

#[test]
fn whoever_stays_away_the_eleven_stay_a_legal_team() {
    for id in 1..300_u64 {
        let absent: HashSet<u32> = {
            let mut noise = Noise::of(Season::ALL[0], "absent", &[id]);
            team(id).iter().filter(|_| noise.chance(35)).map(|pick| pick.player.id).collect()
        };
        let mut picks = team(id);
        let made = substitute(&mut picks, |player| !absent.contains(&player.id));
        let of = |position| picks[..11].iter().filter(|p| p.player.position == position).count();
        assert_eq!(of(Position::Goalkeeper), 1);
        assert!(of(Position::Defender) >= 3 && of(Position::Midfielder) >= 2);
        assert!(of(Position::Forward) >= 1);
        assert!(picks.iter().zip(1..).all(|(pick, place)| pick.place == place));
        assert!(made.iter().all(|s| absent.contains(&s.went_out) && !absent.contains(&s.came_in)));
        assert_eq!(picks.iter().filter(|pick| pick.multiplier == 0).count(), 4);
    }
}

#[test]
fn the_vice_captain_takes_the_armband_only_if_the_captain_did_not_play() {
    let mut picks = team(9);
    let captain = *picks.iter().find(|pick| pick.captain).unwrap();
    substitute(&mut picks, |player| *player != captain.player);
    assert_eq!(picks.iter().find(|pick| pick.vice).unwrap().multiplier, 2);
    assert!(picks.iter().find(|pick| pick.captain).unwrap().multiplier <= 1);

    let mut all_played = team(9);
    assert_eq!(substitute(&mut all_played, |_| true), []);
    assert_eq!(all_played, team(9));
}

#[test]
fn nobody_comes_in_when_nobody_played() {
    let mut picks = team(4);
    assert_eq!(substitute(&mut picks, |_| false), []);
    assert_eq!(picks, team(4));
}

#[test]
fn a_goalkeeper_stands_in_for_a_goalkeeper_and_for_nobody_else() {
    for id in 1..200 {
        let keeps = |player: &Player| player.position == Position::Goalkeeper;
        let (first, second) = (team(id)[0].player, team(id)[11].player);
        assert!(keeps(&first) && keeps(&second));
        let made = substitute(&mut team(id), |player| *player != first);
        assert_eq!(made, [Substitution { came_in: second.id, went_out: first.id }]);
        assert_eq!(substitute(&mut team(id), |player| !keeps(player)), []);
        let only_the_second = substitute(&mut team(id), |player| *player == second);
        assert_eq!(only_the_second, [Substitution { came_in: second.id, went_out: first.id }]);
    }
}

#[test]
fn the_first_on_the_bench_comes_in_with_whom_the_eleven_are_a_team() {
    let counts = |picks: &[Player]| {
        [Position::Goalkeeper, Position::Defender, Position::Midfielder, Position::Forward]
            .map(|position| picks.iter().filter(|player| player.position == position).count())
    };
    let (mut first, mut later) = (0, 0);
    for id in 1..200 {
        for starter in 1..11 {
            for absent_on_the_bench in [None, Some(12)] {
                let players = team(id).map(|pick| pick.player);
                let stays_away = |player: &Player| {
                    *player == players[starter]
                        || absent_on_the_bench.is_some_and(|at| *player == players[at])
                };
                let expected = (12..15).find(|bench| {
                    let mut eleven = players[..11].to_vec();
                    eleven[starter] = players[*bench];
                    let [_, defenders, midfielders, forwards] = counts(&eleven);
                    let legal = defenders >= 3 && midfielders >= 2 && forwards >= 1;
                    legal && !stays_away(&players[*bench])
                });
                let made = substitute(&mut team(id), |player| !stays_away(player));
                let came_in: Vec<_> = made.iter().map(|made| made.came_in).collect();
                assert_eq!(came_in, expected.map(|at| players[at].id).into_iter().collect::<Vec<_>>());
                match expected {
                    Some(12) => first += 1,
                    Some(_) => later += 1,
                    None => {}
                }
            }
        }
    }
    assert!(first > 100 && later > 100, "{first} and {later}");
}

#[test]
fn a_triple_captain_who_did_not_play_leaves_it_all_to_the_vice_captain() {
    let gameweek = Calendar::first().get(1).unwrap();
    let team = |id| lineup(id, gameweek, &plans(id, gameweek)[0].squad, Some(Chip::TripleCaptain));
    for id in 1..50 {
        let captain = team(id).into_iter().find(|pick| pick.captain).unwrap();
        let vice = team(id).into_iter().find(|pick| pick.vice).unwrap();
        assert_eq!((captain.multiplier, vice.multiplier), (3, 1));
        let most = |absent: &[Pick]| {
            let mut picks = team(id);
            substitute(&mut picks, |player| absent.iter().all(|pick| pick.player != *player));
            let most = picks.iter().max_by_key(|pick| pick.multiplier).copied().unwrap();
            (most.player.id, most.multiplier)
        };
        assert_eq!(most(&[vice]), (captain.player.id, 3));
        assert_eq!(most(&[captain]), (vice.player.id, 3));
        assert_eq!(most(&[captain, vice]).1, 1, "then nobody counts more than once");
    }
}

#[test]
fn under_bench_boost_everybody_counts_and_nobody_is_substituted() {
    let gameweek = Calendar::first().get(1).unwrap();
    let mut picks = lineup(5, gameweek, &plans(5, gameweek)[0].squad, Some(Chip::BenchBoost));
    assert!(picks.iter().all(|pick| pick.multiplier > 0));
    let absent = picks[3].player;
    assert_eq!(substitute(&mut picks, |player| *player != absent), []);
}
