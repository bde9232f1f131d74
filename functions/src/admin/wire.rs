//! Wire types of the panel.

use store::admin::audit::Who;

use crate::platform::http::OneOf;

/// Who has done something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ActedBy {
    Admin,
    Operator,
    Reconciliation,
    Mpesa,
}

pub type ActedByWord = OneOf<ActedBy>;

impl From<&Who> for ActedBy {
    fn from(who: &Who) -> Self {
        match who {
            Who::Admin { .. } => Self::Admin,
            Who::Operator => Self::Operator,
            Who::Reconciliation => Self::Reconciliation,
            Who::Mpesa => Self::Mpesa,
        }
    }
}
