//! Taking back: an admin's corrections, and each step of what is taken back done twice, killed anywhere, and met
//! by another one.

use app::withdrawals::payouts;
use domain::Kes;
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::audit::Who;

use crate::{
    people::money_out_twice::{again, completed, owing},
    platform::{crash_recovery::withdrawal, interleavings},
    support::{Answer, Person, World},
};

async fn correct(world: &World, player: &Person, id: &str, amount: Value) -> Answer {
    let body = json!({"correctionId": id, "amount": amount, "reason": "A code was confirmed with too much."});
    let path = format!("/api/admin/players/{}/corrections", player.id);
    world.admin().await.send(Method::POST, &path, Some(body)).await
}

#[tokio::test]
async fn a_correction_is_booked_once_and_both_see_it() {
    let world = World::start().await;
    let player = world.player_with(100).await;
    let (one, other) = ("a".repeat(32), "b".repeat(32));
    let up = correct(&world, &player, &one, json!(400)).await.expect(200);
    assert_eq!((&up["wallet"], &up["owed"], &up["writtenOff"]), (&json!(500), &json!(0), &json!(0)));
    assert_eq!(correct(&world, &player, &one, json!(400)).await.expect(200)["wallet"], 500);
    let another = "A correction with this id was booked with another amount.";
    assert_eq!(correct(&world, &player, &one, json!(401)).await.refused(409), another);
    let down = correct(&world, &player, &other, json!(-700)).await.expect(200);
    assert_eq!((&down["wallet"], &down["owed"], &down["writtenOff"]), (&json!(0), &json!(0), &json!(200)));
    assert_eq!(
        (&down["transaction"]["kind"], &down["transaction"]["amount"]),
        (&json!("correction"), &json!(-500))
    );

    let ledger = world.ledger().await;
    assert_eq!((ledger.account("corrections"), ledger.account("losses")), (300, -200));
    let seen = again(&world, &player).await.get("/api/me/transactions").await.expect(200);
    assert_eq!(seen[0]["note"], "A code was confirmed with too much.");
    world.advance(120).await;
    let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
    let told = mails.iter().filter(|mail| mail["subject"] == "Your wallet has been corrected").count();
    assert_eq!(told, 2, "{mails:?}");
    let acts = crate::admin::audit::acts(&world).await;
    let corrected =
        acts.iter().filter(|act| act.what == store::admin::audit::AuditAction::CorrectWallet).count();
    assert_eq!(corrected, 2, "each once");
}

#[rstest]
#[case::nothing("a", json!(0), 400)]
#[case::too_much("a", json!(250_001), 400)]
#[case::not_whole("a", json!(1.5), 400)]
#[case::no_id("", json!(5), 400)]
#[tokio::test]
async fn a_correction_that_is_not_in_order_moves_nothing(
    #[case] id: &str,
    #[case] amount: Value,
    #[case] status: u16,
) {
    let world = World::start().await;
    let player = world.player_with(100).await;
    correct(&world, &player, &id.repeat(32), amount).await.refused(status);
    let nobody = Person { id: "0".repeat(32), ..player.clone() };
    correct(&world, &nobody, &"a".repeat(32), json!(5)).await.refused(404);
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
}

/// A withdrawal of 450 of 500 that an admin has rejected, and of which M-Pesa says that it is paid.
async fn returned(world: &World) -> (Person, String) {
    let (player, id) = withdrawal(world).await;
    let kept = world.app().store().withdrawal(&id).await.unwrap().unwrap();
    let ending = app::withdrawals::requests::Ending::Rejected { reason: "Wrong number.".to_owned() };
    assert!(
        app::withdrawals::requests::end(
            world.app(),
            &kept,
            &ending,
            &store::admin::permits::Permit::plain(Who::Operator, world.app().clock().now())
        )
        .await
        .unwrap()
    );
    (player, id)
}

async fn paid_after_all(app: &app::App, id: &str) {
    let kept = app.store().withdrawal(id).await.unwrap().unwrap();
    payouts::answered(app, &kept, &completed(id)).await.unwrap();
}

