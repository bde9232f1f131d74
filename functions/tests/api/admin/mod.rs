//! Tests in the area `admin`: what an admin does.

pub mod audit;
mod commands;
mod exports;
mod players;
mod switches;
