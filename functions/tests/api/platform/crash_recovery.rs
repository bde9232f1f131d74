//! A process that dies at any of its steps, or loses the answer to any of them: what it was at is done
//! again by another one, and has happened once (faults 4 and 15).

use app::{
    App,
    payments::{
        prompts::{self, NewPrompt},
        set_asides, typed_codes,
    },
    platform::queues::ProcessPayment,
    settlement::settling,
    withdrawals::{cancellation, payouts, requests},
};
use domain::{
    EntryAmount, GameweekId, Kes, MpesaPhone,
    payments::{
        set_aside::SetAsideAct,
        typed_code::{self, ReceiptCode},
    },
    platform::idempotency::Call,
};
use local::{fixtures, process::Fate, verify};
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{
    admin::{audit::Who, permits::Permit},
    entries::Joined,
    leagues::{LeagueId, Reading},
    payments::typed_codes::TypedCode,
    platform::idempotency::Binding,
};

use crate::{
    leagues::draw_races::drawn,
    payments::deposits::callback,
    platform::interleavings::{join, link_of, player, withdraw},
    support::{Person, World, read},
};

/// Has `work` end at each of its steps in each way, on a subject of its own each time; then another
/// process does it from the start. Answers the subjects, and how many steps the work has.
pub async fn at_every_step<S>(
    world: &World,
    mut subject: impl AsyncFnMut() -> S,
    work: impl AsyncFn(&App, &S),
) -> (Vec<S>, u64) {
    let mut subjects = Vec::new();
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let this = subject().await;
            let process = world.process(fate);
            let lived = process.run(work(process.app(), &this)).await.is_some();
            reached |= process.tally().steps >= step;
            let dies = !matches!(fate, Fate::Misses(_)) && process.tally().steps >= step;
            assert_eq!(lived, !dies, "{fate:?} of {:?}", process.tally());
            work(world.app(), &this).await;
            subjects.push(this);
        }
        if !reached {
            return (subjects, step - 1);
        }
    }
    unreachable!("the steps end")
}

#[tokio::test]
async fn a_league_is_paid_once_wherever_its_settling_ends() {
    const LEAGUES: u32 = 60;
    let world = World::start().await;
    let (app, amount) = (world.app(), EntryAmount::Fifty);
    let id: GameweekId = "2026-01".parse().unwrap();
    world.faults(json!({"fpl": "down"})).await;
    let mut entries = Vec::new();
    for n in 0..LEAGUES * 10 {
        entries.push(fixtures::enter(app, id, amount, n).await);
    }
    fixtures::end_play(app, id).await;
    app::leagues::draw::close(app, id).await.unwrap();
    // Four share the first place: 450 is 112 each, and two are left over.
    let four_tie = |readings: &mut Vec<Reading>| {
        let gross = |reading: &Reading| reading.official.as_ref().unwrap().figures.gross;
        readings.sort_by_key(gross);
        let best = readings[9].clone();
        readings[6..].fill(best);
    };
    let mut left = fixtures::read_teams(app, id, amount, four_tie).await.into_iter();
    let (settled, steps) = at_every_step(
        &world,
        async || left.next().expect("a league for each case"),
        async |app, league: &LeagueId| assert!(settling::settle_league(app, *league).await.unwrap()),
    )
    .await;
    // The record, four prizes and their mails, the league's end.
    assert!(steps >= 10, "{steps}");
    let ledger = world.ledger().await;
    let leagues = i64::try_from(settled.len()).unwrap();
    assert_eq!((ledger.account("fees"), ledger.account("rounding")), (50 * leagues, 2 * leagues));
    assert_eq!(ledger.account("pot:2026-01"), (i64::from(LEAGUES) - leagues) * 500);
    let won = ledger.wallets.values().filter(|balance| **balance == 50 + 112).count();
    let rest = ledger.wallets.values().filter(|balance| **balance == 50).count();
    assert_eq!((won, won + rest), (settled.len() * 4, entries.len()));
}

