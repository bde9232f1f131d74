//! An honest admin's desk: what waits is looked at, and decided by what M-Pesa says and by the rules.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::model::Entrant;

use crate::support::{World, gameweek::DAY, text};

/// All that waits, on the next day: the books have been read in the night.
pub async fn work(world: &World, entrants: &[Entrant]) {
    world.advance(DAY + 600).await;
    codes(world, entrants).await;
    withdrawals(world, entrants).await;
}

/// A code is confirmed where M-Pesa knows it as paid from the player's own number, and rejected otherwise.
async fn codes(world: &World, entrants: &[Entrant]) {
    let own: BTreeMap<String, String> =
        entrants.iter().map(|entrant| (entrant.person.id.clone(), entrant.person.phone())).collect();
    let admin = world.admin().await;
    for code in admin.get("/api/manual-payment/pending").await.expect(200).as_array().unwrap() {
        let (id, known) = (text(code, "_id"), &code["known"]);
        let theirs = known["completed"] == true && known["payerPhone"] == own[&text(code, "userId")].as_str();
        let (path, body) = if theirs {
            ("confirm", json!({"paymentId": id, "amount": known["amount"]}))
        } else {
            ("reject", json!({"paymentId": id}))
        };
        admin.post(&format!("/api/manual-payment/{path}"), body).await.expect(200);
    }
    world.advance(60).await;
}

/// What goes to the player's own number is paid; anything else waits for its day, and for its owner's word.
async fn withdrawals(world: &World, entrants: &[Entrant]) {
    let admin = world.admin().await;
    for one in pending(&admin.get("/api/withdraw").await.expect(200)) {
        let entrant = entrants.iter().find(|entrant| entrant.person.id == text(&one, "userId")).unwrap();
        let answer = admin.pay_out(&text(&one, "_id")).await;
        let status = answer.status.as_u16();
        let waits = entrant.way.is_some() && status == 409;
        assert!(
            status == 200 || waits,
            "player{} {:?}: {status} {}",
            entrant.person.n,
            entrant.way,
            answer.body
        );
    }
    world.advance(60).await;
}

fn pending(list: &Value) -> Vec<Value> {
    list.as_array().unwrap().clone()
}

/// Nothing waits any more.
pub async fn is_empty(world: &World) {
    let admin = world.admin().await;
    for path in ["/api/manual-payment/pending", "/api/withdraw"] {
        assert_eq!(admin.get(path).await.expect(200), json!([]), "{path}");
    }
}
