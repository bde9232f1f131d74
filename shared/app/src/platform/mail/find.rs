//! What a message is about, found in the table: nothing is told of what was not booked, decided or done.

use domain::{
    GameweekId, Kes, UserId, accounts::cases::CaseId, ledger::postings::Cause,
    payments::typed_code::TypedCodeStatus, withdrawals::requests::WithdrawalStatus,
};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    admin::audit::{AuditRecord, month},
    leagues::LeagueId,
    payments::typed_codes::TypedCode,
    settlement::record::Settlement,
};

use super::{
    MailSubject,
    found::{Content, Found},
};
use crate::{App, AppError, admin::changes::PROOF_WANTED, teams::proofs};

/// Nothing, where there is no such account, nothing was booked, or nothing is decided.
pub async fn find(app: &App, about: &MailSubject) -> Result<Option<Found>, AppError> {
    match about {
        MailSubject::Reset { request, email } => {
            // A new password opens no account that is closed.
            let player =
                app.store().player_by_email(email).await?.filter(|player| player.closed_at.is_none());
            Ok(player.map(|to| Found::new(to, format!("reset#{request}"), Content::ResetLink)))
        }
        MailSubject::Posting { user_id, cause, why } => {
            let Some(posting) = app.store().posting(user_id, cause).await? else { return Ok(None) };
            let player = app.store().player(user_id).await?;
            let towards_debt = match posting.amount.is_positive() {
                true => app.store().towards_debt(user_id, cause).await?,
                false => Kes::ZERO,
            };
            let entered = entered_with(app, cause).await?;
            Ok(player.map(|to| {
                let posting = Box::new(posting);
                let says = Content::Posting { posting, towards_debt, entered, why: why.clone() };
                Found::new(to, cause.clone(), says)
            }))
        }
        MailSubject::Act { act, at, to } => {
            let player = match to {
                Some(to) => app.store().player(to).await?,
                None => None,
            };
            let act = recorded(app, act, *at).await?;
            Ok(player
                .zip(act)
                .map(|(to, act)| Found::new(to, format!("act#{}", act.id), Content::Act(Box::new(act)))))
        }
        MailSubject::Withdrawal { withdrawal } => match app.store().withdrawal(withdrawal).await? {
            Some(withdrawal) if withdrawal.status != WithdrawalStatus::Pending => {
                let cause = format!("withdrawal-{}#{}", withdrawal.status.into_str(), withdrawal.id);
                let player = app.store().player(&withdrawal.user_id).await?;
                let back = Cause::WithdrawalRejected { withdrawal: withdrawal.id.clone() };
                let towards_debt = match withdrawal.status {
                    WithdrawalStatus::Done => Kes::ZERO,
                    _ => app.store().towards_debt(&withdrawal.user_id, &back.key()).await?,
                };
                let says = Content::Withdrawal { withdrawal: Box::new(withdrawal), towards_debt };
                Ok(player.map(|to| Found::new(to, cause, says)))
            }
            _ => Ok(None),
        },
        MailSubject::TypedCodeRejected { typed_code } => rejected_code(app, typed_code).await,
        MailSubject::OwnNumber { payment } => own_number(app, payment).await,
        MailSubject::TeamLost { user_id, team } => {
            match proofs::take_from_former_holder(app, user_id, *team).await? {
                true => {
                    let cause = format!("team-lost#{}#{}", team.season, team.fpl_id);
                    let player = app.store().player(user_id).await?;
                    Ok(player.map(|to| Found::new(to, cause, Content::TeamLost(*team))))
                }
                false => Ok(None),
            }
        }
        MailSubject::TeamChanged { user_id, act, at } => {
            let player = app.store().player(user_id).await?;
            let act = recorded(app, act, *at).await?;
            Ok(player.zip(act).map(|(to, act)| {
                Found::new(to, format!("team-changed#{}", act.id), Content::TeamChanged(Box::new(act)))
            }))
        }
        MailSubject::AgeProof { user_id, act, at } => age_proof(app, user_id, act, *at).await,
        MailSubject::WithdrawalAsked { withdrawal } => match app.store().withdrawal(withdrawal).await? {
            Some(withdrawal) if withdrawal.status == WithdrawalStatus::Pending => {
                let cause = format!("withdrawal-asked#{}", withdrawal.id);
                let player = app.store().player(&withdrawal.user_id).await?;
                Ok(player.map(|to| Found::new(to, cause, Content::HowToCancel(Box::new(withdrawal)))))
            }
            _ => Ok(None),
        },
        MailSubject::Closed { user_id, at } => {
            let player = app.store().player(user_id).await?.filter(|player| player.closed_at == Some(*at));
            Ok(player.map(|to| Found::new(to, format!("closed#{at}"), Content::Closed { at: *at })))
        }
        MailSubject::OpenAgain { user_id, closed_at } => {
            let player = app.store().player(user_id).await?.filter(|player| player.closed_at.is_none());
            Ok(player.map(|to| Found::new(to, format!("open-again#{closed_at}"), Content::OpenAgain)))
        }
        MailSubject::Stopped { user_id, until } => {
            let player = app.store().player(user_id).await?;
            Ok(player.and_then(|to| {
                let stopped = to.restraints.stopped.filter(|stopped| stopped.until == *until)?;
                Some(Found::new(to, format!("stopped#{until}"), Content::Stopped(stopped)))
            }))
        }
        MailSubject::Case { user_id, case, message } => {
            case_message(app, CaseId { player: user_id.clone(), own: case.clone() }, *message).await
        }
        MailSubject::Deadline { user_id, gameweek } => deadline(app, user_id, *gameweek).await,
        MailSubject::Drawn { user_id, league } => drawn(app, user_id, parsed(league)?).await,
        MailSubject::Final { user_id, league } => place(app, user_id, parsed(league)?).await,
    }
}

