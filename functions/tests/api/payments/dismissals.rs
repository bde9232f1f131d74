//! An admin dismisses what they have seen, and nothing that M-Pesa has reported or another admin has decided since.

use app::payments::set_asides::{self, Case, CaseDecision, CaseError};
use domain::{
    Kes,
    payments::{
        prompt::PaymentState,
        set_aside::{SetAsideAct, SetAsideError},
    },
};
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    admin::{audit::Who, permits::Permit},
    payments::prompts::LateReceipt,
};

use crate::support::{
    Person, World,
    admin::OWN_ACCOUNT,
    assert_has,
    mpesa::paid_unheard,
    processes::{by_the_rules, end_withdrawal, rejection},
    set_asides::{RECEIPT, WHY, credit_under, dismissal, dismissal_of},
};

const REPORTED_SINCE: &str = "M-Pesa has reported something new meanwhile. Look at the case once more.";

/// The page of an admin shows a case without a report, and M-Pesa reports a success before the admin presses.
#[tokio::test]
async fn what_is_reported_after_an_admins_look_is_not_dismissed() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "never").await;
    let shown = world.set_asides().await[0].clone();
    let read = set_asides::find(world.app(), &id).await.unwrap();
    world.report_paid(&player, &id, 500, RECEIPT).await;
    // Reported after the press has read the case, and before.
    assert_eq!(pressed(&world, &read).await, Err(CaseError::Decision(SetAsideError::ReportedSince)));
    assert_eq!(world.decide_set_aside(&id, dismissal_of(&shown)).await.refused(409), REPORTED_SINCE);
    let shown = world.set_asides().await[0].clone();
    assert_has(&shown, json!({"state": "SET_ASIDE", "reportedAmount": 500, "receipt": RECEIPT}));
    // What the admin has seen by now is dismissed, and a second press finds that done.
    for _ in 0..2 {
        let closed = world.decide_set_aside(&id, dismissal_of(&shown)).await.expect(200);
        assert_eq!(closed["state"], "DISMISSED");
    }
    world.report_paid(&player, &id, 500, RECEIPT).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
}

/// An admin's dismissal, which has `read` the case.
async fn pressed(world: &World, read: &Case) -> Result<(), CaseError> {
    decided(world, read, SetAsideAct::Dismiss, (None, "")).await
}

async fn decided(
    world: &World,
    read: &Case,
    act: SetAsideAct,
    (amount, receipt): (Option<i64>, &str),
) -> Result<(), CaseError> {
    let (app, admin) = (world.app(), world.stored(&world.admin().await).await);
    let permit = Permit::plain(Who::admin(&admin), app.clock().now());
    let decision = CaseDecision { act, reason: WHY, amount, receipt, seen: None, permit: &permit };
    by_the_rules(set_asides::decide(app, read, decision).await)
}

/// Two admins look at one prompt's case: who presses later finds it decided.
#[rstest]
#[case::credited(true)]
#[case::dismissed(false)]
#[tokio::test]
async fn what_another_admin_has_decided_meanwhile_stands(#[case] credited: bool) {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "never").await;
    world.faults(json!({"daraja": "down"})).await;
    let (store, read) = (world.app().store(), set_asides::find(world.app(), &id).await.unwrap());
    let first = if credited { credit_under(RECEIPT, 500) } else { dismissal() };
    world.decide_set_aside(&id, first).await.expect(200);
    let late = if credited {
        pressed(&world, &read).await
    } else {
        decided(&world, &read, SetAsideAct::Credit, (Some(500), RECEIPT)).await
    };
    assert_eq!(late, Err(CaseError::Decision(SetAsideError::Closed)));
    let (state, held) = if credited { (PaymentState::Success, 500) } else { (PaymentState::Dismissed, 0) };
    assert_eq!(store.payment(&id).await.unwrap().unwrap().state, state);
    assert_eq!(store.wallet(&player.user_id()).await.unwrap().balance, Kes::new(held));
}

/// A prompt that is credited on its callback alone; the receipt of its payment is credited to `other`.
async fn credited_on_the_callback_alone(world: &World, other: &Person) -> String {
    let player = world.player().await;
    let code = other.typed_code(RECEIPT).await;
    world.second_admin().await.confirm_code(code, 500).await.expect(200);
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), paid_unheard()).await;
    world.call_back(&player, &id, 0, None).await;
    world.advance(900).await;
    id
}

/// The receipt of such a prompt is learned, and is another player's.
async fn learn_that_it_is_contested(world: &World, id: &str) {
    let (store, now) = (world.app().store(), world.app().clock().now());
    let payment = store.payment(id).await.unwrap().unwrap();
    let learned = store.claim_late_receipt(&payment, RECEIPT, now).await.unwrap();
    assert!(matches!(learned, LateReceipt::Taken(_)), "{learned:?}");
}

/// The receipt is credited to an admin's own account, by another admin: what stands against that is not theirs to close.
#[tokio::test]
async fn a_case_against_ones_own_credit_is_not_dismissed() {
    let world = World::start().await;
    let admin = world.admin().await;
    let id = credited_on_the_callback_alone(&world, &admin).await;
    learn_that_it_is_contested(&world, &id).await;
    let case = format!("/api/admin/set-asides/{id}");
    let dismissal = dismissal_of(&world.set_asides().await[0]);
    let own = world.admin().await.post(&case, dismissal.clone()).await.refused(403);
    assert_eq!(own, OWN_ACCOUNT);
    world.second_admin().await.post(&case, dismissal).await.expect(200);
}

