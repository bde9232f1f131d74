//! A table of 100,000 rows is made of pages that a function can answer: none is longer than Lambda lets
//! it be, every row comes once, and the last page costs what the first does.

use std::time::Duration;

use domain::{Kes, ledger::postings::Posting};
use local::{DataDir, LocalRun, Settings, fixtures};
use serde_json::{Value, json};

use crate::measure;

const ROWS: usize = 100_000;
/// Each player's money came in so many postings.
const OF_ONE_PLAYER: usize = 1_000;
/// A function answers six megabytes at most.
const LONGEST: usize = 6_000_000;
/// A page among the last ten may cost this much of one among the first ten.
const MOST: f64 = 1.5;

struct Page {
    rows: usize,
    bytes: usize,
    took: Duration,
}

pub fn run() -> bool {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(export())
}

async fn export() -> bool {
    let settings = Settings { data_dir: DataDir::Memory, ..Settings::default() };
    let world = LocalRun::start(settings).await.expect("the world starts");
    let (app, now) = (world.app(), world.app().clock().now());
    for player in 0..ROWS / OF_ONE_PLAYER {
        let id = fixtures::sign_up(app, 2026, u32::try_from(player).expect("few")).await.id;
        for n in 0..OF_ONE_PLAYER {
            let posting = Posting::deposit(&id, &format!("{:032x}", player * OF_ONE_PLAYER + n), Kes::new(1));
            app.store().credit_wallet(&id, &posting, now).await.expect("the table");
        }
    }
    let pages = pages(&world).await;
    world.kill().await;
    let rows: usize = pages.iter().map(|page| page.rows).sum();
    let longest = pages.iter().map(|page| page.bytes).max().unwrap_or(0);
    let cost = |pages: &[Page]| pages.iter().map(|page| page.took).sum::<Duration>().as_secs_f64();
    let full: Vec<Page> = pages.into_iter().filter(|page| page.rows > 0).collect();
    let ratio = cost(&full[full.len() - 10..]) / cost(&full[..10]);
    let kept = rows == ROWS && longest < LONGEST && ratio <= MOST;
    println!(
        "{rows} rows in {} pages, the longest {} KB (below {} KB), the last ten cost {ratio:.2} of the first ten (at most {MOST}): {}",
        full.len(),
        longest / 1_000,
        LONGEST / 1_000,
        if kept { "kept" } else { "BROKEN" }
    );
    kept
}

/// Every page, as the runbook's loop asks for them.
async fn pages(world: &LocalRun) -> Vec<Page> {
    let http = world.http();
    let login = json!({"email": world.admin.email, "password": world.admin.password});
    let login = http.post(format!("{}/api/login", world.base_url)).json(&login).send().await;
    let login: Value = login.expect("the world answers").json().await.expect("a login");
    let token = login["accessToken"].as_str().expect("an admin").to_owned();
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let began = measure::processor_time();
        let path = format!("{}/api/admin/exports/postings{cursor}", world.base_url);
        let page = http.get(path).bearer_auth(&token).header("accept", "text/csv").send().await;
        let page = page.expect("the world answers").error_for_status().expect("a page");
        let next = page.headers().get("x-next-cursor").map(|next| next.to_str().expect("plain").to_owned());
        let text = page.text().await.expect("text");
        let took = measure::processor_time().saturating_sub(began);
        // The head is a line of the first page alone.
        let rows = text.matches("\r\n").count() - usize::from(pages.is_empty());
        pages.push(Page { rows, bytes: text.len(), took });
        match next {
            Some(next) => cursor = format!("?cursor={}", next.replace('#', "%23")),
            None => return pages,
        }
    }
}
