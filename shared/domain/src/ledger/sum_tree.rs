//! The Merkle sum tree over wallets (docs/trust.md): a leaf for each player, each node with the sum of what is under it.
//! Whoever knows the root can be shown that a balance is in its sum, without the others'.
//!
//! A node is over both sides' hashes and sums, so the order counts. The last one of a level that has no other beside it
//! is carried up as it is.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Kes, UserId};

const LEAF: &[u8] = b"fpl-leagues/sum-tree/leaf/1";
const NODE: &[u8] = b"fpl-leagues/sum-tree/node/1";

pub type Hash = [u8; 32];

/// A hash, and what the wallets under it come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub hash: Hash,
    pub sum: Kes,
}

/// A node's two sides' step towards the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The node beside the own one.
    pub sibling: PlainNode,
    /// What both make together.
    pub above: PlainNode,
}

/// A node as it is shown: the hash in hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainNode {
    #[serde(with = "as_hex")]
    pub hash: Hash,
    pub sum: Kes,
}

/// That a balance is in a root's sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    pub user_id: UserId,
    /// Of this player and reading alone, so that nobody can try out balances against a leaf's hash.
    #[serde(with = "as_hex")]
    pub nonce: Hash,
    /// As of the reading; in KES.
    pub balance: Kes,
    /// The leaf's place, from 0, among `count`.
    pub position: u64,
    pub count: u64,
    #[serde(with = "as_hex")]
    pub leaf: Hash,
    /// From the leaf up.
    pub steps: Vec<Step>,
}

/// What cannot be made into a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotANode {
    #[error("a sum below zero")]
    Negative,
    #[error("a sum that no wallets come to")]
    TooMuch,
}

/// The first thing in a proof that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("place {position} of {count} is none")]
    Position { position: u64, count: u64 },
    #[error("the leaf: {0}")]
    NoLeaf(NotANode),
    #[error("the leaf: {expected} is made of this player, nonce and balance, and it says {found}")]
    Leaf { expected: String, found: String },
    #[error("step {step}: {why}")]
    NoNode { step: usize, why: NotANode },
    #[error("step {step}: both sides make {expected}, and it says {found}")]
    Node { step: usize, expected: String, found: String },
    #[error("there are {found} steps, and {expected} lead to the root")]
    Steps { expected: usize, found: usize },
    #[error("the root: the steps lead to {expected}, and {found} was published")]
    Root { expected: String, found: String },
}

impl From<Node> for PlainNode {
    fn from(node: Node) -> Self {
        Self { hash: node.hash, sum: node.sum }
    }
}

impl From<PlainNode> for Node {
    fn from(node: PlainNode) -> Self {
        Self { hash: node.hash, sum: node.sum }
    }
}

impl Node {
    /// # Errors
    /// The balance is below zero.
    pub fn leaf(nonce: &Hash, player: &UserId, balance: Kes) -> Result<Self, NotANode> {
        let player: Hash = Sha256::digest(player.as_str()).into();
        let sum = sound(balance)?;
        let hash = Sha256::new().chain_update(LEAF).chain_update(nonce).chain_update(player);
        Ok(Self { hash: hash.chain_update(sum.get().to_be_bytes()).finalize().into(), sum })
    }

    /// The node over two.
    ///
    /// # Errors
    /// A side's sum is below zero, or both together are more than there can be.
    pub fn above(left: &Self, right: &Self) -> Result<Self, NotANode> {
        let mut hash = Sha256::new().chain_update(NODE);
        for side in [left, right] {
            hash = hash.chain_update(side.hash).chain_update(sound(side.sum)?.get().to_be_bytes());
        }
        let sum = left.sum.get().checked_add(right.sum.get()).ok_or(NotANode::TooMuch)?;
        Ok(Self { hash: hash.finalize().into(), sum: Kes::new(sum) })
    }

