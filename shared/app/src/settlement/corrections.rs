//! What the official game corrects after a gameweek is paid: looked for once a day for a week. It changes nothing that
//! was paid; the leagues that it touches are shown to the admin, until a later look finds that it was taken back. Where they
//! are many, a run goes on where the one before it stopped, and ends before its function's time does.

use std::collections::BTreeMap;

use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
    leagues::points::FootballerPoints,
    settlement::readings::Basis,
};
use jiff::{SignedDuration, Timestamp};
use store::{
    leagues::{BLOCK, League, LeagueId, number_key, points::CorrectionsLook},
    platform::concurrency::try_map,
    settlement::record::Settlement,
};

use crate::{App, AppError, leagues::points, platform::error::beyond_an_outage};

const WATCHED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
const EVERY: SignedDuration = SignedDuration::from_hours(24);
/// Less than the minute in which the next run begins.
const LOOKS_FOR: SignedDuration = SignedDuration::from_secs(45);

/// The gameweeks that are paid and still looked at.
pub fn watched(calendar: &Calendar, now: Timestamp) -> impl Iterator<Item = (GameweekId, &Gameweek)> {
    let recent = move |at: Timestamp| now < at + WATCHED_FOR;
    let paid = move |g: &&Gameweek| g.settled_at.is_some_and(recent) && g.called_off.is_none();
    let paid = calendar.gameweeks.iter().filter(paid);
    paid.map(|gameweek| (calendar.id(gameweek.number), gameweek))
}

/// Looks for corrections where a day has passed since the last look, or where a look is not through.
///
/// # Errors
/// The table does not answer; the next run makes it good, as where the official game does not.
pub async fn poll(app: &App) -> Result<(), AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(()) };
    let (now, mut troubles) = (app.clock().now(), Vec::new());
    for (id, gameweek) in watched(&calendar, now) {
        match look_at(app, id, gameweek, now).await {
            Ok(true) => {}
            Ok(false) => break,
            // One gameweek without an answer keeps no other one waiting.
            Err(error) => troubles.push(error),
        }
    }
    beyond_an_outage(troubles)
}

/// Looks at a gameweek, where that is due. `false`: the time of this run is over; the next one goes on.
async fn look_at(app: &App, id: GameweekId, gameweek: &Gameweek, now: Timestamp) -> Result<bool, AppError> {
    let store = app.store();
    let Some(paid_on) = store.scores(id).await? else { return Ok(true) };
    let kept = store.corrections_look(id).await?;
    // The first look compares in any case: the points may have been others when the first league was paid.
    let first = kept.at.is_none() || kept.after.is_some();
    // Always written: a version that knows no look in steps reads when the last one was.
    let look = CorrectionsLook { at: kept.at.or(gameweek.settled_at), ..kept };
    if look.after.is_none() && look.at.is_some_and(|at| now < at + EVERY) {
        return Ok(true);
    }
    let Some(matches) = store.matches(id).await? else { return Ok(true) };
    let points = points::read_points(app, id, &matches).await?;
    // What the last look found may have been taken back since.
    let found_none = if first || !look.found_none || points != paid_on.points {
        compare(app, id, (&points, &paid_on.points), look, now + LOOKS_FOR).await?
    } else {
        Some(true)
    };
    let Some(found_none) = found_none else {
        tracing::info!(gameweek = %id, "the look for corrections is handed over");
        return Ok(false);
    };
    store.keep_corrections_look(id, &CorrectionsLook { at: Some(now), after: None, found_none }).await?;
    Ok(true)
}

/// The footballers' points now, and those that were kept last when the gameweek was paid.
type NowAndThen<'a> = (&'a FootballerPoints, &'a FootballerPoints);

/// Holds the paid leagues of a gameweek against the points as they are now, after those that an earlier run did. Answers
/// whether none is corrected; `None`: not all of them are done, and the next run goes on.
async fn compare(
    app: &App,
    id: GameweekId,
    points: NowAndThen<'_>,
    mut look: CorrectionsLook,
    until: Timestamp,
) -> Result<Option<bool>, AppError> {
    let after: Option<LeagueId> = look.after.as_deref().and_then(|league| league.parse().ok());
    look.found_none |= after.is_none();
    let mut noted = BTreeMap::new();
    app.store()
        .each_league_status(id, |league, status| {
            noted.extend(status.corrected.map(|what| (league, what)));
        })
        .await?;
    // One after another: the settlements of an amount are under one key, and nobody waits for this.
    let at_once = i32::try_from(app.config().leagues_per_step).unwrap_or(i32::MAX).min(BLOCK.cast_signed());
    for amount in EntryAmount::ALL.into_iter().filter(|amount| after.is_none_or(|id| *amount >= id.amount)) {
        let mut cursor = after.filter(|id| id.amount == amount).map(|id| number_key(id.number));
        loop {
            let page = app.store().leagues_page(id, amount, cursor.as_deref(), at_once).await?;
            look.found_none &= !compare_page(app, id, &page.items, points, &noted).await?;
            let Some(next) = page.cursor else { break };
            if let Some(last) = page.items.last() {
                look.after = Some(last.id().to_string());
                app.store().keep_corrections_look(id, &look).await?;
            }
            if app.clock().now() >= until {
                return Ok(None);
            }
            cursor = Some(next);
        }
    }
    Ok(Some(look.found_none))
}

/// Notes which of these leagues are corrected, where that is not `noted` so already, and which are not any more. Answers
/// whether one is.
async fn compare_page(
    app: &App,
    id: GameweekId,
    leagues: &[League],
    points: NowAndThen<'_>,
    noted: &BTreeMap<LeagueId, String>,
) -> Result<bool, AppError> {
    let ids: Vec<_> = leagues.iter().map(League::id).collect();
    let records = app.store().settlements(&ids).await?;
    let compared = leagues.iter().filter_map(|league| {
        let name = league.id().to_string();
        let record = records.iter().find(|record| record.league == name)?;
        Some((league.id(), difference(league, record, points)))
    });
    let compared: Vec<_> = compared.collect();
    let corrected = compared.iter().filter(|(_, what)| what.is_some()).count();
    let changed = compared.into_iter().filter(|(league, what)| noted.get(league) != what.as_ref());
    let marked = try_map(changed, |(league, what)| async move {
        let what = what.as_deref();
        app.store().mark_league_corrected(league, what).await
    });
    marked.await?;
    if corrected > 0 {
        tracing::warn!(gameweek = %id, corrected, "the official game has corrected points that were paid on");
    }
    Ok(corrected > 0)
}

/// What differs from the record now, in a sentence for each team. Where it was paid on official figures alone our
/// own count may never have been the same: it is held against itself, by the points that were kept last.
fn difference(league: &League, record: &Settlement, (now, then): NowAndThen<'_>) -> Option<String> {
    let sentences: Vec<String> = league
        .members
        .iter()
        .enumerate()
        .filter_map(|(at, member)| {
            let squad = league.reading(at)?.squad()?;
            let ranked = record.ranking.iter().find(|r| r.user_id == member.user_id)?;
            let paid = ranked.figures?;
            let is_ours = ranked.own_figures || record.basis == Basis::TwoReadings;
            let counted = if is_ours { paid } else { squad.settled(then) };
            let now = squad.settled(now);
            (now != counted).then(|| {
                format!(
                    "Team {}: {} points ({} on the bench), paid on {} ({}).",
                    member.fpl_id, now.gross, now.points_on_bench, paid.gross, paid.points_on_bench
                )
            })
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
