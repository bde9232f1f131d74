//! An admin's acts on an account: each with a reason, in one transaction with its record.

use domain::{FplId, Kes, PaybillAccount, UserId};
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        directory::By,
        permits::Permit,
        players::{Corrected, NewTeam},
    },
    entries::Entry,
    teams::proofs::TeamOf,
};

use crate::{
    App, AppError,
    teams::link::{self, LinkError},
    withdrawals::requests,
};

/// So many are found at most.
const FOUND: usize = 20;

/// Fewer letters would find anybody.
pub const SHORTEST_SEARCH: usize = 2;

/// Fewer digits are no end of a phone number.
const SHORTEST_PHONE_END: usize = 3;

/// Why an account stays as it is; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    #[error("There is no such player.")]
    NoPlayer,
    #[error(transparent)]
    Team(LinkError),
    #[error("That is this player's team already.")]
    SameTeam,
    #[error("There is no prize in this wallet that waits for a proof.")]
    NothingToRelease,
    #[error("The account has changed meanwhile. Look at it again.")]
    Moved,
}

/// What an admin can do to an account by themself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Suspended(bool),
    Frozen(bool),
    Team(FplId),
    EndSessions,
}

/// Who is meant by `text`: the beginning of a name, a mail or a team's number, the end of a phone number, a whole
/// account at the paybill, or an id. At most twenty.
///
/// # Errors
/// The table does not answer.
pub async fn search(app: &App, text: &str) -> Result<Vec<Player>, AppError> {
    let text = text.trim().to_lowercase();
    if text.chars().count() < SHORTEST_SEARCH {
        return Ok(Vec::new());
    }
    let mut ids: Vec<UserId> = UserId::parse(&text).into_iter().collect();
    if let Ok(account) = PaybillAccount::parse(&text) {
        ids.extend(app.store().player_by_account(account).await?.map(|player| player.id));
    }
    let season = app.calendar().await?.map(|calendar| calendar.season);
    for by in meant(&text, season) {
        for id in app.store().find_players(&by, i32::try_from(FOUND).unwrap_or(i32::MAX)).await? {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    ids.truncate(FOUND);
    Ok(app.store().players(&ids).await?)
}

fn meant(text: &str, season: Option<u16>) -> Vec<By> {
    let mut meant = vec![By::Name(text.to_owned()), By::Email(text.to_owned())];
    let number: String = text.chars().filter(|c| !matches!(c, ' ' | '+' | '-')).collect();
    if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        meant.extend(season.map(|season| By::Team(season, number.clone())));
        // 07… is 2547… inside.
        let end = if number.len() == 10 { number.trim_start_matches('0') } else { &number };
        if end.len() >= SHORTEST_PHONE_END {
            meant.push(By::PhoneEnd(end.to_owned()));
        }
    }
    meant
}

/// Does `change` to an account. One that is so already stays as it is: nothing is recorded then.
///
/// # Errors
/// The table does not answer; the inner error is the admin's.
pub async fn change(
    app: &App,
    id: &UserId,
    change: Change,
    who: Who,
    reason: &str,
) -> Result<Result<(), ChangeError>, AppError> {
    let Some(player) = app.store().player(id).await? else { return Ok(Err(ChangeError::NoPlayer)) };
    let act = AuditRecord::new(who, AuditAction::UpdatePlayer, format!("player {id}"), app.clock().now());
    let act = act.of(id).because(reason);
    match change {
        Change::Suspended(suspended) => {
            let word = |suspended| if suspended { "suspended" } else { "not suspended" };
            let act = act.from_to(word(!suspended), word(suspended));
            app.store().set_suspended(id, suspended, &act).await?;
            Ok(Ok(()))
        }
        Change::Frozen(frozen) => {
            let word = |frozen| if frozen { "frozen" } else { "not frozen" };
            let act = act.from_to(word(!frozen), word(frozen));
            app.store().set_frozen(id, frozen, &act).await?;
            Ok(Ok(()))
        }
        Change::EndSessions => {
            app.store().end_all_sessions(id, &act.to("every session ended")).await?;
            Ok(Ok(()))
        }
        Change::Team(fpl_id) => correct_team(app, &player, fpl_id, act).await,
    }
}

/// Prizes in a wallet that cannot be withdrawn, as an admin would release them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// That won them, and are not proved.
    pub teams: Vec<TeamOf>,
    /// What is left of them.
    pub amount: Kes,
}

