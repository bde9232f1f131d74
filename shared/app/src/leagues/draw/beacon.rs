//! The beacon's part: which round counts, and waiting for it. Waiting counts from the first time that the
//! relays were asked in vain, which is kept: a draw that begins late waits as long as any other.

use clients::beacon::BeaconRound;
use domain::{
    GameweekId,
    leagues::beacon::{FailedRelay, ROUND_AFTER_LISTS, Silence, Try},
};
use store::leagues::draw_rounds::{DrawBeacon, DrawRound};

use crate::{App, AppError};

/// Whether what the beacon came to is known.
pub(super) enum Awaited {
    Known(DrawBeacon),
    /// The round's time has not come.
    NotYet,
    /// It has, and no relay gave it so far.
    Silent,
}

/// Fixes which round counts, once every list is kept: the clock is read after that, so the hashes were public
/// for a minute before anybody can know the round's value, however long a process stood still.
pub(super) async fn round(app: &App, gameweek: GameweekId) -> Result<DrawRound, AppError> {
    if let Some(round) = app.store().draw_round(gameweek).await? {
        return Ok(round);
    }
    let (at, chain) = (app.clock().now(), app.beacon().chain());
    let round = chain.first_round_from(at + ROUND_AFTER_LISTS);
    let round = DrawRound { chain: chain.hash.clone(), round, at };
    Ok(app.store().fix_draw_round(gameweek, &round).await?)
}

/// What the beacon came to for this draw, kept once for every amount.
pub(super) async fn awaited(app: &App, gameweek: GameweekId, round: &DrawRound) -> Result<Awaited, AppError> {
    if let Some(beacon) = app.store().draw_beacon(gameweek).await? {
        return Ok(Awaited::Known(beacon));
    }
    if app.beacon().chain().hash != round.chain {
        tracing::error!(
            %gameweek,
            published = round.chain,
            alarm = "draw",
            "the beacon is set to another chain than the one whose round was published"
        );
        return Err(AppError::Internal(format!("the draw of {gameweek} is of another chain")));
    }
    if app.clock().now() < app.beacon().chain().time_of(round.round) {
        return Ok(Awaited::NotYet);
    }
    let beacon = match app.beacon().round(round.round).await {
        Ok(BeaconRound { randomness_hex, signature_hex, .. }) => DrawBeacon {
            value: Some(randomness_hex),
            signature: Some(signature_hex),
            silence: None,
            at: app.clock().now(),
        },
        Err(failures) => {
            let failure = |f: clients::RelayFailure| FailedRelay { why: f.error.to_string(), relay: f.relay };
            let failures = failures.into_iter().map(failure).collect();
            let one = Try { at: app.clock().now(), failures };
            app.store().add_beacon_try(gameweek, &one).await?;
            let silence = Silence::of(&app.store().beacon_tries(gameweek).await?);
            let Some(silence) = silence.filter(Silence::is_enough) else { return Ok(Awaited::Silent) };
            tracing::error!(%gameweek, alarm = "draw", "the draw goes on without the beacon");
            DrawBeacon { value: None, signature: None, silence: Some(silence), at: one.at }
        }
    };
    Ok(Awaited::Known(app.store().fix_draw_beacon(gameweek, &beacon).await?))
}
