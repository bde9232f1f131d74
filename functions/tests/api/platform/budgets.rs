//! What each operation costs in the table and how often it waits for AWS, held to `budgets.txt`. A read that is added to
//! a call is one more of these; `UPDATE=1` writes the file anew, and what becomes more has to be worth it.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use local::aws::Metered;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, PASSWORD, Person, World,
    gameweek::PROCESS,
    money::{done, rejected},
    mpesa::paid,
    read,
    set_asides::dismissal,
    text,
};

/// What an item's length may change by itself.
const ROOM: f64 = 1.05;

const HEAD: &str = "\
# Each operation in a small world: how many of its calls to AWS wait for one another, how many there are,
# and the units of DynamoDB that they read and write. Written by UPDATE=1, see budgets.rs.
";

struct Budgets {
    world: World,
    measured: BTreeMap<String, Metered>,
}

/// The function that a line is about; what comes after a comma says in which case.
fn function(line: &str) -> String {
    let words = line.split(',').next().unwrap_or_default().split('-');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.map(capital).collect::<String>() + "Function"
}

impl Budgets {
    /// A call that is made once.
    async fn once(&mut self, line: &str, call: impl Future<Output = Answer>) -> Value {
        let meter = self.world.meter().clone();
        meter.start();
        let answer = call.await;
        assert!(answer.status.is_success(), "{line}: {} {}", answer.status, answer.body);
        let metered = meter.of(&function(line));
        assert!(metered.calls > 0, "{line}: nothing was measured");
        self.measured.insert(line.to_owned(), metered);
        answer.body
    }

    /// One that only shows something: made three times, since a machine that is busy may let calls that go out at once
    /// look like some that wait for one another.
    async fn shows(&mut self, line: &str, who: &Person, path: &str) -> Value {
        let mut least: Option<Metered> = None;
        let mut body = Value::Null;
        for _ in 0..3 {
            body = self.once(line, who.get(path)).await;
            let now = self.measured[line];
            least = Some(least.filter(|least| least.depth <= now.depth).unwrap_or(now));
        }
        self.measured.extend(least.map(|least| (line.to_owned(), least)));
        body
    }

    async fn accounts(&mut self) {
        let nobody = self.world.nobody();
        let form = World::sign_up_form("new@example.co.ke", "newcomer", "4711");
        self.once("sign-up", nobody.post("/api/signup", form)).await;
        let credentials = json!({"email": "new@example.co.ke", "password": PASSWORD});
        self.once("log-in", nobody.post("/api/login", credentials.clone())).await;
        self.once("log-in, from a known address", nobody.post("/api/login", credentials)).await;
        let player = self.world.log_in("new@example.co.ke", PASSWORD).await;
        self.once("refresh", read(player.request(Method::POST, "/refresh"))).await;
        self.once("log-out", read(player.request(Method::POST, "/logout"))).await;
        let forgotten = json!({"email": "new@example.co.ke"});
        self.once("forgot-password", nobody.post("/api/forgot-password", forgotten)).await;
        self.world.advance(1).await;
        let mails = self.world.mails("new@example.co.ke").await;
        let links = mails.iter().filter_map(|mail| mail["links"][0].as_str());
        let link = links.filter_map(|link| link.split_once("/reset-password/")).next().unwrap().1.to_owned();
        let path = format!("/api/reset-password/{link}");
        self.once("reset-password", nobody.post(&path, json!({"newPassword": "another horse"}))).await;
    }

    async fn money(&mut self, player: &Person) {
        for (line, path) in [
            ("get-user", "/api/user".to_owned()),
            ("get-wallet", format!("/api/users/{}/wallet", player.id)),
            ("list-transactions", "/api/me/transactions".to_owned()),
            ("list-payments", "/api/me/payments".to_owned()),
            ("list-entries", "/api/me/entries".to_owned()),
            ("list-withdrawals", "/api/withdraw".to_owned()),
            ("get-team-proof", "/api/user/team/proof".to_owned()),
        ] {
            self.shows(line, player, &path).await;
        }
        let deposit = self.once("start-deposit", player.deposit(&player.phone(), 70)).await;
        let path = format!("/api/deposits/status?checkoutId={}", text(&deposit, "checkoutId"));
        self.shows("get-deposit-status", player, &path).await;
        self.world.receipt_of(&player.phone(), paid()).await;
        self.once("submit-manual-payment", player.type_code("UHK7RT61SV")).await;
        let asked = self.once("request-withdrawal", player.withdraw(&player.phone(), 60)).await;
        let team = json!({"fplId": player.fpl_id});
        self.once("start-team-proof", player.post("/api/user/team/proof", team)).await;
        self.acts(player, &text(&asked, "_id")).await;
    }

