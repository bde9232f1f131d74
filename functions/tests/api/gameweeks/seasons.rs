//! One season after another: a team id is a season's, money and what was played stay.

use app::Safeguards::Light;
use local::{fixtures, process::Fate};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, Person, World, assert_has, at_once,
    gameweek::{PROCESS, this_week},
    log_capture::Lines,
    mpesa::paid,
};

const NEW_SEASON: &str = "A new season has begun. Link your team id for it first.";

#[tokio::test]
async fn a_team_of_last_season_does_not_enter_until_a_new_one_is_linked() {
    let (world, mut player) = World::with_player(300).await;
    player.join(50, 1).await.expect(201);
    assert_eq!(player.user().await["needsTeam"], false);
    let old = player.fpl_id.clone();
    world.new_season().await;

    // Nothing is pushed, nothing is taken.
    assert_eq!(player.join(50, 1).await.refused(400), NEW_SEASON);
    let refused = player.pay(50, 1).await.expect(400);
    assert_has(&refused, json!({"success": false, "message": NEW_SEASON}));
    assert_eq!(world.prompts(&player.phone()).await.len(), 1, "the deposit's");
    let user = player.user().await;
    assert_has(&user, json!({"needsTeam": true, "fplId": old, "wallet": 250}));
    let login = json!({"email": "player1@example.co.ke", "password": PASSWORD});
    let session = world.nobody().post("/api/login", login).await.expect(200);
    assert_has(&session, json!({"needsTeam": true, "fplId": old}));

    let linked = player.link_team("0512345").await.expect(200);
    assert_eq!(linked["fplId"], "512345");
    let user = player.user().await;
    assert_has(&user, json!({"needsTeam": false, "fplId": "512345"}));
    assert_eq!(user["teamName"], linked["teamName"]);
    assert!(linked["teamName"].is_string());
    player.fpl_id = "512345".to_owned();
    player.join(50, 1).await.expect(201);
    assert_eq!(player.leagues(50, 1).await[0]["users"][0]["fplId"], "512345");

    // Last season is as it was: the claim, the entry, and nobody's money has moved.
    let old_claim = world.app().store().player_by_team(2026, old.parse_id()).await.unwrap();
    assert_eq!(old_claim.unwrap().id.to_string(), player.id);
    let fifty = domain::EntryAmount::Fifty;
    let mut entries = world.app().store().entries_in_order("2026-01".parse().unwrap(), fifty, None);
    assert_eq!(entries.next().await.unwrap().unwrap().fpl_id, old.parse_id());
    let told = player.entries().await;
    let gameweeks: Vec<_> =
        told["entries"].as_array().unwrap().iter().map(|entry| entry["gameweek"].clone()).collect();
    assert_eq!(gameweeks, ["2027-01", "2026-01"]);
    assert_eq!(player.wallet().await, 200);
    world.ledger().await;
}

trait ParseId {
    fn parse_id(&self) -> domain::FplId;
}

impl ParseId for String {
    fn parse_id(&self) -> domain::FplId {
        domain::FplId::parse(self).unwrap()
    }
}

#[tokio::test]
async fn a_team_is_linked_once_a_season_and_to_one_account() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let linked_already = one.link_team("512345").await.refused(409);
    assert!(linked_already.contains("we can correct it"), "{linked_already}");
    // The same again is what there is.
    one.link_team(&one.fpl_id).await.expect(200);
    world.new_season().await;
    for wrong in ["", "x", "-1", "1.5", "0", "99999999999"] {
        assert_eq!(one.link_team(wrong).await.refused(400), "FPL ID must be a numeric value.");
    }
    world.team_exists("4242", false).await;
    assert!(one.link_team("4242").await.refused(400).starts_with("There is no team with this FPL ID."));

    // The id of another's team of last season is free this season, and then it is not.
    one.link_team(&other.fpl_id).await.expect(200);
    let taken = other.link_team(&other.fpl_id).await.refused(409);
    assert!(taken.starts_with("This FPL ID is linked to another account"), "{taken}");
    assert_eq!(other.user().await["needsTeam"], true);
    other.link_team(&one.fpl_id).await.expect(200);
    assert!(other.link_team("512345").await.refused(409).starts_with("Your team for this season is linked"));
    world.nobody().put("/api/user/team", json!({"fplId": "5"})).await.refused(401);
}

