//! From a body's bytes to its wire type.
//!
//! Invariant: whatever is no JSON object or list (the text "The game is being updated.", HTML,
//! nothing at all) is "updating"; only a body of the right kind is decoded.

use serde::de::DeserializeOwned;

use super::{Bootstrap, Entry, EventStatus, Fixture, FplError, History, Live, Picks};

/// An endpoint's whole body.
pub trait Body: DeserializeOwned {
    /// How it begins: an object or a list. (Without this a list would pass for an object, its
    /// items taken as the fields in order.)
    const FIRST: u8 = b'{';
}

impl Body for Bootstrap {}
impl Body for EventStatus {}
impl Body for Entry {}
impl Body for History {}
impl Body for Picks {}
impl Body for Live {}
impl Body for Vec<Fixture> {
    const FIRST: u8 = b'[';
}

pub fn decode<T: Body>(body: &[u8]) -> Result<T, FplError> {
    match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(first) if *first == T::FIRST => {
            serde_json::from_slice(body).map_err(|error| FplError::malformed(error.to_string()))
        }
        Some(b'{' | b'[') => Err(FplError::malformed("a list for an object, or an object for a list")),
        _ => Err(FplError::Updating),
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
