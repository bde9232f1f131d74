//! A running world, for `main` and for tests.
//!
//! Invariant: all its tasks live in a runtime of its own, so [`LocalRun::kill`] ends everything at
//! once, as kill -9 does, and worlds in one process share nothing.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    time::Duration,
};

use app::{App, Config, payments::paybill, platform::flow::FlowError};
use clients::Clock;
use jiff::SignedDuration;
use tokio::{
    runtime::Runtime,
    sync::watch,
    task::{JoinHandle, JoinSet},
};

use crate::{
    aws::{Aws, Dynamo, Load, Meter, Throughput},
    process::{Fate, Process},
    server,
    settings::{Refusal, Settings},
    snapshot::Snapshot,
    start::{self, Parts},
    template::Table,
    world::{
        engine::Engine,
        jump::{JumpError, Target},
        queue::Queues,
    },
};

/// What is due at the start is given this long (real time) before the world says it is ready.
const SETTLE_LIMIT: Duration = Duration::from_secs(10);
/// Requests under way at a clean stop are given this long (real time).
const FINISH_LIMIT: Duration = Duration::from_secs(10);
/// What is left running after a stop or a kill is waited for so long at most.
const END_LIMIT: Duration = Duration::from_secs(5);

/// No jump takes longer (real time).
const JUMP_LIMIT: Duration = Duration::from_secs(600);
/// Of simulated time: DynamoDB takes its time too.
const SWEEP_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// A world that answers. Dropped, it ends like a killed process, without being waited for.
pub struct LocalRun {
    /// `http://localhost:<port>`.
    pub base_url: String,
    pub admin: Admin,
    inside: Option<Inside>,
    threads: Threads,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admin {
    pub email: String,
    /// Only where this start made it up or was given it.
    pub password: Option<String>,
}

struct Inside {
    app: App,
    variables: BTreeMap<String, String>,
    origin_secret: String,
    aws: Aws,
    dynamo: Dynamo,
    tables: Vec<Table>,
    engine: Arc<Engine>,
    stop: watch::Sender<bool>,
    servers: JoinSet<std::io::Result<()>>,
    _files: crate::world::db::Files,
}

impl LocalRun {
    pub async fn start(settings: Settings) -> Result<Self, Refusal> {
        let threads = Threads::new().map_err(|error| Refusal::new("threads", error))?;
        let failed = match threads.spawn(run(settings)).await {
            Ok(Ok((base_url, admin, inside))) => {
                return Ok(Self { base_url, admin, inside: Some(inside), threads });
            }
            Ok(Err(refusal)) => refusal,
            Err(panic) => Refusal::new("start", panic),
        };
        threads.end().await;
        Err(failed)
    }

    pub fn app(&self) -> &App {
        &self.inside().app
    }

    /// The functions' environment.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.inside().variables
    }

    /// What the distribution sends with each request, by which the functions know it.
    pub fn origin_secret(&self) -> &str {
        &self.inside().origin_secret
    }

    /// A process of the product beside the world's own, which may die.
    pub fn process(&self, fate: Fate) -> Process {
        Process::new(self.inside().aws.clone(), self.app(), self.app().clock().clone(), fate)
    }

    /// One whose clock is `off`: ahead, or behind where that is negative.
    pub fn process_with_clock(&self, off: SignedDuration) -> Process {
        let true_clock = self.app().clock().clone();
        let clock = Clock::from_fn(move || true_clock.now() + off);
        Process::new(self.inside().aws.clone(), self.app(), clock, Fate::Lives)
    }

    /// One to which time flies: each look at its clock is `step` later than the one before.
    pub fn process_in_haste(&self, step: SignedDuration) -> Process {
        let (true_clock, looks) = (self.app().clock().clone(), AtomicI32::new(0));
        let clock = Clock::from_fn(move || true_clock.now() + step * looks.fetch_add(1, Ordering::SeqCst));
        Process::new(self.inside().aws.clone(), self.app(), clock, Fate::Lives)
    }

    /// The database as it is, without faults, to look into and write to from a test.
    pub fn dynamo(&self) -> &Dynamo {
        &self.inside().dynamo
    }

