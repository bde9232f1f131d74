//! A team as it stands on the pitch: its fifteen, what each has and why.

use app::leagues::live::{PlayerNow, Team};
use domain::leagues::points::{Line, Position};
use serde::Serialize;
use store::leagues::points::ClubStage;
use utoipa::ToSchema;

use crate::platform::http::OneOf;

type ClubStageWord = OneOf<ClubStage>;

#[derive(Serialize, ToSchema)]
pub struct TeamView {
    /// Whether a match of the gameweek is on.
    #[schema(example = true)]
    playing: bool,
    /// Fifteen, by their places: the last four are the bench.
    players: Vec<FootballerView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FootballerView {
    /// The official number.
    #[schema(example = 328)]
    id: u16,
    /// As on the shirt; null where the official list does not have it.
    #[schema(example = "Saka")]
    name: Option<String>,
    /// The letters of the club; null where the official list does not have it.
    #[schema(example = "ARS")]
    club: Option<String>,
    /// 1 goalkeeper, 2 defender, 3 midfielder, 4 forward.
    #[schema(example = 3)]
    position: u8,
    /// How often the points count: 0 on the bench, 2 or 3 with the armband.
    #[schema(example = 2)]
    multiplier: u8,
    #[schema(example = true)]
    captain: bool,
    #[schema(example = false)]
    vice_captain: bool,
    /// The footballer's own, without the armband.
    #[schema(example = 8)]
    points: i32,
    /// `left`: has yet to play; `blank`: has no match. Null where it is not known.
    #[schema(inline)]
    stage: Option<ClubStageWord>,
    /// Bonus points that are not counted yet, as they would be given now.
    #[schema(example = 0)]
    provisional_bonus: u8,
    /// The number of the footballer whose place this one has taken; null where none.
    #[schema(example = json!(null))]
    came_for: Option<u16>,
    /// What the points are made of; empty where that is not known.
    why: Vec<WhyView>,
}

#[derive(Serialize, ToSchema)]
pub struct WhyView {
    /// By the official game's name.
    #[schema(example = "goals_scored")]
    what: &'static str,
    /// So many of it.
    #[schema(example = 1)]
    count: u16,
    #[schema(example = 5)]
    points: i16,
}

impl From<Team> for TeamView {
    fn from(team: Team) -> Self {
        Self { playing: team.playing, players: team.players.into_iter().map(FootballerView::from).collect() }
    }
}

impl From<PlayerNow> for FootballerView {
    fn from(now: PlayerNow) -> Self {
        let (name, club) = now.who.map(|who| (who.name, who.club_name)).unzip();
        Self {
            id: now.placed.element,
            name,
            club,
            position: match now.placed.position {
                Position::Goalkeeper => 1,
                Position::Defender => 2,
                Position::Midfielder => 3,
                Position::Forward => 4,
            },
            multiplier: now.placed.multiplier,
            captain: now.placed.is_captain,
            vice_captain: now.placed.is_vice_captain,
            points: now.points,
            stage: now.stage.map(OneOf),
            provisional_bonus: now.provisional_bonus,
            came_for: now.placed.came_for,
            why: now.why.into_iter().map(WhyView::from).collect(),
        }
    }
}

impl From<Line> for WhyView {
    fn from(line: Line) -> Self {
        Self { what: line.deed.name(), count: line.count, points: line.points }
    }
}