/// Each asks the official game.
#[tokio::test]
async fn ten_teams_an_hour_may_be_tried() {
    let (world, player) = World::with_player(0).await;
    world.new_season().await;
    world.team_exists("4242", false).await;
    for _ in 0..10 {
        player.link_team("4242").await.refused(400);
    }
    let refused = player.link_team("512345").await;
    assert!(refused.headers.contains_key("retry-after"));
    assert!(refused.refused(429).starts_with("Too many team ids. Try again in "));
    world.advance(3600).await;
    world.player_again(1).await.link_team("512345").await.expect(200);
}

#[tokio::test]
async fn clicks_at_once_link_one_team() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    world.new_season().await;
    let clicks = (0..8).map(|i| {
        let (player, id) = if i % 2 == 0 { (one.clone(), i / 2) } else { (other.clone(), i / 2) };
        async move { player.link_team(&(512_345 + id).to_string()).await.status.as_u16() }
    });
    let mut linked = 0;
    for click in at_once(clicks).await {
        match click {
            200 => linked += 1,
            other => assert_eq!(other, 409),
        }
    }
    assert_eq!(linked, 2, "one each");
    let team = async |player: &Person| player.user().await["fplId"].clone();
    assert_ne!(team(&one).await, team(&other).await);
}

#[tokio::test]
async fn a_team_taken_on_trust_is_asked_for_before_the_first_entry() {
    let (world, mut player) = World::with_player(100).await;
    world.new_season().await;
    world.faults(json!({"fpl": "down"})).await;
    assert_eq!(player.link_team("512345").await.expect(200)["teamName"], json!(null));
    assert_eq!(player.user().await["teamName"], json!(null));
    player.fpl_id = "512345".to_owned();
    player.join(50, 1).await.refused(503);
    world.faults(json!({"fpl": "none"})).await;
    player.join(50, 1).await.expect(201);
    assert!(player.leagues(50, 1).await[0]["users"][0]["teamName"].is_string());
}

/// A payment shows its own entry, and only in its own season.
#[tokio::test]
async fn a_payment_of_last_season_shows_nothing_in_this_one() {
    let (world, player) = World::with_player(0).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    world.answer_prompt(&player.phone(), paid()).await;
    let join = json!({"fplId": player.fpl_id, "entryAmount": 50, "gameweek": 1, "checkoutId": id});
    world.nobody().post("/api/join-league", join.clone()).await.expect(201);
    world.new_season().await;
    world.nobody().post("/api/join-league", join).await.refused(403);
}

