//! Putting a world together, in the order in which its parts need each other.
//!
//! Invariant: everything that may be wrong with the settings, the files or the template is found
//! before anything answers; nothing runs before the stand-ins and the product answer.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use app::{App, Config, platform::secrets::names};
use axum::http::HeaderValue;
use clients::Clock;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use sim::{DarajaSecrets, DynamoFaults, EmailFault, Operator, Sim};
use tokio::{net::TcpListener, sync::Notify};

use crate::{
    REGION,
    aws::{Access, Aws, Caller, Dynamo, Embedded, FaultLayer, Lagging, Outbox, Parameters, Remote, Switches},
    edge::Edge,
    jobs, server,
    settings::{Refusal, Settings},
    sim_api::Api,
    template::Template,
    world::{
        BoxFuture,
        clock::WorldClock,
        db::{self, Db, Files},
        engine::{Engine, OutsideWorld},
        queue::Queues,
        rules::Rules,
    },
};

/// No callback of the simulated M-Pesa takes longer (real time).
const CALLBACK_LIMIT: Duration = Duration::from_secs(15);
/// Minutes after a deadline at which something of the draw falls due (docs/draw.md, "What is fixed when"): the fence;
/// the beacon's round after it; the last moment for the list, and the round after that; and when a silent
/// beacon was waited for long enough, whenever it was first asked.
const DRAW: [i64; 6] = [10, 12, 23, 25, 42, 56];

/// A world, put together but not yet running.
pub struct Parts {
    pub origin: String,
    pub listeners: Vec<TcpListener>,
    pub app: App,
    pub aws: Aws,
    pub engine: Arc<Engine>,
    pub router: axum::Router,
    pub ready: Arc<AtomicBool>,
    pub template: Template,
    /// The functions' environment.
    pub variables: BTreeMap<String, String>,
    /// What the distribution sends.
    pub origin_secret: String,
    pub dynamo: Dynamo,
    /// Keeps `DATA_DIR` locked.
    pub files: Files,
}

pub async fn assemble(settings: &Settings) -> Result<Parts, Refusal> {
    let (port, listeners) = server::listen(settings.port).await?;
    let origin = format!("http://localhost:{port}");
    let edge_secret = hex::encode(app::platform::secrets::random_32());
    let mut parameters = parameters(&origin, &edge_secret);
    parameters.extend(settings.parameters.clone());
    let template = Template::read(&settings.template, &parameters)?;
    let routed = server::routed(&template, functions::endpoints())?;
    let joined = jobs::joined(&template, functions::jobs())?;
    let files = db::open(&settings.data_dir)?;
    let broken = |error: anyhow::Error| Refusal::new("DATA_DIR", format!("{error:#}"));
    let world = files.world.clone();

    let clock = WorldClock::open(world.clone(), settings.sim_clock).map_err(broken)?;
    let now = clock.as_clock();
    let mut variables = variables(&template, settings);
    let prefix = variables.get("SECRETS_PREFIX").cloned().unwrap_or_default();
    let secrets = Parameters::open(&world, &prefix, app::platform::secrets::generate()).map_err(broken)?;
    // As a deployment writes them; what the operator changes afterwards, functions find where secrets are kept.
    if let Some(keys) = secrets.ending_in(names::ACCESS_TOKEN_PUBLIC_KEY) {
        variables.insert("ACCESS_TOKEN_PUBLIC_KEYS".to_owned(), keys.to_owned());
    }
    let http = http_client(CALLBACK_LIMIT)?;
    let sim = open_sim(&world, now.clone(), &secrets, &variables, http.clone()).map_err(broken)?;
    // The stand-in signs with a key of its own, so its chain is its own.
    variables.insert("BEACON_CHAIN_INFO".to_owned(), sim.beacon_info());

    let wake = Arc::new(Notify::new());
    let specs = jobs::queues(&template);
    let queues = Queues::open(world.clone(), now.clone(), specs, wake.clone()).map_err(broken)?;
    let rules = Rules::open(world.clone(), now.clone(), &template.rules).map_err(broken)?;
    let dynamo = dynamo(settings, &files, http.clone());
    let place = if settings.dynamodb_endpoint.is_some() { "DYNAMODB_ENDPOINT" } else { "DATA_DIR" };
    for table in &template.tables {
        dynamo.ensure(table).await.map_err(|error| Refusal::new(place, format!("{error:#}")))?;
    }
    let dynamo = match dynamo {
        Dynamo::Embedded(table) if settings.index_lag.is_positive() => {
            let open = Lagging::open(table, &template.tables, settings.index_lag, now.clone());
            Dynamo::Lagging(open.map_err(broken)?)
        }
        dynamo => dynamo,
    };
    let outbox = Outbox::new(world.clone(), now.clone());
    let secrets = secrets.publishing(&prefix, names::DARAJA_CERTIFICATE, sim::certificate);
    let secrets = secrets.changed(&prefix, &settings.secrets);
    let access = Access::new(&template, settings.used_grants.as_deref());
    let access = access.map_err(|error| Refusal::new("USED_GRANTS", error))?;
    let faults = faults(dynamo.clone(), sim.clone());
    let aws = Aws::new(access, faults, queues.clone(), rules.clone(), secrets, outbox.clone());
    let aws = if settings.partition_limits { aws.limited(now.clone()) } else { aws };

    let mut config = Config::from_vars(|name| variables.get(name).cloned())
        .map_err(|error| Refusal::new("template.yaml", error))?;
    if let Some(cost) = &settings.password_hashing {
        config.password_hashing = cost.clone();
    }
    // As each Lambda is a process of its own: nothing that one function has read is another's.
    let app_of = |caller| App::new(config.clone(), now.clone(), Some(aws.client(caller)));
    let app = app_of(Caller::Operator);
    let endpoints = server::bound(routed, |role| app_of(Caller::Function(role)));
    let consumers = jobs::consumers(joined, |role| app_of(Caller::Function(role)), &sim);
    let season = Arc::new(Outside(sim.clone()));
    let engine = Arc::new(Engine::new(clock, queues, rules, season, consumers, wake));
    let ready = Arc::new(AtomicBool::new(false));
    let api = Api {
        engine: engine.clone(),
        sim: sim.clone(),
        outbox,
        dynamo: dynamo.clone(),
        table: variables.get("TABLE_NAME").cloned().unwrap_or_default(),
        world,
        simulates_mpesa: !settings.parameters.contains_key("DarajaBaseUrl"),
        http,
        origin: origin.clone(),
    };
    let web: PathBuf = settings.web.clone();
    let secret = HeaderValue::try_from(edge_secret.as_str()).expect("hex is plain ASCII");
    let is_public = settings.parameters.contains_key("PublicOrigin");
    let edge = Edge { secret, headers: template.headers.clone(), is_public };
    let router = server::router(endpoints, app.clone(), &sim, api, web, ready.clone(), edge)?;
    Ok(Parts {
        origin,
        listeners,
        app,
        aws,
        engine,
        router,
        ready,
        template,
        variables,
        origin_secret: edge_secret,
        dynamo,
        files,
    })
}

