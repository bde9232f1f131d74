//! An act that two admins decide at once.

use std::sync::Arc;

use app::{
    App, Safeguards,
    admin::{
        acts::{self, ActOutcome, MoneyAct},
        approvals, commands,
    },
    gameweeks::status,
};
use domain::{EntryAmount, Kes, UserId, withdrawals::requests::WithdrawalStatus};
use local::{Settings, Target};
use shuttle::future::spawn;
use store::{accounts::players::Player, admin::approvals::ProposalStage};

use crate::{
    stage::{Scene, balance, player},
    wallet::{join, withdraw},
};

/// A correction that waits for a second admin.
struct Proposed {
    /// The first one has proposed it.
    admins: Vec<UserId>,
    target: UserId,
    id: String,
}

impl Proposed {
    async fn admin(&self, app: &App, nth: usize) -> Player {
        app.store().player(&self.admins[nth]).await.unwrap().unwrap()
    }
}

/// A correction of `amount`. Where it takes money, that is all the player has had, and has asked to withdraw.
fn proposed(amount: i64) -> Scene<Proposed> {
    let settings = Settings { safeguards: Safeguards::Full, ..Settings::default() };
    Scene::with(settings, async |run| {
        let (app, mut admins) = (run.app(), Vec::new());
        for n in 1..=3 {
            let admin = player(app, n, 0).await;
            commands::grant(app, admin.email.as_str()).await.unwrap();
            admins.push(admin.id);
        }
        run.jump(Target::Ahead(25 * 3600)).await.unwrap();
        let taken = (-amount).max(0);
        let target = Arc::new(player(app, 9, taken).await);
        if taken > 0 {
            assert!(withdraw(app.clone(), target.clone(), taken).await);
        }
        let target = target.id.clone();
        let act = MoneyAct::CorrectWallet {
            id: target.to_string(),
            correction: "one".to_owned(),
            amount: Kes::new(amount),
            reason: "A goal that was counted late".to_owned(),
        };
        let proposer = app.store().player(&admins[0]).await.unwrap().unwrap();
        let ActOutcome::Proposed(proposal) = acts::ask(app, &proposer, &act).await.unwrap() else {
            panic!("one admin is not enough")
        };
        Proposed { admins, target, id: proposal.id }
    })
}

/// Whether it is approved by this.
async fn approve(app: App, known: Arc<Proposed>, nth: usize) -> bool {
    let approver = known.admin(&app, nth).await;
    acts::approve(&app, &approver, &known.id, None).await.is_ok()
}

/// Whether it is refused by this.
async fn refuse(app: App, known: Arc<Proposed>, nth: usize) -> bool {
    let admin = known.admin(&app, nth).await;
    let proposal = approvals::find(&app, &known.id).await.unwrap();
    approvals::refuse(&app, &admin, &proposal, "Nobody has seen that goal.").await.is_ok()
}

/// What has become of the withdrawal that the player has asked for.
async fn asked(app: &App, known: &Proposed) -> WithdrawalStatus {
    app.store().withdrawals_of(&known.target).await.unwrap().remove(0).status
}

#[test]
fn approve_and_approve() {
    proposed(500).play(|app, known| async move {
        let first = spawn(approve(app.clone(), known.clone(), 1));
        let second = spawn(approve(app.clone(), known.clone(), 2));
        let approved = [first.await.unwrap(), second.await.unwrap()];
        assert!(approved.contains(&true), "{approved:?}");
        assert_eq!(balance(&app, &known.target).await, 500, "once: {approved:?}");
    });
}

/// An admin switches the deduction and enters: the one or the other, never both.
#[test]
fn deduction_and_join() {
    let scene = Scene::of(async |run| {
        let admin = player(run.app(), 1, 100).await;
        commands::grant(run.app(), admin.email.as_str()).await.unwrap();
        run.app().store().player(&admin.id).await.unwrap().unwrap()
    });
    scene.play(|app, admin| async move {
        let switched = spawn({
            let (app, admin) = (app.clone(), admin.clone());
            async move { status::toggle_deduction(&app, &admin, None).await.is_ok() }
        });
        let joined = spawn(join(app.clone(), admin.clone(), EntryAmount::Fifty));
        let (switched, joined) = (switched.await.unwrap(), joined.await.unwrap());
        assert!(switched != joined, "switched {switched}, joined {joined}");
        assert_eq!(balance(&app, &admin.id).await, if joined { 50 } else { 100 });
    });
}

/// The act is done with its approval, or not at all.
#[test]
fn approve_and_refuse() {
    proposed(500).play(|app, known| async move {
        let approved = spawn(approve(app.clone(), known.clone(), 1));
        let refused = spawn(refuse(app.clone(), known.clone(), 2));
        let (approved, refused) = (approved.await.unwrap(), refused.await.unwrap());
        assert!(approved != refused, "approved {approved}, refused {refused}");
        let stage = app.store().proposal(&known.id).await.unwrap().unwrap().stage;
        assert_eq!(stage, if approved { ProposalStage::Approved } else { ProposalStage::Refused });
        assert_eq!(balance(&app, &known.target).await, if approved { 500 } else { 0 });
    });
}

/// The withdrawal that covers a correction is rejected before it: never once the proposal is refused.
#[test]
fn approve_and_refuse_what_a_withdrawal_covers() {
    proposed(-500).play(|app, known| async move {
        let approved = spawn(approve(app.clone(), known.clone(), 1));
        let refused = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move {
                let refused = refuse(app.clone(), known.clone(), 2).await;
                (refused, asked(&app, &known).await)
            }
        });
        let (approved, (refused, then)) = (approved.await.unwrap(), refused.await.unwrap());
        assert!(approved != refused, "approved {approved}, refused {refused}");
        let now = asked(&app, &known).await;
        let expected = if refused { then } else { WithdrawalStatus::Rejected };
        assert_eq!(now, expected, "refused {refused}");
        // Rejected while the proposal still waited it is the player's money again.
        let is_back = refused && now == WithdrawalStatus::Rejected;
        assert_eq!(balance(&app, &known.target).await, if is_back { 500 } else { 0 });
    });
}
