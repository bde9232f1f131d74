//! Withholding tax: shown before and after, kept back when M-Pesa pays, given back where it does not, and in the books.

use domain::{
    GameweekId, Kes,
    ledger::postings::{EXCISE, WITHHOLDING},
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Person, World, assert_has,
    money::{done, rejected},
};

const PHONE: &str = "0712000777";
const FIVE: (&str, &str) = ("Withholding", "withdrawals:2026-07-01:5");

async fn seen(world: &World, player: &Person) -> Value {
    world.again(player).await.get("/api/withdraw").await.expect(200)[0].clone()
}

#[rstest]
#[case::by_mpesa(true)]
#[case::by_hand(false)]
#[tokio::test]
async fn what_is_kept_back_is_shown_and_booked_when_it_is_paid(#[case] by_mpesa: bool) {
    let world = World::taxed(&[("Withholding", "withdrawals:2026-07-01:5,withdrawals:2027-07-01:10")]).await;
    assert_eq!(world.nobody().get("/api/settings").await.expect(200)["withholdingPercent"], 5.0);
    let player = world.player_with(500).await;
    let id = player.withdrawal(PHONE, 450).await;
    // 5 % of 450 is 22.50: the cents are the player's.
    let tax = json!({"percent": 5.0, "amount": 22});
    assert_has(&seen(&world, &player).await, json!({"amount": 450, "pays": 428, "tax": tax}));
    assert_has(&player.movements().await[0], json!({"amount": -450, "tax": tax}));
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("withdrawals"), ledger.account(WITHHOLDING)), (450, 0), "nothing is paid yet");
    if by_mpesa {
        world.pay_out(&id).await.expect(200);
        world.advance(60).await;
        assert_eq!(world.payouts(Some(PHONE)).await[0]["amount"], 428);
    } else {
        world.end_withdrawal(&id, done()).await.expect(200);
    }
    let ledger = world.ledger().await;
    let booked = (ledger.account("withdrawals"), ledger.account("mpesa:out"), ledger.account(WITHHOLDING));
    assert_eq!(booked, (0, 428, 22));
    world.advance(120).await;
    let mails = world.mails_about(&player.email(), "Your withdrawal of KSh 450 is done").await;
    let text = mails[0]["text"].as_str().unwrap();
    assert!(
        text.contains("We have sent KSh 428")
            && text.contains("KSh 22 is withholding tax (5 %, rounded down)"),
        "{text}"
    );
    let player = world.again(&player).await;
    let year = player.get("/api/me/statement?year=2026").await.expect(200);
    assert_has(&year, json!({"paidIn": 500, "takenOut": -450, "withheld": 22, "closing": 50}));
    player.get("/api/me/statement?year=2027").await.refused(404);
    let rows = world.tax_table().await;
    assert_eq!((rows.len(), rows[0].as_str()), (2, "month,tax,at,userId,cause,ratePercent,amount"));
    let ends = format!("withdrawal-done#{id},5,22");
    assert!(rows[1].starts_with("2026-08,withholding,") && rows[1].ends_with(&ends), "{rows:?}");
    assert_eq!(world.read_books().await["report"]["differences"], json!([]));
}

/// A rejected withdrawal is given back whole; nothing was ever kept back of it.
#[tokio::test]
async fn a_rejected_withdrawal_comes_back_whole() {
    let world = World::taxed(&[FIVE]).await;
    let player = world.player_with(500).await;
    let id = player.withdrawal(PHONE, 450).await;
    world.end_withdrawal(&id, rejected("Wrong number.")).await.expect(200);
    assert_eq!(player.wallet().await, 500);
    assert_eq!(world.ledger().await.account(WITHHOLDING), 0);
    let year = player.get("/api/me/statement").await.expect(200);
    assert_has(&year, json!({"takenOut": 0, "withheld": 0, "closing": 500}));
    // Of the next one the table of withdrawals has what is kept back and paid, of this one nothing.
    let next = player.withdrawal(PHONE, 450).await;
    let rows = world.export("withdrawals").await;
    assert!(rows[0].ends_with(",trouble,tax,pays,corrected"), "{rows:?}");
    for (id, ends) in [(&id, ",,,,"), (&next, ",,22,428,")] {
        let row = rows.iter().find(|row| row.starts_with(id.as_str())).unwrap();
        assert!(row.ends_with(ends), "{row}");
    }
}

