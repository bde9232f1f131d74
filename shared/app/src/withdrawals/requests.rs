//! A withdrawal as it is asked for, its end by hand, and the mails about both. Those that M-Pesa pays:
//! `payouts`; those that the link in a mail takes back: `cancellation`.

use domain::{
    Kes, MpesaPhone, UserId,
    ledger::{
        funds::{self, Movement},
        taking_back::check_debt,
    },
    platform::idempotency::KeyError,
    withdrawals::requests::{self, Flag, Status, WithdrawalError},
};
use jiff::Timestamp;
use store::{
    StoreError,
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord},
        permits::Permit,
    },
    leagues::LeagueId,
    ledger::wallets::StoredPosting,
    platform::idempotency::Binding,
    teams::proofs::TeamOf,
    time_ordered_id,
    withdrawals::{Withdrawal, requests::Requested},
};

use crate::{App, AppError, payments::numbers};

/// How a withdrawal ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The money was sent.
    Done,
    /// The money goes back into the wallet; the player reads why.
    Rejected { reason: String },
}

impl Ending {
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Done => Status::Done,
            Self::Rejected { .. } => Status::Rejected,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    pub phone: MpesaPhone,
    pub amount: Kes,
    /// The request's idempotency key, bound with it.
    pub binding: Option<Binding>,
}

/// Why nothing is taken out; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error(transparent)]
    Withdrawal(#[from] WithdrawalError),
    /// Another request with the same key was a moment earlier.
    #[error(transparent)]
    Key(KeyError),
    /// It touches a prize of a team that the player has not proved.
    #[error(
        "{left} of your wallet was won with team {}. Prove that the team is yours, then withdraw it. Until then you can withdraw {free}.",
        team.fpl_id
    )]
    Unproved { team: TeamOf, left: Kes, free: Kes },
    /// Of one that cannot be proved any more.
    #[error(
        "{left} of your wallet was won with team {}, which is not linked to your account any more. Please contact us: we look into it. Until then you can withdraw {free}.",
        team.fpl_id
    )]
    SetAside { team: TeamOf, left: Kes, free: Kes },
}

/// Takes the money out of the wallet and puts the request before an admin. Answers it, and the wallet's
/// balance after it. To a number that is not the player's own it waits, and the player is mailed at once: the
/// message about it goes out before, to be looked at a minute later, and once more after.
///
/// # Errors
/// The table or the queue do not answer; the inner error is the player's.
pub async fn request(
    app: &App,
    player: &Player,
    request: &Request,
) -> Result<Result<(Withdrawal, Kes), RequestError>, AppError> {
    if let Err(refused) = requests::check_amount(request.amount) {
        return Ok(Err(refused.into()));
    }
    let now = app.clock().now();
    let own = numbers::is_own(app, player, &request.phone, now).await?;
    let id = time_ordered_id(now);
    if !own {
        app.mail_withdrawal_asked_later(&id).await?;
    }
    for _ in 0..TRIES {
        let wallet = app.store().wallet(&player.id).await?;
        if let Err(owes) = check_debt(wallet.debt) {
            return Ok(Err(WithdrawalError::Owes(owes).into()));
        }
        if let Err(refused) = requests::check(request.amount, wallet.balance) {
            return Ok(Err(refused.into()));
        }
        let movements = movements(app, &player.id).await?;
        if let Err(refused) = check_prizes(app, player, request.amount, wallet.balance, &movements).await? {
            return Ok(Err(refused));
        }
        let flags = flags(app, player, request.amount, wallet.balance - unplayed(&movements), own);
        let withdrawal = new_withdrawal(app, player, &id, request, flags, now);
        match app.store().request_withdrawal(&withdrawal, wallet, request.binding.as_ref()).await? {
            Requested::Done(balance) => {
                if !own {
                    app.mail_withdrawal_asked_now(&id).await;
                }
                return Ok(Ok((withdrawal, balance)));
            }
            Requested::KeyTaken => return Ok(Err(RequestError::Key(KeyError::UnderWay))),
            Requested::Frozen => return Ok(Err(WithdrawalError::Frozen.into())),
            // Something else was booked meanwhile: everything is looked at again.
            Requested::WalletMoved => {}
        }
    }
    Err(StoreError::Contended("a wallet").into())
}

/// Somebody else's transaction may move a player's wallet this often in a row before we give up.
const TRIES: u32 = 16;

