//! Two processes at the same thing: one stands still before each of its steps, with all that it has read,
//! while the other does the whole of its work; then it goes on (faults 11, 12, 15, 18 and 19).

use app::{
    App,
    payments::prompts::{self, new_entry},
    platform::queues::ProcessPayment,
    settlement::settling,
    withdrawals::{
        cancellation, payouts,
        requests::{self, Ending},
    },
};
use domain::{
    EntryAmount, GameweekId, Kes, MpesaPhone, UserId, payments::prompt::State, platform::idempotency::Call,
    withdrawals::requests::Status,
};
use local::{fixtures, process::Fate};
use rstest::rstest;
use serde_json::json;
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    entries::Joined,
    leagues::LeagueId,
    platform::idempotency::Binding,
};

use crate::{
    payments::receipts,
    platform::crash_recovery::{Paid, process_callback, prompt, withdrawal},
    support::{Person, World},
};

/// Has `one` stand still before each of its steps in turn, on a subject of its own each time, while `other` is
/// done. Answers the subjects; of the last one `one` was done alone, as it has no further step.
pub async fn at_every_step<S>(
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
    let id = UserId::parse(&person.id).unwrap();
    app.store().player(&id).await.unwrap().unwrap()
}

pub fn this_week() -> GameweekId {
    "2026-01".parse().unwrap()
}

/// What became of it.
pub async fn join(app: &App, person: &Person, amount: EntryAmount) -> Joined {
    let player = player(app, person).await;
    let entry = new_entry(&player, player.fpl_id.unwrap(), this_week(), amount, app.clock().now());
    app.store().join_by_wallet(&entry).await.unwrap()
}

/// Whether it was taken out: the balance may not cover it any more, or the key be another's.
pub async fn withdraw(app: &App, person: &Person, amount: i64, binding: Option<&Binding>) -> bool {
    let player = player(app, person).await;
    let request = requests::Request {
        phone: MpesaPhone::for_withdrawal(&person.phone()).unwrap(),
        amount: Kes::new(amount),
        binding: binding.cloned(),
    };
    requests::request(app, &player, &request).await.unwrap().is_ok()
}

#[derive(Debug, Clone, Copy)]
enum Spends {
    Fifty,
    Hundred,
    Withdraws,
}

impl Spends {
    fn price(self) -> i64 {
        if matches!(self, Self::Fifty) { 50 } else { 100 }
    }

    async fn act(self, app: &App, person: &Person) {
        match self {
            Self::Fifty => _ = join(app, person, EntryAmount::Fifty).await,
            Self::Hundred => _ = join(app, person, EntryAmount::Hundred).await,
            Self::Withdraws => _ = withdraw(app, person, 100, None).await,
        }
    }
}

