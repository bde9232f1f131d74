//! Who owns what, from outside alone: what M-Pesa received and paid out, and what the official game said of the leagues
//! that were drawn. Nothing of the product is imported here, and nothing that it says of money is believed.

use std::collections::{BTreeMap, BTreeSet};

/// What the operator keeps of what a league collects, in percent.
const FEE: i64 = 10;

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
    scores: BTreeMap<(u8, usize), Score>,
    /// Who has asked to play in which gameweek.
    asked: BTreeSet<(u8, usize)>,
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

    pub fn ask(&mut self, week: u8, player: usize) {
        self.asked.insert((week, player));
    }

    /// The best of a league win what it collected less the fee, in whole shillings; everybody has paid the stake.
    pub fn settle(&mut self, week: u8, stake: i64, members: &[usize]) {
        let score = |player: &usize| self.scores[&(week, *player)];
        let best = members.iter().map(score).max().expect("a league has members");
        let winners: BTreeSet<usize> =
            members.iter().copied().filter(|player| score(player) == best).collect();
        let collected = stake * whole(members.len());
        let share = (collected - collected * FEE / 100) / whole(winners.len());
        for player in members {
            assert!(self.asked.contains(&(week, *player)), "player {player} never asked to play in {week}");
            self.played[*player] += if winners.contains(player) { share - stake } else { -stake };
        }
    }

    /// What a player should have once nothing is under way any more.
    pub fn should_have(&self, player: usize) -> i64 {
        let kept = self.of_owner(player).filter(|one| !one.reversed && !one.to_be_typed);
        let received: i64 = kept.map(|one| one.amount).sum();
        received - self.out(player) + self.played[player]
    }

    /// What a player cannot have more than while something may be under way: M-Pesa's reversals come to us late.
    pub fn most(&self, player: usize) -> i64 {
        let received: i64 = self.of_owner(player).map(|one| one.amount).sum();
        received - self.out(player) + self.played[player]
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
