//! Processes of the product that die, lose an answer or stand still at any of their steps, and what such a process
//! is given to do, past every handler.

use app::{
    App,
    admin::changes::{self, Change},
    entries::new_entry,
    payments::{
        deposits::{self, DepositRequest},
        prompts,
    },
    platform::{flow::Flow, idempotency::RequestKey, queues::ProcessPayment},
    withdrawals::{
        endings::{self, Ending},
        payouts::{self, PayError},
        requests,
    },
};
use domain::EntryAmount;
use local::process::{Fate, Process};
use serde_json::json;
use store::{
    accounts::players::Player,
    admin::{audit::Who, permits::Permit},
    entries::Joined,
};

use super::{
    Person, World,
    gameweek::this_week,
    mpesa::{callback, paid_unheard, payout_completed},
    text,
};

/// How a flow ended by the rules: a failure of ours is none.
#[track_caller]
pub fn by_the_rules<T, R>(outcome: Flow<T, R>) -> Result<T, R> {
    outcome.map_err(|error| error.refusal().expect("a rule's refusal"))
}

/// An admin's press that freezes an account.
pub async fn freeze(app: &App, person: &Person) {
    let frozen = Change::Frozen(true);
    changes::change(app, &person.user_id(), frozen, Who::Operator, "A thief.").await.unwrap();
}

/// Has `work` done by a process that ends at each of its steps in each way. Answers how many steps the work has.
pub async fn in_every_fate(world: &World, mut work: impl AsyncFnMut(&Process, Fate)) -> u64 {
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let process = world.process(fate);
            work(&process, fate).await;
            reached |= process.tally().steps >= step;
        }
        if !reached {
            return step - 1;
        }
    }
    unreachable!("the steps end")
}

/// Has `work` end at each of its steps in each way, on a subject of its own each time; then another
/// process does it from the start. Answers the subjects, and how many steps the work has.
pub async fn dying_at_every_step<S>(
    world: &World,
    mut subject: impl AsyncFnMut() -> S,
    work: impl AsyncFn(&App, &S),
) -> (Vec<S>, u64) {
    let mut subjects = Vec::new();
    let steps = in_every_fate(world, async |process, fate| {
        let this = subject().await;
        let lived = process.run(work(process.app(), &this)).await.is_some();
        let dies = match fate {
            Fate::DiesBefore(step) | Fate::DiesAfter(step) => process.tally().steps >= step,
            _ => false,
        };
        assert_eq!(lived, !dies, "{fate:?} of {:?}", process.tally());
        work(world.app(), &this).await;
        subjects.push(this);
    })
    .await;
    (subjects, steps)
}

/// Has `one` stand still before each of its steps in turn, on a subject of its own each time, while `other` is
/// done. Answers the subjects; of the last one `one` was done alone, as it has no further step.
pub async fn held_up_at_every_step<S>(
    world: &World,
    mut subject: impl AsyncFnMut() -> S,
    one: impl AsyncFn(&App, &S),
    other: impl AsyncFn(&App, &S),
) -> Vec<S> {
    let mut subjects = Vec::new();
    for step in 1.. {
        let this = subject().await;
        let process = world.process(Fate::WaitsBefore(step));
        process.run_around(one(process.app(), &this), other(world.app(), &this)).await;
        subjects.push(this);
        if process.tally().steps < step {
            break;
        }
    }
    assert!(subjects.len() > 1, "it has no step to stand still before");
    subjects
}

pub async fn player(app: &App, person: &Person) -> Player {
    app.store().player(&person.user_id()).await.unwrap().unwrap()
}

/// What became of it.
pub async fn join(app: &App, person: &Person, amount: EntryAmount) -> Joined {
    let player = player(app, person).await;
    let entry = new_entry(&player, player.fpl_id.unwrap(), this_week(), amount, app.clock().now());
    app.store().join_by_wallet(&entry).await.unwrap()
}

/// Whether it was taken out: the balance may not cover it any more, or the key be another's.
pub async fn withdraw(app: &App, person: &Person, amount: i64, key: Option<&RequestKey>) -> bool {
    let player = player(app, person).await;
    let request = requests::Request { phone: &person.phone(), amount: Some(amount), key, from: None };
    by_the_rules(requests::request(app, &player, request).await).is_ok()
}

