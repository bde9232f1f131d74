//! Players who leave: they withdraw what they have, close the account, and are erased a week later. Their money stays in the
//! books.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::json;

use super::Year;
use crate::support::{PASSWORD, gameweek::DAY, njeri::CLOSURE};

/// Less is not paid out, and stays in the wallet of an account that is closed, in KES.
const LEAST: i64 = 60;
/// So long after the closing what is personal has gone, in seconds: after a week, with the next run.
const ERASED_AFTER: i64 = 8 * DAY;

impl Year {
    pub fn is_leaving(&self, who: usize) -> bool {
        self.leavers.lock().unwrap().contains(&who)
    }

    /// Withdraws the whole wallet; where it is empty, closes the account. Nothing new is begun from then on.
    pub async fn leave(&self, who: usize) {
        self.leavers.lock().unwrap().insert(who);
        if !self.model().may_leave(who) {
            return;
        }
        let player = &self.players[who];
        let shown = player.send(self, Method::GET, "/api/user", None, None).await;
        let Some(wallet) = shown.body["wallet"].as_i64() else { return };
        if wallet >= LEAST {
            let body = json!({"mpesaNumber": player.phone, "amount": wallet});
            let answer = player.post(self, "/api/withdraw", body).await;
            self.note_withdrawal(who, &answer);
            return;
        }
        let answer = player.post(self, CLOSURE, json!({"password": PASSWORD})).await;
        if answer.status == 200 {
            self.model().closed.insert(who, self.now());
        }
    }

    /// Who has closed the account, with no money since then, and after which second it has to be gone.
    fn to_be_gone(&self) -> BTreeMap<usize, i64> {
        let model = self.model();
        let left_alone =
            model.closed.iter().filter(|(player, closed_at)| model.was_left_alone(**player, **closed_at));
        left_alone.map(|(player, closed_at)| (*player, closed_at + ERASED_AFTER)).collect()
    }

    /// The clock goes on until the first of the closed accounts has to be gone.
    pub async fn wait_for_an_erasure(&self) {
        let Some(first) = self.to_be_gone().into_values().min() else { return };
        while self.now() <= first {
            self.world.advance(DAY).await;
        }
    }

    /// Whose account was closed a week ago is gone, where no money has come since then.
    pub async fn check_erased(&self) {
        let (now, mut erased) = (self.now(), 0);
        let admin = self.world.admin().await;
        let due = self.to_be_gone().into_iter().filter(|(_, at)| now > *at);
        for (player, at) in due {
            let path = format!("/api/admin/players/{}", self.players[player].id);
            let answer = self.press(&admin, Method::GET, &path, None).await;
            let name = self.players[player].name();
            assert_eq!(answer.status, 404, "the account of {name} has to be gone at {at}: {}", answer.body);
            erased += 1;
        }
        self.tally().erased = erased;
    }
}
