use proptest::{collection::vec, prelude::*, sample::Index};
use rstest::rstest;

use super::*;
use crate::{
    EntryAmount, GameweekId, UserId,
    ledger::{postings::Posting, taking_back::TakenBack, taxes::TaxRate},
    payments::typed_code::ReceiptCode,
};

const HOUR: i64 = 3600;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_787_000_000 + seconds).unwrap()
}

fn scope() -> Scope {
    Scope {
        as_of: at(1000 * HOUR),
        float_at: None,
        float_takes_in: true,
        suspects: BTreeSet::new(),
        gameweeks: Vec::new(),
    }
}

fn player(n: u8) -> UserId {
    UserId::parse(&format!("{n:032x}")).unwrap()
}

fn gameweek() -> GameweekId {
    GameweekId { season: 2026, number: 3 }
}

/// Something that happens to a player's money, by the rules: postings and the records that go with them.
#[derive(Debug, Clone)]
struct Event {
    player: u8,
    kind: u8,
    amount: i64,
    hour: i64,
    id: u32,
}

fn event() -> impl Strategy<Value = Event> {
    (0..5_u8, 0..7_u8, 1..1000_i64, 0..200_i64, any::<u32>())
        .prop_map(|(player, kind, amount, hour, id)| Event { player, kind, amount, hour, id })
}

enum Item {
    Posting(Posting, Timestamp),
    Record(Category, String, Kes, Timestamp),
}

fn items(event: &Event) -> Vec<Item> {
    let (user, id, amount) = (player(event.player), format!("{:08x}", event.id), Kes::new(event.amount));
    let when = at(event.hour * HOUR);
    let tax = "5".parse::<TaxRate>().unwrap().of(amount);
    let posting = |posting| Item::Posting(posting, when);
    let record = |category| Item::Record(category, id.clone(), amount, when);
    let asked = || vec![posting(Posting::withdrawal_requested(&user, &id, amount)), record(Category::Asked)];
    match event.kind {
        0 => vec![posting(Posting::deposit(&user, &id, amount).excised(tax)), record(Category::Prompts)],
        1 => {
            let code = ReceiptCode::parse(&format!("UHK{:07X}", event.id >> 4)).unwrap();
            let posted = posting(Posting::typed_code(&user, &code, amount).excised(tax));
            vec![posted, Item::Record(Category::TypedCodes, code.to_string(), amount, when)]
        }
        2 => vec![posting(Posting::entry(&user, gameweek(), EntryAmount::Fifty))],
        3 => vec![posting(Posting::prize(&user, gameweek(), &id, amount))],
        4 => vec![posting(Posting::refund(&user, gameweek(), amount))],
        5 => {
            let done = posting(Posting::withdrawal_done(&id, amount).withheld(tax));
            let paid = Item::Record(Category::PaidOut, id.clone(), amount - tax, when);
            asked().into_iter().chain([done, paid]).collect()
        }
        _ => {
            let back = posting(Posting::withdrawal_rejected(&user, &id, amount));
            asked().into_iter().chain([back, record(Category::Returned)]).collect()
        }
    }
}

fn add(totals: &mut Totals, scope: &Scope, item: &Item) {
    match item {
        Item::Posting(posting, at) => {
            let cause = posting.cause().key();
            let booked = Booked { cause: &cause, legs: posting.legs(), at: *at };
            assert_eq!(totals.add_posting(scope, booked), None, "its legs sum to zero");
        }
        Item::Record(category, id, amount, at) => {
            totals.add_record(scope, CategoryRecord { category: *category, id, amount: *amount, at: *at });
        }
    }
}

fn of_categories(found: Vec<Difference>) -> Vec<Difference> {
    found.into_iter().filter(|difference| difference.kind != Kind::Pot).collect()
}

