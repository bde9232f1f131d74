//! What is uploaded, as Lambda starts and calls it: instructions and time from its start to the first answer, time of a
//! later call, memory and size; beside it a function on Node which asks the same of DynamoDB (`infra/bench/twin`).
//!
//! `BOOTSTRAP` names the binary, else it is where `infra/package.sh` puts it. `CALLGRIND` names a folder that keeps where the
//! instructions went (the binary has to be built with its symbols for that: `CARGO_PROFILE_DEPLOY_STRIP=none`).

mod front;
mod lambda;
mod twin;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use domain::{Kes, ledger::postings::Posting};
use front::Front;
use lambda::Lambda;
use lambda_runtime::{LambdaEvent, service_fn};
use local::{DataDir, LocalRun, Settings, fixtures};
use serde_json::{Value, json};
use twin::Twin;

use crate::{
    measure::ms,
    table::{self, Row},
};

const COLD_RUNS: usize = 15;
const WARM_RUNS: usize = 400;
const MB: f64 = 1_048_576.0;

/// A call: the function's name, and the goal for its instructions in millions.
const CALLS: [(&str, f64); 4] =
    [("get-current-gameweek", 6.0), ("get-wallet", 8.0), ("join-league", 10.0), ("get-gameweek-status", 8.0)];

pub fn run() -> bool {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(measured())
}

async fn measured() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = packaged();
    let Ok(bytes) = fs::read(&binary) else {
        println!("MISSED: there is no {} (infra/package.sh x86_64 makes it)", binary.display());
        return false;
    };
    let setting = Setting::new(folder.path(), bytes).await;
    let mut rows = vec![setting.size(&binary)];
    let twin = Twin::new(folder.path());
    let loops = setting.loops(&twin).await;
    rows.push(loops.row());
    for (name, goal) in CALLS {
        rows.extend(setting.instructions(name, goal).await);
        rows.extend(setting.beside(name, &twin, &loops).await);
    }
    setting.world.kill().await;
    rows.into_iter().fold(true, |kept, row| kept & table::add(row))
}

fn packaged() -> PathBuf {
    let packaged = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/lambda/bootstrap/bootstrap");
    std::env::var_os("BOOTSTRAP").map_or_else(|| PathBuf::from(packaged), PathBuf::from)
}

/// A function that does nothing: Lambda's loop, and what measures it. `bench loop` is ours; it is built for speed, as this
/// harness is, and what is uploaded for size.
pub fn answer_at_once() {
    let answer = service_fn(|_: LambdaEvent<Value>| async { Ok::<_, lambda_runtime::Error>(json!({})) });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(lambda_runtime::run(answer)).expect("the loop goes on");
}

/// Gives what is uploaded one event after another, in one process beside `world`, while `next` has one. Answers the most memory
/// that it had, in MB; `None` where it is not packaged.
pub async fn memory_of(
    world: &LocalRun,
    name: &str,
    mut next: impl AsyncFnMut() -> Option<Value>,
) -> Option<f64> {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = fs::read(packaged()).ok()?;
    let front = Front::of_the_table(world.dynamo().clone()).await;
    let trusting = trusting(folder.path(), binary, &front);
    let mut environment = environment(world, &front);
    environment.insert("_HANDLER".to_owned(), name.to_owned());
    let mut lambda = Lambda::start(&[trusting.to_str().expect("plain")], &environment).await;
    while let Some(event) = next().await {
        let answer = lambda.warm(&event).await.1;
        assert_eq!(answer, json!({ "batchItemFailures": [] }), "{name}");
    }
    Some(megabytes(lambda.peak()))
}

fn megabytes(kilobytes: u64) -> f64 {
    f64::from(u32::try_from(kilobytes).expect("small")) / 1024.0
}

/// A world with an open gameweek and a player, and what a function of it runs in.
struct Setting {
    world: LocalRun,
    front: Front,
    binary: PathBuf,
    environment: BTreeMap<String, String>,
    events: BTreeMap<&'static str, Value>,
}

impl Setting {
    async fn new(folder: &Path, binary: Vec<u8>) -> Self {
        // The functions' clock is the machine's.
        let sim_clock = jiff::Timestamp::now();
        let world =
            LocalRun::start(Settings { data_dir: DataDir::Memory, sim_clock, ..Settings::default() }).await;
        let world = world.expect("the world starts");
        let app = world.app();
        let (calendar, gameweek) = app.current_gameweek().await.expect("the table").expect("one to play");
        let player = fixtures::sign_up(app, calendar.season, 1).await;
        let money = Posting::deposit(&player.id, &store::random_id(), Kes::new(500));
        app.store().credit_wallet(&player.id, &money, sim_clock).await.expect("the table");
        let token = app.start_session(&player, None).await.expect("a key").access_token;
        let front = Front::remembering(world.dynamo().clone()).await;
        let trusting = trusting(folder, binary, &front);
        let fpl_id = player.fpl_id.expect("it has one").to_string();
        let join = json!({"fplId": fpl_id, "entryAmount": 50, "gameweek": gameweek.number});
        let wallet = format!("/api/users/{}/wallet", player.id);
        let event =
            |method: &str, path: &str, token, body| event(world.origin_secret(), method, path, token, body);
        let events = BTreeMap::from([
            ("get-current-gameweek", event("GET", "/current-gameweek", None, None)),
            ("get-wallet", event("GET", &wallet, Some(&token), None)),
            ("join-league", event("POST", "/api/join-league", Some(&token), Some(join))),
            ("get-gameweek-status", event("GET", "/api/gameweek/status", None, None)),
        ]);
        let environment = environment(&world, &front);
        Self { world, front, binary: trusting, environment, events }
    }