    /// What an admin sees and does about money.
    async fn acts(&mut self, player: &Person, withdrawal: &str) {
        let admin = self.world.admin().await;
        for (line, path) in [
            ("list-manual-payments", "/api/manual-payment/pending".to_owned()),
            ("list-withdrawals, an admin", "/api/withdraw".to_owned()),
            ("list-set-asides", "/api/admin/set-asides".to_owned()),
            ("search-players", "/api/admin/players?q=player".to_owned()),
            ("get-player", format!("/api/admin/players/{}", player.id)),
            ("list-audit", "/api/admin/audit".to_owned()),
            ("list-approvals", "/api/admin/approvals".to_owned()),
            ("get-switches", "/api/admin/switches".to_owned()),
            ("get-books", "/api/admin/books".to_owned()),
            ("get-totp", "/api/admin/totp".to_owned()),
            ("list-influencers", "/api/influencers".to_owned()),
        ] {
            self.shows(line, &admin, &path).await;
        }
        let pending = self.world.pending_codes().await;
        let reject = json!({"paymentId": pending[0]["_id"], "reason": "No such payment."});
        self.once("reject-manual-payment", admin.post("/api/manual-payment/reject", reject)).await;
        let path = format!("/api/withdraw/{withdrawal}");
        self.once("update-withdrawal", admin.put(&path, rejected("Wrong number."))).await;
        let asked = player.withdrawal(&player.phone(), 60).await;
        let path = format!("/api/withdraw/{asked}/pay");
        self.once("pay-withdrawal", admin.send(Method::POST, &path, None)).await;
        let id = player.typed_code("UHK7RT61SW").await;
        self.once("confirm-manual-payment", admin.confirm_code(&id, 50)).await;
        let (other, _) = self.world.paid_otherwise(&self.world.player().await, 600).await;
        let path = format!("/api/admin/set-asides/{other}");
        self.shows("get-set-aside", &admin, &path).await;
        self.once("decide-set-aside", admin.post(&path, dismissal())).await;
        self.once("create-influencer", admin.post("/api/influencer/create", json!({"name": "Mwalimu FPL"})))
            .await;
        self.once("toggle-deduction", admin.post("/api/points/toggle-deduction", json!({}))).await;
        self.once("toggle-deduction", admin.post("/api/points/toggle-deduction", json!({}))).await;
        let path = format!("/api/admin/players/{}/release-number", player.id);
        let release = json!({"phone": player.phone(), "reason": "Changed hands."});
        self.once("release-number", admin.post(&path, release)).await;
    }

    async fn entries(&mut self, player: &Person, other: &Person) {
        self.once("join-league", player.join(50, 1)).await;
        let paying = self.once("start-entry-payment", other.pay(50, 1)).await;
        let path = format!("/api/pay/status?checkoutId={}", text(&paying, "checkoutId"));
        self.shows("get-entry-payment-status", other, &path).await;
        self.world.receipt_of(&other.phone(), paid()).await;
        self.world.crowd(10, 50).await;
        self.world.advance(60).await;
        self.leagues("before the draw", &self.world.again(player).await).await;
    }

