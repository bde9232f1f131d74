//! Who has acted, as records and permits tell it.

use domain::{UserId, Username};
use serde::{Deserialize, Serialize};

use crate::accounts::players::Player;

/// Who has acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Who {
    Admin {
        id: UserId,
        name: Username,
    },
    /// By a command on the server, not by a request.
    Operator,
    /// The nightly reading of the books.
    Reconciliation,
    /// What M-Pesa answered when it was asked.
    Mpesa,
}

impl Who {
    #[must_use]
    pub fn admin(player: &Player) -> Self {
        Self::Admin { id: player.id.clone(), name: player.username.clone() }
    }

    /// `admin`, `operator`, `reconciliation` or `mpesa`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Admin { .. } => "admin",
            Self::Operator => "operator",
            Self::Reconciliation => "reconciliation",
            Self::Mpesa => "mpesa",
        }
    }

    /// The admin's id and name.
    #[must_use]
    pub fn person(&self) -> Option<(&UserId, &Username)> {
        match self {
            Self::Admin { id, name } => Some((id, name)),
            Self::Operator | Self::Reconciliation | Self::Mpesa => None,
        }
    }
}
