//! Players see where they are logged in, and end it there.

use reqwest::Method;

use crate::support::{World, text};

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let world = World::start().await;
    let one = world.player().await;
    let (two, three) = (world.again(&one).await, world.again(&one).await);
    let stranger = world.player().await;
    let listed = one.get("/api/me/sessions").await.expect(200);
    let listed = listed.as_array().unwrap();
    assert_eq!((listed.len(), listed.iter().filter(|session| session["current"] == true).count()), (3, 1));
    let of_two = two.get("/api/me/sessions").await.expect(200);
    let of_two =
        of_two.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap().clone();
    let path = format!("/api/me/sessions/{}", text(&of_two, "_id"));
    stranger.send(Method::DELETE, &path, None).await.refused(404);
    two.user().await;
    one.send(Method::DELETE, &path, None).await.expect(204);
    two.get("/api/user").await.refused(401);
    one.send(Method::DELETE, &path, None).await.refused(404);
    one.send(Method::DELETE, "/api/me/sessions/others", None).await.expect(204);
    three.get("/api/user").await.refused(401);
    assert_eq!(one.get("/api/me/sessions").await.expect(200).as_array().unwrap().len(), 1);
    stranger.user().await;
}
