//! Agreeing to the terms. With full safeguards a player who has not agreed cannot enter and gets no prompt; a
//! withdrawal never asks for it.

use domain::accounts::{
    stopping::NotPlaying,
    terms::{self, Agreement, TermsError, VERSIONS},
};
use store::accounts::players::Player;

use crate::{
    App,
    platform::flow::{Flow, FlowError, Refusal},
};

impl Refusal for TermsError {}

/// What a sign-up agrees to. Where the safeguards are light it may say nothing: then the page asks later.
pub fn at_sign_up(app: &App, sent: Option<&str>) -> Result<Option<Agreement>, TermsError> {
    if sent.is_none() && !app.config().safeguards.are_full() {
        return Ok(None);
    }
    terms::agreed(VERSIONS, sent.unwrap_or_default(), app.clock().now()).map(Some)
}

/// Notes that `player` agrees to the version called `sent`. Once more it changes nothing.
pub async fn accept(app: &App, player: &Player, sent: &str) -> Flow<Vec<Agreement>, TermsError> {
    let agreement = terms::agreed(VERSIONS, sent, app.clock().now()).map_err(FlowError::Refused)?;
    let mut agreements = player.terms.clone();
    if !agreements.iter().any(|before| before.version == agreement.version) {
        agreements.push(agreement);
        app.store().set_terms(&player.id, &agreements).await?;
    }
    Ok(agreements)
}

/// Whether who has agreed to `agreements` has to agree once more before entering and paying.
#[must_use]
pub fn are_required(app: &App, agreements: &[Agreement]) -> bool {
    app.config().safeguards.are_full() && !terms::covers(VERSIONS, agreements, app.clock().now())
}

/// Whether `player` may enter and be asked to pay in, as far as the terms go.
pub fn check(app: &App, player: &Player) -> Result<(), NotPlaying> {
    if are_required(app, &player.terms) { Err(NotPlaying::TermsNotAgreed) } else { Ok(()) }
}
