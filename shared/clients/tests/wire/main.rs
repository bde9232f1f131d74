//! The clients against a real HTTP server that answers what it is told to, in order.

mod beacon;
mod daraja;
mod fpl;
mod payouts;
mod server;
mod strangers;
