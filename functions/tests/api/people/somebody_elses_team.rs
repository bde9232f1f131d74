//! Somebody else's public team id is claimed at sign-up.
