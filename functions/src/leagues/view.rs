//! How a league and its members are shown: in order of joining before there are points, ranked after,
//! as its record says once it is settled.

use app::leagues::scores::{self, TeamPoints};
use domain::leagues::ranking::{self, Score};
use serde::Serialize;
use store::{
    leagues::{
        League, Member,
        scores::{Scores, Stage},
    },
    settlement::record::{Ranked, Settlement},
};
use utoipa::ToSchema;

use super::stage_word;

#[derive(Serialize, ToSchema)]
pub struct LeagueView {
    #[serde(rename = "_id")]
    pub id: String,
    /// From 1.
    pub number: usize,
    /// `provisional` before the draw, then `drawn`, and `settled` once it is paid.
    pub state: &'static str,
    /// How certain the least certain of its points are: `live`, `provisional` or `final`; null until
    /// there are some.
    pub status: Option<&'static str>,
    /// When the oldest of its points were read, RFC 3339, UTC; null until there are some.
    #[serde(rename = "asOf")]
    pub as_of: Option<String>,
    /// Whether the caller is in it.
    pub own: bool,
    /// Ranked once there are points, in order of joining before.
    pub users: Vec<MemberView>,
}

#[derive(Serialize, ToSchema)]
pub struct MemberView {
    #[serde(rename = "fplId")]
    fpl_id: String,
    username: String,
    /// What the draw ordered by; null before it.
    #[serde(rename = "entryId")]
    entry_id: Option<String>,
    /// SHA-256 over salt and name (hex), as the draw's list has it; null before the draw.
    #[serde(rename = "nameHash")]
    name_hash: Option<String>,
    /// Null before the draw, and once the account is closed.
    salt: Option<String>,
    /// As the official game has it.
    #[serde(rename = "teamName")]
    team_name: Option<String>,
    /// After the deduction setting; null until known.
    points: Option<i32>,
    /// Null until known.
    points_on_bench: Option<i32>,
    /// Before extra transfers are paid for; null until known.
    gross: Option<i32>,
    /// What extra transfers cost, in points; null until known.
    #[serde(rename = "transfersCost")]
    transfers_cost: Option<i32>,
    /// The chip that was played, by the official game's name; null where none was.
    chip: Option<String>,
    /// `live`, `provisional` or `final`; null until there are points.
    status: Option<&'static str>,
    /// Null until there are points; equal scores share one.
    rank: Option<usize>,
    /// In KES; null until it is settled.
    prize: Option<i64>,
    /// What was given back, in KES; null until it is settled.
    refund: Option<i64>,
}

/// Members of a group that is not drawn yet.
pub fn unranked(members: impl Iterator<Item = Member>) -> Vec<MemberView> {
    members.map(|member| member_view(&member, None)).collect()
}

/// A league that is drawn and not settled, with points as far as they are known.
pub fn drawn(league: &League, scores: Option<&Scores>, deduct: bool, own: bool) -> LeagueView {
    let points: Vec<Option<TeamPoints>> =
        (0..league.members.len()).map(|at| scores::of_team(league.reading(at), scores)).collect();
    let known = || points.iter().flatten();
    let score = |at: &usize| points[*at].as_ref().map(|points| points.figures.score(deduct));
    // Whoever has no points yet comes last.
    let (mut ranked, unknown): (Vec<usize>, Vec<usize>) =
        (0..points.len()).partition(|at| points[*at].is_some());
    ranked.sort_by_key(|at| std::cmp::Reverse(score(at)));
    let ranks = ranking::rank(ranked, |at| score(at).expect("only those with points are ranked"));
    let first = ranks.into_iter().map(|(rank, at)| (Some(rank), at));
    let users = first.chain(unknown.into_iter().map(|at| (None, at))).map(|(rank, at)| {
        let counted = points[at].as_ref().zip(score(&at));
        let member = &league.members[at];
        MemberView { rank, ..listed(member, member_view(member, counted)) }
    });
    LeagueView {
        status: known().map(|points| points.stage).min().map(stage_word),
        as_of: known().map(|points| points.as_of).min().map(|at| at.to_string()),
        users: users.collect(),
        ..empty(league, "drawn", own)
    }
}

/// A league that is settled, as its record says.
pub fn settled(league: &League, record: &Settlement, own: bool) -> LeagueView {
    LeagueView {
        status: Some(stage_word(Stage::Final)),
        as_of: Some(record.at.to_string()),
        users: record.ranking.iter().map(|place| ranked(league, place)).collect(),
        ..empty(league, "settled", own)
    }
}

fn empty(league: &League, state: &'static str, own: bool) -> LeagueView {
    let number = usize::try_from(league.number).expect("a league's number is small");
    LeagueView {
        id: league.id().to_string(),
        number,
        state,
        status: None,
        as_of: None,
        own,
        users: Vec::new(),
    }
}

fn member_view(member: &Member, points: Option<(&TeamPoints, Score)>) -> MemberView {
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
        status: points.map(|(points, _)| stage_word(points.stage)),
        rank: None,
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
        status: ranked.figures.map(|_| stage_word(Stage::Final)),
        rank: ranked.rank,
        prize: Some(ranked.prize.get()),
        refund: Some(ranked.refund.get()),
    }
}
