//! What admins do, with M-Pesa's portal beside them: what it says of a payment or a payout is all that they go by. Two
//! of them may press at once, and not for the same thing.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Year, steps::Desk};
use crate::support::{
    Answer, PASSWORD, Person,
    admin::SECOND_ADMIN,
    at_once,
    gameweek::PROCESS,
    money::{done, rejected},
    read, text,
};

/// How much of a list is dealt with at a time.
const SOME: usize = 20;
/// M-Pesa is asked first, and waited for ten seconds where it does not answer.
const FEW: usize = 2;
/// Within a day of which something is left, that many times.
const ROUNDS: usize = 8;
const ALL: usize = usize::MAX;

pub fn list(answer: &Answer) -> Vec<Value> {
    answer.body.as_array().cloned().unwrap_or_default()
}

impl Year {
    /// Both admins, logged in; none where the database is too busy.
    async fn admins(&self) -> Option<[Person; 2]> {
        let (email, password) = self.world.admin_account();
        let first = self.log_in(&email, &password).await?;
        Some([first, self.log_in(SECOND_ADMIN, PASSWORD).await?])
    }

    async fn log_in(&self, email: &str, password: &str) -> Option<Person> {
        let person = self.world.nobody();
        let form = json!({"email": email, "password": password});
        let answer = read(person.request(Method::POST, "/api/login").json(&form)).await;
        let token = Some(answer.body["accessToken"].as_str()?.to_owned());
        Some(Person { token, ..person })
    }

    pub async fn press(&self, admin: &Person, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = admin.send_once(method, path, body).await;
        self.count(path, &answer);
        answer
    }

    pub async fn desk(&self, desk: &Desk) {
        match desk {
            Desk::DyingDraw { at, how } => Box::pin(self.dying_draw((*at, *how))).await,
            Desk::DyingWinners { at, how } => Box::pin(self.dying_winners((*at, *how))).await,
            Desk::DyingLeague { at, how } => Box::pin(self.dying_league((*at, *how))).await,
            Desk::Payouts { by } => self.decide_payouts(*by).await,
            _ => {
                let Some(admins) = self.admins().await else { return };
                self.panel(&admins, desk).await;
            }
        }
        self.harvest().await;
    }

    async fn panel(&self, admins: &[Person; 2], desk: &Desk) {
        match desk {
            Desk::Codes { both } => self.codes(admins, *both, FEW).await,
            Desk::Withdrawals { by, both } => self.withdrawals(admins, *by, *both, SOME).await,
            Desk::Cases { both } => self.cases(admins, *both, FEW).await,
            Desk::Bar { player, freeze, back } => self.bar(admins, *player, *freeze, *back).await,
            Desk::Correct { player, amount, both } => self.correct(admins, *player, *amount, *both).await,
            Desk::Press => {
                self.press(&admins[0], Method::POST, PROCESS, Some(json!({"gameweek": self.week()}))).await;
            }
            Desk::DyingPayout { at, how } => Box::pin(self.dying_payout(&admins[0], (*at, *how))).await,
            Desk::DyingCode { at, how } => Box::pin(self.dying_code(&admins[0], (*at, *how))).await,
            Desk::DyingCase { at, how } => Box::pin(self.dying_case(&admins[0], (*at, *how))).await,
            Desk::DyingDraw { .. }
            | Desk::DyingWinners { .. }
            | Desk::DyingLeague { .. }
            | Desk::Payouts { .. } => {}
        }
    }

    /// A code is confirmed where the payment came from the phone of who typed it; one admin may think otherwise.
    async fn codes(&self, admins: &[Person; 2], both: bool, most: usize) {
        let waiting = self.press(&admins[0], Method::GET, "/api/manual-payment/pending", None).await;
        for code in list(&waiting).iter().take(most) {
            let (id, receipt) = (text(code, "_id"), text(code, "mpesaCode"));
            let theirs = self.model().is_theirs(&receipt, self.ids[&text(code, "userId")]);
            let reject = || ("/api/manual-payment/reject", json!({"paymentId": id}));
            let confirm =
                |amount: i64| ("/api/manual-payment/confirm", json!({"paymentId": id, "amount": amount}));
            let presses = match theirs {
                Some(amount) if both => vec![confirm(amount), reject()],
                Some(amount) => vec![confirm(amount)],
                None => vec![reject(); 1 + usize::from(both)],
            };
            let sent = presses.iter().zip(admins);
            let sent =
                sent.map(|((path, body), admin)| self.press(admin, Method::POST, path, Some(body.clone())));
            let answers = at_once(sent).await;
            let was_rejected = presses
                .iter()
                .zip(&answers)
                .any(|((path, _), answer)| path.ends_with("reject") && answer.status == 200);
            let mut model = self.model();
            if was_rejected
                && model
                    .received
                    .get(&receipt)
                    .is_some_and(|one| one.payer == self.ids[&text(code, "userId")])
            {
                model.typed(&receipt, false);
            }
        }
    }

