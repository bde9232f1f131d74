//! What players do, honest ones and others, over HTTP and on their simulated phones. Whatever is answered, the model is told
//! only what M-Pesa received.

use std::{collections::BTreeMap, sync::Mutex};

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Year,
    model::Received,
    steps::{Act, Reply},
    tally::FORGED,
};
use crate::support::{Answer, PASSWORD, Person, at_once, mpesa::callback, read};

/// A player with a phone.
pub struct Player {
    person: Mutex<Person>,
    pub id: String,
    pub fpl_id: String,
    pub phone: String,
    /// A number that is nobody else's either.
    pub elsewhere: String,
    pub email: String,
    account: String,
    /// The newest prompt that was paid.
    pub last: Mutex<Option<Paid>>,
}

#[derive(Clone)]
pub struct Paid {
    pub payment: String,
    checkout: String,
    pub receipt: String,
    amount: i64,
}

impl Player {
    pub async fn new(person: Person) -> Self {
        Self {
            id: person.id.clone(),
            fpl_id: person.fpl_id.clone(),
            phone: person.phone(),
            elsewhere: format!("0799{:06}", person.n),
            email: person.email(),
            account: person.paybill_account().await,
            last: Mutex::default(),
            person: Mutex::new(person),
        }
    }

    pub fn person(&self) -> Person {
        self.person.lock().unwrap().clone()
    }

    pub fn name(&self) -> String {
        format!("player{}", self.person().n)
    }

    /// Sends it; a session that has ended is begun anew, if it may be.
    pub async fn send(
        &self,
        year: &Year,
        method: Method,
        path: &str,
        body: Option<Value>,
        key: Option<&str>,
    ) -> Answer {
        let ask = async || {
            let person = self.person();
            let mut request = person.request(method.clone(), path);
            request = request.bearer_auth(person.token.as_deref().unwrap_or_default());
            if let Some(body) = &body {
                request = request.json(body);
            }
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            read(request).await
        };
        let answer = ask().await;
        let answer = if answer.status == 401 && self.log_in_again().await { ask().await } else { answer };
        year.count(path, &answer);
        answer
    }

    pub async fn post(&self, year: &Year, path: &str, body: Value) -> Answer {
        self.send(year, Method::POST, path, Some(body), None).await
    }

    async fn log_in_again(&self) -> bool {
        let person = self.person();
        let mut answer = read(person.request(Method::POST, "/refresh")).await;
        if answer.status != 200 {
            let form = json!({"email": self.email, "password": PASSWORD});
            answer = read(person.request(Method::POST, "/api/login").json(&form)).await;
        }
        let token = answer.body["accessToken"].as_str().map(str::to_owned);
        let has = token.is_some();
        if has {
            self.person.lock().unwrap().token = token;
        }
        has
    }
}

