//! The outside world: Daraja (M-Pesa), the official game, the randomness beacon, and the clock.
//! Each is reached by a base URL from configuration; none of it knows the product's rules.

pub mod clock;

pub use clock::Clock;
