//! What was measured, gathered while it is done and printed as one table in the end.

use std::sync::{Mutex, PoisonError};

/// A line of the table.
pub struct Row {
    pub what: String,
    pub ours: String,
    /// The same of what it is compared with, in the same run, and how many times better ours is, where that says something.
    pub rival: Option<(String, Option<f64>)>,
    pub goal: String,
    pub kept: bool,
}

static ROWS: Mutex<Vec<Row>> = Mutex::new(Vec::new());

/// Adds a line; answers whether its goal is kept.
pub fn add(row: Row) -> bool {
    let kept = row.kept;
    ROWS.lock().unwrap_or_else(PoisonError::into_inner).push(row);
    kept
}

pub fn print() {
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    println!("\n{:<52} {:>14} {:>14} {:>8}  goal", "", "ours", "compared with", "ratio");
    for Row { what, ours, rival, goal, kept } in rows.iter() {
        let (rival, ratio) = rival.as_ref().map_or(("", None), |(rival, ratio)| (rival.as_str(), *ratio));
        let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}×"));
        let verdict = if *kept { "" } else { ": MISSED" };
        println!("{what:<52} {ours:>14} {rival:>14} {ratio:>8}  {goal}{verdict}");
    }
}
