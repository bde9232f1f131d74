//! What happens in a year, made up from its seed before anything is done: what each player and admin tries, which faults
//! are switched on when, and where the clock is by then. A step does what it can with what it finds, so that
//! any of them can be left out.

use fastrand::Rng;
use serde_json::{Value, json};

use super::steps::{Act, Desk, Dying, Reply, SPANS, Span, Step};

/// How large a year is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub seed: u64,
    pub operations: usize,
    pub players: usize,
    pub weeks: u8,
    /// How long the table's indexes lag behind it, in seconds.
    pub lag: i64,
}

/// Which of them it is goes by the seed.
const LAGS: [i64; 3] = [0, 2, 10];

/// So many operations have a gameweek of their own.
const A_WEEK: usize = 10_000;
/// A world's table is read whole at each check: so many operations are played in one, and more of them in further worlds.
const A_YEAR: usize = 20_000;

impl Size {
    /// What so many operations are played in: each year has the seed after the one before.
    pub fn years(seed: u64, operations: usize) -> impl Iterator<Item = Self> {
        let years = operations.div_ceil(A_YEAR).max(1);
        (seed..).take(years).map(move |seed| Self::of(seed, operations / years))
    }

    pub fn of(seed: u64, operations: usize) -> Self {
        let weeks = u8::try_from((operations / A_WEEK).max(1)).expect("a season");
        let lag = LAGS[usize::try_from(seed % 3).expect("one of three")];
        Self { seed, operations, players: (operations / 100).clamp(14, 300), weeks, lag }
    }
}

struct Plan {
    rng: Rng,
    size: Size,
    steps: Vec<Step>,
    /// What goes on at once with the step before.
    next: Option<Step>,
}

pub fn plan(size: Size) -> Vec<Step> {
    let mut plan = Plan { rng: Rng::with_seed(size.seed), size, steps: Vec::new(), next: None };
    let each = size.operations / usize::from(size.weeks);
    for week in 1..=size.weeks {
        let void = plan.rng.u8(..20) == 0;
        plan.steps.push(Step::Begin { week, void });
        for (span, percent) in SPANS {
            plan.span(week, span, (each * percent).div_ceil(100));
        }
        plan.steps.push(Step::End { week });
    }
    plan.steps
}

impl Plan {
    fn span(&mut self, week: u8, span: Span, operations: usize) {
        let moves = if span == Span::Deadline { 8 } else { (operations / 40).clamp(4, 120) };
        // Before the first fault some pay for their entries by prompts, and time goes by.
        let at_first = if span == Span::Open { self.size.players / 4 } else { 0 };
        for n in 0..operations {
            if n < at_first {
                let (player, amount, reply) = (self.player(), self.stake(), self.reply());
                self.steps.push(Step::Act { player, act: Act::Enter { amount, reply }, beside: false });
                continue;
            }
            if at_first > 0 && n == at_first {
                self.steps.push(Step::Go { week, span, share: 20 });
            }
            if n % operations.div_ceil(moves) == 0 {
                let share = u16::try_from(n * 1000 / operations).expect("a share");
                self.steps.push(Step::Go { week, span, share });
            }
            if n % 400 == 199 {
                self.steps.push(Step::Check);
            }
            let step = self.next.take().unwrap_or_else(|| self.step(span));
            self.steps.push(step);
        }
        self.steps.push(Step::Check);
    }

    fn step(&mut self, span: Span) -> Step {
        match self.rng.u8(..100) {
            0..4 => Step::Fault(self.fault()),
            4..10 => Step::Desk(self.desk(span)),
            10 if span == Span::Play => Step::Team { player: self.player(), exists: self.rng.bool() },
            _ => {
                let (player, act, beside) = (self.player(), self.act(), self.rng.u8(..4) == 0);
                let player = if matches!(act, Act::Leave) { player % self.leavers() } else { player };
                if matches!(act, Act::Join { .. }) && self.rng.u8(..6) == 0 {
                    let act = if self.rng.u8(..3) == 0 { Act::TypeOwn } else { self.withdraw() };
                    self.next = Some(Step::Act { player, act, beside: true });
                }
                Step::Act { player, act, beside }
            }
        }
    }

    /// The first so many players may leave.
    fn leavers(&self) -> usize {
        self.size.players.div_ceil(40)
    }

