//! The nightly reading of the books: they add up after whatever people do; what is made wrong is found by
//! a second look, told, and pauses payouts until an admin acts.

use app::{App, platform::queues::ReconcileSegment, withdrawals::payouts};
use domain::{Kes, ledger::postings::Posting};
use jiff::SignedDuration;
use local::{Settings, process::Fate};
use reqwest::Method;
use serde_json::{Value, json};
use store::ledger::{
    reconciliation::{ReconciliationRun, SegmentPart},
    sum_trees::SumTree,
};
use tokio::task::JoinHandle;

use crate::support::{
    Person, World, assert_has,
    log_capture::Lines,
    money::rejected,
    mpesa::{paid, payout_completed},
    processes::{hear_that_it_is_paid, in_every_fate},
    text,
};

/// Makes a number in the table wrong.
async fn plant(world: &World, pk: &str, sk: &str, attribute: &str, number: i64) {
    let body = json!({"pk": pk, "sk": sk, "attribute": attribute, "number": number});
    world.sim(Method::PUT, "/table", body).await;
}

async fn switch_payouts(world: &World, paused: bool) {
    let body = json!({"payoutsPaused": paused, "reason": "Looked into."});
    world.admin().await.put("/api/admin/switches", body).await.expect(200);
}

fn sum(books: &Value, figure: &str) -> i64 {
    books["days"].as_array().unwrap().iter().map(|day| day[figure].as_i64().unwrap()).sum()
}

fn account(books: &Value, name: &str) -> i64 {
    let accounts = books["accounts"].as_array().unwrap();
    let of = accounts.iter().find(|account| account["name"] == name);
    of.map_or(0, |account| account["amount"].as_i64().unwrap())
}

/// Everything that moves money, over a week.
async fn play(world: &World) {
    let rich = world.player_with(1000).await;
    rich.join(100, 1).await.expect(201);
    world.crowd(12, 50).await;
    world.confirm_code(world.player().await.typed_code("UHK7RT61SV").await, 300).await.expect(200);
    let (paid, returned) =
        (rich.withdrawal("0712000777", 200).await, rich.withdrawal("0712000777", 150).await);
    rich.withdrawal("0712000777", 60).await;
    let admin = world.admin().await;
    admin.pay_out(&paid).await.expect(200);
    admin.end_withdrawal(&returned, rejected("Wrong number.")).await.expect(200);
    world.paid_otherwise(&world.player().await, 600).await;
    world.player().await.prompt(70).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(7200).await;
}

#[tokio::test]
async fn the_books_add_up_after_a_played_week() {
    let world = World::start().await;
    assert_has(&world.books().await, json!({"report": null, "accounts": [], "days": []}));
    play(&world).await;
    let books = world.read_books().await;
    let report = &books["report"];
    assert_has(report, json!({"found": 0, "pausedPayouts": false}));
    assert_eq!(books["payouts"]["paused"], false);
    let ledger = world.ledger().await;
    assert_eq!(report["wallets"], ledger.wallets.len());
    assert_eq!(account(&books, "wallets"), ledger.wallets.values().sum::<i64>());
    for name in ["mpesa:in", "mpesa:out", "withdrawals", "fees", "rounding", "pot:2026-01"] {
        assert_eq!(account(&books, name), ledger.account(name), "{name}");
    }
    assert_eq!(
        books["accounts"].as_array().unwrap().iter().map(|a| a["amount"].as_i64().unwrap()).sum::<i64>(),
        0
    );

    assert_eq!(sum(&books, "deposits"), 1000 + 12 * 50 + 300);
    assert_eq!((sum(&books, "entries"), sum(&books, "refunds")), (100 + 12 * 50, 100), "one was alone");
    let shared = sum(&books, "prizes") + sum(&books, "fees") + sum(&books, "rounding");
    assert_eq!((shared, sum(&books, "fees")), (600, 60));
    assert_eq!(sum(&books, "withdrawals"), 200);
    assert_has(report, json!({"setAside": 600, "setAsides": 1}));
    assert_eq!(report["moving"], 0);

    // Another night, and what is younger than ten minutes is left for the next.
    let player = world.player_with(500).await;
    world.start_job("reconcile").await;
    world.advance(0).await;
    let books = world.books_as_read().await;
    assert_eq!(sum(&books, "deposits"), 1900);
    drop(player);
    let books = world.read_books().await;
    assert_eq!((sum(&books, "deposits"), &books["report"]["found"]), (2400, &json!(0)));
}

