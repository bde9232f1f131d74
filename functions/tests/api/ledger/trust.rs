//! Books for everybody: what is told of them agrees with them, a player's balance is in the sum, what was changed
//! afterwards is found, and nothing is told of one player.

use std::collections::BTreeSet;

use domain::{Kes, ledger::postings::WITHHOLDING};
use jiff::SignedDuration;
use local::{
    Settings,
    verify::balance::{Options, Saved, check, run},
};
use serde_json::{Value, json};

use crate::support::{
    Answer, Person, World, assert_has,
    money::{done, rejected},
};

async fn trust(world: &World) -> Value {
    world.nobody().get("/api/trust").await.expect(200)
}

/// What `verify-balance` says of a proof, and whether it says yes.
async fn verified(world: &World, proof: &Value) -> (bool, String) {
    let path = std::env::temp_dir().join(format!("proof-{}.json", store::random_id()));
    std::fs::write(&path, proof.to_string()).unwrap();
    let options = Options::parse(&[path.to_str().unwrap(), &world.base]).unwrap();
    let report = run(&options).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    (report.holds(), report.to_string())
}

/// By a new log-in: the one of before may have ended.
async fn asks(world: &World, player: &Person) -> Answer {
    world.player_again(player.n).await.get("/api/me/proof").await
}

async fn proof(world: &World, player: &Person) -> Value {
    asks(world, player).await.expect(200)
}

fn line(trust: &Value, what: &str) -> i64 {
    let lines = trust["sums"]["lines"].as_array().unwrap().iter();
    lines.filter(|line| line["what"] == what).map(|line| line["cents"].as_i64().unwrap()).sum()
}

/// Winners, a lone entry that is given back, withdrawals, and money in the pot of the next gameweek.
async fn play(world: &World) -> Vec<Person> {
    let rich = world.player_with(1000).await;
    rich.join(100, 1).await.expect(201);
    world.crowd(12, 50).await;
    let mut holders = vec![rich];
    for _ in 0..6 {
        holders.push(world.player_with(300).await);
    }
    let admin = world.admin().await;
    let (paid, returned) =
        (holders[0].withdrawal("0712000777", 200).await, holders[0].withdrawal("0712000777", 150).await);
    holders[0].withdrawal("0712000777", 60).await;
    admin.pay_out(&paid).await.expect(200);
    admin.end_withdrawal(&returned, rejected("Wrong number.")).await.expect(200);
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(7200).await;
    holders
}

#[tokio::test]
async fn what_is_told_of_the_books_agrees_with_them() {
    let world = World::start().await;
    assert_has(&trust(&world).await, json!({"asOf": null, "sums": null, "root": null, "gameweeks": []}));
    let early = world.player().await;
    assert_eq!(
        asks(&world, &early).await.refused(404),
        "There is no sum of all wallets yet to check yours against."
    );
    let mut holders = play(&world).await;
    world.start_job("ask-for-balance").await;
    world.advance(60).await;
    world.read_books().await;

    let (told, ledger) = (trust(&world).await, world.ledger().await);
    let wallets: i64 = ledger.wallets.values().sum();
    let booked = -(ledger.account("mpesa:in") + ledger.account("mpesa:out"));
    assert_has(&told["sums"], json!({"wallets": wallets, "booked": booked}));
    assert_has(&told, json!({"differences": 0, "gameweeksLeftOut": 0}));
    assert_has(&told["root"], json!({"sum": wallets, "wallets": ledger.wallets.len()}));
    // One withdrawal is under way: it is one player's, and no figure of its own.
    assert_eq!(line(&told, "withdrawals"), 0);
    let operator = ledger.account("fees") + ledger.account("rounding") + ledger.account("withdrawals");
    assert_eq!((line(&told, "operator"), ledger.account("withdrawals")), (operator * 100, 60));
    let mpesa = &told["sums"]["mpesa"];
    let lines = told["sums"]["lines"].as_array().unwrap().iter();
    let explained: i64 = lines.map(|line| line["cents"].as_i64().unwrap()).sum();
    assert_eq!(mpesa["differenceCents"], explained, "{told}");
    assert_eq!(mpesa["cents"].as_i64().unwrap(), wallets * 100 + explained);
    // The lone entry that was given back is in no figure.
    let week = json!({"gameweek": "2026-01", "entries": 12, "staked": 600, "fees": ledger.account("fees"),
        "rounding": ledger.account("rounding"), "settled": true, "medianPayoutMinutes": null,
        "prizes": 600 - ledger.account("fees") - ledger.account("rounding")});
    assert_eq!(told["gameweeks"], json!([week]));
    let command = told["draws"][0]["command"].as_str().unwrap();
    assert!(command.starts_with("cargo run -p local -- verify-draw 2026-01 http"), "{command}");

    // Everybody's balance leads to the root, also when the next reading is published.
    let first = proof(&world, &holders[0]).await;
    for holder in &holders {
        let proof = proof(&world, holder).await;
        assert_has(&proof, json!({"userId": holder.id, "balance": ledger.wallets[&holder.id]}));
        let (holds, report) = verified(&world, &proof).await;
        assert!(holds, "{report}");
    }
    world.player_again(holders[1].n).await.join(50, 2).await.expect(201);
    let late = world.player_with(400).await;
    assert_eq!(
        asks(&world, &late).await.refused(404),
        "You had no wallet yet when the books were read last. Look again tomorrow."
    );
    // What moves within the ten minutes before a reading is the next one's: in the sum and in each leaf.
    world.start_job("reconcile").await;
    world.advance(0).await;
    let moving = trust(&world).await;
    assert_has(&moving["root"], json!({"sum": wallets}));
    assert_ne!(moving["asOf"], told["asOf"]);
    assert_eq!(proof(&world, &holders[1]).await["balance"], 300);
    world.read_books().await;
    assert_eq!(trust(&world).await["formerRoots"][0], moving["root"]);
    assert_eq!(trust(&world).await["formerRoots"][1], told["root"]);
    let (holds, report) = verified(&world, &first).await;
    assert!(holds, "{report}");
    let second = proof(&world, &holders[0]).await;
    assert_ne!(first["nonce"], second["nonce"], "a nonce is of one reading");
    assert_eq!(proof(&world, &late).await["balance"], 400);

    // Nobody else's id or name is in what is told or proved, and what is public is the same for all.
    holders.push(late);
    let told = trust(&world).await.to_string();
    for other in &holders {
        assert!(!told.contains(&other.id));
        assert_eq!(second.to_string().contains(&other.id), other.id == holders[0].id);
    }
}

