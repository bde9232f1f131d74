//! That a player's own balance is in the sum of all wallets: the way of their leaf to the root that was published last.

use domain::{
    UserId,
    ledger::sum_tree::{Node, NotANode, Proof, path},
};
use jiff::Timestamp;

use super::{
    sum_tree::{RUN, begins, in_order, nodes, nonce},
    trust::{Root, latest_trust},
};
use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    #[error("There is no sum of all wallets yet to check yours against.")]
    NoTree,
    #[error("You had no wallet yet when the books were read last. Look again tomorrow.")]
    NotInIt,
}

impl Refusal for NoProof {}

/// A player's leaf with its way to the root, as of the last reading.
#[derive(Debug, Clone)]
pub struct ProofOfBalance {
    pub as_of: Timestamp,
    pub root: Root,
    pub proof: Proof,
}

/// A player's way to the root that was published last.
pub async fn proof(app: &App, player: &UserId) -> Flow<ProofOfBalance, NoProof> {
    let trust = latest_trust(app).await?.ok_or(NoProof::NoTree)?;
    let root = trust.root.ok_or(NoProof::NoTree)?;
    let tree = app.store().sum_tree(&root.tree).await?.ok_or(NoProof::NoTree)?;
    let own = nonce(&tree.secret, player);
    let run = tree.runs.partition_point(|(_, first)| *first <= begins(&own)).checked_sub(1);
    let run = run.ok_or(NoProof::NotInIt)?;
    let holdings = app.store().tree_run(&tree.id, run).await?.ok_or(NoProof::NoTree)?;
    let leaves = in_order(&tree.secret, holdings.into_iter());
    let place = leaves.iter().position(|(_, (of, _))| of == player).ok_or(NoProof::NotInIt)?;
    let broken = |why: NotANode| AppError::Internal(format!("a sum tree that is kept: {why}"));
    let nodes = nodes(&leaves).map_err(broken)?;
    let tops: Vec<Node> = tree.runs.iter().map(|(node, _)| *node).collect();
    let mut steps = path(&nodes, place).map_err(broken)?;
    steps.extend(path(&tops, run).map_err(broken)?);
    let proof = Proof {
        user_id: player.clone(),
        nonce: own,
        balance: leaves[place].1.1,
        position: (run * RUN + place) as u64,
        count: tree.leaves,
        leaf: nodes[place].hash,
        steps,
    };
    Ok(ProofOfBalance { as_of: trust.as_of, root, proof })
}
