//! A correction takes what its player has asked to withdraw: the withdrawal is rejected first, by a transaction of its own.
//! That asks for the proposal and for the roles as the correction's own one does.

use std::cell::RefCell;

use app::{
    App,
    Safeguards::{self, Full, Light},
    admin::{
        acts::{self, ActOutcome, MoneyAct},
        approvals, commands,
    },
};
use domain::{Kes, withdrawals::requests::WithdrawalStatus};
use local::process::Fate;
use rstest::rstest;
use store::{accounts::players::Player, admin::approvals::ProposalStage};

use crate::support::{
    World,
    admin::SECOND_ADMIN,
    processes::{dying_at_every_step, held_up_at_every_step},
};

/// A withdrawal of 450 of the player's 500, and a correction that takes 400.
struct Covered {
    player: String,
    withdrawal: String,
    act: MoneyAct,
}

impl Covered {
    async fn of(world: &World) -> Self {
        let (player, withdrawal) = world.withdrawing().await;
        let act = MoneyAct::CorrectWallet {
            id: player.id.clone(),
            correction: store::random_id(),
            amount: Kes::new(-400),
            reason: "A code was confirmed with too much.".to_owned(),
        };
        Self { player: player.id, withdrawal, act }
    }

    /// Has `admin` propose the correction. Answers the proposal's id.
    async fn proposed_by(&self, world: &World, admin: &Player) -> String {
        let asked = acts::ask(world.app(), admin, &self.act).await.unwrap();
        let ActOutcome::Proposed(proposal) = asked else { panic!("one admin is not enough") };
        proposal.id
    }

    async fn status(&self, world: &World) -> WithdrawalStatus {
        world.stored_withdrawal(&self.withdrawal).await.status
    }
}

/// Who proposes and who approves.
async fn admins(world: &World) -> (Player, Player) {
    (world.stored(&world.admin().await).await, world.stored(&world.second_admin().await).await)
}

async fn stage(world: &World, proposal: &str) -> ProposalStage {
    world.app().store().proposal(proposal).await.unwrap().unwrap().stage
}

/// Approved once more it goes on where the first one has died: the proposal waits until the correction is booked.
#[tokio::test]
async fn what_was_asked_for_covers_an_approved_correction_wherever_that_ends() {
    let world = World::start_guarded(Full).await;
    let (admin, second) = admins(&world).await;
    let proposed = async || {
        let covered = Covered::of(&world).await;
        let proposal = covered.proposed_by(&world, &admin).await;
        (covered, proposal)
    };
    let approve = async |app: &App, (_, proposal): &(Covered, String)| {
        // The second one is refused where the first one got as far as the act.
        let _done_or_refused = acts::approve(app, &second, proposal, None).await;
    };
    let (approved, steps) = dying_at_every_step(&world, proposed, approve).await;
    assert!(steps >= 5, "three messages, the rejection and the correction: {steps}");
    let ledger = world.ledger().await;
    for (covered, proposal) in &approved {
        assert_eq!(ledger.wallets[&covered.player], 100);
        assert_eq!(covered.status(&world).await, WithdrawalStatus::Rejected);
        assert_eq!(stage(&world, proposal).await, ProposalStage::Approved);
    }
    assert_eq!((ledger.account("withdrawals"), ledger.account("losses")), (0, 0));
}

