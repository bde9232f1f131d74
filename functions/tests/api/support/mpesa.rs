//! The stand-in for M-Pesa: its phones, its paybill, its payouts, and what it calls back with.

use app::{
    payments::{prompts, results},
    platform::queues::MpesaTask,
};
use domain::payments::typed_code::ReceiptCode;
use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    payments::receipt_questions::{Question, QuestionSubject},
    random_id,
};

use super::{Person, World, text};

/// How a prompt is answered: paid, and everybody is told.
pub fn paid() -> Value {
    json!({"outcome": "success"})
}

/// Paid, and the callback comes so.
pub fn paid_calling_back(callback: &str) -> Value {
    json!({"outcome": "success", "callback": callback})
}

/// Paid, and M-Pesa tells nobody by itself.
pub fn paid_unheard() -> Value {
    json!({"outcome": "success", "callback": "never", "confirm": "never"})
}

/// By what a payment that M-Pesa has confirmed was credited, or why it is not; nothing while it waits.
pub async fn judged(world: &World, receipt: &str) -> Option<String> {
    world.app().store().paybill_payment(receipt).await.unwrap().expect("confirmed").judged
}

/// What M-Pesa calls back with for a prompt that was paid.
pub fn callback(checkout_request_id: &str, receipt: &str, amount: i64) -> Value {
    let item = |name: &str, value: Value| json!({"Name": name, "Value": value});
    json!({"Body": {"stkCallback": {
        "MerchantRequestID": "29115-34620561-1",
        "CheckoutRequestID": checkout_request_id,
        "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": [
            item("Amount", json!(amount)),
            item("MpesaReceiptNumber", json!(receipt)),
            {"Name": "Balance"},
            item("TransactionDate", json!(20_191_219_102_115_u64)),
            item("PhoneNumber", json!(254_708_374_149_u64)),
        ]},
    }}})
}

/// What M-Pesa answers a question about a receipt with: it is paid to us.
pub fn status_result(receipt: &str, amount: &str, payer: &str) -> Value {
    json!({"Result": {"ResultCode": "0", "ResultDesc": "", "ResultParameters": {"ResultParameter": [
        {"Key": "DebitPartyName", "Value": format!("{payer} - JANE DOE")},
        {"Key": "CreditPartyName", "Value": "174379 - FPL Leagues"},
        {"Key": "TransactionStatus", "Value": "Completed"},
        {"Key": "FinalisedTime", "Value": "20260820120000"},
        {"Key": "Amount", "Value": amount}, {"Key": "ReceiptNo", "Value": receipt}]}}})
}

/// M-Pesa's answer to a question about a payout: it is paid.
pub fn payout_completed(id: &str) -> String {
    let parameters = json!([
        {"Key": "TransactionStatus", "Value": "Completed"}, {"Key": "ReceiptNo", "Value": "SG632NMUAB"},
        {"Key": "CreditPartyName", "Value": "254712000001 - JANE"}]);
    json!({"Result": {"ResultCode": 0, "ResultDesc": "Done.", "OriginatorConversationID": id,
        "ConversationID": "AG_1", "ResultParameters": {"ResultParameter": parameters}}})
    .to_string()
}

impl World {
    /// The prompts on `phone`, newest first.
    pub async fn prompts(&self, phone: &str) -> Vec<Value> {
        let path = format!("/sim/api/prompts?phone={phone}");
        self.nobody().get(&path).await.expect(200).as_array().unwrap().clone()
    }

    /// M-Pesa's id of the newest prompt on `phone`.
    pub async fn checkout_request(&self, phone: &str) -> String {
        let prompts = self.prompts(phone).await;
        text(prompts.first().expect("there is a prompt"), "checkoutRequestId")
    }

    /// Answers the newest prompt on `phone`.
    pub async fn decide_prompt(&self, phone: &str, how: Value) -> Value {
        let id = self.checkout_request(phone).await;
        self.sim(Method::POST, &format!("/prompts/{id}"), how).await
    }

    /// Answers the newest prompt on `phone` and lets what follows happen.
    pub async fn answer_prompt(&self, phone: &str, how: Value) -> Value {
        let answer = self.decide_prompt(phone, how).await;
        self.advance(0).await;
        answer
    }

