//! What has to be fast, measured: `make bench` runs all of it, or name one. A line says whether the
//! limit is kept; one that is broken makes the exit status 1. What has a goal or a rival is one table in the end.
//!
//! `bench once <name> <part> <n>` does a part once and says nothing: what callgrind counts. `bench loop` is a function that
//! does nothing, for whoever plays Lambda.

mod binary;
mod budgets;
mod exports;
mod growth;
mod leagues;
mod measure;
mod rate;
mod scoring;
mod table;

use std::{env, process::ExitCode};

/// A benchmark: its name, the whole, and one part of it done `n` times over where it has parts.
type Bench = (&'static str, fn() -> bool, Option<fn(&str, usize)>);

/// The first is a part of another one, and runs only where it is named.
const BENCHES: &[Bench] = &[
    ("growth", growth::run, None),
    ("scoring", scoring::run, Some(scoring::once)),
    ("leagues", leagues::run, None),
    ("exports", exports::run, None),
    ("rate", rate::run, None),
    ("crowd", growth::crowd, None),
    ("budgets", budgets::run, None),
    ("binary", binary::run, None),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let bench = |name: &str| BENCHES.iter().position(|bench| bench.0 == name);
    let chosen = match words[..] {
        [] => Some(&BENCHES[1..]),
        ["loop"] => {
            binary::answer_at_once();
            return ExitCode::SUCCESS;
        }
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
    table::print();
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
