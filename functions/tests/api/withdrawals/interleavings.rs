//! Done, rejected, paid by M-Pesa and cancelled: each pair, one of them held up before each of its steps (fault 19).

use app::{
    App,
    withdrawals::{cancellation, endings::Ending},
};
use domain::withdrawals::requests::WithdrawalStatus;
use rstest::rstest;
use store::accounts::players::Player;

use crate::support::{
    World,
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