/// A draw ends before or after each of its writes: the list, its hash, the round, the beacon's value, the seed, the
/// leagues. It goes on to leagues that verify.
#[rstest]
#[case::before(Fate::DiesBefore)]
#[case::after(Fate::DiesAfter)]
#[case::unheard(Fate::Misses)]
#[tokio::test]
async fn a_gameweek_is_drawn_once_wherever_its_draw_ends(#[case] fate: fn(u64) -> Fate) {
    let world = World::start().await;
    for job in ["sync-gameweek", "close-gameweek"] {
        world.schedule(job, false).await;
    }
    let app = world.app();
    for step in 1_u8.. {
        let id = GameweekId { season: 2026, number: step };
        for n in 0..12 {
            fixtures::enter(app, id, EntryAmount::Fifty, u32::from(step) * 100 + n).await;
        }
        fixtures::pass_deadline(app, id).await;
        let process = world.process(fate(step.into()));
        process.run(drawn(&world, process.app(), id)).await;
        let reached = process.tally().steps >= u64::from(step);
        let hash =
            async || app.store().entry_list(id, EntryAmount::Fifty).await.unwrap().map(|list| list.hash);
        let public = hash().await;
        fixtures::enter(app, id, EntryAmount::Fifty, u32::from(step) * 100 + 99).await;
        drawn(&world, app, id).await;
        assert!(public.is_none() || hash().await == public, "a list that was public does not change");
        let words = [id.to_string(), world.base.clone()];
        let options = verify::Options::parse(&words.each_ref().map(String::as_str)).unwrap();
        let report = verify::run(&options).await.unwrap();
        // It never opened, so its secret has no hash from then.
        let failed: Vec<_> = report.failures().filter(|(_, what)| !what.contains("the secret")).collect();
        assert!(failed.is_empty() && report.leagues == 2, "step {step}: {report}");
        let pot = world.ledger().await.account(&format!("pot:{id}"));
        assert!(pot == 13 * 50 || pot == 12 * 50, "step {step}: {pot}");
        if !reached {
            assert!(step > 11, "lists, round, beacon, seeds, leagues, sweeps, the end: {step}");
            return;
        }
    }
}

/// A prompt that was paid, and M-Pesa's callback, which nobody has heard yet.
pub struct Paid {
    pub player: Person,
    pub id: String,
    pub callback: String,
}

pub async fn prompt(world: &World, path: &str, price: i64) -> Paid {
    let player = world.player().await;
    let body = json!({"phone": player.phone(), "amount": price, "fplId": player.fpl_id, "userId": player.id,
        "entryAmount": price, "gameweek": 1});
    let answer = player.post(path, body).await.expect(200);
    let id = answer["checkoutId"].as_str().unwrap().to_owned();
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.decide_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let callback = callback(prompts[0]["checkoutRequestId"].as_str().unwrap(), &receipt, price).to_string();
    Paid { player, id, callback }
}

pub async fn process_callback(app: &App, paid: &Paid) {
    let heard =
        ProcessPayment { callback: Some(paid.callback.clone()), ..ProcessPayment::question(&paid.id, 0) };
    prompts::process(app, &heard).await.unwrap();
}

#[tokio::test]
async fn a_deposit_is_credited_once_wherever_its_settling_ends() {
    let world = World::start().await;
    let deposit = async || prompt(&world, "/api/deposits", 500).await;
    let (deposits, steps) = at_every_step(&world, deposit, process_callback).await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    for Paid { player, id, .. } in &deposits {
        assert_eq!(ledger.wallets[&player.id], 500);
        let path = format!("/api/deposits/status?checkoutId={id}");
        assert_eq!(player.get(&path).await.expect(200)["status"], "SUCCESS");
        // The number is claimed after the credit: what ended in between is made good.
        let number = MpesaPhone::for_deposit(&player.phone()).unwrap();
        let own = world.app().store().own_number(&number).await.unwrap().expect("claimed");
        assert_eq!(own.user_id.as_str(), player.id);
    }
    assert_eq!(ledger.account("mpesa:in"), -500 * i64::try_from(deposits.len()).unwrap());
}

