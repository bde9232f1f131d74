//! Why a footballer has the points: what the official game counted, line by line, and the bonus that would come if
//! nothing changed any more. It only explains: no money hangs on it, and the points themselves are kept elsewhere.

use std::collections::BTreeMap;

use super::{
    Element,
    footballers::{put, take},
};

/// What a line of an explanation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Minutes,
    Goals,
    Assists,
    CleanSheets,
    GoalsConceded,
    OwnGoals,
    PenaltiesSaved,
    PenaltiesMissed,
    YellowCards,
    RedCards,
    Saves,
    Bonus,
    DefensiveContribution,
    /// Something that the official game began to count after this was written.
    Other,
}

impl Deed {
    /// New ones are added at the end: what is kept names them by their place.
    pub const ALL: [Self; 14] = [
        Self::Minutes,
        Self::Goals,
        Self::Assists,
        Self::CleanSheets,
        Self::GoalsConceded,
        Self::OwnGoals,
        Self::PenaltiesSaved,
        Self::PenaltiesMissed,
        Self::YellowCards,
        Self::RedCards,
        Self::Saves,
        Self::Bonus,
        Self::DefensiveContribution,
        Self::Other,
    ];

    /// The official game's name of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minutes => "minutes",
            Self::Goals => "goals_scored",
            Self::Assists => "assists",
            Self::CleanSheets => "clean_sheets",
            Self::GoalsConceded => "goals_conceded",
            Self::OwnGoals => "own_goals",
            Self::PenaltiesSaved => "penalties_saved",
            Self::PenaltiesMissed => "penalties_missed",
            Self::YellowCards => "yellow_cards",
            Self::RedCards => "red_cards",
            Self::Saves => "saves",
            Self::Bonus => "bonus",
            Self::DefensiveContribution => "defensive_contribution",
            Self::Other => "other",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|deed| deed.name() == name).unwrap_or(Self::Other)
    }
}

/// So much of something, and what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub deed: Deed,
    /// Minutes, goals, cards, …
    pub count: u16,
    /// What they count together, in points.
    pub points: i16,
}

/// What one footballer's points are made of, over all matches of the gameweek.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Why {
    pub lines: Vec<Line>,
    /// Bonus points that are not counted yet.
    pub provisional_bonus: u8,
}

impl Why {
    #[must_use]
    pub fn points(&self) -> i32 {
        self.lines.iter().map(|line| i32::from(line.points)).sum()
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.provisional_bonus == 0
    }

    fn add(&mut self, line: Line) {
        match self.lines.iter_mut().find(|known| known.deed == line.deed) {
            Some(known) => {
                known.count = known.count.saturating_add(line.count);
                known.points = known.points.saturating_add(line.points);
            }
            None => self.lines.push(line),
        }
    }
}

/// One footballer in the matches of a gameweek, as the official game explains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    pub element: Element,
    /// The official measure by which bonus points are given, over all matches.
    pub bonus_measure: i32,
    /// By match.
    pub matches: Vec<(u32, Vec<Line>)>,
}

impl Explained {
    /// The matches in which they were on the pitch.
    fn played_in(&self) -> impl Iterator<Item = u32> + '_ {
        let minutes = |lines: &[Line]| lines.iter().any(|line| line.deed == Deed::Minutes && line.count > 0);
        self.matches.iter().filter(move |(_, lines)| minutes(lines)).map(|(fixture, _)| *fixture)
    }
}

/// The same measure as the matches tell it: by match and footballer.
pub type BonusMeasures = BTreeMap<(u32, Element), i32>;

/// Why everybody has the points that they have: of a whole gameweek, or of a part of the footballers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breakdown {
    by_element: BTreeMap<Element, Why>,
}

/// A packed explanation that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a packed explanation of points")]
pub struct NotABreakdown;

impl Breakdown {
    #[must_use]
    pub fn new(explained: &[Explained], measures: &BonusMeasures) -> Self {
        let mut by_element: BTreeMap<Element, Why> = BTreeMap::new();
        for one in explained {
            let why = by_element.entry(one.element).or_default();
            // A line of nothing explains nothing.
            let lines = one.matches.iter().flat_map(|(_, lines)| lines);
            lines.filter(|line| line.count > 0 || line.points != 0).for_each(|line| why.add(*line));
        }
        for (element, bonus) in provisional_bonus(explained, measures) {
            let why = by_element.entry(element).or_default();
            why.provisional_bonus = why.provisional_bonus.saturating_add(bonus);
        }
        by_element.retain(|_, why| !why.is_empty());
        Self { by_element }
    }

