//! What has to be fast, measured: `make bench` runs all of it, or name one. A line says whether the
//! limit is kept; one that is broken makes the exit status 1.
//!
//! `bench once <name> <part> <n>` does a part once and says nothing: what callgrind counts.

mod binary;
mod exports;
mod growth;
mod leagues;
mod measure;
mod scoring;

use std::{env, process::ExitCode};

/// A benchmark: its name, the whole, and one part of it done `n` times over where it has parts.
type Bench = (&'static str, fn() -> bool, Option<fn(&str, usize)>);

const BENCHES: &[Bench] = &[
    ("scoring", scoring::run, Some(scoring::once)),
    ("leagues", leagues::run, None),
    ("exports", exports::run, None),
    ("growth", growth::run, None),
    ("crowd", growth::crowd, None),
    ("binary", binary::run, None),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let bench = |name: &str| BENCHES.iter().position(|bench| bench.0 == name);
    let chosen = match words[..] {
        [] => Some(BENCHES),
        ["once", name, part, n] => {
            let (_, _, once) = BENCHES[bench(name).expect("a benchmark's name")];
            once.expect("a benchmark with parts")(part, n.parse().expect("a number"));
            return ExitCode::SUCCESS;
        }
        [name] => bench(name).map(|at| &BENCHES[at..=at]),
        _ => None,
    };
    let Some(chosen) = chosen else {
        let names: Vec<&str> = BENCHES.iter().map(|bench| bench.0).collect();
        eprintln!("usage: bench [{}]", names.join(" | "));
        return ExitCode::FAILURE;
    };
    let mut kept = true;
    for (name, run, _) in chosen {
        println!("\n== {name}");
        kept &= run();
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
