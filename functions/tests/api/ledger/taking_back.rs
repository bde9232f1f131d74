//! Taking back: each step of it done twice, killed anywhere, and met by another one.

use std::time::Duration;

use app::{
    App,
    ledger::{corrections, reversals},
    platform::mail::{self, MailSubject, SendMail},
    withdrawals::endings::Ending,
};
use domain::{EntryAmount, Kes, ledger::postings::Posting};
use jiff::SignedDuration;
use local::process::Fate;
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    admin::{audit::Who, permits::Permit},
    ledger::receipt_runs::{ReceiptRun, ReceiptStep},
    platform::journals::day,
};

use crate::support::{
    Person, World, assert_has,
    mpesa::paid,
    processes,
    processes::{dying_at_every_step, hear_that_it_is_paid, held_up_at_every_step},
    set_asides::RECEIPT,
    text,
};

/// A withdrawal of 450 of 500 that an admin has rejected, and of which M-Pesa says that it is paid.
async fn returned(world: &World) -> (Person, String) {
    let (player, id) = world.withdrawing().await;
    assert!(processes::end_withdrawal(world.app(), &id, processes::rejection()).await);
    (player, id)
}

#[tokio::test]
async fn what_was_returned_is_taken_back_once_wherever_that_ends() {
    let world = World::start().await;
    let hear = async |app: &App, (_, id): &(Person, String)| hear_that_it_is_paid(app, id).await;
    let (corrected, _) = dying_at_every_step(&world, async || returned(&world).await, hear).await;
    for one in &corrected {
        hear(world.app(), one).await;
    }
    let ledger = world.ledger().await;
    for (player, _) in &corrected {
        assert_eq!(ledger.wallets[&player.id], 50);
    }
    assert_eq!(ledger.account("mpesa:out"), 450 * i64::try_from(corrected.len()).unwrap());
    world.advance(120).await;
    for (player, _) in &corrected {
        assert_eq!(world.mails_about(&player.email(), "Your wallet has been corrected").await.len(), 1);
    }
}

async fn take_back(app: &App, receipt: &str) {
    reversals::take_back(app, receipt, None).await.unwrap();
}

/// A receipt is taken back by a process that dies at any of its steps, and twice more. Answers whose it was, and how
/// many steps that has.
async fn taken_back_wherever_that_ends(
    world: &World,
    subject: impl AsyncFnMut() -> (Person, String),
) -> (Vec<Person>, u64) {
    let take = async |app: &App, (_, receipt): &(Person, String)| take_back(app, receipt).await;
    let (subjects, steps) = dying_at_every_step(world, subject, take).await;
    for one in &subjects {
        take(world.app(), one).await;
    }
    (subjects.into_iter().map(|(player, _)| player).collect(), steps)
}

#[tokio::test]
async fn a_payment_is_taken_back_once_wherever_that_ends() {
    let world = World::start().await;
    let reversed = async || world.reversed_deposit(100).await;
    let reversals = taken_back_wherever_that_ends(&world, reversed).await.0;
    let ledger = world.ledger().await;
    assert!(reversals.iter().all(|player| ledger.wallets[&player.id] == 0));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (0, 0));
    world.advance(120).await;
    for player in &reversals {
        let mails = world.mails(&player.email()).await;
        let told = mails.iter().filter(|mail| text(mail, "subject").starts_with("M-Pesa has taken back"));
        assert_eq!(told.count(), 1, "{mails:?}");
    }
}

