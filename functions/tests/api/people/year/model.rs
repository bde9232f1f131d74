//! Who owns what, from outside alone: what M-Pesa received and paid out, and what the official game said of the leagues
//! that were drawn. Nothing of the product is imported here, and nothing that it says of money is believed.

use std::collections::{BTreeMap, BTreeSet};

/// What the operator keeps of what a league collects, in percent.
const FEE: i64 = 10;
/// A day, in seconds.
const DAY: i64 = 24 * 3600;

/// A payment that M-Pesa has received.
#[derive(Debug, Clone)]
pub struct Received {
    /// Whose money it is: of the prompt it answers, or of the account it names.
    pub owner: usize,
    /// From whose phone it came.
    pub payer: usize,
    pub amount: i64,
    /// When, in seconds of the simulated clock.
    pub at: i64,
    /// M-Pesa has given it back.
    pub reversed: bool,
    /// Nobody can know whose it is before its payer has typed the code.
    pub needs_code: bool,
    /// The code is not typed, or an admin has rejected it.
    pub to_be_typed: bool,
}

/// An admin's correction of a wallet, in KES: more than 0 is given, less is taken.
#[derive(Debug, Clone, Copy)]
pub struct Correction {
    pub player: usize,
    pub amount: i64,
    /// What the wallet did not cover, once it is known that it is booked.
    pub lost: Option<i64>,
}

impl Correction {
    /// What has moved for certain.
    fn moved(self) -> i64 {
        self.lost.map_or(0, |lost| self.amount + lost)
    }

    /// What may have moved at the most: of one that nobody has an answer to, what it gives.
    fn most(self) -> i64 {
        if self.lost.is_none() { self.amount.max(0) } else { self.moved() }
    }
}

/// What ranks a team: points less transfers, then the bench.
pub type Score = (i64, i64);

#[derive(Default)]
pub struct Model {
    pub received: BTreeMap<String, Received>,
    /// Which payment a prompt ended with, by M-Pesa's id of the prompt.
    pub prompts: BTreeMap<String, String>,
    /// What M-Pesa has paid out, by its id: to whom, and how much.
    pub paid_out: BTreeMap<String, (usize, i64)>,
    /// What an admin has sent by hand: the withdrawal, to whom, and how much.
    pub by_hand: BTreeMap<String, (usize, i64)>,
    /// Prizes less stakes of the gameweeks that are over.
    pub played: Vec<i64>,
    /// What the operator keeps of the leagues, and what is left where a prize cannot be shared in whole shillings.
    fees: i64,
    rounding: i64,
    /// The receipts that M-Pesa has reversed, and that the books have taken back.
    taken_back: BTreeSet<String>,
    scores: BTreeMap<(u8, usize), Score>,
    /// Who has asked to play in which gameweek, and for how much.
    asked: BTreeSet<(u8, usize, i64)>,
    /// Who has paid in time for a gameweek by a prompt, or was told that they have joined it, and for how much: they are in it.
    entered: BTreeMap<(u8, usize), i64>,
    /// What admins have corrected, by the id that they gave it.
    pub corrections: BTreeMap<String, Correction>,
    /// The withdrawals that were taken, and whose they are.
    pub withdrawals: BTreeMap<String, usize>,
    /// The withdrawals that were cancelled by their links.
    cancelled: BTreeSet<String>,
    /// Who has closed the account, and when.
    pub closed: BTreeMap<usize, i64>,
    /// The receipts that somebody has tried to type.
    pub tried: BTreeSet<String>,
    /// Whom an admin has frozen or suspended in which gameweek, for however short a time.
    pub barred: BTreeSet<(u8, usize)>,
    /// Whose payout an admin has given up, which M-Pesa may make all the same: they would owe it.
    pub may_owe: BTreeSet<usize>,
}

/// What a player should have, and has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub should: i64,
    pub has: i64,
}

impl Model {
    pub fn of(players: usize) -> Self {
        Self { played: vec![0; players], ..Self::default() }
    }

    pub fn receive(&mut self, receipt: &str, received: Received) {
        self.received.entry(receipt.to_owned()).or_insert(received);
    }

    /// The newest payment from a player's phone.
    pub fn newest_of(&self, payer: usize) -> Option<(&String, &Received)> {
        self.received.iter().filter(|(_, received)| received.payer == payer).max_by_key(|(_, one)| one.at)
    }

    /// The payments whose payer has a code to type.
    pub fn to_type(&self) -> Vec<(usize, String)> {
        let untyped = self.received.iter().filter(|(_, received)| received.to_be_typed && !received.reversed);
        untyped.map(|(code, received)| (received.payer, code.clone())).collect()
    }

    /// Its payer has typed the code, or an admin has rejected that.
    pub fn typed(&mut self, receipt: &str, is: bool) {
        let received = self.received.get_mut(receipt).expect("it was received");
        received.to_be_typed = received.needs_code && !is;
    }

