//! A prompt is sent to a stranger's phone, again and again, by several accounts.

use app::{
    Safeguards::{self, Full, Light},
    payments::prompts,
    platform::{flow::FlowError, queues::ProcessPayment},
};
use local::{DataDir, Settings};
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Answer, PASSWORD, Person, World,
    mpesa::{paid, paid_calling_back},
};

const PHONE: &str = "0722000001";
const ANOTHERS: &str =
    "This number belongs to another player. Use your own, or pay to the paybill with your account.";

/// The refusal names the way that is left: the own account of who is refused.
async fn names_the_paybill(refused: &Answer, player: &Person) {
    let paybill = &refused.body["paybill"];
    assert_eq!((&refused.body["success"], &paybill["number"]), (&json!(false), &json!("174379")));
    assert_eq!(paybill["account"], player.paybill_account().await);
}

async fn retry_after(refused: &Answer, player: &Person) -> i64 {
    assert_eq!(refused.status.as_u16(), 429, "{}", refused.body);
    names_the_paybill(refused, player).await;
    let (text, paybill) = (refused.body["message"].as_str().unwrap(), &refused.body["paybill"]);
    assert!(
        text.starts_with("Too many payment requests") && text.contains(paybill["account"].as_str().unwrap())
    );
    refused.headers["retry-after"].to_str().unwrap().parse().unwrap()
}

#[rstest]
#[tokio::test]
async fn whoever_is_to_type_a_pin_sees_for_whom(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.player().await.deposit(PHONE, 500).await.expect(200);
    assert_eq!(world.prompts(PHONE).await[0]["accountReference"], "player1");
    // A name that M-Pesa may not show gives way to the account.
    let form = World::sign_up_form("dots@example.co.ke", "Otieno.K-1", "9");
    world.nobody().post("/api/signup", form).await.expect(201);
    let dotted = world.log_in("dots@example.co.ke", PASSWORD).await;
    dotted.deposit("0722000002", 500).await.expect(200);
    let account = dotted.user().await["paybill"]["account"].clone();
    assert_eq!(world.prompts("0722000002").await[0]["accountReference"], account);
}

#[rstest]
#[case("FPL-Leagues")]
#[case("M.Pesa")]
#[case("Safaric0m")]
#[case("adm1n")]
#[case("Depo_sit")]
#[tokio::test]
async fn nobody_is_called_what_looks_like_us_or_m_pesa(#[case] name: &str) {
    let world = World::start().await;
    let form = json!({"email": "a@example.co.ke", "username": name, "password": PASSWORD, "fplId": "9"});
    let message = world.nobody().post("/api/signup", form).await.refused(400);
    assert_eq!(message, "This username is reserved. Choose another.");
}

#[rstest]
#[tokio::test]
async fn a_players_own_number_is_not_prompted_by_others(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let owner = world.player_with(100).await;
    let thief = world.player().await;
    let before = world.prompts(&owner.phone()).await.len();
    for _ in 0..4 {
        let refused = thief.deposit(&owner.phone(), 1000).await;
        names_the_paybill(&refused, &thief).await;
        assert_eq!(refused.refused(409), ANOTHERS);
    }
    // Each try counts, also as a prompt for an entry.
    retry_after(&thief.deposit(&owner.phone(), 1000).await, &thief).await;
    let other = world.player().await;
    let pay = json!({"phone": owner.phone(), "amount": 50, "fplId": other.fpl_id, "entryAmount": 50, "gameweek": 1});
    assert_eq!(other.post("/api/pay", pay).await.refused(409), ANOTHERS);
    assert_eq!(world.prompts(&owner.phone()).await.len(), before, "none of them was sent");
    world.ledger().await;
}

