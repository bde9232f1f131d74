//! Tables for a spreadsheet: in pages that make one file, and with no formula of a player's in them.

use std::collections::BTreeSet;

use domain::{
    Kes,
    ledger::{postings::Posting, reconciliation},
};
use jiff::SignedDuration;
use reqwest::{Method, header::ACCEPT};
use serde_json::json;

use crate::support::{Answer, Person, World, assert_has, read};

/// A function answers six megabytes at most.
const LONGEST: usize = 6_000_000;

/// Every page of a table, appended as the runbook's loop does, and how many they were.
async fn whole(admin: &Person, path: &str) -> (String, usize) {
    let (mut text, mut pages, mut cursor) = (String::new(), 0, None::<String>);
    loop {
        let joint = if path.contains('?') { '&' } else { '?' };
        let after = cursor.map(|cursor| format!("{joint}cursor={}", cursor.replace('#', "%23")));
        let page = table(admin, &format!("{path}{}", after.unwrap_or_default())).await;
        let next = page.headers.get("x-next-cursor").map(|next| next.to_str().unwrap().to_owned());
        let body = page.expect(200);
        let body = body.as_str().unwrap();
        assert!(body.len() < LONGEST);
        text.push_str(body);
        pages += 1;
        match next {
            Some(next) => cursor = Some(next),
            None => return (text, pages),
        }
    }
}

async fn table(admin: &Person, path: &str) -> Answer {
    let request = admin.request(Method::GET, path).header(ACCEPT, "text/csv");
    read(request.bearer_auth(admin.token.as_ref().unwrap())).await
}

#[tokio::test]
async fn the_accounts_of_the_books_are_a_table() {
    let (world, _player) = World::with_player(500).await;
    world.advance(24 * 3600).await;
    let admin = world.admin().await;
    let books = table(&admin, "/api/admin/books").await.expect(200);
    let rows: Vec<&str> = books.as_str().unwrap().lines().collect();
    assert_eq!(rows[0], "account,amount");
    assert!(rows.contains(&"wallets,500") && rows.contains(&"mpesa:in,-500"), "{rows:?}");
    assert!(admin.get("/api/admin/books").await.expect(200)["accounts"].is_array());
}

#[tokio::test]
async fn an_export_of_many_rows_is_one_file_in_pages() {
    let (world, player) = World::with_player(0).await;
    let (app, now) = (world.app(), world.app().clock().now());
    let id = player.user_id();
    // 1,100 on one day, and one each on days before it, some of them outside of the period.
    for n in 0..1_100 {
        if n % 100 == 0 {
            // A partition bears a hundred credits in a second, not eleven hundred.
            world.advance(1).await;
        }
        let posting = Posting::deposit(&id, &format!("{n:032x}"), Kes::new(1));
        app.store().credit_wallet(&id, &posting, now + SignedDuration::from_millis(n % 7)).await.unwrap();
    }
    for days in 1..=40 {
        let posting = Posting::deposit(&id, &format!("{:032x}", 5_000 + days), Kes::new(1));
        app.store().credit_wallet(&id, &posting, now - SignedDuration::from_hours(24 * days)).await.unwrap();
    }
    let day = |days: i64| reconciliation::day_of(now - SignedDuration::from_hours(24 * days)).to_string();
    let admin = world.admin().await;
    let (text, pages) = whole(&admin, &format!("/api/admin/exports/postings?from={}", day(35))).await;
    assert!(pages >= 2, "{pages} page");
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(lines[0], "at,userId,cause,kind,amount,balanceAfter,receipt,legs");
    let rows: BTreeSet<&str> = lines[1..].iter().copied().collect();
    assert_eq!((lines.len() - 1, rows.len()), (1_135, 1_135), "each row once");
    assert!(lines[1].starts_with(&day(35)) && lines[1..].is_sorted_by_key(|line| &line[..10]));
    assert!(lines[1].contains(&player.id) && lines[1].contains(",deposit,1,"));
    assert!(lines[1].contains(&format!("wallet:{} 1", player.id)) && lines[1].contains("mpesa:in -1"));
}

/// The return for October has what was booked in Kenya's October, and not what was booked there in November.
#[tokio::test]
async fn a_period_is_of_kenyas_days() {
    let (world, player) = World::with_player(0).await;
    let (app, id) = (world.app(), player.user_id());
    let booked =
        ["2025-09-30T20:59:59Z", "2025-09-30T21:00:00Z", "2025-10-31T20:59:59Z", "2025-10-31T21:00:00Z"];
    for (amount, at) in (1..).zip(booked) {
        let posting = Posting::deposit(&id, &format!("{amount:032x}"), Kes::new(amount));
        app.store().credit_wallet(&id, &posting, at.parse().unwrap()).await.unwrap();
    }
    let admin = world.admin().await;
    let path = "/api/admin/exports/postings?from=2025-10-01&to=2025-10-31";
    let (text, _) = whole(&admin, path).await;
    let at: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(at, &booked[1..3]);
}

