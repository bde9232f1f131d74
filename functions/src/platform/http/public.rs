//! Answers that are the same for everybody. The edge keeps each for a moment, so a crowd asks it and not us; what an
//! answer is decides for how long. Such a call reads no token.

use app::App;
use axum::{
    Json,
    body::to_bytes,
    extract::Request,
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{ApiError, gateway::LONGEST_ANSWER};

/// How long the edge keeps an answer, and shows it for longer while it asks for the next one. Seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    pub fresh: u32,
    pub while_asking: u32,
}

impl Keep {
    /// What moves while somebody looks at it.
    pub const MOMENT: Self = Self { fresh: 5, while_asking: 5 };
    /// What moves with the minute's job.
    pub const HALF_A_MINUTE: Self = Self { fresh: 30, while_asking: 30 };
    /// What changes with a deployment.
    pub const MINUTES: Self = Self { fresh: 300, while_asking: 3600 };
    /// What does not change any more.
    pub const HOUR: Self = Self { fresh: 3600, while_asking: 3600 };

    /// At most so many seconds altogether.
    #[must_use]
    pub fn at_most(self, seconds: i64) -> Self {
        let left = u32::try_from(seconds.max(0)).unwrap_or(u32::MAX);
        let fresh = self.fresh.min(left);
        Self { fresh, while_asking: self.while_asking.min(left - fresh) }
    }

    fn header(self) -> HeaderValue {
        let Self { fresh, while_asking } = self;
        // A browser asks the edge each time: what its player has just done is to be seen.
        let text = format!("public, max-age=0, s-maxage={fresh}, stale-while-revalidate={while_asking}");
        HeaderValue::try_from(text).expect("words and numbers")
    }
}

/// An answer, and how long it is kept.
pub struct Public<T>(pub Keep, pub T);

impl<T: Serialize> IntoResponse for Public<T> {
    fn into_response(self) -> Response {
        let Self(keep, body) = self;
        ([(header::CACHE_CONTROL, keep.header())], Json(body)).into_response()
    }
}

/// Gives the answers of `route` an `ETag`, and answers 304 to who has the same one already.
pub(crate) fn tagged(route: MethodRouter<App>) -> MethodRouter<App> {
    route.layer(from_fn(tag))
}

async fn tag(request: Request, next: Next) -> Response {
    let known = request.headers().clone();
    let (mut parts, body) = next.run(request).await.into_parts();
    if parts.status != StatusCode::OK {
        return (parts, body).into_response();
    }
    let body = match to_bytes(body, LONGEST_ANSWER).await {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, "an answer is too long");
            return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, super::TRY_AGAIN).into_response();
        }
    };
    let cursor = parts.headers.get("x-next-cursor").map_or(&b""[..], HeaderValue::as_bytes);
    let digest = Sha256::new().chain_update(&body).chain_update(cursor).finalize();
    let etag = format!("\"{}\"", hex::encode(&digest[..16]));
    parts.headers.insert(header::ETAG, HeaderValue::try_from(&etag).expect("hex is plain ASCII"));
    if is_known(&known, &etag) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.remove(header::CONTENT_TYPE);
        return parts.into_response();
    }
    (parts, body).into_response()
}

/// Compared weakly, as RFC 9110 has it for `If-None-Match`: the edge marks what it compresses as weak.
fn is_known(asked: &HeaderMap, etag: &str) -> bool {
    let lists = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(3600, Keep::MOMENT)]
    #[case(10, Keep::MOMENT)]
    #[case(7, Keep { fresh: 5, while_asking: 2 })]
    #[case(3, Keep { fresh: 3, while_asking: 0 })]
    #[case(0, Keep { fresh: 0, while_asking: 0 })]
    #[case(-5, Keep { fresh: 0, while_asking: 0 })]
    fn nothing_is_kept_beyond_the_moment_in_which_it_changes(#[case] seconds: i64, #[case] expected: Keep) {
        assert_eq!(Keep::MOMENT.at_most(seconds), expected);
    }

    #[rstest]
    #[case(&["\"a\""], true)]
    #[case(&["W/\"a\""], true)]
    #[case(&["\"b\", W/\"a\""], true)]
    #[case(&["\"b\"", "\"a\""], true)]
    #[case(&["*"], true)]
    #[case(&["\"b\""], false)]
    #[case(&[], false)]
    fn a_tag_is_known_however_the_edge_writes_it(#[case] given: &[&str], #[case] known: bool) {
        let mut headers = HeaderMap::new();
        for value in given {
            headers.append(header::IF_NONE_MATCH, HeaderValue::try_from(*value).unwrap());
        }
        assert_eq!(is_known(&headers, "\"a\""), known);
    }
}