#[rstest]
#[tokio::test]
async fn prompts_by_others_lock_no_owner_out(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let owner = world.player_with(100).await;
    for _ in 0..3 {
        let thief = world.player().await;
        for _ in 0..4 {
            thief.deposit(&owner.phone(), 1000).await.refused(409);
        }
    }
    for amount in [110, 120, 130] {
        owner.prompt(amount).await;
        world.answer_prompt(&owner.phone(), paid()).await;
    }
    assert_eq!(owner.wallet().await, 460);
    retry_after(&owner.deposit(&owner.phone(), 140).await, &owner).await;
}

/// Whose phone it is and has not paid from it yet: M-Pesa's minute is all that a stranger can take.
#[rstest]
#[tokio::test]
async fn a_strangers_open_prompt_locks_a_first_timer_out_for_m_pesas_minute(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let (thief, first) = (world.player().await, world.player().await);
    thief.deposit(PHONE, 1000).await.expect(200);
    first.deposit(PHONE, 100).await.refused(409);
    world.advance(61).await;
    first.deposit(PHONE, 100).await.expect(200);
    world.answer_prompt(PHONE, paid()).await;
    assert_eq!(first.wallet().await, 100);
    thief.deposit(PHONE, 1000).await.refused(409);
}

/// Others have sent four of a day's five: who holds the phone gets through, though a PIN is wrong first.
#[rstest]
#[tokio::test]
async fn what_strangers_leave_is_enough_for_who_holds_the_phone(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player().await;
    for n in 0..4 {
        world.again(&thief).await.deposit(PHONE, 1000 + n).await.expect(200);
        world.advance(200).await;
    }
    let first = world.player().await;
    for (amount, outcome) in [(100, "wrong_pin"), (101, "insufficient_funds"), (102, "success")] {
        first.deposit(PHONE, amount).await.expect(200);
        world.answer_prompt(PHONE, json!({"outcome": outcome})).await;
    }
    assert_eq!(first.wallet().await, 102);
    assert_eq!(world.again(&thief).await.deposit(PHONE, 1200).await.refused(409), ANOTHERS);
    // It is their own number now: what others have sent to it does not count any more.
    world.advance(700).await;
    for amount in [103, 104, 105] {
        world.again(&first).await.deposit(PHONE, amount).await.expect(200);
        world.answer_prompt(PHONE, paid()).await;
    }
}

/// Five a day for all accounts together, by one or by five: a further account's first prompt is one too many as well.
/// Who holds the phone is told another way, pays that way, and is sent prompts on the next day.
#[rstest]
#[tokio::test]
async fn a_further_account_does_not_get_past_the_five(
    #[values(Light, Full)] safeguards: Safeguards,
    #[values(1, 5)] accounts: usize,
) {
    let world = World::start_guarded(safeguards).await;
    let mut thieves = Vec::new();
    for _ in 0..accounts {
        thieves.push(world.player().await);
    }
    for (n, thief) in (1000..).zip(thieves.iter().cycle().take(5)) {
        world.again(thief).await.deposit(PHONE, n).await.expect(200);
        world.advance(200).await;
    }
    let first = world.player().await;
    let delay = retry_after(&first.deposit(PHONE, 100).await, &first).await;
    assert!((85_000..86_400).contains(&delay), "{delay}");
    retry_after(&first.pay_from(PHONE, 50, 1).await, &first).await;
    assert_eq!(world.prompts(PHONE).await.len(), 5, "neither was sent");

    let account = first.paybill_account().await;
    world.paybill(json!({"phone": PHONE, "amount": 100, "accountReference": account, "confirm": true})).await;
    world.advance(0).await;
    assert_eq!(first.wallet().await, 100);

    world.advance(delay).await;
    world.again(&first).await.deposit(PHONE, 101).await.expect(200);
    world.answer_prompt(PHONE, paid()).await;
    assert_eq!(world.again(&first).await.wallet().await, 201);
    world.ledger().await;
}