/// The template's parameters on one machine. Those that it does not declare mean nothing.
fn parameters(origin: &str, edge_secret: &str) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        // A small table, read in pieces all the same.
        ("BooksItemsAtOnce", "1000".to_owned()),
        ("BooksSegments", "2".to_owned()),
        ("BeaconBaseUrls", sim::BEACON_RELAYS.map(|relay| format!("{origin}/sim/beacon/{relay}")).join(",")),
        ("DarajaBaseUrl", format!("{origin}/sim/daraja")),
        ("EdgeSecret", edge_secret.to_owned()),
        ("EdgeSecretHashes", hex::encode(Sha256::digest(edge_secret))),
        ("FplBaseUrl", format!("{origin}/sim/fpl/api")),
        // The stand-ins can take it, and people wait.
        ("FplRequestsPerSecond", "200".to_owned()),
        ("PublicOrigin", origin.to_owned()),
        // The stand-in alone.
        ("PushServices", origin.to_owned()),
        ("Stage", "local".to_owned()),
        // What a deployment has to say itself; the numbers are the sandbox's.
        ("B2cInitiator", "fpl-payouts".to_owned()),
        ("B2cShortcode", "600992".to_owned()),
        ("DarajaPartyB", "174379".to_owned()),
        ("DarajaShortcode", "174379".to_owned()),
        ("Helpline", "Made-up helpline, 0800 000 000".to_owned()),
        ("MailFrom", "no-reply@fplleagues.test".to_owned()),
        ("PaybillNumber", "174379".to_owned()),
        ("QueryInitiator", "fpl-queries".to_owned()),
        ("SecretsPrefix", "/fpl-leagues".to_owned()),
    ])
}

/// The functions' environment: the template's, with what Lambda itself would set.
fn variables(template: &Template, settings: &Settings) -> BTreeMap<String, String> {
    let mut variables = template.variables.clone();
    variables.insert("AWS_REGION".to_owned(), REGION.to_owned());
    variables.insert("LIMITS".to_owned(), settings.limits.as_str().to_owned());
    variables.insert("SAFEGUARDS".to_owned(), settings.safeguards.into_str().to_owned());
    variables.insert("PROMOTIONS".to_owned(), settings.promotions.to_string());
    variables
}

