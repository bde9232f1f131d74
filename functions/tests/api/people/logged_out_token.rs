//! A token is kept after its session was logged out.
