//! An act that two admins decide at once, or that meets what M-Pesa or the machine does.

use std::sync::Arc;

use app::{
    App, Safeguards,
    admin::{
        acts::{self, ActOutcome, MoneyAct, MoneyActError},
        approvals, commands,
        switches::{self, SwitchChange, SwitchError},
    },
    gameweeks::status,
    ledger::reversals::take_back,
    platform::flow::FlowError,
};
use domain::{EntryAmount, Kes, UserId, withdrawals::requests::WithdrawalStatus};
use jiff::Timestamp;
use local::{Settings, Target};
use shuttle::future::spawn;
use store::{
    accounts::players::Player,
    admin::{approvals::ProposalStage, audit::Who},
    withdrawals::{Withdrawal, payouts::Sending},
};

use crate::{
    stage::{Scene, balance, player},
    wallet::{join, withdraw},
    withdrawals::{only_withdrawal, send, with_a_code},
};

/// Why the machine pauses payouts.
const BOOKS_ARE_OFF: &str = "The books do not add up.";

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
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        assert!(first != second, "by the first: {first}, by the second: {second}");
        let by = app.store().proposal(&known.id).await.unwrap().unwrap().decided_by;
        assert_eq!(by.as_ref(), Some(&known.admins[if first { 1 } else { 2 }]));
        assert_eq!(balance(&app, &known.target).await, 500);
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

/// A player who has become an admin.
async fn made_admin(app: &App, n: u32) -> Player {
    let admin = player(app, n, 0).await;
    commands::grant(app, admin.email.as_str()).await.unwrap();
    app.store().player(&admin.id).await.unwrap().unwrap()
}

/// An admin says to have sent a withdrawal by hand, which a second one has to approve, while M-Pesa takes back what it would
/// cover: it covers that, or it counts as sent.
#[test]
fn said_sent_and_reversal() {
    let settings = Settings { safeguards: Safeguards::Full, ..Settings::default() };
    let scene = Scene::with(settings, async |run| {
        let app = run.app();
        let player = Arc::new(with_a_code(app, 20_000).await);
        let admin = made_admin(app, 2).await;
        assert!(withdraw(app.clone(), player.clone(), 20_100).await);
        // It is to a new number, and waits for a day.
        run.jump(Target::Ahead(25 * 3600)).await.unwrap();
        (admin, only_withdrawal(app, &player).await)
    });
    scene.play(|app, known| async move {
        let proposed = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move {
                let act = MoneyAct::MarkDone { id: known.1.id.clone() };
                match acts::ask(&app, &known.0, &act).await {
                    Ok(ActOutcome::Proposed(_)) => true,
                    Err(FlowError::Refused(MoneyActError::Withdrawal(_))) => false,
                    other => panic!("{other:?}"),
                }
            }
        });
        let taken = spawn({
            let app = app.clone();
            async move { take_back(&app, "TKN1234567", None).await }
        });
        let proposed = proposed.await.unwrap();
        taken.await.unwrap().unwrap();
        let asked = app.store().withdrawal(&known.1.id).await.unwrap().unwrap();
        let reversal = app.store().receipt("TKN1234567").await.unwrap().unwrap().reversal.unwrap();
        let (status, taken, left) = if proposed {
            (WithdrawalStatus::Pending, 0, 0)
        } else {
            (WithdrawalStatus::Rejected, 100, 20_000)
        };
        assert_eq!((asked.status, reversal.wallet), (status, Kes::new(taken)), "proposed {proposed}");
        assert_eq!(balance(&app, &asked.user_id).await, left, "proposed {proposed}");
    });
}

/// Payouts that an admin has paused, and a withdrawal that waits for them.
struct Paused {
    admins: [Player; 2],
    since: Timestamp,
    withdrawal: Withdrawal,
}

/// An admin pauses payouts, or ends the pause that has been `since`. Whether that was done.
async fn turn_payouts(app: &App, admin: &Player, paused: bool, since: Option<Timestamp>) -> bool {
    let change = SwitchChange { entries: None, payouts: Some(paused), since };
    match switches::turn(app, change, admin, "Safaricom has called.").await {
        Ok(_) => true,
        Err(FlowError::Refused(SwitchError::OtherPause)) => false,
        Err(error) => panic!("{error:?}"),
    }
}

/// An admin ends the pause that they have seen, another one turns another switch, and the machine pauses: its pause stands in
/// the end, and nothing is paid from it on.
#[test]
fn machines_pause_and_the_end_of_an_admins() {
    let scene = Scene::of(async |run| {
        let app = run.app();
        let admins = [made_admin(app, 1).await, made_admin(app, 2).await];
        assert!(turn_payouts(app, &admins[0], true, None).await);
        let since = app.store().switches().await.unwrap().payouts_paused.unwrap().since;
        let player = Arc::new(player(app, 9, 100).await);
        assert!(withdraw(app.clone(), player.clone(), 100).await);
        // The machine's pause is of another instant.
        run.jump(Target::Ahead(60)).await.unwrap();
        Paused { admins, since, withdrawal: only_withdrawal(app, &player).await }
    });
    scene.play(|app, known| async move {
        let resumed = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move { turn_payouts(&app, &known.admins[0], false, Some(known.since)).await }
        });
        let stopped = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move {
                let change = SwitchChange { entries: Some(true), payouts: None, since: None };
                switches::turn(&app, change, &known.admins[1], "Too many at once.").await.map(drop).unwrap();
            }
        });
        let paused = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move {
                assert!(switches::pause_payouts_by_machine(&app, BOOKS_ARE_OFF).await.unwrap());
                send(&app, &known.withdrawal, "1").await.1
            }
        });
        let resumed = resumed.await.unwrap();
        stopped.await.unwrap();
        assert_eq!(paused.await.unwrap(), Sending::Paused, "resumed {resumed}");
        let now = app.store().switches().await.unwrap();
        assert!(now.entries_paused.is_some());
        let pause = now.payouts_paused.expect("the books are off still");
        assert_eq!(pause.by, Who::Reconciliation);
        assert_eq!(pause.reason == BOOKS_ARE_OFF, resumed, "{}", pause.reason);
    });
}
