//! Proving a team: the challenge `USER#id/CHALLENGE`, what a player has proved `USER#id/PROVED#season#team`
//! and has lost to somebody who proved it `USER#id/LOST#season#team`. The claim itself says whose the team
//! is, and whether that is proved.
//!
//! Taking a team over is two transactions, each of one player's items and the claim: the winner's, which
//! moves the claim; and the loser's, which takes the team off the profile. Between them the loser cannot enter
//! with it: an entry wants the claim.

use aws_sdk_dynamodb::types::{Put, Update};
use domain::{FplId, GameweekId, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::{audit::AuditRecord, directory::found_by},
    entries::Entry,
    platform::{
        table::{Item, Key, n, s},
        transaction::{Outcome, Transaction},
    },
};
use crate::{
    accounts::players::{Claim, Player, partition, profile_key, team_key},
    admin::directory::by_team,
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

/// Whose a team is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub by: UserId,
    pub proved: bool,
    /// Who had it before it was proved.
    pub taken_from: Option<UserId>,
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

fn proved_key(player: &UserId, team: TeamOf) -> Key {
    Key::new(partition(player), format!("PROVED#{}#{}", team.season, team.fpl_id))
}

fn lost_key(player: &UserId, team: TeamOf) -> Key {
    Key::new(partition(player), format!("LOST#{}#{}", team.season, team.fpl_id))
}

impl Store {
    /// Puts `challenge` in the place of the one before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn put_challenge(&self, player: &UserId, challenge: &Challenge) -> Result<(), StoreError> {
        self.put(challenge_key(player).item(challenge)).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn challenge(&self, player: &UserId) -> Result<Option<Challenge>, StoreError> {
        self.get("challenge", challenge_key(player)).await
    }

    /// Whose a team is, where it is somebody's.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn team_held(&self, team: TeamOf) -> Result<Option<Held>, StoreError> {
        let claim: Option<Claim> = self.get("team claim", team_key(team.season, team.fpl_id)).await?;
        let held = |claim: Claim| Held {
            by: claim.user_id,
            proved: claim.proved_at.is_some(),
            taken_from: claim.taken_from,
        };
        Ok(claim.filter(|claim| claim.released_at.is_none()).map(held))
    }

    /// Makes a team `player`'s, proved by `challenge`: from nobody, from the player's own unproved claim, or
    /// from `held`, who has not proved it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn prove_team(
        &self,
        player: &Player,
        challenge: &Challenge,
        held: Option<&Held>,
        at: Timestamp,
    ) -> Result<Proved, StoreError> {
        let team = TeamOf { season: challenge.season, fpl_id: challenge.fpl_id };
        let linked = Update::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(&player.id).attributes()))
            .update_expression("SET fplId = :team, season = :season, teamName = :name")
            .condition_expression(
                "attribute_exists(pk) AND (season < :season OR attribute_not_exists(fplId) OR fplId = :team)",
            )
            .expression_attribute_values(":team", n(team.fpl_id.get()))
            .expression_attribute_values(":season", n(team.season))
            .expression_attribute_values(":name", s(&challenge.team_name))
            .build()
            .expect("table, key and expression are given");
        let used = Update::builder()
            .table_name(&self.name)
            .set_key(Some(challenge_key(&player.id).attributes()))
            .update_expression("SET usedAt = :at")
            .condition_expression("code = :code AND attribute_not_exists(usedAt)")
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":code", s(&challenge.code))
            .build()
            .expect("table, key and expression are given");
        let mut transaction = Transaction::new();
        match held {
            None => {
                let claim = Claim { proved_at: Some(at), ..Claim::of(&player.id) };
                transaction.put(self.new_claim(team.season, team.fpl_id, &claim), ());
            }
            Some(held) => {
                transaction.update(self.taken_over(team, held, &player.id, at), ());
            }
        }
        transaction.update(linked, ()).update(used, ()).put(self.proof(&player.id, team), ());
        let written = self.commit(transaction).await? == Outcome::Written;
        Ok(if written { Proved::Done } else { Proved::Moved })
    }

    fn proof(&self, player: &UserId, team: TeamOf) -> Put {
        let put = Put::builder().table_name(&self.name).set_item(Some(proved_key(player, team).item(&team)));
        put.build().expect("table and item are given")
    }

    /// A claim that was read as `held` becomes `player`'s, and proved. What was entered with the team stays
    /// noted on it.
    fn taken_over(&self, team: TeamOf, held: &Held, player: &UserId, at: Timestamp) -> Update {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(team_key(team.season, team.fpl_id).attributes()))
            .condition_expression(
                "userId = :seen AND attribute_not_exists(provedAt) AND attribute_not_exists(releasedAt)",
            )
            .expression_attribute_values(":seen", s(held.by.as_str()))
            .expression_attribute_values(":at", s(at.to_string()));
        let update = if held.by == *player {
            update.update_expression("SET provedAt = :at")
        } else {
            update
                .update_expression("SET provedAt = :at, userId = :me, takenFrom = :seen")
                .expression_attribute_values(":me", s(player.as_str()))
        };
        update.build().expect("table, key and expression are given")
    }

    /// Takes a team that somebody else has proved off its former holder's profile, and notes it there.
    /// `false`: that is done.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn lose_team(&self, loser: &UserId, team: TeamOf) -> Result<bool, StoreError> {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(loser).attributes()))
            .update_expression("REMOVE fplId, teamName")
            .condition_expression("fplId = :team AND season = :season")
            .expression_attribute_values(":team", n(team.fpl_id.get()))
            .expression_attribute_values(":season", n(team.season))
            .build()
            .expect("table, key and expression are given");
        let mut transaction = Transaction::new();
        transaction.update(update, ()).put(self.new_put(lost_key(loser, team).item(&team)), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// The teams that a player has proved, of every season.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn proved_teams(&self, player: &UserId) -> Result<Vec<TeamOf>, StoreError> {
        self.all("proved team", &partition(player), "PROVED#").await
    }

    /// The teams that others have proved since this player had them, of every season.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn lost_teams(&self, player: &UserId) -> Result<Vec<TeamOf>, StoreError> {
        self.all("lost team", &partition(player), "LOST#").await
    }

    /// An admin takes a player's teams for proved: their prizes can be withdrawn.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn accept_teams(
        &self,
        player: &UserId,
        teams: &[TeamOf],
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        for team in teams {
            transaction.put(self.proof(player, *team), ());
        }
        transaction.put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// For the transaction that enters: the team is its player's, and was in no entry of that gameweek; from
    /// now on it is.
    pub(crate) fn enters_with_team(&self, entry: &Entry) -> Update {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(team_key(entry.gameweek.season, entry.fpl_id).attributes()))
            .update_expression("SET lastEntered = :gameweek")
            .condition_expression(
                "userId = :player AND attribute_not_exists(releasedAt) \
                 AND (attribute_not_exists(lastEntered) OR lastEntered <> :gameweek)",
            )
            .expression_attribute_values(":player", s(entry.user_id.as_str()))
            .expression_attribute_values(":gameweek", s(entry.gameweek.to_string()))
            .build()
            .expect("table, key and expression are given")
    }

    /// A team's claim, where nobody has it, or whoever had it has given it up.
    pub(crate) fn new_claim(&self, season: u16, fpl_id: FplId, claim: &Claim) -> Put {
        let item: Item = found_by(&by_team(season, fpl_id), team_key(season, fpl_id).item(claim));
        Put::builder()
            .table_name(&self.name)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR attribute_exists(releasedAt)")
            .build()
            .expect("table and item are given")
    }
}

impl Claim {
    pub(crate) fn of(player: &UserId) -> Self {
        Self {
            user_id: player.clone(),
            released_at: None,
            proved_at: None,
            taken_from: None,
            last_entered: None,
        }
    }

    /// With the entry that goes along with the team.
    pub(crate) fn entered(self, gameweek: Option<GameweekId>) -> Self {
        Self { last_entered: gameweek.map(|gameweek| gameweek.to_string()), ..self }
    }
}