#[tokio::test]
async fn a_paid_entry_is_made_once_wherever_its_settling_ends() {
    let world = World::start().await;
    let pay = async || prompt(&world, "/api/pay", 50).await;
    let (entries, steps) = at_every_step(&world, pay, process_callback).await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    for Paid { player, .. } in &entries {
        assert_eq!(ledger.wallets[&player.id], 0);
        assert_eq!(player.leagues(50, 1).await[0]["own"], true);
    }
    let paid = 50 * i64::try_from(entries.len()).unwrap();
    assert_eq!((ledger.account("mpesa:in"), ledger.account("pot:2026-01")), (-paid, paid));
}

/// A prompt that was credited on M-Pesa's answer, and the paybill's confirmation of it, which comes late: it is the
/// prompt's receipt, once, wherever its judging ends, and credits nothing more.
#[tokio::test]
async fn a_receipt_is_its_prompts_wherever_its_judging_ends() {
    let world = World::start().await;
    let credited = async || {
        let player = world.player().await;
        let body = json!({"phone": player.phone(), "amount": 500});
        let answer = player.post("/api/deposits", body).await.expect(200);
        let id = answer["checkoutId"].as_str().unwrap().to_owned();
        let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
        let receipt = world.decide_prompt(&player.phone(), how).await["receipt"].clone();
        prompts::process(world.app(), &ProcessPayment::question(&id, 0)).await.unwrap();
        let payment = world.app().store().payment(&id).await.unwrap().unwrap();
        assert_eq!((payment.state.into_str(), &payment.receipt), ("SUCCESS", &None));
        let east_africa = jiff::tz::Offset::constant(3).to_datetime(world.app().clock().now());
        let confirmation = json!({"TransID": receipt, "TransAmount": "500.00", "BusinessShortCode": "174379",
            "TransTime": east_africa.strftime("%Y%m%d%H%M%S").to_string(),
            "BillRefNumber": payment.account, "MSISDN": format!("2547 ***** {}", &player.phone()[7..])});
        (player, id, receipt.as_str().unwrap().to_owned(), confirmation.to_string())
    };
    let (receipts, steps) = at_every_step(&world, credited, async |app, (_, _, _, confirmation)| {
        let at = app.clock().now();
        app::payments::paybill::take_confirmation(app, confirmation, at).await.unwrap();
    })
    .await;
    assert!(steps >= 3, "kept, claimed, judged: {steps}");
    let ledger = world.ledger().await;
    for (player, id, receipt, _) in &receipts {
        assert_eq!(ledger.wallets[&player.id], 500);
        let claim = world.app().store().receipt(receipt).await.unwrap().expect("it is claimed");
        assert_eq!(claim.cause, format!("deposit#{id}"));
        let confirmed = world.app().store().paybill_payment(receipt).await.unwrap().expect("it is kept");
        assert!(confirmed.judged.is_some());
    }
}

/// A look at a typed code ends anywhere, while M-Pesa is silent: once that answers the code is asked about again, and
/// credited once, also where the look that was to come is lost.
#[tokio::test]
async fn a_typed_code_is_credited_wherever_a_look_at_it_ends() {
    let world = World::start().await;
    let mut people = Vec::new();
    for _ in 0..21 {
        people.push(world.player_with(100).await);
    }
    world.advance(24 * 3600 + 60).await;
    // M-Pesa's token is fresh, so no look has to see to that.
    world.fund(&world.player().await, 100).await;
    world.faults(json!({"daraja": "pending"})).await;
    let mut left = people.into_iter();
    let sent_in = async || {
        let person = left.next().expect("one for each case");
        let body = json!({"phone": person.phone(), "amount": 250, "confirm": false});
        let receipt = world.sim(Method::POST, "/paybill", body).await["receipt"].as_str().unwrap().to_owned();
        let payer = player(world.app(), &person).await;
        let counter = app::platform::limits::typed_codes(&payer.id);
        let typed_code = TypedCode {
            id: store::random_id(),
            user_id: payer.id,
            username: payer.username,
            code: ReceiptCode::parse(&receipt).unwrap(),
            status: typed_code::Status::Pending,
            created_at: world.app().clock().now(),
            ended_at: None,
            ended_by: None,
            amount: None,
            reason: None,
            known: None,
            next_check: None,
            checks_over: false,
        };
        world.app().store().submit_typed_code(&typed_code, &counter, None).await.unwrap();
        (person, typed_code.id)
    };
    let (sent, steps) = at_every_step(&world, sent_in, async |app, (_, id)| {
        typed_codes::process(app, id, 0).await.unwrap();
    })
    .await;
    assert!(steps >= 4, "the question twice, the next look, its message: {steps}");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(2 * 3600).await;
    let ledger = world.ledger().await;
    for (person, id) in &sent {
        assert_eq!(ledger.wallets[&person.id], 350, "player{} {id}", person.n);
    }
}