/// The money waits in two withdrawals when it is taken back: they cover it, each once, wherever that ends.
#[tokio::test]
async fn what_waits_covers_what_is_taken_back_wherever_that_ends() {
    let world = World::start().await;
    let waiting = async || {
        let player = world.player().await;
        let receipt = world.fund(&player, 150).await;
        for amount in [60, 70] {
            assert!(processes::withdraw(world.app(), &player, amount, None).await);
        }
        (player, receipt)
    };
    let (reversals, steps) = taken_back_wherever_that_ends(&world, waiting).await;
    assert!(steps >= 6, "two rejections with their mails, and the taking back: {steps}");
    let ledger = world.ledger().await;
    for player in &reversals {
        assert_eq!((ledger.wallets[&player.id], ledger.debt(player)), (0, 0));
    }
    assert_eq!(
        (ledger.account("mpesa:in"), ledger.account("withdrawals"), ledger.account("losses")),
        (0, 0, 0)
    );
    world.advance(120).await;
    for player in &reversals {
        let mails = world.mails(&player.email()).await;
        let rejected = mails.iter().filter(|mail| text(mail, "subject").ends_with("was rejected"));
        assert_eq!(rejected.count(), 2, "{mails:?}");
    }
}

#[derive(Debug, Clone, Copy)]
enum Meets {
    Itself,
    AWithdrawal,
    AnEntry,
}

/// A payment that is taken back while its money is spent, or taken back by another: each once, whoever is first.
/// A withdrawal that was first covers it.
#[rstest]
#[case(Meets::Itself)]
#[case(Meets::AWithdrawal)]
#[case(Meets::AnEntry)]
#[tokio::test]
async fn a_payment_that_is_taken_back_meets(#[case] other: Meets) {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.reversed_deposit(100).await,
        async |app, (_, receipt)| take_back(app, receipt).await,
        async |app, (player, receipt)| match other {
            Meets::Itself => take_back(app, receipt).await,
            Meets::AWithdrawal => _ = processes::withdraw(app, player, 100, None).await,
            Meets::AnEntry => _ = processes::join(app, player, EntryAmount::Hundred).await,
        },
    )
    .await;
    let ledger = world.ledger().await;
    let mut spent = 0;
    for (player, _) in &subjects {
        let owed = -ledger.debt(player);
        assert!(ledger.wallets[&player.id] == 0 && [0, 100].contains(&owed), "{owed}");
        spent += owed;
    }
    assert_eq!((ledger.account("mpesa:in"), ledger.account("withdrawals")), (0, 0));
    assert_eq!(ledger.account("pot:2026-01"), spent);
    let mut asked = 0;
    for (player, _) in &subjects {
        asked += world.app().store().withdrawals_of(&player.user_id()).await.unwrap().len();
    }
    let first = match other {
        Meets::Itself => spent == 0 && asked == 0,
        Meets::AWithdrawal => spent == 0 && asked > 0,
        Meets::AnEntry => spent > 0 && asked == 0,
    };
    assert!(first, "the other one was first somewhere: {spent}, {asked}");
}

/// The questions of a night go on wherever one of them ends, and find what was taken back.
#[tokio::test]
async fn the_questions_of_a_night_go_on_wherever_they_end() {
    let world = World::start().await;
    for step in 1.. {
        // Large: it is asked about in any case.
        let player = world.player().await;
        let receipt = world.fund(&player, 20_000).await;
        world.reverse(&receipt).await;
        world.advance(1).await;
        let process =
            world.process(if step % 2 == 0 { Fate::DiesAfter(step) } else { Fate::DiesBefore(step) });
        let died = process.run(reversals::start(process.app())).await.is_none();
        reversals::start(world.app()).await.unwrap();
        if !died {
            let run = world.app().store().receipt_run().await.unwrap().unwrap();
            let process = world.process(Fate::DiesAfter(step % 4 + 1));
            let _asked = process.run(reversals::ask_next(process.app(), &run.id, run.seq)).await;
        }
        // A message that is lost is made good by the schedule, half an hour later; then four rounds, ten minutes apart.
        world.advance(3 * 3600).await;
        assert_eq!(world.ledger().await.wallets[&player.id], 0, "{receipt} of step {step}");
        if step > 7 {
            break;
        }
    }
}