/// A wallet of 100: whoever is held up finds it spent, and spends nothing.
#[rstest]
#[case::an_entry_and_a_withdrawal(Spends::Hundred, Spends::Withdraws)]
#[case::a_withdrawal_and_an_entry(Spends::Withdraws, Spends::Hundred)]
#[case::two_withdrawals(Spends::Withdraws, Spends::Withdraws)]
#[case::two_entries(Spends::Fifty, Spends::Fifty)]
#[case::two_entries_of_two_amounts(Spends::Fifty, Spends::Hundred)]
#[tokio::test]
async fn a_balance_is_spent_once(#[case] one: Spends, #[case] other: Spends) {
    let world = World::start().await;
    let subjects = at_every_step(
        &world,
        async || world.player_with(100).await,
        async |app, person| one.act(app, person).await,
        async |app, person| other.act(app, person).await,
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!(ledger.wallets[&alone.id], 100 - one.price());
    for person in met {
        assert_eq!(ledger.wallets[&person.id], 100 - other.price(), "the other one was first");
        let movements = person.get("/api/me/transactions").await.expect(200);
        assert_eq!(movements.as_array().unwrap().len(), 2, "{movements}");
    }
    let spent: i64 = subjects.iter().map(|person| 100 - ledger.wallets[&person.id]).sum();
    assert_eq!(ledger.account("pot:2026-01") + ledger.account("withdrawals"), spent);
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    Done,
    Rejected,
    Paid,
    /// With the link in the mail.
    Cancelled,
}

impl Ends {
    async fn act(self, app: &App, admin: &Player, (id, link): (&str, &str)) {
        let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
        let ending = match self {
            Self::Cancelled => {
                let _cancelled_or_too_late = cancellation::cancel(app, link).await.unwrap();
                return;
            }
            Self::Paid => {
                let _sent_or_refused =
                    payouts::pay(app, &withdrawal, &Permit::plain(Who::admin(admin), app.clock().now()))
                        .await
                        .unwrap();
                return;
            }
            Self::Done => Ending::Done,
            Self::Rejected => Ending::Rejected { reason: "Wrong number.".to_owned() },
        };
        requests::end(app, &withdrawal, &ending, &Permit::plain(Who::Operator, app.clock().now()))
            .await
            .unwrap();
    }
}

/// What the link in the mail about the newest withdrawal carries.
pub async fn link_of(world: &World, person: &Person) -> String {
    world.advance(0).await;
    let mails = world.mails(&format!("player{}@example.co.ke", person.n)).await;
    let links = mails.iter().filter_map(|mail| mail["links"][0].as_str());
    let mut tokens = links.filter_map(|link| link.split_once("/cancel-withdrawal/").map(|(_, token)| token));
    tokens.next().expect("it is mailed at once").to_owned()
}

/// A withdrawal of 450 ends as whoever was not held up has ended it, and only so.
#[rstest]
#[tokio::test]
async fn a_withdrawal_ends_one_way(
    #[values(Ends::Done, Ends::Rejected, Ends::Paid, Ends::Cancelled)] one: Ends,
    #[values(Ends::Done, Ends::Rejected, Ends::Paid, Ends::Cancelled)] other: Ends,
) {
    let world = World::start().await;
    let admin = player(world.app(), &world.admin().await).await;
    let subjects = at_every_step(
        &world,
        async || {
            let (person, id) = withdrawal(&world).await;
            let link = link_of(&world, &person).await;
            (person, id, link)
        },
        async |app, (_, id, link)| one.act(app, &admin, (id, link)).await,
        async |app, (_, id, link)| other.act(app, &admin, (id, link)).await,
    )
    .await;
    world.advance(3600).await;
    let ledger = world.ledger().await;
    let (mut out, paid) = (0, 450);
    for (person, id, _) in &subjects {
        let withdrawal = world.app().store().withdrawal(id).await.unwrap().unwrap();
        let sent =
            world.nobody().get(&format!("/sim/api/payouts?phone={}", person.phone())).await.expect(200);
        let sent = sent.as_array().unwrap().len();
        let rejected = withdrawal.status == Status::Rejected;
        assert_ne!(withdrawal.status, Status::Pending, "{withdrawal:?}");
        assert_eq!(sent, usize::from(withdrawal.payout.is_some()), "{withdrawal:?}");
        assert!(!(rejected && sent > 0), "paid, and given back: {withdrawal:?}");
        assert_eq!(ledger.wallets[&person.id], if rejected { 500 } else { 50 }, "{withdrawal:?}");
        out += if rejected { 0 } else { paid };
        if one == other {
            assert_eq!(rejected, matches!(one, Ends::Rejected | Ends::Cancelled));
        }
    }
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (out, 0));
}

/// A prompt's callback in two workers' hands.
#[rstest]
#[case::a_deposit("/api/deposits", 500, 500)]
#[case::an_entry("/api/pay", 50, 0)]
#[tokio::test]
async fn a_payment_is_credited_once(#[case] path: &str, #[case] price: i64, #[case] left: i64) {
    let world = World::start().await;
    let pay = async || prompt(&world, path, price).await;
    let subjects = at_every_step(&world, pay, process_callback, process_callback).await;
    let ledger = world.ledger().await;
    for Paid { player, id, .. } in &subjects {
        assert_eq!(ledger.wallets[&player.id], left);
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        assert!(!stored.flagged && stored.receipt.is_some(), "{stored:?}");
    }
    assert_eq!(ledger.account("mpesa:in"), -price * i64::try_from(subjects.len()).unwrap());
}

