//! What an admin may do alone and what a second one has to approve
//! (docs/decisions.md, "What an admin may do, and what carries it"). An act is weighed first; what comes of it is
//! a [`Permit`], whose conditions are written in the act's own transaction, or a proposal that waits for another admin.

use domain::{
    GameweekId, Kes, MpesaPhone, Role, UserId, Username,
    admin::approval::{ADMIN_FOR, Done, Wanted},
};
use store::{
    accounts::players::Player,
    admin::{
        approvals::{Proposal, Stage},
        audit::{AuditAction, AuditRecord, Who},
        permits::{Approved, By, DailyPayout, Permit, SumOf},
    },
    random_id, time_ordered_id,
};

use crate::{
    App, AppError,
    platform::security_log::{Event, SecurityEntry},
};

/// What is at stake with an act, read from what it is on.
#[derive(Debug, Clone)]
pub struct Stakes {
    pub what: AuditAction,
    /// Its kind and id: `withdrawal 0198…`.
    pub on: String,
    /// Whose it is; nobody's, or many players', where it is not one player's.
    pub player: Option<(UserId, Username)>,
    /// Whose stakes it is about: everybody's who has entered that gameweek.
    pub gameweek: Option<GameweekId>,
    /// The number that the money goes to or came from, where it is known.
    pub number: Option<MpesaPhone>,
    pub amount: Option<Kes>,
    /// Whether two admins are wanted whatever the amount.
    pub always_two: bool,
    /// Whether the day's ceiling for payouts counts it.
    pub pays_out: bool,
    /// Whether it can still be done, as far as it was read.
    pub is_open: bool,
    pub reason: Option<String>,
}

impl Stakes {
    /// An act on one player's money.
    #[must_use]
    pub fn of(what: AuditAction, on: String, player: (&UserId, &Username), amount: Kes) -> Self {
        Self {
            what,
            on,
            player: Some((player.0.clone(), player.1.clone())),
            gameweek: None,
            number: None,
            amount: Some(amount),
            always_two: false,
            pays_out: false,
            is_open: true,
            reason: None,
        }
    }

    fn whose(&self) -> Option<&UserId> {
        self.player.as_ref().map(|(id, _)| id)
    }

    /// Whether all admins are told of it.
    #[must_use]
    pub fn is_large(&self, app: &App) -> bool {
        self.always_two || self.amount.is_some_and(|amount| amount > app.config().approval_threshold)
    }
}

/// Whether an admin may act alone.
#[derive(Debug, Clone)]
pub enum Leave {
    Granted(Box<Permit>),
    /// A second admin is wanted.
    Second(Wanted),
}

/// Weighs an act of `admin`'s.
///
/// # Errors
/// The table does not answer.
pub async fn weigh(app: &App, admin: &Player, stakes: &Stakes) -> Result<Leave, AppError> {
    let threshold = app.config().approval_threshold;
    let permit = |by| Box::new(permit(app, Who::admin(admin), by, stakes));
    if !app.config().safeguards.are_full() {
        return Ok(Leave::Granted(permit(By::One(Vec::new()))));
    }
    let (mut counted, mut wanted) = (Vec::new(), stakes.always_two.then_some(Wanted::Always));
    if let Some(amount) = stakes.amount {
        wanted = wanted.or((amount > threshold).then_some(Wanted::Amount));
        let one = Done { on: stakes.on.clone(), at: app.clock().now(), amount };
        for (of, why) in sums(admin, stakes) {
            let sum = app.store().counted(of, &one).await?;
            wanted = wanted.or((sum.sum.total() > threshold).then_some(why));
            counted.push(sum);
        }
    }
    Ok(match wanted {
        None => Leave::Granted(permit(By::One(counted))),
        Some(why) if stakes.is_open => Leave::Second(why),
        // It has ended, as it was read: it may be told so, and writes nothing should that have changed.
        Some(_) => Leave::Granted(permit(By::Nobody)),
    })
}

