//! Finding a player by the beginning of a name, a mail, a team's number, or by the end of a phone number:
//! claims and numbers carry a place on the sparse index `lists`, one list for each first letter.

use std::collections::BTreeSet;

use domain::{FplId, MpesaPhone, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{partition, profile_key},
        players::{Player, TeamClaim},
    },
    platform::{
        table::{Item, Key, parse, s},
        writes::Put,
    },
};

const INDEX: &str = "lists";

/// By what a player is looked for; each with what it begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// In lower case.
    Name(String),
    /// In lower case.
    Email(String),
    /// Digits of a team's number in a season.
    Team(u16, String),
    /// The last digits of a phone number.
    PhoneEnd(String),
}

/// A number that a player has paid from, or asked to be paid at.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Phone {
    user_id: UserId,
    phone: MpesaPhone,
}

impl Lookup {
    /// The list, and the beginning of the positions on it.
    fn place(&self) -> (String, String) {
        let (list, text) = match self {
            Self::Name(text) => ("NAMES".to_owned(), text.clone()),
            Self::Email(text) => ("EMAILS".to_owned(), text.clone()),
            Self::Team(season, text) => (format!("TEAMS#{season}"), text.clone()),
            Self::PhoneEnd(text) => ("PHONES".to_owned(), text.chars().rev().collect()),
        };
        let first: String = text.chars().take(1).collect();
        (format!("{list}#{first}"), text)
    }

    /// `item` where it is found by this; `unique` parts what may be the same for several.
    fn of(&self, mut item: Item, unique: &str) -> Item {
        let (list, text) = self.place();
        item.insert("listPk".to_owned(), s(list));
        item.insert("listSk".to_owned(), s(format!("{text}{unique}")));
        item
    }
}

pub(crate) fn found_by(by: &Lookup, item: Item) -> Item {
    by.of(item, "")
}

pub(crate) fn by_team(season: u16, fpl_id: FplId) -> Lookup {
    Lookup::Team(season, fpl_id.to_string())
}

impl Store {
    /// For the transaction that uses it: the player's number, whether it was known before or not.
    pub(crate) fn phone_of(&self, player: &UserId, phone: &MpesaPhone) -> Put {
        let key = Key::new(partition(player), format!("PHONE#{}", phone.as_str()));
        let item = key.item(&Phone { user_id: player.clone(), phone: phone.clone() });
        let item = Lookup::PhoneEnd(phone.as_str().to_owned()).of(item, &format!("#{player}"));
        Put::over(item)
    }

    /// The numbers that a player has paid from or asked to be paid at.
    pub async fn phones_of(&self, player: &UserId) -> Result<Vec<MpesaPhone>, StoreError> {
        let phones: Vec<Phone> = self.all("phone", &partition(player), "PHONE#").await?;
        Ok(phones.into_iter().map(|phone| phone.phone).collect())
    }

    /// Who is found by it, in order of what was looked for: at most `limit`.
    pub async fn find_players(&self, by: &Lookup, limit: i32) -> Result<Vec<UserId>, StoreError> {
        let (list, text) = by.place();
        let query = self
            .client
            .query()
            .table_name(&self.name)
            .index_name(INDEX)
            .key_condition_expression("listPk = :list AND begins_with(listSk, :text)")
            .expression_attribute_values(":list", s(list))
            .expression_attribute_values(":text", s(text))
            .limit(limit);
        let items = query.send().await?.items.unwrap_or_default().into_iter();
        items.map(|item| parse::<TeamClaim>("claim", item).map(|claim| claim.user_id)).collect()
    }

    /// These accounts, each once, in the order in which they are named first; whoever is erased is left out.
    pub async fn players(&self, ids: &[UserId]) -> Result<Vec<Player>, StoreError> {
        let mut named = BTreeSet::new();
        let keys = ids.iter().filter(|id| named.insert(*id)).map(profile_key);
        self.get_in_order("player", keys.collect()).await
    }
}
