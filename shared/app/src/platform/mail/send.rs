//! `send-mail`: one message, one mail at the most. It holds the mail, makes the text from the store,
//! hands it to SES and notes that it is out (`store::platform::mailed` says what dying in between means).

use domain::{Kes, accounts::notifications::Language, withdrawals::requests::WithdrawalStatus};
use jiff::{SignedDuration, Timestamp};
use store::{
    ledger::wallets::StoredPosting,
    platform::mailed::{Hold, NextTurn},
};

use super::{
    MailSubject, SendMail,
    find::{find, recorded},
    found::{Content, Found},
    ses::{Undelivered, deliver},
    texts::{self, MailText, Reader},
};
use crate::{
    App, AppError,
    accounts::{closing::GRACE, notifications},
    platform::{flow::FlowError, push, queues::is_next_lost},
    withdrawals::cancellation,
};

/// Longer than the function runs: who holds a mail for longer is gone.
const CLAIMED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// The first pause while the mail service is down; each is twice the one before, as far as SQS goes.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(30);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(15);
/// A mail that could not be sent for so long fails, and is seen in the dead-letter queue.
const POSTPONED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Tells a player what `message` is about, unless that is done or there is nothing to say: by mail here, and by push
/// through a queue of its own. Neither waits for the other.
pub async fn send(app: &App, message: &SendMail) -> Result<(), AppError> {
    if let MailSubject::Act { act, at, to: None } = &message.about {
        return tell_admins(app, act, *at).await;
    }
    let Some(found) = find(app, &message.about).await? else { return Ok(()) };
    let set = app.store().notifications(&found.to.id).await?;
    let handed_over = match message.tried {
        0 => push::hand_over(app, &message.about, &found, &set).await,
        _ => Ok(()),
    };
    if found.is_mailed(&set) {
        mail(app, message, &found, set.language).await?;
    }
    handed_over
}

async fn mail(app: &App, message: &SendMail, found: &Found, language: Language) -> Result<(), AppError> {
    let (player, cause) = (&found.to.id, found.cause.as_str());
    let now = app.clock().now();
    match app.store().claim_mail(player, (cause, message.tried), now, now + CLAIMED_FOR).await? {
        Hold::Ours => {}
        Hold::Sent => return Ok(()),
        Hold::Others => return app.send(message, CLAIMED_FOR).await,
        Hold::PutOff(next) => return take_up(app, message, next).await,
    }
    let Some(text) = text(app, found, language).await? else {
        return Ok(app.store().note_mailed(player, cause, app.clock().now()).await?);
    };
    match deliver(app, &found.to.email, &text).await {
        Ok(()) => {
            app.store().note_mailed(player, cause, app.clock().now()).await?;
            tracing::info!(%player, cause, "mailed");
            Ok(())
        }
        Err(FlowError::Refused(Undelivered::Address(why))) => {
            tracing::error!(%player, cause, why, "an address that no mail can be sent to");
            app.store().note_mailed(player, cause, app.clock().now()).await?;
            Ok(())
        }
        Err(FlowError::Failed(failure)) => Err(failure),
        Err(FlowError::Refused(why)) => postpone(app, message, found, &why).await,
    }
}

/// A message to each admin about an act, if it was done.
async fn tell_admins(app: &App, act: &str, at: Timestamp) -> Result<(), AppError> {
    if recorded(app, act, at).await?.is_none() {
        return Ok(());
    }
    for admin in app.store().admins().await? {
        let about = MailSubject::Act { act: act.to_owned(), at, to: Some(admin) };
        app.mail(about, SignedDuration::ZERO).await?;
    }
    Ok(())
}

/// A service that is down must not use up a message's tries.
async fn postpone(app: &App, message: &SendMail, found: &Found, why: &Undelivered) -> Result<(), AppError> {
    let (player, cause, now) = (&found.to.id, found.cause.as_str(), app.clock().now());
    let overdue = now >= message.since + POSTPONED_FOR;
    if overdue || !matches!(why, Undelivered::NotAnswering(_)) {
        app.store().release_mail(player, cause).await?;
        return Err(AppError::Mail(why.to_string()));
    }
    tracing::warn!(%why, tried = message.tried, "a mail is put off");
    let next = NextTurn { turn: message.tried.saturating_add(1), at: now + pause(message.tried) };
    if app.store().put_mail_off(player, (cause, message.tried), next).await? {
        return try_again(app, message, next).await;
    }
    Ok(())
}

