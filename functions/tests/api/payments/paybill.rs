//! The paybill: M-Pesa is told where to confirm payments, and what it confirms is kept once. And what
//! M-Pesa says is in the accounts.

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use store::platform::tokens::SharedToken;

use crate::support::{World, processes::by_the_rules};

async fn pay(world: &World, amount: i64) -> String {
    let body = json!({"phone": "0712345678", "amount": amount, "accountReference": "FPL Leagues"});
    let answer = world.sim(Method::POST, "/paybill", body).await;
    world.advance(0).await;
    answer["receipt"].as_str().unwrap().to_owned()
}

async fn confirm(world: &World, body: &Value) {
    world.post_to_hook("/hooks/c2b/confirm", body.clone()).await;
    world.advance(0).await;
}

#[tokio::test]
async fn a_payment_to_the_paybill_is_kept_and_credits_nobody() {
    let world = World::start().await;
    let receipt = pay(&world, 250).await;
    let kept = world.app().store().paybill_payment(&receipt).await.unwrap().expect("confirmed");
    assert_eq!(kept.amount.map(domain::Kes::get), Some(250));
    assert_eq!(kept.phone.as_deref(), Some("2547 ***** 678"));
    assert_eq!(kept.account_reference.as_deref(), Some("FPL Leagues"));
    assert_eq!(world.ledger().await.account("mpesa:in"), 0);

    // The same receipt with another amount: the first one stays.
    let body = json!({"TransID": receipt, "TransAmount": "9999", "BusinessShortCode": "174379"});
    confirm(&world, &body).await;
    let again = world.app().store().paybill_payment(&receipt).await.unwrap().expect("still there");
    assert_eq!(again.amount, kept.amount);
    for body in [json!({}), json!([]), json!({"TransID": "", "TransAmount": "5"})] {
        confirm(&world, &body).await;
    }
    confirm(&world, &json!({"TransID": "UHK0000001", "TransAmount": "5.50", "BusinessShortCode": 174_379}))
        .await;
    let odd = world.app().store().paybill_payment("UHK0000001").await.unwrap().expect("kept");
    assert_eq!(odd.amount, None);
}

#[tokio::test]
async fn the_address_is_told_once_and_after_a_change_again() {
    let world = World::start().await;
    assert!(!app::payments::paybill::register(world.app()).await.unwrap(), "it was told at the start");
    let before = world.app().store().registered_paybill().await.unwrap().unwrap();
    let changed = store::payments::paybill::Registered { address_hash: "another".to_owned(), ..before };
    world.app().store().note_registered_paybill(&changed).await.unwrap();
    world.advance(3600).await;
    assert!(!app::payments::paybill::register(world.app()).await.unwrap(), "the schedule has told it");
}

/// Somebody else's sign-in has ended our token, and M-Pesa says so in the words of each product: the call is
/// made once more with another token.
#[tokio::test]
async fn a_token_that_has_ended_is_renewed_by_every_call() {
    let world = World::start().await;
    let app = world.app();
    let urls = clients::daraja::PaybillUrls {
        confirmation: format!("{}/hooks/c2b/confirm/1b", world.base),
        validation: format!("{}/hooks/c2b/validate/2c", world.base),
    };
    let prompted = world.player().await;
    world.fund(&prompted, 100).await;
    let prompts = format!("/sim/api/prompts?phone={}", prompted.phone());
    let prompts = world.nobody().get(&prompts).await.expect(200);
    // The least that M-Pesa pays out, and what the float covers.
    let order = world.order(&"0".repeat(32), "254712345678", 10).await;
    let mut tokens = std::collections::BTreeSet::new();
    for call in 0..6 {
        world.end_daraja_token().await;
        world.advance(31).await;
        match call {
            0 => app.register_paybill(&app.config().paybill.number, &urls).await.unwrap(),
            1 => drop(app.ask_balance(&app.config().daraja.b2c_shortcode, &"0".repeat(32)).await.unwrap()),
            2 => {
                let of = clients::daraja::StatusOf::Receipt("UHK0000001");
                let shortcode = &app.config().paybill.number;
                drop(app.ask_status(of, shortcode, &"0".repeat(32)).await.unwrap());
            }
            3 => {
                let said = app.query(prompts[0]["checkoutRequestId"].as_str().unwrap()).await.unwrap();
                assert_eq!(said, clients::daraja::QueryAnswer::Paid);
            }
            4 => drop(app.pay_out(&order).await.unwrap()),
            _ => drop(world.fund(&world.player().await, 100).await),
        }
        tokens.insert(app.store().daraja_token().await.unwrap().unwrap().token);
    }
    assert_eq!(tokens.len(), 6, "each call has signed in anew");
}

