//! Excise: shown before a deposit is paid, taken with it, given back with what M-Pesa takes back, and in the books.

use domain::ledger::postings::EXCISE;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Person, World, assert_has, mpesa::paid, set_asides::credit, text};

const FIVE: (&str, &str) = ("Excise", "deposits:2026-07-01:5");
/// Each night M-Pesa is asked about every receipt, not about a sample.
const ALL_ASKED_ABOUT: (&str, &str) = ("ReceiptSamplePercent", "100");
/// The first minute of a rate, and the last one without.
const BEGINS: (&str, &str) = ("Excise", "deposits:2026-08-21:5");
const BEFORE: &str = "2026-08-20T20:59:00Z";
const AFTER: &str = "2026-08-20T21:00:00Z";

/// A deposit by prompt, paid. Answers its receipt.
async fn pay_in(world: &World, player: &Person, amount: i64) -> String {
    player.prompt(amount).await;
    world.receipt_of(&player.phone(), paid()).await
}

/// Somebody pays to the player's account at the paybill.
async fn pay_by_hand(world: &World, account: &str, amount: i64) -> String {
    let payment = json!({"phone": "0733000001", "amount": amount, "accountReference": account});
    let receipt = world.paybill(payment).await;
    world.advance(5).await;
    receipt
}

async fn year(player: &Person) -> Value {
    player.get("/api/me/statement").await.expect(200)
}

/// What M-Pesa took in, and what of it is the state's.
async fn taxed(world: &World) -> (i64, i64) {
    let ledger = world.ledger().await;
    (-ledger.account("mpesa:in"), ledger.account(EXCISE))
}

#[tokio::test]
async fn it_is_taken_of_a_deposit_and_goes_back_with_a_reversal() {
    let world = World::taxed(&[FIVE, ALL_ASKED_ABOUT]).await;
    assert_eq!(world.nobody().get("/api/settings").await.expect(200)["excisePercent"], 5.0);
    let player = world.player().await;
    player.put("/api/me/limits", json!({"limits": {"deposit-day": 600}})).await.expect(200);
    // 5 % of 519 is 25.95: the cents are the player's.
    let receipt = pay_in(&world, &player, 519).await;
    let tax = json!({"percent": 5.0, "amount": 25});
    assert_has(&player.movements().await[0], json!({"kind": "deposit", "amount": 494, "tax": tax}));
    assert_has(&player.get("/api/me/payments").await.expect(200)[0], json!({"amount": 519, "tax": tax}));
    assert_eq!((player.wallet().await, taxed(&world).await), (494, (519, 25)));
    // What players let themselves pay in is what they pay.
    let limits = player.get("/api/me/limits").await.expect(200);
    assert_has(&limits["limits"][0], json!({"limit": "deposit-day", "used": 519, "left": 81}));
    assert_eq!(limits["month"]["paidIn"], 519);
    player.deposit(&player.phone(), 82).await.refused(409);
    assert_has(&year(&player).await, json!({"paidIn": 519, "excise": -25, "closing": 494}));
    assert_eq!(world.read_books().await["report"]["differences"], json!([]));

    world.reverse(&receipt).await;
    world.advance(24 * 3600).await;
    let player = world.again(&player).await;
    assert_eq!((player.wallet().await, taxed(&world).await), (0, (0, 0)));
    assert_has(&player.movements().await[0], json!({"kind": "reversal", "amount": -494, "tax": tax}));
    assert_has(&year(&player).await, json!({"paidIn": 519, "excise": 0, "reversed": -519, "closing": 0}));
    let books = world.read_books().await;
    assert_eq!(books["report"]["differences"], json!([]));
    let taken_back = json!({"amount": 519, "fromWallet": 494, "excise": 25, "lost": 0});
    assert_has(&books["reversals"][0], taken_back);
    let mails = world.mails_about(&player.email(), "M-Pesa has taken back your payment of KSh 519").await;
    assert!(text(&mails[0], "text").contains("KSh 25 of the payment was excise duty"), "{mails:?}");
    let rows = world.tax_table().await;
    let ends: Vec<&str> = rows[1..].iter().map(|row| row.rsplit_once(',').unwrap().1).collect();
    assert_eq!(ends, ["25", "-25"], "{rows:?}");
    assert!(rows[1].starts_with("2026-08,excise,2026-08-20") && rows[1].ends_with(",5,25"), "{rows:?}");
    assert!(rows[2].contains(&format!("reversal#{receipt},5")), "{rows:?}");
}

/// The wallet covers a part of what is taken back: the year has the whole of it, and on a line of its own what was not covered.
#[rstest]
#[case::owed_by_the_player(true)]
#[case::lost(false)]
#[tokio::test]
async fn the_year_has_the_whole_of_what_is_taken_back(#[case] owed: bool) {
    let world = World::taxed(&[FIVE]).await;
    let player = world.player().await;
    let receipt = if owed {
        pay_in(&world, &player, 1_000).await
    } else {
        pay_by_hand(&world, &player.paybill_account().await, 1_000).await
    };
    player.join(250, 1).await.expect(201);
    world.reverse(&receipt).await;
    app::ledger::reversals::take_back(world.app(), &receipt, None).await.unwrap();
    let ledger = world.ledger().await;
    let (debt, losses) = if owed { (-250, 0) } else { (0, -250) };
    assert_eq!((ledger.debt(&player), ledger.account("losses")), (debt, losses));
    let expected = json!({"paidIn": 1000, "excise": 0, "staked": -250, "reversed": -1000, "notCovered": 250,
        "debtsPaid": 0, "closing": 0});
    assert_has(&year(&player).await, expected);

    // What is owed is paid out of what comes in.
    pay_in(&world, &player, 100).await;
    let (paid, closing) = if owed { (-95, 0) } else { (0, 95) };
    let expected = json!({"paidIn": 1100, "excise": -5, "staked": -250, "reversed": -1000, "notCovered": 250,
        "debtsPaid": paid, "closing": closing});
    assert_has(&year(&player).await, expected);
}

