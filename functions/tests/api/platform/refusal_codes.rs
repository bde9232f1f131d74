//! Each refusal names its rule in `code`, for programs, beside the text for people. That none goes without one is held by
//! the document, which every answer of every test is checked against.

use serde_json::{Value, json};

use crate::support::World;

#[tokio::test]
async fn a_refusal_names_its_rule_beside_the_text() {
    let (world, player) = World::with_player(20).await;
    let refused = |answer: crate::support::Answer| {
        let Value::Object(body) = answer.body else { panic!("no object") };
        (answer.status.as_u16(), body["code"].clone(), body["message"].clone())
    };
    let join = json!({"fplId": player.fpl_id, "entryAmount": 50, "gameweek": 1});
    let withdraw = |amount: i64| json!({"mpesaNumber": "0712345678", "amount": amount});
    let calls = [
        (
            player.post("/api/join-league", join).await,
            400,
            "insufficient_balance",
            "Insufficient wallet balance for KSh 50. Please top up.",
        ),
        (
            player.post("/api/withdraw", withdraw(60)).await,
            400,
            "insufficient_balance",
            "Insufficient wallet balance.",
        ),
        (
            player.post("/api/withdraw", withdraw(59)).await,
            400,
            "below_minimum",
            "Minimum withdrawal amount is KES 60.",
        ),
        (
            player.post("/api/withdraw", json!([])).await,
            400,
            "invalid_request",
            "The request body must be a JSON object.",
        ),
        (player.get("/api/me/entries?cursor=x").await, 400, "not_a_cursor", "That is not a cursor."),
        (player.get("/api/admin/audit").await, 403, "not_allowed", "You are not allowed to do this."),
        (world.nobody().get("/api/me/entries").await, 401, "not_logged_in", "Please log in."),
        (world.nobody().get("/api/nothing").await, 404, "not_found", "There is nothing here."),
    ];
    for (answer, status, code, message) in calls {
        assert_eq!(refused(answer), (status, json!(code), json!(message)));
    }
}
