//! The sum tree of a reading (docs/trust.md): its leaves as they are read, then the tree over them, in steps.
//!
//! The leaves' order is that of their nonces, so it is another one each night and tells nothing of who is beside whom.

use std::collections::BTreeSet;

use domain::{
    UserId,
    ledger::{
        reconciliation::{Totals, WALLETS},
        sum_tree::{Hash, Node, NotANode, top},
    },
};
use store::{
    ledger::{
        reconciliation::ReconciliationRun,
        sum_trees::{Holding, LEAVES_AT_ONCE, SumTree},
    },
    random_id,
};

use super::totals::PartTotals;
use crate::{App, AppError, platform::secrets::hmac};

/// Leaves of one run of the tree: a power of two, so that the tops of all runs make the tree.
pub(super) const RUN: usize = 1024;
/// So many runs are written by one message: a million wallets take four.
const RUNS_AT_ONCE: usize = 256;

/// What became of building on.
pub(super) enum Built {
    Done(Option<TreeTop>),
    GoesOn,
    /// Another message does it.
    ByAnother,
}

/// A tree that is whole.
pub(super) struct TreeTop {
    pub id: String,
    pub root: Node,
    pub leaves: u64,
}

fn tree_id(run: &ReconciliationRun) -> String {
    format!("{}-{}", run.id, run.round)
}

/// Keeps the wallets that were read. Who reads the same twice keeps them twice; what the part names counts.
pub(super) async fn keep_leaves(
    app: &App,
    run: &ReconciliationRun,
    sums: &mut PartTotals,
) -> Result<(), AppError> {
    let leaves = std::mem::take(&mut sums.leaves);
    for page in leaves.chunks(LEAVES_AT_ONCE) {
        let name = random_id();
        app.store().put_leaves((&tree_id(run), &name), page, run.started_at).await?;
        sums.pages.push(name);
    }
    Ok(())
}

/// Builds on, where the wallets lie on `pages`.
pub(super) async fn build_on(
    app: &App,
    run: &ReconciliationRun,
    pages: &BTreeSet<String>,
    totals: &Totals,
) -> Result<Built, AppError> {
    let id = tree_id(run);
    let tree = match app.store().sum_tree(&id).await? {
        Some(tree) if tree.done => return Ok(Built::Done(whole(&tree, totals))),
        Some(tree) => tree,
        None => {
            let tree = begun(&id, run)?;
            if !app.store().put_sum_tree(&tree, None).await? {
                return Ok(Built::ByAnother);
            }
            tree
        }
    };
    let read = app.store().leaves(&id).await?.into_iter().filter(|(name, _)| pages.contains(name));
    let leaves = in_order(&tree.secret, read.flat_map(|(_, leaves)| leaves));
    let (seen, all) = (tree.runs.len(), leaves.len().div_ceil(RUN));
    let mut next = SumTree { leaves: leaves.len() as u64, ..tree };
    for (run_no, run_of) in leaves.chunks(RUN).enumerate().skip(seen).take(RUNS_AT_ONCE) {
        let nodes = match nodes(run_of) {
            Ok(nodes) => nodes,
            Err(why) => return Ok(impossible(run, why)),
        };
        let holdings: Vec<Holding> = run_of.iter().map(|(_, holding)| holding.clone()).collect();
        app.store().put_tree_run((&id, run_no), &holdings, run.started_at).await?;
        match top(&nodes) {
            Ok(Some(node)) => next.runs.push((node, begins(&run_of[0].0))),
            Ok(None) => {}
            Err(why) => return Ok(impossible(run, why)),
        }
    }
    next.done = next.runs.len() == all;
    if !app.store().put_sum_tree(&next, Some(seen)).await? {
        return Ok(Built::ByAnother);
    }
    Ok(if next.done { Built::Done(whole(&next, totals)) } else { Built::GoesOn })
}

fn begun(id: &str, run: &ReconciliationRun) -> Result<SumTree, AppError> {
    let mut secret = Hash::default();
    getrandom::fill(&mut secret).map_err(|error| AppError::Internal(format!("no random bytes: {error}")))?;
    Ok(SumTree { id: id.to_owned(), secret, leaves: 0, runs: Vec::new(), done: false, at: run.started_at })
}

/// The tree's top, where its sum is what the books say of all wallets.
fn whole(tree: &SumTree, totals: &Totals) -> Option<TreeTop> {
    let tops: Vec<Node> = tree.runs.iter().map(|(node, _)| *node).collect();
    let root = top(&tops).ok().flatten()?;
    let booked = totals.accounts.get(WALLETS).copied().unwrap_or_default();
    if root.sum != booked {
        tracing::error!(
            tree = root.sum.get(),
            booked = booked.get(),
            alarm = "books",
            "the sum tree is not the wallets' sum"
        );
        return None;
    }
    Some(TreeTop { id: tree.id.clone(), root, leaves: tree.leaves })
}

/// Nothing is published then. The reading itself says which wallet is below zero.
fn impossible(run: &ReconciliationRun, why: NotANode) -> Built {
    tracing::error!(run = run.id, %why, alarm = "books", "there is no sum tree over these wallets");
    Built::Done(None)
}

/// The leaves with their nonces, in the tree's order.
pub(super) fn in_order(secret: &Hash, leaves: impl Iterator<Item = Holding>) -> Vec<(Hash, Holding)> {
    let mut leaves: Vec<_> = leaves.map(|leaf| (nonce(secret, &leaf.0), leaf)).collect();
    leaves.sort_unstable_by_key(|(nonce, _)| *nonce);
    leaves
}

pub(super) fn nonce(secret: &Hash, player: &UserId) -> Hash {
    hmac(secret, player.as_str().as_bytes())
}

pub(super) fn nodes(leaves: &[(Hash, Holding)]) -> Result<Vec<Node>, NotANode> {
    leaves.iter().map(|(nonce, (player, held))| Node::leaf(nonce, player, *held)).collect()
}

pub(super) fn begins(nonce: &Hash) -> u64 {
    nonce[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