    /// As [`World::answer_prompt`], for its receipt.
    pub async fn receipt_of(&self, phone: &str, how: Value) -> String {
        text(&self.answer_prompt(phone, how).await, "receipt")
    }

    /// Somebody pays the paybill. Answers the receipt; what follows has not happened yet.
    pub async fn paybill(&self, payment: Value) -> String {
        text(&self.sim(Method::POST, "/paybill", payment).await, "receipt")
    }

    /// M-Pesa takes a payment back, and tells nobody.
    pub async fn reverse(&self, receipt: &str) {
        self.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    }

    /// A new player's deposit that M-Pesa has taken back, and nobody has heard of it. Answers its receipt.
    pub async fn reversed_deposit(&self, amount: i64) -> (Person, String) {
        let player = self.player().await;
        let receipt = self.fund(&player, amount).await;
        self.reverse(&receipt).await;
        (player, receipt)
    }

    /// What M-Pesa was told to pay, newest first; to `phone`, where one is given.
    pub async fn payouts(&self, phone: Option<&str>) -> Vec<Value> {
        let of = phone.map(|phone| format!("?phone={phone}")).unwrap_or_default();
        let payouts = self.nobody().get(&format!("/sim/api/payouts{of}")).await.expect(200);
        payouts.as_array().unwrap().clone()
    }

    /// What M-Pesa was told to pay or has decided since an instant (in seconds), and what it has not decided.
    pub async fn payouts_since(&self, at: i64) -> Vec<Value> {
        let at = Timestamp::from_second(at).unwrap();
        let payouts = self.nobody().get(&format!("/sim/api/payouts?since={at}")).await.expect(200);
        payouts.as_array().unwrap().clone()
    }

    /// What M-Pesa decides about the newest payout to `phone`, which it left open.
    pub async fn decide_payout(&self, phone: &str, how: Value) {
        let id = text(&self.payouts(Some(phone)).await[0], "conversationId");
        self.sim(Method::POST, &format!("/payouts/{id}"), how).await;
    }

    /// The hook's path that a payment's prompt named.
    pub async fn hook(&self, payment_id: &str) -> String {
        self.hook_path(&format!("/hooks/stk/{payment_id}")).await
    }

    /// A hook's path with its mac.
    pub async fn hook_path(&self, path: &str) -> String {
        self.app().secrets().hook_path(path).await.unwrap()
    }

    /// Posts `body` to a hook, under its mac.
    pub async fn post_to_hook(&self, path: &str, body: Value) {
        self.nobody().post(&self.hook_path(path).await, body).await.expect(200);
    }

    /// M-Pesa calls back about a player's newest prompt; a receipt of none is left out, as nothing is promised
    /// about the items.
    pub async fn call_back(&self, player: &Person, payment: &str, code: i64, receipt: Option<&str>) {
        let amount = self.prompts(&player.phone()).await[0]["amount"].clone();
        self.call_back_with(player, payment, code, (amount, receipt)).await;
    }

    /// The same, with another amount than was asked for.
    pub async fn call_back_with(
        &self,
        player: &Person,
        payment: &str,
        code: i64,
        reported: (Value, Option<&str>),
    ) {
        let body = self.callback(player, code, reported).await;
        self.post_to_hook(&format!("/hooks/stk/{payment}"), body).await;
    }

    /// The success of a prompt of `amount` has reached the hook, and its message waits in the queue.
    pub async fn hear_paid(&self, player: &Person, payment: &str, amount: i64) {
        let body = self.callback(player, 0, (json!(amount), Some("UHK7RT61SV"))).await.to_string();
        let now = self.app().clock().now();
        prompts::note_evidence(self.app(), payment, body.as_bytes(), now).await.unwrap();
    }

    async fn callback(&self, player: &Person, code: i64, (amount, receipt): (Value, Option<&str>)) -> Value {
        let mut items = vec![json!({"Name": "Amount", "Value": amount})];
        items.extend(receipt.map(|receipt| json!({"Name": "MpesaReceiptNumber", "Value": receipt})));
        let mut callback = json!({
            "MerchantRequestID": "29115-34620561-1",
            "CheckoutRequestID": self.checkout_request(&player.phone()).await,
            "ResultCode": code,
            "ResultDesc": "What M-Pesa says.",
        });
        if code == 0 {
            callback["CallbackMetadata"] = json!({"Item": items});
        }
        json!({"Body": {"stkCallback": callback}})
    }

