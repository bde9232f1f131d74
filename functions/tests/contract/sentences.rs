//! What players read of the server's, besides refusals without a figure, which the page knows by their code: a sample of
//! each sentence, as the product's own types say it. `web/src/locales/server-sentences.json` is that list, and the web's
//! tests hold their Kiswahili to it. `UPDATE=1` rewrites it.

use std::{collections::BTreeSet, fs, path::Path};

use app::{
    accounts::closing::ClosingError,
    entries::payments::EntryPromptError,
    payments::{
        paybill_accounts::OwnPaybill,
        prompts::{CREDITED_BY_CODE, MAY_BE_TYPED, PromptError},
    },
    platform::reasons,
    withdrawals::requests::RequestError,
};
use clients::daraja::{FailureReason, PayoutFailure, ResultCode};
use domain::{
    EntryAmount, FplId, GameweekId, Kes,
    accounts::{
        own_limits::{LimitReached, OwnLimit},
        stopping::{NotPlaying, StopError},
        terms::{TermsError, TermsVersion},
    },
    entries::join::JoinError,
    ledger::taking_back::{IN_THE_WALLET, Owes, TowardsDebt},
    payments::paybill_account::PaybillAccount,
    platform::limits::{Limit, Limited},
    withdrawals::requests::PayoutCorrection,
};
use jiff::Timestamp;
use store::teams::proofs::TeamOf;
use strum::VariantArray;

const KES: Kes = Kes::new(1_250);

fn at() -> Timestamp {
    "2026-11-23T09:00:00Z".parse().unwrap()
}

fn join_errors() -> Vec<JoinError> {
    let next = "2026-12-01".parse().unwrap();
    let reached = |limit: &OwnLimit| LimitReached { limit: *limit, amount: KES, left: Kes::new(40), next };
    let mut all = vec![
        JoinError::NoGameweek,
        JoinError::GameweekClosed,
        JoinError::AlreadyJoined,
        JoinError::InsufficientBalance(EntryAmount::Fifty),
        JoinError::AnotherSeason,
        JoinError::NoTeam,
        JoinError::Suspended,
        JoinError::Frozen,
        JoinError::AccountChanged,
        JoinError::TeamElsewhere,
        JoinError::KeptOut,
        JoinError::Owes(Owes(KES)),
        JoinError::NotPlaying(NotPlaying::Stopped(at())),
        JoinError::NotPlaying(NotPlaying::AgeNotShown),
        JoinError::NotPlaying(NotPlaying::TermsNotAgreed),
        JoinError::Paused,
    ];
    all.extend(OwnLimit::VARIANTS.iter().map(|limit| JoinError::OwnLimit(reached(limit))));
    all
}

fn with_figures() -> Vec<String> {
    let team = TeamOf { season: 2026, fpl_id: FplId::parse("118670").unwrap() };
    let (left, free) = (Kes::new(450), Kes::new(60));
    let limited = Limited { limit: Limit::PromptsToNumber, retry_after: 300 };
    let account = PaybillAccount::picked_by(7);
    let paybill = OwnPaybill { number: "400200".to_owned(), account };
    let gameweek = GameweekId { season: 2026, number: 13 };
    vec![
        ClosingError::MoneyInWallet(KES).to_string(),
        ClosingError::EntryOpen(gameweek).to_string(),
        StopError::Shorter(at()).to_string(),
        TermsError::NotInForce(serde_json::from_str::<TermsVersion>("\"2026-08-01\"").unwrap()).to_string(),
        RequestError::Unproved { team, left, free }.to_string(),
        RequestError::SetAside { team, left, free }.to_string(),
        EntryPromptError::AnotherThanWithExcise { paid: Kes::new(53), stake: Kes::new(50) }.to_string(),
        PromptError::Limited { limited, paybill }.to_string(),
        PromptError::Refused("Bad Request - Invalid Amount".to_owned()).to_string(),
        format!("{} {}", Owes(KES), TowardsDebt::of(KES, KES).unwrap()),
        format!("{} {}", JoinError::GameweekClosed, TowardsDebt::of(KES, Kes::new(50)).unwrap()),
        TowardsDebt::of(KES, Kes::new(50)).unwrap().to_string(),
        TowardsDebt::of(KES, KES).unwrap().to_string(),
        format!("{}floods", reasons::CALLED_OFF),
        format!("We have looked into this payment: {KES} is credited to you."),
    ]
}

fn all() -> BTreeSet<String> {
    let joins = join_errors();
    let mut all: BTreeSet<String> = with_figures().into_iter().collect();
    all.extend(Limit::VARIANTS.iter().map(|&limit| Limited { limit, retry_after: 300 }.to_string()));
    all.extend(
        [1, 45, 60, 7_200].map(|retry_after| Limited { limit: Limit::LogInHere, retry_after }.to_string()),
    );
    all.extend(joins.iter().map(ToString::to_string));
    all.extend(joins.iter().map(|why| format!("{why} {IN_THE_WALLET}")));
    all.extend(FailureReason::VARIANTS.iter().map(|reason| reason.player_message().to_owned()));
    all.extend(PayoutFailure::VARIANTS.iter().map(|reason| reason.player_message().to_owned()));
    all.extend(PayoutCorrection::VARIANTS.iter().map(|correction| correction.note().to_owned()));
    all.extend(reasons::OURS.iter().map(|(english, _)| (*english).to_owned()));
    // Those of a prompt that was never sent stay with its payment.
    all.extend([PromptError::PhoneBusy, PromptError::Busy].map(|error| error.to_string()));
    let others = [CREDITED_BY_CODE, MAY_BE_TYPED, ResultCode::new("none of M-Pesa's").player_message()];
    all.extend(others.map(str::to_owned));
    all
}

#[test]
fn the_committed_sentences_are_those_that_are_said() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/locales/server-sentences.json");
    let said = serde_json::to_string_pretty(&all()).unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &said).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == said,
        "server-sentences.json is out of date: run `UPDATE=1 cargo test --locked --workspace --test contract`, and give \
         what is new its Kiswahili in web/src/locales/sw-server.ts"
    );
}