#[tokio::test]
async fn a_season_ends_and_the_next_one_begins() {
    let world = World::start_in_last_gameweek(Light).await;
    assert_eq!(world.current_gameweek().await, 38);
    world.player_with(300).await.join(100, 38).await.expect(201);
    world.crowd(5, 100).await;
    world.phase(38, "checked").await;
    world.press(38).await.expect(200);
    world.advance(60).await;

    // Nothing to play, and whoever needs a gameweek is told so.
    let mut player = world.player_again(1).await;
    assert_eq!(world.current_gameweek().await, json!(null));
    let status = player.get("/api/gameweek/status").await.expect(200);
    let nothing = json!({"isOpen": false, "season": null, "gameweek": null, "deadline": null, "state": null});
    assert_has(&status, nothing);
    let none = "Could not determine current gameweek. Try again";
    for number in [1, 38, 39] {
        assert_eq!(player.join(50, number).await.refused(400), format!("{none} shortly."));
    }
    assert_eq!(player.pay(50, 1).await.refused(400), format!("{none}."));
    let admin = world.admin().await;
    assert_eq!(admin.post(PROCESS, json!({})).await.refused(400), "There is no gameweek to end.");
    assert_eq!(world.press(38).await.expect(200)["state"], "settled");
    let toggled = admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    assert_eq!(toggled["message"], "Transfer point deduction is now OFF.");
    assert_eq!(player.leagues(100, 38).await.len(), 1);
    assert_eq!(player.get("/api/leagues?entryAmount=100").await.expect(200), json!([]));
    let so_far = player.get("/api/gameweeks").await.expect(200);
    assert_eq!((so_far.as_array().unwrap().len(), &so_far[0]["number"]), (38, &json!(38)));

    // In between, a new player's team is of the season that the calendar has.
    assert_eq!(world.player().await.user().await["needsTeam"], false);

    world.clock_to("2027-07-10T09:00:00Z").await;
    assert_eq!(world.current_gameweek().await, 1);
    let status = world.nobody().get("/api/gameweek/status").await.expect(200);
    assert_has(&status, json!({"season": 2027, "gameweek": 1}));
    let so_far = world.nobody().get("/api/gameweeks").await.expect(200);
    assert_eq!((so_far.as_array().unwrap().len(), &so_far[0]["season"]), (1, &json!(2027)));
    for n in [1, 2] {
        player = world.player_again(n).await;
        assert_eq!(player.user().await["needsTeam"], true);
    }
    player = world.player_again(1).await;
    assert_eq!(player.join(50, 1).await.refused(400), NEW_SEASON);
    player.fpl_id = player.link_team("512345").await.text(200, "fplId");
    player.join(50, 1).await.expect(201);
    let told = player.entries().await;
    let (new, old) = (&told["entries"][0], &told["entries"][1]);
    assert_has(new, json!({"season": 2027, "number": 1, "rank": null}));
    assert_has(old, json!({"season": 2026, "number": 38}));
    assert!(old["rank"].is_u64() && old["points"].is_i64(), "{old}");
    world.ledger().await;
}

/// The alarms of one run of `sync-gameweek` in which the official calendar is read, and what is owed.
async fn alarms(world: &World) -> Vec<(String, String)> {
    world.schedule("sync-gameweek", false).await;
    world.advance(400).await;
    let (log, here) = Lines::capture();
    app::gameweeks::sync::sync(world.app()).await.unwrap();
    drop(here);
    world.schedule("sync-gameweek", true).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = log.all().into_iter().filter(|line| line["alarm"].is_string());
    lines.map(|line| (text(&line["alarm"]), text(&line["owed"]))).collect()
}

/// Its points are final and nobody ends it, or they do not become final: an alarm until it is paid.
#[rstest]
#[case::nobody_ends_it("none", PROCESS, json!({}))]
#[case::it_could_be_called_off("unfinal", "/api/admin/gameweeks/2026-01/void", json!({"reason": "It is never final."}))]
#[tokio::test]
async fn a_gameweek_that_waits_for_somebody_rings(
    #[case] official: &str,
    #[case] end: &str,
    #[case] body: Value,
) {
    let world = World::start().await;
    world.crowd(5, 50).await;
    world.faults(json!({"fpl": official})).await;
    world.phase(1, "checked").await;
    world.advance(600).await;
    assert_eq!(alarms(&world).await, []);
    world.to_deadline(7 * 24 * 3600).await;
    assert_eq!(alarms(&world).await, [("settlement".to_owned(), "1".to_owned())]);
    world.admin().await.post(end, body).await.expect(200);
    world.advance(600).await;
    assert_eq!(alarms(&world).await, []);
}

