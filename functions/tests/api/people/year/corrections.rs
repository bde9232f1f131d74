//! Admins who correct a wallet: more than once under one id, and both at once. It moves once.

use std::sync::atomic::Ordering;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Year, model::Correction};
use crate::support::{Answer, Person, at_once};

impl Year {
    /// What it takes is in the wallet, or the operator's loss.
    pub async fn correct(&self, admins: &[Person; 2], player: usize, amount: i64, both: bool) {
        if self.is_leaving(player) {
            return;
        }
        let id = format!("{:032x}", self.keys.fetch_add(1, Ordering::Relaxed));
        let user = self.players[player].person().user_id();
        let wallet = self.world.app().store().wallet(&user).await;
        self.model().corrections.insert(id.clone(), Correction { player, amount, lost: None });
        let pressing = admins.iter().take(1 + usize::from(both));
        let mut answers = at_once(pressing.map(|admin| self.press_correction(admin, &id))).await;
        answers.push(self.press_correction(&admins[1], &id).await);
        self.take_down(&id, &answers);
        // Nothing is taken out of a wallet meanwhile, but for what M-Pesa takes back.
        let lost = self.model().corrections[&id].lost;
        if let (Ok(wallet), Some(lost), false) = (wallet, lost, self.model().has_reversed(player)) {
            let uncovered = (-amount - wallet.balance.get()).max(0);
            assert!(lost <= uncovered, "{lost} lost of {amount}, with {} in the wallet", wallet.balance);
        }
    }

    async fn press_correction(&self, admin: &Person, id: &str) -> Answer {
        let Correction { player, amount, .. } = self.model().corrections[id];
        let path = format!("/api/admin/players/{}/corrections", self.players[player].id);
        let reason = "A code was confirmed with another amount.";
        let body = json!({"correctionId": id, "amount": amount, "reason": reason});
        self.press(admin, Method::POST, &path, Some(body)).await
    }

    /// All that are answered tell of the same booking, which one of them has made at most.
    fn take_down(&self, id: &str, answers: &[Answer]) {
        let refused = answers.iter().find(|answer| ![200, 503].contains(&answer.status.as_u16()));
        assert!(refused.is_none(), "a correction is refused: {refused:?}");
        let booked: Vec<&Value> =
            answers.iter().filter(|answer| answer.status == 200).map(|answer| &answer.body).collect();
        let Some(first) = booked.first() else { return };
        let of = |body: &Value| (body["transaction"].clone(), body["writtenOff"].clone());
        assert!(booked.iter().all(|body| of(body) == of(first)), "one correction, booked twice: {booked:?}");
        let made = booked.iter().filter(|body| body["repeated"] == false).count();
        assert!(made <= 1, "a correction that was made {made} times: {booked:?}");
        let lost = first["writtenOff"].as_i64().unwrap();
        let mut model = self.model();
        let correction = model.corrections.get_mut(id).unwrap();
        assert!((0..=(-correction.amount).max(0)).contains(&lost), "{lost} lost of {}", correction.amount);
        correction.lost = Some(lost);
    }

    /// What nobody has an answer to is pressed for again.
    pub async fn finish_corrections(&self) {
        let admin = self.world.admin().await;
        let open = |(id, one): (&String, &Correction)| one.lost.is_none().then(|| id.clone());
        let open: Vec<String> = self.model().corrections.iter().filter_map(open).collect();
        for id in open {
            let answer = self.press_correction(&admin, &id).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            self.take_down(&id, &[answer]);
        }
    }
}
