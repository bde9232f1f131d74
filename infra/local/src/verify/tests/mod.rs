//! A draw that was made honestly holds; whatever is changed in it afterwards, or was made in another
//! way, does not, and the check that says so is the right one.

mod operator;

use domain::leagues::{draw, entry_line::EntryLine};
use jiff::SignedDuration;
use rstest::rstest;

use super::*;
use operator::{Operator, SECRET, chain, fence, line, lists_at, member};

fn known() -> Known {
    Known { secret_hash: Some(draw::secret_hash(&SECRET)), ..Known::default() }
}

fn checked(published: &Published) -> Report {
    checked_with(published, &known())
}

fn checked_with(published: &Published, known: &Known) -> Report {
    let mut report = Report::default();
    check(published, &[Chain::quicknet(), chain(1)], known, &mut report);
    report
}

fn failures(report: &Report) -> Vec<String> {
    let mut all: Vec<String> = report.failures().map(|(of, what)| format!("{of}: {what}")).collect();
    all.dedup();
    all
}

const LEAGUES: &str = "KES 50: each league has whom the draw puts there";
const COUNT: &str = "KES 50: how many entries";
const HASH: &str = "KES 50: the entries' hash";
const SEED: &str = "KES 50: the seed";
const SIZES: &str = "KES 50: the leagues' sizes";
const SIGNATURE: &str = "the beacon's signature";
const LISTS: &str = "all: the lists that were fixed are those that were drawn";
const NAMES: &str = "KES 50: each name that is shown is the one in the list";
const ORDER: &str = "all: every list was fixed after the fence, and before the round was chosen";

#[test]
fn an_honest_draw_holds() {
    let report = checked(&Operator::default().draws());
    assert!(report.holds(), "{report}");
    assert_eq!((report.entries, report.leagues), (36, 5));
    let last = report.to_string().lines().last().unwrap().to_owned();
    assert!(
        last.starts_with("yes: the leagues are what the draw makes (leagues: 5, entries: 36, "),
        "{last}"
    );
}

#[test]
fn in_which_order_a_league_tells_its_members_does_not_matter() {
    let mut published = Operator::default().draws();
    for league in published.leagues.values_mut().flatten() {
        league.users.reverse();
    }
    assert!(checked(&published).holds());
}

/// One thing is changed in what is published, at KES 50.
#[rstest]
#[case::two_members_swapped(|p: &mut Published| swap(p), &[LEAGUES])]
#[case::two_leagues_swapped(|p: &mut Published| { fifty(p)[1].number = 3; fifty(p)[2].number = 2; }, &[LEAGUES])]
#[case::another_seed(|p: &mut Published| p.draw.draws[0].seed.replace_range(0..8, "00000000"), &[SEED])]
#[case::another_secret(|p: &mut Published| p.draw.draws[0].secret = "ab".repeat(32),
    &["KES 50: the secret has the hash that was public from the opening", SEED, LEAGUES])]
#[case::no_secret(|p: &mut Published| p.draw.draws[0].secret = "secret".into(),
    &["KES 50: the secret has the hash that was public from the opening", SEED, LEAGUES])]
#[case::another_round(|p: &mut Published| p.draw.draws[0].beacon_round += 1,
    &["KES 50: the round that counts", "KES 50: the beacon's signature"])]
#[case::another_value(|p: &mut Published| p.draw.draws[0].beacon = Some("00".repeat(32)),
    &["KES 50: the beacon's value is its signature's hash", SEED, LEAGUES])]
#[case::a_cut_signature(|p: &mut Published| p.draw.draws[0].beacon_signature.as_mut().unwrap().truncate(94),
    &["KES 50: the beacon's value is its signature's hash", "KES 50: the beacon's signature"])]
#[case::no_signature(|p: &mut Published| p.draw.draws[0].beacon_signature = None,
    &["KES 50: the beacon's value is its signature's hash", "KES 50: the beacon's signature"])]
#[case::neither_beacon_nor_word_of_it(
    |p: &mut Published| { let d = &mut p.draw.draws[0]; d.beacon = None; d.beacon_signature = None; },
    &["KES 50: says that it was drawn without the beacon", SEED, LEAGUES])]
#[case::another_chain(|p: &mut Published| p.draw.draws[0].beacon_chain = Some("ab".repeat(32)),
    &["KES 50: the beacon's chain"])]
