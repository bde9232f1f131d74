//! A database that is busy, queues and schedules that deliver everything three times, and a message that
//! nobody can read: what comes of a gameweek is what comes of it without any fault (faults 23, 24, 26 and 32).

use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, Person, World,
    gameweek::{PROCESS, users},
    mpesa::{paid, paid_calling_back},
    read, text,
};

const TRIES: usize = 60;

/// Asks until the database is not too busy to answer: 503 says that nothing was lost.
async fn insist(ask: impl AsyncFn() -> Answer) -> Answer {
    for _ in 0..TRIES {
        let answer = ask().await;
        if answer.status != 503 {
            return answer;
        }
        assert!(answer.headers.contains_key("retry-after"), "it says when to come again");
    }
    panic!("it is never answered");
}

async fn log_in(world: &World, email: &str, password: &str) -> Person {
    let person = Person { http: world.nobody().http, ..world.nobody() };
    let form = json!({"email": email, "password": password});
    let body = insist(async || person.post("/api/login", form.clone()).await).await.expect(200);
    let text = |field: &str| body[field].as_str().unwrap().to_owned();
    Person { token: Some(text("accessToken")), id: text("_id"), fpl_id: text("fplId"), ..person }
}

/// Three calls in ten are throttled while players act, and three transactions in ten meet another one all week; or of so many
/// writes the reply is lost.
#[rstest]
#[case::throttled(json!({"throttle": 0.3, "conflict": 0.3}), json!({"throttle": 0.1, "conflict": 0.3}))]
#[case::unheard(json!({"lost": 0.3}), json!({"lost": 0.1}))]
#[tokio::test]
async fn a_busy_database_loses_nothing_and_does_nothing_twice(#[case] at_first: Value, #[case] later: Value) {
    let world = World::start().await;
    let mut players = Vec::new();
    for _ in 0..6 {
        players.push(world.player_with(200).await);
    }
    world.faults(json!({"dynamodb": at_first})).await;
    let acting = players.iter().cloned().map(|player| async move {
        // What was done although nobody heard of it is not done again.
        let joined = insist(async || player.join(50, 1).await).await.status;
        assert!(matches!(joined.as_u16(), 201 | 409), "{joined}");
        let request = || {
            let request = player.request(Method::POST, "/api/withdraw").header("idempotency-key", "once");
            let request = request.bearer_auth(player.token.as_ref().unwrap());
            request.json(&json!({"mpesaNumber": "0712345678", "amount": 100}))
        };
        let asked = insist(async || read(request()).await).await.expect(201);
        assert_eq!(asked["walletBalance"], 50);
        let deposit = json!({"phone": player.phone(), "amount": 70});
        insist(async || player.post("/api/deposits", deposit.clone()).await).await
    });
    let (together, mut prompts) = (tokio::task::LocalSet::new(), tokio::task::JoinSet::new());
    for act in acting {
        prompts.spawn_local_on(act, &together);
    }
    for prompt in together.run_until(prompts.join_all()).await {
        assert!(matches!(prompt.status.as_u16(), 200 | 409 | 429), "{}", prompt.body);
    }
    let mut deposits = 0;
    for player in &players {
        let prompts = world.prompts(&player.phone()).await;
        if let Some(open) = prompts.iter().find(|prompt| prompt["status"] == "pending") {
            world.sim(Method::POST, &format!("/prompts/{}", text(open, "checkoutRequestId")), paid()).await;
            deposits += 70;
        }
    }
    world.faults(json!({"dynamodb": later})).await;
    world.phase(1, "checked").await;
    let (email, password) = world.admin_account();
    let admin = log_in(&world, &email, &password).await;
    insist(async || admin.post(PROCESS, json!({"gameweek": 1})).await).await.expect(200);
    for _ in 0..4 {
        world.advance(900).await;
    }
    world.faults(json!({"dynamodb": {}})).await;
    world.advance(7200).await;
    let ledger = world.ledger().await;
    assert!(deposits > 0, "somebody's prompt was sent");
    assert_eq!(ledger.account("mpesa:in"), -(6 * 200 + deposits));
    assert_eq!((ledger.account("withdrawals"), ledger.account("pot:2026-01")), (600, 0));
    assert_eq!(ledger.account("fees"), 30);
    let wallets: i64 = ledger.wallets.values().sum();
    assert_eq!(wallets + ledger.account("rounding"), 6 * 200 + deposits - 600 - 30);
}

