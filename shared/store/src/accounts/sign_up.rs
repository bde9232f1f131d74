//! How an account is made: its profile and hash, an empty wallet, an account at the paybill and the claims on what is
//! unique, all in one transaction.

use domain::accounts::notifications::Language;

use crate::{
    Store, StoreError,
    accounts::{
        keys::{name_key, profile_key, secret_key},
        notifications::Notifications,
        players::{Player, Secret, TeamClaim, email_key},
    },
    admin::{
        audit::AuditRecord,
        directory::{Lookup, found_by},
    },
    ledger::wallets,
    payments::paybill_accounts,
    platform::{
        transaction::{Outcome, Transaction},
        writes::Put,
    },
};

/// What is unique about an account and already somebody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UniqueField {
    Email,
    Username,
    FplId,
    /// Picked at random: picked again.
    Account,
}

/// What became of making an account.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum SignedUp {
    Made,
    /// Nothing is made: of these there is one already.
    Taken(Vec<UniqueField>),
}

impl Store {
    /// Makes an account with an empty wallet and an account at the paybill, that is written to in `language`, all or
    /// nothing.
    pub async fn create_player(
        &self,
        player: &Player,
        password_hash: &str,
        language: Language,
    ) -> Result<SignedUp, StoreError> {
        self.create(player, password_hash, language, None).await
    }

    /// As [`Store::create_player`], for an account that is an admin's from the beginning.
    pub async fn create_admin(
        &self,
        player: &Player,
        password_hash: &str,
        act: &AuditRecord,
    ) -> Result<SignedUp, StoreError> {
        self.create(player, password_hash, Language::default(), Some(act)).await
    }

    async fn create(
        &self,
        player: &Player,
        password_hash: &str,
        language: Language,
        act: Option<&AuditRecord>,
    ) -> Result<SignedUp, StoreError> {
        for _ in 0..paybill_accounts::TRIES {
            let account = paybill_accounts::picked();
            let player = Player { account: Some(account), ..player.clone() };
            let mut creation = self.creation(&player, password_hash);
            // Who has set nothing has no item, and is written to in English.
            if language != Language::default() {
                creation.put(Put::new(Notifications::first(language).item(&player.id)), None);
            }
            creation.put(self.account_claim(account, &player.id), Some(UniqueField::Account));
            if let Some(act) = act {
                creation.put(self.recorded(act), None).put(self.adminship(&player.id, act.at), None);
            }
            let Outcome::Refused(taken) = self.commit(creation).await? else {
                return Ok(SignedUp::Made);
            };
            let mut taken: Vec<UniqueField> = taken.into_iter().flatten().collect();
            if taken != [UniqueField::Account] {
                taken.retain(|taken| *taken != UniqueField::Account);
                return Ok(SignedUp::Taken(taken));
            }
        }
        Err(StoreError::Contended("the accounts at the paybill"))
    }

    fn creation(&self, player: &Player, password_hash: &str) -> Transaction<Option<UniqueField>> {
        let claim = TeamClaim::of(&player.id);
        let (email, name) = (Lookup::Email(player.email.key()), Lookup::Name(player.username.key()));
        let email = found_by(&email, email_key(&player.email).item(&claim));
        let name = found_by(&name, name_key(&player.username).item(&claim));
        let secret = Secret { password_hash: password_hash.to_owned(), reset_at: None };
        let mut transaction = Transaction::new();
        transaction
            .put(Put::new(email), Some(UniqueField::Email))
            .put(Put::new(name), Some(UniqueField::Username))
            .put(Put::new(profile_key(&player.id).item(player)), None)
            .put(Put::new(secret_key(&player.id).item(&secret)), None)
            .put(Put::new(wallets::empty(&player.id)), None);
        if let Some(code) = &player.referral {
            transaction.put(self.signed_up_by(code, &player.id, player.created_at), None);
        }
        if let Some(fpl_id) = player.fpl_id {
            let put = self.new_claim(player.season, fpl_id, &claim, player.created_at);
            transaction.put(put, Some(UniqueField::FplId));
        }
        transaction
    }
}