#[case::no_chain(|p: &mut Published| p.draw.draws[0].beacon_chain = None, &["KES 50: the beacon's chain"])]
#[case::a_missing_league(|p: &mut Published| drop(fifty(p).pop()), &[COUNT, HASH, SEED, SIZES, LEAGUES])]
#[case::a_league_twice(|p: &mut Published| { let again = fifty(p)[0].clone(); fifty(p).push(again); },
    &["KES 50: entries that are there twice", LEAGUES])]
#[case::an_added_entry(|p: &mut Published| fifty(p)[2].users.push(member(format!("{}{:08x}", "ff".repeat(12), 99))),
    &[COUNT, HASH, SEED, SIZES, LEAGUES])]
#[case::a_removed_entry(|p: &mut Published| drop(fifty(p)[2].users.pop()), &[COUNT, HASH, SEED, SIZES, LEAGUES])]
#[case::another_entry(|p: &mut Published| fifty(p)[2].users[0] = member(format!("{}{:08x}", "ff".repeat(12), 99)),
    &[HASH, SEED, LEAGUES])]
#[case::a_member_without_its_entry(|p: &mut Published| fifty(p)[2].users[0].entry_id = None,
    &["KES 50: members without an entry's id", COUNT, HASH, SEED, SIZES, LEAGUES])]
#[case::another_hash(|p: &mut Published| p.draw.draws[0].entries_hash = "00".repeat(32), &[LISTS, HASH])]
#[case::another_count(|p: &mut Published| p.draw.draws[0].entries = 22, &[LISTS, COUNT])]
#[case::other_sizes(|p: &mut Published| p.draw.draws[0].sizes = vec![10, 8, 5], &[SIZES])]
#[case::the_lone_one_left_out(|p: &mut Published| p.draw.draws[2].alone = None,
    &["KES 250: how many entries", "KES 250: the entries' hash", "KES 250: the seed"])]
#[case::no_hash_from_the_opening(|p: &mut Published| p.draw.secret_hash = None,
    &["all: the secret's hash as it was noted",
    "KES 50: the secret has the hash that was public from the opening",
    "KES 100: the secret has the hash that was public from the opening",
    "KES 250: the secret has the hash that was public from the opening"])]
#[case::an_amount_is_missing(|p: &mut Published| drop(p.draw.draws.pop()), &["all: the amounts", LISTS])]
#[case::another_list_than_was_public(|p: &mut Published| p.draw.lists[0].entries_hash = "00".repeat(32), &[LISTS])]
#[case::a_list_that_was_not_public(|p: &mut Published| drop(p.draw.lists.pop()), &[LISTS])]
#[case::a_list_from_before_the_fence(|p: &mut Published| p.draw.lists[0].at = fence() - SignedDuration::from_secs(1),
    &[ORDER])]
#[case::a_list_after_the_round_was_chosen(
    |p: &mut Published| p.draw.lists[0].at = lists_at() + SignedDuration::from_secs(1), &[ORDER])]
#[case::no_list_was_public(|p: &mut Published| p.draw.lists_at = None,
    &["all: when every list was fixed", "KES 50: the round that counts", "KES 100: the round that counts",
    "KES 250: the round that counts"])]
#[case::a_hash_over_ids_only(|p: &mut Published| p.draw.draws[0].covers = "ids".into(),
    &["KES 50: what the list's hash covers"])]
#[case::two_teams_exchanged(|p: &mut Published| exchange(p, |a, b| std::mem::swap(&mut a.fpl_id, &mut b.fpl_id)),
    &[HASH, SEED, LEAGUES])]
#[case::two_names_exchanged(|p: &mut Published| exchange(p, |a, b| std::mem::swap(&mut a.username, &mut b.username)),
    &[NAMES])]
#[case::two_names_exchanged_with_their_hashes(|p: &mut Published| exchange(p, |a, b| {
    std::mem::swap(&mut a.username, &mut b.username);
    std::mem::swap(&mut a.salt, &mut b.salt);
    std::mem::swap(&mut a.name_hash, &mut b.name_hash);
}), &[HASH, SEED, LEAGUES])]
#[case::everything_but_the_entries_exchanged(|p: &mut Published| exchange(p, |a, b| {
    std::mem::swap(a, b);
    std::mem::swap(&mut a.entry_id, &mut b.entry_id);
}), &[HASH, SEED, LEAGUES])]
#[case::another_name(|p: &mut Published| fifty(p)[0].users[0].username = Some("thief".into()), &[NAMES])]
#[case::a_name_without_a_salt(|p: &mut Published| fifty(p)[0].users[0].salt = None, &[NAMES])]
#[case::no_hash_of_a_name(|p: &mut Published| fifty(p)[0].users[0].name_hash = None, &[NAMES, HASH, SEED, LEAGUES])]
#[case::the_lone_ones_line_of_another(|p: &mut Published| p.draw.draws[2].alone_line = Some(line(&"0".repeat(32)).to_string()),
    &["KES 250: the entries' hash", "KES 250: the seed"])]
