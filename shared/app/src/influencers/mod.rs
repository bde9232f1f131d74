//! Influencers and their links (spec §1, §2 "/ref/{code}", §7): who has which code, and what came of it. Players have
//! links of their own (`invitations`).

pub mod invitations;

use domain::{
    UserId,
    influencers::{InfluencerError, InfluencerName, ReferralCode},
};
use store::{
    Page, StoreError,
    accounts::players::Player,
    admin::audit::{AuditAction, AuditRecord, Who},
    influencers::{Influencer, Reach},
    platform::concurrency,
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

/// Influencers on one page: what came of each is counted.
const PAGE: i32 = 20;

impl Refusal for InfluencerError {}

/// Makes an influencer with a code of their own.
pub async fn create(app: &App, admin: &Player, name: InfluencerName) -> Flow<Influencer, InfluencerError> {
    let on = format!("influencer {name}");
    let act = AuditRecord::new(Who::admin(admin), AuditAction::CreateInfluencer, on, app.clock().now());
    let made = app.store().create_influencer(name, &act).await?.ok_or(InfluencerError::Taken)?;
    tracing::info!(admin = %admin.id, code = %made.code, "influencer");
    Ok(made)
}

/// The influencer whose code this is.
async fn known(app: &App, code: &str) -> Result<Option<Influencer>, StoreError> {
    match ReferralCode::parse(code) {
        Some(code) => app.store().influencer(&code).await,
        None => Ok(None),
    }
}

/// The code of a link that somebody has, an influencer or a player who invites, with the player.
async fn linked(app: &App, code: &str) -> Result<Option<(ReferralCode, Option<UserId>)>, AppError> {
    let Some(code) = ReferralCode::parse(code) else { return Ok(None) };
    if app.store().influencer(&code).await?.is_some() {
        return Ok(Some((code, None)));
    }
    let inviter = invitations::inviter(app, &code).await?;
    Ok(inviter.map(|inviter| (code, Some(inviter))))
}

/// The code by which somebody signs up, where it is that of a link.
pub async fn came_by(app: &App, code: &str) -> Result<Option<ReferralCode>, AppError> {
    Ok(linked(app, code).await?.map(|(code, _)| code))
}

/// Counts a visit by the link of a code that somebody has; who follows their own is no visitor.
pub async fn follow_referral(
    app: &App,
    code: &str,
    visitor: Option<&UserId>,
) -> Result<Option<ReferralCode>, AppError> {
    let Some((code, inviter)) = linked(app, code).await? else { return Ok(None) };
    if inviter.is_none() || inviter.as_ref() != visitor {
        app.store().count_visit(&code).await?;
    }
    Ok(Some(code))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("That is not a cursor of this list.")]
pub struct NotACursor;

impl Refusal for NotACursor {}

/// The influencers in order of their names, with what came of each link. The cursor is the last one's code.
pub async fn page(app: &App, cursor: Option<&str>) -> Flow<Page<(Influencer, Reach)>, NotACursor> {
    let after = match cursor {
        None => None,
        Some(code) => Some(known(app, code).await?.ok_or(NotACursor)?.name),
    };
    let page = app.store().influencers(after.as_ref(), PAGE).await?;
    let cursor = page.cursor.and_then(|_| page.items.last().map(|last| last.code.to_string()));
    let items = concurrency::try_map(page.items, |influencer| {
        let app = app.clone();
        async move {
            let reach = app.store().reach(&influencer.code).await?;
            Ok::<_, StoreError>((influencer, reach))
        }
    });
    Ok(Page { items: items.await?, cursor })
}
