//! Safaricom's sandbox, or another double, in place of the stand-in for M-Pesa (docs/runbook.md, "Trying Safaricom's sandbox").
//!
//! Invariant: it is said whole, or the run does not start; and it is never production, where people pay.

use std::{collections::BTreeMap, fs};

use app::platform::secrets::names;

use super::Refusal;

/// Where people pay: only what is deployed may call it.
const PRODUCTION: &str = "api.safaricom.co.ke";
/// Words that Daraja refuses in a callback's address.
const BANNED: [&str; 7] = ["mpesa", "m-pesa", "safaricom", "exe", "cmd", "sql", "query"];
/// The settings that are the template's parameters, where they are said; a later one stands over an earlier one.
const PARAMETERS: [(&str, &[&str]); 5] = [
    ("DARAJA_SHORTCODE", &["DarajaShortcode", "DarajaPartyB", "PaybillNumber"]),
    ("PAYBILL_NUMBER", &["PaybillNumber"]),
    ("B2C_SHORTCODE", &["B2cShortcode"]),
    ("B2C_INITIATOR", &["B2cInitiator"]),
    ("QUERY_INITIATOR", &["QueryInitiator"]),
];
/// What prompts need.
const WANTED: [(&str, &str); 3] = [
    ("DARAJA_CONSUMER_KEY", names::DARAJA_CONSUMER_KEY),
    ("DARAJA_CONSUMER_SECRET", names::DARAJA_CONSUMER_SECRET),
    ("DARAJA_PASSKEY", names::DARAJA_PASSKEY),
];
/// The passwords that payouts and questions need, and what is wanted beside each: without it the stand-in's initiator and
/// shortcode would be told to M-Pesa. What is not said is not set up.
const ALLOWED: [(&str, &str, &[&str]); 2] = [
    (
        "B2C_INITIATOR_PASSWORD",
        names::B2C_INITIATOR_PASSWORD,
        &["B2C_INITIATOR", "B2C_SHORTCODE", "DARAJA_CERTIFICATE"],
    ),
    ("QUERY_INITIATOR_PASSWORD", names::QUERY_INITIATOR_PASSWORD, &["QUERY_INITIATOR", "DARAJA_CERTIFICATE"]),
];

/// What differs from a run with the stand-in. Empty where nothing is said of a sandbox.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    pub parameters: BTreeMap<&'static str, String>,
    pub secrets: BTreeMap<String, Option<String>>,
}

impl Sandbox {
    /// Reads the environment through `var`, in which what is empty is not set.
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Refusal> {
        let Some(base) = var("DARAJA_BASE_URL") else { return Ok(None) };
        let mut sandbox = Self::default();
        let is_here = base_url(&base)?;
        sandbox.parameters.insert("DarajaBaseUrl", base.trim_end_matches('/').to_owned());
        match var("PUBLIC_ORIGIN") {
            Some(text) => {
                sandbox.parameters.insert("PublicOrigin", origin(&text)?);
            }
            None if is_here => {}
            None => {
                return Err(Refusal::new("PUBLIC_ORIGIN", "has to say where M-Pesa reaches this machine"));
            }
        }
        for (name, parameters) in PARAMETERS {
            let Some(value) = var(name) else { continue };
            for parameter in parameters {
                sandbox.parameters.insert(parameter, value.clone());
            }
        }
        for (name, secret) in WANTED {
            let value = var(name).ok_or_else(|| Refusal::new(name, "is wanted beside DARAJA_BASE_URL"))?;
            sandbox.secrets.insert(secret.to_owned(), Some(value));
        }
        for (name, secret, beside) in ALLOWED {
            let value = var(name);
            let missing = beside.iter().copied().find(|&other| var(other).is_none());
            if let (Some(_), Some(missing)) = (&value, missing) {
                return Err(Refusal::new(missing, format!("is wanted beside {name}")));
            }
            sandbox.secrets.insert(secret.to_owned(), value);
        }
        // The stand-in's own opens nothing elsewhere.
        let certificate = var("DARAJA_CERTIFICATE").map(|path| {
            fs::read_to_string(&path)
                .map_err(|error| Refusal::new("DARAJA_CERTIFICATE", format!("{path}: {error}")))
        });
        sandbox.secrets.insert(names::DARAJA_CERTIFICATE.to_owned(), certificate.transpose()?);
        Ok(Some(sandbox))
    }
}

/// Whether it is on this machine.
fn base_url(text: &str) -> Result<bool, Refusal> {
    let refuse = |what: &str| Refusal::new("DARAJA_BASE_URL", format!("\"{text}\" {what}"));
    let uri: http::Uri = text.parse().map_err(|_| refuse("is not an address"))?;
    let host = uri.host().unwrap_or_default().to_ascii_lowercase();
    let is_here = matches!(host.as_str(), "localhost" | "127.0.0.1");
    match uri.scheme_str() {
        _ if host == PRODUCTION => Err(refuse("moves real money: only what is deployed calls it")),
        Some("https") if !host.is_empty() => Ok(is_here),
        Some("http") if is_here => Ok(true),
        _ => Err(refuse("is not an https address")),
    }
}