/// A wallet that is changed in the tree's parts after the reading, or in the answer.
#[tokio::test]
async fn a_balance_that_was_changed_is_found() {
    let world = World::start().await;
    let mut holders = Vec::new();
    for _ in 0..7 {
        holders.push(world.player_with(300).await);
    }
    world.read_books().await;
    let sound = proof(&world, &holders[2]).await;
    assert!(verified(&world, &sound).await.0);

    for (change, why) in [
        (json!({"balance": 301}), "the leaf: "),
        (json!({"balance": -300}), "a sum below zero"),
        (json!({"nonce": "00".repeat(32)}), "the leaf: "),
        (json!({"position": sound["position"].as_u64().unwrap() ^ 1}), "step 1: "),
        (json!({"count": 900}), "over so many wallets"),
        (json!({"asOf": "2026-08-01T00:00:00Z"}), "expected one as of"),
    ] {
        let mut changed = sound.clone();
        changed.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let (holds, report) = verified(&world, &changed).await;
        assert!(!holds && report.contains(why), "{change}: {report}");
    }

    let told: app::ledger::reconciliation::Trust =
        serde_json::from_str(&world.app().store().trust().await.unwrap().unwrap()).unwrap();
    let (tree, now) = (told.root.unwrap().tree, world.app().clock().now());
    let mut leaves = world.app().store().tree_run(&tree, 0).await.unwrap().unwrap();
    let own = leaves.iter_mut().find(|(player, _)| player.as_str() == holders[2].id).unwrap();
    own.1 = Kes::new(200);
    world.app().store().put_tree_run((&tree, 0), &leaves, now).await.unwrap();
    let changed = proof(&world, &holders[2]).await;
    assert_eq!(changed["balance"], 200);
    let (holds, report) = verified(&world, &changed).await;
    assert!(!holds && report.contains("the root: "), "{report}");
    // Another's too: it is beside the way to the root.
    assert!(!verified(&world, &proof(&world, &holders[3]).await).await.0);
    let noted: Saved = serde_json::from_value(sound).unwrap();
    let published = serde_json::from_value(trust(&world).await).unwrap();
    assert!(check(&noted, &published, Some(&"0".repeat(64))).to_string().contains("as you noted it"));
}

/// Four players' sum would tell of them: nothing is told. A fifth makes the figure.
#[tokio::test]
async fn nothing_is_told_of_fewer_than_five() {
    let world = World::start().await;
    let holder = world.player_with(300).await;
    for _ in 0..3 {
        world.player_with(200).await;
    }
    world.player().await;
    world.crowd(4, 50).await;
    world.phase(1, "checked").await;
    world.read_books().await;
    let told = trust(&world).await;
    assert_has(&told, json!({"sums": null, "root": null, "gameweeks": [], "gameweeksLeftOut": 1}));
    assert!(told["asOf"].is_string());
    asks(&world, &holder).await.refused(404);
    world.player_with(200).await;
    world.read_books().await;
    assert_eq!(trust(&world).await["sums"]["wallets"], 1100);
}

/// Payments in nobody's wallet are in no book: they are a line only beside what M-Pesa says that it holds.
#[tokio::test]
async fn without_m_pesas_word_the_lines_come_to_what_is_booked() {
    let world = World::start().await;
    for _ in 0..5 {
        world.player_with(300).await;
        world.paybill(json!({"phone": "0733000001", "amount": 100, "accountReference": "nobody"})).await;
    }
    world.read_books().await;
    let told = trust(&world).await;
    assert_has(&told["sums"], json!({"mpesa": null, "wallets": 1500, "booked": 1500}));
    assert_eq!(told["sums"]["lines"], json!([]));

    world.start_job("ask-for-balance").await;
    world.advance(60).await;
    world.read_books().await;
    let told = trust(&world).await;
    assert!(told["sums"]["mpesa"].is_object(), "{told}");
    assert_eq!(line(&told, "unclaimed"), 500 * 100);
}

