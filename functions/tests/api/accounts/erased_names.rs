//! Whom M-Pesa has named and what admins have written about a player goes with the account, wherever it was kept.

use domain::UserId;
use serde_json::{Value, json};
use store::admin::audit::{AuditAction, AuditRecord, month};

use crate::support::{
    Person, World,
    njeri::{CLOSURE, EMAIL, NAME, again, found, njeri, right},
    text,
};

/// Every reason that an admin gives here.
const REASON: &str = "Her sister Nyaboke has called.";
/// Where a reason is found before the account is erased: beginnings of keys.
const WRITTEN: [(&str, &str); 6] = [
    ("PAY#", "PAY"),
    ("PAY#", "EVENT#"),
    ("WITHDRAWAL#", "WITHDRAWAL"),
    ("WITHDRAWAL#", "EVENT#"),
    ("USER#", "POST#"),
    ("AUDIT#", ""),
];
/// The acts whose *before* and *after* are a team or a number.
const PERSONAL: [AuditAction; 2] = [AuditAction::UpdatePlayer, AuditAction::ReleaseNumber];

/// M-Pesa says who has paid a code that she has typed, and to whom it has paid a withdrawal. Answers whom it names.
async fn named_by_m_pesa(world: &World, player: &Person) -> [String; 3] {
    let paid = json!({"phone": "0700000009", "amount": 250, "accountReference": "FPL Leagues"});
    let receipt = world.paybill(paid).await;
    world.advance(0).await;
    let typed = player.typed_code(&receipt).await;
    world.advance(0).await;
    world.confirm_code(&typed, 250).await.expect(200);
    let withdrawal = player.withdrawal(&player.phone(), 250).await;
    world.pay_out(&withdrawal).await.expect(200);
    world.advance(0).await;
    let known = world.app().store().typed_code(&typed).await.unwrap().unwrap().known.unwrap();
    let recipient = world.stored_withdrawal(&withdrawal).await.payout.unwrap().recipient;
    let number = known.answered.payer.unwrap().as_str().to_owned();
    [recipient.unwrap(), known.payer_name.unwrap(), number]
}

/// Admins decide what does not add up, correct her wallet and her team, and release her number.
async fn admins_decide(world: &World, player: &Person) {
    world.faults(json!({"payouts": "unknown"})).await;
    let withdrawal = player.withdrawal(&player.phone(), 200).await;
    world.pay_out(&withdrawal).await.expect(200);
    world.advance(25 * 3600).await;
    world.faults(json!({"payouts": "none"})).await;
    world.decide_set_aside(&withdrawal, json!({"act": "paid", "reason": REASON})).await.expect(200);
    let (prompt, _) = world.paid_otherwise(&again(world).await, 600).await;
    world.decide_set_aside(&prompt, json!({"act": "dismiss", "reason": REASON})).await.expect(200);
    let (admin, of) = (world.admin().await, format!("/api/admin/players/{}", player.id));
    let correction = json!({"correctionId": "a".repeat(32), "amount": 50, "reason": REASON});
    admin.post(&format!("{of}/corrections"), correction).await.expect(200);
    let number = json!({"phone": player.phone(), "reason": REASON});
    admin.post(&format!("{of}/release-number"), number).await.expect(200);
    let team = json!({"fplId": "880001", "reason": REASON});
    world.change_player(&player.id, team).await.expect(200);
}

#[tokio::test]
async fn no_name_and_no_reason_is_left_and_the_records_say_who_did_what() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.fund(&player, 200).await;
    let named = named_by_m_pesa(&world, &player).await;
    admins_decide(&world, &player).await;
    world.advance(10).await;
    let own = [REASON, EMAIL, NAME, "712007777"];
    let texts: Vec<&str> = named.iter().map(String::as_str).chain(own).collect();
    for one in &texts {
        assert!(!found(&world, &[*one]).await.is_empty(), "{one} is found before");
    }
    let written = found(&world, &[REASON]).await;
    for (pk, sk) in WRITTEN {
        let is_there = |item: &Value| text(item, "pk").starts_with(pk) && text(item, "sk").starts_with(sk);
        assert!(written.iter().any(is_there), "a reason is in {pk} {sk} before");
    }
    let acts = world.app().store().acts_on(&player.user_id(), 100).await.unwrap();

    again(&world).await.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert!(world.app().store().player(&player.user_id()).await.unwrap().is_none());
    // DynamoDB deletes what has expired, and may not have done so yet.
    let now = world.app().clock().now().as_second();
    let mut left = found(&world, &texts).await;
    left.retain(|item| item["ttl"].as_i64().is_none_or(|until| until >= now));
    assert_eq!(left, Vec::<Value>::new());
    still_say_who_did_what(&world, &player.user_id(), acts).await;
}

/// Of these records the reason is gone and, where it is personal, what it was before and after; all else is as it was.
async fn still_say_who_did_what(world: &World, player: &UserId, acts: Vec<AuditRecord>) {
    let admin = world.admin().await.user_id();
    let mut personal = 0;
    for act in acts {
        let kept = world.app().store().act_recorded(&month(act.at), &act.id).await.unwrap();
        let kept = kept.expect("the record stays");
        assert_eq!((kept.admin(), kept.user_id.as_ref(), kept.at), (Some(&admin), Some(player), act.at));
        let mut nameless = act;
        nameless.reason = None;
        if PERSONAL.contains(&nameless.what) {
            assert!(nameless.before.take().is_some() && nameless.after.take().is_some(), "{nameless:?}");
            personal += 1;
        }
        assert_eq!(kept, nameless);
    }
    assert_eq!(personal, PERSONAL.len());
}
