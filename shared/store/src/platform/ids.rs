//! Ids: 32 lowercase hex digits, either unguessable or ordered by time.

use jiff::Timestamp;
use uuid::{Builder, Uuid};

/// 122 random bits: nobody guesses one.
#[must_use]
pub fn random_id() -> String {
    Uuid::new_v4().simple().to_string()
}

/// Begins with the milliseconds of `at`, so that ids sort by when they were made.
#[must_use]
pub fn time_ordered_id(at: Timestamp) -> String {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
    let random = *Uuid::new_v4().as_bytes();
    let random = random.first_chunk::<10>().expect("a UUID has sixteen bytes");
    Builder::from_unix_timestamp_millis(millis, random).into_uuid().simple().to_string()
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn ids_sort_by_time_and_are_hex() {
        let at: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
        let later = time_ordered_id(at + SignedDuration::from_millis(1));
        assert!(time_ordered_id(at) < later);
        assert!(
            domain::accounts::account::is_hex_id(&later)
                && domain::accounts::account::is_hex_id(&random_id())
        );
    }
}
