//! Proving a team: the challenge `USER#id/CHALLENGE`, what a player has proved `USER#id/PROVED#season#team`
//! and has lost to somebody who proved it `USER#id/LOST#season#team`; what an admin has released of what an unproved team
//! has won, `USER#id/RELEASED#league`. The claim itself says whose the team
//! is, and whether that is proved.
//!
//! Taking a team over is two transactions, each of one player's items and the claim: the winner's, which
//! moves the claim; and the loser's, which takes the team off the profile. Between them the loser cannot enter
//! with it: an entry wants the claim.

use domain::{FplId, GameweekId, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{BARRED_UNTIL, partition, profile_key},
        players::{Player, TeamClaim, team_key},
    },
    admin::{
        audit::AuditRecord,
        directory::{by_team, found_by},
    },
    entries::Entry,
    leagues::LeagueId,
    platform::{
        conditions::{Condition, absent, due, exists, is, is_not, less},
        table::Key,
        transaction::Transaction,
        writes::{Put, Update},
    },
};

/// Eight characters that are to be in a team's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    pub season: u16,
    pub fpl_id: FplId,
    pub code: String,
    /// The team's name when it was issued: without the code.
    pub team_name: String,
    pub expires_at: Timestamp,
    #[serde(default)]
    pub used_at: Option<Timestamp>,
    /// When DynamoDB may delete it (seconds since 1970). Expiry is checked as well: TTL is late.
    pub ttl: i64,
}

/// A team of a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamOf {
    pub season: u16,
    pub fpl_id: FplId,
}

#[derive(Serialize, Deserialize)]
struct Released {
    league: String,
}

/// Whose a team is, or was last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamHolder {
    pub by: UserId,
    /// That player has given it up.
    pub released: bool,
    pub proved: bool,
    /// Who had it before it was proved.
    pub taken_from: Option<UserId>,
    /// The gameweek that was last entered with it.
    last_entered: Option<String>,
    /// Its present or last owner has stopped playing: nobody else may take it until then. In milliseconds since 1970.
    barred_until: Option<i64>,
}

impl TeamHolder {
    /// Whether `player` may enter `gameweek` with it: the team is theirs, and in no entry of that gameweek.
    #[must_use]
    pub fn may_enter(&self, player: &UserId, gameweek: GameweekId) -> bool {
        self.by == *player && self.last_entered != Some(gameweek.to_string())
    }

    /// Whether somebody else has it, or had it last, who has stopped.
    #[must_use]
    pub fn is_barred(&self, player: &UserId, now: Timestamp) -> bool {
        self.by != *player && self.barred_until.is_some_and(|until| now.as_millisecond() < until)
    }
}

/// What became of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proved {
    Done,
    /// The claim, the account or the challenge is not as it was read.
    Moved,
}

fn challenge_key(player: &UserId) -> Key {
    Key::new(partition(player), "CHALLENGE")
}

const RELEASED: &str = "RELEASED#";

fn proved_key(player: &UserId, team: TeamOf) -> Key {
    Key::new(partition(player), format!("PROVED#{}#{}", team.season, team.fpl_id))
}

fn lost_key(player: &UserId, team: TeamOf) -> Key {
    Key::new(partition(player), format!("LOST#{}#{}", team.season, team.fpl_id))
}

impl Store {
    /// Puts `challenge` in the place of the one before.
    pub async fn put_challenge(&self, player: &UserId, challenge: &Challenge) -> Result<(), StoreError> {
        self.put(challenge_key(player).item(challenge)).await
    }

    pub async fn challenge(&self, player: &UserId) -> Result<Option<Challenge>, StoreError> {
        self.get("challenge", challenge_key(player)).await
    }

    /// Whose a team is, where it is somebody's.
    pub async fn team_held(&self, team: TeamOf) -> Result<Option<TeamHolder>, StoreError> {
        Ok(self.team_last_held(team).await?.filter(|held| !held.released))
    }

    /// Whose a team is, or was last: whoever has given it up may have stopped, and then nobody else can have it yet.
    pub async fn team_last_held(&self, team: TeamOf) -> Result<Option<TeamHolder>, StoreError> {
        let claim: Option<TeamClaim> = self.get("team claim", team_key(team.season, team.fpl_id)).await?;
        let held = |claim: TeamClaim| TeamHolder {
            by: claim.user_id,
            released: claim.released_at.is_some(),
            proved: claim.proved_at.is_some(),
            taken_from: claim.taken_from,
            last_entered: claim.last_entered,
            barred_until: claim.barred_until,
        };
        Ok(claim.map(held))
    }

