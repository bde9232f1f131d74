//! Money as people and admins move it through the API: deposits, typed codes, withdrawals.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Answer, Person, World, mpesa::paid, text};

pub const CREDITED_BEFORE: &str = "This M-Pesa code has already been credited.";

impl Person {
    /// Asks for a prompt.
    pub async fn deposit(&self, phone: &str, amount: i64) -> Answer {
        self.post("/api/deposits", json!({"phone": phone, "amount": amount})).await
    }

    /// Has a prompt sent to the own phone. Answers the payment's id.
    pub async fn prompt(&self, amount: i64) -> String {
        self.deposit(&self.phone(), amount).await.text(200, "checkoutId")
    }

    /// Asks for a prompt that pays for an entry.
    pub async fn pay(&self, amount: i64, gameweek: u8) -> Answer {
        self.pay_from(&self.phone(), amount, gameweek).await
    }

    /// The same, to another phone than the own one.
    pub async fn pay_from(&self, phone: &str, amount: i64, gameweek: u8) -> Answer {
        let body = json!({"phone": phone, "amount": amount, "fplId": self.fpl_id,
            "entryAmount": amount, "gameweek": gameweek});
        self.post("/api/pay", body).await
    }

    /// Sends in a code of M-Pesa's.
    pub async fn type_code(&self, code: impl Serialize) -> Answer {
        self.post("/api/manual-payment", json!({"mpesaCode": code})).await
    }

    /// Sends in a code that is taken. Answers the request's id.
    pub async fn typed_code(&self, code: impl Serialize) -> String {
        self.type_code(code).await.text(201, "_id")
    }

    /// As an admin confirms a typed code.
    pub async fn confirm_code(&self, id: impl Serialize, amount: i64) -> Answer {
        self.post("/api/manual-payment/confirm", json!({"paymentId": id, "amount": amount})).await
    }

    /// Asks for a withdrawal.
    pub async fn withdraw(&self, number: &str, amount: i64) -> Answer {
        self.post("/api/withdraw", json!({"mpesaNumber": number, "amount": amount})).await
    }

    /// Asks for a withdrawal that is taken. Answers its id.
    pub async fn withdrawal(&self, number: &str, amount: i64) -> String {
        self.withdraw(number, amount).await.text(201, "_id")
    }

    /// As an admin has a withdrawal paid by M-Pesa.
    pub async fn pay_out(&self, id: &str) -> Answer {
        self.send(reqwest::Method::POST, &format!("/api/withdraw/{id}/pay"), None).await
    }

    /// As an admin ends a withdrawal by hand.
    pub async fn end_withdrawal(&self, id: &str, how: Value) -> Answer {
        self.put(&format!("/api/withdraw/{id}"), how).await
    }

    /// What moved the wallet, newest first.
    pub async fn movements(&self) -> Vec<Value> {
        self.get("/api/me/transactions").await.expect(200).as_array().unwrap().clone()
    }

    /// The account that the player pays to at the paybill.
    pub async fn paybill_account(&self) -> String {
        text(&self.user().await["paybill"], "account")
    }
}

/// How an admin ends a withdrawal.
pub fn done() -> Value {
    json!({"status": "done"})
}

/// The same.
pub fn rejected(reason: &str) -> Value {
    json!({"status": "rejected", "reason": reason})
}

impl World {
    /// A deposit by prompt, paid. Answers its receipt.
    pub async fn fund(&self, player: &Person, amount: i64) -> String {
        let before = player.wallet().await;
        player.prompt(amount).await;
        let receipt = self.receipt_of(&player.phone(), paid()).await;
        assert_eq!(player.wallet().await, before + amount);
        receipt
    }

    pub async fn deposit_status(&self, id: &str) -> Value {
        self.nobody().get(&format!("/api/deposits/status?checkoutId={id}")).await.expect(200)
    }

    /// Of a prompt that pays for an entry.
    pub async fn entry_payment_status(&self, id: &str) -> Value {
        self.nobody().get(&format!("/api/pay/status?checkoutId={id}")).await.expect(200)
    }

    /// The admin confirms a typed code.
    pub async fn confirm_code(&self, id: impl Serialize, amount: i64) -> Answer {
        self.admin().await.confirm_code(id, amount).await
    }

    /// The typed codes that wait for an admin.
    pub async fn pending_codes(&self) -> Vec<Value> {
        let list = self.admin().await.get("/api/manual-payment/pending").await.expect(200);
        list.as_array().unwrap().clone()
    }

    /// A player with KES 500 who asks for 450 of it, at their own number. Answers the withdrawal's id.
    pub async fn withdrawing(&self) -> (Person, String) {
        let player = self.player_with(500).await;
        let id = player.withdrawal(&player.phone(), 450).await;
        (player, id)
    }

    /// The admin has a withdrawal paid by M-Pesa.
    pub async fn pay_out(&self, id: &str) -> Answer {
        self.admin().await.pay_out(id).await
    }

    /// The admin ends a withdrawal by hand.
    pub async fn end_withdrawal(&self, id: &str, how: Value) -> Answer {
        self.admin().await.end_withdrawal(id, how).await
    }

    /// The withdrawals that wait for an admin.
    pub async fn pending_withdrawals(&self) -> Value {
        self.admin().await.get("/api/withdraw").await.expect(200)
    }

    /// A withdrawal as the table has it.
    pub async fn stored_withdrawal(&self, id: &str) -> store::withdrawals::Withdrawal {
        self.app().store().withdrawal(id).await.unwrap().unwrap()
    }
}
