//! An admin with a password only confirms an invented code at 250,000, or another amount than M-Pesa says, and pays it out to themself.