/// M-Pesa is asked about ten receipts by one message, and the next one goes on after those; some small ones in between, which
/// may be drawn, take no message of their own.
#[tokio::test]
async fn a_night_asks_about_ten_receipts_at_once_and_leaves_none_out() {
    let world = World::start().await;
    let mut reversed = Vec::new();
    for n in 0..15 {
        reversed.push(world.reversed_deposit(20_000).await.0);
        if n % 4 == 0 {
            world.player_with(10).await;
        }
    }
    world.advance(1).await;
    reversals::start(world.app()).await.unwrap();
    world.advance(3600).await;
    let run = world.app().store().receipt_run().await.unwrap().unwrap();
    assert!(run.finished_at.is_some() && run.asked == 0, "{run:?}");
    let wallets = world.ledger().await.wallets;
    assert!(reversed.iter().all(|player| wallets[&player.id] == 0), "one was left out: {wallets:?}");
    // Three days before and two steps of this one, and four days once more.
    assert_eq!((run.round, run.seq), (2, 9));
}

/// M-Pesa does what it is asked, and its replies come too late to be heard: the questions of a message take no longer than one of
/// them, so that the step is done before its function ends.
#[tokio::test]
#[ignore = "the ten seconds in which a reply is waited for are real ones"]
async fn a_night_goes_on_while_m_pesa_is_slow() {
    let world = World::start().await;
    let mut reversed = Vec::new();
    for _ in 0..10 {
        reversed.push(world.reversed_deposit(20_000).await.0);
    }
    world.advance(1).await;
    world.faults(json!({"daraja": "slow"})).await;
    reversals::start(world.app()).await.unwrap();
    let night = tokio::time::timeout(Duration::from_secs(60), world.advance(900));
    night.await.expect("one after another they would take longer than the function runs");
    let run = world.app().store().receipt_run().await.unwrap().unwrap();
    assert!(run.finished_at.is_some() && run.asked == 0, "{run:?}");
    let wallets = world.ledger().await.wallets;
    assert!(reversed.iter().all(|player| wallets[&player.id] == 0), "{wallets:?}");
}

/// M-Pesa answers last night's question when this night has begun, and has not asked yet: it is asked all the same. What it then
/// answers counts.
#[tokio::test]
async fn an_answer_to_last_nights_question_does_not_stand_for_this_nights() {
    let (world, player) = World::with_player(0).await;
    let receipt = world.fund(&player, 20_000).await;
    world.advance(1).await;
    world.faults(json!({"daraja": "pending"})).await;
    reversals::start(world.app()).await.unwrap();
    world.advance(3600).await;
    world.rest().await;
    let app = world.app();
    let night = async || app.store().receipt_run().await.unwrap().unwrap();
    let round = async |number: u8| {
        loop {
            let run = night().await;
            if run.round != number || run.finished_at.is_some() {
                break;
            }
            reversals::ask_next(app, &run.id, run.seq).await.unwrap();
        }
    };
    let stands = world.status_of(&receipt, "20000", Some(&player), "Completed").to_string();
    reversals::start(app).await.unwrap();
    let began = night().await.started_at.as_millisecond();
    reversals::answered(app, &receipt, &stands).await.unwrap();
    round(1).await;
    let kept = app.store().receipt(&receipt).await.unwrap().unwrap();
    assert!(kept.asked_at.is_some_and(|asked_at| asked_at >= began), "{kept:?}");
    reversals::answered(app, &receipt, &stands).await.unwrap();
    round(2).await;
    let run = night().await;
    assert!(run.finished_at.is_some() && run.asked == 0, "{run:?}");
}

/// The message of a step that is done comes three times more: nothing is sent, and once where its sender has died.
#[tokio::test]
async fn the_questions_of_a_night_do_not_multiply() {
    let (world, _player) = World::with_player(20_000).await;
    world.advance(1).await;
    reversals::start(world.app()).await.unwrap();
    world.advance(1).await;
    // Its first round is over, and the next message waits for the second one.
    let run = world.app().store().receipt_run().await.unwrap().unwrap();
    assert_eq!((run.round, run.finished_at), (2, None));
    let waiting = || world.queues().counts("ResultsQueue", world.app().clock().now()).unwrap().delayed;
    let before = waiting();
    for _ in 0..3 {
        reversals::ask_next(world.app(), &run.id, run.seq - 1).await.unwrap();
    }
    world.advance(1).await;
    assert_eq!(world.app().store().receipt_run().await.unwrap().unwrap().seq, run.seq);
    assert_eq!(waiting(), before);
    let later = world.process_with_clock(120);
    reversals::ask_next(later.app(), &run.id, run.seq - 1).await.unwrap();
    world.advance(121).await;
    let next = world.app().store().receipt_run().await.unwrap().unwrap();
    assert!(next.seq > run.seq, "the next one was never seen: its sender has died");
}

