//! What an admin may do alone and what a second one has to approve
//! (docs/decisions.md, "What an admin may do, and what carries it"). An act is weighed first; what comes of it is
//! a [`Permit`], whose conditions are written in the act's own transaction, or a proposal that waits for another admin.

use domain::{
    GameweekId, Kes, MpesaPhone, UserId, Username,
    accounts::account::is_hex_id,
    admin::approvals::{self, SecondAdminReason, UnapprovedAct},
};
use jiff::Timestamp;
use store::{
    accounts::players::Player,
    admin::{
        approvals::{Proposal, ProposalStage},
        audit::{AuditAction, AuditRecord, Who},
        permits::{Approved, By, CountedSum, DailyPayout, Permit, SumOf},
    },
    random_id, time_ordered_id,
};

use crate::{
    App, AppError,
    admin::own_account::{About, is_own},
    platform::{
        flow::{Flow, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
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
    /// M-Pesa's code, by which whoever approves finds it in M-Pesa's portal.
    pub code: Option<String>,
    pub amount: Option<Kes>,
    /// What of it M-Pesa pays, where tax is kept back.
    pub net: Option<Kes>,
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
            code: None,
            amount: Some(amount),
            net: None,
            always_two: false,
            pays_out: false,
            is_open: true,
            reason: None,
        }
    }

    fn whose(&self) -> Option<&UserId> {
        self.player.as_ref().map(|(id, _)| id)
    }

    pub(super) fn about(&self) -> About<'_> {
        About { player: self.whose(), gameweek: self.gameweek, number: self.number.as_ref() }
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
    Second(SecondAdminReason),
}

/// Weighs an act of `admin`'s.
pub async fn weigh(app: &App, admin: &Player, stakes: &Stakes) -> Result<Leave, AppError> {
    let permit = |by| Box::new(permit(app, Who::admin(admin), by, stakes));
    if !app.config().safeguards.are_full() {
        return Ok(Leave::Granted(permit(By::One(Vec::new()))));
    }
    let counted = count(app, admin, stakes).await?;
    let sums = counted.iter().map(|one| (why(&one.of), one.sum.total()));
    let most = app.config().approval_threshold;
    Ok(match approvals::second_admin_reason(stakes.always_two, stakes.amount, sums, most) {
        None => Leave::Granted(permit(By::One(counted))),
        Some(why) if stakes.is_open => Leave::Second(why),
        // It has ended, as it was read: it may be told so, and writes nothing should that have changed.
        Some(_) => Leave::Granted(permit(By::Nobody)),
    })
}

/// The sums of this admin, of whose it is and of the number, with the act in them.
async fn count(app: &App, admin: &Player, stakes: &Stakes) -> Result<Vec<CountedSum>, AppError> {
    let Some(amount) = stakes.amount else { return Ok(Vec::new()) };
    let one = UnapprovedAct { on: stakes.on.clone(), at: app.clock().now(), amount };
    let whose = stakes.whose().cloned().map(SumOf::Player);
    let number = stakes.number.clone().map(SumOf::Number);
    let mut counted = Vec::new();
    for of in [Some(SumOf::Admin(admin.id.clone())), whose, number].into_iter().flatten() {
        counted.push(app.store().counted(of, &one).await?);
    }
    Ok(counted)
}

/// Why a second admin is wanted where this sum is too large.
fn why(of: &SumOf) -> SecondAdminReason {
    match of {
        SumOf::Admin(_) => SecondAdminReason::Admin,
        SumOf::Player(_) => SecondAdminReason::Player,
        SumOf::Number(_) => SecondAdminReason::Number,
    }
}

fn permit(app: &App, who: Who, by: By, stakes: &Stakes) -> Permit {
    let (at, most) = (app.clock().now(), app.config().payout_ceiling);
    let paid_out = stakes.amount.filter(|_| stakes.pays_out).map(|amount| DailyPayout { amount, most, at });
    Permit { act: time_ordered_id(at), who, by, number: stakes.number.clone(), paid_out }
}

/// An act, as a proposal keeps it and as it is read.
#[derive(Debug, Clone)]
pub struct Order {
    pub kept: String,
    pub in_words: String,
    /// The withdrawal that it says was sent by hand.
    pub sent_by_hand: Option<String>,
}

/// Puts an act before the other admins, and has them told. The same act waits once. `None`: what it says to have been sent by
/// hand is paid, has ended or may not be paid any more.
pub async fn propose(
    app: &App,
    admin: &Player,
    stakes: &Stakes,
    order: Order,
    wanted: SecondAdminReason,
) -> Result<Option<Proposal>, AppError> {
    let now = app.clock().now();
    let (expires, ttl) = Proposal::ends(now);
    let (user_id, username) = stakes.player.clone().unzip();
    let proposal = Proposal {
        id: Proposal::id_of(&order.kept),
        version: random_id(),
        stage: ProposalStage::Waiting,
        order: order.kept,
        in_words: order.in_words.clone(),
        number: stakes.number.clone(),
        what: stakes.what,
        on: stakes.on.clone(),
        wanted,
        proposer: admin.id.clone(),
        proposer_name: admin.username.clone(),
        user_id,
        username,
        gameweek: stakes.gameweek,
        amount: stakes.amount,
        sent_by_hand: order.sent_by_hand,
        reason: stakes.reason.clone(),
        proposed_at: now,
        expires,
        decided_by: None,
        decided_by_name: None,
        decided_because: None,
        decided_at: None,
        ttl,
    };
    let mut act = AuditRecord::new(Who::admin(admin), stakes.what, stakes.on.clone(), now)
        .to(format!("proposed: {}. It waits for a second admin", order.in_words))
        .because(stakes.reason.as_deref().unwrap_or_default());
    act.user_id = stakes.whose().cloned();
    app.mail_admins_later(&act.id, now).await?;
    if app.store().propose(&proposal, &act).await? {
        app.mail_admins_now(&act.id, now).await;
        app.log_security(SecurityEntry::new(SecurityEvent::ApprovalProposed).by(&admin.id).on(&proposal.id))
            .await;
        return Ok(Some(proposal));
    }
    Ok(app.store().proposal(&proposal.id).await?.filter(|kept| kept.waits(now)))
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

impl Refusal for ApprovalError {}

/// How a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ProposalState {
    Waiting,
    Expired,
    Approved,
    Refused,
}

