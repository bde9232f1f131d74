//! A withdrawal as it is asked for. Its end by hand: `endings`; those that M-Pesa pays: `payouts`; those that the link
//! in a mail takes back: `cancellation`.

use std::net::IpAddr;

use domain::{
    Kes, MpesaPhone, UserId,
    ledger::{
        funds::{self, Movement},
        postings::Posting,
        taking_back::{Owes, check_debt},
    },
    payments::phone::PhoneError,
    platform::{
        idempotency::{KeyError, KeyedCall},
        limits::Limited,
    },
    withdrawals::requests::{self, Flag, RequestFacts, WithdrawalError, WithdrawalStatus},
};
use jiff::Timestamp;
use store::{
    StoreError,
    accounts::players::Player,
    leagues::LeagueId,
    ledger::wallets::StoredPosting,
    platform::idempotency::Binding,
    teams::proofs::TeamOf,
    time_ordered_id,
    withdrawals::{Withdrawal, requests::Requested},
};

use crate::{
    App, AppError,
    payments::numbers::{self, Payee},
    platform::{
        flow::{Flow, FlowError, Refusal},
        idempotency::{self, KeyCheck, RequestKey},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// What is asked for, as it was typed.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub phone: &'a str,
    /// Whole KES; `None` where it was no whole number.
    pub amount: Option<i64>,
    pub key: Option<&'a RequestKey>,
    /// Where it was sent from, for the security log.
    pub from: Option<IpAddr>,
}

/// A withdrawal that was accepted, and the wallet's balance after it.
#[derive(Debug, Clone)]
pub struct Accepted {
    pub withdrawal: Withdrawal,
    pub balance: Kes,
}

/// Why nothing is taken out; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error(transparent)]
    Phone(#[from] PhoneError),
    #[error(transparent)]
    Withdrawal(#[from] WithdrawalError),
    #[error(transparent)]
    Limited(#[from] Limited),
    /// Another request with the same key, or the same one a moment earlier.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// It is, or was, another's who has stopped; the text tells nothing of them.
    #[error("Money cannot be sent to this number. Withdraw to your own.")]
    Number,
    /// It touches a prize of a team that the player has not proved.
    #[error(
        "{left} of your wallet was won with team {}. Prove that the team is yours, then withdraw it. Until then you can withdraw {free}.",
        team.fpl_id
    )]
    Unproved { team: TeamOf, left: Kes, free: Kes },
    /// It touches a prize of a team that the player cannot prove any more.
    #[error(
        "{left} of your wallet was won with team {}, which is not linked to your account any more. Please contact us: we look into it. Until then you can withdraw {free}.",
        team.fpl_id
    )]
    SetAside { team: TeamOf, left: Kes, free: Kes },
}

impl Refusal for RequestError {}

impl From<Owes> for RequestError {
    fn from(owes: Owes) -> Self {
        Self::Withdrawal(owes.into())
    }
}

/// Takes the money out of the wallet and puts the request before an admin; the same request with the same key
/// has the first answer again.
pub async fn request(app: &App, player: &Player, request: Request<'_>) -> Flow<Accepted, RequestError> {
    let check = async || idempotency::check(app, &player.id, KeyedCall::Withdraw, request.key).await;
    let binding = match check().await.map_err(FlowError::within)? {
        KeyCheck::Again(id) => return first_answer(app, player, &id).await,
        KeyCheck::Act(binding) => binding,
    };
    match accept(app, player, request, binding).await {
        // Of two requests at once one may be refused because the other has acted: it gets the other's answer.
        Err(refused) if request.key.is_some() => match check().await.map_err(FlowError::within)? {
            KeyCheck::Again(id) => first_answer(app, player, &id).await,
            KeyCheck::Act(_) => Err(refused),
        },
        outcome => outcome,
    }
}

/// The answer that a request had when it was accepted: its posting carries the balance after it.
async fn first_answer(app: &App, player: &Player, id: &str) -> Flow<Accepted, RequestError> {
    let under_way = RequestError::Key(KeyError::UnderWay);
    let withdrawal = app.store().withdrawal(id).await?.ok_or(under_way)?;
    let cause = Posting::withdrawal_requested(&player.id, id, withdrawal.amount).cause().key();
    let posting = app.store().posting(&player.id, &cause).await?.ok_or(under_way)?;
    Ok(Accepted { withdrawal, balance: posting.balance_after })
}

async fn accept(
    app: &App,
    player: &Player,
    request: Request<'_>,
    binding: Option<Binding>,
) -> Flow<Accepted, RequestError> {
    let phone = MpesaPhone::for_withdrawal(request.phone).map_err(RequestError::Phone)?;
    let amount = request.amount.map(Kes::new).ok_or(RequestError::Withdrawal(WithdrawalError::Amount))?;
    requests::check_amount(amount).map_err(RequestError::Withdrawal)?;
    let accepted = take(app, player, &phone, amount, binding.as_ref()).await?;
    let entry =
        SecurityEntry::new(SecurityEvent::WithdrawalRequested).of(&player.id).on(&accepted.withdrawal.id);
    app.log_security(entry.from(request.from)).await;
    Ok(accepted)
}

