//! Jobs: a message or a tick, read and handed to the flow. A message that cannot be read is ours and
//! wrong: it fails until it is in the dead-letter queue, where it is seen. A message that fails is tried again; what a
//! schedule could not do, its next run does.

use app::{
    App, AppError,
    gameweeks::sync,
    leagues::{draw, picks_import, points},
    ledger::{float, reconciliation, reversals},
    payments::{paybill, prompts, results, typed_codes},
    platform::{
        mail::{self, SendMail},
        queues::{ForGameweek, ImportPicks, MpesaTask, ProcessPayment, ReconcileSegment, SettleLeague},
    },
    settlement::{corrections, settling, winners},
    withdrawals::payouts,
};
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(body: &str) -> Result<T, AppError> {
    serde_json::from_str(body).map_err(|error| AppError::Internal(format!("a message: {error}")))
}

/// Queue `payments`: processes one payment.
pub async fn settle_payment(app: App, body: String) -> Result<(), AppError> {
    prompts::process(&app, &read::<ProcessPayment>(&body)?).await
}

/// Queue `results`: takes what M-Pesa posts about an order, or asks about one.
pub async fn take_result(app: App, body: String) -> Result<(), AppError> {
    results::process(&app, read::<MpesaTask>(&body)?).await
}

/// Queue `sweeps`: refunds who was found too late for the draw.
pub async fn sweep_entries(app: App, body: String) -> Result<(), AppError> {
    draw::sweep(&app, read::<ForGameweek>(&body)?.gameweek).await.map(drop)
}

/// Queue `winners`: goes on with the payment of a gameweek.
pub async fn settle_gameweek(app: App, body: String) -> Result<(), AppError> {
    winners::settle_gameweek(&app, read::<ForGameweek>(&body)?.gameweek).await
}

/// Queue `leagues`: settles one league. One that waits is not an error: the schedule takes it up.
pub async fn settle_league(app: App, body: String) -> Result<(), AppError> {
    let message: SettleLeague = read(&body)?;
    let id = message.league.parse().map_err(|_| AppError::Internal("a message: not a league".into()))?;
    settling::settle_league(&app, id).await.map(drop)
}

/// Queue `teams`: reads picks and results of the teams that are due, at the set pace.
pub async fn import_picks(app: App, body: String) -> Result<(), AppError> {
    let ImportPicks {} = read(&body)?;
    picks_import::collect(&app).await
}

/// Queue `books`: reads on in a segment of the table.
pub async fn reconcile_segment(app: App, body: String) -> Result<(), AppError> {
    reconciliation::read(&app, &read::<ReconcileSegment>(&body)?).await
}

/// Queue `mails`: sends one mail.
pub async fn send_mail(app: App, body: String) -> Result<(), AppError> {
    mail::send(&app, &read::<SendMail>(&body)?).await
}

/// Every minute: follows the official calendar.
pub async fn sync_gameweek(app: App) -> Result<(), AppError> {
    sync::sync(&app).await
}

/// Every minute: the points of what is being played, and corrections of what was paid.
pub async fn track_points(app: App) -> Result<(), AppError> {
    let (tracked, polled) = tokio::join!(points::track(&app), corrections::poll(&app));
    polled?;
    tracked
}

/// At the fence of a deadline: the draw of every gameweek that is due.
pub async fn close_gameweek(app: App) -> Result<(), AppError> {
    let (mut troubles, now) = (Vec::new(), app.clock().now());
    for calendar in app.calendars().await? {
        for gameweek in calendar.gameweeks.iter().filter(|g| g.drawn_at.is_none() && now >= g.fence()) {
            troubles.extend(draw::close(&app, calendar.id(gameweek.number)).await.err());
        }
    }
    troubles.into_iter().next().map_or(Ok(()), Err)
}

/// Every quarter of an hour: the backstop for payments, payouts, what is paid to the paybill, typed codes, the books'
/// reading and the questions about receipts, where a message was lost.
pub async fn remind_of_payments(app: App) -> Result<(), AppError> {
    let payments = prompts::remind_of_open_payments(&app).await;
    let payouts = payouts::remind(&app).await;
    let confirmed = paybill::remind(&app).await;
    let typed = typed_codes::remind(&app).await;
    reconciliation::remind(&app).await?;
    reversals::remind(&app).await?;
    let (payments, payouts, confirmed, typed) = (payments?, payouts?, confirmed?, typed?);
    if payments + payouts + confirmed + typed > 0 {
        tracing::warn!(payments, payouts, confirmed, typed, "their questions had stopped");
    }
    Ok(())
}

/// Every hour: tells M-Pesa where to confirm payments to the paybill, where it was not told yet.
pub async fn register_paybill(app: App) -> Result<(), AppError> {
    if paybill::register(&app).await? {
        tracing::info!("M-Pesa confirms payments to the paybill here from now on");
    }
    Ok(())
}

/// Every night: begins to ask M-Pesa about the receipts of the last days.
pub async fn check_receipts(app: App) -> Result<(), AppError> {
    reversals::start(&app).await
}

/// Every night: asks what is in the accounts that withdrawals are paid from.
pub async fn ask_for_balance(app: App) -> Result<(), AppError> {
    float::ask(&app).await
}

/// Every night: begins to read the books.
pub async fn reconcile(app: App) -> Result<(), AppError> {
    reconciliation::start(&app).await
}