impl Year {
    pub async fn act(&self, who: usize, act: &Act) {
        let player = &self.players[who];
        // Who leaves begins nothing new: what comes to a closed account may be nobody's.
        let goes_on = matches!(act, Act::TypeOwn | Act::Forge | Act::Look(_) | Act::LogOut | Act::Leave);
        if !goes_on && self.is_leaving(who) {
            return;
        }
        match act {
            Act::Deposit { amount, reply, key } => {
                self.deposit(who, *amount, reply, key.then(|| self.key())).await;
            }
            Act::Enter { amount, reply } => self.enter(who, *amount, reply).await,
            Act::PromptAnother { whose, amount } => {
                let body = json!({"phone": self.players[*whose].phone, "amount": amount});
                player.post(self, "/api/deposits", body).await;
                self.look_at_phone(*whose, None).await;
            }
            Act::Join { amount, twice } => {
                let body = json!({"fplId": player.fpl_id, "entryAmount": amount, "gameweek": self.week()});
                let times = 1 + usize::from(*twice);
                let asked = (0..times).map(|_| player.post(self, "/api/join-league", body.clone()));
                let answers = at_once(asked).await;
                self.note_asked(who, *amount, &answers);
                if answers.iter().any(|answer| answer.status == 201) {
                    self.model().enters(self.week(), who, *amount);
                    self.tally().joined += 1;
                }
            }
            Act::Withdraw { amount, elsewhere, twice, key } => {
                let number = if *elsewhere { &player.elsewhere } else { &player.phone };
                let body = json!({"mpesaNumber": number, "amount": amount});
                self.withdraw(who, body, *twice, key.then(|| self.key())).await;
            }
            Act::Cancel { amount, fresh } => self.cancel(who, fresh.then_some(*amount)).await,
            Act::PayByHand { amount, account, heard } => {
                self.pay_by_hand(who, *amount, *account, *heard).await;
            }
            Act::Type { whose } => self.type_code(who, *whose).await,
            Act::TypeOwn => self.type_code(who, who).await,
            Act::TakeBack { amount, at_once } => self.take_back(who, *amount, *at_once).await,
            Act::CallBackAgain => self.call_back_again(who).await,
            Act::Forge => self.forge(who).await,
            Act::Look(what) => self.look(who, *what).await,
            Act::LogOut => {
                read(player.person().request(Method::POST, "/logout")).await;
            }
            Act::Leave => self.leave(who).await,
            Act::Dying { what, at, how } => Box::pin(self.dying(who, *what, (*at, *how))).await,
        }
    }

    /// Asks for a prompt; whatever is answered, the holder looks at the phone.
    pub async fn prompted(
        &self,
        who: usize,
        path: &str,
        (body, key): (Value, Option<&str>),
        reply: &Reply,
    ) -> Answer {
        let asked = self.players[who].send(self, Method::POST, path, Some(body), key).await;
        let payment = asked.body["checkoutId"].as_str().map(str::to_owned);
        self.pick_up(who, reply).await;
        self.look_at_phone(who, payment).await;
        asked
    }

    async fn pick_up(&self, who: usize, reply: &Reply) {
        let prompts = self.world.prompts(&self.players[who].phone).await;
        let Some(open) = prompts.first().filter(|prompt| prompt["status"] == "pending") else { return };
        let mut how = json!({"outcome": reply.outcome, "callback": reply.callback, "confirm": reply.confirm});
        if let Some(lie) = reply.lie {
            how["amount"] = json!(lie);
        }
        let path = format!("/sim/api/prompts/{}", open["checkoutRequestId"].as_str().unwrap());
        // It may have run out meanwhile.
        self.world.nobody().post(&path, how).await;
    }

    /// Takes down what was paid from this phone: of each prompt M-Pesa says whose name it showed.
    pub async fn look_at_phone(&self, who: usize, payment: Option<String>) {
        let prompts = self.world.prompts(&self.players[who].phone).await;
        let mut model = self.model();
        for (n, prompt) in
            prompts.iter().take(8).enumerate().filter(|(_, prompt)| prompt["receipt"].is_string())
        {
            let text = |field: &str| prompt[field].as_str().unwrap().to_owned();
            let (receipt, amount) = (text("receipt"), prompt["amount"].as_i64().unwrap());
            let owner = self.names[&text("accountReference")];
            let at = self.now();
            let received = Received {
                owner,
                payer: who,
                amount,
                at,
                reversed: false,
                needs_code: false,
                to_be_typed: false,
            };
            model.receive(&receipt, received);
            model.prompts.insert(text("checkoutRequestId"), receipt.clone());
            if let (0, Some(payment)) = (n, &payment) {
                let paid =
                    Paid { payment: payment.clone(), checkout: text("checkoutRequestId"), receipt, amount };
                *self.players[who].last.lock().unwrap() = Some(paid);
            }
        }
    }

