//! The ways in which one in ten cheats, each over HTTP or on the simulated phones, and the desk of an honest
//! admin who deals with what they leave.

use reqwest::Method;
use serde_json::{Value, json};

use super::model::{self, Seat};

use crate::support::{
    PASSWORD, Person, World,
    mpesa::{paid, paid_calling_back, paid_unheard},
    read, text,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A prompt is paid, its callback is lost, and its receipt is typed two days later.
    TypesThePromptsReceipt,
    /// Prompts to another player's phone, whose owner types the PIN for whatever is shown.
    PromptsAStranger,
    /// Types the receipt of another's payment before its payer does.
    TypesAnothersReceipt,
    /// Is an admin beside a player, and confirms an invented code of their own.
    ConfirmsTheirOwnCode,
    /// Has the admin's token, and enrols an authenticator with it.
    EnrolsWithAStolenToken,
    /// Makes the team vanish from the official game when it has lost.
    Vanishes,
    /// Deposits a large amount, plays, and has M-Pesa take the payment back.
    TakesADepositBack,
    /// Pays for an entry in time, so that nobody hears of it before the draw.
    PaysUnheard,
    /// Kept the token of a victim who has logged out.
    KeepsAToken,
    /// Has a victim's session, and withdraws to a number of their own.
    WithdrawsAnothersMoney,
}

pub const WAYS: &[Way] = &[
    Way::TypesThePromptsReceipt,
    Way::ConfirmsTheirOwnCode,
    Way::EnrolsWithAStolenToken,
    Way::PaysUnheard,
    Way::KeepsAToken,
    Way::TypesAnothersReceipt,
    Way::PromptsAStranger,
    Way::Vanishes,
    Way::WithdrawsAnothersMoney,
    Way::TakesADepositBack,
];

/// Large enough that the nightly reading asks M-Pesa again about each such receipt.
const LARGE: i64 = 12_000;

/// What a cheat does it with.
pub struct Loot {
    /// A receipt to type later.
    receipt: Option<String>,
    /// The victim, beside whom it was done.
    victim: usize,
    gameweek: u8,
}

fn phone(seat: &Seat) -> String {
    seat.person.phone()
}

/// Somebody's deposit, paid; `how` says what M-Pesa makes of it. Answers its receipt.
async fn deposit(world: &World, seat: &mut Seat, amount: i64, how: Value) -> String {
    seat.person.deposit(&phone(seat), amount).await.expect(200);
    let paid = world.answer_prompt(&phone(seat), how).await;
    seat.paid_in += amount;
    text(&paid, "receipt")
}

/// What is done before the deadline.
pub async fn before(world: &World, seats: &mut [Seat], cheat: usize, gameweek: u8) -> Loot {
    let (victim, mut receipt) = (cheat - 1, None);
    match seats[cheat].way.unwrap() {
        Way::TypesThePromptsReceipt => {
            let how = paid_calling_back("never");
            receipt = Some(deposit(world, &mut seats[cheat], 330, how).await);
        }
        Way::TakesADepositBack => {
            receipt = Some(deposit(world, &mut seats[cheat], LARGE, paid()).await);
        }
        Way::PromptsAStranger => {
            let person = seats[cheat].person.clone();
            prompts_a_stranger(world, &person, &mut seats[victim]).await;
        }
        Way::TypesAnothersReceipt => types_anothers_receipt(world, seats, cheat, victim).await,
        Way::KeepsAToken => keeps_a_token(world, &mut seats[victim]).await,
        _ => {}
    }
    Loot { receipt, victim, gameweek }
}

/// Three times; the owner of the phone types the PIN whenever it asks.
async fn prompts_a_stranger(world: &World, cheat: &Person, victim: &mut Seat) {
    for _ in 0..3 {
        let refused = cheat.deposit(&phone(victim), 210).await.refused(409);
        assert!(refused.starts_with("This number belongs to another player."), "{refused}");
    }
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", phone(victim))).await.expect(200);
    let open = prompts.as_array().unwrap().iter().filter(|prompt| prompt["status"] == "pending").count();
    assert_eq!(open, 0, "a prompt of a stranger's is on the phone");
    // Nor is the owner locked out by it.
    deposit(world, victim, 30, paid()).await;
}

/// The victim pays by hand without an account, and types the receipt after the thief did.
async fn types_anothers_receipt(world: &World, seats: &mut [Seat], cheat: usize, victim: usize) {
    let body = json!({"phone": phone(&seats[victim]), "amount": 270, "accountReference": "FPL Leagues"});
    let receipt = world.paybill(body).await;
    seats[victim].paid_in += 270;
    world.advance(0).await;
    for seat in [cheat, victim] {
        seats[seat].person.type_code(&receipt).await.expect(201);
        world.advance(0).await;
    }
}