#[tokio::test]
async fn what_was_returned_is_taken_back_once_wherever_that_ends() {
    let world = World::start().await;
    let mut corrected = Vec::new();
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let (player, id) = returned(&world).await;
            let process = world.process(fate);
            let _lived = process.run(paid_after_all(process.app(), &id)).await;
            reached |= process.tally().steps >= step;
            paid_after_all(world.app(), &id).await;
            paid_after_all(world.app(), &id).await;
            corrected.push(player);
        }
        if !reached {
            break;
        }
    }
    let ledger = world.ledger().await;
    for player in &corrected {
        assert_eq!(ledger.wallets[&player.id], 50);
    }
    assert_eq!(ledger.account("mpesa:out"), 450 * i64::try_from(corrected.len()).unwrap());
    world.advance(120).await;
    for player in &corrected {
        let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
        let told = mails.iter().filter(|mail| mail["subject"] == "Your wallet has been corrected").count();
        assert_eq!(told, 1, "{mails:?}");
    }
}

/// A deposit of 100 that M-Pesa has taken back, and nobody has heard of it. Answers its receipt.
async fn reversed(world: &World) -> (Person, String) {
    let player = world.player().await;
    let phone = player.phone();
    player.post("/api/deposits", json!({"phone": phone, "amount": 100})).await.expect(200);
    let paid = world.answer_prompt(&phone, json!({"outcome": "success"})).await;
    let receipt = paid["receipt"].as_str().unwrap().to_owned();
    world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
    (player, receipt)
}

async fn take_back(app: &app::App, receipt: &str) {
    app::ledger::reversals::take_back(app, receipt, None).await.unwrap();
}

#[tokio::test]
async fn a_payment_is_taken_back_once_wherever_that_ends() {
    let world = World::start().await;
    let mut reversals = Vec::new();
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let (player, receipt) = reversed(&world).await;
            let process = world.process(fate);
            let _lived = process.run(take_back(process.app(), &receipt)).await;
            reached |= process.tally().steps >= step;
            take_back(world.app(), &receipt).await;
            take_back(world.app(), &receipt).await;
            reversals.push(player);
        }
        if !reached {
            break;
        }
    }
    let ledger = world.ledger().await;
    assert!(reversals.iter().all(|player| ledger.wallets[&player.id] == 0));
    assert_eq!((ledger.account("mpesa:in"), ledger.account("losses")), (0, 0));
    world.advance(120).await;
    for player in &reversals {
        let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
        let told = mails
            .iter()
            .filter(|mail| mail["subject"].as_str().unwrap().starts_with("M-Pesa has taken back"));
        assert_eq!(told.count(), 1, "{mails:?}");
    }
}

