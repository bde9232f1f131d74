//! What surrounds every HTTP function: the edge, who is calling, bodies, keys, refusals, cookies, the
//! request log.

mod body;
mod caller;
mod code;
pub mod cookies;
pub mod csv;
mod cursor;
pub mod edge;
mod error;
pub mod gateway;
pub(crate) mod hooks;
pub mod log;
mod one_of;
mod paged;
mod public;
mod query;
mod service;
mod submission;

pub use body::{Body, Lenient, read as read_body};
pub use caller::{Actor, Admin, Bearer, Caller, CallerInSession, OptionalCaller};
pub use code::RefusalCode;
pub use cursor::{LONGEST as LONGEST_CURSOR, cursor};
pub use edge::CallerAddress;
pub(crate) use error::TRY_AGAIN;
pub(crate) use error::complete;
pub use error::{ApiError, Failure, Refusal, with_success_false, with_text_in_error};
pub use one_of::OneOf;
pub use paged::Paged;
pub(crate) use public::tagged;
pub use public::{Keep, Public};
pub use query::Query;
pub use service::{service, unset};
pub use submission::Submission;
