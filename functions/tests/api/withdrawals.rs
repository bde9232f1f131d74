//! withdrawals
