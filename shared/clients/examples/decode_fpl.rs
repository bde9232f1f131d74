//! Decodes recorded answers of the official API, each by its name's prefix, with the very code the
//! product uses: `cargo run -p clients --example decode_fpl -- <file or folder>…`.
//!
//! One line a file; exit status 1 when a file does not decode, or is of no known kind.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clients::fpl::{
    Bootstrap, Entry, EventStatus, Fixture, FplError, History, Live, Picks, decode, is_final,
};
use serde_json::{Value, json};

type Outcome = Result<String, String>;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if arguments.is_empty() {
        eprintln!("usage: decode_fpl <file or folder>…");
        return ExitCode::FAILURE;
    }
    let mut failures = 0;
    for file in arguments.iter().flat_map(|path| files(path)) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match report(&file, &name) {
            Ok(line) => println!("ok      {name}: {line}"),
            Err(line) => {
                failures += 1;
                println!("FAILED  {name}: {line}");
            }
        }
    }
    println!("{failures} failed");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The file itself, or the files right inside the folder, by name. What cannot be listed is given
/// back as it is, so that reading it says why.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(folder) = fs::read_dir(path) else {
        return vec![path.to_owned()];
    };
    let mut files: Vec<PathBuf> = folder
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn report(file: &Path, name: &str) -> Outcome {
    if [".csv", ".md"].iter().any(|end| name.ends_with(end)) {
        return Ok("skipped, not an answer of the API".into());
    }
    let body = fs::read(file).map_err(|error| error.to_string())?;
    let kind = name.split('.').next().unwrap_or_default();
    match kind {
        "bootstrap-static" => decoded(&body).map(|it| bootstrap(&it)),
        "fixtures" => decoded::<Vec<Fixture>>(&body).map(|it| format!("{} fixtures", it.len())),
        "event-status" => decoded(&body).map(|it| status(&it)),
        "entry" => decoded::<Entry>(&body).map(|it| format!("team {} {:?}", it.id, it.name)),
        "entry-history" => decoded(&body).map(|it| history(&it)),
        "picks" => decoded(&body).map(|it| picks(&it)),
        "event-live" => decoded(&body).map(|it| live(&it)),
        _ if kind.starts_with("league") => league(&body),
        _ => Err("no known kind of answer".into()),
    }
}

fn decoded<T: clients::fpl::Body>(body: &[u8]) -> Result<T, String> {
    decode(body).map_err(|error| match error {
        FplError::Malformed { reason } => reason,
        other => other.to_string(),
    })
}

fn bootstrap(bootstrap: &Bootstrap) -> String {
    let unknown = EventStatus { status: vec![], leagues: String::new() };
    let settled = (bootstrap.events.iter()).filter(|event| is_final(event, &unknown));
    format!(
        "{} gameweeks ({} surely final), {} footballers, {} clubs, {:?} players",
        bootstrap.events.len(),
        settled.count(),
        bootstrap.elements.len(),
        bootstrap.teams.len(),
        bootstrap.total_players,
    )
}

fn status(status: &EventStatus) -> String {
    let days = status.status.len();
    format!("{days} days, leagues {:?}", status.leagues)
}

fn history(history: &History) -> String {
    let net = |row: &clients::fpl::HistoryRow| row.points - row.event_transfers_cost;
    let total: i64 = history.current.iter().map(net).sum();
    let gameweeks = history.current.len();
    format!("{gameweeks} gameweeks, {total} points net, {} chips", history.chips.len())
}

fn picks(picks: &Picks) -> String {
    let row = &picks.entry_history;
    format!(
        "gameweek {}, {} picks, chip {:?}, {} automatic substitutions, {} points, cost {}, bench {}",
        row.event,
        picks.picks.len(),
        picks.active_chip,
        picks.automatic_subs.len(),
        row.points,
        row.event_transfers_cost,
        row.points_on_bench,
    )
}

fn live(live: &Live) -> String {
    let doubles = live.elements.iter().filter(|of| of.explain.len() > 1);
    let blanks = live.elements.iter().filter(|of| of.explain.is_empty());
    format!(
        "{} footballers, {} with two matches, {} with none",
        live.elements.len(),
        doubles.count(),
        blanks.count(),
    )
}

/// A file that wraps the answers of several teams: `entryData.{id}.{entry, history, picks.{gw}}`,
/// the history as its bare rows.
fn league(body: &[u8]) -> Outcome {
    let whole: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let teams = whole["entryData"].as_object().ok_or("it has no entryData")?;
    let (mut rows, mut squads) = (0, 0);
    for (id, team) in teams {
        let inside = |error: String| format!("team {id}: {error}");
        let entry = decoded::<Entry>(team["entry"].to_string().as_bytes()).map_err(inside)?;
        if entry.id.to_string() != *id {
            return Err(inside(format!("its entry is {}", entry.id)));
        }
        let wrapped = json!({"current": team["history"]}).to_string();
        rows += decoded::<History>(wrapped.as_bytes()).map_err(inside)?.current.len();
        let picks = team["picks"].as_object().ok_or_else(|| inside("it has no picks".into()))?;
        for picks in picks.values() {
            decoded::<Picks>(picks.to_string().as_bytes()).map_err(inside)?;
            squads += 1;
        }
    }
    Ok(format!("{} teams, {rows} gameweeks, {squads} squads", teams.len()))
}