/// Of two that have read where a night stands one goes on, and of two nights that begin at once one does.
#[tokio::test]
async fn a_night_goes_on_from_where_it_was_read() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let night = ReceiptRun {
        id: store::random_id(),
        salt: store::random_id(),
        started_at: now,
        since: Some(now),
        touched_at: now,
        seq: 0,
        round: 1,
        day: day(now),
        after: None,
        asked: 0,
        finished_at: None,
    };
    assert!(store.put_receipt_run(&night, None).await.unwrap());
    let other = ReceiptRun { id: store::random_id(), ..night.clone() };
    assert!(!store.put_receipt_run(&other, None).await.unwrap());
    let round = ReceiptStep::Round(night.day);
    let next = store.step_receipt_run(&night, &round, 10, now).await.unwrap();
    assert!(next.is_some());
    assert_eq!(store.step_receipt_run(&night, &ReceiptStep::Over, 10, now).await.unwrap(), None);
    assert_eq!(store.receipt_run().await.unwrap(), next);
}

/// Messages come twice: a receipt is asked about once in a while, and only as long as somebody has its money.
#[tokio::test]
async fn what_is_asked_of_a_receipt_is_asked_once_and_while_it_stands() {
    let (world, player) = World::with_player(0).await;
    let receipt = world.fund(&player, 500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let pause = SignedDuration::from_mins(5);
    assert!(store.claim_receipt_question(&receipt, now, pause).await.unwrap());
    let soon = now + SignedDuration::from_mins(1);
    assert!(!store.claim_receipt_question(&receipt, soon, pause).await.unwrap());
    take_back(world.app(), &receipt).await;
    let later = now + SignedDuration::from_hours(1);
    assert!(!store.claim_receipt_question(&receipt, later, pause).await.unwrap());

    assert!(!store.claim_receipt_question(RECEIPT, now, pause).await.unwrap());
    store.note_receipt_stands(RECEIPT, now).await.unwrap();
    assert_eq!(store.receipt(RECEIPT).await.unwrap(), None, "it is nobody's, and may still be credited");
}

/// Whoever is first: what was taken out is not taken twice, and what was asked for and not paid covers it.
#[tokio::test]
async fn what_is_taken_back_meets_a_withdrawal() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || returned(&world).await,
        async |app, (_, id)| hear_that_it_is_paid(app, id).await,
        async |app, (player, _)| _ = processes::withdraw(app, player, 400, None).await,
    )
    .await;
    let ledger = world.ledger().await;
    for (player, _) in &subjects {
        // Taken back first: 50 is left, and does not cover the withdrawal. Withdrawn first: it is rejected.
        assert_eq!((ledger.wallets[&player.id], ledger.debt(player)), (50, 0));
    }
    assert_eq!(ledger.account("withdrawals"), 0);
}

/// The same answer by two processes at once corrects once.
#[tokio::test]
async fn what_is_taken_back_meets_itself() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || returned(&world).await,
        async |app, (_, id)| hear_that_it_is_paid(app, id).await,
        async |app, (_, id)| hear_that_it_is_paid(app, id).await,
    )
    .await;
    let ledger = world.ledger().await;
    assert!(subjects.iter().all(|(player, _)| ledger.wallets[&player.id] == 50));
    assert_eq!(ledger.account("mpesa:out"), 450 * i64::try_from(subjects.len()).unwrap());
}

