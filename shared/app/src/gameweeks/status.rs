//! What players see of the current gameweek, and the switch for the deduction of extra transfers.

use domain::{EntryAmount, Kes, gameweeks::calendar::Gameweek, settlement::prize};
use jiff::Timestamp;
use store::{
    StoreError,
    accounts::players::Player,
    admin::audit::{AuditAction, AuditRecord, Who},
};

use crate::{
    App, AppError,
    admin::{outsiders, own_account::OwnAccount},
    platform::flow::Flow,
    settlement::winners,
};

/// Turns of switches, and movements of an admin's wallet, at the same time are met this often.
const TRIES: u32 = 8;

/// The gameweek that players act on, as it is now.
pub struct CurrentStatus {
    pub now: Timestamp,
    /// The gameweek's season; `None`: there is nothing to play.
    pub season: Option<u16>,
    /// `None`: there is nothing to play.
    pub gameweek: Option<Gameweek>,
    /// When the next one becomes the current one, if this one is not settled before; `None`: not known.
    pub next_opens_by: Option<Timestamp>,
    pub fee_percent: u8,
    pub deduct_transfer_points: bool,
    pub entries_paused: bool,
    pub amounts: Vec<AmountSoFar>,
}

/// What there is at one amount.
pub struct AmountSoFar {
    pub amount: EntryAmount,
    /// How many had joined a minute ago or later.
    pub entries: usize,
    /// What a full league pays a single winner.
    pub full_league_prize: Kes,
}

/// The current gameweek as players see it.
pub async fn current(app: &App) -> Result<CurrentStatus, AppError> {
    let now = app.clock().now();
    let (kept, switches) = tokio::try_join!(app.kept_current(), async { Ok(app.store().switches().await?) })?;
    let current = app.current_by(kept.as_ref()).await?;
    let fee_percent = match &current {
        Some((_, gameweek)) => winners::fee_percent(app, gameweek),
        None => app.config().fee_percent,
    };
    let joined = match &current {
        Some((id, _)) => match kept.as_ref().and_then(|kept| kept.joined(*id)) {
            Some(joined) => joined.entries,
            // Before the job that runs each minute has first kept it.
            None => app.store().count_all_entries(*id).await?,
        },
        None => [0; 3],
    };
    let amounts = EntryAmount::ALL.into_iter().zip(joined).map(|(amount, entries)| {
        let full_league_prize = prize::full_league_prize(amount, fee_percent);
        AmountSoFar { amount, entries, full_league_prize }
    });
    let excerpt = kept.as_ref().map(|kept| &kept.excerpt);
    let next_opens_by = current.as_ref().and_then(|(id, _)| excerpt?.next_opens_by(id.number, app.lead()));
    Ok(CurrentStatus {
        now,
        next_opens_by,
        season: current.as_ref().map(|(id, _)| id.season),
        gameweek: current.map(|(_, gameweek)| gameweek),
        fee_percent,
        deduct_transfer_points: switches.deducts_transfers_at(now),
        entries_paused: switches.entries_paused.is_some(),
        amounts: amounts.collect(),
    })
}

/// How the deduction stands after a call for a turn of its switch.
pub struct Turned {
    pub is_on: bool,
    /// It was as it was wanted to be: nothing was turned.
    pub unchanged: bool,
    /// The current gameweek is closed: it uses what was in force at its deadline.
    pub from_next: bool,
}

/// Turns the deduction for extra transfers to what is `wanted`, or where nothing is said to what it is not, and has all admins
/// told. Where it is as wanted already, nothing is turned. An admin who has entered the open gameweek may not turn it, and one
/// who turns it may not enter that gameweek any more.
pub async fn toggle_deduction(app: &App, admin: &Player, wanted: Option<bool>) -> Flow<Turned, OwnAccount> {
    let now = app.clock().now();
    let on = "the deduction for transfers";
    let act = AuditRecord::by_admin(Who::admin(admin), AuditAction::ToggleDeduction, on, now);
    app.mail_admins_later(&act.id, now).await?;
    for _ in 0..TRIES {
        let seen = app.store().switches().await?;
        let stands = seen.deducts_transfers();
        if wanted == Some(stands) {
            return Ok(Turned { is_on: stands, unchanged: true, from_next: false });
        }
        // As of the act's own instant, which is what counts at the deadline.
        let open = outsiders::open_gameweek(app, now).await?;
        let outsider = match open {
            Some(id) => Some(outsiders::outsider(app, &admin.id, id).await?),
            None => None,
        };
        if app.store().turn_deduction(&seen, !stands, &act, outsider.as_ref()).await? {
            tracing::info!(admin = %admin.id, on = !stands, "deduction switched");
            app.mail_admins_now(&act.id, now).await;
            let from_next = open.is_none() && app.current_gameweek().await?.is_some();
            return Ok(Turned { is_on: !stands, unchanged: false, from_next });
        }
    }
    Err(AppError::Store(StoreError::Contended("the switches")).into())
}