/// The approval stands still before each of its steps while a third admin refuses the proposal. What was rejected by then is the
/// player's money again.
#[tokio::test]
async fn once_a_correction_is_refused_no_withdrawal_is_rejected_for_it() {
    let world = World::start_guarded(Full).await;
    let (admin, second) = admins(&world).await;
    let third = world.stored(&world.third_admin().await).await;
    let then = RefCell::new(Vec::new());
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let covered = Covered::of(&world).await;
            let proposal = covered.proposed_by(&world, &admin).await;
            (covered, proposal)
        },
        async |app, (_, proposal)| {
            let _done_or_withheld = acts::approve(app, &second, proposal, None).await;
        },
        async |app, (covered, proposal)| {
            let proposal = approvals::find(app, proposal).await.unwrap();
            let _refused_or_too_late = approvals::refuse(app, &third, &proposal, "It was right.").await;
            let status = covered.status(&world).await;
            then.borrow_mut().push(status);
        },
    )
    .await;
    let (then, ledger) = (then.into_inner(), world.ledger().await);
    let mut ends = Vec::new();
    for ((covered, proposal), then) in subjects.iter().zip(&then) {
        let (stage, now) = (stage(&world, proposal).await, covered.status(&world).await);
        assert_eq!(now, *then, "{stage:?}");
        ends.push((stage, now, ledger.wallets[&covered.player]));
    }
    ends.dedup();
    let expected = [
        (ProposalStage::Refused, WithdrawalStatus::Pending, 50),
        (ProposalStage::Refused, WithdrawalStatus::Rejected, 500),
        (ProposalStage::Approved, WithdrawalStatus::Rejected, 100),
    ];
    assert_eq!(ends, expected);
}

/// Whose role the operator takes before the withdrawal is rejected, that admin's correction rejects nothing.
#[rstest]
#[case::who_corrects_alone(Light, false)]
#[case::who_has_proposed_it(Full, false)]
#[case::who_approves_it(Full, true)]
#[tokio::test]
async fn who_has_lost_the_role_rejects_nothing_for_a_correction(
    #[case] safeguards: Safeguards,
    #[case] approvers: bool,
) {
    let world = World::start_guarded(safeguards).await;
    let (admin, second) = admins(&world).await;
    let whose = if approvers { SECOND_ADMIN.to_owned() } else { world.admin_account().0 };
    let covered = Covered::of(&world).await;
    // Messages to the admins, about the correction and about the withdrawal go out before the rejection.
    let process = world.process(Fate::WaitsBefore(4));
    let revoked = async { commands::revoke(world.app(), &whose).await.unwrap() };
    let is_done = if safeguards == Full {
        let proposal = covered.proposed_by(&world, &admin).await;
        let approving = acts::approve(process.app(), &second, &proposal, None);
        process.run_around(approving, revoked).await.is_ok()
    } else {
        process.run_around(acts::ask(process.app(), &admin, &covered.act), revoked).await.is_ok()
    };
    assert!(!is_done);
    assert_eq!(covered.status(&world).await, WithdrawalStatus::Pending);
    assert_eq!(world.ledger().await.wallets[&covered.player], 50);
}

/// The approval stands still while the proposal is refused and the same act is proposed anew: that one waits for an approval of
/// its own.
#[tokio::test]
async fn what_is_proposed_anew_is_not_done_by_an_approval_of_before() {
    let world = World::start_guarded(Full).await;
    let (admin, second) = admins(&world).await;
    let third = world.stored(&world.third_admin().await).await;
    let then = RefCell::new(Vec::new());
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let covered = Covered::of(&world).await;
            let proposal = covered.proposed_by(&world, &admin).await;
            (covered, proposal)
        },
        async |app, (_, proposal)| {
            let _done_or_withheld = acts::approve(app, &second, proposal, None).await;
        },
        async |app, (covered, proposal)| {
            let seen = approvals::find(app, proposal).await.unwrap();
            let is_refused = approvals::refuse(app, &third, &seen, "It was right.").await.is_ok();
            if is_refused {
                covered.proposed_by(&world, &admin).await;
            }
            let status = covered.status(&world).await;
            then.borrow_mut().push((is_refused, status));
        },
    )
    .await;
    let (then, ledger) = (then.into_inner(), world.ledger().await);
    assert!(then.iter().filter(|(is_refused, _)| *is_refused).count() >= 5, "{then:?}");
    for ((covered, proposal), (is_refused, status)) in subjects.iter().zip(&then) {
        assert_eq!(stage(&world, proposal).await == ProposalStage::Waiting, *is_refused);
        assert_eq!(covered.status(&world).await, *status);
        assert_eq!(ledger.wallets[&covered.player] == 100, !is_refused);
    }
}
