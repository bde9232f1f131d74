//! Players: `USER#id/PROFILE`, their password's hash apart from it (`SECRET`), and a claim each on what is unique:
//! `EMAIL#…`, `NAME#…`, `FPL#season#…`, `ACCOUNT#…`. How they are made stands in `sign_up`.

use domain::{
    Email, FplId, GameweekId, PaybillAccount, Role, UserId, Username,
    accounts::{stopping::Restraints, terms::Agreement},
    influencers::ReferralCode,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::keys::{name_key, profile_key, secret_key},
    platform::{
        conditions::{absent, exists, is, less},
        table::Key,
        transaction::{Outcome, Transaction},
        writes::Update,
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
    /// The code of the link that the player came by, an influencer's or another player's.
    #[serde(default)]
    pub referral: Option<ReferralCode>,
    pub created_at: Timestamp,
    /// When a forgotten password was last replaced.
    #[serde(default)]
    pub password_reset_at: Option<Timestamp>,
    /// Raised whenever all sessions end: by a password reset, a freeze, the account's closing, a change of the second
    /// factor or an admin's act. A session is valid only while it carries this number.
    #[serde(default)]
    pub password_resets: u32,
    /// Whether a log-in asks for a code of an authenticator app.
    #[serde(default)]
    pub totp: bool,
    /// At the paybill. `None` before the account is made, and of one from before there were any:
    /// [`Store::paybill_account`] gives it one.
    #[serde(default)]
    pub account: Option<PaybillAccount>,
    /// When its player closed it: nobody logs in, and what is personal goes a week later.
    #[serde(default)]
    pub closed_at: Option<Timestamp>,
    /// The wallet's version at the closing; absent of one that was closed before it was kept.
    #[serde(default)]
    pub closed_version: Option<u64>,
    /// When what is personal began to go: from then on it is not opened again.
    #[serde(default)]
    pub erasing_at: Option<Timestamp>,
    /// The terms that they have agreed to, the latest last; of who has agreed to none, empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Agreement>,
    #[serde(flatten)]
    pub restraints: Restraints,
}

impl Player {
    /// Whether they may act and look as an admin: one whose account was taken over is suspended or frozen before
    /// the role is gone.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin && !self.suspended && !self.frozen
    }
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
pub(crate) struct TeamClaim {
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
    /// Its present or last owner has stopped playing: nobody else may take it until then. In milliseconds since 1970.
    #[serde(default)]
    pub(crate) barred_until: Option<i64>,
}

impl TeamClaim {
    /// Whether it was proved, or entered with.
    pub(crate) fn is_shown(&self) -> bool {
        self.proved_at.is_some() || self.last_entered.is_some()
    }

    pub(crate) fn of(player: &UserId) -> Self {
        Self {
            user_id: player.clone(),
            released_at: None,
            proved_at: None,
            taken_from: None,
            last_entered: None,
            barred_until: None,
        }
    }

    /// With the entry that goes along with the team.
    pub(crate) fn entered(self, gameweek: Option<GameweekId>) -> Self {
        Self { last_entered: gameweek.map(|gameweek| gameweek.to_string()), ..self }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Secret {
    pub password_hash: String,
    /// The player's `password_reset_at`, where a reset has set this password.
    #[serde(default)]
    pub reset_at: Option<Timestamp>,
}

pub(crate) fn email_key(email: &Email) -> Key {
    Key::new(format!("EMAIL#{}", email.key()), "CLAIM")
}

pub(crate) fn team_key(season: u16, fpl_id: FplId) -> Key {
    Key::new(format!("FPL#{season}#{fpl_id}"), "CLAIM")
}

impl Store {
    pub async fn player(&self, id: &UserId) -> Result<Option<Player>, StoreError> {
        self.get("player", profile_key(id)).await
    }

    pub async fn player_by_email(&self, email: &Email) -> Result<Option<Player>, StoreError> {
        match self.get::<TeamClaim>("email claim", email_key(email)).await? {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    pub async fn player_by_name(&self, username: &Username) -> Result<Option<Player>, StoreError> {
        match self.get::<TeamClaim>("name claim", name_key(username)).await? {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    /// The same with the hash of the password.
    pub async fn player_with_password(
        &self,
        email: &Email,
    ) -> Result<Option<(Player, Option<String>)>, StoreError> {
        let Some(claim) = self.get::<TeamClaim>("email claim", email_key(email)).await? else {
            return Ok(None);
        };
        let (player, secret) = tokio::try_join!(self.player(&claim.user_id), self.secret(&claim.user_id))?;
        let Some(player) = player else { return Ok(None) };
        // Of one reset, or the password is read after the account: one of before a reset must not be used with the
        // count of after it.
        let of_one = secret.as_ref().is_none_or(|secret| secret.reset_at == player.password_reset_at);
        let secret = if of_one { secret } else { self.secret(&claim.user_id).await? };
        Ok(Some((player, secret.map(|secret| secret.password_hash))))
    }

    /// The player whose team `fpl_id` is in `season`.
    pub async fn player_by_team(&self, season: u16, fpl_id: FplId) -> Result<Option<Player>, StoreError> {
        let claim = self.get::<TeamClaim>("team claim", team_key(season, fpl_id)).await?;
        match claim.filter(|claim| claim.released_at.is_none()) {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    /// The argon2 hash, in PHC form.
    pub async fn password_hash(&self, id: &UserId) -> Result<Option<String>, StoreError> {
        Ok(self.secret(id).await?.map(|secret| secret.password_hash))
    }

    async fn secret(&self, id: &UserId) -> Result<Option<Secret>, StoreError> {
        self.get("secret", secret_key(id)).await
    }

    pub async fn set_password_hash(&self, id: &UserId, password_hash: &str) -> Result<(), StoreError> {
        let secret = Secret { password_hash: password_hash.to_owned(), reset_at: None };
        self.put(secret_key(id).item(&secret)).await
    }

    /// Makes `fpl_id` the player's team in `season`: claim and profile, in one transaction. Claims of
    /// other seasons stay. `name` is the official game's, where it told one.
    pub async fn link_team(
        &self,
        id: &UserId,
        season: u16,
        fpl_id: FplId,
        name: Option<&str>,
        at: Timestamp,
    ) -> Result<Linked, StoreError> {
        let claim = TeamClaim::of(id);
        let linked = Update::of(profile_key(id))
            .set("fplId", fpl_id)
            .set("season", season)
            .set_or_remove("teamName", name)
            .only_if(exists("pk"))
            .only_if(less("season", season).or(absent("fplId")));
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_claim(season, fpl_id, &claim, at), Linked::Taken)
            .update(linked, Linked::AlreadyLinked);
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Linked::Written,
            Outcome::Refused(why) if why.contains(&Linked::AlreadyLinked) => Linked::AlreadyLinked,
            Outcome::Refused(_) => Linked::Taken,
        })
    }

    /// Keeps what the player has agreed to.
    pub async fn set_terms(&self, id: &UserId, terms: &[Agreement]) -> Result<(), StoreError> {
        if self.update(Update::of(profile_key(id)).set("terms", terms).only_if(exists("pk"))).await? {
            Ok(())
        } else {
            Err(StoreError::Refused(format!("there is no player {id}")))
        }
    }

    /// Keeps the name that the official game has for the player's team. `false`: they have another one by now.
    pub async fn keep_team_name(
        &self,
        id: &UserId,
        (season, fpl_id): (u16, FplId),
        name: &str,
    ) -> Result<bool, StoreError> {
        let named = Update::of(profile_key(id)).set("teamName", name);
        self.update(named.only_if(is("fplId", fpl_id)).only_if(is("season", season))).await
    }
}