/// A prompt that was paid, and M-Pesa's callback, which nobody has heard yet.
pub struct Paid {
    pub player: Person,
    pub id: String,
    pub callback: String,
}

impl World {
    /// A prompt of `/api/deposits` or `/api/pay` that a new player has paid.
    pub async fn paid_prompt(&self, path: &str, price: i64) -> Paid {
        let player = self.player().await;
        let body = json!({"phone": player.phone(), "amount": price, "fplId": player.fpl_id, "userId": player.id,
            "entryAmount": price, "gameweek": 1});
        let id = player.post(path, body).await.text(200, "checkoutId");
        let receipt = text(&self.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
        let request = self.checkout_request(&player.phone()).await;
        let callback = callback(&request, &receipt, price).to_string();
        Paid { player, id, callback }
    }

    /// A prompt to `phone` for a deposit of `person`, sent by a process whose clock is a minute ahead.
    pub async fn prompt_by_a_clock_ahead(&self, person: &Person, phone: &str, amount: i64) {
        let process = self.process_with_clock(60);
        let player = player(process.app(), person).await;
        let asked = DepositRequest { user_id: None, phone, amount: Some(amount) };
        by_the_rules(deposits::start(process.app(), &player, asked, None).await).unwrap();
    }
}

pub async fn process_callback(app: &App, paid: &Paid) {
    process_body(app, paid, paid.callback.clone()).await;
}

/// The callback of a prompt of 500, which says 501.
pub async fn process_another_amount(app: &App, paid: &Paid) {
    process_body(app, paid, paid.callback.replace("500", "501")).await;
}

async fn process_body(app: &App, paid: &Paid, body: String) {
    let heard = ProcessPayment { callback: Some(body), ..ProcessPayment::question(&paid.id, 0) };
    prompts::process(app, &heard).await.unwrap();
}

/// M-Pesa is asked about a prompt.
pub async fn process_question(app: &App, paid: &Paid) {
    prompts::process(app, &ProcessPayment::question(&paid.id, 0)).await.unwrap();
}

/// A whole draw: the lists and which round counts, then what the round is waited for.
pub async fn draw(world: &World, app: &App, id: domain::GameweekId) {
    app::leagues::draw::advance(app, id).await.unwrap();
    world.advance(64).await;
    app::leagues::draw::advance(app, id).await.unwrap();
}

/// M-Pesa is told to pay a withdrawal, by that admin.
pub async fn pay_out(app: &App, id: &str, admin: &Player) -> Result<(), PayError> {
    let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
    let permit = Permit::plain(Who::admin(admin), app.clock().now());
    by_the_rules(payouts::pay(app, &withdrawal, &permit).await)
}

/// A withdrawal is ended by hand, by the operator. Whether it was.
pub async fn end_withdrawal(app: &App, id: &str, ending: Ending) -> bool {
    let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
    let permit = Permit::plain(Who::Operator, app.clock().now());
    endings::end(app, &withdrawal, &ending, &permit).await.unwrap()
}

pub fn rejection() -> Ending {
    Ending::Rejected { reason: "Wrong number.".to_owned() }
}

/// M-Pesa answers a question about a withdrawal that is at its end: it has paid it.
pub async fn hear_that_it_is_paid(app: &App, id: &str) {
    let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
    payouts::answered(app, &withdrawal, &payout_completed(id)).await.unwrap();
}

impl World {
    /// Somebody who owes so much, by a payout that was returned, spent and then paid.
    pub async fn owing(&self, amount: i64) -> Person {
        let player = self.player_with(amount).await;
        self.advance(25 * 3600).await;
        let id = self.returned_withdrawal(&player, amount).await;
        let second = self.again(&player).await.withdrawal(&player.phone(), amount).await;
        end_withdrawal(self.app(), &second, Ending::Done).await;
        hear_that_it_is_paid(self.app(), &id).await;
        self.again(&player).await
    }

    /// A withdrawal to the player's own phone that was rejected at once. Answers its id.
    pub async fn returned_withdrawal(&self, player: &Person, amount: i64) -> String {
        let id = self.again(player).await.withdrawal(&player.phone(), amount).await;
        assert!(end_withdrawal(self.app(), &id, rejection()).await);
        id
    }
}
