//! A player's own limits, and the closing of an account, while money moves.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use app::{
    App,
    accounts::{
        closing,
        own_limits::{self, LimitChange},
    },
    payments::prompts::{PromptError, intent},
    platform::flow::FlowError,
};
use domain::{Kes, accounts::own_limits::OwnLimits};
use jiff::Timestamp;
use shuttle::future::spawn;
use store::{
    accounts::{passwords::Reset, players::Player},
    payments::prompts::Payment,
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
        let credited = spawn({
            let (app, player) = (app.clone(), player.clone());
            async move {
                let booked = credit(app, player, "of-the-scene", 100).await;
                is_credited.store(true, Ordering::SeqCst);
                booked
            }
        });
        let closed = closed.await.unwrap();
        assert!(credited.await.unwrap(), "closed {closed}");
        assert_eq!(balance(&app, &player.id).await, 100);
        if closed {
            // The money came after it: the account is not erased while that is in the wallet.
            assert!(closing::nothing_is_open(&app, &player).await.is_err());
        }
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
