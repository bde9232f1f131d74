//! Players: `USER#id/PROFILE`, their password's hash apart from it (`SECRET`), their empty wallet,
//! and a claim each on what is unique: `EMAIL#…`, `NAME#…`, `FPL#season#…`, `ACCOUNT#…`.

use crate::payments::paybill_accounts::ACCOUNT_TRIES;
use aws_sdk_dynamodb::types::Update;

use crate::admin::directory::By;
use crate::admin::directory::found_by;
use domain::{Email, FplId, PaybillAccount, Role, UserId, Username, influencers::ReferralCode};
use jiff::Timestamp;

use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets,
    platform::{
        table::{Key, n, s},
        transaction::{Outcome, Transaction},
    },
};

/// An account. `fpl_id` is `None` for who has no team: an admin, or who has to prove or link one yet. A team is one
/// season's.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    pub id: UserId,
    pub email: Email,
    pub username: Username,
    pub fpl_id: Option<FplId>,
    /// The team's name, as the official game told it. `None`: the team was not found there yet,
    /// because the game did not answer; it is asked before the first entry.
    #[serde(default)]
    pub team_name: Option<String>,
    /// The season that `fpl_id` belongs to.
    pub season: u16,
    pub role: Role,
    #[serde(default)]
    pub suspended: bool,
    /// Nobody logs in, and nothing is entered or paid out; credits, refunds and prizes still book.
    #[serde(default)]
    pub frozen: bool,
    /// The influencer's code that the player came by.
    #[serde(default)]
    pub referral: Option<ReferralCode>,
    pub created_at: Timestamp,
    /// When a forgotten password was last replaced.
    #[serde(default)]
    pub password_reset_at: Option<Timestamp>,
    /// How often that was, or an admin has ended every session: one stands only as long as this is what it
    /// began with.
    #[serde(default)]
    pub password_resets: u32,
    /// Whether a log-in asks for a code of an authenticator app.
    #[serde(default)]
    pub totp: bool,
    /// At the paybill. `None` before the account is made, and of one from before there were any:
    /// [`Store::paybill_account`] gives it one.
    #[serde(default)]
    pub account: Option<PaybillAccount>,
}

/// What is unique about an account and already somebody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Email,
    Username,
    FplId,
    /// Picked at random: picked again.
    Account,
}

