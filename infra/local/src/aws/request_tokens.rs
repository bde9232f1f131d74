//! Transactions by their request tokens: one that comes again is answered as before, and not done again.
//!
//! The embedded database does the same, but at each transaction it looks at every token of the last ten minutes. In a gameweek
//! of a hundred thousand that was two thirds of the time.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    mem,
    time::{Duration, Instant},
};

use dynoxide::DynoxideError;
use serde_json::Value;

/// So long at least a token is known, as `DynamoDB` does.
const KNOWN_FOR: Duration = Duration::from_mins(10);

/// A transaction that was done.
struct Done {
    request: u64,
    answer: Vec<u8>,
}

/// Tokens are forgotten all at once: those of the ten minutes before the current ones.
pub struct RequestTokens {
    current: HashMap<String, Done>,
    before: HashMap<String, Done>,
    since: Instant,
}

impl Default for RequestTokens {
    fn default() -> Self {
        Self { current: HashMap::new(), before: HashMap::new(), since: Instant::now() }
    }
}

impl RequestTokens {
    /// The answer to `request` under `token`: of the first time, or else of `run`. What has failed is tried again.
    pub fn once(
        &mut self,
        token: String,
        request: Value,
        run: impl FnOnce(Value) -> Result<Vec<u8>, DynoxideError>,
    ) -> Result<Vec<u8>, DynoxideError> {
        if self.since.elapsed() > KNOWN_FOR {
            self.before = mem::take(&mut self.current);
            self.since = Instant::now();
        }
        let mut hasher = DefaultHasher::new();
        // An object's keys are sorted.
        request.to_string().hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(done) = self.current.get(&token).or_else(|| self.before.get(&token)) {
            return if done.request == hash {
                Ok(done.answer.clone())
            } else {
                let differs = "Its request token was used for another transaction.".to_owned();
                Err(DynoxideError::IdempotentParameterMismatchException(differs))
            };
        }
        let answer = run(request)?;
        self.current.insert(token, Done { request: hash, answer: answer.clone() });
        Ok(answer)
    }
}
