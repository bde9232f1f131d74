//! An admin's acts on an account: each with a reason, in one transaction with its record.

use domain::{FplId, GameweekId, Role, UserId};
use serde::{Deserialize, Serialize};
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
        players::{Corrected, NewTeam},
    },
    entries::Entry,
};

use crate::{
    App, AppError,
    accounts::{
        second_factor::InSession,
        step_up::{self, StepUpError},
    },
    admin::{approvals::Stakes, outsiders, own_account::OwnAccount},
    entries::awaited,
    platform::{
        flow::{Flow, FlowError, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
    teams::link::{self, LinkError, TeamError},
};

/// What stands in the record of an act that asks for one.
pub(crate) const PROOF_WANTED: &str = "proof of age wanted";

/// Why an account stays as it is; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    #[error("There is no such player.")]
    NoPlayer,
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    #[error(transparent)]
    Team(LinkError),
    #[error("That is this player's team already.")]
    SameTeam,
    #[error("There is no prize in this wallet that waits for a proof.")]
    NothingToRelease,
    #[error(transparent)]
    Own(#[from] OwnAccount),
    #[error("The account has changed meanwhile. Look at it again.")]
    Moved,
    #[error(
        "A payment of this player may still make an entry with this team. Try again once that is decided."
    )]
    Paying,
    #[error("The team is in an entry of the open gameweek by now. Try again, or after the deadline.")]
    Entered,
}

impl Refusal for ChangeError {}

impl From<TeamError> for ChangeError {
    fn from(error: TeamError) -> Self {
        Self::Team(error.into())
    }
}

/// What an admin can do to an account by themself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Suspended(bool),
    Frozen(bool),
    Team(FplId),
    EndSessions,
    /// Whether a proof of age is wanted; no more of it once it was given.
    AgeProofWanted(bool),
}

/// What keeps an account from something, and an admin from acting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountMark {
    Suspended,
    Frozen,
}

impl AccountMark {
    fn is_on(self, player: &Player) -> bool {
        match self {
            Self::Suspended => player.suspended,
            Self::Frozen => player.frozen,
        }
    }

    fn taken_off(self) -> Change {
        match self {
            Self::Suspended => Change::Suspended(false),
            Self::Frozen => Change::Frozen(false),
        }
    }
}

impl Change {
    /// What it takes off an account.
    #[must_use]
    pub fn takes_off(self) -> Option<AccountMark> {
        match self {
            Self::Suspended(false) => Some(AccountMark::Suspended),
            Self::Frozen(false) => Some(AccountMark::Frozen),
            _ => None,
        }
    }

    /// Whether it lets money out, or says who wins it.
    fn is_about_money(self) -> bool {
        matches!(self, Self::Team(_) | Self::Frozen(false))
    }

    fn event(self) -> SecurityEvent {
        match self {
            Self::Suspended(true) => SecurityEvent::AccountSuspended,
            Self::Suspended(false) => SecurityEvent::AccountUnsuspended,
            Self::Frozen(true) => SecurityEvent::AccountFrozen,
            Self::Frozen(false) => SecurityEvent::AccountUnfrozen,
            Self::EndSessions => SecurityEvent::SessionsEnded,
            Self::Team(_) => SecurityEvent::TeamChanged,
            Self::AgeProofWanted(true) => SecurityEvent::AgeProofWanted,
            Self::AgeProofWanted(false) => SecurityEvent::AgeProofGiven,
        }
    }
}

/// The player whose id this is.
pub async fn find(app: &App, id: &str) -> Flow<Player, ChangeError> {
    let id = UserId::parse(id).map_err(|_| ChangeError::NoPlayer)?;
    Ok(app.store().player(&id).await?.ok_or(ChangeError::NoPlayer)?)
}

/// Whether an admin may change this account: another admin's only with a fresh code, so that whoever has stolen one
/// admin's session does not shut the others out. Answers whether it is an admin's.
pub async fn check_may_change(app: &App, who: InSession<'_>, id: &UserId) -> Flow<bool, ChangeError> {
    let whose = app.store().player(id).await?;
    let is_admins = whose.is_some_and(|player| player.role == Role::Admin);
    if is_admins {
        step_up::check(app, who.admin, who.session).map_err(ChangeError::from)?;
    }
    Ok(is_admins)
}

/// An admin's `change` to an account: with a fresh code where it is about money. Answers the player as they are now.
pub async fn change_by_admin(
    app: &App,
    who: InSession<'_>,
    id: &UserId,
    change: Change,
    reason: &str,
) -> Flow<Player, ChangeError> {
    let admin = who.admin;
    if change.is_about_money() {
        step_up::check(app, admin, who.session).map_err(ChangeError::from)?;
    }
    self::change(app, id, change, Who::admin(admin), reason).await?;
    tracing::info!(admin = %admin.id, player = %id, ?change, "player");
    app.log_security(SecurityEntry::new(change.event()).of(id).by(&admin.id)).await;
    find(app, id.as_str()).await
}

/// Does `change` to an account. One that is so already stays as it is: nothing is recorded then.
pub async fn change(app: &App, id: &UserId, change: Change, who: Who, reason: &str) -> Flow<(), ChangeError> {
    let (on, at) = (format!("player {id}"), app.clock().now());
    let act = AuditRecord::by_admin(who, AuditAction::UpdatePlayer, on, at);
    record_change(app, id, change, act.because(reason)).await
}