    pub fn reverse(&mut self, receipt: &str) {
        self.received.get_mut(receipt).expect("it was received").reversed = true;
    }

    /// What an admin with M-Pesa's portal knows of a code that `typist` has typed: the amount, where it is theirs.
    pub fn is_theirs(&self, receipt: &str, typist: usize) -> Option<i64> {
        let received = self.received.get(receipt)?;
        (received.payer == typist && received.owner == typist && !received.reversed)
            .then_some(received.amount)
    }

    /// What the official game says of a player's team: made up from the gameweek, the same in each run of a seed.
    pub fn score(&mut self, week: u8, player: usize, points: i64, bench: i64, cost: i64) {
        self.scores.insert((week, player), (points - cost, bench));
    }

    pub fn overturn(&mut self) {
        self.scores.values_mut().for_each(|(points, bench)| (*points, *bench) = (-*points, -*bench));
    }

    pub fn ask(&mut self, week: u8, player: usize, stake: i64) {
        self.asked.insert((week, player, stake));
    }

    pub fn has_asked(&self, week: u8, player: usize, stake: i64) -> bool {
        self.asked.contains(&(week, player, stake))
    }

    /// Whether there may be a reason for which a payment that was made in time makes no entry, of those that are seen from
    /// outside: its player was frozen or suspended, may owe something, or has closed the account; or its receipt, or the one
    /// of a payment that is taken for it, is credited by its code.
    pub fn may_make_no_entry(&self, week: u8, player: usize, receipt: &str) -> bool {
        let Some(paid) = self.received.get(receipt) else { return true };
        let is_taken_for_it = |(code, other): (&String, &Received)| {
            let by_code = other.needs_code || self.tried.contains(code);
            let alike = other.amount == paid.amount && (other.owner == player || other.payer == player);
            code != receipt && alike && (by_code || (other.at - paid.at).abs() < DAY)
        };
        self.barred.contains(&(week, player))
            || self.may_owe.contains(&player)
            || self.closed.contains_key(&player)
            || self.has_reversed(player)
            || self.tried.contains(receipt)
            || self.received.iter().any(is_taken_for_it)
    }

    pub fn enters(&mut self, week: u8, player: usize, stake: i64) {
        self.entered.insert((week, player), stake);
    }

    /// Somebody who has paid in time or was told that they have joined, and for how much, and is in no league of that amount.
    /// Who was alone in it is not meant: then there is no such league. `leagues`: who is in one, by the amount.
    pub fn missing(&self, week: u8, leagues: &BTreeMap<i64, BTreeSet<usize>>) -> Option<(usize, i64)> {
        let of_week = || self.entered.iter().filter(move |((of, _), _)| *of == week);
        let is_missing = |player: &usize, stake: &i64| match leagues.get(stake) {
            Some(members) => !members.contains(player),
            None => of_week().filter(|(_, other)| *other == stake).count() > 1,
        };
        let mut missing = of_week().filter(|((_, player), stake)| is_missing(player, stake));
        missing.next().map(|((_, player), stake)| (*player, *stake))
    }

    /// A link has cancelled a withdrawal: it is not paid.
    pub fn cancel(&mut self, withdrawal: &str) {
        self.cancelled.insert(withdrawal.to_owned());
    }

    /// What was cancelled nobody has sent by hand.
    pub fn check_cancelled(&self) {
        let sent = self.cancelled.iter().find(|withdrawal| self.by_hand.contains_key(*withdrawal));
        assert_eq!(sent, None, "a withdrawal that was cancelled, and sent by hand");
    }

    /// The best of a league win what it collected less the fee, in whole shillings; everybody has paid the stake.
    pub fn settle(&mut self, week: u8, stake: i64, members: &[usize]) {
        let score = |player: &usize| self.scores[&(week, *player)];
        let best = members.iter().map(score).max().expect("a league has members");
        let winners: BTreeSet<usize> =
            members.iter().copied().filter(|player| score(player) == best).collect();
        let collected = stake * whole(members.len());
        let fee = collected * FEE / 100;
        let share = (collected - fee) / whole(winners.len());
        self.fees += fee;
        self.rounding += collected - fee - share * whole(winners.len());
        for player in members {
            assert!(
                self.has_asked(week, *player, stake),
                "player {player} never asked to play in {week} for {stake}"
            );
            self.played[*player] += if winners.contains(player) { share - stake } else { -stake };
        }
    }

    /// What a player should have once nothing is under way any more.
    pub fn should_have(&self, player: usize) -> i64 {
        let kept = self.of_owner(player).filter(|one| !one.reversed && !one.to_be_typed);
        let received: i64 = kept.map(|one| one.amount).sum();
        let corrected: i64 = self.corrections_of(player).map(Correction::moved).sum();
        received - self.out(player) + self.played[player] + corrected
    }

