//! Two and three flows that meet, in many orders. Each call to AWS of each flow is a place where another one may go on, so an
//! order is a way in which processes beside each other may really have run. Every order begins with the same table.
//!
//! `SCHEDULES` says how many orders of each scene are tried; 200 without it. One that fails prints the command that plays it
//! again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod admins;
mod gameweek;
mod orders;
mod payments;
mod replays;
mod stage;
mod teams;
mod wallet;
mod withdrawals;
