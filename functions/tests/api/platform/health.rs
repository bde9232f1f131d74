//! `/healthz`: whether a function runs and the table answers it.

use reqwest::Method;
use serde_json::json;

use crate::support::World;

/// That it is asked once more ten seconds later is tested in `shared/app/src/platform/health.rs`, without a wait.
#[tokio::test]
async fn it_is_asked_by_anybody_and_asks_the_table_now_and_then() {
    let world = World::start().await;
    let nobody = world.nobody();
    world.meter().start();
    for _ in 0..20 {
        let answer = nobody.send(Method::GET, "/healthz", None).await;
        assert_eq!(answer.expect(200), json!({"status": "ok"}));
    }
    assert_eq!(world.meter().of("GetHealthFunction").calls, 1);
    assert_eq!(nobody.send(Method::POST, "/healthz", None).await.status, 405);
}