/// Without a rate in force nothing is said of a tax; what was asked for before a rate begins stays without it.
#[tokio::test]
async fn a_rate_counts_for_what_is_asked_for_from_its_day_on() {
    let world = World::taxed(&[("Withholding", "withdrawals:2026-08-21:5")]).await;
    let player = world.player_with(500).await;
    assert_eq!(world.nobody().get("/api/settings").await.expect(200)["withholdingPercent"], json!(null));
    let before = player.withdrawal(PHONE, 100).await;
    world.clock_to("2026-08-20T21:00:00Z").await;
    let player = world.again(&player).await;
    let after = player.withdrawal(PHONE, 100).await;
    for id in [&before, &after] {
        world.end_withdrawal(id, done()).await.expect(200);
    }
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.account(WITHHOLDING)), (195, 5));
}

/// A gameweek of two hundred players, who pay excise with their stakes and of whom the winners take everything out: the
/// books are at zero.
#[tokio::test]
async fn a_week_of_two_hundred_players_with_the_taxes_on() {
    let world = World::taxed(&[FIVE, ("Excise", "deposits:2026-07-01:5")]).await;
    world.many(200, 50).await;
    let (app, mut asked, mut kept) = (world.app(), Kes::ZERO, Kes::ZERO);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(3600).await;
    // The crowd's deposits were written without their prompts, and nothing else is amiss.
    let found = world.read_books().await["report"]["found"].clone();
    let week = GameweekId { season: 2026, number: 1 };
    let wallets = world.ledger().await.wallets;
    let winners: Vec<(&String, i64)> =
        wallets.iter().map(|(id, has)| (id, *has)).filter(|(_, has)| *has >= 60).collect();
    assert!(winners.len() >= 20, "twenty leagues of {week} have winners: {winners:?}");
    for (n, (id, has)) in winners.iter().enumerate() {
        let id = domain::UserId::parse(id).unwrap();
        let player = app.store().player(&id).await.unwrap().unwrap();
        let phone = format!("07220{n:05}");
        let request =
            app::withdrawals::requests::Request { phone: &phone, amount: Some(*has), key: None, from: None };
        let accepted = crate::support::processes::by_the_rules(
            app::withdrawals::requests::request(app, &player, request).await,
        );
        let withdrawal = accepted.unwrap().withdrawal;
        if n % 3 == 2 {
            crate::support::processes::end_withdrawal(
                app,
                &withdrawal.id,
                crate::support::processes::rejection(),
            )
            .await;
            continue;
        }
        crate::support::processes::end_withdrawal(
            app,
            &withdrawal.id,
            app::withdrawals::endings::Ending::Done,
        )
        .await;
        (asked, kept) = (asked + withdrawal.amount, kept + withdrawal.withheld());
    }
    let ledger = world.ledger().await;
    assert!(kept.is_positive());
    let booked = (ledger.account(WITHHOLDING), ledger.account("mpesa:out"), ledger.account("withdrawals"));
    assert_eq!(booked, (kept.get(), (asked - kept).get(), 0));
    // Of KSh 52 that each has paid 50 is staked.
    assert_eq!((ledger.account("mpesa:in"), ledger.account(EXCISE)), (-200 * 52, 200 * 2));
    assert_eq!(world.read_books().await["report"]["found"], found);
    let told = world.nobody().get("/api/trust").await.expect(200);
    let lines = told["sums"]["lines"].as_array().unwrap();
    let rows = world.tax_table().await;
    for (line, tax, sum) in [("taxes", "withholding", kept.get()), ("excise", "excise", 400)] {
        let told = lines.iter().find(|told| told["what"] == line).unwrap();
        assert_eq!(told["cents"], sum * 100);
        let of_tax = rows.iter().filter(|row| row.split(',').nth(1) == Some(tax));
        let exported = of_tax.map(|row| row.rsplit(',').next().unwrap().parse::<i64>().unwrap());
        assert_eq!(exported.sum::<i64>(), sum, "{tax}");
    }
}
