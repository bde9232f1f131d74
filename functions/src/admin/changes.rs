//! What an admin changes of a player.

use app::{
    App,
    admin::{
        acts::MoneyAct,
        changes::{self, Change, ChangeError},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::{FplId, Kes, UserId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    admin::{approvals::ProposalItem, players::PlayerItem},
    platform::http::{Actor, ApiError, Body, Lenient, Refusal},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerChange {
    /// Whether the player is kept from entering.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    suspended: Lenient,
    /// Whether everything rests: sessions end, nobody logs in, and nothing is entered or paid out.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    frozen: Lenient,
    /// `true`: the prizes in the wallet can be withdrawn, though their teams are not proved. Weighed like money that
    /// is paid: above what one admin may do alone a second one approves it.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    release_prizes: Lenient,
    /// With `releasePrizes`: what is left of the prizes in all, in KES, as the admin saw it. Where it is another sum by now,
    /// nothing is released.
    #[serde(default)]
    #[schema(value_type = Option<i64>, example = 450)]
    prizes_left: Lenient,
    /// Whether the player has to prove their age before entering or depositing again; `false`: they have.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    age_proof_wanted: Lenient,
    /// The team of this season in the place of the one that is linked.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "118670")]
    fpl_id: Lenient,
    /// `true`: every session ends at once.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    end_sessions: Lenient,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Asked for by the player, by mail.")]
    reason: Lenient,
}

/// Changes one thing of an account: suspends or freezes it or ends that, asks for a proof of age or ends that, corrects its
/// team, or ends its sessions.
/// A team that another account has this season is not given away. An entry into a gameweek that is still open
/// goes with the new team; what was entered before keeps the one that it had. That an admin may act again wants a second
/// admin.
#[utoipa::path(patch, path = "/api/admin/players/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`")), request_body = PlayerChange, responses(
        (status = 200, description = "As the player is now", body = PlayerItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Not one change, no reason, or no such team", body = Refusal),
        (status = 403, description = "Not an admin, one's own account, an entry of one's own in the open gameweek, or a code is wanted \
            first", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
        (status = 409, description = "Another account's team, the player's own already, a payment or an entry stands in the way, nothing \
            to release, or it has changed meanwhile", body = Refusal),
        (status = 503, description = "The official game is not answering, or the season is not known yet", body = Refusal),
    ))]
pub async fn update_player(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<PlayerChange>,
) -> Result<Response, ApiError> {
    let id = UserId::parse(&id).map_err(|_| ChangeError::NoPlayer)?;
    actor.not_own(&id)?;
    let is_admins = changes::check_may_change(&app, actor.in_session(), &id).await?;
    let (asked, reason) = (asked(&form)?, form.reason.reason()?);
    match asked {
        AskedChange::ReleasePrizes(seen) => {
            actor.does(&app, MoneyAct::ReleasePrizes { id: id.to_string(), seen, reason }).await
        }
        AskedChange::Change(change) => {
            if let Some(mark) = change.takes_off().filter(|_| is_admins) {
                return actor.does(&app, MoneyAct::RestoreAdmin { id: id.to_string(), mark, reason }).await;
            }
            let player = changes::change_by_admin(&app, actor.in_session(), &id, change, &reason).await?;
            Ok(Json(PlayerItem::of(player, app.clock().now())).into_response())
        }
    }
}

/// What is asked for.
enum AskedChange {
    Change(Change),
    /// It lets money out: as much as the admin saw, where they say how much that was.
    ReleasePrizes(Option<Kes>),
}

fn asked(form: &PlayerChange) -> Result<AskedChange, ApiError> {
    let suspended = form.suspended.boolean("suspended")?.map(Change::Suspended);
    let frozen = form.frozen.boolean("frozen")?.map(Change::Frozen);
    let release = form.release_prizes.boolean("releasePrizes")?;
    let seen = match form.prizes_left.is_absent() {
        true => None,
        false => Some(
            form.prizes_left
                .integer()
                .map(Kes::new)
                .ok_or_else(|| ApiError::bad_request("prizesLeft is a number of whole shillings."))?,
        ),
    };
    let release = release.filter(|release| *release).map(|_| AskedChange::ReleasePrizes(seen));
    let sessions = form.end_sessions.boolean("endSessions")?;
    let sessions = sessions.filter(|end| *end).map(|_| Change::EndSessions);
    let team = match form.fpl_id.is_absent() {
        true => None,
        false => Some(Change::Team(FplId::parse(form.fpl_id.text())?)),
    };
    let age = form.age_proof_wanted.boolean("ageProofWanted")?.map(Change::AgeProofWanted);
    let changes = [suspended, frozen, sessions, team, age].into_iter().flatten().map(AskedChange::Change);
    let mut asked = changes.chain(release);
    match (asked.next(), asked.next()) {
        (Some(asked), None) => Ok(asked),
        _ => Err(ApiError::bad_request(
            "Say one change: suspended, frozen, fplId, releasePrizes, ageProofWanted or endSessions.",
        )),
    }
}