/// The request for a prompt ends anywhere, before M-Pesa has accepted it or before its ids were kept. What is
/// paid is credited by its callback; without one, by M-Pesa's answer where the ids were kept, and where they
/// were not an admin is shown it after a day.
#[rstest]
#[case::with_its_callback("once")]
#[case::without_one("never")]
#[tokio::test]
async fn a_prompt_that_is_paid_is_found_wherever_its_request_ends(#[case] callback: &str) {
    let world = World::start().await;
    let (mut prompted, mut silent) = (Vec::new(), 0);
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let (person, process) = (world.player().await, world.process(fate));
            let payer = player(world.app(), &person).await;
            let phone = MpesaPhone::for_deposit(&person.phone()).unwrap();
            let prompt = NewPrompt { phone, amount: Kes::new(500), entry: None, binding: None };
            let answered = process.run(prompts::start(process.app(), &payer, prompt)).await.is_some();
            reached |= process.tally().steps >= step;
            let on_phone = format!("/sim/api/prompts?phone={}", person.phone());
            let on_phone = world.nobody().get(&on_phone).await.expect(200).as_array().unwrap().len();
            assert!(on_phone <= 1 && (on_phone == 1 || !answered), "{fate:?}");
            if on_phone == 1 {
                let how = json!({"outcome": "success", "callback": callback});
                world.decide_prompt(&person.phone(), how).await;
            }
            silent += usize::from(on_phone == 1 && !answered && fate == Fate::DiesBefore(step));
            prompted.push((person, on_phone));
        }
        if !reached {
            break;
        }
    }
    assert_eq!(silent, 1, "it dies once between the prompt and its ids");
    world.advance(2 * 24 * 3600).await;
    let ledger = world.ledger().await;
    let cases = world.admin().await.get("/api/admin/set-asides").await.expect(200);
    let mut for_admin = 0;
    for (person, on_phone) in &prompted {
        let shown = cases.as_array().unwrap().iter().any(|case| case["phone"] == json!(person.phone()));
        let credited = ledger.wallets[&person.id];
        for_admin += usize::from(*on_phone == 1 && shown);
        assert_eq!(credited, if *on_phone == 1 && !shown { 500 } else { 0 }, "{}", person.phone());
    }
    assert_eq!(for_admin, if callback == "never" { silent } else { 0 });
    let open = world.app().store().open_payments(None, 100).await.unwrap().items;
    assert!(open.is_empty(), "nobody asks about these any more: {open:?}");
}

/// An entry and a withdrawal: whose answer alone is lost is told that it is done, and whoever asks again finds
/// it done.
#[tokio::test]
async fn what_is_spent_is_spent_once_wherever_its_request_ends() {
    let world = World::start().await;
    let funded = async || world.player_with(200).await;
    let (entered, steps) = at_every_step(&world, funded, async |app, person| {
        join(app, person, EntryAmount::Fifty).await;
    })
    .await;
    assert_eq!(steps, 1, "one transaction");
    let ledger = world.ledger().await;
    assert!(entered.iter().all(|person| ledger.wallets[&person.id] == 150));

    let (one, other) = (funded().await, funded().await);
    let process = world.process(Fate::Misses(1));
    let joined = process.run(join(process.app(), &one, EntryAmount::Fifty)).await;
    assert_eq!((joined, process.tally().steps), (Some(Joined::Entered), 2));
    // The message about it, the transaction twice, and the message once more.
    let process = world.process(Fate::Misses(2));
    let asked = process.run(withdraw(process.app(), &other, 100, None)).await;
    assert_eq!((asked, process.tally().steps), (Some(true), 4));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&one.id], ledger.wallets[&other.id]), (150, 100));
}