    /// The table as it is now.
    pub async fn snapshot(&self) -> anyhow::Result<Snapshot> {
        let Inside { app, aws, dynamo, tables, .. } = self.inside();
        Snapshot::take(app, aws, dynamo, tables).await
    }

    /// What the calls of the product's functions to AWS cost.
    pub fn meter(&self) -> &Meter {
        self.inside().aws.meter()
    }

    /// What each partition key of the table was used for since this was last asked; nothing where its limits are not held to.
    pub fn partition_loads(&self) -> Vec<Load> {
        self.inside().aws.throughput().map(Throughput::measure).unwrap_or_default()
    }

    /// From here on others write under these keys of the table as much as they bear, in every second.
    pub fn others_write(&self, partitions: &[String]) {
        let Inside { app, aws, .. } = self.inside();
        if let Some(throughput) = aws.throughput() {
            throughput.others_write(&app.config().table_name, partitions);
        }
    }

    /// From here on nothing runs by itself: no queue is read, and no schedule fires.
    pub async fn rest(&self) {
        self.inside().engine.stop().await;
    }

    pub fn queues(&self) -> &Queues {
        self.inside().engine.queues()
    }

    /// An HTTP client to call it with: it follows no redirects and waits for long jumps.
    pub fn http(&self) -> reqwest::Client {
        start::http_client(JUMP_LIMIT).expect("the world itself has such a client")
    }

    /// The same as `POST /sim/api/clock`.
    pub async fn jump(&self, target: Target) -> Result<jiff::Timestamp, JumpError> {
        let engine = self.inside().engine.clone();
        let jump = self.threads.spawn(async move { engine.jump(target).await });
        jump.await.map_err(|error| JumpError::Broken(error.into()))?
    }

    pub async fn stop(mut self) -> anyhow::Result<()> {
        let Some(inside) = self.inside.take() else { return Ok(()) };
        let stopped = self.threads.spawn(inside.stop()).await;
        self.threads.end().await;
        stopped?
    }

    pub async fn kill(mut self) {
        drop(self.inside.take());
        self.threads.end().await;
    }

    fn inside(&self) -> &Inside {
        self.inside.as_ref().expect("only stop and kill take it, and they take the world too")
    }
}

impl Inside {
    async fn stop(mut self) -> anyhow::Result<()> {
        self.engine.stop().await;
        self.stop.send_replace(true);
        let finish = async { while self.servers.join_next().await.is_some() {} };
        if tokio::time::timeout(FINISH_LIMIT, finish).await.is_err() {
            tracing::warn!("requests were cut off: they took too long");
        }
        self.engine.clock().stop()
    }
}

/// The threads that a world runs on. Dropped, every task ends where it waits, without being waited
/// for: the drop may happen where nothing must block.
struct Threads(Option<Runtime>);

