//! How a league and its members are shown: in order of joining before there are points, ranked after,
//! as its record says once it is settled.

use app::leagues::{
    list::{LeagueNow, RankedMember},
    live::LeagueLive,
    points::TeamPoints,
};
use domain::leagues::ranking::Score;
use jiff::Timestamp;
use serde::Serialize;
use store::{
    leagues::{League, Member, points::PointsStage},
    settlement::record::Ranked,
};
use utoipa::ToSchema;

use super::StageWord;
use crate::platform::http::OneOf;

/// How far a league is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeagueState {
    Drawn,
    Provisional,
    Settled,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueView {
    #[serde(rename = "_id")]
    #[schema(example = "2026-03-50-00001")]
    pub id: String,
    /// From 1.
    #[schema(example = 1)]
    pub number: usize,
    /// `provisional` before the draw, then `drawn`, and `settled` once it is paid.
    #[schema(inline)]
    pub state: LeagueState,
    /// How certain the least certain of its points are; null until there are some.
    #[schema(inline)]
    pub status: Option<StageWord>,
    /// When the oldest of its points were read; null until there are some.
    #[serde(rename = "asOf")]
    pub as_of: Option<Timestamp>,
    /// Whether the caller is in it: `GET /api/me/league` says so, what everybody reads does not.
    #[schema(example = false)]
    pub own: bool,
    /// Whether a match of the gameweek is on; only where one league is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = true)]
    pub playing: Option<bool>,
    /// Ranked once there are points, in order of joining before.
    pub users: Vec<MemberView>,
}

#[derive(Serialize, ToSchema)]
pub struct MemberView {
    #[serde(rename = "fplId")]
    #[schema(example = "118670")]
    fpl_id: String,
    #[schema(example = "Wanjiku")]
    username: String,
    /// What the draw ordered by; null before it, and where one league is asked for.
    #[serde(rename = "entryId")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    entry_id: Option<String>,
    /// SHA-256 over salt and name (hex), as the draw's list has it; null before the draw, and where one league is asked for.
    #[serde(rename = "nameHash")]
    #[schema(example = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752")]
    name_hash: Option<String>,
    /// Null before the draw, once the account is closed, and where one league is asked for.
    #[schema(example = "4f1c2d3b5a69788796a5b4c3d2e1f001")]
    salt: Option<String>,
    /// As the official game has it.
    #[serde(rename = "teamName")]
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
    /// After the deduction setting; null until known.
    #[schema(example = 61)]
    points: Option<i32>,
    /// Null until known.
    #[schema(example = 7)]
    points_on_bench: Option<i32>,
    /// Before extra transfers are paid for; null until known.
    #[schema(example = 65)]
    gross: Option<i32>,
    /// What extra transfers cost, in points; null until known.
    #[serde(rename = "transfersCost")]
    #[schema(example = 4)]
    transfers_cost: Option<i32>,
    /// The chip that was played, by the official game's name; null where none was, or where its name is not known here.
    #[schema(example = "bboost")]
    chip: Option<String>,
    /// Null until there are points.
    #[schema(inline)]
    status: Option<StageWord>,
    /// Null until there are points; equal scores share one.
    #[schema(example = 1)]
    rank: Option<usize>,
    /// Whom the team picked as captain; only where one league is asked for, and once the picks are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Saka")]
    captain: Option<String>,
    /// How many of those who count have played; only where one league is asked for, as the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 4)]
    played: Option<usize>,
    /// How many are playing now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 2)]
    playing: Option<usize>,
    /// How many have yet to play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 5)]
    left: Option<usize>,
    /// In KES; null until it is settled.
    #[schema(example = 450)]
    prize: Option<i64>,
    /// What was given back, in KES; null until it is settled.
    #[schema(example = 0)]
    refund: Option<i64>,
}

impl From<LeagueNow> for LeagueView {
    fn from(now: LeagueNow) -> Self {
        match now {
            LeagueNow::Provisional { gameweek, amount, group } => Self {
                id: format!("{gameweek}-{}-provisional-{}", amount.kes().get(), group.number),
                number: group.number,
                state: LeagueState::Provisional,
                status: None,
                as_of: None,
                own: false,
                playing: None,
                users: group.entries.into_iter().map(|entry| member_view(&entry.into(), None)).collect(),
            },
            LeagueNow::Drawn { league, members } => {
                let known = || members.iter().filter_map(|member| Some(&member.points.as_ref()?.0));
                Self {
                    status: known().map(|points| points.stage).min().map(OneOf),
                    as_of: known().map(|points| points.as_of).min(),
                    users: members.iter().map(|ranked| drawn_view(&league, ranked)).collect(),
                    ..empty(&league, LeagueState::Drawn)
                }
            }
            LeagueNow::Settled { league, record } => Self {
                status: record.ranking.iter().filter_map(worth).min().map(OneOf),
                as_of: Some(record.at),
                users: record.ranking.iter().map(|place| ranked(&league, place)).collect(),
                ..empty(&league, LeagueState::Settled)
            },
        }
    }
}