/// The gameweek whose entry was made with the prompt that `cause` is the credit of.
async fn entered_with(app: &App, cause: &str) -> Result<Option<GameweekId>, AppError> {
    let Some(("deposit", prompt)) = cause.split_once('#') else { return Ok(None) };
    let payment = app.store().payment(prompt).await?.filter(|payment| payment.entered);
    Ok(payment.and_then(|payment| payment.entry).map(|entry| entry.gameweek))
}

/// One that an admin has rejected, and whose money has not come to its player by another way.
async fn rejected_code(app: &App, id: &str) -> Result<Option<Found>, AppError> {
    let is_rejected = |code: &TypedCode| code.status == TypedCodeStatus::Rejected && code.ended_by.is_some();
    let Some(code) = app.store().typed_code(id).await?.filter(is_rejected) else { return Ok(None) };
    let credited = app.store().receipt(code.code.as_str()).await?;
    if credited.is_some_and(|receipt| receipt.user_id == code.user_id) {
        return Ok(None);
    }
    let player = app.store().player(&code.user_id).await?;
    let cause = format!("typed-code-rejected#{id}");
    Ok(player.map(|to| Found::new(to, cause, Content::TypedCodeRejected(Box::new(code)))))
}

/// Nothing, where the number is not the player's by this prompt, or not any more.
async fn own_number(app: &App, payment: &str) -> Result<Option<Found>, AppError> {
    let Some(payment) = app.store().payment(payment).await? else { return Ok(None) };
    let own = app.store().own_number(&payment.phone).await?;
    let Some(own) = own.filter(|own| own.is_of(&payment.user_id) && own.payment_id == payment.id) else {
        return Ok(None);
    };
    let cause = format!("own-number#{}", payment.id);
    let player = app.store().player(&payment.user_id).await?;
    Ok(player
        .map(|to| Found::new(to, cause, Content::OwnNumber { phone: own.phone, since: payment.decided_at })))
}

