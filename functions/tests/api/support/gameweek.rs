//! A gameweek on its way: who joins, what the official game says, the draw, the leagues, the end.

use domain::{
    Email, EntryAmount, FplId, GameweekId, Role, UserId, Username,
    accounts::{notifications::Language, stopping::Restraints},
    gameweeks::calendar::{Calendar, CalledOff, Gameweek},
    ledger::postings::Posting,
};
use jiff::SignedDuration;
use local::{
    fixtures,
    verify::{self, Options, Report},
};
use reqwest::Method;
use serde_json::{Value, json};
use store::{
    accounts::{players::Player, sign_up::SignedUp},
    entries::Entry,
    leagues::{LeagueId, Reading},
};

use super::{Answer, Person, World, text};

pub const DAY: i64 = 24 * 3600;

/// The call that ends a gameweek and pays its winners.
pub const PROCESS: &str = "/api/gameweek/process-winners";

/// What the official game can answer that nothing can be made of.
pub const UNREADABLE: [&str; 8] =
    ["html", "cut", "missing_fields", "wrong_gameweek", "forbidden", "rate_limited", "down", "updating"];

pub fn this_week() -> GameweekId {
    "2026-01".parse().unwrap()
}

/// The team of a player of [`World::crowd`].
pub fn fpl_id(player: &Value) -> &str {
    player["fplId"].as_str().unwrap()
}

/// Who is in a league, as it is shown.
pub fn users(league: &Value) -> &Vec<Value> {
    league["users"].as_array().unwrap()
}

/// How many are in each of these leagues.
pub fn sizes(leagues: &[Value]) -> Vec<usize> {
    leagues.iter().map(|league| users(league).len()).collect()
}

impl Person {
    pub async fn join(&self, amount: i64, gameweek: u8) -> Answer {
        let body = json!({"fplId": self.fpl_id, "entryAmount": amount, "gameweek": gameweek});
        self.post("/api/join-league", body).await
    }

    /// As the page shows them: everybody's list, the own one first.
    pub async fn leagues(&self, amount: i64, gameweek: u8) -> Vec<Value> {
        let asked = format!("gameweek={gameweek}&entryAmount={amount}");
        let list = self.get(&format!("/api/leagues?{asked}")).await.expect(200);
        let mut list = list.as_array().unwrap().clone();
        if self.token.is_some() {
            let own = self.get(&format!("/api/me/league?{asked}")).await.expect(200)["league"].clone();
            list.retain(|league| league["_id"] != own["_id"]);
            list.splice(0..0, Some(own).filter(|own| !own.is_null()));
        }
        list
    }

    pub async fn entries(&self) -> Value {
        self.get("/api/me/entries").await.expect(200)
    }

    /// Links a team for the season.
    pub async fn link_team(&self, fpl_id: &str) -> Answer {
        self.put("/api/user/team", json!({"fplId": fpl_id})).await
    }
}

impl World {
    /// `count` further players who have each joined at `amount`, through the stand-ins' page.
    pub async fn crowd(&self, count: usize, amount: i64) -> Vec<Value> {
        let body = json!({"count": count, "entryAmount": amount});
        self.sim(Method::POST, "/players", body).await.as_array().unwrap().clone()
    }

    /// A crowd of which the first has 90 points, the second 89 and so on, and each one more on the bench.
    pub async fn crowd_in_order(&self, count: usize, amount: i64) -> Vec<Value> {
        let crowd = self.crowd(count, amount).await;
        for (i, player) in (0..).zip(&crowd) {
            self.points(fpl_id(player), 1, 90 - i, i, 0).await;
        }
        crowd
    }

    /// As [`World::crowd`], written straight through the store: for hundreds, whose passwords nobody needs.
    pub async fn many(&self, count: u32, amount: i64) -> Vec<Entry> {
        let (app, now) = (self.app(), self.app().clock().now());
        let mut entries = Vec::new();
        for n in 0..count {
            let player = Player {
                id: UserId::parse(&store::random_id()).unwrap(),
                email: Email::parse(&format!("many{n}@example.co.ke")).unwrap(),
                username: Username::parse(&format!("many{n}")).unwrap(),
                fpl_id: Some(FplId::parse(&(900_000 + n).to_string()).unwrap()),
                team_name: Some(format!("Team {n}")),
                season: 2026,
                role: Role::Player,
                suspended: false,
                frozen: false,
                referral: None,
                created_at: now,
                password_reset_at: None,
                password_resets: 0,
                account: None,
                closed_at: None,
                closed_version: None,
                erasing_at: None,
                totp: false,
                restraints: Restraints::default(),
                terms: Vec::new(),
            };
            let made = app.store().create_player(&player, "nobody logs in", Language::En).await.unwrap();
            assert_eq!(made, SignedUp::Made);
            let amount = EntryAmount::try_from(amount).unwrap();
            let rate = app.config().excise.at(now);
            let paid = rate.map_or(amount.kes(), |rate| rate.gross_for(amount.kes()));
            let money = Posting::deposit(&player.id, &store::random_id(), paid).excised(paid - amount.kes());
            app.store().credit_wallet(&player.id, &money, app.clock().now()).await.unwrap();
            let (fpl_id, now) = (player.fpl_id.unwrap(), app.clock().now());
            let entry = app::entries::new_entry(&player, fpl_id, this_week(), amount, now);
            app.store().join_by_wallet(&entry).await.unwrap();
            entries.push(entry);
        }
        entries
    }

