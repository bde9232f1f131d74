//! `AWS::CloudFront::ResponseHeadersPolicy`: the headers that the edge puts over whatever an answer says.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::{intrinsics::Resolver, properties::only};

/// The policy's headers.
///
/// # Errors
/// A part of the policy that the local run would leave out.
pub fn read(resolver: &Resolver<'_>, properties: &Map<String, Value>) -> Result<HeaderMap, String> {
    only(properties, &["ResponseHeadersPolicyConfig"])?;
    let policy = part(properties.get("ResponseHeadersPolicyConfig"), "ResponseHeadersPolicyConfig")?;
    only(policy, &["Comment", "CustomHeadersConfig", "Name", "SecurityHeadersConfig"])?;
    let mut headers = HeaderMap::new();
    if let Some(security) = policy.get("SecurityHeadersConfig") {
        for (name, settings) in part(Some(security), "SecurityHeadersConfig")? {
            let (header, value) = security_header(resolver, name, part(Some(settings), name)?)?;
            add(&mut headers, header, &value)?;
        }
    }
    let custom = policy.get("CustomHeadersConfig").map(|custom| &custom["Items"]);
    for item in custom.and_then(Value::as_array).into_iter().flatten() {
        let item = part(Some(item), "Items")?;
        only(item, &["Header", "Override", "Value"])?;
        overrides("CustomHeadersConfig", item)?;
        let text = |name| item.get(name).map_or_else(|| Ok(String::new()), |value| resolver.text(value));
        add(&mut headers, &text("Header")?, &text("Value")?)?;
    }
    Ok(headers)
}

fn security_header(
    resolver: &Resolver<'_>,
    name: &str,
    settings: &Map<String, Value>,
) -> Result<(&'static str, String), String> {
    overrides(name, settings)?;
    let text = |name| settings.get(name).map_or_else(|| Ok(String::new()), |value| resolver.text(value));
    match name {
        "ContentSecurityPolicy" => {
            only(settings, &["ContentSecurityPolicy", "Override"])?;
            Ok(("content-security-policy", text("ContentSecurityPolicy")?))
        }
        "ContentTypeOptions" => {
            only(settings, &["Override"])?;
            Ok(("x-content-type-options", "nosniff".to_owned()))
        }
        "ReferrerPolicy" => {
            only(settings, &["Override", "ReferrerPolicy"])?;
            Ok(("referrer-policy", text("ReferrerPolicy")?))
        }
        "StrictTransportSecurity" => {
            only(settings, &["AccessControlMaxAgeSec", "IncludeSubdomains", "Override"])?;
            let below = if settings.get("IncludeSubdomains") == Some(&Value::Bool(true)) {
                "; includeSubDomains"
            } else {
                ""
            };
            Ok(("strict-transport-security", format!("max-age={}{below}", text("AccessControlMaxAgeSec")?)))
        }
        unknown => Err(format!("the local run does not know the header of {unknown}")),
    }
}

fn add(headers: &mut HeaderMap, name: &str, value: &str) -> Result<(), String> {
    let wrong = || format!("{name}: {value:?} is no header");
    let header: HeaderName = name.parse().map_err(|_| wrong())?;
    if value.is_empty() {
        return Err(wrong());
    }
    headers.insert(header, HeaderValue::from_str(value).map_err(|_| wrong())?);
    Ok(())
}

/// What an answer says itself would stand otherwise, and the local run puts these over it.
fn overrides(name: &str, settings: &Map<String, Value>) -> Result<(), String> {
    match settings.get("Override") {
        Some(Value::Bool(true)) => Ok(()),
        _ => Err(format!("{name}: Override is not true")),
    }
}

fn part<'a>(value: Option<&'a Value>, name: &str) -> Result<&'a Map<String, Value>, String> {
    value.and_then(Value::as_object).ok_or_else(|| format!("{name} is no mapping"))
}