/// Nothing, once the player is in or the deadline has passed, and for who could not enter.
async fn deadline(app: &App, player: &UserId, id: GameweekId) -> Result<Option<Found>, AppError> {
    let Some(gameweek) = app.gameweek(id).await?.filter(|gameweek| app.clock().now() < gameweek.deadline)
    else {
        return Ok(None);
    };
    if app.store().entry_of(player, id).await?.is_some() {
        return Ok(None);
    }
    let now = app.clock().now();
    let to = app.store().player(player).await?.filter(|player| may_play(player, now));
    let says = Content::Deadline { gameweek: id, deadline: gameweek.deadline };
    Ok(to.map(|to| Found::new(to, format!("deadline#{id}"), says)))
}

/// Whether nothing of the account keeps a player from playing.
fn may_play(player: &Player, now: Timestamp) -> bool {
    !player.suspended && !player.frozen && player.closed_at.is_none() && player.restraints.check(now).is_ok()
}

/// Nothing, where a later act has turned it round: that one is told.
async fn age_proof(app: &App, player: &UserId, act: &str, at: Timestamp) -> Result<Option<Found>, AppError> {
    // The act first: it is written with the mark on the account.
    let act = recorded(app, act, at).await?;
    let player = app.store().player(player).await?;
    let Some((to, act)) = player.zip(act) else { return Ok(None) };
    let wanted = act.after.as_deref() == Some(PROOF_WANTED);
    if to.restraints.age_proof_wanted != wanted {
        return Ok(None);
    }
    let owes = app.store().wallet(&to.id).await?.debt.is_positive();
    let may_play = !owes && may_play(&to, app.clock().now());
    let cause = format!("age-proof#{}", act.id);
    let says = Content::AgeProof { may_play, act: Box::new(act) };
    Ok(Some(Found::new(to, cause, says)))
}

/// Nothing, where the message was not written, or is the player's own.
async fn case_message(app: &App, id: CaseId, number: u32) -> Result<Option<Found>, AppError> {
    let message = app.store().case_message(&id, number).await?;
    let Some(message) = message.filter(|message| message.by.is_some()) else { return Ok(None) };
    let to = app.store().player(&id.player).await?;
    let cause = format!("case#{}#{number}", id.own);
    Ok(to.map(|to| Found::new(to, cause, Content::Case { id, closed: message.closes.is_some() })))
}

fn parsed(league: &str) -> Result<LeagueId, AppError> {
    league.parse().map_err(|_| AppError::Internal("a message: not a league".into()))
}

async fn drawn(app: &App, player: &UserId, id: LeagueId) -> Result<Option<Found>, AppError> {
    let league = app.store().league(id).await?;
    let league = league.filter(|league| league.members.iter().any(|member| member.user_id == *player));
    let to = app.store().player(player).await?;
    Ok(to
        .zip(league)
        .map(|(to, league)| Found::new(to, format!("drawn#{id}"), Content::Drawn(Box::new(league)))))
}

/// Nothing, where the player was not ranked: the stake came back, which is told.
async fn place(app: &App, player: &UserId, id: LeagueId) -> Result<Option<Found>, AppError> {
    let Some(Settlement { ranking, .. }) = app.store().settlement(id).await? else { return Ok(None) };
    let of = ranking.iter().filter(|member| member.rank.is_some()).count();
    let own = ranking.into_iter().find(|member| member.user_id == *player && member.rank.is_some());
    let to = app.store().player(player).await?;
    Ok(to.zip(own).map(|(to, own)| {
        let says = Content::Final { league: id, place: Box::new(own), of };
        Found::new(to, format!("final#{id}"), says)
    }))
}

/// The record of an act that was to be done at about `at`.
pub(super) async fn recorded(app: &App, act: &str, at: Timestamp) -> Result<Option<AuditRecord>, AppError> {
    let (month, next) = (month(at), month(at + SignedDuration::from_hours(1)));
    let found = app.store().act_recorded(&month, act).await?;
    if found.is_some() || month == next {
        return Ok(found);
    }
    Ok(app.store().act_recorded(&next, act).await?)
}
