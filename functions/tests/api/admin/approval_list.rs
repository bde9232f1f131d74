//! The list of what waits for a second admin, and of what became of it.

use std::collections::BTreeSet;

use app::Safeguards::Full;
use serde_json::{Value, json};

use crate::support::{World, admin::approval, assert_has, at_once, text};

/// What is decided hides nothing that waits, however much it is; and the list goes on where its first page ended, whatever is
/// decided between the two.
#[tokio::test]
async fn the_list_begins_with_all_that_wait() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with(500).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let path = format!("/api/admin/players/{}/corrections", player.id);
    let correction = || json!({"correctionId": store::random_id(), "amount": 400, "reason": "Seen."});
    let refuse = async |proposed: &Value| {
        let refusal = json!({"decision": "refuse", "reason": "The portal has no such payment."});
        second.post(&approval(proposed), refusal).await.expect(200)
    };
    let first = admin.post(&path, correction()).await.expect(202);
    world.advance(60).await;
    for proposed in at_once((0..55).map(|_| admin.post(&path, correction()))).await {
        refuse(&proposed.expect(202)).await;
    }
    let last = admin.post(&path, correction()).await.expect(202);
    world.advance(60).await;

    let page = second.get("/api/admin/approvals").await;
    let next = page.cursor().unwrap().replace('#', "%23");
    let mut listed = page.expect(200).as_array().unwrap().clone();
    assert_eq!([&listed[0]["_id"], &listed[1]["_id"]], [&first["_id"], &last["_id"]]);
    assert!(listed[2..].iter().all(|one| one["state"] == "refused"), "{listed:?}");

    refuse(&first).await;
    world.advance(60).await;
    let rest = second.get(&format!("/api/admin/approvals?cursor={next}")).await.expect(200);
    listed.extend(rest.as_array().unwrap().iter().cloned());
    assert_has(listed.last().unwrap(), json!({"_id": first["_id"], "state": "refused"}));
    let ids: BTreeSet<String> = listed.iter().map(|one| text(one, "_id")).collect();
    assert_eq!(ids.len(), 57, "none is left out");
}
