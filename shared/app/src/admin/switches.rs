//! What can be paused: entries by an admin, payouts by an admin or by the nightly reading of the books. Money
//! that is in a wallet stays usable for nothing but what runs; winners are paid into wallets all the same,
//! for nothing leaves by that (docs/decisions.md, "What a pause stops").

use domain::entries::join::JoinError;
use store::{
    StoreError,
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        settings::{Pausable, Pause, Switches},
    },
};

use crate::{
    App, AppError,
    admin::{outsiders, own_account::OwnAccount},
    platform::flow::{Flow, Refusal},
};

impl Refusal for JoinError {}

/// Turns of other switches at the same time are met this often.
const TRIES: u32 = 8;

/// Whether entries are taken; asked before a prompt is pushed or a wallet is touched. A prompt that was
/// sent before still makes its entry.
pub async fn check_entries(app: &App) -> Flow<(), JoinError> {
    let paused = app.store().switches().await?.entries_paused.is_some();
    if paused { Err(JoinError::Paused.into()) } else { Ok(()) }
}

/// What an admin pauses (`true`) or resumes (`false`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchChange {
    pub entries: Option<bool>,
    pub payouts: Option<bool>,
}

impl SwitchChange {
    #[must_use]
    pub fn are_none(self) -> bool {
        self.entries.is_none() && self.payouts.is_none()
    }

    #[must_use]
    pub fn resume_payouts(self) -> bool {
        self.payouts == Some(false)
    }
}

/// Does what an admin asks for, and has all admins told: what stops something first. Answers the switches as they are now.
pub async fn turn(
    app: &App,
    turns: SwitchChange,
    admin: &Player,
    reason: &str,
) -> Flow<Switches, OwnAccount> {
    let mut turns = [(Pausable::Entries, turns.entries), (Pausable::Payouts, turns.payouts)];
    turns.sort_by_key(|(_, paused)| *paused == Some(false));
    for (what, paused) in turns {
        let Some(paused) = paused else { continue };
        set(app, what, paused, &Who::admin(admin), reason).await?;
        tracing::info!(admin = %admin.id, switch = what.into_str(), paused, "switch");
    }
    Ok(app.store().switches().await?)
}

/// Pauses or resumes. Answers the switches as they are now. One that is as it should be already stays as it is: nothing
/// is recorded then. Any admin may pause entries. An admin who has entered the open gameweek may not resume them, and
/// one who resumes them may not enter it: otherwise they could choose their rivals.
async fn set(app: &App, what: Pausable, paused: bool, who: &Who, reason: &str) -> Flow<Switches, OwnAccount> {
    let (now, admin) = (app.clock().now(), who.person().map(|(id, _)| id));
    let (who_acts, action) = (who.clone(), AuditAction::SetSwitches);
    let act = match admin {
        Some(_) => AuditRecord::by_admin(who_acts, action, what.into_str(), now),
        None => AuditRecord::new(who_acts, action, what.into_str(), now),
    };
    let act = act.because(reason);
    let pause = paused.then(|| Pause { by: who.clone(), since: now, reason: reason.to_owned() });
    if admin.is_some() {
        app.try_to_mail_admins_later(&act.id, now).await;
    }
    for _ in 0..TRIES {
        let seen = app.store().switches().await?;
        if seen.pause(what).is_some() == paused {
            return Ok(seen);
        }
        let resumed_for = match what {
            Pausable::Entries if !paused => outsiders::open_gameweek(app, now).await?,
            _ => None,
        };
        let outsider = match (resumed_for, admin) {
            (Some(gameweek), Some(admin)) => Some(outsiders::outsider(app, admin, gameweek).await?),
            _ => None,
        };
        let act = act.clone().from_to(word(seen.pause(what)), word(pause.as_ref()));
        if app.store().set_pause(&seen, (what, pause.as_ref()), &act, outsider.as_ref()).await? {
            if admin.is_some() {
                app.mail_admins_now(&act.id, now).await;
            }
            return Ok(app.store().switches().await?);
        }
    }
    Err(AppError::Store(StoreError::Contended("the switches")).into())
}

/// Pauses payouts, as the nightly reading of the books does where they are off. A pause that is there stays.
/// `false`: payouts were paused already.
pub async fn pause_payouts_by_machine(app: &App, reason: &str) -> Result<bool, AppError> {
    let paused_before = app.store().switches().await?.payouts_paused.is_some();
    match set(app, Pausable::Payouts, true, &Who::Reconciliation, reason).await {
        Ok(_) => Ok(!paused_before),
        Err(error) => {
            Err(error.refusal().map_or_else(|failed| failed, |own| AppError::Internal(own.to_string())))
        }
    }
}

fn word(pause: Option<&Pause>) -> String {
    match pause {
        None => "running".to_owned(),
        Some(pause) => format!("paused by {}: {}", pause.by.kind(), pause.reason),
    }
}