/// Takes the money. To a number that is not the player's own it waits, and the player is mailed at once: the
/// message about it goes out before, to be looked at a minute later, and once more after.
async fn take(
    app: &App,
    player: &Player,
    phone: &MpesaPhone,
    amount: Kes,
    binding: Option<&Binding>,
) -> Flow<Accepted, RequestError> {
    let now = app.clock().now();
    let id = time_ordered_id(now);
    let wallet = async { Ok::<_, AppError>(app.store().wallet(&player.id).await?) };
    let (payee, mut wallet) = tokio::try_join!(numbers::payee(app, player, phone, now), wallet)?;
    if payee == Payee::Barred {
        return Err(RequestError::Number.into());
    }
    let own_number = payee == Payee::Own;
    let mut is_mailed = own_number;
    for _ in 0..TRIES {
        check_debt(wallet.debt).map_err(RequestError::from)?;
        requests::check(amount, wallet.balance).map_err(RequestError::Withdrawal)?;
        let mail = async { if is_mailed { Ok(()) } else { app.mail_withdrawal_asked_later(&id).await } };
        // Movements are read after the wallet that they explain: what comes in between moves it.
        let (movements, ()) = tokio::try_join!(movements(app, &player.id), mail)?;
        is_mailed = true;
        check_prizes(app, player, amount, wallet.balance, &movements).await?;
        let asked = RequestFacts {
            amount,
            own_number,
            password_reset_at: player.password_reset_at,
            played: wallet.balance - funds::unplayed(each(&movements)),
            suspended: player.suspended,
        };
        let withdrawal = new_withdrawal(app, player, &id, (phone, amount), requests::flags(&asked, now), now);
        match app.store().request_withdrawal(&withdrawal, &wallet, binding).await? {
            Requested::Done(balance) => {
                if !own_number {
                    app.mail_withdrawal_asked_now(&id).await;
                }
                return Ok(Accepted { withdrawal, balance });
            }
            Requested::KeyTaken => return Err(RequestError::Key(KeyError::UnderWay).into()),
            Requested::Limited(limited) => return Err(RequestError::Limited(limited).into()),
            Requested::Frozen => return Err(RequestError::Withdrawal(WithdrawalError::Frozen).into()),
            // Something else was booked meanwhile: everything is looked at again.
            Requested::WalletMoved => wallet = app.store().wallet(&player.id).await?,
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
    (phone, amount): (&MpesaPhone, Kes),
    flags: Vec<Flag>,
    now: Timestamp,
) -> Withdrawal {
    let waits_until = requests::waits_until(&flags, now).filter(|_| app.config().safeguards.are_full());
    Withdrawal {
        id: id.to_owned(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        phone: phone.clone(),
        amount,
        tax: app.config().withholding.withheld(amount, now),
        status: WithdrawalStatus::Pending,
        created_at: now,
        ended_at: None,
        ended_by: None,
        reason: None,
        flags,
        flagged: false,
        waits_until: waits_until.map(Timestamp::as_millisecond),
        said_sent_until: None,
        cancel_hash: None,
        payout: None,
        trouble: None,
        worklist: None,
        corrected: None,
        next_question: None,
        recheck: None,
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
) -> Flow<(), RequestError> {
    if !app.config().safeguards.are_full() {
        return Ok(());
    }
    let unproved = unproved_prizes(app, player, movements).await?;
    let left: Kes = unproved.iter().map(|prize| prize.left).sum();
    let free = balance - left;
    let Some(Unproved { team, .. }) = unproved.first().cloned().filter(|_| amount > free) else {
        return Ok(());
    };
    let own = player.fpl_id == Some(team.fpl_id) && player.season == team.season;
    let season = app.season().await?;
    Err(if own && season == Some(team.season) {
        RequestError::Unproved { team, left, free }.into()
    } else {
        RequestError::SetAside { team, left, free }.into()
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
pub async fn unproved_prizes_of(app: &App, player: &Player) -> Result<Vec<Unproved>, AppError> {
    let movements = movements(app, &player.id).await?;
    unproved_prizes(app, player, &movements).await
}

async fn unproved_prizes(
    app: &App,
    player: &Player,
    movements: &[StoredPosting],
) -> Result<Vec<Unproved>, AppError> {
    // How much of prizes is left in all does not depend on which of them may be paid out.
    if funds::prizes_left(each(movements), |_| false).is_empty() {
        return Ok(Vec::new());
    }
    let leagues: Vec<LeagueId> =
        each(movements).filter_map(|movement| movement.prize()?.parse().ok()).collect();
    let (settlements, proved, released) = tokio::try_join!(
        app.store().settlements(&leagues),
        app.store().proved_teams(&player.id),
        app.store().released_prizes(&player.id)
    )?;
    let won_with = |league: &LeagueId| {
        let settlement = settlements.iter().find(|one| one.league == league.to_string())?;
        let ranked = settlement.ranking.iter().find(|ranked| ranked.user_id == player.id)?;
        Some(TeamOf { season: league.gameweek.season, fpl_id: ranked.fpl_id })
    };
    let unproved = |id: &str| -> Option<(LeagueId, TeamOf)> {
        let league = id.parse().ok()?;
        let team = won_with(&league)?;
        Some((league, team))
            .filter(|_| !proved.contains(&team) && !released.iter().any(|league| league == id))
    };
    let left = funds::prizes_left(each(movements), |league| unproved(league).is_some());
    let held = left.into_iter().filter_map(|(league, left)| {
        let (league, team) = unproved(league)?;
        Some(Unproved { league, team, left })
    });
    Ok(held.collect())
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
