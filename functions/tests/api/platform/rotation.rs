//! Secrets that the operator changes (docs/runbook.md, "Secrets"): each step of a rotation is a restart with other
//! secrets, as a deployment has every function begin anew. Nobody is logged out, and no payment is lost.

use std::collections::BTreeMap;

use app::{
    gameweeks::sync,
    leagues::draw,
    payments::paybill,
    platform::secrets::{generate, names, random_32},
};
use domain::EntryAmount;
use local::process::Fate;
use serde_json::{Value, json};

use crate::support::{
    Person, World, at_once,
    folder::{Place, Secrets},
    gameweek::this_week,
    log_capture::Lines,
    mpesa::paid_calling_back,
    processes::by_the_rules,
};

/// What the log says where the draw's secret is not the one that its gameweek is bound to.
const ANOTHER_SECRET: &str = "the draw's secret is not the one whose hash was published";

fn fresh() -> BTreeMap<String, String> {
    generate().into_iter().collect()
}

#[tokio::test]
async fn the_key_of_tokens_changes_without_a_gap() {
    let (mut place, before, after) = (Place::new("token-key"), fresh(), fresh());
    let set = |key: &BTreeMap<String, String>, public: String| -> Secrets {
        let key = key[names::ACCESS_TOKEN_KEY].clone();
        [(names::ACCESS_TOKEN_KEY, key), (names::ACCESS_TOKEN_PUBLIC_KEY, public)]
            .map(|(name, value)| (name.to_owned(), Some(value)))
            .into()
    };
    let public = |keys: &BTreeMap<String, String>| keys[names::ACCESS_TOKEN_PUBLIC_KEY].clone();
    let world = place.begin_anew(&set(&before, public(&before))).await;
    let old = world.player().await;
    let served = async |person: &Person| person.get("/api/me/entries").await.status.as_u16();
    assert_eq!(served(&old).await, 200);
    world.kill().await;

    let both = format!("{},{}", public(&after), public(&before));
    let world = place.begin_anew(&set(&after, both)).await;
    let new = world.player_again(1).await;
    assert_eq!((served(&old).await, served(&new).await), (200, 200));
    world.kill().await;

    // After a leak the old one is no key of ours any more.
    let world = place.begin_anew(&set(&after, public(&after))).await;
    assert_eq!((served(&old).await, served(&new).await), (401, 200));
    world.kill().await;
}

#[tokio::test]
async fn a_prompt_that_was_sent_under_the_old_key_of_paths_is_paid_under_the_new_one() {
    let (before, after) = (hex::encode(random_32()), hex::encode(random_32()));
    let mut place = Place::new("hook-keys");
    let keys = |keys: String| Secrets::from([(names::HOOK_KEYS.to_owned(), Some(keys))]);
    let world = place.begin_anew(&keys(before.clone())).await;
    let player = world.player().await;
    player.prompt(120).await;
    let old_path = world.hook(&"0".repeat(32)).await;
    world.kill().await;

    let world = place.begin_anew(&keys(format!("{after},{before}"))).await;
    world.answer_prompt(&player.phone(), paid_calling_back("duplicate")).await;
    assert_eq!(world.player_again(1).await.wallet().await, 120);
    assert_ne!(world.hook(&"0".repeat(32)).await, old_path, "new ones carry the new key's mac");
    world.ledger().await;
    world.kill().await;

    let world = place.begin_anew(&keys(after)).await;
    world.nobody().post(&old_path, serde_json::json!({})).await.expect(404);
    world.kill().await;
}

async fn confirmation_path(world: &World) -> String {
    world.app().secrets().hook_path("/hooks/c2b/confirm").await.unwrap()
}