#[case::another_fence(|p: &mut Published| p.draw.fence = fence() + SignedDuration::from_mins(1),
    &["all: the fence", ORDER])]
fn whatever_is_changed_is_found(#[case] change: fn(&mut Published), #[case] expected: &[&str]) {
    let mut published = Operator::default().draws();
    change(&mut published);
    let report = checked(&published);
    assert!(!report.holds());
    assert_eq!(failures(&report), expected, "{report}");
    assert!(report.to_string().lines().last().unwrap().starts_with("no: "), "{report}");
}

fn fifty(published: &mut Published) -> &mut Vec<League> {
    published.leagues.get_mut(&50).unwrap()
}

/// Changes something between the first members of two leagues.
fn exchange(published: &mut Published, what: fn(&mut Member, &mut Member)) {
    let [first, second, ..] = &mut fifty(published)[..] else { unreachable!("three leagues") };
    what(&mut first.users[0], &mut second.users[0]);
}

fn swap(published: &mut Published) {
    let [first, second, ..] = &mut fifty(published)[..] else { unreachable!("three leagues") };
    std::mem::swap(&mut first.users[0], &mut second.users[0]);
}

/// Everything agrees with itself, but was not made as it has to be.
#[rstest]
#[case::with_a_secret_chosen_later(Operator { secret: [8; 32], ..Operator::default() },
    "the secret has the hash that was public from the opening")]
#[case::with_a_later_round(Operator { rounds_later: 1, ..Operator::default() },
    "the round that counts")]
#[case::with_a_beacon_of_ones_own(Operator { key: 2, ..Operator::default() }, SIGNATURE)]
#[case::without_waiting_for_the_beacon(Operator { beacon_answers: false, ..Operator::default() },
    "was not drawn while the beacon was awaited")]
#[case::without_waiting_long_enough(Operator { beacon_answers: false, drawn_after: SignedDuration::from_mins(45),
    waited: SignedDuration::from_mins(29), ..Operator::default() }, "was not drawn while the beacon was awaited")]
fn a_draw_made_in_another_way_is_found(#[case] operator: Operator, #[case] expected: &str) {
    let report = checked(&operator.draws());
    let expected = [50, 100, 250].map(|amount| format!("KES {amount}: {expected}"));
    assert_eq!(failures(&report), expected, "{report}");
}

#[test]
fn a_draw_that_waited_for_the_beacon_in_vain_holds_and_is_remarked_on() {
    let drawn_after = SignedDuration::from_mins(32);
    let report = checked(&Operator { beacon_answers: false, drawn_after, ..Operator::default() }.draws());
    assert!(report.holds(), "{report}");
    let remark = "note  KES 50: without the beacon the operator could know the draw beforehand";
    assert!(report.to_string().contains(remark), "{report}");
}

#[test]
fn a_hash_that_was_noted_is_what_counts() {
    // Secret and hash agree, and are not those from before the deadline.
    let mut published = Operator { secret: [8; 32], ..Operator::default() }.draws();
    published.draw.secret_hash = Some(draw::secret_hash(&[8; 32]));
    assert_eq!(failures(&checked(&published)), ["all: the secret's hash as it was noted"]);
    let mut unaware = Report::default();
    check(&published, &[chain(1)], &Known::default(), &mut unaware);
    assert!(unaware.holds());
    assert!(unaware.to_string().contains("--secret-hash"), "{unaware}");
}

#[test]
fn what_does_not_match_says_what_was_expected_and_found() {
    let mut published = Operator::default().draws();
    swap(&mut published);
    let [first, second] = [0, 1].map(|n| fifty(&mut published)[n].users[0].entry_id.clone().unwrap());
    let text = checked(&published).to_string();
    let line = format!("expected league 1 with {second}; found {first} in their place");
    assert!(text.contains(&line), "{text}");
}

#[test]
fn of_many_leagues_that_differ_some_are_told() {
    let (mut draw, mut leagues) = Operator::default().draw(50, 200);
    leagues.rotate_left(1);
    for (number, league) in (1..).zip(&mut leagues) {
        league.number = number;
    }
    draw.entries = 200;
    let mut published = Operator::default().draws();
    published.draw.lists[0].entries = 200;
    published.draw.lists[0].entries_hash = draw.entries_hash.clone();
    published.draw.draws[0] = draw;
    published.leagues.insert(50, leagues);
    let report = checked(&published);
    assert_eq!(report.failures().count(), 5, "{report}");
    assert!(report.to_string().contains("KES 50: 15 more leagues differ"), "{report}");
}

