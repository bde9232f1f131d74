//! What the tests share: the template as it is to be, and how it is read.

pub mod functions;
mod policies;
pub mod resources;
pub mod template;
mod watching;