impl Threads {
    fn new() -> std::io::Result<Self> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.enable_all().thread_name("local").build().map(|runtime| Self(Some(runtime)))
    }

    fn spawn<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.0.as_ref().expect("only the end takes it, and it takes the threads too").spawn(task)
    }

    /// Drops every task where it waits, and waits for that.
    async fn end(mut self) {
        let Some(runtime) = self.0.take() else { return };
        let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(END_LIMIT)).await;
        if let Err(error) = ended {
            tracing::error!(error = error.to_string(), "the world's tasks did not end cleanly");
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorsAct {
    Grant,
    Revoke,
    LostSecondFactor,
}

/// The operator's command on the account of `email`. No world may be running on the same data.
pub async fn operator(settings: &Settings, act: OperatorsAct, email: &str) -> Result<(), Refusal> {
    // Nothing is served: any port will do for what is put together.
    let parts = start::assemble(&Settings { port: 0, ..settings.clone() }).await?;
    act.on(&parts.app, "DATA_DIR", email).await
}

/// The same where the product is deployed: `var` has a function's settings and the operator's own credentials.
pub async fn deployed_operator(
    var: impl Fn(&str) -> Option<String>,
    act: OperatorsAct,
    email: &str,
) -> Result<(), Refusal> {
    act.on(&deployed(var)?, "AWS", email).await
}

/// What Safaricom's people are given, so that M-Pesa confirms payments to the paybill where the product is deployed. The
/// addresses hold secrets.
pub async fn paybill_addresses(var: impl Fn(&str) -> Option<String>) -> Result<String, Refusal> {
    let app = deployed(var)?;
    let urls = paybill::addresses(&app).await.map_err(|error| Refusal::new("AWS", error))?;
    let (confirmation, validation) = (urls.confirmation, urls.validation);
    let number = &app.config().paybill.number;
    Ok(format!(
        "ShortCode {number}\nConfirmationURL {confirmation}\nValidationURL {validation}\nResponseType Completed"
    ))
}

/// Notes that they have registered `address`.
pub async fn note_paybill_address(
    var: impl Fn(&str) -> Option<String>,
    address: &str,
) -> Result<(), Refusal> {
    paybill::note_registered(&deployed(var)?, address).await.map_err(|error| match error {
        FlowError::Failed(error) => Refusal::new("AWS", error),
        FlowError::Refused(error) => Refusal::new("the address", error),
    })
}

fn deployed(var: impl Fn(&str) -> Option<String>) -> Result<App, Refusal> {
    let config = Config::from_vars(var).map_err(|error| Refusal::new("the function's settings", error))?;
    Ok(App::new(config, Clock::system(), None))
}

impl OperatorsAct {
    /// `place` is named where what is kept there does not answer.
    async fn on(self, app: &App, place: &'static str, email: &str) -> Result<(), Refusal> {
        let done = match self {
            Self::Grant => app::admin::commands::grant(app, email).await,
            Self::Revoke => app::admin::commands::revoke(app, email).await,
            Self::LostSecondFactor => app::admin::commands::lose_second_factor(app, email).await,
        };
        done.map_err(|error| match error {
            FlowError::Failed(error) => Refusal::new(place, error),
            FlowError::Refused(error) => Refusal::new("EMAIL", error),
        })
    }
}

async fn run(settings: Settings) -> Result<(String, Admin, Inside), Refusal> {
    let Parts {
        origin,
        listeners,
        app,
        aws,
        engine,
        router,
        ready,
        template,
        variables,
        origin_secret,
        dynamo,
        files,
    } = start::assemble(&settings).await?;
    let (stop, stopped) = watch::channel(false);
    let mut servers = JoinSet::new();
    for listener in listeners {
        let mut stopped = stopped.clone();
        let stop = async move {
            // The sender is gone only when the world is.
            drop(stopped.wait_for(|stop| *stop).await);
        };
        servers.spawn(server::serve(listener, router.clone(), stop));
    }
    let password =
        app::admin::commands::ensure(&app, &settings.admin_email, settings.admin_password.as_deref())
            .await
            .map_err(|error| match error.to_string().split_once(": ") {
            Some((name @ ("ADMIN_EMAIL" | "ADMIN_PASSWORD"), what)) => Refusal::new(name, what),
            _ => Refusal::new("ADMIN_EMAIL", &error),
        })?;
    let admin = Admin { email: settings.admin_email.clone(), password };
    tokio::spawn(engine.clone().keep_clock());
    settle(&engine).await;
    tokio::spawn(engine.clone().run());
    let tables = template.tables;
    tokio::spawn(sweep(app.clock().clone(), dynamo.clone(), tables.clone()));
    ready.store(true, Ordering::SeqCst);
    Ok((
        origin,
        admin,
        Inside { app, variables, origin_secret, aws, dynamo, tables, engine, stop, servers, _files: files },
    ))
}

/// Takes expired items away, a day of simulated time after the last time.
async fn sweep(clock: Clock, dynamo: Dynamo, tables: Vec<Table>) {
    loop {
        let now = clock.now();
        for table in &tables {
            if let Err(error) = dynamo.sweep(table, now).await {
                tracing::warn!(error = format!("{error:#}"), "expired items could not be taken away");
            }
        }
        while clock.now() < now + SWEEP_EVERY {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// What fell due while nothing ran, and the rate rules once, so that the first answer knows the
/// gameweek.
async fn settle(engine: &Engine) {
    match tokio::time::timeout(SETTLE_LIMIT, engine.jump(Target::Ahead(0))).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::error!(error = error.to_string(), "what is due could not be run"),
        Err(_) => tracing::warn!("what is due takes long; it goes on in the background"),
    }
}