fn sums(admin: &Player, stakes: &Stakes) -> Vec<(SumOf, Wanted)> {
    let mut sums = vec![(SumOf::Admin(admin.id.clone()), Wanted::Admin)];
    sums.extend(stakes.whose().map(|id| (SumOf::Player(id.clone()), Wanted::Player)));
    sums.extend(stakes.number.clone().map(|number| (SumOf::Number(number), Wanted::Number)));
    sums
}

fn permit(app: &App, who: Who, by: By, stakes: &Stakes) -> Permit {
    let (at, most) = (app.clock().now(), app.config().payout_ceiling);
    let paid_out = stakes.amount.filter(|_| stakes.pays_out).map(|amount| DailyPayout { amount, most, at });
    Permit { act: time_ordered_id(at), who, by, paid_out }
}

/// Puts an act before the other admins, and has them told. The same act waits once.
///
/// # Errors
/// The table or the queue do not answer.
pub async fn propose(
    app: &App,
    admin: &Player,
    stakes: &Stakes,
    order: String,
    wanted: Wanted,
) -> Result<Proposal, AppError> {
    let now = app.clock().now();
    let (expires, ttl) = Proposal::ends(now);
    let (user_id, username) = stakes.player.clone().unzip();
    let proposal = Proposal {
        id: Proposal::id_of(&order),
        version: random_id(),
        stage: Stage::Waiting,
        order,
        what: stakes.what,
        on: stakes.on.clone(),
        wanted,
        proposer: admin.id.clone(),
        proposer_name: admin.username.clone(),
        user_id,
        username,
        gameweek: stakes.gameweek,
        amount: stakes.amount,
        reason: stakes.reason.clone(),
        proposed_at: now,
        expires,
        decided_by: None,
        decided_by_name: None,
        decided_because: None,
        decided_at: None,
        ttl,
    };
    let amount = stakes.amount.map(|amount| format!(", {amount}")).unwrap_or_default();
    let mut act = AuditRecord::new(Who::admin(admin), stakes.what, stakes.on.clone(), now)
        .to(format!("proposed{amount}: it waits for a second admin"))
        .because(stakes.reason.as_deref().unwrap_or_default());
    act.user_id = stakes.whose().cloned();
    app.mail_admins_later(&act.id, now).await?;
    if app.store().propose(&proposal, &act).await? {
        app.mail_admins_now(&act.id, now).await;
        app.log_security(SecurityEntry::new(Event::ApprovalProposed).by(&admin.id).on(&proposal.id)).await;
        return Ok(proposal);
    }
    let gone = || AppError::Internal("a proposal that waits is not there".to_owned());
    app.store().proposal(&proposal.id).await?.ok_or_else(gone)
}

/// Why somebody cannot approve; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalError {
    #[error("There is no such proposal.")]
    NoProposal,
    #[error("You have proposed this. Another admin has to approve it.")]
    Own,
    #[error("This is your own account's. Another admin has to approve it.")]
    OwnAccount,
    #[error("You have not been an admin for 24 hours. Another admin has to approve it.")]
    TooNew,
    #[error("This was approved before.")]
    Approved,
    #[error("This was refused before.")]
    Refused,
    #[error("This proposal has expired. It has to be proposed again.")]
    Expired,
    #[error("Whoever proposed this may not act any more. It has to be proposed again.")]
    ProposerGone,
    #[error("What it is about has changed since it was proposed. Refuse it; it can be proposed again.")]
    Changed,
}

impl ApprovalError {
    /// Whether it is about who wants to approve.
    #[must_use]
    pub fn is_about_who(self) -> bool {
        matches!(self, Self::Own | Self::OwnAccount | Self::TooNew)
    }
}

/// Whether an admin has an entry of their own in what an act is about: it is their own account's too.
///
/// # Errors
/// The table does not answer.
pub async fn plays(app: &App, admin: &Player, gameweek: Option<GameweekId>) -> Result<bool, AppError> {
    match gameweek {
        Some(gameweek) => Ok(app.store().entry_of(&admin.id, gameweek).await?.is_some()),
        None => Ok(false),
    }
}