proptest! {
    /// However the table is cut and in whatever order it is read: the same totals, and nothing differs.
    #[test]
    fn parts_in_any_order_add_up_to_the_whole(
        events in vec(event(), 0..40),
        cuts in vec(any::<Index>(), 0..5),
        turned in any::<bool>(),
    ) {
        let scope = scope();
        let mut items: Vec<Item> = events.iter().flat_map(items).collect();
        let mut whole = Totals::default();
        items.iter().for_each(|item| add(&mut whole, &scope, item));
        if turned {
            items.reverse();
        }
        let mut parts: Vec<Totals> = (0..=cuts.len()).map(|_| Totals::default()).collect();
        for (n, item) in items.iter().enumerate() {
            let place = cuts.get(n % (cuts.len() + 1)).map_or(0, |cut| cut.index(parts.len()));
            add(&mut parts[place], &scope, item);
        }
        let mut merged = Totals::default();
        parts.into_iter().for_each(|part| merged.merge(part));
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(of_categories(compare(&whole, &[])), vec![]);
        prop_assert_eq!(whole.accounts.values().copied().sum::<Kes>(), Kes::ZERO);
        let json = serde_json::to_string(&whole).unwrap();
        prop_assert_eq!(serde_json::from_str::<Totals>(&json).unwrap(), whole);
    }

    /// One item that is gone, of those that have another side, is found, and named by the second reading.
    #[test]
    fn what_is_missing_is_found_and_named(events in vec(event(), 1..30), gone in any::<Index>()) {
        let items: Vec<Item> = events.iter().flat_map(items).collect();
        let has_two_sides = |item: &&Item| match item {
            Item::Record(..) => true,
            Item::Posting(posting, _) => {
                !["entry", "prize", "refund"].contains(&posting.cause().kind())
            }
        };
        let sided: Vec<&Item> = items.iter().filter(has_two_sides).collect();
        prop_assume!(!sided.is_empty());
        let gone = std::ptr::from_ref(sided[gone.index(sided.len())]);
        let reading = |scope: &Scope| {
            let mut totals = Totals::default();
            let left = items.iter().filter(|item| !std::ptr::eq(*item, gone));
            left.for_each(|item| add(&mut totals, scope, item));
            totals
        };
        let first = of_categories(compare(&reading(&scope()), &[]));
        prop_assert_eq!(first.len(), 1);
        prop_assert!(first[0].on.is_empty() && first[0].expected != first[0].found);
        let category = Category::ALL.into_iter().find(|category| Kind::from(*category) == first[0].kind).unwrap();
        let suspects = BTreeSet::from([(category, first[0].day.unwrap())]);
        let second = of_categories(compare(&reading(&Scope { suspects, ..scope() }), &[]));
        prop_assert!(second.iter().all(|difference| !difference.on.is_empty()), "{:?}", second);
        prop_assert_eq!(confirmed(&first, second.clone()), second);
    }

    /// A wallet that has moved is never judged; one that stood still is, by its sum and its count.
    #[test]
    fn only_a_wallet_that_stood_still_is_judged(
        balance in 0..1000_i64, version in 0..50_u64, off in -3..=3_i64, missing in 0..3_u64, moved in any::<bool>(),
    ) {
        let debt = Kes::ZERO;
        let seen = Some(WalletSeen { balance: Kes::new(balance), version, debt });
        let after = if moved { Some(WalletSeen { balance: Kes::new(balance), version: version + 1, debt }) } else { seen };
        let posted = WalletSeen { balance: Kes::new(balance + off), version: version + missing, debt };
        let verdict = judge_wallet(seen, posted, after);
        match (moved, off, missing) {
            (true, ..) => prop_assert_eq!(verdict, WalletVerdict::Moved),
            (false, 0, 0) => prop_assert_eq!(verdict, WalletVerdict::Fits),
            (false, ..) => {
                let WalletVerdict::Differs { expected, found, .. } = verdict else {
                    return Err(TestCaseError::fail("it differs"));
                };
                prop_assert_ne!(expected, found);
            }
        }
    }

    /// Only a change that is not in the books differs, and what may be on its way is allowed for.
    #[test]
    fn a_float_is_compared_by_what_changed(
        held in 0..1_000_000_i64, own in -100_000..100_000_i64, booked in -5000..5000_i64,
        off in -100..=100_i64, uncertain in 0..60_i64, uncertain_before in 0..60_i64,
    ) {
        let before = FloatSeen {
            at: at(0),
            cents: held + own,
            booked: Kes::new(7),
            uncertain: Kes::new(uncertain_before),
        };
        let now = FloatSeen {
            at: at(24 * HOUR),
            cents: held + own + (booked + off) * 100,
            booked: Kes::new(7 + booked),
            uncertain: Kes::new(uncertain),
        };
        let differs = matches!(judge_float(Some(&before), &now), FloatVerdict::Differs { .. });
        prop_assert_eq!(differs, off.abs() > uncertain + uncertain_before);
        prop_assert_eq!(judge_float(None, &now), FloatVerdict::First);
    }
}

