//! A year that fails, made smaller: the end of it alone first, then fewer and fewer of its steps (delta debugging), as long
//! as something fails. Each try is a world of its own. What was tried in vain may have failed by chance alone: how
//! tasks meet and what the database refuses is not the seed's (docs/reliability.md).

use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    time::{Duration, Instant},
};

use super::{
    plan::Size,
    play::{Violation, play},
    steps::Step,
};

/// In seconds, for all tries together; `SHRINK` says another.
const LONGEST: u64 = 600;

type Steps = Vec<(usize, Step)>;

/// The chosen ones of those that a smaller year may do without, and the gameweeks that they are in.
pub fn only(steps: &Steps, chosen: &BTreeSet<usize>) -> Steps {
    let mut weeks = BTreeSet::new();
    let mut week = 0;
    for (n, step) in steps {
        if let Step::Begin { week: begun, .. } = step {
            week = *begun;
        }
        if step.may_go() && chosen.contains(n) {
            weeks.insert(week);
        }
    }
    let mut week = 0;
    let keeps = |(n, step): &&(usize, Step)| {
        if let Step::Begin { week: begun, .. } = step {
            week = *begun;
        }
        weeks.contains(&week) && (!step.may_go() || chosen.contains(n))
    };
    steps.iter().filter(keeps).cloned().collect()
}

/// The shortest end, twice as long each time, that fails.
async fn tail(all: Vec<usize>, mut fails: impl AsyncFnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut length = (all.len() / 64).max(50);
    while length < all.len() {
        let tail = &all[all.len() - length..];
        if fails(tail).await {
            return tail.to_vec();
        }
        length *= 2;
    }
    all
}

/// Leaves out parts, smaller and smaller ones, as long as it fails.
async fn fewer(mut left: Vec<usize>, mut fails: impl AsyncFnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut part = left.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < left.len() && left.len() > 1 {
            let without = [&left[..at], &left[(at + part).min(left.len())..]].concat();
            if fails(&without).await {
                left = without;
            } else {
                at += part;
            }
        }
        if part <= 1 {
            return left;
        }
        part = part.div_ceil(2);
    }
}

/// How to see it again, with as few steps as were found in time.
pub async fn shrink(size: Size, steps: &Steps, violation: &Violation) -> String {
    let longest = env::var("SHRINK").ok().and_then(|text| text.parse().ok()).unwrap_or(LONGEST);
    let until = Instant::now() + Duration::from_secs(longest);
    let until_it: Vec<usize> =
        steps.iter().filter(|(n, step)| *n <= violation.step && step.may_go()).map(|(n, _)| *n).collect();
    let Size { seed, operations, .. } = size;
    if until_it.is_empty() {
        return format!("again: SEED={seed} OPERATIONS={operations} make soak-year");
    }
    let (mut tries, mut last) = (0, violation.to_string());
    let mut fails = async |chosen: &[usize]| {
        if Instant::now() > until {
            return false;
        }
        tries += 1;
        let steps = only(steps, &chosen.iter().copied().collect());
        let Err(violation) = play(size, &steps, None).await else { return false };
        println!("it fails with {} steps: {violation}", chosen.len());
        last = violation.to_string();
        true
    };
    let tail = tail(until_it, &mut fails).await;
    let left = fewer(tail, &mut fails).await;
    let mut said = format!("{tries} tries leave {} steps ({last}):\n", left.len());
    for (n, step) in steps.iter().filter(|(n, _)| left.contains(n)).take(60) {
        writeln!(said, "  {n}: {step:?}").expect("a text takes all");
    }
    let chosen = left.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    said + &format!("again: SEED={seed} OPERATIONS={operations} STEPS={chosen} make soak-year")
}

/// Two steps of a thousand that fail together.
#[tokio::test]
async fn a_year_is_made_as_small_as_it_still_fails() {
    let fails = async |chosen: &[usize]| chosen.contains(&700) && chosen.contains(&993);
    let shorter = tail((0..1000).collect(), fails).await;
    assert_eq!(shorter.len(), 400);
    assert_eq!(fewer(shorter, fails).await, [700, 993]);
}
