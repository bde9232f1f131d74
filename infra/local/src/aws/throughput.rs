//! What one partition key bears in a second of the world's time, without the burst that `DynamoDB` may lend. A call to a key
//! that has used it up is throttled before it reaches the table, and so is a write to a partition of an index that has. In a
//! jump the world's clock stands still while work is done: there a second is a real one.
//! (docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html)

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use clients::Clock;

use super::{arns::table_arn, needs::Need, partition_keys::IndexWrite};

const READS: f64 = 3_000.0;
const WRITES: f64 = 1_000.0;
const SECOND: Duration = Duration::from_secs(1);

/// What was used of each key in the second that is under way.
pub struct Throughput {
    clock: Clock,
    used: Mutex<Used>,
    /// What was used of each key since somebody began to measure.
    loads: Mutex<Option<HashMap<Key, f64>>>,
}

/// What calls have used of one partition key of the table or of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    pub partition: String,
    pub reads: bool,
    pub units: f64,
}

impl Load {
    /// The least time in which the key bears it.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.units / most(self.reads)
    }
}

fn most(reads: bool) -> f64 {
    if reads { READS } else { WRITES }
}

struct Used {
    second: i64,
    since: Instant,
    keys: HashMap<Key, f64>,
    /// What others use up in every second.
    by_others: Vec<Key>,
}

impl Used {
    fn by_others(by_others: Vec<Key>) -> Self {
        Self { second: 0, since: Instant::now(), keys: HashMap::new(), by_others }
    }

    fn begin(&mut self, second: i64) {
        let keys = self.by_others.iter().map(|key| (key.clone(), WRITES)).collect();
        (self.second, self.since, self.keys) = (second, Instant::now(), keys);
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    resource: String,
    partition: String,
    reads: bool,
}

/// The keys of one call: those of the table, or of the index that is read, and those of indexes that are written to with what
/// that costs them.
pub struct Charged {
    keys: Vec<Key>,
    of_indexes: Vec<(Key, f64)>,
}

impl Throughput {
    pub fn new(clock: Clock) -> Self {
        Self { clock, used: Mutex::new(Used::by_others(Vec::new())), loads: Mutex::default() }
    }

    /// Measures what each key is used for, from nothing; answers what was measured before.
    pub fn measure(&self) -> Vec<Load> {
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        let before = loads.replace(HashMap::new()).unwrap_or_default();
        let load = |(Key { partition, reads, .. }, units)| Load { partition, reads, units };
        before.into_iter().map(load).collect()
    }

    /// From here on others write under these keys of the table as much as they bear, in every second; under no other ones.
    pub fn others_write(&self, table: &str, partitions: &[String]) {
        let key = |partition: &String| Key {
            resource: table_arn(table, None),
            partition: partition.clone(),
            reads: false,
        };
        *self.lock() = Used::by_others(partitions.iter().map(key).collect());
    }

    /// The keys that a call is charged to; `None`: one of them has nothing left.
    pub fn admit(&self, needs: Vec<Need>, index_writes: Vec<IndexWrite>, reads: bool) -> Option<Charged> {
        let keys = needs.into_iter().flat_map(|Need { resource, leading_keys, .. }| {
            let key = move |partition| Key { resource: resource.clone(), partition, reads };
            leading_keys.into_iter().map(key)
        });
        let keys: Vec<Key> = keys.collect();
        let of_index =
            |IndexWrite { resource, partition, units }| (Key { resource, partition, reads }, units);
        let of_indexes: Vec<(Key, f64)> = index_writes.into_iter().map(of_index).collect();
        let used = self.now();
        let is_left = |key| used.keys.get(key).is_none_or(|used| *used < most(reads));
        let all_left = keys.iter().chain(of_indexes.iter().map(|(key, _)| key)).all(is_left);
        all_left.then_some(Charged { keys, of_indexes })
    }

    /// Charges what a call has consumed, in equal parts; and its indexes, beside that, where it was `done`.
    pub fn charge(&self, Charged { keys, of_indexes }: Charged, units: f64, done: bool) {
        let (mut used, parts) = (self.now(), u32::try_from(keys.len()).unwrap_or(u32::MAX));
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        let shares = keys.into_iter().map(|key| (key, units / f64::from(parts)));
        for (key, share) in shares.chain(of_indexes.into_iter().filter(|_| done)) {
            if let Some(loads) = loads.as_mut() {
                *loads.entry(key.clone()).or_default() += share;
            }
            *used.keys.entry(key).or_default() += share;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> MutexGuard<'_, Used> {
        let second = self.clock.now().as_second();
        let mut used = self.lock();
        if used.second != second || used.since.elapsed() >= SECOND {
            used.begin(second);
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    };

    use jiff::Timestamp;

    use super::*;

    fn of(partitions: &[&str]) -> Vec<Need> {
        let leading_keys = partitions.iter().map(|&partition| partition.to_owned()).collect();
        vec![Need { resource: "table".to_owned(), leading_keys, ..Need::default() }]
    }

    fn clock(second: &Arc<AtomicI64>) -> Clock {
        let second = second.clone();
        Clock::from_fn(move || Timestamp::from_second(second.load(Ordering::SeqCst)).unwrap())
    }

    #[test]
    fn a_partition_of_an_index_that_is_used_up_throttles_the_writes_to_it() {
        let second = Arc::new(AtomicI64::new(0));
        let throughput = Throughput::new(clock(&second));
        let writes = |partition: &str, list: &str, units| {
            let (resource, list) = ("index".to_owned(), list.to_owned());
            let of_index = vec![IndexWrite { resource, partition: list, units }];
            let charged = throughput.admit(of(&[partition]), of_index, false);
            charged.map(|charged| throughput.charge(charged, 1.0, true)).is_some()
        };
        assert!(writes("a", "list", 600.0) && writes("b", "list", 400.0));
        assert!(!writes("c", "list", 1.0), "its own key has all left");
        assert!(writes("c", "another", 1.0));
        second.store(1, Ordering::SeqCst);
        assert!(writes("c", "list", 1.0));
    }

    #[test]
    fn a_key_that_is_used_up_is_throttled_until_the_next_second() {
        let second = Arc::new(AtomicI64::new(0));
        let throughput = Throughput::new(clock(&second));
        let uses = |partitions: &[&str], reads, units| {
            let charged = throughput.admit(of(partitions), Vec::new(), reads);
            charged.map(|charged| throughput.charge(charged, units, true)).is_some()
        };
        assert!(uses(&["a"], false, 999.0));
        assert!(uses(&["a", "b"], false, 4.0), "one unit is left");
        assert!(!uses(&["a"], false, 1.0));
        assert!(!uses(&["b", "a"], false, 1.0), "a transaction is throttled by any of its keys");
        assert!(uses(&["b"], false, 1.0));
        assert!(uses(&["a"], true, 2_999.0), "reads are counted by themselves");
        assert!(uses(&["a"], true, 2.0));
        assert!(!uses(&["a"], true, 1.0));
        second.store(1, Ordering::SeqCst);
        assert!(uses(&["a"], false, 1.0));
        assert!(uses(&["a"], true, 1.0));
    }
}