#[rstest]
#[case::none(50, 0, 0, None)]
#[case::owed(0, 70, 70, None)]
#[case::not_as_posted(0, 70, 60, Some((60, 70)))]
#[case::beside_money(50, 70, 70, Some((0, 70)))]
fn what_is_owed_is_what_was_posted_and_leaves_nothing_in_the_wallet(
    #[case] balance: i64,
    #[case] debt: i64,
    #[case] posted: i64,
    #[case] off: Option<(i64, i64)>,
) {
    let seen = WalletSeen { balance: Kes::new(balance), version: 3, debt: Kes::new(debt) };
    let verdict = judge_wallet(Some(seen), WalletSeen { debt: Kes::new(posted), ..seen }, Some(seen));
    let differs = |(expected, found)| WalletVerdict::Differs { kind: Kind::Debt, expected, found };
    assert_eq!(verdict, off.map_or(WalletVerdict::Fits, differs));
}

/// Its postings say so too: more was taken out than came in.
#[test]
fn a_wallet_below_zero_differs() {
    let seen = WalletSeen { balance: Kes::new(-1), version: 3, debt: Kes::ZERO };
    let below = WalletVerdict::Differs { kind: Kind::Wallet, expected: 0, found: -1 };
    assert_eq!(judge_wallet(Some(seen), seen, Some(seen)), below);
}

#[test]
fn what_is_younger_is_left_for_the_next_time() {
    let scope = Scope { as_of: at(10), ..scope() };
    let mut totals = Totals::default();
    let deposit = Posting::deposit(&player(1), "c", Kes::new(50));
    add(&mut totals, &scope, &Item::Posting(deposit.clone(), at(10)));
    add(&mut totals, &scope, &Item::Record(Category::Prompts, "c".into(), Kes::new(50), at(10)));
    assert_eq!(totals, Totals::default());
    add(&mut totals, &scope, &Item::Posting(deposit, at(9)));
    assert_eq!(totals.days[&day_of(at(9))].figure(Figure::Deposits), Kes::new(50));
    assert_eq!(compare(&totals, &[]).len(), 1);
}

#[rstest]
#[case::owes(100, false, false)]
#[case::paid_in_full(0, true, false)]
#[case::left_over(1, true, true)]
#[case::paid_more_than_was_in_it(-1, false, true)]
fn a_pot_is_empty_once_it_is_paid(#[case] left: i64, #[case] paid: bool, #[case] off: bool) {
    let accounts =
        BTreeMap::from([("pot:2026-03".to_owned(), Kes::new(left)), (WALLETS.to_owned(), Kes::new(-left))]);
    let totals = Totals { accounts, ..Totals::default() };
    let paid = if paid { vec![gameweek()] } else { vec![] };
    assert_eq!(!compare(&totals, &paid).is_empty(), off);
}