/// Four hundred players take several messages a segment: every wallet is read once, and the one that is
/// wrong is found among them. (Their deposits have no prompts: each of those is named.)
#[tokio::test]
async fn a_table_that_takes_many_messages_is_read_whole() {
    let world = World::start().await;
    let entries = world.many(400, 50).await;
    let books = world.read_books().await;
    assert_eq!(books["report"]["wallets"], world.ledger().await.wallets.len());
    assert_eq!((account(&books, "mpesa:in"), account(&books, "pot:2026-01")), (-20_000, 20_000));
    assert_has(&books["report"], json!({"found": 400, "moving": 0}));
    let player = entries[211].user_id.as_str();
    plant(&world, &format!("USER#{player}"), "WALLET", "balance", 1).await;
    let report = world.read_books().await["report"].clone();
    assert_eq!(report["found"], 401);
    let shown = report["differences"].as_array().unwrap();
    assert_eq!((shown.len(), &shown[0]["kind"], &shown[0]["on"]), (100, &json!("wallet"), &json!(player)));
    assert!(shown[1..].iter().all(|difference| difference["kind"] == "prompts"));
}

/// Credited by an admin with another amount; paid, and credited by its typed code instead: both add up.
#[tokio::test]
async fn what_was_credited_otherwise_than_asked_for_adds_up() {
    let world = World::start().await;
    let (odd, typist) = (world.player().await, world.player().await);
    let (id, _) = world.paid_otherwise(&odd, 600).await;
    let credit = json!({"act": "credit", "reason": "Seen in M-Pesa's portal.", "amount": 500});
    world.admin().await.post(&format!("/api/admin/set-asides/{id}"), credit).await.expect(200);
    let (prompt, receipt) = world.paid_and_reported_failed(&typist, 500).await;
    world.confirm_code(&typist.typed_code(&receipt).await, 500).await.expect(200);
    world.call_back(&typist, &prompt, 0, Some(&receipt)).await;
    world.advance(120).await;
    let status = world.deposit_status(&prompt).await;
    assert_eq!(status["status"], "SUCCESS", "paid, and credited once");
    let books = world.read_books().await;
    assert_eq!((&books["report"]["found"], sum(&books, "deposits")), (&json!(0), 1000), "{books}");
}

/// A prompt that is set aside and its confirmation are one payment. Once its code is credited the money is in a wallet, and
/// the prompt alone waits for an admin.
#[tokio::test]
async fn what_is_set_aside_counts_once_and_not_once_its_code_is_credited() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "after").await;
    world.faults(json!({"daraja": "none"})).await;
    let receipt = text(&world.prompts(&player.phone()).await[0], "receipt");
    let read = async || {
        world.advance(900).await;
        world.start_job("ask-for-balance").await;
        world.advance(0).await;
        world.read_books().await["report"].clone()
    };
    let once = json!({"setAside": 500, "setAsides": 1, "unclaimed": 0, "unclaimedPayments": 0});
    assert_has(&read().await, once.clone());

    world.report_paid(&player, &id, 500, &receipt).await;
    assert_has(&read().await, once);

    let code = world.again(&player).await.typed_code(&receipt).await;
    world.confirm_code(&code, 500).await.expect(200);
    let report = read().await;
    let in_a_wallet =
        json!({"setAside": 0, "setAsides": 1, "unclaimed": 0, "unclaimedPayments": 0, "found": 0});
    assert_has(&report, in_a_wallet);
    assert_eq!(report["float"]["said"], "fits", "it is in the books once: {report}");
    assert_eq!(world.balance(&player).await, 500);
}

