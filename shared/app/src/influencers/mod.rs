//! Influencers and their links (spec §1, §2 "/ref/{code}", §7): who has which code, and what came of it.

use domain::influencers::{InfluencerError, InfluencerName, ReferralCode};
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
pub async fn known(app: &App, code: &str) -> Result<Option<Influencer>, StoreError> {
    match ReferralCode::parse(code) {
        Some(code) => app.store().influencer(&code).await,
        None => Ok(None),
    }
}

/// Counts a visit by the link of a code that somebody has.
pub async fn follow_referral(app: &App, code: &str) -> Result<Option<ReferralCode>, AppError> {
    let Some(influencer) = known(app, code).await? else { return Ok(None) };
    app.store().count_visit(&influencer.code).await?;
    Ok(Some(influencer.code))
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
