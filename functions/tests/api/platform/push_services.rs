//! Push services that are none any more by the operator's setting.

use std::collections::BTreeMap;

use local::{DataDir, Settings};
use serde_json::json;

use crate::support::{Folder, World};

/// A browser has subscribed while its push service was one by the setting. Once it is none its address is not called any more,
/// and the browser is forgotten.
#[tokio::test]
async fn a_push_service_that_is_taken_out_of_the_setting_is_not_called() {
    let folder = Folder::new("push-services");
    let settings = Settings { data_dir: DataDir::Path(folder.path()), ..Settings::default() };
    let world = World::start_with(settings.clone()).await;
    let player = world.player().await;
    let phone = player.with_phone(&world).await;
    world.fund(&player, 200).await;
    world.advance(60).await;
    let before = world.kinds_shown(&phone).await;
    assert!(before.contains(&"payment".to_owned()), "{before:?}");
    let port = world.base.rsplit(':').next().unwrap().parse().unwrap();
    world.kill().await;

    let parameters = BTreeMap::from([("PushServices", "https://push.example".to_owned())]);
    let world = World::start_with(Settings { port, parameters, ..settings }).await;
    world.advance(120).await;
    let player = world.player_again(1).await;
    world.fund(&player, 200).await;
    world.advance(60).await;
    assert_eq!(world.kinds_shown(&phone).await, before);
    assert_eq!(player.notifications().await["subscriptions"], json!([]));
    world.kill().await;
}
