//! Time and instructions.

use std::{
    env,
    hint::black_box,
    process::Command,
    time::{Duration, Instant},
};

/// How long something took over several runs. The best says what it costs; the median, how much
/// else the machine was doing.
pub struct Took {
    pub best: Duration,
    pub median: Duration,
}

pub fn time<T>(runs: usize, mut once: impl FnMut() -> T) -> Took {
    let mut took: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(once());
            start.elapsed()
        })
        .collect();
    took.sort_unstable();
    Took { best: took[0], median: took[runs / 2] }
}

impl Took {
    /// A line: milliseconds, and nanoseconds for each of `n`.
    pub fn line(&self, what: &str, n: usize) {
        let each = self.best.as_nanos() / u128::try_from(n).expect("a count fits");
        println!("{what:<44} {:>8.2} ms (median {:.2}), {each} ns each", ms(self.best), ms(self.median));
    }
}

/// What this process has used of the processor so far, all threads together: what else the machine does
/// is not in it. In steps of a hundredth of a second; nothing where `/proc` is not.
pub fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name is in brackets and may hold anything.
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = |field: usize| after_name.split_whitespace().nth(field).and_then(|ticks| ticks.parse().ok());
    let [user, system]: [u64; 2] = [11, 12].map(|field| ticks(field).unwrap_or(0));
    Duration::from_millis((user + system) * 10)
}

pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Says whether `took` is within `limit`.
pub fn limit(what: &str, took: Duration, limit: Duration) -> bool {
    let kept = took <= limit;
    let verdict = if kept { "kept" } else { "BROKEN" };
    println!("{what:<44} {:>8.2} ms, limit {:.0} ms: {verdict}", ms(took), ms(limit));
    kept
}

/// A line: instructions for each of `n` of a part, by callgrind, whatever the machine is doing.
/// What it takes to get there is counted by doing none, and taken off.
pub fn instructions(name: &str, part: &str, n: usize) {
    let what = format!("{part}: instructions each");
    match count(name, part, n).and_then(|all| Ok(all.saturating_sub(count(name, part, 0)?))) {
        Ok(more) => println!("{what:<44} {:>8}", more / u64::try_from(n).expect("a count fits")),
        Err(reason) => println!("{what:<44}  skipped: {reason}"),
    }
}

fn count(name: &str, part: &str, n: usize) -> Result<u64, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["once", name, part, &n.to_string()])
        .output()
        .map_err(|_| "valgrind is not here (Debian: apt-get install valgrind)".to_owned())?;
    let output = String::from_utf8_lossy(&run.stderr);
    let collected = output.lines().find_map(|line| line.split_once("Collected : "));
    let digits = collected.ok_or_else(|| format!("valgrind said: {}", output.trim()))?.1;
    digits.trim().parse().map_err(|_| format!("valgrind counted {digits:?}"))
}