impl LeagueView {
    /// A league with how it is being played. It is read each minute, so it is without what a draw is checked by: that never
    /// changes, and the list of leagues has it.
    pub fn live(now: LeagueNow, live: &LeagueLive) -> Self {
        let mut view = Self { playing: Some(live.playing), ..now.into() };
        for member in &mut view.users {
            (member.entry_id, member.name_hash, member.salt) = (None, None, None);
            let Some(now) = live.members.iter().find(|now| now.fpl_id.to_string() == member.fpl_id) else {
                continue;
            };
            member.captain.clone_from(&now.captain);
            // Before there are points the chip is known by the team alone.
            member.chip = member.chip.take().or_else(|| now.chip.clone());
            member.played = now.counts.map(|counts| counts.played);
            member.playing = now.counts.map(|counts| counts.playing);
            member.left = now.counts.map(|counts| counts.left);
        }
        view
    }
}

fn empty(league: &League, state: LeagueState) -> LeagueView {
    let number = usize::try_from(league.number).expect("a league's number is small");
    LeagueView {
        id: league.id().to_string(),
        number,
        state,
        status: None,
        as_of: None,
        own: false,
        playing: None,
        users: Vec::new(),
    }
}

fn drawn_view(league: &League, ranked: &RankedMember) -> MemberView {
    let member = &league.members[ranked.at];
    let view = member_view(member, ranked.points.as_ref());
    MemberView { rank: ranked.rank, ..listed(member, view) }
}

fn member_view(member: &Member, points: Option<&(TeamPoints, Score)>) -> MemberView {
    MemberView {
        fpl_id: member.fpl_id.to_string(),
        username: member.username.to_string(),
        entry_id: None,
        name_hash: None,
        salt: None,
        team_name: member.team_name.clone(),
        points: points.map(|(_, score)| score.points),
        points_on_bench: points.map(|(_, score)| score.points_on_bench),
        gross: points.map(|(points, _)| points.figures.gross),
        transfers_cost: points.map(|(points, _)| points.figures.transfers_cost),
        chip: points.and_then(|(points, _)| points.chip.clone()),
        status: points.map(|(points, _)| OneOf(points.stage)),
        rank: None,
        captain: None,
        played: None,
        playing: None,
        left: None,
        prize: None,
        refund: None,
    }
}

/// A member with what the draw's list has of it.
fn listed(member: &Member, view: MemberView) -> MemberView {
    let name = member.name.as_ref();
    MemberView {
        entry_id: Some(member.entry_id.clone()),
        name_hash: name.map(|name| name.hash.clone()),
        salt: name.and_then(|name| name.salt.clone()),
        ..view
    }
}

fn ranked(league: &League, ranked: &Ranked) -> MemberView {
    let view = ranked_view(ranked);
    let member = league.members.iter().find(|member| member.user_id == ranked.user_id);
    match member {
        Some(member) => listed(member, view),
        None => view,
    }
}

/// What the figures are that a league was settled on: where they decided nothing, they are worth nothing.
fn worth(ranked: &Ranked) -> Option<PointsStage> {
    ranked.figures.filter(|_| !ranked.refund.is_positive())?;
    Some(if ranked.own_figures { PointsStage::Provisional } else { PointsStage::Final })
}

fn ranked_view(ranked: &Ranked) -> MemberView {
    MemberView {
        fpl_id: ranked.fpl_id.to_string(),
        username: ranked.username.to_string(),
        entry_id: None,
        name_hash: None,
        salt: None,
        team_name: ranked.team_name.clone(),
        points: ranked.score.map(|score| score.points),
        points_on_bench: ranked.score.map(|score| score.points_on_bench),
        gross: ranked.figures.map(|figures| figures.gross),
        transfers_cost: ranked.figures.map(|figures| figures.transfers_cost),
        chip: ranked.chip.clone(),
        status: worth(ranked).map(OneOf),
        rank: ranked.rank,
        captain: None,
        played: None,
        playing: None,
        left: None,
        prize: Some(ranked.prize.get()),
        refund: Some(ranked.refund.get()),
    }
}