/// In production M-Pesa goes on calling the address that it was told, until Safaricom's people have changed it: also one of a
/// key that is not believed any more.
#[tokio::test]
async fn payments_to_the_paybill_arrive_at_the_address_that_m_pesa_was_told_whatever_the_key_is() {
    let mut place = Place::new("paybill-keys");
    let keys = || Secrets::from([(names::HOOK_KEYS.to_owned(), Some(hex::encode(random_32())))]);
    let world = place.begin_anew(&keys()).await;
    let player = world.player().await;
    let account = player.paybill_account().await;
    world.advance(3700).await;
    let before = confirmation_path(&world).await;
    let told = world.app().store().registered_paybill().await.unwrap().unwrap();
    world.kill().await;

    let world = place.begin_anew(&keys()).await;
    world.schedule("register-paybill", false).await;
    // The local run has told the new one as it began.
    world.app().store().note_registered_paybill(&told).await.unwrap();
    let pay = async |amount: i64| {
        let payment = json!({"phone": player.phone(), "amount": amount, "accountReference": account});
        world.paybill(payment).await;
        world.advance(600).await;
        world.player_again(1).await.wallet().await
    };
    world.nobody().post(&before, json!({})).await.expect(200);
    assert_eq!(pay(70).await, 70);
    let forged = format!("/hooks/c2b/confirm/{}", "0".repeat(64));
    world.nobody().post(&forged, json!({})).await.expect(404);

    // Told the new one, it calls that; and the one of before is nobody's.
    world.schedule("register-paybill", true).await;
    world.advance(3700).await;
    assert_ne!(confirmation_path(&world).await, before);
    assert_eq!(pay(30).await, 100);
    world.nobody().post(&before, json!({})).await.expect(404);
    world.ledger().await;
    world.kill().await;
}

/// Where M-Pesa refuses a second address, Safaricom's people register it by hand, and the operator says so: it is taken from
/// then on whatever the key is, and there is nothing more to tell.
#[tokio::test]
async fn an_address_that_safaricom_registered_by_hand_is_noted_as_if_m_pesa_had_taken_it() {
    let mut place = Place::new("paybill-by-hand");
    let keys = || Secrets::from([(names::HOOK_KEYS.to_owned(), Some(hex::encode(random_32())))]);
    let world = place.begin_anew(&keys()).await;
    let player = world.player().await;
    let account = player.paybill_account().await;
    let first = confirmation_path(&world).await;
    // Nothing is told to M-Pesa from here on, and the next runs keep to that.
    world.schedule("register-paybill", false).await;
    world.kill().await;

    let world = place.begin_anew(&keys()).await;
    let (app, second) = (world.app(), confirmation_path(&world).await);
    let shown = paybill::addresses(app).await.unwrap();
    assert_eq!(shown.confirmation, format!("{}{second}", app.config().public_origin));
    let longer = format!("{}0", shown.confirmation);
    let others: [&str; 4] = [&shown.validation, &second, &shown.confirmation[1..], &longer];
    for other in others {
        let refused = by_the_rules(paybill::note_registered(app, other).await).unwrap_err();
        assert!(refused.to_string().contains("/hooks/c2b/confirm/ and 64 hex digits"), "{refused}");
    }
    app.register_paybill(&app.config().paybill.number, &shown).await.unwrap();
    paybill::note_registered(app, &shown.confirmation).await.unwrap();
    assert!(!paybill::register(app).await.unwrap(), "it is told already");
    world.kill().await;

    let world = place.begin_anew(&keys()).await;
    world.nobody().post(&second, json!({})).await.expect(200);
    world.nobody().post(&first, json!({})).await.expect(404);
    world.paybill(json!({"phone": player.phone(), "amount": 70, "accountReference": account})).await;
    world.advance(600).await;
    assert_eq!(world.player_again(1).await.wallet().await, 70);
    world.ledger().await;
    world.kill().await;
}

/// What is kept under none of these: a session goes on by its cookie, and a player logs in.
#[tokio::test]
async fn other_keys_change_at_once() {
    let mut place = Place::new("other-keys");
    let world = place.begin_anew(&Secrets::new()).await;
    let mut player = world.player().await;
    world.kill().await;
    let changed = [names::REFRESH_KEY, names::SECURITY_LOG_KEY];
    let changed = changed.map(|name| (name.to_owned(), Some(hex::encode(random_32()))));
    let world = place.begin_anew(&changed.into()).await;
    player.refresh().await;
    player.user().await;
    world.player_again(1).await;
    world.kill().await;
}