/// More is written under one key than it bears in a second, for as long as the product tries: a join is refused as a whole and
/// says when to come again. When others have stopped, the key bears it.
#[rstest]
#[case::the_players_own(false)]
#[case::of_the_gameweeks_entries(true)]
#[tokio::test]
async fn a_key_that_is_used_up_refuses_a_join_as_a_whole(#[case] entries: bool) {
    let (world, player) = World::with_player(100).await;
    let keys: Vec<String> = match entries {
        true => (0..8).map(|shard| format!("ENTRIES#2026-01#50#{shard}")).collect(),
        false => vec![format!("USER#{}", player.id)],
    };
    world.others_write(&keys);
    let answer = player.join(50, 1).await;
    let seconds: u32 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    let message = answer.refused(503);
    assert_eq!(message, "Something went wrong on our side. Nothing was lost. Please try again.");
    assert_eq!((player.wallet().await, &player.entries().await["entries"]), (100, &json!([])));
    assert_eq!(world.ledger().await.account("pot:2026-01"), 0);

    world.others_write(&[]);
    player.join(50, 1).await.expect(201);
    assert_eq!(player.wallet().await, 50);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 50);
}

/// Every batch of messages and every event of a schedule is delivered three times: two at once, and one when they
/// are done.
#[tokio::test]
async fn what_is_delivered_three_times_is_done_once() {
    let world = World::start().await;
    world.faults(json!({"extraDeliveries": 2})).await;
    let winner = world.player_with(500).await;
    winner.join(50, 1).await.expect(201);
    let by_prompt = world.player().await;
    by_prompt.pay(50, 1).await.expect(200);
    world.answer_prompt(&by_prompt.phone(), paid_calling_back("duplicate")).await;
    let unheard = world.player().await;
    unheard.prompt(80).await;
    world.answer_prompt(&unheard.phone(), paid_calling_back("never")).await;
    world.crowd(9, 50).await;
    let alone = world.player_with(250).await;
    alone.join(250, 1).await.expect(201);
    for (amount, payouts) in [(200, "none"), (100, "failed"), (60, "silent")] {
        let id = winner.withdrawal("0712000777", amount).await;
        world.faults(json!({"payouts": payouts})).await;
        world.pay_out(&id).await.expect(200);
    }
    world.advance(600).await;
    world.points(&winner.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(7200).await;

    let ledger = world.ledger().await;
    let of = |person: &Person| ledger.wallets[&person.id];
    let league = world.leagues(50).await.swap_remove(0);
    let first = users(&league).len();
    let sizes = [first, 11 - first].map(|size| i64::try_from(size).unwrap());
    assert_eq!(ledger.account("mpesa:in"), -(500 + 50 + 80 + 9 * 50 + 250));
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (260, 0));
    assert_eq!((ledger.account("pot:2026-01"), of(&unheard), of(&alone)), (0, 80, 250));
    assert!(sizes.contains(&6) && sizes.contains(&5), "{sizes:?}");
    let prize = of(&winner) - (500 - 50 - 200 - 60);
    assert!([6 * 45, 5 * 45].contains(&prize), "{prize}");
    let sent = world.nobody().get("/sim/api/payouts?phone=0712000777").await.expect(200);
    assert_eq!(sent.as_array().unwrap().len(), 3, "each once");
    for (person, subjects) in [(&winner, 4), (&alone, 1), (&unheard, 0)] {
        let mails = world.notices(&person.email()).await;
        assert_eq!(mails.len(), subjects, "{mails:?}");
    }
    let movements = world.again(&winner).await.movements().await;
    let kinds: Vec<&str> =
        movements.iter().rev().map(|movement| movement["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "withdrawal").count(), 3, "{kinds:?}");
    assert_eq!((kinds[0], kinds.last()), ("deposit", Some(&"prize")), "{kinds:?}");
}

fn batch(bodies: &[String]) -> Value {
    let record = |(n, body): (usize, &String)| json!({"messageId": format!("m{n}"), "body": body});
    json!({"Records": bodies.iter().enumerate().map(record).collect::<Vec<_>>()})
}

/// Ten messages in one batch, one of which cannot be read: nine are done, one is to be tried again; after five
/// tries it is in the dead-letter queue, and whatever came after it has been done.
#[tokio::test]
async fn one_message_that_cannot_be_read_holds_up_no_other() {
    const BAD: &str = "{\"paymentId\":";
    let world = World::start().await;
    let look = |id: &str| json!({"paymentId": id}).to_string();
    let (mut players, mut bodies) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let paid = world.paid_prompt("/api/deposits", 100).await;
        bodies.push(look(&paid.id));
        players.push(paid.player);
    }
    bodies.insert(4, BAD.to_owned());
    let job = functions::jobs().into_iter().find(|job| job.name == "settle-payment").unwrap();
    let answer = (job.run)(world.app().clone(), batch(&bodies)).await.unwrap();
    assert_eq!(answer, json!({"batchItemFailures": [{"itemIdentifier": "m4"}]}));
    let ledger = world.ledger().await;
    assert!(players.iter().all(|player| ledger.wallets[&player.id] == 100));

    let last = world.paid_prompt("/api/deposits", 100).await;
    let queues = world.queues();
    for body in [BAD, &look(&last.id)] {
        queues.send("PaymentsQueue", body, None).unwrap();
    }
    world.advance(0).await;
    assert_eq!(last.player.wallet().await, 100);
    let waiting = || {
        let count = |queue: &str| queues.counts(queue, queues.now()).unwrap();
        let (queue, dead) = (count("PaymentsQueue"), count("PaymentsDeadLetters"));
        (queue.visible + queue.in_flight + queue.delayed, dead.visible)
    };
    // It is hidden for six minutes after each try.
    world.advance(4 * 360 - 10).await;
    assert_eq!(waiting(), (1, 0));
    world.advance(2 * 360).await;
    assert_eq!(waiting(), (0, 1));
    world.ledger().await;
}

/// A mistake of ours: the code panics over one of ten messages in a batch, at whatever step. The nine others are done,
/// and the one is done when it comes again.
#[tokio::test]
async fn one_message_that_panics_takes_no_other_with_it() {
    let world = World::start().await;
    let job = functions::jobs().into_iter().find(|job| job.name == "settle-payment").unwrap();
    for step in [1, 12] {
        let mut players = Vec::new();
        let mut bodies = Vec::new();
        for _ in 0..10 {
            let paid = world.paid_prompt("/api/deposits", 100).await;
            bodies.push(json!({"paymentId": paid.id, "callback": paid.callback}).to_string());
            players.push(paid.player);
        }
        let process = world.process(Fate::Panics(step));
        let answer = (job.run)(process.app().clone(), batch(&bodies)).await.unwrap();
        let failed = answer["batchItemFailures"].as_array().unwrap();
        assert_eq!(failed.len(), 1, "{answer}");
        let wallets = world.ledger().await.wallets;
        let credited = players.iter().filter(|player| wallets[&player.id] == 100).count();
        assert!(credited >= 9, "{credited}");
        let again = (job.run)(world.app().clone(), batch(&bodies)).await.unwrap();
        assert_eq!(again, json!({"batchItemFailures": []}));
        let wallets = world.ledger().await.wallets;
        assert!(players.iter().all(|player| wallets[&player.id] == 100));
    }
}

/// What is only shown of a gameweek cannot be kept: what its points are made of, its matches, why an entry is in no
/// league. It is drawn, and the league and the lone entry have their money.
#[rstest]
#[case::points_made_of("GW#2026-01#WHY#")]
#[case::matches("GW#2026-01/MATCHES")]
#[case::in_no_league("DRAW#2026-01#250/UNPLACED#")]
#[tokio::test]
async fn what_is_only_shown_holds_up_no_money(#[case] refused: &str) {
    let world = World::start().await;
    world.faults(json!({"dynamodb": {"refusedPuts": refused}})).await;
    world.crowd_in_order(6, 50).await;
    let alone = world.player_with(250).await;
    alone.join(250, 1).await.expect(201);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(60).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-01"), ledger.account("fees")), (0, 30));
    assert_eq!(ledger.wallets[&alone.id], 250);
}
