//! Who the footballers of a season are, `FOOTBALLERS#season#part`, and why they have their points in a gameweek,
//! `GW#gameweek#WHY#part` / PART: by number, some hundreds in an item, so that a team is in a few items however many there
//! are. Shown and nothing else: what is missing here changes no figure.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    GameweekId,
    leagues::points::{Breakdown, Element},
};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::{
    Store, StoreError,
    platform::{concurrency, table::Key},
};

/// Footballers in one item.
const PART: Element = 512;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footballer {
    /// As on his shirt.
    pub name: String,
    /// His club's number and the three letters it is known by.
    pub club: u8,
    #[serde(rename = "short")]
    pub club_name: String,
}

pub type Footballers = BTreeMap<Element, Footballer>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    part: Element,
    /// Number, name, club and its letters, one a line: short beside a map for each.
    names: String,
}

#[derive(Serialize, Deserialize)]
struct Explained {
    why: ByteBuf,
}

fn names_key(season: u16, part: Element) -> Key {
    Key::new(format!("FOOTBALLERS#{season}#{part}"), "PART")
}

fn why_key(gameweek: GameweekId, part: Element) -> Key {
    Key::new(format!("GW#{gameweek}#WHY#{part}"), "PART")
}

fn parts_of(elements: &[Element]) -> BTreeSet<Element> {
    elements.iter().map(|element| element / PART).collect()
}

fn written(footballers: &Footballers) -> BTreeMap<Element, Named> {
    let mut parts: BTreeMap<Element, Named> = BTreeMap::new();
    for (element, Footballer { name, club, club_name }) in footballers {
        let part = element / PART;
        let named = parts.entry(part).or_insert_with(|| Named { part, names: String::new() });
        let (name, club_name) = (name.replace(['\t', '\n'], " "), club_name.replace(['\t', '\n'], " "));
        named.names.push_str(&format!("{element}\t{club}\t{club_name}\t{name}\n"));
    }
    parts
}

fn read(names: &str) -> impl Iterator<Item = (Element, Footballer)> + '_ {
    names.lines().filter_map(|line| {
        let mut fields = line.splitn(4, '\t');
        let (element, club) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let (club_name, name) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        Some((element, Footballer { name, club, club_name }))
    })
}

impl Store {
    /// Keeps who the footballers are: what is kept already is not written again.
    pub async fn keep_footballers(&self, season: u16, footballers: &Footballers) -> Result<(), StoreError> {
        let parts = written(footballers);
        let keys = parts.keys().map(|part| names_key(season, *part)).collect();
        let kept: Vec<Named> = self.get_many("footballers", keys).await?;
        let new = parts.into_iter().filter(|(_, named)| !kept.contains(named));
        let put = |(part, named): (Element, Named)| self.put(names_key(season, part).item(&named));
        concurrency::try_map(new, put).await.map(drop)
    }

    /// Who these are; whoever is not on the official list is missing.
    pub async fn footballers(&self, season: u16, elements: &[Element]) -> Result<Footballers, StoreError> {
        let keys = parts_of(elements).into_iter().map(|part| names_key(season, part)).collect();
        let parts: Vec<Named> = self.get_many("footballers", keys).await?;
        let all = parts.iter().flat_map(|part| read(&part.names));
        Ok(all.filter(|(element, _)| elements.contains(element)).collect())
    }

    /// Keeps why everybody has the points of a reading.
    pub async fn keep_breakdown(&self, gameweek: GameweekId, why: Breakdown) -> Result<(), StoreError> {
        let put = |(part, why): (Element, Breakdown)| {
            let why = ByteBuf::from(why.pack());
            self.put(why_key(gameweek, part).item(&Explained { why }))
        };
        concurrency::try_map(why.parts(PART), put).await.map(drop)
    }

    /// Why these have their points, as far as it is kept.
    pub async fn breakdown(
        &self,
        gameweek: GameweekId,
        elements: &[Element],
    ) -> Result<Breakdown, StoreError> {
        let keys = parts_of(elements).into_iter().map(|part| why_key(gameweek, part)).collect();
        let parts: Vec<Explained> = self.get_many("why", keys).await?;
        let mut all = Breakdown::default();
        for part in parts {
            let part = Breakdown::unpack(&part.why)
                .map_err(|error| StoreError::Refused(format!("the points of {gameweek}: {error}")))?;
            all.extend(part);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_out_as_they_went_in_in_items_of_a_few_kilobytes() {
        let one = |n: Element| {
            let name = if n == 3 { "João\tPedro".to_owned() } else { format!("Van der Somebody{n}") };
            (n, Footballer { name, club: 20, club_name: "WOL".to_owned() })
        };
        let footballers: Footballers = (1..=800).map(one).collect();
        let parts = written(&footballers);
        assert_eq!(parts.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert!(parts.values().all(|part| part.names.len() < 20 * 1024));
        let again: Footballers = parts.values().flat_map(|part| read(&part.names)).collect();
        assert_eq!(again[&3].name, "João Pedro");
        assert_eq!(again.len(), 800);
        assert!(again.iter().all(|(n, of)| *n == 3 || footballers[n] == *of));
    }
}