    /// As it is named in words: hash and sum.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} with KES {}", hex::encode(self.hash), self.sum.get())
    }
}

fn sound(sum: Kes) -> Result<Kes, NotANode> {
    if sum < Kes::ZERO { Err(NotANode::Negative) } else { Ok(sum) }
}

/// The level over `nodes`.
fn next_level(nodes: &[Node]) -> Result<Vec<Node>, NotANode> {
    nodes.chunks(2).map(|pair| if let [l, r] = pair { Node::above(l, r) } else { Ok(pair[0]) }).collect()
}

/// The top over `nodes`; `None` over none. Over the tops of runs of a power of two each (the last may be shorter) it is
/// the same as over all of them.
///
/// # Errors
/// A sum is below zero, or more than there can be.
pub fn top(nodes: &[Node]) -> Result<Option<Node>, NotANode> {
    let mut level = nodes.to_vec();
    while level.len() > 1 {
        level = next_level(&level)?;
    }
    Ok(level.first().copied())
}

/// The steps from the node at `position` to the top.
///
/// # Errors
/// As of [`top`].
pub fn path(nodes: &[Node], position: usize) -> Result<Vec<Step>, NotANode> {
    let (mut level, mut place, mut steps) = (nodes.to_vec(), position, Vec::new());
    while level.len() > 1 {
        let sibling = level.get(place ^ 1).copied();
        level = next_level(&level)?;
        place /= 2;
        if let (Some(sibling), Some(above)) = (sibling, level.get(place)) {
            steps.push(Step { sibling: sibling.into(), above: (*above).into() });
        }
    }
    Ok(steps)
}

/// Whether `proof` leads to `root`.
///
/// # Errors
/// The first thing that does not hold.
pub fn verify(proof: &Proof, root: &Node) -> Result<(), Fault> {
    let (mut place, mut width) = (proof.position, proof.count);
    if place >= width {
        return Err(Fault::Position { position: place, count: width });
    }
    let mut own = Node::leaf(&proof.nonce, &proof.user_id, proof.balance).map_err(Fault::NoLeaf)?;
    if own.hash != proof.leaf {
        return Err(Fault::Leaf { expected: hex::encode(own.hash), found: hex::encode(proof.leaf) });
    }
    let mut used = 0;
    while width > 1 {
        let carried_up = place + 1 == width && place.is_multiple_of(2);
        if !carried_up {
            let Some(step) = proof.steps.get(used) else { break };
            used += 1;
            let sibling = step.sibling.into();
            let (left, right) = if place.is_multiple_of(2) { (own, sibling) } else { (sibling, own) };
            own = Node::above(&left, &right).map_err(|why| Fault::NoNode { step: used, why })?;
            let said = Node::from(step.above);
            if own != said {
                return Err(Fault::Node { step: used, expected: own.text(), found: said.text() });
            }
        }
        (place, width) = (place / 2, width.div_ceil(2));
    }
    let expected = steps_of(proof.position, proof.count);
    if expected != proof.steps.len() {
        return Err(Fault::Steps { expected, found: proof.steps.len() });
    }
    if own == *root {
        return Ok(());
    }
    Err(Fault::Root { expected: own.text(), found: root.text() })
}

/// How many steps lead to the root.
fn steps_of(mut place: u64, mut width: u64) -> usize {
    let mut steps = 0;
    while width > 1 {
        steps += usize::from(place + 1 != width || !place.is_multiple_of(2));
        (place, width) = (place / 2, width.div_ceil(2));
    }
    steps
}

mod as_hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::Hash;

    pub fn serialize<S: Serializer>(hash: &Hash, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(hash))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let (text, mut hash) = (String::deserialize(deserializer)?, Hash::default());
        hex::decode_to_slice(text, &mut hash).map_err(|_| D::Error::custom("not 64 hex digits"))?;
        Ok(hash)
    }
}

#[cfg(test)]
#[path = "sum_tree_tests.rs"]
mod tests;
