//! What is done by a process beside the world's own, which ends at one of its steps, misses its answer, or goes by a clock that is
//! a minute off. What it answers is nobody's to hear; what it did is in the books.

use app::{
    App,
    admin::acts::{self, MoneyAct},
    entries::by_wallet::{self, ReadAhead},
    leagues::draw,
    payments::prompts,
    platform::queues::ProcessPayment,
    settlement::{settling, winners},
    withdrawals::{
        endings::{self, Ending},
        payouts, requests,
    },
};
use domain::{EntryAmount, Kes};
use local::process::{Fate, Process};
use reqwest::Method;
use store::{
    accounts::players::Player,
    admin::{audit::Who, permits::Permit},
    leagues::picks_import::ImportStep,
};

use super::{Year, desk::list, steps::Dying};
use crate::support::{Person, admin::SECOND_ADMIN, text};

/// How far a machine's clock is off (docs/faults.md, 25), in seconds.
const OFF: i64 = 60;

/// In which work a process may die.
pub const WORK: [&str; 9] = [JOIN, WITHDRAWAL, QUESTION, PAYOUT, CODE, CASE, DRAW, WINNERS, LEAGUE];
const JOIN: &str = "join";
const WITHDRAWAL: &str = "withdrawal";
const QUESTION: &str = "question";
const PAYOUT: &str = "payout";
const CODE: &str = "code";
const CASE: &str = "case";
const DRAW: &str = "draw";
const WINNERS: &str = "winners";
const LEAGUE: &str = "league";

/// At which step, and in which way.
type End = (u64, u8);

async fn second_admin(app: &App) -> Option<Player> {
    let email = domain::Email::parse(SECOND_ADMIN).unwrap();
    app.store().player_by_email(&email).await.ok()?
}

impl Year {
    fn beside(&self, (at, how): End) -> Process {
        self.tally().off += usize::from(how > 2);
        match how {
            0 => self.world.process(Fate::DiesBefore(at)),
            1 => self.world.process(Fate::DiesAfter(at)),
            2 => self.world.process(Fate::Misses(at)),
            3 => self.world.process_with_clock(OFF),
            _ => self.world.process_with_clock(-OFF),
        }
    }

    async fn run(&self, process: &Process, what: &'static str, work: impl Future<Output = ()>) {
        // What it does is deep: on the heap, so that a test's stack is enough.
        if process.run(Box::pin(work)).await.is_none() {
            *self.tally().deaths.entry(what).or_default() += 1;
        }
    }

    pub async fn dying(&self, who: usize, what: Dying, end: End) {
        let process = self.beside(end);
        let (app, mine) = (process.app(), &self.players[who]);
        let work = async {
            let Ok(Some(player)) = app.store().player(&mine.person().user_id()).await else { return };
            match what {
                Dying::Join => {
                    self.model().ask(self.week(), who, EntryAmount::Fifty.kes().get());
                    let ahead = ReadAhead::of(app, &player.id).await;
                    let entry = (EntryAmount::Fifty, self.week());
                    drop(by_wallet::join(app, &player, None, entry, ahead).await);
                }
                Dying::Withdraw => {
                    let asked =
                        requests::Request { phone: &mine.phone, amount: Some(90), key: None, from: None };
                    drop(requests::request(app, &player, asked).await);
                }
                Dying::Question => {
                    let last = mine.last.lock().unwrap().clone();
                    if let Some(last) = last {
                        drop(prompts::process(app, &ProcessPayment::question(&last.payment, 0)).await);
                    }
                }
            }
        };
        let what = match what {
            Dying::Join => JOIN,
            Dying::Withdraw => WITHDRAWAL,
            Dying::Question => QUESTION,
        };
        self.run(&process, what, work).await;
    }

