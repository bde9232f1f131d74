//! What surrounds every HTTP function: who is calling, bodies, refusals, cookies, the request log.

mod body;
mod caller;
pub mod cookies;
mod cursor;
mod error;
mod service;

pub use body::{Body, Loose, read as read_body};
pub use caller::{Admin, Caller, OptionalCaller, Spender, check_admin};
pub use cursor::cursor;
pub use error::{ApiError, Refusal};
pub use service::service;
