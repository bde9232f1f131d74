//! The operator's commands: what no request can do.

use domain::{Email, Password, Role, UserId, Username};
use store::{
    audit::{Act, What, Who},
    players::Player,
    random_id,
};

use crate::{App, AppError, passwords};

/// Why there is no admin.
#[derive(Debug, thiserror::Error)]
pub enum EnsureError {
    #[error("ADMIN_EMAIL: {0}")]
    Email(domain::account::AccountError),
    #[error("ADMIN_PASSWORD: {0}")]
    Password(domain::account::AccountError),
    #[error(transparent)]
    App(#[from] AppError),
}

/// Makes sure that `email` is an admin's account: makes it where there is none, gives it the role
/// and, where one is given, the password. Answers the password where this made it up or was given it.
///
/// # Errors
/// Email or password are not in order, or the table does not answer.
pub async fn ensure(app: &App, email: &str, password: Option<&str>) -> Result<Option<String>, EnsureError> {
    let email = Email::parse(email).map_err(EnsureError::Email)?;
    let given = password.map(|text| Password::parse(text).map_err(EnsureError::Password)).transpose()?;
    let found = app.store().player_by_email(&email).await.map_err(AppError::from)?;
    if let Some(player) = found {
        make_admin(app, &player).await?;
        let Some(given) = given else { return Ok(None) };
        let hash = passwords::hash(given).await?;
        app.store().set_password_hash(&player.id, &hash).await.map_err(AppError::from)?;
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
    Email(domain::account::AccountError),
    #[error("there is no account of this email: sign up first")]
    NoAccount,
    #[error(transparent)]
    App(#[from] AppError),
}

/// Gives the account of `email` the admin's role.
///
/// # Errors
/// There is no such account, or the table does not answer.
pub async fn grant(app: &App, email: &str) -> Result<(), GrantError> {
    let email = Email::parse(email).map_err(GrantError::Email)?;
    let found = app.store().player_by_email(&email).await.map_err(AppError::from)?;
    let player = found.ok_or(GrantError::NoAccount)?;
    make_admin(app, &player).await?;
    Ok(())
}

/// One who is an admin already stays one, and nothing is recorded.
async fn make_admin(app: &App, player: &Player) -> Result<(), AppError> {
    let act = granting(app, &player.id).from_to("player", "admin");
    app.store().set_role(&player.id, Role::Admin, &act).await?;
    Ok(())
}

fn granting(app: &App, id: &UserId) -> Act {
    Act::new(Who::Operator, What::GrantAdmin, format!("player {id}"), app.clock().now()).of(id)
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
        totp: false,
    };
    let hash = passwords::hash(password).await?;
    let act = granting(app, &player.id).to("admin");
    match app.store().create_admin(&player, &hash, &act).await? {
        Ok(()) => Ok(()),
        Err(taken) => Err(AppError::Internal(format!("the admin's account: {taken:?} taken"))),
    }
}
