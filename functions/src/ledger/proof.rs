//! That a player's own balance is in the published sum of all wallets (docs/trust.md).

use app::{App, ledger::reconciliation};
use axum::{Json, extract::State};
use domain::ledger::sum_tree::{PlainNode, Step};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::trust::PublishedRoot;
use crate::platform::http::{ApiError, Caller, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BalanceProof {
    /// When the balance was this: what came later is not in it.
    as_of: Timestamp,
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: String,
    /// In KES.
    #[schema(example = 150)]
    balance: i64,
    /// This player's alone, in this reading alone (hex). Whoever has it can try out balances.
    #[schema(example = "0101010101010101010101010101010101010101010101010101010101010101")]
    nonce: String,
    /// The leaf's place, from 0.
    #[schema(example = 0)]
    position: u64,
    #[schema(example = 137)]
    count: u64,
    /// The leaf (hex).
    #[schema(example = "7d06227cbccfac7e8e06ee41c194614f9096773e5a144e675c6cf7ae1dea4448")]
    leaf: String,
    /// From the leaf up to the root.
    steps: Vec<ProofStep>,
    /// As it is published.
    root: PublishedRoot,
}

#[derive(Serialize, ToSchema)]
pub struct ProofStep {
    /// What lies beside the own node.
    sibling: SumNode,
    /// What both make together.
    above: SumNode,
}

#[derive(Serialize, ToSchema)]
pub struct SumNode {
    /// Hex.
    #[schema(example = "6f849c3eb7fea0bc9e2e5e29ed715bdb5fedb45bb6797649bd50339b9e65d9d1")]
    hash: String,
    /// What the wallets under it come to, in KES.
    #[schema(example = 4350)]
    sum: i64,
}

impl From<PlainNode> for SumNode {
    fn from(node: PlainNode) -> Self {
        Self { hash: hex::encode(node.hash), sum: node.sum.get() }
    }
}

impl From<Step> for ProofStep {
    fn from(step: Step) -> Self {
        Self { sibling: step.sibling.into(), above: step.above.into() }
    }
}

/// The way of the caller's own balance to the root that was published last.
#[utoipa::path(get, path = "/api/me/proof", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "Balance, siblings and root", body = BalanceProof),
    (status = 404, description = "No sum is published yet, or the wallet is younger", body = Refusal),
))]
pub async fn get_proof(
    State(app): State<App>,
    Caller(caller): Caller,
) -> Result<Json<BalanceProof>, ApiError> {
    let found = reconciliation::proof(&app, &caller.id).await?;
    let proof = found.proof;
    Ok(Json(BalanceProof {
        as_of: found.as_of,
        user_id: proof.user_id.to_string(),
        balance: proof.balance.get(),
        nonce: hex::encode(proof.nonce),
        position: proof.position,
        count: proof.count,
        leaf: hex::encode(proof.leaf),
        steps: proof.steps.into_iter().map(ProofStep::from).collect(),
        root: PublishedRoot::last(found.as_of, &found.root),
    }))
}