    /// Makes a team `player`'s, proved by `challenge`: from nobody, from the player's own unproved claim, or
    /// from `held`, who has not proved it.
    pub async fn prove_team(
        &self,
        player: &Player,
        challenge: &Challenge,
        held: Option<&TeamHolder>,
        at: Timestamp,
    ) -> Result<Proved, StoreError> {
        let team = TeamOf { season: challenge.season, fpl_id: challenge.fpl_id };
        let linked = Update::of(profile_key(&player.id))
            .set("fplId", team.fpl_id)
            .set("season", team.season)
            .set("teamName", &challenge.team_name)
            .only_if(exists("pk"))
            .only_if(less("season", team.season).or(absent("fplId")).or(is("fplId", team.fpl_id)));
        let used = Update::of(challenge_key(&player.id))
            .set("usedAt", at)
            .only_if(is("code", &challenge.code))
            .only_if(absent("usedAt"));
        let mut transaction = Transaction::new();
        match held {
            None => {
                let claim = TeamClaim { proved_at: Some(at), ..TeamClaim::of(&player.id) };
                transaction.put(self.new_claim(team.season, team.fpl_id, &claim, at), ());
            }
            Some(held) => {
                transaction.update(taken_over(team, held, &player.id, at), ());
            }
        }
        transaction.update(linked, ()).update(used, ()).put(proof(&player.id, team), ());
        Ok(if self.commit_all(transaction).await? { Proved::Done } else { Proved::Moved })
    }

    /// Takes a team that somebody else has proved off its former holder's profile, and notes it there, also a second time.
    /// `false`: that is done.
    pub async fn lose_team(&self, loser: &UserId, team: TeamOf) -> Result<bool, StoreError> {
        let update = Update::of(profile_key(loser))
            .remove("fplId")
            .remove("teamName")
            .only_if(is("fplId", team.fpl_id))
            .only_if(is("season", team.season));
        let mut transaction = Transaction::new();
        transaction.update(update, ()).put(Put::over(lost_key(loser, team).item(&team)), ());
        self.commit_all(transaction).await
    }

    /// The teams that a player has proved, of every season.
    pub async fn proved_teams(&self, player: &UserId) -> Result<Vec<TeamOf>, StoreError> {
        self.all("proved team", &partition(player), "PROVED#").await
    }

    /// The teams that others have proved since this player had them, of every season.
    pub async fn lost_teams(&self, player: &UserId) -> Result<Vec<TeamOf>, StoreError> {
        self.all("lost team", &partition(player), "LOST#").await
    }

    /// The leagues whose prizes an admin has released to a player, by their ids.
    pub async fn released_prizes(&self, player: &UserId) -> Result<Vec<String>, StoreError> {
        let released: Vec<Released> = self.all("released prize", &partition(player), RELEASED).await?;
        Ok(released.into_iter().map(|released| released.league).collect())
    }

    /// An admin releases what a player has won in these leagues: it can be withdrawn. `false`: one was released before.
    pub async fn release_prizes(
        &self,
        player: &UserId,
        leagues: &[LeagueId],
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        for league in leagues {
            let key = Key::new(partition(player), format!("{RELEASED}{league}"));
            transaction.put(Put::new(key.item(&Released { league: league.to_string() })), ());
        }
        transaction.put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// For the transaction that enters: the team is its player's, and was in no entry of that gameweek; from
    /// now on it is.
    pub(crate) fn enters_with_team(&self, entry: &Entry) -> Update {
        Update::of(team_key(entry.gameweek.season, entry.fpl_id))
            .set("lastEntered", entry.gameweek.to_string())
            .only_if(is("userId", &entry.user_id))
            .only_if(absent("releasedAt"))
            .only_if(not_in(entry.gameweek))
    }

    /// A team's claim, where nobody has it, or whoever had it has given it up.
    pub(crate) fn new_claim(&self, season: u16, fpl_id: FplId, claim: &TeamClaim, at: Timestamp) -> Put {
        let item = found_by(&by_team(season, fpl_id), team_key(season, fpl_id).item(claim));
        let free = exists("releasedAt").and(due(BARRED_UNTIL, at).or(is("userId", &claim.user_id)));
        Put::over(item).only_if(absent("pk").or(free))
    }
}

/// The condition on a team's claim that the team was in no entry of that gameweek.
pub(crate) fn not_in(gameweek: GameweekId) -> Condition {
    absent("lastEntered").or(is_not("lastEntered", gameweek.to_string()))
}

fn proof(player: &UserId, team: TeamOf) -> Put {
    Put::over(proved_key(player, team).item(&team))
}

/// A claim that was read as `held` becomes `player`'s, and proved. What was entered with the team stays
/// noted on it.
fn taken_over(team: TeamOf, held: &TeamHolder, player: &UserId, at: Timestamp) -> Update {
    let update = Update::of(team_key(team.season, team.fpl_id))
        .set("provedAt", at)
        .only_if(is("userId", &held.by))
        .only_if(absent("provedAt"))
        .only_if(absent("releasedAt"));
    if held.by == *player {
        return update;
    }
    update
        .set("userId", player)
        .set("takenFrom", &held.by)
        .remove("ttl")
        .remove(BARRED_UNTIL)
        .only_if(due(BARRED_UNTIL, at))
}
