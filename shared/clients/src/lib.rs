//! The outside world: Daraja (M-Pesa), the official game, the randomness beacon, push services, and the clock.
//! Each is reached by a base URL from configuration, a push service by what a browser subscribed to; none of it knows the
//! product's rules.
//!
//! Invariants: wire types are apart from logic; a body is believed only when every field that
//! money hangs on is there; nothing here follows a redirect, reads a proxy from the environment or
//! prints a secret or a phone number.

mod backoff;
pub mod beacon;
pub mod clock;
pub mod daraja;
pub mod fpl;
pub mod http;
pub mod push;

pub use backoff::Backoff;
pub use beacon::{Beacon, BeaconConfig, BeaconError, BeaconRound, RelayFailure};
pub use clock::{Clock, HandClock};
pub use daraja::{Daraja, DarajaConfig, DarajaCredentials, DarajaError};
pub use fpl::{Fpl, FplError};
pub use http::Http;