fn open_sim(
    world: &Db,
    clock: Clock,
    secrets: &Parameters,
    variables: &BTreeMap<String, String>,
    callback_http: reqwest::Client,
) -> anyhow::Result<Sim> {
    let secret = |name: &str| {
        secrets.ending_in(name).map(str::to_owned).ok_or_else(|| anyhow::anyhow!("there is no secret {name}"))
    };
    let setting = |name: &str| variables.get(name).cloned().unwrap_or_default();
    let daraja = DarajaSecrets {
        consumer_key: secret(names::DARAJA_CONSUMER_KEY)?,
        consumer_secret: secret(names::DARAJA_CONSUMER_SECRET)?,
        passkey: secret(names::DARAJA_PASSKEY)?,
        shortcode: setting("DARAJA_SHORTCODE"),
        b2c_shortcode: setting("B2C_SHORTCODE"),
        payer: Operator { name: setting("B2C_INITIATOR"), password: secret(names::B2C_INITIATOR_PASSWORD)? },
        asker: Operator {
            name: setting("QUERY_INITIATOR"),
            password: secret(names::QUERY_INITIATOR_PASSWORD)?,
        },
    };
    Sim::open(world.clone(), clock, sim::Settings { daraja, callback_http })
}

fn dynamo(settings: &Settings, files: &Files, http: reqwest::Client) -> Dynamo {
    match &settings.dynamodb_endpoint {
        None => Dynamo::Embedded(Embedded::new(files.dynamo.clone())),
        Some(endpoint) => Dynamo::Remote(Remote::new(http, endpoint, settings.keys.clone())),
    }
}

/// The same faults for the same run: which calls are hit follows from a fixed seed.
fn faults(dynamo: Dynamo, sim: Sim) -> FaultLayer {
    FaultLayer::new(dynamo, 1, move || {
        let faults = sim.faults();
        let email_down = faults.email == EmailFault::Down;
        let DynamoFaults { throttle, conflict, lost, refused_puts } = faults.dynamodb;
        Switches { throttle, conflict, lost, refused_puts, email_down }
    })
}

/// For the stand-ins' callbacks, the players' calls and a DynamoDB elsewhere.
pub fn http_client(limit: Duration) -> Result<reqwest::Client, Refusal> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(clients::http::tls())
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(limit)
        .build()
        .map_err(|error| Refusal::new("HTTP client", error))
}

struct Outside(Sim);

impl OutsideWorld for Outside {
    fn next_due(&self) -> anyhow::Result<Option<Timestamp>> {
        self.0.next_due()
    }

    fn run_due(&self, now: Timestamp) -> BoxFuture<anyhow::Result<usize>> {
        let sim = self.0.clone();
        Box::pin(async move { sim.run_due(now).await })
    }

    fn changed(&self) -> Arc<Notify> {
        self.0.changed()
    }

    fn boundaries(&self, after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let deadlines = self.0.deadlines().into_iter();
        let draws = deadlines.flat_map(|at| DRAW.map(|minutes| at + SignedDuration::from_mins(minutes)));
        let mut all = self.0.boundaries(after, until);
        all.extend(draws.filter(|at| *at > after && *at <= until));
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::DataDir;

    #[test]
    fn what_the_draw_waits_for_are_boundaries_after_each_deadline() {
        let callback_http = http_client(CALLBACK_LIMIT).unwrap();
        let settings = sim::Settings { daraja: DarajaSecrets::default(), callback_http };
        let world = db::open(&DataDir::Memory).unwrap().world;
        let outside = Outside(Sim::open(world, Clock::system(), settings).unwrap());
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let boundaries = outside.boundaries(at(sim::FIRST_OPEN), at("2026-08-25T09:00:00Z"));
        let expected = [
            "2026-08-22T10:30:00Z", // deadline
            "2026-08-22T10:40:00Z", // fence
            "2026-08-22T10:42:00Z",
            "2026-08-22T10:53:00Z",
            "2026-08-22T10:55:00Z",
            "2026-08-22T11:12:00Z",
            "2026-08-22T11:26:00Z",
            "2026-08-22T12:00:00Z", // first kick-off
            "2026-08-24T21:30:00Z", // end of play
            "2026-08-25T09:00:00Z", // points checked
        ];
        assert_eq!(boundaries, expected.map(at));
    }
}