async fn keeps_a_token(world: &World, victim: &mut Seat) {
    let kept = victim.person.clone();
    read(victim.person.request(Method::POST, "/logout")).await.expect(204);
    let thief = Person { http: world.nobody().http, ..kept };
    for path in ["/api/user", "/api/me/transactions", "/api/me/entries", "/api/withdraw"] {
        thief.get(path).await.refused(401);
    }
    thief.withdraw(&victim.mule(), 100).await.refused(401);
    thief.join(victim.amount, 1).await.refused(401);
    victim.person = Person { n: victim.person.n, ..world.log_in(&victim.email, PASSWORD).await };
}

/// What is done in the last minute before the deadline: M-Pesa keeps the payment to itself until after the fence.
pub async fn at_the_deadline(world: &World, seat: &mut Seat, gameweek: u8) {
    let amount = seat.amount;
    let how = paid_unheard();
    seat.person.pay(amount, gameweek).await.expect(200);
    world.decide_prompt(&phone(seat), how).await;
    seat.paid_in += amount;
}

/// M-Pesa gives the payment back to who made it, and tells us nothing.
pub async fn take_back(world: &World, seats: &mut [Seat], cheat: usize, loot: &Loot) {
    if seats[cheat].way == Some(Way::TakesADepositBack) {
        world.sim(Method::POST, "/reversals", json!({"receipt": loot.receipt})).await;
        seats[cheat].paid_in -= LARGE;
    }
}

/// The losers' teams are gone before the points are final.
pub async fn while_it_is_played(world: &World, seats: &[Seat], gameweek: u8) {
    for (_, members) in model::leagues(world, seats, gameweek).await {
        let winners = model::winners(&members, gameweek);
        for seat in members.iter().filter(|seat| !winners.contains(seat)) {
            if seats[*seat].way == Some(Way::Vanishes) {
                vanish(world, &seats[*seat], false).await;
            }
        }
    }
}

pub async fn vanish(world: &World, seat: &Seat, exists: bool) {
    world.team_exists(&seat.person.fpl_id, exists).await;
}

/// What is done when the gameweek is paid: two days after the deadline and later.
pub async fn after(world: &World, seats: &mut [Seat], cheat: usize, loot: &Loot) {
    let person = &seats[cheat].person;
    match seats[cheat].way.unwrap() {
        Way::TypesThePromptsReceipt => {
            let typed = json!({"mpesaCode": loot.receipt.as_ref().unwrap()});
            person.post("/api/manual-payment", typed).await;
        }
        Way::ConfirmsTheirOwnCode => confirms_their_own_code(world, &mut seats[cheat], loot.gameweek).await,
        Way::EnrolsWithAStolenToken => enrols_with_a_stolen_token(world).await,
        Way::WithdrawsAnothersMoney => {
            withdraws_anothers_money(world, &seats[loot.victim], &seats[cheat].mule()).await;
        }
        _ => {}
    }
}

/// An admin who plays confirms an invented code of their own, as the list of codes lets an admin do.
async fn confirms_their_own_code(world: &World, seat: &mut Seat, gameweek: u8) {
    app::admin::commands::grant(world.app(), &seat.email).await.unwrap();
    let admin = world.log_in(&seat.email, PASSWORD).await;
    let code = format!("UHK{gameweek}{:06}", seat.person.n);
    let typed = admin.type_code(code).await;
    let id = typed.text(201, "_id");
    let refused = admin.confirm_code(&id, 250_000).await.status.as_u16();
    assert!([403, 409].contains(&refused), "{refused}");
    seat.person = Person { n: seat.person.n, ..admin };
}

/// Neither without the password nor with one that was guessed.
async fn enrols_with_a_stolen_token(world: &World) {
    // The admin's own authenticator gives new codes.
    world.advance(60).await;
    let token = world.admin().await.token;
    let thief = Person { token, ..world.nobody() };
    for guess in [json!({}), json!({"password": "123456"})] {
        let answer = thief.post("/api/admin/totp", guess).await;
        assert!(answer.status.is_client_error(), "{} {}", answer.status, answer.body);
    }
    world.admin().await;
}

/// The owner finds a mail at once, and the button behind its link gives the money back.
async fn withdraws_anothers_money(world: &World, victim: &Seat, mule: &str) {
    victim.person.withdraw(mule, 150).await.expect(201);
    let link = world.cancellation_link(&victim.person).await;
    world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.expect(200);
}