    pub async fn dying_payout(&self, admin: &Person, end: End) {
        let waiting = list(&self.press(admin, Method::GET, "/api/withdraw", None).await);
        let Some(one) = waiting.iter().find(|one| one["payout"].is_null()) else { return };
        let (id, process) = (text(one, "_id"), self.beside(end));
        let app = process.app();
        let work = async {
            let Ok(Some(withdrawal)) = app.store().withdrawal(&id).await else { return };
            let Some(admin) = second_admin(app).await else { return };
            let permit = Permit::plain(Who::admin(&admin), app.clock().now());
            if id.as_bytes()[id.len() - 1].is_multiple_of(3) {
                let ending = Ending::Rejected { reason: "Please ask again.".to_owned() };
                drop(endings::end(app, &withdrawal, &ending, &permit).await);
            } else {
                drop(payouts::pay(app, &withdrawal, &permit).await);
            }
        };
        self.run(&process, PAYOUT, work).await;
    }

    /// Does an act on money as the second admin.
    async fn dying_act(&self, what: &'static str, act: MoneyAct, end: End) {
        let process = self.beside(end);
        let work = async {
            let Some(admin) = second_admin(process.app()).await else { return };
            drop(Box::pin(acts::ask(process.app(), &admin, &act)).await);
        };
        self.run(&process, what, work).await;
    }

    /// Confirms a code that is its player's own.
    pub async fn dying_code(&self, admin: &Person, end: End) {
        let waiting = self.press(admin, Method::GET, "/api/manual-payment/pending", None).await;
        let confirmed = list(&waiting).into_iter().find_map(|code| {
            let whose = self.ids[&text(&code, "userId")];
            let amount = self.model().is_theirs(&text(&code, "mpesaCode"), whose)?;
            Some(MoneyAct::ConfirmCode { id: text(&code, "_id"), amount: Kes::new(amount) })
        });
        if let Some(act) = confirmed {
            self.dying_act(CODE, act, end).await;
        }
    }

    /// Decides a case by what M-Pesa knows; what is only dismissed is left.
    pub async fn dying_case(&self, admin: &Person, end: End) {
        let waiting = self.press(admin, Method::GET, "/api/admin/set-asides", None).await;
        for case in list(&waiting) {
            let body = self.decision(&case).await;
            if body["act"] != "dismiss" {
                let act = MoneyAct::DecideSetAside {
                    id: text(&case, "_id"),
                    decision: text(&body, "act"),
                    reason: text(&body, "reason"),
                    amount: body["amount"].as_i64(),
                    receipt: body["receipt"].as_str().unwrap_or_default().to_owned(),
                };
                return self.dying_act(CASE, act, end).await;
            }
        }
    }

    pub async fn dying_draw(&self, end: End) {
        let process = self.beside(end);
        let work = async { drop(draw::advance(process.app(), self.gameweek()).await) };
        self.run(&process, DRAW, work).await;
    }

    pub async fn dying_winners(&self, end: End) {
        let process = self.beside(end);
        let work = async { drop(winners::settle_gameweek(process.app(), self.gameweek()).await) };
        self.run(&process, WINNERS, work).await;
    }

    /// The winners are asked for; while the world pays league after league, this does from the last one on.
    pub async fn dying_league(&self, end: End) {
        let (store, id) = (self.world.app().store(), self.gameweek());
        drop(winners::settle_gameweek(self.world.app(), id).await);
        let Ok(Some(gameweek)) = self.world.app().gameweek(id).await else { return };
        let Ok(read) = store.import_progress(id, ImportStep::Results).await else { return };
        // Only then the leagues have their messages.
        if gameweek.settling_since.is_none() || gameweek.held_up.is_some() || read.round_ended_at.is_none() {
            return;
        }
        let mut left = Vec::new();
        let statuses = store.each_league_status(id, |league, status| {
            left.extend(status.settled_at.is_none().then_some(league));
        });
        drop(statuses.await);
        let process = self.beside(end);
        let work = async {
            for league in left.into_iter().rev() {
                drop(settling::settle_league(process.app(), league).await);
            }
        };
        self.run(&process, LEAGUE, work).await;
    }
}