#[test]
fn the_words_of_the_command() {
    let read = |words: &[&str]| Options::parse(words);
    let plain = read(&["3"]).unwrap();
    assert_eq!((plain.gameweek.as_str(), plain.origin.as_str()), ("3", "http://localhost:4000"));
    assert_eq!(read(&["2025-38"]).unwrap().gameweek, "2025-38");
    let hash = "AB".repeat(32);
    let all = ["--secret-hash", &hash, "3", "https://fplleagues.example/", "--chain-info", "chain.json"];
    let all = read(&all).unwrap();
    assert_eq!(all.origin, "https://fplleagues.example");
    assert_eq!(all.known.secret_hash, Some("ab".repeat(32)));
    let copied = format!("  {}\n", line(&"0".repeat(32)).to_string().replace(' ', "  "));
    let more = ["3", "--entry", &copied, "--entries-hash", &format!("50:{hash}"), "--old-rules"];
    let more = read(&more).unwrap().known;
    assert_eq!(more.entries, [line(&"0".repeat(32))]);
    assert_eq!(more.lists, [(50, "ab".repeat(32))]);
    assert!(more.old_rules);
    assert_eq!(all.chain_info, Some("chain.json".into()));
    for wrong in [
        &[][..],
        &["x"],
        &["300"],
        &["3", "localhost:4000"],
        &["3", "ftp://a.example"],
        &["3", "http://a.example", "b"],
        &["3", "--secret-hash"],
        &["3", "--secret-hash", "abc"],
        &["3", "--secret"],
        &["2025-3"],
        &["3", "--entry", "a b c"],
        &["3", "--entries-hash", &hash],
        &["3", "--entries-hash", &format!("60:{hash}")],
    ] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
}

/// What was noted beforehand is what counts, and a line that was kept.
#[test]
fn what_somebody_kept_is_held_against_what_is_published() {
    let published = Operator::default().draws();
    let list = |hash: &str| Known { lists: vec![(100, hash.to_owned())], ..known() };
    assert!(checked_with(&published, &list(&published.draw.lists[1].entries_hash)).holds());
    let report = checked_with(&published, &list(&"ab".repeat(32)));
    assert_eq!(failures(&report), ["KES 100: the list's hash as it was noted"]);

    let own = line(fifty(&mut published.clone())[1].users[0].entry_id.as_deref().unwrap());
    let entry = |line: EntryLine| checked_with(&published, &Known { entries: vec![line], ..known() });
    let alone = published.draw.draws[2].alone_line.as_ref().unwrap().parse().unwrap();
    assert!(entry(own.clone()).holds() && entry(alone).holds());
    for altered in [
        EntryLine { fpl_id: "99".into(), ..own.clone() },
        EntryLine { name_hash: "ab".repeat(32), ..own.clone() },
        EntryLine { entry_id: "ff".repeat(16), ..own },
    ] {
        assert_eq!(failures(&entry(altered)), ["yours: your entry is in the list, as it was shown to you"]);
    }
}

#[test]
fn an_account_that_is_closed_shows_no_name_and_keeps_its_line() {
    let mut published = Operator::default().draws();
    let member = &mut fifty(&mut published)[0].users[0];
    (member.username, member.salt) = (None, None);
    let report = checked(&published);
    assert!(report.holds(), "{report}");
}

/// A draw from before the lists were public is checked by the rules of then, for whoever asks for it: otherwise
/// any draw could pass for one.
#[test]
fn a_draw_by_the_rules_of_before_holds_where_they_are_accepted() {
    let published = Operator { old: true, ..Operator::default() }.draws();
    let old = Known { old_rules: true, ..known() };
    let report = checked_with(&published, &old);
    assert!(report.holds(), "{report}");
    assert!(report.to_string().contains("not whose they are"), "{report}");
    let report = checked(&published);
    assert!(!report.holds(), "{report}");
    let mut other = published;
    swap(&mut other);
    assert_eq!(failures(&checked_with(&other, &old)), [LEAGUES]);
    // What is drawn by today's rules is held to them all the same.
    let mut today = Operator::default().draws();
    exchange(&mut today, |a, b| std::mem::swap(&mut a.fpl_id, &mut b.fpl_id));
    assert!(!checked_with(&today, &old).holds());
}
