//! What waits in the queues and what failed for good, as an admin sees it.

use serde_json::{Value, json};

use crate::support::World;

#[tokio::test]
async fn what_waits_and_what_failed_for_good_is_seen() {
    let world = World::start().await;
    let mut admin = world.admin().await;
    let of = |answer: &Value, name: &str| {
        let queues = answer["queues"].as_array().unwrap();
        let queue = queues.iter().find(|queue| queue["name"] == name).unwrap();
        (queue["waiting"].as_u64().unwrap(), queue["failed"].as_u64().unwrap())
    };

    let begun = admin.get("/api/admin/backlog").await.expect(200);
    assert_eq!(begun["queues"].as_array().unwrap().len(), 9);
    assert!(begun["queues"].as_array().unwrap().iter().all(|queue| queue["failed"] == json!(0)), "{begun}");
    assert_eq!(begun["failedEvents"], json!(0));
    let read_at = |answer: &Value| answer["calendarReadAt"].as_str().unwrap().to_owned();

    world.queues().send("PaymentsQueue", "{\"paymentId\":", None).unwrap();
    world.queues().send("JobDeadLetters", "{}", None).unwrap();
    // The job is at it, or has left it hidden: nothing of it waits, and nothing has failed for good yet.
    world.advance(0).await;
    assert_eq!(of(&admin.get("/api/admin/backlog").await.expect(200), "payments"), (0, 0));
    // It is hidden for six minutes after each of five tries.
    world.advance(5 * 360).await;
    admin.refresh().await;
    let answer = admin.get("/api/admin/backlog").await.expect(200);
    assert_eq!(of(&answer, "payments"), (0, 1), "{answer}");
    assert_eq!(of(&answer, "results"), (0, 0), "{answer}");
    assert_eq!(answer["failedEvents"], json!(1));
    assert!(
        read_at(&answer) > read_at(&begun),
        "half an hour later the official game was read again: {answer}"
    );
}

#[tokio::test]
async fn a_player_does_not_see_it() {
    let world = World::start().await;
    world.player().await.get("/api/admin/backlog").await.expect(403);
}
