//! A second admin's approval and the act that it gives leave for are one step, wherever a process dies.

use app::{App, Safeguards};
use functions::admin::acts;
use reqwest::Method;
use serde_json::json;
use store::admin::{
    approvals::Stage,
    audit::{AuditAction, AuditRecord, Who},
};

use crate::{admin::audit, platform::crash_recovery::at_every_step, support::World};

#[tokio::test]
async fn an_approved_act_is_done_once_wherever_its_approval_ends() {
    let world = World::start_guarded(Safeguards::Full).await;
    let admin = world.admin().await;
    let second = domain::UserId::parse(&world.second_admin().await.id).unwrap();
    let second = world.app().store().player(&second).await.unwrap().unwrap();
    let proposed = async || {
        let player = world.player_with(500).await;
        let path = format!("/api/admin/players/{}/corrections", player.id);
        let body =
            json!({"correctionId": store::random_id(), "amount": 400, "reason": "Seen in the portal."});
        let proposal = admin.send(Method::POST, &path, Some(body)).await.expect(202);
        (player.id, proposal["_id"].as_str().unwrap().to_owned())
    };
    let approve = async |app: &App, (_, id): &(String, String)| {
        // The second one is refused where the first one got as far as the act.
        let _done_or_refused = acts::approve(app, &second, id, None).await;
    };
    let (approved, steps) = at_every_step(&world, proposed, approve).await;
    assert!(steps >= 1, "{steps}");
    world.advance(3600).await;
    let ledger = world.ledger().await;
    let acts = audit::acts(&world).await;
    for (player, id) in &approved {
        assert_eq!(ledger.wallets[player], 900);
        assert_eq!(world.app().store().proposal(id).await.unwrap().unwrap().stage, Stage::Approved);
        let of = |act: &&AuditRecord| {
            let whose = act.user_id.as_ref().is_some_and(|id| id.as_str() == player);
            whose && act.what == AuditAction::CorrectWallet
        };
        let records: Vec<_> = acts.iter().filter(of).collect();
        assert!(records.iter().any(|record| record.approved_by == Some(Who::admin(&second))), "{records:?}");
        assert_eq!(records.iter().filter(|record| record.approved_by.is_some()).count(), 1, "{records:?}");
    }
}