    /// Most are paid by M-Pesa, some rejected, a few sent by hand; two admins may press for two of these at once.
    async fn withdrawals(&self, admins: &[Person; 2], by: u64, both: bool, most: usize) {
        let waiting = self.press(&admins[0], Method::GET, "/api/withdraw", None).await;
        for (n, one) in list(&waiting).iter().take(most).enumerate() {
            let (id, chance) = (text(one, "_id"), by.rotate_left(u32::try_from(n % 20 * 3).unwrap()) % 16);
            let pay = || (Method::POST, format!("/api/withdraw/{id}/pay"), None);
            let reject = || (Method::PUT, format!("/api/withdraw/{id}"), Some(rejected("Please ask again.")));
            let by_hand = || (Method::PUT, format!("/api/withdraw/{id}"), Some(done()));
            let mut presses = match chance {
                0..11 => vec![pay()],
                11..14 => vec![reject()],
                _ => vec![by_hand()],
            };
            if both {
                presses.push(if chance % 2 == 0 { reject() } else { pay() });
            }
            let sent = presses
                .iter()
                .zip(admins)
                .map(|((method, path, body), admin)| self.insist(admin, method.clone(), path, body.clone()));
            let answers = at_once(sent).await;
            let marked = presses
                .iter()
                .zip(&answers)
                .any(|((_, _, body), answer)| *body == Some(done()) && answer.status == 200);
            if marked {
                let to = (self.ids[&text(one, "userId")], one["amount"].as_i64().unwrap());
                self.model().by_hand.insert(id, to);
            }
        }
    }

    /// What is marked by hand is pressed for until it is known what came of it: a database that is busy has done nothing.
    async fn insist(&self, admin: &Person, method: Method, path: &str, body: Option<Value>) -> Answer {
        let tries = if body == Some(done()) { 40 } else { 1 };
        let mut answer = self.press(admin, method.clone(), path, body.clone()).await;
        for _ in 1..tries {
            if answer.status != 503 {
                break;
            }
            answer = self.press(admin, method.clone(), path, body.clone()).await;
        }
        answer
    }

    async fn cases(&self, admins: &[Person; 2], both: bool, most: usize) {
        let waiting = self.press(&admins[0], Method::GET, "/api/admin/set-asides", None).await;
        for case in list(&waiting).iter().take(most) {
            let body = self.decision(case).await;
            let path = format!("/api/admin/set-asides/{}", text(case, "_id"));
            let pressing = admins.iter().take(1 + usize::from(both));
            at_once(pressing.map(|admin| self.press(admin, Method::POST, &path, Some(body.clone())))).await;
        }
    }

    /// By what M-Pesa knows of its ids. Who has a payout given up that M-Pesa may still make would owe it.
    pub async fn decision(&self, case: &Value) -> Value {
        let decision = self.decided(case).await;
        if decision["act"] == "return" {
            self.model().may_owe.insert(self.ids[&text(case, "userId")]);
        }
        decision
    }