/// Of all that strangers try in a day five reach the phone.
#[rstest]
#[tokio::test]
async fn three_accounts_cannot_prompt_a_phone_for_ever(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let mut thieves = [world.player().await, world.player().await, world.player().await];
    let mut sent = 0;
    for round in 0..8 {
        for thief in &mut thieves {
            *thief = world.again(thief).await;
            let answer = thief.deposit(PHONE, 100 + round).await;
            match answer.status.as_u16() {
                200 => sent += 1,
                _ => assert!(retry_after(&answer, thief).await > 0),
            }
            world.advance(61).await;
        }
        world.advance(600).await;
    }
    assert_eq!(sent, 5);
    assert_eq!(world.prompts(PHONE).await.len(), 5);
    // A number of theirs is another matter.
    world.again(&thieves[0]).await.deposit("0722000009", 100).await.expect(200);
}

/// One account to many phones: six a day.
#[rstest]
#[tokio::test]
async fn one_account_reaches_six_strangers_a_day(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let thief = world.player_with(50).await;
    // The sixth is the one by which the own number became so: it was nobody's then.
    for n in 0..5 {
        thief.deposit(&format!("072200001{n}"), 100).await.expect(200);
    }
    let delay = retry_after(&thief.deposit("0722000019", 100).await, &thief).await;
    assert!((86_000..=86_400).contains(&delay), "{delay}");
    // To one's own number it stays open.
    thief.prompt(100).await;
    world.advance(delay).await;
    world.again(&thief).await.deposit("0722000019", 100).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_first_timer_may_be_wrong_three_times(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player().await;
    for (amount, outcome) in
        [(100, "wrong_pin"), (101, "insufficient_funds"), (102, "cancelled"), (103, "success")]
    {
        player.deposit(PHONE, amount).await.expect(200);
        world.answer_prompt(PHONE, json!({"outcome": outcome})).await;
    }
    assert_eq!(player.wallet().await, 103);
    let delay = retry_after(&player.deposit(PHONE, 104).await, &player).await;
    assert!((500..=600).contains(&delay), "{delay}");
    world.advance(delay).await;
    world.again(&player).await.deposit(PHONE, 104).await.expect(200);
}

/// Whoever holds the phone may type a wrong PIN all day: no limit of the day counts it, whether the callback says
/// so or the query.
#[rstest]
#[case(Light, "once")]
#[case(Full, "never")]
#[tokio::test]
async fn answers_of_the_phones_holder_count_for_no_day(
    #[case] safeguards: Safeguards,
    #[case] callback: &str,
) {
    let world = World::start_guarded(safeguards).await;
    let mut player = world.player().await;
    for n in 0..9 {
        let outcome = if n % 2 == 0 { "wrong_pin" } else { "insufficient_funds" };
        player.deposit(PHONE, 100 + n).await.expect(200);
        world.answer_prompt(PHONE, json!({"outcome": outcome, "callback": callback})).await;
        world.advance(200).await;
        player = world.again(&player).await;
    }
    // What the holder did not answer does count.
    for n in 0..5 {
        player.deposit(PHONE, 200 + n).await.expect(200);
        world.answer_prompt(PHONE, json!({"outcome": "cancelled"})).await;
        world.advance(200).await;
        player = world.again(&player).await;
    }
    assert!(retry_after(&player.deposit(PHONE, 300).await, &player).await > 80_000);
}

/// Two accounts pay from one phone, and neither callback comes: both are credited, and the phone is one's.
#[rstest]
#[tokio::test]
async fn a_phone_that_two_pay_from_is_ones(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (one, other) = (world.player().await, world.player().await);
    let mut sent = Vec::new();
    for (player, amount) in [(&one, 100), (&other, 200)] {
        sent.push(player.deposit(PHONE, amount).await.text(200, "checkoutId"));
        world.decide_prompt(PHONE, paid_calling_back("never")).await;
    }
    let number = domain::MpesaPhone::for_deposit(PHONE).unwrap();
    for prompt in &sent {
        prompts::process(world.app(), &ProcessPayment::question(prompt, 0)).await.unwrap();
        let own = world.app().store().own_number(&number).await.unwrap().expect("claimed");
        assert_eq!(own.user_id.as_str(), one.id, "whose prompt to it was credited first");
    }
    assert_eq!((one.wallet().await, other.wallet().await), (100, 200));
    world.advance(120).await;
    other.deposit(PHONE, 300).await.refused(409);
    one.deposit(PHONE, 300).await.expect(200);
    world.ledger().await;
}

/// An admin releases a number, with a reason: then it is whose prompt to it is paid next, and late news of an
/// old one makes it nobody's.
#[rstest]
#[tokio::test]
async fn a_released_number_is_the_next_ones(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (before, after) = (world.player().await, world.player().await);
    let first = before.deposit(PHONE, 100).await.text(200, "checkoutId");
    world.answer_prompt(PHONE, paid()).await;
    after.deposit(PHONE, 100).await.refused(409);

    let number = domain::MpesaPhone::for_deposit(PHONE).unwrap();
    let id = before.user_id();
    let admin = world.stored(&world.admin().await).await;
    let released =
        app::payments::numbers::release(world.app(), &id, &number, &admin, "Given to another.").await;
    released.unwrap();
    let twice = app::payments::numbers::release(world.app(), &id, &number, &admin, "Again.").await;
    assert!(
        matches!(twice, Err(FlowError::Refused(app::payments::numbers::ReleaseError::NotOwn))),
        "{twice:?}"
    );
    let news = app::platform::queues::ProcessPayment::question(&first, 0);
    app::payments::prompts::process(world.app(), &news).await.unwrap();
    let kept = world.app().store().own_number(&number).await.unwrap().unwrap();
    assert!(kept.released_at.is_some(), "late news does not claim it again");

    world.advance(130).await;
    after.deposit(PHONE, 100).await.expect(200);
    world.answer_prompt(PHONE, paid()).await;
    assert_eq!(before.deposit(PHONE, 100).await.refused(409), ANOTHERS);
}

/// The phone numbers of players that the stand-ins' page makes up are real people's where M-Pesa is not the stand-in.
#[tokio::test]
async fn a_made_up_players_prompt_goes_to_the_stand_in_alone() {
    // Another double than the stand-in; nobody answers there.
    let parameters = [("DarajaBaseUrl", "http://localhost:1".to_owned())].into();
    let settings = Settings { data_dir: DataDir::Memory, parameters, ..Settings::default() };
    let world = World::start_with(settings).await;
    let one = json!({"count": 1, "entryAmount": 50});
    let refused = world.nobody().post("/sim/api/players", one).await.refused(409);
    assert!(refused.contains("only where M-Pesa is the stand-in"), "{refused}");
}

#[tokio::test]
async fn an_admin_sees_and_releases_a_number() {
    let (world, player) = World::with_player(100).await;
    let admin = world.admin().await;
    let profile = format!("/api/admin/players/{}", player.id);
    let shown = admin.get(&profile).await.expect(200);
    assert_eq!(shown["ownNumbers"][0]["phone"], player.phone());
    let account = player.user().await["paybill"]["account"].clone();
    assert_eq!(shown["paybillAccount"], account);
    let found = admin.get(&format!("/api/admin/players?q={}", account.as_str().unwrap())).await.expect(200);
    assert_eq!(found[0]["_id"], player.id);

    let release = format!("{profile}/release-number");
    for (body, status) in [
        (json!({"phone": player.phone()}), 400),
        (json!({"phone": "07", "reason": "Changed hands."}), 400),
        (json!({"phone": "0722000001", "reason": "Changed hands."}), 409),
    ] {
        admin.send(Method::POST, &release, Some(body)).await.refused(status);
    }
    let body = json!({"phone": player.phone(), "reason": "Changed hands."});
    assert_eq!(admin.post(&release, body).await.expect(200), json!([]));
}
