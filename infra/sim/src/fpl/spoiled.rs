//! Answers that are wrong in ways in which the real game's can be while a fault is switched on: cut
//! off, with fields gone or new, of another gameweek, or inconsistent with each other.

use std::cmp::Ordering;

use axum::{
    body::{Body, Bytes, to_bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    Sim,
    entries::Week,
    faults::FplFault,
    season::{Calendar, Gameweek, Kind, Phase},
};

const POINTS: [&str; 6] = [
    "event_points",
    "points",
    "points_on_bench",
    "summary_event_points",
    "summary_overall_points",
    "total_points",
];
/// What no client can know of.
const NEW: &str = "seen_for_the_first_time";

/// The first half of the body.
pub(super) async fn cut(response: Response) -> Response {
    changed(response, |whole| whole.slice(..whole.len() / 2)).await
}

pub(super) async fn without_points(response: Response) -> Response {
    edited(response, &|object| object.retain(|field, _| !POINTS.contains(&field.as_str()))).await
}

pub(super) async fn with_new_fields(response: Response) -> Response {
    edited(response, &|object| {
        object.insert(NEW.into(), json!({ "values": [1, null, "two"] }));
    })
    .await
}

type Object = serde_json::Map<String, Value>;

/// The answer with `edit` done to each object in it, however deep.
async fn edited(response: Response, edit: &(dyn Fn(&mut Object) + Sync)) -> Response {
    changed(response, |whole| match serde_json::from_slice(&whole) {
        Ok(mut body) => {
            each_object(&mut body, edit);
            Bytes::from(body.to_string())
        }
        Err(_) => whole,
    })
    .await
}

fn each_object(value: &mut Value, edit: &dyn Fn(&mut Object)) {
    match value {
        Value::Object(object) => {
            object.values_mut().for_each(|value| each_object(value, edit));
            edit(object);
        }
        Value::Array(list) => list.iter_mut().for_each(|value| each_object(value, edit)),
        _ => {}
    }
}

/// The answer with another body; refusals stay as they are.
async fn changed(response: Response, change: impl FnOnce(Bytes) -> Bytes) -> Response {
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(whole) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(change(whole)))
}

/// Which gameweek is told of, and as of when, where `asked` is asked for: under `wrong_gameweek` the
/// one before (after the first, the second), with its final figures.
pub(super) fn shown(
    sim: &Sim,
    calendar: &Calendar,
    asked: Gameweek,
    now: Timestamp,
) -> (Gameweek, Timestamp) {
    if sim.faults().fpl != FplFault::WrongGameweek {
        return (asked, now);
    }
    let other = calendar.get(asked.number() - 1).or_else(|| calendar.get(asked.number() + 1));
    other.map_or((asked, now), |other| (other, now.max(other.checked())))
}

/// A gameweek's phase as it is told of: under `unfinal` the last one that was checked when that began is live
/// again, and none after it is checked.
pub(super) fn shown_phase(sim: &Sim, calendar: &Calendar, gameweek: Gameweek, now: Timestamp) -> Phase {
    let phase = gameweek.phase_at(now);
    let faults = sim.faults();
    let Some(since) = faults.unfinal_since.filter(|_| faults.fpl == FplFault::Unfinal) else { return phase };
    let last = last_in(calendar, Phase::Checked, since);
    match last.map_or(0, Gameweek::number).cmp(&gameweek.number()) {
        _ if phase != Phase::Checked => phase,
        Ordering::Greater => phase,
        Ordering::Equal => Phase::Live,
        Ordering::Less => Phase::Finished,
    }
}

/// Under `half_updated` the teams with an odd id have a point or two less in the last gameweek that
/// is finished than their players have scored (or more, where they have not so many).
pub(super) fn half_update(sim: &Sim, calendar: &Calendar, id: u64, weeks: &mut [Week], now: Timestamp) {
    if sim.faults().fpl != FplFault::HalfUpdated || id.is_multiple_of(2) {
        return;
    }
    let finished = last_in(calendar, Phase::Finished, now).filter(|week| week.kind() != Kind::Void);
    let Some(first) = weeks.iter().position(|week| Some(week.gameweek) == finished) else { return };
    let points = if id % 4 == 1 { 1 } else { 2 };
    let off = if weeks[first].points < points { points } else { -points };
    weeks[first].points += off;
    for week in &mut weeks[first..] {
        week.season_total += off;
    }
}

fn last_in(calendar: &Calendar, phase: Phase, now: Timestamp) -> Option<Gameweek> {
    calendar.locked_at(now).filter(|gameweek| gameweek.phase_at(now) >= phase).last()
}
