//! A phone's browser, as the push service knows it: the keys it subscribed with, which no push service would have. Here one
//! place plays both, so that it can show what the phone would.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};
use serde_json::{Value, json};
use uuid::Uuid;
use web_push_native::{
    Auth,
    p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint},
};

use crate::db::{Db, instant};

/// What a browser keeps of its own subscription.
pub struct Phone {
    pub id: String,
    secret: SecretKey,
    auth: [u8; 16],
    /// Whom it subscribed for: their public key in hex. Anybody, where it is empty.
    pub sender: String,
    pub gone: bool,
}

impl Phone {
    /// A phone that subscribes for now, by the sender's key.
    pub fn subscribe(db: &Db, sender: &str, now: Timestamp) -> anyhow::Result<Self> {
        let secret = loop {
            let random = [*Uuid::new_v4().as_bytes(), *Uuid::new_v4().as_bytes()].concat();
            if let Ok(key) = SecretKey::from_slice(&random) {
                break key;
            }
        };
        let auth = *Uuid::new_v4().as_bytes();
        let id = Uuid::new_v4().simple().to_string();
        let phone = Self { id, secret, auth, sender: sender.to_owned(), gone: false };
        db.write(|tx| {
            tx.execute(
                "INSERT INTO sim_phones (id, secret, auth, sender, gone, subscribed_ms) VALUES (?1, ?2, ?3, ?4, 0, ?5)",
                params![
                    phone.id,
                    &phone.secret.to_bytes()[..],
                    phone.auth,
                    phone.sender,
                    now.as_millisecond()
                ],
            )?;
            Ok(())
        })?;
        Ok(phone)
    }

    pub fn find(db: &Db, id: &str) -> anyhow::Result<Option<Self>> {
        let row = db.read(|connection| {
            connection
                .query_row("SELECT secret, auth, sender, gone FROM sim_phones WHERE id = ?1", [id], |row| {
                    Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, [u8; 16]>(1)?, row.get(2)?, row.get(3)?))
                })
                .optional()
        })?;
        let Some((secret, auth, sender, gone)) = row else { return Ok(None) };
        let secret = SecretKey::from_slice(&secret)?;
        Ok(Some(Self { id: id.to_owned(), secret, auth, sender, gone }))
    }

    /// Ends the subscription, as a browser does whose data are cleared.
    pub fn end(db: &Db, id: &str) -> anyhow::Result<bool> {
        db.write(|tx| Ok(tx.execute("UPDATE sim_phones SET gone = 1 WHERE id = ?1", [id])? > 0))
    }

    /// As `PushSubscription.toJSON()` has it; `origin` is where the push service is.
    pub fn told(&self, origin: &str) -> Value {
        let public = self.secret.public_key().to_encoded_point(false);
        json!({
            "endpoint": format!("{origin}/sim/push/{}", self.id),
            "expirationTime": null,
            "keys": { "p256dh": BASE64.encode(public.as_bytes()), "auth": BASE64.encode(self.auth) },
        })
    }

    /// What was sealed for this phone: a JSON object.
    pub fn open(&self, body: Vec<u8>) -> Option<Value> {
        let plain = web_push_native::decrypt(body, &self.secret, &Auth::from(self.auth)).ok()?;
        serde_json::from_slice(&plain).ok().filter(Value::is_object)
    }

    pub fn show(&self, db: &Db, notification: &Value, ttl: i64, now: Timestamp) -> anyhow::Result<()> {
        db.write(|tx| {
            tx.execute(
                "INSERT INTO sim_pushes (phone, notification, ttl, shown_ms) VALUES (?1, ?2, ?3, ?4)",
                params![self.id, notification.to_string(), ttl, now.as_millisecond()],
            )?;
            Ok(())
        })
    }
}

/// What phones show, or one of them: newest first.
pub fn shown(db: &Db, phone: Option<&str>) -> anyhow::Result<Vec<Value>> {
    let rows = db.read(|connection| {
        let mut select = connection.prepare_cached(
            "SELECT phone, notification, ttl, shown_ms FROM sim_pushes
             WHERE ?1 IS NULL OR phone = ?1 ORDER BY seq DESC LIMIT 1000",
        )?;
        let rows = select.query_map([phone], |row| {
            let notification: String = row.get(1)?;
            Ok((row.get::<_, String>(0)?, notification, row.get::<_, i64>(2)?, instant(row, 3)?))
        })?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    })?;
    let told = |(phone, notification, ttl, at): (String, String, i64, Timestamp)| {
        let notification: Value = serde_json::from_str(&notification)?;
        Ok(json!({ "phone": phone, "notification": notification, "ttl": ttl, "at": at }))
    };
    rows.into_iter().map(told).collect()
}
