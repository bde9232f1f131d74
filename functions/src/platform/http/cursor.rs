//! Cursors of paged lists, as a caller sends them back.

use super::{ApiError, RefusalCode};

/// A cursor is a sort key's part: longer than this is none of ours.
pub const LONGEST: usize = 200;

/// The cursor to go on from, where one was sent.
pub fn cursor(sent: Option<&str>) -> Result<Option<&str>, ApiError> {
    match sent {
        Some(text)
            if text.is_empty() || text.len() > LONGEST || !text.bytes().all(|b| b.is_ascii_graphic()) =>
        {
            Err(ApiError::bad_request("That is not a cursor of this list.").code(RefusalCode::NotACursor))
        }
        sent => Ok(sent),
    }
}
