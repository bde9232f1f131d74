//! The API as a person uses it: over HTTP against the local stack, one world a test. Nothing waits
//! for real time: the clock is moved, and a jump answers when everything that fell due has run.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod document;
mod invariants;
mod lines;
mod support;

mod accounts;
mod ask_afresh;
mod audit;
mod authenticator;
mod authz;
mod bad_input;
mod books;
mod codes;
mod deadline;
mod draw;
mod draw_races;
mod edge;
mod entries;
mod exports;
mod frozen;
mod idempotency;
mod influencers;
mod kills;
mod late_news;
mod leagues;
mod limits;
mod logs;
mod mails;
mod manual_payments;
mod meetings;
mod money_in;
mod month;
mod operator;
mod passwords;
mod paybill;
mod paybill_accounts;
mod payout_faults;
mod payouts;
mod people;
mod players;
mod points;
mod preview;
mod receipts;
mod restart;
mod results;
mod schedules;
mod seasons;
mod sessions;
mod set_asides;
mod switches;
mod taking_back;
mod teams;
mod totp;
mod versions;
mod waiting;
mod weather;
mod week;
mod withdrawals;