/// What M-Pesa says of a payout after its end counts on the day on which it is booked, and the table of withdrawals has it.
#[tokio::test]
async fn a_payout_that_is_corrected_is_in_the_days_figures_and_in_the_table() {
    let (world, player) = World::with_player(500).await;
    let returned = world.returned_withdrawal(&player, 200).await;
    hear_that_it_is_paid(world.app(), &returned).await;
    let sent = world.again(&player).await.withdrawal(&player.phone(), 100).await;
    world.pay_out(&sent).await.expect(200);
    world.advance(24 * 3600).await;
    let withdrawal = world.stored_withdrawal(&sent).await;
    let answer = payout_completed(&sent).replace("Completed", "Failed");
    payouts::answered(world.app(), &withdrawal, &answer).await.unwrap();

    let books = world.read_books().await;
    let last_day = books["days"].as_array().unwrap().last().unwrap();
    assert_eq!((sum(&books, "withdrawals"), &last_day["withdrawals"]), (200, &json!(-100)));
    assert_eq!((account(&books, "mpesa:out"), &books["report"]["found"]), (200, &json!(0)));
    let rows = world.export("withdrawals").await;
    for (id, ends) in [(&returned, ",0,200,paid"), (&sent, ",,,failed")] {
        let row = rows.iter().find(|row| row.starts_with(id.as_str())).unwrap();
        assert!(row.ends_with(ends), "{row}");
    }
}

/// A wrong balance is found, payouts pause, and an admin's act lets them run again; the night after, what
/// is known pauses nothing, and what is new does.
#[tokio::test]
async fn a_planted_balance_is_found_and_payouts_pause_until_an_admin_acts() {
    let world = World::start().await;
    let (player, other) = (world.player_with(500).await, world.player_with(300).await);
    let id = player.withdrawal("0712000777", 100).await;
    let pk = format!("USER#{}", player.id);
    plant(&world, &pk, "WALLET", "balance", 9000).await;
    let books = world.read_books().await;
    let report = &books["report"];
    assert_has(report, json!({"found": 1, "pausedPayouts": true}));
    let difference = &report["differences"][0];
    assert_has(difference, json!({"kind": "wallet", "on": player.id}));
    assert_has(difference, json!({"expected": 400, "found": 9000}));
    assert_eq!(difference["text"], "A wallet is not what its postings say, or is below zero.");
    let payouts = &books["payouts"];
    assert_has(payouts, json!({"paused": true, "by": "reconciliation"}));
    let why = payouts["reason"].as_str().unwrap();
    assert!(why.ends_with("are off: A wallet is not what its postings say, or is below zero."), "{why}");
    let pay = format!("/api/withdraw/{id}/pay");
    let refused = world.admin().await.send(Method::POST, &pay, None).await.refused(409);
    assert_eq!(refused, "Payouts are paused. Nothing was sent, and the withdrawal waits as before.");

    switch_payouts(&world, false).await;
    world.admin().await.send(Method::POST, &pay, None).await.expect(200);
    let books = world.read_books().await;
    assert_eq!((&books["report"]["found"], &books["payouts"]["paused"]), (&json!(1), &json!(false)), "known");
    plant(&world, &format!("USER#{}", other.id), "WALLET", "version", 7).await;
    let books = world.read_books().await;
    let kinds: Vec<_> =
        books["report"]["differences"].as_array().unwrap().iter().map(|d| &d["kind"]).collect();
    assert_eq!(kinds, ["wallet", "movements"]);
    assert_eq!(books["payouts"]["paused"], true, "something new");
    let why = books["payouts"]["reason"].as_str().unwrap();
    assert!(why.ends_with("There are 1 more."), "{why}");

    // Put right, nothing is off; the pause stays until an admin ends it.
    plant(&world, &pk, "WALLET", "balance", 400).await;
    plant(&world, &format!("USER#{}", other.id), "WALLET", "version", 1).await;
    let books = world.read_books().await;
    assert_eq!((&books["report"]["found"], &books["payouts"]["paused"]), (&json!(0), &json!(true)));
}

/// Who resumes what an admin has paused for something else reads that the books are off.
#[tokio::test]
async fn the_books_pause_payouts_over_an_admins_pause() {
    let (world, player) = World::with_player(500).await;
    switch_payouts(&world, true).await;
    plant(&world, &format!("USER#{}", player.id), "WALLET", "balance", 9000).await;
    let books = world.read_books().await;
    assert_has(&books["report"], json!({"found": 1, "pausedPayouts": true}));
    assert_has(&books["payouts"], json!({"paused": true, "by": "reconciliation"}));
    let why = books["payouts"]["reason"].as_str().unwrap();
    assert!(
        why.contains("are off: A wallet is not what its postings say, or is below zero. Paused before by "),
        "{why}"
    );
    assert!(why.ends_with(": Looked into."), "{why}");
}

