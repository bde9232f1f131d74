//! A player's own limits, and the closing and the erasure of an account, while money moves.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use app::{
    App,
    accounts::{
        closing, erasure,
        own_limits::{self, LimitChange},
    },
    payments::prompts::{self, PromptError, intent},
    platform::{flow::FlowError, queues::ProcessPayment},
};
use domain::{Kes, accounts::own_limits::OwnLimits};
use jiff::{SignedDuration, Timestamp};
use shuttle::future::spawn;
use store::{
    accounts::{passwords::Reset, players::Player},
    payments::prompts::{Credit, Credited, Payment},
};

use crate::{
    payments::prompt,
    stage::{Scene, balance, player},
    wallet::credit,
};

async fn limit(app: &App, player: &Player, kes: i64) {
    let change = LimitChange::read([("deposit-day", Some(kes))], []).unwrap();
    own_limits::change(app, player, &change).await.map(drop).unwrap();
}

/// Writes the intent of a prompt of 100 as a call does. Whether there is room for it.
async fn deposit(app: App, player: Arc<Player>) -> bool {
    let payment = Payment { holds_room: true, ..prompt(&app, &player) };
    match intent::write(&app, &payment, None, None).await {
        Ok(()) => true,
        Err(FlowError::Refused(PromptError::OwnLimit(_))) => false,
        Err(error) => panic!("{error:?}"),
    }
}

async fn limits(app: &App, player: &Player) -> OwnLimits {
    app.store().wallet(&player.id).await.unwrap().limits.unwrap()
}

/// What is used of the day's limit on deposits.
async fn used(app: &App, player: &Player) -> Kes {
    limits(app, player).await.used("deposit-day".parse().unwrap(), app.clock().now())
}

fn with_limit(kes: i64) -> Scene<Player> {
    Scene::of(async |run| {
        let player = player(run.app(), 1, 0).await;
        limit(run.app(), &player, kes).await;
        player
    })
}

#[test]
fn limit_and_two_deposits() {
    with_limit(150).play(|app, player| async move {
        let first = spawn(deposit(app.clone(), player.clone()));
        let second = spawn(deposit(app.clone(), player.clone()));
        let credited = spawn(credit(app.clone(), player.clone(), "to-the-paybill", 20));
        let room = [first.await.unwrap(), second.await.unwrap()];
        assert!(credited.await.unwrap());
        assert!(room[0] != room[1], "150 has room for one prompt of 100: {room:?}");
        assert_eq!(used(&app, &player).await, Kes::new(120));
        assert_eq!(balance(&app, &player.id).await, 20);
    });
}

/// Two prompts fit before it is lowered, and one after it: it is in force whatever comes first, and no prompt is left out of
/// what is used.
#[test]
fn limit_that_is_lowered_and_two_deposits() {
    with_limit(250).play(|app, player| async move {
        let first = spawn(deposit(app.clone(), player.clone()));
        let lowered = spawn({
            let (app, player) = (app.clone(), player.clone());
            async move {
                limit(&app, &player, 150).await;
                // From here on there is no room for a second one.
                let already = used(&app, &player).await;
                (already, deposit(app, player).await)
            }
        });
        let second = spawn(deposit(app.clone(), player.clone()));
        let room = [first.await.unwrap(), second.await.unwrap()];
        let (already, third) = lowered.await.unwrap();
        assert!(!third || already == Kes::ZERO, "{already} of 150 was used, and there was room for 100");
        let written = room.iter().chain([&third]).filter(|written| **written).count();
        assert!((1..=2).contains(&written), "{room:?} and {third} after it was lowered");
        assert_eq!(used(&app, &player).await, Kes::new(100 * i64::try_from(written).unwrap()));
        let now = limits(&app, &player).await.amount("deposit-day".parse().unwrap());
        assert_eq!(now, Some(Kes::new(150)));
    });
}

/// Credits KES 100, and says so once that is done.
async fn credit_and_say_so(app: App, player: Arc<Player>, is_credited: Arc<AtomicBool>) -> bool {
    let booked = credit(app, player, "of-the-scene", 100).await;
    is_credited.store(true, Ordering::SeqCst);
    booked
}

#[test]
fn close_and_credit() {
    Scene::of(async |run| player(run.app(), 1, 0).await).play(|app, player| async move {
        let is_credited = Arc::new(AtomicBool::new(false));
        let closed = spawn({
            let (app, player, is_credited) = (app.clone(), player.clone(), is_credited.clone());
            async move {
                let Ok(wallet) = closing::nothing_is_open(&app, &player).await else { return false };
                let too_late = is_credited.load(Ordering::SeqCst);
                let closed = app.store().close_account(&player.id, wallet, app.clock().now()).await.unwrap();
                assert!(!(closed && too_late), "it is closed by a wallet of before the money came");
                closed
            }
        });
        let credited = spawn(credit_and_say_so(app.clone(), player.clone(), is_credited));
        let closed = closed.await.unwrap();
        assert!(credited.await.unwrap(), "closed {closed}");
        assert_eq!(balance(&app, &player.id).await, 100);
        if closed {
            // The money came after it: the account is not erased while that is in the wallet.
            assert!(closing::nothing_is_open(&app, &player).await.is_err());
        }
    });
}

