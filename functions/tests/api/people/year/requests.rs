//! Requests with an idempotency key, which are sent again and have the same answer, and withdrawals that a mailed link takes
//! back.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Year, desk::list, steps::Reply};
use crate::support::{Answer, at_once, text};

impl Year {
    pub async fn deposit(&self, who: usize, amount: i64, reply: &Reply, key: Option<String>) {
        let body = json!({"phone": self.players[who].phone, "amount": amount});
        let (path, key) = ("/api/deposits", key.as_deref());
        let first = self.prompted(who, path, (body.clone(), key), reply).await;
        if key.is_none() || first.status != 200 {
            return;
        }
        let before = self.newest_prompt(who).await;
        let again = self.players[who].send(self, Method::POST, path, Some(body), key).await;
        // Where the database or M-Pesa has a fault, how the first one stands may not be known yet.
        let is_answered = again.status == 200 || (self.is_well() && again.status != 503);
        if is_answered {
            assert_eq!((again.status, &again.body), (first.status, &first.body), "a deposit once more");
            assert_eq!(self.newest_prompt(who).await, before, "a prompt for a deposit once more");
            self.tally().repeated += 1;
        }
    }

    /// M-Pesa's id of the newest prompt on a player's phone that is the player's own.
    async fn newest_prompt(&self, who: usize) -> Option<String> {
        let prompts = self.world.prompts(&self.players[who].phone).await;
        let own = |prompt: &&Value| self.names[&text(prompt, "accountReference")] == who;
        prompts.iter().find(own).map(|prompt| text(prompt, "checkoutRequestId"))
    }

    /// Asks for a withdrawal; `twice` at once, and with a key once more after that: all that are taken are one.
    pub async fn withdraw(&self, who: usize, body: Value, twice: bool, key: Option<String>) {
        let (path, key) = ("/api/withdraw", key.as_deref());
        let send = |_| self.players[who].send(self, Method::POST, path, Some(body.clone()), key);
        if !twice || key.is_none() {
            let answers = at_once((0..1 + usize::from(twice)).map(send)).await;
            answers.iter().for_each(|answer| self.note_withdrawal(who, answer));
            return;
        }
        let before = self.withdrawals_of(who).await;
        let mut answers = at_once((0..2).map(send)).await;
        answers.push(send(2).await);
        answers.iter().for_each(|answer| self.note_withdrawal(who, answer));
        let taken: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
        let Some(first) = taken.first() else { return };
        assert!(taken.iter().all(|answer| answer.body == first.body), "a withdrawal once more: {taken:?}");
        let (Some(before), Some(after)) = (before, self.withdrawals_of(who).await) else { return };
        // The list may not have it yet.
        let other = after.difference(&before).find(|id| **id != text(&first.body, "_id"));
        assert_eq!(other, None, "a second withdrawal of one key, beside {}", first.body);
        self.tally().repeated += 1;
    }

    /// Takes down a withdrawal that was taken: it is in the player's list until the end.
    pub fn note_withdrawal(&self, who: usize, answer: &Answer) {
        if answer.status == 201 {
            self.model().withdrawals.insert(text(&answer.body, "_id"), who);
        }
    }

    /// Each withdrawal that was ever taken is shown to its player, and has ended.
    pub async fn check_withdrawals(&self) {
        let mut taken: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (id, who) in &self.model().withdrawals {
            taken.entry(*who).or_default().push(id.clone());
        }
        let mut ended = 0;
        for (who, ids) in taken {
            let shown = self.players[who].send(self, Method::GET, "/api/withdraw", None, None).await;
            // Who has closed the account is shown nothing any more.
            if shown.status != 200 {
                continue;
            }
            let is_over = |one: &&Value| one["status"] != "pending";
            let over: BTreeSet<String> =
                list(&shown).iter().filter(is_over).map(|one| text(one, "_id")).collect();
            let lost = ids.iter().find(|id| !over.contains(*id));
            assert_eq!(
                lost,
                None,
                "a withdrawal of {} was taken and has not ended",
                self.players[who].name()
            );
            ended += ids.len();
        }
        self.tally().withdrawals = ended;
    }

    /// The ids of a player's withdrawals, as they are shown.
    async fn withdrawals_of(&self, who: usize) -> Option<BTreeSet<String>> {
        let shown = self.players[who].send(self, Method::GET, "/api/withdraw", None, None).await;
        (shown.status == 200).then(|| list(&shown).iter().map(|one| text(one, "_id")).collect())
    }

    /// Presses the button behind the newest link that was mailed about a withdrawal, twice at once; `fresh`: of so much, in
    /// KES, that is asked for just before. What it has taken back is never paid: each later reckoning has it in the wallet
    /// once.
    pub async fn cancel(&self, who: usize, fresh: Option<i64>) {
        let player = &self.players[who];
        if let Some(amount) = fresh {
            let body = json!({"mpesaNumber": player.elsewhere, "amount": amount});
            let answer = player.post(self, "/api/withdraw", body).await;
            self.note_withdrawal(who, &answer);
            // The mail goes out.
            self.world.advance(0).await;
        }
        let mails = self.world.every_mail(&player.email).await;
        let links = mails.iter().filter_map(|mail| mail["links"][0].as_str());
        let mut tokens = links.filter_map(|link| Some(link.split_once("/cancel-withdrawal/")?.1));
        let Some(token) = tokens.next() else { return };
        let (nobody, path) = (self.world.nobody(), format!("/api/cancel-withdrawal/{token}"));
        for answer in at_once((0..2).map(|_| nobody.post(&path, json!({})))).await {
            self.count(&path, &answer);
            if answer.status == 200 {
                assert_eq!(answer.body["status"], "rejected", "a withdrawal that was cancelled");
                // The withdrawal's id comes first in the link.
                self.model().cancel(&token[..32]);
            }
        }
    }
}