/// The function dies with its answer, and the player asks again: a second later, or when the database has
/// forgotten the attempt's token.
#[rstest]
#[case::a_second_later(1)]
#[case::eleven_minutes_later(11 * 60)]
#[tokio::test]
async fn what_was_done_unheard_is_not_done_again(#[case] after: i64) {
    let world = World::start().await;
    let person = world.player_with(200).await;
    let dying = world.process(Fate::DiesAfter(1));
    assert_eq!(dying.run(join(dying.app(), &person, EntryAmount::Fifty)).await, None);
    let body = json!({"amount": 100, "mpesaNumber": person.phone()});
    let hash = |text: &str| hex::encode(Sha256::digest(text));
    let binding = Binding {
        player: player(world.app(), &person).await.id,
        call: Call::Withdraw,
        key_hash: hash("key-1"),
        body_hash: hash(&format!("{{\"amount\":100,\"mpesaNumber\":\"{}\",}}", person.phone())),
        instead_of: None,
    };
    let dying = world.process(Fate::DiesAfter(2));
    assert_eq!(dying.run(withdraw(dying.app(), &person, 100, Some(&binding))).await, None);

    world.advance(after).await;
    assert_eq!(person.join(50, 1).await.refused(409), "You already joined this gameweek.");
    let request = || {
        let request = person.request(Method::POST, "/api/withdraw").header("idempotency-key", "key-1");
        read(request.bearer_auth(person.token.as_ref().unwrap()).json(&body))
    };
    let (first, second) = (request().await.expect(201), request().await.expect(201));
    assert_eq!((&first["walletBalance"], &first), (&json!(50), &second));
    assert_eq!(world.ledger().await.wallets[&person.id], 50);
}

pub async fn withdrawal(world: &World) -> (Person, String) {
    let player = world.player_with(500).await;
    let body = json!({"mpesaNumber": player.phone(), "amount": 450});
    let id = player.post("/api/withdraw", body).await.expect(201)["_id"].as_str().unwrap().to_owned();
    (player, id)
}

#[tokio::test]
async fn a_rejected_withdrawal_comes_back_once_wherever_that_ends() {
    let world = World::start().await;
    let (rejected, steps) = at_every_step(
        &world,
        async || withdrawal(&world).await,
        async |app, (_, id)| {
            let ending = requests::Ending::Rejected { reason: "Wrong number.".to_owned() };
            let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
            requests::end(app, &withdrawal, &ending, &Permit::plain(Who::Operator, app.clock().now()))
                .await
                .unwrap();
        },
    )
    .await;
    assert!(steps >= 2, "{steps}");
    let ledger = world.ledger().await;
    assert!(rejected.iter().all(|(player, _)| ledger.wallets[&player.id] == 500));
    assert_eq!(ledger.account("withdrawals"), 0);
}

#[tokio::test]
async fn a_cancelled_withdrawal_comes_back_once_wherever_that_ends() {
    let world = World::start().await;
    let (cancelled, steps) = at_every_step(
        &world,
        async || {
            let (person, _) = withdrawal(&world).await;
            let link = link_of(&world, &person).await;
            (person, link)
        },
        async |app, (_, link)| {
            assert!(cancellation::cancel(app, link).await.unwrap().is_ok());
        },
    )
    .await;
    assert!(steps >= 3, "the message, the transaction, the message once more: {steps}");
    world.advance(3600).await;
    let ledger = world.ledger().await;
    for (person, _) in &cancelled {
        assert_eq!(ledger.wallets[&person.id], 500);
        let notices = world.notices(&format!("player{}@example.co.ke", person.n)).await;
        assert_eq!(notices.len(), 1, "told once: {notices:?}");
    }
    assert_eq!(ledger.account("withdrawals"), 0);
}

