//! Decodes recorded answers of the official API, each by its name's prefix, with the very code the
//! product uses: `cargo run -p clients --example decode_fpl -- <file or folder>…`.
//!
//! One line a file; exit status 1 when a file does not decode, or is of no known kind.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clients::fpl::{Body, Bootstrap, Entry, EventStatus, Fixture, FplError, History, Live, Picks, decode};
use serde_json::{Value, json};

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
    let Ok(folder) = fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn report(file: &Path, name: &str) -> Result<String, String> {
    if [".csv", ".md"].iter().any(|end| name.ends_with(end)) {
        return Ok("skipped, not an answer of the API".into());
    }
    let body = fs::read(file).map_err(|error| error.to_string())?;
    match name.split('.').next().unwrap_or_default() {
        "bootstrap-static" => decoded::<Bootstrap>(&body).map(|it| format!("{} gameweeks", it.events.len())),
        "fixtures" => decoded::<Vec<Fixture>>(&body).map(|it| format!("{} fixtures", it.len())),
        "event-status" => decoded::<EventStatus>(&body).map(|it| format!("{} days", it.status.len())),
        "entry" => decoded::<Entry>(&body).map(|it| format!("team {} {:?}", it.id, it.name)),
        "entry-history" => decoded::<History>(&body).map(|it| format!("{} gameweeks", it.current.len())),
        "picks" => decoded::<Picks>(&body).map(|it| format!("{} picks", it.picks.len())),
        "event-live" => decoded::<Live>(&body).map(|it| format!("{} footballers", it.elements.len())),
        kind if kind.starts_with("league") => league(&body),
        _ => Err("no known kind of answer".into()),
    }
}

fn decoded<T: Body>(body: &[u8]) -> Result<T, String> {
    decode(body).map_err(|error| match error {
        FplError::Malformed { reason } => reason,
        other => other.to_string(),
    })
}

/// A file that wraps the answers of several teams: `entryData.{id}.{entry, history, picks.{gw}}`,
/// the history as its bare rows.
fn league(body: &[u8]) -> Result<String, String> {
    let whole: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let teams = whole["entryData"].as_object().ok_or("it has no entryData")?;
    for (id, team) in teams {
        let inside = |error: String| format!("team {id}: {error}");
        let entry = decoded::<Entry>(team["entry"].to_string().as_bytes()).map_err(inside)?;
        if entry.id.to_string() != *id {
            return Err(inside(format!("its entry is {}", entry.id)));
        }
        let wrapped = json!({"current": team["history"]}).to_string();
        decoded::<History>(wrapped.as_bytes()).map_err(inside)?;
        let picks = team["picks"].as_object().ok_or_else(|| inside("it has no picks".into()))?;
        for picks in picks.values() {
            decoded::<Picks>(picks.to_string().as_bytes()).map_err(inside)?;
        }
    }
    Ok(format!("{} teams", teams.len()))
}
