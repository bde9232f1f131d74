//! Sign-up (spec §2, §4): an account with an empty wallet, and the player's team with it.

use std::net::IpAddr;

use domain::{
    Email, FplId, Password, Role, UserId, Username,
    accounts::{notifications::Language, stopping::Restraints, terms::Agreement},
};
use store::{
    accounts::{players::Player, sign_up::SignedUp},
    random_id,
    teams::proofs::{TeamHolder, TeamOf},
};

use crate::{
    App,
    accounts::passwords,
    influencers,
    platform::{
        flow::{Flow, FlowError},
        limits,
        security_log::{SecurityEntry, SecurityEvent},
    },
    teams::link::{self, LinkError},
};

/// Who wants an account.
pub struct NewAccount<'a> {
    pub email: Email,
    pub username: Username,
    pub password: Password,
    pub fpl_id: FplId,
    /// Where the team is linked to another account, this one is made without a team, which is proved or linked after.
    pub prove_team: bool,
    /// A link's code, as it was sent; one that nobody has is ignored.
    pub referral: &'a str,
    /// In which they are written to.
    pub language: Language,
    /// The terms that they agree to.
    pub terms: Option<Agreement>,
}

/// Makes an account, unless the email, the username or the team are somebody's.
pub async fn sign_up(app: &App, new: NewAccount<'_>, address: Option<IpAddr>) -> Flow<SignedUp, LinkError> {
    limits::sign_up(app, address).await.map_err(FlowError::within)?;
    let team_name = link::name_or_trust(app, new.fpl_id).await.map_err(LinkError::from)?;
    let referral = influencers::came_by(app, new.referral).await?;
    let season = app.season().await?.ok_or(LinkError::NoSeason)?;
    let team = TeamOf { season, fpl_id: new.fpl_id };
    let id = UserId::parse(&random_id()).expect("random ids are 32 hex digits");
    let now = app.clock().now();
    let is_taken = |held: TeamHolder| !held.released || held.is_barred(&id, now);
    let without_team = new.prove_team && app.store().team_last_held(team).await?.is_some_and(is_taken);
    let player = Player {
        id,
        email: new.email,
        username: new.username,
        fpl_id: (!without_team).then_some(new.fpl_id),
        team_name: team_name.filter(|_| !without_team),
        season,
        role: Role::Player,
        suspended: false,
        frozen: false,
        referral,
        created_at: now,
        password_reset_at: None,
        password_resets: 0,
        account: None,
        closed_at: None,
        closed_version: None,
        erasing_at: None,
        totp: false,
        restraints: Restraints::default(),
        terms: new.terms.into_iter().collect(),
    };
    let hash = passwords::hash(app, new.password).await?;
    let made = app.store().create_player(&player, &hash, new.language).await?;
    if made == SignedUp::Made {
        let line = SecurityEntry::new(SecurityEvent::SignedUp).of(&player.id).email(player.email.as_str());
        app.log_security(line.from(address)).await;
    }
    Ok(made)
}
