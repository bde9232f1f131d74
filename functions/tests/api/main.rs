//! The API as a person uses it: over HTTP against the local stack, one world a test. Nothing waits
//! for real time: the clock is moved, and a jump answers when everything that fell due has run.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod admin;
mod entries;
mod gameweeks;
mod influencers;
mod leagues;
mod ledger;
mod payments;
mod platform;
mod settlement;
mod support;
mod teams;
mod withdrawals;

mod people;
