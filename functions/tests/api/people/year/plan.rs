//! What happens in a year, made up from its seed before anything is done: what each player and admin tries, which faults
//! are switched on when, and where the clock is by then. A step does what it can with what it finds, so that
//! any of them can be left out.

use fastrand::Rng;
use serde_json::{Value, json};

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

/// Where a gameweek stands: its spans follow one another, and steps are spread over each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// Until two minutes before the deadline.
    Open,
    /// Until half an hour after it: the fence, the list, the draw.
    Deadline,
    /// Until the last match is over.
    Play,
    /// Until some hours after the points are final: the winners are paid.
    Final,
}

pub const SPANS: [(Span, usize); 4] =
    [(Span::Open, 55), (Span::Deadline, 12), (Span::Play, 18), (Span::Final, 15)];

#[derive(Debug, Clone)]
pub enum Step {
    /// A gameweek begins: what the official game will say of each team. It may be void.
    Begin {
        week: u8,
        void: bool,
    },
    /// The clock goes to so many thousandths of a span.
    Go {
        week: u8,
        span: Span,
        share: u16,
    },
    /// Somebody does something; `beside`: at once with the step before.
    Act {
        player: usize,
        act: Act,
        beside: bool,
    },
    Desk(Desk),
    Fault(Value),
    /// Whether the official game has a player's team.
    Team {
        player: usize,
        exists: bool,
    },
    /// The books, against the model.
    Check,
    /// Somebody's wallet is a shilling too high: what a year has to find.
    Plant {
        player: usize,
    },
    /// Somebody is given money that nobody has paid, by a proper posting: a shilling more than they may have.
    Give {
        player: usize,
    },
    /// The faults end, the clock moves on, and all that waits is worked off: then everything is to the shilling.
    End {
        week: u8,
    },
}

impl Step {
    /// Whether a smaller year may do without it.
    pub fn may_go(&self) -> bool {
        self.is_operation() || matches!(self, Self::Go { .. })
    }

    pub fn is_operation(&self) -> bool {
        matches!(self, Self::Act { .. } | Self::Desk(_) | Self::Fault(_) | Self::Team { .. })
    }
}

/// How the holder of a phone answers a prompt, and what M-Pesa makes of it.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    pub outcome: &'static str,
    pub callback: &'static str,
    pub confirm: &'static str,
    /// The callback claims another amount.
    pub lie: Option<i64>,
}

#[derive(Debug, Clone)]
pub enum Act {
    Deposit {
        amount: i64,
        reply: Reply,
    },
    /// A prompt to another player's phone, who does not type the PIN.
    PromptAnother {
        whose: usize,
        amount: i64,
    },
    /// An entry, paid by a prompt.
    Enter {
        amount: i64,
        reply: Reply,
    },
    Join {
        amount: i64,
        twice: bool,
    },
    Withdraw {
        amount: i64,
        elsewhere: bool,
        twice: bool,
        key: bool,
    },
    /// To the paybill, with the own account or without one; the confirmation may be lost.
    PayByHand {
        amount: i64,
        account: bool,
        heard: bool,
    },
    /// Types the newest receipt of a phone, the own one or another's.
    Type {
        whose: usize,
    },
    /// Types the newest receipt of the own phone, which may be a prompt's.
    TypeOwn,
    /// A large deposit that M-Pesa takes back at once, or before the next night.
    TakeBack {
        amount: i64,
        at_once: bool,
    },
    /// M-Pesa's last callback comes once more, however late.
    CallBackAgain,
    /// A callback of somebody who is not M-Pesa.
    Forge,
    Look(u8),
    LogOut,
    /// A process ends at one of its steps, misses its answer, or goes by a clock that is off, while it does this.
    Dying {
        what: Dying,
        at: u64,
        how: u8,
    },
}

#[derive(Debug, Clone, Copy)]
pub enum Dying {
    Join,
    Withdraw,
    Question,
}