async fn record_change(app: &App, id: &UserId, change: Change, act: AuditRecord) -> Flow<(), ChangeError> {
    let player = app.store().player(id).await?.ok_or(ChangeError::NoPlayer)?;
    let act = act.of(id);
    let (record, at) = (act.id.clone(), act.at);
    // Whoever has stolen one admin's session could shut the others out, one after another.
    let is_told = player.role == Role::Admin && matches!(change, Change::Suspended(_) | Change::Frozen(_));
    if is_told {
        app.try_to_mail_admins_later(&record, at).await;
    }
    match change {
        Change::Suspended(suspended) => {
            let word = |suspended| if suspended { "suspended" } else { "not suspended" };
            let act = act.from_to(word(!suspended), word(suspended));
            app.store().set_suspended(id, suspended, &act).await?;
        }
        Change::Frozen(frozen) => {
            let word = |frozen| if frozen { "frozen" } else { "not frozen" };
            let act = act.from_to(word(!frozen), word(frozen));
            app.store().set_frozen(id, frozen, &act).await?;
        }
        Change::EndSessions => app.store().end_all_sessions(id, &act.to("every session ended")).await?,
        Change::AgeProofWanted(wanted) => {
            let word = |wanted| if wanted { PROOF_WANTED } else { "no proof of age wanted" };
            let act = act.from_to(word(!wanted), word(wanted));
            app.mail_age_proof_later(id, &act).await?;
            if app.store().set_age_proof_wanted(id, wanted, &act).await? {
                app.mail_age_proof_now(id, &act).await;
            }
        }
        Change::Team(fpl_id) => correct_team(app, &player, fpl_id, act).await?,
    }
    if is_told {
        app.mail_admins_now(&record, at).await;
    }
    Ok(())
}

/// What is at stake in unsuspending or unfreezing an admin's account. It always takes two admins: one who could restore
/// another alone would count as two.
pub async fn restore_stakes(
    app: &App,
    id: &str,
    mark: AccountMark,
    reason: &str,
) -> Flow<Stakes, ChangeError> {
    let player = find(app, id).await?;
    Ok(Stakes {
        what: AuditAction::UpdatePlayer,
        on: format!("player {}", player.id),
        player: Some((player.id.clone(), player.username.clone())),
        gameweek: None,
        number: None,
        code: None,
        amount: None,
        net: None,
        always_two: true,
        pays_out: false,
        is_open: mark.is_on(&player),
        reason: Some(reason.to_owned()),
    })
}

/// Lets an admin act again, by `permit`. Answers the account as it is now.
pub async fn restore_admin(
    app: &App,
    id: &str,
    mark: AccountMark,
    reason: &str,
    permit: &Permit,
) -> Flow<Player, ChangeError> {
    let player = find(app, id).await?;
    if mark.is_on(&player) {
        let (at, on) = (app.clock().now(), format!("player {}", player.id));
        let act = AuditRecord::permitted(permit, AuditAction::UpdatePlayer, on, at);
        record_change(app, &player.id, mark.taken_off(), act.because(reason)).await?;
        let line = SecurityEntry::new(mark.taken_off().event()).of(&player.id);
        app.log_security(permit.who.person().map_or(line, |(admin, _)| line.by(admin))).await;
    }
    find(app, id).await
}

/// Gives an account another team in this season, and has the player told. An entry into a gameweek that is
/// still open goes with it; what was entered before keeps the team that it had.
async fn correct_team(app: &App, player: &Player, fpl_id: FplId, act: AuditRecord) -> Flow<(), ChangeError> {
    let season = app.season().await?.ok_or(ChangeError::Team(LinkError::NoSeason))?;
    if player.season == season && player.fpl_id == Some(fpl_id) {
        return Err(ChangeError::SameTeam.into());
    }
    let name = link::look_up(app, fpl_id).await.map_err(ChangeError::from)?;
    let before = match player.fpl_id {
        Some(held) => format!("team {held} of {}", player.season),
        None => "no team".to_owned(),
    };
    let open = outsiders::open_gameweek(app, act.at).await?;
    let awaited = awaited::awaited(app, &player.id, act.at).await?;
    if awaited::is_any_closed(app, &awaited, act.at).await? {
        return Err(ChangeError::Paying.into());
    }
    let entry = entry_into(app, player, open).await?;
    let outsider = match (open, act.admin()) {
        (Some(open), Some(admin)) if entry.is_some() || awaited.contains(&open) => {
            Some(outsiders::outsider(app, admin, open).await.map_err(FlowError::within)?)
        }
        _ => None,
    };
    let act = act.from_to(before, format!("team {fpl_id} of {season}"));
    let team = NewTeam { season, fpl_id, name: &name };
    app.mail_team_changed_later(&player.id, &act).await?;
    match app.store().correct_team(player, team, (open, entry.as_ref()), &act, outsider.as_ref()).await? {
        Corrected::Done => {
            app.mail_team_changed_now(&player.id, &act).await;
            Ok(())
        }
        Corrected::Taken => Err(ChangeError::Team(LinkError::Taken).into()),
        Corrected::Moved => Err(ChangeError::Moved.into()),
        Corrected::Entered => Err(ChangeError::Entered.into()),
    }
}

async fn entry_into(
    app: &App,
    player: &Player,
    gameweek: Option<GameweekId>,
) -> Result<Option<Entry>, AppError> {
    match gameweek {
        Some(id) => Ok(app.store().entry_of(&player.id, id).await?),
        None => Ok(None),
    }
}