#[test]
fn a_day_and_a_gameweek_are_what_their_postings_say() {
    let (user, tax, amount) = (player(1), Kes::new(5), Kes::new(100));
    let code = ReceiptCode::parse("UHK1234567").unwrap();
    let league = "2026-03-50-00001";
    let window = GameweekWindow { id: gameweek(), from: at(-HOUR), until: at(HOUR) };
    let scope = Scope { gameweeks: vec![window], ..scope() };
    let mut totals = Totals::default();
    for posting in [
        Posting::deposit(&user, "c", amount).excised(tax),
        Posting::paybill_payment(&user, &code, Kes::new(60)),
        Posting::entry(&user, gameweek(), EntryAmount::Fifty),
        Posting::prize(&user, gameweek(), league, Kes::new(30)),
        Posting::refund(&user, gameweek(), Kes::new(10)),
        Posting::league_fee(gameweek(), league, Kes::new(7), Kes::new(1)).unwrap(),
        Posting::withdrawal_requested(&user, "w", Kes::new(80)),
        Posting::withdrawal_done("w", Kes::new(80)).withheld(tax),
        Posting::reversal(&user, "NLJ7RT61SV", TakenBack::of(amount, Kes::new(40), true)),
    ] {
        add(&mut totals, &scope, &Item::Posting(posting, at(0)));
    }
    let accounts = totals.accounts.iter().map(|(name, held)| (name.as_str(), held.get()));
    let expected = [
        ("debts", -60),
        ("fees", 7),
        ("mpesa:in", -60),
        ("mpesa:out", 75),
        ("pot:2026-03", 2),
        ("rounding", 1),
        ("tax:excise", 5),
        ("tax:withholding", 5),
        ("wallets", 25),
        ("withdrawals", 0),
    ];
    assert_eq!(accounts.collect::<Vec<_>>(), expected);
    assert_eq!((totals.excised, totals.withheld), (1, 1));
    let day = totals.days[&day_of(at(0))].figures.map(Kes::get);
    assert_eq!(day, [160, 50, 30, 7, 1, 75, 10], "in the order of Figure");
    let told = &totals.gameweeks[&gameweek()];
    let sums = [told.entries.0, told.prizes, told.fees, told.rounding, told.refunds.0].map(Kes::get);
    assert_eq!(sums, [50, 30, 7, 1, 10]);
}

/// A posting and its record lie in different parts of the table.
#[test]
fn both_sides_of_a_record_meet_from_different_parts() {
    let date = day_of(at(0));
    let scope = Scope { suspects: BTreeSet::from([(Category::Prompts, date)]), ..scope() };
    let part = |item| {
        let mut totals = Totals::default();
        add(&mut totals, &scope, &item);
        totals
    };
    let amount = Kes::new(50);
    let mut whole = Totals::default();
    whole.merge(part(Item::Posting(Posting::deposit(&player(1), "c", amount), at(0))));
    assert_eq!(whole.culprits(Category::Prompts, date), [("c", amount, Kes::ZERO)]);
    whole.merge(part(Item::Record(Category::Prompts, "c".into(), amount, at(0))));
    assert!(whole.culprits(Category::Prompts, date).is_empty());
}

#[test]
fn what_is_counted_in_parts_adds_up() {
    let part = Totals {
        wallets: 1,
        holders: 2,
        debtors: 3,
        moving: 4,
        set_asides: 7,
        float: Kes::new(5),
        uncertain: Kes::new(6),
        ..Totals::default()
    };
    let mut whole = Totals::default();
    whole.merge(part.clone());
    whole.merge(part);
    let counts = (whole.wallets, whole.holders, whole.debtors, whole.moving, whole.set_asides);
    assert_eq!((counts, whole.float, whole.uncertain), ((2, 4, 6, 8, 14), Kes::new(10), Kes::new(12)));
}