/// Wherever the request ends: where the money has left the wallet, the mail about it comes.
#[tokio::test]
async fn a_withdrawal_to_a_new_number_is_mailed_wherever_its_request_ends() {
    let world = World::start().await;
    let mut asked = Vec::new();
    for step in 1.. {
        let mut reached = false;
        for fate in [Fate::DiesBefore(step), Fate::DiesAfter(step), Fate::Misses(step)] {
            let person = world.player_with(500).await;
            let process = world.process(fate);
            process.run(withdraw(process.app(), &person, 450, None)).await;
            reached |= process.tally().steps >= step;
            asked.push(person);
        }
        if !reached {
            break;
        }
    }
    world.advance(120).await;
    let ledger = world.ledger().await;
    for person in &asked {
        let mut mails = world.mails(&format!("player{}@example.co.ke", person.n)).await;
        mails.retain(|mail| mail["subject"] == "KSh 450 is about to leave your wallet");
        let taken = ledger.wallets[&person.id] == 50;
        assert!(taken || ledger.wallets[&person.id] == 500);
        assert_eq!(mails.len(), usize::from(taken), "{mails:?}");
    }
}

/// Wherever it ends, M-Pesa is told to pay at most once, and every withdrawal that it paid is done.
#[tokio::test]
async fn a_payout_is_sent_once_wherever_that_ends() {
    let world = World::start().await;
    let admin = domain::UserId::parse(&world.admin().await.id).unwrap();
    let admin = world.app().store().player(&admin).await.unwrap().unwrap();
    let (paid, steps) = at_every_step(
        &world,
        async || withdrawal(&world).await,
        async |app, (_, id)| {
            let withdrawal = app.store().withdrawal(id).await.unwrap().unwrap();
            // The second one is refused where the first one got as far as `sent`.
            let _sent_or_refused =
                payouts::pay(app, &withdrawal, &Permit::plain(Who::admin(&admin), app.clock().now()))
                    .await
                    .unwrap();
        },
    )
    .await;
    assert!(steps >= 2, "{steps}");
    world.advance(3600).await;
    for (player, id) in &paid {
        let to = format!("/sim/api/payouts?phone={}", player.phone());
        let sent = world.nobody().get(&to).await.expect(200).as_array().unwrap().len();
        let withdrawal = world.app().store().withdrawal(id).await.unwrap().unwrap();
        let done = withdrawal.status.into_str() == "done";
        assert_eq!(sent, usize::from(done), "{withdrawal:?}");
        assert!(done || withdrawal.payout.is_some(), "{withdrawal:?}");
    }
    world.ledger().await;
}

/// Another amount than was asked for, credited by an admin: once, with one record of the act.
#[tokio::test]
async fn a_case_is_credited_once_wherever_that_ends() {
    let world = World::start().await;
    let admin = domain::UserId::parse(&world.admin().await.id).unwrap();
    let admin = world.app().store().player(&admin).await.unwrap().unwrap();
    let case = async || {
        let player = world.player().await;
        let body = json!({"phone": player.phone(), "amount": 500, "userId": player.id});
        let id = player.post("/api/deposits", body).await.expect(200)["checkoutId"].clone();
        world.answer_prompt(&player.phone(), json!({"outcome": "success", "amount": 501})).await;
        (player, id.as_str().unwrap().to_owned())
    };
    let (cases, steps) = at_every_step(&world, case, async |app, (_, id)| {
        let case = set_asides::find(app, id).await.unwrap().expect("it is set aside");
        let reason = "The portal shows 501.";
        let permit = Permit::plain(Who::admin(&admin), app.clock().now());
        let decision = set_asides::Decision {
            act: SetAsideAct::Credit,
            reason,
            amount: Some(501),
            receipt: "",
            permit: &permit,
        };
        set_asides::decide(app, &case, decision).await.unwrap().unwrap();
    })
    .await;
    assert!(steps >= 1, "{steps}");
    let ledger = world.ledger().await;
    assert!(cases.iter().all(|(player, _)| ledger.wallets[&player.id] == 501));
    let acts = world.admin().await.get("/api/admin/audit").await.expect(200);
    for (_, id) in &cases {
        let on = json!(format!("prompt {id}"));
        assert_eq!(acts.as_array().unwrap().iter().filter(|act| act["on"] == on).count(), 1, "{id}");
    }
}