/// Recovery codes are kept by a hash under a key that the table does not have: whoever reads the table cannot try codes, and
/// under another key none of them is known.
#[tokio::test]
async fn a_recovery_code_is_known_by_the_key_alone_that_it_was_kept_under() {
    let mut place = Place::new("totp-key");
    let key = || Secrets::from([(names::TOTP_KEY.to_owned(), Some(hex::encode(random_32())))]);
    let (before, another) = (key(), key());
    let world = place.begin_anew(&before).await;
    let (_, codes) = world.enrol().await;
    let (email, password) = world.admin_account();
    let form = json!({"email": email, "password": password, "totp": codes[0]});
    world.kill().await;

    let world = place.begin_anew(&another).await;
    let refused = world.nobody().post("/api/login", form.clone()).await.expect(401);
    assert_eq!(refused["status"], "totp");
    world.kill().await;

    let world = place.begin_anew(&before).await;
    world.nobody().post("/api/login", form).await.expect(200);
    world.kill().await;
}

/// Whether the alarm rings that the draw's secret is another one, while the official calendar is followed.
async fn warns_of_the_secret(world: &World) -> bool {
    let (log, capturing) = Lines::capture();
    sync::sync(world.app()).await.unwrap();
    drop(capturing);
    log.all().iter().any(|line| line["alarm"] == "draw" && line["message"] == ANOTHER_SECRET)
}

/// Against the runbook, the draw's key is changed while a gameweek is open: its secret is not the one whose hash is public.
/// An alarm rings days before the deadline, nothing is drawn, and it is drawn once the key of before is back.
#[tokio::test]
async fn nothing_is_drawn_with_another_secret_than_the_published_one() {
    let (mut place, before, after) = (Place::new("draw-key"), random_32(), random_32());
    let key = |key: [u8; 32]| Secrets::from([(names::DRAW_KEY.to_owned(), Some(hex::encode(key)))]);
    let world = place.begin_anew(&key(before)).await;
    world.crowd(12, 50).await;
    let noted = world.draw().await["secretHash"].as_str().unwrap().to_owned();
    assert!(!warns_of_the_secret(&world).await);
    world.kill().await;

    let world = place.begin_anew(&key(after)).await;
    assert!(warns_of_the_secret(&world).await);
    world.phase(1, "live").await;
    assert!(!world.is_drawn().await);
    let (log, capturing) = Lines::capture();
    draw::advance(world.app(), this_week()).await.unwrap_err();
    drop(capturing);
    let lines = log.all();
    let rings = |line: &Value| line["alarm"] == "draw" && line["message"] == ANOTHER_SECRET;
    assert!(lines.iter().any(rings), "{lines:?}");
    assert_eq!(world.app().store().draw_seed(this_week(), EntryAmount::Fifty).await.unwrap(), None);
    world.kill().await;

    let world = place.begin_anew(&key(before)).await;
    world.advance(120).await;
    assert!(world.is_drawn().await);
    let report = world.verified("1", &["--secret-hash", &noted]).await;
    assert!(report.holds(), "{report}");
    world.kill().await;
}

/// The key of before is lost: calling the gameweek off is the way out, and everybody gets the entry back.
#[tokio::test]
async fn a_gameweek_without_its_secret_can_be_called_off() {
    let mut place = Place::new("lost-draw-key");
    let key = |key: [u8; 32]| Secrets::from([(names::DRAW_KEY.to_owned(), Some(hex::encode(key)))]);
    let world = place.begin_anew(&key(random_32())).await;
    world.crowd(12, 50).await;
    world.kill().await;

    let world = place.begin_anew(&key(random_32())).await;
    world.faults(json!({"fpl": "unfinal"})).await;
    world.clock_to("2026-08-29T10:30:30Z").await;
    assert!(!world.is_drawn().await);
    let because = json!({"reason": "The draw's key is lost."});
    world.admin().await.post("/api/admin/gameweeks/2026-01/void", because).await.expect(200);
    world.advance(900).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets.values().sum::<i64>(), ledger.account("pot:2026-01")), (12 * 50, 0));
    world.kill().await;
}

/// The ten messages of a batch begin at once in a process that has just started: SSM bears few calls a second.
#[tokio::test]
async fn what_begins_at_once_asks_for_the_secrets_once() {
    let world = World::start().await;
    let started = world.process(Fate::Lives);
    let secrets = started.app().secrets();
    secrets.read_together(vec![names::DARAJA_PASSKEY, names::HOOK_KEYS, names::DARAJA_CONSUMER_KEY]);
    let asked =
        (0..10).map(|n| secrets.text(if n % 2 == 0 { names::DARAJA_PASSKEY } else { names::HOOK_KEYS }));
    assert!(at_once(asked).await.iter().all(Result::is_ok));
    assert_eq!(started.calls_of("GetParameters"), 1);
}
