//! What is done to an account by hand: each act one transaction with its record.

use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, Update, builders::UpdateBuilder};
use domain::{FplId, UserId};

use crate::accounts::players::{Claim, Player, profile_key, team_key};
use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    entries::{Entry, entry_key},
    platform::{
        table::{Key, n, s},
        transaction::{Outcome, Transaction},
    },
};

/// What became of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrected {
    Done,
    /// Another account has this team in this season.
    Taken,
    /// The account, or its entry, is not as it was read, or the entry is in a draw's list.
    Moved,
}

/// The team that takes the place of another.
#[derive(Debug, Clone, Copy)]
pub struct NewTeam<'a> {
    pub season: u16,
    pub fpl_id: FplId,
    /// As the official game has it.
    pub name: &'a str,
}

impl Store {
    /// Suspends an account, or ends that. `false`: it is so already.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_suspended(
        &self,
        id: &UserId,
        suspended: bool,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = self.profile_update(id).expression_attribute_values(":true", AttributeValue::Bool(true));
        let update = if suspended {
            update.update_expression("SET suspended = :true").condition_expression(
                "attribute_exists(pk) AND (attribute_not_exists(suspended) OR suspended <> :true)",
            )
        } else {
            update.update_expression("REMOVE suspended").condition_expression("suspended = :true")
        };
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// Freezes an account, or ends that. Freezing ends every session for good. `false`: it is so already.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_frozen(&self, id: &UserId, frozen: bool, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = self.profile_update(id).expression_attribute_values(":true", AttributeValue::Bool(true));
        let update = if frozen {
            update
                .update_expression("SET frozen = :true ADD passwordResets :one")
                .condition_expression(
                    "attribute_exists(pk) AND (attribute_not_exists(frozen) OR frozen <> :true)",
                )
                .expression_attribute_values(":one", n(1))
        } else {
            update.update_expression("REMOVE frozen").condition_expression("frozen = :true")
        };
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// For the transaction that moves an account's money out: it is not frozen.
    pub(crate) fn not_frozen(&self, id: &UserId) -> ConditionCheck {
        ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(id).attributes()))
            .condition_expression("attribute_not_exists(frozen) OR frozen <> :true")
            .expression_attribute_values(":true", AttributeValue::Bool(true))
            .build()
            .expect("table, key and condition are given")
    }

    /// For the transaction that enters: the account is neither frozen nor suspended. (That the team is its
    /// own stands on the team's claim.)
    pub(crate) fn may_enter(&self, entry: &Entry) -> ConditionCheck {
        let not = |what: &str| format!("(attribute_not_exists({what}) OR {what} <> :true)");
        let allowed = [not("frozen"), not("suspended")].join(" AND ");
        ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(&entry.user_id).attributes()))
            .condition_expression(format!("attribute_exists(pk) AND {allowed}"))
            .expression_attribute_values(":true", AttributeValue::Bool(true))
            .build()
            .expect("table, key and condition are given")
    }

    /// Ends every session of an account: a session stands only with the count that it began with.
    ///
    /// # Errors
    /// The table is not answering, or there is no such account.
    pub async fn end_all_sessions(&self, id: &UserId, act: &AuditRecord) -> Result<(), StoreError> {
        let update = self
            .profile_update(id)
            .update_expression("ADD passwordResets :one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", n(1));
        if self.act(act, update.build().expect("table, key and expression are given")).await? {
            Ok(())
        } else {
            Err(StoreError::Refused(format!("there is no player {id}")))
        }
    }

    /// Puts `team` in the place of the one that `player` has: claims, profile and, where the player has
    /// entered a gameweek that is still open, that entry, as long as its draw's list is not fixed. The team that
    /// it had this season is free again.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn correct_team(
        &self,
        player: &Player,
        team: NewTeam<'_>,
        entry: Option<&Entry>,
        act: &AuditRecord,
    ) -> Result<Corrected, StoreError> {
        let claim = Claim::of(&player.id).entered(entry.map(|entry| entry.gameweek));
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_claim(team.season, team.fpl_id, &claim), Corrected::Taken)
            .update(self.corrected(player, team), Corrected::Moved)
            .put(self.recorded(act), Corrected::Moved);
        if let Some(held) = player.fpl_id.filter(|_| player.season == team.season) {
            transaction.update(self.released(team_key(team.season, held), &player.id, act), Corrected::Moved);
        }
        if let Some(entry) = entry {
            let update = Update::builder()
                .table_name(&self.name)
                .set_key(Some(entry_key(entry).attributes()))
                .update_expression("SET fplId = :team, teamName = :name")
                .condition_expression("attribute_exists(pk)")
                .expression_attribute_values(":team", n(team.fpl_id.get()))
                .expression_attribute_values(":name", s(team.name));
            let update = update.build().expect("table, key and expression are given");
            // One that is listed stays as it is listed.
            transaction
                .update(update, Corrected::Moved)
                .check(self.list_is_open(entry.gameweek, entry.amount), Corrected::Moved);
        }
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Corrected::Done,
            Outcome::Refused(why) if why.contains(&Corrected::Taken) => Corrected::Taken,
            Outcome::Refused(_) => Corrected::Moved,
        })
    }

    fn corrected(&self, player: &Player, team: NewTeam<'_>) -> Update {
        let mut update = self
            .profile_update(&player.id)
            .update_expression("SET fplId = :team, season = :season, teamName = :name")
            .expression_attribute_values(":team", n(team.fpl_id.get()))
            .expression_attribute_values(":season", n(team.season))
            .expression_attribute_values(":name", s(team.name))
            .expression_attribute_values(":seen", n(player.season));
        update = match player.fpl_id {
            Some(held) => update
                .condition_expression("season = :seen AND fplId = :held")
                .expression_attribute_values(":held", n(held.get())),
            None => update.condition_expression("season = :seen AND attribute_not_exists(fplId)"),
        };
        update.build().expect("table, key and expression are given")
    }

    /// A claim that is given up: it stays, and whoever comes next may take it.
    fn released(&self, claim: Key, holder: &UserId, act: &AuditRecord) -> Update {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(claim.attributes()))
            .update_expression("SET releasedAt = :at REMOVE listPk, listSk")
            .condition_expression("userId = :holder")
            .expression_attribute_values(":at", s(act.at.to_string()))
            .expression_attribute_values(":holder", s(holder.as_str()))
            .build()
            .expect("table, key and expression are given")
    }

    fn profile_update(&self, id: &UserId) -> UpdateBuilder {
        Update::builder().table_name(&self.name).set_key(Some(profile_key(id).attributes()))
    }
}
