//! What M-Pesa says of an account once what is personal of it is gone: it is booked, and names nobody for good.

use app::accounts::erasure;
use domain::{
    Kes, Role,
    accounts::{own_limits::OwnLimits, stopping::StopFor},
    payments::{prompt::PaymentState, receipt_match::ReceiptFacts, typed_code::ReceiptCode},
};
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    accounts::{passwords::Reset, players::Linked},
    admin::audit::{AuditAction, AuditRecord, Who},
    payments::{
        numbers::Claimed,
        paybill::{CreditedToAccount, PaybillPayment},
        prompts::Payment,
    },
};

use crate::support::{
    Person, World,
    njeri::{CLOSURE, EMAIL, NAME, again, found, found_for_good, njeri, right},
    set_asides::{RECEIPT, dismissal},
};

/// A week, after which what is personal goes, and an hour, in seconds.
const A_WEEK: i64 = 7 * 24 * 3600 + 3700;

/// Whom M-Pesa names as the payer.
const PAYER: &str = "NICHOLAS";
/// What is not to be found any more; M-Pesa's id of a prompt ends with the number.
const TEXTS: [&str; 4] = [EMAIL, NAME, PAYER, "712007777"];

/// Her account is closed, and erased a week later.
async fn erase(world: &World, player: &Person) {
    again(world).await.post(CLOSURE, right()).await.expect(200);
    world.advance(A_WEEK).await;
    assert!(world.app().store().player(&player.user_id()).await.unwrap().is_none());
    assert_eq!(found(world, &TEXTS).await, Vec::<Value>::new());
}

/// M-Pesa confirms what a prompt of hers has received.
async fn confirm(world: &World, receipt: &str, amount: i64) {
    let confirmation = json!({"TransactionType": "Pay Bill", "TransID": receipt,
        "TransTime": "20260820120000", "TransAmount": format!("{amount}.00"), "BusinessShortCode": "174379",
        "BillRefNumber": NAME, "MSISDN": "2547 ***** 777", "FirstName": PAYER});
    world.post_to_hook("/hooks/c2b/confirm", confirmation).await;
    world.advance(0).await;
}

async fn stored(world: &World, id: &str) -> Payment {
    world.app().store().payment(id).await.unwrap().unwrap()
}

/// M-Pesa is asked by the id that it calls back with, so the credit waits for no admin. Neither that id is kept nor who paid.
#[rstest]
#[case::confirmed_before(true)]
#[case::confirmed_after(false)]
#[tokio::test]
async fn a_prompt_that_was_paid_after_all_is_asked_about_and_names_nobody(#[case] confirmed_first: bool) {
    let world = World::start().await;
    let player = njeri(&world).await;
    let (id, receipt) = world.paid_and_reported_failed(&player, 100).await;
    erase(&world, &player).await;
    if confirmed_first {
        confirm(&world, &receipt, 100).await;
        assert!(!found_for_good(&world, &[PAYER]).await.is_empty(), "nobody knows yet whose it is");
    }
    world.report_paid(&player, &id, 100, &receipt).await;
    if !confirmed_first {
        confirm(&world, &receipt, 100).await;
    }
    let payment = stored(&world, &id).await;
    assert_eq!((payment.state, payment.receipt.as_deref()), (PaymentState::Success, Some(receipt.as_str())));
    assert!(!payment.flagged, "M-Pesa was asked");
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
    assert_eq!(found_for_good(&world, &TEXTS).await, Vec::<Value>::new());
}

/// Another amount than was asked for waits for an admin, who sees by whom it was paid until it is decided.
#[tokio::test]
async fn what_is_set_aside_names_its_payer_until_it_is_decided() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let id = player.prompt(100).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    erase(&world, &player).await;
    confirm(&world, RECEIPT, 600).await;
    world.report_paid(&player, &id, 600, RECEIPT).await;
    assert_eq!(stored(&world, &id).await.state, PaymentState::SetAside);
    assert!(!found_for_good(&world, &[PAYER]).await.is_empty());
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert_eq!(found_for_good(&world, &TEXTS).await, Vec::<Value>::new());
}

/// A payment to the account was found to be its player's a moment before the erasure has begun: it is nobody's then.
#[tokio::test]
async fn no_payment_is_credited_to_an_account_that_is_going() {
    let (world, player) = World::with_player(0).await;
    close_and_begin_erasure(&world, &player).await;
    let (store, id, now) = (world.app().store(), player.user_id(), world.app().clock().now());
    let payment = PaybillPayment {
        code: RECEIPT.to_owned(),
        amount: Some(Kes::new(100)),
        shortcode: "174379".to_owned(),
        account_reference: None,
        phone: None,
        name: None,
        paid_at: None,
        at: now,
        judged: None,
        next_check: None,
    };
    assert!(store.keep_paybill_payment(&payment).await.unwrap());
    let (code, facts) = (ReceiptCode::parse(RECEIPT).unwrap(), ReceiptFacts::default());
    let told = (&facts, &world.app().config().excise);
    let credited = store.credit_paybill_payment(&id, &code, Kes::new(100), told, now).await.unwrap();
    assert_eq!(credited, CreditedToAccount::Before);
    assert_eq!(store.wallet(&id).await.unwrap().balance, Kes::ZERO);
}