    async fn pay_by_hand(&self, who: usize, amount: i64, account: bool, heard: bool) {
        let player = &self.players[who];
        let waiting = self.model().to_type().iter().filter(|(payer, _)| *payer == who).count();
        let to_be_typed = !account || !heard;
        // More codes a day than these are not taken.
        if to_be_typed && waiting >= 3 {
            return;
        }
        let reference = if account { player.account.as_str() } else { "FPL" };
        let body =
            json!({"phone": player.phone, "amount": amount, "accountReference": reference, "confirm": heard});
        let receipt = self.world.paybill(body).await;
        let at = self.now();
        let received = Received {
            owner: who,
            payer: who,
            amount,
            at,
            reversed: false,
            needs_code: to_be_typed,
            to_be_typed,
        };
        self.model().receive(&receipt, received);
    }

    async fn type_code(&self, who: usize, whose: usize) {
        let newest = self.model().newest_of(whose).map(|(code, _)| code.clone());
        let typed = newest.unwrap_or_else(|| format!("UHKX{whose:06}"));
        self.type_this(who, &typed).await;
    }

    /// Answers whether it was taken.
    pub async fn type_this(&self, who: usize, code: &str) -> bool {
        self.model().tried.insert(code.to_owned());
        let body = json!({"mpesaCode": code});
        let answer = self.players[who].post(self, "/api/manual-payment", body).await;
        let taken = [201, 409].contains(&answer.status.as_u16());
        let mut model = self.model();
        let own = model.received.get(code).is_some_and(|received| received.payer == who);
        if taken && own {
            model.typed(code, true);
        }
        taken
    }

    async fn take_back(&self, who: usize, amount: i64, at_once: bool) {
        let reply = Reply { outcome: "success", callback: "once", confirm: "after", lie: None };
        let player = &self.players[who];
        let body = json!({"phone": player.phone, "amount": amount});
        self.prompted(who, "/api/deposits", (body, None), &reply).await;
        if !at_once {
            self.world.advance(120).await;
        }
        let paid =
            self.model().newest_of(who).filter(|(_, one)| one.amount == amount).map(|(code, _)| code.clone());
        if let Some(receipt) = paid {
            self.world.reverse(&receipt).await;
            self.model().reverse(&receipt);
        }
    }

    async fn call_back_again(&self, who: usize) {
        let last = self.players[who].last.lock().unwrap().clone();
        let Some(Paid { payment, checkout, receipt, amount }) = last else { return };
        let hook = self.world.hook(&payment).await;
        let answer = self.world.nobody().post(&hook, callback(&checkout, &receipt, amount)).await;
        self.count("/hooks/stk", &answer);
    }

    /// Without the path's mac, and with another's.
    async fn forge(&self, who: usize) {
        let last = self.players[who].last.lock().unwrap().clone();
        let Some(Paid { payment, checkout, .. }) = last else { return };
        let told = callback(&checkout, "UHKFORGED1", 5_000);
        for path in [format!("/hooks/stk/{payment}"), format!("/hooks/stk/{payment}/{}", "0".repeat(64))] {
            let answer = self.world.nobody().post(&path, told.clone()).await;
            self.count(FORGED, &answer);
            assert!(!answer.status.is_success(), "a callback of a stranger's is taken");
        }
    }

    async fn look(&self, who: usize, what: u8) {
        let player = &self.players[who];
        let week = self.week();
        let leagues = format!("/api/me/league?gameweek={week}&entryAmount=50");
        let paths = [
            "/api/user",
            "/api/me/transactions",
            "/api/me/entries",
            "/api/withdraw",
            "/current-gameweek",
            &leagues,
        ];
        let path = paths[usize::from(what) % paths.len()];
        let answer = player.send(self, Method::GET, path, None, None).await;
        // Who owes is shown an empty wallet, and may have less than that.
        if let (200, Some(wallet @ 1..)) = (answer.status.as_u16(), answer.body["wallet"].as_i64()) {
            self.check_most(&BTreeMap::from([(who, wallet)]));
        }
    }
}
