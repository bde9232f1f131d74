//! The time in Kenya.

use jiff::tz::Offset;

/// Three hours ahead of UTC, all year.
pub const KENYA: Offset = Offset::constant(3);
