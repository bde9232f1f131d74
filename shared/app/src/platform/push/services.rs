//! Whom pushes are handed to: the push services of the browsers' makers, by a setting. An address that a browser tells us
//! is called only where it is one of theirs, so nobody has us call an address of their choice.

use http::Uri;

/// Longer addresses are no push service's.
const LONGEST: usize = 1024;

/// Origins: `https://host`, or `https://*.host` for every host below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushServices(Vec<String>);

impl PushServices {
    /// Origins, separated by commas: https, but on one's own machine.
    pub fn parse(text: &str) -> Result<Self, String> {
        let origins: Vec<String> = text.split(',').map(|origin| origin.trim().to_owned()).collect();
        let sound = |origin: &String| {
            let own = origin.starts_with("http://localhost:");
            let host = origin.strip_prefix("https://").map(|host| host.strip_prefix("*.").unwrap_or(host));
            let host = host.is_some_and(|host| host.contains('.') && host.split('.').all(is_label));
            own || host
        };
        match origins.iter().find(|origin| !sound(origin)) {
            None => Ok(Self(origins)),
            Some(wrong) => Err(format!("'{wrong}' is not https://host or https://*.host")),
        }
    }

    /// The origin of a subscription's address, where it is that of a push service.
    #[must_use]
    pub fn origin_of(&self, endpoint: &str) -> Option<String> {
        if endpoint.len() > LONGEST {
            return None;
        }
        let uri: Uri = endpoint.parse().ok()?;
        let origin = format!("{}://{}", uri.scheme_str()?, uri.authority()?.as_str().to_ascii_lowercase());
        let below = |service: &String| {
            let (Some(domain), Some(host)) =
                (service.strip_prefix("https://*."), origin.strip_prefix("https://"))
            else {
                return *service == origin;
            };
            host.strip_suffix(domain)
                .and_then(|below| below.strip_suffix('.'))
                .is_some_and(|below| below.split('.').all(is_label))
        };
        self.0.iter().any(below).then_some(origin)
    }
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const SERVICES: &str = "https://fcm.googleapis.com, https://*.push.apple.com";

    #[rstest]
    #[case("https://fcm.googleapis.com/fcm/send/abc", Some("https://fcm.googleapis.com"))]
    #[case("https://FCM.googleapis.com/fcm/send/abc", Some("https://fcm.googleapis.com"))]
    #[case("https://web.push.apple.com/abc", Some("https://web.push.apple.com"))]
    #[case::not_https("http://fcm.googleapis.com/fcm/send/abc", None)]
    #[case::another("https://example.com/fcm.googleapis.com", None)]
    #[case::inside("https://169.254.169.254/latest/meta-data", None)]
    #[case::own("http://localhost:4000/sim/push/abc", None)]
    #[case::a_user_named_like_it("https://fcm.googleapis.com@evil.test/abc", None)]
    #[case::a_host_that_ends_like_it("https://evilpush.apple.com/abc", None)]
    #[case::nothing_below_it("https://.push.apple.com/abc", None)]
    #[case::a_user_below_it("https://evil.test#.push.apple.com/abc", None)]
    #[case::a_user_with_a_star(concat!("https://evil:80", "@x.push.apple.com/abc"), None)]
    #[case::another_port("https://fcm.googleapis.com:8443/abc", None)]
    #[case::a_path("/fcm/send/abc", None)]
    #[case::no_address("fcm", None)]
    #[case::empty("", None)]
    fn only_a_push_services_address_is_called(#[case] endpoint: &str, #[case] origin: Option<&str>) {
        let services = PushServices::parse(SERVICES).unwrap();
        assert_eq!(services.origin_of(endpoint).as_deref(), origin);
    }

    #[test]
    fn an_address_has_an_end() {
        let services = PushServices::parse(SERVICES).unwrap();
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(LONGEST));
        assert_eq!(services.origin_of(&long), None);
    }

    #[rstest]
    #[case("http://fcm.googleapis.com")]
    #[case("https://*")]
    #[case("https://com")]
    #[case("https://fcm.googleapis.com/path")]
    #[case("fcm.googleapis.com")]
    #[case("")]
    fn what_is_no_origin_is_no_setting(#[case] text: &str) {
        assert!(PushServices::parse(text).is_err(), "{text}");
    }
}
