//! Done, rejected, paid by M-Pesa and cancelled: each pair, one of them held up before each of its steps (fault 19).

use app::{
    App,
    withdrawals::{cancellation, endings::Ending, payouts},
};
use domain::withdrawals::requests::WithdrawalStatus;
use rstest::rstest;
use serde_json::{Value, json};
use store::accounts::players::Player;

use crate::support::{
    World,
    mpesa::payout_completed,
    processes::{self, by_the_rules, held_up_at_every_step},
};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    Done,
    Rejected,
    Paid,
    /// With the link in the mail.
    Cancelled,
}

impl Ends {
    /// Whether the money comes back by it, and whether M-Pesa pays it.
    fn leaves(self) -> (bool, bool) {
        (matches!(self, Self::Rejected | Self::Cancelled), self == Self::Paid)
    }

    async fn act(self, app: &App, admin: &Player, (id, link): (&str, &str)) {
        match self {
            Self::Cancelled => _ = by_the_rules(cancellation::cancel(app, link).await),
            Self::Paid => _ = processes::pay_out(app, id, admin).await,
            Self::Done => _ = processes::end_withdrawal(app, id, Ending::Done).await,
            Self::Rejected => _ = processes::end_withdrawal(app, id, processes::rejection()).await,
        }
    }
}

/// A withdrawal of 450 ends as one of the two has ended it, and only so: as the other one where the one that is held up has done
/// nothing yet, and as that one where it is alone.
#[rstest]
#[tokio::test]
async fn a_withdrawal_ends_one_way(
    #[values(Ends::Done, Ends::Rejected, Ends::Paid, Ends::Cancelled)] one: Ends,
    #[values(Ends::Done, Ends::Rejected, Ends::Paid, Ends::Cancelled)] other: Ends,
) {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let (person, id) = world.withdrawing().await;
            let link = world.cancellation_link(&person).await;
            (person, id, link)
        },
        async |app, (_, id, link)| one.act(app, &admin, (id, link)).await,
        async |app, (_, id, link)| other.act(app, &admin, (id, link)).await,
    )
    .await;
    world.advance(3600).await;
    let ledger = world.ledger().await;
    let (mut out, paid) = (0, 450);
    for (n, (person, id, _)) in subjects.iter().enumerate() {
        let withdrawal = world.stored_withdrawal(id).await;
        let sent = world.payouts(Some(&person.phone())).await.len();
        let rejected = withdrawal.status == WithdrawalStatus::Rejected;
        assert_ne!(withdrawal.status, WithdrawalStatus::Pending, "{withdrawal:?}");
        assert_eq!(sent, usize::from(withdrawal.payout.is_some()), "{withdrawal:?}");
        assert_eq!(ledger.wallets[&person.id], if rejected { 500 } else { 50 }, "{withdrawal:?}");
        out += if rejected { 0 } else { paid };
        let may = match n {
            0 => vec![other.leaves()],
            n if n == subjects.len() - 1 => vec![one.leaves()],
            _ => vec![one.leaves(), other.leaves()],
        };
        assert!(may.contains(&(rejected, sent > 0)), "held up before step {}: {withdrawal:?}", n + 1);
    }
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (out, 0));
}

/// M-Pesa posts that it has paid what was marked as done, which has it asked, and its answer comes before that is noted: the
/// admins read what was booked, and not the question.
#[tokio::test]
async fn a_correction_is_told_whenever_its_question_is_noted() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let id = world.withdrawing().await.1;
            processes::end_withdrawal(world.app(), &id, Ending::Done).await;
            id
        },
        async |app, id| payouts::take_result(app, id, &payout_completed(id)).await.unwrap(),
        async |app, id| processes::hear_that_it_is_paid(app, id).await,
    )
    .await;
    let (_, met) = subjects.split_last().unwrap();
    for id in met {
        let withdrawal = world.stored_withdrawal(id).await;
        assert!(withdrawal.is_contested(), "{withdrawal:?}");
        assert!(withdrawal.trouble.is_some_and(|trouble| trouble.contains("our loss")));
    }
}

/// M-Pesa answers that it has paid 449 of 450.
async fn hear_of_another_amount(app: &App, id: &str) {
    let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
    let mut answer: Value = serde_json::from_str(&payout_completed(id)).unwrap();
    let told = &mut answer["Result"]["ResultParameters"]["ResultParameter"];
    told.as_array_mut().unwrap().push(json!({"Key": "Amount", "Value": "449"}));
    payouts::answered(app, &withdrawal, &answer.to_string()).await.unwrap();
}

/// M-Pesa names another amount in the moment in which the withdrawal is rejected: the admins see it.
#[tokio::test]
async fn another_amount_is_not_lost_where_it_ends_meanwhile() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || world.withdrawing().await.1,
        async |app, id| hear_of_another_amount(app, id).await,
        async |app, id| _ = processes::end_withdrawal(app, id, processes::rejection()).await,
    )
    .await;
    let (alone, met) = subjects.split_last().unwrap();
    for id in met {
        let withdrawal = world.stored_withdrawal(id).await;
        assert_eq!(withdrawal.status, WithdrawalStatus::Rejected);
        assert!(withdrawal.is_contested() && withdrawal.trouble.is_some(), "{withdrawal:?}");
    }
    let pending = world.stored_withdrawal(alone).await;
    let why = "M-Pesa reports another amount than was asked for.";
    assert_eq!((pending.status, pending.trouble.as_deref()), (WithdrawalStatus::Pending, Some(why)));
}

/// A link is pressed, and the mail about it goes out once more with another one: that one alone cancels from then on.
#[tokio::test]
async fn a_link_that_is_replaced_meanwhile_cancels_nothing() {
    let world = World::start().await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let (person, id) = world.withdrawing().await;
            let link = world.cancellation_link(&person).await;
            (id, link)
        },
        async |app, (_, link)| _ = by_the_rules(cancellation::cancel(app, link).await),
        async |app, (id, _)| _ = app.store().keep_cancel_hash(id, "the next one's").await.unwrap(),
    )
    .await;
    // The message about it goes first.
    let before_it_is_cancelled = 2;
    for (step, (id, _)) in subjects.iter().enumerate() {
        let rejected = world.stored_withdrawal(id).await.status == WithdrawalStatus::Rejected;
        assert_eq!(rejected, step >= before_it_is_cancelled, "replaced before step {}", step + 1);
    }
}

/// A mail that is late has no link to what has ended or is on its way.
#[tokio::test]
async fn no_link_is_made_to_what_cannot_be_cancelled_any_more() {
    let world = World::start().await;
    let admin = world.stored(&world.admin().await).await;
    let (_, ended) = world.withdrawing().await;
    let (_, sent) = world.withdrawing().await;
    world.faults(json!({"payouts": "silent"})).await;
    assert!(processes::end_withdrawal(world.app(), &ended, processes::rejection()).await);
    assert_eq!(processes::pay_out(world.app(), &sent, &admin).await, Ok(()));
    for id in [&ended, &sent] {
        let before = world.stored_withdrawal(id).await;
        assert!(!world.app().store().keep_cancel_hash(id, "a hash").await.unwrap(), "{before:?}");
    }
}
