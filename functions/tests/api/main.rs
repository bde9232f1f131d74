//! The API as a person uses it, over HTTP against the local stack.
