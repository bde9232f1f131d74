use super::*;

fn player() -> UserId {
    UserId::parse(&"a".repeat(32)).unwrap()
}

fn gameweek() -> GameweekId {
    GameweekId { season: 2026, number: 3 }
}

#[test]
fn every_posting_sums_to_zero_and_says_what_the_wallet_gains() {
    let amount = Kes::new(100);
    let code = ReceiptCode::parse("NLJ7RT61SV").unwrap();
    let postings = [
        (Posting::deposit(&player(), "c", amount), 100),
        (Posting::typed_code(&player(), &code, amount), 100),
        (Posting::entry(&player(), gameweek(), EntryAmount::Fifty), -50),
        (Posting::prize(&player(), gameweek(), "l", amount), 100),
        (Posting::refund(&player(), gameweek(), amount), 100),
        (Posting::withdrawal_requested(&player(), "w", amount), -100),
        (Posting::withdrawal_done("w", amount), 0),
        (Posting::withdrawal_rejected(&player(), "w", amount), 100),
        (Posting::league_fee(gameweek(), "l", Kes::new(50), Kes::new(1)).unwrap(), 0),
        (Posting::reversal(&player(), "NLJ7RT61SV", TakenBack::of(amount, Kes::new(30), true)), -30),
        (Posting::paid_after_all(&player(), "w", TakenBack::of(amount, Kes::new(30), false)), -30),
        (Posting::paid_twice("w", amount), 0),
        (Posting::failed_after_all(&player(), "w", amount), 100),
        (Posting::correction_up(&player(), "x", amount), 100),
        (Posting::correction_down(&player(), "x", TakenBack::of(amount, amount, false)), -100),
        (Posting::debt_paid(&player(), &Cause::Deposit { payment_id: "c".into() }, amount), -100),
    ];
    for (posting, change) in postings {
        assert_eq!(posting.legs().iter().map(|leg| leg.amount).sum::<Kes>(), Kes::ZERO);
        assert_eq!(posting.wallet_change(), Kes::new(change), "{:?}", posting.cause());
    }
    assert_eq!(Posting::league_fee(gameweek(), "l", Kes::ZERO, Kes::ZERO), None);
    assert!(Posting::league_fee(gameweek(), "l", Kes::new(1), Kes::new(1)).is_some());
}

#[test]
fn one_cause_has_one_key() {
    assert_eq!(Cause::Entry { gameweek: gameweek() }.key(), "entry#2026-03");
    assert_eq!(Cause::Deposit { payment_id: "c1".into() }.key(), "deposit#c1");
    let requested = Cause::WithdrawalRequested { withdrawal: "w".into() }.key();
    assert_ne!(requested, Cause::WithdrawalDone { withdrawal: "w".into() }.key());
    let paid = Cause::DebtPaid { of: Cause::Deposit { payment_id: "c1".into() }.key() };
    assert_eq!((paid.key().as_str(), paid.kind()), ("debt-paid#deposit#c1", "debt-paid"));
}

#[test]
fn what_is_owed_grows_with_a_reversal_and_shrinks_as_it_is_paid() {
    let taken = TakenBack::of(Kes::new(100), Kes::new(30), true);
    assert_eq!(Posting::reversal(&player(), "NLJ7RT61SV", taken).debt_change(), Kes::new(70));
    let deposit = Cause::Deposit { payment_id: "c".into() };
    assert_eq!(Posting::debt_paid(&player(), &deposit, Kes::new(70)).debt_change(), Kes::new(-70));
    let taken = TakenBack::of(Kes::new(100), Kes::new(30), false);
    assert_eq!(Posting::reversal(&player(), "NLJ7RT61SV", taken).debt_change(), Kes::ZERO);
}
