//! `send-mail`: one message, one mail at the most. It holds the mail, makes the text from the store,
//! hands it to SES and notes that it is out (`store::platform::mailed` says what dying in between means).

use domain::{MpesaPhone, withdrawals::requests::WithdrawalStatus};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    admin::audit::{AuditRecord, month},
    ledger::wallets::StoredPosting,
    platform::mailed::{Hold, NextTurn},
    teams::proofs::TeamOf,
    withdrawals::Withdrawal,
};

use super::{
    MailSubject, SendMail,
    ses::{Undelivered, deliver},
    texts::{self, MailText},
};
use crate::{
    App, AppError,
    platform::{flow::FlowError, queues::is_next_lost},
    teams::proofs,
    withdrawals::cancellation,
};

/// Longer than the function runs: who holds a mail for longer is gone.
const CLAIMED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// The first pause while the mail service is down; each is twice the one before, as far as SQS goes.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(30);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(15);
/// A mail that could not be sent for so long fails, and is seen in the dead-letter queue.
const POSTPONED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Sends the mail that `message` is about, unless it is out or there is nothing to say.
pub async fn send(app: &App, message: &SendMail) -> Result<(), AppError> {
    if let MailSubject::Act { act, at, to: None } = &message.about {
        return tell_admins(app, act, *at).await;
    }
    let Some(mail) = find(app, &message.about).await? else { return Ok(()) };
    let (player, cause) = (&mail.to.id, mail.cause.as_str());
    let now = app.clock().now();
    match app.store().claim_mail(player, (cause, message.tried), now, now + CLAIMED_FOR).await? {
        Hold::Ours => {}
        Hold::Sent => return Ok(()),
        Hold::Others => return app.send(message, CLAIMED_FOR).await,
        Hold::PutOff(next) => return take_up(app, message, next).await,
    }
    let Some(text) = mail.text(app).await? else {
        return Ok(app.store().note_mailed(player, cause, app.clock().now()).await?);
    };
    match deliver(app, &mail.to.email, &text).await {
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
        Err(FlowError::Refused(why)) => postpone(app, message, &mail, &why).await,
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

/// The record of an act that was to be done at about `at`.
async fn recorded(app: &App, act: &str, at: Timestamp) -> Result<Option<AuditRecord>, AppError> {
    let (month, next) = (month(at), month(at + SignedDuration::from_hours(1)));
    let found = app.store().act_recorded(&month, act).await?;
    if found.is_some() || month == next {
        return Ok(found);
    }
    Ok(app.store().act_recorded(&next, act).await?)
}

/// A service that is down must not use up a message's tries.
async fn postpone(app: &App, message: &SendMail, mail: &Mail, why: &Undelivered) -> Result<(), AppError> {
    let (player, cause, now) = (&mail.to.id, mail.cause.as_str(), app.clock().now());
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

/// A mail whose cause is certain.
struct Mail {
    to: Player,
    cause: String,
    says: MailContent,
}

enum MailContent {
    ResetLink,
    Posting { posting: Box<StoredPosting>, why: Option<String> },
    Withdrawal(Box<Withdrawal>),
    OwnNumber(MpesaPhone),
    HowToCancel(Box<Withdrawal>),
    TeamLost(TeamOf),
    Act(Box<AuditRecord>),
    TeamChanged(Box<AuditRecord>),
}

/// Nothing, where there is no such account, nothing was booked, or nothing is decided.
async fn find(app: &App, about: &MailSubject) -> Result<Option<Mail>, AppError> {
    let found = match about {
        MailSubject::Reset { request, email } => {
            let player = app.store().player_by_email(email).await?;
            player.map(|to| Mail { to, cause: format!("reset#{request}"), says: MailContent::ResetLink })
        }
        MailSubject::Posting { user_id, cause, why } => {
            let posting = app.store().posting(user_id, cause).await?;
            let player = app.store().player(user_id).await?;
            player.zip(posting).map(|(to, posting)| Mail {
                to,
                cause: cause.clone(),
                says: MailContent::Posting { posting: Box::new(posting), why: why.clone() },
            })
        }
        MailSubject::Act { act, at, to } => {
            let player = match to {
                Some(to) => app.store().player(to).await?,
                None => None,
            };
            let act = recorded(app, act, *at).await?;
            player.zip(act).map(|(to, act)| Mail {
                to,
                cause: format!("act#{}", act.id),
                says: MailContent::Act(Box::new(act)),
            })
        }
        MailSubject::Withdrawal { withdrawal } => match app.store().withdrawal(withdrawal).await? {
            Some(withdrawal) if withdrawal.status != WithdrawalStatus::Pending => {
                let cause = format!("withdrawal-{}#{}", withdrawal.status.into_str(), withdrawal.id);
                let player = app.store().player(&withdrawal.user_id).await?;
                player.map(|to| Mail { to, cause, says: MailContent::Withdrawal(Box::new(withdrawal)) })
            }
            _ => None,
        },
        MailSubject::OwnNumber { payment } => own_number(app, payment).await?,
        MailSubject::TeamLost { user_id, team } => match proofs::settle_loss(app, user_id, *team).await? {
            true => {
                let cause = format!("team-lost#{}#{}", team.season, team.fpl_id);
                let player = app.store().player(user_id).await?;
                player.map(|to| Mail { to, cause, says: MailContent::TeamLost(*team) })
            }
            false => None,
        },
        MailSubject::TeamChanged { user_id, act, at } => {
            let player = app.store().player(user_id).await?;
            player.zip(recorded(app, act, *at).await?).map(|(to, act)| Mail {
                to,
                cause: format!("team-changed#{}", act.id),
                says: MailContent::TeamChanged(Box::new(act)),
            })
        }
        MailSubject::WithdrawalAsked { withdrawal } => match app.store().withdrawal(withdrawal).await? {
            Some(withdrawal) if withdrawal.status == WithdrawalStatus::Pending => {
                let cause = format!("withdrawal-asked#{}", withdrawal.id);
                let player = app.store().player(&withdrawal.user_id).await?;
                player.map(|to| Mail { to, cause, says: MailContent::HowToCancel(Box::new(withdrawal)) })
            }
            _ => None,
        },
    };
    Ok(found)
}

/// Nothing, where the number is not the player's by this prompt, or not any more.
async fn own_number(app: &App, payment: &str) -> Result<Option<Mail>, AppError> {
    let Some(payment) = app.store().payment(payment).await? else { return Ok(None) };
    let own = app.store().own_number(&payment.phone).await?;
    let Some(own) = own.filter(|own| own.is_of(&payment.user_id) && own.payment_id == payment.id) else {
        return Ok(None);
    };
    let cause = format!("own-number#{}", payment.id);
    let player = app.store().player(&payment.user_id).await?;
    Ok(player.map(|to| Mail { to, cause, says: MailContent::OwnNumber(own.phone) }))
}

impl Mail {
    /// `None`: there is nothing to say any more.
    async fn text(&self, app: &App) -> Result<Option<MailText>, AppError> {
        let origin = app.config().public_origin.as_str();
        Ok(Some(match &self.says {
            MailContent::ResetLink => texts::accounts::reset(origin, &app.issue_reset(&self.to).await?),
            MailContent::Posting { posting, why } => self.about_posting(origin, posting, why.as_deref())?,
            MailContent::Act(act) => texts::admin::act(origin, &self.to.username, act),
            MailContent::Withdrawal(withdrawal) if withdrawal.status == WithdrawalStatus::Done => {
                texts::withdrawals::done(origin, withdrawal)
            }
            MailContent::Withdrawal(withdrawal) => texts::withdrawals::rejected(origin, withdrawal),
            MailContent::OwnNumber(phone) => texts::payments::own_number(origin, &self.to.username, phone),
            MailContent::TeamChanged(act) => texts::teams::changed(origin, &self.to.username, act),
            MailContent::TeamLost(team) => texts::teams::lost(origin, &self.to.username, team.fpl_id),
            MailContent::HowToCancel(withdrawal) => match cancellation::issue(app, withdrawal).await? {
                Some(token) => texts::withdrawals::asked(origin, withdrawal, &token),
                None => return Ok(None),
            },
        }))
    }

    fn about_posting(
        &self,
        origin: &str,
        posting: &StoredPosting,
        why: Option<&str>,
    ) -> Result<MailText, AppError> {
        let (kind, what) = posting.cause.split_once('#').unwrap_or_default();
        let name = &self.to.username;
        let wrong = || AppError::Internal(format!("no mail is written about {}", posting.cause));
        match kind {
            "prize" => {
                let league = what.parse().map_err(|_| wrong())?;
                Ok(texts::ledger::prize(origin, name, league, posting.amount))
            }
            "refund" => {
                let gameweek = what.parse().map_err(|_| wrong())?;
                Ok(texts::ledger::refund(origin, name, gameweek, posting.amount, why))
            }
            "reversal" => Ok(texts::ledger::reversal(origin, name, what, posting)),
            "correction" => Ok(texts::ledger::correction(origin, name, posting)),
            _ => Err(wrong()),
        }
    }
}
