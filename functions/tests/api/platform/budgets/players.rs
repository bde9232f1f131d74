//! What players do.

use reqwest::Method;
use serde_json::json;

use super::Budgets;
use crate::support::{PASSWORD, Person, TERMS, World, mpesa::paid, read, text};

/// A number that is none of the world's players.
const STRANGER: &str = "0722123456";

impl Budgets {
    pub async fn accounts(&mut self) {
        let world = self.world.clone();
        let nobody = world.nobody();
        let form = World::sign_up_form("new@example.co.ke", "newcomer", "4711");
        self.once("sign-up", nobody.post("/api/signup", form)).await;
        let credentials = json!({"email": "new@example.co.ke", "password": PASSWORD});
        self.once("log-in", nobody.post("/api/login", credentials.clone())).await;
        self.once("log-in, from a known address", nobody.post("/api/login", credentials)).await;
        let player = world.log_in("new@example.co.ke", PASSWORD).await;
        self.once("refresh", read(player.request(Method::POST, "/refresh"))).await;
        self.once("log-out", read(player.request(Method::POST, "/logout"))).await;
        let forgotten = json!({"email": "new@example.co.ke"});
        let mailed = async {
            nobody.post("/api/forgot-password", forgotten).await.expect(200);
            world.advance(1).await;
        };
        self.during(&["forgot-password", "send-mail"], mailed).await;
        let link = world.linked("new@example.co.ke", "/reset-password/").await.remove(0);
        let password = json!({"newPassword": "another horse"});
        self.once("reset-password", nobody.post(&format!("/api{link}"), password)).await;
        let player = world.log_in("new@example.co.ke", "another horse").await;
        self.once("end-session", player.send(Method::DELETE, "/api/me/sessions/others", None)).await;
        let password = json!({"password": "another horse"});
        self.once("close-account", player.post("/api/me/closure", password)).await;
        self.teams().await;
    }

    async fn teams(&mut self) {
        let world = self.world.clone();
        let mut form = World::sign_up_form("owner@example.co.ke", "owner", "4711");
        form["proveTeam"] = json!(true);
        world.nobody().post("/api/signup", form).await.expect(201);
        let owner = world.log_in("owner@example.co.ke", PASSWORD).await;
        self.once("link-team", owner.put("/api/user/team", json!({"fplId": "4712"}))).await;
        let team = json!({"fplId": "4712"});
        let proof = self.once("start-team-proof", owner.post("/api/user/team/proof", team)).await;
        let name = json!({"name": format!("FC {}", text(&proof, "code"))});
        world.sim(Method::PUT, "/fpl/entries/4712", name).await;
        self.once("check-team-proof", owner.post("/api/user/team/proof/check", json!({}))).await;
    }

    pub async fn money(&mut self, player: &Person) {
        let world = self.world.clone();
        for (line, path) in [
            ("get-user", "/api/user".to_owned()),
            ("get-wallet", format!("/api/users/{}/wallet", player.id)),
            ("list-transactions", "/api/me/transactions".to_owned()),
            ("get-statement", "/api/me/statement".to_owned()),
            ("list-payments", "/api/me/payments".to_owned()),
            ("list-entries", "/api/me/entries".to_owned()),
            ("list-withdrawals", "/api/withdraw".to_owned()),
            ("get-team-proof", "/api/user/team/proof".to_owned()),
            ("get-notifications", "/api/me/notifications".to_owned()),
            ("get-own-data", "/api/me/data".to_owned()),
            ("list-sessions", "/api/me/sessions".to_owned()),
        ] {
            self.shows(line, player, &path).await;
        }
        self.notifications(player).await;
        self.restraints().await;
        let deposit = self.once("start-deposit", player.deposit(&player.phone(), 70)).await;
        let path = format!("/api/deposits/status?checkoutId={}", text(&deposit, "checkoutId"));
        self.shows("get-deposit-status", player, &path).await;
        let lines = ["receive-stk-callback", "settle-payment, a deposit"];
        self.during(&lines, world.receipt_of(&player.phone(), paid())).await;
        self.once("start-deposit, to the own number", player.deposit(&player.phone(), 70)).await;
        self.once("submit-manual-payment", player.type_code("UHK7RT61SV")).await;
        let asked = self.once("request-withdrawal", player.withdraw(&player.phone(), 60)).await;
        self.cases(player, &text(&asked, "_id")).await;
        self.acts(player, &text(&asked, "_id")).await;

        world.player_again(player.n).await.withdrawal(STRANGER, 60).await;
        let path = format!("/api/cancel-withdrawal/{}", world.cancellation_link(player).await);
        self.shows("get-cancellation", &world.nobody(), &path).await;
        self.once("cancel-withdrawal", world.nobody().post(&path, json!({}))).await;
    }

