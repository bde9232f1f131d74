//! The operator's commands: what no request can do.

use domain::{Email, Password, Role, UserId, Username, accounts::stopping::Restraints};
use store::{
    accounts::{players::Player, sign_up::SignedUp},
    admin::audit::{AuditAction, AuditRecord, Who},
    random_id,
};

use crate::{
    App, AppError,
    accounts::passwords,
    platform::{
        flow::{Flow, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// Why there is no admin.
#[derive(Debug, thiserror::Error)]
pub enum EnsureError {
    #[error("ADMIN_EMAIL: {0}")]
    Email(domain::accounts::account::AccountError),
    #[error("ADMIN_PASSWORD: {0}")]
    Password(domain::accounts::account::AccountError),
}

impl Refusal for EnsureError {}

/// Makes sure that `email` is an admin's account: makes it where there is none, gives it the role
/// and, where one is given, the password. Answers the password where this made it up or was given it.
pub async fn ensure(app: &App, email: &str, password: Option<&str>) -> Flow<Option<String>, EnsureError> {
    let email = Email::parse(email).map_err(EnsureError::Email)?;
    let given = password.map(|text| Password::parse(text).map_err(EnsureError::Password)).transpose()?;
    let found = app.store().player_by_email(&email).await?;
    if let Some(player) = found {
        make_admin(app, &player).await?;
        let Some(given) = given else { return Ok(None) };
        let hash = passwords::hash(app, given).await?;
        app.store().set_password_hash(&player.id, &hash).await?;
        return Ok(password.map(str::to_owned));
    }
    let shown = password.map_or_else(|| random_id()[..16].to_owned(), str::to_owned);
    let parsed = Password::parse(&shown).map_err(EnsureError::Password)?;
    create(app, email, parsed).await?;
    Ok(Some(shown))
}

/// Why nobody was made an admin.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    #[error(transparent)]
    Email(domain::accounts::account::AccountError),
    #[error("there is no account of this email: sign up first")]
    NoAccount,
}

impl Refusal for GrantError {}

/// Gives the account of `email` the admin's role. All admins are told.
pub async fn grant(app: &App, email: &str) -> Flow<(), GrantError> {
    let player = account_of(app, email).await?;
    Ok(make_admin(app, &player).await?)
}

/// Takes the admin's role from the account of `email`, and ends its sessions' power at once. All admins are told.
pub async fn revoke(app: &App, email: &str) -> Flow<(), GrantError> {
    let player = account_of(app, email).await?;
    let act = by_operator(app, AuditAction::RevokeAdmin, &player.id).from_to("admin", "player");
    tell_later(app, &player, &act).await?;
    if app.store().set_role(&player.id, Role::Player, &act).await? {
        tell_now(app, &player, &act).await;
    }
    Ok(())
}

/// Takes an admin's second factor away whose phone and recovery codes are lost, and ends their sessions. All
/// admins are told.
pub async fn lose_second_factor(app: &App, email: &str) -> Flow<(), GrantError> {
    let player = account_of(app, email).await?;
    let act =
        by_operator(app, AuditAction::RemoveTotp, &player.id).from_to("password and code", "password alone");
    tell_later(app, &player, &act).await?;
    if app.store().lose_second_factor(&player.id, &act).await? {
        tell_now(app, &player, &act).await;
    }
    Ok(())
}

async fn account_of(app: &App, email: &str) -> Flow<Player, GrantError> {
    let email = Email::parse(email).map_err(GrantError::Email)?;
    let found = app.store().player_by_email(&email).await?;
    Ok(found.ok_or(GrantError::NoAccount)?)
}

/// Has all admins told, and whose account it is, should it be done within a minute: dying right after it is done
/// then keeps nobody in the dark.
async fn tell_later(app: &App, player: &Player, act: &AuditRecord) -> Result<(), AppError> {
    app.mail_admins_later(&act.id, act.at).await?;
    app.mail_act_later(&player.id, &act.id, act.at).await
}

/// The same at once, with the messages from before behind it.
async fn tell_now(app: &App, player: &Player, act: &AuditRecord) {
    app.mail_admins_now(&act.id, act.at).await;
    app.mail_act_now(&player.id, &act.id, act.at).await;
    let event = if act.what == AuditAction::RemoveTotp {
        SecurityEvent::SecondFactorRemoved
    } else {
        SecurityEvent::RoleChanged
    };
    app.log_security(SecurityEntry::new(event).of(&player.id)).await;
}

/// One who is an admin already stays one, and nothing is recorded or told.
async fn make_admin(app: &App, player: &Player) -> Result<(), AppError> {
    let act = by_operator(app, AuditAction::GrantAdmin, &player.id).from_to("player", "admin");
    if player.role == Role::Admin {
        // Who was one before it was kept since when may approve a day from now on.
        return Ok(app.store().note_admin(&player.id, act.at).await?);
    }
    tell_later(app, player, &act).await?;
    if app.store().set_role(&player.id, Role::Admin, &act).await? {
        tell_now(app, player, &act).await;
    }
    Ok(())
}

fn by_operator(app: &App, what: AuditAction, id: &UserId) -> AuditRecord {
    AuditRecord::new(Who::Operator, what, format!("player {id}"), app.clock().now()).of(id)
}

async fn create(app: &App, email: Email, password: Password) -> Result<(), AppError> {
    let id = UserId::parse(&random_id()).expect("random ids are 32 hex digits");
    let name = format!("admin-{}", &id.as_str()[..5]);
    let player = Player {
        id,
        email,
        username: Username::parse(&name).expect("eleven plain characters"),
        fpl_id: None,
        team_name: None,
        season: 0,
        role: Role::Admin,
        suspended: false,
        frozen: false,
        referral: None,
        created_at: app.clock().now(),
        password_reset_at: None,
        password_resets: 0,
        account: None,
        closed_at: None,
        closed_version: None,
        erasing_at: None,
        totp: false,
        restraints: Restraints::default(),
        terms: Vec::new(),
    };
    let hash = passwords::hash(app, password).await?;
    let act = by_operator(app, AuditAction::GrantAdmin, &player.id).to("admin");
    // Of the first one there is nobody to tell.
    let others = !app.store().admins().await?.is_empty();
    if others {
        tell_later(app, &player, &act).await?;
    }
    match app.store().create_admin(&player, &hash, &act).await? {
        SignedUp::Made if others => {
            tell_now(app, &player, &act).await;
            Ok(())
        }
        SignedUp::Made => Ok(()),
        SignedUp::Taken(taken) => Err(AppError::Internal(format!("the admin's account: {taken:?} taken"))),
    }
}
