//! Only what came through the distribution is answered, hooks too.

use http::Request;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use crate::support::World;

#[tokio::test]
async fn what_did_not_come_through_the_distribution_is_refused_by_every_endpoint() {
    let world = World::start().await;
    let service = functions::service(functions::endpoints(), world.app().clone());
    for endpoint in functions::endpoints() {
        let address = ("x-viewer-address", "203.0.113.7");
        let secret = ("x-origin-secret", "a guess");
        for headers in [&[][..], &[address], &[secret], &[address, secret]] {
            let mut request = Request::builder().method(endpoint.method.clone()).uri(&endpoint.path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(String::new()).unwrap();
            let status = service.clone().oneshot(request).await.unwrap().status();
            assert_eq!(status, 403, "{}", endpoint.name);
        }
    }
}

/// The secret itself is nowhere in the configuration, only its hash.
#[tokio::test]
async fn the_local_edge_is_known_by_its_secrets_hash() {
    let world = World::start().await;
    let hashes = &world.app().config().edge_secret_hashes;
    assert_eq!(hashes.len(), 1);
    assert_ne!(hashes[0], <[u8; 32]>::from(Sha256::digest("")));
    world.nobody().get("/current-gameweek").await.expect(200);
}
