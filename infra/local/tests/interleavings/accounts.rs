//! A player's own limits, and the closing of an account, while money moves.

use std::sync::Arc;

use app::{
    App,
    accounts::{
        closing,
        own_limits::{self, LimitChange},
    },
};
use domain::{Kes, accounts::own_limits::OwnLimits};
use shuttle::future::spawn;
use store::{
    accounts::players::Player,
    payments::prompts::{HeldRoom, Intended},
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

/// Asks for a prompt of 100 as a call does. Whether there is room for it.
async fn deposit(app: App, player: Arc<Player>) -> bool {
    let payment = prompt(&app, &player);
    loop {
        let read = app.store().wallet(&player.id).await.unwrap().limits;
        let hold = |limits: OwnLimits| limits.hold(&payment.id, payment.spends(), payment.created_at);
        let Some(with_it) = read.clone().map(hold) else {
            return app.store().create_payment(&payment, None, None, None).await.unwrap()
                == Intended::Written;
        };
        let (Some(read), Ok(with_it)) = (&read, &with_it) else { return false };
        let room = HeldRoom { read, with_it };
        match app.store().create_payment(&payment, None, None, Some(room)).await.unwrap() {
            Intended::LimitsMoved => {}
            intended => return intended == Intended::Written,
        }
    }
}

#[test]
fn limit_and_two_deposits() {
    let scene = Scene::of(async |run| {
        let player = player(run.app(), 1, 0).await;
        limit(run.app(), &player, 150).await;
        player
    });
    scene.play(|app, player| async move {
        let first = spawn(deposit(app.clone(), player.clone()));
        let second = spawn(deposit(app.clone(), player.clone()));
        let credited = spawn(credit(app.clone(), player.clone(), "to-the-paybill", 20));
        let room = [first.await.unwrap(), second.await.unwrap()];
        assert!(credited.await.unwrap());
        assert!(room[0] != room[1], "150 has room for one prompt of 100: {room:?}");
        let limits = app.store().wallet(&player.id).await.unwrap().limits.unwrap();
        let used = limits.used("deposit-day".parse().unwrap(), app.clock().now());
        assert_eq!(used, Kes::new(120));
        assert_eq!(balance(&app, &player.id).await, 20);
    });
}

#[test]
fn close_and_credit() {
    Scene::of(async |run| player(run.app(), 1, 0).await).play(|app, player| async move {
        let closed = spawn({
            let (app, player) = (app.clone(), player.clone());
            async move {
                let Ok(wallet) = closing::nothing_is_open(&app, &player).await else { return false };
                app.store().close_account(&player.id, wallet, app.clock().now()).await.unwrap()
            }
        });
        let credited = spawn(credit(app.clone(), player.clone(), "of-the-scene", 30));
        let closed = closed.await.unwrap();
        assert!(credited.await.unwrap(), "closed {closed}");
        assert_eq!(balance(&app, &player.id).await, 30);
        if closed {
            // The money came after it: the account is not erased while that is in the wallet.
            assert!(closing::nothing_is_open(&app, &player).await.is_err());
        }
    });
}