    fn environment_of(&self, name: &str) -> BTreeMap<String, String> {
        let mut environment = self.environment.clone();
        environment.insert("_HANDLER".to_owned(), name.to_owned());
        environment
    }

    async fn ours(&self, name: &str) -> Lambda {
        let binary = self.binary.to_str().expect("plain");
        Lambda::start(&[binary], &self.environment_of(name)).await
    }

    fn size(&self, binary: &Path) -> Row {
        let size = |bytes: usize| f64::from(u32::try_from(bytes).expect("small")) / MB;
        let whole = size(fs::metadata(binary).map_or(0, |file| file.len()).try_into().expect("small"));
        let zipped = Command::new("gzip").args(["-9", "-c"]).arg(binary).output().expect("gzip").stdout.len();
        let zipped = size(zipped);
        Row {
            what: "P6 stripped / zipped, MB".to_owned(),
            ours: format!("{whole:.1} / {zipped:.1}"),
            rival: None,
            goal: "7.0 / 3.2".to_owned(),
            kept: whole <= 7.0 && zipped <= 3.2,
        }
    }

    /// From the start until DynamoDB's first answer has been read, which is when something else is asked or answered.
    async fn instructions(&self, name: &str, goal: f64) -> Option<Row> {
        let binary = self.binary.to_str().expect("plain");
        let kept =
            std::env::var("CALLGRIND").map_or("/dev/null".to_owned(), |folder| format!("{folder}/{name}"));
        let out = format!("--callgrind-out-file={kept}");
        let valgrind = ["valgrind", "--tool=callgrind", &out, binary];
        if Command::new("valgrind").arg("--version").output().is_err() {
            println!("P1 skipped: valgrind is not here (Debian: apt-get install valgrind)");
            return None;
        }
        self.front.calls();
        let mut lambda = Lambda::start(&valgrind, &self.environment_of(name)).await;
        lambda.give(&self.events[name]).await;
        tokio::select! {
            _ = lambda.answer() => {}
            () = self.front.second_call() => {}
        }
        let said = lambda.end().await;
        let collected = said.lines().find_map(|line| line.split_once("Collected : "));
        let counted: f64 = collected.and_then(|(_, n)| n.trim().parse().ok()).unwrap_or(f64::INFINITY);
        let millions = counted / 1e6;
        Some(Row {
            what: format!("P1 {name}, million instructions"),
            ours: format!("{millions:.1}"),
            rival: None,
            goal: format!("{goal:.0}"),
            kept: millions <= goal,
        })
    }

    /// A later call of a function that does nothing, on both sides.
    async fn loops(&self, twin: &Twin) -> Loops {
        let event = &self.events["get-current-gameweek"];
        let own = std::env::current_exe().expect("it runs");
        let mut own =
            Lambda::start(&[own.to_str().expect("plain"), "loop"], &self.environment_of("measured")).await;
        let mut node = twin.start(&twin.environment(self, &[], &json!({ "body": "{}" }))).await;
        let (ours, others) = warm(&mut own, &mut node, event).await;
        Loops { ours: median(ours), others: median(others) }
    }

    /// Cold, warm and resident, ours and the twin's in turn.
    async fn beside(&self, name: &str, twin: &Twin, loops: &Loops) -> Vec<Row> {
        let event = &self.events[name];
        self.front.calls();
        let (_, answer) = self.ours(name).await.cold(event).await;
        let status = answer["statusCode"].as_u64().unwrap_or_default();
        assert!((200..300).contains(&status), "{name}: {answer}");
        let environment = twin.environment(self, &self.front.calls(), &answer);
        let (mut cold, mut others) = (Vec::new(), Vec::new());
        for _ in 0..COLD_RUNS {
            cold.push(self.ours(name).await.cold(event).await.0);
            others.push(twin.start(&environment).await.cold(event).await.0);
        }
        let (mut own, mut node) = (self.ours(name).await, twin.start(&environment).await);
        let (warm, warm_others) = warm(&mut own, &mut node, event).await;
        let (warm, warm_others) = (median(warm), median(warm_others));
        let peaks = [own.peak(), node.peak()].map(megabytes);
        vec![
            times(format!("P2 {name}, cold ms"), median(cold), median(others), 20.0),
            times(format!("P4 {name}, warm ms"), warm, warm_others, 5.0),
            shown("   the same without the loop".to_owned(), (warm - loops.ours, warm_others - loops.others)),
            Row {
                what: format!("P5 {name}, peak resident MB"),
                ours: format!("{:.1}", peaks[0]),
                rival: Some((format!("{:.1}", peaks[1]), Some(peaks[1] / peaks[0]))),
                goal: "10.0".to_owned(),
                kept: peaks[0] <= 10.0,
            },
        ]
    }
}