/// A message whose turn is over has come once more.
async fn take_up(app: &App, message: &SendMail, next: NextTurn) -> Result<(), AppError> {
    let put_off = (u64::from(next.turn), next.at - pause(message.tried));
    let lost = is_next_lost(message.tried.into(), put_off, app.clock().now());
    if lost { try_again(app, message, next).await } else { Ok(()) }
}

async fn try_again(app: &App, message: &SendMail, next: NextTurn) -> Result<(), AppError> {
    let again = SendMail { tried: next.turn, ..message.clone() };
    app.send(&again, next.at.duration_since(app.clock().now())).await
}

/// How long after its turn `tried` a mail is tried again.
fn pause(tried: u32) -> SignedDuration {
    (FIRST_PAUSE * (1 << tried.min(5))).min(LONGEST_PAUSE)
}

/// `None`: there is nothing to say any more.
async fn text(app: &App, found: &Found, language: Language) -> Result<Option<MailText>, AppError> {
    let reader = Reader { origin: app.config().public_origin.as_str(), name: &found.to.username, language };
    let text = match &found.says {
        Content::ResetLink => {
            texts::accounts::reset(reader.origin, language, &app.issue_reset(&found.to).await?)
        }
        Content::Posting { posting, towards_debt, why, .. } => {
            about_posting(reader, posting, *towards_debt, why.as_deref())?
        }
        Content::Act(act) => texts::admin::act(reader, act),
        Content::Withdrawal { withdrawal, towards_debt } => {
            let reader = Reader { name: &withdrawal.username, ..reader };
            match withdrawal.status {
                WithdrawalStatus::Done => texts::withdrawals::done(reader, withdrawal),
                _ => texts::withdrawals::rejected(reader, withdrawal, *towards_debt),
            }
        }
        Content::TypedCodeRejected(typed_code) => texts::payments::code_rejected(reader, typed_code),
        Content::OwnNumber { phone, .. } => texts::payments::own_number(reader, phone),
        Content::TeamChanged(act) => texts::teams::changed(reader, act),
        Content::AgeProof { act, may_play } => texts::accounts::age_proof(reader, act, *may_play),
        Content::TeamLost(team) => texts::teams::lost(reader, team.fpl_id),
        Content::HowToCancel(withdrawal) => match cancellation::issue(app, withdrawal).await? {
            Some(token) => {
                let reader = Reader { name: &withdrawal.username, ..reader };
                let is_over = cancellation::has_waited(withdrawal, app.clock().now());
                texts::withdrawals::asked(reader, withdrawal, &token, is_over)
            }
            None => return Ok(None),
        },
        Content::Closed { at } => texts::accounts::closed(reader, *at + GRACE),
        Content::OpenAgain => texts::accounts::open_again(reader),
        Content::Stopped(stopped) => texts::accounts::stopped(reader, *stopped),
        Content::Case { id, closed: false } => texts::cases::answered(reader, id),
        Content::Case { id, closed: true } => texts::cases::closed(reader, id),
        Content::Deadline { gameweek, deadline } => texts::gameweeks::deadline(reader, *gameweek, *deadline),
        Content::Drawn(league) => texts::gameweeks::drawn(reader, league),
        Content::Final { league, place, of } => texts::gameweeks::place(reader, *league, place, *of),
    };
    let kind = found.kind();
    if !kind.is_mailed_if_asked() {
        return Ok(Some(text));
    }
    let token = notifications::issue_stop(app, &found.to.id, kind).await?;
    Ok(Some(text.stopped_by(reader, &token)))
}

fn about_posting(
    reader: Reader<'_>,
    posting: &StoredPosting,
    towards_debt: Kes,
    why: Option<&str>,
) -> Result<MailText, AppError> {
    let (kind, what) = posting.cause.split_once('#').unwrap_or_default();
    let wrong = || AppError::Internal(format!("no mail is written about {}", posting.cause));
    match kind {
        "prize" => {
            let league = what.parse().map_err(|_| wrong())?;
            Ok(texts::settlement::prize(reader, league, posting.amount, towards_debt))
        }
        "refund" => {
            let gameweek = what.parse().map_err(|_| wrong())?;
            Ok(texts::settlement::refund(reader, gameweek, (posting.amount, towards_debt), why))
        }
        "reversal" => Ok(texts::ledger::reversal(reader, what, posting)),
        "correction" => Ok(texts::ledger::correction(reader, posting, towards_debt)),
        _ => Err(wrong()),
    }
}