#[tokio::test]
async fn withdrawals_and_prompts_are_exported_as_they_are_now() {
    let (world, player) = World::with_player(200).await;
    let id = player.withdrawal("0712345678", 60).await;
    let admin = world.admin().await;
    let reject = json!({"status": "rejected", "reason": "=HYPERLINK(\"http://evil\",\"refund\")"});
    admin.end_withdrawal(&id, reject).await.expect(200);
    player.pay(50, 1).await.expect(200);

    let (withdrawals, _) = whole(&admin, "/api/admin/exports/withdrawals").await;
    let row = withdrawals.lines().nth(1).unwrap();
    assert!(row.starts_with(&id) && row.contains(",0712345678,60,rejected,"), "{row}");
    assert!(row.contains(r#","'=HYPERLINK(""http://evil"",""refund"")","#), "no formula: {row}");
    assert_eq!(withdrawals.lines().count(), 2);

    let (payments, _) = whole(&admin, "/api/admin/exports/payments").await;
    let states: Vec<&str> = payments.lines().skip(1).map(|row| row.split(',').nth(7).unwrap()).collect();
    assert_eq!(states, ["SUCCESS", "PENDING"]);
    assert!(payments.lines().nth(2).unwrap().contains(",50,2026-01,50,PENDING,no,"));

    // Every movement, the operator's own too.
    world.crowd(5, 50).await;
    let (postings, _) = whole(&admin, "/api/admin/exports/postings").await;
    let kinds: BTreeSet<&str> = postings.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert!(
        kinds.is_superset(&["deposit", "entry", "withdrawal", "withdrawal-rejected"].into()),
        "{kinds:?}"
    );
    let sum: i64 =
        postings.lines().skip(1).map(|row| row.split(',').nth(4).unwrap().parse::<i64>().unwrap()).sum();
    assert_eq!(sum, world.ledger().await.wallets.values().sum::<i64>());
}

#[tokio::test]
async fn what_is_no_table_or_no_period_is_refused() {
    let world = World::start().await;
    let admin = world.admin().await;
    let get = |path: &'static str| table(&admin, path);
    get("/api/admin/exports/passwords").await.refused(404);
    get("/api/admin/exports/postings?from=yesterday").await.refused(400);
    get("/api/admin/exports/postings?cursor=x").await.refused(400);
    get("/api/admin/exports/postings?cursor=%C3%A4").await.refused(400);
    // No further back than the product, no further on than today.
    let (text, pages) = whole(&admin, "/api/admin/exports/payments?from=0001-01-01&to=9999-12-31").await;
    assert!(text.lines().count() == 1 && pages < 30, "{pages} pages");
    let backwards = get("/api/admin/exports/postings?from=2026-08-02&to=2026-08-01").await;
    assert!(!backwards.headers.contains_key("x-next-cursor"));
    assert_eq!(backwards.expect(200).as_str().unwrap().lines().count(), 1, "the head alone");
}

#[tokio::test]
async fn the_audit_log_is_read_in_pages_and_as_a_table() {
    let world = World::start().await;
    let admin = world.admin().await;
    for _ in 0..60 {
        admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
        world.advance(1).await;
    }
    let first = admin.get("/api/admin/audit").await;
    let cursor = first.headers["x-next-cursor"].to_str().unwrap().to_owned();
    let first = first.expect(200).as_array().unwrap().clone();
    let second = admin.get(&format!("/api/admin/audit?cursor={cursor}")).await.expect(200);
    let all: Vec<_> = first.iter().chain(second.as_array().unwrap()).collect();
    assert_eq!((first.len(), all.len()), (50, 61), "sixty turns and the admin's own account");
    assert!(all.is_sorted_by(|a, b| a["at"].as_str() >= b["at"].as_str()), "newest first");
    let newest = &first[0];
    assert_has(newest, json!({"what": "toggle-deduction", "by": "admin"}));
    assert_has(newest, json!({"before": "off", "after": "on"}));
    assert_eq!(newest["byId"], admin.id.as_str());
    let month = newest["at"].as_str().unwrap()[..7].to_owned();
    let same = admin.get(&format!("/api/admin/audit?month={month}")).await.expect(200);
    assert_eq!(same, json!(first));
    assert_eq!(admin.get("/api/admin/audit?month=2020-01").await.expect(200), json!([]));
    admin.get("/api/admin/audit?month=November").await.refused(400);

    let (text, _) = whole(&admin, "/api/admin/audit").await;
    assert_eq!(text.lines().count(), 62);
    assert!(text.starts_with("id,at,by,byName,what,on,before,after,reason,approvedBy\r\n"));
}
