//! What is done to an account by hand: each act one transaction with its record.

use domain::{FplId, GameweekId, Role, UserId};

use crate::{
    Store, StoreError,
    accounts::{
        keys::profile_key,
        players::{Player, TeamClaim, team_key},
    },
    admin::{
        audit::AuditRecord,
        outsiders::{Outsider, kept_out},
    },
    entries::{Entry, entry_key},
    ledger::wallets::{self, AGE_PROOF_WANTED},
    platform::{
        conditions::{absent, exists, is, is_not_so},
        transaction::{Outcome, Transaction},
        writes::{Check, Update},
    },
    teams::proofs::not_in,
};

/// What became of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrected {
    Done,
    /// Another account has this team in this season.
    Taken,
    /// The account, or its entry, is not as it was read, or the entry is in a draw's list.
    Moved,
    /// Its team is in an entry of the open gameweek, and the entry that was read is none.
    Entered,
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
    pub async fn set_suspended(
        &self,
        id: &UserId,
        suspended: bool,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::of(profile_key(id));
        let update = if suspended {
            update.set("suspended", true).only_if(exists("pk")).only_if(is_not_so("suspended"))
        } else {
            update.remove("suspended").only_if(is("suspended", true))
        };
        self.act_with_mark(act, update, id, ("suspended", suspended)).await
    }

    /// Freezes an account, or ends that. Freezing ends every session for good. `false`: it is so already.
    pub async fn set_frozen(&self, id: &UserId, frozen: bool, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = Update::of(profile_key(id));
        let update = if frozen {
            update
                .set("frozen", true)
                .add("passwordResets", 1)
                .only_if(exists("pk"))
                .only_if(is_not_so("frozen"))
        } else {
            update.remove("frozen").only_if(is("frozen", true))
        };
        self.act_with_mark(act, update, id, ("frozen", frozen)).await
    }

    /// Asks a player for a proof of age, or ends that. `false`: it is so already.
    pub async fn set_age_proof_wanted(
        &self,
        id: &UserId,
        wanted: bool,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::of(profile_key(id));
        let update = if wanted {
            update.set(AGE_PROOF_WANTED, true).only_if(exists("pk")).only_if(is_not_so(AGE_PROOF_WANTED))
        } else {
            update.set(AGE_PROOF_WANTED, false).only_if(is(AGE_PROOF_WANTED, true))
        };
        self.act_with_mark(act, update, id, (AGE_PROOF_WANTED, wanted)).await
    }

    /// Does `update` to an account, and puts the same mark on its wallet or takes it off: what moves the wallet's money
    /// out needs no look at the account then.
    async fn act_with_mark(
        &self,
        act: &AuditRecord,
        update: Update,
        id: &UserId,
        (mark, on): (&str, bool),
    ) -> Result<bool, StoreError> {
        let wallet = Update::of(wallets::key(id)).only_if(exists("pk"));
        let wallet = if on { wallet.set(mark, true) } else { wallet.remove(mark) };
        let mut transaction = Transaction::new();
        transaction.update(update, ()).update(wallet, ()).put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// For the transaction that moves an account's money out: it is not frozen.
    pub(crate) fn not_frozen(&self, id: &UserId) -> Check {
        Check::that(profile_key(id), is_not_so("frozen"))
    }

    /// For the transaction of an admin's act: they may act as one, as [`Player::is_admin`] has it.
    pub(super) fn may_act(&self, id: &UserId) -> Check {
        let allowed = is_not_so("frozen").and(is_not_so("suspended"));
        Check::that(profile_key(id), is("role", Role::Admin).and(allowed))
    }

    /// Ends every session of an account: a session stands only with the count that it began with.
    ///
    /// # Errors
    /// The table is not answering, or there is no such account.
    pub async fn end_all_sessions(&self, id: &UserId, act: &AuditRecord) -> Result<(), StoreError> {
        let update = Update::of(profile_key(id)).add("passwordResets", 1).only_if(exists("pk"));
        if self.act(act, update).await? {
            Ok(())
        } else {
            Err(StoreError::Refused(format!("there is no player {id}")))
        }
    }

    /// Puts `team` in the place of the one that `player` has: claims, profile and, where the player has
    /// entered a gameweek that is still open, that entry, as long as its draw's list is not fixed. The team that
    /// it had this season is free again. `open` is the gameweek that was open when `entry` was read: a player who has entered
    /// it since is read again, for a team that is free and in an entry could be entered twice. `outsider` is the admin who does
    /// it, where there is an entry.
    pub async fn correct_team(
        &self,
        player: &Player,
        team: NewTeam<'_>,
        (open, entry): (Option<GameweekId>, Option<&Entry>),
        act: &AuditRecord,
        outsider: Option<&Outsider>,
    ) -> Result<Corrected, StoreError> {
        let claim = TeamClaim::of(&player.id).entered(entry.map(|entry| entry.gameweek));
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_claim(team.season, team.fpl_id, &claim, act.at), Corrected::Taken)
            .update(corrected(player, team), Corrected::Moved)
            .put(self.recorded(act), Corrected::Moved);
        if let Some(outsider) = outsider {
            transaction.update(kept_out(outsider), Corrected::Moved);
        }
        if let Some(held) = player.fpl_id.filter(|_| player.season == team.season) {
            let released = Update::of(team_key(team.season, held))
                .set("releasedAt", act.at)
                .off_worklist()
                .only_if(is("userId", &player.id));
            let released = match (open, entry) {
                (Some(open), None) => released.only_if(not_in(open)),
                _ => released,
            };
            transaction.update(released, Corrected::Entered);
        }
        if let Some(entry) = entry {
            let update = Update::of(entry_key(entry))
                .set("fplId", team.fpl_id)
                .set("teamName", team.name)
                .only_if(exists("pk"));
            // One that is listed stays as it is listed.
            transaction
                .update(update, Corrected::Moved)
                .check(self.list_is_open(entry.gameweek, entry.amount), Corrected::Moved);
        }
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Corrected::Done,
            Outcome::Refused(why) if why.contains(&Corrected::Taken) => Corrected::Taken,
            Outcome::Refused(why) if why == [Corrected::Entered] && entry.is_none() => Corrected::Entered,
            Outcome::Refused(_) => Corrected::Moved,
        })
    }
}

fn corrected(player: &Player, team: NewTeam<'_>) -> Update {
    Update::of(profile_key(&player.id))
        .set("fplId", team.fpl_id)
        .set("season", team.season)
        .set("teamName", team.name)
        // A claim that is made for an account that is going would be left behind.
        .only_if(absent("erasingAt"))
        .only_if(is("season", player.season))
        .only_if(match player.fpl_id {
            Some(held) => is("fplId", held),
            None => absent("fplId"),
        })
}
