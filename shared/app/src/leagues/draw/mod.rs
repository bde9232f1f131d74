//! The draw: the entries as they stand are fixed and their hash is public; then the beacon's round is
//! fixed, then its value, then the seed; the leagues are written. Each step is kept once and read back, so a
//! draw that dies anywhere goes on where it was.

mod beacon;
pub(crate) mod list;
pub mod published;
mod sweep;
mod writing;

use beacon::Awaited;
use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::Gameweek,
    leagues::draw::{self, Seed},
    ledger::postings::Posting,
};
use jiff::SignedDuration;
use store::{
    entries::Entry,
    leagues::{
        draw_rounds::{DrawBeacon, DrawRound},
        draws::DrawSeed,
    },
};
pub use sweep::{sweep, sweep_or_ask_again};

use crate::{
    App, AppError,
    gameweeks::seasons,
    platform::{
        error::only_shown,
        push::{self, rounds::Round},
        queues::{ForGameweek, ImportPicks, Sweep},
        reasons,
        secrets::{hmac, names},
    },
};

/// Entries that were found in no league are looked for this long after the draw.
const SWEEPS_AFTER: [SignedDuration; 2] = [SignedDuration::from_mins(1), SignedDuration::from_mins(15)];

/// By then the draw is made, or is made again.
const TOLD_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// The operator's secret in a gameweek's draw: fixed by its public hash from the opening on.
pub async fn secret(app: &App, gameweek: GameweekId) -> Result<[u8; 32], AppError> {
    let key = app.secrets().key(names::DRAW_KEY).await?;
    Ok(hmac(&key, format!("draw {gameweek}").as_bytes()))
}

/// The secret that a gameweek is drawn with. One that was called off is drawn with any: its leagues only give the entries back.
///
/// # Errors
/// It is not the one whose hash has been public since the opening: the key was changed since then.
async fn published_secret(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<[u8; 32], AppError> {
    let secret = secret(app, id).await?;
    if is_published(id, gameweek, &secret) || gameweek.called_off.is_some() {
        return Ok(secret);
    }
    Err(AppError::Internal(format!("the draw of {id} has another secret than the published one")))
}

/// Whether it is the secret whose hash has been public since the opening. An alarm rings where it is not.
fn is_published(id: GameweekId, gameweek: &Gameweek, secret: &[u8; 32]) -> bool {
    let published = gameweek.opening.as_ref().map(|opening| opening.secret_hash.as_str());
    let is_published = published.is_none_or(|published| published == draw::secret_hash(secret));
    if !is_published {
        tracing::error!(
            gameweek = %id,
            alarm = "draw",
            "the draw's secret is not the one whose hash was published"
        );
    }
    is_published
}

/// Rings the alarm while there is time before the draw, where it could not be made: the secret's key was changed since the
/// opening.
///
/// # Errors
/// The secret cannot be read.
pub async fn warn_of_other_secret(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<(), AppError> {
    is_published(id, gameweek, &secret(app, id).await?);
    Ok(())
}

/// Draws a gameweek whose fence has fallen, as far as that can be now. Before that, and when it is drawn, it
/// does nothing.
///
/// # Errors
/// The table, the queue or the secrets do not answer: asked again, it goes on.
pub async fn advance(app: &App, id: GameweekId) -> Result<(), AppError> {
    let now = app.clock().now();
    let Some(gameweek) = app.gameweek(id).await?.filter(|g| now >= g.fence() && g.drawn_at.is_none()) else {
        return Ok(());
    };
    if list::waits(app, id, &gameweek, now).await? {
        return Ok(());
    }
    for amount in EntryAmount::ALL {
        list::fix(app, id, amount).await?;
    }
    let round = beacon::round(app, id).await?;
    let beacon = match beacon::awaited(app, id, &round).await? {
        Awaited::Known(beacon) => beacon,
        Awaited::NotYet => return Ok(()),
        Awaited::Silent => {
            tracing::warn!(gameweek = %id, "the draw waits for the beacon");
            return Ok(());
        }
    };
    let secret = published_secret(app, id, &gameweek).await?;
    let mut entries = [0; EntryAmount::ALL.len()];
    for (amount, count) in EntryAmount::ALL.into_iter().zip(&mut entries) {
        match draw(app, (id, amount), &secret, &round, &beacon).await? {
            Some(drawn) => *count = drawn,
            // Another one is at it, or this one's time is up: the next run goes on.
            None => return Ok(()),
        }
    }
    for delay in SWEEPS_AFTER {
        app.send(&Sweep(ForGameweek { gameweek: id }), delay).await?;
    }
    // Once it is drawn: should this die before it is, it is done again, and that as well.
    push::begin(app, Round::Drawn { gameweek: id }, TOLD_AFTER).await;
    seasons::change(app, id, |gameweek| {
        gameweek.drawn_at.get_or_insert(now);
        gameweek.drawn_entries = Some(entries);
    })
    .await?;
    app.send(&ImportPicks {}, SignedDuration::ZERO).await?;
    tracing::info!(gameweek = %id, "drawn");
    Ok(())
}

/// Draws the leagues of an amount. Answers how many entries are in them, or alone; `None`: not all are written yet.
async fn draw(
    app: &App,
    (gameweek, amount): (GameweekId, EntryAmount),
    secret: &[u8; 32],
    round: &DrawRound,
    beacon: &DrawBeacon,
) -> Result<Option<usize>, AppError> {
    let list = list::fix(app, gameweek, amount).await?;
    let (entries, hash) = list::entries(app, gameweek, amount, &list).await?;
    let value = hex::decode(beacon.value.as_deref().unwrap_or_default())
        .map_err(|error| AppError::Internal(format!("the beacon's value: {error}")))?;
    let seed = DrawSeed {
        secret: hex::encode(secret),
        beacon_chain: Some(round.chain.clone()),
        beacon_round: round.round,
        beacon: beacon.value.clone(),
        beacon_signature: beacon.signature.clone(),
        seed: Seed::new(secret, &value, &hash).to_hex(),
        at: app.clock().now(),
    };
    let kept = app.store().fix_draw_seed(gameweek, amount, &seed).await?;
    let seed = Seed::from_hex(&kept.seed)
        .map_err(|error| AppError::Internal(format!("the kept seed of {gameweek}: {error}")))?;
    let drawn = draw::draw(seed, entries, |entry| &entry.id);
    // Nobody sees a league before all are written: `drawn_at` comes last.
    if !writing::write(app, (gameweek, amount), drawn.leagues).await? {
        return Ok(None);
    }
    if let Some(alone) = drawn.alone {
        refund(app, &alone, reasons::NOBODY_ELSE_JOINED).await?;
    }
    Ok(Some(list.count))
}

/// Gives an entry's stake back.
async fn refund(app: &App, entry: &Entry, why: &str) -> Result<(), AppError> {
    let posting = Posting::refund(&entry.user_id, entry.gameweek, entry.amount.kes());
    let now = app.clock().now();
    only_shown("why an entry is in no league", app.store().note_unplaced(entry, why).await);
    if app.store().credit_wallet(&entry.user_id, &posting, now).await? {
        tracing::info!(entry = %entry.id, why, "an entry is refunded");
    }
    app.mail_posting(&entry.user_id, &posting, Some(why)).await
}