    async fn cases(&mut self, player: &Person, withdrawal: &str) {
        let about = json!({"kind": "withdrawal", "id": withdrawal});
        let wrong = json!({"about": about, "text": "Where is it?"});
        let case = self.once("open-case", player.post("/api/cases", wrong)).await;
        let path = format!("/api/cases/{}", text(&case, "_id"));
        let admin = self.world.admin().await;
        self.shows("list-cases", player, "/api/cases").await;
        self.shows("get-case", player, &path).await;
        self.shows("list-open-cases", &admin, "/api/admin/cases").await;
        let path = format!("{path}/messages");
        let more = json!({"text": "And when?"});
        self.once("write-to-case", player.post(&path, more)).await;
        let close = json!({"close": "It is sent."});
        self.once("write-to-case, closed by an admin", admin.post(&path, close)).await;
    }

    async fn restraints(&mut self) {
        let player = self.world.player_with(100).await;
        self.shows("get-limits", &player, "/api/me/limits").await;
        let limits = json!({"limits": {"deposit-day": 1000, "loss-month": 500}});
        self.once("set-limits", player.put("/api/me/limits", limits)).await;
        self.once("start-deposit, of who has limits", player.deposit(&player.phone(), 70)).await;
        self.world.app().store().set_terms(&player.user_id(), &[]).await.unwrap();
        let terms = json!({"version": TERMS});
        self.once("accept-terms", player.post("/api/me/terms", terms)).await;
        let stop = json!({"for": "1w", "password": PASSWORD});
        self.once("start-exclusion", player.post("/api/me/exclusion", stop)).await;
    }

    async fn notifications(&mut self, player: &Person) {
        let world = self.world.clone();
        let phone = world.phone(player).await;
        let subscriptions = "/api/me/push-subscriptions";
        self.once("add-push-subscription", player.post(subscriptions, phone.told.clone())).await;
        let mails = json!({"mail": {"drawn": true}});
        self.once("set-notifications", player.put("/api/me/notifications", mails)).await;
        let listed = player.notifications().await;
        let path = format!("{subscriptions}/{}", text(&listed["subscriptions"][0], "_id"));
        self.once("remove-push-subscription", player.send(Method::DELETE, &path, None)).await;
    }

    pub async fn entries(&mut self, player: &Person, other: &Person) {
        let world = self.world.clone();
        self.once("join-league", player.join(50, 1)).await;
        // So that M-Pesa's token is a new one: it is renewed once in an hour, whoever is the first to need it.
        world.player().await.prompt(50).await;
        let paying = self.once("start-entry-payment", other.pay(50, 1)).await;
        let path = format!("/api/pay/status?checkoutId={}", text(&paying, "checkoutId"));
        self.shows("get-entry-payment-status", other, &path).await;
        self.during(&["settle-payment, an entry"], world.receipt_of(&other.phone(), paid())).await;
        world.crowd(10, 50).await;
        world.advance(60).await;
        self.leagues("before the draw", &world.again(player).await).await;
    }
}
