//! Prizes that were won with a team which is not proved, and that an admin lets out all the same.

use domain::Kes;
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord},
        permits::Permit,
    },
    leagues::LeagueId,
    teams::proofs::TeamOf,
};

use crate::{
    App, AppError,
    admin::{
        approvals::Stakes,
        changes::{ChangeError, find},
    },
    platform::{
        flow::Flow,
        security_log::{SecurityEntry, SecurityEvent},
    },
    withdrawals::requests,
};

/// Prizes in a wallet that cannot be withdrawn, as an admin would release them.
struct HeldPrizes {
    /// The teams that won them, and are not proved.
    teams: Vec<TeamOf>,
    leagues: Vec<LeagueId>,
    /// What is left of them.
    amount: Kes,
    /// What is left of all that there are.
    all: Kes,
}

impl HeldPrizes {
    /// The teams, for people: `118670 of 2026, 118671 of 2026`.
    fn names(&self) -> String {
        let name = |team: &TeamOf| format!("{} of {}", team.fpl_id, team.season);
        self.teams.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

async fn held_prizes(app: &App, player: &Player) -> Result<HeldPrizes, AppError> {
    let mut unproved = requests::unproved_prizes_of(app, player).await?;
    let all = unproved.iter().map(|prize| prize.left).sum();
    // A transaction takes a hundred items; a wallet with more prizes than that is released in parts.
    unproved.truncate(90);
    let mut teams: Vec<TeamOf> = Vec::new();
    for prize in &unproved {
        if !teams.contains(&prize.team) {
            teams.push(prize.team);
        }
    }
    let leagues = unproved.iter().map(|prize| prize.league).collect();
    Ok(HeldPrizes { teams, leagues, amount: unproved.iter().map(|prize| prize.left).sum(), all })
}

/// What is at stake with releasing a player's prizes: what is left of them. Not another sum than the admin saw (`seen`):
/// a prize that has come in since is looked at first.
pub async fn stakes(app: &App, id: &str, seen: Option<Kes>, reason: &str) -> Flow<Stakes, ChangeError> {
    let player = find(app, id).await?;
    let held = held_prizes(app, &player).await?;
    if !held.leagues.is_empty() && seen.is_some_and(|seen| seen != held.all) {
        return Err(ChangeError::Moved.into());
    }
    // The same again until it is done, and not another release: the first of these is not among what is won later.
    let first = held.leagues.first().map(|league| format!(" from league {league} on")).unwrap_or_default();
    let on = format!("player {}, prizes of team {}{first}", player.id, held.names());
    let stakes = Stakes::of(AuditAction::ReleasePrizes, on, (&player.id, &player.username), held.amount);
    Ok(Stakes { is_open: !held.leagues.is_empty(), reason: Some(reason.to_owned()), ..stakes })
}

/// Releases the prizes that are in the wallet and were won with teams that are not proved, `weighed` in all: the admin's word
/// in the place of a challenge, and not for what is won later. It lets money out, so it is done by a permit. Answers the
/// player as they are now.
pub async fn release(
    app: &App,
    id: &str,
    (weighed, reason): (Option<Kes>, &str),
    permit: &Permit,
) -> Flow<Player, ChangeError> {
    let player = find(app, id).await?;
    let held = held_prizes(app, &player).await?;
    if held.leagues.is_empty() {
        return Err(ChangeError::NothingToRelease.into());
    }
    if weighed != Some(held.amount) {
        return Err(ChangeError::Moved.into());
    }
    let on = format!("player {}", player.id);
    let act = AuditRecord::permitted(permit, AuditAction::ReleasePrizes, on, app.clock().now())
        .of(&player.id)
        .to(format!("prizes of team {} can be withdrawn, {}", held.names(), held.amount))
        .because(reason);
    if !app.store().release_prizes(&player.id, &held.leagues, &act).await? {
        return Err(ChangeError::Moved.into());
    }
    let by = permit.who.person();
    tracing::info!(?by, player = %player.id, "prizes released");
    let line = SecurityEntry::new(SecurityEvent::PrizesReleased).of(&player.id);
    app.log_security(by.map_or(line, |(admin, _)| line.by(admin))).await;
    find(app, id).await
}
