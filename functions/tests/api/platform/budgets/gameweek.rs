//! A gameweek, from before its draw to its settlement.

use serde_json::json;

use super::Budgets;
use crate::support::{Person, gameweek::PROCESS, money::done, text};

impl Budgets {
    /// What is public of a gameweek, and a player's own part.
    pub async fn leagues(&mut self, when: &str, player: &Person) {
        let nobody = self.world.nobody();
        for (name, path) in [
            ("get-current-gameweek", "/current-gameweek".to_owned()),
            ("get-gameweek-status", "/api/gameweek/status".to_owned()),
            ("list-gameweeks", "/api/gameweeks".to_owned()),
            ("list-leagues", "/api/leagues?gameweek=1&entryAmount=50".to_owned()),
            ("get-points", format!("/api/points/{}?gameweek=1", player.fpl_id)),
            ("get-draw", "/api/gameweeks/1/draw".to_owned()),
        ] {
            self.shows(&format!("{name}, {when}"), &nobody, &path).await;
        }
        let own = "/api/me/league?gameweek=1&entryAmount=50";
        self.shows(&format!("get-own-league, {when}"), player, own).await;
    }

    pub async fn gameweek(&mut self, player: &Person) {
        let world = self.world.clone();
        world.phase(1, "live").await;
        world.advance(7200).await;
        self.leagues("while it is played", &world.again(player).await).await;
        self.scheduled("track-points, while it is played", "track-points").await;
        world.phase(1, "checked").await;
        let admin = world.admin().await;
        self.shows("preview-winners", &admin, "/api/admin/winners").await;
        self.shows("list-owed-gameweeks", &admin, "/api/admin/gameweeks").await;
        self.shows("preview-void", &admin, "/api/admin/gameweeks/2026-01/void").await;
        self.once("process-winners", admin.post(PROCESS, json!({}))).await;
        world.advance(7200).await;
        let admin = world.admin().await;
        self.shows("list-waiting-leagues", &admin, "/api/admin/leagues/waiting").await;
        let player = world.again(player).await;
        self.leagues("settled", &player).await;
        let league = text(&world.leagues(50).await[0], "_id");
        self.shows("get-settlement", &world.nobody(), &format!("/api/leagues/{league}/settlement")).await;
        self.shows("list-entries, settled", &player, "/api/me/entries").await;
        self.scheduled("sync-gameweek, settled", "sync-gameweek").await;
        let id = player.withdrawal(&player.phone(), 60).await;
        let admin = world.admin().await;
        self.once("update-withdrawal, done", admin.put(&format!("/api/withdraw/{id}"), done())).await;
    }
}
