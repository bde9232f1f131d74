//! What is set aside for an admin: how it comes about, and how it is decided.

use serde_json::{Value, json};

use super::{Person, World, mpesa::paid_calling_back};

/// A receipt of nobody's.
pub const RECEIPT: &str = "NLJ7RT61SV";
/// An admin's reason.
pub const WHY: &str = "Seen in M-Pesa's portal.";

pub fn credit(amount: i64) -> Value {
    json!({"act": "credit", "reason": WHY, "amount": amount})
}

/// Under a receipt that the admin names.
pub fn credit_under(receipt: &str, amount: i64) -> Value {
    json!({"act": "credit", "reason": WHY, "amount": amount, "receipt": receipt})
}

pub fn dismissal() -> Value {
    json!({"act": "dismiss", "reason": "M-Pesa has sent it back."})
}

/// By an admin whose page shows the case so.
pub fn dismissal_of(case: &Value) -> Value {
    let mut dismissal = dismissal();
    let of = |field: &str| case[field].clone();
    dismissal["seen"] =
        json!({"reportedAmount": of("reportedAmount"), "receipt": of("receipt"), "reason": of("reason")});
    dismissal
}

/// The kinds of what has happened to it.
pub fn kinds(case: &Value) -> Vec<&str> {
    case["story"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect()
}

impl World {
    /// A deposit of 500 that is paid, and of which M-Pesa says nothing for a day; the paybill's confirmation comes as
    /// `confirm` says.
    pub async fn silent_deposit(&self, player: &Person, confirm: &str) -> String {
        self.faults(json!({"daraja": "pending"})).await;
        let id = player.prompt(500).await;
        let mut how = paid_calling_back("never");
        how["confirm"] = json!(confirm);
        self.answer_prompt(&player.phone(), how).await;
        self.advance(25 * 3600).await;
        id
    }

    /// A deposit that nobody pays, and of which M-Pesa says nothing for a day.
    pub async fn unpaid_deposit(&self, player: &Person, amount: i64) -> String {
        self.faults(json!({"daraja": "pending"})).await;
        let id = player.prompt(amount).await;
        self.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
        self.advance(25 * 3600).await;
        self.faults(json!({"daraja": "none"})).await;
        id
    }

    /// M-Pesa calls back that a prompt was paid, and what follows happens.
    pub async fn report_paid(&self, player: &Person, id: &str, amount: i64, receipt: &str) {
        self.call_back_with(player, id, 0, (json!(amount), Some(receipt))).await;
        self.advance(0).await;
    }
}
