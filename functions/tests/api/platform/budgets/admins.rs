//! What an admin sees and does.

use reqwest::Method;
use serde_json::{Value, json};

use super::Budgets;
use crate::support::{
    PASSWORD, Person, admin::approval, authenticator::TOTP, gameweek::DAY, money::rejected,
    set_asides::dismissal, text,
};

impl Budgets {
    /// What an admin sees and does about money.
    pub async fn acts(&mut self, player: &Person, withdrawal: &str) {
        let world = self.world.clone();
        let admin = world.admin().await;
        for (line, path) in [
            ("list-manual-payments", "/api/manual-payment/pending".to_owned()),
            ("list-withdrawals, an admin", "/api/withdraw".to_owned()),
            ("list-set-asides", "/api/admin/set-asides".to_owned()),
            ("search-players", "/api/admin/players?q=player".to_owned()),
            ("get-player", format!("/api/admin/players/{}", player.id)),
            ("list-audit", "/api/admin/audit".to_owned()),
            ("list-approvals", "/api/admin/approvals".to_owned()),
            ("get-switches", "/api/admin/switches".to_owned()),
            ("get-backlog", "/api/admin/backlog".to_owned()),
            ("get-books", "/api/admin/books".to_owned()),
            ("get-totp", TOTP.to_owned()),
            ("list-influencers", "/api/influencers".to_owned()),
            ("export-table", "/api/admin/exports/postings".to_owned()),
        ] {
            self.shows(line, &admin, &path).await;
        }
        let pending = world.pending_codes().await;
        let reject = json!({"paymentId": pending[0]["_id"], "reason": "No such payment."});
        self.once("reject-manual-payment", admin.post("/api/manual-payment/reject", reject)).await;
        let path = format!("/api/withdraw/{withdrawal}");
        self.once("update-withdrawal", admin.put(&path, rejected("Wrong number."))).await;
        let asked = player.withdrawal(&player.phone(), 60).await;
        let path = format!("/api/withdraw/{asked}/pay");
        let paid = async {
            // M-Pesa's result may be there before the answer is.
            admin.send(Method::POST, &path, None).await.expect(200);
            world.advance(0).await;
        };
        self.during(&["pay-withdrawal", "receive-payout-result", "take-result, of a payout"], paid).await;
        let id = player.typed_code("UHK7RT61SW").await;
        // M-Pesa is asked about it by itself too.
        world.advance(0).await;
        self.once("confirm-manual-payment", admin.confirm_code(&id, 50)).await;
        let (other, _) = world.paid_otherwise(&world.player().await, 600).await;
        let path = format!("/api/admin/set-asides/{other}");
        self.shows("get-set-aside", &admin, &path).await;
        self.once("decide-set-aside", admin.post(&path, dismissal())).await;
        let influencer = json!({"name": "Mwalimu FPL"});
        let made = self.once("create-influencer", admin.post("/api/influencer/create", influencer)).await;
        let code = text(&made, "code");
        let visit = world.nobody();
        let path = format!("/api/influencer/ref/{code}?noRedirect=1");
        self.once("follow-referral", visit.get(&path)).await;
        self.once("get-invitation, the first time", player.get("/api/me/invitation")).await;
        self.shows("get-invitation", player, "/api/me/invitation").await;
        self.once("toggle-deduction", admin.post("/api/points/toggle-deduction", json!({}))).await;
        self.once("toggle-deduction", admin.post("/api/points/toggle-deduction", json!({}))).await;
        let path = format!("/api/admin/players/{}/release-number", player.id);
        let release = json!({"phone": player.phone(), "reason": "Changed hands."});
        self.once("release-number", admin.post(&path, release)).await;
        self.accounts_of_others(&admin).await;
        self.second_factor().await;
        self.hooks_and_jobs().await;
    }

    async fn accounts_of_others(&mut self, admin: &Person) {
        let other = self.world.player().await;
        let path = format!("/api/admin/players/{}/corrections", other.id);
        let correction = json!({"correctionId": "a".repeat(32), "amount": 100, "reason": "Too little."});
        self.once("correct-wallet", admin.post(&path, correction)).await;
        let suspended = json!({"suspended": true, "reason": "Looked into."});
        self.once("update-player", admin.patch_player(&other.id, suspended)).await;
        for paused in [true, false] {
            let switches = json!({"entriesPaused": paused, "reason": "Maintenance."});
            self.once("set-switches", admin.put("/api/admin/switches", switches)).await;
        }
    }

    async fn second_factor(&mut self) {
        let world = self.world.clone();
        let admin = world.second_admin().await;
        let begun = self.once("start-totp", admin.post(TOTP, json!({"password": PASSWORD}))).await;
        let secret = text(&begun, "secret");
        let form = json!({"password": PASSWORD, "code": world.totp_code(&secret, 0)});
        let codes = self.once("confirm-totp", admin.post(&format!("{TOTP}/confirm"), form)).await;
        let code = json!({"code": world.totp_code(&secret, 1)});
        self.once("step-up", admin.post("/api/admin/step-up", code)).await;
        let code = json!({"code": codes["recoveryCodes"][0]});
        let codes =
            self.once("renew-recovery-codes", admin.post(&format!("{TOTP}/recovery-codes"), code)).await;
        let code = json!({"code": codes["recoveryCodes"][0]});
        self.once("remove-totp", admin.post(&format!("{TOTP}/remove"), code)).await;
    }

    /// In a world whose gameweek never becomes final.
    pub async fn called_off(&mut self) {
        let world = self.world.clone();
        world.crowd(12, 50).await;
        world.faults(json!({"fpl": "unfinal"})).await;
        world.phase(1, "checked").await;
        world.clock_to("2026-08-29T10:30:30Z").await;
        let because = json!({"reason": "The season was left."});
        let path = "/api/admin/gameweeks/2026-01/void";
        self.once("void-gameweek", world.admin().await.post(path, because)).await;
    }

    /// In a world where a team is unknown to the official game.
    pub async fn decided(&mut self) {
        let world = self.world.clone();
        world.league_with_hidden(1).await;
        world.advance(DAY).await;
        // The minute after a change of the calendar is over, in which the current gameweek is read from it.
        world.advance(60).await;
        let league = world.waiting_leagues().await.remove(0);
        let path = format!("/api/admin/leagues/{}", text(&league, "_id"));
        let admin = world.admin().await;
        let own_figures = json!({"act": "own-figures", "reason": "No such team any more."});
        self.once("decide-league", admin.post(&path, own_figures)).await;
    }

    /// With the safeguards full: an act of two.
    pub async fn approved(&mut self) {
        let world = self.world.clone();
        let player = world.player_with_own_number(20_000).await;
        let (admin, _) = (world.admin().await, world.second_admin().await);
        let id = player.withdrawal(&player.phone(), 15_000).await;
        let proposed: Value = admin.pay_out(&id).await.expect(202);
        // Logged in with a code just now.
        let second = world.second_admin().await;
        let approve = json!({"decision": "approve"});
        self.once("decide-approval", second.post(&approval(&proposed), approve)).await;
    }
}