impl Held {
    /// The teams, for people: `118670 of 2026, 118671 of 2026`.
    #[must_use]
    pub fn names(&self) -> String {
        let name = |team: &TeamOf| format!("{} of {}", team.fpl_id, team.season);
        self.teams.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// What an admin would release of a player's prizes now.
///
/// # Errors
/// The table does not answer.
pub async fn held_prizes(app: &App, player: &Player) -> Result<Held, AppError> {
    let unproved = requests::unproved_prizes_of(app, player).await?;
    let mut teams: Vec<TeamOf> = Vec::new();
    for prize in &unproved {
        if !teams.contains(&prize.team) {
            teams.push(prize.team);
        }
    }
    // A transaction takes a hundred items; a wallet with prizes of more teams than that is released in parts.
    teams.truncate(50);
    let released = unproved.iter().filter(|prize| teams.contains(&prize.team));
    let amount: Kes = released.map(|prize| prize.left).sum();
    Ok(Held { teams, amount })
}

/// Takes the teams for proved that won what is in the wallet: the admin's word in the place of a challenge. It
/// lets money out, so it is done by a permit.
///
/// # Errors
/// The table does not answer; the inner error is the admin's.
pub async fn release_prizes(
    app: &App,
    player: &Player,
    reason: &str,
    permit: &Permit,
) -> Result<Result<(), ChangeError>, AppError> {
    let held = held_prizes(app, player).await?;
    if held.teams.is_empty() {
        return Ok(Err(ChangeError::NothingToRelease));
    }
    let on = format!("player {}", player.id);
    let act = AuditRecord::permitted(permit, AuditAction::ReleasePrizes, on, app.clock().now())
        .of(&player.id)
        .to(format!("prizes of team {} can be withdrawn, {}", held.names(), held.amount))
        .because(reason);
    let done = app.store().accept_teams(&player.id, &held.teams, &act).await?;
    Ok(if done { Ok(()) } else { Err(ChangeError::Moved) })
}

/// Gives an account another team in this season, and has the player told. An entry into a gameweek that is
/// still open goes with it; what was entered before keeps the team that it had.
async fn correct_team(
    app: &App,
    player: &Player,
    fpl_id: FplId,
    act: AuditRecord,
) -> Result<Result<(), ChangeError>, AppError> {
    let Some(calendar) = app.calendar().await? else {
        return Ok(Err(ChangeError::Team(LinkError::NoSeason)));
    };
    let season = calendar.season;
    if player.season == season && player.fpl_id == Some(fpl_id) {
        return Ok(Err(ChangeError::SameTeam));
    }
    let name = match link::look_up(app, fpl_id).await {
        Ok(name) => name,
        Err(error) => return Ok(Err(ChangeError::Team(error.into()))),
    };
    let before = match player.fpl_id {
        Some(held) => format!("team {held} of {}", player.season),
        None => "no team".to_owned(),
    };
    let entry = open_entry(app, player).await?;
    let act = act.from_to(before, format!("team {fpl_id} of {season}"));
    let team = NewTeam { season, fpl_id, name: &name };
    app.mail_team_changed_later(&player.id, &act).await?;
    Ok(match app.store().correct_team(player, team, entry.as_ref(), &act).await? {
        Corrected::Done => {
            app.mail_team_changed_now(&player.id, &act).await;
            Ok(())
        }
        Corrected::Taken => Err(ChangeError::Team(LinkError::Taken)),
        Corrected::Moved => Err(ChangeError::Moved),
    })
}

/// The player's entry into the current gameweek, as long as that is open.
async fn open_entry(app: &App, player: &Player) -> Result<Option<Entry>, AppError> {
    let Some((calendar, gameweek)) = app.current_gameweek().await? else { return Ok(None) };
    if !gameweek.is_open(app.clock().now()) {
        return Ok(None);
    }
    Ok(app.store().entry_of(&player.id, calendar.id(gameweek.number)).await?)
}
