//! The ways in which one in ten cheats, each over HTTP or on the simulated phones, and the desk of an honest
//! admin who deals with what they leave.

use reqwest::Method;
use serde_json::{Value, json};

use super::model::{self, Entrant};

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
    /// Claims the team of a victim who has won with it, under another account.
    ClaimsAnothersTeam,
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
    Way::ClaimsAnothersTeam,
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

fn phone(entrant: &Entrant) -> String {
    entrant.person.phone()
}

/// Somebody's deposit, paid; `how` says what M-Pesa makes of it. Answers its receipt.
async fn deposit(world: &World, entrant: &mut Entrant, amount: i64, how: Value) -> String {
    entrant.person.deposit(&phone(entrant), amount).await.expect(200);
    let paid = world.answer_prompt(&phone(entrant), how).await;
    entrant.paid_in += amount;
    text(&paid, "receipt")
}

/// What is done before the deadline.
pub async fn before(world: &World, entrants: &mut [Entrant], cheat: usize, gameweek: u8) -> Loot {
    let (victim, mut receipt) = (cheat - 1, None);
    match entrants[cheat].way.unwrap() {
        Way::TypesThePromptsReceipt => {
            let how = paid_calling_back("never");
            receipt = Some(deposit(world, &mut entrants[cheat], 330, how).await);
        }
        Way::TakesADepositBack => {
            receipt = Some(deposit(world, &mut entrants[cheat], LARGE, paid()).await);
        }
        Way::PromptsAStranger => {
            let person = entrants[cheat].person.clone();
            prompts_a_stranger(world, &person, &mut entrants[victim]).await;
        }
        Way::TypesAnothersReceipt => types_anothers_receipt(world, entrants, cheat, victim).await,
        Way::KeepsAToken => keeps_a_token(world, &mut entrants[victim]).await,
        Way::ClaimsAnothersTeam => {
            claims_anothers_team(world, &entrants[victim].person, cheat, gameweek).await
        }
        _ => {}
    }
    Loot { receipt, victim, gameweek }
}

/// Three times; the owner of the phone types the PIN whenever it asks.
async fn prompts_a_stranger(world: &World, cheat: &Person, victim: &mut Entrant) {
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
async fn types_anothers_receipt(world: &World, entrants: &mut [Entrant], cheat: usize, victim: usize) {
    let body = json!({"phone": phone(&entrants[victim]), "amount": 270, "accountReference": "FPL Leagues"});
    let receipt = world.paybill(body).await;
    entrants[victim].paid_in += 270;
    world.advance(0).await;
    for entrant in [cheat, victim] {
        entrants[entrant].person.type_code(&receipt).await.expect(201);
        world.advance(0).await;
    }
}

async fn keeps_a_token(world: &World, victim: &mut Entrant) {
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

/// The team is the victim's: nobody signs up with it, and who says that they can prove it has to.
async fn claims_anothers_team(world: &World, victim: &Person, cheat: usize, gameweek: u8) {
    let (email, name) =
        (format!("thief{cheat}-{gameweek}@example.co.ke"), format!("thief{cheat}-{gameweek}"));
    let mut form = World::sign_up_form(&email, &name, &victim.fpl_id);
    assert_eq!(world.nobody().post("/api/signup", form.clone()).await.expect(409), json!("exist"));
    form["proveTeam"] = json!(true);
    world.nobody().post("/api/signup", form).await.expect(201);
    let thief = world.log_in(&email, PASSWORD).await;
    thief.put("/api/user/team", json!({"fplId": victim.fpl_id})).await.refused(409);
    thief.post("/api/user/team/proof", json!({"fplId": victim.fpl_id})).await.expect(201);
    thief.post("/api/user/team/proof/check", json!({})).await.refused(409);
    thief.join(50, gameweek).await.refused(400);
}

/// What is done in the last minute before the deadline: M-Pesa keeps the payment to itself until after the fence.
pub async fn at_the_deadline(world: &World, entrant: &mut Entrant, gameweek: u8) {
    let amount = entrant.amount;
    let how = paid_unheard();
    entrant.person.pay(amount, gameweek).await.expect(200);
    world.decide_prompt(&phone(entrant), how).await;
    entrant.paid_in += amount;
}

/// M-Pesa gives the payment back to who made it, and tells us nothing.
pub async fn take_back(world: &World, entrants: &mut [Entrant], cheat: usize, loot: &Loot) {
    if entrants[cheat].way == Some(Way::TakesADepositBack) {
        world.sim(Method::POST, "/reversals", json!({"receipt": loot.receipt})).await;
        entrants[cheat].paid_in -= LARGE;
    }
}

/// The losers' teams are gone before the points are final.
pub async fn while_it_is_played(world: &World, entrants: &[Entrant], gameweek: u8) {
    for (_, members) in model::leagues(world, entrants, gameweek).await {
        let winners = model::winners(&members, gameweek);
        for entrant in members.iter().filter(|entrant| !winners.contains(entrant)) {
            if entrants[*entrant].way == Some(Way::Vanishes) {
                vanish(world, &entrants[*entrant], false).await;
            }
        }
    }
}

pub async fn vanish(world: &World, entrant: &Entrant, exists: bool) {
    world.team_exists(&entrant.person.fpl_id, exists).await;
}

/// What is done when the gameweek is paid: two days after the deadline and later.
pub async fn after(world: &World, entrants: &mut [Entrant], cheat: usize, loot: &Loot) {
    let person = &entrants[cheat].person;
    match entrants[cheat].way.unwrap() {
        Way::TypesThePromptsReceipt => {
            let typed = json!({"mpesaCode": loot.receipt.as_ref().unwrap()});
            person.post("/api/manual-payment", typed).await;
        }
        Way::ConfirmsTheirOwnCode => {
            confirms_their_own_code(world, &mut entrants[cheat], loot.gameweek).await
        }
        Way::EnrolsWithAStolenToken => enrols_with_a_stolen_token(world).await,
        Way::WithdrawsAnothersMoney => {
            withdraws_anothers_money(world, &entrants[loot.victim], &entrants[cheat].mule()).await;
        }
        _ => {}
    }
}

/// An admin who plays confirms an invented code of their own, as the list of codes lets an admin do.
async fn confirms_their_own_code(world: &World, entrant: &mut Entrant, gameweek: u8) {
    app::admin::commands::grant(world.app(), &entrant.email).await.unwrap();
    let admin = world.log_in(&entrant.email, PASSWORD).await;
    let code = format!("UHK{gameweek}{:06}", entrant.person.n);
    let typed = admin.type_code(code).await;
    let id = typed.text(201, "_id");
    let refused = admin.confirm_code(&id, 250_000).await.status.as_u16();
    assert!([403, 409].contains(&refused), "{refused}");
    entrant.person = Person { n: entrant.person.n, ..admin };
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
async fn withdraws_anothers_money(world: &World, victim: &Entrant, mule: &str) {
    victim.person.withdraw(mule, 150).await.expect(201);
    let link = world.cancellation_link(&victim.person).await;
    world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.expect(200);
}