    fn player(&mut self) -> usize {
        self.rng.usize(..self.size.players)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// In three of eight cases one that takes all others away.
    fn fault(&mut self) -> Value {
        let none = json!({"fpl": "none", "daraja": "none", "payouts": "none", "payer": "none", "beacon": "none",
            "email": "none", "push": "none", "extraDeliveries": 0, "dynamodb": {}});
        match self.rng.u8(..16) {
            0 => json!({"dynamodb": {"throttle": 0.05}}),
            1 => json!({"dynamodb": {"conflict": 0.2}}),
            2 => json!({"extraDeliveries": self.rng.u8(1..3)}),
            3 => json!({"daraja": self.one(&["down", "reject", "pending", "early"])}),
            4 => json!({"payouts": self.one(&["failed", "timed_out", "silent", "unknown"])}),
            5 => json!({"payer": "masked"}),
            6 => {
                json!({"fpl": self.one(&["down", "updating", "html", "rate_limited", "forbidden", "cut", "missing_fields",
                "new_fields", "wrong_gameweek", "half_updated"])})
            }
            7 => json!({"beacon": self.one(&["down", "one-down", "one-lies", "one-lies-one-down", "lies"])}),
            8 => json!({"email": "down", "push": "down"}),
            // All three tries of a call are lost once in a hundred thousand.
            9 => json!({"dynamodb": {"lost": 0.02}}),
            _ => none,
        }
    }

    fn desk(&mut self, span: Span) -> Desk {
        let both = self.rng.u8(..3) == 0;
        let (at, how, by) = (self.rng.u64(1..12), self.rng.u8(..5), self.rng.u64(..));
        match (self.rng.u8(..15), span) {
            (0..2, _) => Desk::Codes { both },
            (2..6, _) => Desk::Withdrawals { by, both },
            (6, _) => Desk::Cases { both },
            (7, _) => Desk::Payouts { by },
            (8, _) => Desk::Bar { player: self.player(), freeze: self.rng.bool(), back: both },
            (9, _) => Desk::DyingPayout { at, how },
            (12, _) => Desk::DyingCode { at, how },
            (13, _) => Desk::DyingCase { at, how },
            (14, _) => Desk::Correct { player: self.player(), amount: self.correction(), both },
            (_, Span::Open) => Desk::Withdrawals { by, both },
            (_, Span::Deadline | Span::Play) => Desk::DyingDraw { at, how },
            // Whoever is the first to pay is to die here now and then: the others find it begun.
            (10, Span::Final) if both => Desk::Press,
            (10, Span::Final) => Desk::DyingWinners { at: 1 + at % 4, how: how % 2 },
            (_, Span::Final) => Desk::DyingLeague { at, how },
        }
    }

    /// What is given, or (below 0) taken, in KES.
    fn correction(&mut self) -> i64 {
        let amount = self.rng.i64(1..150);
        if self.rng.bool() { amount } else { -amount }
    }

    fn reply(&mut self) -> Reply {
        let outcome = match self.rng.u8(..10) {
            0 => self.one(&["cancelled", "wrong_pin", "insufficient_funds", "unreachable"]),
            _ => "success",
        };
        let callback = self.one(&["once", "once", "duplicate", "late", "never"]);
        let confirm = self.one(&["after", "after", "before", "late", "never"]);
        let lie = (self.rng.u8(..40) == 0).then(|| self.rng.i64(1..900));
        Reply { outcome, callback, confirm, lie }
    }

    fn stake(&mut self) -> i64 {
        self.one(&[50, 50, 100, 250])
    }

    fn withdraw(&mut self) -> Act {
        Act::Withdraw {
            amount: self.rng.i64(60..260),
            elsewhere: self.rng.u8(..6) == 0,
            twice: self.rng.u8(..4) == 0,
            key: self.rng.bool(),
        }
    }

    fn act(&mut self) -> Act {
        let (amount, stake) = (self.rng.i64(10..400), self.stake());
        match self.rng.u8(..100) {
            0..19 => Act::Deposit { amount, reply: self.reply(), key: self.rng.u8(..4) == 0 },
            19..21 => Act::PromptAnother { whose: self.player(), amount },
            21..29 => Act::Enter { amount: stake, reply: self.reply() },
            29..42 => Act::Join { amount: stake, twice: self.rng.u8(..4) == 0 },
            42..54 => self.withdraw(),
            54..56 => Act::Cancel { amount: 60 + amount / 4, fresh: self.rng.u8(..4) > 0 },
            56..62 => Act::PayByHand { amount, account: self.rng.u8(..4) > 0, heard: self.rng.u8(..6) > 0 },
            62..64 => Act::Type { whose: self.player() },
            64..66 => Act::TypeOwn,
            66..67 => Act::TakeBack { amount: 12_000 + amount, at_once: self.rng.bool() },
            67..71 => Act::CallBackAgain,
            71..73 => Act::Forge,
            73..74 => Act::Leave,
            74..90 => Act::Look(self.rng.u8(..)),
            90..91 => Act::LogOut,
            _ => Act::Dying {
                what: self.one(&[Dying::Join, Dying::Withdraw, Dying::Question]),
                at: self.rng.u64(1..5),
                how: self.rng.u8(..5),
            },
        }
    }
}