/// What is set aside of the payments that nobody has claimed is told as set aside and not once more as unclaimed.
#[test]
fn a_payment_that_is_set_aside_is_not_unclaimed_too() {
    let part = |amount, count, of_them, counted| Totals {
        unclaimed: CategoryTotal(Kes::new(amount), count),
        unclaimed_set_aside: CategoryTotal(Kes::new(of_them), counted),
        ..Totals::default()
    };
    let mut whole = part(250, 3, 0, 0);
    whole.merge(part(300, 4, 150, 2));
    assert_eq!(whole.unclaimed_beside_set_aside(), CategoryTotal(Kes::new(400), 5));
}

#[test]
fn a_posting_that_does_not_balance_is_named() {
    let legs = [Leg { account: "fees".into(), amount: Kes::new(5) }];
    let mut totals = Totals::default();
    let found = totals.add_posting(&scope(), Booked { cause: "fee#x", legs: &legs, at: at(0) }).unwrap();
    assert_eq!((found.kind, found.on.as_str(), found.found), (Kind::Posting, "fee#x", 5));
    assert_eq!(compare(&totals, &[])[0].kind, Kind::Ledger);
}

#[test]
fn what_moves_while_mpesa_answers_is_uncertain() {
    let scope = Scope { float_at: Some(at(1000)), ..scope() };
    let mut totals = Totals::default();
    for (seconds, amount) in [(0, 100), (400, 50), (900, -30), (1000, 4), (1100, 7)] {
        totals.move_float(&scope, at(seconds), Kes::new(amount));
    }
    assert_eq!((totals.float, totals.uncertain), (Kes::new(120), Kes::new(41)));
}

#[rstest]
#[case::both(true, 100 - 75)]
#[case::another_account_takes_in(false, -75)]
fn the_float_is_what_came_in_less_what_went_out(#[case] float_takes_in: bool, #[case] float: i64) {
    let scope = Scope { float_at: Some(at(24 * HOUR)), float_takes_in, ..scope() };
    let deposit = Posting::deposit(&player(1), "c", Kes::new(100));
    let payout = Posting::withdrawal_done("w", Kes::new(75));
    let mut totals = Totals::default();
    for posting in [deposit, payout] {
        add(&mut totals, &scope, &Item::Posting(posting, at(0)));
    }
    assert_eq!(totals.float, Kes::new(float));
}

/// A day with more records than are kept apart is told as a whole, never by a record that lost its other
/// side.
#[test]
fn a_day_with_too_many_records_is_told_as_a_whole() {
    let date = day_of(at(0));
    let scope = Scope { suspects: BTreeSet::from([(Category::Prompts, date)]), ..scope() };
    let (mut totals, mut others) = (Totals::default(), Totals::default());
    for n in 0..=MOST_RECORDS {
        let id = n.to_string();
        let deposit = Posting::deposit(&player(1), &id, Kes::new(50));
        add(&mut totals, &scope, &Item::Posting(deposit, at(0)));
        if n > 0 {
            add(&mut others, &scope, &Item::Record(Category::Prompts, id, Kes::new(50), at(0)));
        }
    }
    others.merge(totals);
    let found = compare(&others, &[]);
    assert_eq!((found.len(), found[0].on.as_str()), (1, ""));
    assert_eq!(found[0].expected - found[0].found, 50);
}

#[test]
fn a_day_is_kenyas() {
    let late: Timestamp = "2026-08-20T21:00:00Z".parse().unwrap();
    assert_eq!(day_of(late).to_string(), "2026-08-21");
    assert_eq!(day_of(late - SignedDuration::from_secs(1)).to_string(), "2026-08-20");
}

#[test]
fn only_what_is_new_is_news() {
    let one = Difference::of(Kind::Wallet, "a", 1, 2);
    let other = Difference::of(Kind::Wallet, "a", 1, 3);
    assert!(!has_new_difference(std::slice::from_ref(&one), std::slice::from_ref(&one)));
    assert!(has_new_difference(std::slice::from_ref(&one), &[one.clone(), other]));
    assert!(!has_new_difference(&[one], &[]));
}