/// The new season begins, and what the old one owes is paid beside it, by season and number.
#[tokio::test]
async fn a_season_that_is_not_paid_gives_way_and_is_paid_all_the_same() {
    let world = World::start_in_last_gameweek(Light).await;
    let player = world.player_with(50).await;
    player.join(50, 38).await.expect(201);
    let crowd = world.crowd(5, 50).await;
    let teams = crowd.iter().map(|other| other["fplId"].as_str().unwrap().to_owned());
    for (i, team) in (0..).zip(teams.chain([player.fpl_id.clone()])) {
        world.points(&team, 38, 40 + i, 0, 0).await;
    }
    // Both readings are made while the official game still has that season.
    world.phase(38, "checked").await;
    // Who the footballers are is only shown: where it cannot be kept, what is owed is told all the same.
    world.faults(json!({"dynamodb": {"refusedPuts": "FOOTBALLERS#"}})).await;
    world.clock_to("2027-07-12T09:00:00Z").await;
    world.advance(600).await;
    assert_eq!(world.current_gameweek().await, 1);
    assert_eq!(world.player_again(1).await.user().await["needsTeam"], true);
    assert_eq!(alarms(&world).await, [("season".to_owned(), "38".to_owned())]);
    assert_eq!(world.ledger().await.account("pot:2026-38"), 300);

    let admin = world.admin().await;
    let owed = admin.get("/api/admin/gameweeks").await.expect(200);
    assert_eq!(
        (owed.as_array().unwrap().len(), &owed[0]["gameweek"], &owed[0]["state"]),
        (1, &json!("2026-38"), &json!("final"))
    );
    // The button means the season that is played; the old one is named.
    admin.post(PROCESS, json!({})).await.refused(409);
    let preview = admin.get("/api/admin/winners?gameweek=2026-38").await.expect(200);
    assert_has(&preview, json!({"toPay": 270, "waiting": 0, "season": 2026}));
    let pressed = admin.post(PROCESS, json!({"gameweek": "2026-38"})).await.expect(200);
    assert_has(&pressed, json!({"season": 2026, "gameweek": 38}));
    world.advance(600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-38"), ledger.account("fees")), (0, 30));
    assert_eq!(world.player_again(1).await.wallet().await, 270);
    assert_eq!(alarms(&world).await, []);
    assert_eq!(world.admin().await.get("/api/admin/gameweeks").await.expect(200), json!([]));
}

/// What was never read of the old season is not read from the new one, whose gameweeks have the same numbers: a
/// league whose teams are not known waits, and an admin decides it.
#[tokio::test]
async fn a_former_season_is_not_settled_on_the_points_of_the_new_one() {
    let world = World::start_in_last_gameweek(Light).await;
    world.crowd(5, 50).await;
    world.phase(38, "finished").await;
    // Points become final, and then no team can be read until the season is over.
    world.faults(json!({"fpl": "entry_not_found"})).await;
    world.phase(38, "checked").await;
    world.clock_to("2027-07-12T09:00:00Z").await;
    world.faults(json!({"fpl": "none"})).await;
    world.admin().await.post(PROCESS, json!({"gameweek": "2026-38"})).await.expect(200);
    world.advance(2 * 24 * 3600).await;
    let waiting = world.waiting_leagues().await;
    assert_eq!((waiting.len(), &waiting[0]["season"]), (1, &json!(2026)));
    assert_eq!(waiting[0]["decisions"], json!(["own-figures", "refund", "leave-out"]));
    assert_eq!(world.ledger().await.account("pot:2026-38"), 250);
    let decide = json!({"act": "own-figures", "reason": "The season is over."});
    world.decide_league(&waiting[0], decide).await.expect(200);
    world.advance(600).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("pot:2026-38"), ledger.account("fees")), (0, 25));
}

/// Two processes change the calendar at once: neither takes back what the other has written.
#[tokio::test]
async fn what_two_write_of_a_gameweek_at_once_is_both_there() {
    let world = World::start().await;
    let (app, process) = (world.app(), world.process(Fate::WaitsBefore(1)));
    let now = app.clock().now();
    let drawn = fixtures::change(process.app(), this_week(), |gameweek| gameweek.drawn_at = Some(now));
    let ended = fixtures::change(app, this_week(), |gameweek| gameweek.final_at = Some(now));
    process.run_around(drawn, ended).await;
    let gameweek = app.gameweek(this_week()).await.unwrap().unwrap();
    assert_eq!((gameweek.drawn_at, gameweek.final_at), (Some(now), Some(now)));
}
