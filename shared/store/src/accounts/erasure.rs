//! What is personal of a closed account goes. Of what stays for the books, the draw and the settlements, each item is
//! made nameless in one write; the others are deleted, each only where it is still this player's. Every step can be done
//! twice: what is gone is not there, and what is nameless stays so. The profile goes last.

use domain::{FplId, MpesaPhone, UserId, Username};
use jiff::Timestamp;

use crate::{
    Store, StoreError,
    accounts::{
        keys::{BARRED_UNTIL, name_key, partition, profile_key},
        players::{Player, email_key, team_key},
    },
    admin::audit::{self, AuditAction, AuditRecord},
    entries::{self, Entry, EntryOf},
    leagues::{self, LeagueId},
    payments::{
        self,
        events::{EVENTS, Subject},
    },
    platform::{
        conditions::{Condition, absent, due, exists, is},
        kinds::{AtClosing, kind_of_item},
        table::{Item, Key, text, written},
        writes::Update,
    },
    settlement::record,
    withdrawals,
};

impl Store {
    /// Takes name, salt and team's name from an entry wherever it is kept: itself, the draw's list, the note of one
    /// without a league, its league, and that league's settlement. The list's line stays: `entryId fplId nameHash`.
    /// Answers the team that it was made with, where it is still there.
    pub async fn forget_entry(&self, entry: &EntryOf<'_>) -> Result<Option<FplId>, StoreError> {
        let kept: Vec<Entry> =
            self.entries_named(entry.player, &[(entry.gameweek, entry.amount, entry.id)]).await?;
        for kept in &kept {
            self.forget_at(entries::entry_key(kept), "", exists("pk")).await?;
            self.forget_salt(entries::entry_key(kept), "", exists("pk")).await?;
        }
        self.forget_in_draw(entry).await?;
        if let Some(league) = self.league_of(entry.player, entry.gameweek).await? {
            self.forget_in_league(league, entry.player).await?;
        }
        Ok(kept.first().map(|kept| kept.fpl_id))
    }

    /// Makes what is at `path` of an item nameless, where `condition` holds.
    async fn forget_at(&self, key: Key, path: &str, condition: Condition) -> Result<(), StoreError> {
        let update = Update::of(key)
            .set(&format!("{path}username"), Username::gone())
            .remove(&format!("{path}teamName"))
            .only_if(condition);
        self.update(update).await.map(drop)
    }

    /// The same of what has the salt of the name's hash beside it.
    async fn forget_salt(&self, key: Key, path: &str, condition: Condition) -> Result<(), StoreError> {
        let salt = format!("{path}name.salt");
        let update = Update::of(key).remove(&salt).only_if(condition).only_if(exists(&salt));
        self.update(update).await.map(drop)
    }

    /// In each part of each attempt at the draw's list, and in the note of an entry without a league.
    async fn forget_in_draw(&self, entry: &EntryOf<'_>) -> Result<(), StoreError> {
        for (key, listed) in self.listed_at(entry).await? {
            let path = listed.map(|at| format!("entries[{at}].")).unwrap_or_default();
            let same = || is(&format!("{path}id"), entry.id);
            self.forget_at(key.clone(), &path, same()).await?;
            self.forget_salt(key, &path, same()).await?;
        }
        Ok(())
    }

    async fn forget_in_league(&self, id: LeagueId, player: &UserId) -> Result<(), StoreError> {
        let at = |whose: Option<&UserId>| whose == Some(player);
        if let Some(league) = self.league(id).await?
            && let Some(at) = league.members.iter().position(|member| at(Some(&member.user_id)))
        {
            let path = format!("members[{at}].");
            for key in leagues::keys(id) {
                let same = || is(&format!("{path}userId"), player);
                self.forget_at(key.clone(), &path, same()).await?;
                self.forget_salt(key, &path, same()).await?;
            }
        }
        if let Some(settlement) = self.settlement(id).await?
            && let Some(at) = settlement.ranking.iter().position(|ranked| at(Some(&ranked.user_id)))
        {
            let path = format!("ranking[{at}].");
            self.forget_at(record::key(id), &path, is(&format!("{path}userId"), player)).await?;
        }
        Ok(())
    }

    /// Takes the number from a payment (M-Pesa's id of it ends with it), and what was heard of it.
    pub async fn forget_payment(&self, id: &str) -> Result<(), StoreError> {
        let update = Update::of(payments::prompts::key(id))
            .set("phone", MpesaPhone::gone())
            .remove("account")
            .remove("reason")
            .remove("checkoutRequestId")
            .only_if(exists("pk"));
        self.update(update).await?;
        let closed = Update::of(payments::prompts::key(id)).set("closed.reason", "");
        self.update(closed.only_if(exists("closed"))).await?;
        self.forget_events(Subject::Payment(id)).await
    }

    /// Takes number and names from a withdrawal, and what was heard of it.
    pub async fn forget_withdrawal(&self, id: &str) -> Result<(), StoreError> {
        let update = Update::of(withdrawals::key(id))
            .set("phone", MpesaPhone::gone())
            .set("username", Username::gone())
            .remove("cancelHash")
            .remove("reason")
            .only_if(exists("pk"));
        self.update(update).await?;
        let resolved = Update::of(withdrawals::key(id)).set("payout.resolved.reason", "");
        self.update(resolved.only_if(exists("payout.resolved"))).await?;
        let recipient = Update::of(withdrawals::key(id)).remove("payout.recipient");
        self.update(recipient.only_if(exists("payout.recipient"))).await?;
        self.forget_events(Subject::Withdrawal(id)).await
    }

