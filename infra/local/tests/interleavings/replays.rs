//! An order that fails is found, and fails in the same way when it is played again.

use std::sync::Arc;

use app::App;
use shuttle::future::spawn;
use store::accounts::players::Player;

use crate::{
    orders::{self, Failure, Play},
    stage::{Scene, balance, player},
    wallet::credit,
};

/// A gift for an empty wallet, with nothing that holds the wallet to what was read of it.
async fn gift(app: App, player: Arc<Player>, cause: &'static str) {
    if app.store().wallet(&player.id).await.unwrap().balance.get() == 0 {
        credit(app, player, cause, 100).await;
    }
}

fn two_gifts() -> Play {
    Scene::of(async |run| player(run.app(), 1, 0).await).meeting(|app, player| async move {
        let gifts = ["one", "two"].map(|cause| spawn(gift(app.clone(), player.clone(), cause)));
        for gift in gifts {
            gift.await.unwrap();
        }
        assert_eq!(balance(&app, &player.id).await, 100, "given once");
    })
}

fn said(failure: &Failure) -> &str {
    failure.panic.downcast_ref::<String>().expect("it fails with a text")
}

#[test]
fn an_order_that_fails_is_found_and_fails_again() {
    let play = two_gifts();
    let found = orders::try_many(&play).expect_err("two orders of three give twice");
    assert!(said(&found).contains("given once"), "{}", said(&found));
    for _ in 0..2 {
        let again = orders::replay(&play, &found.order).expect_err("it is the same order");
        assert_eq!(said(&again), said(&found));
        assert_eq!(again.order, found.order);
    }
}

#[test]
fn an_order_that_does_not_fail_is_played_to_its_end() {
    let play = Scene::of(async |run| player(run.app(), 1, 0).await).meeting(|app, player| async move {
        spawn(gift(app.clone(), player.clone(), "one")).await.unwrap();
        spawn(gift(app.clone(), player.clone(), "two")).await.unwrap();
        assert_eq!(balance(&app, &player.id).await, 100, "given once");
    });
    assert!(orders::try_many(&play).is_ok());
}
