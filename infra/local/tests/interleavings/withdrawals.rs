//! A withdrawal that ends in several ways at once, or whose wallet is wanted otherwise.

use std::sync::Arc;

use app::{
    App,
    admin::changes::{Change, change},
    ledger::reversals::take_back,
    withdrawals::payouts,
};
use domain::{
    Kes,
    payments::typed_code::ReceiptCode,
    withdrawals::requests::{PayoutCorrection, PayoutState, WithdrawalStatus},
};
use serde_json::json;
use shuttle::future::spawn;
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::{DailyPayout, Permit},
    },
    withdrawals::{
        Payout, Withdrawal,
        payouts::{PaidOut, Sending},
    },
};

use crate::{
    stage::{Scene, balance, player},
    wallet::withdraw,
};

pub async fn only_withdrawal(app: &App, player: &Player) -> Withdrawal {
    app.store().withdrawals_of(&player.id).await.unwrap().remove(0)
}

fn act(app: &App, withdrawal: &Withdrawal) -> AuditRecord {
    let (who, now) = (Who::Operator, app.clock().now());
    let on = format!("withdrawal {}", withdrawal.id);
    AuditRecord::permitted(&Permit::plain(who, now), AuditAction::UpdateWithdrawal, on, now)
}

#[test]
fn done_rejected_and_paid_by_mpesa() {
    let scene = Scene::of(async |run| {
        let player = Arc::new(player(run.app(), 1, 100).await);
        assert!(withdraw(run.app().clone(), player.clone(), 100).await);
        let withdrawal = only_withdrawal(run.app(), &player).await;
        (player, withdrawal)
    });
    scene.play(|app, known| async move {
        let (player, withdrawal) = (&known.0, Arc::new(known.1.clone()));
        let done = spawn({
            let (app, withdrawal) = (app.clone(), withdrawal.clone());
            async move { app.store().complete_withdrawal(&withdrawal, &act(&app, &withdrawal)).await.unwrap() }
        });
        let rejected = spawn({
            let (app, withdrawal) = (app.clone(), withdrawal.clone());
            async move {
                app.store().reject_withdrawal(&withdrawal, "No.", &act(&app, &withdrawal)).await.unwrap()
            }
        });
        let paid = spawn({
            let (app, withdrawal) = (app.clone(), withdrawal.clone());
            async move { paid_by_mpesa(&app, &withdrawal).await }
        });
        let ended = [done.await.unwrap(), rejected.await.unwrap(), paid.await.unwrap()];
        assert_eq!(ended.iter().filter(|ended| **ended).count(), 1, "done, rejected, paid: {ended:?}");
        let now = app.store().withdrawal(&withdrawal.id).await.unwrap().unwrap();
        let rejected = now.status == WithdrawalStatus::Rejected;
        assert_eq!(rejected, ended[1]);
        assert_eq!(now.payout.is_some(), ended[2], "what M-Pesa is told to pay ends by its word: {ended:?}");
        assert_eq!(balance(&app, &player.id).await, if rejected { 100 } else { 0 });
    });
}

/// Notes that its payout is about to be sent, as this attempt, and counts it in the day's sum. Answers the payout, and what
/// became of it.
pub async fn send(app: &App, withdrawal: &Withdrawal, attempt: &str) -> (Payout, Sending) {
    let now = app.clock().now();
    let payout = Payout {
        state: PayoutState::Sent,
        attempt: attempt.to_owned(),
        sent_at: now,
        sent_by: withdrawal.user_id.clone(),
        conversation_id: None,
        receipt: None,
        recipient: None,
        resolved: None,
    };
    let paid_out = DailyPayout { amount: withdrawal.amount, most: app.config().payout_ceiling, at: now };
    let permit = Permit { paid_out: Some(paid_out), ..Permit::plain(Who::Operator, now) };
    let on = format!("withdrawal {}", withdrawal.id);
    let act = AuditRecord::permitted(&permit, AuditAction::PayWithdrawal, on, now);
    let sending = app.store().send_payout(withdrawal, &payout, now, &act).await.unwrap();
    (payout, sending)
}

