//! A stolen admin token enrols an authenticator of the thief's.