/// The money waits in two withdrawals when it is taken back: they cover it, each once, wherever that ends.
#[tokio::test]
async fn what_waits_covers_what_is_taken_back_wherever_that_ends() {
    let world = World::start().await;
    let mut reversals = Vec::new();
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let player = world.player().await;
            let phone = player.phone();
            player.post("/api/deposits", json!({"phone": phone, "amount": 150})).await.expect(200);
            let paid = world.answer_prompt(&phone, json!({"outcome": "success"})).await;
            let receipt = paid["receipt"].as_str().unwrap().to_owned();
            for amount in [60, 70] {
                assert!(interleavings::withdraw(world.app(), &player, amount, None).await);
            }
            let process = world.process(fate);
            let _lived = process.run(app::ledger::reversals::take_back(process.app(), &receipt, None)).await;
            reached |= process.tally().steps >= step;
            take_back(world.app(), &receipt).await;
            take_back(world.app(), &receipt).await;
            reversals.push(player);
        }
        if !reached {
            assert!(step > 6, "two rejections with their mails, and the taking back: {step}");
            break;
        }
    }
    let ledger = world.ledger().await;
    for player in &reversals {
        let owed = ledger.account(&format!("debt:{}", player.id));
        assert_eq!((ledger.wallets[&player.id], owed), (0, 0));
    }
    assert_eq!(
        (ledger.account("mpesa:in"), ledger.account("withdrawals"), ledger.account("losses")),
        (0, 0, 0)
    );
    world.advance(120).await;
    for player in &reversals {
        let mails = world.mails(&format!("player{}@example.co.ke", player.n)).await;
        let rejected =
            mails.iter().filter(|mail| mail["subject"].as_str().unwrap().ends_with("was rejected"));
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
    let subjects = interleavings::at_every_step(
        &world,
        async || reversed(&world).await,
        async |app, (_, receipt)| take_back(app, receipt).await,
        async |app, (player, receipt)| match other {
            Meets::Itself => take_back(app, receipt).await,
            Meets::AWithdrawal => _ = interleavings::withdraw(app, player, 100, None).await,
            Meets::AnEntry => _ = interleavings::join(app, player, domain::EntryAmount::Hundred).await,
        },
    )
    .await;
    let ledger = world.ledger().await;
    let mut spent = 0;
    for (player, _) in &subjects {
        let owed = -ledger.account(&format!("debt:{}", player.id));
        assert!(ledger.wallets[&player.id] == 0 && [0, 100].contains(&owed), "{owed}");
        spent += owed;
    }
    assert_eq!((ledger.account("mpesa:in"), ledger.account("withdrawals")), (0, 0));
    assert_eq!(ledger.account("pot:2026-01"), spent);
    let mut asked = 0;
    for (player, _) in &subjects {
        let id = domain::UserId::parse(&player.id).unwrap();
        asked += world.app().store().withdrawals_of(&id).await.unwrap().len();
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
        let phone = player.phone();
        player.post("/api/deposits", json!({"phone": phone, "amount": 20_000})).await.expect(200);
        let paid = world.answer_prompt(&phone, json!({"outcome": "success"})).await;
        let receipt = paid["receipt"].as_str().unwrap().to_owned();
        world.sim(Method::POST, "/reversals", json!({"receipt": receipt})).await;
        world.advance(1).await;
        let process =
            world.process(if step % 2 == 0 { Fate::DiesAfter(step) } else { Fate::DiesBefore(step) });
        let died = process.run(app::ledger::reversals::start(process.app())).await.is_none();
        app::ledger::reversals::start(world.app()).await.unwrap();
        if !died {
            let run = world.app().store().receipt_run().await.unwrap().unwrap();
            let process = world.process(Fate::DiesAfter(step % 4 + 1));
            let _asked = process.run(app::ledger::reversals::ask_on(process.app(), &run.id, run.seq)).await;
        }
        world.advance(3600).await;
        assert_eq!(world.ledger().await.wallets[&player.id], 0, "{receipt} of step {step}");
        if step > 7 {
            break;
        }
    }
}

/// Whoever is first: what was taken out is not taken twice, and what was asked for and not paid covers it.
#[tokio::test]
async fn what_is_taken_back_meets_a_withdrawal() {
    let world = World::start().await;
    let subjects = interleavings::at_every_step(
        &world,
        async || returned(&world).await,
        async |app, (_, id)| paid_after_all(app, id).await,
        async |app, (player, _)| _ = interleavings::withdraw(app, player, 400, None).await,
    )
    .await;
    let ledger = world.ledger().await;
    for (player, _) in &subjects {
        let owed = -ledger.account(&format!("debt:{}", player.id));
        let balance = ledger.wallets[&player.id];
        // Taken back first: 50 is left, and does not cover the withdrawal. Withdrawn first: it is rejected.
        assert_eq!((balance, owed), (50, 0));
    }
    assert_eq!(ledger.account("withdrawals"), 0);
}

/// The same answer by two processes at once corrects once.
#[tokio::test]
async fn what_is_taken_back_meets_itself() {
    let world = World::start().await;
    let subjects = interleavings::at_every_step(
        &world,
        async || returned(&world).await,
        async |app, (_, id)| paid_after_all(app, id).await,
        async |app, (_, id)| paid_after_all(app, id).await,
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
    let give = async |app: &app::App, player: &Person, id: &str| {
        let to = interleavings::player(app, player).await;
        let permit = store::admin::permits::Permit::plain(Who::Operator, app.clock().now());
        let correction = (id, Kes::new(200));
        app::ledger::taking_back::correct(app, &to, correction, "Given.", &permit).await.unwrap();
    };
    let subjects = interleavings::at_every_step(
        &world,
        async || owing(&world, 250).await,
        async |app, player| give(app, player, &"c".repeat(32)).await,
        async |app, player| give(app, player, &"d".repeat(32)).await,
    )
    .await;
    let ledger = world.ledger().await;
    let (alone, met) = subjects.split_last().unwrap();
    assert_eq!((ledger.wallets[&alone.id], ledger.account(&format!("debt:{}", alone.id))), (0, -50));
    for player in met {
        assert_eq!((ledger.wallets[&player.id], ledger.account(&format!("debt:{}", player.id))), (150, 0));
    }
}