    async fn decided(&self, case: &Value) -> Value {
        let may = |act: &str| case["acts"].as_array().unwrap().iter().any(|one| one == act);
        let ids: Vec<&str> = case["mpesaIds"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let why = "Seen in M-Pesa's portal.";
        // What a typed code was credited for is not credited again.
        if may("dismiss") && !case["creditedBy"].is_null() {
            return json!({"act": "dismiss", "reason": why});
        }
        if may("credit") {
            let model = self.model();
            let receipt = ids.iter().find_map(|id| model.prompts.get(*id));
            let paid = receipt.and_then(|receipt| Some((receipt, model.received.get(receipt)?)));
            if let Some((receipt, received)) = paid.filter(|(_, received)| !received.reversed) {
                return json!({"act": "credit", "reason": why, "amount": received.amount, "receipt": receipt});
            }
        }
        if may("paid") {
            let payouts = self.world.payouts(Some(case["phone"].as_str().unwrap())).await;
            let paid = payouts.iter().find(|payout| ids.iter().any(|id| payout["conversationId"] == **id));
            match paid.map(|payout| (payout["status"].as_str(), &payout["receipt"])) {
                Some((Some("completed"), receipt)) => {
                    return json!({"act": "paid", "reason": why, "receipt": receipt});
                }
                Some((Some("failed"), _)) => return json!({"act": "return", "reason": why}),
                // M-Pesa has not decided, or was never told.
                _ => {}
            }
        }
        let act = if may("dismiss") { "dismiss" } else { "return" };
        json!({"act": act, "reason": why})
    }

    async fn bar(&self, admins: &[Person; 2], player: usize, freeze: bool, back: bool) {
        let field = if freeze { "frozen" } else { "suspended" };
        self.barred.lock().unwrap().insert(player);
        self.model().barred.insert((self.week(), player));
        let body = |is: bool| json!({field: is, "reason": "Somebody has called."});
        let path = format!("/api/admin/players/{}", self.players[player].id);
        let said = [true, false].into_iter().zip(admins).take(1 + usize::from(back));
        at_once(said.map(|(is, admin)| self.press(admin, Method::PATCH, &path, Some(body(is))))).await;
    }

    /// M-Pesa ends some of the payouts that it left open.
    pub async fn decide_payouts(&self, by: u64) {
        let payouts = self.world.payouts_since(self.now()).await;
        let open = payouts.iter().filter(|payout| payout["status"] == "pending").take(SOME);
        for (n, payout) in open.enumerate() {
            let chance = by.rotate_left(u32::try_from(n * 5).unwrap());
            let outcome = if chance % 4 == 0 { "failed" } else { "completed" };
            let result = ["once", "duplicate", "late", "never"][usize::try_from(chance / 8 % 4).unwrap()];
            let path = format!("/sim/api/payouts/{}", text(payout, "conversationId"));
            self.world.nobody().post(&path, json!({"outcome": outcome, "result": result})).await;
        }
        self.harvest().await;
    }

    /// Takes down what M-Pesa has paid out since it was last asked.
    pub async fn harvest(&self) {
        let now = self.now();
        let payouts = self.world.payouts_since(self.harvested.load(Ordering::Relaxed)).await;
        // This second still goes on.
        self.harvested.fetch_max(now - 1, Ordering::Relaxed);
        let mut model = self.model();
        for payout in payouts {
            if payout["receipt"].is_string() {
                let to = self.phones[&text(&payout, "phone")];
                model
                    .paid_out
                    .insert(text(&payout, "conversationId"), (to, payout["amount"].as_i64().unwrap()));
            }
        }
    }

    /// Everything that waits is worked off, as far as it goes today. Answers what is left, by its list.
    pub async fn work_off(&self) -> BTreeMap<&'static str, Vec<Value>> {
        let untyped = self.model().to_type();
        for (player, code) in untyped {
            self.type_this(player, &code).await;
        }
        let mut left = BTreeMap::new();
        for _ in 0..ROUNDS {
            self.world.advance(300).await;
            self.decide_payouts(self.size.seed).await;
            let admins = self.admins().await.expect("the database is not busy");
            left = self.left(&admins).await;
            if left.is_empty() {
                break;
            }
            self.codes(&admins, false, ALL).await;
            self.cases(&admins, false, ALL).await;
            self.withdrawals(&admins, 0, false, ALL).await;
            self.harvest().await;
        }
        left
    }

    /// As the lists have it once their index has caught up.
    async fn left(&self, admins: &[Person; 2]) -> BTreeMap<&'static str, Vec<Value>> {
        self.world.advance(self.size.lag).await;
        let untyped = self.model().to_type().into_iter().map(|(_, code)| Value::from(code));
        let mut left = BTreeMap::from([("codes that nobody could type", untyped.collect())]);
        for path in ["/api/manual-payment/pending", "/api/withdraw", "/api/admin/set-asides"] {
            left.insert(path, list(&self.press(&admins[0], Method::GET, path, None).await));
        }
        left.retain(|_, waiting: &mut Vec<Value>| !waiting.is_empty());
        left
    }

    /// Nobody is frozen or suspended any more.
    pub async fn let_all(&self) {
        let admins = self.admins().await.expect("the database is not busy");
        let barred = std::mem::take(&mut *self.barred.lock().unwrap());
        for player in barred {
            for field in ["frozen", "suspended"] {
                let path = format!("/api/admin/players/{}", self.players[player].id);
                let body = json!({field: false, "reason": "It was a mistake."});
                let answer = self.press(&admins[0], Method::PATCH, &path, Some(body)).await;
                // An account that was closed may be erased by now.
                if answer.status != 404 || !self.is_leaving(player) {
                    answer.expect(200);
                }
            }
        }
    }
}
