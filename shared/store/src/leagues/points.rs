//! What every footballer has scored in a gameweek: `GW#gameweek/SCORES`, one packed map for everybody,
//! and the matches that it comes from, `GW#gameweek/MATCHES`. A final reading gives way to another final one, and
//! once it is taken back to any.

use domain::{GameweekId, leagues::points::FootballerPoints};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use strum::{IntoStaticStr, VariantArray};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is, is_not},
        table::Key,
        writes::Put,
    },
};

/// The official game says by then that a match has started, where it has.
const STARTS_WITHIN: SignedDuration = SignedDuration::from_mins(10);
/// A match that is not over by then is not being played: one that is abandoned can stand so for days.
const ENDS_WITHIN: SignedDuration = SignedDuration::from_hours(4);

/// How far a gameweek's points are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum PointsStage {
    /// Matches are on, or still to come.
    Live,
    /// All has been played; the official game has not confirmed the points yet.
    Provisional,
    /// Confirmed.
    Final,
}

/// The points of a gameweek as they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameweekPoints {
    pub stage: PointsStage,
    /// The gameweek has ended: substitutions count.
    pub ended: bool,
    pub as_of: Timestamp,
    pub points: FootballerPoints,
    /// Whether no match is left in it, or none of them was played.
    pub void: bool,
}

impl GameweekPoints {
    /// Whether it is what the official game confirmed at `since`, or later.
    #[must_use]
    pub fn is_final_since(&self, since: Timestamp) -> bool {
        self.stage == PointsStage::Final && self.as_of >= since
    }

    /// Whether nothing was played in it, by its final points: before they are final a match may only be missing from an answer.
    #[must_use]
    pub fn nothing_was_played(&self) -> bool {
        self.void && self.stage == PointsStage::Final
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    stage: PointsStage,
    ended: bool,
    as_of: Timestamp,
    points: ByteBuf,
    #[serde(default)]
    void: bool,
}

impl From<&GameweekPoints> for Stored {
    fn from(scores: &GameweekPoints) -> Self {
        Self {
            stage: scores.stage,
            ended: scores.ended,
            as_of: scores.as_of,
            points: ByteBuf::from(scores.points.pack()),
            void: scores.void,
        }
    }
}

/// The matches of a gameweek as they were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Matches {
    pub as_of: Timestamp,
    pub matches: Vec<Match>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    pub fixture: u32,
    /// `None` while it is unscheduled.
    #[serde(default)]
    pub kickoff: Option<Timestamp>,
    /// As the official game says; absent where it does not.
    #[serde(default)]
    pub started: Option<bool>,
    #[serde(default)]
    pub over: bool,
    /// The clubs' numbers; absent in what was read before they were kept.
    #[serde(default)]
    pub clubs: Option<[u8; 2]>,
}

impl Match {
    fn due_at(&self, now: Timestamp) -> bool {
        !self.over && self.kickoff.is_some_and(|kickoff| kickoff <= now && now < kickoff + ENDS_WITHIN)
    }
}

/// How far a footballer's gameweek is, by his club's matches.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ClubStage {
    /// A match is to come, and none is on.
    Left,
    Playing,
    /// All are over.
    Played,
    /// The club has no match in this gameweek.
    Blank,
}

impl Matches {
    /// Whether one of them should be on by the clock, and was not over when they were read: it is worth reading them again.
    #[must_use]
    pub fn due_at(&self, now: Timestamp) -> bool {
        self.matches.iter().any(|m| m.due_at(now))
    }

    /// Whether one of them is being played, as far as the clock and the last reading say.
    #[must_use]
    pub fn on_at(&self, now: Timestamp) -> bool {
        self.matches.iter().any(|m| self.is_on(m, now))
    }

    /// Whether it is being played: its time has come and it is not over, unless the official game says ten minutes later still
    /// that it has not started, as of one that is late or was called off on its day. One that was abandoned is not for ever.
    fn is_on(&self, of: &Match, now: Timestamp) -> bool {
        let late = of.kickoff.is_some_and(|kickoff| self.as_of >= kickoff + STARTS_WITHIN);
        of.due_at(now) && !(late && of.started == Some(false))
    }

    #[must_use]
    pub fn all_over(&self) -> bool {
        self.matches.iter().all(|m| m.over)
    }

    /// How far a club's gameweek is; `None` where it was not kept who plays.
    #[must_use]
    pub fn stage_of(&self, club: u8, now: Timestamp) -> Option<ClubStage> {
        if self.matches.iter().any(|m| m.clubs.is_none()) {
            return None;
        }
        let of_club = || self.matches.iter().filter(|m| m.clubs.is_some_and(|clubs| clubs.contains(&club)));
        Some(match () {
            () if of_club().any(|m| self.is_on(m, now)) => ClubStage::Playing,
            () if of_club().any(|m| !m.over) => ClubStage::Left,
            () if of_club().next().is_some() => ClubStage::Played,
            () => ClubStage::Blank,
        })
    }
}

fn key(gameweek: GameweekId) -> Key {
    Key::new(format!("GW#{gameweek}"), "SCORES")
}

fn matches_key(gameweek: GameweekId) -> Key {
    Key::new(format!("GW#{gameweek}"), "MATCHES")
}

