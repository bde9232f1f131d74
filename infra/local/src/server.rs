//! The one port: the product's calls, the stand-ins, the web app.
//!
//! Invariant: of the product exactly those routes answer that the template routes, with the same
//! functions that the Lambdas run; everything that surrounds them is `functions::service`'s.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use app::App;
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Request},
    http::StatusCode,
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use functions::Endpoint;
use serde_json::json;
use sim::Sim;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::{
    answers,
    aws::Role,
    docs,
    edge::{self, Edge, refusal},
    settings::Refusal,
    sim_api::{self, Api},
    template::{Function, Template},
    web,
};

const HEALTH: &str = "/healthz";

/// The endpoints that `template` routes, each with its function.
///
/// # Errors
/// A route of the template is not the function's own: the gateway would send what the function
/// does not serve.
pub fn routed(template: &Template, endpoints: Vec<Endpoint>) -> Result<Routed, Refusal> {
    let mut by_name: BTreeMap<String, Endpoint> =
        endpoints.into_iter().map(|endpoint| (endpoint.name.clone(), endpoint)).collect();
    let mut routed = Vec::new();
    for function in &template.functions {
        for route in &function.routes {
            let refuse = |what: String| Refusal::new("template.yaml", format!("{}: {what}", function.id));
            let Some(endpoint) = by_name.remove(&function.handler) else {
                return Err(refuse(format!("Handler {} serves no (further) route", function.handler)));
            };
            if endpoint.method.as_str() != route.method || endpoint.path != route.path {
                return Err(refuse(format!(
                    "{} {} is routed to {}, which serves {} {}",
                    route.method, route.path, function.handler, endpoint.method, endpoint.path
                )));
            }
            routed.push((endpoint, function.clone()));
        }
    }
    Ok(routed)
}

pub type Routed = Vec<(Endpoint, Function)>;

/// The endpoints, each served by the product as its own function has it, within what its function may take.
pub fn bound(routed: Routed, app_of: impl Fn(Arc<Role>) -> App) -> Vec<Endpoint> {
    let bind = |(endpoint, function): (Endpoint, Function)| {
        let (app, limit) = (app_of(function.role), function.timeout);
        app.secrets().read_together(endpoint.deployment.secrets());
        endpoint.around(move |route| {
            route.with_state(app.clone()).layer(middleware::from_fn_with_state(limit, answers::within))
        })
    };
    routed.into_iter().map(bind).collect()
}

/// Everything behind the port. `/healthz` is the product's once `ready` says so.
pub fn router(
    endpoints: Vec<Endpoint>,
    app: App,
    sim: &Sim,
    api: Api,
    dist: PathBuf,
    ready: Arc<AtomicBool>,
    edge: Edge,
) -> Result<Router, Refusal> {
    let policy = middleware::from_fn_with_state(Arc::new(edge.headers), edge::headers);
    let product = functions::service(endpoints, app).layer(policy.clone());
    let web = web::router(dist).layer(policy);
    let router = Router::new()
        .merge(docs::router()?)
        .route("/sim", get(|| async { Redirect::permanent("/sim/") }))
        .route("/sim/", get(|| async { sim::page() }))
        .nest("/sim", simulators(sim, api))
        .fallback(move |request: Request| {
            let path = request.uri().path();
            let starting = path == HEALTH && !ready.load(Ordering::SeqCst);
            let to = if edge::is_call(path) { product.clone() } else { web.clone() };
            async move { if starting { is_starting() } else { to.oneshot(request).await.into_response() } }
        })
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(edge.secret, edge::edge))
        .layer(middleware::from_fn_with_state(edge.is_public, edge::at_home));
    Ok(router)
}

fn simulators(sim: &Sim, api: Api) -> Router {
    Router::new()
        .nest("/daraja", sim.daraja())
        .nest("/fpl", sim.fpl())
        .nest("/beacon", sim.beacon())
        .nest("/push", sim.push())
        .nest("/api", sim_api::router(api).fallback(not_found).layer(DefaultBodyLimit::disable()))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
}

/// The product answers before the world around it is whole.
fn is_starting() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "starting" }))).into_response()
}

async fn not_found() -> Response {
    refusal(StatusCode::NOT_FOUND, "Not found.")
}

async fn method_not_allowed() -> Response {
    refusal(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed.")
}

/// The port on this machine's own addresses: both of the names that "localhost" may stand for.
pub async fn listen(port: u16) -> Result<(u16, Vec<TcpListener>), Refusal> {
    let taken = |error: std::io::Error| {
        let what = match error.kind() {
            std::io::ErrorKind::AddrInUse => format!("{port} is taken by another program"),
            _ => format!("{port}: {error}"),
        };
        Refusal::new("PORT", what)
    };
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(taken)?;
    let got = first.local_addr().map_err(taken)?.port();
    let mut listeners = vec![first];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, got)).await {
        Ok(second) => listeners.push(second),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && port != 0 => return Err(taken(error)),
        // A machine without IPv6, or somebody else's port there: the first one answers.
        Err(_) => {}
    }
    Ok((got, listeners))
}

pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(stop).await
}
