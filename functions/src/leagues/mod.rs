//! Leagues: the draw, seeing them, and points.

pub mod draw;
pub mod list;
pub mod own;
mod pitch;
pub mod points;
mod refusals;
mod view;

use store::leagues::points::PointsStage;

use crate::platform::http::OneOf;

/// How certain points are.
pub type StageWord = OneOf<PointsStage>;
