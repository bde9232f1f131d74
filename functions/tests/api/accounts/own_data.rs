//! What players read of what is held about them.

use serde_json::{Value, json};

use crate::support::{
    Person, World, assert_has,
    invariants::items,
    njeri::{EMAIL, NAME, again, found, njeri, played_and_paid_out},
    text,
};

/// The names under which a player's secrets are kept.
const SECRETS: [&str; 6] = ["passwordHash", "tokenHash", "previousHash", "p256dh", "auth", "cancelHash"];

/// Somebody who has each of them: she has played, renewed her token, asked for a link for a new password, and withdraws to a
/// number that is not her own.
async fn with_every_secret(world: &World) -> Person {
    let (mut player, _) = played_and_paid_out(world).await;
    player.refresh().await;
    world.nobody().post("/api/forgot-password", json!({"email": EMAIL})).await.expect(200);
    world.fund(&player, 100).await;
    player.withdrawal("0799123456", 100).await;
    world.advance(0).await;
    player
}

/// The texts under this name, at any depth.
fn kept_under(name: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let own = fields.get(name).and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(|field| kept_under(name, field))).collect()
        }
        Value::Array(list) => list.iter().flat_map(|one| kept_under(name, one)).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn a_player_reads_what_is_held_and_no_secret() {
    let world = World::start().await;
    let player = with_every_secret(&world).await;
    let page = player.get("/api/me/data").await.expect(200);
    let of = |kind: &str| {
        let items = page["items"].as_array().unwrap().iter();
        items.filter(|item| item["kind"] == kind).map(|item| item["what"].clone()).collect::<Vec<_>>()
    };
    assert_has(&of("USER#/PROFILE")[0], json!({"email": EMAIL, "username": NAME}));
    assert_eq!(of("PAY#/PAY")[0]["phone"], "254712007777");
    assert_eq!(of("WITHDRAWAL#/WITHDRAWAL").len(), 2);
    assert_eq!(of("USER#/RESET").len(), 1);
    assert_eq!(of("MANUAL#/MANUAL").len(), 1);
    // Of what M-Pesa said it is told when, without whom it names.
    for heard in ["PAY#/EVENT#", "WITHDRAWAL#/EVENT#"].map(of) {
        assert!(
            heard.iter().all(|event| event["lastAt"].is_string() && event["text"].is_null()),
            "{heard:?}"
        );
    }
    assert!(!of("PAY#/EVENT#").is_empty());
    assert_eq!(of("ENTRIES#/")[0]["username"], NAME);
    assert_eq!(of("USER#/CASE#")[0]["about"]["kind"], "payment");
    assert_eq!(of("USER#/MESSAGE#")[0]["text"], "njeriw was charged, says Njeri.");
    assert!(!of("NUMBER#/OWN").is_empty() && !of("RECEIPT#/RECEIPT").is_empty());
    assert!(of("AUDIT#").iter().any(|act| act["reason"] == "njeriw has answered."));
    let whole = page.to_string();
    for ours in ["argon2", "listPk", "\"pk\""] {
        assert!(!whole.contains(ours), "{ours} is shown");
    }
    let own: Value =
        items(&world).await.into_iter().filter(|item| item.to_string().contains(&player.id)).collect();
    for name in SECRETS {
        assert!(!whole.contains(&format!("\"{name}\"")), "{name} is shown");
        let kept = kept_under(name, &own);
        assert!(!kept.is_empty(), "she has none under {name}");
        assert!(!kept.iter().any(|secret| whole.contains(secret)), "what is under {name} is shown");
    }
    for _ in 1..20 {
        player.get("/api/me/data").await.expect(200);
    }
    let refused = player.get("/api/me/data").await.refused(429);
    assert!(refused.starts_with("You have asked for your data too often today. Try again in"), "{refused}");
    player.get("/api/me/data?cursor=%20").await.refused(400);
}

/// The secret of a second factor and the hashes of its recovery codes are not shown: players have none, admins have.
#[tokio::test]
async fn an_admin_reads_of_the_second_factor_only_that_there_is_one() {
    let world = World::start().await;
    world.enrol().await;
    let page = world.enrolled_admin().get("/api/me/data").await.expect(200);
    let shown = page["items"].as_array().unwrap().iter().find(|item| item["kind"] == "USER#/TOTP");
    assert_eq!(shown.expect("it is there")["what"]["state"], "active");
    let kept = items(&world).await.into_iter().find(|item| item["sk"] == "TOTP").unwrap();
    let hashes = kept["recovery"].as_object().unwrap().keys().cloned();
    let names = ["\"sealed\"", "\"recovery\""].map(str::to_owned);
    let whole = page.to_string();
    for secret in hashes.chain(names).chain([text(&kept, "sealed")]) {
        assert!(!whole.contains(&secret), "{secret} is shown");
    }
}

/// Whoever types the receipt of somebody else does not read in their own data who that is.
#[tokio::test]
async fn own_data_does_not_say_who_has_paid_a_receipt() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let paid = json!({"phone": "0712999888", "amount": 100, "accountReference": "nobody"});
    let receipt = world.paybill(paid).await;
    player.typed_code(&receipt).await;
    world.advance(600).await;
    assert!(!found(&world, &["254712999888"]).await.is_empty(), "admins see it");
    let page = again(&world).await.get("/api/me/data").await.expect(200).to_string();
    assert!(page.contains(&receipt) && !page.contains("712999888"), "{page}");
}

/// What the table has that nobody has said anything of stands in no list (docs/privacy.md).
#[tokio::test]
async fn every_kind_of_item_is_listed() {
    let world = World::start().await;
    played_and_paid_out(&world).await;
    world.read_books().await;
    for item in items(&world).await {
        let (pk, sk) = (text(&item, "pk"), text(&item, "sk"));
        assert!(store::platform::kinds::kind_of(&pk, &sk).is_some(), "{pk} {sk} is in no line of KINDS");
    }
}
