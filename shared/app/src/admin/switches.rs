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
    admin::{changes, own_account::OwnAccount},
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

/// Does what an admin asks for, and has all admins told. Answers the switches as they are now. Everybody may stop entries; who
/// is in the open gameweek does not resume them, for who else comes in would be theirs to say.
pub async fn turn(
    app: &App,
    turns: SwitchChange,
    admin: &Player,
    reason: &str,
) -> Flow<Switches, OwnAccount> {
    if turns.entries == Some(false)
        && let Some(gameweek) = changes::open_gameweek(app).await?
        && app.store().entry_of(&admin.id, gameweek).await?.is_some()
    {
        return Err(OwnAccount.into());
    }
    for (what, paused) in [(Pausable::Entries, turns.entries), (Pausable::Payouts, turns.payouts)] {
        let Some(paused) = paused else { continue };
        set(app, what, paused, &Who::admin(admin), reason).await?;
        tracing::info!(admin = %admin.id, switch = what.into_str(), paused, "switch");
    }
    Ok(app.store().switches().await?)
}

/// Pauses or resumes by hand. Answers the switches as they are now. One that is as it should be already
/// stays as it is: nothing is recorded then.
async fn set(app: &App, what: Pausable, paused: bool, who: &Who, reason: &str) -> Result<Switches, AppError> {
    let now = app.clock().now();
    let act = AuditRecord::new(who.clone(), AuditAction::SetSwitches, what.into_str(), now).because(reason);
    // To pause waits for nothing.
    if !paused {
        app.mail_admins_later(&act.id, now).await?;
    }
    let pause = paused.then(|| Pause { by: who.clone(), since: now, reason: reason.to_owned() });
    for _ in 0..TRIES {
        let seen = app.store().switches().await?;
        if seen.pause(what).is_some() == paused {
            return Ok(seen);
        }
        let act = act.clone().from_to(word(seen.pause(what)), word(pause.as_ref()));
        if app.store().set_pause(&seen, what, pause.as_ref(), &act).await? {
            if who.person().is_some() {
                app.mail_admins_now(&act.id, now).await;
            }
            return Ok(app.store().switches().await?);
        }
    }
    Err(StoreError::Contended("the switches").into())
}

/// Pauses payouts, as the nightly reading of the books does where they are off. A pause that is there stays.
/// `false`: payouts were paused already.
pub async fn pause_payouts_by_machine(app: &App, reason: &str) -> Result<bool, AppError> {
    let paused_before = app.store().switches().await?.payouts_paused.is_some();
    set(app, Pausable::Payouts, true, &Who::Reconciliation, reason).await?;
    Ok(!paused_before)
}

fn word(pause: Option<&Pause>) -> String {
    match pause {
        None => "running".to_owned(),
        Some(pause) => format!("paused by {}: {}", pause.by.kind(), pause.reason),
    }
}
