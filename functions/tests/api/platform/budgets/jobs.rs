//! What M-Pesa posts, and what the schedules do.

use serde_json::json;

use super::Budgets;

impl Budgets {
    pub async fn hooks_and_jobs(&mut self) {
        let world = self.world.clone();
        let hook = format!("/hooks/b2c/timeout/{}", "a".repeat(32));
        let late =
            world.post_to_hook(&hook, json!({"Result": {"ResultCode": 1, "ResultDesc": "It timed out."}}));
        self.during(&["receive-payout-timeout"], late).await;
        world.advance(0).await;

        let player = world.player().await;
        let typed = async {
            player.typed_code("UHK7RT61SX").await;
            world.advance(0).await;
        };
        let lines = ["receive-status-result", "take-result, of a typed code and M-Pesa's answer"];
        self.during(&lines, typed).await;
        // M-Pesa's answer comes while the question's last call goes out, or after it: the machine's load decides.
        let both = self.measured.get_mut(lines[1]).expect("it was measured");
        both.depth = both.calls;
        let paybill = async {
            world
                .paybill(json!({"phone": "0712345678", "amount": 250, "accountReference": "FPL Leagues"}))
                .await;
            world.advance(0).await;
        };
        let lines = ["receive-paybill-confirmation", "take-result, of a payment to the paybill"];
        self.during(&lines, paybill).await;

        for job in
            ["remind-of-payments", "register-paybill", "check-receipts", "ask-for-balance", "reconcile"]
        {
            self.during(&[job], world.start_job(job)).await;
        }
        self.scheduled("sync-gameweek, nothing to do", "sync-gameweek").await;
        // What was found is good for some seconds: asked once.
        self.once("get-health", world.nobody().get("/healthz")).await;
    }

    /// What the reading has made of the books, for everybody and for a player.
    pub async fn trust(&mut self) {
        let world = self.world.clone();
        for _ in 0..5 {
            world.player_with(70).await;
        }
        let holder = world.player_with(70).await.n;
        world.read_books().await;
        self.shows("get-trust", &world.nobody(), "/api/trust").await;
        self.shows("get-proof", &world.player_again(holder).await, "/api/me/proof").await;
    }

    /// A job that runs each minute, once.
    pub async fn scheduled(&mut self, line: &str, job: &str) {
        let world = self.world.clone();
        world.schedule(job, false).await;
        self.during(&[line], world.start_job(job)).await;
        world.schedule(job, true).await;
    }
}
