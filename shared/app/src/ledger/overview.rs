//! The books as an admin sees them: the last reading that was ended, whether one is under way, and what is paused.

use domain::{UserId, Username};
use jiff::Timestamp;
use store::{admin::settings::Pause, payments::receipts::DatedReceipt};

use crate::{
    App, AppError,
    ledger::reconciliation::{self, Report},
};

/// Payments taken back that are shown.
const SHOWN_REVERSALS: usize = 50;

pub struct Overview {
    pub report: Option<Report>,
    /// Since when a reading is under way.
    pub reading_since: Option<Timestamp>,
    pub payouts_paused: Option<Pause>,
    /// Payments that M-Pesa has taken back, newest first, with whose they were.
    pub reversals: Vec<(DatedReceipt, Option<Username>)>,
}

/// The books as they are now.
pub async fn overview(app: &App) -> Result<Overview, AppError> {
    let report = reconciliation::latest(app).await?;
    let run = app.store().reconciliation_run().await?.filter(|run| run.finished_at.is_none());
    Ok(Overview {
        report,
        reading_since: run.map(|run| run.started_at),
        payouts_paused: app.store().switches().await?.payouts_paused,
        reversals: reversals(app).await?,
    })
}

async fn reversals(app: &App) -> Result<Vec<(DatedReceipt, Option<Username>)>, AppError> {
    let found = app.store().reversed_receipts(SHOWN_REVERSALS).await?;
    let ids: Vec<UserId> = found.iter().map(|dated| dated.receipt.user_id.clone()).collect();
    let players = app.store().players(&ids).await?;
    let name =
        |id: &UserId| players.iter().find(|player| player.id == *id).map(|player| player.username.clone());
    let named = found.into_iter().map(|dated| {
        let name = name(&dated.receipt.user_id);
        (dated, name)
    });
    Ok(named.collect())
}