/// An admin gives an account another team when what is personal of it goes already: that team is nobody's.
#[tokio::test]
async fn no_team_is_given_to_an_account_that_is_going() {
    let (world, player) = World::with_player(0).await;
    close_and_begin_erasure(&world, &player).await;
    let other = json!({"fplId": "760001", "reason": "A digit was wrong."});
    world.change_player(&player.id, other.clone()).await.refused(409);
    // Another one may have it.
    world.change_player(&world.player().await.id, other).await.expect(200);
}

async fn close_and_begin_erasure(world: &World, player: &Person) {
    world.schedule("erase-accounts", false).await;
    player.post(CLOSURE, right()).await.expect(200);
    let (store, id) = (world.app().store(), player.user_id());
    let closed_at = store.player(&id).await.unwrap().unwrap().closed_at.unwrap();
    let read = store.wallet(&id).await.unwrap();
    assert!(store.begin_erasure(&id, read, closed_at, world.app().clock().now()).await.unwrap());
}

/// The number of a prompt is claimed in the moment in which the erasure begins: whichever is first, the number is nobody's in
/// the end.
#[rstest]
#[case::the_claim_is_first(true)]
#[case::the_erasure_is_first(false)]
#[tokio::test]
async fn no_number_is_claimed_for_an_account_that_is_going(#[case] claim_first: bool) {
    let world = World::start().await;
    let player = njeri(&world).await;
    let (prompt, _) = world.paid_and_reported_failed(&player, 100).await;
    world.schedule("erase-accounts", false).await;
    again(&world).await.post(CLOSURE, right()).await.expect(200);
    let payment = stored(&world, &prompt).await;
    let (store, id, now) = (world.app().store(), player.user_id(), world.app().clock().now());
    let claim = async || store.claim_number(&payment, None, now).await.unwrap();
    if claim_first {
        assert_eq!(claim().await, Claimed::Now);
    }
    let closed_at = store.player(&id).await.unwrap().unwrap().closed_at.unwrap();
    let read = store.wallet(&id).await.unwrap();
    assert!(store.begin_erasure(&id, read, closed_at, now).await.unwrap());
    if !claim_first {
        assert_eq!(claim().await, Claimed::No);
    }
    world.advance(A_WEEK).await;
    erasure::erase(world.app()).await.unwrap();
    assert!(store.player(&id).await.unwrap().is_none());
    assert_eq!(claim().await, Claimed::No);
    assert_eq!(found(&world, &TEXTS).await, Vec::<Value>::new());
}

/// What was read of an account before it was erased is written after that, as nobody should who has looked a week ago: nothing
/// of it comes back.
#[tokio::test]
async fn nothing_that_is_late_brings_an_erased_account_back() {
    let world = World::start().await;
    let person = njeri(&world).await;
    let (store, id) = (world.app().store(), person.user_id());
    let (player, wallet) = (world.stored(&person).await, store.wallet(&id).await.unwrap());
    let session = store.sessions(&id).await.unwrap().remove(0);
    erase(&world, &person).await;
    let now = world.app().clock().now();
    let act = || AuditRecord::new(Who::Operator, AuditAction::UpdatePlayer, "a test", now);

    assert!(!store.close_account(&id, wallet.clone(), now).await.unwrap());
    assert!(!store.set_own_limits(&id, &wallet, &OwnLimits::default()).await.unwrap());
    let stopped = "6m".parse::<StopFor>().unwrap().from(now);
    assert!(!store.stop(&player, &stopped, &[]).await.unwrap());
    let (next, team) = (player.season + 1, player.fpl_id.unwrap());
    assert_eq!(store.link_team(&id, next, team, None, now).await.unwrap(), Linked::AlreadyLinked);
    assert!(store.set_terms(&id, &player.terms).await.is_err());
    let reset =
        Reset { token_hash: "a hash".to_owned(), expires_at: now, used_at: None, ttl: now.as_second() };
    store.put_reset(&id, &reset).await.unwrap();
    assert!(!store.use_reset(&id, &reset, "another hash", now).await.unwrap());

    assert!(!store.set_suspended(&id, true, &act()).await.unwrap());
    assert!(!store.set_frozen(&id, true, &act()).await.unwrap());
    assert!(!store.set_age_proof_wanted(&id, true, &act()).await.unwrap());
    assert!(!store.set_role(&id, Role::Admin, &act()).await.unwrap());
    assert!(store.end_all_sessions(&id, &act()).await.is_err());
    assert!(!store.step_session_up(&session, &act()).await.unwrap());
    store.end_session(&session, now).await.unwrap();
    assert!(store.sessions(&id).await.unwrap().is_empty());
    assert!(store.player(&id).await.unwrap().is_none());
}
