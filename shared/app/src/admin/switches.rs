//! What can be paused: entries by an admin, payouts by an admin or by the nightly reading of the books. Money
//! that is in a wallet stays usable for nothing but what runs; winners are paid into wallets all the same,
//! for nothing leaves by that (docs/decisions.md, "What a pause stops").

use domain::entries::join::JoinError;
use jiff::Timestamp;
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
    platform::flow::{Flow, FlowError, Refusal},
};

impl Refusal for JoinError {}

/// Turns of other switches at the same time are met this often.
const TRIES: u32 = 8;

/// Between the machine's reason and that of the admin whose pause it has paused over.
const PAUSED_BEFORE: &str = " Paused before by ";

/// Whether entries are taken; asked before a prompt is pushed or a wallet is touched. A prompt that was
/// sent before still makes its entry.
pub async fn check_entries(app: &App) -> Flow<(), JoinError> {
    let paused = app.store().switches().await?.entries_paused.is_some();
    if paused { Err(JoinError::Paused.into()) } else { Ok(()) }
}

/// Why an admin does not turn a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    #[error(transparent)]
    Own(#[from] OwnAccount),
    #[error("It was paused anew after you looked, and nothing was resumed. See who paused it now, and why.")]
    OtherPause,
}

impl Refusal for SwitchError {}

/// What an admin pauses (`true`) or resumes (`false`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchChange {
    pub entries: Option<bool>,
    pub payouts: Option<bool>,
    /// `since` of the pause that the admin has seen and ends; `None`: any pause is ended.
    pub since: Option<Timestamp>,
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

    #[must_use]
    pub fn resume_both(self) -> bool {
        self.entries == Some(false) && self.resume_payouts()
    }
}

/// Does what an admin asks for, and has all admins told: what stops something first. Answers the switches as they are now.
pub async fn turn(
    app: &App,
    turns: SwitchChange,
    admin: &Player,
    reason: &str,
) -> Flow<Switches, SwitchError> {
    let seen = turns.since;
    let mut turns = [(Pausable::Entries, turns.entries), (Pausable::Payouts, turns.payouts)];
    turns.sort_by_key(|(_, paused)| *paused == Some(false));
    for (what, paused) in turns {
        let Some(paused) = paused else { continue };
        set(app, (what, paused), seen, admin, reason).await?;
        tracing::info!(admin = %admin.id, switch = what.into_str(), paused, "switch");
    }
    Ok(app.store().switches().await?)
}

/// Pauses or resumes. Answers the switches as they are now. One that is as it should be already stays as it is: nothing
/// is recorded then. A resume ends the pause that has been since `seen`, and no other. Any admin may pause entries. An admin
/// who has entered the open gameweek may not resume them, and one who resumes them may not enter it: otherwise they could
/// choose their rivals.
async fn set(
    app: &App,
    (what, paused): (Pausable, bool),
    seen: Option<Timestamp>,
    admin: &Player,
    reason: &str,
) -> Flow<Switches, SwitchError> {
    let (now, who) = (app.clock().now(), Who::admin(admin));
    let act = AuditRecord::by_admin(who.clone(), AuditAction::SetSwitches, what.into_str(), now);
    let act = act.because(reason);
    let pause = paused.then(|| Pause { by: who, since: now, reason: reason.to_owned() });
    app.try_to_mail_admins_later(&act.id, now).await;
    for _ in 0..TRIES {
        let switches = app.store().switches().await?;
        let standing = switches.pause(what);
        if standing.is_some() == paused {
            return Ok(switches);
        }
        if let (Some(standing), Some(seen)) = (standing, seen)
            && standing.since != seen
        {
            return Err(SwitchError::OtherPause.into());
        }
        let resumed_for = match what {
            Pausable::Entries if !paused => outsiders::open_gameweek(app, now).await?,
            _ => None,
        };
        let outsider = match resumed_for {
            Some(gameweek) => {
                Some(outsiders::outsider(app, &admin.id, gameweek).await.map_err(FlowError::within)?)
            }
            None => None,
        };
        let act = act.clone().from_to(word(standing), word(pause.as_ref()));
        if app.store().set_pause(&switches, (what, pause.as_ref()), &act, outsider.as_ref()).await? {
            app.mail_admins_now(&act.id, now).await;
            return Ok(app.store().switches().await?);
        }
    }
    Err(AppError::Store(StoreError::Contended("the switches")).into())
}

/// Pauses payouts, as the nightly reading of the books does where they are off. It does so over a pause that stands, too: that
/// one was for something else, and whoever ends it has not read what is off. `false`: payouts were paused for this already.
pub async fn pause_payouts_by_machine(app: &App, reason: &str) -> Result<bool, AppError> {
    let (now, what) = (app.clock().now(), Pausable::Payouts);
    let act = AuditRecord::new(Who::Reconciliation, AuditAction::SetSwitches, what.into_str(), now);
    let act = act.because(reason);
    for _ in 0..TRIES {
        let switches = app.store().switches().await?;
        let standing = switches.pause(what);
        let reason = reason_over(reason, standing);
        let pause = Pause { by: Who::Reconciliation, since: now, reason };
        if standing.is_some_and(|standing| standing.by == pause.by && standing.reason == pause.reason) {
            return Ok(false);
        }
        let act = act.clone().from_to(word(standing), word(Some(&pause)));
        if app.store().set_pause(&switches, (what, Some(&pause)), &act, None).await? {
            return Ok(true);
        }
    }
    Err(AppError::Store(StoreError::Contended("the switches")))
}

/// The machine's reason, and behind it the reason of the admin who had paused before, which may hold still. What the machine
/// itself had paused for is not kept behind it: the reading names all that is off.
fn reason_over(reason: &str, standing: Option<&Pause>) -> String {
    let before = standing.and_then(|standing| match standing.by.person() {
        Some((_, name)) => Some(format!("{name}: {}", standing.reason)),
        None => standing.reason.split_once(PAUSED_BEFORE).map(|(_, before)| before.to_owned()),
    });
    match before {
        Some(before) => format!("{reason}{PAUSED_BEFORE}{before}"),
        None => reason.to_owned(),
    }
}

fn word(pause: Option<&Pause>) -> String {
    match pause {
        None => "running".to_owned(),
        Some(pause) => format!("paused by {}: {}", pause.by.kind(), pause.reason),
    }
}