/// M-Pesa's answer says paid, and a callback with another amount comes before that is credited.
#[tokio::test]
async fn what_is_set_aside_is_not_credited() {
    let world = World::start().await;
    let subjects = at_every_step(
        &world,
        async || prompt(&world, "/api/deposits", 500).await,
        async |app, paid| prompts::process(app, &ProcessPayment::question(&paid.id, 0)).await.unwrap(),
        async |app, paid| {
            let callback = Some(paid.callback.replace("500", "501"));
            let heard = ProcessPayment { callback, ..ProcessPayment::question(&paid.id, 0) };
            prompts::process(app, &heard).await.unwrap();
        },
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!(ledger.wallets[&alone.player.id], 500);
    let mut credited = 0;
    for Paid { player, id, .. } in met {
        let stored = world.app().store().payment(id).await.unwrap().unwrap();
        // Who was held up after the credit was first, and what comes then is shown to an admin.
        let (state, flagged) = if ledger.wallets[&player.id] == 0 {
            assert_eq!(credited, 0, "held up later, and not credited: {stored:?}");
            (State::SetAside, false)
        } else {
            credited += 1;
            assert_eq!(ledger.wallets[&player.id], 500);
            (State::Success, true)
        };
        assert_eq!((stored.state, stored.flagged), (state, flagged), "{stored:?}");
    }
    assert!(credited < met.len(), "none was held up before the credit");
}

/// A receipt as a typed code that an admin confirms, and as the prompt's own, whose callback comes late.
#[rstest]
#[case::the_code_is_held_up(true)]
#[case::the_prompt_is_held_up(false)]
#[tokio::test]
async fn a_receipt_is_credited_once(#[case] code_waits: bool) {
    let world = World::start().await;
    let subject = async || {
        let person = world.player().await;
        let (id, receipt) = receipts::paid_and_reported_failed(&world, &person, 500).await;
        let email = format!("player{}@example.co.ke", person.n);
        let person = Person { n: person.n, ..world.log_in(&email, crate::support::PASSWORD).await };
        let code = receipts::submit(&person, &receipt).await;
        let prompts = format!("/sim/api/prompts?phone={}", person.phone());
        let prompts = world.nobody().get(&prompts).await.expect(200);
        let request = prompts[0]["checkoutRequestId"].as_str().unwrap();
        let callback = crate::payments::deposits::callback(request, &receipt, 500).to_string();
        (Paid { player: person, id, callback }, code)
    };
    let confirm = async |app: &App, (_, code): &(Paid, String)| {
        let typed_code = app.store().typed_code(code).await.unwrap().unwrap();
        let now = app.clock().now();
        let act = AuditRecord::new(
            Who::Operator,
            AuditAction::ConfirmTypedCode,
            format!("manual payment {code}"),
            now,
        );
        app.store().confirm_typed_code(&typed_code, Kes::new(500), Some(&act), now).await.unwrap();
    };
    let credit = async |app: &App, (paid, _): &(Paid, String)| process_callback(app, paid).await;
    let subjects = if code_waits {
        at_every_step(&world, subject, confirm, credit).await
    } else {
        at_every_step(&world, subject, credit, confirm).await
    };
    world.advance(3600).await;
    let ledger = world.ledger().await;
    for (Paid { player, .. }, _) in &subjects {
        assert_eq!(ledger.wallets[&player.id], 500);
    }
    assert_eq!(ledger.account("mpesa:in"), -500 * i64::try_from(subjects.len()).unwrap());
}

/// Two requests with one key, each of which has seen that the key is free.
#[tokio::test]
async fn a_key_is_bound_once() {
    let world = World::start().await;
    let ask = async |app: &App, person: &Person| {
        let player = UserId::parse(&person.id).unwrap();
        let hash = "0".repeat(64);
        let binding = Binding {
            player,
            call: Call::Withdraw,
            key_hash: hash.clone(),
            body_hash: hash,
            instead_of: None,
        };
        withdraw(app, person, 100, Some(&binding)).await;
    };
    let subjects = at_every_step(&world, async || world.player_with(500).await, ask, ask).await;
    let ledger = world.ledger().await;
    assert!(subjects.iter().all(|person| ledger.wallets[&person.id] == 400));
}

/// A league that two workers settle.
#[tokio::test]
async fn a_league_is_paid_once() {
    const LEAGUES: u32 = 20;
    let world = World::start().await;
    let (app, amount, id) = (world.app(), EntryAmount::Fifty, this_week());
    world.faults(json!({"fpl": "down"})).await;
    for n in 0..LEAGUES * 10 {
        fixtures::enter(app, id, amount, n).await;
    }
    fixtures::end_play(app, id).await;
    app::leagues::draw::close(app, id).await.unwrap();
    let mut left = fixtures::read_teams(app, id, amount, |_| {}).await.into_iter();
    let settle =
        async |app: &App, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap());
    let next = async || left.next().expect("a league for each step");
    let settled = at_every_step(&world, next, settle, settle).await;
    assert!(settled.len() > 4, "the record, a prize, its mail, the end: {}", settled.len());
    let ledger = world.ledger().await;
    let leagues = i64::try_from(settled.len()).unwrap();
    assert_eq!(ledger.account("fees"), 50 * leagues);
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - leagues) * 500);
}
