//! A payout is returned by an admin and then reported as paid; a deposit is reversed by M-Pesa.
