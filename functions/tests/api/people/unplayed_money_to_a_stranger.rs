//! 250,000 of unplayed deposits are withdrawn to a stranger's number, or from a suspended account.