/// Closes the account as of eight days ago: its erasure is due. Answers it as it is then.
async fn close_eight_days_ago(app: &App, player: &Player) -> Player {
    let wallet = app.store().wallet(&player.id).await.unwrap();
    let at = app.clock().now() - SignedDuration::from_hours(8 * 24);
    assert!(app.store().close_account(&player.id, wallet, at).await.unwrap());
    app.store().player(&player.id).await.unwrap().unwrap()
}

/// Looks at the closed account as the job does, and begins its erasure or opens it again.
async fn begin_erasure_or_open(app: App, player: Arc<Player>, is_credited: Arc<AtomicBool>) {
    let (store, closed_at) = (app.store(), player.closed_at.unwrap());
    match closing::nothing_is_open(&app, &player).await {
        Ok(wallet) => {
            let too_late = is_credited.load(Ordering::SeqCst);
            let begun = store.begin_erasure(&player.id, wallet, closed_at, app.clock().now()).await.unwrap();
            assert!(!(begun && too_late), "it begins by a wallet of before the money came");
        }
        Err(FlowError::Refused(_)) => {
            store.open_again(&player.id, closed_at).await.unwrap();
        }
        Err(error) => panic!("{error:?}"),
    }
}

/// Two runs of the job look at it while money comes: it is open again, or its erasure has begun, and never both.
#[test]
fn erasure_and_credit() {
    Scene::of(async |run| player(run.app(), 1, 0).await).play(|app, player| async move {
        let player = Arc::new(close_eight_days_ago(&app, &player).await);
        let is_credited = Arc::new(AtomicBool::new(false));
        let look = || spawn(begin_erasure_or_open(app.clone(), player.clone(), is_credited.clone()));
        let (first, second) = (look(), look());
        let credited = spawn(credit_and_say_so(app.clone(), player.clone(), is_credited.clone()));
        first.await.unwrap();
        second.await.unwrap();
        assert!(credited.await.unwrap());
        // The next run does what these could not, where the wallet had moved.
        look().await.unwrap();
        let now = app.store().player(&player.id).await.unwrap().unwrap();
        let (closed, erasing) = (now.closed_at.is_some(), now.erasing_at.is_some());
        assert_eq!(closed, erasing, "closed {closed}, its erasure has begun {erasing}");
        assert_eq!(balance(&app, &player.id).await, 100);
    });
}

/// A message about a prompt that was paid before the closing comes late, while the account is erased: its number is nobody's
/// in the end.
#[test]
fn erasure_and_claim_of_a_number() {
    let scene = Scene::of(async |run| {
        let (app, player) = (run.app(), player(run.app(), 1, 0).await);
        // Less than can be withdrawn, which keeps no account open.
        let payment = Payment { amount: Kes::new(20), ..prompt(app, &player) };
        app.store().create_payment(&payment, None, None, None).await.unwrap();
        let receipt = Some("TKN1234567");
        let credit = Credit { receipt, flagged: false, reason: None, at: app.clock().now() };
        assert_eq!(app.store().credit_payment(&payment, None, credit).await.unwrap(), Credited::Done);
        (player, payment)
    });
    scene.play(|app, known| async move {
        close_eight_days_ago(&app, &known.0).await;
        let erased = spawn({
            let app = app.clone();
            async move { erasure::erase(&app).await.unwrap() }
        });
        let heard = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move { prompts::process(&app, &ProcessPayment::question(&known.1.id, 0)).await.unwrap() }
        });
        erased.await.unwrap();
        heard.await.unwrap();
        assert!(app.store().player(&known.0.id).await.unwrap().is_none(), "it is erased");
        assert_eq!(app.store().own_number(&known.1.phone).await.unwrap(), None);
        assert_eq!(balance(&app, &known.0.id).await, 20);
    });
}

/// Somebody logs in with the old password while it is reset: it is never read with the count of after the reset, by which
/// the session would outlive it.
#[test]
fn log_in_and_reset() {
    let scene = Scene::of(async |run| {
        let player = player(run.app(), 1, 0).await;
        let (token_hash, expires_at) = ("a".repeat(64), Timestamp::MAX);
        let reset = Reset { token_hash, expires_at, used_at: None, ttl: i64::MAX };
        run.app().store().put_reset(&player.id, &reset).await.unwrap();
        (player, reset)
    });
    scene.play(|app, this| async move {
        let now = app.clock().now();
        let reset = spawn({
            let (app, this) = (app.clone(), this.clone());
            async move { app.store().use_reset(&this.0.id, &this.1, "the new one", now).await.unwrap() }
        });
        let read = spawn({
            let (app, this) = (app.clone(), this.clone());
            async move { app.store().player_with_password(&this.0.email).await.unwrap().unwrap() }
        });
        let (player, hash) = read.await.unwrap();
        assert!(reset.await.unwrap());
        let is_new = hash.is_some_and(|hash| hash == "the new one");
        assert!(is_new || player.password_resets == 0, "the old password, with the new count");
    });
}
