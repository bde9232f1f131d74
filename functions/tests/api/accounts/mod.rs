//! Tests in the area `accounts`: who somebody is.

mod closing;
mod log_in;
mod notifications;
mod passwords;
mod second_factor;
mod sessions;
mod sign_up;