    /// A prompt that the player paid and M-Pesa reported as failed. Answers its id and the receipt on the
    /// player's phone.
    pub async fn paid_and_reported_failed(&self, player: &Person, amount: i64) -> (String, String) {
        self.faults(json!({"daraja": "pending"})).await;
        let id = player.prompt(amount).await;
        let receipt = self.receipt_of(&player.phone(), paid_unheard()).await;
        self.call_back(player, &id, 1032, None).await;
        self.advance(600).await;
        assert_eq!(self.deposit_status(&id).await["status"], "FAILED");
        self.faults(json!({"daraja": "none"})).await;
        (id, receipt)
    }

    /// A deposit of 500, of which M-Pesa reports `reported`. Answers its id and its receipt.
    pub async fn paid_otherwise(&self, player: &Person, reported: i64) -> (String, String) {
        let id = player.prompt(500).await;
        let how = json!({"outcome": "success", "amount": reported});
        (id, self.receipt_of(&player.phone(), how).await)
    }

    /// Signs in to M-Pesa as the product does, which ends the token that it keeps.
    pub async fn end_daraja_token(&self) {
        let daraja = self.app().secrets().daraja().await.unwrap();
        let path = "/sim/daraja/oauth/v1/generate?grant_type=client_credentials";
        let request = self.nobody().request(Method::GET, path);
        let request = request.basic_auth(daraja.consumer_key, Some(daraja.consumer_secret));
        assert!(request.send().await.unwrap().status().is_success());
    }

    /// The questions that M-Pesa was asked, the newest last.
    pub async fn questions(&self) -> Vec<Value> {
        let mut items = super::invariants::items(self).await;
        items.retain(|item| item["sk"] == "QUESTION");
        items.sort_by_key(|item| item["askedAt"].to_string());
        items
    }

    /// What M-Pesa answers a question about a receipt with that was paid just now: `state` as it names it. Where it leaves
    /// out who has paid there is no `payer`.
    pub fn status_of(&self, receipt: &str, amount: &str, payer: Option<&Person>, state: &str) -> Value {
        let payer = payer.map(|payer| format!("254{}", &payer.phone()[1..]));
        let mut answer = status_result(receipt, amount, &payer.unwrap_or_default());
        let told = &mut answer["Result"]["ResultParameters"]["ResultParameter"];
        told[2]["Value"] = json!(state);
        let east_africa = jiff::tz::Offset::constant(3).to_datetime(self.app().clock().now());
        told[3]["Value"] = json!(east_africa.strftime("%Y%m%d%H%M%S").to_string());
        answer
    }

    /// M-Pesa answers a question about a receipt that it was asked at `asked_at`.
    pub async fn hear_about(&self, receipt: &str, asked_at: Timestamp, answer: &Value) {
        let task = self.answer_about(receipt, asked_at, answer).await;
        results::process(self.app(), task).await.unwrap();
    }

    /// The same answer, which nobody has heard yet.
    pub async fn answer_about(&self, receipt: &str, asked_at: Timestamp, answer: &Value) -> MpesaTask {
        let receipt = ReceiptCode::parse(receipt).unwrap();
        let about = QuestionSubject::Waiting;
        let question = Question { id: random_id(), receipt, about, on: None, asked_at, answer: None };
        self.app().store().keep_question(&question).await.unwrap();
        MpesaTask::Answer { id: question.id, body: answer.to_string() }
    }

    /// An order of a payout, as the product gives one.
    pub async fn order(&self, id: &str, phone: &str, amount: i64) -> clients::daraja::PayoutOrder {
        let hook = async |of: &str| {
            format!("{}{}", self.base, self.hook_path(&format!("/hooks/b2c/{of}/{id}")).await)
        };
        clients::daraja::PayoutOrder {
            shortcode: self.app().config().daraja.b2c_shortcode.clone(),
            phone: phone.to_owned(),
            amount,
            remarks: "Withdrawal".to_owned(),
            urls: clients::daraja::ResultUrls {
                result: hook("result").await,
                timeout: hook("timeout").await,
            },
            id: id.to_owned(),
        }
    }
}
