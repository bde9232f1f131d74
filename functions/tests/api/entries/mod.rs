//! Tests in the area `entries`: joining a gameweek.

mod deadline;
mod join;