/// A prompt is credited on its callback alone, and after an admin's look its receipt turns out to be credited to another player.
#[tokio::test]
async fn a_receipt_that_is_contested_after_an_admins_look_stays_a_case() {
    let world = World::start().await;
    let other = world.player().await;
    let id = credited_on_the_callback_alone(&world, &other).await;
    let shown = world.set_asides().await[0].clone();
    assert_has(&shown, json!({"state": "SUCCESS", "receipt": null, "acts": ["dismiss"]}));
    let read = set_asides::find(world.app(), &id).await.unwrap();
    learn_that_it_is_contested(&world, &id).await;

    // Learned after the press has read the case, and before.
    assert_eq!(pressed(&world, &read).await, Err(CaseError::Decision(SetAsideError::ReportedSince)));
    assert_eq!(world.decide_set_aside(&id, dismissal_of(&shown)).await.refused(409), REPORTED_SINCE);
    let shown = world.set_asides().await[0].clone();
    let credited_to = json!({"userId": other.id, "username": "player1"});
    assert_has(&shown, json!({"receipt": RECEIPT, "creditedTo": credited_to}));
    world.decide_set_aside(&id, dismissal_of(&shown)).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
}

/// An admin has closed the case of a prompt, and then its receipt turns out to be credited to another player.
#[tokio::test]
async fn a_receipt_that_is_contested_after_a_case_was_closed_opens_it_again() {
    let world = World::start().await;
    let id = credited_on_the_callback_alone(&world, &world.player().await).await;
    world.decide_set_aside(&id, dismissal_of(&world.set_asides().await[0])).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    learn_that_it_is_contested(&world, &id).await;
    let shown = world.set_asides().await[0].clone();
    assert_has(&shown, json!({"receipt": RECEIPT, "acts": ["dismiss"], "closedBecause": null}));
    world.decide_set_aside(&id, dismissal_of(&shown)).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    // The same once more is no news.
    learn_that_it_is_contested(&world, &id).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
}

/// The receipt of a prompt that is credited is learned after an admin's look: the admin looks once more. Two admins press then,
/// and the first one has closed the case.
#[tokio::test]
async fn what_is_credited_is_closed_once_and_as_it_stands() {
    let world = World::start().await;
    let id = credited_on_the_callback_alone(&world, &world.player().await).await;
    let (app, store) = (world.app(), world.app().store());
    let read = set_asides::find(app, &id).await.unwrap();
    let kept = async || store.payment(&id).await.unwrap().unwrap();
    let learned = store.claim_late_receipt(&kept().await, "NLJ7RT62SV", app.clock().now()).await.unwrap();
    assert_eq!(learned, LateReceipt::Claimed);
    assert_eq!(pressed(&world, &read).await, Err(CaseError::Decision(SetAsideError::ReportedSince)));
    let read = set_asides::find(app, &id).await.unwrap();
    assert_eq!(pressed(&world, &read).await, Ok(()));
    let closed = kept().await.closed;
    assert!(closed.is_some());
    world.advance(1).await;
    assert_eq!(pressed(&world, &read).await, Ok(()));
    assert_eq!(kept().await.closed, closed);
}

/// What M-Pesa says of a payout between the admin's look and the press is not dismissed unseen.
#[tokio::test]
async fn what_is_said_of_a_payout_after_an_admins_look_is_not_dismissed() {
    let world = World::start().await;
    let (_, id) = world.withdrawing().await;
    assert!(end_withdrawal(world.app(), &id, rejection()).await);
    let contest = async |trouble: &str| {
        let withdrawal = world.stored_withdrawal(&id).await;
        assert!(world.app().store().contest_withdrawal(&withdrawal, trouble).await.unwrap());
    };
    contest("M-Pesa has paid it too.").await;
    let shown = world.set_asides().await[0].clone();
    let read = set_asides::find(world.app(), &id).await.unwrap();
    contest("M-Pesa reports another amount than was asked for.").await;

    // Said after the press has read the case, and before.
    assert_eq!(pressed(&world, &read).await, Err(CaseError::Decision(SetAsideError::ReportedSince)));
    assert_eq!(world.decide_set_aside(&id, dismissal_of(&shown)).await.refused(409), REPORTED_SINCE);
    let shown = world.set_asides().await[0].clone();
    let again = "M-Pesa reports another amount than was asked for.";
    assert_eq!(shown["reason"], again);
    let read = set_asides::find(world.app(), &id).await.unwrap();
    world.decide_set_aside(&id, dismissal_of(&shown)).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    assert_eq!(
        world.decide_set_aside(&id, dismissal_of(&shown)).await.refused(409),
        "This case is closed already."
    );

    // Nor once more by who has read it before, and the same said again is no news.
    assert_eq!(pressed(&world, &read).await, Err(CaseError::Decision(SetAsideError::Closed)));
    let withdrawal = world.stored_withdrawal(&id).await;
    assert!(!world.app().store().contest_withdrawal(&withdrawal, again).await.unwrap());
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
}

/// M-Pesa's odd word on a payout stands: that it was silent for a day before does not take its place. Nor is that told of a
/// payout that has ended meanwhile.
#[tokio::test]
async fn a_silence_is_not_told_over_what_m_pesa_has_said() {
    let world = World::start().await;
    let (_, id) = world.withdrawing().await;
    let (store, said) = (world.app().store(), "M-Pesa reports another amount than was asked for.");
    assert!(store.contest_withdrawal(&world.stored_withdrawal(&id).await, said).await.unwrap());
    let silent = "M-Pesa has not said for a day.";
    assert!(!store.contest_silent_payout(&id, silent).await.unwrap());
    assert_eq!(world.stored_withdrawal(&id).await.trouble.as_deref(), Some(said));
    let (_, ended) = world.withdrawing().await;
    assert!(end_withdrawal(world.app(), &ended, rejection()).await);
    assert!(!store.contest_silent_payout(&ended, silent).await.unwrap());
    assert_eq!(world.stored_withdrawal(&ended).await.trouble, None);
}
