use rsa::traits::PublicKeyParts;
use rstest::rstest;

use super::*;

/// Made for these tests with openssl: version 3, as Safaricom's is.
const VERSION_3: &str = "-----BEGIN CERTIFICATE-----
MIICOjCCAaOgAwIBAgIURKqHjBoN47YtH/5FfKKpaNabmQwwDQYJKoZIhvcNAQEL
BQAwLjELMAkGA1UEBhMCS0UxDjAMBgNVBAoMBVRlc3RzMQ8wDQYDVQQDDAZhcGln
ZWUwIBcNMjYxMTIwMDkyOTE4WhgPMjEyNjEwMjcwOTI5MThaMC4xCzAJBgNVBAYT
AktFMQ4wDAYDVQQKDAVUZXN0czEPMA0GA1UEAwwGYXBpZ2VlMIGfMA0GCSqGSIb3
DQEBAQUAA4GNADCBiQKBgQCdEwY7wtWGcAhjp+iiCRFicYqMaF5X8j/8g75qfXWh
JgPD8QdQF7vtDlnFAr0JyhwCDRWQjLETknnwkOegqEKKWZFL6f+MPTZx/AF0fhGE
+cbRrVLKMj8q+2bwVtKNjBfRvj/MYDPnutRbg0uXMC04yDoP6yEpKUwqGv0TH2Ho
OwIDAQABo1MwUTAdBgNVHQ4EFgQUJQk0K92SPr9bwNB0ZheYkzpKWZ8wHwYDVR0j
BBgwFoAUJQk0K92SPr9bwNB0ZheYkzpKWZ8wDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOBgQB23Nla2VLx9ubp4pcUEW8BL2wHkCsZEnyrnnlI9SBAC59T
CirbHqEDU/Y+e4kXLoKAX1yT/NuyCm+fkaGA0TpQZ87wyFsd9qBGoHemLJiPRxPl
Q0OQFYcp2BMx/XFBk5AivHy1NIbNKO56IRlaYi294W7rk4aoIcebkmZQDSIIcw==
-----END CERTIFICATE-----";
const VERSION_3_MODULUS: &str = "9d13063bc2d586700863a7e8a2091162";

/// Without a version in it.
const VERSION_1: &str = "-----BEGIN CERTIFICATE-----
MIIBpDCCAQ0CFCs8G4xlnrex7uAWHmmxUhaSTl2aMA0GCSqGSIb3DQEBCwUAMBAx
DjAMBgNVBAMMBXRlc3RzMCAXDTI2MTEyMDA5MjkxOFoYDzIxMjYxMDI3MDkyOTE4
WjAQMQ4wDAYDVQQDDAV0ZXN0czCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEA
nNw575x8BMrs0bl+TdMLiKyGrNBc1INnnVbFNDWno1StMBk+Fw2+sUPdJfEbUBQR
FT6+kRtKzfay98M1urMPjbotjCGcvWybVMrb54VmXRZLMiZuk4at5YdIvmaUvJc4
KZec7rKb5sZskL2YvCVv0nresxS5Fag72m2urR1ufKsCAwEAATANBgkqhkiG9w0B
AQsFAAOBgQAIihREivD6InbAbntmVDQPvl03Qdxh0G+u5KkhaknPitI7jJCb+gPz
4Y6X1Wi/VtNLBIvSzzJIF8M6RO6MqtwYdZZ6yCeqxpM+ejwsARTViOvVL5UZm4NP
fm5dtmET+QQNmVp/f/Ud7wYAaY1/yyyNjQm8B1ipaziQmGnQLh46sA==
-----END CERTIFICATE-----";
const VERSION_1_MODULUS: &str = "9cdc39ef9c7c04caecd1b97e4dd30b88";

/// A key of another kind.
const ELLIPTIC: &str = "-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgIULiaNpmbPyupGUspssO64mdbU4v8wCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFdGVzdHMwIBcNMjYxMTIwMDkyOTE4WhgPMjEyNjEwMjcwOTI5
MThaMBAxDjAMBgNVBAMMBXRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
x3yWu2ttMFd+Qk1HctRqkEpVN6TjaJiHSZ3vQ10HncZ83df7/HmnOVU5fNiEgvwZ
S0dfChkn/oRSlYjDEymbDKNTMFEwHQYDVR0OBBYEFMfoB6rUesTSD7sknQcqmitG
BHaIMB8GA1UdIwQYMBaAFMfoB6rUesTSD7sknQcqmitGBHaIMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgI+PqCSMsvcl0qGY1R4E4RTORFM7oez/3
JRymiEdsnlsCIEyqf/tuT+9kao6Ir4dOCZfqOXFwPtRiJRPn2S/M6l1w
-----END CERTIFICATE-----";

#[rstest]
#[case::version_3(VERSION_3, VERSION_3_MODULUS)]
#[case::version_1(VERSION_1, VERSION_1_MODULUS)]
#[case::among_other_lines(&format!("subject=tests\r\n{}\n", VERSION_3.replace('\n', "\r\n")), VERSION_3_MODULUS)]
fn a_certificates_key_is_what_openssl_says(#[case] pem: &str, #[case] modulus: &str) {
    let Certificate(key) = Certificate::parse(pem).expect("a certificate");
    assert_eq!(hex::encode(&key.n().to_bytes_be()[..16]), modulus);
}

#[rstest]
#[case::nothing("", CertificateError::Pem)]
#[case::no_end("-----BEGIN CERTIFICATE-----\nAAAA", CertificateError::Pem)]
#[case::not_base64("-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----", CertificateError::Pem)]
#[case::not_der("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", CertificateError::Key)]
#[case::another_kind(ELLIPTIC, CertificateError::Key)]
fn what_is_no_certificate_is_refused(#[case] pem: &str, #[case] error: CertificateError) {
    assert_eq!(Certificate::parse(pem), Err(error));
}

#[test]
fn a_password_is_sealed_differently_each_time() {
    let certificate = Certificate::parse(VERSION_3).expect("a certificate");
    let [one, other] = [(); 2].map(|()| certificate.encrypt("a password").expect("it fits"));
    assert_ne!(one, other);
    assert_eq!(STANDARD.decode(one).expect("base64").len(), 128);
    assert_eq!(certificate.encrypt(&"x".repeat(200)), Err(CertificateError::Password));
}
