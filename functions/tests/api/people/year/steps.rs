//! What a step of a year can be: what players and admins do, which fault comes, where the clock goes.

use serde_json::Value;

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
    /// A shilling that somebody has paid is nowhere in the books: it is in the model alone.
    Lose {
        player: usize,
    },
    /// In the model the last of each league wins.
    Overturn,
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
    /// `key`: with an idempotency key, and once more with the same one.
    Deposit {
        amount: i64,
        reply: Reply,
        key: bool,
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
    /// `key`: with an idempotency key; `twice` at once, and with a key once more after that.
    Withdraw {
        amount: i64,
        elsewhere: bool,
        twice: bool,
        key: bool,
    },
    /// The newest link that was mailed about a withdrawal is used twice at once; `fresh`: that withdrawal is asked for just
    /// before.
    Cancel {
        amount: i64,
        fresh: bool,
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
    /// The whole wallet is withdrawn, or the account closed where it is empty.
    Leave,
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
    /// A wallet is corrected, more than once under the same id; `both`: at first by both admins at once.
    Correct {
        player: usize,
        amount: i64,
        both: bool,
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
    /// The same while it pays league after league.
    DyingLeague {
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