fn origin(text: &str) -> Result<String, Refusal> {
    let refuse = |what: String| Refusal::new("PUBLIC_ORIGIN", format!("\"{text}\" {what}"));
    let told = text.trim_end_matches('/');
    let uri: http::Uri = told.parse().map_err(|_| refuse("is not an address".to_owned()))?;
    let is_origin = uri.scheme_str() == Some("https") && uri.host().is_some() && uri.path() == "/";
    if !is_origin || uri.query().is_some() {
        return Err(refuse("is not an https origin such as https://play.example".to_owned()));
    }
    let lower = told.to_ascii_lowercase();
    match BANNED.iter().find(|word| lower.contains(*word)) {
        Some(word) => Err(refuse(format!("has \"{word}\" in it, which M-Pesa refuses in an address"))),
        None => Ok(told.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const SAID: [(&str, &str); 5] = [
        ("DARAJA_BASE_URL", "https://sandbox.safaricom.co.ke/"),
        ("PUBLIC_ORIGIN", "https://a-tunnel.example/"),
        ("DARAJA_CONSUMER_KEY", "a key"),
        ("DARAJA_CONSUMER_SECRET", "its secret"),
        ("DARAJA_PASSKEY", "a passkey"),
    ];

    /// What is said, and what is said otherwise; an empty value is not set.
    fn read(changes: &[(&str, &str)]) -> Result<Option<Sandbox>, Refusal> {
        Sandbox::from_vars(|name| {
            let all = changes.iter().chain(&SAID);
            let found = all.into_iter().find(|(said, _)| *said == name);
            found.map(|(_, value)| (*value).to_owned()).filter(|value| !value.is_empty())
        })
    }

    #[test]
    fn the_stand_in_is_the_default() {
        assert_eq!(read(&[("DARAJA_BASE_URL", "")]).unwrap(), None);
    }

    #[test]
    fn a_sandbox_takes_the_stand_ins_place() {
        let sandbox = read(&[("DARAJA_SHORTCODE", "600984")]).unwrap().unwrap();
        assert_eq!(sandbox.parameters["DarajaBaseUrl"], "https://sandbox.safaricom.co.ke");
        assert_eq!(sandbox.parameters["PublicOrigin"], "https://a-tunnel.example");
        for parameter in ["DarajaShortcode", "DarajaPartyB", "PaybillNumber"] {
            assert_eq!(sandbox.parameters[parameter], "600984");
        }
        assert_eq!(sandbox.secrets[names::DARAJA_PASSKEY].as_deref(), Some("a passkey"));
        for unsaid in [names::DARAJA_CERTIFICATE, names::B2C_INITIATOR_PASSWORD] {
            assert_eq!(sandbox.secrets[unsaid], None, "the stand-in's is not used elsewhere");
        }
    }

    /// As Safaricom's own two are: one that prompts are sent for, and one that addresses are registered for.
    #[test]
    fn the_paybill_may_be_another_shortcode_than_that_of_prompts() {
        let sandbox = read(&[("DARAJA_SHORTCODE", "174379"), ("PAYBILL_NUMBER", "600984")]).unwrap().unwrap();
        let numbers = ["DarajaShortcode", "DarajaPartyB", "PaybillNumber"].map(|of| &*sandbox.parameters[of]);
        assert_eq!(numbers, ["174379", "174379", "600984"]);
    }

    #[rstest]
    #[case::payouts("B2C_INITIATOR_PASSWORD", &["B2C_INITIATOR", "B2C_SHORTCODE", "DARAJA_CERTIFICATE"])]
    #[case::questions("QUERY_INITIATOR_PASSWORD", &["QUERY_INITIATOR", "DARAJA_CERTIFICATE"])]
    fn an_initiators_password_is_not_said_alone(#[case] password: &str, #[case] beside: &[&str]) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let mut said = vec![(password, "a password")];
        for missing in beside {
            assert_eq!(read(&said).unwrap_err().name, *missing);
            said.push((*missing, file));
        }
        assert!(read(&said).unwrap().is_some());
    }

    #[test]
    fn a_double_on_this_machine_needs_no_tunnel() {
        let here = [("DARAJA_BASE_URL", "http://localhost:4100"), ("PUBLIC_ORIGIN", "")];
        assert!(!read(&here).unwrap().unwrap().parameters.contains_key("PublicOrigin"));
    }

    #[rstest]
    #[case::production("DARAJA_BASE_URL", "https://api.safaricom.co.ke")]
    #[case::production_shouted("DARAJA_BASE_URL", "https://API.safaricom.co.ke:443/")]
    #[case::in_clear("DARAJA_BASE_URL", "http://sandbox.safaricom.co.ke")]
    #[case::no_address("DARAJA_BASE_URL", "sandbox")]
    #[case::no_tunnel("PUBLIC_ORIGIN", "")]
    #[case::not_https("PUBLIC_ORIGIN", "http://a-tunnel.example")]
    #[case::a_path("PUBLIC_ORIGIN", "https://a-tunnel.example/hooks")]
    #[case::a_banned_word("PUBLIC_ORIGIN", "https://my-mpesa.example")]
    #[case::no_key("DARAJA_CONSUMER_KEY", "")]
    #[case::no_passkey("DARAJA_PASSKEY", "")]
    #[case::no_such_file("DARAJA_CERTIFICATE", "/nowhere/sandbox.cer")]
    fn what_does_not_do_is_refused_by_name(#[case] name: &str, #[case] value: &str) {
        assert_eq!(read(&[(name, value)]).unwrap_err().name, name);
    }
}
