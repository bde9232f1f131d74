//! How the clients of AWS reach it: HTTP/1.1 over TLS, which believes Amazon's roots and no others. What the SDK brings
//! itself reads the machine's hundred and more roots at each start, and speaks HTTP/2, which none of these services does.

use std::{fmt, sync::Arc, time::Duration};

use aws_smithy_runtime_api::client::{
    http::{HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector as Tcp},
    rt::TokioExecutor,
};
use rustls::{
    CipherSuite, ClientConfig, NamedGroup, RootCertStore,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, pem::PemObject},
};

/// Amazon's roots, in PEM.
const ROOTS: &[u8] = include_bytes!("roots.pem");
/// A connection is made within this, and tried again otherwise.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// An answer has begun within this: nothing that is asked of AWS here takes a tenth of it.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// Cheap to clone; clones share connections.
#[derive(Clone)]
pub struct Connector(Client<HttpsConnector<Tcp>, SdkBody>);

impl Connector {
    pub fn new() -> Self {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_LIMIT));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(tls())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        Self(Client::builder(TokioExecutor::new()).build(https))
    }

    pub fn client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }

    /// Makes a connection to `endpoint`, to be there for the first call. Whatever is answered, and whether, is the same.
    pub async fn warm(&self, endpoint: &str) {
        let Ok(request) = http::Request::get(endpoint).body(SdkBody::empty()) else { return };
        if let Ok(Ok(answer)) = tokio::time::timeout(CONNECT_LIMIT, self.0.request(request)).await {
            // Read to its end, so that the connection is free again.
            let _read = answer.into_body().collect().await;
        }
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let answer = self.0.request(request);
        HttpConnectorFuture::new(async move {
            match tokio::time::timeout(ANSWER_LIMIT, answer).await {
                Ok(Ok(answer)) => HttpResponse::try_from(answer.map(SdkBody::from_body_1_x))
                    .map_err(|error| ConnectorError::other(error.into(), None)),
                Ok(Err(error)) => Err(ConnectorError::io(error.into())),
                Err(late) => Err(ConnectorError::timeout(late.into())),
            }
        })
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

fn roots() -> impl Iterator<Item = CertificateDer<'static>> {
    CertificateDer::pem_slice_iter(ROOTS)
        .map(|root| root.expect("the roots are constants that the tests read"))
}

/// What ring offers, with what costs a start least in front. AWS has these too: SHA-256 is done by the processor's own
/// instructions where SHA-384 is not, and P-256 costs half of X25519 here.
fn provider() -> CryptoProvider {
    let mut provider = ring::default_provider();
    provider.cipher_suites.sort_by_key(|suite| suite.suite() != CipherSuite::TLS13_AES_128_GCM_SHA256);
    provider.kx_groups.sort_by_key(|group| group.name() != NamedGroup::secp256r1);
    provider
}

fn tls() -> ClientConfig {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots());
    ClientConfig::builder_with_provider(Arc::new(provider()))
        .with_safe_default_protocol_versions()
        .expect("ring offers the default versions of TLS")
        .with_root_certificates(store)
        .with_no_client_auth()
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, ToSpan, Zoned};
    use sha2::{Digest, Sha256};
    use x509_parser::parse_x509_certificate;

    use super::*;

    /// As https://www.amazontrust.com/repository/ has them.
    const FINGERPRINTS: [&str; 5] = [
        "8ecde6884f3d87b1125ba31ac3fcb13d7016de7f57cc904fe1cb97c6ae98196e",
        "1ba5b2aa8c65401a82960118f80bec4f62304d83cec4713a19c39c011ea46db4",
        "18ce6cfe7bf14e60b2e347b8dfe868cb31d02ebb3ada271569f50343b46db3a4",
        "e35d28419ed02025cfa69038cd623962458da5c695fbdea3c22b0bfb25897092",
        "568d6905a2c88708a4b3025190edcfedb1974a606a13c6e5290fcb2ae63edab5",
    ];

    #[test]
    fn these_are_amazons_roots() {
        let found: Vec<String> = roots().map(|root| hex::encode(Sha256::digest(&root))).collect();
        assert_eq!(found, FINGERPRINTS);
        assert_eq!(tls_roots(), FINGERPRINTS.len());
    }

    #[test]
    fn what_costs_least_is_offered_first_and_nothing_is_left_out() {
        let (ours, rings) = (provider(), ring::default_provider());
        assert_eq!(ours.cipher_suites[0].suite(), CipherSuite::TLS13_AES_128_GCM_SHA256);
        assert_eq!(ours.kx_groups[0].name(), NamedGroup::secp256r1);
        assert_eq!(ours.cipher_suites.len(), rings.cipher_suites.len());
        assert_eq!(ours.kx_groups.len(), rings.kx_groups.len());
    }

    fn tls_roots() -> usize {
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(roots()).0
    }

    /// Fails half a year before the first of them ends: take the new ones in then, beside the old.
    #[test]
    fn no_root_ends_within_half_a_year() {
        let soon = Zoned::now().checked_add(6.months()).unwrap().timestamp();
        for root in roots() {
            let (_, root) = parse_x509_certificate(&root).unwrap();
            let ends = Timestamp::from_second(root.validity().not_after.timestamp()).unwrap();
            assert!(ends > soon, "{} ends on {ends}", root.subject());
        }
    }
}
