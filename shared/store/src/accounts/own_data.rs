//! Everything that is held about a player, for the player: each item as it is kept, but for secrets, our keys and our
//! indexes (`platform::kinds` says what is shown). What lies elsewhere and is the player's comes beside what points to it.

use std::collections::BTreeSet;

use domain::{EntryAmount, MpesaPhone, UserId};
use serde_json::{Map, Value};

use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    entries,
    leagues::draws,
    ledger::wallets::StoredPosting,
    payments::{
        self,
        events::{EVENTS, Subject},
        numbers, paybill, receipts,
    },
    platform::{
        concurrency::try_map,
        kinds::kind_of_item,
        table::{Item, Key, Range, parse, text},
    },
    withdrawals,
};

/// What only we need of an item: where it lies and where it is listed.
const OURS: [&str; 8] = ["pk", "sk", "listPk", "listSk", "dayPk", "daySk", "ttl", "version"];

/// One thing that is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// As docs/privacy.md names it: the beginnings of its keys, `USER#/POST#`.
    pub kind: String,
    /// What it is called there.
    pub key: String,
    pub what: Value,
}

impl Store {
    /// A page of what is held about a player, after the own item with the key `after`.
    pub async fn held_about(
        &self,
        player: &UserId,
        after: Option<&str>,
        limit: i32,
    ) -> Result<Page<Held>, StoreError> {
        let pk = partition(player);
        let range = Range { pk: &pk, prefix: "", after, newest_first: false, limit };
        let page = self.range_of_items(range).await?;
        let mut keys = BTreeSet::new();
        for item in &page.items {
            keys.extend(points_to(player, item)?.into_iter().map(|key| (key.pk, key.sk)));
        }
        let subjects: Vec<String> = page.items.iter().filter_map(heard_of).collect();
        let heard = try_map(subjects, |pk| async move { self.all_items(&pk, EVENTS).await }).await?;
        let heard = heard.into_iter().flatten();
        let elsewhere = self.get_items(keys.into_iter().map(|(pk, sk)| Key::new(pk, sk)).collect()).await?;
        let own = |item: &Item| {
            let whose = text(item, "userId");
            whose.is_none_or(|whose| whose == player.as_str())
        };
        let items = page.items.into_iter().chain(elsewhere.into_iter().filter(own)).chain(heard);
        let held = items.filter_map(|item| held(item).transpose()).collect::<Result<_, _>>()?;
        Ok(Page { items: held, cursor: page.cursor })
    }

    /// What admins and the operator have done to a player and to what is theirs, the last so many.
    pub async fn held_acts(&self, player: &UserId, limit: i32) -> Result<Vec<Held>, StoreError> {
        let acts = self.acts_on(player, limit).await?.into_iter();
        Ok(acts
            .map(|act| Held {
                kind: "AUDIT#".to_owned(),
                key: act.id.clone(),
                what: serde_json::json!({
                    "at": act.at, "what": act.what, "on": act.on, "before": act.before, "after": act.after,
                    "reason": act.reason,
                }),
            })
            .collect())
    }
}

/// `None`: it is a secret, or of a kind that nobody has said may be shown.
fn held(item: Item) -> Result<Option<Held>, StoreError> {
    let Some((kind, hidden)) = kind_of_item(&item).and_then(|kind| Some((kind, kind.hidden?))) else {
        return Ok(None);
    };
    let key = text(&item, "sk").unwrap_or_default();
    let what: Value = parse("item", item)?;
    Ok(Some(Held { kind: format!("{}/{}", kind.pk, kind.sk), key, what: without(what, hidden) }))
}

/// Without what is ours or secret, at any depth.
fn without(value: Value, hidden: &[&str]) -> Value {
    match value {
        Value::Object(fields) => {
            let shown = |name: &String| !OURS.contains(&name.as_str()) && !hidden.contains(&name.as_str());
            let fields = fields.into_iter().filter(|(name, _)| shown(name));
            Value::Object(fields.map(|(name, value)| (name, without(value, hidden))).collect::<Map<_, _>>())
        }
        Value::Array(list) => list.into_iter().map(|value| without(value, hidden)).collect(),
        other => other,
    }
}

/// Where what was heard of an own item's payment or payout is.
fn heard_of(item: &Item) -> Option<String> {
    let sk = text(item, "sk")?;
    if sk.starts_with("PAYMENT#") {
        return Some(Subject::Payment(&text(item, "checkoutId")?).partition());
    }
    sk.strip_prefix("POST#withdrawal#").map(|id| Subject::Withdrawal(id).partition())
}

/// What an own item names that lies elsewhere.
fn points_to(player: &UserId, item: &Item) -> Result<Vec<Key>, StoreError> {
    let sk = text(item, "sk").unwrap_or_default();
    let mut keys = Vec::new();
    if sk.starts_with("PAYMENT#") {
        keys.extend(text(item, "checkoutId").map(|id| payments::prompts::key(&id)));
    } else if sk.starts_with("MANUAL#") {
        keys.extend(payments::typed_codes::pointed_at(item.clone())?);
    } else if sk.starts_with("PHONE#") {
        let phone: Option<MpesaPhone> = text(item, "phone").and_then(|p| MpesaPhone::for_withdrawal(&p).ok());
        keys.extend(phone.as_ref().map(numbers::key));
    } else if sk.starts_with("POST#") {
        let posting: StoredPosting = parse("posting", item.clone())?;
        if let Some(code) = &posting.receipt {
            keys.push(receipts::key(code));
            keys.push(paybill::key(code));
        }
        if let Some(id) = posting.cause.strip_prefix("withdrawal#") {
            keys.push(withdrawals::key(id));
        }
        let amount = posting.entry_amount.and_then(|amount| EntryAmount::try_from(amount.get()).ok());
        let gameweek = posting.cause.strip_prefix("entry#").and_then(|gameweek| gameweek.parse().ok());
        if let (Some(gameweek), Some(amount), Some(id)) = (gameweek, amount, &posting.entry_id) {
            keys.push(entries::key_of(gameweek, amount, player, id));
            keys.push(draws::unplaced_key(gameweek, amount, id));
        }
    }
    Ok(keys)
}