fn new_withdrawal(
    app: &App,
    player: &Player,
    id: &str,
    request: &Request,
    flags: Vec<Flag>,
    now: Timestamp,
) -> Withdrawal {
    let waits = flags.contains(&Flag::NewNumber) && app.config().safeguards.are_full();
    Withdrawal {
        id: id.to_owned(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        phone: request.phone.clone(),
        amount: request.amount,
        status: Status::Pending,
        created_at: now,
        ended_at: None,
        reason: None,
        flags,
        flagged: false,
        waits_until: waits.then(|| (now + requests::WAITS_FOR).as_millisecond()),
        cancel_hash: None,
        payout: None,
        trouble: None,
        corrected: None,
        next_question: None,
    }
}

/// Money of prizes that were won with a team which the player has not proved stays in the wallet (with the
/// safeguards full); other money goes out first.
async fn check_prizes(
    app: &App,
    player: &Player,
    amount: Kes,
    balance: Kes,
    movements: &[StoredPosting],
) -> Result<Result<(), RequestError>, AppError> {
    if !app.config().safeguards.are_full() {
        return Ok(Ok(()));
    }
    let unproved = unproved_prizes(app, player, movements).await?;
    let kept: Kes = unproved.iter().map(|prize| prize.left).sum();
    let free = balance - kept;
    Ok(match unproved.first() {
        Some(prize) if amount > free => {
            let (team, left) = (prize.team, kept);
            let own = player.fpl_id == Some(team.fpl_id) && player.season == team.season;
            let season = app.calendar().await?.map(|calendar| calendar.season);
            if own && season == Some(team.season) {
                Err(RequestError::Unproved { team, left, free })
            } else {
                Err(RequestError::SetAside { team, left, free })
            }
        }
        _ => Ok(()),
    })
}

/// What is left in the wallet of a prize, and the team that won it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproved {
    pub league: LeagueId,
    pub team: TeamOf,
    pub left: Kes,
}

/// The prizes in a player's wallet that were won with teams which the player has not proved.
///
/// # Errors
/// The table does not answer.
pub async fn unproved_prizes_of(app: &App, player: &Player) -> Result<Vec<Unproved>, AppError> {
    let movements = movements(app, &player.id).await?;
    unproved_prizes(app, player, &movements).await
}

async fn unproved_prizes(
    app: &App,
    player: &Player,
    movements: &[StoredPosting],
) -> Result<Vec<Unproved>, AppError> {
    let left: Vec<(LeagueId, Kes)> = funds::prizes_left(each(movements))
        .into_iter()
        .filter_map(|(league, left)| Some((league.parse().ok()?, left)))
        .collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let leagues: Vec<LeagueId> = left.iter().map(|(league, _)| *league).collect();
    let settlements = app.store().settlements(&leagues).await?;
    let proved = app.store().proved_teams(&player.id).await?;
    let won_with = |league: &LeagueId| {
        let settlement = settlements.iter().find(|one| one.league == league.to_string())?;
        let ranked = settlement.ranking.iter().find(|ranked| ranked.user_id == player.id)?;
        Some(TeamOf { season: league.gameweek.season, fpl_id: ranked.fpl_id })
    };
    let each = left.into_iter().filter_map(|(league, left)| {
        let team = won_with(&league)?;
        (!proved.contains(&team)).then_some(Unproved { league, team, left })
    });
    Ok(each.collect())
}

fn unplayed(movements: &[StoredPosting]) -> Kes {
    funds::unplayed(each(movements))
}

fn flags(app: &App, player: &Player, amount: Kes, played: Kes, own: bool) -> Vec<Flag> {
    let now = app.clock().now();
    let recent = |reset| now < reset + requests::WATCHED_AFTER_RESET;
    let found = [
        (Flag::NewNumber, !own),
        (Flag::AfterReset, player.password_reset_at.is_some_and(recent)),
        (Flag::NeverPlayed, amount > played),
        (Flag::Suspended, player.suspended),
    ];
    found.into_iter().filter(|(_, is_so)| *is_so).map(|(flag, _)| flag).collect()
}

/// The movements of a wallet, oldest first.
async fn movements(app: &App, player: &UserId) -> Result<Vec<StoredPosting>, AppError> {
    let mut postings = app.store().postings(player).await?;
    postings.retain(|posting| posting.version.is_some());
    postings.sort_by_key(|posting| posting.version);
    Ok(postings)
}

fn each(postings: &[StoredPosting]) -> impl Iterator<Item = Movement<'_>> {
    postings.iter().map(|posting| Movement { cause: &posting.cause, change: posting.amount })
}

/// Ends a withdrawal, if it is pending and no payout is sent, and has the player told. `false`: it had
/// ended before, M-Pesa is paying it, or it may not be marked as done yet.
///
/// The message about it goes out before it ends, to be looked at a minute later, and once more
/// after: whatever dies in between, the player is told if and only if it has ended.
///
/// # Errors
/// The table does not answer, or the queue, before anything has changed.
pub async fn end(
    app: &App,
    withdrawal: &Withdrawal,
    ending: &Ending,
    permit: &Permit,
) -> Result<bool, AppError> {
    if withdrawal.status != Status::Pending || withdrawal.payout.is_some() {
        return Ok(false);
    }
    app.mail_withdrawal_later(&withdrawal.id).await?;
    let on = format!("withdrawal {}", withdrawal.id);
    let act = AuditRecord::permitted(permit, AuditAction::UpdateWithdrawal, on, app.clock().now())
        .of(&withdrawal.user_id)
        .from_to(
            Status::Pending.into_str(),
            format!("{}, {}", ending.status().into_str(), withdrawal.amount),
        );
    let ended = match ending {
        Ending::Done => app.store().complete_withdrawal(withdrawal, &act).await?,
        Ending::Rejected { reason } => {
            app.store().reject_withdrawal(withdrawal, reason, &act.because(reason)).await?
        }
    };
    if ended {
        app.mail_withdrawal_now(&withdrawal.id).await;
    }
    Ok(ended)
}