/// Players pay into another account than the one of which M-Pesa is asked: the lines come to what both hold by the books.
#[tokio::test]
async fn what_one_account_holds_is_not_what_the_lines_come_to() {
    let parameters = [("FloatTakesIn", "false".to_owned())].into();
    let world = World::start_with(Settings { parameters, ..Settings::default() }).await;
    for _ in 0..5 {
        world.player_with(300).await;
        world.paybill(json!({"phone": "0733000001", "amount": 100, "accountReference": "nobody"})).await;
    }
    world.start_job("ask-for-balance").await;
    world.advance(60).await;
    world.read_books().await;
    let told = trust(&world).await;
    let sums = &told["sums"];
    assert_has(sums, json!({"wallets": 1500, "booked": 1500, "lines": []}));
    assert_eq!((&sums["mpesa"]["allAccounts"], sums["mpesa"]["cents"].is_i64()), (&json!(false), true));
}

/// What is set aside and confirmed is in one line, and only while five payments of it are in nobody's wallet.
#[tokio::test]
async fn what_is_set_aside_is_in_one_line_until_it_is_in_a_wallet() {
    let world = World::start().await;
    let mut paid = Vec::new();
    for _ in 0..5 {
        let holder = world.player_with(300).await;
        let (_, receipt) = world.paid_otherwise(&holder, 600).await;
        paid.push((holder, receipt));
    }
    world.start_job("ask-for-balance").await;
    world.advance(60).await;
    world.read_books().await;
    let told = trust(&world).await;
    assert_eq!((line(&told, "set-aside"), line(&told, "unclaimed")), (3000 * 100, 0));

    // Five still wait for an admin, and the money of one of them is in a wallet.
    let (holder, receipt) = &paid[0];
    let code = world.again(holder).await.typed_code(receipt).await;
    world.confirm_code(&code, 500).await.expect(200);
    assert_eq!(world.read_books().await["report"]["setAsides"], 5);
    let told = trust(&world).await;
    assert_eq!((&told["sums"]["wallets"], line(&told, "set-aside")), (&json!(2000), 0));
    assert_eq!(line(&told, "unclaimed"), 0);
}

/// That five withdrawals are paid makes no figure of the tax that was kept back of one of them.
#[tokio::test]
async fn tax_is_a_figure_once_it_was_kept_back_of_five() {
    let world = World::taxed(&[("Withholding", "withdrawals:2026-08-21:5")]).await;
    let mut holders = Vec::new();
    for _ in 0..5 {
        let holder = world.player_with(300).await;
        let id = holder.withdrawal(&holder.phone(), 60).await;
        world.end_withdrawal(&id, done()).await.expect(200);
        holders.push(holder);
    }
    world.clock_to("2026-08-21T06:00:00Z").await;
    for (n, holder) in holders.iter().enumerate() {
        let holder = world.again(holder).await;
        let id = holder.withdrawal(&holder.phone(), 100).await;
        world.end_withdrawal(&id, done()).await.expect(200);
        if n == 3 {
            world.read_books().await;
            let kept = world.ledger().await.account(WITHHOLDING);
            assert_eq!((kept, line(&trust(&world).await, "taxes")), (20, 0));
        }
    }
    world.read_books().await;
    assert_eq!(line(&trust(&world).await, "taxes"), 25 * 100);
}

/// A thousand leaves and some take two runs, each of its own item.
#[tokio::test]
async fn a_tree_of_many_runs_is_one_tree() {
    let world = World::start().await;
    world.many(1_030, 50).await;
    let mut holders = Vec::new();
    for _ in 0..6 {
        holders.push(world.player_with(300).await);
    }
    world.read_books().await;
    let places: BTreeSet<u64> = {
        let mut places = BTreeSet::new();
        for holder in &holders {
            let proof = proof(&world, holder).await;
            let (holds, report) = verified(&world, &proof).await;
            assert!(holds, "{report}");
            places.insert(proof["position"].as_u64().unwrap());
        }
        places
    };
    assert_eq!(places.len(), holders.len());
    assert_has(&trust(&world).await["root"], json!({"sum": 1800}));
}

/// A reading that ends after a later one has told the books does not tell them again.
#[tokio::test]
async fn what_is_told_is_of_the_last_reading() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    assert!(store.put_trust("\"the last\"".to_owned(), now).await.unwrap());
    for late in [0, 60] {
        let before = now - SignedDuration::from_secs(late);
        assert!(!store.put_trust("\"the one before\"".to_owned(), before).await.unwrap());
    }
    assert_eq!(store.trust().await.unwrap().as_deref(), Some("\"the last\""));
}