/// A payment that says another amount than its posting: the sums of its day do not agree, and the second
/// reading names it.
#[tokio::test]
async fn sums_that_do_not_agree_are_read_again_and_the_payment_is_named() {
    let world = World::start().await;
    let (player, _) = (world.player_with(200).await, world.player_with(300).await);
    world.advance(60).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), paid()).await;
    plant(&world, &format!("PAY#{id}"), "PAY", "amount", 550).await;
    let books = world.read_books().await;
    let differences = books["report"]["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{differences:?}");
    let difference = &differences[0];
    assert_has(difference, json!({"kind": "prompts", "on": id}));
    assert_has(difference, json!({"expected": 500, "found": 550}));
    assert!(difference["day"].is_string());
    assert_eq!(books["payouts"]["paused"], true);
}

/// Has a wallet move again and again, in this process, and sometimes by a withdrawal.
fn moving(world: &World, player: &Person) -> JoinHandle<()> {
    let (app, player) = (world.app().clone(), player.clone());
    tokio::spawn(async move {
        let id = player.user_id();
        for n in 0..60 {
            if n % 10 == 0 {
                player.withdrawal("0712000777", 60).await;
            }
            let gift = Posting::correction_up(&id, &store::random_id(), Kes::new(1));
            assert!(app.store().credit_wallet(&id, &gift, app.clock().now()).await.unwrap());
        }
    })
}

/// Wallets that move all the time while the books are read are no mismatch: not between their postings and themselves, which
/// are read some items at a time, and not while they are looked at once more.
#[tokio::test]
async fn what_moves_while_it_is_read_is_no_mismatch() {
    let parameters = [("BooksItemsAtOnce", "3".to_owned())].into();
    // All that is given here is given faster than people are.
    let settings = Settings { parameters, partition_limits: false, ..Settings::default() };
    let world = World::start_with(settings).await;
    let mut players = Vec::new();
    for _ in 0..12 {
        players.push(world.player_with(1000).await);
    }
    let moving: Vec<_> = players.iter().map(|player| moving(&world, player)).collect();
    world.start_job("reconcile").await;
    for moved in moving {
        moved.await.unwrap();
    }
    world.advance(0).await;
    let report = world.books_as_read().await["report"].clone();
    assert_eq!(report["found"], 0, "{report}");
    assert_eq!(world.read_books().await["report"]["found"], 0);
}

/// A reading that begins now, of which nobody is sent a message.
fn reading(app: &App) -> ReconciliationRun {
    let now = app.clock().now();
    ReconciliationRun {
        id: store::random_id(),
        started_at: now,
        as_of: now - SignedDuration::from_mins(10),
        float_at: None,
        segments: 2,
        round: 1,
        suspects: Vec::new(),
        found: Vec::new(),
        finished_at: None,
    }
}