#[must_use]
pub fn state(proposal: &Proposal, now: Timestamp) -> ProposalState {
    match proposal.stage {
        ProposalStage::Approved => ProposalState::Approved,
        ProposalStage::Refused => ProposalState::Refused,
        ProposalStage::Waiting if proposal.waits(now) => ProposalState::Waiting,
        ProposalStage::Waiting => ProposalState::Expired,
    }
}

/// Leave to do a proposed act by `approver`'s approval.
pub async fn approve(
    app: &App,
    approver: &Player,
    proposal: &Proposal,
    stakes: &Stakes,
    reason: Option<String>,
) -> Flow<Permit, ApprovalError> {
    let now = app.clock().now();
    if proposal.proposer == approver.id {
        return Err(ApprovalError::Own.into());
    }
    if is_own(app, approver, stakes.about()).await? {
        return Err(ApprovalError::OwnAccount.into());
    }
    if !approvals::may_approve(app.store().admin_since(&approver.id).await?, now) {
        return Err(ApprovalError::TooNew.into());
    }
    match state(proposal, now) {
        ProposalState::Waiting => {}
        ProposalState::Approved => return Err(ApprovalError::Approved.into()),
        ProposalState::Refused => return Err(ApprovalError::Refused.into()),
        ProposalState::Expired => return Err(ApprovalError::Expired.into()),
    }
    let proposer = app.store().player(&proposal.proposer).await?;
    let proposer = proposer.filter(Player::is_admin).ok_or(ApprovalError::ProposerGone)?;
    let same = stakes.amount == proposal.amount
        && stakes.whose() == proposal.user_id.as_ref()
        && stakes.number == proposal.number
        && stakes.on == proposal.on;
    if !same || !stakes.is_open {
        return Err(ApprovalError::Changed.into());
    }
    let by = By::Approval(Approved {
        id: proposal.id.clone(),
        version: proposal.version.clone(),
        by: Who::admin(approver),
        reason,
        at: now,
    });
    Ok(permit(app, Who::admin(&proposer), by, stakes))
}

/// That the act was done by this approval: of two at once the other one's may be written, or it was done before in
/// the same way.
pub async fn note_approved(
    app: &App,
    approver: &Player,
    id: &str,
    permit: &Permit,
) -> Flow<(), ApprovalError> {
    let now = find(app, id).await?;
    match (&permit.by, now.stage) {
        // Two admins may decide in the same millisecond.
        (By::Approval(approved), ProposalStage::Approved)
            if now.decided_at == Some(approved.at) && now.decided_by.as_ref() == Some(&approver.id) =>
        {
            app.log_security(SecurityEntry::new(SecurityEvent::ApprovalGiven).by(&approver.id).on(id)).await;
            Ok(())
        }
        (_, ProposalStage::Approved) => Err(ApprovalError::Approved.into()),
        (_, ProposalStage::Waiting | ProposalStage::Refused) => Err(ApprovalError::Changed.into()),
    }
}

/// Refuses a proposal; whoever proposed it may do so too, whoever it is about may not.
pub async fn refuse(app: &App, admin: &Player, proposal: &Proposal, reason: &str) -> Flow<(), ApprovalError> {
    let about = About {
        player: proposal.user_id.as_ref(),
        gameweek: proposal.gameweek,
        number: proposal.number.as_ref(),
    };
    if is_own(app, admin, about).await? {
        return Err(ApprovalError::OwnAccount.into());
    }
    let (on, now) = (format!("proposal {}", proposal.id), app.clock().now());
    let mut act = AuditRecord::by_admin(Who::admin(admin), AuditAction::DecideApproval, on, now)
        .from_to(format!("{} on {} was proposed", proposal.what.into_str(), proposal.on), "refused")
        .because(reason);
    act.user_id.clone_from(&proposal.user_id);
    if app.store().refuse_proposal(proposal, reason, &act).await? {
        app.log_security(SecurityEntry::new(SecurityEvent::ApprovalRefused).by(&admin.id).on(&proposal.id))
            .await;
        return Ok(());
    }
    let now = app.store().proposal(&proposal.id).await?;
    Err(match now.map(|now| now.stage) {
        Some(ProposalStage::Refused) => ApprovalError::Refused.into(),
        _ => ApprovalError::Approved.into(),
    })
}

/// The proposal of this id.
pub async fn find(app: &App, id: &str) -> Flow<Proposal, ApprovalError> {
    let found = if is_hex_id(id) { app.store().proposal(id).await? } else { None };
    found.ok_or(ApprovalError::NoProposal.into())
}
