//! The built web app, as the distribution serves it: hashed assets for ever, pages never from a
//! cache, precompressed files where they are there, and the app's one page for its own routes.

use std::path::{Path, PathBuf};

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
};
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

use crate::edge::refusal;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// Serves `dist`; where it is not there, a page that says how to make it.
pub fn router(dist: PathBuf) -> Router {
    let files =
        ServeDir::new(&dist).append_index_html_on_directories(true).precompressed_br().precompressed_gzip();
    let index = dist.join("index.html");
    Router::new()
        .fallback(move |request: Request| serve(files.clone(), index.clone(), request))
        .layer(middleware::from_fn(cache))
}

async fn serve(files: ServeDir, index: PathBuf, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed.");
    }
    if !exists(&index).await {
        return Html(NOT_BUILT).into_response();
    }
    let (mut parts, body) = request.into_parts();
    let mut again = Request::new(axum::body::Body::empty());
    *again.method_mut() = parts.method.clone();
    *again.headers_mut() = parts.headers.clone();
    let path = parts.uri.path();
    // A link that ends a sentence may have its full stop.
    let is_link = path.starts_with("/ref/");
    let is_route = is_link || !path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    // A screen that anybody may find has a head of its own.
    if is_route && let Ok(page) = format!("/pages{}.html", page_of(path)).parse() {
        parts.uri = page;
    }
    match files.oneshot(Request::from_parts(parts, body)).await {
        Ok(found) if found.status() != StatusCode::NOT_FOUND => found.into_response(),
        Ok(_) if is_route => {
            let page = ServeFile::new(index).precompressed_br().precompressed_gzip();
            page.oneshot(again).await.into_response()
        }
        Ok(_) => refusal(StatusCode::NOT_FOUND, "Not found."),
        Err(never) => match never {},
    }
}

/// All settled leagues have one page between them, and all draws, as at the edge (`WebRewrite`).
fn page_of(path: &str) -> String {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["", of @ ("leagues" | "gameweeks"), _, what @ ("settlement" | "draw")] => format!("/{of}/{what}"),
        _ => path.to_owned(),
    }
}

async fn exists(path: &Path) -> bool {
    tokio::fs::try_exists(path).await.unwrap_or(false)
}

/// File names in `/assets/` carry a hash of what is in them.
async fn cache(request: Request, next: Next) -> Response {
    let hashed = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await;
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    let value = if hashed && found { FOR_EVER } else { ASK_AGAIN };
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    response
}

const NOT_BUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8>
<meta name=viewport content=\"width=device-width\"><title>FPL Leagues</title>
<h1>The web app is not built yet</h1><p>Run <code>make web</code> and load this page again.
<p>The API answers already; the simulated world is at <a href=/sim/>/sim/</a>.</html>";