#[derive(Debug, Clone)]
pub enum Desk {
    /// What waits is looked at and decided; `both`: by two admins at once who do not agree.
    Codes {
        both: bool,
    },
    Withdrawals {
        by: u64,
        both: bool,
    },
    Cases {
        both: bool,
    },
    /// M-Pesa decides the payouts that it left open.
    Payouts {
        by: u64,
    },
    /// Two admins: one freezes or suspends, the other takes it back.
    Bar {
        player: usize,
        freeze: bool,
        back: bool,
    },
    Press,
    /// The same while it draws, pays the winners, sends a payout, confirms a code or decides a case.
    DyingDraw {
        at: u64,
        how: u8,
    },
    DyingWinners {
        at: u64,
        how: u8,
    },
    DyingPayout {
        at: u64,
        how: u8,
    },
    DyingCode {
        at: u64,
        how: u8,
    },
    DyingCase {
        at: u64,
        how: u8,
    },
}

struct Plan {
    rng: Rng,
    size: Size,
    steps: Vec<Step>,
}

pub fn plan(size: Size) -> Vec<Step> {
    let mut plan = Plan { rng: Rng::with_seed(size.seed), size, steps: Vec::new() };
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
        for n in 0..operations {
            if n % operations.div_ceil(moves) == 0 {
                let share = u16::try_from(n * 1000 / operations).expect("a share");
                self.steps.push(Step::Go { week, span, share });
            }
            if n % 400 == 199 {
                self.steps.push(Step::Check);
            }
            let step = self.step(span);
            self.steps.push(step);
        }
        self.steps.push(Step::Check);
    }

    fn step(&mut self, span: Span) -> Step {
        match self.rng.u8(..100) {
            0..4 => Step::Fault(self.fault()),
            4..10 => Step::Desk(self.desk(span)),
            10 if span == Span::Play => Step::Team { player: self.player(), exists: self.rng.bool() },
            _ => Step::Act { player: self.player(), act: self.act(), beside: self.rng.u8(..4) == 0 },
        }
    }

    fn player(&mut self) -> usize {
        self.rng.usize(..self.size.players)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// Half of the time one that takes all others away.
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
            _ => none,
        }
    }

    fn desk(&mut self, span: Span) -> Desk {
        let both = self.rng.u8(..3) == 0;
        let (at, how, by) = (self.rng.u64(1..12), self.rng.u8(..5), self.rng.u64(..));
        match (self.rng.u8(..14), span) {
            (0..2, _) => Desk::Codes { both },
            (2..6, _) => Desk::Withdrawals { by, both },
            (6, _) => Desk::Cases { both },
            (7, _) => Desk::Payouts { by },
            (8, _) => Desk::Bar { player: self.player(), freeze: self.rng.bool(), back: both },
            (9, _) => Desk::DyingPayout { at, how },
            (12, _) => Desk::DyingCode { at, how },
            (13, _) => Desk::DyingCase { at, how },
            (_, Span::Open) => Desk::Withdrawals { by, both },
            (_, Span::Deadline | Span::Play) => Desk::DyingDraw { at, how },
            (10, Span::Final) => Desk::Press,
            (_, Span::Final) => Desk::DyingWinners { at, how },
        }
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

    fn act(&mut self) -> Act {
        let (amount, stake) = (self.rng.i64(10..400), self.one(&[50, 50, 100, 250]));
        match self.rng.u8(..100) {
            0..20 => Act::Deposit { amount, reply: self.reply() },
            20..22 => Act::PromptAnother { whose: self.player(), amount },
            22..28 => Act::Enter { amount: stake, reply: self.reply() },
            28..43 => Act::Join { amount: stake, twice: self.rng.u8(..4) == 0 },
            43..56 => Act::Withdraw {
                amount: 60 + amount / 2,
                elsewhere: self.rng.u8(..6) == 0,
                twice: self.rng.u8(..4) == 0,
                key: self.rng.bool(),
            },
            56..62 => Act::PayByHand { amount, account: self.rng.u8(..4) > 0, heard: self.rng.u8(..6) > 0 },
            62..64 => Act::Type { whose: self.player() },
            64..66 => Act::TypeOwn,
            66..67 => Act::TakeBack { amount: 12_000 + amount, at_once: self.rng.bool() },
            67..72 => Act::CallBackAgain,
            72..74 => Act::Forge,
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
