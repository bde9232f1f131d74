//! What a press of the button would pay, before it is pressed: from the leagues as they are now, by the
//! same rule that settles them.

use domain::{
    EntryAmount, GameweekId, Kes,
    gameweeks::calendar::{Gameweek, GameweekState},
    settlement::readings::{self, Basis, TeamWaits, Wait},
};
use store::leagues::{League, LeagueId, points::GameweekPoints};

use crate::{
    App, AppError,
    gameweeks::seasons::Named,
    platform::flow::Flow,
    settlement::{
        settling,
        winners::{self, ProcessError},
    },
};

/// Leagues of one read.
const PAGE: i32 = 200;
/// Leagues that are named with why they wait.
const NAMED: usize = 100;

/// A gameweek as the button would find it.
#[derive(Debug, Clone)]
pub struct SettlementPreview {
    pub gameweek: GameweekId,
    pub state: GameweekState,
    /// Why the button would be refused now.
    pub refused: Option<ProcessError>,
    /// The operator's share, in per cent.
    pub fee_percent: u8,
    pub amounts: Vec<AmountPreview>,
    /// Leagues that an admin may have to decide, at most a hundred of them.
    pub waiting: Vec<(LeagueId, String)>,
    /// Its season has given way to another.
    former: bool,
}

/// What is left to pay at one amount. Money of leagues that are not settled only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AmountPreview {
    pub leagues: usize,
    pub settled: usize,
    /// Leagues whose two readings do not agree, or lack one that will not come.
    pub waiting: usize,
    /// Leagues whose teams are still being read.
    pub unread: usize,
    pub players: usize,
    pub collected: Kes,
    pub fee: Kes,
    /// To players: prizes, or what is given back. What does not divide among winners stays here.
    pub to_pay: Kes,
}

/// What the button would pay in the gameweek asked for, or in the one that it means by itself.
pub async fn preview(app: &App, asked: Option<Named>) -> Flow<SettlementPreview, ProcessError> {
    let (id, gameweek) = winners::chosen(app, asked).await?.ok_or(ProcessError::NoGameweek)?;
    let state = gameweek.state(app.clock().now());
    let scores = match gameweek.final_at.filter(|_| gameweek.called_off.is_none()) {
        Some(since) => settling::scores_since(app, id, since).await?,
        None => None,
    };
    let fee_percent = if gameweek.called_off.is_some() { 0 } else { winners::fee_percent(app, &gameweek) };
    let mut preview = SettlementPreview {
        gameweek: id,
        state,
        refused: winners::check(&gameweek, app.clock().now()).err(),
        fee_percent,
        amounts: Vec::new(),
        waiting: Vec::new(),
        former: app.is_former(id.season).await?,
    };
    for amount in EntryAmount::ALL {
        let counted = count(app, (id, amount), &gameweek, scores.as_ref(), &mut preview).await?;
        preview.amounts.push(counted);
    }
    Ok(preview)
}

async fn count(
    app: &App,
    (id, amount): (GameweekId, EntryAmount),
    gameweek: &Gameweek,
    scores: Option<&GameweekPoints>,
    preview: &mut SettlementPreview,
) -> Result<AmountPreview, AppError> {
    let mut counted = AmountPreview::default();
    // Before the last amount is drawn there are no leagues.
    if gameweek.drawn_at.is_none() {
        return Ok(counted);
    }
    let mut after: Option<String> = None;
    loop {
        let page = app.store().leagues_page(id, amount, after.as_deref(), PAGE).await?;
        for league in &page.items {
            counted.leagues += 1;
            if league.settled_at.is_some() {
                counted.settled += 1;
            } else {
                add(&mut counted, league, scores, preview);
            }
        }
        match page.cursor {
            Some(cursor) => after = Some(cursor),
            None => return Ok(counted),
        }
    }
}

fn add(
    counted: &mut AmountPreview,
    league: &League,
    scores: Option<&GameweekPoints>,
    preview: &mut SettlementPreview,
) {
    let collected = league.amount.kes().times(league.members.len());
    let both = settling::readings(league, scores, preview.former);
    let basis = scores.map(|scores| readings::basis(&both, scores.void));
    let fee = match &basis {
        Some(Ok(Basis::Void)) => Kes::ZERO,
        _ => collected.percent_rounded_down(preview.fee_percent),
    };
    match basis {
        Some(Err(why)) if is_being_read(&why) => counted.unread += 1,
        Some(Err(why)) => {
            counted.waiting += 1;
            if preview.waiting.len() < NAMED {
                preview.waiting.push((league.id(), why.to_string()));
            }
        }
        Some(Ok(_)) | None => {}
    }
    counted.players += league.members.len();
    counted.collected = counted.collected + collected;
    counted.fee = counted.fee + fee;
    counted.to_pay = counted.to_pay + collected - fee;
}

/// Whether waiting is all that it takes.
fn is_being_read(why: &Wait) -> bool {
    match why {
        Wait::NotFinal | Wait::NoScores => true,
        Wait::PointsOfNothing(_) => false,
        Wait::Teams(teams) => teams.iter().all(|team| matches!(team, TeamWaits::Unread(_))),
    }
}