    /// Moves the clock to the beginning of a gameweek's phase.
    pub async fn phase(&self, gameweek: u8, phase: &str) {
        self.sim(Method::PUT, &format!("/fpl/gameweeks/{gameweek}"), json!({"phase": phase})).await;
    }

    /// Moves the clock to so many seconds from the first deadline.
    pub async fn to_deadline(&self, seconds: i64) {
        let deadline: jiff::Timestamp = "2026-08-22T10:30:00Z".parse().unwrap();
        self.clock_to(&(deadline + SignedDuration::from_secs(seconds)).to_string()).await;
    }

    /// What the official game will say of a team.
    pub async fn points(&self, fpl_id: &str, gameweek: u8, points: i64, bench: i64, cost: i64) {
        let week = json!({"points": points, "pointsOnBench": bench, "transfersCost": cost});
        let body = json!({"gameweeks": {gameweek.to_string(): week}});
        self.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), body).await;
    }

    /// Whether the official game has a team.
    pub async fn team_exists(&self, fpl_id: &str, exists: bool) {
        self.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), json!({"exists": exists})).await;
    }

    /// Whether the official game answers about a team.
    pub async fn team_answers(&self, fpl_id: &str, answers: bool) {
        self.sim(Method::PUT, &format!("/fpl/entries/{fpl_id}"), json!({"answers": answers})).await;
    }

    /// The leagues of the first gameweek, as anybody sees them.
    pub async fn leagues(&self, amount: i64) -> Vec<Value> {
        self.nobody().leagues(amount, 1).await
    }

    /// The first gameweek's draw, as anybody sees it.
    pub async fn draw(&self) -> Value {
        self.nobody().get("/api/gameweeks/1/draw").await.expect(200)
    }

    pub async fn is_drawn(&self) -> bool {
        self.draw().await["drawnAt"].is_string()
    }

    /// Makes a draw again from what is public: a gameweek's, with further options.
    pub async fn verified(&self, gameweek: &str, more: &[&str]) -> Report {
        let words = [&[gameweek, self.base.as_str()][..], more].concat();
        verify::run(&Options::parse(&words).unwrap()).await.unwrap()
    }

    /// What a league has been paid by.
    pub async fn settlement(&self, league: &str) -> Value {
        self.nobody().get(&format!("/api/leagues/{league}/settlement")).await.expect(200)
    }

    pub async fn current_gameweek(&self) -> Value {
        self.nobody().get("/current-gameweek").await.expect(200)["currentGameweek"].clone()
    }

    /// An admin ends the gameweek; its winners are paid when the clock moves on.
    pub async fn end_gameweek(&self) {
        self.admin().await.post(PROCESS, json!({})).await.expect(200);
    }

    /// An admin presses for a gameweek by its number.
    pub async fn press(&self, gameweek: u8) -> Answer {
        self.admin().await.post(PROCESS, json!({"gameweek": gameweek})).await
    }

    /// The leagues that cannot be settled by themselves.
    pub async fn waiting_leagues(&self) -> Vec<Value> {
        let list = self.admin().await.get("/api/admin/leagues/waiting").await.expect(200);
        list["waiting"].as_array().unwrap().clone()
    }

    /// An admin decides a league that waits.
    pub async fn decide_league(&self, league: &Value, body: Value) -> Answer {
        self.admin().await.post(&format!("/api/admin/leagues/{}", text(league, "_id")), body).await
    }

    /// A league of six with different points, played and final; `hidden` of the teams are unknown to the
    /// official game from the end of play on.
    pub async fn league_with_hidden(&self, hidden: usize) -> Vec<Value> {
        let crowd = self.crowd_in_order(6, 50).await;
        self.phase(1, "finished").await;
        for player in &crowd[..hidden] {
            self.team_exists(fpl_id(player), false).await;
        }
        self.phase(1, "checked").await;
        self.end_gameweek().await;
        self.advance(60).await;
        crowd
    }

    /// So many leagues of ten at 50, put straight into the table: played and read, each reading changed by `change`.
    pub async fn played_leagues(&self, count: u32, change: impl Fn(&mut Vec<Reading>)) -> Vec<LeagueId> {
        let (app, id, amount) = (self.app(), this_week(), EntryAmount::Fifty);
        self.faults(json!({"fpl": "down"})).await;
        for n in 0..count * 10 {
            fixtures::enter(app, id, amount, n).await;
        }
        fixtures::end_play(app, id).await;
        app::leagues::draw::advance(app, id).await.unwrap();
        fixtures::read_teams(app, id, amount, change).await
    }

    /// As the admin calls a gameweek off.
    pub async fn called_off(&self) -> CalledOff {
        let admin = self.admin().await.user_id();
        CalledOff { at: self.app().clock().now(), admin, reason: "The season was left.".to_owned() }
    }

    /// The season of 2027 in the place of the one that is played.
    pub async fn new_season(&self) {
        let first = self.app().clock().now() + SignedDuration::from_hours(50);
        let gameweek = |n: u8| Gameweek::new(n, first + SignedDuration::from_hours(168 * i64::from(n - 1)));
        let next = Calendar { season: 2027, gameweeks: (1..=38).map(gameweek).collect(), read_at: None };
        self.app().store().update_calendar(|_| Some(next.clone())).await.unwrap();
    }
}