fn corrections_key(gameweek: GameweekId) -> Key {
    Key::new(format!("GW#{gameweek}"), "CORRECTIONS")
}

/// How far the looking for corrections of a paid gameweek is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorrectionsLook {
    /// When all of its leagues were last held against the points as they were then.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// The last league that was held against them, where a look is under way.
    #[serde(default)]
    pub after: Option<String>,
    /// Whether that look found no corrected league. Looks of older versions do not say it.
    #[serde(default)]
    pub found_none: bool,
}

impl Store {
    pub async fn scores(&self, gameweek: GameweekId) -> Result<Option<GameweekPoints>, StoreError> {
        let stored: Option<Stored> = self.get("scores", key(gameweek)).await?;
        let Some(Stored { stage, ended, as_of, points, void }) = stored else { return Ok(None) };
        let points = FootballerPoints::unpack(&points)
            .map_err(|error| StoreError::Refused(format!("the scores of {gameweek}: {error}")))?;
        Ok(Some(GameweekPoints { stage, ended, as_of, points, void }))
    }

    /// Keeps a reading, unless a final one is kept that is not the one of `taken_back`. `false`: it was.
    pub async fn keep_scores(
        &self,
        gameweek: GameweekId,
        scores: &GameweekPoints,
        taken_back: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let put = Put::over(key(gameweek).item(&Stored::from(scores)));
        let gives_way = absent("pk").or(is_not("stage", PointsStage::Final));
        let gives_way = match taken_back {
            Some(as_of) => gives_way.or(is("asOf", as_of)),
            None => gives_way,
        };
        self.put_where(put.only_if(gives_way)).await
    }

    /// Keeps a reading of what is final, in place of whatever is kept.
    pub async fn replace_scores(
        &self,
        gameweek: GameweekId,
        scores: &GameweekPoints,
    ) -> Result<(), StoreError> {
        self.put(key(gameweek).item(&Stored::from(scores))).await
    }

    pub async fn corrections_look(&self, gameweek: GameweekId) -> Result<CorrectionsLook, StoreError> {
        Ok(self.get("look", corrections_key(gameweek)).await?.unwrap_or_default())
    }

    /// Notes how far it is. Who writes it late says less, and some leagues are looked at once more.
    pub async fn keep_corrections_look(
        &self,
        gameweek: GameweekId,
        look: &CorrectionsLook,
    ) -> Result<(), StoreError> {
        self.put(corrections_key(gameweek).item(look)).await
    }

    pub async fn matches(&self, gameweek: GameweekId) -> Result<Option<Matches>, StoreError> {
        self.get("matches", matches_key(gameweek)).await
    }

    pub async fn keep_matches(&self, gameweek: GameweekId, matches: &Matches) -> Result<(), StoreError> {
        self.put(matches_key(gameweek).item(matches)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clubs_gameweek_goes_on_while_a_match_is_left() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (noon, monday) = (at("2026-08-22T12:00:00Z"), at("2026-08-24T12:00:00Z"));
        let of = |clubs, kickoff, over| Match {
            fixture: 1,
            kickoff: Some(kickoff),
            started: None,
            over,
            clubs: Some(clubs),
        };
        let matches = |first_over| Matches {
            as_of: noon,
            matches: vec![of([1, 2], noon, first_over), of([3, 1], monday, false)],
        };
        let stages =
            |first_over, now| [1, 2, 3, 4].map(|club| matches(first_over).stage_of(club, now).unwrap());
        use ClubStage::{Blank, Left, Played, Playing};
        assert_eq!(stages(false, at("2026-08-22T11:59:59Z")), [Left, Left, Left, Blank]);
        assert_eq!(stages(false, noon), [Playing, Playing, Left, Blank]);
        assert_eq!(stages(true, at("2026-08-22T14:00:00Z")), [Left, Played, Left, Blank]);
        assert_eq!(stages(true, monday), [Playing, Played, Playing, Blank]);
        let mut old = matches(true);
        old.matches[0].clubs = None;
        assert_eq!(old.stage_of(1, noon), None);
    }

    #[test]
    fn a_match_that_has_not_started_is_not_on_though_its_time_has_come() {
        let kickoff: Timestamp = "2026-08-22T14:00:00Z".parse().unwrap();
        let read = |after: i64, started| {
            let of = Match { fixture: 1, kickoff: Some(kickoff), started, over: false, clubs: Some([1, 2]) };
            let as_of = kickoff + SignedDuration::from_mins(after);
            let matches = Matches { as_of, matches: vec![of] };
            (matches.stage_of(1, as_of).unwrap(), matches.on_at(as_of), matches.due_at(as_of))
        };
        use ClubStage::{Left, Playing};
        assert_eq!(read(9, Some(false)), (Playing, true, true), "the official game says it a little late");
        assert_eq!(read(10, Some(false)), (Left, false, true), "it is late, or was called off: read on");
        assert_eq!(read(10, Some(true)), (Playing, true, true));
        assert_eq!(read(10, None), (Playing, true, true), "nothing is said of it");
        assert_eq!(read(239, Some(true)), (Playing, true, true));
        assert_eq!(read(240, Some(true)), (Left, false, false), "it was abandoned");
    }
}
