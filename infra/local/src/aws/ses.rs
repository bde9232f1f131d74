//! SES: what the product sends goes to the outbox that `/sim` shows.

use std::collections::BTreeMap;

use clients::Clock;
use jiff::Timestamp;
use rusqlite::params;
use serde::Serialize;
use serde_json::{Value, json};

use super::reply::Reply;
use crate::world::db::{Db, lock};

#[derive(Clone)]
pub struct Outbox {
    db: Db,
    clock: Clock,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The addresses in `text`.
    pub links: Vec<String>,
    /// What the product has added to the usual ones.
    pub headers: BTreeMap<String, String>,
    #[serde(rename = "sentAt")]
    pub sent_at: Timestamp,
}

impl Outbox {
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock }
    }

    /// Mails to `to`, or all, newest first.
    pub fn list(&self, to: Option<&str>) -> anyhow::Result<Vec<Mail>> {
        let connection = lock(&self.db);
        let mut select = connection.prepare_cached(
            "SELECT recipient, subject, text, sent_at,
                 (SELECT json_group_object(name, value) FROM world_outbox_headers WHERE mail = id)
             FROM world_outbox
             WHERE ?1 IS NULL OR recipient = ?1 COLLATE NOCASE ORDER BY seq DESC LIMIT 1000",
        )?;
        let mails = select.query_map([to], |row| {
            let text: String = row.get(2)?;
            let headers: String = row.get(4)?;
            Ok((row.get(0)?, row.get(1)?, links(&text), text, row.get::<_, i64>(3)?, headers))
        })?;
        mails
            .map(|mail| {
                let (to, subject, links, text, sent_at, headers) = mail?;
                let headers = serde_json::from_str(&headers)?;
                Ok(Mail { to, subject, text, links, headers, sent_at: Timestamp::from_microsecond(sent_at)? })
            })
            .collect()
    }

    fn put(
        &self,
        to: &[&str],
        subject: &str,
        text: &str,
        headers: &[(&str, &str)],
    ) -> anyhow::Result<String> {
        let id = uuid::Uuid::new_v4().to_string();
        let now = self.clock.now().as_microsecond();
        let mut connection = lock(&self.db);
        let step = connection.transaction()?;
        for recipient in to {
            step.execute(
                "INSERT INTO world_outbox (id, recipient, subject, text, sent_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![id, recipient, subject, text, now],
            )?;
        }
        for (name, value) in headers {
            step.execute(
                "INSERT INTO world_outbox_headers (mail, name, value) VALUES (?1, ?2, ?3)",
                params![id, name, value],
            )?;
        }
        step.commit()?;
        Ok(id)
    }
}

/// `POST /v2/email/outbound-emails` with simple content.
pub fn answer(outbox: &Outbox, down: bool, body: &[u8]) -> Reply {
    if down {
        return Reply::failed(503, "ServiceUnavailableException", "The local email service is switched off.");
    }
    let Ok(input) = serde_json::from_slice::<Value>(body) else {
        return Reply::refused("BadRequestException", "The body is no JSON.");
    };
    let to: Vec<&str> = input["Destination"]["ToAddresses"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let content = &input["Content"]["Simple"];
    let (subject, text) = (content["Subject"]["Data"].as_str(), content["Body"]["Text"]["Data"].as_str());
    let (Some(subject), Some(text), false) = (subject, text, to.is_empty()) else {
        return Reply::refused(
            "BadRequestException",
            "The local run sends simple mails with a subject and a text.",
        );
    };
    let headers = content["Headers"].as_array().into_iter().flatten();
    let headers: Vec<(&str, &str)> =
        headers.filter_map(|header| header["Name"].as_str().zip(header["Value"].as_str())).collect();
    match outbox.put(&to, subject, text, &headers) {
        Ok(id) => Reply::ok(&json!({ "MessageId": id })),
        Err(error) => Reply::broken(&error),
    }
}

fn links(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "<>\"'()".contains(c))
        .filter(|word| word.starts_with("http://") || word.starts_with("https://"))
        .map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?']).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_out_of_their_sentences() {
        let text =
            "Open http://localhost:4000/reset-password/abc.\nOr <https://a.test/b?c=d>, (http://c.test)!";
        assert_eq!(
            links(text),
            ["http://localhost:4000/reset-password/abc", "https://a.test/b?c=d", "http://c.test"]
        );
    }
}
