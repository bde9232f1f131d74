//! Tests in the area `accounts`: who somebody is.

mod after_erasure;
mod cases;
mod closing;
mod erased_names;
mod kept_open;
mod log_in;
mod notifications;
mod opened_again;
mod own_data;
mod own_limits;
mod own_sessions;
mod passwords;
mod second_factor;
mod sessions;
mod sign_up;
mod stopped_and_erased;
mod stopping;
mod terms;
