//! What the official game corrects after a gameweek is paid: looked for once a day for a week, with
//! one call. It changes nothing that was paid; the leagues that it touches are shown to the admin.

use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
    leagues::points::FootballerPoints,
};
use jiff::{SignedDuration, Timestamp};
use store::{leagues::League, settlement::record::Settlement};

use crate::{App, AppError, leagues::points};

const WATCHED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
const EVERY: SignedDuration = SignedDuration::from_hours(24);
/// Leagues read at once.
const PAGE: i32 = 50;

/// The gameweeks that are paid and still looked at.
pub fn watched(calendar: &Calendar, now: Timestamp) -> impl Iterator<Item = (GameweekId, &Gameweek)> {
    let recent = move |at: Timestamp| now < at + WATCHED_FOR;
    let paid = move |g: &&Gameweek| g.settled_at.is_some_and(recent) && g.called_off.is_none();
    let paid = calendar.gameweeks.iter().filter(paid);
    paid.map(|gameweek| (calendar.id(gameweek.number), gameweek))
}

/// Looks for corrections where a day has passed since the last look.
///
/// # Errors
/// The table or the official game do not answer; the next run makes it good.
pub async fn poll(app: &App) -> Result<(), AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(()) };
    let now = app.clock().now();
    for (id, gameweek) in watched(&calendar, now) {
        let Some(paid_on) = app.store().scores(id).await? else { continue };
        let looked = app.store().corrections_polled_at(id).await?.or(gameweek.settled_at);
        if looked.is_some_and(|at| now < at + EVERY) {
            continue;
        }
        let Some(matches) = app.store().matches(id).await? else { continue };
        let points = points::read_points(app, id, &matches).await?;
        if points != paid_on.points {
            compare(app, id, &points).await?;
        }
        app.store().note_corrections_poll(id, now).await?;
    }
    Ok(())
}

/// Holds every paid league of a gameweek against the points as they are now.
async fn compare(app: &App, id: GameweekId, points: &FootballerPoints) -> Result<(), AppError> {
    let mut corrected = 0;
    for amount in EntryAmount::ALL {
        let mut after: Option<String> = None;
        loop {
            let page = app.store().leagues_page(id, amount, after.as_deref(), PAGE).await?;
            let ids: Vec<_> = page.items.iter().map(League::id).collect();
            let records = app.store().settlements(&ids).await?;
            for league in &page.items {
                let name = league.id().to_string();
                let Some(record) = records.iter().find(|record| record.league == name) else { continue };
                if let Some(what) = difference(league, record, points) {
                    app.store().mark_league_corrected(league.id(), &what).await?;
                    corrected += 1;
                }
            }
            match page.cursor {
                Some(next) => after = Some(next),
                None => break,
            }
        }
    }
    if corrected > 0 {
        tracing::warn!(gameweek = %id, corrected, "the official game has corrected points that were paid on");
    }
    Ok(())
}

/// What differs from the record now, in a sentence for each team.
fn difference(league: &League, record: &Settlement, points: &FootballerPoints) -> Option<String> {
    let sentences: Vec<String> = league
        .members
        .iter()
        .enumerate()
        .filter_map(|(at, member)| {
            let now = league.reading(at)?.squad()?.settled(points);
            let paid = record.ranking.iter().find(|r| r.user_id == member.user_id)?.figures?;
            (now != paid).then(|| {
                format!(
                    "Team {}: {} points ({} on the bench), paid on {} ({}).",
                    member.fpl_id, now.gross, now.points_on_bench, paid.gross, paid.points_on_bench
                )
            })
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
