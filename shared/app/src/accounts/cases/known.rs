//! What a case is about, where it is the player's own, with what is known of it.

use domain::{
    EntryAmount, GameweekId, UserId,
    accounts::{account::is_hex_id, cases::CaseKind},
    ledger::postings::Cause,
};
use store::{
    accounts::cases::{About, KnownOfIt},
    leagues::LeagueId,
};

use crate::{App, AppError};

/// No key of ours is longer.
const LONGEST_ID: usize = 100;

/// `None`: it is not the player's, or there is no such thing.
pub async fn find(
    app: &App,
    player: &UserId,
    kind: CaseKind,
    id: &str,
) -> Result<Option<(About, KnownOfIt)>, AppError> {
    if id.len() > LONGEST_ID {
        return Ok(None);
    }
    let (id, known) = match kind {
        CaseKind::Payment => {
            // A prompt has the same name in the list of prompts and, with this before it, in the list of movements.
            let id = id.strip_prefix("deposit#").unwrap_or(id);
            (id.to_owned(), payment(app, player, id).await?)
        }
        CaseKind::Withdrawal => (id.to_owned(), withdrawal(app, player, id).await?),
        CaseKind::League => {
            let Ok(league) = id.parse::<LeagueId>() else { return Ok(None) };
            (league.to_string(), own_league(app, player, league).await?)
        }
        CaseKind::Entry => {
            let Ok(gameweek) = id.parse::<GameweekId>() else { return Ok(None) };
            (gameweek.to_string(), entry(app, player, gameweek).await?)
        }
    };
    Ok(known.map(|known| (About { kind, id }, known)))
}

/// A prompt or a typed code by its id, or any movement of the player's wallet.
async fn payment(app: &App, player: &UserId, id: &str) -> Result<Option<KnownOfIt>, AppError> {
    if !is_hex_id(id) {
        let posting = app.store().posting(player, id).await?;
        return Ok(posting.map(|posting| KnownOfIt {
            state: "booked".to_owned(),
            amount: Some(posting.amount),
            receipt: posting.receipt,
            at: Some(posting.at),
            ..KnownOfIt::default()
        }));
    }
    let prompt = app.store().payment(id).await?.filter(|payment| payment.user_id == *player);
    if let Some(prompt) = prompt {
        return Ok(Some(KnownOfIt {
            state: prompt.state.shown().into_str().to_lowercase(),
            amount: Some(prompt.amount),
            receipt: prompt.receipt,
            at: Some(prompt.created_at),
            ..KnownOfIt::default()
        }));
    }
    let code = app.store().typed_code(id).await?.filter(|code| code.user_id == *player);
    Ok(code.map(|code| KnownOfIt {
        state: code.status.into_str().to_owned(),
        amount: code.amount,
        receipt: Some(code.code.to_string()),
        at: Some(code.created_at),
        ..KnownOfIt::default()
    }))
}

async fn withdrawal(app: &App, player: &UserId, id: &str) -> Result<Option<KnownOfIt>, AppError> {
    if !is_hex_id(id) {
        return Ok(None);
    }
    let withdrawal = app.store().withdrawal(id).await?.filter(|withdrawal| withdrawal.user_id == *player);
    Ok(withdrawal.map(|withdrawal| KnownOfIt {
        state: withdrawal.status.into_str().to_owned(),
        amount: Some(withdrawal.amount),
        receipt: withdrawal.payout.and_then(|payout| payout.receipt),
        at: Some(withdrawal.created_at),
        ..KnownOfIt::default()
    }))
}

/// One that the player was drawn into.
async fn own_league(app: &App, player: &UserId, id: LeagueId) -> Result<Option<KnownOfIt>, AppError> {
    let own = app.store().league_of(player, id.gameweek).await?;
    if own != Some(id) {
        return Ok(None);
    }
    Ok(Some(KnownOfIt { amount: Some(id.amount.kes()), ..drawn_into(app, id).await? }))
}

async fn entry(app: &App, player: &UserId, gameweek: GameweekId) -> Result<Option<KnownOfIt>, AppError> {
    let cause = Cause::Entry { gameweek }.key();
    let Some(posting) = app.store().posting(player, &cause).await? else { return Ok(None) };
    let known = match app.store().league_of(player, gameweek).await? {
        Some(league) => drawn_into(app, league).await?,
        None => KnownOfIt { state: "in no league".to_owned(), ..KnownOfIt::default() },
    };
    let amount = posting.entry_amount.and_then(|amount| EntryAmount::try_from(amount.get()).ok());
    let amount = amount.map_or(-posting.amount, EntryAmount::kes);
    Ok(Some(KnownOfIt { amount: Some(amount), at: Some(posting.at), ..known }))
}

/// A league and, once it is settled, when that was: its record is public from then on.
async fn drawn_into(app: &App, id: LeagueId) -> Result<KnownOfIt, AppError> {
    let settled_at = app.store().league(id).await?.and_then(|league| league.settled_at);
    let state = if settled_at.is_some() { "settled" } else { "not settled" };
    Ok(KnownOfIt {
        state: state.to_owned(),
        league: Some(id.to_string()),
        settled_at,
        ..KnownOfIt::default()
    })
}
