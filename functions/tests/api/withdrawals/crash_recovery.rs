//! A process that dies at any of its steps while money goes out: each end comes once, and what has to be told is.

use app::withdrawals::cancellation;

use crate::support::{
    World, processes,
    processes::{dying_at_every_step, in_every_fate},
};

#[tokio::test]
async fn a_rejected_withdrawal_comes_back_once_wherever_that_ends() {
    let world = World::start().await;
    let (rejected, steps) = dying_at_every_step(
        &world,
        async || world.withdrawing().await,
        async |app, (_, id)| _ = processes::end_withdrawal(app, id, processes::rejection()).await,
    )
    .await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    assert!(rejected.iter().all(|(player, _)| ledger.wallets[&player.id] == 500));
    assert_eq!(ledger.account("withdrawals"), 0);
}

#[tokio::test]
async fn a_cancelled_withdrawal_comes_back_once_wherever_that_ends() {
    let world = World::start().await;
    let (cancelled, steps) = dying_at_every_step(
        &world,
        async || {
            let (person, _) = world.withdrawing().await;
            let link = world.cancellation_link(&person).await;
            (person, link)
        },
        async |app, (_, link)| {
            assert!(cancellation::cancel(app, link).await.is_ok());
        },
    )
    .await;
    assert!(steps >= 3, "the message, the transaction, the message once more: {steps}");
    world.advance(3600).await;
    let ledger = world.ledger().await;
    for (person, _) in &cancelled {
        assert_eq!(ledger.wallets[&person.id], 500);
        let notices = world.notices(&person.email()).await;
        assert_eq!(notices.len(), 1, "told once: {notices:?}");
    }
    assert_eq!(ledger.account("withdrawals"), 0);
}

/// Wherever the request ends: where the money has left the wallet, the mail about it comes.
#[tokio::test]
async fn a_withdrawal_to_a_new_number_is_mailed_wherever_its_request_ends() {
    let world = World::start().await;
    let mut asked = Vec::new();
    in_every_fate(&world, async |process, _| {
        let person = world.player_with(500).await;
        process.run(processes::withdraw(process.app(), &person, 450, None)).await;
        asked.push(person);
    })
    .await;
    world.advance(120).await;
    let ledger = world.ledger().await;
    for person in &asked {
        let mails = world.mails_about(&person.email(), "KSh 450 is about to leave your wallet").await;
        let taken = ledger.wallets[&person.id] == 50;
        assert!(taken || ledger.wallets[&person.id] == 500);
        assert_eq!(mails.len(), usize::from(taken), "{mails:?}");
    }
}

/// Wherever it ends, M-Pesa is told to pay at most once, and every withdrawal that it paid is done.
#[tokio::test]
async fn a_payout_is_sent_once_wherever_that_ends() {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let (paid, steps) = dying_at_every_step(
        &world,
        async || world.withdrawing().await,
        async |app, (_, id)| {
            // The second one is refused where the first one got as far as `sent`.
            let _sent_or_refused = processes::pay_out(app, id, &admin).await;
        },
    )
    .await;
    assert!(steps >= 2, "{steps}");
    world.advance(3600).await;
    for (player, id) in &paid {
        let sent = world.payouts(Some(&player.phone())).await.len();
        let withdrawal = world.stored_withdrawal(id).await;
        let done = withdrawal.status.into_str() == "done";
        assert_eq!(sent, usize::from(done), "{withdrawal:?}");
        assert!(done || withdrawal.payout.is_some(), "{withdrawal:?}");
    }
    world.ledger().await;
}
