//! What a message tells: of what kind it is, by which ways it goes, and when it came about.

use domain::{
    GameweekId, Kes, MpesaPhone,
    accounts::{cases::CaseId, notifications::Kind, stopping::Stopped},
};
use jiff::Timestamp;
use store::{
    accounts::{notifications::Notifications, players::Player},
    admin::audit::AuditRecord,
    leagues::{League, LeagueId},
    ledger::wallets::StoredPosting,
    payments::typed_codes::TypedCode,
    settlement::record::Ranked,
    teams::proofs::TeamOf,
    withdrawals::Withdrawal,
};

use crate::{App, AppError};

/// What a player is to be told, whose cause is certain.
pub struct Found {
    pub to: Player,
    /// Told once, by each way.
    pub cause: String,
    pub says: Content,
}

pub enum Content {
    ResetLink,
    /// `towards_debt`: what of it has paid what the player owed. `entered`: the gameweek whose entry it has paid for.
    Posting {
        posting: Box<StoredPosting>,
        towards_debt: Kes,
        entered: Option<GameweekId>,
        why: Option<String>,
    },
    /// `towards_debt`: the same of what has come back.
    Withdrawal {
        withdrawal: Box<Withdrawal>,
        towards_debt: Kes,
    },
    TypedCodeRejected(Box<TypedCode>),
    OwnNumber {
        phone: MpesaPhone,
        since: Option<Timestamp>,
    },
    HowToCancel(Box<Withdrawal>),
    TeamLost(TeamOf),
    Act(Box<AuditRecord>),
    TeamChanged(Box<AuditRecord>),
    /// `may_play`: whether nothing else keeps the player from playing.
    AgeProof {
        act: Box<AuditRecord>,
        may_play: bool,
    },
    Deadline {
        gameweek: GameweekId,
        deadline: Timestamp,
    },
    Closed {
        at: Timestamp,
    },
    OpenAgain,
    Stopped(Stopped),
    Case {
        id: CaseId,
        closed: bool,
    },
    Drawn(Box<League>),
    Final {
        league: LeagueId,
        place: Box<Ranked>,
        of: usize,
    },
}

impl Found {
    pub(super) fn new(to: Player, cause: String, says: Content) -> Self {
        Self { to, cause, says }
    }

    #[must_use]
    pub fn kind(&self) -> Kind {
        match &self.says {
            Content::ResetLink
            | Content::OwnNumber { .. }
            | Content::HowToCancel(_)
            | Content::TeamLost(_)
            | Content::Act(_)
            | Content::Closed { .. }
            | Content::OpenAgain
            | Content::Stopped(_)
            | Content::Case { .. }
            | Content::TeamChanged(_)
            | Content::AgeProof { .. } => Kind::Security,
            Content::Posting { posting, .. } if posting.cause.starts_with("prize#") => Kind::Prize,
            Content::Posting { .. } | Content::TypedCodeRejected(_) => Kind::Payment,
            Content::Withdrawal { .. } => Kind::Withdrawal,
            Content::Deadline { .. } => Kind::Deadline,
            Content::Drawn(_) => Kind::Drawn,
            Content::Final { .. } => Kind::Final,
        }
    }

    /// Whether it is mailed to who has set this. What players have just paid in themselves is on their screen and in
    /// M-Pesa's own message.
    #[must_use]
    pub fn is_mailed(&self, set: &Notifications) -> bool {
        if self.kind().is_mailed_if_asked() {
            return set.choices.mail.contains(&self.kind());
        }
        !matches!(&self.says, Content::Posting { posting, .. } if is_paid_in(posting))
    }

    /// Whether it is pushed to who has set this. What admins do to each other is mailed alone.
    #[must_use]
    pub fn is_pushed(&self, set: &Notifications) -> bool {
        set.choices.push.contains(&self.kind())
            && !matches!(
                self.says,
                Content::Act(_)
                    | Content::Closed { .. }
                    | Content::OpenAgain
                    | Content::Stopped(_)
                    | Content::Case { .. }
            )
    }

    /// When it came about, where that is known: a browser is not told of what was before it subscribed, however often a
    /// step is repeated that has it told.
    #[must_use]
    pub fn came_about(&self) -> Option<Timestamp> {
        match &self.says {
            Content::Posting { posting, .. } => Some(posting.at),
            Content::Withdrawal { withdrawal, .. } => withdrawal.ended_at,
            Content::TypedCodeRejected(typed_code) => typed_code.ended_at,
            Content::HowToCancel(withdrawal) => Some(withdrawal.created_at),
            Content::OwnNumber { since, .. } => *since,
            Content::TeamChanged(act) | Content::AgeProof { act, .. } | Content::Act(act) => Some(act.at),
            Content::Closed { at } => Some(*at),
            Content::ResetLink
            | Content::TeamLost(_)
            | Content::Deadline { .. }
            | Content::OpenAgain
            | Content::Stopped(_)
            | Content::Case { .. }
            | Content::Drawn(_)
            | Content::Final { .. } => None,
        }
    }

    /// When the player moved the money that it is about: sent or typed a payment, or asked for a withdrawal. `None`: it is
    /// not about money that they moved themselves.
    pub async fn moved_at(&self, app: &App) -> Result<Option<Timestamp>, AppError> {
        let posting = match &self.says {
            Content::Posting { posting, .. } => posting,
            Content::Withdrawal { withdrawal, .. } => return Ok(Some(withdrawal.created_at)),
            Content::TypedCodeRejected(typed_code) => return Ok(Some(typed_code.created_at)),
            _ => return Ok(None),
        };
        Ok(match posting.cause.split_once('#') {
            Some(("deposit", prompt)) => app.store().payment(prompt).await?.map(|payment| payment.created_at),
            Some(("manual", code)) => {
                let typed = app.store().typed_codes_of(&self.to.id).await?;
                typed.iter().filter(|typed| typed.code.as_str() == code).map(|typed| typed.created_at).max()
            }
            Some(("paybill", code)) => {
                app.store().paybill_payment(code).await?.map(|paid| paid.paid_at.unwrap_or(paid.at))
            }
            _ => None,
        })
    }
}

fn is_paid_in(posting: &StoredPosting) -> bool {
    ["deposit#", "manual#", "paybill#"].iter().any(|kind| posting.cause.starts_with(kind))
}
