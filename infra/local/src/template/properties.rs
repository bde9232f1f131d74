//! Reading the properties of a resource: what nobody here has thought about is refused.

use serde_json::{Map, Value};

use super::intrinsics::Resolver;

pub type Properties = Map<String, Value>;

/// Refuses properties that nobody here has thought about.
pub fn only(properties: &Properties, known: &[&str]) -> Result<(), String> {
    match properties.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(format!("the local run does not know the property {unknown}")),
        None => Ok(()),
    }
}

/// A property that has to be there.
pub fn text(resolver: &Resolver<'_>, properties: &Properties, name: &str) -> Result<String, String> {
    let value = properties.get(name).ok_or_else(|| format!("it has no {name}"))?;
    resolver.text(value).map_err(|what| format!("{name}: {what}"))
}

/// Whether a rule with this `State` fires. Where it has none it does.
pub fn is_enabled(resolver: &Resolver<'_>, properties: &Properties) -> Result<bool, String> {
    if !properties.contains_key("State") {
        return Ok(true);
    }
    match text(resolver, properties, "State")?.as_str() {
        "ENABLED" => Ok(true),
        "DISABLED" => Ok(false),
        other => Err(format!("State is {other}, not ENABLED or DISABLED")),
    }
}

/// A whole number between `least` and `greatest`, or `default` where the property is not there.
pub fn whole(
    resolver: &Resolver<'_>,
    properties: &Properties,
    name: &str,
    default: u32,
    least: u32,
    greatest: u32,
) -> Result<u32, String> {
    let Some(value) = properties.get(name) else { return Ok(default) };
    let text = resolver.text(value)?;
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("{name} is {text}, not a whole number from {least} to {greatest}"))
}
