//! The end of a gameweek: nothing may wait any more, and everybody has what is theirs to the shilling.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::Ordering,
};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Year, model::Balance, steps::Span};
use crate::support::{
    gameweek::{DAY, PROCESS, users},
    text,
};

const STAKES: [i64; 3] = [50, 100, 250];
/// Rounds of two hours until every league is paid, and of days until nothing waits.
const ROUNDS: usize = 40;
const DAYS: usize = 6;

impl Year {
    /// The faults end, the clock moves on, and what waits is worked off.
    pub async fn end_week(&self, week: u8) {
        let none = json!({"fpl": "none", "daraja": "none", "payouts": "none", "payer": "none",
            "beacon": "none", "email": "none", "push": "none", "extraDeliveries": 0, "dynamodb": {}});
        self.note_faults(&none);
        self.world.faults(none).await;
        self.let_schedules(true).await;
        self.let_all().await;
        self.finish_corrections().await;
        self.look_for_entries().await;
        let vanished = std::mem::take(&mut *self.vanished.lock().unwrap());
        for player in vanished {
            self.world.team_exists(&self.players[player].fpl_id, true).await;
        }
        self.world.phase(week, "checked").await;
        self.world.advance(3600).await;
        self.pay_winners(week).await;
        if self.void.load(Ordering::Relaxed) {
            self.tally().voids += 1;
        } else {
            self.reckon(week).await;
        }
        for n in 0..self.players.len() {
            self.look_at_phone(n, None).await;
        }
        *self.span.lock().unwrap() = Span::Open;
        let mut left = BTreeMap::new();
        for _ in 0..DAYS {
            left = self.work_off().await;
            if left.is_empty() {
                // What came up just then is on no list before the next look.
                left = self.work_off().await;
            }
            if left.is_empty() {
                break;
            }
            self.world.advance(DAY).await;
        }
        assert!(left.is_empty(), "nothing moves any more, and this still waits: {left:?}");
        // The night after, in which M-Pesa is asked about large payments.
        self.world.advance(DAY).await;
        self.is_to_the_shilling().await;
        self.check_withdrawals().await;
        // Those who were in the first gameweek can close their accounts only once it is paid.
        if week > 1 && week == self.size.weeks {
            self.wait_for_an_erasure().await;
        }
        self.check_erased().await;
        self.tally().weeks += 1;
    }

    async fn pay_winners(&self, week: u8) {
        for _ in 0..ROUNDS {
            let (email, password) = self.world.admin_account();
            let admin = self.world.log_in(&email, &password).await;
            let pressed = self.press(&admin, Method::POST, PROCESS, Some(json!({"gameweek": week}))).await;
            if pressed.status == 200 && pressed.body["state"] == "settled" {
                return;
            }
            self.world.advance(2 * 3600).await;
        }
        panic!("gameweek {week} is never settled");
    }

    /// The leagues, as anybody can read them.
    async fn reckon(&self, week: u8) {
        let of: BTreeMap<&str, usize> =
            self.players.iter().enumerate().map(|(n, player)| (player.fpl_id.as_str(), n)).collect();
        let mut leagues: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
        for stake in STAKES {
            let path = format!("/api/leagues?gameweek={week}&entryAmount={stake}");
            let pages = self.world.nobody().pages(&path).await;
            for league in pages.iter().filter_map(Value::as_array).flatten() {
                let members: Vec<usize> =
                    users(league).iter().map(|user| of[text(user, "fplId").as_str()]).collect();
                self.model().settle(week, stake, &members);
                self.tally().leagues += 1;
                leagues.entry(stake).or_default().extend(members);
            }
        }
        let missing = self.model().missing(week, &leagues);
        assert_eq!(missing, None, "who paid so much in time or has joined, and is in no league of it");
    }

    /// Everything that always holds of the books (`World::ledger`), and each player has what is theirs.
    async fn is_to_the_shilling(&self) {
        self.tally().checks += 1;
        self.harvest().await;
        let ledger = self.world.ledger().await;
        let mut model = self.model();
        model.check_cancelled();
        let balances = self.players.iter().enumerate().map(|(n, player)| {
            let debt = ledger.account(&format!("debt:{}", player.id));
            (player.name(), Balance { should: model.should_have(n), has: ledger.wallets[&player.id] + debt })
        });
        let wrong: Vec<_> = balances.filter(|(_, balance)| balance.should != balance.has).collect();
        assert!(wrong.is_empty(), "what they should have, and have: {wrong:?}");
        let accounts = model.accounts();
        let are_players = |name: &str| name.starts_with("wallet:") || name.starts_with("debt:");
        let others = ledger.accounts.iter().filter(|(name, held)| !are_players(name) && **held != 0);
        let others: BTreeMap<&str, i64> = others.map(|(name, held)| (name.as_str(), *held)).collect();
        let should: BTreeMap<&str, i64> = accounts.into_iter().filter(|(_, held)| *held != 0).collect();
        assert_eq!(others, should, "what the accounts have that are no player's, and should have");
        model.all_taken_back();
    }
}
