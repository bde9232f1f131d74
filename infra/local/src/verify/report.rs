//! What was checked, line by line, and whether all of it holds.

use std::fmt;

/// So many that differ are named one by one.
const LISTED: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Holds { of: String, what: &'static str, found: String },
    Fails { of: String, what: &'static str, expected: String, found: String },
    Note(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub lines: Vec<Line>,
    /// How many entries and leagues the draw made, in all amounts.
    pub entries: usize,
    pub leagues: usize,
    /// What is so where all holds; of a draw where it is empty.
    pub shown: String,
}

impl Report {
    /// Whether there was something to check and all of it holds.
    pub fn holds(&self) -> bool {
        let (held, failed) = self.counts();
        held > 0 && failed == 0
    }

    /// What was checked and does not hold, with whose it is.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.lines.iter().filter_map(|line| match line {
            Line::Fails { of, what, .. } => Some((of.as_str(), *what)),
            _ => None,
        })
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Note(text.into()));
    }

    pub(super) fn holding(&mut self, of: &str, what: &'static str, found: impl fmt::Display) {
        self.lines.push(Line::Holds { of: of.to_owned(), what, found: found.to_string() });
    }

    pub(super) fn failing(
        &mut self,
        of: &str,
        what: &'static str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) {
        let (expected, found) = (expected.to_string(), found.to_string());
        self.lines.push(Line::Fails { of: of.to_owned(), what, expected, found });
    }

    /// Holds where the two are written alike.
    pub(super) fn compare(
        &mut self,
        of: &str,
        what: &'static str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) {
        let (expected, found) = (expected.to_string(), found.to_string());
        if expected == found {
            self.holding(of, what, found);
        } else {
            self.failing(of, what, expected, found);
        }
    }

    /// Holds where nothing of the `count` things is wrong (what is expected, what is found); of what is, the first
    /// are named one by one.
    pub(super) fn each(
        &mut self,
        of: &str,
        what: &'static str,
        (count, things): (usize, &str),
        wrong: &[(String, String)],
    ) {
        for (expected, found) in wrong.iter().take(LISTED) {
            self.failing(of, what, expected, found);
        }
        match wrong.len() {
            0 => self.holding(of, what, format!("{count} {things}")),
            wrong if wrong > LISTED => self.note(format!("{of}: {} more {things} differ", wrong - LISTED)),
            _ => {}
        }
    }

    fn counts(&self) -> (usize, usize) {
        let held = self.lines.iter().filter(|line| matches!(line, Line::Holds { .. })).count();
        (held, self.failures().count())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds { of, what, found } => write!(f, "ok    {of:<8} {what}: {found}"),
            Self::Fails { of, what, expected, found } => {
                write!(f, "FAIL  {of:<8} {what}: expected {expected}; found {found}")
            }
            Self::Note(text) => write!(f, "note  {text}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        let (held, failed) = self.counts();
        if self.holds() && !self.shown.is_empty() {
            write!(f, "yes: {} (checks: {held})", self.shown)
        } else if self.holds() {
            let (entries, leagues) = (self.entries, self.leagues);
            write!(
                f,
                "yes: the leagues are what the draw makes (leagues: {leagues}, entries: {entries}, checks: {held})"
            )
        } else {
            write!(f, "no: {failed} of {} checks fail", held + failed)
        }
    }
}