/// What is refused with a new token too is not tried with a newer one: that would end the others' again and again.
#[tokio::test]
async fn a_new_token_is_not_renewed_because_it_is_refused() {
    let world = World::start().await;
    let app = world.app();
    let token = async || app.store().daraja_token().await.unwrap().unwrap().token;
    let shortcode = app.config().daraja.b2c_shortcode.clone();
    let ask = async || by_the_rules(app.ask_balance(&shortcode, &"0".repeat(32)).await).map(drop);
    world.end_daraja_token().await;
    world.advance(31).await;
    ask().await.unwrap();
    let renewed = token().await;
    world.end_daraja_token().await;
    for _ in 0..3 {
        assert_eq!(ask().await, Err(clients::daraja::DarajaError::InvalidToken));
    }
    assert_eq!(token().await, renewed);
    world.advance(31).await;
    ask().await.unwrap();
    assert_ne!(token().await, renewed);
}

/// Each sign-in ends the token before it: one process at a time signs in, and what one that was given up brings is not kept.
#[tokio::test]
async fn a_token_is_renewed_by_one_at_a_time() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let kept = async || store.daraja_token().await.unwrap().map(|kept| kept.token);
    let seen = store.daraja_token().await.unwrap();
    let before = kept().await;
    let [until, later, end] = [10, 20, 30].map(|seconds| now + SignedDuration::from_secs(seconds));
    assert!(store.claim_daraja_renewal("one", seen.as_ref(), now, until).await.unwrap());
    assert!(!store.claim_daraja_renewal("other", seen.as_ref(), now, until).await.unwrap());
    assert!(store.claim_daraja_renewal("other", seen.as_ref(), later, end).await.unwrap());
    let token = |token: &str| SharedToken { token: token.to_owned(), renew_at: end, signed_in_at: later };
    store.end_daraja_renewal("one", Some(&token("too late"))).await.unwrap();
    assert_eq!(kept().await, before);
    store.end_daraja_renewal("other", Some(&token("the new one"))).await.unwrap();
    assert_eq!(kept().await.as_deref(), Some("the new one"));
    // Who has read the one before finds it renewed.
    assert!(!store.claim_daraja_renewal("third", seen.as_ref(), later, end).await.unwrap());
}

#[tokio::test]
async fn the_balance_is_asked_for_at_night_and_kept_as_it_was_said_last() {
    let world = World::start().await;
    pay(&world, 300).await;
    world.clock_to("2026-08-20T21:00:00Z").await;
    let float = world.app().store().float().await.unwrap().expect("asked");
    let utility = float.accounts.iter().find(|account| account.account == "Utility Account").unwrap();
    assert_eq!((utility.cents, float.as_of.is_some()), (30_000, true));

    // An answer that does not parse, or to another question, leaves what was known.
    app::ledger::float::ask(world.app()).await.unwrap();
    let question = world.app().store().float().await.unwrap().unwrap().question;
    let told = |text: &str| {
        json!({"Result": {"ResultCode": 0, "ResultParameters": {"ResultParameter":
            {"Key": "AccountBalance", "Value": text}}}})
    };
    let other = "0".repeat(32);
    for (id, text) in
        [(&question, "Utility Account|KES|lots"), (&question, ""), (&other, "Utility Account|KES|1.00")]
    {
        world.post_to_hook(&format!("/hooks/status/{id}"), told(text)).await;
    }
    world.advance(0).await;
    assert_eq!(world.app().store().float().await.unwrap().unwrap().accounts, float.accounts);
}