/// Two credits at once to somebody who owes: the debt is paid once, and the rest is in the wallet.
#[tokio::test]
async fn a_debt_is_paid_once_by_credits_at_once() {
    let world = World::start().await;
    let give = async |app: &App, player: &Person, id: &str| {
        let to = processes::player(app, player).await;
        let permit = Permit::plain(Who::Operator, app.clock().now());
        let correction = (id, Kes::new(200));
        corrections::correct(app, &to.id, correction, "Given.", &permit).await.unwrap();
    };
    let subjects = held_up_at_every_step(
        &world,
        async || world.owing(250).await,
        async |app, player| give(app, player, &"c".repeat(32)).await,
        async |app, player| give(app, player, &"d".repeat(32)).await,
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!((ledger.wallets[&alone.id], ledger.debt(alone)), (0, -50));
    for player in met {
        assert_eq!((ledger.wallets[&player.id], ledger.debt(player)), (150, 0));
    }
}

/// Who was away meanwhile reads of a prompt's outcome on the main page.
#[tokio::test]
async fn a_deposit_says_what_of_it_has_paid_a_debt() {
    let world = World::start().await;
    let player = world.owing(250).await;
    for (deposit, outcome, wallet) in [
        (200, json!("This payment has gone towards what you owed."), 0),
        (90, json!("KSh 50 of this payment has gone towards what you owed, KSh 40 is in your wallet."), 40),
        (70, Value::Null, 110),
    ] {
        player.prompt(deposit).await;
        world.receipt_of(&player.phone(), paid()).await;
        assert_eq!(player.wallet().await, wallet);
        let prompts = player.get("/api/me/payments").await.expect(200);
        assert_has(&prompts[0], json!({"state": "SUCCESS", "amount": deposit, "reason": outcome}));
        world.advance(180).await;
    }
}

/// A prize of 90 of somebody who has come to owe 60 since they entered, and a refund of 50 that a debt of 250 takes whole.
#[tokio::test]
async fn what_comes_in_says_what_of_it_has_paid_a_debt() {
    let world = World::start().await;
    let (winner, loser) = (world.player_with(500).await, world.player_with(50).await);
    world.advance(25 * 3600).await;
    let returned = world.returned_withdrawal(&winner, 60).await;
    let winner = world.again(&winner).await;
    for (player, points) in [(&winner, 80), (&world.again(&loser).await, 40)] {
        player.join(50, 1).await.expect(201);
        world.points(&player.fpl_id, 1, points, 5, 0).await;
    }
    let sent = winner.withdrawal(&winner.phone(), 450).await;
    assert!(processes::end_withdrawal(world.app(), &sent, Ending::Done).await);
    hear_that_it_is_paid(world.app(), &returned).await;
    assert_eq!(world.ledger().await.debt(&winner), -60);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(600).await;

    let winner = world.again(&winner).await;
    assert_has(&winner.user().await, json!({"wallet": 30, "owed": 0}));
    let entries = winner.get("/api/me/entries").await.expect(200);
    assert_has(&entries["entries"][0], json!({"prize": 90, "refund": 0, "towardsDebt": 60}));
    let told = world.mails_about(&winner.email(), "You won KSh 90 in gameweek 1").await;
    let [won] = &told[..] else { panic!("{told:?}") };
    let where_it_is = "KSh 60 of it has gone towards what you owed, KSh 30 is in your wallet.";
    assert!(text(won, "text").contains(where_it_is), "{won}");

    let owing = world.owing(250).await;
    let (id, now) = (owing.user_id(), world.app().clock().now());
    let refund = Posting::refund(&id, "2026-01".parse().unwrap(), Kes::new(50));
    world.app().store().credit_wallet(&id, &refund, now).await.unwrap();
    let about = MailSubject::Posting { user_id: id, cause: refund.cause().key(), why: None };
    mail::send(world.app(), &SendMail { about, since: now, tried: 0 }).await.unwrap();
    let told = world.mails_about(&owing.email(), "Your entry for gameweek 1 is refunded").await;
    let [refunded] = &told[..] else { panic!("{told:?}") };
    let where_it_is = "so KSh 50 is given back. It has gone towards what you owed.";
    assert!(text(refunded, "text").contains(where_it_is), "{refunded}");
}