/// The prompt asks for so much that the stake is left, and a page that does not know of the tax sends none.
#[tokio::test]
async fn a_prompt_for_an_entry_asks_for_the_tax_too() {
    let world = World::taxed(&[FIVE]).await;
    let player = world.player().await;
    player.put("/api/me/limits", json!({"limits": {"entry-day": 50, "deposit-day": 52}})).await.expect(200);
    let why =
        "The amount has to be KSh 52: KSh 50 for the entry and KSh 2 of excise duty. Load the page again.";
    assert_eq!(player.pay(50, 1).await.refused(400), why);
    let body = json!({"phone": player.phone(), "amount": 52, "entryAmount": 50, "gameweek": 1});
    let id = player.post("/api/pay", body).await.text(200, "checkoutId");
    assert_eq!(world.prompts(&player.phone()).await[0]["amount"], 52);
    world.answer_prompt(&player.phone(), paid()).await;
    assert_has(&world.entry_payment_status(&id).await, json!({"status": "SUCCESS", "entered": true}));
    let ledger = world.ledger().await;
    assert_eq!((player.wallet().await, ledger.account("pot:2026-01")), (0, 50));
    assert_eq!(taxed(&world).await, (52, 2));
    assert_has(&year(&player).await, json!({"paidIn": 52, "excise": -2, "staked": -50, "closing": 0}));
}

/// A prompt has the rate that was shown when it was sent, whenever it is paid; what is paid by hand the one of the day on
/// which M-Pesa took it, whenever it is credited.
#[tokio::test]
async fn the_rate_is_that_of_the_day_of_payment() {
    let world = World::taxed(&[BEGINS]).await;
    let (player, other) = (world.player().await, world.player().await);
    let account = other.paybill_account().await;
    world.clock_to(BEFORE).await;
    assert_eq!(world.nobody().get("/api/settings").await.expect(200)["excisePercent"], json!(null));
    let entry = world.again(&player).await.pay(50, 1).await.text(200, "checkoutId");
    let unclaimed = pay_by_hand(&world, "nobody", 300).await;
    world.clock_to(AFTER).await;
    world.answer_prompt(&player.phone(), paid()).await;
    assert_has(&world.entry_payment_status(&entry).await, json!({"status": "SUCCESS", "entered": true}));
    let id = world.again(&player).await.typed_code(&unclaimed).await;
    world.confirm_code(&id, 300).await.expect(200);
    assert_eq!((world.again(&player).await.wallet().await, taxed(&world).await), (300, (350, 0)));

    pay_by_hand(&world, &account, 200).await;
    let unclaimed = pay_by_hand(&world, "nobody", 100).await;
    let id = world.again(&other).await.typed_code(&unclaimed).await;
    world.confirm_code(&id, 100).await.expect(200);
    let other = world.again(&other).await;
    assert_eq!((other.wallet().await, taxed(&world).await), (285, (650, 15)));
    assert_has(&other.movements().await[0], json!({"kind": "manual", "amount": 95}));
    assert_has(&other.movements().await[1], json!({"kind": "paybill", "amount": 190}));
    assert_eq!(world.read_books().await["report"]["differences"], json!([]));
}

/// At midnight the rate is another one: what the edge keeps of the settings ends there.
#[tokio::test]
async fn nobody_is_shown_the_rate_of_the_day_before() {
    let world = World::taxed(&[BEGINS]).await;
    let settings = async || world.nobody().get("/api/settings").await;
    let whole = settings().await.kept_for();
    world.clock_to(BEFORE).await;
    let before = settings().await;
    assert!(before.kept_for() <= 60, "{:?}", before.headers);
    assert_eq!(before.expect(200)["excisePercent"], json!(null));
    world.clock_to(AFTER).await;
    let after = settings().await;
    assert_eq!(after.kept_for(), whole);
    assert_eq!(after.expect(200)["excisePercent"], 5.0);
}

/// What an admin credits is what M-Pesa received, and the tax is of that.
#[tokio::test]
async fn a_case_is_credited_less_the_tax() {
    let world = World::taxed(&[FIVE]).await;
    let player = world.player().await;
    let (id, _) = world.paid_otherwise(&player, 300).await;
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!((player.wallet().await, taxed(&world).await), (475, (500, 25)));
    let prompt = &player.get("/api/me/payments").await.expect(200)[0];
    assert!(text(prompt, "reason").ends_with("KSh 475 is credited to you."), "{prompt}");
    assert_eq!(world.read_books().await["report"]["differences"], json!([]));
}
