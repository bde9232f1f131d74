//! Entries that are paid for in time. While neither M-Pesa nor the database has a fault, the product hears of what was paid:
//! after a minute it asks, whatever becomes of the callback. So an entry whose prompt was paid is made a little later, unless
//! the model itself sees why it may not be. Where such a fault is on in these minutes, nothing is demanded.

use std::{slice, sync::atomic::Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Year, steps::Reply};
use crate::support::Answer;

/// So long after a payment its entry is made, in seconds: a message that fails once comes again before.
const MADE_AFTER: i64 = 900;

/// Which faults are on that can keep the product from hearing of a payment.
#[derive(Default)]
pub struct Faulty {
    database: bool,
    mpesa: bool,
}

/// A prompt for an entry that was paid while all was well: the receipt, by whom, and when (in seconds).
pub struct PaidEntry {
    receipt: String,
    player: usize,
    at: i64,
}

impl Year {
    /// Whether M-Pesa and the database work as they should.
    pub fn is_well(&self) -> bool {
        let faulty = self.faulty.lock().unwrap();
        !faulty.database && !faulty.mpesa
    }

    /// Takes down which faults are on from here. What was paid just before they came may not be heard of in time.
    pub fn note_faults(&self, faults: &Value) {
        let mut faulty = self.faulty.lock().unwrap();
        if let Some(database) = faults.get("dynamodb") {
            faulty.database = *database != json!({});
        }
        if let Some(mpesa) = faults.get("daraja") {
            faulty.mpesa = *mpesa != "none";
        }
        if faulty.database || faulty.mpesa {
            self.paid_entries.lock().unwrap().clear();
        }
    }

    /// Takes down that a player may be in the gameweek for so much, unless each answer has refused it.
    pub fn note_asked(&self, who: usize, stake: i64, answers: &[Answer]) {
        if answers.iter().any(|answer| !answer.status.is_client_error()) {
            self.model().ask(self.week(), who, stake);
        }
    }

    /// A gameweek is entered by a prompt.
    pub async fn enter(&self, who: usize, stake: i64, reply: &Reply) {
        let (player, asked_at) = (&self.players[who], self.now());
        let body = json!({"phone": player.phone, "amount": stake, "fplId": player.fpl_id,
            "entryAmount": stake, "gameweek": self.week()});
        let asked = self.prompted(who, "/api/pay", (body, None), reply).await;
        self.note_asked(who, stake, slice::from_ref(&asked));
        let last = player.last.lock().unwrap().clone();
        let paid = last.filter(|paid| asked.status == 200 && asked.body["checkoutId"] == *paid.payment);
        let Some(receipt) = paid.map(|paid| paid.receipt) else { return };
        let own = self.model().received.get(&receipt).is_some_and(|one| {
            // The prompt was on the phone for a minute.
            one.owner == who && one.payer == who && one.amount == stake && one.at <= asked_at + 150
        });
        let at = self.now();
        // A callback with another amount puts the payment before an admin.
        if own && reply.lie.is_none() && self.is_well() {
            self.paid_entries.lock().unwrap().push(PaidEntry { receipt, player: who, at });
        }
    }

    /// What was paid for long enough ago has made its entry: its player is shown it. They may have entered in another way
    /// just before, and be in it by that.
    pub async fn look_for_entries(&self) {
        let (now, week) = (self.now(), self.week());
        let paid = std::mem::take(&mut *self.paid_entries.lock().unwrap());
        let (due, later): (Vec<_>, Vec<_>) = paid.into_iter().partition(|one| now >= one.at + MADE_AFTER);
        *self.paid_entries.lock().unwrap() = later;
        for PaidEntry { receipt, player, .. } in due {
            if self.void.load(Ordering::Relaxed) || self.model().may_make_no_entry(week, player, &receipt) {
                continue;
            }
            let path = "/api/me/entries";
            let shown = self.players[player].send(self, Method::GET, path, None, None).await;
            if shown.status != 200 {
                continue;
            }
            let mut entries = shown.body["entries"].as_array().into_iter().flatten();
            let entry = entries.find(|entry| entry["number"] == week);
            let stake = entry.and_then(|entry| entry["amount"].as_i64());
            let name = self.players[player].name();
            let Some(stake) = stake else { panic!("{name} paid {receipt} in time, and is not in {week}") };
            assert!(self.model().has_asked(week, player, stake), "{name} is in {week} for {stake}, unasked");
            self.model().enters(week, player, stake);
            self.tally().in_time += 1;
        }
    }
}