    #[must_use]
    pub fn of(&self, element: Element) -> Option<&Why> {
        self.by_element.get(&element)
    }

    /// In parts of `size` numbers each, by the part's number: what is kept in one item.
    #[must_use]
    pub fn parts(self, size: Element) -> BTreeMap<Element, Self> {
        let mut parts: BTreeMap<Element, Self> = BTreeMap::new();
        for (element, why) in self.by_element {
            parts.entry(element / size).or_default().by_element.insert(element, why);
        }
        parts
    }

    pub fn extend(&mut self, other: Self) {
        self.by_element.extend(other.by_element);
    }

    /// For each footballer the distance from the one before, the bonus, how many lines, and these; about ten bytes.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for (element, why) in &self.by_element {
            put(&mut bytes, u32::from(element - before));
            put(&mut bytes, u32::from(why.provisional_bonus));
            put(&mut bytes, u32::try_from(why.lines.len()).unwrap_or(u32::MAX));
            for line in &why.lines {
                put(&mut bytes, line.deed as u32);
                put(&mut bytes, u32::from(line.count));
                let points = i32::from(line.points);
                put(&mut bytes, (points << 1 ^ points >> 31).cast_unsigned());
            }
            before = *element;
        }
        bytes
    }

    /// # Errors
    /// It is not what [`Breakdown::pack`] made.
    pub fn unpack(mut bytes: &[u8]) -> Result<Self, NotABreakdown> {
        let mut by_element = BTreeMap::new();
        let mut before: Element = 0;
        let bytes = &mut bytes;
        while !bytes.is_empty() {
            let element = before.checked_add(small(bytes)?).ok_or(NotABreakdown)?;
            let provisional_bonus = small(bytes)?;
            let lines = (0..small::<u8>(bytes)?).map(|_| line(bytes)).collect::<Result<_, _>>()?;
            by_element.insert(element, Why { lines, provisional_bonus });
            before = element;
        }
        Ok(Self { by_element })
    }
}

fn line(bytes: &mut &[u8]) -> Result<Line, NotABreakdown> {
    let deed = *Deed::ALL.get(small::<usize>(bytes)?).ok_or(NotABreakdown)?;
    let count = small(bytes)?;
    let folded = small::<u32>(bytes)?;
    let points = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
    Ok(Line { deed, count, points: i16::try_from(points).map_err(|_| NotABreakdown)? })
}

fn small<T: TryFrom<u32>>(bytes: &mut &[u8]) -> Result<T, NotABreakdown> {
    let value = take(bytes).map_err(|_| NotABreakdown)?;
    T::try_from(value).map_err(|_| NotABreakdown)
}

/// The bonus of matches that have none counted yet, as it would be given now: 3, 2 and 1 to the best three, equals alike.
fn provisional_bonus(explained: &[Explained], measures: &BonusMeasures) -> Vec<(Element, u8)> {
    let mut by_match: BTreeMap<u32, Vec<&Explained>> = BTreeMap::new();
    for one in explained {
        for fixture in one.played_in() {
            by_match.entry(fixture).or_default().push(one);
        }
    }
    let counted = |one: &&Explained, fixture: u32| {
        let lines = one.matches.iter().filter(|(of, _)| *of == fixture).flat_map(|(_, lines)| lines);
        lines.into_iter().any(|line| line.deed == Deed::Bonus && line.points != 0)
    };
    let mut given = Vec::new();
    for (fixture, players) in by_match {
        if players.iter().any(|one| counted(one, fixture)) {
            continue;
        }
        let measured = players.iter().map(|one| Some((one.element, measure(one, fixture, measures)?)));
        let Some(mut measured) = measured.collect::<Option<Vec<_>>>() else { continue };
        measured.retain(|(_, measure)| *measure > 0);
        for (element, measure) in &measured {
            let better = measured.iter().filter(|(_, other)| other > measure).count();
            if let Some(bonus) = [3, 2, 1].get(better) {
                given.push((*element, *bonus));
            }
        }
    }
    given
}

/// A footballer's bonus measure in match `fixture`. If the match reports none for anybody, the measure over the
/// gameweek is used; `None` if he played several matches.
fn measure(one: &Explained, fixture: u32, measures: &BonusMeasures) -> Option<i32> {
    let told = measures.range((fixture, 0)..=(fixture, Element::MAX)).next().is_some();
    match one.played_in().count() {
        _ if told => Some(measures.get(&(fixture, one.element)).copied().unwrap_or_default()),
        1 => Some(one.bonus_measure),
        _ => None,
    }
}

#[cfg(test)]
#[path = "breakdown_tests.rs"]
mod tests;
