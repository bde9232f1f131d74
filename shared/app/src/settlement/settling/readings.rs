//! A league's two readings, from what is kept of it.

use domain::settlement::readings::Readings;
use store::leagues::{League, Reading, points::GameweekPoints};

/// The two readings of each member, in the league's order. Of a former season nothing is read any more.
#[must_use]
pub fn readings(league: &League, scores: Option<&GameweekPoints>, former: bool) -> Vec<Readings> {
    let of = |at: usize| {
        let none = Reading::default();
        let reading = league.reading(at).unwrap_or(&none);
        let (squad, official) = (reading.squad(), reading.official.as_ref());
        let chip = official.and_then(|official| official.chip.clone());
        Readings {
            fpl_id: league.members[at].fpl_id,
            no_score: reading.no_score || (former && official.is_none()),
            official: official.map(|official| official.figures),
            chip: chip.or_else(|| squad.as_ref()?.chip_name().map(str::to_owned)),
            own: squad.zip(scores).map(|(squad, scores)| squad.settled(&scores.points)),
        }
    };
    (0..league.members.len()).map(of).collect()
}