/// What became of linking a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    Written,
    /// Another account has this team in this season.
    Taken,
    /// The account has a team of this season.
    AlreadyLinked,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Claim {
    pub(crate) user_id: UserId,
    /// A team that its player has given up: whoever comes next may take it.
    #[serde(default)]
    pub(crate) released_at: Option<Timestamp>,
    /// A team whose player has shown that they manage it: nobody else can take it.
    #[serde(default)]
    pub(crate) proved_at: Option<Timestamp>,
    /// Who had it without proof before that.
    #[serde(default)]
    pub(crate) taken_from: Option<UserId>,
    /// The gameweek that was last entered with it: one team makes one entry in each.
    #[serde(default)]
    pub(crate) last_entered: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Secret {
    pub password_hash: String,
}

pub(crate) fn partition(id: &UserId) -> String {
    format!("USER#{id}")
}

pub(crate) fn profile_key(id: &UserId) -> Key {
    Key::new(partition(id), "PROFILE")
}

pub(crate) fn secret_key(id: &UserId) -> Key {
    Key::new(partition(id), "SECRET")
}

fn email_key(email: &Email) -> Key {
    Key::new(format!("EMAIL#{}", email.key()), "CLAIM")
}

fn name_key(username: &Username) -> Key {
    Key::new(format!("NAME#{}", username.key()), "CLAIM")
}

pub(crate) fn team_key(season: u16, fpl_id: FplId) -> Key {
    Key::new(format!("FPL#{season}#{fpl_id}"), "CLAIM")
}

impl Store {
    /// Makes an account with an empty wallet and an account at the paybill, all or nothing. The inner error says
    /// what was taken.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn create_player(
        &self,
        player: &Player,
        password_hash: &str,
    ) -> Result<Result<(), Vec<Taken>>, StoreError> {
        self.create(player, password_hash, None).await
    }

    /// As [`Store::create_player`], for an account that is an admin's from the beginning.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn create_admin(
        &self,
        player: &Player,
        password_hash: &str,
        act: &AuditRecord,
    ) -> Result<Result<(), Vec<Taken>>, StoreError> {
        self.create(player, password_hash, Some(act)).await
    }

    async fn create(
        &self,
        player: &Player,
        password_hash: &str,
        act: Option<&AuditRecord>,
    ) -> Result<Result<(), Vec<Taken>>, StoreError> {
        for _ in 0..ACCOUNT_TRIES {
            let account = crate::payments::paybill_accounts::picked();
            let player = Player { account: Some(account), ..player.clone() };
            let mut creation = self.creation(&player, password_hash);
            creation.put(self.account_claim(account, &player.id), Some(Taken::Account));
            if let Some(act) = act {
                creation.put(self.recorded(act), None).put(self.adminship(&player.id, act.at), None);
            }
            match self.commit(creation).await?.into_taken() {
                Err(taken) if taken == [Taken::Account] => {}
                Err(taken) => {
                    return Ok(Err(taken.into_iter().filter(|taken| *taken != Taken::Account).collect()));
                }
                Ok(()) => return Ok(Ok(())),
            }
        }
        Err(StoreError::Contended("the accounts at the paybill"))
    }

    fn creation(&self, player: &Player, password_hash: &str) -> Transaction<Option<Taken>> {
        let claim = Claim::of(&player.id);
        let (email, name) = (By::Email(player.email.key()), By::Name(player.username.key()));
        let email = found_by(&email, email_key(&player.email).item(&claim));
        let name = found_by(&name, name_key(&player.username).item(&claim));
        let secret = Secret { password_hash: password_hash.to_owned() };
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_put(email), Some(Taken::Email))
            .put(self.new_put(name), Some(Taken::Username))
            .put(self.new_put(profile_key(&player.id).item(player)), None)
            .put(self.new_put(secret_key(&player.id).item(&secret)), None)
            .put(self.new_put(wallets::empty(&player.id)), None);
        if let Some(code) = &player.referral {
            transaction.put(self.signed_up_by(code, &player.id, player.created_at), None);
        }
        if let Some(fpl_id) = player.fpl_id {
            let put = self.new_claim(player.season, fpl_id, &claim);
            transaction.put(put, Some(Taken::FplId));
        }
        transaction
    }

    /// # Errors
    /// The table is not answering.
    pub async fn player(&self, id: &UserId) -> Result<Option<Player>, StoreError> {
        self.get("player", profile_key(id)).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn player_by_email(&self, email: &Email) -> Result<Option<Player>, StoreError> {
        match self.get::<Claim>("email claim", email_key(email)).await? {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    /// The player whose team `fpl_id` is in `season`.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn player_by_team(&self, season: u16, fpl_id: FplId) -> Result<Option<Player>, StoreError> {
        let claim = self.get::<Claim>("team claim", team_key(season, fpl_id)).await?;
        match claim.filter(|claim| claim.released_at.is_none()) {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    /// The argon2 hash, in PHC form.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn password_hash(&self, id: &UserId) -> Result<Option<String>, StoreError> {
        Ok(self.get::<Secret>("secret", secret_key(id)).await?.map(|secret| secret.password_hash))
    }

    /// # Errors
    /// The table is not answering.
    pub async fn set_password_hash(&self, id: &UserId, password_hash: &str) -> Result<(), StoreError> {
        self.put(secret_key(id).item(&Secret { password_hash: password_hash.to_owned() })).await
    }

    /// Makes `fpl_id` the player's team in `season`: claim and profile, in one transaction. Claims of
    /// other seasons stay. `name` is the official game's, where it told one.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn link_team(
        &self,
        id: &UserId,
        season: u16,
        fpl_id: FplId,
        name: Option<&str>,
    ) -> Result<Linked, StoreError> {
        let claim = Claim::of(id);
        let linked = Update::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(id).attributes()))
            .update_expression(match name {
                Some(_) => "SET fplId = :team, season = :season, teamName = :name",
                None => "SET fplId = :team, season = :season REMOVE teamName",
            })
            .condition_expression(
                "attribute_exists(pk) AND (season < :season OR attribute_not_exists(fplId))",
            )
            .expression_attribute_values(":team", n(fpl_id.get()))
            .expression_attribute_values(":season", n(season));
        let linked = match name {
            Some(name) => linked.expression_attribute_values(":name", s(name)),
            None => linked,
        };
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_claim(season, fpl_id, &claim), Linked::Taken)
            .update(linked.build().expect("table, key and expression are given"), Linked::AlreadyLinked);
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Linked::Written,
            Outcome::Refused(why) if why.contains(&Linked::AlreadyLinked) => Linked::AlreadyLinked,
            Outcome::Refused(_) => Linked::Taken,
        })
    }

    /// Keeps the name that the official game has for the player's team.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn keep_team_name(&self, id: &UserId, name: &str) -> Result<(), StoreError> {
        self.client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(profile_key(id).attributes()))
            .update_expression("SET teamName = :name")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":name", s(name))
            .send()
            .await?;
        Ok(())
    }
}

impl Outcome<Option<Taken>> {
    fn into_taken(self) -> Result<(), Vec<Taken>> {
        match self {
            Self::Written => Ok(()),
            Self::Refused(taken) => Err(taken.into_iter().flatten().collect()),
        }
    }
}
