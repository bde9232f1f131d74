//! `/healthz`: whether a function runs and the table answers it.

use local::process::Fate;
use reqwest::Method;
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn it_is_asked_by_anybody_and_asks_the_table_now_and_then() {
    let world = World::start().await;
    let nobody = world.nobody();
    assert_eq!(nobody.get("/healthz").await.expect(200), json!({"status": "ok"}));
    assert_eq!(nobody.send(Method::POST, "/healthz", None).await.status, 405);

    let process = world.process(Fate::Lives);
    for _ in 0..20 {
        process.app().health().check(process.app().store()).await.unwrap();
    }
    assert_eq!(process.calls_of("GetItem"), 1);
}