/// Sends the payout and takes M-Pesa's word that it is paid, as far as it may. Whether it ended so.
async fn paid_by_mpesa(app: &App, withdrawal: &Withdrawal) -> bool {
    let (payout, sending) = send(app, withdrawal, "1").await;
    if sending != Sending::Noted {
        return false;
    }
    let withdrawal = app.store().withdrawal(&withdrawal.id).await.unwrap().unwrap();
    let paid = PaidOut { receipt: Some("TKN0000001".to_owned()), recipient: None };
    app.store().complete_payout(&withdrawal, &payout, &paid, app.clock().now(), None).await.unwrap()
}

/// A payout that was not sent after all is taken back, twice at once, and an admin sends it again in between: the second taking
/// back leaves that one alone.
#[test]
fn two_times_unsent_and_sent_again() {
    let scene = Scene::of(async |run| {
        let (app, player) = (run.app(), Arc::new(player(run.app(), 1, 100).await));
        assert!(withdraw(app.clone(), player.clone(), 100).await);
        let withdrawal = only_withdrawal(app, &player).await;
        let (payout, sending) = send(app, &withdrawal, "1").await;
        assert_eq!(sending, Sending::Noted);
        (withdrawal, payout)
    });
    scene.play(|app, known| async move {
        let unsend = || {
            let (app, known) = (app.clone(), known.clone());
            async move {
                let (withdrawal, payout) = (&known.0, &known.1);
                app.store().mark_payout_unsent(withdrawal, payout, &act(&app, withdrawal)).await.unwrap()
            }
        };
        let (first, second) = (spawn(unsend()), spawn(unsend()));
        let again = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move { send(&app, &known.0, "2").await }
        });
        let unsent = [first.await.unwrap(), second.await.unwrap()];
        let (payout, sending) = again.await.unwrap();
        assert!(unsent[0] != unsent[1], "taken back once: {unsent:?}, sent again: {sending:?}");
        let is_sent = sending == Sending::Noted;
        let now = app.store().withdrawal(&known.0.id).await.unwrap().unwrap();
        assert_eq!(now.payout, is_sent.then_some(payout), "{sending:?}");
        let counted = app.store().paid_out_on(app.clock().now()).await.unwrap();
        assert_eq!(counted, if is_sent { Kes::new(100) } else { Kes::ZERO }, "{sending:?}");
    });
}

/// M-Pesa's answer to a question about a payout: it is paid.
fn paid_answer(withdrawal: &Withdrawal) -> String {
    let parameters = json!([
        {"Key": "TransactionStatus", "Value": "Completed"}, {"Key": "ReceiptNo", "Value": "TKN0000001"}]);
    json!({"Result": {"ResultCode": 0, "ResultDesc": "Done.", "OriginatorConversationID": withdrawal.id,
        "ConversationID": "AG_1", "ResultParameters": {"ResultParameter": parameters}}})
    .to_string()
}

/// M-Pesa answers twice at once that a payout is paid, while an admin gives its money back: the books follow M-Pesa, once. What
/// the player has asked for beside it stays as it is.
#[test]
fn mpesas_word_and_an_admins() {
    let scene = Scene::of(async |run| {
        let (app, player) = (run.app(), Arc::new(player(run.app(), 1, 300).await));
        assert!(withdraw(app.clone(), player.clone(), 100).await);
        let withdrawal = only_withdrawal(app, &player).await;
        assert!(withdraw(app.clone(), player.clone(), 200).await);
        assert_eq!(send(app, &withdrawal, "1").await.1, Sending::Noted);
        app.store().withdrawal(&withdrawal.id).await.unwrap().unwrap()
    });
    scene.play(|app, sent| async move {
        let answer = || {
            let (app, sent) = (app.clone(), sent.clone());
            async move { payouts::answered(&app, &sent, &paid_answer(&sent)).await.unwrap() }
        };
        let (first, second) = (spawn(answer()), spawn(answer()));
        let returned = spawn({
            let (app, sent) = (app.clone(), sent.clone());
            async move {
                let (payout, now) = (sent.payout.as_ref().unwrap(), app.clock().now());
                let act = act(&app, &sent);
                app.store().return_payout(&sent, payout, "No answer.", now, Some(&act)).await.unwrap()
            }
        });
        first.await.unwrap();
        second.await.unwrap();
        let returned = returned.await.unwrap();
        let of_player = app.store().withdrawals_of(&sent.user_id).await.unwrap();
        let (ended, other): (Vec<_>, Vec<_>) = of_player.into_iter().partition(|one| one.id == sent.id);
        let (status, corrected) = if returned {
            (WithdrawalStatus::Rejected, Some(PayoutCorrection::Paid))
        } else {
            (WithdrawalStatus::Done, None)
        };
        assert_eq!((ended[0].status, ended[0].corrected), (status, corrected));
        assert_eq!(other[0].status, WithdrawalStatus::Pending, "returned {returned}");
        assert_eq!(balance(&app, &sent.user_id).await, 0, "returned {returned}");
    });
}