/// A reading by hand, in this thread: nothing is sent. Answers the alarms that it rang.
async fn read_here(world: &World) -> Vec<String> {
    world.advance(900).await;
    let run = reading(world.app());
    let seen = world.app().store().reconciliation_run().await.unwrap();
    assert!(world.app().store().put_reconciliation_run(&run, seen.as_ref()).await.unwrap());
    let (log, here) = Lines::capture();
    for segment in [0, 1, 1, 0] {
        app::ledger::reconciliation::read(world.app(), &ReconcileSegment { run: run.id.clone(), segment })
            .await
            .unwrap();
    }
    drop(here);
    log.all().iter().filter_map(|line| line["alarm"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn books_that_are_off_ring_the_alarm_once_a_reading() {
    let (world, player) = World::with_player(500).await;
    assert_eq!(read_here(&world).await, Vec::<String>::new());
    plant(&world, &format!("USER#{}", player.id), "WALLET", "balance", 501).await;
    assert_eq!(read_here(&world).await, ["books"]);
    assert_eq!(read_here(&world).await, ["books"], "as long as they are off");
}

/// What a process has left of a reading is taken up within the hour; and the next one finds nothing wrong.
async fn is_read_all_the_same(world: &World, fate: Fate) {
    world.advance(3600).await;
    let report = world.books_as_read().await["report"].clone();
    assert!(report.is_null() || report["found"] == 0, "{fate:?}: {report}");
    assert_eq!(world.read_books().await["report"]["found"], 0);
}

/// Wherever a process dies, or loses an answer, a reading comes to its end, once.
#[tokio::test]
async fn a_reading_ends_wherever_a_process_dies() {
    let world = World::start().await;
    world.player_with(500).await;
    let begun = in_every_fate(&world, async |process, fate| {
        process.run(async { app::ledger::reconciliation::start(process.app()).await.unwrap() }).await;
        is_read_all_the_same(&world, fate).await;
    })
    .await;
    assert!(begun >= 2, "it is written and sent: {begun}");
    let read = in_every_fate(&world, async |process, fate| {
        process
            .run(async {
                let (app, run) = (process.app(), reading(process.app()));
                let seen = app.store().reconciliation_run().await.unwrap();
                // An answer that is missed is asked for again: it is written then.
                app.store().put_reconciliation_run(&run, seen.as_ref()).await.unwrap();
                for segment in [0, 1] {
                    let message = ReconcileSegment { run: run.id.clone(), segment };
                    app::ledger::reconciliation::read(app, &message).await.unwrap();
                }
            })
            .await;
        is_read_all_the_same(&world, fate).await;
    })
    .await;
    assert!(read > 6, "{read}");
}

#[tokio::test]
async fn a_reading_that_never_ended_is_told_and_the_next_one_begins() {
    let world = World::start().await;
    world.player_with(500).await;
    world.schedule("remind-of-payments", false).await;
    let lost = reading(world.app());
    assert!(world.app().store().put_reconciliation_run(&lost, None).await.unwrap());
    world.advance(3600).await;
    let open = world.books().await;
    assert_eq!((&open["report"], open["readingSince"].is_string()), (&json!(null), true));
    let (log, here) = Lines::capture();
    app::ledger::reconciliation::start(world.app()).await.unwrap();
    drop(here);
    let alarms = log.all().iter().filter(|line| line["alarm"] == "books").count();
    assert_eq!(alarms, 1);
    world.advance(0).await;
    assert_eq!(world.books_as_read().await["report"]["found"], 0);
}

/// Whoever has read how far a reading is, and writes after another process has gone on with it, sets nothing back.
#[tokio::test]
async fn a_reading_is_not_set_back_by_who_is_late() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let first = reading(world.app());
    assert!(store.put_reconciliation_run(&first, None).await.unwrap());
    assert!(!store.put_reconciliation_run(&reading(world.app()), None).await.unwrap());
    let again = ReconciliationRun { round: 2, ..first.clone() };
    assert!(store.put_reconciliation_run(&again, Some(&first)).await.unwrap());
    assert!(!store.put_reconciliation_run(&again, Some(&first)).await.unwrap());
    let ended = ReconciliationRun { finished_at: Some(now), ..again.clone() };
    assert!(store.put_reconciliation_run(&ended, Some(&again)).await.unwrap());
    let later = ReconciliationRun { finished_at: Some(now + SignedDuration::from_secs(1)), ..again.clone() };
    assert!(!store.put_reconciliation_run(&later, Some(&again)).await.unwrap());
    assert_eq!(store.reconciliation_run().await.unwrap(), Some(ended));

    for (seq, is_next) in [(1, true), (1, false), (2, true), (1, false)] {
        let part = SegmentPart { seq, totals: "{}".to_owned(), ..SegmentPart::default() };
        assert_eq!(store.put_reconciliation_part(&first, &part).await.unwrap(), is_next, "{seq}");
    }

    let tree = SumTree {
        id: store::random_id(),
        secret: [7; 32],
        leaves: 0,
        runs: Vec::new(),
        done: false,
        at: now,
    };
    assert!(store.put_sum_tree(&tree, None).await.unwrap());
    assert!(!store.put_sum_tree(&tree, None).await.unwrap());
    assert!(store.put_sum_tree(&SumTree { done: true, ..tree.clone() }, Some(0)).await.unwrap());
    assert!(!store.put_sum_tree(&tree, Some(0)).await.unwrap());
    assert!(store.sum_tree(&tree.id).await.unwrap().unwrap().done);
}

#[tokio::test]
async fn the_books_are_read_every_night_and_only_for_admins() {
    let (world, player) = World::with_player(500).await;
    player.get("/api/admin/books").await.refused(403);
    world.advance(24 * 3600).await;
    let books = world.books_as_read().await;
    assert_eq!((&books["report"]["found"], sum(&books, "deposits")), (&json!(0), 500));
    assert!(books["report"]["startedAt"].as_str().unwrap().contains("T21:10"), "{}", books["report"]);
}
