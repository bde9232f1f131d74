//! Behind the edge: only requests that carry the distribution's secret are answered, and the
//! caller's address is what the distribution says it is, never what a caller does.

use std::{convert::Infallible, net::IpAddr};

use app::App;
use axum::extract::FromRequestParts;
use http::{HeaderMap, HeaderName, request::Parts};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// The distribution's secret. (CloudFront does not let an origin's header begin with `x-edge-`.)
pub const ORIGIN_SECRET: HeaderName = HeaderName::from_static("x-origin-secret");
/// The caller's address, as the distribution's function writes it. (CloudFront's own
/// `cloudfront-viewer-address` comes only together with the viewer's `Host`, by which API Gateway
/// would not find its API.)
pub const VIEWER_ADDRESS: HeaderName = HeaderName::from_static("x-viewer-address");

/// Whether the request came through the distribution. Takes what only the edge may say out of its
/// headers and keeps the caller's address for [`Caller`].
pub(super) fn admit(app: &App, parts: &mut Parts) -> bool {
    let admitted = carries_secret(&parts.headers, &app.config().edge_secret_hashes);
    let address = parts.headers.remove(VIEWER_ADDRESS);
    parts.headers.remove(ORIGIN_SECRET);
    if admitted {
        let address = address.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        parts.extensions.insert(CallerAddress(address));
    }
    admitted
}

/// Compared in constant time, with every secret that is in force.
fn carries_secret(headers: &HeaderMap, hashes: &[[u8; 32]]) -> bool {
    let mut given = headers.get_all(ORIGIN_SECRET).iter();
    let (Some(secret), None) = (given.next(), given.next()) else { return false };
    let hash: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
    hashes.iter().fold(Choice::from(0), |sound, known| sound | known.ct_eq(&hash)).into()
}

/// Where a request comes from; limits tell callers apart by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress(Option<IpAddr>);

impl CallerAddress {
    /// As it is: for the security log, which writes its network only.
    #[must_use]
    pub fn ip(&self) -> Option<IpAddr> {
        self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for CallerAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(None)))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["current"], true)]
    #[case(&["previous"], true)]
    #[case(&["other"], false)]
    #[case(&[""], false)]
    #[case(&[], false)]
    #[case(&["other", "current"], false)]
    #[case(&["current", "current"], false)]
    fn the_secret_in_force_and_the_one_before_are_known(#[case] given: &[&str], #[case] known: bool) {
        let hashes = ["current", "previous"].map(|secret| Sha256::digest(secret).into());
        let mut headers = HeaderMap::new();
        for secret in given {
            headers.append(ORIGIN_SECRET, HeaderValue::from_str(secret).unwrap());
        }
        assert_eq!(carries_secret(&headers, &hashes), known);
    }
}
