//! From entries over the draw and the scores to what is paid: no shilling is lost or made, and
//! everybody is in exactly one place.

use std::collections::BTreeMap;

use domain::{
    EntryAmount, Kes,
    leagues::{
        draw::{Seed, draw, entries_hash},
        ranking::Figures,
    },
    settlement::prize::{MemberStanding, Settled, settle},
};
use proptest::prelude::*;

/// An entry, and what the official game says of its team: nothing, if it says nothing.
#[derive(Debug, Clone)]
struct Entry {
    id: String,
    amount: EntryAmount,
    figures: Option<Figures>,
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let figures = (0..6_i32, 0..3_i32, 0..3_i32).prop_map(|(gross, hits, points_on_bench)| Figures {
        gross,
        transfers_cost: 4 * hits,
        points_on_bench,
    });
    let amount = prop::sample::select(EntryAmount::ALL.to_vec());
    let entry = (amount, prop::option::weighted(0.9, figures));
    prop::collection::vec(entry, 0..130).prop_map(|all| {
        let entry = |(n, (amount, figures))| Entry { id: format!("entry-{n}"), amount, figures };
        all.into_iter().enumerate().map(entry).collect()
    })
}

fn paid(settled: &Settled) -> Kes {
    let shares = settled.shares.iter().map(|share| share.prize + share.refund).sum::<Kes>();
    shares + settled.fee + settled.rounding
}

proptest! {
    #[test]
    fn everything_paid_in_is_paid_out(
        entries in entries(),
        secret: [u8; 8],
        fee_percent in 0_u8..=100,
        deduct_transfers: bool,
    ) {
        let seed = Seed::new(&secret, b"", &entries_hash(entries.iter().map(|entry| entry.id.as_str())));
        let mut outcome: BTreeMap<String, Kes> = BTreeMap::new();
        let mut kept = Kes::ZERO;
        for amount in EntryAmount::ALL {
            let of_it: Vec<Entry> = entries.iter().filter(|entry| entry.amount == amount).cloned().collect();
            let collected = amount.kes().times(of_it.len());
            let drawn = draw(seed, of_it, |entry| &entry.id);
            let mut out = Kes::ZERO;
            if let Some(alone) = drawn.alone {
                outcome.insert(alone.id, amount.kes());
                out = out + amount.kes();
            }
            for league in drawn.leagues {
                let standing = |entry: &Entry| match entry.figures {
                    Some(figures) => MemberStanding::Scored(figures.score(deduct_transfers)),
                    None => MemberStanding::LeftOut,
                };
                let standings: Vec<MemberStanding> = league.iter().map(standing).collect();
                let settled = settle(amount, &standings, fee_percent);
                prop_assert_eq!(paid(&settled), settled.collected);
                let wins = settled.shares.iter().any(|share| share.rank == Some(1));
                prop_assert_eq!(wins, standings.iter().filter(|standing| **standing != MemberStanding::LeftOut).count() >= 2);
                kept = kept + settled.fee + settled.rounding;
                out = out + paid(&settled);
                for (entry, share) in league.into_iter().zip(settled.shares) {
                    prop_assert!(outcome.insert(entry.id, share.prize + share.refund).is_none(), "twice");
                }
            }
            prop_assert_eq!(out, collected);
        }
        prop_assert_eq!(outcome.len(), entries.len());
        let paid_in: Kes = entries.iter().map(|entry| entry.amount.kes()).sum();
        prop_assert_eq!(outcome.into_values().sum::<Kes>() + kept, paid_in);
    }
}
