//! Whose entries they are: the lines that the list's hash is over, made of what the leagues show.

use std::collections::BTreeSet;

use domain::leagues::entry_line::{self, EntryLine};

use super::{AmountDraw, League, Member, Report};

/// Every entry of an amount, from all leagues and the one without.
pub(super) struct Listed<'a> {
    pub ids: BTreeSet<String>,
    pub lines: Vec<EntryLine>,
    members: Vec<&'a Member>,
}

impl<'a> Listed<'a> {
    pub(super) fn of(of: &str, draw: &AmountDraw, leagues: &'a [League], report: &mut Report) -> Self {
        let members: Vec<&Member> = leagues.iter().flat_map(|league| &league.users).collect();
        let known = members.iter().filter_map(|member| member.entry_id.clone());
        let ids: Vec<String> = known.chain(draw.alone.clone()).collect();
        let nameless = members.iter().filter(|member| member.entry_id.is_none()).count();
        report.compare(of, "members without an entry's id", 0, nameless);
        let distinct: BTreeSet<String> = ids.iter().cloned().collect();
        report.compare(of, "entries that are there twice", 0, ids.len() - distinct.len());
        let alone = draw.alone_line.as_deref().and_then(|line| line.parse::<EntryLine>().ok());
        let alone = alone.filter(|line| Some(&line.entry_id) == draw.alone.as_ref());
        // A league that is told twice is found as that, and by nothing else.
        let lines: BTreeSet<EntryLine> =
            members.iter().filter_map(|member| line(member)).chain(alone).collect();
        Self { ids: distinct, lines: lines.into_iter().collect(), members }
    }

    /// Every name that is shown is the one that was hashed: nobody's stands in the place of another's.
    pub(super) fn check_names(&self, of: &str, report: &mut Report) {
        let what = "each name that is shown is the one in the list";
        let is_hashed = |member: &Member, name: &str| {
            let salt = member.salt.as_deref().unwrap_or_default();
            member.name_hash.as_deref() == Some(entry_line::hash_of(salt, name).as_str())
        };
        let wrong = self.members.iter().filter_map(|member| {
            // An account that is closed shows no name, and its line stands all the same.
            let name = member.username.as_deref().filter(|name| !name.is_empty())?;
            let entry = member.entry_id.as_deref().unwrap_or("none");
            let expected = || format!("entry {entry} with the name whose hash the list has");
            (!is_hashed(member, name)).then(|| (expected(), name.to_owned()))
        });
        let wrong: Vec<_> = wrong.collect();
        report.each(of, what, (self.members.len(), "names"), &wrong);
    }
}

/// A member as the list has it; `None` where something of it is not shown.
fn line(member: &Member) -> Option<EntryLine> {
    Some(EntryLine {
        entry_id: member.entry_id.clone()?,
        fpl_id: member.fpl_id.clone(),
        name_hash: member.name_hash.clone()?,
    })
}

/// The lines that somebody kept from joining on: each is among `everybody`'s as it was.
pub(super) fn check_wanted(wanted: &[EntryLine], everybody: &BTreeSet<String>, report: &mut Report) {
    let what = "your entry is in the list, as it was shown to you";
    for line in wanted {
        let line_text = line.to_string();
        if everybody.contains(&line_text) {
            report.holding("yours", what, line_text);
            continue;
        }
        let altered = everybody.iter().find(|other| other.starts_with(&line.entry_id));
        let found = altered.cloned().unwrap_or_else(|| "no entry with this id".to_owned());
        report.failing("yours", what, line_text, found);
    }
}