    /// Takes the player's name and the payer's from a typed code.
    pub async fn forget_typed_code(&self, id: &str) -> Result<(), StoreError> {
        let key = payments::typed_codes::key(id);
        let update =
            Update::of(key.clone()).set("username", Username::gone()).remove("reason").only_if(exists("pk"));
        self.update(update).await?;
        let payer = Update::of(key).remove("known.payerName").remove("known.answered.payer");
        self.update(payer.only_if(exists("known"))).await.map(drop)
    }

    /// Takes the payer from a payment to the paybill.
    pub async fn forget_payer(&self, code: &str) -> Result<(), StoreError> {
        let update = Update::of(payments::paybill::key(code))
            .remove("phone")
            .remove("name")
            .remove("accountReference")
            .only_if(exists("pk"));
        self.update(update).await.map(drop)
    }

    /// Takes what was said to the player beside a movement.
    pub async fn forget_note(&self, player: &UserId, cause: &str) -> Result<(), StoreError> {
        let key = crate::ledger::wallets::posting_key(partition(player), cause);
        self.update(Update::of(key).remove("note").only_if(exists("note"))).await.map(drop)
    }

    /// Removes the reason from the record of an act, and what is personal in its *before* and *after*. The record still
    /// says who did what, on what, when and with how much money.
    pub async fn forget_act(&self, act: &AuditRecord) -> Result<(), StoreError> {
        let update = Update::of(audit::key(act)).remove("reason").only_if(exists("pk"));
        // Of an act on money these are states, amounts and receipts; of these two a team or a number.
        let update = match act.what {
            AuditAction::UpdatePlayer | AuditAction::ReleaseNumber => update.remove("before").remove("after"),
            _ => update,
        };
        self.update(update).await.map(drop)
    }

    async fn forget_events(&self, of: Subject<'_>) -> Result<(), StoreError> {
        for key in self.keys(&of.partition(), EVENTS).await? {
            self.delete(key, None).await?;
        }
        Ok(())
    }

    /// Deletes the claims on what is unique, as far as they are still this player's: the email, the name, the team and
    /// others of other seasons, numbers, and browsers for pushes.
    ///
    /// If the player has stopped playing, nobody else may take the email, the teams and the numbers until the stop is
    /// over; then DynamoDB deletes the claims. The email stays barred only if the account has had money or proved a
    /// team (`is_used`): anybody can sign up with another person's email, and stop.
    pub async fn release_claims(
        &self,
        player: &Player,
        teams: &[(u16, FplId)],
        is_used: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut keys = vec![email_key(&player.email), name_key(&player.username)];
        keys.extend(player.fpl_id.map(|team| team_key(player.season, team)));
        keys.extend(teams.iter().map(|(season, team)| team_key(*season, *team)));
        keys.extend(self.phones_of(&player.id).await?.iter().map(payments::numbers::key));
        let browsers = self.notifications(&player.id).await?.subscriptions;
        keys.extend(browsers.iter().map(|browser| super::notifications::claim_key(&browser.id)));
        for key in keys {
            let own = || is("userId", &player.id);
            if let Some(stopped) = player.restraints.stopped(at) {
                let barred = Update::of(key.clone())
                    .set(BARRED_UNTIL, stopped.until.as_millisecond())
                    .set("ttl", stopped.until.as_second())
                    .only_if(own());
                // What became theirs after they had stopped is theirs as well: a number, a team that was proved. A team
                // that they only named bars nobody, nor does anything that was given up before.
                let shown = match key.pk.split('#').next() {
                    Some("NUMBER") => absent("releasedAt"),
                    Some("EMAIL") if is_used => exists("userId"),
                    _ => absent("releasedAt").and(exists("provedAt").or(exists("lastEntered"))),
                };
                self.update(barred.only_if(exists(BARRED_UNTIL).or(shown))).await?;
            }
            self.delete(key, Some(own().and(due(BARRED_UNTIL, at)))).await?;
        }
        Ok(())
    }

    /// Deletes what is to go of the player's own partition, but for the profile. Answers the keys of items that nobody
    /// has said anything of: they stay.
    pub async fn delete_own_items(&self, player: &UserId) -> Result<Vec<String>, StoreError> {
        let (pk, mut unknown) = (partition(player), Vec::new());
        for key in self.keys(&pk, "").await? {
            match crate::platform::kinds::kind_of(&key.pk, &key.sk) {
                None => unknown.push(key.sk),
                Some(kind) if kind.at_closing == AtClosing::Removed && key != profile_key(player) => {
                    self.delete(key, None).await?;
                }
                Some(_) => {}
            }
        }
        Ok(unknown)
    }

    /// Deletes the profile of an account that is closed: the last of it that is personal.
    pub async fn delete_profile(&self, player: &UserId, closed_at: Timestamp) -> Result<(), StoreError> {
        self.delete(profile_key(player), Some(is("closedAt", closed_at))).await
    }

    async fn keys(&self, pk: &str, prefix: &str) -> Result<Vec<Key>, StoreError> {
        let items = self.all_items(pk, prefix).await?.into_iter();
        Ok(items.filter_map(|item| Some(Key::new(text(&item, "pk")?, text(&item, "sk")?))).collect())
    }

    /// Deletes an item of a kind that may go, where `condition` holds.
    async fn delete(&self, key: Key, condition: Option<Condition>) -> Result<(), StoreError> {
        let keys: Item = key.clone().attributes();
        let goes = kind_of_item(&keys).is_some_and(|kind| kind.at_closing == AtClosing::Removed);
        if !goes {
            return Err(StoreError::Refused(format!("{} {} is not to be deleted", key.pk, key.sk)));
        }
        let mut placeholders = crate::platform::conditions::Placeholders::default();
        let condition = condition.map(|condition| condition.text(&mut placeholders));
        let request = self
            .client
            .delete_item()
            .table_name(&self.name)
            .set_key(Some(keys))
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values());
        written(request.send().await).map(drop)
    }
}
