use proptest::prelude::*;

use super::*;

fn player(n: usize) -> UserId {
    UserId::parse(&format!("{n:032x}")).unwrap()
}

fn nonce(n: usize) -> Hash {
    Sha256::digest(n.to_be_bytes()).into()
}

fn leaves(balances: &[i64]) -> Vec<Node> {
    let leaf = |(n, balance): (usize, &i64)| Node::leaf(&nonce(n), &player(n), Kes::new(*balance)).unwrap();
    balances.iter().enumerate().map(leaf).collect()
}

fn proof(balances: &[i64], position: usize) -> (Proof, Node) {
    let nodes = leaves(balances);
    let proof = Proof {
        user_id: player(position),
        nonce: nonce(position),
        balance: Kes::new(balances[position]),
        position: position as u64,
        count: balances.len() as u64,
        leaf: nodes[position].hash,
        steps: path(&nodes, position).unwrap(),
    };
    (proof, top(&nodes).unwrap().unwrap())
}

fn wallets() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(0..100_000_i64, 1..70)
}

proptest! {
    #[test]
    fn every_wallet_leads_to_the_root_and_the_root_is_the_sum(balances in wallets()) {
        for position in 0..balances.len() {
            let (proof, root) = proof(&balances, position);
            assert_eq!(verify(&proof, &root), Ok(()));
            assert_eq!(root.sum.get(), balances.iter().sum::<i64>());
        }
    }

    #[test]
    fn a_tree_of_runs_is_the_tree_of_all(balances in wallets(), power in 0_u32..6) {
        let nodes = leaves(&balances);
        let run = 1_usize << power;
        let tops: Vec<Node> = nodes.chunks(run).map(|run| top(run).unwrap().unwrap()).collect();
        assert_eq!(top(&tops).unwrap(), top(&nodes).unwrap());
        let at = balances.len() / 2;
        let (chunk, rest) = (at / run, at % run);
        let of_chunk = path(nodes.chunks(run).nth(chunk).unwrap(), rest).unwrap();
        let whole: Vec<Step> = of_chunk.into_iter().chain(path(&tops, chunk).unwrap()).collect();
        assert_eq!(whole, path(&nodes, at).unwrap());
    }

    #[test]
    fn what_is_changed_in_a_proof_is_found(balances in wallets(), at in any::<prop::sample::Index>(), by in 1..1000_i64) {
        let at = at.index(balances.len());
        let (sound, root) = proof(&balances, at);
        let changed = |change: &dyn Fn(&mut Proof)| {
            let mut proof = sound.clone();
            change(&mut proof);
            verify(&proof, &root)
        };
        let balance = changed(&|proof| proof.balance = proof.balance + Kes::new(by));
        assert!(matches!(balance, Err(Fault::Leaf { .. })), "{:?}", balance);
        assert!(matches!(changed(&|proof| proof.nonce[0] ^= 1), Err(Fault::Leaf { .. })));
        assert!(matches!(changed(&|proof| proof.user_id = player(99)), Err(Fault::Leaf { .. })));
        let negative = changed(&|proof| proof.balance = Kes::new(-by));
        assert_eq!(negative, Err(Fault::NoLeaf(NotANode::Negative)));
        assert!(changed(&|proof| proof.count += 64).is_err());
        assert!(changed(&|proof| proof.position = proof.count).is_err());
        for step in 0..sound.steps.len() {
            let named = |answer: Result<(), Fault>| {
                matches!(answer, Err(Fault::Node { step: at, .. } | Fault::NoNode { step: at, .. }) if at == step + 1)
            };
            assert!(named(changed(&|proof| proof.steps[step].sibling.hash[31] ^= 1)));
            assert!(named(changed(&|proof| {
                proof.steps[step].sibling.sum = proof.steps[step].sibling.sum + Kes::new(by);
            })));
            assert!(named(changed(&|proof| proof.steps[step].sibling.sum = Kes::new(-by))));
        }
        assert!(sound.steps.is_empty() || changed(&|proof| proof.position ^= 1).is_err(), "another order");
        let mut cut = sound.clone();
        assert!(cut.steps.pop().is_none() || matches!(verify(&cut, &root), Err(Fault::Steps { .. })));
        let mut longer = sound.clone();
        let more = Step { sibling: root.into(), above: root.into() };
        longer.steps.push(more);
        assert!(matches!(verify(&longer, &root), Err(Fault::Steps { .. })));
    }

    #[test]
    fn whoever_lies_all_the_way_up_does_not_meet_the_root(balances in wallets(), by in 1..1000_i64) {
        let (sound, root) = proof(&balances, 0);
        let mut others = balances.clone();
        others[0] += by;
        let (lie, of_others) = proof(&others, 0);
        let of_the_same_sum = Node { hash: of_others.hash, ..root };
        for (proof, root) in [(&lie, &root), (&sound, &of_the_same_sum)] {
            let found = verify(proof, root);
            assert!(matches!(found, Err(Fault::Root { .. })), "{:?}", found);
        }
    }
}

#[test]
fn no_tree_is_over_what_is_below_zero_or_too_much() {
    assert_eq!(Node::leaf(&nonce(0), &player(0), Kes::new(-1)), Err(NotANode::Negative));
    let (mut low, high) = (leaves(&[1])[0], leaves(&[i64::MAX])[0]);
    assert_eq!(Node::above(&low, &high), Err(NotANode::TooMuch));
    low.sum = Kes::new(-1);
    assert_eq!(Node::above(&low, &high), Err(NotANode::Negative));
    assert_eq!(top(&[]), Ok(None));
}

#[test]
fn one_wallet_alone_is_the_root() {
    let (proof, root) = proof(&[150], 0);
    assert_eq!((proof.steps.len(), root), (0, leaves(&[150])[0]));
    assert_eq!(verify(&proof, &root), Ok(()));
}

#[test]
fn another_root_is_named_by_its_hash_and_its_sum() {
    let (proof, root) = proof(&[150], 0);
    let told = verify(&proof, &Node { sum: Kes::new(151), ..root }).unwrap_err().to_string();
    let hash = hex::encode(root.hash);
    assert!(told.contains(&format!("to {hash} with KES 150, and {hash} with KES 151")), "{told}");
}

#[test]
fn a_proof_is_read_as_it_is_written() {
    let (proof, _) = proof(&[150, 0, 7], 1);
    let written = serde_json::to_string(&proof).unwrap();
    assert_eq!(serde_json::from_str::<Proof>(&written).unwrap(), proof);
}

/// What docs/trust.md says, so that whoever writes a check of their own can begin with it.
#[test]
fn the_hashes_are_those_of_the_documents_example() {
    let (a, b) = (UserId::parse(&"a".repeat(32)).unwrap(), UserId::parse(&"b".repeat(32)).unwrap());
    let left = Node::leaf(&[1; 32], &a, Kes::new(150)).unwrap();
    let right = Node::leaf(&[2; 32], &b, Kes::new(0)).unwrap();
    let root = Node::above(&left, &right).unwrap();
    let document = include_str!("../../../../docs/trust.md");
    for hash in [left.hash, right.hash, root.hash] {
        assert!(document.contains(&hex::encode(hash)), "{}", hex::encode(hash));
    }
}
