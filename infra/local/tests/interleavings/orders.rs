//! The orders in which a scene is tried, and one of them once more.

use std::{
    any::Any,
    fmt::Write,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex},
    thread,
};

use shuttle::{
    Config, FailurePersistence, MaxSteps, Runner,
    scheduler::{PctScheduler, RandomScheduler, ReplayScheduler, Schedule, Scheduler, Task, TaskId},
};

/// Flows are deep, and each has a stack of its own.
const STACK: usize = 4 << 20;
/// An order is over after so many steps: a flow that goes on for ever is a fault as well.
const STEPS: usize = 100_000;
/// A player's flows meet at this many places, mostly: at so many the second scheduler has another flow go on.
const CHANGES: usize = 3;

/// A scene from its beginning to its end.
pub type Play = Arc<dyn Fn() + Send + Sync>;

/// An order in which a scene failed: which flow took each step, `flow x steps` one after the other.
pub struct Failure {
    pub order: String,
    pub panic: Box<dyn Any + Send>,
}

impl Failure {
    /// Fails the test, with the command that plays this order again.
    pub fn tell(self) {
        let thread = thread::current();
        // With one thread for all tests it is the program's first, which has no test's name.
        let scene = thread.name().filter(|name| *name != "main").unwrap_or("<the scene>");
        eprintln!(
            "play it again: REPLAY={} cargo test --locked --workspace --test interleavings -- --exact {scene}",
            self.order
        );
        resume_unwind(self.panic);
    }
}

/// Half of them by chance, half with few changes from one flow to another.
pub fn try_many(play: &Play) -> Result<(), Failure> {
    let each = schedules() / 2;
    run(RandomScheduler::new(each), play)?;
    // It counts the order that it begins with as one.
    run(PctScheduler::new(CHANGES + 1, each), play)
}

pub fn replay(play: &Play, order: &str) -> Result<(), Failure> {
    // The seed is of shuttle's own random numbers, which no scene asks for.
    run(ReplayScheduler::new_from_schedule(Schedule::new_from_task_ids(0, read(order))), play)
}

fn schedules() -> usize {
    std::env::var("SCHEDULES").map_or(200, |count| count.parse().expect("SCHEDULES is a number"))
}

fn run(scheduler: impl Scheduler + 'static, play: &Play) -> Result<(), Failure> {
    // The SDK sets time limits, which here never run out: nobody drives this clock. (It is never taken down: what an order
    // that failed has left in it must not be woken.)
    let still = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _entered = Box::leak(Box::new(still)).enter();
    let mut config = Config::new();
    config.stack_size = STACK;
    config.max_steps = MaxSteps::FailAfter(STEPS);
    config.failure_persistence = FailurePersistence::None;
    let (taken, play) = (Arc::<Mutex<Vec<TaskId>>>::default(), play.clone());
    let noted = Noted { scheduler, taken: taken.clone() };
    catch_unwind(AssertUnwindSafe(|| Runner::new(noted, config).run(move || play())))
        .map(drop)
        .map_err(|panic| Failure { order: written(&taken.lock().unwrap()), panic })
}

/// Notes which flow takes each step of the order that is played. The scheduler is not told that a flow yields at its calls to
/// AWS: the one with few changes would have another flow go on at every call. A flow that goes round until another has done
/// something would then end its order by [`STEPS`]; flows here are woken by what they wait for, and try again a few times at most.
struct Noted<S> {
    scheduler: S,
    taken: Arc<Mutex<Vec<TaskId>>>,
}

impl<S: Scheduler> Scheduler for Noted<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        self.taken.lock().unwrap().clear();
        self.scheduler.new_execution()
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        _is_yielding: bool,
    ) -> Option<TaskId> {
        let next = self.scheduler.next_task(runnable, current, false)?;
        self.taken.lock().unwrap().push(next);
        Some(next)
    }

    fn next_u64(&mut self) -> u64 {
        self.scheduler.next_u64()
    }
}

fn written(order: &[TaskId]) -> String {
    let mut text = String::new();
    for steps in order.chunk_by(PartialEq::eq) {
        write!(text, "{}{}x{}", if text.is_empty() { "" } else { "," }, usize::from(steps[0]), steps.len())
            .unwrap();
    }
    text
}

fn read(order: &str) -> Vec<TaskId> {
    let steps = |part: &str| {
        let (flow, steps) = part.split_once('x').expect("REPLAY is flow x steps, separated by commas");
        let (flow, steps): (usize, usize) = (flow.parse().unwrap(), steps.parse().unwrap());
        std::iter::repeat_n(TaskId::from(flow), steps)
    };
    order.split(',').flat_map(steps).collect()
}