#[test]
fn freeze_and_withdraw() {
    Scene::of(async |run| player(run.app(), 1, 200).await).play(|app, player| async move {
        let frozen = spawn({
            let (app, id) = (app.clone(), player.id.clone());
            async move {
                let frozen = change(&app, &id, Change::Frozen(true), Who::Operator, "Lost phone").await;
                assert!(frozen.is_ok());
                balance(&app, &id).await
            }
        });
        let withdrawn = spawn(withdraw(app.clone(), player.clone(), 60));
        let left = frozen.await.unwrap();
        let withdrawn = withdrawn.await.unwrap();
        assert_eq!(left, if withdrawn { 140 } else { 200 });
        assert_eq!(balance(&app, &player.id).await, left, "nothing leaves it once it is frozen");
        assert!(!withdraw(app.clone(), player.clone(), 70).await, "nothing leaves it from then on");
        if withdrawn {
            let withdrawal = Arc::new(only_withdrawal(&app, &player).await);
            assert!(!paid_by_mpesa(&app, &withdrawal).await, "and what was asked for is not paid");
        }
    });
}

/// A player with KES 100 under a code that M-Pesa has taken back, and `other` beside it.
pub async fn with_a_code(app: &App, other: i64) -> Player {
    let player = player(app, 1, other).await;
    let code = ReceiptCode::parse("TKN1234567").unwrap();
    let typed = crate::payments::typed_code(app, &player, &code);
    crate::payments::submit(app, &typed).await;
    let taxed = (Kes::new(100), &app.config().excise);
    app.store().confirm_typed_code(&typed, taxed, None, app.clock().now()).await.unwrap();
    player
}

/// What the one has taken is not missed by the other, which would give a withdrawal back for it.
#[test]
fn reversal_and_reversal() {
    let scene = Scene::of(async |run| {
        let player = with_a_code(run.app(), 200).await;
        assert!(withdraw(run.app().clone(), Arc::new(player.clone()), 200).await);
        player
    });
    scene.play(|app, player| async move {
        let take = |app: App| spawn(async move { take_back(&app, "TKN1234567", None).await });
        let (one, other) = (take(app.clone()), take(app.clone()));
        one.await.unwrap().unwrap();
        other.await.unwrap().unwrap();
        assert_eq!(balance(&app, &player.id).await, 0);
        let asked = app.store().withdrawals_of(&player.id).await.unwrap();
        assert_eq!(asked[0].status, WithdrawalStatus::Pending);
    });
}

#[test]
fn reversal_and_withdraw() {
    let scene = Scene::of(async |run| with_a_code(run.app(), 0).await);
    scene.play(|app, player| async move {
        let taken = spawn({
            let app = app.clone();
            async move { take_back(&app, "TKN1234567", None).await }
        });
        let withdrawn = spawn(withdraw(app.clone(), player.clone(), 100));
        taken.await.unwrap().unwrap();
        let withdrawn = withdrawn.await.unwrap();
        assert_eq!(balance(&app, &player.id).await, 0);
        let receipt = app.store().receipt("TKN1234567").await.unwrap().unwrap();
        let reversal = receipt.reversal.unwrap();
        let asked = app.store().withdrawals_of(&player.id).await.unwrap();
        let open = asked.iter().filter(|one| one.status == WithdrawalStatus::Pending).count();
        // What was asked for and not paid went back, and covered it.
        assert_eq!(open, 0, "withdrawn {withdrawn}, and still to be paid: {reversal:?}");
        assert_eq!(reversal.wallet, Kes::new(100), "withdrawn {withdrawn}: {reversal:?}");
    });
}