/// The medians of a later call of functions that do nothing, in ms.
struct Loops {
    ours: f64,
    others: f64,
}

impl Loops {
    fn row(&self) -> Row {
        shown("P4 a function that does nothing, warm ms".to_owned(), (self.ours, self.others))
    }
}

/// Beside a line that has a goal, for who wants to know what is in it.
fn shown(what: String, (ours, others): (f64, f64)) -> Row {
    let (ours, rival) = (format!("{ours:.2}"), Some((format!("{others:.2}"), None)));
    Row { what, ours, rival, goal: String::new(), kept: true }
}

/// Later calls, in turn. What comes first is warming up on both sides, and left out.
async fn warm(own: &mut Lambda, node: &mut Lambda, event: &Value) -> (Vec<Duration>, Vec<Duration>) {
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for _ in 0..WARM_RUNS {
        ours.push(own.warm(event).await.0);
        others.push(node.warm(event).await.0);
    }
    (ours.split_off(100), others.split_off(100))
}

/// In ms.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    ms(times[times.len() / 2])
}

fn times(what: String, ours: f64, others: f64, goal: f64) -> Row {
    let ratio = others / ours;
    Row {
        what,
        ours: format!("{ours:.2}"),
        rival: Some((format!("{others:.2}"), Some(ratio))),
        goal: format!("{goal:.0}×"),
        kept: ratio >= goal,
    }
}

/// The functions' environment, with what Lambda sets.
fn environment(world: &LocalRun, front: &Front) -> BTreeMap<String, String> {
    let mut environment = world.environment().clone();
    let lambdas = [
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ACCESS_KEY_ID", "measured"),
        ("AWS_SECRET_ACCESS_KEY", "measured"),
        ("AWS_SESSION_TOKEN", "measured"),
        ("AWS_LAMBDA_FUNCTION_NAME", "measured"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ("AWS_LAMBDA_LOG_GROUP_NAME", "measured"),
        ("AWS_LAMBDA_LOG_STREAM_NAME", "measured"),
        ("AWS_ENDPOINT_URL", &front.url),
        // As deployed: the key of the stand-in's chain would be checked at each start.
        ("BEACON_CHAIN_INFO", "quicknet"),
    ];
    environment.extend(lambdas.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment
}

/// A request as API Gateway gives it to a function.
fn event(origin_secret: &str, method: &str, path: &str, token: Option<&str>, body: Option<Value>) -> Value {
    let mut headers = json!({"content-type": "application/json", "x-origin-secret": origin_secret});
    if let Some(token) = token {
        headers["authorization"] = Value::from(format!("Bearer {token}"));
    }
    json!({
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "", "headers": headers,
        "requestContext": {
            "accountId": "000000000000", "apiId": "measured", "domainName": "localhost", "domainPrefix": "measured",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": "bench"},
            "requestId": "measured", "routeKey": "$default", "stage": "$default",
            "time": "20/Aug/2026:09:00:00 +0000", "timeEpoch": 1_787_216_400_000_u64,
        },
        "body": body.map(|body| body.to_string()), "isBase64Encoded": false,
    })
}

/// The binary believes Amazon's roots alone. In a copy the last of them, whose text is the longest, gives its place to
/// `root`: everything else is what is uploaded.
fn with_root(mut binary: Vec<u8>, root: &str) -> Vec<u8> {
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";
    const END: &[u8] = b"-----END CERTIFICATE-----";
    let find = |from: usize, what: &[u8]| {
        binary[from..].windows(what.len()).position(|found| found == what).map(|at| from + at)
    };
    let title =
        find(0, b"Starfield Services Root Certificate Authority - G2\n").expect("the binary holds the roots");
    let begin = find(title, BEGIN).expect("PEM");
    let end = find(begin, END).expect("PEM") + END.len();
    let mut text = root.trim_end().as_bytes().to_vec();
    assert!(text.len() <= end - begin, "the root's text fits");
    text.resize(end - begin, b'\n');
    binary[begin..end].copy_from_slice(&text);
    binary
}

/// A copy of `binary` in `folder` that believes `front`.
fn trusting(folder: &Path, binary: Vec<u8>, front: &Front) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let trusting = folder.join("bootstrap");
    fs::write(&trusting, with_root(binary, &front.root)).expect("the folder");
    fs::set_permissions(&trusting, fs::Permissions::from_mode(0o755)).expect("the folder");
    trusting
}
