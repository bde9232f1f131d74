//! `local simulators`: the outside world alone (M-Pesa, the official game, a push service, the beacon), for a product that
//! runs elsewhere. Time is the system's.
//!
//! It reads one JSON object from stdin ([`Shop`]) and prints one line when it answers:
//! `{"origin", "beacon", "certificate"}`. `beacon` is what the parameter `BeaconChainInfo` wants.

use std::{io::Read as _, io::Write as _, time::Duration};

use axum::Router;
use clients::Clock;
use serde::Deserialize;
use serde_json::json;
use sim::{DarajaSecrets, Operator, Sim};

use crate::{
    server,
    settings::{DataDir, Refusal},
    start,
    world::db,
};

const CALLBACK_LIMIT: Duration = Duration::from_secs(60);
/// What is due is looked for at least this often, since the system's clock may be moved.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// What the shop and M-Pesa agreed on, and the port (0: any).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Shop {
    port: u16,
    consumer_key: String,
    consumer_secret: String,
    passkey: String,
    shortcode: String,
    b2c_shortcode: String,
    b2c_initiator: String,
    b2c_initiator_password: String,
    query_initiator: String,
    query_initiator_password: String,
}

/// Serves the stand-ins until the process ends.
///
/// # Errors
/// What stdin says is not understood, or the port is taken.
pub async fn serve() -> Result<(), Refusal> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Refusal::new("stdin", error))?;
    let shop: Shop = serde_json::from_str(&text).map_err(|error| Refusal::new("stdin", error))?;
    let (port, mut listeners) = server::listen(shop.port).await?;
    let broken = |error: anyhow::Error| Refusal::new("simulators", format!("{error:#}"));
    let sim =
        Sim::open(db::open(&DataDir::Memory)?.world, Clock::system(), settings(shop)?).map_err(broken)?;
    let router = router(&sim);
    for listener in listeners.split_off(1) {
        tokio::spawn(server::serve(listener, router.clone(), std::future::pending()));
    }
    let said = json!({
        "origin": format!("http://localhost:{port}/sim"),
        "beacon": sim.beacon_info(),
        "certificate": sim::certificate(),
    });
    writeln!(std::io::stdout(), "{said}").map_err(|error| Refusal::new("stdout", error))?;
    let first = listeners.remove(0);
    tokio::select! {
        ended = server::serve(first, router, std::future::pending()) => {
            ended.map_err(|error| Refusal::new("simulators", error))
        }
        ended = run_due(&sim) => ended.map_err(broken),
    }
}

fn settings(shop: Shop) -> Result<sim::Settings, Refusal> {
    let daraja = DarajaSecrets {
        consumer_key: shop.consumer_key,
        consumer_secret: shop.consumer_secret,
        passkey: shop.passkey,
        shortcode: shop.shortcode,
        b2c_shortcode: shop.b2c_shortcode,
        payer: Operator { name: shop.b2c_initiator, password: shop.b2c_initiator_password },
        asker: Operator { name: shop.query_initiator, password: shop.query_initiator_password },
    };
    Ok(sim::Settings { daraja, callback_http: start::http_client(CALLBACK_LIMIT)? })
}

fn router(sim: &Sim) -> Router {
    // In one step each: in two, what answers to an unknown path is lost.
    Router::new()
        .nest("/sim/daraja", sim.daraja())
        .nest("/sim/fpl", sim.fpl())
        .nest("/sim/beacon", sim.beacon())
        .nest("/sim/push", sim.push())
        .nest("/sim/api", sim.control())
}

async fn run_due(sim: &Sim) -> anyhow::Result<()> {
    let changed = sim.changed();
    loop {
        sim.run_due(jiff::Timestamp::now()).await?;
        tokio::select! {
            () = changed.notified() => {}
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}
