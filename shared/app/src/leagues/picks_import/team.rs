//! What is read of one team: its frozen picks, and its official result.

use std::sync::atomic::Ordering;

use clients::fpl::{FplError, HistoryRow};
use domain::{FplId, GameweekId, leagues::ranking::Figures};
use store::leagues::{OfficialResult, Reading, points::GameweekPoints};

use super::{Reader, UNANSWERED_AT_MOST};
use crate::leagues::points;

/// What one team's answer was good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TeamReading {
    Read,
    /// It has to be asked for again.
    Missing,
}

impl Reader<'_> {
    /// One more team is asked about.
    fn count(&self) {
        // All of a run's are of one task: nobody counts in between.
        self.left.store(self.left.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    }

    pub(super) async fn squad(
        &self,
        reading: &mut Reading,
        fpl_id: FplId,
        gameweek: GameweekId,
    ) -> Result<TeamReading, FplError> {
        if reading.squad().is_some() {
            return Ok(TeamReading::Read);
        }
        self.count();
        match self.app.fpl().picks(u64::from(fpl_id.get()), u32::from(gameweek.number)).await {
            Ok(picks) => match points::squad(&picks, gameweek) {
                Ok(squad) => {
                    reading.keep_squad(&squad);
                    return Ok(TeamReading::Read);
                }
                Err(error) => tracing::warn!(%fpl_id, %gameweek, %error, "a squad cannot be read"),
            },
            Err(FplError::NotFound) => reading.no_squad = true,
            Err(error @ FplError::Malformed { .. }) => {
                tracing::warn!(%fpl_id, %gameweek, ?error, "a squad cannot be read");
            }
            Err(error) => return self.no_answer(fpl_id, gameweek, error).await,
        }
        Ok(TeamReading::Missing)
    }

    pub(super) async fn result(
        &self,
        reading: &mut Reading,
        fpl_id: FplId,
        gameweek: GameweekId,
        scores: Option<&GameweekPoints>,
    ) -> Result<TeamReading, FplError> {
        if agree(reading, scores) {
            return Ok(TeamReading::Read);
        }
        self.count();
        match self.app.fpl().history(u64::from(fpl_id.get())).await {
            Ok(history) => {
                let number = u32::from(gameweek.number);
                let figures = history.current.iter().find(|row| row.event == number).and_then(figures);
                let chip = history.chips.iter().find(|chip| chip.event == number);
                match figures {
                    Some(figures) => {
                        let chip = chip.map(|chip| chip.name.clone());
                        let as_of = self.app.clock().now();
                        reading.official = Some(OfficialResult { figures, chip, as_of });
                        reading.no_score = false;
                    }
                    None => reading.no_score = true,
                }
            }
            Err(FplError::NotFound) => reading.no_score = true,
            Err(error @ FplError::Malformed { .. }) => {
                tracing::warn!(%fpl_id, %gameweek, ?error, "a result cannot be read");
            }
            Err(error) => return self.no_answer(fpl_id, gameweek, error).await,
        }
        if !agree(reading, scores) {
            self.read_squad_again(reading, fpl_id, gameweek).await?;
        }
        Ok(if agree(reading, scores) { TeamReading::Read } else { TeamReading::Missing })
    }

    /// A team that the official game fails to tell of while it tells of others is left for the next round: it holds up its own
    /// league alone.
    ///
    /// # Errors
    /// The game does not answer at all, wants to be left alone, or fails too often: an outage.
    async fn no_answer(
        &self,
        fpl_id: FplId,
        gameweek: GameweekId,
        error: FplError,
    ) -> Result<TeamReading, FplError> {
        let so_many = self.unanswered.fetch_add(1, Ordering::Relaxed) + 1;
        let all_of_it = matches!(error, FplError::RateLimited { .. }) || so_many > UNANSWERED_AT_MOST;
        if all_of_it || self.app.fpl().event_status().await.is_err() {
            return Err(error);
        }
        tracing::warn!(%fpl_id, %gameweek, ?error, "the official game does not answer about a team");
        Ok(TeamReading::Missing)
    }

    /// A team that we count otherwise than the official game: perhaps its picks were not right yet.
    async fn read_squad_again(
        &self,
        reading: &mut Reading,
        fpl_id: FplId,
        gameweek: GameweekId,
    ) -> Result<(), FplError> {
        let mut fresh = Reading::default();
        self.squad(&mut fresh, fpl_id, gameweek).await?;
        if let Some(squad) = fresh.squad() {
            reading.keep_squad(&squad);
        }
        reading.no_squad = fresh.no_squad && reading.squad().is_none();
        Ok(())
    }
}

/// Whether a team's two readings are there and equal.
fn agree(reading: &Reading, scores: Option<&GameweekPoints>) -> bool {
    let own = reading.squad().zip(scores).map(|(squad, scores)| squad.settled(&scores.points));
    own.is_some() && own == reading.official.as_ref().map(|official| official.figures)
}

fn figures(row: &HistoryRow) -> Option<Figures> {
    Some(Figures {
        gross: i32::try_from(row.points).ok()?,
        transfers_cost: i32::try_from(row.event_transfers_cost).ok()?,
        points_on_bench: i32::try_from(row.points_on_bench).ok()?,
    })
}
