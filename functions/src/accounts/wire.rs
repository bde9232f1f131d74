//! What calls of this area and the players' desk answer alike.

use domain::Role;

use crate::platform::http::OneOf;

// A schema is made from a field's name: it knows no `OneOf<Role>`.
pub type RoleWord = OneOf<Role>;