/// What stands against a proposal being decided now.
///
/// # Errors
/// It does not wait.
pub fn check_waits(app: &App, proposal: &Proposal) -> Result<(), ApprovalError> {
    match proposal.stage {
        Stage::Approved => Err(ApprovalError::Approved),
        Stage::Refused => Err(ApprovalError::Refused),
        Stage::Waiting if proposal.waits(app.clock().now()) => Ok(()),
        Stage::Waiting => Err(ApprovalError::Expired),
    }
}

/// Leave to do a proposed act by `approver`'s approval.
///
/// # Errors
/// The table does not answer; the inner error is the admin's.
pub async fn approve(
    app: &App,
    approver: &Player,
    proposal: &Proposal,
    stakes: &Stakes,
    reason: Option<String>,
) -> Result<Result<Permit, ApprovalError>, AppError> {
    let now = app.clock().now();
    if proposal.proposer == approver.id {
        return Ok(Err(ApprovalError::Own));
    } else if stakes.whose() == Some(&approver.id) {
        return Ok(Err(ApprovalError::OwnAccount));
    }
    if plays(app, approver, stakes.gameweek).await? {
        return Ok(Err(ApprovalError::OwnAccount));
    }
    let since = app.store().admin_since(&approver.id).await?;
    if since.is_none_or(|since| now < since + ADMIN_FOR) {
        return Ok(Err(ApprovalError::TooNew));
    }
    if let Err(ended) = check_waits(app, proposal) {
        return Ok(Err(ended));
    }
    let proposer = app.store().player(&proposal.proposer).await?;
    let Some(proposer) = proposer.filter(may_act) else {
        return Ok(Err(ApprovalError::ProposerGone));
    };
    let same = stakes.amount == proposal.amount
        && stakes.whose() == proposal.user_id.as_ref()
        && stakes.on == proposal.on;
    if !same || !stakes.is_open {
        return Ok(Err(ApprovalError::Changed));
    }
    let by = By::Approval(Approved {
        id: proposal.id.clone(),
        version: proposal.version.clone(),
        by: Who::admin(approver),
        reason,
        at: now,
    });
    Ok(Ok(permit(app, Who::admin(&proposer), by, stakes)))
}

/// Whether an admin's word still counts: taken over, they are frozen or suspended before their role is gone.
fn may_act(admin: &Player) -> bool {
    admin.role == Role::Admin && !admin.frozen && !admin.suspended
}

/// Refuses a proposal; whoever proposed it may do so too, whoever it is about may not.
///
/// # Errors
/// The table does not answer; the inner error is the admin's.
pub async fn refuse(
    app: &App,
    admin: &Player,
    proposal: &Proposal,
    reason: &str,
) -> Result<Result<(), ApprovalError>, AppError> {
    let own = proposal.user_id.as_ref() == Some(&admin.id);
    if own || plays(app, admin, proposal.gameweek).await? {
        return Ok(Err(ApprovalError::OwnAccount));
    }
    let now = app.clock().now();
    let mut act = AuditRecord::new(
        Who::admin(admin),
        AuditAction::DecideApproval,
        format!("proposal {}", proposal.id),
        now,
    )
    .from_to(format!("{} on {} was proposed", proposal.what.into_str(), proposal.on), "refused")
    .because(reason);
    act.user_id.clone_from(&proposal.user_id);
    if app.store().refuse_proposal(proposal, reason, &act).await? {
        app.log_security(SecurityEntry::new(Event::ApprovalRefused).by(&admin.id).on(&proposal.id)).await;
        return Ok(Ok(()));
    }
    let now = app.store().proposal(&proposal.id).await?;
    Ok(Err(match now.map(|now| now.stage) {
        Some(Stage::Refused) => ApprovalError::Refused,
        _ => ApprovalError::Approved,
    }))
}
