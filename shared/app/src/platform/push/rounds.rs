//! Rounds: all of a gameweek are told something, a page of players at a time. Each step sends the messages of a page and
//! then the next step's; a step that is done twice tells nobody twice, for what each player is told has a note of its own.
//! Nothing here reads more players than have asked to be told, or than are in the leagues of a page.

use domain::{EntryAmount, GameweekId, UserId, accounts::notifications::Kind};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use store::{
    accounts::notifications::Listener,
    leagues::{League, LeagueId, number_key},
};

use super::{PushTask, begin};
use crate::{
    App, AppError,
    platform::{
        mail::{MailSubject, SendMail},
        queues::is_next_lost,
    },
};

/// Players of one step.
const LISTENERS: usize = 25;
const LEAGUES: i32 = 10;

/// What all of a gameweek, or of a league, are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Round {
    /// That its deadline is near: who has asked for it, has played before and is not in.
    Deadline { gameweek: GameweekId },
    /// Whom they play against.
    Drawn { gameweek: GameweekId },
    /// The result of a league (`2026-03-50-00001`).
    Settled { league: String },
}

impl Round {
    fn key(&self) -> String {
        match self {
            Self::Deadline { gameweek } => format!("deadline#{gameweek}"),
            Self::Drawn { gameweek } => format!("drawn#{gameweek}"),
            Self::Settled { league } => format!("settled#{league}"),
        }
    }
}

/// Begins the round about a gameweek's deadline, unless it has begun.
pub(crate) async fn tell_of_deadline(app: &App, gameweek: GameweekId) -> Result<(), AppError> {
    let round = Round::Deadline { gameweek };
    if app.store().round_step(&round.key()).await?.is_some() {
        return Ok(());
    }
    begin(app, round, SignedDuration::ZERO).await;
    Ok(())
}

/// Does one step of a round, and has the next one done.
pub(super) async fn step(app: &App, round: &Round, step: u32, after: Option<&str>) -> Result<(), AppError> {
    let (abouts, next) = match round {
        Round::Deadline { gameweek } => deadline(app, *gameweek, after).await?,
        Round::Drawn { gameweek } => match drawn(app, *gameweek, after).await? {
            Some(page) => page,
            // Whoever makes the draw again begins this again.
            None => return Ok(()),
        },
        Round::Settled { league } => (settled(app, league).await?, None),
    };
    let since = app.clock().now();
    let messages: Vec<SendMail> =
        abouts.into_iter().map(|about| SendMail { about, since, tried: 0 }).collect();
    app.send_all(&messages).await?;
    let now = app.clock().now();
    let ours = app.store().advance_round(&round.key(), step, now).await?;
    let Some(next) = next else { return Ok(()) };
    let lost = match app.store().round_step(&round.key()).await? {
        Some(kept) if !ours => is_next_lost(step.into(), (kept.step.into(), kept.at), now),
        _ => false,
    };
    if ours || lost {
        let next = PushTask::Round { round: round.clone(), step: step + 1, after: Some(next) };
        return app.send(&next, SignedDuration::ZERO).await;
    }
    Ok(())
}

type Page = (Vec<MailSubject>, Option<String>);

/// Who has asked for it, has been in a league before, and is not in.
async fn deadline(app: &App, gameweek: GameweekId, after: Option<&str>) -> Result<Page, AppError> {
    let listeners = app.store().deadline_listeners(after, LISTENERS).await?;
    let mut abouts = Vec::new();
    for Listener { user_id, .. } in listeners.items {
        let is_in = app.store().entry_of(&user_id, gameweek).await?.is_some();
        if !is_in && !app.store().leagues_of(&user_id).await?.is_empty() {
            abouts.push(MailSubject::Deadline { user_id, gameweek });
        }
    }
    Ok((abouts, listeners.cursor))
}

/// The members of a page of leagues. `after` is the league that was last. `None`: the draw is not made.
async fn drawn(app: &App, gameweek: GameweekId, after: Option<&str>) -> Result<Option<Page>, AppError> {
    if app.gameweek(gameweek).await?.is_none_or(|gameweek| gameweek.drawn_at.is_none()) {
        return Ok(None);
    }
    let after: Option<LeagueId> = match after {
        Some(after) => Some(parsed(after)?),
        None => None,
    };
    let amounts =
        EntryAmount::ALL.into_iter().skip_while(|amount| after.is_some_and(|a| a.amount != *amount));
    for amount in amounts {
        let number = after.filter(|a| a.amount == amount).map(|a| number_key(a.number));
        let page = app.store().leagues_page(gameweek, amount, number.as_deref(), LEAGUES).await?;
        let Some(last) = page.items.last().map(League::id) else { continue };
        let mut abouts = Vec::new();
        let places: Vec<(UserId, LeagueId)> = page.items.iter().flat_map(members).collect();
        for (user_id, league) in wanting(app, places, Kind::Drawn).await? {
            abouts.push(MailSubject::Drawn { user_id, league: league.to_string() });
        }
        return Ok(Some((abouts, Some(last.to_string()))));
    }
    Ok(Some((Vec::new(), None)))
}

async fn settled(app: &App, league: &str) -> Result<Vec<MailSubject>, AppError> {
    let Some(league) = app.store().league(parsed(league)?).await? else { return Ok(Vec::new()) };
    let wanting = wanting(app, members(&league).collect(), Kind::Final).await?;
    let about =
        |(user_id, league): (UserId, LeagueId)| MailSubject::Final { user_id, league: league.to_string() };
    Ok(wanting.into_iter().map(about).collect())
}

fn members(league: &League) -> impl Iterator<Item = (UserId, LeagueId)> {
    let id = league.id();
    league.members.iter().map(move |member| (member.user_id.clone(), id))
}

/// Of these players those who have asked to be told of `kind`.
async fn wanting(
    app: &App,
    places: Vec<(UserId, LeagueId)>,
    kind: Kind,
) -> Result<Vec<(UserId, LeagueId)>, AppError> {
    let players: Vec<UserId> = places.iter().map(|(player, _)| player.clone()).collect();
    let mut listeners = app.store().notifications_of(&players).await?;
    listeners.retain(|listener| listener.notifications.choices.want(kind));
    let wants = |player: &UserId| listeners.iter().any(|listener| listener.user_id == *player);
    Ok(places.into_iter().filter(|(player, _)| wants(player)).collect())
}

fn parsed(league: &str) -> Result<LeagueId, AppError> {
    league.parse().map_err(|_| AppError::Internal("a message: not a league".into()))
}
