//! Jobs, each a line of the table and a function: a message or a tick, read and handed to the flow. A message that cannot be read is ours and
//! wrong: it fails until it is in the dead-letter queue, where it is seen. A message that fails is tried again; what a
//! schedule could not do, its next run does.

use app::{
    App, AppError,
    accounts::erasure,
    gameweeks::sync,
    leagues::{draw, picks_import, points},
    ledger::{float, reconciliation, reversals},
    payments::{paybill, prompts, results, typed_codes},
    platform::{
        mail::{self, SendMail},
        push::{self, PushTask},
        queues::{ForGameweek, ImportPicks, MpesaTask, ProcessPayment, ReconcileSegment, SettleLeague},
        secrets::names::*,
    },
    settlement::{corrections, settling, winners},
    withdrawals::payouts,
};
use serde::de::DeserializeOwned;
use store::platform::partitions::*;

use super::{
    deployment::{AtOnce::*, Batches, Grant::*, Queue::*, WHOLE_PROCESSOR},
    table::Job,
};

impl Job {
    /// A draw holds all of its entries, and the end of a gameweek all leagues that are left (docs/performance.md says up to
    /// how many).
    fn holds_a_crowd(mut self) -> Self {
        self.deployment.memory = WHOLE_PROCESSOR;
        self
    }
}

/// Every job: what queues and schedules start.
#[must_use]
pub fn jobs() -> Vec<Job> {
    vec![
        Job::queue("settle-payment", Payments, Batches::tens(By("PaymentsAtOnce")), settle_payment)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                Transacts,
                CallsMpesa,
                Secret(DARAJA_PASSKEY),
                Secret(SECURITY_LOG_KEY),
                Sends(Payments),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(60),
        Job::queue("take-result", Results, Batches::tens(By("ResultsAtOnce")), take_result)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                QueriesDays,
                Transacts,
                AsksMpesa,
                Sends(Results),
                Sends(Payments),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(60),
        Job::queue("sweep-entries", Sweeps, Batches { of: 1, at_once: Always(2) }, sweep_entries)
            .may(&[Reads, Queries, Writes, Sends(Sweeps), Sends(Mails), MovesMoney])
            .timeout(120),
        Job::queue("settle-gameweek", Winners, Batches { of: 1, at_once: Always(2) }, settle_gameweek)
            // It draws too: the leagues of a gameweek that was called off before its draw.
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(DRAW_KEY),
                Sends(Winners),
                Sends(Leagues),
                Sends(Sweeps),
                Sends(Teams),
                Sends(Mails),
                Sends(Pushes),
                MovesMoney,
            ])
            .timeout(300)
            .holds_a_crowd(),
        Job::queue("settle-league", Leagues, Batches::tens(By("LeaguesAtOnce")), settle_league)
            .may(&[Reads, QueriesLists, Writes, Sends(Mails), Sends(Pushes), Sends(Winners), MovesMoney])
            .timeout(60),
        Job::queue("collect-teams", Teams, Batches { of: 1, at_once: Always(2) }, import_picks)
            .may(&[Reads, Queries, Writes, Sends(Teams), Sends(Leagues)])
            .timeout(300),
        Job::queue("read-books", Books, Batches { of: 1, at_once: Always(8) }, reconcile_segment)
            .may(&[Reads, Scans, Queries, Writes, Sends(Books)])
            .timeout(120),
        Job::queue("send-mail", Mails, Batches { of: 1, at_once: By("MailsAtOnce") }, send_mail)
            .may(&[
                Reads,
                QueriesLists,
                Writes,
                Secret(UNSUBSCRIBE_KEY),
                Sends(Mails),
                Sends(Pushes),
                SendsMail,
            ])
            .timeout(30),
        Job::queue("send-push", Pushes, Batches { of: 1, at_once: Always(5) }, send_push)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(PUSH_KEY),
                Sends(Mails),
                Sends(Pushes),
            ])
            .timeout(30),
        Job::schedule("sync-gameweek", "rate(1 minute)", sync_gameweek)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(DRAW_KEY),
                Sends(Sweeps),
                Sends(Teams),
                Sends(Winners),
                Sends(Mails),
                Sends(Pushes),
                SetsFence,
                MovesMoney,
            ])
            .timeout(300)
            .holds_a_crowd(),
        Job::schedule("track-points", "rate(1 minute)", track_points)
            .may(&[Reads, ReadsMany, Queries, Writes])
            .reads(&[CALENDARS, SCORES, LEAGUES, LEAGUE_STATUSES, SETTLEMENTS])
            .writes(&[SCORES, LEAGUE_STATUSES])
            .timeout(120),
        Job::rule("close-gameweek", close_gameweek)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(DRAW_KEY),
                Sends(Sweeps),
                Sends(Teams),
                Sends(Mails),
                Sends(Pushes),
                MovesMoney,
            ])
            .timeout(300)
            .holds_a_crowd(),
        Job::schedule("remind-of-payments", "rate(15 minutes)", remind_of_payments)
            .may(&[Reads, Queries, QueriesLists, Sends(Payments), Sends(Results), Sends(Books)])
            .timeout(120),
        Job::schedule("register-paybill", "rate(1 hour)", register_paybill)
            .may(&[Reads, Writes, CallsMpesa, Secret(HOOK_KEYS)])
            .keeps_to(&[PAYBILL, MPESA_TOKEN])
            .timeout(60),
        // Half past ten at night in Kenya: before the balance is asked for and the books are read.
        Job::schedule("check-receipts", "cron(30 19 * * ? *)", check_receipts)
            .may(&[Reads, Puts, Sends(Results)])
            .keeps_to(&[BOOKS])
            .timeout(60),
        Job::schedule("ask-for-balance", "cron(50 20 * * ? *)", ask_for_balance)
            .may(&[Reads, Updates, AsksMpesa])
            .reads(&[MPESA_TOKEN])
            .writes(&[FLOAT, MPESA_TOKEN])
            .timeout(60),
        // The only function that deletes.
        Job::schedule("erase-accounts", "rate(1 hour)", erase_accounts)
            .may(&[Reads, ReadsMany, Queries, QueriesLists, Updates, Deletes, Sends(Mails)])
            .deletes_from(&[PLAYERS, EMAILS, USERNAMES, TEAMS, NUMBERS, BROWSERS, PAYMENTS, WITHDRAWALS])
            .timeout(300),
        // Ten minutes after Kenya's midnight: the day before is complete.
        Job::schedule("reconcile", "cron(10 21 * * ? *)", reconcile)
            .may(&[Reads, Puts, Sends(Books)])
            .reads(&[BOOKS, FLOAT])
            .writes(&[BOOKS]),
    ]
}

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
    draw::sweep_or_ask_again(&app, read::<ForGameweek>(&body)?.gameweek).await
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

/// Queue `pushes`: hands one push to a push service, or does a step of a round.
pub async fn send_push(app: App, body: String) -> Result<(), AppError> {
    push::process(&app, read::<PushTask>(&body)?).await
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
            troubles.extend(draw::advance(&app, calendar.id(gameweek.number)).await.err());
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
    let books = reconciliation::remind(&app).await;
    let receipts = reversals::remind(&app).await;
    let (payments, payouts, confirmed, typed) = (payments?, payouts?, confirmed?, typed?);
    if payments + payouts + confirmed + typed > 0 {
        tracing::warn!(payments, payouts, confirmed, typed, "their questions had stopped");
    }
    books.and(receipts)
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

/// Every hour: takes what is personal from the accounts that were closed a week ago.
pub async fn erase_accounts(app: App) -> Result<(), AppError> {
    erasure::erase(&app).await
}