    /// What is public of a gameweek, and a player's own part.
    async fn leagues(&mut self, when: &str, player: &Person) {
        let nobody = self.world.nobody();
        for (name, path) in [
            ("get-current-gameweek", "/current-gameweek".to_owned()),
            ("get-gameweek-status", "/api/gameweek/status".to_owned()),
            ("list-gameweeks", "/api/gameweeks".to_owned()),
            ("list-leagues", "/api/leagues?gameweek=1&entryAmount=50".to_owned()),
            ("list-leagues, one of them", "/api/leagues?gameweek=1&entryAmount=50&league=1".to_owned()),
            ("get-points", format!("/api/points/{}?gameweek=1", player.fpl_id)),
            ("get-points, with the team", format!("/api/points/{}?gameweek=1&team=true", player.fpl_id)),
            ("get-draw", "/api/gameweeks/1/draw".to_owned()),
        ] {
            self.shows(&format!("{name}, {when}"), &nobody, &path).await;
        }
        let own = "/api/me/league?gameweek=1&entryAmount=50";
        self.shows(&format!("get-own-league, {when}"), player, own).await;
    }

    async fn gameweek(&mut self, player: &Person) {
        self.world.phase(1, "live").await;
        self.world.advance(7200).await;
        self.leagues("while it is played", &self.world.again(player).await).await;
        self.world.phase(1, "checked").await;
        let admin = self.world.admin().await;
        self.shows("preview-winners", &admin, "/api/admin/winners").await;
        self.shows("list-owed-gameweeks", &admin, "/api/admin/gameweeks").await;
        self.shows("preview-void", &admin, "/api/admin/gameweeks/2026-01/void").await;
        self.once("process-winners", admin.post(PROCESS, json!({}))).await;
        self.world.advance(7200).await;
        let admin = self.world.admin().await;
        self.shows("list-waiting-leagues", &admin, "/api/admin/leagues/waiting").await;
        let player = self.world.again(player).await;
        self.leagues("settled", &player).await;
        let league = text(&self.world.leagues(50).await[0], "_id");
        self.shows("get-settlement", &self.world.nobody(), &format!("/api/leagues/{league}/settlement"))
            .await;
        self.shows("list-entries, settled", &player, "/api/me/entries").await;
        let id = player.withdrawal(&player.phone(), 60).await;
        let admin = self.world.admin().await;
        self.once("update-withdrawal, done", admin.put(&format!("/api/withdraw/{id}"), done())).await;
    }

    /// What was measured, a line each.
    fn table(&self) -> String {
        let mut table = HEAD.to_owned();
        writeln!(table, "{:<50} {:>5} {:>5} {:>6} {:>6}", "# operation", "depth", "calls", "read", "write")
            .unwrap();
        for (line, Metered { depth, calls, read_units, write_units }) in &self.measured {
            writeln!(table, "{line:<50} {depth:>5} {calls:>5} {read_units:>6.1} {write_units:>6.1}").unwrap();
        }
        table
    }
}

fn parsed(table: &str) -> BTreeMap<String, [f64; 4]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &str| {
        let (name, figures) = line.split_at(50);
        let figures: Vec<f64> = figures.split_whitespace().map(|figure| figure.parse().unwrap()).collect();
        (name.trim().to_owned(), figures.try_into().unwrap())
    };
    lines.map(line).collect()
}

#[tokio::test]
async fn no_operation_costs_more_than_its_budget() {
    let mut budgets = Budgets { world: World::start().await, measured: BTreeMap::new() };
    budgets.accounts().await;
    let (player, other) = (budgets.world.player_with(500).await, budgets.world.player().await);
    budgets.money(&player).await;
    budgets.entries(&player, &other).await;
    budgets.gameweek(&player).await;

    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/api/platform/budgets.txt");
    let table = budgets.table();
    println!("{table}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let (allowed, now) = (parsed(&std::fs::read_to_string(&file).unwrap()), parsed(&table));
    assert_eq!(allowed.keys().collect::<Vec<_>>(), now.keys().collect::<Vec<_>>());
    let over: Vec<_> = now
        .iter()
        .filter(|(line, [depth, calls, read, write])| {
            let [most_depth, most_calls, most_read, most_write] = allowed[*line];
            *depth > most_depth
                || *calls > most_calls
                || *read > most_read * ROOM + 0.05
                || *write > most_write * ROOM + 0.05
        })
        .map(|(line, figures)| format!("{line}: {figures:?}, budget {:?}", allowed[line]))
        .collect();
    assert!(over.is_empty(), "{over:#?}");
}
