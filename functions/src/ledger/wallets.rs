//! A wallet's balance.

use app::App;
use axum::{
    Json,
    extract::{Path, State},
};
use domain::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    accounts::refusals::no_such_player,
    platform::http::{ApiError, Caller, Refusal},
};

#[derive(Serialize, ToSchema)]
pub struct WalletBalance {
    /// In KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What is owed, in KES: whatever comes in pays it first.
    #[schema(example = 0)]
    owed: i64,
}

/// A wallet's balance: for its owner and for an admin.
#[utoipa::path(get, path = "/api/users/{userId}/wallet", tag = "account", security(("bearer" = [])),
    params(("userId" = String, Path, description = "The player's `_id`", pattern = "^[0-9a-f]{32}$",
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    responses(
        (status = 200, description = "The balance", body = WalletBalance),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn get_wallet(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(user_id): Path<String>,
) -> Result<Json<WalletBalance>, ApiError> {
    if user_id != caller.id.as_str() && !caller.is_admin() {
        return Err(ApiError::forbidden());
    }
    let id = UserId::parse(&user_id).map_err(|_| no_such_player())?;
    if id != caller.id {
        app.store().player(&id).await?.ok_or_else(no_such_player)?;
    }
    let wallet = app.store().wallet(&id).await?;
    Ok(Json(WalletBalance { wallet: wallet.balance.get(), owed: wallet.debt.get() }))
}
