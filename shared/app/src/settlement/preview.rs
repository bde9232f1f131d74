//! What a press of the button would pay, before it is pressed: from the leagues as they are now, by the
//! same rule that settles them. Their blocks are read side by side, so that a crowd's are read while somebody waits.

use std::ops::Add;

use domain::{
    EntryAmount, GameweekId, Kes,
    gameweeks::calendar::GameweekState,
    settlement::readings::{self, Basis, TeamWaits, Wait},
};
use store::{
    leagues::{League, LeagueId, points::GameweekPoints},
    platform::concurrency::try_map,
};

use crate::{
    App, AppError,
    gameweeks::seasons::Named,
    leagues::blocks,
    platform::flow::Flow,
    settlement::{
        settling,
        winners::{self, ProcessError},
    },
};

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
}

/// What leagues are looked at by.
#[derive(Clone, Copy)]
struct By<'a> {
    scores: Option<&'a GameweekPoints>,
    fee_percent: u8,
    /// The season has given way to another.
    former: bool,
}

/// Some leagues of an amount, and which of them would wait and why.
#[derive(Default)]
struct Counted {
    amount: AmountPreview,
    waiting: Vec<(LeagueId, String)>,
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
    let by = By { scores: scores.as_ref(), fee_percent, former: app.is_former(id.season).await? };
    // Before the last amount is drawn there are no leagues.
    let is_drawn = gameweek.drawn_at.is_some();
    let counted = try_map(EntryAmount::ALL, |amount| async move {
        if is_drawn { count(app, id, amount, by).await } else { Ok(Counted::default()) }
    });
    let (mut amounts, mut waiting) = (Vec::new(), Vec::new());
    for counted in counted.await? {
        amounts.push(counted.amount);
        waiting.extend(counted.waiting);
    }
    waiting.truncate(NAMED);
    let refused = winners::check(&gameweek, app.clock().now()).err();
    Ok(SettlementPreview { gameweek: id, state, refused, fee_percent, amounts, waiting })
}

async fn count(app: &App, id: GameweekId, amount: EntryAmount, by: By<'_>) -> Result<Counted, AppError> {
    let blocks = blocks::of_each(app, id, amount, |leagues| async move {
        let mut counted = Counted::default();
        leagues.iter().for_each(|league| counted.add(league, by));
        Ok(counted)
    });
    let mut all = Counted::default();
    for Counted { amount, waiting } in blocks.await? {
        all.amount = all.amount + amount;
        all.waiting.extend(waiting);
        all.waiting.truncate(NAMED);
    }
    Ok(all)
}

impl Counted {
    fn add(&mut self, league: &League, By { scores, fee_percent, former }: By<'_>) {
        self.amount.leagues += 1;
        if league.settled_at.is_some() {
            self.amount.settled += 1;
            return;
        }
        let collected = league.amount.kes().times(league.members.len());
        let both = settling::readings(league, scores, former);
        let basis = scores.map(|scores| readings::basis(&both, scores.nothing_was_played()));
        let fee = match &basis {
            Some(Ok(Basis::Void)) => Kes::ZERO,
            _ => collected.percent_rounded_down(fee_percent),
        };
        let counted = &mut self.amount;
        match basis {
            Some(Err(why)) if is_being_read(&why) => counted.unread += 1,
            Some(Err(why)) => {
                counted.waiting += 1;
                self.waiting.push((league.id(), why.to_string()));
            }
            Some(Ok(_)) | None => {}
        }
        counted.players += league.members.len();
        counted.collected = counted.collected + collected;
        counted.fee = counted.fee + fee;
        counted.to_pay = counted.to_pay + collected - fee;
    }
}

impl Add for AmountPreview {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            leagues: self.leagues + other.leagues,
            settled: self.settled + other.settled,
            waiting: self.waiting + other.waiting,
            unread: self.unread + other.unread,
            players: self.players + other.players,
            collected: self.collected + other.collected,
            fee: self.fee + other.fee,
            to_pay: self.to_pay + other.to_pay,
        }
    }
}

/// Whether waiting is all that it takes.
fn is_being_read(why: &Wait) -> bool {
    match why {
        Wait::NotFinal | Wait::NoScores => true,
        Wait::PointsOfNothing(_) => false,
        Wait::Teams(teams) => teams.iter().all(|team| matches!(team, TeamWaits::Unread(_))),
    }
}