    /// What a player cannot have more than while something may be under way: M-Pesa's reversals come to us late.
    pub fn most(&self, player: usize) -> i64 {
        let may_count = |(receipt, one): &(&String, &Received)| {
            one.owner == player && !self.taken_back.contains(*receipt)
        };
        let received: i64 = self.received.iter().filter(may_count).map(|(_, one)| one.amount).sum();
        let corrected: i64 = self.corrections_of(player).map(Correction::most).sum();
        received - self.out(player) + self.played[player] + corrected
    }

    /// What is in the accounts that are no player's, in KES, once nothing is under way any more: what was received is below
    /// zero, and what was paid out is above it. What corrections gave less what they took is the operator's, and what of it
    /// the wallets did not cover. All others are empty.
    pub fn accounts(&self) -> BTreeMap<&'static str, i64> {
        let (all, lost) = (self.corrections.values(), self.corrections.values());
        let (received, _, out) = self.sums();
        BTreeMap::from([
            ("mpesa:in", -received),
            ("mpesa:out", out),
            ("fees", self.fees),
            ("rounding", self.rounding),
            ("corrections", -all.map(|one| one.amount).sum::<i64>()),
            ("losses", -lost.filter_map(|one| one.lost).sum::<i64>()),
        ])
    }

    /// The books have taken back whatever M-Pesa has reversed.
    pub fn all_taken_back(&mut self) {
        let reversed = self.received.iter().filter(|(_, one)| one.reversed);
        self.taken_back.extend(reversed.map(|(receipt, _)| receipt.clone()));
    }

    fn corrections_of(&self, player: usize) -> impl Iterator<Item = Correction> {
        self.corrections.values().copied().filter(move |one| one.player == player)
    }

    /// Whether M-Pesa has taken back something of a player's.
    pub fn has_reversed(&self, player: usize) -> bool {
        self.of_owner(player).any(|one| one.reversed)
    }

    /// Whether nothing of a player's has to be done once more before the account is closed: no code to type, and no correction
    /// that nobody has an answer to.
    pub fn may_leave(&self, player: usize) -> bool {
        let codes = self.to_type();
        !codes.iter().any(|(payer, _)| *payer == player)
            && self.corrections_of(player).all(|one| one.lost.is_some())
    }

    /// Whether nothing has come to an account since it was closed, nor was on its way then.
    pub fn was_left_alone(&self, player: usize, closed_at: i64) -> bool {
        let by_prompt: BTreeSet<&String> = self.prompts.values().collect();
        // Of a prompt it is known how it has ended, or the account stays open.
        let is_over = |receipt: &String, at: i64| {
            let before = if by_prompt.contains(receipt) { 0 } else { DAY };
            at < closed_at - before
        };
        let mut own = self.received.iter().filter(|(_, one)| one.owner == player);
        let all_over = own.all(|(receipt, one)| is_over(receipt, one.at));
        all_over && !self.has_reversed(player) && !self.may_owe.contains(&player)
    }

    fn of_owner(&self, player: usize) -> impl Iterator<Item = &Received> {
        self.received.values().filter(move |one| one.owner == player)
    }

    fn out(&self, player: usize) -> i64 {
        let sent = self.paid_out.values().chain(self.by_hand.values());
        sent.filter(|(to, _)| *to == player).map(|(_, amount)| amount).sum()
    }

    pub fn tell(&self, player: usize) {
        let received = self.received.iter().filter(|(_, one)| one.owner == player);
        received.for_each(|(receipt, one)| println!("received {receipt}: {one:?}"));
        let sent = self.paid_out.iter().chain(&self.by_hand).filter(|(_, (to, _))| *to == player);
        sent.for_each(|(id, (_, amount))| println!("sent {id}: {amount}"));
        let corrected = self.corrections.iter().filter(|(_, one)| one.player == player);
        corrected.for_each(|(id, one)| println!("corrected {id}: {one:?}"));
    }

    /// In KES: received and kept, given back, paid out.
    pub fn sums(&self) -> (i64, i64, i64) {
        let of = |reversed: bool| -> i64 {
            self.received.values().filter(|one| one.reversed == reversed).map(|one| one.amount).sum()
        };
        let out: i64 = self.paid_out.values().chain(self.by_hand.values()).map(|(_, amount)| amount).sum();
        (of(false), of(true), out)
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).expect("a small number")
}

#[test]
fn who_paid_in_time_is_missed_in_the_leagues() {
    let mut model = Model::of(4);
    model.enters(1, 0, 50);
    model.enters(1, 2, 100);
    let league = |stake: i64, members: [usize; 2]| BTreeMap::from([(stake, BTreeSet::from(members))]);
    assert_eq!(model.missing(1, &league(50, [0, 1])), None, "alone at 100");
    assert_eq!(model.missing(1, &league(50, [1, 3])), Some((0, 50)));
    model.enters(1, 3, 100);
    assert_eq!(model.missing(1, &league(50, [0, 1])), Some((2, 100)), "two are not alone");
    assert_eq!(model.missing(2, &league(50, [1, 3])), None);
}
