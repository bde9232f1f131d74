//! Tests in the area `settlement`: winners and what a league pays.

mod corrections;
mod last_word;
mod preview;
mod settling;
mod silent_team;
mod waiting;
